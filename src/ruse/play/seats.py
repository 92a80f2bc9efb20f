"""Bots at a table: each kind of bot gets what it may know, and the one whose turn it is answers.

The state stops here. A bot that goes by keys is given the key of its own view, the one that was tested for peeking when
it sat down; a bot with a memory is shown, whenever it has changed, what the game's `observe` shows to its player; a bot
in plain Python is told what its player may see in words. None of them is called with a row, whatever methods it has,
and what it is handed is a copy, which it may write on.

What a bot remembers from one game to the next may not help it either. One in plain Python is copied for each seat and
each rotation of the seats, so it never meets a deal again, and its random numbers do not lead back to the cards. A
compiled one has no arrays that it could write (`protocol/guards/frozen.py`).
"""

import copy
import hashlib
import json
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, is_compiled
from ruse.compile.files.mistakes import exception_words
from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.laws.peeking import refuse_leaking, refuse_peeking
from ruse.play.bots.blame import Blame, is_ctrl_c
from ruse.play.bots.bot import Bot, CompiledBot, Seat, WatchingBot, is_a, name_of, no_action, remembers
from ruse.play.bots.trial import refuse_reaching
from ruse.protocol.choices import Offering
from ruse.protocol.game import Game, Row
from ruse.protocol.guards.frozen import frozen
from ruse.protocol.looking import copied, differ
from ruse.protocol.state import State
from ruse.protocol.view import Full, View, infoset_key
from ruse.words.naming import named


@compiled("sit_down", "look_on", "answer")
class ByKey(NamedTuple):
    """A bot that sees the key of its infoset."""

    bot: CompiledBot
    sees: View  # its own, which was tested

    def sit_down(self):
        pass

    def look_on(self, game, s, player):
        pass

    def answer(self, game, s, player, count, u):
        return self.bot.choose(infoset_key(game, self.sees, s), count, u)


@compiled("sit_down", "look_on", "answer")
class ByChoice(NamedTuple):
    """A bot that sees the key of its infoset, under a view with actions of its own."""

    bot: CompiledBot
    sees: Any

    def sit_down(self):
        pass

    def look_on(self, game, s, player):
        pass

    def answer(self, game, s, player, count, u):
        chosen = self.bot.choose(infoset_key(game, self.sees, s), self.sees.num_choices(game, s), u)
        return self.sees.meaning(game, s, chosen)


@compiled("sit_down", "look_on", "answer")
class ByMemory(NamedTuple):
    """A bot that watches and remembers."""

    bot: WatchingBot
    rules: Any  # the game as it is handed to the bot, which cannot write into its tables
    looks: np.ndarray  # two observations: the last one that was shown, and room for the next
    last: np.ndarray  # which of them is the last one, and whether there was any
    shown: np.ndarray  # the last one as the bot has it: what it writes there does not change when it is shown the next
    memory: np.ndarray

    @property
    def seen(self) -> np.ndarray:
        """What was shown last. Never compiled."""
        return np.array(self.looks[self.last[0]])

    def sit_down(self):
        for k in range(len(self.memory)):
            self.memory[k] = 0
        self.last[1] = 0
        for k in range(self.looks.shape[1]):
            self.looks[0, k] = self.looks[1, k] = 0

    def look_on(self, game, s, player):
        before, now = self.looks[self.last[0]], self.looks[1 - self.last[0]]
        game.observe(s, player, now)
        if self.last[1] == 0 or differ(now, before):  # the first one is shown even if it is all zeros
            self.last[0], self.last[1] = 1 - self.last[0], 1
            copied(now, self.shown)
            self.bot.watch(self.rules, self.shown, player, self.memory)

    def answer(self, game, s, player, count, u):
        copied(self.looks[self.last[0]], self.shown)
        return self.bot.decide(self.rules, self.shown, player, self.memory, count, u)


class ByWords(NamedTuple):
    """A bot in plain Python, which is told in words."""

    bot: Bot
    sees: View

    def sit_down(self) -> None:
        with Blame(self.bot):
            if hasattr(self.bot, "sit_down"):
                self.bot.sit_down()

    def look_on(self, game: Game, s: Row, player: int) -> None:
        pass

    def answer(self, game: Game, s: Row, player: int, count: int, u: float) -> Any:
        return self.answer_at(State(game, s, ()), u)

    def answer_at(self, state: State, u: float) -> Any:
        """The same at a state with its history, which the words of some games need."""
        key = int(infoset_key(state.game, self.sees, state.row)) & MASK
        return self.bot.act(Seat(state.player, state.describe(state.player), state.actions, key, u))


def seated(game: Game, bot: Any) -> Any:
    """A bot of any kind as it sits at the table."""
    with Blame(bot):
        return _seated(game, bot)


def _seated(game: Game, bot: Any) -> Any:
    if hasattr(bot, "choose"):
        if not hasattr(bot, "sees"):
            raise RuseError(f"{name_of(bot)} chooses by a key, so it needs a view in `sees`, such as ruse.Full()")
        sees = bot.sees
        refuse_peeking(game, sees)
        kind = ByChoice if isinstance(sees, Offering) else ByKey
        return kind(frozen(bot), frozen(sees)) if is_compiled(bot, "choose") else kind(bot, sees)
    if hasattr(bot, "decide"):
        if not hasattr(game, "observe"):
            raise RuseError(f"{name_of(bot)} wants to watch, but {named(game)} has no observe() to show it anything")
        refuse_leaking(game)
        refuse_reaching(game, bot)
        size = game.observation_size()  # type: ignore[attr-defined]
        looks, last, shown = np.zeros((2, size), np.int64), np.zeros(2, np.int64), np.zeros(size, np.int64)
        quiet = frozen(bot) if is_compiled(bot, "watch", "decide") else bot
        return ByMemory(quiet, frozen(game), looks, last, shown, np.zeros(remembers(game, bot), np.int64))
    if not hasattr(bot, "act"):
        raise RuseError(f"{repr(bot)[:80]} is no bot: it has no act(seat), no choose(key, count, u) and no decide(...)")
    sees = getattr(bot, "sees", None) or Full()
    refuse_peeking(game, sees)
    return ByWords(bot, sees)


