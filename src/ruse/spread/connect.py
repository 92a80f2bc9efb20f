"""Ray, if it is asked for: reaching a cluster that is there, or starting one on this machine. Errors are one sentence.

ray                  the cluster that this machine belongs to ($RAY_ADDRESS, `ray start`), or else one started here
ray:nodes=2          two nodes simulated on this machine; `processors` of each may be said, too
ray://HOST:PORT      a cluster elsewhere, through its client port, mostly 10001
"""

import importlib
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.protocol.values.fields import split_fields
from ruse.spread.tokens import OF_CLIENTS, OF_HEAD, ask_for_own_token, must_be_let_in

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # workers run what is installed, and nothing is installed for them
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_worker_niceness": "0",  # workers of a cluster that is started here are as nice as this process, and not nicer
}
SENT = ("RUSE_CACHE", "RUSE_BOUNDS")  # variables that workers take over
PATIENCE = 5.0  # seconds for a host to answer at all
STORE = 256 << 20  # bytes of shared memory of a simulated node


class Unanswered(OSError):
    """Nobody listens at an address."""


class Simulated(NamedTuple):
    """Nodes on this machine."""

    nodes: int = 1
    processors: int = 0  # of each; all of this machine's, shared out, if it is not said


def ray_module() -> Any:
    """Ray itself, imported now."""
    os.environ.update({name: os.environ.get(name, value) for name, value in QUIET.items()})
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise RuseError('a cluster needs Ray: pip install "ruse[ray]"') from error


def asked_for(on: str) -> Simulated | str | None:
    """What the text means: nodes to simulate, an address, or None for whatever is there."""
    if on == "ray":
        return None
    if on.startswith("ray://"):
        host, _, port = on.removeprefix("ray://").rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
            raise RuseError(f"a cluster elsewhere is named by a host and a port, as ray://HOST:10001, not {on!r}")
        return on
    said = {}
    for text in split_fields(on.removeprefix("ray:")) or [""]:
        name, _, value = text.partition("=")
        if name not in Simulated._fields or not value.isdigit() or not 0 < int(value) <= 1024:
            raise RuseError(f"{on!r} is no cluster; nodes on this machine are ray:nodes=2, or ray:nodes=2,processors=1")
        said[name] = int(value)
    return Simulated(**said)


def connected(on: str, env: Mapping[str, str] | None = None) -> Any:
    """Ray, connected as the text asks, with variables for all workers. A process is in one cluster at a time: who is
    connected already stays so.
    """
    asked = asked_for(on)
    if asked is None:
        asked = cluster_here()
    if not isinstance(asked, str):  # it is started by this process
        ask_for_own_token()
    ray = ray_module()
    if not ray.is_initialized():
        try:
            with own_handlers(), warnings.catch_warnings(action="ignore"):
                _connect(ray, on, asked, {} if env is None else {"runtime_env": {"env_vars": dict(env)}})
        except RuseError:
            raise
        except Exception as error:  # Ray raises plain ones, too, as when a node takes too long to start
            raise RuseError(_why(on, error)) from error
    return ray


@contextmanager
def own_handlers() -> Iterator[None]:
    """Ray would have SIGTERM end this process at once; whoever listened to it before saves first."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread() and before is not None:
            signal.signal(signal.SIGTERM, before)


def _connect(ray: Any, on: str, asked: Simulated | str | None, workers: dict[str, Any]) -> None:
    logging.getLogger("ray").setLevel(logging.ERROR)
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False, "configure_logging": False, **workers}
    here: dict[str, Any] = {"include_dashboard": False, "num_gpus": 0}
    if isinstance(asked, str):
        address, is_found = asked.removeprefix("ray://"), on == "ray" and not named_address()
        must_answer(address)
        must_be_let_in(on, address, OF_HEAD if address == asked else OF_CLIENTS, brings_its_own=is_found)
        ray.init(address="auto" if is_found else asked, **quiet)
    elif asked is None:
        ray.init(address="local", num_cpus=_processors(), **here, **quiet)
    else:
        each = asked.processors or max(1, _processors() // asked.nodes)
        Cluster = importlib.import_module("ray.cluster_utils").Cluster
        node = {"num_cpus": each, "object_store_memory": STORE, **here}
        cluster = Cluster(initialize_head=True, head_node_args=node)
        for _ in range(asked.nodes - 1):
            cluster.add_node(**{name: value for name, value in node.items() if name != "include_dashboard"})
        ray.init(address=cluster.address, **quiet)


def cluster_here() -> str | None:
    """The cluster that this machine belongs to, if there is one. For one that is gone Ray would wait for minutes."""
    if given := named_address():
        if given != "local" and not given.rpartition(":")[2].isdigit():
            raise RuseError(f"$RAY_ADDRESS names a cluster as HOST:PORT, ray://HOST:PORT, auto or local, not {given!r}")
        return given if given != "local" else None
    with suppress(OSError, ValueError, OverflowError):  # where `ray start` notes what it has started on this machine
        noted = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir(), "ray", "ray_current_cluster").read_text()
        must_answer(noted.strip())
        return noted.strip()
    return None


def named_address() -> str:
    """What $RAY_ADDRESS says, unless it leaves it to us to look."""
    given = os.environ.get("RAY_ADDRESS", "")
    return "" if given == "auto" else given


def must_answer(address: str) -> None:
    """Raise if nobody listens there."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except OSError as error:
        raise Unanswered(str(error)) from error


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _why(on: str, error: Exception) -> str:
    """What went wrong, in one sentence."""
    words = " ".join(str(error).split())
    if "ersion" in words and ("match" in words or "different" in words or "incompatible" in words):
        own = f"Ray {ray_module().__version__} and Python {'.'.join(map(str, sys.version_info[:3]))}"
        return f"the cluster {on} has other versions than {own}, which are here; install the same on both ({words})"
    if isinstance(error, OSError):
        if on == "ray":
            what = f"the cluster {named_address() or 'that this machine belongs to'} does not answer"
        elif isinstance(error, Unanswered):
            what = "no Ray cluster answers there"
        else:  # Ray's own, when it has waited
            what = "somebody answers there, but not to Ray's client, whose port is 10001 unless it was changed"
        return f"{on} cannot be reached: {what} ({words}); start one with `ray start --head`, or use --on ray"
    return f"{on} could not be started or reached: {words}"


def surroundings() -> dict[str, str]:
    """What workers must know of this process: where kernels are kept, if a person has said it."""
    return {name: os.environ[name] for name in SENT if name in os.environ}


def told_of_cluster(ray: Any) -> str:
    """What there is, in words."""
    nodes, processors = len(alive(ray)), processors_of(ray)
    return f"Ray {ray.__version__}: {nodes} node{'s' * (nodes != 1)}, {processors} processor{'s' * (processors != 1)}"


def alive(ray: Any) -> list[str]:
    """The nodes, by their ids; always in the same order."""
    return sorted(node["NodeID"] for node in ray.nodes() if node["Alive"])


def processors_of(ray: Any) -> int:
    return int(ray.cluster_resources().get("CPU", 0))
