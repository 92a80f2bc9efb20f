"""Cheat for one who watches: what Sketch sees, and how often the own claims were challenged in this game.

Against one kind of player that is of little use. Against several kinds it tells them apart: who does not doubt may be
lied to.
"""

from typing import TYPE_CHECKING, NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.cheat.cards import DISCARDER, TURN, WHO, WINDOW_BITS, cards_in_play, join, read_turn, turn_bits, width
from ruse.games.cheat.sketch import Sketch
from ruse.protocol.game import Row

if TYPE_CHECKING:
    from ruse.games.cheat.rules import Cheat


@compiled("key", "num_choices", "meaning")
class Watchful(NamedTuple):
    """A Sketch, and how many of the own claims of the last turns were challenged.

    Seats are counted back from the present one, so this is for games in which the next player leads, also after a
    challenge, and nobody leaves.
    """

    ahead: int = 2  # how many of one's next own turns are looked at
    doubted: int = 1  # more challenges are seen as this many, from 0 to 15
    turns: int = 15  # so many turns are looked back at, or as many as a state holds

    def key(self, game, s):
        fits = sketch_bits(game, self.ahead) + 4 <= 63
        key = Sketch(self.ahead).key(game, s)
        return join(key, min(times_doubted(game, s, self.turns), self.doubted), 4, fits)

    def num_choices(self, game, s):
        return Sketch(self.ahead).num_choices(game, s)

    def meaning(self, game, s, a):
        return Sketch(self.ahead).meaning(game, s, a)

    def describe(self, game: "Cheat", s: Row) -> str:
        """The words of a Sketch, and how often one was doubted: discard, has 2, next 1 0, cards 6-5, doubted 0."""
        times = min(times_doubted(game, s, self.turns), self.doubted)
        return f"{Sketch(self.ahead).describe(game, s)}, doubted {times}"

    def action_name(self, game: "Cheat", s: Row, a: int) -> str:
        return Sketch(self.ahead).action_name(game, s, a)


@compiled_function
def sketch_bits(game, ahead):
    """How long the key of a Sketch is, if it is not hashed."""
    return (1 + ahead) * width(game.copies) + (1 + game.players) * width(cards_in_play(game))


@compiled_function
def times_doubted(game, s, turns):
    """How many claims of the player to act were challenged in the last turns."""
    seat, times = s[DISCARDER], 0
    for k in range(min(s[TURN], turns, WINDOW_BITS // turn_bits(game))):
        seat = seat - 1 if seat > 0 else game.players - 1
        _, doubter, _ = read_turn(game, s, k)
        times += seat == s[WHO] and doubter > 0
    return times
