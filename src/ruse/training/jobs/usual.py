"""How a game is solved where nothing else is asked for. A game may name its own way, as in

    usual = {"rule": "lcfr", "walk": "external", "prune": "threshold", "view": "buckets", "seconds": 600}

Options that a person gives stand in the place of these. Rule, walk and pruning make one solver: a pruning is usual only
with the rule and the walk that are, because it need not go with others.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ruse.catalog.names import preset
from ruse.catalog.names import view as view_of
from ruse.protocol.game import Game, declared
from ruse.protocol.values.fields import call_of, split_fields
from ruse.protocol.view import Full, View
from ruse.training.jobs.schema import ITERATIONS

SOLVER = ("walk", "prune", "rule")  # the last of them is rather left out than the others
LIMITS = ("iterations", "target", "seconds")


def usual(game: Game, option: str) -> Any:
    """The usual value of an option; None if there is none."""
    return declared(game, "usual", {}).get(option, {"rule": "dcfr", "view": "full"}.get(option))


def solver_options(game: Game, said: Mapping[str, Any]) -> dict[str, str | None]:
    """Rule, walk and pruning: what is said, and what is usual where nothing is."""
    rule, walk, prune = said.get("rule"), said.get("walk"), said.get("prune")
    usual_rule = "cfr" if prune and usual(game, "prune") is None else usual(game, "rule")
    if not (rule or walk or prune):
        prune = usual(game, "prune")
    rule = rule or usual_rule
    return {"rule": rule, "walk": usual_walk(game, rule) if walk is None else walk, "prune": prune or None}


def usual_walk(game: Game, rule: str) -> str | None:
    """The walk of a game for a rule that says nothing of one; None where the rule's own will do."""
    name, _, fields = rule.partition(":")
    says_one = any(field.startswith("walk=") for field in split_fields(fields))
    return None if says_one or preset(name).samples else usual(game, "walk")


def limits(game: Game, said: Mapping[str, Any], *, samples: bool) -> dict[str, Any]:
    """When to stop: what is said, or else what is usual; what is sampled may be too large to be judged by a target."""
    asked = {name: said.get(name) for name in LIMITS}
    if any(limit is not None for limit in asked.values()):
        return asked
    seconds, iterations = usual(game, "seconds"), usual(game, "iterations")
    target = None if samples else usual(game, "target")
    return {
        "iterations": ITERATIONS if seconds is None and iterations is None else iterations,
        "target": target,
        "seconds": seconds,
    }


def to_be_said(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Rule, walk and pruning as they have to be said: None for what `solver_options` fills in."""
    every = {name: options.get(name) for name in SOLVER}
    for count in range(len(SOLVER)):
        for few in combinations(SOLVER, count):
            said = {name: every[name] if name in few else None for name in SOLVER}
            if solver_options(game, said) == every:
                return said
    return every


def is_usual_view(game: Game, view: View) -> bool:
    """Whether it is the view that is usual. Nothing is made where names can tell: tables may have to be built."""
    text = str(usual(game, "view"))
    if isinstance(view, Full):
        return text == "full"
    name, _ = call_of(repr(view))
    return repr(view) == text or (name != text and repr(view) == repr(view_of(text, game)))
