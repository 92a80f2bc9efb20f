"""The full-width engine: CFR over the sequence form, every leaf and every decision on each iteration."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.errors import RuseError
from ruse.solve.solver.presets import Solver
from ruse.store.restoring import refuse_unlike
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
        for name, array in arrays.items():
            getattr(tables, name)[:] = array
        fill_reach(form, tables.sigma, tables.reach)
        return tables


def iterate(solver: Solver, form: SequenceForm, tables: Tables, done: int, iterations: int, planned: int) -> None:
    """Run iterations done+1 .. done+iterations in place; `planned` is their total, 0 if it is open."""
    if solver.prefer is not None:
        raise RuseError("preferences belong to a game: train the solver, or give it the rows that are preferred")
    run(form, tables, solver.weighting, solver.minimizer, solver.alternating, done, iterations, planned)


@kernel
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
    # Fields are fetched once: a fetch inside the loop costs a reference count.
    node_first, node_slot, parent, copies = form.first, form.slot, form.parent, form.copies
    leaf_start, others, payoff = form.leaf_start, form.others, form.value
    value, sigma, instant, reach, regret = tables.value, tables.sigma, tables.instant, tables.reach, tables.regret
    nodes = range(form.node_start[player + 1] - 1, form.node_start[player] - 1, -1)
    for j in nodes:
        first, last, slot = node_first[j], node_first[j + 1], node_slot[j]
        expected = 0.0
        for s in range(first, last):
            value[s] += leaves_value(leaf_start, others, payoff, reach, s)
            expected += sigma[slot + (s - first)] * value[s]
        value[parent[j]] += copies[j] * expected
        if shared:
            for s in range(first, last):
                instant[slot + (s - first)] += value[s] - expected
        else:
            minimizer.match(regret, value, expected, sigma, first, last, weights)
    if shared:  # nodes of one infoset have added up their regret: now each row is updated, once
        for j in nodes:
            first, last = node_first[j], node_first[j + 1]
            if node_slot[j] == first:
                minimizer.match(regret, instant, 0.0, sigma, first, last, weights)
                for k in range(first, last):
                    instant[k] = 0.0


@compiled_function
def leaves_value(leaf_start, others, payoff, reach, s):
    """What the leaves of sequence s are worth to its owner: payoff, chance and the others' reach."""
    total = 0.0
    if others.shape[1] == 1:
        for leaf in range(leaf_start[s], leaf_start[s + 1]):
            total += payoff[leaf] * reach[others[leaf, 0]]
    else:
        for leaf in range(leaf_start[s], leaf_start[s + 1]):
            product = payoff[leaf]
            for c in range(others.shape[1]):
                product *= reach[others[leaf, c]]
            total += product
    return total


@compiled_function
def update_average(form, tables, weights, player, shared):
    """One pass down: add the strategy that was just evaluated to the average, then take up the next one."""
    node_first, node_slot, parent = form.first, form.slot, form.parent
    reach, average, sigma, value = tables.reach, tables.average, tables.sigma, tables.value
    start, end = form.node_start[player], form.node_start[player + 1]
    fading = weights[3]
    if shared:
        for k in range(node_first[start], node_first[end]):
            average[k] *= fading
        fading = 1.0
    value[player] = 0.0
    for j in range(start, end):
        first, slot, above = node_first[j], node_slot[j], reach[parent[j]]
        for s in range(first, node_first[j + 1]):
            k = slot + (s - first)
            average[k] = average[k] * fading + reach[s]
            reach[s] = above * sigma[k]
            value[s] = 0.0


@kernel
def fill_reach(form, sigma, reach):
    """Each sequence's reach under the strategy sigma."""
    for p in range(len(form.node_start) - 1):
        reach[p] = 1.0
    for j in range(len(form.parent)):
        for s in range(form.first[j], form.first[j + 1]):
            reach[s] = reach[form.parent[j]] * sigma[form.slot[j] + s - form.first[j]]


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
