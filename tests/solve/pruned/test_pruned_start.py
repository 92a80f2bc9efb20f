"""A pruned training that starts from a strategy: the same numbers as without pruning, and nothing pruned by mistake."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.solve.pruned.engine import brought_back
from ruse.solve.pruned.tables import BEFORE


@pytest.fixture(scope="module")
def near() -> ruse.Strategy:
    """A strategy of a game that is nearly Leduc."""
    return ruse.train(Leduc(second_raise=5), ruse.cfr(), iterations=300).strategy


def warm(near: ruse.Strategy, prune: str | None, iterations: int, **options: Any) -> ruse.Run:
    start = ruse.WarmStart(near, iterations=142)
    return ruse.train(Leduc(), ruse.cfr(prune=prune), iterations=iterations, start=start, **options)


def test_partial_pruning_changes_no_number(near: ruse.Strategy) -> None:
    assert warm(near, "partial", 100).exploitability == pytest.approx(warm(near, None, 100).exploitability, rel=1e-9)


@pytest.mark.parametrize("part", ["brp", "rbp"])
def test_no_pruned_action_would_have_been_played(near: ruse.Strategy, part: str) -> None:
    looks = 0
    for iterations in (20, 60, 150, 400):
        engine: Any = warm(near, part, iterations).engine
        assert engine.pruned.clock[BEFORE] == pytest.approx(142.0)
        regret = brought_back(engine.solver, engine.trees, engine.pruned).regret[engine.pruned.regret == -np.inf]
        looks += len(regret)
        assert regret.max() < 1e-6
    assert looks > 400


def test_it_can_be_resumed(near: ruse.Strategy, tmp_path: Path) -> None:
    start = ruse.WarmStart(near, iterations=142)
    solver = ruse.cfr(prune="brp")
    directory = ruse.new_run(tmp_path, Leduc(), solver, rule="cfr:prune=brp", iterations=80, start=start)
    ruse.train(Leduc(), solver, iterations=80, directory=directory, start=start)
    assert ruse.resume(directory, iterations=200).exploitability == warm(near, "brp", 200).exploitability


def test_sums_that_do_not_belong_together_are_refused(near: ruse.Strategy) -> None:
    with pytest.raises(ruse.RuseError, match="which these sums do not tell; start from a strategy"):
        ruse.train(Leduc(), ruse.cfr(prune="brp"), iterations=10, start=ruse.Leaning(near))
    run = ruse.train(Kuhn(), ruse.cfr(), iterations=100)
    with pytest.raises(ruse.RuseError, match="which these sums do not tell"):
        ruse.train(Kuhn(), ruse.cfr(prune="rbp"), iterations=10, start=ruse.Copied(run))
