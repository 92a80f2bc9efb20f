"""Points that any game can use: a choice at each turn of a player, or at every so many of them."""

from typing import NamedTuple

from ruse.compile import compiled


@compiled("stage", "allows")
class EveryTurns(NamedTuple):
    """A player chooses at every `turns`-th decision of his own, from the first one on."""

    turns: int = 1

    def stage(self, game, seen, me, moves):
        return moves // self.turns + 1

    def allows(self, game, seen, me, policy):
        return True
