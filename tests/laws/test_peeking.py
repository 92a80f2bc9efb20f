"""Nobody sees what is hidden: neither by a view nor by what is printed at the table."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import peeking_views
import pytest
from commands import Ruse
from peeking_views import Keeps, Loose, Offers, Peek, Rarely, Remembers, Wordy, Writes

import ruse as library
from ruse.errors import RuseError
from ruse.evaluate.explaining.coach import Coach
from ruse.games.cheat import table as cheat_table
from ruse.games.cheat.cards import LAST, PILE
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import General, HistoryAware, HpAware, Memoryless
from ruse.games.cheat.watchful import Watchful
from ruse.games.kuhn import Kuhn
from ruse.games.mahjong.rules import Mahjong
from ruse.laws.check import check
from ruse.laws.peeking import peeking, refuse_peeking, views_of
from ruse.laws.twins import twins
from ruse.protocol.choices import AsItIs, Offered, Own
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.strategy import Strategy

KUHN = Kuhn()
DEALS = [("K", "J"), ("K", "Q")]  # the same to player 0
NOTHING_LEARNED = (np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0))
HIDDEN = "tells player 0 what is hidden: it is not the same after "
CHEATS = ["cheat", "cheat:half,max_turns=40", "cheat:mid,players=3,allow_pass=true", "cheat:undealt=pile,starter=0"]


# ---- twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["kuhn:players=3", "leduc", "liars_dice", "goofspiel", "rock_paper_scissors", *CHEATS], ids=str
)
def test_twins_are_games_that_one_player_cannot_tell_apart(spec: str) -> None:
    game = library.game(spec)
    found = list(twins(game, random.Random(0), moves=3_000))
    assert len(found) > 8
    for player, *lines in found:
        known = []
        for line in lines:
            state = State.of(game)
            met = []
            for row, a in zip(line.rows, line.moves, strict=False):
                assert np.array_equal(state.row, row)
                assert state.player >= 0 or state.chances[a] > 0
                met += [(state.infoset, state.actions[a])] if state.player == player else []
                state = state.child(a)
            assert state.player == player
            assert np.array_equal(state.row, line.rows[-1])
            known.append((met, state.infoset, state.describe(player), state.actions))
        assert known[0] == known[1]
        assert lines[0].moves != lines[1].moves


# ---- views -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Peek(), rf"^the view Peek\(nothing=0\) {HIDDEN}[JQK], [JQK].* as after .*, which this player cannot tell apa"),
        (AsItIs(Peek()), rf"^the view AsItIs\(sees=Peek\(nothing=0\)\) {HIDDEN}"),
        (Wordy(), rf"^the view Wordy\(nothing=0\) {HIDDEN}"),
        (Offers(), rf"^the view Offers\(nothing=0\) {HIDDEN}"),
        (Keeps(np.zeros(1, np.int64)), r"^the view Keeps\(.*\) must be a NamedTuple .* that keeps nothing of what it"),
        (Loose(), r"^the view Loose\(\) must be a NamedTuple with @compiled\('key'\)"),
        (Writes(), r"^the view Writes\(nothing=0\) changes the state that it is shown; it may only read it$"),
    ],
    ids=str,
)
def test_views_that_peek_are_refused(view: Any, words: str) -> None:
    words = words.replace("player 0", "player [01]")
    for _ in range(2):  # the second time from memory
        with pytest.raises(RuseError, match=words):
            refuse_peeking(KUHN, view)
    with pytest.raises(RuseError, match=words):
        refuse_peeking(Offered.of(KUHN, view), Own())


@pytest.mark.parametrize("column", [LAST, PILE])
@pytest.mark.parametrize("spec", CHEATS)
def test_a_peek_is_found_in_large_games(spec: str, column: int) -> None:
    with pytest.raises(RuseError, match=r"^the view Rarely\(column=\d\) tells player \d what is hidden: "):
        refuse_peeking(library.game(spec), Rarely(column))


HONEST = [Full(), Memoryless(), HpAware(hp_clip=2), HistoryAware(outcome=True), General(window=2, cards=True)]


@pytest.mark.parametrize("spec", CHEATS)
def test_views_that_forget_are_fine(spec: str) -> None:
    for view in [*HONEST, Memoryless(cards=True, claim=True, own_order=True), Sketch(), Watchful()]:
        refuse_peeking(library.game(spec), view)
    refuse_peeking(KUHN, AsItIs(Full()))


class Forgetful(Kuhn):
    """Kuhn poker whose players forget all but how many moves there were."""

    perfect_recall = False

    def infoset(self, s: Any) -> int:
        return int(s[1])


def test_a_view_may_remember_what_infosets_forget() -> None:
    """But no more than the player was shown."""
    refuse_peeking(Forgetful(), AsItIs(Remembers()))
    with pytest.raises(RuseError, match=HIDDEN.replace("player 0", "player [01]")):
        refuse_peeking(Forgetful(), Peek())


def test_training_refuses_a_view_that_peeks() -> None:
    for walk in (library.cfr(), library.mccfr("external")):
        with pytest.raises(RuseError, match=r"^the view Peek\(nothing=0\) tells player \d what is hidden"):
            library.train(KUHN, walk, iterations=1, view=Peek())
    peeked = Strategy(KUHN, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=Peek())
    for judge in (library.exploitability, library.lower_bound):
        with pytest.raises(RuseError, match=r"^the view Peek\(nothing=0\) tells player \d what is hidden"):
            judge(KUHN, peeked)


def test_check_and_the_command_line(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(peeking(KUHN))
    monkeypatch.setattr(Kuhn, "views", peeking_views.__name__, raising=False)
    assert {type(view).__name__ for view in views_of(KUHN)} >= {"Peek", "Wordy", "Offers", "Writes", "Remembers"}
    failures = check(KUHN, games=5).failures
    assert sum("Peek(nothing=0) tells player" in failure for failure in failures) == 1
    assert not any("Remembers" in failure for failure in failures)
    refused = ruse("solve", "kuhn", "--view", "Peek", "--iterations", "1")
    assert (refused.code, refused.out) == (2, "")
    assert "the view Peek(nothing=0) tells player" in refused.err
    assert not Path("runs").exists()


# ---- at the table ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", CHEATS)
def test_what_is_told_at_the_table_is_not_hidden(spec: str) -> None:
    game: Any = library.game(spec)
    assert isinstance(game, Cheat)
    for player, *lines in twins(game, random.Random(5), moves=2_000):
        heard = []
        for line in lines:
            steps = zip(line.rows, line.moves, line.rows[1:], strict=False)
            told = [text for s, a, t in steps for text in cheat_table.told(game, s, a, t, player)]
            heard.append((told, cheat_table.shown(State(game, line.rows[-1], ()), player)))
        assert heard[0] == heard[1]


def test_hints_tell_nothing_that_is_hidden() -> None:
    coach = Coach(Strategy.uniform(KUHN))
    hints = {str(coach.hint(State.of(KUHN).after(*deal))) for deal in DEALS}
    assert len(hints) == 1
    assert str(coach.hint(State.of(KUHN).after("J", "Q"))) not in hints
    assert len({coach.grade(State.of(KUHN).after(*deal), 0) for deal in DEALS}) == 1
    with pytest.raises(RuseError, match="tells player 0 what is hidden"):
        Coach(Strategy(KUHN, *NOTHING_LEARNED, view=Peek()))


def test_a_long_deal_leaves_decisions_to_look_at() -> None:
    """In Mahjong 64 moves are the deal, and few changes of it are hidden from a player."""
    found = list(twins(Mahjong(), random.Random(1), moves=3_000, enough=60))
    assert len(found) >= 60
    assert max(len(one.moves) for _, one, _ in found) > 90
