"""The game that a learner faces when a bot takes a seat: the bot's decisions, and its memory, become part of the state.

A walk copies states, so the memory goes along: it is kept in columns behind those of the game. Chance first draws who
sits where, and then a number from which all of the bot's random numbers follow.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.laws.peeking import refuse_leaking, refuse_peeking
from ruse.play.bot import WatchingBot, no_action
from ruse.play.lawful import ENDLESS, NO_ACTION
from ruse.play.trial import refuse_reaching
from ruse.protocol.breaches import LONGEST, endless
from ruse.protocol.choices import AsItIs, Offering
from ruse.protocol.game import CHANCE, Game, Row
from ruse.protocol.view import View, infoset_key
from ruse.solve.solver.fits import Setup, must_fit

WORDS, FACES = 3, 64  # the number of the bot is drawn as so many digits

# Columns behind those of the game: the bot's seat or nobody's, digits drawn so far, the number, how often it was used.
SEAT, DRAWN, NUMBER, USED, MEMORY = range(5)
NOT_YET, NOBODY = -2, -1


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class AgainstBot(NamedTuple):
    """A game for two in which a bot takes a random seat in a share of all games; in the others the learner has both."""

    rules: Any  # the game itself
    sees: Any  # a view that offers actions
    bot: Any
    share: float
    columns: int  # of the game
    remembered: int  # columns of the bot's memory
    strange: NDArray[Any]  # [4] what went wrong, if anything; of an answer that was no action: player, answer, how many

    @classmethod
    def of(cls, game: Game, bot: WatchingBot, view: View, *, share: float = 1.0) -> "AgainstBot":
        must_fit(Setup(game=game, against=bot))
        if not 0.0 <= share <= 1.0:
            raise RuseError(f"share must be between 0 and 1, got {share}")
        refuse_peeking(game, view)
        refuse_leaking(game)
        refuse_reaching(game, bot)
        sees = view if isinstance(view, Offering) else AsItIs(view)
        strange = np.zeros(4, np.int64)
        return cls(game, sees, bot, float(share), len(game.start()), bot.memory_size(game), strange)

    def refuse_strange(self) -> None:
        """Raise if the bot has chosen what is no action since the training began, or has had every turn for ever."""
        found, player, a, n = self.strange.tolist()
        if found == ENDLESS:
            raise endless(self.rules)
        if found:
            raise RuseError(no_action(self.bot, a, player, n))

    @property
    def players(self) -> int:
        return 2

    def start(self) -> Row:
        seen = self.rules.observation_size()
        behind = [NOT_YET, 0, 0, 0] + [0] * (self.remembered + seen)
        return np.concatenate([self.rules.start(), np.array(behind, np.int64)])

    def player(self, s):
        if s[self.columns + SEAT] == NOT_YET or s[self.columns + DRAWN] < WORDS:
            return CHANCE
        return self.rules.player(s)

    def num_actions(self, s):
        if s[self.columns + SEAT] == NOT_YET:
            return 3
        if s[self.columns + DRAWN] < WORDS:
            return FACES
        if self.rules.player(s) == CHANCE:
            return self.rules.num_actions(s)
        return self.sees.num_choices(self.rules, s)

    def chance(self, s, a):
        if s[self.columns + SEAT] == NOT_YET:
            return 1.0 - self.share if a == 2 else self.share / 2.0
        if s[self.columns + DRAWN] < WORDS:
            return 1.0 / FACES
        return self.rules.chance(s, a)

    def apply(self, s, a):
        behind = self.columns
        if s[behind + SEAT] == NOT_YET:
            s[behind + SEAT] = a if a < 2 else NOBODY
            s[behind + DRAWN] = 0 if a < 2 else WORDS
            return
        if s[behind + DRAWN] < WORDS:
            s[behind + NUMBER] = s[behind + NUMBER] * FACES + a
            s[behind + DRAWN] += 1
            return
        row, seat = s[:behind], s[behind + SEAT]
        memory, seen = s[behind + MEMORY : behind + MEMORY + self.remembered], s[behind + MEMORY + self.remembered :]
        if self.rules.player(row) != CHANCE:
            a = self.sees.meaning(self.rules, row, a)
        for _ in range(LONGEST):  # a bot that has every turn; whoever walks counts the turns of the learner
            self.rules.apply(row, a)
            player = self.rules.player(row)
            if seat == NOBODY or player == CHANCE or self.strange[0] == ENDLESS:
                return
            self.rules.observe(row, seat, seen)
            self.bot.watch(self.rules, seen, seat, memory)
            if player != seat:
                return
            s[behind + USED] += 1
            u = (mix(s[behind + NUMBER], s[behind + USED]) >> 11 & ((1 << 53) - 1)) * 2.0**-53
            n = self.rules.num_actions(row)
            answer = self.bot.decide(self.rules, seen, seat, memory, n, u)
            a = int(answer)
            if a != answer or a < 0 or a >= n:  # rules cannot raise: it is written down, and anything legal is played
                self.strange[0], self.strange[1], self.strange[2], self.strange[3] = NO_ACTION, seat, a, n
                a = 0
        self.strange[0] = ENDLESS

    def infoset(self, s):
        return infoset_key(self.rules, self.sees, s)

    def payoff(self, s, player):
        return self.rules.payoff(s, player)

    def action_name(self, s: Row, a: int) -> str:
        if s[self.columns + SEAT] == NOT_YET:
            return ("bot in seat 0", "bot in seat 1", "no bot")[a]
        return f"digit {a}" if s[self.columns + DRAWN] < WORDS else self._named(s[: self.columns], a)

    def describe(self, s: Row, viewer: int) -> str:
        return str(self.rules.describe(s[: self.columns], viewer))

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:  # a tuple has its own, which stumbles over arrays
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def _named(self, row: Row, a: int) -> str:
        meant = a if self.rules.player(row) == CHANCE else self.sees.meaning(self.rules, row, a)
        return str(self.rules.action_name(row, meant))
