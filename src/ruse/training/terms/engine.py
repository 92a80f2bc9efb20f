"""What training drives: an engine that iterates, can be saved, and can tell how good its strategy is.

There is one face for each way to walk: full_width.py, pruned.py, sampling.py, and for ranges spots.py and horizon.py.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.price import Price
from ruse.protocol.view import View
from ruse.solve.prefer.preferred import Preferred
from ruse.solve.solver.presets import Solver
from ruse.solve.start.learned import Infosets, Learned
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded


class Engine(Protocol):
    """A solver at work on one game."""

    is_judged: bool  # whether exploitability can be measured at all
    unjudged: str  # why not
    preferred: Preferred | None  # the infosets at which actions are favoured
    solver: Solver

    @property
    def expanded(self) -> Expanded | None:
        """The game in sequence form; None under a walk that samples."""

    def warm_up(self) -> None:
        """Compile everything, so that compiling is not counted as solving."""

    def run(self, done: int, iterations: int) -> None:
        """Run iterations done+1 .. done+iterations."""

    def round_size(self, done: int) -> int | None:
        """How many iterations must be run at once after `done`; None if any number will do."""

    def next_check(self, done: int, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        """After which iteration exploitability is measured next, given what it was so far."""

    def exploitability(self) -> Exploitability:
        """Of the average strategy, in the whole game; not a number if that is too large to walk."""

    def price(self, measured: Exploitability) -> Price | None:
        """What the style costs, given the exploitability; None without one, or if it cannot be measured."""

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        """The average strategy."""

    def current(self, done: int, about: Mapping[str, Any]) -> Strategy:
        """The strategy of the last of so many iterations."""

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold."""

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None: ...

    def learned(self, done: int) -> Learned:
        """Regret and average sums after so many iterations, for another training to start from."""

    def infosets(self, naming: View | None) -> Infosets | None:
        """All infosets with their names under another view; None if they are too many to be looked at beforehand."""

    def begin(self, learned: Learned) -> None:
        """Start from these sums, under this engine's keys, instead of from nothing."""

    def facts(self) -> dict[str, Any]:
        """What the command line reports besides: infosets and the like."""
