"""A sweep on a simulated Ray cluster that loses a node: what is done stays, the rest goes on, to the same bits."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from marks import posix

from ruse.spread.cluster import Cluster
from ruse.spread.connect import ray_module
from ruse.spread.here import InTurn
from ruse.spread.pieces import Hearing
from ruse.store.runs import RunDirectory
from ruse.sweeps.folder import SweepFolder
from ruse.sweeps.sweep import Sweep, asked_for

pytestmark = [posix, pytest.mark.slow]
NODE = {"object_store_memory": 100 << 20, "num_gpus": 0}
AXES = {"rule": "mccfr", "seed": "0..2", "iterations": 300_000}


class Simulated:
    """A head that works at nothing, and one node after the other with a processor."""

    def __init__(self) -> None:
        ray_module()
        from ray.cluster_utils import Cluster as Nodes

        self.nodes = Nodes(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "include_dashboard": False})
        self.at_work = self.nodes.add_node(num_cpus=1, **NODE)

    def lose(self) -> None:
        self.nodes.remove_node(self.at_work)
        self.at_work = self.nodes.add_node(num_cpus=1, **NODE)


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulated]:
    pytest.importorskip("ray", reason="needs the extra `ray`")
    made = Simulated()
    monkeypatch.setenv("RAY_ADDRESS", made.nodes.address)
    yield made
    made.nodes.shutdown()


class Losing:
    """Ray, whose only node that works is lost when one cell is done and the next has a checkpoint."""

    def __init__(self, simulated: Simulated) -> None:
        self.simulated = simulated
        self.found = dict[str, tuple[float, bytes]]()  # a cell that was done then
        self.reached = 0  # by the cell that was at work

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        for hearing in Cluster("ray").spread(work, pieces):
            yield hearing
            if hearing.answers and not self.reached:
                done = Path(pieces[hearing.answers[0].piece]["run"])
                self.found = {str(path): seen(path) for path in done.iterdir() if path.is_file()}
                others = [RunDirectory.open(piece["run"]) for piece in pieces if piece["run"] != str(done)]
                self.reached = reached_by(others)
                self.simulated.lose()


def seen(path: Path) -> tuple[float, bytes]:
    return path.stat().st_mtime_ns, path.read_bytes()


def reached_by(runs: list[RunDirectory]) -> int:
    """The iteration of the first checkpoint that any of them has."""
    while True:
        for run in runs:
            if (checkpoint := run.newest_checkpoint()) is not None:
                assert run.result is None
                return int(checkpoint.iteration)
        time.sleep(0.01)


def test_a_node_is_lost(simulated: Simulated, tmp_path: Path) -> None:
    sweeps = []
    for name in ("torn", "quiet"):
        folder = SweepFolder(tmp_path / name)
        grids, make = asked_for("leduc", None, AXES, folder)
        sweeps.append(Sweep(grids, folder, make))
    torn, quiet = sweeps
    losing = Losing(simulated)
    assert torn.complete(losing, checkpoint_seconds=0.0)
    found = torn.result()
    assert (found.number_of("done"), found.number_of("failed")) == (3, 0), found.table
    assert losing.reached > 0
    assert losing.found
    assert {path: seen(Path(path)) for path in losing.found} == losing.found, "what was done is not done again"
    assert quiet.complete(InTurn())
    for seed in range(3):
        one, other = (tmp_path / name / f"leduc-mccfr-seed-{seed}" for name in ("torn", "quiet"))
        assert (one / "strategy.safetensors").read_bytes() == (other / "strategy.safetensors").read_bytes()
        assert curve(one) == curve(other), "every check is there once"


def curve(run: Path) -> list[tuple[int, float]]:
    return [(one["iteration"], one["exploitability"]) for one in RunDirectory.open(run).metrics()]
