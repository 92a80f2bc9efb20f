"""What is asked for, as one value that `fits.py` looks at."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ruse.protocol.game import declared
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.prefer import Prefer, preferring
from ruse.solve.solver.rules import Weights
from ruse.solve.solver.traits import (
    HORIZON,
    BackendTraits,
    MinimizerTraits,
    PruningTraits,
    StartTraits,
    WalkTraits,
    engine_kind,
    minimizer_traits,
    own_engine,
    pruning_traits,
    walk_traits,
)
from ruse.solve.solver.walks import walks_that
from ruse.words.naming import named

if TYPE_CHECKING:
    from ruse.solve.solver.presets import Solver

MOST_THREADS = 1 << 16  # more than any machine can use
NO_PRUNING = PruningTraits(samples=True, leaves_out=False, counts_all=False)


NOTHING = Noticed()


def listed(names: Sequence[str]) -> str:
    """As a sentence says them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@dataclass(frozen=True)
class Setup:
    """What is asked for, as far as it is known yet. Nothing is asked of what is not."""

    solver: "Solver | None" = None
    pruning: Any = None  # if it is not yet the solver's
    _: KW_ONLY
    start: StartTraits | None = None
    against: Any = None
    shares: Sequence[float] | None = None
    threads: int | None = None
    shared: bool = False
    debug_keys: bool = False
    backend: BackendTraits | None = None
    game: Any = None
    view: Any = None
    form: Any = None  # the game in sequence form
    constant_sum: bool | None = None  # what players get together is always the same
    limits: Any = None  # when to stop
    unjudged: str = ""  # why exploitability cannot be measured
    exact: bool = False  # a linear program,
    unused: tuple[str, ...] = ()  # and what was asked of it, or of a run, that it does not have
    adapts: bool = False  # a style answers an opponent
    resumed: str = ""  # a run that is to go on,
    renamed: str = ""  # and a game that was named beside it
    sampling: bool = False  # it is to be run by the engine for sampled walks
    teacher: Any = None  # a bot that is to have a seat in a training,
    teacher_name: str = ""  # and what it is called
    is_locked: bool = False  # what is played somewhere is fixed,
    opens: Sequence[int] = ()  # and of these players a first decision
    about_run: str = ""  # an option that speaks of the run that is kept
    runless: str = ""  # and one with which none is kept
    noticed: Noticed = NOTHING
    horizon: str | None = None  # it is solved up to there alone,
    uncut: str = ""  # and why it cannot be

    @property
    def part(self) -> Any:
        return self.pruning if self.pruning is not None or self.solver is None else self.solver.pruning

    @property
    def name(self) -> str:
        return self.solver.name if self.solver else "no rule"

    @property
    def walks(self) -> WalkTraits:
        return walk_traits(self.solver and self.solver.walk)

    @property
    def prunes(self) -> PruningTraits:
        return NO_PRUNING if self.part is None else pruning_traits(self.part)

    @property
    def minimizer(self) -> MinimizerTraits:
        return minimizer_traits(self.solver and self.solver.minimizer)

    @property
    def starts(self) -> StartTraits:
        return self.start or StartTraits()

    @property
    def samples(self) -> bool:
        return self.solver is not None and self.walks.samples

    @property
    def is_full(self) -> bool:
        return self.solver is not None and not self.walks.samples

    @property
    def prefer(self) -> Prefer | None:
        return preferring(self.solver.prefer) if self.solver is not None else None

    @property
    def engine(self) -> str:
        """The kind that is needed."""
        if self.horizon is not None:
            return HORIZON
        return engine_kind(self.solver, self.game) if self.solver is not None else ""

    @property
    def own_engine(self) -> str:
        """The kind that the game has for walks of the full width."""
        return own_engine(self.game)

    @property
    def is_spread(self) -> bool:
        """Whether it runs on several machines."""
        return self.backend is not None and self.backend.is_spread

    @property
    def has_price(self) -> bool:
        """Whether a preference may cost something."""
        return self.prefer is not None and any(rule.beta > 0.0 for rule in self.prefer.rules)

    @property
    def moved(self) -> list[int]:
        """The players whose preference at the first decision would be one at a later, because the first is locked."""
        rules = self.prefer.rules if self.prefer is not None else ()
        return [p for p in self.opens if any(r.wanted.is_first and r.wanted.player in (None, p) for r in rules)]

    @property
    def has_own_form(self) -> bool:
        """Whether a preference says itself how it changes the rule."""
        return self.prefer is not None and self.prefer.form is not None

    @property
    def stops_by_exploitability(self) -> bool:
        """Whether the rule that stops it measures that."""
        return getattr(getattr(self.limits and self.limits.until, "measure", None), "is_exploitability", False)

    @property
    def too_long(self) -> str:
        """What would end the game sooner, if it need not end by itself: a field of it."""
        return str(declared(self.game, "to_end", ""))

    def weights(self, *iterations: int, progress: float = 0.5) -> list[Weights]:
        return [self.solver.weighting.weights(t, progress) for t in iterations] if self.solver else []

    @cached_property
    def early_and_late(self) -> list[Weights]:
        return self.weights(2, 1000)

    def words(self) -> dict[str, Any]:
        """What sentences speak of."""
        return {
            "name": self.name, "part": self.part, "walk": self.solver and self.solver.walk, "view": repr(self.view),
            "game": "" if self.game is None else named(self.game), "end": self.too_long, "start": self.starts.name,
            "instead": self.starts.instead, "threads": self.threads, "most": f"{MOST_THREADS:,}",
            "players": self.form and self.form.players, "other": "threshold" if self.prunes.samples else "partial",
            "unjudged": self.unjudged, "uncut": self.uncut, "backend": self.backend and self.backend.name,
            "backends": ", ".join(self.backend.known) if self.backend else "",
            "lacks": self.backend and self.backend.lacks,
            "engine": self.engine.replace("_", "-"), "share": (self.shares or ("",))[0],
            "teacher": self.teacher_name, "about_run": self.about_run, "runless": self.runless,
            "skipping": listed(walks_that(lambda t: t.skips)),
            "exploring": " or ".join(f"walk='{name}'" for name in walks_that(lambda t: t.skips and t.explores_all)),
            "noticed": self.noticed, "moved": (self.moved or ("",))[0],
            "unused": listed(self.unused), "resumed": self.resumed, "renamed": self.renamed,
        }  # fmt: skip
