"""A game around another: its row is the other's row with columns behind it, and a part says what is different.

Such a part is a *twist*. It answers for those rules that are different, given the game inside, that game's row and the
columns behind it. Bots in a seat keep their memory in such columns, a view offers
fewer actions, a subgame begins or ends elsewhere: all of them are twists, for any game and any number of players.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from ruse.compile import compiled
from ruse.protocol.game import RULES, Game, Row, needs_history
from ruse.protocol.state import State

TWIST = (*(f"{rule}_in" for rule in RULES), "end_in")  # what kernels call: player_in, num_actions_in, ...

C = TypeVar("C", bound=type)


class Twist(Protocol):
    """What may be different in a wrapped game. A class with `@twist` defines only what is.

    `s` is the row of the game inside, `behind` the columns behind it.
    """

    def behind(self, game: Game) -> Row:
        """The columns behind the game's row when it begins. Never compiled."""

    def player_in(self, game: Game, s: Row, behind: Row) -> int: ...

    def num_actions_in(self, game: Game, s: Row, behind: Row) -> int: ...

    def chance_in(self, game: Game, s: Row, behind: Row, a: int) -> float: ...

    def apply_in(self, game: Game, s: Row, behind: Row, a: int) -> None: ...

    def infoset_in(self, game: Game, s: Row, behind: Row) -> int: ...

    def payoff_in(self, game: Game, s: Row, behind: Row, player: int) -> float: ...

    def action_name_in(self, game: Game, s: Row, behind: Row, a: int) -> str:
        """Never compiled."""

    def describe_in(self, game: Game, s: Row, behind: Row, viewer: int) -> str:
        """Never compiled. With words of its own a wrapped game shows no scenes of the game inside."""

    def history_in(self, history: tuple[int, ...]) -> tuple[int, ...] | None:
        """The moves of the game inside; None where they are not known. Never compiled."""


@compiled(*RULES)
class Wrapped(NamedTuple):
    """A game with a twist."""

    rules: Any  # the game inside
    twist: Any
    columns: int  # of the row of the game inside

    @classmethod
    def of(cls, game: Game, twist: Any) -> "Wrapped":
        return cls(game, twist, len(game.start()))

    @property
    def players(self) -> int:
        return int(self.rules.players)

    @property
    def payoff_sum(self) -> float:
        """The promise of the game inside, if the twist leaves payoffs as they are."""
        if type(self.twist).payoff_in is not same_payoff:
            raise AttributeError("payoffs have another sum than in the game inside, or none")
        return float(self.rules.payoff_sum)

    @property
    def perfect_recall(self) -> bool:
        return bool(getattr(self.twist, "perfect_recall", getattr(self.rules, "perfect_recall", True)))

    @property
    def needs_history(self) -> bool:
        """Whether the game inside tells its past by the way to a state, and the twist knows that way."""
        return needs_history(self.rules) and self.twist.history_in(()) is not None

    @property
    def scene(self) -> Callable[[State, int], Any]:
        """What a viewer sees in the game inside, if that has scenes; whose turn it is may be different."""
        own = self.rules.scene
        if type(self.twist).describe_in is not same_describe:
            raise AttributeError("what is seen is told in other words than in the game inside")

        def scene(state: State, viewer: int) -> Any:
            inside = State(self.rules, state.row[: self.columns], self.twist.history_in(state.history) or ())
            return own(inside, viewer)._replace(turn=state.player, actions=(), payoffs=())

        return scene

    def start(self) -> Row:
        row, behind = np.asarray(self.rules.start()), self.twist.behind(self.rules)
        return np.concatenate([row, behind]) if len(behind) else row

    def player(self, s):
        return self.twist.player_in(self.rules, s[: self.twist.end_in(s, self.columns)], s[self.columns :])

    def num_actions(self, s):
        return self.twist.num_actions_in(self.rules, s[: self.twist.end_in(s, self.columns)], s[self.columns :])

    def chance(self, s, a):
        return self.twist.chance_in(self.rules, s[: self.twist.end_in(s, self.columns)], s[self.columns :], a)

    def apply(self, s, a):
        self.twist.apply_in(self.rules, s[: self.twist.end_in(s, self.columns)], s[self.columns :], a)

    def infoset(self, s):
        return self.twist.infoset_in(self.rules, s[: self.twist.end_in(s, self.columns)], s[self.columns :])

    def payoff(self, s, player):
        return self.twist.payoff_in(self.rules, s[: self.twist.end_in(s, self.columns)], s[self.columns :], player)

    def action_name(self, s: Row, a: int) -> str:
        return str(self.twist.action_name_in(self.rules, s[: self.columns], s[self.columns :], a))

    def describe(self, s: Row, viewer: int) -> str:
        return str(self.twist.describe_in(self.rules, s[: self.columns], s[self.columns :], viewer))

    def __repr__(self) -> str:
        return f"Wrapped({self.rules!r}, {self.twist!r})"


@compiled("key")
class Through(NamedTuple):
    """A view of the game inside, for a game around it: the same keys, so that strategies fit both."""

    sees: Any

    def key(self, game, s):
        return self.sees.key(game.rules, s[: game.columns])

    def beneath(self, game: Wrapped) -> tuple[Game, Any]:
        """The game inside and its view, which tell no less than this one."""
        return game.rules, self.sees


# ---- what a twist leaves as it is ------------------------------------------------------------------------------------


def twist(cls: C) -> C:
    """Class decorator: let kernels use a twist. What its class does not define is as in the game inside."""
    # A slice that ends where the row does is no work for kernels; another one slows them down by a tenth.
    end_in = end_of_front if "behind" in vars(cls) else end_of_all
    history_in = no_history if "apply_in" in vars(cls) else same_history
    for name, same in (SAME | {"end_in": end_in, "history_in": history_in}).items():
        if name not in vars(cls):
            setattr(cls, name, same)
    return compiled(*TWIST)(cls)


def end_of_front(self, s, columns):
    """Where the row of the game inside ends."""
    return columns


def end_of_all(self, s, columns):
    """The same where there is nothing behind it."""
    return len(s)


def nothing_behind(self: Any, game: Game) -> Row:
    return np.zeros(0, np.int64)


def same_player(self, game, s, behind):
    return game.player(s)


def same_num_actions(self, game, s, behind):
    return game.num_actions(s)


def same_chance(self, game, s, behind, a):
    return game.chance(s, a)


def same_apply(self, game, s, behind, a):
    game.apply(s, a)


def same_infoset(self, game, s, behind):
    return game.infoset(s)


def same_payoff(self, game, s, behind, player):
    return game.payoff(s, player)


def same_action_name(self: Any, game: Game, s: Row, behind: Row, a: int) -> str:
    return str(game.action_name(s, a))


def same_describe(self: Any, game: Game, s: Row, behind: Row, viewer: int) -> str:
    return str(game.describe(s, viewer))


def same_history(self: Any, history: tuple[int, ...]) -> tuple[int, ...] | None:
    return history


def no_history(self: Any, history: tuple[int, ...]) -> tuple[int, ...] | None:
    """Moves mean something else than in the game inside, unless the twist says so."""
    return None


SAME: dict[str, Any] = {
    "behind": nothing_behind,
    "player_in": same_player,
    "num_actions_in": same_num_actions,
    "chance_in": same_chance,
    "apply_in": same_apply,
    "infoset_in": same_infoset,
    "payoff_in": same_payoff,
    "action_name_in": same_action_name,
    "describe_in": same_describe,
}
