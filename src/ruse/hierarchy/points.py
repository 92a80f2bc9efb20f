"""Points that any game can use: a choice at each turn of a player, at every so many of them, or once."""

from typing import Any, NamedTuple

from ruse.compile import compiled


@compiled("stage", "allows")
class EveryTurns(NamedTuple):
    """A player chooses at every `turns`-th decision of his own, from the first one on."""

    turns: int = 1

    def stage(self, game, seen, me, moves):
        return moves // self.turns + 1

    def allows(self, game, seen, me, policy):
        return True


@compiled("stage", "allows")
class Once(NamedTuple):
    """One player chooses at his first turn and keeps to it; all others, or all if it is nobody, as the points say."""

    points: Any
    who: int = -1

    def stage(self, game, seen, me, moves):
        return 1 if me == self.who else self.points.stage(game, seen, me, moves)

    def allows(self, game, seen, me, policy):
        return self.points.allows(game, seen, me, policy)
