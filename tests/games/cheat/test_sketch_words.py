"""A strategy under a view with actions of its own, in words: lists, single places, hints, and the book of keys."""

from collections import Counter
from typing import NamedTuple

import pytest
from commands import Ruse

from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.explaining.explain import compare, explain, what_here
from ruse.games.cheat.cards import CLAIM
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.laws.collisions import KeyBook
from ruse.protocol.choices import Offered
from ruse.protocol.state import State
from ruse.solve.solver.presets import mccfr
from ruse.strategy import Strategy
from ruse.training.train import train

SMALL = Cheat(hp=1, max_turns=4)


@compiled("key", "num_choices", "meaning")
class Forgetful(NamedTuple):
    """A sketch whose words tell more than its key."""

    sees: Sketch = Sketch()

    def key(self, game, s):
        return s[CLAIM] > 0

    def num_choices(self, game, s):
        return self.sees.num_choices(game, s)

    def meaning(self, game, s, a):
        return self.sees.meaning(game, s, a)

    def describe(self, game: Cheat, s: object) -> str:
        return self.sees.describe(game, s)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sketched() -> Strategy:
    return train(SMALL, mccfr("probing"), iterations=5_000, seed=1, view=Sketch()).strategy


def slow_reach(strategy: Strategy) -> dict[str, float]:
    """How often play comes to each infoset, by playing every history of the whole game."""
    reach: Counter[str] = Counter()

    def play(state: State, share: float) -> None:
        if state.is_over:
            return
        if state.is_chance:
            mix = dict(zip(state.actions, state.chances, strict=True))
        else:
            choice = strategy.at(state)
            reach[choice.name] += share
            mix = dict(choice.actions)
        for action, chance in mix.items():
            if chance > 0.0:
                play(state.after(action), share * chance)

    play(State.of(strategy.game), 1.0)
    return dict(reach)


def test_the_list_is_what_is_played(sketched: Strategy) -> None:
    rows = explain(sketched)
    assert len({row.name for row in rows}) == len(rows) == len(sketched)
    slow = slow_reach(sketched)
    assert {row.name: row.reach for row in rows if row.reach > 0.0} == pytest.approx(slow)
    assert [choice.name for choice in sketched] == [row.name for row in rows]
    names = {name for row in rows for name in row.actions}
    assert {"believe", "challenge", "1 true", "1 false", "1 true 1 false"} <= names


def test_a_place_by_name_and_by_history(sketched: Strategy) -> None:
    deal = State.of(Offered.of(SMALL, Sketch()))
    while deal.is_chance:
        deal = deal.child(0)
    found = what_here(sketched, [step.strip() for step in deal.path().split(",")])
    named = what_here(sketched, found.name)
    assert (found.probability, found.value) == (named.probability, named.value)
    assert found.reach == pytest.approx(slow_reach(sketched)[found.name])
    assert found.actions == deal.actions
    assert compare(sketched, sketched)[0].distance == 0.0


def test_the_book_of_keys_knows_choices() -> None:
    """The key determines the choices that are offered, and not the game's actions."""
    book = KeyBook(Cheat(**Cheat.NAMED["mid"], max_turns=20), Sketch())
    book.play(games=50)
    assert len(book.seen) == len({words for words, _ in book.seen.values()}) > 100
    with pytest.raises(RuseError, match="two infosets have the key"):
        KeyBook(Cheat(), Forgetful()).play(games=100)


def test_commands(ruse: Ruse, sketched: Strategy) -> None:
    sketched.save("small.strategy")
    shown = ruse("show", "small.strategy", "--limit", "0")
    assert (shown.code, shown.err) == (0, "")
    assert "discard, has 0, next 1 1, cards 2-2" in shown.out
    hinted = ruse("play", "small.strategy", "--seed", "1", "--games", "1", typed=("hint", "quit"))
    assert hinted.code == 0
    assert "no hint" not in hinted.out
    assert any(len(line.split()) >= 2 and line.split()[-1].count(".") == 1 for line in hinted.out.splitlines())


@pytest.mark.slow
def test_a_history_in_a_game_too_large_to_be_walked(ruse: Ruse) -> None:
    half = Cheat(**Cheat.NAMED["half"], max_turns=40)
    strategy = train(half, mccfr("probing"), iterations=10, view=Sketch()).strategy
    strategy.save("half.strategy")
    state = State.of(half)
    while state.is_chance:
        state = state.child(len(state.actions) // 2)
    shown = ruse("show", "half.strategy", "--history", state.path())
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.strip() == str(strategy.at(state))
    assert len(strategy.at(state).actions) == Sketch().num_choices(half, state.row) < len(state.actions)
