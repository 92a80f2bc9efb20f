"""Bots play actions: whatever else they answer is told in one sentence, and so is who is no bot."""

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from places import ROOT
from plain_bots import Uniform

import ruse as library
from ruse.compile import compiled
from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.games.kuhn import Kuhn
from ruse.play.bots.bot import RandomBot, Seat, name_of
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.strategy import Strategy
from ruse.styles.sample import Sample

KUHN = Kuhn()
DEALS = [("K", "J"), ("K", "Q")]  # the same to player 0


class OnlyAnswers:
    """No bot."""

    def answer(self, *given: Any) -> int:
        return 0


class NoView(NamedTuple):
    """It chooses by a key, but nobody knows which."""

    nothing: int = 0

    def choose(self, key: int, count: int, u: float) -> int:
        return 0


def test_who_is_no_bot() -> None:
    with pytest.raises(RuseError, match=r"is no bot: it has no act\(seat\), no choose\(key, count, u\) and no decide"):
        library.match(KUHN, [OnlyAnswers(), RandomBot()], deals=2)
    with pytest.raises(RuseError, match=r"^NoView chooses by a key, so it needs a view in `sees`"):
        library.match(KUHN, [NoView(), RandomBot()], deals=2)


class Says(NamedTuple):
    """A bot in plain Python that says this."""

    what: Any

    def act(self, seat: Seat) -> Any:
        return self.what


@compiled("choose")
class Chooses(NamedTuple):
    """The same, compiled: a number that may be none of an action."""

    what: float
    sees: Full = Full()

    def choose(self, key, count, u):
        return self.what


@pytest.mark.parametrize("what", [2, -1, 0.5, float("nan"), float("inf"), None, "bet", [1]], ids=repr)
def test_only_actions_are_played(what: Any) -> None:
    said = "'bet'" if what == "bet" else r"\[1\]" if what == [1] else str(what)
    words = rf" chose {said}(\.0)? as player 0; an action is a whole number from 0 to 1 here$"
    with pytest.raises(RuseError, match="^Says" + words):
        library.match(KUHN, [Says(what), Uniform()], deals=2)
    if isinstance(what, int | float):
        for bots in ([Chooses(float(what)), RandomBot()], [Chooses(float(what)), Uniform()]):
            with pytest.raises(RuseError, match="^Chooses" + words):
                library.match(KUHN, bots, deals=2)


class Agreeable(float):
    """Says of every number that it is the same."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


def test_a_number_counts_by_its_value_whatever_it_says_that_it_equals() -> None:
    for what in (Agreeable(7), Agreeable(-1)):
        with pytest.raises(
            RuseError, match=r"^Says chose (7|-1)\.0 as player 0; an action is a whole number from 0 to 1"
        ):
            library.match(KUHN, [Says(what), Uniform()], deals=2)


def test_a_second_bot_of_one_name_is_called_by_it() -> None:
    def another() -> Any:
        @compiled("choose")
        class Timid(NamedTuple):
            sees: Full = Full()

            def choose(self, key, count, u):
                return 0

        return Timid()

    assert [name_of(another()) for _ in range(2)] == ["Timid", "Timid"]


@pytest.mark.parametrize("what", [1, 1.0, True, np.int8(1), np.float32(1), np.True_], ids=repr)
def test_a_whole_number_is_an_action(what: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.play.seats.veiled", lambda u: u)  # the same random numbers for bots of all kinds
    expected = library.match(KUHN, [Chooses(1.0), RandomBot()], deals=20, seed=3)
    assert library.match(KUHN, [Says(what), Uniform()], deals=20, seed=3)[1:] == expected[1:]


def test_a_strategy_of_another_game_is_not_read_beyond_its_rows() -> None:
    states = [State.of(KUHN).after(*deal) for deal in (*DEALS, ("J", "Q"))]
    keys = np.unique(np.array([int(Full().key(KUHN, state.row)) & MASK for state in states], np.uint64))
    short = Strategy(KUHN, keys, np.arange(len(keys) + 1), np.ones(len(keys)))
    for bots in ([short, Strategy.uniform(KUHN)], [short, Uniform()]):
        with pytest.raises(RuseError, match=r"^the strategy does not fit the game: where player 0 has 2 actions, it h"):
            library.match(KUHN, bots, deals=20)
    with pytest.raises(RuseError, match=r"^the strategy does not fit Kuhn\(.*: an infoset has another number of act"):
        Sample(short, deals=50)


def test_the_bot_in_the_docs_plays() -> None:
    game = library.game(str(ROOT / "examples/coin_toss.py"))
    blocks = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8").split("```python\n")[1:]
    code = next(block.split("```")[0] for block in blocks if block.startswith("class Bold"))
    scope = {"ruse": library, "CoinToss": type(game), "run": SimpleNamespace(strategy=Strategy.uniform(game))}
    exec(compile(code, "add-a-game.md", "exec"), scope)
