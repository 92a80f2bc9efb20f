"""Watchful: it counts the challenges of the game that was played, and it sees nothing that is hidden."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from ruse.compile import kernel
from ruse.games.cheat.cards import CLAIM, DISCARDER, HANDS, LAST, PILE, WHO, WINDOW_BITS, turn_bits
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import view_of
from ruse.games.cheat.watchful import Watchful
from ruse.laws.collisions import KeyBook
from ruse.protocol.state import State
from ruse.strategy import Strategy

HALF = Cheat(**Cheat.NAMED["half"])
MID = Cheat(**Cheat.NAMED["mid"], max_turns=30)
SETTINGS = [HALF, MID, Cheat(ranks=3, copies=4, deal=4, hp=-1, max_turns=30),
            Cheat(ranks=5, copies=4, deal=5, players=3, hp=-1, max_turns=30)]  # fmt: skip
VIEWS = [Watchful(), Watchful(doubted=3), Watchful(ahead=3, doubted=2, turns=6)]


class Turn(NamedTuple):
    """A turn that is over: who claimed something, and whether it was challenged."""

    seat: int
    challenged: bool


def decisions(game: Cheat, games: int) -> Iterator[tuple[State, list[Turn]]]:
    """Decisions of random games, with all turns before."""
    draw = np.random.default_rng(0)
    for _ in range(games):
        state, turns = State.of(game), list[Turn]()
        while not state.is_over:
            s = state.row
            if state.is_chance or s[CLAIM] == 0:
                if not state.is_chance:
                    yield state, turns
                state = state.child(int(draw.integers(len(state.actions))))
                continue
            yield state, turns
            seat, doubts = int(s[DISCARDER]), bool(draw.random() < 0.5)
            state = state.child(int(doubts))
            if doubts or state.is_over or state.row[CLAIM] == 0:
                turns.append(Turn(seat, doubts))


def slow_count(view: Watchful, game: Cheat, me: int, turns: list[Turn]) -> int:
    """What the key tells beside that of the Sketch, from a list of turns."""
    held = min(view.turns, WINDOW_BITS // turn_bits(game))
    return min(sum(turn.challenged for turn in turns[-held:] if turn.seat == me), view.doubted)


@pytest.mark.parametrize("view", VIEWS, ids=repr)
@pytest.mark.parametrize("game", SETTINGS, ids=repr)
def test_a_key_is_what_was_seen(game: Cheat, view: Watchful) -> None:
    by_key: dict[int, tuple[int, int]] = {}
    by_sight: dict[tuple[int, int], int] = {}
    for state, turns in decisions(game, 25):
        key = int(view.key(game, state.row))
        sight = (int(Sketch(view.ahead).key(game, state.row)), slow_count(view, game, int(state.row[WHO]), turns))
        assert by_key.setdefault(key, sight) == sight
        assert by_sight.setdefault(sight, key) == key
    assert {times for _, times in by_sight} == set(range(view.doubted + 1)), "it does happen"


def test_it_does_not_see_what_is_hidden() -> None:
    for state, _ in decisions(HALF, 10):
        hidden = state.row.copy()
        hidden[HANDS + 1 - state.row[WHO]] = 0  # its size stays
        hidden[PILE] = 0
        if state.row[CLAIM] > 0:
            hidden[LAST] = 0
        assert Watchful().key(HALF, hidden) == Watchful().key(HALF, state.row)


def test_with_nothing_to_watch_it_is_a_sketch() -> None:
    blind = Watchful(doubted=0)
    keys = {(int(blind.key(HALF, s.row)), int(Sketch().key(HALF, s.row))) for s, _ in decisions(HALF, 10)}
    assert len(keys) == len({key for key, _ in keys}) == len({key for _, key in keys}) > 50


def test_choices_are_those_of_the_sketch() -> None:
    for state, _ in decisions(MID, 5):
        s, count = state.row, Sketch().num_choices(MID, state.row)
        assert Watchful().num_choices(MID, s) == count
        meant = [Watchful().meaning(MID, s, a) for a in range(count)]
        assert meant == [Sketch().meaning(MID, s, a) for a in range(count)]


@kernel
def fill(game, view, rows, found):
    for k in range(len(rows)):
        found[k, 0] = view.key(game, rows[k])
        for a in range(view.num_choices(game, rows[k])):
            found[k, 1 + a] = view.meaning(game, rows[k], a)


def test_compiled_as_in_plain_python() -> None:
    rows = np.array([state.row for state, _ in decisions(HALF, 10)])
    found = np.full((len(rows), 20), -1, np.int64)
    fill(HALF, Watchful(), rows, found)
    for s, (key, *meant) in zip(rows, found.tolist(), strict=True):
        assert key == Watchful().key(HALF, s)
        count = Watchful().num_choices(HALF, s)
        assert meant == [Watchful().meaning(HALF, s, a) for a in range(count)] + [-1] * (19 - count)


def test_by_name_and_from_a_file(tmp_path: Path) -> None:
    assert view_of("watchful", HALF) == Watchful()
    view = Watchful(doubted=2)
    Strategy(HALF, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=view).save(tmp_path / "a.strategy")
    assert Strategy.load(tmp_path / "a.strategy").view == view


def test_words_are_as_many_as_keys() -> None:
    book = KeyBook(MID, Watchful(doubted=3))
    book.play(games=100)
    words = {told for told, _ in book.seen.values()}
    assert len(words) == len(book.seen) > 100
    assert any(told.endswith("doubted 2") for told in words)
    state = State.of(MID)
    while state.is_chance:
        state = state.child(0)
    sketch, view = Sketch(), Watchful()
    assert view.describe(MID, state.row) == f"{sketch.describe(MID, state.row)}, doubted 0"
    assert view.action_name(MID, state.row, 0) == sketch.action_name(MID, state.row, 0)
