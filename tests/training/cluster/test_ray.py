"""One training on a simulated Ray cluster: whoever is lost, the end has the bits of an undisturbed run."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cluster_rounds import assert_same_rows, undisturbed

import ruse
from ruse.solve.table.table import OutOfMemory
from ruse.spread.connect import ray_module
from ruse.training.cluster import rounds
from ruse.training.cluster.crew import RayCrew, RayMachines
from ruse.training.cluster.engine import ClusterEngine
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep, kept_job
from ruse.training.terms.stops import next_check
from ruse.training.training import Training

ray = pytest.importorskip("ray")
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20, "num_gpus": 0}
JOB = Job(ruse.Leduc(), ruse.lcfr(walk="external"), seed=7, iterations=300, threads=2, on="ray")
DYING = """
import os, signal, sys
from ruse.store.runs import RunDirectory
from ruse.training.cluster import rounds
from ruse.training.jobs.kept import kept_job
from ruse.training.training import Training
rounds.SHARE, rounds.WORTH = 8, 0
directory = RunDirectory.open(sys.argv[1])
for progress in Training(kept_job(directory), directory, checkpoint_seconds=0.0):
    if progress.iteration > 100:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def long_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds that are worth a chunk for each worker after a few iterations."""
    monkeypatch.setattr(rounds, "SHARE", 8)
    monkeypatch.setattr(rounds, "WORTH", 0)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two nodes of one processor each, and this process connected to them."""
    ray_module()
    from ray.cluster_utils import Cluster

    for attempt in range(4):  # on a busy machine a node may take longer to start than Ray waits
        try:
            made = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
            made.second = made.add_node(**NODE)
            break
        except Exception:
            if attempt == 3:
                raise
    ray.init(address=made.address, logging_level="ERROR", log_to_driver=False, configure_logging=False)
    yield made
    ray.shutdown()
    made.shutdown()


class Disturbing:
    """Ray's `wait`, which does something now and then, when chunks have been given to workers and are being run."""

    def __init__(self, training: Training, *deeds: Any) -> None:
        self.training, self.deeds, self.wait, self.waits = training, list(deeds), ray.wait, 0

    def __call__(self, refs: list[Any], **how: Any) -> Any:
        crew = self.training.engine.engine.crew  # type: ignore[attr-defined]
        if crew.running and refs == list(crew.running):
            self.waits += 1
            if self.waits % 8 == 0 and self.deeds:
                self.deeds.pop(0)(crew)
        return self.wait(refs, **how)


def assert_apart(crew: Any) -> None:
    """No shard is on the node of its journal, so that the loss of a node never takes both."""
    homes = [
        ray.get([actor.__ray_call__.remote(lambda _: ray.get_runtime_context().get_node_id()) for actor in actors])
        for actors in (crew.shards, crew.journals)
    ]
    assert len(homes[0]) == 2
    assert all(one != other for one, other in zip(*homes, strict=True))


@pytest.mark.slow
def test_neither_of_two_nodes_could_hold_the_table(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in one process (test_rounds.py): a cap for each node, under which one alone is out of memory."""
    monkeypatch.setattr(rounds, "SHARE", 12)  # as few rounds as the cap of a worker allows
    memory, game = 3_000_000, ruse.LiarsDice(dice=2)
    job = Job(game, ruse.mccfr(walk="outcome"), seed=1, iterations=6_000, threads=2, memory=memory)
    with pytest.raises(OutOfMemory, match=r"give it more memory$"):
        sampled(job._replace(threads=None), memory).run(0, 6_000)
    engine, done = ClusterEngine(sampled(job._replace(threads=1), None), job, RayMachines(ray)), 0
    while done < 6_000:
        step = min(engine.round_size(done) or 1, next_check(done, 6_000, 1.25) - done)
        engine.run(done, step)
        done += step
        assert engine.ended is not None
        for shard, chunk in zip(engine.standing, engine.ended.told, strict=False):  # one of each on a node
            assert shard.bytes + chunk.bytes < memory
    crew = engine.crew
    assert isinstance(crew, RayCrew)
    homes = [shard.__ray_call__.remote(lambda _: ray.get_runtime_context().get_node_id()) for shard in crew.shards]
    assert len(set(ray.get(homes))) == 2
    assert engine.facts.bytes > memory * 3 // 4 / 2, "more than the part of one node that is for the table, halved"
    assert_same_rows(undisturbed(job._replace(memory=None)).table, engine.table)


def test_nothing_is_lost(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker killed in the middle of a round, then a shard, then a journal, then a whole node with all on it."""
    training = Training(JOB)
    disturbing = Disturbing(
        training,
        lambda crew: ray.kill(next(iter(crew.running.values()))[1]),
        lambda crew: ray.kill(crew.shards[0]),
        lambda crew: ray.kill(crew.journals[1]),
        assert_apart,
        lambda crew: cluster.remove_node(cluster.second),
    )
    monkeypatch.setattr(ray, "wait", disturbing)
    run = training.complete()
    assert disturbing.deeds == []
    assert run.iterations == 300
    reference = undisturbed(JOB)
    assert_same_rows(reference.table, training.engine.engine.table)  # type: ignore[attr-defined]
    assert np.asarray(reference.rows()[2]).tobytes() == run.strategy.probability.tobytes()


def test_a_driver_that_is_killed_goes_on(cluster: Any, tmp_path: Path) -> None:
    """On Ray up to its death, then on Ray again; and from the same checkpoint on one machine."""
    directory = keep(tmp_path, JOB)
    around = os.environ | {"RAY_ADDRESS": cluster.address}
    ended = subprocess.run([sys.executable, "-c", DYING, str(directory.path)], env=around, check=False)
    assert ended.returncode == -signal.SIGKILL
    checkpoint = directory.newest_checkpoint()
    assert checkpoint is not None
    assert checkpoint.iteration > 80
    training = Training(kept_job(directory), directory)
    assert training.complete().iterations == 300
    assert training.begun == checkpoint.iteration
    assert_same_rows(undisturbed(JOB).table, training.engine.engine.table)  # type: ignore[attr-defined]
    here = Training(kept_job(directory, iterations=400, on="cpu"), directory)
    run = here.complete()
    assert (here.begun, run.iterations) == (300, 400)
    assert run.exploitability < 2.0


def test_a_node_that_is_too_small_says_so(cluster: Any) -> None:
    with pytest.raises(OutOfMemory, match=r"a worker needs more than the .* give it more memory"):
        Training(JOB._replace(memory=200_000)).complete()
