"""A session: one game in progress, whose seats people and bots hold. A terminal or a browser is a skin of it.

Chance and bots move by themselves until a person is to act. What a seat is told comes from `scene`, `shown`, `events`,
`hint` and `grades`, which know nothing that this seat may not see. `record` and `end` have everything.

Random numbers are those of a match: with bots alone a session is that game of the match. The n-th decision has the n-th
number, whoever makes it, and chance its own: what one person does changes neither the cards nor what others draw.
"""

import threading
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.catalog.given import GameLike
from ruse.catalog.names import companion
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.bots.bot import is_a, name_of, playing
from ruse.play.bots.discretion import keeping_quiet
from ruse.play.heard import new_in, own_in
from ruse.play.lawful import refuse_broken
from ruse.play.records.record import Holder, Recorded, recorded, refuse_other_record, unlike
from ruse.play.records.record import events as events_of
from ruse.play.records.retold import refuse_other_words
from ruse.play.seats import answer_of, look_on, rotations, seated, thought_of
from ruse.play.streams import streams_of
from ruse.protocol.game import EVERYTHING, Game
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.scene import Scene, scene_of
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.words.counts import MOST, is_whole_in
from ruse.words.meant import alternatives, numbers_meant
from ruse.words.naming import named
from ruse.words.printable import shown

LAST_DEAL = 1 << 61  # matches count them in 64 bits


class Person(NamedTuple):
    """Holds a seat, and is waited for."""

    name: str = "you"


class NamedBot(NamedTuple):
    """A bot, or a strategy, under the name that a record should have for it."""

    name: str
    bot: Any


class Heard(NamedTuple):
    """What a seat hears of a decision, or of what chance does in a row."""

    player: int  # who acted, or CHANCE
    words: tuple[str, ...]  # the game's own for it, or else what the seat's description has that is new


class Adviser(Protocol):
    """Who gives hints and grades, as a `Coach` (`ruse.evaluate.explaining`) does: from what the player may know."""

    def hint(self, state: State) -> Any: ...

    def grade(self, state: State, chosen: int) -> Any: ...


