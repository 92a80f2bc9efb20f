"""Curricula: a row of games, each of which starts from what was learned in the one before (Ordered Abstraction).

    games = [ruse.Cheat(hp=n) for n in (1, 2, 3, 4)]
    runs = ruse.curriculum(
        games, ruse.mccfr("chance"), view=Memoryless(), transfer=ruse.Copying(), until=ruse.Iterations(100)
    )
    runs[-1].strategy  # of the last game; run.start says what it took over

Nothing here is imported before it is needed, because `ruse.curriculum` itself is not (see ruse/__init__.py).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypedDict, Unpack

from ruse.compile.seeds import next_seed, seed_of
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.solve.solver.traits import StartTraits
from ruse.words.printable import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from ruse.protocol.view import View
    from ruse.solve.solver.presets import Solver
    from ruse.store.runs import RunDirectory
    from ruse.strategy import Strategy
    from ruse.training.jobs.job import Job
    from ruse.training.progress import Progress, Run
    from ruse.training.terms.engine import Engine
    from ruse.training.terms.starts import Renaming, Start
    from ruse.training.terms.stops import Until

    Naming: TypeAlias = View | Renaming  # what infosets are called in the run before, as `Copied` takes it
    Mapping: TypeAlias = View | Callable[[Game, Game], Naming | None]


# ---- what is handed on -----------------------------------------------------------------------------------------------


class Transfer(Protocol):
    """What a lesson takes over from the one before."""

    @property
    def traits(self) -> StartTraits | None:
        """What kind of start it is; None if it is none."""

    def start(self, before: "Run", mapping: "Naming | None", view: "View | None") -> "Start | None":
        """Where to start, given the run before, what infosets are called there, and the lesson's own view."""


class Nothing(NamedTuple):
    """Every game from nothing, to compare with."""

    @property
    def traits(self) -> StartTraits | None:
        return None

    def start(self, before: "Run", mapping: "Naming | None", view: "View | None") -> "Start | None":
        return None


class Copying(NamedTuple):
    """Regret and average sums, as the paper does; see `Copied`."""

    factor: float = 1.0

    @property
    def traits(self) -> StartTraits | None:
        return StartTraits("Copying", copies=True)

    def start(self, before: "Run", mapping: "Naming | None", view: "View | None") -> "Start | None":
        from ruse.training.terms.starts import Copied

        return Copied(before, mapping, self.factor)


class Warming(NamedTuple):
    """The average strategy, for as many iterations as it is worth in the new game; see `WarmStart`. Full width only."""

    iterations: int | None = None
    scratch: int = 10

    @property
    def traits(self) -> StartTraits | None:
        return StartTraits("Warming", warms=True, instead="use Copying, or Tilting")

    def start(self, before: "Run", mapping: "Naming | None", view: "View | None") -> "Start | None":
        from ruse.training.terms.starts import WarmStart

        return Named(WarmStart(renamed(before.strategy, mapping, view), self.iterations, self.scratch), mapping)


class Tilting(NamedTuple):
    """A lean towards the average strategy, mostly for sampling; see `Leaning`."""

    weight: float = 1.0

    @property
    def traits(self) -> StartTraits | None:
        return StartTraits("Tilting")

    def start(self, before: "Run", mapping: "Naming | None", view: "View | None") -> "Start | None":
        from ruse.training.terms.starts import Leaning

        return Named(Leaning(renamed(before.strategy, mapping, view), self.weight), mapping)


class Named(NamedTuple):
    """A start from a strategy, whose text does not say by itself how infosets were mapped."""

    of: "Start"
    mapping: "Naming | None"

    def __repr__(self) -> str:
        mapping = getattr(self.mapping, "__qualname__", repr(self.mapping))  # a function's address is no name
        return repr(self.of) if self.mapping is None else f"{self.of!r}, mapping={mapping}"

    def begin(self, engine: "Engine") -> dict[str, Any]:
        return self.of.begin(engine) | {"from": repr(self)}


def renamed(strategy: "Strategy", mapping: "Naming | None", view: "View | None") -> "Strategy":
    """The strategy for a game whose infosets the mapping leads back to its own; `view` is the new game's."""
    from ruse.solve.start.learned import Learned
    from ruse.strategy import Strategy

    keys, start, probability = strategy.keys, strategy.start, strategy.probability
    if mapping is None:
        view = strategy.view
    elif hasattr(mapping, "key"):
        view = mapping
    else:
        keys, start, probability, _ = Learned(keys, start, probability, probability).renamed(mapping)
    return Strategy(strategy.game, keys, start, probability, view=view, about=strategy.about)


# ---- the lessons -----------------------------------------------------------------------------------------------------


class Lesson(NamedTuple):
    """A game, and what is to be otherwise for it than for the whole curriculum."""

    game: Game | str
    solver: "Solver | str | None" = None
    until: "Until | None" = None
    transfer: Transfer | None = None
    view: "View | str | None" = None
    mapping: "Mapping | None" = None
    seed: int | None = None


