"""Pieces of work on Ray, where it is installed: the same answers, and a lost worker's piece is begun again."""

import math
import signal
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from marks import posix

from ruse.errors import RuseError
from ruse.spread.cluster import Cluster, done_there, leave_off, refuse_small
from ruse.spread.connect import cluster_here
from ruse.spread.pieces import results_of


def test_which_cluster_is_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    assert cluster_here() is None
    (tmp_path / "ray").mkdir()
    for noted in ("", "nonsense", "127.0.0.1:1", "127.0.0.1:99999999"):  # of a cluster that is gone
        (tmp_path / "ray" / "ray_current_cluster").write_text(noted)
        assert cluster_here() is None
    monkeypatch.setenv("RAY_ADDRESS", "head:6379")
    assert cluster_here() == "head:6379"


class Busy:
    """Ray, with pieces of which some heed that nobody wants them."""

    def __init__(self, *heeding: str) -> None:
        self.heeding, self.told = heeding, list[tuple[str, bool]]()

    def cancel(self, one: str, *, force: bool) -> None:
        self.told.append((one, force))
        if one == "gone":
            raise ValueError(one)

    def wait(self, given: list[str], *, num_returns: int, timeout: float) -> tuple[list[str], list[str]]:
        assert num_returns == len(given)
        assert timeout > 1.0
        return [one for one in given if one in self.heeding], [one for one in given if one not in self.heeding]


def test_who_is_at_work_may_save_before_it_is_ended() -> None:
    busy = Busy("heeds", "gone")
    leave_off(busy, ["gone", "heeds", "deaf"])
    assert busy.told == [("gone", False), ("heeds", False), ("deaf", False), ("deaf", True)]
    leave_off(idle := Busy(), [])
    assert idle.told == []


def test_what_no_node_could_ever_take_is_refused() -> None:
    """Ray would wait for such a node for ever."""
    nodes = [{"Alive": True, "Resources": {"CPU": 2.0}}, {"Alive": False, "Resources": {"CPU": 64.0}}]
    refuse_small(SimpleNamespace(nodes=lambda: nodes), 2)
    with pytest.raises(RuseError, match=r"^a job of 4 threads finds no node with as many processors: .* has 2$"):
        refuse_small(SimpleNamespace(nodes=lambda: nodes), 4)
    with pytest.raises(RuseError, match=r"^a job of 1 thread finds no node with as many processors: .* has 0$"):
        refuse_small(SimpleNamespace(nodes=lambda: [{"Alive": True, "Resources": {}}]), 1)


def test_workers_have_the_same_version() -> None:
    own = version("ruse")
    assert done_there("math:sqrt", 4.0, own) == {"result": 2.0}
    told = f"the cluster has ruse {own}, and here is 0.0.0; install the same on both"
    assert done_there("math:sqrt", 4.0, "0.0.0") == {"trouble": told}


@posix
@pytest.mark.slow
def test_pieces_on_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="needs the extra `ray`")
    monkeypatch.setenv("RAY_ADDRESS", "local")
    place = Cluster("ray").ready(None)
    assert place.at_once >= 1
    numbers = [2.0, 0.5, 9.0]
    assert list(results_of(place, math.sqrt, numbers)) == [math.sqrt(x) for x in numbers]
    hearings = list(Cluster("ray").spread(signal.raise_signal, [int(signal.SIGKILL)]))
    told = [answer.trouble for hearing in hearings for answer in hearing.answers]
    assert len(told) == 1
    assert str(told[0]).startswith("its worker on Ray was lost 3 times: ")
