"""What has been learned, by infoset key: the tables of either engine in a form that another training can take over."""

import operator
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, kernel, lean_kernel
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.view import View, infoset_key
from ruse.solve.full.engine import Tables
from ruse.solve.solver.presets import Solver
from ruse.solve.table.sampling import Clock
from ruse.solve.table.table import WIDEST, Table
from ruse.store.restoring import largest
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.tree.sequence_form import SequenceForm
from ruse.tree.walk import Growing, find_place, larger_index, new_index, twice
from ruse.words.naming import named
from ruse.words.printable import shown

Array = NDArray[Any]


class Infosets(NamedTuple):
    """The infosets of a game, each with its name in another game, or under another view."""

    keys: Array  # [infoset] uint64, ascending
    counts: Array  # [infoset] actions
    names: Array  # [infoset] uint64

    @classmethod
    def of(cls, expanded: Expanded, naming: View) -> "Infosets":
        """Those of an expanded game; `naming` is the view whose keys are the names."""
        keys, node = np.unique(expanded.keys, return_index=True)
        return cls(keys, np.diff(expanded.form.first)[node].astype(np.int64), expanded.keys_of(naming)[node])

    @classmethod
    def met(cls, game: Game, view: View, naming: View, *, limit: int) -> "Infosets | None":
        """The same by walking the game; None if it has more than `limit` histories."""
        walking = Growing(game, view, Register.start(game, naming))
        while not walking.is_done:
            if walking.visited >= limit:
                return None
            walking.go_on(pause=limit)
        found = walking.visitor.found[: int(walking.visitor.totals[0])]
        found = found[np.argsort(found[:, 0].view(np.uint64))]
        return cls(found[:, 0].view(np.uint64), found[:, 1], found[:, 2].view(np.uint64))


class Match(NamedTuple):
    """How much of a game's infosets another one knew."""

    copied: int
    unseen: int  # the other game has no such infoset
    misfit: int  # it has, with another number of actions


SUMS = ("float64", "float32")  # strategies may be in single precision
TABLES = {"keys": ("uint64",), "start": ("int64",), "regret": SUMS, "average": SUMS}