class Plan(NamedTuple):
    """A lesson with nothing left open."""

    game: Game
    solver: "Solver"
    until: "Until"
    transfer: Transfer
    view: "View | None"
    mapping: "Mapping | None"
    seed: int

    def start(self, before: "Run") -> "Start | None":
        mapping: Any = self.mapping
        if mapping is not None and not hasattr(mapping, "key"):
            mapping = mapping(before.game, self.game)
        return self.transfer.start(before, mapping, self.view)


class Common(TypedDict, total=False):
    """What may be the same for all lessons, as a `Job` has it; and the mapping from each to the one before."""

    view: "View | None"
    mapping: "Mapping | None"
    seed: int
    memory: int | None
    threads: int | None


def curriculum(
    lessons: "Sequence[Game | str | Lesson]", solver: "Solver | str", *, until: "Until", transfer: Transfer,
    runs: str | Path | None = None, watch: "Callable[[Progress], None] | None" = None,
    checkpoint_seconds: float = 30.0, **common: Unpack[Common],
) -> "list[Run]":  # fmt: skip
    """Train one game after the other, from what was learned before; the runs in order, the last of them the final one.

    A view, a mapping, a seed, memory and threads may be given for all lessons. The mapping is a view of a game that
    gives the keys of the one before, or a function of the two games that gives one, or what else `Copied` takes;
    without one, infosets are found by the view of the one before. Lesson n has the seed `seed + n`, counted from 0:
    with the same numbers it would meet the same cards again.

    `runs` is a folder for these runs and no others. Lessons that are finished there are not run again, and the one that
    was interrupted goes on. Ctrl-C ends the curriculum at the lesson that it interrupts, which is not finished then.
    """
    from ruse.catalog.given import as_solver
    from ruse.training.jobs.job import Job
    from ruse.training.training import Training

    solver = as_solver(solver)
    given = {"view": None, "mapping": None, "seed": 0, "memory": None, "threads": None} | common
    same = {"solver": solver, "until": until, "transfer": transfer, "view": given["view"], "mapping": given["mapping"]}
    plans = plans_of(lessons, same, given["seed"])
    done: list[Run] = []
    for number, plan in enumerate(plans):
        start = plan.start(done[-1]) if done else None
        job = Job(
            plan.game, plan.solver, plan.view, plan.seed, iterations=plan.until.iterations,
            until=plan.until if plan.until.measure is not None else None, start=start, memory=given["memory"],
            threads=given["threads"],
        )  # fmt: skip
        directory = None if runs is None else directory_of(Path(runs), number, job)
        done.append(Training(job, directory, checkpoint_seconds=checkpoint_seconds).complete(watch))
        if not done[-1].is_finished:
            break
    return done


def plans_of(lessons: "Sequence[Game | str | Lesson]", common: dict[str, Any], seed: int) -> list[Plan]:
    """All that is to be done. What cannot work is told before the first lesson, not after it."""
    from ruse.solve.solver.fits import Setup, must_fit
    from ruse.training.jobs.worded import said

    if isinstance(lessons, str) or not isinstance(lessons, Iterable):
        raise RuseError(f"lessons are a list of games, or of ruse.Lesson, not {shown(lessons)}")
    plans = []
    for number, lesson in enumerate(lessons):
        own = lesson if isinstance(lesson, Lesson) else Lesson(lesson)
        own = Lesson(**said(own._asdict()))
        given = {name: value for name, value in own._asdict().items() if value is not None}
        plan = Plan(**common | {"seed": next_seed(seed_of(seed), number)} | given)
        if not hasattr(plan.game, "apply") or isinstance(plan.game, type):
            raise RuseError(f"a lesson is a game or a ruse.Lesson, not {lesson!r}")
        try:
            plan.game.start()
        except ValueError as error:  # bad fields
            raise RuseError(str(error)) from error
        kinds = (("until", "is_reached", "Iterations(100)"), ("transfer", "traits", "Copying()"))
        for name, needed, example in kinds:
            if isinstance(getattr(plan, name), type) or not hasattr(getattr(plan, name), needed):
                raise RuseError(f"{name} must be such as ruse.{example}, not {getattr(plan, name)!r}")
        plan.until.is_reached([])
        if number > 0:
            must_fit(Setup(plan.solver, start=plan.transfer.traits))
        plans.append(plan)
    if not plans:
        raise RuseError("a curriculum needs at least one game")
    return plans


COMPARED = ("iterations", "until", "seed", "view", "threads", "start", "game", "solver")  # settings of two runs


def directory_of(root: Path, number: int, job: "Job") -> "RunDirectory":
    """The run of this lesson in the folder, where runs are in the order of the lessons; a new one if there is none."""
    from ruse.store.runs import RunDirectory, list_runs
    from ruse.training.jobs.kept import keep, settings_of

    kept = list_runs(root)
    if number >= len(kept):
        return keep(root, job)
    directory = RunDirectory.open(kept[number].path)
    asked = settings_of(job) | {"game": repr(job.game)}
    found = directory.settings | {"game": directory.settings.get("game_repr")}
    for name in COMPARED:
        if (value := asked[name]) != found.get(name):
            raise RuseError(
                f"{directory.path} is not of this curriculum: lesson {number + 1} has {name} {value}, not "
                f"{found.get(name)}; give another folder for the runs"
            )
    return directory
