"""Every sampled walk, and what an engine that has walked knows."""

import numpy as np
import pytest

from ruse.evaluate.exploitability import exploitability
from ruse.solve.sampled.engine import SampledEngine
from ruse.strategy import Strategy

WALKS = ("external", "average", "chance", "outcome", "robust", "probing")
every_walk = pytest.mark.parametrize("walk", WALKS)
# Each walk is a kernel of its own for each kind of game and table: where all are compiled anew, some are enough.
MORE_WALKS = ("average", "robust", "probing")
few_walks = pytest.mark.parametrize(
    "walk", [pytest.param(walk, marks=pytest.mark.slow if walk in MORE_WALKS else ()) for walk in WALKS]
)


def expl(engine: SampledEngine) -> float:
    return float(exploitability(engine.game, Strategy(engine.game, *engine.rows(), view=engine.view)))


def bits(engine: SampledEngine) -> tuple[bytes, ...]:
    """All that an engine knows, without where it lies."""
    keys, first, width = engine.table.used()
    slots = [np.arange(f - 1, f + engine.table.blocks * w) for f, w in zip(first, width, strict=True)]
    return keys.tobytes(), width.tobytes(), engine.table.rows[np.concatenate(slots)].tobytes()
