"""Where a training starts, other than from nothing: from another training's tables, or from a strategy.

ruse.train(game, ruse.cfr(), iterations=1_000, start=ruse.WarmStart(strategy))
"""

import math
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.protocol.game import Game
from ruse.protocol.view import View
from ruse.solve.full.engine import Tables, average_strategy, iterate, normalise
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.traits import StartTraits
from ruse.solve.start.learned import Infosets, Learned
from ruse.solve.start.warm_start import MOST, WARM, warm_tables, worth
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy
from ruse.training.terms.engine import Engine
from ruse.words.counts import count_of
from ruse.words.printable import shown

Renaming = Callable[[int], int | Iterable[int]]


class Start(Protocol):
    """Where a training starts. Its text is kept with the run, and must be the same when it is given again."""

    def begin(self, engine: Engine) -> dict[str, Any]:
        """Fill the engine's tables, and tell what was done."""


class LearnedFrom(Protocol):
    """What a copy asks of a training that is over, which a `Run` tells."""

    @property
    def game(self) -> Game: ...

    @property
    def solver(self) -> Solver: ...

    @property
    def iterations(self) -> int: ...

    @property
    def engine(self) -> Engine: ...

    @property
    def strategy(self) -> Strategy: ...


class Copied(NamedTuple):
    """Another training's regret and average sums, for infosets of the same key (the curriculum of Ordered Abstraction).

    It looks good at once and may hold the new training back for long: see docs/warm-start.md.
    """

    source: LearnedFrom | Learned
    # What the new game's infosets are called in the source: a view of the new game that gives the source's keys, or a
    # function from a key of the source to the new key, or to all the new ones. None: by the source's own view.
    mapping: View | Renaming | None = None
    factor: float = 1.0  # regret and average are multiplied by it: less than 1 lets the new training move sooner

    def __repr__(self) -> str:
        mapping = getattr(self.mapping, "__qualname__", repr(self.mapping))  # a function's address is no name
        return f"Copied({_told(self.source)}, mapping={mapping}, factor={self.factor})"

    @property
    def traits(self) -> StartTraits:
        return StartTraits("a copy", copies=True)

    def begin(self, engine: Engine) -> dict[str, Any]:
        factor = above_zero("the factor of a copy", self.factor)
        must_fit(Setup(engine.solver, start=self.traits))
        learned, naming = _learned(self.source)
        if self.mapping is not None and not hasattr(self.mapping, "key"):
            learned, naming = learned.renamed(self.mapping), None
        elif self.mapping is not None:
            naming = self.mapping
        learned, told = taught(engine, learned, naming)
        begin_with(engine, learned.scaled(factor))
        return {"from": repr(self), **told}


class Leaning(NamedTuple):
    """A lean towards a strategy: regret of `weight` times its probabilities, and no average (a heuristic).

    Regret matching plays the strategy at first, and leaves it as soon as regret of that size says so. The weight is in
    units of payoff: about what sampling adds to an infoset's regret in the iterations that the strategy is worth.
    """

    strategy: Strategy
    weight: float = 1.0

    def __repr__(self) -> str:
        return f"Leaning({self.strategy!r}, weight={self.weight})"

    def begin(self, engine: Engine) -> dict[str, Any]:
        weight = above_zero("the weight of a lean", self.weight)
        learned, told = taught(engine, _as_learned("a lean", self.strategy, weight), self.strategy.view)
        begin_with(engine, learned)
        return {"from": repr(self), **told}


