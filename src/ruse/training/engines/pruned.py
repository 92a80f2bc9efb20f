"""The full-width engine with pruning at work on one game: every history that is not pruned."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.protocol.view import Full
from ruse.solve.pruned.engine import average_strategy, brought_back, iterate
from ruse.solve.pruned.start import begun
from ruse.solve.pruned.tables import CHECKED, SCALE, VISITED, PrunedTables
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.start.learned import Learned, is_alike_where_merged
from ruse.strategy import Strategy
from ruse.training.engines.current import played_by
from ruse.training.engines.full_width import FullWidthEngine, whole_game
from ruse.tree.expanded import Expanded
from ruse.tree.histories import trees
from ruse.words.naming import named


class PrunedEngine(FullWidthEngine):
    """Every history that is not pruned, on decision trees in preorder."""

    def _take(self, expanded: Expanded) -> None:
        must_fit(Setup(self.solver, game=self.game, form=expanded.form))
        self.expanded, self.trees = expanded, trees(expanded, memory=self.memory)
        self.form = self.trees.form
        self.pruned = PrunedTables.start(self.trees, self.solver)
        self.given_back = 0
        self.whole = expanded if isinstance(expanded.view, Full) else whole_game(self.game, expanded, self.memory)

    def warm_up(self) -> None:
        iterate(self.solver, self.trees, PrunedTables.start(self.trees, self.solver), 0, 1, self.planned)
        self.exploitability()

    def run(self, done: int, iterations: int) -> None:
        iterate(self.solver, self.trees, self.pruned, done, iterations, self.planned)
        self.given_back = self.pruned.give_back()

    def exploitability(self) -> Exploitability:
        if self.whole is self.expanded:
            return exploitability_of(self.form, average_strategy(self.trees, self.pruned))
        return exploitability_of(self.whole.form, self.strategy({}).on(self.whole))

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return Strategy.of(self.expanded, average_strategy(self.trees, self.pruned)[self.trees.renamed], about)

    def current(self, done: int, about: Mapping[str, Any]) -> Strategy:
        return played_by(self.learned(done), self.solver, self.strategy(about))

    def saved(self) -> dict[str, np.ndarray]:
        return self.pruned.saved()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        held = np.size(arrays.get("regret", ()))
        if held == self.expanded.form.num_sequences != self.form.num_sequences:
            self._unmerge()
        if held != self.form.num_sequences:
            raise RuseError(f"the checkpoint does not fit {named(self.game)} any more: start a new run")
        self.pruned = PrunedTables.restored(self.trees, self.solver, dict(arrays))

    def learned(self, done: int) -> Learned:
        tables = brought_back(self.solver, self.trees, self.pruned)
        regret, average = tables.regret, tables.average / tables.clock[SCALE]
        return Learned.of(self.expanded, regret[self.trees.renamed], average[self.trees.renamed])

    def begin(self, learned: Learned) -> None:
        tables = learned.on(self.expanded)
        if not all(is_alike_where_merged(self.expanded, table) for table in tables):
            self._unmerge()
        regret, average = np.zeros(self.form.num_sequences), np.zeros(self.form.num_sequences)
        regret[self.trees.renamed], average[self.trees.renamed] = tables
        self.pruned = begun(self.solver, self.trees, regret, average)

    def facts(self) -> dict[str, Any]:
        return super().facts() | {
            "walk": str(self.solver.walk),
            "nodes": int(self.pruned.nodes),
            "visited": int(self.pruned.touched[VISITED]),
            "checked": int(self.pruned.touched[CHECKED]),
            "bytes": self.trees.bytes + self.pruned.bytes - self.given_back,
            "pruned": self.pruned.share_pruned,
            "regret_entries": self.form.num_sequences - self.form.players,
            "regret_live": self.form.num_sequences - self.form.players - int(self.pruned.dead.sum()),
            "given_back": self.given_back,
        }
