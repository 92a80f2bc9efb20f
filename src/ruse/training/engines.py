"""What training drives: an engine that iterates, can be saved, and can tell how good its strategy is."""

import math
import time
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.evaluate.price import Price, price_of
from ruse.laws.peeking import refuse_peeking
from ruse.protocol.choices import Offering, Own
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.solve.prefer.favour import form_of
from ruse.solve.prefer.preferred import Preferred, preferred
from ruse.solve.prefer.rows import PreferredRows, preferred_rows
from ruse.solve.pruned.engine import average_strategy as pruned_average
from ruse.solve.pruned.engine import brought_back
from ruse.solve.pruned.engine import iterate as iterate_pruned
from ruse.solve.pruned.start import begun as begun_pruned
from ruse.solve.pruned.tables import CHECKED, SCALE, VISITED, PrunedTables
from ruse.solve.sampled.collisions import KeyBook
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.traits import StartTraits
from ruse.solve.start.learned import Infosets, Learned, begun, is_alike_where_merged
from ruse.strategy import Strategy
from ruse.training.teachers import Teachers
from ruse.tree.expanded import Expanded
from ruse.tree.histories import trees
from ruse.tree.size import TooLarge, size
from ruse.words.amounts import in_bytes
from ruse.words.naming import named

JUDGED = 0.5  # of the memory that is allowed, for the game on which a sampled strategy is judged
OFFERS = "it is not measured under a view with actions of its own"
MEASURED = 3_000_000  # histories up to which a sampled strategy is judged exactly
NAMED = 100_000_000  # histories up to which a sampled game is walked to find what its infosets are called elsewhere


class Engine(Protocol):
    """A solver at work on one game."""

    growth: float  # exploitability is measured each time that iterations have grown by this factor
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

    def exploitability(self) -> Exploitability:
        """Of the average strategy, in the whole game; not a number if that is too large to walk."""

    def price(self, measured: Exploitability) -> Price | None:
        """What the style costs, given the exploitability; None without one, or if it cannot be measured."""

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        """The average strategy."""

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


def engine_for(
    game: Game, solver: Solver, *, seed: int, planned: int, view: View | None, memory: int | None, merging: bool,
    threads: int | None = None, shared: bool = False, debug_keys: bool = False, against: Teachers | None = None,
) -> Engine:  # fmt: skip
    """The engine that the solver's walk asks for."""
    must_fit(Setup(
        solver, game=game, view=view, threads=threads, shared=shared, debug_keys=debug_keys, against=against
    ))  # fmt: skip
    refuse_peeking(game, view)
    if not solver.samples:
        kind = FullWidthEngine if solver.pruning is None else PrunedEngine
        return kind(game, solver, planned=planned, view=view, memory=memory, merging=merging)
    return SamplingEngine(
        game, solver, seed=seed, view=view, memory=memory, threads=threads, shared=shared,
        debug_keys=debug_keys, against=against,
    )  # fmt: skip


class FullWidthEngine:
    """Every history, every iteration."""

    growth = 1.05
    is_judged, unjudged = True, ""

    def __init__(
        self, game: Game, solver: Solver, *, planned: int, view: View | None, memory: int | None, merging: bool
    ) -> None:
        self.game, self.solver, self.planned, self.memory = game, solver, planned, memory
        self.prefer = preferring(solver.prefer)
        self.preferred = None if self.prefer is None else preferred(game, view, self.prefer.rules)
        self.rows: PreferredRows | None = None
        self._take(Expanded.of(game, view, memory=memory, merging=merging))
        must_fit(Setup(solver, game=game, view=view, form=self.form))

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

    def exploitability(self) -> Exploitability:
        if self.whole is self.expanded:
            return exploitability_of(self.form, average_strategy(self.form, self.tables))
        return exploitability_of(self.whole.form, self.strategy({}).on(self.whole))

    def price(self, measured: Exploitability) -> Price | None:
        if self.preferred is None:
            return None
        return price_of(self.whole, self.strategy({}).on(self.whole), self.preferred, self.expanded.view, measured)

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return Strategy.of(self.expanded, self.expanded.unmerged(average_strategy(self.form, self.tables)), about)

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
        iterate_pruned(self.solver, self.trees, PrunedTables.start(self.trees, self.solver), 0, 1, self.planned)
        self.exploitability()

    def run(self, done: int, iterations: int) -> None:
        iterate_pruned(self.solver, self.trees, self.pruned, done, iterations, self.planned)
        self.given_back = self.pruned.give_back()

    def exploitability(self) -> Exploitability:
        if self.whole is self.expanded:
            return exploitability_of(self.form, pruned_average(self.trees, self.pruned))
        return exploitability_of(self.whole.form, self.strategy({}).on(self.whole))

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return Strategy.of(self.expanded, pruned_average(self.trees, self.pruned)[self.trees.renamed], about)

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
        self.pruned = begun_pruned(self.solver, self.trees, regret, average)

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


