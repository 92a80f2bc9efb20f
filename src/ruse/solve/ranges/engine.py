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
from ruse.solve.ranges.crew import Crew
from ruse.solve.ranges.ends.removal import met_by
from ruse.solve.ranges.passes.iterations import Ahead, ByRegret, RangeTables, Rule, average_first, evaluate, iterate
from ruse.solve.ranges.passes.one_by_one import PlainByHand
from ruse.solve.ranges.passes.one_pass import BLOCK, BOARD, KIND, UP, Field, Work
from ruse.solve.ranges.passes.rows import Passing, RowsAnswered, RowsAveraged, RowsFollowed
from ruse.solve.ranges.plans.places import forest_place
from ruse.solve.ranges.plans.plan import RangePlan, as_type
from ruse.solve.ranges.public.boards import chance_of
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING
from ruse.solve.solver.traits import minimizer_traits
from ruse.store.restoring import refuse_unlike

Array = NDArray[Any]


def refuse_no_ranges(solver: Solver) -> None:
    """Raise unless a solver's iterations are of the full width, with nothing left out."""
    if solver.engine != "full_width":
        raise RuseError(f"ranges are walked whole: {solver.name} must have the full walk and no pruning")


class RangeEngine:
    """A solver at work on a plan. `leaning` has its preferences, if there are any (`preferred.py`)."""

    def __init__(
        self, plan: RangePlan, solver: Solver, *, dtype: Any = np.float32, threads: int = 1, planned: int = 0,
        leaning: "Leans | None" = None,
    ) -> None:  # fmt: skip
        refuse_no_ranges(solver)
        if solver.prefer is not None and leaning is None:
            raise RuseError("a plan without infosets knows no preferences; leave prefer out")
        self.plan, self.solver, self.dtype, self.planned = plan, solver, np.dtype(dtype), planned
        self.field: Field = as_type(plan.field, self.dtype)
        self.weights = plan.weights.astype(self.dtype)
        self.work: Work = plan.work(self.dtype)
        self.total = np.zeros((plan.gates + 1, self.work.gate_value.shape[1]), self.dtype)
        self.rule = self._rule(leaning)
        self.crew: Crew | None = None
        if threads > 1 and len(plan.cuts) > 3 and not self.rule.traits.is_alone:
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
        return Rule(*(leaning or Leans(PlainByHand(minimizer), nowhere)), buffer)

    def _tables(self) -> RangeTables:
        size, dtype = self.plan.size, self.dtype
        regret, average = np.zeros(size, dtype), np.zeros(size, dtype)
        plays = np.zeros(size, dtype) if self.rule.traits.keeps_strategy else regret
        return RangeTables(regret, average, plays, plays if self.solver.alternating else np.zeros(size, dtype))

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
        crew.whole_pass(self.weights, 0, RowsAveraged(tables.plays, tables.average, now[FADING], 1.0), up)
        waits = alternating and is_last
        fading = 1.0 if waits else self._weights(t + 1)[FADING] if alternating else now[FADING]
        crew.whole_pass(self.weights, 1, RowsAveraged(tables.plays, tables.average, fading, 1.0 - waits), up)
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
        return (sum(self.worth(p, RowsAnswered()) for p in range(2)) - self.plan.payoff_sum) / 2.0

    def exploitability(self) -> Exploitability:
        """Of the average strategy: in the units of the payoffs, and exact but for rounding."""
        total = self.plan.payoff_sum
        following = RowsFollowed(self.tables.average)
        values = [self.worth(0, following)]
        values.append(self.worth(1, following) if total is None else total - values[0])
        return Exploitability(values, [self.worth(p, RowsAnswered()) for p in range(2)])

    # ---- what it has learned -----------------------------------------------------------------------------------------

    def values(self, player: int) -> Array:
        """What each of the player's hands is worth when both follow the average; not a number if it meets no other."""
        met = self.plan.met[player]
        worth = self.root_values(player, RowsFollowed(self.tables.average)) / np.where(met > 0.0, met, np.nan)
        return worth[: len(self.plan.hands[player])]

    def strategy(self, node: int, cards: Sequence[int] = ()) -> tuple[Array, Array]:
        """At a decision of the public tree, after these cards of a spot: the hands, and for each the average strategy.

        The hands are numbers, and the strategy is by hand and action.
        """
        place = forest_place(self.plan, node, cards)
        player = int(self.plan.tree.player[node])
        if player < 0:
            raise RuseError(f"nobody decides at node {node}; give one at which a player acts")
        return place.hands(self.plan, player), self.average(place.node, place.board).T

    def values_at(self, node: int, player: int, cards: Sequence[int] = ()) -> tuple[Array, Array]:
        """The same for what each of a player's hands is worth there, if both follow the average; of spots only.

        Not a number where the hand can meet no other that comes there.
        """
        plan, place = self.plan, forest_place(self.plan, node, cards)
        steps = plan.field.steps
        is_up = (steps[:, KIND] == UP) & (steps[:, BLOCK] == place.block) & (steps[:, BOARD] == place.board)
        cuts = np.array([0, int(np.flatnonzero(is_up)[0]) + 1])  # up to where they are known
        up = RowsFollowed(self.tables.average)
        evaluate(self.field, self.work, self.weights, cuts, self.total, self.tables.average, up, player)
        both = [plan.boards[place.board].hands[p] for p in range(2)]
        at = int(plan.forest.value_at[place.node]), int(plan.forest.reach_at[player, place.node])
        value = self.work.value[at[0] : at[0] + len(both[player])].astype(np.float64)
        reach = self.work.reach[at[1] : at[1] + len(both[1 - player])].astype(np.float64)
        met = met_by(both[player], both[1 - player], reach)
        met *= chance_of(len(plan.boards[0].cards), len(plan.boards[place.board].cards))
        return place.hands(plan, player), value / np.where(met > 0.0, met, np.nan)

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

    def take_average(self, average: Array) -> None:
        """Put an average back, to be shown; what was learned besides is gone."""
        refuse_unlike({"average": average}, {"average": self.tables.average})
        for table in self.tables:
            table[:] = 0.0
        self.tables.average[:] = average


class Leans(NamedTuple):
    """A rule for hands one by one, and where it finds the reach of chance and the other."""

    rule: Any
    visited: Array  # [node of the forest]
