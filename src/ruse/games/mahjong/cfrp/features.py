"""What a choice is made by: the features of CFR-p, and more that release its abstraction step by step.

Each part tells a few bits of what a player sees when he has drawn; `Also` puts two of them side by side.
"""

from typing import Any, NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.mahjong.cfrp.encoding import BITS, decode, encode
from ruse.games.mahjong.cfrp.rounds import round_of
from ruse.games.mahjong.distances.distance import copies_in
from ruse.games.mahjong.distances.four_melds import FourMelds, four_melds
from ruse.games.mahjong.distances.four_pongs import FourPongs
from ruse.games.mahjong.distances.seven_pairs import SevenPairs
from ruse.games.mahjong.telling.observation import (
    OTHER_CHOWS,
    OTHER_DECLARED,
    OTHER_RIVER,
    OWN_CHOWS,
    OWN_DECLARED,
    OWN_HAND,
    OWN_MELDS,
    UNSEEN,
)
from ruse.games.mahjong.telling.visible import put_back
from ruse.games.mahjong.tiles import CHARACTERS, KINDS, LOWS
from ruse.words.naming import printed

WINDS_END = 13  # kinds from CHARACTERS up to here are winds
FARTHEST = 15  # distances above are this, in four bits


@compiled("feature")
class Paper(NamedTuple):
    """The round, pairs, pongs or kongs, characters and winds, as CFR-p's authors count them; what is declared too."""

    at_least: bool = False  # pairs are kinds held at least twice, not exactly
    own: bool = False  # rounds are the player's own draws

    @property
    def bits(self) -> int:
        return BITS

    def feature(self, game, seen, me):
        pairs = pongs = characters = winds = 0
        for kind in range(KINDS):
            tiles = seen[OWN_HAND + kind]
            pairs += tiles == 2 or (self.at_least and tiles > 2)
            pongs += tiles >= 3
            if seen[OWN_MELDS + kind] > 0:
                tiles += 3  # of a kong as well, so that a hand always has 14
                pongs += 1
                pairs += self.at_least
            if kind < CHARACTERS:
                characters += tiles
            elif kind < WINDS_END:
                winds += tiles
        for low in range(LOWS):
            characters += 3 * seen[OWN_CHOWS + low]
        return encode(round_of(seen, self.own), pairs, pongs, characters, winds)

    def describe(self, game: Any, seen: Any, me: int) -> str:
        told = decode(int(self.feature(game, seen, me)))
        return (
            f"{'own ' * self.own}round {told.round}, {told.pairs} pairs, {told.pongs} pongs, "
            f"{told.characters} characters, {told.winds} winds"
        )

    def __repr__(self) -> str:
        return printed(self, ["own"])


