"""The game that a learner faces when a bot takes a seat: the bot's decisions, and its memory, become part of the state.

A walk copies states, so the memory goes along: it is kept in columns behind those of the game. Chance first draws who
sits where, and then a number from which all of the bot's random numbers follow.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile.hashing import mix, share_of
from ruse.errors import RuseError
from ruse.laws.peeking import refuse_leaking, refuse_peeking
from ruse.play.bots.bot import WatchingBot, no_action, remembers
from ruse.play.bots.trial import refuse_reaching
from ruse.play.lawful import ENDLESS, NO_ACTION
from ruse.protocol.choices import AsItIs, Offering
from ruse.protocol.game import CHANCE, Game, Row
from ruse.protocol.guards.breaches import LONGEST, endless
from ruse.protocol.guards.frozen import frozen
from ruse.protocol.looking import digest
from ruse.protocol.values.sameness import told_apart_by
from ruse.protocol.view import View, infoset_key
from ruse.protocol.wrapped import Wrapped, twist
from ruse.solve.solver.fits import Setup, must_fit

WORDS, FACES = 3, 64  # the number of the bot is drawn as so many digits

# Columns behind those of the game: the bot's seat or nobody's, digits drawn so far, the number, how often it was used,
# and a word of what the bot has seen last.
SEAT, DRAWN, NUMBER, USED, LOOKED, MEMORY = range(6)
NOT_YET, NOBODY = -2, -1


@twist
@told_apart_by(id)
class AgainstBot(NamedTuple):
    """The twist of a game in which a bot takes a random seat in a share of all games; the learner has all others."""

    sees: Any  # a view that offers actions
    bot: Any
    share: float
    seats: int
    remembered: int  # columns of the bot's memory
    strange: NDArray[Any]  # [4] what went wrong, if anything; of an answer that was no action: player, answer, how many

    @classmethod
    def of(cls, game: Game, bot: WatchingBot, view: View, *, share: float = 1.0) -> Wrapped:
        must_fit(Setup(game=game, against=bot))
        if not 0.0 <= share <= 1.0:
            raise RuseError(f"share must be between 0 and 1, got {share}")
        refuse_peeking(game, view)
        refuse_leaking(game)
        refuse_reaching(game, bot)
        sees = view if isinstance(view, Offering) else AsItIs(view)
        strange = np.zeros(4, np.int64)
        return Wrapped.of(
            frozen(game), cls(sees, frozen(bot), float(share), game.players, remembers(game, bot), strange)
        )

    def refuse_strange(self, game: Game) -> None:
        """Raise if the bot has chosen what is no action since the training began, or has had every turn for ever."""
        found, player, a, n = self.strange.tolist()
        if found == ENDLESS:
            raise endless(game)
        if found:
            raise RuseError(no_action(self.bot, a, player, n))

    def behind(self, game: Any) -> Row:
        return np.array([NOT_YET, 0, 0, 0, 0] + [0] * (self.remembered + game.observation_size()), np.int64)

    def player_in(self, game, s, behind):
        if behind[SEAT] == NOT_YET or behind[DRAWN] < WORDS:
            return CHANCE
        return game.player(s)

    def num_actions_in(self, game, s, behind):
        if behind[SEAT] == NOT_YET:
            return self.seats + 1
        if behind[DRAWN] < WORDS:
            return FACES
        if game.player(s) == CHANCE:
            return game.num_actions(s)
        return self.sees.num_choices(game, s)

    def chance_in(self, game, s, behind, a):
        if behind[SEAT] == NOT_YET:
            return 1.0 - self.share if a == self.seats else self.share / self.seats
        if behind[DRAWN] < WORDS:
            return 1.0 / FACES
        return game.chance(s, a)

    def apply_in(self, game, s, behind, a):
        if behind[SEAT] == NOT_YET:
            behind[SEAT] = a if a < self.seats else NOBODY
            behind[DRAWN] = 0 if a < self.seats else WORDS
            return
        seat, moves = behind[SEAT], True
        if behind[DRAWN] < WORDS:
            behind[NUMBER] = behind[NUMBER] * FACES + a
            behind[DRAWN] += 1
            if behind[DRAWN] < WORDS:
                return
            moves = False  # all is drawn: nobody has moved yet, and the first move may be the bot's
        elif game.player(s) != CHANCE:
            a = self.sees.meaning(game, s, a)
        memory, seen = behind[MEMORY : MEMORY + self.remembered], behind[MEMORY + self.remembered :]
        for _ in range(LONGEST):  # a bot that has every turn; whoever walks counts the turns of the learner
            if moves:
                game.apply(s, a)
            moves, player = True, game.player(s)
            if seat == NOBODY or player == CHANCE or self.strange[0] == ENDLESS:
                return
            game.observe(s, seat, seen)
            looked = digest(seen)
            if looked != behind[LOOKED]:
                behind[LOOKED] = looked
                self.bot.watch(game, seen, seat, memory)
            if player != seat:
                return
            behind[USED] += 1
            u = share_of(mix(behind[NUMBER], behind[USED]))
            n = game.num_actions(s)
            answer = self.bot.decide(game, seen, seat, memory, n, u)
            a = int(answer)
            if a != answer or a < 0 or a >= n:  # rules cannot raise: it is written down, and anything legal is played
                self.strange[0], self.strange[1], self.strange[2], self.strange[3] = NO_ACTION, seat, a, n
                a = 0
        self.strange[0] = ENDLESS

    def infoset_in(self, game, s, behind):
        return infoset_key(game, self.sees, s)

    def action_name_in(self, game: Game, s: Row, behind: Row, a: int) -> str:
        if behind[SEAT] == NOT_YET:
            return f"bot in seat {a}" if a < self.seats else "no bot"
        if behind[DRAWN] < WORDS:
            return f"digit {a}"
        return str(game.action_name(s, a if game.player(s) == CHANCE else self.sees.meaning(game, s, a)))

    def __repr__(self) -> str:
        return f"AgainstBot({self.bot!r}, share={self.share:g}, sees={self.sees!r})"
