"""All strategies of one player that lose at most so much to a best response: a polytope, and linear programs over it.

A strategy is a plan x, how often each own sequence is played; v are the values of the opponent's infosets against it:

    E x = e,   x >= 0,   F' v <= A' x,   v[root] >= value - within        (Koller et al. 1994, as in `ruse.solve.exact`)

With within = 0 these are the player's equilibrium strategies. A metric is a ratio of two linear functions of x. It is
linear in y = t x where the lower one is 1, and so a linear program finds its lowest and its highest value (Charnes and
Cooper 1962).

Sequences that neither payoffs nor the metrics tell apart are merged: the average of two solutions is a solution, and no
metric changes (Grohe et al. 2014).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.solve.exact import flow, load_scipy, payoff_matrix, sequences_of
from ruse.styles.census import Ratio
from ruse.tree.merge import merge
from ruse.tree.sequence_form import SequenceForm

ROUNDING = (1e-10, 1e-9, 1e-8)  # what a player may lose, and a pinned metric be off, because numbers are not exact
OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # the least that there is
INFEASIBLE = (2, 4)  # 4: the solver has met trouble on the way to find out


class Range(NamedTuple):
    """The lowest and the highest value of a metric."""

    lowest: float
    highest: float

    @property
    def width(self) -> float:
        return self.highest - self.lowest


class Pinned(NamedTuple):
    """A metric that is held at a value."""

    ratio: Ratio
    value: float


class Polytope:
    """The strategies of a player that lose at most `within` to a best response. Metrics are numbered as given."""

    def __init__(
        self, form: SequenceForm, player: int, *, value: float, ratios: Sequence[Ratio], within: float = 0.0
    ) -> None:
        self.player, self.value, self.within = player, value, within  # the value of the game to this player
        smaller, there = merge(form, colours_of(ratios, form.num_sequences))
        own = sequences_of(smaller, player)
        self.form, self.there, self.own = smaller, there, own
        self.ratios = [Ratio(*(_gathered(sums, there, smaller)[own] for sums in ratio)) for ratio in ratios]
        self.scipy = load_scipy()
        self.payoff, self.flow = payoff_matrix(smaller, player), flow(smaller, player)
        self.answers = flow(smaller, 1 - player)

    def range(self, k: int, pinned: Sequence[Pinned] = ()) -> Range | None:
        """How far metric k can move; None if play never comes there, or if no strategy has the pinned values."""
        ends = [self._best(self.ratios[k], sign, pinned) for sign in (1.0, -1.0)]
        return None if ends[0] is None or ends[1] is None else Range(ends[0], -ends[1])

    def pin(self, k: int, value: float) -> Pinned:
        return Pinned(self.ratios[k], value)

    def price(self, k: int, value: float) -> float | None:
        """The least that a strategy loses to a best response if metric k has this value; None if it cannot have it."""
        solved = self._cheapest(k, value)
        return None if solved is None else max(self.value + solved.fun, 0.0)

    def plan(self, k: int, value: float) -> NDArray[Any] | None:
        """[sequence of the whole game] how often the cheapest such strategy plays the player's own sequences."""
        solved = self._cheapest(k, value)
        if solved is None:
            return None
        plan = np.zeros(self.form.num_sequences)
        plan[self.own] = np.maximum(solved.x[: len(self.own)], 0.0)
        whole: NDArray[Any] = plan[self.there]
        return whole

    def _cheapest(self, k: int, value: float) -> Any:
        count, infosets = self.payoff.shape[0], self.answers.shape[0]
        objective = np.zeros(count + infosets + 1)
        objective[count] = -1.0
        unit = np.zeros(count + infosets + 1)
        unit[-1] = 1.0  # t: plans are not scaled here
        return self._solve(objective, [Pinned(self.ratios[k], value)], unit, within=None)

    def _best(self, ratio: Ratio, sign: float, pinned: Sequence[Pinned]) -> float | None:
        """The lowest value of sign times the ratio, over plans scaled so that what is possible adds up to 1."""
        scale = ratio.possible.max(initial=0.0)
        if scale <= 0.0:
            return None
        padding = np.zeros(self.answers.shape[0] + 1)  # v and t
        objective, unit = (np.concatenate([sums / scale, padding]) for sums in ratio)
        solved = self._solve(sign * objective, pinned, unit, within=self.within)
        return None if solved is None else float(solved.fun)

    def _solve(
        self, objective: NDArray[Any], pinned: Sequence[Pinned], unit: NDArray[Any], *, within: float | None
    ) -> Any:
        """One program over (y, v, t); None if nothing satisfies it."""
        sparse = self.scipy.sparse
        count, infosets = self.payoff.shape[0], self.answers.shape[0]
        start = np.zeros((self.flow.shape[0], 1))
        start[0] = -1.0
        below = [sparse.hstack([-self.payoff.T, self.answers.T, sparse.csr_matrix((self.payoff.shape[1], 1))])]
        is_loose = [0.0] * self.payoff.shape[1]
        if within is not None:
            root = np.zeros(count + infosets + 1)
            root[count], root[-1] = -1.0, self.value - within
            below.append(sparse.csr_matrix(root))
            is_loose.append(1.0)  # by a part of what is possible, not of the whole game: else rare decisions were free
        for ratio, value in pinned:
            row = np.zeros(count + infosets + 1)
            row[:count] = (ratio.done - value * ratio.possible) / (ratio.possible.max(initial=0.0) or 1.0)
            below += [sparse.csr_matrix(row), sparse.csr_matrix(-row)]
            is_loose += [1.0, 1.0]
        equal = [sparse.hstack([self.flow, sparse.csr_matrix((self.flow.shape[0], infosets)), start])]
        equal.append(sparse.csr_matrix(unit))
        return self._program(
            np.array(is_loose), c=objective, A_ub=sparse.vstack(below).tocsr(), A_eq=sparse.vstack(equal).tocsr(),
            b_eq=np.append(np.zeros(self.flow.shape[0]), 1.0),
            bounds=[(0, None)] * count + [(None, None)] * infosets + [(0, None)],
        )  # fmt: skip

    def _program(self, is_loose: NDArray[Any], **terms: Any) -> Any:
        """The solution, with less care about rounding where there seems to be none."""
        for rounding in ROUNDING:
            solved = self.scipy.optimize.linprog(**terms, b_ub=rounding * is_loose, method="highs-ds", options=OPTIONS)
            if solved.status == 0:
                return solved
        if solved.status in INFEASIBLE:
            return None
        raise RuseError(f"the linear program was not solved: {solved.message}")


def colours_of(ratios: Sequence[Ratio], sequences: int) -> NDArray[Any]:
    """[sequence] a number for each set of sequences that all metrics treat alike."""
    columns = [np.zeros(sequences)]
    for ratio in ratios:
        scale = np.abs(ratio.possible).max(initial=0.0) or 1.0
        columns += [np.round(sums / scale, 9) for sums in ratio]
    return np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].ravel()


def _gathered(sums: NDArray[Any], there: NDArray[Any], form: SequenceForm) -> NDArray[Any]:
    """What the sequences are worth together that are now one."""
    return np.bincount(there, weights=sums, minlength=form.num_sequences)
