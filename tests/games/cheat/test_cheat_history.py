"""Cheat's rows do not keep the turns that are over: whoever tells an infoset in words has the way to it."""

import random
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.games.cheat.cards import HANDS
from ruse.games.cheat.words import MOST_TOLD
from ruse.protocol.decisions import asked
from ruse.protocol.state import State
from ruse.solve.prefer.preferred import Finder, meet
from ruse.solve.solver.prefer import Preference
from ruse.strategy import Strategy
from ruse.styles.census import Census
from ruse.styles.sample import Sample
from ruse.tree.expanded import Expanded

GAME = ruse.Cheat(hp=1)
Names = dict[tuple[int, int], str]  # by player and infoset


@pytest.fixture(scope="module")
def names() -> Names:
    """Every infoset by the words of its states, all of which have their histories."""
    found: Names = {}
    waiting = [State.of(GAME)]
    while waiting:
        state = waiting.pop()
        if state.player >= 0:
            words = state.describe(state.player)
            assert found.setdefault((state.player, state.infoset), words) == words
        waiting += state.children()
    return found


def test_a_row_is_the_table_alone() -> None:
    assert [len(ruse.game(name).start()) for name in ("cheat", "cheat:half", "cheat:full")] == [HANDS + 8] * 3


def test_a_walk_names_infosets_by_the_ways_to_them(names: Names) -> None:
    found = Expanded.of(GAME).infosets
    assert sorted((infoset.player, infoset.name) for infoset in found) == sorted((p, n) for (p, _), n in names.items())
    assert len(set(names.values())) > 100


def test_a_census_and_preferences_tell_the_same(names: Names) -> None:
    wanted = Preference(asked("challenge, believed", 2), 10.0, 0.0)
    for decisions in (Census(Strategy.uniform(GAME)).decisions, meet(GAME, ruse.Full(), [wanted]).decisions):
        told = {(int(decisions.player[k]), decisions.describe(k)) for k in range(len(decisions.player))}
        assert told == {(player, name) for (player, _), name in names.items()}
        assert decisions.meant(asked("challenge, believed", 2)).sum() > 1


def test_ways_have_room_for_deeper_stacks() -> None:
    finder = Finder.start(GAME, np.ones(2, bool), whole=True)
    assert finder.further(128).ways.shape == (len(finder.found), 128)
    assert np.array_equal(finder.further(128).ways[:, :64], finder.ways)
    assert Finder.start(ruse.Kuhn(), np.ones(2, bool), whole=True).further(128).ways.shape[1] == 0


def test_a_sample_plays_a_deal_again() -> None:
    sample = Sample(Strategy.uniform(GAME), deals=50)
    for entry in range(0, sample.diary.used, 7):
        state = State.of(GAME).after(*sample._way(entry))
        assert np.array_equal(state.row, sample.diary.rows[entry])
        assert state.describe(state.player).count(" | ") > int(state.row[8]) - 1  # a part for each turn


def test_a_row_without_history_is_still_an_infoset(names: Names) -> None:
    """A number stands for the turns that are over, and no two infosets of a player have one name."""
    waiting, found = [State.of(GAME)], dict[tuple[int, str], int]()
    while waiting:
        state = waiting.pop()
        if state.player >= 0:
            words = GAME.describe(state.row, state.player)
            assert found.setdefault((state.player, words), state.infoset) == state.infoset
            assert ("... #" in words) == (words != state.describe(state.player))
        waiting += state.children()
    assert len(found) == len(names)


def test_a_long_game_is_told_up_to_a_number() -> None:
    game, dice = ruse.Cheat(hp=-1, allow_pass=True), random.Random(0)
    state = State.of(game)
    while not state.is_over and len(state.history) < 3 * MOST_TOLD:
        state = state.after("pass") if "pass" in state.actions else state.child(dice.randrange(state.num_actions))
    words = state.describe(0).split(" | ")
    assert len(words) == 2 + MOST_TOLD + 2
    assert words[-2].startswith("... #")
    assert words[-3] != words[-1] == "player 1: pass" or words[-1] == "you: pass"


def test_bots_in_words_hear_the_whole_game() -> None:
    heard: list[str] = []

    class Listener:
        def act(self, seat: Any) -> int:
            heard.append(seat.description)
            return 0

    listener = Listener()
    ruse.match(GAME, [listener, listener], deals=3)
    assert max(words.count(" | ") for words in heard) >= 3
    assert not any("#" in words for words in heard)
