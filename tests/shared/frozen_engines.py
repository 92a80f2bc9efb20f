"""Engines that walk and never learn: what they measure, beside what the slow twin computes from the whole tree."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import naive
import numpy as np
import prefer_twin
import pytest
from random_games import random_game

import ruse
from ruse.compile import compiled
from ruse.games.explicit import Explicit
from ruse.interop import efg
from ruse.solve.sampled.average import AverageSampling
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.sampled.outcome import OutcomeSampling
from ruse.solve.sampled.probing import Probing
from ruse.solve.sampled.robust import Robust, RobustSampling
from ruse.solve.solver.threshold import Threshold


@compiled("add", "add_above", "weigh", "claim")
class Aside(NamedTuple):
    """A writer that leaves the table as it is, and adds up beside it what it was given."""

    sums: np.ndarray

    def add(self, array, k, x):
        self.sums[k] += x

    def add_above(self, array, k, x, floor):
        self.sums[k] += x

    def weigh(self, array, k, above, below):
        pass

    def claim(self, array, k, old, new):
        return False


GAMES: dict[str, Explicit] = {  # all of one type, which is compiled once
    "kuhn": efg.parse(efg.dump(ruse.Kuhn())),
    "kuhn_3": efg.parse(efg.dump(ruse.Kuhn(players=3))),
    "random_2": random_game(5),
    "random_3_general": random_game(3, players=3, zero_sum=False),
}
most_telling_games = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in ("kuhn_3", "random_2") else ()) for name in GAMES]
)
SAMPLED: dict[str, Any] = {
    "external": "external",
    "average": AverageSampling(),
    "chance": "chance",
    "outcome": OutcomeSampling(),
    "outcome_plain": OutcomeSampling(rate=0.0),
    "robust": RobustSampling(Robust(1.2)),
    "probing": Probing(),
    "probing_on_policy": Probing(epsilon=0.3),
}
# The frozen regrets are all below -1 or above 1, so that everything negative is skipped in four walks of five.
PRUNED: dict[str, Any] = {
    "external_pruned": ExternalSampling(Threshold(-1.0, exploring=0.2)),
    "robust_pruned": RobustSampling(Robust(1.2), Threshold(-1.0, exploring=0.2)),
    "probing_pruned": Probing(pruning=Threshold(-1.0, exploring=0.2)),
}
ITERATIONS = {"external": 3_000, "average": 6_000, "chance": 2_000, "outcome": 20_000, "outcome_plain": 30_000,
              "robust": 12_000, "probing": 6_000, "probing_on_policy": 6_000}  # fmt: skip
BATCHES = 100


class Truth(NamedTuple):
    """What one iteration adds to every slot on average, from the whole tree."""

    regret: np.ndarray
    average: np.ndarray
    own: dict[naive.Infoset, float]


@cache
def tree(name: str) -> naive.Node:
    return naive.tree(GAMES[name])


Moves = dict[naive.Infoset, list[float]]  # how each infoset is left, by action


def random_moves(root: naive.Node) -> Moves:
    return {infoset: [1 / n] * n for infoset, n in naive.infosets(root).items()}


def often_met(root: naive.Node, others: Moves | None) -> dict[naive.Infoset, float]:
    """How often an infoset is met if its owner plays towards it and the others move like this; None: towards it too."""
    met: dict[naive.Infoset, float] = {}

    def walk(node: naive.Node, chance: float, moved: list[float]) -> None:
        if node.infoset is not None:
            met[node.infoset] = met.get(node.infoset, 0.0) + chance * math.prod(
                share for p, share in enumerate(moved) if p != node.player
            )
        for a, child in enumerate(node.children):
            if node.infoset is None:
                walk(child, chance * node.chances[a], moved)
            else:
                share = others[node.infoset][a] if others else 1.0
                walk(child, chance, [m * share if p == node.player else m for p, m in enumerate(moved)])

    walk(root, 1.0, [1.0] * 8)
    return met


def owners_reach(root: naive.Node, moves: Moves) -> dict[naive.Infoset, float]:
    """The probability that its owner's own moves lead to an infoset."""
    found: dict[naive.Infoset, float] = {}

    def walk(node: naive.Node, moved: list[float]) -> None:
        if node.infoset is not None:
            assert found.setdefault(node.infoset, moved[node.player]) == moved[node.player], "perfect recall"
        for a, child in enumerate(node.children):
            share = 1.0 if node.infoset is None else moves[node.infoset][a]
            walk(child, [m * share if p == node.player else m for p, m in enumerate(moved)])

    walk(root, [1.0] * 8)
    return found