def is_quick(seat: Any) -> bool:
    """Whether kernels can call whoever sits there."""
    if is_compiled(seat.bot, "choose"):
        return is_compiled(seat.sees, "key")
    return is_compiled(seat.bot, "watch", "decide")


def answer_of(seat: Any, state: State, u: float) -> int:
    """What whoever sits there does at a state; raises if that is no action."""
    player, count = state.player, int(state.game.num_actions(state.row))
    row, u = state.row.copy(), u if is_quick(seat) else veiled(u)
    with Blame(seat.bot):
        if hasattr(seat, "answer_at"):
            chosen: Any = seat.answer_at(state._replace(row=row), u)
        else:
            chosen = seat.answer(state.game, row, player, count, u)
    a = whole_of(chosen)
    if a is None or not 0 <= a < count:
        raise RuseError(no_action(seat.bot, chosen, player, count))
    return a


def whole_of(answer: Any) -> int | None:
    """The whole number that an answer is, None if it is none; by its value, whatever it says that it equals.

    >>> whole_of(1.0), whole_of(np.bool_(True)), whole_of(0.5), whole_of("1")
    (1, 1, None, None)
    """
    if not is_a(answer, Real, np.bool_):
        return None
    with suppress(Exception):  # of what is too large, or no number; and who knows what it does when it is asked
        if (value := float(answer)) == int(value):
            return int(value)
    return None


def thought_of(seat: Any, state: State) -> Callable[[], dict[str, Any]]:
    """What to ask after whoever sits there has answered: what it says of that, if it is a bot with a memory that can
    say anything (`WatchingBot`).
    """
    if not hasattr(seat, "memory"):
        return dict
    with Blame(seat.bot):
        tell = getattr(seat.bot, "thought", None)
    if tell is None:
        return dict
    before, player = seat.memory.copy(), state.player

    def said() -> dict[str, Any]:
        with Blame(seat.bot):
            told = dict(tell(state.game, seat.seen, player, before, seat.memory.copy()))
            json.dumps(told, allow_nan=False)  # or the record of the game could not be written
        return told

    return said


def veiled(u: float) -> float:
    """A random number that is as good as u in [0, 1), and tells nobody what u was."""
    digest = hashlib.sha256(struct.pack("<d", u)).digest()
    return int.from_bytes(digest[:8], "little") / 2**64 * (1.0 - 2**-53)


def rotations(seats: Sequence[Any], players: int) -> list[list[Any]]:
    """The seats once for each rotation; whoever may remember something sits at each of them anew."""
    return [[seat if is_quick(seat) else _again(seat) for seat in seats] for _ in range(players)]


def _again(seat: Any) -> Any:
    try:
        return copy.deepcopy(seat)
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        raise RuseError(
            f"{name_of(seat.bot)} cannot be copied ({exception_words(error)}), and a bot that met a deal twice "
            "would know the cards; give it a method __deepcopy__"
        ) from error


def show_all(seats: Sequence[Any], state: State, rotation: int = 0) -> None:
    """Show every bot with a memory what its player sees now; player p sits at seat (p + rotation) mod players."""
    for player in range(state.game.players):
        look_on(seats[(player + rotation) % state.game.players], state.game, state.row, player)


def look_on(seat: Any, game: Game, row: Row, player: int) -> None:
    """Show whoever sits there what its player sees now."""
    with Blame(seat.bot):
        seat.look_on(game, row, player)


@compiled("begin", "answer_for", "look_on_all")
class SeatChain(NamedTuple):
    """Seated bots of different types in a chain, so that a kernel can call the one whose turn it is."""

    bot: Any
    rest: Any  # the other bots, as a SeatChain; an End after the last

    def begin(self):
        self.bot.sit_down()
        self.rest.begin()

    def answer_for(self, who, game, s, player, count, u):
        if who == 0:
            return self.bot.answer(game, s, player, count, u)
        return self.rest.answer_for(who - 1, game, s, player, count, u)

    def look_on_all(self, game, s, player, players):
        """Show everybody what has happened. The first bot of the chain sits at `player`, the next at the next seat."""
        self.bot.look_on(game, s, player)
        self.rest.look_on_all(game, s, player + 1 if player + 1 < players else 0, players)


@compiled("begin", "answer_for", "look_on_all")
class End(NamedTuple):
    """Nobody sits here."""

    nothing: int = 0

    def begin(self):
        pass

    def answer_for(self, who, game, s, player, count, u):
        return 0

    def look_on_all(self, game, s, player, players):
        pass


def seat_all(game: Game, bots: Sequence[Any]) -> SeatChain:
    """The bots as one part."""
    return at_table([seated(game, bot) for bot in bots])


def at_table(seats: Sequence[Any]) -> SeatChain:
    """Seats as one part."""
    table: Any = End()
    for seat in reversed(seats):
        table = SeatChain(seat, table)
    return table  # type: ignore[no-any-return]