class Learned(NamedTuple):
    """Regret and average sums of infosets, as the solver has added them up."""

    keys: Array  # [infoset] uint64, ascending
    start: Array  # [infoset + 1] where an infoset's actions start
    regret: Array  # [action] float64
    average: Array  # [action] float64

    def __repr__(self) -> str:
        return f"Learned({len(self.keys):,} infosets)"

    @classmethod
    def of(cls, expanded: Expanded, regret: Array, average: Array) -> "Learned":
        """From tables over the slots of an expanded game."""
        keys, node = np.unique(expanded.keys, return_index=True)
        counts = np.diff(expanded.form.first)[node].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(counts)])
        slots = _spread(expanded.form.slot[node].astype(np.int64), counts)
        return cls(keys, start, regret[slots], average[slots])

    @classmethod
    def of_table(cls, table: Table, clock: Clock, done: int) -> "Learned":
        """From a sampled table after so many iterations, with the weights that its rows have still to get."""
        keys, first, width = table.used()
        start = np.concatenate([[0], np.cumsum(width)])
        slots = _spread(first, width)
        regret, average = (table.rows[slots + np.repeat(k * width, width)].astype(np.float64) for k in (0, 1))
        now = clock.period(max(done, 1))
        then = np.repeat(np.minimum(table.rows[first - 1].astype(np.int64), now), width)
        weight = np.where(
            regret > 0.0, clock.positive[now] - clock.positive[then], clock.negative[now] - clock.negative[then]
        )
        return cls(keys, start, regret * np.exp(weight), average * np.exp(clock.fading[now] - clock.fading[then]))

    def fault(self, kind: Any = np.float64) -> str | None:
        """What no training could have added up, in tables of this kind of number; None if all is well."""
        for name, types in TABLES.items():
            table = getattr(self, name)
            if not isinstance(table, np.ndarray) or table.dtype not in types or table.ndim != 1:
                return f"its table {name} is no list of {' or '.join(types)}"
        keys, start = self.keys, self.start
        if len(start) != len(keys) + 1 or start[0] != 0 or any(np.any(x[1:] <= x[:-1]) for x in (start, keys)):
            return "its tables do not fit together: keys and rows must ascend"
        if not len(self.regret) == len(self.average) == start[-1]:
            return "its tables do not fit together: there is a number for each action"
        for name, table, least in (("regret", self.regret, -largest(kind)), ("average", self.average, 0.0)):
            if len(table) and not (table.min() >= least and table.max() <= largest(kind)):  # as it is not for NaN
                return f"{name} holds {table.min():g} to {table.max():g}, which no training comes to"
        return None

    def refuse_faulty(self, why: str, kind: Any = np.float64) -> None:
        """Raise if these are no tables of a training, or too large for this kind of number."""
        if fault := self.fault(kind):
            raise RuseError(f"{why}: {fault}")

    def scaled(self, factor: float) -> "Learned":
        with np.errstate(over="ignore"):  # which is looked at before a training begins from it
            return self._replace(regret=factor * self.regret, average=factor * self.average)

    def renamed(self, function: Callable[[int], int | Iterable[int]]) -> "Learned":
        """Under other keys: `function` gives for each key the new one, or all the new ones."""
        if not callable(function):
            raise RuseError(f"a mapping is a view, or a function from a key to the new one, not {shown(function)}")
        new, old = [], []
        for n, key in enumerate(self.keys.tolist()):
            given = function(key)
            try:
                others = [operator.index(one) for one in ((given,) if isinstance(given, int | np.integer) else given)]
            except TypeError:
                raise RuseError(
                    f"the mapping gives {shown(given)} for the key {key}, which is no key and no list of keys"
                ) from None
            for other in others:
                new.append(other & 0xFFFFFFFFFFFFFFFF)
                old.append(n)
        keys, order, times = np.unique(np.array(new, np.uint64), return_index=True, return_counts=True)
        if np.any(times > 1):
            raise RuseError(f"the mapping gives the key {keys[times > 1][0]} to two infosets; give it to one of them")
        return self._chosen(keys, np.array(old, np.int64)[order])

    def for_infosets(self, infosets: Infosets) -> tuple["Learned", Match]:
        """What is known of another game's infosets, under their keys there. What does not fit is left out."""
        place = np.minimum(np.searchsorted(self.keys, infosets.names), max(len(self.keys) - 1, 0))
        known = self.keys[place] == infosets.names if len(self.keys) else np.zeros(len(infosets.keys), bool)
        fits = known.copy()
        fits[known] = np.diff(self.start)[place[known]] == infosets.counts[known]
        match = Match(int(fits.sum()), int((~known).sum()), int((known & ~fits).sum()))
        return self._chosen(infosets.keys[fits], place[fits]), match

    def _chosen(self, keys: Array, rows: Array) -> "Learned":
        """The rows with these numbers, under new keys, which ascend."""
        counts = np.diff(self.start)[rows]
        actions = _spread(self.start[:-1][rows], counts)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Learned(keys, start, self.regret[actions], self.average[actions])

    def on(self, expanded: Expanded) -> tuple[Array, Array]:
        """Regret and average over the slots of an expanded game whose keys these are, zero where nothing is known."""
        form = expanded.form
        place = np.minimum(np.searchsorted(self.keys, expanded.keys), max(len(self.keys) - 1, 0))
        nodes = np.flatnonzero(self.keys[place] == expanded.keys) if len(self.keys) else np.zeros(0, np.int64)
        counts = np.diff(form.first).astype(np.int64)[nodes]
        if np.any(np.diff(self.start)[place[nodes]] != counts):
            raise RuseError(
                f"what was learned does not fit {named(expanded.game)}: an infoset has another number of actions"
            )
        slots = _spread(form.slot[nodes].astype(np.int64), counts)
        actions = _spread(self.start[:-1][place[nodes]], counts)
        regret, average = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
        regret[slots], average[slots] = self.regret[actions], self.average[actions]
        return regret, average

    def into(self, table: Table, memory: int | None = None) -> Table:
        """The sampled table with these rows in it, grown where it had to, to no more than `memory` bytes."""
        done = 0
        if (widest := np.diff(self.start).max(initial=0)) > WIDEST:
            raise RuseError(f"an infoset with {widest:,} actions is too wide for sampled walks, which take {WIDEST:,}")
        while True:
            if table.is_crowded():
                table = table.larger(memory)
            done = fill(table, self.keys.view(np.int64), self.start, self.regret, self.average, done)
            if done == len(self.keys):
                return table


