"""The full-width engine: CFR over the sequence form, every leaf and every decision on each iteration."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, kernel, lean_kernel
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING, Weights
from ruse.store.restoring import refuse_unlike, refuse_unshared
from ruse.tree.passes import fill_reach, leaves_value, pass_down, pass_up
from ruse.tree.sequence_form import SequenceForm


class Tables(NamedTuple):
    """What an iteration changes, in place. A row of an infoset starts at its slot."""

    regret: np.ndarray  # [slot]
    average: np.ndarray  # [slot] the weighted sum of reach times strategy
    sigma: np.ndarray  # [slot] the current strategy
    reach: np.ndarray  # [sequence] product of the owner's own probabilities
    value: np.ndarray  # [sequence] scratch: counterfactual value on the way up
    instant: np.ndarray  # [slot] scratch: this iteration's regret

    @classmethod
    def start(cls, form: SequenceForm) -> "Tables":
        """Uniform strategies and no regret."""
        zeros = (np.zeros(form.num_sequences) for _ in range(6))
        tables = cls(*zeros)
        counts = np.diff(form.first)
        tables.sigma[form.players :] = np.repeat(1.0 / counts, counts)
        fill_reach(form, tables.sigma, tables.reach)
        return tables

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold; the rest follows from it."""
        return {"regret": self.regret, "average": self.average, "sigma": self.sigma}

    @classmethod
    def restored(cls, form: SequenceForm, arrays: dict[str, np.ndarray]) -> "Tables":
        tables = cls.start(form)
        refuse_unlike(arrays, tables.saved())
        refuse_unshared(arrays["sigma"], form.first[:-1].astype(np.int64))
        for name, array in arrays.items():
            getattr(tables, name)[:] = array
        fill_reach(form, tables.sigma, tables.reach)
        return tables


def iterate(solver: Solver, form: SequenceForm, tables: Tables, done: int, iterations: int, planned: int) -> None:
    """Run iterations done+1 .. done+iterations in place; `planned` is their total, 0 if it is open."""
    if solver.prefer is not None:
        must_fit(Setup(solver, noticed=Noticed(is_placeless=True)), "preference and rule")
    run(form, tables, solver.weighting, solver.minimizer, solver.alternating, done, iterations, planned)


@lean_kernel
def run(form, tables, weighting, minimizer, alternating, done, iterations, planned):
    players = len(form.node_start) - 1
    shared = False
    for j in range(len(form.slot)):
        shared |= form.slot[j] != form.first[j]
    for t in range(done + 1, done + iterations + 1):
        weights = weighting.weights(t, t / planned if planned > 0 else 0.0)
        if alternating:
            for p in range(players):
                update_regret(form, tables, weights, minimizer, p, shared)
                update_average(form, tables, weights, p, shared)
        else:
            for p in range(players):
                update_regret(form, tables, weights, minimizer, p, shared)
            for p in range(players):
                update_average(form, tables, weights, p, shared)


@compiled_function
def update_regret(form, tables, weights, minimizer, player, shared):
    """One pass up the player's decision tree: values, regret and the next strategy."""
    start, end = form.node_start[player], form.node_start[player + 1]
    pass_up(form, tables.value, Learning(form, tables, weights, minimizer, shared), start, end)
    if shared:  # nodes of one infoset have added up their regret: now each row is updated, once
        for j in range(start, end):
            first, last = form.first[j], form.first[j + 1]
            if form.slot[j] == first:
                minimizer.match(tables.regret, tables.instant, 0.0, tables.sigma, first, last, weights)
                for k in range(first, last):
                    tables.instant[k] = 0.0


@compiled("worth")
class Learning(NamedTuple):
    """A node on the way up: its value, and the regret of this iteration."""

    form: SequenceForm
    tables: Tables
    weights: Weights
    minimizer: Any
    shared: bool  # whether nodes share rows

    def worth(self, value, j, first, last):
        form, sigma, slot = self.form, self.tables.sigma, self.form.slot[j]
        expected = 0.0
        for s in range(first, last):
            value[s] += leaves_value(form.leaf_start, form.others, form.value, self.tables.reach, s)
            expected += sigma[slot + (s - first)] * value[s]
        if self.shared:
            for s in range(first, last):
                self.tables.instant[slot + (s - first)] += value[s] - expected
        else:
            self.minimizer.match(self.tables.regret, value, expected, sigma, first, last, self.weights)
        return expected


@compiled_function
def update_average(form, tables, weights, player, shared):
    """One pass down: add the strategy that was just evaluated to the average, then take up the next one."""
    start, end = form.node_start[player], form.node_start[player + 1]
    fading = weights[FADING]
    if shared:
        for k in range(form.first[start], form.first[end]):
            tables.average[k] *= fading
        fading = 1.0
    tables.value[player] = 0.0
    pass_down(form, tables.reach, Averaging(form.slot, tables.sigma, tables.average, tables.value, fading), start, end)


@compiled("descend")
class Averaging(NamedTuple):
    """A node on the way down: the average, the next strategy's reach, and no value yet."""

    slot: np.ndarray
    sigma: np.ndarray
    average: np.ndarray
    value: np.ndarray
    fading: float

    def descend(self, reach, above, j, first, last):
        slot = self.slot[j]
        for s in range(first, last):
            k = slot + (s - first)
            self.average[k] = self.average[k] * self.fading + reach[s]
            reach[s] = above * self.sigma[k]
            self.value[s] = 0.0
        return j + 1


@kernel
def normalise(form, average, sigma):
    """The average strategy: each row divided by its sum, uniform where there is none."""
    for j in range(len(form.parent)):
        first, last = form.slot[j], form.slot[j] + form.first[j + 1] - form.first[j]
        total = 0.0
        for k in range(first, last):
            total += average[k]
        for k in range(first, last):
            sigma[k] = average[k] / total if total > 0.0 else 1.0 / (last - first)


def average_strategy(form: SequenceForm, tables: Tables) -> np.ndarray:
    """The average strategy by slot."""
    sigma = np.ones(form.num_sequences)
    normalise(form, tables.average, sigma)
    return sigma
