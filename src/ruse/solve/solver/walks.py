"""The walks of a solver: which part of the game an iteration visits. Those that sample are in `solve/sampled`.

A walk is its numbers as data, `traits` that say what it does unless it is what most are, and, if it samples,
`kernel()`: the kernel that runs iterations, and the part that updates one player. A new one is a file with these, and a
line in `solve/__init__.py`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ruse.errors import RuseError
from ruse.solve.solver.known import Known
from ruse.solve.solver.pruning import BestResponse
from ruse.solve.solver.traits import WalkTraits, pruning_traits, walk_traits


class Walk(Protocol):
    """What an iteration visits."""

    @property
    def traits(self) -> WalkTraits: ...


class SampledWalk(Walk, Protocol):
    """A walk that visits a sample; with a field `pruning` if it asks one what to skip."""

    def kernel(self) -> tuple[Callable[..., int], Any]:
        """The kernel that runs its iterations, and the part that updates one player."""


class FullWidth(NamedTuple):
    """Every history."""

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(samples=False)

    def __str__(self) -> str:
        return "full"


class PrunedWidth(NamedTuple):
    """Every history that is not pruned."""

    pruning: Any = BestResponse()

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(samples=False)

    def __str__(self) -> str:
        return f"full, {self.pruning}"


WALKS = Known("walk", {"full": FullWidth()})  # those that sample stand on this folder; `solve/__init__.py` adds them


def walks_that(do: Callable[[WalkTraits], bool]) -> list[str]:
    """The names of those that do what is asked of their traits."""
    return [name for name, walk in WALKS.items() if do(walk_traits(walk))]


def walk_of(walk: Any) -> Any:
    """A walk as it is or by name, with numbers of its own if it gives any: "probing:epsilon=0.3"."""
    if not isinstance(walk, str):
        if not hasattr(walk, "traits") and not hasattr(walk, "kernel"):
            raise RuseError(f"walk must be a walk, or the name of one: {', '.join(WALKS)}; got {walk!r}")
        return walk
    return WALKS.made(walk)


def pruned_walk(walk: Any, part: Any) -> Any:
    """The walk with a pruning that goes with it; as it was without one."""
    if part is None:
        return walk
    return walk._replace(pruning=part) if pruning_traits(part).samples else PrunedWidth(part)


def unpruned(walk: Any) -> tuple[Any, Any]:
    """The walk as it would be without a pruning, and that; None if it leaves nothing out."""
    pruning = getattr(walk, "pruning", None)
    if pruning is None:
        return walk, None
    if not walk_traits(walk).samples:
        return FullWidth(), pruning
    usual = walk._field_defaults["pruning"]
    return (walk, None) if repr(pruning) == repr(usual) else (walk._replace(pruning=usual), pruning)