class Session:
    """One game in progress. `start` begins one, `resume` goes on with one that was recorded.

    Several threads may use it: whoever acts waits for whoever acts already, and who looks does not wait.
    """

    def __init__(self, game: Game, seats: Sequence[Any], *, seed: int, deal: int, coach: Adviser | None) -> None:
        if len(seats) != game.players:
            raise RuseError(f"{named(game)} takes {game.players} players, got {len(seats)}")
        if (number := whole(deal)) is None or not 0 <= number < LAST_DEAL:
            raise RuseError(f"a deal must be a whole number from 0 on, got {deal!r}")
        self.game, self.seed, self.deal, self.coach = game, seed_of(seed), number, coach
        self.names = [str(seat.name if is_a(seat, Person, NamedBot) else name_of(seat)) for seat in seats]
        self.people = frozenset(p for p, seat in enumerate(seats) if is_a(seat, Person))
        self._thoughts: dict[int, dict[str, Any]] = {}  # by move, what a bot says of it
        self._earlier: dict[int, Holder] = {}  # by move, who made it before somebody else took the seat over
        self._bots = bots_at(game, seats)
        self._luck, self._choice = streams_of(self.seed, deal)
        self._words: Any = companion(game, "table")  # how the game is told, if it has words for that
        self._heard: list[list[Heard]] = [[] for _ in seats]
        self._chosen: list[list[tuple[State, int]]] = [[] for _ in seats]  # where a seat has chosen what
        self._decisions = 0
        self._acting = threading.RLock()
        self._state = State.of(game)
        refuse_broken(self._state)
        for p, bot in self._bots.items():
            with self._keeping_quiet(p):
                bot.sit_down()
        self._follow([], self._dealt(self._state))

    @classmethod
    def start(
        cls, game: GameLike, seats: Sequence[Any], *, seed: int = 0, deal: int = 0, coach: Adviser | None = None
    ) -> "Session":
        """Deal, and let bots move until a person is to act. A seat is a Person, or a bot or strategy as in a match."""
        from ruse.play.given import given_table

        game, seats = given_table(game, seats)
        session = cls(game, seats, seed=seed, deal=deal, coach=coach)
        session.advance()
        return session

    @classmethod
    def resume(
        cls, game: GameLike, seats: Sequence[Any], record: Iterable[Any], *, coach: Adviser | None = None
    ) -> "Session":
        """Go on with a game from its record, which may stop after any event; it ends as if it had not been left.

        Bots are asked again, so that they remember what they did, and must do what the record says. A seat whose
        holder has another name than in the record has been taken over: who sits there now has only looked on.
        """
        from ruse.play.given import given_table

        found, (game, seats) = recorded(record), given_table(game, seats)
        refuse_other_record(found, game)
        session = cls(game, seats, seed=found.head["seed"], deal=found.head["number"], coach=coach)
        session._repeat(found)
        session.advance()
        return session

    # ---- what a seat may see -----------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The player to act, or OVER. It is a bot's turn only while that bot is thinking."""
        return self._state.player

    @property
    def is_over(self) -> bool:
        return self._state.is_over

    def scene(self, viewer: int) -> Scene:
        """What a seat sees now, as data; everything once the game is over, for the viewer EVERYTHING."""
        state = self._state
        if viewer != EVERYTHING:
            self._refuse_stranger(viewer)
        elif not state.is_over:
            raise RuseError("not everything can be shown before the game is over")
        return scene_of(state, int(viewer))

    def shown(self, seat: int) -> list[str]:
        """What lies on the table when it is this seat's turn, in lines, if the game has words for that."""
        self._refuse_stranger(seat)
        state = self._state
        return list(self._words.shown(state, seat)) if self._words and state.player == seat else []

    def events(self, seat: int, since: int = 0) -> tuple[Heard, ...]:
        """What this seat has heard, from its event number `since` on."""
        self._refuse_stranger(seat)
        if not is_whole_in(since, -MOST, MOST):
            raise RuseError(f"since is the number of an event, not {shown(since)}")
        return tuple(self._heard[seat][max(0, since) :])

    def advice(self, seat: int) -> dict[str, str]:
        """What policies of the game's own would do in this seat, whose turn it must be, and why; nothing if the game
        has no words for that.
        """
        state = self._refuse_waiting(seat)
        hints = getattr(self._words, "hints", None)
        return dict(hints(state, seat)) if hints else {}

    def hint(self, seat: int) -> Any:
        """What the coach would do in this seat, whose turn it must be."""
        state = self._refuse_waiting(seat)
        if self.coach is None:
            raise RuseError("nobody gives hints in this session; start it with a coach")
        return self.coach.hint(state)

    def grades(self, seat: int) -> list[Any]:
        """What the coach says of each choice that this seat has made."""
        self._refuse_stranger(seat)
        if self.coach is None:
            raise RuseError("nobody gives grades in this session; start it with a coach")
        return [self.coach.grade(state, chosen) for state, chosen in self._chosen[seat]]

    # ---- what happens ------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: str | int, *, seen: int | None = None) -> None:
        """The person in a seat takes an action, given by name or number; then bots move.

        With `seen`, how many events the seat had been told, an action is refused that was meant for an earlier moment,
        such as a second click.
        """
        with self._acting:
            state = self._refuse_waiting(seat)
            if seen is not None and seen != len(self._heard[seat]):
                raise RuseError(f"player {seat} has seen {seen} events of {len(self._heard[seat])}; look again first")
            self._take(number_among(action, state.actions))
            self.advance()

    def advance(self) -> None:
        """Let bots move until a person is to act or the game is over. `start`, `resume` and `act` do so, too; it is
        for whoever wants to go on after a bot has failed.
        """
        with self._acting:
            while self.turn in self._bots:
                self._take(self._answer())

    # ---- for whoever keeps the game ----------------------------------------------------------------------------------

    def record(self) -> list[dict[str, Any]]:
        """The game so far, as `ruse.play.records.record` has it. Before its end this is for whoever keeps the game
        alone: it has all that is hidden from the players.
        """
        holders = [self._holder(p) for p in range(self.game.players)]
        return list(
            events_of(
                self.game, self._state.history, seed=self.seed, number=self.deal, holders=holders,
                earlier=self._earlier, thoughts=self._thoughts,
            )
        )  # fmt: skip

    @property
    def history(self) -> tuple[int, ...]:
        """The numbers of all moves so far, chance's among them; for whoever keeps the game alone, as the record is."""
        return self._state.history

    def end(self) -> State:
        """The whole state, once the game is over."""
        if not self._state.is_over:
            raise RuseError(f"the game is not over: it is player {self.turn}'s turn")
        return self._state

    def has_chosen(self, seat: int) -> bool:
        """Whether this seat has made a choice yet."""
        self._refuse_stranger(seat)
        return bool(self._chosen[seat])

    # ---- moves -------------------------------------------------------------------------------------------------------

    def _answer(self) -> int:
        """What the bot whose turn it is does."""
        seat, state = self._bots[self.turn], self._state
        with self._keeping_quiet(self.turn):
            ask = thought_of(seat, state)
            chosen = answer_of(seat, state, self._choice.draw(self._decisions))
            self._thoughts[len(state.history)] = ask()
        return chosen

    def _keeping_quiet(self, player: int) -> AbstractContextManager[None]:
        """With it, what the bot in this seat raises is not for the people who sit opposite."""
        return keeping_quiet(self.names[player], player)

    def _take(self, a: int) -> None:
        """The player to act takes an action, and chance does what is due; all of it or nothing."""
        before = self._state
        after = before.went(a)
        refuse_broken(after)
        self._follow([before, after], self._dealt(after, decisions=self._decisions + 1))

    def _dealt(self, state: State, decisions: int = 0) -> list[State]:
        """The state, and those that chance leads to from it, after so many decisions."""
        path = [state]
        while state.is_chance:
            u = self._luck.draw(len(state.history) - decisions)
            state = state.went(int(drawn(self.game, state.row, state.num_actions, u)))
            refuse_broken(state)
            path.append(state)
        return path

    def _follow(self, decided: list[State], dealt: list[State]) -> None:
        """Go along these states, tell every seat, and show the bots where that leads."""
        news = [
            [told for path in (decided, dealt) if len(path) > 1 and (told := self._told(path, seat))]
            for seat in range(self.game.players)
        ]
        if decided:
            self._chosen[decided[0].player].append((decided[0], decided[1].history[-1]))
            self._decisions += 1
        self._state = dealt[-1]
        for heard, new in zip(self._heard, news, strict=True):
            heard += new
        for seat, bot in self._bots.items():
            with self._keeping_quiet(seat):
                look_on(bot, self.game, self._state.row, seat)

    def _told(self, path: list[State], seat: int) -> Heard | None:
        """What a seat hears of the way from the first of these states to the last; nothing if nothing is new to it.

        How many moves chance makes may depend on what is hidden, so they are told as one.
        """
        first, last = path[0], path[-1]
        if self._words:
            lines = [
                line
                for before, after in pairwise(path)
                for line in self._words.told(self.game, before.row, after.history[-1], after.row, seat)
            ]
        elif first.player == seat:
            lines = own_in(first.actions[last.history[-1]], last.describe(seat), first.describe(seat))
        else:
            lines = new_in(last.describe(seat), first.describe(seat))
        return Heard(first.player, tuple(lines)) if lines else None

    # ---- from a record -----------------------------------------------------------------------------------------------

    def _holder(self, seat: int) -> Holder:
        """Who sits there now."""
        return Holder(self.names[seat], seat in self.people)

    def _repeat(self, found: Recorded) -> None:
        """Make the moves of a record; what chance and bots did then, they must do again."""
        at = State.of(self.game)
        for k, event in enumerate(found.actions):
            if at.is_over:
                raise unlike(found, k, "comes after the end of the game")
            a, names, player = event.get("number"), at.actions, "chance" if at.is_chance else at.player
            fits = a is not None and a < len(names) and (event["player"], event["action"]) == (player, names[a])
            if at.is_chance:
                if not fits or a != self._state.history[k]:
                    raise unlike(found, k, "is not what chance does there")
            elif fits:
                self._take_again(found, k)
            else:
                raise unlike(found, k, "is no action there")
            at = at.child(self._state.history[k])
        refuse_other_words(found, recorded(self.record()), "the record")

    def _take_again(self, found: Recorded, k: int) -> None:
        """Make a player's move of a record; a bot that made it then is asked for it."""
        a, seat = found.actions[k]["number"], self.turn
        taker, now = found.taker(k, seat), self._holder(seat)
        if taker != now:
            self._earlier[k] = taker
        elif seat in self._bots and self._answer() != a:
            raise unlike(found, k, f"is not what {now.name} does there: seat the same bot, or one of another name")
        self._take(a)

    # ---- what is refused ---------------------------------------------------------------------------------------------

    def _refuse_stranger(self, seat: int) -> None:
        if (number := whole(seat)) is None or not 0 <= number < self.game.players:
            raise RuseError(f"there is no seat {seat!r}; {named(self.game)} has seats 0 to {self.game.players - 1}")

    def _refuse_waiting(self, seat: int) -> State:
        """The state, if it is the turn of the person in this seat."""
        self._refuse_stranger(seat)
        state = self._state
        if state.is_over:
            raise RuseError("the game is over")
        if seat not in self.people:
            raise RuseError(f"seat {seat} is {self.names[seat]}'s, a bot's; nobody else can act there")
        if state.player != seat:
            raise RuseError(f"it is player {state.player}'s turn, not player {seat}'s")
        return state


