"""Reaching a cluster: what a text means, and one sentence for whatever is wrong, before anything is written."""

import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import Ruse

from ruse.errors import RuseError
from ruse.spread import connect
from ruse.spread.connect import Simulated, asked_for, connected, surroundings

SOLVE = ("solve", "kuhn", "--rule", "mccfr", "--iterations", "10", "--on")


def test_a_text_names_a_cluster() -> None:
    assert asked_for("ray") is None
    assert asked_for("ray:nodes=2") == Simulated(2)
    assert asked_for("ray:nodes=2,processors=1") == Simulated(2, 1)
    assert asked_for("ray://head:10001") == "ray://head:10001"
    for wrong in ("ray:", "ray:two", "ray:nodes=0", "ray:nodes=many", "ray:cards=2"):
        with pytest.raises(RuseError, match="is no cluster; nodes on this machine are ray:nodes=2"):
            asked_for(wrong)
    for wrong in ("ray://", "ray://head", "ray://head:port", "ray://head:0", "ray://:80"):
        with pytest.raises(RuseError, match="a cluster elsewhere is named by a host and a port"):
            asked_for(wrong)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--on", "ray:cards=2"), "is no cluster"),
        (("--on", "ray", "--rule", "cfr"), "ray has no full-width engine, which the walk full needs; use on='cpu'"),
        (("--on", "ray", "--rule", "cfr", "--prune", "brp"), "ray has no pruned engine"),
        (("--on", "ray", "--threads", "2", "--shared"), "machines of a cluster cannot write into one table at once"),
        (("--on", "ray", "--rule", "cfr", "--walk", "external", "--prune", "hybrid"), "a cluster keeps it in parts"),
    ],
)
def test_what_does_not_go_is_one_sentence(ruse: Ruse, words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    told = ruse("solve", "kuhn", "--rule", "mccfr", "--iterations", "10", *words)
    assert told.code == 2
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert not list(tmp_path.glob("runs/*"))


def test_without_the_extra_it_says_how_to_get_it(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(connect, "importlib", SimpleNamespace(import_module=missing))
    told = ruse(*SOLVE, "ray")
    assert (told.code, told.err) == (2, 'ruse: a cluster needs Ray: pip install "ruse[ray]"\n')
    assert not list(tmp_path.glob("runs/*"))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ray, not connected to anything yet, though another test of this process may be."""
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    return ray


@pytest.mark.usefixtures("elsewhere")
def test_a_host_that_does_not_answer_is_one_sentence(ruse: Ruse, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = ruse(*SOLVE, f"ray://127.0.0.1:{port}")
    assert told.code == 2
    assert told.err.startswith(f"ruse: ray://127.0.0.1:{port} cannot be reached: no Ray cluster answers there (")
    assert told.err.count("\n") == 1
    assert not list(tmp_path.glob("runs/*"))


def test_a_cluster_of_another_version_is_one_sentence(elsewhere: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise RuntimeError("Version mismatch: The cluster was started with:\n    Ray: 2.9.0\n    Python: 3.9.1")

    monkeypatch.setattr(elsewhere, "init", refuse)
    with pytest.raises(RuseError, match=r"^the cluster ray has other versions than Ray .*install the same on both"):
        connected("ray")
    assert "\n" not in connect._why("ray", RuntimeError("Version mismatch:\nRay: 2.9.0"))


def test_who_answers_and_is_no_client_server_is_told_apart(elsewhere: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait_in_vain(*_: Any, **__: Any) -> None:
        raise ConnectionError("ray client connection timeout")

    monkeypatch.setattr(elsewhere, "init", wait_in_vain)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(RuseError, match="somebody answers there, but not to Ray's client"):
            connected(f"ray://127.0.0.1:{port}")


def test_whoever_listened_to_sigterm_still_does(elsewhere: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would end the process at once, and nothing would be saved."""

    def init(*_: Any, **__: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(15))

    monkeypatch.setattr(elsewhere, "init", init)
    monkeypatch.setenv("RAY_ADDRESS", "local")
    before = signal.getsignal(signal.SIGTERM)
    connected("ray")
    assert signal.getsignal(signal.SIGTERM) is before


def test_workers_know_where_kernels_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSE_CACHE", "/somewhere")
    assert surroundings()["RUSE_CACHE"] == "/somewhere"
    monkeypatch.delenv("RUSE_CACHE")
    assert "RUSE_CACHE" not in surroundings()


def test_ray_is_imported_when_it_is_asked_for() -> None:
    code = "import sys, ruse.cli, ruse.training.cluster.crew; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
