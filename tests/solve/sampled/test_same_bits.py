"""No chunk, checkpoint, growth or kill changes a bit of what a sampled walk learns."""

import math
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from marks import posix
from sampled_walks import bits, every_walk

import ruse
from ruse.errors import RuseError
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.threshold import Never, Threshold
from ruse.solve.table.table import OutOfMemory
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


def test_a_threshold_that_nothing_reaches_changes_no_bit() -> None:
    engines = [
        SampledEngine(LEDUC, ruse.mccfr(ExternalSampling(pruning)), seed=4)
        for pruning in (Never(), Threshold(-math.inf), Threshold(-1.0))
    ]
    for engine in engines:
        engine.run(0, 2_000)
    assert bits(engines[0]) == bits(engines[1]) != bits(engines[2])
    assert engines[0].facts == engines[1].facts


def started(walk: str, seed: int = 7) -> SampledEngine:
    """Weights that change over time, so that stamps matter too."""
    return SampledEngine(KUHN, ruse.lcfr(walk=walk), seed=seed)


@every_walk
def test_a_seed_is_a_run(walk: str) -> None:
    one, same, other = started(walk), started(walk), started(walk, seed=8)
    for engine in (one, same, other):
        engine.run(0, 300)
    assert bits(one) == bits(same) != bits(other)
    assert one.facts.nodes == same.facts.nodes


@every_walk
def test_pieces_and_checkpoints_change_no_bit(walk: str) -> None:
    whole, pieces, restored = started(walk), started(walk), started(walk)
    whole.run(0, 200)
    pieces.run(0, 100)
    saved = {name: array.copy() for name, array in pieces.saved().items()}
    pieces.run(100, 100)
    restored.run(0, 3)  # forgotten
    restored.restore(saved)
    restored.run(100, 100)
    assert bits(whole) == bits(pieces) == bits(restored)
    assert whole.facts == pieces.facts == restored.facts


@pytest.mark.parametrize("rule", ["lcfr", "dcfr"])
def test_going_on_further_is_a_longer_run(rule: str, tmp_path: Path) -> None:
    solver, name = PRESETS[rule](walk="external"), f"{rule}:walk=external"
    whole, longer = (ruse.new_run(tmp_path, LEDUC, solver, rule=name, iterations=n) for n in (6_000, 3_000))
    ruse.train(LEDUC, solver, iterations=6_000, directory=whole)
    ruse.train(LEDUC, solver, iterations=3_000, directory=longer)
    run = ruse.resume(RunDirectory.open(longer.path), iterations=6_000)
    assert run.iterations == 6_000
    assert whole.strategy_path.read_bytes() == longer.strategy_path.read_bytes()


def test_weights_of_another_clock_are_refused() -> None:
    """Older checkpoints have stamps of periods that hung on what was planned; without weights there are no stamps."""
    for rule, is_refused in (("lcfr", True), ("mccfr", False)):
        engine = SampledEngine(KUHN, PRESETS[rule](walk="external"))
        engine.run(0, 10)
        saved = engine.saved()
        del saved["fineness"]
        if is_refused:
            with pytest.raises(
                RuseError, match=r"^an older version wrote this checkpoint, with weights of lcfr .* run$"
            ):
                engine.restore(saved)
        else:
            engine.restore(saved)


def test_growing_changes_no_bit() -> None:
    """Tens of thousands of infosets in a table that starts with room for a few."""
    engines = [SampledEngine(ruse.LiarsDice(), ruse.mccfr(), seed=2) for _ in range(3)]
    whole, pieces, restored = engines
    whole.run(0, 3_000)
    for done in range(0, 3_000, 250):
        pieces.run(done, 250)
    restored.run(0, 70)
    saved = {name: array.copy() for name, array in restored.saved().items()}
    restored = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), seed=2)
    restored.restore(saved)
    restored.run(70, 2_930)
    assert whole.facts.infosets > 15_000
    assert bits(whole) == bits(pieces) == bits(restored)
    assert whole.facts == pieces.facts == restored.facts


def test_memory_is_a_limit() -> None:
    engine = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), memory=400_000)
    with pytest.raises(
        RuseError, match=r"^the table has [\d,]+ infosets in \d+ KiB and would need .* give it more memory$"
    ):
        engine.run(0, 3_000)
    assert engine.facts.bytes <= 400_000


def test_the_strategy_that_is_made_in_the_end_counts(tmp_path: Path) -> None:
    """Making it of the table, sorting its keys and writing the file, all within what is allowed."""
    game, memory = ruse.LiarsDice(dice=2), 16_000_000
    engine = SampledEngine(game, ruse.mccfr(), memory=memory)
    Strategy(game, *engine.rows()).save(tmp_path / "empty.strategy")  # whatever is made once
    with pytest.raises(OutOfMemory):
        engine.run(0, 100_000)
    assert engine.facts.infosets > 50_000
    tracemalloc.start()
    try:
        Strategy(game, *engine.rows()).save(tmp_path / "whole.strategy")
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert memory // 2 < engine.facts.bytes + used <= memory


KILLED = """
import os, signal, sys
import ruse
from ruse.store.runs import RunDirectory

def kill(progress):
    if progress.iteration >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

ruse.resume(RunDirectory.open(sys.argv[1]), watch=kill, checkpoint_seconds=0.0)
"""


@posix
def test_killed_and_resumed_ends_like_a_run_never_killed(tmp_path: Path) -> None:
    solver, rule = ruse.lcfr(walk="external"), "lcfr:walk=external"
    steady, killed = (ruse.new_run(tmp_path, LEDUC, solver, rule=rule, iterations=20_000, seed=5) for _ in range(2))
    ruse.train(LEDUC, solver, iterations=20_000, seed=5, directory=steady)
    reached = []
    for at in (2_000, 9_000):
        program = [sys.executable, "-c", KILLED, str(killed.path), str(at)]
        done = subprocess.run(program, capture_output=True, text=True, timeout=900)
        assert done.returncode == -signal.SIGKILL, done.stderr
        newest = killed.newest_checkpoint()
        assert newest is not None
        reached.append(newest.iteration)
    assert 0 < reached[0] < reached[1] < 20_000
    assert not killed.is_finished
    run = ruse.resume(RunDirectory.open(killed.path))
    assert (run.iterations, run.is_finished, run.seed) == (20_000, True, 5)
    assert steady.strategy_path.read_bytes() == killed.strategy_path.read_bytes()
    ours, theirs = (
        [(row["iteration"], row["exploitability"]) for row in directory.metrics()] for directory in (steady, killed)
    )
    assert ours == theirs
