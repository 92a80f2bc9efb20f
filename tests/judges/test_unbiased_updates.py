"""What a sampled walk adds is on average what the whole tree gives, from a table that is far from uniform.

The regrets that the walks start from are so large that an update does not change what is played; so both players'
updates of an iteration, and those of a few iterations in a row, see the same strategies. Everything goes through what
trainings offer: `begin` with sums of ours, `run`, and `learned`.
"""

import math
from typing import Any

import numpy as np
import pytest
import trees
from combinations import MODES
from counterfactual import Truth, truth_of
from sides import side_by_side

import ruse
from ruse.solve.solver.walks import WALKS
from ruse.training.engines.chosen import engine_for

LARGE = 32_768.0  # a float32 below this is a multiple of 1/512
# Some 5,000 sums are looked at; a normal variable is beyond 7 standard errors once in 4e11 times.
SIGMAS = 7.0
ALLOWED = 0.01  # what rounding of float32 and the drift of the strategies may make of it; payoffs are up to 12
pytestmark = pytest.mark.usefixtures("many_chunks")
EACH = 4  # iterations in a row, so that there is hardly a drift
TREES = {"two": trees.random_tree(5), "two more": trees.random_tree(12), "three": trees.random_tree(4, players=3)}
SAMPLED = [name for name in WALKS if name != "full"]


class Prepared:
    """A tree with sums for each infoset, what is played by them, and what an iteration should add."""

    def __init__(self, name: str) -> None:
        self.tree = TREES[name]
        self.game = trees.as_explicit(self.tree)
        place_of = side_by_side(self.tree, self.game)
        draw = np.random.default_rng(len(name))
        self.keys = sorted(place_of)
        self.places = [place_of[key] for key in self.keys]
        profile, regret, average = {}, [], []
        for place in self.places:
            options = self.tree.menus[place]
            row = LARGE * draw.uniform(0.3, 1.0, options) * np.where(draw.random(options) < 0.25, -1.0, 1.0)
            row[draw.integers(options)] = LARGE * 0.7
            played = np.maximum(row, 0.0)
            profile[place] = [float(x) for x in played / played.sum()]
            regret.append(row)
            average.append(LARGE * draw.uniform(0.1, 1.0, options))
        self.start = np.cumsum([0, *map(len, regret)])
        self.learned = ruse.Learned(
            np.array(self.keys, np.uint64), self.start, np.concatenate(regret), np.concatenate(average)
        )
        self.truth: Truth = truth_of(self.tree, profile)

    def engine(self, rule: str, walk: str, mode: str, planned: int = 0) -> Any:
        solver = ruse.PRESETS[rule](walk=walk)
        return engine_for(ruse.Job(self.game, solver, seed=3, iterations=planned or None, **MODES[mode]))

    def wanted(self, walk: str) -> np.ndarray:
        """The regret that one iteration should add; probing follows one random line of the traverser's own moves."""
        rows = []
        for place in self.places:
            scale = self.truth.random_reach[place] if walk == "probing" else 1.0
            rows.append(scale * np.array(self.truth.regret[place]))
        return np.concatenate(rows)

    def wanted_average(self) -> np.ndarray:
        return np.concatenate([np.array(self.truth.average[place]) for place in self.places])


def updates(prepared: Prepared, walk: str, mode: str, batches: int) -> tuple[np.ndarray, np.ndarray]:
    """What one iteration has added to regret and average, by batches that all start from the same sums."""
    engine = prepared.engine("mccfr", walk, mode)
    iterations = EACH * (8 if mode == "threads" else 1)  # a round of threads is eight chunks
    regret, average = np.zeros((2, batches, int(prepared.start[-1])))
    for batch in range(batches):
        engine.begin(prepared.learned)
        done = batch * iterations
        engine.run(done, iterations)
        after = engine.learned(done + iterations)
        assert np.array_equal(after.keys, prepared.learned.keys)
        regret[batch] = (after.regret - prepared.learned.regret) / iterations
        average[batch] = (after.average - prepared.learned.average) / iterations
    return regret, average


def off(samples: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """By how much more than is allowed each mean is off, in standard errors of it."""
    error = samples.std(axis=0, ddof=1) / math.sqrt(len(samples))
    return np.maximum(np.abs(samples.mean(axis=0) - wanted) - ALLOWED, 0.0) / np.maximum(error, 1e-12)


def judge(name: str, walk: str, mode: str, batches: int) -> None:
    prepared = Prepared(name)
    regret, average = updates(prepared, walk, mode, batches)
    wanted = prepared.wanted(walk)
    assert off(regret, wanted).max() < SIGMAS
    taken = np.abs(wanted) > 0.1 * np.abs(wanted).max()
    assert off(regret, 1.3 * wanted)[taken].max() > SIGMAS, "the judge would not see a bias of a third"
    if prepared.tree.players == 2 and walk != "probing":
        assert off(average, prepared.wanted_average()).max() < SIGMAS


@pytest.mark.parametrize("mode", MODES)
def test_external(mode: str) -> None:
    judge("two", "external", mode, 400)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("walk", SAMPLED)
@pytest.mark.parametrize("name", TREES)
def test_every_walk(name: str, walk: str, mode: str) -> None:
    judge(name, walk, mode, 300 if mode == "threads" else 1_500)


DISCOUNTED = ["lcfr", "dcfr", "cfr_plus", "dcfr_plus"]


def once(walk: str, mode: str, rules: list[str]) -> list[str]:
    """Complaints about sums that threads weigh otherwise than one thread does."""
    prepared = Prepared("two")
    told = []
    for rule in rules:
        after = {}
        for how in ("one", mode):
            engine = prepared.engine(rule, walk, how, planned=100_000)
            engine.begin(prepared.learned)
            engine.run(0, 80)
            engine.run(50_000, 80)  # a long time later: all that was to be weighed down is
            after[how] = engine.learned(50_080)
        for kind in ("regret", "average"):
            alone, beside = (getattr(after[how], kind) for how in ("one", mode))
            worst = float(np.abs(alone - beside).max())
            if not worst < 0.25 * LARGE:  # noise of 160 iterations is far below that
                told.append(f"{rule} {walk} {mode}: {kind} differs by {worst:.0f} of {LARGE:.0f}")
    return told


def test_a_discount_is_applied_once() -> None:
    assert once("external", "threads", DISCOUNTED) == []


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["threads", "shared"])
@pytest.mark.parametrize("walk", SAMPLED)
def test_every_walk_applies_a_discount_once(walk: str, mode: str) -> None:
    assert once(walk, mode, DISCOUNTED) == []