# ---- seats and words -------------------------------------------------------------------------------------------------


def bots_at(game: Game, seats: Sequence[Any]) -> dict[int, Any]:
    """Bots as they sit at the table, by player. Each sits there alone: what one remembers is no other's to know."""
    found = {}
    for p, seat in enumerate(seats):
        if is_a(seat, Person):
            continue
        bot = seat.bot if is_a(seat, NamedBot) else seat
        if is_a(bot, Person):
            raise RuseError(f"{bot!r} is no bot; a person sits down without a NamedBot, as Person({seat.name!r})")
        if is_a(bot, Strategy):
            bot.refuse_other(game)
            bot = playing(bot)
        found[p] = seated(game, bot)
    return dict(zip(found, rotations(list(found.values()), 1)[0], strict=True))


def whole(value: Any) -> int | None:
    """A whole number, NumPy's too, as Python's own; None for what is none, as True is."""
    return int(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else None


def number_among(action: str | int, names: Sequence[str]) -> int:
    """The number of an action; whoever asks is told of what there is here, and nothing of how it came to that."""
    fits = numbers_meant(action, names)
    if len(fits) > 1:
        raise RuseError(f"{action!r} may be {alternatives(fits, names)}")
    if not fits:
        raise RuseError(f"there is no action {action!r} here; there is: {', '.join(names)}")
    return fits[0]
