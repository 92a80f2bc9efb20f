"""Where the iterations of a training run: the seam below `Engine`.

A backend makes the engines of one kind of machine, one for each way to walk. All that is above, stops, checks,
checkpoints and results, asks an engine for no more than `Engine` says (engine.py), so another machine is a file with
its engines, and a line in `BACKENDS`:

    BACKENDS["toy"] = Backend(full_width=ToyEngine)

A job names its backend, as `gpu`, with fields or an address where it has them, as `gpu:precision=f32` or
`ray://HOST:PORT`; one that has no engine for the solver's walk, or is not here, is refused in one sentence.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.solve.solver.traits import BackendTraits

if TYPE_CHECKING:
    from ruse.solve.solver.presets import Solver
    from ruse.training.terms.engine import Engine

Make = Callable[[Any], "Engine"]  # of a `Job`, which asks this table what there is


def nothing_lacks(on: str, solver: "Solver") -> str:
    return ""


class Backend(NamedTuple):
    """Functions that make engines, by what an iteration visits; None where there is none. See `Solver.engine`."""

    full_width: Make | None = None  # every history
    pruned: Make | None = None  # every history that is not pruned
    sampling: Make | None = None  # a sample
    ranges: Make | None = None  # every history, whole ranges of hands at once
    horizon: Make | None = None  # the same up to a horizon
    lacks: Callable[[str, "Solver"], str] = nothing_lacks  # why a job cannot run there, by its words and its solver
    look: Callable[[Any], str] | None = None  # what there is to tell of one whose game has been expanded
    look_at_spot: Callable[[Any], str] | None = None  # the same of a spot
    reach: Callable[[str], str] | None = None  # makes sure that it is there, and tells what there is
    is_spread: bool = False  # over machines, each of which has a part of the table

    @property
    def engines(self) -> tuple[str, ...]:
        """The kinds that it has."""
        return tuple(kind for kind in KINDS if getattr(self, kind) is not None)


KINDS = ("full_width", "pruned", "sampling", "ranges", "horizon")
CPU, GPU, RAY = "cpu", "gpu", "ray"
BACKENDS: dict[str, Backend] = {}  # `ruse.training` enters those of ruse whose engines are in makers.py


def backend_named(on: str) -> Backend | None:
    """The backend of a job that runs there: by the word before fields or an address."""
    return BACKENDS.get(on.partition(":")[0])


def backend_traits(on: str, solver: "Solver") -> BackendTraits:
    """What `solve/solver/fits.py` asks of a backend, known or not."""
    if (found := backend_named(on)) is None:
        return BackendTraits(on, tuple(BACKENDS))
    return BackendTraits(on, (*BACKENDS, on), found.engines, found.lacks(on, solver), found.is_spread)
