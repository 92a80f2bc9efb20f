"""A game that ends early: at a moment that a part tells, with payoffs that another part gives.

    @ruse.compiled("is_due")
    class BoardIsDue(NamedTuple):
        nothing: int = 0

        def is_due(self, game, s, moves): ...

`After(moves)` is the moment after so many moves, chance's among them. What a history is worth there is told by any part
with a method `leaf_worth(game, s, player)`, or by a `LeafTable`.
"""

import hashlib
from numbers import Integral
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruse.compile import compiled, is_compiled, kernel
from ruse.errors import RuseError
from ruse.play.bots.bot import bisect
from ruse.protocol.game import OVER, Game, Row
from ruse.protocol.looking import digest
from ruse.protocol.values.fields import refuse_unplayable
from ruse.protocol.values.sameness import told_apart_by
from ruse.protocol.wrapped import Wrapped, twist
from ruse.subgame.given import numbers_of
from ruse.subgame.rooted import rows_of
from ruse.words.naming import named

MOVED = 0  # the column behind those of the game: moves so far


class Moment(Protocol):
    """Where a game is cut."""

    def is_due(self, game: Game, s: Row, moves: int) -> bool:
        """Whether it is cut here, after so many moves; it is not asked where the game is over."""


class Leaves(Protocol):
    """What the histories at a cut are worth."""

    def leaf_worth(self, game: Game, s: Row, player: int) -> float: ...


@twist
class Cut(NamedTuple):
    """The twist of a game that is over when a moment has come."""

    until: Any
    leaves: Any

    @classmethod
    def of(cls, game: Game, until: Moment, leaves: Leaves) -> Wrapped:
        """The game up to this moment, where its histories are worth what `leaves` says."""
        refuse_no_moment(game, until)
        if not is_compiled(leaves, "leaf_worth"):
            raise RuseError(
                f'leaves need a method leaf_worth(self, game, s, player), @ruse.compiled("leaf_worth"); got {leaves!r}'
            )
        return Wrapped.of(game, cls(until, leaves))

    def behind(self, game: Game) -> Row:
        return np.zeros(1, np.int64)

    def player_in(self, game, s, behind):
        player = game.player(s)
        return OVER if player != OVER and self.until.is_due(game, s, behind[MOVED]) else player

    def apply_in(self, game, s, behind, a):
        game.apply(s, a)
        behind[MOVED] += 1

    def history_in(self, history: tuple[int, ...]) -> tuple[int, ...]:
        return history

    def payoff_in(self, game, s, behind, player):
        return float(game.payoff(s, player) if game.player(s) == OVER else self.leaves.leaf_worth(game, s, player))


def refuse_no_moment(game: Game, until: Any) -> None:
    """Raise if this cannot tell where a game is cut."""
    refuse_unplayable(game)
    if not is_compiled(until, "is_due"):
        raise RuseError(
            f'a moment needs a method is_due(self, game, s, moves) and @ruse.compiled("is_due"), got {until!r}'
        )
    if refuse := getattr(until, "refuse_unfit", None):
        refuse(game)


@compiled("is_due")
class After(NamedTuple):
    """The moment after so many moves, those of chance among them."""

    moves: int

    def refuse_unfit(self, game: Game) -> None:
        if not isinstance(self.moves, Integral) or self.moves < 0:
            raise RuseError(f"After(moves) takes a whole number from 0 on, got {self.moves!r}")

    def is_due(self, game, s, moves):
        return moves >= self.moves


@compiled("leaf_worth")
@told_apart_by(attrgetter("digest"))
class LeafTable(NamedTuple):
    """What each history at a cut is worth to each player, by its row. One that it does not have breaks a law."""

    keys: NDArray[Any]  # [leaf] of a row, ascending
    value: NDArray[Any]  # [leaf, player]
    digest: int  # of all of it

    @classmethod
    def of(cls, game: Game, rows: ArrayLike, value: ArrayLike) -> "LeafTable":
        """A value for each row and player."""
        found, values = rows_of(game, rows), numbers_of(value, "values")
        if values.shape != (len(found), game.players):
            raise RuseError(
                f"give each of the {len(found):,} rows a value for each of {game.players} players: got values of the "
                f"shape {values.shape}"
            )
        if not np.isfinite(values).all():
            row = int(np.argwhere(~np.isfinite(values))[0][0])
            raise RuseError(f"values are finite numbers, got {values[row].tolist()} for row {row} of {named(game)}")
        keys = np.zeros(len(found), np.int64)
        fill_row_keys(found, keys)
        keys, first, where = np.unique(keys, return_index=True, return_inverse=True)
        if (other := np.flatnonzero((values != values[first][where]).any(axis=1))).size:
            row, before = int(other[0]), int(first[where[other[0]]])
            raise RuseError(
                f"rows {before} and {row} are the same state of {named(game)}, and have two values: "
                f"{values[before].tolist()} and {values[row].tolist()}"
            )
        values = np.ascontiguousarray(values[first])
        told = hashlib.blake2b(keys.tobytes() + values.tobytes(), digest_size=7).digest()
        return cls(keys, values, int.from_bytes(told, "big"))

    def leaf_worth(self, game, s, player):
        key = digest(s)
        place = bisect(self.keys, key)
        return self.value[place, player] if place < len(self.keys) and self.keys[place] == key else np.nan

    def __repr__(self) -> str:
        return f"LeafTable({len(self.keys):,} leaves, {self.digest:014x})"


@kernel
def fill_row_keys(rows, keys):
    for k in range(len(rows)):
        keys[k] = digest(rows[k])
