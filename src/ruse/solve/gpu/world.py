"""All that the kernels work on, as arrays of the host that are ready to be sent."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ruse.solve.gpu.codes import FormCode, RuleCode, form_code, rule_code
from ruse.solve.gpu.strips import Strips
from ruse.solve.prefer.rows import PreferredRows
from ruse.solve.solver.traits import minimizer_traits
from ruse.tree.levels import depths
from ruse.tree.sequence_form import SequenceForm

Part = np.ndarray | int | float | None  # an array, or a number that stands where an address would


class World(NamedTuple):
    """The fields of `World` in kernels.cu, in the same order; see there."""

    first: Part
    slot: Part
    row: Part
    above: Part
    copies: Part
    child_start: Part
    child: Part
    sharing_start: Part
    sharing: Part
    slice: Part
    strip_at: Part
    strip_start: Part
    others: Part
    payoff: Part
    entries: Part
    opponents: Part
    regret: Part
    average: Part
    sigma: Part
    reach: Part
    value: Part
    strip: Part
    worth: Part
    followed: Part
    best: Part
    schedule: Part
    clock: Part
    rule: Part
    rate: Part
    preferred: Part
    form: Part
    form_rate: Part
    fallback: Part
    inner_rule: Part
    inner_rate: Part
    delta_start: Part
    delta: Part
    wish: Part
    beta: Part
    visit_start: Part
    visit_others: Part
    visit_chance: Part


LATER = 4096  # iterations whose weights are sent at once


def world_of(form: SequenceForm, strips: Strips, number: np.dtype, minimizer: Any) -> World:
    """The world of a game whose nodes are in levels. The minimizer may be one with preferences."""
    sequences, nodes = form.num_sequences, len(form.parent)
    others, payoff = strips.filled(form, number)
    child_start, child = grouped(form.parent, sequences)
    apart = form.perfect_recall
    sharing_start, sharing = (None, None) if apart else sharing_of(form)
    reach = np.zeros(sequences, number)
    reach[: form.players] = 1.0
    plain, favoured = (minimizer.minimizer, minimizer) if minimizer_traits(minimizer).favours else (minimizer, None)
    code = rule_code(plain)
    return World(
        first=form.first, slot=None if apart else form.slot, row=None if apart else rows_of(form), above=above_of(form),
        copies=form.copies.astype(number), child_start=child_start, child=child,
        sharing_start=sharing_start, sharing=sharing,
        slice=strips.slice, strip_at=strips.strip_at, strip_start=strips.strip_start, others=others, payoff=payoff,
        entries=strips.entries, opponents=form.players - 1,
        regret=np.zeros(sequences, number), average=np.zeros(sequences), sigma=np.zeros(sequences, number),
        reach=reach, value=np.zeros(sequences, number), strip=np.zeros(int(strips.strip_start[-1]), number),
        worth=np.zeros(nodes, number), followed=reach, best=np.zeros(nodes, number),
        schedule=np.zeros((LATER, 5)), clock=np.zeros(1, np.uint64), rule=code.rule, rate=code.rate,
        **preferences_of(favoured),
    )  # fmt: skip


def preferences_of(favoured: PreferredRows | None) -> dict[str, Part]:
    """The fields that preferences fill."""
    names = ("preferred", "delta_start", "delta", "wish", "beta", "visit_start", "visit_others", "visit_chance")
    code = FormCode() if favoured is None else form_code(favoured.form)
    inner: RuleCode = code.inner
    coded: dict[str, Part] = {
        "form": code.form, "form_rate": code.rate, "fallback": code.fallback,
        "inner_rule": inner.rule, "inner_rate": inner.rate,
    }  # fmt: skip
    if favoured is None:
        return dict.fromkeys(names) | coded
    wish = np.array([delta**code.power for delta in favoured.delta.tolist()])  # not NumPy's power, which rounds its way
    return coded | {
        "preferred": favoured.number.astype(np.int32), "delta_start": favoured.start.astype(np.uint32),
        "delta": favoured.delta, "wish": wish, "beta": favoured.beta,
        "visit_start": favoured.visit_start.astype(np.uint32),
        "visit_others": favoured.visit_others.astype(np.uint32), "visit_chance": favoured.visit_chance,
    }  # fmt: skip


# ---- what follows from a form ----------------------------------------------------------------------------------------


def node_of(form: SequenceForm) -> np.ndarray:
    """The node of each sequence but the empty ones."""
    return np.repeat(np.arange(len(form.parent), dtype=np.uint32), np.diff(form.first))


def above_of(form: SequenceForm) -> np.ndarray:
    """For each sequence the one that leads to its node; an empty one stands for itself."""
    return np.concatenate([np.arange(form.players, dtype=np.uint32), form.parent[node_of(form)]]).astype(np.uint32)


def rows_of(form: SequenceForm) -> np.ndarray:
    """The place of each sequence in the tables."""
    nodes = node_of(form)
    inside = np.arange(form.players, form.num_sequences) - form.first[nodes]
    return np.concatenate([np.arange(form.players), form.slot[nodes] + inside]).astype(np.uint32)


def sharing_of(form: SequenceForm) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that share a row, listed for the one whose own sequences it is."""
    owner = np.searchsorted(form.first[:-1], form.slot)
    return grouped(owner, len(form.parent))


def grouped(key: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each key's numbers start, and the numbers 0 .. len(key) by key, in each the last first."""
    start = np.concatenate([[0], np.cumsum(np.bincount(key, minlength=count))])
    order = len(key) - 1 - np.argsort(key[::-1], kind="stable")
    return start.astype(np.uint32), order.astype(np.uint32)


def levels_of(form: SequenceForm) -> list[list[tuple[int, int]]]:
    """For each player the ranges of nodes that are equally deep, from the roots on."""
    depth = depths(form.parent, np.concatenate([np.zeros(form.players, np.uint32), node_of(form)]), form.players)
    found = []
    for p in range(form.players):
        start, end = int(form.node_start[p]), int(form.node_start[p + 1])
        bounds = [start, *(start + 1 + np.flatnonzero(np.diff(depth[start:end]))).tolist(), end]
        found.append([(a, b) for a, b in pairwise(bounds) if a < b])
    return found


def bytes_needed(form: SequenceForm, strips: Strips, number: np.dtype) -> int:
    """What a world takes on a card, but for preferences; told before anything is made for it."""
    sequences, nodes, size = form.num_sequences, len(form.parent), number.itemsize
    entries = strips.entries * (size + 4 * (form.players - 1))
    positions = len(strips.strip_at) * 4 + len(strips.slice) * 8 + int(strips.strip_start[-1]) * size
    tables = sequences * (5 * size + 8 + 3 * 4) + nodes * (3 * size + 2 * 4)
    sharing = 0 if form.perfect_recall else sequences * 4 + nodes * 12
    return entries + positions + tables + sharing + LATER * 40
