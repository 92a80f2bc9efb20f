"""A game too large to be judged: it has no exploitability, and that breaks nothing."""

import json
import math
from pathlib import Path

import pytest

import ruse
from ruse.cli.terminal.progress import numbers
from ruse.errors import RuseError
from ruse.store import tensors
from ruse.training.engines.sampling import SamplingEngine
from ruse.training.progress import Progress
from ruse.training.train import new_run, resume, train
from ruse.tree.measure.size import tree_size

LARGE = ruse.LiarsDice(dice=2)


def test_a_target_needs_exploitability() -> None:
    with pytest.raises(RuseError, match="cannot be measured: the game is too large to be walked at every check; give"):
        train(LARGE, ruse.mccfr(), target=0.1)


def test_a_run_without_exploitability_resumes_and_tells(tmp_path: Path) -> None:
    """The number is null on disk, where JSON knows no NaN, and not a number again in memory."""
    directory = new_run(tmp_path, LARGE, ruse.mccfr(), iterations=20)
    first = train(LARGE, ruse.mccfr(), iterations=20, directory=directory)
    assert math.isnan(first.exploitability)
    header, _ = tensors.read(directory.strategy_path)
    assert json.loads(header["about"], parse_constant=pytest.fail)["exploitability"] is None
    seen: list[Progress] = []
    run = resume(directory, iterations=40, watch=seen.append)
    assert run.iterations == 40
    assert all(math.isnan(progress.exploitability) for progress in seen)
    assert "exploitability" not in f"{run} {numbers(seen[-1])}", "nothing is said of what is not known"
    assert [iteration for iteration, _, _ in run.curve][-1] == 40
    straight = train(LARGE, ruse.mccfr(), iterations=40)
    assert [e for _, _, e in run.curve if not math.isnan(e)] == []
    assert run.strategy.keys.tobytes() == straight.strategy.keys.tobytes()
    assert run.strategy.probability.tobytes() == straight.strategy.probability.tobytes()


def test_a_small_game_is_judged_exactly() -> None:
    run = train(ruse.Kuhn(), ruse.mccfr(), iterations=500)
    assert run.exploitability == pytest.approx(float(ruse.exploitability(ruse.Kuhn(), run.strategy)), abs=1e-12)


def test_what_the_judge_takes_counts() -> None:
    """A sampled run is judged on the whole game, which takes memory beside the table."""
    game = ruse.Leduc()
    needed = tree_size(game).bytes
    judged = SamplingEngine(ruse.Job(game, ruse.mccfr(), memory=2 * needed))
    assert judged.is_judged
    assert judged.engine.memory == needed
    alone = SamplingEngine(ruse.Job(game, ruse.mccfr(), memory=2 * needed - 2))
    assert alone.engine.memory == 2 * needed - 2
    assert alone.whole is None
    assert math.isnan(alone.exploitability())
    assert alone.unjudged == "that takes 707 KiB, and no more than half of the 1.38 MiB allowed is for it"
    with pytest.raises(RuseError, match=r"Leduc\(.* cannot be measured: that takes 707 KiB, .* target$"):
        train(game, ruse.mccfr(), target=0.1, memory=1_000_000)
