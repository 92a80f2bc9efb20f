"""What bots say of their moves: it is in the record, in the forms that have a place for it, and changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.games.mahjong.records import FORMS
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.views import CfrP
from ruse.play.bots.names import bots_of
from ruse.play.records.forms import written
from ruse.play.records.record import append
from ruse.play.records.retold import played_in
from ruse.play.session import NamedBot, Session
from ruse.protocol.played import Played
from ruse.strategy import Strategy

GAME = Mahjong()


def chooser() -> Any:
    """Chooses policies as CFR-p does, by a strategy that knows nothing."""
    seat = CfrP().hierarchy(GAME).seat(GAME, ruse.StrategyBot.of(Strategy.uniform(GAME)))
    return NamedBot("chooser", seat)


@pytest.fixture(scope="module")
def session() -> Session:
    return Session.start(GAME, [chooser(), NamedBot("normal", bots_of(GAME)["normal"])], seed=4)


def moves(session: Session, player: int) -> list[dict[str, Any]]:
    return [event for event in session.record() if event.get("player") == player]


def test_a_policy_says_its_name(session: Session) -> None:
    assert {json.dumps(event["thought"]) for event in moves(session, 1)} == {'{"policy": "normal"}'}


def test_who_chooses_policies_says_which_and_by_what(session: Session) -> None:
    """The integer and the probabilities only where a policy was chosen, at most three times a game."""
    thoughts = [event["thought"] for event in moves(session, 0)]
    chosen = [thought for thought in thoughts if "key" in thought]
    assert thoughts[0] == chosen[0]
    assert 2 <= len(chosen) <= 3
    assert chosen[0]["key"] & 63 == 1  # the round
    assert chosen[0]["sigma"] == [1 / 3] * 3
    assert {thought["policy"] for thought in thoughts} <= {"normal", "pongponghu", "seven_pairs"}
    assert all(sum(thought["sigma"]) == pytest.approx(1.0) for thought in chosen)


def test_thoughts_are_kept_by_all_forms_that_have_a_place_for_them(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    append(path, session.record())
    (found,) = played_in(path)
    lines = list(written([found], "log"))
    first = next(line for line in lines if line.get("p") == 0)
    assert (first["key"] & 63, len(first["sigma"])) == (1, 3)
    assert {line["policy"] for line in lines if line.get("p") == 1} == {"normal"}
    (again,) = FORMS["log"].read(enumerate(lines, 1), "log", None)
    assert isinstance(again, Played)
    assert list(written([again], "log")) == lines


def test_a_session_goes_on_with_its_thoughts(session: Session) -> None:
    seats = [chooser(), NamedBot("normal", bots_of(GAME)["normal"])]
    record = session.record()
    assert Session.resume(GAME, seats, record[:80]).record() == record


def test_mixed_says_which_it_is() -> None:
    for seed in range(3):
        game = Session.start(GAME, [NamedBot("mixed", bots_of(GAME)["mixed"])] * 2, seed=seed)
        for player in range(2):
            assert len({json.dumps(event["thought"]) for event in moves(game, player)}) == 1


class Thinks:
    """Says this of every move."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def memory_size(self, game: Any) -> int:
        return 1

    def watch(self, *given: Any) -> None:
        pass

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return int(u * count)

    def thought(self, *given: Any) -> Any:
        return self.said


@pytest.mark.parametrize("said", [{"a": object()}, {"a": {1}}, {"a": float("nan")}, None, [1]], ids=range(5))
def test_a_thought_that_no_record_can_hold_is_its_bots_fault(said: Any) -> None:
    with pytest.raises(ruse.RuseError, match=r"^Thinks has failed: (Type|Value)Error: "):
        Session.start(ruse.Cheat(), [Thinks(said), Thinks({"a": 1})], seed=1)
    assert Session.start(ruse.Cheat(), [Thinks({"a": 1}), Thinks({})], seed=1).is_over
