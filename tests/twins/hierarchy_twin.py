"""The game of a hierarchy, slowly: the plain game in plain Python, a bot of each policy for each player, and a list."""

from typing import Any

import numpy as np

from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.state import State


class SlowGame:
    """One game in which players choose policies. `waits` is what is to be done: "chance", "choice" or "over"."""

    def __init__(self, game: Any, policies: list[Any], points: Any, before: Any = None) -> None:
        self.game, self.points, self.policies = game, points, policies
        self.bots = [*policies, policies[0] if before is None else before]
        seats = range(game.players)
        self.memories = [[np.zeros(bot.memory_size(game), np.int64) for bot in self.bots] for _ in seats]
        self.plays = [len(policies) for _ in seats]  # who plays for each player: the one before the first choice
        self.stage, self.moves = [0 for _ in seats], [0 for _ in seats]
        self.path: list[str] = []  # all moves by name
        self.state = State.of(game)
        self.waits, self.legal = "chance", list[int]()
        self.go_on(shown=False)

    def shown(self, player: int) -> Any:
        seen = np.zeros(self.game.observation_size(), np.int64)
        self.game.observe(self.state.row.copy(), player, seen)
        return seen

    def move(self, a: int) -> None:
        self.path.append(self.state.actions[a])
        self.state = self.state.child(a)

    def choose(self, a: int) -> None:
        """An outcome of chance, or the a-th of the legal policies."""
        if self.waits == "chance":
            self.move(a)
            self.go_on(shown=False)
            return
        me = self.state.player
        self.plays[me], self.stage[me] = self.legal[a], self.due
        self.go_on(shown=True)

    def go_on(self, *, shown: bool) -> None:
        """Play until somebody has to choose; everybody looks after every move that leaves chance nothing to do."""
        while True:
            me = self.state.player
            if me in (CHANCE, OVER):
                self.waits = "chance" if me == CHANCE else "over"
                return
            if not shown:
                for p, memories in enumerate(self.memories):
                    for bot, memory in zip(self.bots, memories, strict=True):
                        bot.watch(self.game, self.shown(p), p, memory)
                seen = self.shown(me)
                self.due = int(self.points.stage(self.game, seen, me, self.moves[me]))
                if self.due > 0 and self.due != self.stage[me]:
                    self.legal = [k for k in range(len(self.policies)) if self.points.allows(self.game, seen, me, k)]
                    if len(self.legal) != 1:
                        self.waits = "choice"
                        return
                    self.plays[me], self.stage[me] = self.legal[0], self.due
            bot, memory = self.bots[self.plays[me]], self.memories[me][self.plays[me]]
            a = bot.decide(self.game, self.shown(me), me, memory, self.state.num_actions, 0.5)
            self.moves[me] += 1
            self.move(int(a))
            shown = False