def _spread(first: Array, counts: Array) -> Array:
    """The numbers first[k] .. first[k] + counts[k] of all k, one after the other."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(first.astype(np.int64) - (ends - counts), counts))


# ---- into the full-width engine --------------------------------------------------------------------------------------


def is_alike_where_merged(expanded: Expanded, table: Array) -> bool:
    """Whether a table over the whole form has, but for rounding, equal rows wherever infosets have been merged."""
    form, renamed = expanded.merged, expanded.renamed
    lowest, highest = np.full(form.num_sequences, np.inf), np.full(form.num_sequences, -np.inf)
    np.minimum.at(lowest, renamed, table)
    np.maximum.at(highest, renamed, table)
    first = form.first[:-1].astype(np.int64) - form.players
    if len(first) == 0:
        return True
    size = np.maximum(np.abs(lowest), np.abs(highest))[form.players :]
    largest = np.repeat(np.maximum.reduceat(size, first), np.diff(form.first))  # of the row: regret has no scale
    return bool(np.all((highest - lowest)[form.players :] <= 1e-9 * largest))


def begun(solver: Solver, form: SequenceForm, regret: Array, average: Array) -> Tables:
    """The engine's tables with these sums, and the strategy that the rule plays by this regret."""
    tables = Tables.start(form)
    tables.regret[:], tables.average[:] = regret, average
    fill_sigma(form, solver.minimizer, tables.regret, tables.sigma)
    fill_reach(form, tables.sigma, tables.reach)
    return tables


@kernel
def fill_sigma(form, minimizer, regret, sigma):
    for j in range(len(form.slot)):
        slot, count = np.int64(form.slot[j]), np.int64(form.first[j + 1]) - np.int64(form.first[j])
        minimizer.play(regret, slot, count, sigma, slot)


# ---- into a sampled table --------------------------------------------------------------------------------------------


@lean_kernel
def fill(table, keys, start, regret, average, begin):
    """Write rows, from number `begin` on, until the table needs room; return the next one."""
    for n in range(begin, len(keys)):
        count = start[n + 1] - start[n]
        first = 1 if table.is_crowded() else table.row(keys[n], count)
        if first == 1:  # the row that all share when there is no room
            return n
        for a in range(count):
            table.rows[first + a] = regret[start[n] + a]
            table.rows[first + count + a] = average[start[n] + a]
    return len(keys)


# ---- the infosets of a game that is not expanded ---------------------------------------------------------------------


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Register(NamedTuple):
    """A visitor that writes down each infoset once, with its name under another view."""

    game: Any
    naming: Any
    totals: np.ndarray  # [1] infosets
    keys: np.ndarray  # the index of infosets
    ids: np.ndarray
    found: np.ndarray  # [infoset, 3] key, actions, name

    @classmethod
    def start(cls, game: Game, naming: View) -> "Register":
        return cls(game, naming, np.zeros(1, np.int64), *new_index(1 << 12), np.zeros((1 << 12, 3), np.int64))

    def is_full(self):
        return self.totals[0] >= len(self.found)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        place = find_place(self.keys, self.ids, key)
        if self.ids[place] < 0:
            n = self.totals[0]
            self.keys[place] = key
            self.ids[place] = n
            self.found[n, 0] = key
            self.found[n, 1] = stack.actions[level]
            self.found[n, 2] = infoset_key(self.game, self.naming, stack.rows[level])
            self.totals[0] += 1
        return 0

    def at_end(self, game, stack, level):
        pass

    def larger(self) -> "Register":
        """The same with room for twice as many infosets."""
        index = larger_index(self.keys, self.ids, 2 * len(self.found))
        return Register(self.game, self.naming, self.totals, *index, *twice([self.found]))