def frozen(
    name: str, walk: str, seed: int = 0, prefer: Sequence[str] = ()
) -> tuple[SampledEngine, dict[naive.Infoset, slice], Truth]:
    """An engine that never learns, with some regrets and averages; where rows lie; what it should measure."""
    game, root = GAMES[name], tree(name)
    engine = SampledEngine(game, ruse.mccfr((SAMPLED | PRUNED)[walk], prefer=prefer), seed=seed)
    wanted = prefer_twin.wishes(game, [ruse.preference(text) for text in prefer])
    draw = np.random.default_rng(1)
    twin = naive.Cfr(root, game.players, naive.RULES["cfr"])
    where: dict[naive.Infoset, slice] = {}
    for infoset, n in naive.infosets(root).items():
        first = engine.table.row(np.uint64(naive.key_of(infoset)).astype(np.int64), n)
        where[infoset] = slice(first, first + n)
        regret = draw.integers(2, 6, n) * np.where(draw.random(n) < 0.2, -1.0, 1.0)
        if regret.max() < 0:
            regret[0] = 3.0
        engine.table.rows[first : first + n] = regret
        engine.table.rows[first + n : first + 2 * n] = draw.choice(
            [0.0, 1.0, 30.0], n
        )  # some actions are explored seldom
        wish = wanted.get(infoset, prefer_twin.Wish([1.0] * n, 0.0))
        twin.strategy[infoset] = prefer_twin.weighted([], naive.positive(regret.tolist()), wish.delta)
    twin.update([], 1, 0.0)  # walks, and changes nothing
    truth = Truth(np.zeros(len(engine.table.rows)), np.zeros(len(engine.table.rows)), {})
    others = random_moves(root) if game.players > 2 and walk != "chance" else None
    scale = dict.fromkeys(where, 1.0)
    if isinstance(probing := engine.solver.walk, Probing):
        # On its line of play the traverser moves at random, or like this, which scales what is learned.
        epsilon = probing.epsilon
        line = {i: [epsilon / len(row) + (1 - epsilon) * x for x in row] for i, row in twin.strategy.items()}
        scale, others = owners_reach(root, line), others or line
    met = often_met(root, others)
    for infoset, slots in where.items():
        truth.own[infoset] = sum(twin.reached[infoset].values())
        n = slots.stop - slots.start
        truth.regret[slots] = scale[infoset] * (np.array(twin.values[infoset]) - twin.expected[infoset])
        if infoset in wanted:
            truth.regret[slots] -= scale[infoset] * wanted[infoset].beta * twin.others[infoset]
        truth.average[slots.stop : slots.stop + n] = (
            np.array(twin.strategy[infoset]) * truth.own[infoset] * met[infoset]
        )
    engine.parts = engine.parts._replace(writer=Aside(np.zeros(len(engine.table.rows))))
    return engine, where, truth


def measured(
    engine: SampledEngine, done: int, iterations: int, batches: int = BATCHES
) -> tuple[np.ndarray, np.ndarray]:
    """What one iteration adds to every slot: the mean, and its standard error, from batches."""
    means = np.zeros((batches, len(engine.parts.writer.sums)))
    for batch in range(batches):
        engine.parts.writer.sums[:] = 0.0
        engine.run(done + batch * iterations, iterations)
        means[batch] = engine.parts.writer.sums / iterations
    return means.mean(axis=0), means.std(axis=0, ddof=1) / math.sqrt(batches)


def errors(mean: np.ndarray, error: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """By how many standard errors each slot is off; none if it is the same number but for rounding."""
    off = np.abs(mean - truth)
    return np.where(off < 1e-9, 0.0, off / np.maximum(error, 1e-300))


LIMIT = 5.0  # standard errors: one false alarm in some thousand sets of slots
