"""The regret of a run, as its last checkpoint has it."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import ruse
from ruse.evaluate.explaining.guide import TreeGuide
from ruse.games.kuhn import Kuhn
from ruse.training.regrets import regrets_of
from ruse.training.train import new_run, train

KUHN = Kuhn()


@pytest.mark.parametrize("solver", [ruse.dcfr(), ruse.mccfr()], ids=["full", "sampled"])
def test_a_run_tells_the_regret_that_it_has_learned(tmp_path: Path, solver: ruse.Solver) -> None:
    directory = new_run(tmp_path, KUHN, solver, iterations=100)
    run = train(KUHN, solver, iterations=100, directory=directory)
    found, own = regrets_of(directory), run.engine.learned(100)
    assert found is not None
    assert np.array_equal(found.keys, own.keys)
    assert np.array_equal(found.regret, own.regret)
    guide = TreeGuide(KUHN, run.strategy, found)
    regrets = [one.regret for one in guide.node(guide.followed(["K", "J", "pass", "bet"])).actions]
    assert all(regret is not None for regret in regrets)
    assert regrets[1] > regrets[0]  # type: ignore[operator]  # to fold a king loses


def test_a_run_without_a_checkpoint_tells_none(tmp_path: Path) -> None:
    directory = new_run(tmp_path, KUHN, ruse.dcfr(), iterations=100)
    assert regrets_of(directory) is None
    train(KUHN, ruse.dcfr(), iterations=100, directory=directory)
    shutil.rmtree(directory.path / "checkpoints")
    assert regrets_of(directory) is None
