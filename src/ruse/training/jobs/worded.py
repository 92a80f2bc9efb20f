"""What is asked of a training in words, as the command line takes it, and the things that the words mean."""

from collections.abc import Iterable, Mapping
from typing import Any

from ruse.catalog.given import as_game, as_solver, as_view
from ruse.errors import RuseError
from ruse.training.terms.teachers import Teachers
from ruse.words.amounts import bytes_of
from ruse.words.printable import shown

PARTS = ("walk", "prune", "prefer")  # of a solver, where that has a name
NAMED = {"walk": "external", "prune": "threshold"}  # parts that a text names, and one of these


class NotAskedFor(RuseError, TypeError):
    """A word by which nothing can be asked of a training; to Python an argument that a function does not take."""


def solver_parts(solver: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a solver that are asked for beside it."""
    parts = {name: asked[name] for name in PARTS if asked.get(name) is not None}
    if parts and not isinstance(solver, str | None):
        whole = f"ruse.{solver.name}({next(iter(parts))}=...)" if hasattr(solver, "name") else shown(solver)
        raise RuseError(f"{next(iter(parts))} is a part of the solver: give it to that, as in {whole}")
    for name, example in NAMED.items():
        if not isinstance(parts.get(name, ""), str):
            own = f"one of your own is given to a solver, as in ruse.dcfr({name}=...)"
            raise RuseError(f"{name} is a text here, such as {example!r}, not {shown(parts[name])}; {own}")
    return parts


def refuse_unknown(asked: Iterable[str], known: Iterable[str]) -> None:
    """Raise if something is asked for that there is not."""
    every = list(known)
    for name in asked:
        if name not in every:
            raise NotAskedFor(f"{name!r} cannot be asked for here; there is {', '.join(every)}")


def said(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The same with a thing for every word: games, rules, views, bots to train against, and bytes.

    >>> said({"game": "kuhn", "memory": "1MB"})
    {'game': Kuhn(players=2, ante=1, bet=1), 'memory': 1000000}
    """
    found = dict(asked)
    if isinstance(rule := found.get("solver"), str):
        found["solver"] = as_solver(rule)
        if "rule" in found and found["rule"] is None:
            found["rule"] = rule
    if isinstance(found.get("game"), str):
        found["game"] = as_game(found["game"])
    if isinstance(found.get("view"), str) and found.get("game") is not None:
        found["view"] = as_view(found["view"], found["game"])
    if isinstance(found.get("memory"), str):
        found["memory"] = bytes_of(found["memory"])
    against = found.get("against")
    if isinstance(against, str | list):
        found["against"] = Teachers.of(*([against] if isinstance(against, str) else against))
    return found
