"""A bot that is one of two: which of them, is drawn anew for every game."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.play.bots.bot import WatchingBot
from ruse.protocol.game import Game

CHOSEN, MEMORIES = 0, 1  # columns: which bot it is, and where two memories of the same length begin
NOT_YET, ONE, OTHER = range(3)
BELOW_1 = 1.0 - 2.0**-53  # rounding could make a whole 1 of what is left


@compiled("watch", "decide")
class Either(NamedTuple):
    """Plays as `one` in a share of the games and as `other` in the rest; three bots are an Either of an Either.

    Both watch until the first decision, whose random number says who plays: what is left of it is random too.
    """

    one: Any
    other: Any
    share: float = 0.5

    @classmethod
    def of(cls, *bots: WatchingBot, weights: Sequence[float] = ()) -> Any:
        """Each of these bots, in proportion to the weights, or else as often as the others."""
        weights = weights or [1.0] * len(bots)
        if not bots or len(weights) != len(bots) or min(weights) <= 0:
            raise RuseError(f"Either.of needs bots, and a weight above 0 for each, got {len(bots)} bots and {weights}")
        if len(bots) == 1:
            return bots[0]
        return cls(bots[0], cls.of(*bots[1:], weights=weights[1:]), weights[0] / sum(weights))

    def memory_size(self, game: Game) -> int:
        return MEMORIES + 2 * int(max(self.one.memory_size(game), self.other.memory_size(game)))

    def watch(self, game, seen, me, memory):
        half = MEMORIES + (len(memory) - MEMORIES) // 2
        if memory[CHOSEN] != OTHER:
            self.one.watch(game, seen, me, memory[MEMORIES:half])
        if memory[CHOSEN] != ONE:
            self.other.watch(game, seen, me, memory[half:])

    def decide(self, game, seen, me, memory, count, u):
        half = MEMORIES + (len(memory) - MEMORIES) // 2
        if memory[CHOSEN] == NOT_YET:
            if u < self.share:
                memory[CHOSEN], u = ONE, u / self.share
            else:
                memory[CHOSEN], u = OTHER, min((u - self.share) / (1.0 - self.share), BELOW_1)
        if memory[CHOSEN] == ONE:
            return self.one.decide(game, seen, me, memory[MEMORIES:half], count, u)
        return self.other.decide(game, seen, me, memory[half:], count, u)
