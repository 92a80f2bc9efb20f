"""Everything that `ruse.train` can be asked to do, from the package's own lists: what is new is judged, too."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import ruse
from ruse.solve.solver.pruning import PRUNINGS
from ruse.solve.solver.rules import RegretMatching
from ruse.solve.solver.walks import WALKS
from ruse.training.engines.chosen import engine_for

PREFERENCES = {"none": None, "delta": "{action}: delta=5", "beta": "{action}: delta=3, beta=0.02"}
MODES: dict[str, dict[str, Any]] = {"one": {}, "threads": {"threads": 2}, "shared": {"threads": 2, "shared": True}}


class Combination(NamedTuple):
    """One way to train."""

    rule: str
    walk: str
    pruning: str
    preference: str
    mode: str

    def __str__(self) -> str:
        return "-".join(self)

    def solver(self, action: str) -> ruse.Solver:
        """The solver that favours this action, if any is to be favoured."""
        text = PREFERENCES[self.preference]
        return ruse.PRESETS[self.rule](
            walk=self.walk,
            prune=None if self.pruning == "none" else self.pruning,
            prefer=text and text.format(action=action),
        )

    def refusal(self, game: ruse.Game, action: str) -> str | None:
        """Why ruse does not do this; None if it does. Nothing is trained."""
        try:
            engine_for(ruse.Job(game, self.solver(action), iterations=1_000, **MODES[self.mode]))
        except ruse.RuseError as error:
            return str(error)
        return None

    @property
    def departures(self) -> int:
        """How many of pruning, preference and mode are not the plain ones."""
        return (self.pruning != "none") + (self.preference != "none") + (self.mode != "one")


def every() -> Iterator[Combination]:
    """All of them, those that make no sense too."""
    for rule in ruse.PRESETS:
        for walk in WALKS:
            for pruning in ("none", *PRUNINGS):
                for preference in PREFERENCES:
                    for mode in MODES:
                        yield Combination(rule, walk, pruning, preference, mode)


def accepted(game: ruse.Game, action: str) -> list[Combination]:
    """Those that ruse does in this game."""
    return [combination for combination in every() if combination.refusal(game, action) is None]


def is_judged(combination: Combination) -> bool:
    """Whether to train it: all with regret matching; of other minimizers, which are kernels of their own, what departs
    from the plain in one way at most.
    """
    minimizer = ruse.PRESETS[combination.rule]().minimizer
    return isinstance(minimizer, RegretMatching) or combination.departures <= 1


def refused(game: ruse.Game, action: str) -> list[str]:
    """What ruse refuses: for each walk and pruning, which rules (* for all) under which preferences and modes."""
    lines, total = [], 0
    for walk in WALKS:
        for pruning in ("none", *PRUNINGS):
            settings: dict[str, list[str]] = {}  # rules -> preference/mode
            for preference in PREFERENCES:
                for mode in MODES:
                    asked = [Combination(rule, walk, pruning, preference, mode) for rule in ruse.PRESETS]
                    rules = [c.rule for c in asked if c.refusal(game, action) is not None]
                    total += len(rules)
                    told = "*" if len(rules) == len(asked) else " ".join(rules)
                    settings.setdefault(told, []).append(f"{preference}/{mode}")
            for rules_told, where in settings.items():
                everywhere = len(where) == len(PREFERENCES) * len(MODES)
                if rules_told:
                    lines.append(f"{walk} {pruning}: {rules_told}: {'any' if everywhere else ' '.join(where)}")
    return [*lines, f"in all: {total}"]
