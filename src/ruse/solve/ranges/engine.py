"""The range engine: full-width CFR in which a whole range of hands moves over the public tree at once.

engine = RangeEngine(plan, dcfr())
engine.run(0, 100)
engine.exploitability()
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.solve.ranges.boards import IDENTITY, exchanged_hands, located
from ruse.solve.ranges.crew import Crew
from ruse.solve.ranges.iterations import Ahead, ByRegret, Rule, Tables, average_first, evaluate, iterate
from ruse.solve.ranges.one_by_one import Plain
from ruse.solve.ranges.passes import Field, Work
from ruse.solve.ranges.plan import Plan, as_type
from ruse.solve.ranges.rows import Averaging, Following, Passing, Responding
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING
from ruse.solve.solver.traits import minimizer_traits
from ruse.store.restoring import refuse_unlike

Array = NDArray[Any]


class RangeEngine:
    """A solver at work on a plan. `leaning` has its preferences, if there are any (`preferred.py`)."""

    def __init__(
        self, plan: Plan, solver: Solver, *, dtype: Any = np.float32, threads: int = 1, planned: int = 0,
        leaning: "Leans | None" = None,
    ) -> None:  # fmt: skip
        if solver.engine != "full_width":
            raise RuseError(f"ranges are walked whole: {solver.name} must have the full walk and no pruning")
        if solver.prefer is not None and leaning is None:
            raise RuseError("a plan without infosets knows no preferences; leave prefer out")
        self.plan, self.solver, self.dtype, self.planned = plan, solver, np.dtype(dtype), planned
        self.field: Field = as_type(plan.field, self.dtype)
        self.weights = plan.weights.astype(self.dtype)
        self.work: Work = plan.work(self.dtype)
        self.total = np.zeros((plan.gates + 1, self.work.gate_value.shape[1]), self.dtype)
        self.rule = self._rule(leaning)
        self.crew: Crew | None = None
        if threads > 1 and len(plan.cuts) > 3 and not isinstance(self.rule, Rule):  # which has one buffer
            more = [plan.work(self.dtype) for _ in range(threads - 1)]
            self.crew = Crew(plan, self.field, [self.work, *more], self.total)
        self.tables = self._tables()

    def _rule(self, leaning: "Leans | None") -> Any:
        """How a decision learns: for all hands at once where the rule is regret matching, else one by one."""
        minimizer, traits = self.solver.minimizer, minimizer_traits(self.solver.minimizer)
        if leaning is None and traits.matches_regret and traits.form == "weighted":
            prediction: float = minimizer.prediction  # type: ignore[attr-defined]
            return Ahead(prediction) if traits.predicts or not self.solver.alternating else ByRegret()
        buffer = np.zeros((3, int(self.plan.forest.actions.max(initial=1))))
        nowhere = np.full(len(self.plan.forest.player), -1)
        return Rule(*(leaning or Leans(Plain(minimizer), nowhere)), buffer)

    def _tables(self) -> Tables:
        size, dtype = self.plan.size, self.dtype
        regret, average = np.zeros(size, dtype), np.zeros(size, dtype)
        plays = regret if isinstance(self.rule, ByRegret) else np.zeros(size, dtype)
        return Tables(regret, average, plays, plays if self.solver.alternating else np.zeros(size, dtype))

    @property
    def bytes(self) -> int:
        """Of tables and scratch memory."""
        arrays = {id(array): array.nbytes for part in (self.tables, self.work) for array in part}
        return sum(arrays.values())

    # ---- at work -----------------------------------------------------------------------------------------------------

    def run(self, done: int, iterations: int) -> None:
        """Run iterations done+1 .. done+iterations."""
        if iterations < 1:
            return
        solver, where = self.solver, (self.field, self.work, self.weights)
        if solver.alternating:
            average_first(*where, self.tables, self._weights(done + 1)[FADING])
        if self.crew is None:
            iterate(
                *where, self.plan.cuts, self.total, self.tables, solver.weighting, self.rule, solver.alternating,
                done, iterations, self.planned,
            )  # fmt: skip
        else:
            for t in range(done + 1, done + iterations + 1):
                self._iteration(self.crew, t, is_last=t == done + iterations)

    def _iteration(self, crew: Crew, t: int, *, is_last: bool) -> None:
        """As in `iterate`, with threads."""
        tables, alternating, now = self.tables, self.solver.alternating, self._weights(t)
        up = self.rule.at_work(tables, now)
        crew.whole_pass(self.weights, 0, Averaging(tables.plays, tables.average, now[FADING], 1.0), up)
        waits = alternating and is_last
        fading = 1.0 if waits else self._weights(t + 1)[FADING] if alternating else now[FADING]
        crew.whole_pass(self.weights, 1, Averaging(tables.plays, tables.average, fading, 1.0 - waits), up)
        if not alternating:
            tables.plays[:] = tables.then

    def _weights(self, t: int) -> tuple[float, ...]:
        return tuple(map(float, self.solver.weighting.weights(t, t / self.planned if self.planned else 0.0)))

    # ---- how good it is ----------------------------------------------------------------------------------------------

    def root_values(self, player: int, up: Any) -> Array:
        """The values of the player's hands at the root, weighted by the other's reach, against the other's average."""
        plan, average = self.plan, self.tables.average
        if self.crew is None:
            evaluate(self.field, self.work, self.weights, plan.cuts, self.total, average, up, player)
        else:
            self.crew.whole_pass(self.weights, player, Passing(average), up)
        at = int(plan.forest.value_at[0])
        return self.work.value[at : at + plan.scratch.width].astype(np.float64)

    def worth(self, player: int, up: Any) -> float:
        return float(self.root_values(player, up) @ self.plan.weights[player]) / self.plan.pairs

    def gap(self) -> float:
        """The exploitability alone, which takes two passes where payoffs have a fixed sum."""
        if self.plan.payoff_sum is None:
            return float(self.exploitability())
        return (sum(self.worth(p, Responding()) for p in range(2)) - self.plan.payoff_sum) / 2.0

    def exploitability(self) -> Exploitability:
        """Of the average strategy: in the units of the payoffs, and exact but for rounding."""
        total = self.plan.payoff_sum
        following = Following(self.tables.average)
        values = [self.worth(0, following)]
        values.append(self.worth(1, following) if total is None else total - values[0])
        return Exploitability(values, [self.worth(p, Responding()) for p in range(2)])

    # ---- what it has learned -----------------------------------------------------------------------------------------

    def values(self, player: int) -> Array:
        """What each of the player's hands is worth when both follow the average; not a number if it meets no other."""
        met = self.plan.met[player]
        worth = self.root_values(player, Following(self.tables.average)) / np.where(met > 0.0, met, np.nan)
        return worth[: len(self.plan.hands[player])]

    def strategy(self, node: int, cards: Sequence[int] = ()) -> tuple[Array, Array]:
        """At a decision of the public tree, after these cards of a spot: the hands, and for each the average strategy.

        The hands are numbers, and the strategy is by hand and action.
        """
        if not 0 <= node < len(self.plan.tree.player) or self.plan.tree.player[node] < 0:
            raise RuseError(f"nobody decides at node {node}; give one at which a player acts")
        place = int(np.flatnonzero(self.plan.forest.tree_node == node)[0])
        board, suits = located(self.plan.boards, cards) if self.plan.boards else (0, IDENTITY)
        player = int(self.plan.tree.player[node])
        block = int(np.searchsorted(self.plan.forest.block, place, side="right")) - 1
        if (block, board) not in self.plan.first_row:
            raise RuseError(f"{len(cards)} cards are not what is dealt before node {node}")
        hands = self.plan.boards[board].hands[player] if self.plan.boards else self.plan.hands[player]
        hands = exchanged_hands(suits)[hands] if suits != IDENTITY else hands
        return hands, self.average(place, board).T

    def rows(self, table: Array, n: int, board: int = 0) -> Array:
        """The rows of a node of the forest on a board, by action and hand."""
        forest, player = self.plan.forest, int(self.plan.forest.player[n])
        block = int(np.searchsorted(forest.block, n, side="right")) - 1
        width = int(self.plan.field.boards.width[player, board])
        start = self.plan.first_row[block, board][player] + int(forest.row[n]) * width
        rows = table[start : start + int(forest.actions[n]) * width].reshape(-1, width)
        return rows[:, : int(self.plan.field.boards.hands[player, board])]

    def average(self, n: int, board: int = 0) -> Array:
        """The average strategy at a node of the forest, by action and hand."""
        rows = np.maximum(self.rows(self.tables.average, n, board).astype(np.float64), 0.0)
        total = rows.sum(axis=0)
        return np.where(total > 0.0, rows / np.where(total > 0.0, total, 1.0), 1.0 / len(rows))

    def saved(self) -> dict[str, Array]:
        """What a checkpoint must hold."""
        found = {"regret": self.tables.regret, "average": self.tables.average}
        return found if self.tables.plays is self.tables.regret else {**found, "plays": self.tables.plays}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        refuse_unlike(arrays, self.saved())
        for name, array in arrays.items():
            getattr(self.tables, name)[:] = array
        if self.tables.then is not self.tables.plays:
            self.tables.then[:] = self.tables.plays


class Leans(NamedTuple):
    """A rule for hands one by one, and where it finds the reach of chance and the other."""

    rule: Any
    visited: Array  # [node of the forest]
