"""An agent for Hold'em for two that solves what is left of a hand before it moves, within a time limit.

Before the flop it plays its blueprint. On the flop it solves the street up to the turn, with several values a leaf from
the blueprint (`flops.py`); on the turn and on the river all that is left, hand by hand. A street is solved from its
first decision on, for both players and all hands, so that one solution is good for the whole street, and tells with
what both come to the next.

What it solves is what all can see: the own cards choose a row of the solution, and nothing else.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.hands.holdings import holding
from ruse.games.holdem.row import PAST
from ruse.games.holdem.telling.observation import OWN, SEEN_BOARD, SEEN_STREET
from ruse.games.holdem.translating import BEFORE, Translating
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.holdem_leaves import buckets_on
from ruse.horizon.search.flops import CutFlop
from ruse.horizon.search.streets import StreetStart, betting_below, reach_of, start_of, ways_of
from ruse.play.bots.bot import playing
from ruse.protocol.values.recent import Recent
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.holdem import holdem_plan
from ruse.solve.ranges.plans.leaves import leaf_plan
from ruse.solve.solver.presets import dcfr
from ruse.strategy import Strategy

Array = NDArray[np.float64]
Rows = dict[int, Array]  # decision of the lines: [holding, action] how often

FLOP = 1
KEPT = 64  # streets; several tables may be played at once
SLICE = 10  # iterations until it is looked at the clock
RUNOUTS = 60  # turns and rivers that a flop is judged by


class Searching:
    """Plays a blueprint, and solves the rest of the hand before each of its moves after the flop.

    A move takes at most about `seconds`, or as long as `iterations` take; if these are done before, the same seed plays
    the same hands again.
    """

    name = "search"

    def __init__(
        self, blueprint: Strategy, *, seconds: float = 5.0, iterations: int = 200, leafs: Leafs | None = None
    ) -> None:
        if not seconds > 0.0:
            raise RuseError(f"a move takes some time: seconds must be above 0, got {seconds:g}")
        if iterations < 1:
            raise RuseError(f"iterations must be at least 1, got {iterations}")
        self.bucketed, self.seconds, self.iterations = Bucketed.of_two(blueprint), seconds, iterations
        self.leafs = leafs or Leafs(biased(4))
        self.follows = Translating(blueprint.game, playing(blueprint))  # type: ignore[arg-type]
        lines = self.bucketed.lines
        self.ways = ways_of(lines)
        self.nodes = {int(lines.past[n]): n for n in np.flatnonzero(lines.who >= 0).tolist()}
        self.solved = Recent[Rows](KEPT)  # by where streets have begun

    def __deepcopy__(self, memo: Any) -> "Searching":
        return self  # what it has solved is known to all, and all else is in the memory that it is given

    @property
    def home(self) -> Any:
        """The game of the blueprint."""
        return self.follows.home

    def memory_size(self, game: Any) -> int:
        return self.follows.memory_size(game)

    def watch(self, game: Any, seen: np.ndarray, me: int, memory: np.ndarray) -> None:
        self.follows.watch(game, seen, me, memory)

    def decide(self, game: Any, seen: np.ndarray, me: int, memory: np.ndarray, count: int, u: float) -> int:
        s, street = memory[BEFORE + len(seen) :], int(seen[SEEN_STREET])
        if street < FLOP or not self.follows.is_at(s, me, street):
            return self.follows.decide(game, seen, me, memory, count, u)
        board = [int(card) for card in seen[SEEN_BOARD : SEEN_BOARD + street + 2]]
        row = self.rows(self.nodes[int(s[PAST])], board)[int(holding(seen[OWN], seen[OWN + 1]))]
        a = int(min(np.searchsorted(np.cumsum(row), u * row.sum(), side="right"), len(row) - 1))
        return self.follows.carried_out(a, seen, memory, count)

    # ---- what is played ----------------------------------------------------------------------------------------------

    def rows(self, node: int, board: list[int], ends_at: float | None = None) -> Array:
        """[holding, action] what is played at a decision of the lines; solved until then, or for as long as a move."""
        lines, street = self.bucketed.lines, int(self.bucketed.lines.street[node])
        if street < FLOP:
            return self.blueprint_rows(node, board)
        start = start_of(lines, self.ways, node, board)
        until = time.perf_counter() + self.seconds if ends_at is None else ends_at
        return self.solved.of(start, lambda: self.solve(start, until))[node]

    def blueprint_rows(self, node: int, board: list[int]) -> Array:
        street = int(self.bucketed.lines.street[node])
        bucket = buckets_on(self.bucketed, board[: street + 2])[street]
        rows: Array = self.bucketed.rows(node)[bucket]
        return rows

    def solve(self, start: StreetStart, ends_at: float) -> Rows:
        """All decisions of a street. Streets before it have been solved as they were played; in a hand that is gone on
        with they have half of the time.
        """
        lines, board = self.bucketed.lines, list(start.board)
        before = halfway(ends_at)
        reach = reach_of(lines, self.ways[start.node], board, lambda n: self.rows(n, board, before))
        return (self.up_to_the_turn if lines.street[start.node] == FLOP else self.to_the_end)(start, reach, ends_at)

    def up_to_the_turn(self, start: StreetStart, reach: Array, ends_at: float) -> Rows:
        cut = CutFlop.of(self.bucketed, start)
        half = halfway(ends_at)
        plan, node = leaf_plan(cut.valued(reach, self.leafs, RUNOUTS, lambda: time.perf_counter() < half))
        engine = RangeEngine(plan, dcfr(), dtype=np.float64)
        self.run(engine, ends_at)
        bucket = buckets_on(self.bucketed, start.board)[FLOP]
        found = {}
        for n in np.flatnonzero(cut.tree.player >= 0).tolist():
            comes, rows = reach[cut.tree.player[n]] > 0.0, engine.strategy(node[n])[1][bucket]
            found[cut.kept[n]] = np.where(comes[:, None], rows, self.blueprint_rows(cut.kept[n], list(start.board)))
        return found

    def to_the_end(self, start: StreetStart, reach: Array, ends_at: float) -> Rows:
        lines = self.bucketed.lines
        betting, place = betting_below(lines, start.node)
        engine = RangeEngine(holdem_plan(start.board, (reach[1], reach[0]), betting), dcfr(gamma=4.0))
        self.run(engine, ends_at)
        found = {}
        for n, here in place.items():
            if lines.street[n] == lines.street[start.node]:
                found[n] = np.array(self.blueprint_rows(n, list(start.board)))  # with hands that do not come here
                hands, rows = engine.strategy(here)
                found[n][hands] = rows
        return found

    def run(self, engine: RangeEngine, ends_at: float) -> None:
        """Iterations until they are done, or there is no time; the first few always."""
        for done in range(0, self.iterations, SLICE):
            if done > 0 and time.perf_counter() > ends_at:
                break
            engine.run(done, min(SLICE, self.iterations - done))


def halfway(ends_at: float) -> float:
    """When half of the time that is left is over."""
    return (time.perf_counter() + ends_at) / 2.0
