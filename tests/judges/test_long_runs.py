"""Sums beyond 2^24 visits, where a float32 no longer takes a step of one: a table is prepared at the edge.

A decision without an opponent to speak of: one action gains nothing, the other 1. What is learned from the edge on is
known exactly, so no hours are needed to see it lost.
"""

from typing import Any

import numpy as np
import pytest
from combinations import MODES

import ruse
from ruse.games.explicit import Builder
from ruse.training.engines.chosen import engine_for

EDGE = 2.0**25  # here a float32 is a multiple of 4
STEPS = 2_000_000
WALKS = ["external", "outcome", "chance", "average", "robust", "probing"]


def decision() -> Any:
    tree = Builder("a decision", 2)
    first = tree.decide(0, player=0, infoset="choose", actions=["nothing", "one"])
    for k in range(2):
        tree.end(tree.decide(first + k, player=1, infoset="look on", actions=["go on"]), [float(k), -float(k)])
    return tree.game()


def after(
    regret: tuple[float, float], average: tuple[float, float], walk: str, mode: str, steps: int = STEPS
) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the two actions in regret and in average after so many more iterations."""
    game = decision()
    engine = engine_for(ruse.Job(game, ruse.mccfr(walk), seed=1, **MODES[mode]))
    key = int(ruse.Full().key(game, game.start())) & 0xFFFFFFFFFFFFFFFF
    start = ruse.Learned(np.array([key], np.uint64), np.array([0, 2]), np.array(regret), np.array(average))
    engine.begin(start)
    done = int(2 * EDGE)
    while steps:
        step = min(engine.round_size(done) or steps, steps)
        engine.run(done, step)
        done, steps = done + step, steps - step
    found = engine.learned(done)
    place = int(np.flatnonzero(found.keys == np.uint64(key))[0])
    rows = slice(int(found.start[place]), int(found.start[place + 1]))
    return shares(found.regret[rows]), shares(found.average[rows])


def shares(row: np.ndarray) -> np.ndarray:
    return np.maximum(row, 0.0) / np.maximum(row, 0.0).sum()


def judge(walk: str, mode: str) -> None:
    # One of the two is played, for ever: its share of the average grows by one a visit.
    regret = (0.0, 100 * EDGE)
    _, average = after(regret, (EDGE, EDGE), walk, mode)
    assert average[1] == pytest.approx((EDGE + STEPS) / (2 * EDGE + STEPS), abs=2e-3)


def judge_regret(walk: str, mode: str) -> None:
    # Both are played alike, and the better one gains half a point on its regret, the other loses half a point.
    regret, _ = after((EDGE, EDGE), (0.0, 0.0), walk, mode)
    assert regret[1] == pytest.approx((EDGE + STEPS / 2) / (2 * EDGE), abs=2e-3)


def test_averages_beyond_2_to_the_24() -> None:
    judge("external", "one")


def test_regrets_beyond_2_to_the_24() -> None:
    judge_regret("external", "one")


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("walk", WALKS)
def test_every_walk(walk: str, mode: str) -> None:
    if (walk, mode) != ("external", "one"):
        judge(walk, mode)
        judge_regret(walk, mode)
