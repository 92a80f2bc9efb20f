"""What is asked of a training in words, as the command line takes it, and the things that the words mean."""

from collections.abc import Mapping
from typing import Any

from ruse.catalog.given import as_game, as_solver, as_view
from ruse.training.teachers import Teachers
from ruse.words.amounts import bytes_of

PARTS = ("walk", "prune", "prefer")  # of a solver, where that has a name


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
