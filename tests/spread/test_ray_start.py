"""A cluster of two nodes that `ray start` has made, with a token: trainings get in both ways, to the same bits."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import process
from marks import posix

from ruse.compile.cache import cache_dir
from ruse.strategy import Strategy

ray = pytest.importorskip("ray")
pytestmark = [posix, pytest.mark.slow]
SOLVE = ("solve", "leduc", "--rule", "mccfr", "--iterations", "300", "--seed", "1", "--threads", "1", "--no-run")


class Started(NamedTuple):
    """Where a cluster can be reached, and what a command must know for it."""

    clients: str
    around: dict[str, str]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def started() -> Iterator[Started]:
    """Two nodes at a loopback address, in folders of their own; both end with their commands."""
    with tempfile.TemporaryDirectory(prefix="rs") as folder:  # a short path: names of sockets are short
        around = os.environ | {
            "HOME": folder, "RAY_TMPDIR": folder, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789abcdef" * 4,
            "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0", "RUSE_CACHE": str(cache_dir()),
        }  # fmt: skip
        around.pop("RAY_ADDRESS", None)
        head, clients = free_port(), free_port()
        here = ["--node-ip-address=127.0.0.2", "--num-cpus=1", "--num-gpus=0", "--object-store-memory=100000000"]
        start = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--disable-usage-stats", *here]
        nodes = [
            [f"--port={head}", f"--ray-client-server-port={clients}", "--head", "--include-dashboard=false"],
            [f"--address=127.0.0.2:{head}"],
        ]
        running = []
        try:
            for words, port in zip(nodes, (clients, 0), strict=True):
                told = Path(folder) / f"log-{len(running)}"
                with told.open("w") as log:
                    running.append(subprocess.Popen([*start, *words], env=around, stdout=log, stderr=log, cwd=folder))
                until = time.monotonic() + 300
                while "Ray runtime started" not in told.read_text() or (port and not answers(port)):
                    assert running[-1].poll() is None, told.read_text()
                    assert time.monotonic() < until
                    time.sleep(0.2)
            yield Started(f"ray://127.0.0.1:{clients}", around)
        finally:
            for one in reversed(running):
                one.send_signal(signal.SIGTERM)
                one.wait(120)


def answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def solved(started: Started, folder: Path, on: str, **changed: str) -> tuple[int, str, str]:
    running = process(*SOLVE, "--on", on, "--out", "a.strategy", folder=folder, env=started.around | changed)
    said, err = running.communicate(timeout=600)
    return running.returncode, said, err


def test_both_ways_in(started: Started, tmp_path: Path) -> None:
    found = []
    for on in ("ray", started.clients):
        code, said, err = solved(started, tmp_path, on)
        assert code == 0, err
        assert ": 2 nodes, 2 processors" in said
        found.append(Strategy.load(tmp_path / "a.strategy").probability.tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"RAY_AUTH_MODE": "disabled"}, " asks for a token: set RAY_AUTH_MODE=token, and the cluster's own token"),
        ({"RAY_AUTH_TOKEN": "nonsense"}, " refuses the token in $RAY_AUTH_TOKEN; "),
    ],
)
def test_the_wrong_token_is_one_sentence(started: Started, changed: dict[str, str], why: str, tmp_path: Path) -> None:
    for on in ("ray", started.clients):
        code, said, err = solved(started, tmp_path, on, **changed)
        lines = [line for line in err.splitlines() if "…" not in line]
        assert (code, said, len(lines)) == (2, "", 1)
        assert lines[0].startswith(f"ruse: {on}{why}")
