"""A game that begins at given rows: chance first draws one of them, in proportion to how often play comes there.

Infosets keep the keys of the game inside, so a strategy of the subgame is a part of one of the whole game. Of many rows
one is drawn in several steps, each among 64: a sampled walk would else look at a million outcomes for every draw.
"""

import hashlib
import random
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruse.errors import RuseError
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game, Row
from ruse.protocol.guards.breaches import breach
from ruse.protocol.state import State
from ruse.protocol.values.recent import Recent, identity_of
from ruse.protocol.values.sameness import told_apart_by
from ruse.protocol.wrapped import Wrapped, twist
from ruse.subgame.given import array_of, numbers_of
from ruse.tree.measure.size import is_within
from ruse.words.naming import named

BRANCHES = 64  # outcomes of one draw
SMALL = 20_000  # histories up to which all states of a game are looked through
TRIED, MOVES = 100, 100  # in a larger one, rows from which a game is played in plain Python, and how far
TINY = 1e-300  # of the largest reach; what is less is nothing

DRAWN, PLACE = range(2)  # columns behind those of the game: draws so far, and which row, or rows, they have come to


@twist
@told_apart_by(attrgetter("digest"))
class Rooted(NamedTuple):
    """The twist of a game that begins at one of these rows."""

    rows: NDArray[Any]  # [root, column]
    weight: NDArray[Any]  # [place] of all levels, the top first: of a row, or of up to 64 places of the level below
    level: NDArray[Any]  # [draws + 2] where the weights of a level start
    digest: int  # of all of it

    @classmethod
    def of(cls, game: Game, rows: ArrayLike, reaches: ArrayLike) -> Wrapped:
        """The game from these rows on. A row's reaches are multiplied: one number a row, or one for each who led there.

        Rows that are never reached are left out.
        """
        found = rows_of(game, rows)
        weight = weights_of(reaches, len(found))
        refuse_no_states(game, found)
        return cls.trusting(game, found, weight)

    @classmethod
    def trusting(cls, game: Game, found: NDArray[Any], weight: NDArray[Any]) -> Wrapped:
        """The same of rows that are known to be states of the game."""
        kept = weight > TINY
        found, levels = found[kept], [weight[kept]]
        while len(levels[0]) > 1 or len(levels) == 1:
            levels.insert(0, np.add.reduceat(levels[0], np.arange(0, len(levels[0]), BRANCHES)))
        start = np.cumsum([0, *map(len, levels)])
        weights = np.concatenate(levels)
        digest = hashlib.blake2b(np.ascontiguousarray(found).tobytes() + weights.tobytes(), digest_size=7).digest()
        return Wrapped.of(game, cls(found, weights, start, int.from_bytes(digest, "big")))

    def behind(self, game: Game) -> Row:
        return np.zeros(2, np.int64)

    def player_in(self, game, s, behind):
        return CHANCE if behind[DRAWN] < len(self.level) - 2 else game.player(s)

    def num_actions_in(self, game, s, behind):
        drawn = behind[DRAWN]
        if drawn < len(self.level) - 2:
            return min(BRANCHES, self.level[drawn + 2] - self.level[drawn + 1] - BRANCHES * behind[PLACE])
        return game.num_actions(s)

    def chance_in(self, game, s, behind, a):
        drawn, place = behind[DRAWN], behind[PLACE]
        if drawn < len(self.level) - 2:
            return self.weight[self.level[drawn + 1] + BRANCHES * place + a] / self.weight[self.level[drawn] + place]
        return game.chance(s, a)

    def apply_in(self, game, s, behind, a):
        if behind[DRAWN] == len(self.level) - 2:
            game.apply(s, a)
            return
        behind[DRAWN] += 1
        behind[PLACE] = BRANCHES * behind[PLACE] + a
        if behind[DRAWN] == len(self.level) - 2:
            for c in range(len(s)):
                s[c] = self.rows[behind[PLACE], c]

    def action_name_in(self, game: Game, s: Row, behind: Row, a: int) -> str:
        left, place = len(self.level) - 2 - int(behind[DRAWN]), BRANCHES * int(behind[PLACE]) + a
        if left == 0:
            return str(game.action_name(s, a))
        if left == 1:
            return str(game.describe(self.rows[place].astype(np.int64), EVERYTHING))
        first, last = (min(k * BRANCHES ** (left - 1), len(self.rows)) for k in (place, place + 1))
        return f"rows {first:,} to {last - 1:,}"

    def __repr__(self) -> str:
        return f"Rooted({len(self.rows):,} rows, {self.digest:014x})"


