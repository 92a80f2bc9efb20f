"""The tables of the pruned engine, and the space that is given back while actions are pruned."""

import mmap
import sys
from typing import NamedTuple

import numpy as np

from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import INFINITY
from ruse.store.restoring import refuse, refuse_unlike
from ruse.tree.histories import Histories, Trees, shorten
from ruse.tree.passes import fill_reach

FIRST = 10  # iterations before which regret says too little to prune
# The clock: an iteration's weight in the average; when the next review is; whether the short list is good; how many
# rows have been looked at since it is not, and how many looks it costs to make it anew; iterations before the first.
SCALE, REVIEW, SHORT, LOOKS, COST, BEFORE = range(6)
# What is counted: rows of histories that are visited, and all that are looked at, those jumped over too; nodes of the
# passes up and down; leaves and nodes of best responses.
VISITED, LOOKED_AT, UP, DOWN, CHECKED = range(5)
SCRATCH = ("short", "value", "arrived", "live")  # what a checkpoint need not hold
SIDE_BY_SIDE = ("regret", "sigma", "allowance", "value")  # zero below a pruned action, if nothing is kept


class PrunedTables(NamedTuple):
    """What an iteration changes, in place."""

    regret: np.ndarray  # [sequence] minus infinity if it is pruned
    average: np.ndarray  # [sequence] the sum of reach times strategy, later iterations weighted by the scale
    sigma: np.ndarray  # [sequence] the current strategy
    reach: np.ndarray  # [sequence] product of the owner's own probabilities
    faced: np.ndarray  # [sequence] the sum of reach over the iterations that the other player has seen
    allowance: np.ndarray  # [sequence] of pruned actions
    before: np.ndarray  # [sequence] of pruned actions and what follows them: what their leaves had won until then
    dead: np.ndarray  # [sequence] whether it is pruned or follows what is
    total: np.ndarray  # [node] the sum of its values
    met: np.ndarray  # [node] the sum of the probabilities with which chance and the others have arrived
    clock: np.ndarray  # [6]
    touched: np.ndarray  # [5] counts of work done
    short: Histories  # those that follow no pruned action; the column PAST holds what row it is in the whole list
    value: np.ndarray  # [sequence] zero between iterations, as is the next
    arrived: np.ndarray  # [node]
    live: np.ndarray  # [node] those at which somebody has arrived, parents first

    @classmethod
    def start(cls, trees: Trees, solver: Solver) -> "PrunedTables":
        """Uniform strategies and no regret."""
        form, histories, pruning = trees.form, trees.histories, solver.pruning
        sequences, nodes, counts = form.num_sequences, len(form.parent), np.diff(form.first)
        regret, sigma, allowance, value = side_by_side(sequences).T
        average, reach, faced = (np.zeros(sequences) for _ in range(3))
        total, met, arrived = (np.zeros(nodes) for _ in range(3))
        sigma[: form.players] = 1.0
        sigma[form.players :] = np.repeat(1.0 / counts, counts)
        fill_reach(form, sigma, reach)
        faced[:] = reach
        if solver.alternating:  # the first player has moved on before another one looks
            faced[0] = faced[form.first[0] : form.first[form.node_start[1]]] = 0.0
        before = np.zeros(sequences if pruning.keeps() else 1)
        dead, live = np.zeros(sequences, np.uint8), np.zeros(nodes, np.uint32)
        clock = np.array([1.0, pruning.next_review(FIRST), 0.0, 0.0, INFINITY, 0.0])
        short = Histories(*(np.empty_like(array) for array in histories))  # takes no memory before it is written
        return cls(
            regret, average, sigma, reach, faced, allowance, before, dead, total, met, clock, np.zeros(5), short,
            value, arrived, live,
        )  # fmt: skip

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold."""
        return {name: array for name, array in self._asdict().items() if name not in SCRATCH}

    @classmethod
    def restored(cls, trees: Trees, solver: Solver, arrays: dict[str, np.ndarray]) -> "PrunedTables":
        tables = cls.start(trees, solver)
        refuse_unlike(arrays, tables.saved(), infinite=("regret", "clock"))
        regret, clock = arrays["regret"], arrays["clock"]
        if np.isposinf(regret).any() or not np.isfinite(np.delete(clock, COST)).all() or not clock[SCALE] > 0.0:
            refuse("a number is infinite that no training makes so")
        for name, array in arrays.items():
            getattr(tables, name)[:] = array
        if tables.clock[SHORT] > 0.0:
            shorten(trees.histories, tables.short, tables.dead)
        return tables

    @property
    def nodes(self) -> float:
        """All that was looked at so far."""
        return float(self.touched[LOOKED_AT:].sum())

    @property
    def bytes(self) -> int:
        """Without the short list, which is at most as large as the whole one."""
        return sum(array.nbytes for array in self if isinstance(array, np.ndarray))

    @property
    def share_pruned(self) -> float:
        """Of all actions, those that are pruned or follow one that is."""
        return float(self.dead.mean())

    def give_back(self) -> int:
        """Give whole pages below pruned actions back to the system; return how many bytes of them it has now.

        What is there is zero, and a page that is used again starts with zeros. Regret that is kept is not.
        """
        memory = self.value.base
        while isinstance(memory, np.ndarray):
            memory = memory.base
        if not isinstance(memory, memoryview) or len(self.before) > 1:
            return 0
        is_below = (self.dead > 0) & (self.regret > -INFINITY)
        edges = np.flatnonzero(np.diff(is_below, prepend=False, append=False)) * self.value.strides[0]
        starts, ends = -(-edges[::2] // mmap.PAGESIZE) * mmap.PAGESIZE, edges[1::2] // mmap.PAGESIZE * mmap.PAGESIZE
        given = 0
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            if start < end:
                memory.obj.madvise(mmap.MADV_DONTNEED, start, end - start)
                given += end - start
        return given


def side_by_side(sequences: int) -> np.ndarray:
    """Zeros, the numbers of a sequence in one row; in memory of its own where it can be given back a page at a time."""
    if sys.platform != "linux" or sequences == 0:
        return np.zeros((sequences, len(SIDE_BY_SIDE)))
    memory = mmap.mmap(-1, 8 * sequences * len(SIDE_BY_SIDE), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(memory, np.float64).reshape(sequences, len(SIDE_BY_SIDE))