@compiled("feature")
class Part(NamedTuple):
    """Which part of the game it is, of as many as there are points, in place of the round."""

    first: int = 1
    apart: int = 12
    times: int = 3
    own: bool = False  # rounds are the player's own draws

    @property
    def bits(self) -> int:
        return 6

    def feature(self, game, seen, me):
        return min(max(round_of(seen, self.own) - self.first, 0) // self.apart, self.times - 1)

    def describe(self, game: Any, seen: Any, me: int) -> str:
        return f"part {int(self.feature(game, seen, me)) + 1} of {self.times}"

    def __repr__(self) -> str:
        return printed(self, ["own"])


@compiled("feature")
class Distances(NamedTuple):
    """How far the hand is from each pattern. Made by `distances`."""

    pattern: FourMelds
    use_visible: bool = True  # else a tile is unseen unless it is one's own

    @property
    def bits(self) -> int:
        return 12

    def feature(self, game, seen, me):
        hand, unseen = seen[OWN_HAND : OWN_HAND + KINDS], seen[UNSEEN : UNSEEN + KINDS]
        declared = seen[OWN_DECLARED]
        if not self.use_visible:
            put_back(seen, 1)
        normal = min(self.pattern.distance(hand, declared, unseen), FARTHEST)
        pongs = min(FourPongs(0).distance(hand, declared, unseen), FARTHEST)
        pairs = min(SevenPairs(game.four_is_two_pairs).distance(hand, declared, unseen), FARTHEST)
        if not self.use_visible:
            put_back(seen, -1)
        return normal | pongs << 4 | pairs << 8

    def describe(self, game: Any, seen: Any, me: int) -> str:
        told = int(self.feature(game, seen, me))
        away = [told & 15, told >> 4 & 15, told >> 8]
        names = ("normal", "pongponghu", "seven_pairs")
        return ", ".join(
            f"{name} {'gone' if n == FARTHEST else f'{n} away'}" for name, n in zip(names, away, strict=True)
        )

    def __repr__(self) -> str:
        return "distances({})".format("" if self.use_visible else "use_visible=False")


@compiled("feature")
class Helping(NamedTuple):
    """How many unseen tiles bring the hand nearer to each pattern, in steps of four. Made by `helping`."""

    pattern: FourMelds
    use_visible: bool = True  # else a tile is unseen unless it is one's own

    @property
    def bits(self) -> int:
        return 12

    def feature(self, game, seen, me):
        hand, unseen = seen[OWN_HAND : OWN_HAND + KINDS], seen[UNSEEN : UNSEEN + KINDS]
        declared = seen[OWN_DECLARED]
        if not self.use_visible:
            put_back(seen, 1)
        normal = steps_of_four(self.pattern.useful(hand, declared, unseen)[1], unseen)
        pongs = steps_of_four(FourPongs(0).useful(hand, declared, unseen)[1], unseen)
        pairs = steps_of_four(SevenPairs(game.four_is_two_pairs).useful(hand, declared, unseen)[1], unseen)
        if not self.use_visible:
            put_back(seen, -1)
        return normal | pongs << 4 | pairs << 8

    def describe(self, game: Any, seen: Any, me: int) -> str:
        told = int(self.feature(game, seen, me))
        return "tiles that help: " + ", ".join(f"{4 * (told >> shift & 15)}" for shift in (0, 4, 8))

    def __repr__(self) -> str:
        return "helping({})".format("" if self.use_visible else "use_visible=False")


@compiled_function
def steps_of_four(mask, unseen):
    """Unseen tiles of these kinds, in fours, rounded up."""
    return min((copies_in(mask, unseen) + 3) // 4, 15)


@compiled("feature")
class Other(NamedTuple):
    """What the other player has declared: how many melds, and whether a chow is among them."""

    nothing: int = 0

    @property
    def bits(self) -> int:
        return 4

    def feature(self, game, seen, me):
        chows = 0
        for low in range(LOWS):
            chows += seen[OTHER_CHOWS + low]
        return seen[OTHER_DECLARED] | (chows > 0) << 3

    def describe(self, game: Any, seen: Any, me: int) -> str:
        told = int(self.feature(game, seen, me))
        return f"the other has {told & 7} melds{', with a chow' if told >> 3 else ''}"


@compiled("feature")
class Discards(NamedTuple):
    """How many characters and how many honours the other player has discarded, in steps of three."""

    nothing: int = 0

    @property
    def bits(self) -> int:
        return 4

    def feature(self, game, seen, me):
        characters = honours = 0
        for kind in range(CHARACTERS):
            characters += seen[OTHER_RIVER + kind]
        for kind in range(CHARACTERS, KINDS):
            honours += seen[OTHER_RIVER + kind]
        return min(characters // 3, 3) | min(honours // 3, 3) << 2

    def describe(self, game: Any, seen: Any, me: int) -> str:
        told = int(self.feature(game, seen, me))
        return f"the other discarded {3 * (told & 3)} or more characters, {3 * (told >> 2)} or more honours"


@compiled("feature")
class Also(NamedTuple):
    """Two parts side by side."""

    one: Any
    other: Any
    shift: int  # bits of the other

    def feature(self, game, seen, me):
        return self.one.feature(game, seen, me) << self.shift | self.other.feature(game, seen, me)

    def describe(self, game: Any, seen: Any, me: int) -> str:
        return f"{self.one.describe(game, seen, me)}, {self.other.describe(game, seen, me)}"


def distances(use_visible: bool = True) -> Distances:
    return Distances(four_melds(), use_visible)


def helping(use_visible: bool = True) -> Helping:
    return Helping(four_melds(), use_visible)
