"""A state of a game for people: the row with the history that led to it, in plain Python."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.files.mistakes import where_written
from ruse.errors import RuseError, WrongAnswer
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game, Row, needs_history
from ruse.protocol.values.fields import refuse_no_game
from ruse.words.counts import is_whole_in
from ruse.words.html import table_of
from ruse.words.meant import alternatives, numbers_meant


class NoAction(RuseError, ValueError):
    """A word that names no action of a state, or more than one."""


class State(NamedTuple):
    """A point in a game.

    >>> from ruse.games.kuhn import Kuhn
    >>> State.of(Kuhn()).after("K", "J", "pass")
    State of Kuhn(players=2, ante=1, bet=1) after K, J, pass
    """

    game: Game
    row: Row
    history: tuple[int, ...]

    @classmethod
    def of(cls, game: Game) -> "State":
        """The beginning of the game."""
        refuse_no_game(game)
        # 64 bits whatever the game stores: NumPy integers of 8 or 16 bits would overflow in sums where kernels don't.
        return cls(game, game.start().astype(np.int64), ())

    @property
    def player(self) -> int:
        return self.whole(self.game.player)

    @property
    def is_over(self) -> bool:
        return self.player == OVER

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE

    @property
    def num_actions(self) -> int:
        return self.whole(self.game.num_actions)

    @property
    def actions(self) -> list[str]:
        """The names of the actions or outcomes, in order; empty at the end."""
        if self.is_over:
            return []
        return [self.game.action_name(self.row, a) for a in range(self.num_actions)]

    @property
    def chances(self) -> list[float]:
        """The probability of each outcome at a chance node."""
        return [self.number(self.game.chance, a) for a in range(self.num_actions)]

    @property
    def payoffs(self) -> list[float]:
        """What each player gets at the end."""
        return [self.number(self.game.payoff, p) for p in range(self.game.players)]

    @property
    def infoset(self) -> int:
        """The acting player's key, as an unsigned 64-bit integer."""
        return self.whole(self.game.infoset) & 0xFFFFFFFFFFFFFFFF

    def describe(self, viewer: int = EVERYTHING) -> str:
        """What the viewer sees in one line; where the row does not tell it all, the words of the game's scene."""
        if not is_whole_in(viewer, EVERYTHING, self.game.players):
            raise RuseError(
                f"who looks is a player from 0 to {self.game.players - 1}, or ruse.EVERYTHING, not {viewer!r}"
            )
        if not needs_history(self.game):
            return self.game.describe(self.row, viewer)
        game: Any = self.game
        scene = game.scene(self, viewer)
        if not isinstance(words := getattr(scene, "words", None), str):
            raise self.refused(game.scene, scene, "a Scene with words")
        return words

    def child(self, a: int) -> "State":
        """The state after action or outcome number a, if there is one."""
        return self.went(self.legal(a))

    def step(self, a: int) -> "State":
        """The same, with the history only if the game's words need it: a long one is copied again and again."""
        return self.stepped(self.legal(a))

    def legal(self, a: int) -> int:
        """The number of an action or outcome, if there is one of that number: the rules do not look before they go."""
        if not is_whole_in(a, 0, 0 if self.is_over else self.num_actions):
            raise self._no_action(a)
        return int(a)

    def went(self, a: int) -> "State":
        """As `child`, for whoever counts the actions himself, and walks many states: nothing is looked at."""
        row = self.row.copy()
        self.game.apply(row, a)
        return State(self.game, row, (*self.history, a))

    def stepped(self, a: int) -> "State":
        """The same as `step`."""
        state = self.went(a)
        return state if needs_history(self.game) else state._replace(history=())

    def after(self, *actions: str | int) -> "State":
        """The state after actions given by name or number, chance outcomes included."""
        state = self
        for action in actions:
            state = state.went(state.number_of(action))
        return state

    def number_of(self, action: str | int) -> int:
        """The number of an action given by name; a number stands for itself."""
        names = self.actions
        fits = numbers_meant(action, names)
        if len(fits) == 1:
            return fits[0]
        if fits:
            where = self.path() or "the start"
            raise NoAction(f"{action!r} after {where} may be {alternatives(fits, names)}")
        raise self._no_action(action)

    def path(self) -> str:
        """The history in words."""
        names, state = [], State.of(self.game)
        for a in self.history:
            names.append(state.actions[a])
            state = state.went(a)
        return ", ".join(names)

    def children(self) -> Iterable["State"]:
        if self.is_over:
            return []
        return (self.went(a) for a in range(self.num_actions))

    def _no_action(self, action: Any) -> NoAction:
        """What to raise for an action that there is not."""
        offered = ", ".join(self.actions) or "none, the game is over"
        return NoAction(f"no action {action!r} after {self.path() or 'the start'}; there is: {offered}")

    # ---- answers of the rules ----------------------------------------------------------------------------------------

    def whole(self, rule: Callable[..., Any]) -> int:
        """What a rule says of this state, if it is a whole number."""
        try:
            answer = rule(self.row)
        except OverflowError as error:
            if "C long" not in str(error):
                raise
            beyond = "comes to a number beyond 64 bits; ruse.mix makes keys of many numbers"
            raise WrongAnswer(f"{where_written(rule)} {beyond}") from None
        with suppress(TypeError, ValueError, OverflowError):
            if int(answer) == answer:
                return int(answer)
        raise self.refused(rule, answer, "a whole number")

    def number(self, rule: Callable[..., Any], x: int) -> float:
        """The same of a number."""
        answer = rule(self.row, x)
        with suppress(TypeError, ValueError, OverflowError):
            return float(answer)
        raise self.refused(rule, answer, "a number")

    def refused(self, rule: Callable[..., Any], answer: Any, kind: str) -> WrongAnswer:
        """What to raise for an answer that is none: the method, the line, and the way to this state."""
        way = f"actions {', '.join(map(str, self.history))}"
        with suppress(Exception):  # the names of actions are a game's own code
            way = self.path() or "the start"
        given = "nothing" if answer is None else repr(answer)[:80]
        return WrongAnswer(f"{where_written(rule)} must return {kind}, and returns {given} after {way[:300]}")

    def _repr_html_(self) -> str:
        """What lies open, who is to move, and what may be done, with everything shown."""
        turn = "the game is over" if self.is_over else "chance" if self.is_chance else f"player {self.player}"
        rows = [["to move", turn], ["after", self.path() or "nothing"], ["everything", self.describe()]]
        if self.is_over:
            rows += [[f"player {p} gets", f"{x:+z.6g}"] for p, x in enumerate(self.payoffs)]
        elif self.is_chance:
            shown = [f"{a} ({p:.4g})" for a, p in zip(self.actions, self.chances, strict=True)]
            rows.append(["outcomes", ", ".join(shown)])
        else:
            rows += [["sees", self.describe(self.player)], ["actions", ", ".join(self.actions)]]
        return table_of(["", f"{self.game!r}"], rows)

    def __repr__(self) -> str:
        return f"State of {self.game!r} after {self.path() or 'nothing'}"
