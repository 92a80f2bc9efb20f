"""One of the three policies, drawn at random when a game begins."""

from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.games.mahjong.distances.four_melds import FourMelds, four_melds
from ruse.games.mahjong.policies.policies import Normal, Pairs, PongPongHu
from ruse.protocol.game import Game


@compiled("watch", "decide")
class Mixed(NamedTuple):
    """Plays each policy in a third of the games, from the first decision to the end. Made by `mixed`."""

    pattern: FourMelds
    use_visible: bool = True  # else a tile is unseen unless it is one's own

    @property
    def name(self) -> str:
        return "mixed"

    def memory_size(self, game: Game) -> int:
        return 1  # the policy of this game, counted from 1

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        if memory[0] == 0:
            memory[0] = 1 + int(3 * u)
        if memory[0] == 1:
            return Normal(self.pattern, self.use_visible).decide(game, seen, me, memory, count, u)
        if memory[0] == 2:
            return PongPongHu(0, self.use_visible).decide(game, seen, me, memory, count, u)
        return Pairs(0, self.use_visible).decide(game, seen, me, memory, count, u)

    def thought(self, game: Game, seen: Any, me: int, before: Any, after: Any) -> dict[str, Any]:
        return {"policy": (Normal(self.pattern), PongPongHu(), Pairs())[int(after[0]) - 1].name}

    def __repr__(self) -> str:
        return f"mixed({'' if self.use_visible else 'use_visible=False'})"


def mixed() -> Mixed:
    """The bot with the tables of its patterns, which are made once."""
    return Mixed(four_melds())
