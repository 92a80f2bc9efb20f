"""The three policies of CFR-p, and what is played before the first one is chosen."""

from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.games.mahjong.actions import DISCARD, WIN
from ruse.games.mahjong.distances.four_melds import FourMelds, four_melds
from ruse.games.mahjong.distances.four_pongs import FourPongs
from ruse.games.mahjong.distances.seven_pairs import SevenPairs
from ruse.games.mahjong.policies.search import ALL_MELDS, NO_MELDS, PONGS, seek
from ruse.games.mahjong.telling.observation import LEGAL, SEEN_DREW
from ruse.protocol.game import Game
from ruse.words.naming import printed


@compiled("pattern_in", "watch", "decide")
class Normal(NamedTuple):
    """Four melds and an eye; claims whatever brings the hand nearer. Made by `normal`."""

    pattern: FourMelds
    use_visible: bool = True  # else a tile is unseen unless it is one's own

    @property
    def name(self) -> str:
        return "normal"

    @property
    def takes(self) -> int:
        return ALL_MELDS

    def pattern_in(self, game):
        return self.pattern

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return seek(self.pattern, ALL_MELDS, self.use_visible, seen, count)

    def thought(self, game: Game, seen: Any, me: int, before: Any, after: Any) -> dict[str, Any]:
        return {"policy": self.name}

    def __repr__(self) -> str:
        return f"normal({'' if self.use_visible else 'use_visible=False'})"


def normal(use_visible: bool = True) -> Normal:
    """The policy with the tables of its pattern, which are made once."""
    return Normal(four_melds(), use_visible)


@compiled("pattern_in", "watch", "decide")
class PongPongHu(NamedTuple):
    """Four pongs or kongs and an eye; never claims a chow."""

    nothing: int = 0
    use_visible: bool = True  # else a tile is unseen unless it is one's own

    @property
    def name(self) -> str:
        return "pongponghu"

    @property
    def takes(self) -> int:
        return PONGS

    def pattern_in(self, game):
        return FourPongs(0)

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return seek(FourPongs(0), PONGS, self.use_visible, seen, count)

    def thought(self, game: Game, seen: Any, me: int, before: Any, after: Any) -> dict[str, Any]:
        return {"policy": self.name}

    def __repr__(self) -> str:
        return printed(self, ["use_visible"])


@compiled("pattern_in", "watch", "decide")
class Pairs(NamedTuple):
    """Seven pairs, four equal tiles being two of them if the rules say so; claims nothing but a win."""

    nothing: int = 0
    use_visible: bool = True  # else a tile is unseen unless it is one's own

    @property
    def name(self) -> str:
        return "seven_pairs"

    @property
    def takes(self) -> int:
        return NO_MELDS

    def pattern_in(self, game):
        return SevenPairs(game.four_is_two_pairs)

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return seek(SevenPairs(game.four_is_two_pairs), NO_MELDS, self.use_visible, seen, count)

    def thought(self, game: Game, seen: Any, me: int, before: Any, after: Any) -> dict[str, Any]:
        return {"policy": self.name}

    def __repr__(self) -> str:
        return printed(self, ["use_visible"])


@compiled("watch", "decide")
class Biding(NamedTuple):
    """Claims nothing but a win, and discards what it draws: for those who have chosen no policy yet."""

    nothing: int = 0

    @property
    def name(self) -> str:
        return "biding"

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        if seen[LEGAL + 1] == WIN:
            return 1
        for a in range(count):
            if seen[LEGAL + a] == DISCARD + seen[SEEN_DREW]:
                return a
        return 0
