"""A spot of the turn, an engine that solves all of it, and what there is to know for cutting it before the river."""

from collections.abc import Mapping
from typing import Any

from ruse.games.holdem.spots.rules import SpotGame
from ruse.horizon.continuations import Leafs
from ruse.horizon.spots import CutSpot
from ruse.solve.ranges.plans.leaves import CutTree
from ruse.solve.solver.presets import Solver
from ruse.spots.size import SpotSize
from ruse.spots.solving import engine_of
from ruse.spots.strategy import SpotStrategy


class UncutSpot:
    """As `UncutGame` of small games."""

    def __init__(self, game: SpotGame, solver: Solver, planned: int, room: int) -> None:
        self.game, self.told = game, SpotSize.of(game, solver).within(room).told
        self.cut = CutSpot.of(game.spot, game.betting)
        self.engine = engine_of(game, solver, planned=planned)

    def valued(self, leafs: Leafs) -> CutTree:
        """The turn, with leaves that are worth what the engine's river makes them."""
        return self.cut.valued(self.engine, leafs)

    def strategy(self, about: Mapping[str, Any]) -> SpotStrategy:
        return SpotStrategy(self.game, self.engine, about)
