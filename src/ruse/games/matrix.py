"""Matrix games, also called normal form: everyone picks an action at once, and a table says what it is worth."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.protocol.game import EVERYTHING, OVER, Row

MOVES, PROFILE = 0, 1  # columns: how many players have picked, and what, as one number with the first player's in front


class NoMatrix(RuseError, ValueError):
    """Payoffs or names of which no matrix game is made."""


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Matrix(NamedTuple):
    """A matrix game as a game of hidden moves, one player after the other. Build it with `matrix`."""

    payoffs: np.ndarray  # [player, profile] float64; profiles in row-major order
    sizes: np.ndarray  # [player] int64: how many actions each has
    names: np.ndarray  # uint8: {"name": ..., "actions": [player][action]} in JSON

    @property
    def players(self) -> int:
        return len(self.sizes)

    @property
    def payoff_sum(self) -> float:
        sums = self.payoffs.sum(axis=0)
        if np.ptp(sums) > 1e-9:
            raise AttributeError("the payoffs of this game have no fixed sum")
        return float(sums[0])

    def start(self) -> Row:
        return np.zeros(2, np.int64)

    def player(self, s):
        return s[MOVES] if s[MOVES] < len(self.sizes) else OVER

    def num_actions(self, s):
        return self.sizes[s[MOVES]]

    def chance(self, s, a):
        return 0.0  # nothing is random

    def apply(self, s, a):
        s[PROFILE] = s[PROFILE] * self.sizes[s[MOVES]] + a
        s[MOVES] += 1

    def infoset(self, s):
        return 0  # nobody sees anything before moving

    def payoff(self, s, player):
        return self.payoffs[player, s[PROFILE]]

    def action_name(self, s, a):
        return self.vocabulary()["actions"][s[MOVES]][a]

    def describe(self, s, viewer):
        picks: list[str] = []
        profile = int(s[PROFILE])
        for p in reversed(range(int(s[MOVES]))):
            profile, pick = divmod(profile, int(self.sizes[p]))
            picks.insert(0, self.vocabulary()["actions"][p][pick])
        if viewer == EVERYTHING:
            return ", ".join(picks)
        if len(picks) == self.players:  # all is seen in the end
            return " against ".join([picks[viewer], *picks[:viewer], *picks[viewer + 1 :]])
        return picks[viewer] if viewer < len(picks) else "to move"

    def vocabulary(self) -> dict[str, Any]:
        """The game's name and the players' action names."""
        return json.loads(self.names.tobytes())  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and all(map(np.array_equal, self, other))

    def __ne__(self, other: object) -> bool:  # a tuple has its own, which stumbles over arrays
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(field.tobytes() for field in self))

    def __repr__(self) -> str:
        return f"Matrix({self.vocabulary()['name']!r}, {'x'.join(map(str, self.sizes))})"


def matrix(payoffs: ArrayLike, names: Sequence[Any] | None = None, *, name: str = "matrix") -> Matrix:
    """The game with these payoffs: [player, action, action, ...], or [action, action] for two players and zero sum.

    `names` are the actions' names: one list for each player, or one for all.

    >>> matrix([[0, -1], [2, 1]], [["up", "down"], ["left", "right"]])
    Matrix('matrix', 2x2)
    """
    try:
        table = np.array(payoffs, np.float64)
    except (TypeError, ValueError):
        raise NoMatrix(
            f"payoffs must be numbers in equal rows, such as [[0, -1], [2, 1]], got {payoffs!r:.80}"
        ) from None
    if table.ndim == 2:
        table = np.array([table, 0.0 - table])  # 0.0 - x has no negative zeros
    if table.ndim < 3 or table.shape[0] != table.ndim - 1 or table.size == 0:
        raise NoMatrix(f"payoffs must be [player, action, ...] with an axis for each player, got {table.shape}")
    if not np.isfinite(table).all():
        raise NoMatrix("payoffs must be finite, got an infinity or NaN in them")
    sizes = table.shape[1:]
    if not (names is None or (hasattr(names, "__len__") and all(hasattr(own, "__len__") for own in names))):
        raise NoMatrix(f"names are lists of texts, one for each player or one for all, not {names!r:.80}")
    if names is None:
        names = [[str(a) for a in range(size)] for size in sizes]
    elif all(isinstance(n, str) for n in names):
        names = [names] * len(sizes)
    if [len(own) for own in names] != list(sizes):
        raise NoMatrix(f"names must give each player one for each action, {sizes}, got {tuple(map(len, names))}")
    words = json.dumps({"name": name, "actions": [list(own) for own in names]}, ensure_ascii=False)
    return Matrix(
        np.ascontiguousarray(table.reshape(len(sizes), -1)),
        np.array(sizes, np.int64),
        np.frombuffer(words.encode(), np.uint8).copy(),
    )


def rock_paper_scissors() -> Matrix:
    """Rock blunts scissors, scissors cut paper, paper wraps rock."""
    return matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], ["rock", "paper", "scissors"], name="rock_paper_scissors")


def matching_pennies() -> Matrix:
    """The first player wins if both coins show the same side, the second if not."""
    return matrix([[1, -1], [-1, 1]], ["heads", "tails"], name="matching_pennies")
