"""The full-width engine at work on one game: every history, every iteration."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.evaluate.price import Price, price_of
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.solve.prefer.favour import form_of
from ruse.solve.prefer.preferred import preferred
from ruse.solve.prefer.rows import PreferredRows, preferred_rows
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver
from ruse.solve.start.learned import Infosets, Learned, begun, is_alike_where_merged
from ruse.strategy import Strategy
from ruse.training.jobs.job import Job
from ruse.training.terms.stops import next_check
from ruse.tree.expanded import Expanded
from ruse.words.naming import named

GROWTH = 1.05  # of iterations from one check to the next


class FullWidthEngine:
    """Every history, every iteration."""

    is_judged, unjudged = True, ""

    def __init__(self, job: Job) -> None:
        self.game, self.solver, self.planned, self.memory = job.game, job.solver, job.planned or 0, job.memory
        game, view = job.game, job.view
        self.prefer = preferring(self.solver.prefer)
        self.preferred = None if self.prefer is None else preferred(game, view, self.prefer.rules)
        self.rows: PreferredRows | None = None
        self._take(Expanded.of(game, view, memory=job.memory, merging=job.merging))
        job.refuse_unfit(self.form)

    def _take(self, expanded: Expanded) -> None:
        if self.preferred is not None and self.prefer is not None:
            form = form_of(self.prefer, self.solver.minimizer)
            expanded, self.rows = preferred_rows(expanded, self.preferred, self.solver.minimizer, form)
        self.expanded, self.form = expanded, expanded.merged
        self.tables = Tables.start(self.form)
        # A view that forgets is trained on its own infosets, but judged in the whole game.
        self.whole = expanded if isinstance(expanded.view, Full) else whole_game(self.game, expanded, self.memory)

    def _unmerge(self) -> None:
        self._take(Expanded.of(self.game, self.expanded.view, memory=self.memory, merging=False))

    def at_work(self, tables: Tables) -> Solver:
        """The solver with its preferences, on these tables."""
        if self.rows is None:
            return self.solver
        return self.solver._replace(minimizer=self.rows.on(tables), prefer=None)

    def warm_up(self) -> None:
        tables = Tables.start(self.form)
        iterate(self.at_work(tables), self.form, tables, 0, 1, self.planned)
        self.exploitability()

    def run(self, done: int, iterations: int) -> None:
        iterate(self.at_work(self.tables), self.form, self.tables, done, iterations, self.planned)

    def round_size(self, done: int) -> int | None:
        return None

    def next_check(self, done: int, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        return next_check(done, None, GROWTH)

    def exploitability(self) -> Exploitability:
        if self.whole is self.expanded:
            return exploitability_of(self.form, average_strategy(self.form, self.tables))
        return exploitability_of(self.whole.form, self.strategy({}).on(self.whole))

    def price(self, measured: Exploitability) -> Price | None:
        if self.preferred is None:
            return None
        own = self.whole is self.expanded
        average = self._average() if own else self.strategy({}).on(self.whole)
        return price_of(self.whole, average, self.preferred, self.expanded.view, measured)

    def _average(self) -> np.ndarray:
        return self.expanded.unmerged(average_strategy(self.form, self.tables))

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return Strategy.of(self.expanded, self._average(), about)

    def current(self, done: int, about: Mapping[str, Any]) -> Strategy:
        return Strategy.of(self.expanded, self.expanded.unmerged(self.tables.sigma), about)

    def saved(self) -> dict[str, np.ndarray]:
        return self.tables.saved()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        held = np.size(arrays.get("regret", ()))
        if held == self.expanded.form.num_sequences != self.form.num_sequences:
            self._unmerge()  # as it was by `begin`
        if held != self.form.num_sequences:
            raise RuseError(f"the checkpoint does not fit {named(self.game)} any more: start a new run")
        self.tables = Tables.restored(self.form, dict(arrays))

    def learned(self, done: int) -> Learned:
        unmerged = self.expanded.unmerged
        return Learned.of(self.expanded, unmerged(self.tables.regret), unmerged(self.tables.average))

    def infosets(self, naming: View | None) -> Infosets | None:
        return Infosets.of(self.expanded, naming or self.expanded.view)

    def begin(self, learned: Learned) -> None:
        tables = learned.on(self.expanded)
        # Merged infosets are those that CFR cannot tell apart if they start alike.
        if not all(is_alike_where_merged(self.expanded, table) for table in tables):
            self._unmerge()
        regret, average = np.zeros(self.form.num_sequences), np.zeros(self.form.num_sequences)
        regret[self.expanded.renamed], average[self.expanded.renamed] = tables
        self.tables = begun(self.at_work(self.tables), self.form, regret, average)

    def take_regret(self, other: "FullWidthEngine", factor: float) -> bool:
        """Start from so much of another training's regret, and no average; whether its infosets are the same."""
        same = other.form.num_sequences == self.form.num_sequences and np.array_equal(
            other.expanded.renamed, self.expanded.renamed
        )
        if same:
            regret, average = factor * other.tables.regret, np.zeros(self.form.num_sequences)
            self.tables = begun(self.at_work(self.tables), self.form, regret, average)
        return same

    def facts(self) -> dict[str, Any]:
        return {
            "walk": "full",
            "infosets": len(self.expanded.form.parent),
            "infosets_merged": len(self.form.parent),
            "leaves": int(self.expanded.size.leaves),
        }


def whole_game(game: Game, beside: Expanded, memory: int | None) -> Expanded:
    """The game without a view, in what another one leaves of the memory."""
    return Expanded.of(game, memory=None if memory is None else max(0, memory - beside.size.bytes))