def whole_game(game: Game, beside: Expanded, memory: int | None) -> Expanded:
    """The game without a view, in what another one leaves of the memory."""
    return Expanded.of(game, memory=None if memory is None else max(0, memory - beside.size.bytes))


def judged_on(game: Game, memory: int | None) -> tuple[Expanded | None, str]:
    """The game as a whole, on which a sampled strategy is judged; or why it is not."""
    measured = size(game, limit=MEASURED)
    if not measured.is_exact:
        return None, "the game is too large"
    if memory is not None and measured.bytes > memory * JUDGED:
        return None, f"that takes {measured.memory}, and no more than half of the {in_bytes(memory)} allowed is for it"
    try:
        return Expanded.of(game), ""
    except TooLarge:
        return None, f"that takes {measured.memory}, more than is free"


class SamplingEngine:
    """A sampled walk into a table that grows. It is judged exactly if the game is small enough to be walked whole."""

    growth = 1.25

    def __init__(
        self, game: Game, solver: Solver, *, seed: int, view: View | None, memory: int | None,
        threads: int | None, shared: bool = False, debug_keys: bool = False, against: Teachers | None = None,
    ) -> None:  # fmt: skip
        from ruse.solve.sampled.engine import SampledEngine

        walked: tuple[Game, View | None] = (game, view) if against is None else (against.facing(game, view), Own())
        self.whole, self.unjudged = (None, OFFERS) if isinstance(view, Offering) else judged_on(game, memory)
        # What the judge takes, the table cannot have.
        left = memory if memory is None or self.whole is None else memory - self.whole.size.bytes

        def make() -> SampledEngine:
            return SampledEngine(
                walked[0], solver, view=walked[1], seed=seed, memory=left, threads=threads, shared=shared
            )

        self.game, self.solver, self.make, self.engine, self.against = game, solver, make, make(), against
        self.expanded = None
        self.view, self.preferred = view or Full(), self.engine.preferred
        self.book = KeyBook(game, self.view, seed=seed) if debug_keys else None
        self.is_judged = self.whole is not None

    def warm_up(self) -> None:
        self.make().run(0, 1)
        self.exploitability()

    def run(self, done: int, iterations: int) -> None:
        began = time.perf_counter()
        self.engine.run(done, iterations)
        if self.against is not None:
            walked: Any = self.engine.walked[0]
            walked.refuse_strange()
        if self.book is not None:
            self.book.play(seconds=time.perf_counter() - began)

    def round_size(self, done: int) -> int | None:
        return self.engine.round_size(done)

    def exploitability(self) -> Exploitability:
        if self.whole is None:
            return Exploitability([math.nan] * self.game.players, [math.nan] * self.game.players)
        return exploitability_of(self.whole.form, self.strategy({}).on(self.whole))

    def price(self, measured: Exploitability) -> Price | None:
        if self.preferred is None or self.whole is None:
            return None
        return price_of(self.whole, self.strategy({}).on(self.whole), self.preferred, self.view, measured)

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return Strategy(self.game, *self.engine.rows(), view=self.view, about={**about, **self._taught})

    def saved(self) -> dict[str, np.ndarray]:
        return self.engine.saved()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.engine.restore(dict(arrays))

    def learned(self, done: int) -> Learned:
        return Learned.of_table(self.engine.whole_table(done), self.engine.clock, done)

    def infosets(self, naming: View | None) -> Infosets | None:
        naming = naming or self.view
        if found := Infosets.met(self.game, self.view, naming, limit=MEASURED):
            return found
        if _is_same(naming, self.view):
            return None
        if found := Infosets.met(self.game, self.view, naming, limit=NAMED):
            return found
        raise RuseError(
            f"{named(self.game)} is too large to be walked for the names that {naming!r} gives to its infosets; "
            f"give a function from old keys to new ones"
        )

    def begin(self, learned: Learned) -> None:
        must_fit(Setup(self.solver, start=StartTraits()))
        self.engine.table = learned.into(self.engine.table, self.engine.memory)

    def facts(self) -> dict[str, Any]:
        facts = self.engine.facts
        return {"walk": str(self.engine.solver.walk), **facts._asdict(), **self.engine.pruned, **self._taught}

    @property
    def _taught(self) -> dict[str, Any]:
        return {} if self.against is None else {"against": self.against.as_dict()}


def _is_same(one: View, other: View) -> bool:
    """Whether two views give the same keys, as far as can be told; one that holds arrays is the same as itself only."""
    try:
        return one is other or (type(one) is type(other) and hash(one) == hash(other) and one == other)
    except TypeError:
        return False
