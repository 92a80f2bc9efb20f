"""Places by the word that a person types after --on."""

from ruse.errors import RuseError
from ruse.spread.cluster import Cluster
from ruse.spread.pieces import ManyJobs
from ruse.spread.processes import Processes

CLUSTER, HERE = "ray", "cpu"


def place_named(on: str) -> tuple[ManyJobs, str]:
    """Where many jobs are done, and the word for where each of them runs then: on `ray` as on the processor there.

    Any other word says where one job runs, and there are many of them in processes of this machine.

    >>> place_named("ray://head:10001")
    (Cluster(on='ray://head:10001', threads=1), 'cpu')
    """
    if not isinstance(on, str):
        raise RuseError(f"on must be a text, such as 'cpu' or 'ray', got {on!r}")
    if on.partition(":")[0] == CLUSTER:
        return Cluster(on), HERE
    return Processes(), on
