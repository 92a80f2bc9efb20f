"""A seat in the plain game for a strategy of the abstract one: a bot whose memory is the book of its player."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix, share_of
from ruse.hierarchy.abstract import MIDDLE
from ruse.hierarchy.books import CURRENT, STAGE, count_policies
from ruse.protocol.game import Game


@compiled("watch", "decide")
class PolicyBot(NamedTuple):
    """Chooses policies as a strategy says, and plays as they do in between."""

    hierarchy: Any
    chooser: Any  # with choose(key, count, u), as a strategy's bot has it
    size: int  # of the memory of one policy
    by_player: bool  # whether the strategy tells players apart where their keys are the same

    def memory_size(self, game: Game) -> int:
        return int(self.hierarchy.book_size(self.size))

    def watch(self, game, seen, me, memory):
        if self.size > 0:
            self.hierarchy.notice(game, seen, me, memory, self.size)

    def decide(self, game, seen, me, memory, count, u):
        stage = self.hierarchy.stage_due(game, seen, me, memory)
        if stage > 0:
            legal = self.hierarchy.legal_at(game, seen, me)
            choices, a = count_policies(legal), 0
            if choices > 1:
                choices = self.hierarchy.offered_at(legal)
            key = self.hierarchy.key_at(game, seen, me, memory, legal)
            if choices > 1:
                a = self.chooser.choose(np.int64(mix(key, me) if self.by_player else key), choices, u)
            if a < 0 or a >= choices:
                return -1  # no action: the strategy is of another game, or no policy is allowed
            self.hierarchy.take(memory, stage, legal, a)
            if choices > 1:
                self.hierarchy.remember(memory, key)
        mine = another(u) if self.hierarchy.draws > 0 else MIDDLE
        return self.hierarchy.act_as(game, seen, me, memory, self.size, count, mine)

    def thought(self, game: Game, seen: Any, me: int, before: Any, after: Any) -> dict[str, Any]:
        """The policy that has played and, where it was chosen just now, the features and the probabilities of all
        policies. Never compiled.
        """
        hierarchy = self.hierarchy
        names, current = hierarchy.names, int(after[CURRENT])
        found: dict[str, Any] = {"policy": names[current - 1]} if current > 0 else {}
        if before[STAGE] == after[STAGE]:
            return found
        legal = int(hierarchy.legal_at(game, seen, me))
        key, count = hierarchy.key_at(game, seen, me, before, legal), int(hierarchy.offered_at(legal))
        ask: Any = getattr(self.chooser, "shares", lambda key, count: [])  # not every chooser can say
        shares = ask(mix(key, me) if self.by_player else key, count) if count_policies(legal) > 1 else [1.0]
        sigma = [0.0] * len(names)
        for a, share in enumerate(shares):
            sigma[int(hierarchy.meant(legal, a))] += share
        return found | {"key": int(hierarchy.features.feature(game, seen, me)), "sigma": sigma if shares else None}


@compiled_function
def another(u):
    """A random number that has nothing to do with u, made of its digits."""
    return share_of(mix(int(u * 2.0**53), 1))