def rows_of(game: Game, rows: ArrayLike) -> NDArray[Any]:
    """The rows in the game's own type, if that is what they can be."""
    given, start = array_of(rows, "roots"), np.asarray(game.start())
    if not given.size:
        raise RuseError(f"there are no rows: give at least one state of {named(game)}")
    if given.ndim != 2 or given.dtype.kind not in "iu":
        raise RuseError(
            f"roots are whole numbers, one row a state: got {given.dtype} in {given.ndim} dimensions, not integers in 2"
        )
    if given.shape[1] != len(start):
        raise RuseError(f"a row of {named(game)} has {len(start)} columns, got rows of {given.shape[1]}")
    found = np.ascontiguousarray(given.astype(start.dtype))
    if not np.array_equal(found, given):
        raise RuseError(f"a row of {named(game)} holds {start.dtype} numbers, and these rows have larger ones")
    return found


def weights_of(reaches: ArrayLike, count: int) -> NDArray[Any]:
    """How often each row is drawn, as a share of the most frequent one."""
    given = numbers_of(reaches, "reaches")
    if given.ndim > 2 or given.shape[1:] == (0,):
        raise RuseError(f"give each of the {count:,} rows a reach, or one for each player: got the shape {given.shape}")
    if given.ndim == 0 or len(given) != count:
        raise RuseError(
            f"give each of the {count:,} rows a reach, or one for each player: got reaches for {len(given):,}"
            if given.ndim
            else f"give each of the {count:,} rows a reach, got one number"
        )
    wrong = ~(np.isfinite(given) & (given >= 0.0))
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0])
        raise RuseError(f"a reach is a number from 0 on, got {given[place]} for row {place[0]}")
    # Each factor by itself, so that reaches that are all tiny do not vanish in their product.
    factors = given.reshape(count, -1)
    largest = factors.max(axis=0, initial=0.0)
    weight: NDArray[Any] = (factors / np.where(largest > 0.0, largest, 1.0)).prod(axis=1)
    if not (weight > TINY).any():
        raise RuseError(f"none of the {count:,} rows is ever reached: the product of its reaches is 0 for each of them")
    return np.asarray(weight / weight.max())


def refuse_no_states(game: Game, rows: NDArray[Any]) -> None:
    """Raise if a row is no state of the game. Of a large game that is seen only where a game from there breaks a law.

    Kernels do not look whether an index is within its array; Python does. Of many rows some are tried.
    """
    if is_within(game, SMALL):
        _, known = _states.of(identity_of(game), lambda: (game, states_of(game)))
        for k, row in enumerate(rows.astype(np.int64)):
            if row.tobytes() not in known:
                raise RuseError(f"row {k} is no state of {named(game)}: no game of it comes to {row.tolist()}")
        return
    dice = random.Random(0)
    for k in np.unique(np.linspace(0, len(rows) - 1, TRIED).astype(np.int64)):
        if trouble := trouble_from(game, rows[k].astype(np.int64), dice):
            raise RuseError(f"row {k} is no state of {named(game)}: {trouble}")


_states = Recent[tuple[Game, set[bytes]]](1)  # with the game: its address may be its identity


def states_of(game: Game) -> set[bytes]:
    """The rows of all histories."""
    found, waiting = set(), [State.of(game)]
    while waiting:
        state = waiting.pop()
        found.add(state.row.tobytes())
        waiting += state.children()
    return found


def trouble_from(game: Game, row: Row, dice: random.Random) -> str | None:
    """What goes wrong in a game of random moves from a row; None if nothing does."""
    state, where = State(game, row, ()), "at this row"
    try:
        for _ in range(MOVES):
            if law := breach(state, where):
                return law
            if state.player == OVER:
                return None
            if state.player != CHANCE:
                _ = state.infoset
            ways = [a for a in range(state.num_actions) if state.player != CHANCE or state.chances[a] > 0.0]
            state, where = state.went(dice.choice(ways)), "some moves after it"
    except (IndexError, KeyError, ValueError, ArithmeticError, TypeError) as error:
        return f"{where} the rules stop with {type(error).__name__}: {error}"
    return None