class WarmStart(NamedTuple):
    """The tables that CFR would have after so many iterations with this average strategy (Brown and Sandholm 2016).

    For two players whose payoffs cancel, the full-width engine, and plain CFR. The strategy may be another game's, if
    infosets have the same keys; where it knows nothing it is uniform.
    """

    strategy: Strategy
    iterations: int | None = None  # None: as many as CFR needs to be as good in this game
    scratch: int = 10  # iterations of CFR from nothing that show how many that are

    def __repr__(self) -> str:
        return f"WarmStart({self.strategy!r}, iterations={self.iterations}, scratch={self.scratch})"

    @property
    def traits(self) -> StartTraits:
        return WARM

    def begin(self, engine: Engine) -> dict[str, Any]:
        must_fit(Setup(engine.solver, start=self.traits))
        scratch = count_of("scratch of a warm start", self.scratch, least=1)
        planned = None if self.iterations is None else count_of("iterations of a warm start", self.iterations, least=1)
        expanded = engine.expanded
        assert expanded is not None
        learned, told = taught(engine, _as_learned("a warm start", self.strategy, 1.0), self.strategy.view)
        sigma = np.ones(expanded.form.num_sequences)
        normalise(expanded.form, learned.on(expanded)[0], sigma)  # uniform where nothing is known
        measured = float(exploitability_of(expanded.form, sigma))

        def choose(most: int) -> int:
            return max(1, min(round(min(worth(scratch_curve(engine, scratch), measured), MOST)), most))

        tables = warm_tables(expanded, sigma, choose if planned is None else planned)
        engine.begin(Learned.of(expanded, tables.regret, tables.average))
        found = {"iterations": tables.iterations, "lambda": tables.factor, "exploitability": measured}
        return {"from": repr(self), **told, **found}


def scratch_curve(engine: Any, iterations: int) -> list[float]:
    """The exploitability after each of the solver's first iterations from nothing, on the engine's own infosets."""
    form, tables, curve = engine.form, Tables.start(engine.form), []
    for done in range(iterations):
        iterate(engine.solver, form, tables, done, 1, 0)
        curve.append(float(exploitability_of(form, average_strategy(form, tables))))
    return curve


def taught(engine: Engine, learned: Learned, naming: View | None) -> tuple[Learned, dict[str, Any]]:
    """What is known about the engine's infosets, under its keys, and how many those are."""
    infosets: Infosets | None = engine.infosets(naming)
    if infosets is None:  # too large to look at them beforehand: the walk refuses what does not fit
        return learned, {"copied": len(learned.keys), "unseen": None, "misfit": None}
    found, match = learned.for_infosets(infosets)
    return found, match._asdict()


def begin_with(engine: Engine, learned: Learned) -> None:
    """Begin an engine with tables, if it can go on adding to such numbers."""
    learned.refuse_faulty("no training can begin from this", np.float32 if engine.solver.samples else np.float64)
    engine.begin(learned)


def refuse_other_start(directory: RunDirectory, start: Start | None) -> None:
    """Raise unless a run is given the start that it was made for. Once that is in a checkpoint none is needed."""
    asked, given = directory.settings.get("start"), None if start is None else repr(start)
    if asked == given or (given is None and directory.newest_checkpoint() is not None):
        return
    raise RuseError(f"{directory.path} was made to start from {asked or 'nothing'}, not from {given or 'nothing'}")


def above_zero(what: str, value: Any) -> float:
    """The number, if tables can be multiplied by it."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        number = math.inf
    if not (number > 0.0 and math.isfinite(number)):
        raise RuseError(f"{what} must be above 0, got {value if isinstance(value, str) else shown(value)}")
    return number


def _as_learned(start: str, strategy: Any, weight: float) -> Learned:
    """A strategy as tables; one that a program has made may be none, and a training would begin from whatever it is."""
    if not isinstance(strategy, Strategy):
        raise RuseError(f"{start} is from a strategy, such as run.strategy, not from {shown(strategy, 80)}")
    strategy.refuse_unplayable(f"the strategy of {start}")
    return Learned(
        strategy.keys, strategy.start, weight * strategy.probability, np.zeros(len(strategy.probability))
    )  # fmt: skip


def _learned(source: LearnedFrom | Learned) -> tuple[Learned, View | None]:
    """The tables of a training, and the view under which it has them."""
    if isinstance(source, Learned):
        source.refuse_faulty("a copy cannot be made of what was learned")
        return source, None
    if not hasattr(source, "engine"):
        raise RuseError(f"a copy is made from a run or from what it has learned, not from {source!r}")
    return source.engine.learned(source.iterations), source.strategy.view


def _told(source: LearnedFrom | Learned) -> str:
    """A source in words that do not depend on when it was made."""
    if isinstance(source, Learned) or not hasattr(source, "engine"):
        return repr(source)
    return f"{source.game!r} after {source.iterations:,} iterations of {source.solver.name}"
