"""A dial for each metric of a game: how far it can be turned for nothing, what more costs, and what turns with it.

Where linear programs know the game (`ruse.styles.equilibria`), the strategy at any place of a dial is the cheapest one
of its player that has this value, while the other plays a plain solve. Elsewhere there is a plain solve to begin with,
and only a search by preferences (`ruse.styles.search`) tells what a place costs.
"""

import math
import threading
from collections.abc import Callable
from typing import NamedTuple

from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.evaluate.explaining.explain import Difference, compare
from ruse.protocol.game import Game
from ruse.solve.solver.presets import dcfr
from ruse.strategy import Strategy
from ruse.styles.census import Census
from ruse.styles.equilibria import Equilibria
from ruse.styles.metrics import Frequency, metric, style_of
from ruse.training.train import train
from ruse.tree.expanded import Expanded

ITERATIONS = 1_000  # of the plain solve where there are no linear programs
MOVED = 0.0005  # a distance that three digits do not show

Tell = Callable[[str], None]


class Dial(NamedTuple):
    """A metric, and where it can be."""

    name: str
    player: int | None  # None: of all players
    own: float  # what a plain solve plays; not a number if play never comes there
    lowest: float | None  # among strategies that lose nothing; None where that is not known
    highest: float | None
    turns: bool  # whether it can be turned: how often an action is taken, and where play comes


class Turned(NamedTuple):
    """The strategy at one place of a dial."""

    name: str
    value: float
    price: float  # what its player loses to a best response
    exploitability: float  # of the profile
    strategy: Strategy
    others: dict[str, float]  # what all metrics are then
    moved: list[Difference]  # from the plain solve, where it matters most first


class Dials:
    """All dials of a game. Several threads may turn them, one after the other."""

    def __init__(self, game: Game, tell: Tell = lambda text: None) -> None:
        self.game, self.why = game, ""
        self.exact: Equilibria | None = None
        self._lock = threading.RLock()
        self._frontiers: dict[str, list[tuple[float, float]]] = {}
        try:
            self.exact = Equilibria(game, tell=tell)
            self.plain = self.exact.own
        except RuseError as error:
            self.why = str(error)
            tell("solving")
            self.plain = train(game, dcfr(), iterations=ITERATIONS).strategy
        self.whole = Expanded.of(game)
        self.dials = self._mapped(self.exact) if self.exact is not None else self._unmapped()
        self.exploitability = float(exploitability_of(self.whole.form, self.plain.on(self.whole)))

    def _mapped(self, exact: Equilibria) -> list[Dial]:
        found = []
        for one in exact.metrics:
            there = not math.isnan(one.lowest)
            turns = there and not one.name.startswith("variance")
            lowest, highest = (one.lowest, one.highest) if there else (None, None)
            found.append(Dial(one.name, one.player, one.own, lowest, highest, turns))
        return found

    def _unmapped(self) -> list[Dial]:
        found = []
        for one in style_of(self.plain):
            measures = metric(self.game, one.name).measures
            player = getattr(measures, "player", None)
            turns = isinstance(measures, Frequency) and not math.isnan(one.value)
            if isinstance(measures, Frequency):
                player = measures.wanted.player
            found.append(Dial(one.name, player, one.value, None, None, turns))
        return found

    def find(self, name: str) -> Dial:
        for dial in self.dials:
            if dial.name == name:
                return dial
        raise RuseError(f"there is no metric {name!r} here; there is {', '.join(dial.name for dial in self.dials)}")

    def frontier(self, name: str, tell: Tell = lambda text: None) -> list[tuple[float, float]]:
        """Each value that a metric can have, and the least that its player must lose for it; exact, or nothing."""
        if not self.find(name).turns or self.exact is None:
            return []
        with self._lock:
            if name not in self._frontiers:
                self.exact.tell = tell
                self._frontiers[name] = self.exact.frontier(name)
                self.exact.tell = lambda text: None
            return self._frontiers[name]

    def turn(self, name: str, value: float) -> Turned:
        """The cheapest strategy with this value of the metric, or with the nearest that there is."""
        if self.exact is None:
            raise RuseError(f"what a style costs is known here only after a search: {self.why}")
        if not self.find(name).turns:
            raise RuseError(f"{name!r} is not how often an action is taken, so it is not turned; turn one that is")
        with self._lock:
            ends = self.frontier(name)
            if not ends:
                raise RuseError(f"{name!r} has no place to be turned to: play never comes there")
            value = min(max(value, ends[0][0]), ends[-1][0])
            price, strategy = self.exact.cheapest(name, value), self.exact.cheapest_strategy(name, value)
        if price is None or strategy is None:
            raise RuseError(f"there is no strategy with {name} = {value:g}; try a little less or more")
        return Turned(
            name, value, max(price, 0.0), float(exploitability_of(self.whole.form, strategy.on(self.whole))), strategy,
            self.values(strategy), self.moved(strategy),
        )  # fmt: skip

    def values(self, strategy: Strategy) -> dict[str, float]:
        """All metrics of a strategy."""
        play = Census(strategy)
        return {dial.name: metric(self.game, dial.name).on(play).value for dial in self.dials}

    def moved(self, strategy: Strategy) -> list[Difference]:
        """Where a strategy differs from the plain solve, where it matters most first."""
        return [one for one in compare(self.plain, strategy) if one.distance >= MOVED and one.weight > 0.0]
