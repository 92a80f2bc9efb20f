"""Keys that stand for two infosets are found, and told apart from bad luck."""

from typing import NamedTuple

import pytest
from sampled_walks import few_walks

import ruse
from ruse.compile import compiled
from ruse.compile.hashing import collision_chance
from ruse.errors import RuseError
from ruse.games.kuhn import CARDS, MOVES
from ruse.laws.collisions import KeyBook
from ruse.protocol.game import Game, Row
from ruse.protocol.view import Full
from ruse.solve.sampled.engine import SampledEngine


@compiled("key")
class ByCard(NamedTuple):
    """Kuhn by the card alone; it may forget to say so in its description, or to put the card into the key."""

    cards: int = 3

    def key(self, game, s):
        return s[CARDS + s[MOVES] % 2] % self.cards

    def describe(self, game: Game, s: Row) -> str:
        return f"card {s[CARDS + s[MOVES] % 2]}"


@compiled("key")
class Mute(NamedTuple):
    """A view without words."""

    nothing: int = 0

    def key(self, game, s):
        return game.player(s)


@compiled("key")
class Uneven(NamedTuple):
    """Liar's Dice with one key for everything: the number of actions differs."""

    nothing: int = 0

    def key(self, game, s):
        return 7


def test_the_birthday_bound() -> None:
    assert collision_chance(2) == pytest.approx(4 / 2**65)
    assert collision_chance(10**7) == pytest.approx(2.7e-6, rel=0.01)
    engine = SampledEngine(ruse.Kuhn(), ruse.mccfr())
    engine.run(0, 1_000)
    assert engine.facts.collisions == collision_chance(12)


def test_good_keys_pass() -> None:
    for game in (ruse.Kuhn(players=3), ruse.Leduc(), ruse.LiarsDice()):
        book = KeyBook(game)
        book.play(games=300)
        assert len(book.seen) > 40
    book = KeyBook(ruse.Kuhn(), ByCard())
    book.play(games=100)
    assert len(book.seen) == 3


def test_two_infosets_of_one_key_are_found() -> None:
    with pytest.raises(RuseError, match=r"two infosets have the key 0x\w+: .*card [012]"):
        KeyBook(ruse.Kuhn(), ByCard(cards=2)).play(games=100)


def test_a_training_can_look_for_them() -> None:
    run = ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=2_000, debug_keys=True)
    assert run.is_finished
    with pytest.raises(RuseError, match="two infosets have the key"):
        ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=200_000, view=ByCard(cards=2), debug_keys=True)
    with pytest.raises(RuseError, match="has no describe"):
        ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=1, view=Mute(), debug_keys=True)
    with pytest.raises(RuseError, match="`ruse check` looks at its keys"):
        ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=1, debug_keys=True)
    assert isinstance(KeyBook(ruse.Kuhn()).view, Full)


@few_walks
def test_another_number_of_actions_is_always_found(walk: str) -> None:
    with pytest.raises(RuseError, match="different numbers of actions have one key"):
        SampledEngine(ruse.LiarsDice(sides=3), ruse.mccfr(walk), view=Uneven()).run(0, 100)
