"""Any game with an `observe`, and hierarchies over it that leave it as it is: policies that do one action always."""

from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.protocol.game import RULES, Row

ACTING, INFOSET, COUNT = range(3)  # what is observed


@compiled(*RULES, "observe")
class Watched(NamedTuple):
    """A game whose players see who acts, and in their own turn what they know, as one number."""

    inside: Any

    @property
    def players(self) -> int:
        return int(self.inside.players)

    @property
    def payoff_sum(self) -> float:
        return float(self.inside.payoff_sum)

    def start(self) -> Row:
        return self.inside.start()  # type: ignore[no-any-return]

    def player(self, s):
        return self.inside.player(s)

    def num_actions(self, s):
        return self.inside.num_actions(s)

    def chance(self, s, a):
        return self.inside.chance(s, a)

    def apply(self, s, a):
        self.inside.apply(s, a)

    def infoset(self, s):
        return self.inside.infoset(s)

    def payoff(self, s, player):
        return self.inside.payoff(s, player)

    def observe(self, s, player, out):
        acting = self.inside.player(s)
        out[ACTING], out[INFOSET], out[COUNT] = acting, 0, 0
        if acting == player:
            out[INFOSET], out[COUNT] = self.inside.infoset(s), self.inside.num_actions(s)

    def observation_size(self) -> int:
        return 3

    def action_name(self, s: Row, a: int) -> str:
        return str(self.inside.action_name(s, a))

    def describe(self, s: Row, viewer: int) -> str:
        return str(self.inside.describe(s, viewer))


@compiled("watch", "decide")
class Always(NamedTuple):
    """The policy of one action."""

    action: int

    @property
    def name(self) -> str:
        return f"always {self.action}"

    def memory_size(self, game: Any) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return self.action


@compiled("feature")
class Everything(NamedTuple):
    """All that the player knows."""

    nothing: int = 0

    def feature(self, game, seen, me):
        return mix(seen[INFOSET], me)


@compiled("stage", "allows")
class EachAction(NamedTuple):
    """A choice at each turn, between the policies of actions that there are."""

    nothing: int = 0

    def stage(self, game, seen, me, moves):
        return moves + 1

    def allows(self, game, seen, me, policy):
        return policy < seen[COUNT]


@compiled("choose")
class ByHash(NamedTuple):
    """Chooses by the key alone."""

    salt: int = 0

    def choose(self, key, count, u):
        return (mix(key, self.salt) >> 7 & 1023) % count
