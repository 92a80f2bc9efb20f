"""What goes with what: one table of rules, walks, prunings, preferences, starts, teachers, threads, views and games.

Each line says when things do not go together, and why, in the sentence that a person reads. Whoever is asked for
something asks here, as soon as it is known: a preset when a solver is made, training before a run is, an engine when
the game has been expanded. Lines are read from the top, and the first that is true is told.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.protocol.choices import Offering
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.rules import FADING, FLOOR, INFINITY, NEGATIVE, POSITIVE, Weights
from ruse.solve.solver.traits import (
    MinimizerTraits,
    PruningTraits,
    StartTraits,
    WalkTraits,
    minimizer_traits,
    pruning_traits,
    walk_traits,
)
from ruse.words.naming import named

if TYPE_CHECKING:
    from ruse.solve.solver.presets import Solver

MOST_THREADS = 1 << 16  # more than any machine can use
STOPS = {"--iterations", "--target", "--seconds"}
NO_PRUNING = PruningTraits(samples=True, leaves_out=False, counts_all=False)


class Setup:
    """What is asked for, as far as it is known yet. Nothing is asked of what is not."""

    def __init__(
        self, solver: "Solver | None" = None, *, pruning: Any = None, start: StartTraits | None = None,
        against: Any = None, threads: int | None = None, shared: bool = False, debug_keys: bool = False,
        game: Any = None, view: Any = None, form: Any = None, exact: bool = False, unused: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.solver, self.game, self.view, self.form = solver, game, view, form
        self.part = pruning if pruning is not None or solver is None else solver.pruning
        self.prefer = preferring(solver.prefer) if solver is not None else None
        self.has_start, self.has_teachers = start is not None, against is not None
        self.start = start or StartTraits()
        self.threads, self.shared, self.debug_keys = threads, shared, debug_keys
        self.exact, self.unused = exact, unused  # a linear program, and what was asked of it that it does not have

    @property
    def name(self) -> str:
        return self.solver.name if self.solver else "no rule"

    @property
    def walk(self) -> WalkTraits:
        return walk_traits(self.solver and self.solver.walk)

    @property
    def pruning(self) -> PruningTraits:
        return NO_PRUNING if self.part is None else pruning_traits(self.part)

    @property
    def minimizer(self) -> MinimizerTraits:
        return minimizer_traits(self.solver and self.solver.minimizer)

    @property
    def samples(self) -> bool:
        return self.solver is not None and self.walk.samples

    @property
    def is_full(self) -> bool:
        return self.solver is not None and not self.walk.samples

    @property
    def prefers(self) -> bool:
        return self.prefer is not None

    @property
    def has_price(self) -> bool:
        """Whether a preference may cost something."""
        return self.prefer is not None and any(rule.beta > 0.0 for rule in self.prefer.rules)

    @property
    def has_own_form(self) -> bool:
        """Whether a preference says itself how it changes the rule."""
        return self.prefer is not None and self.prefer.form is not None

    def weights(self, *iterations: int, progress: float = 0.5) -> list[Weights]:
        return [self.solver.weighting.weights(t, progress) for t in iterations] if self.solver else []

    @cached_property
    def early_and_late(self) -> list[Weights]:
        return self.weights(2, 1000)

    def words(self) -> dict[str, Any]:
        """What sentences speak of."""
        given = self.unused
        return {
            "name": self.name, "part": self.part, "walk": self.solver and self.solver.walk, "view": repr(self.view),
            "game": "" if self.game is None else named(self.game), "start": self.start.name,
            "instead": self.start.instead, "threads": self.threads, "most": f"{MOST_THREADS:,}",
            "players": self.form and self.form.players, "other": "threshold" if self.pruning.samples else "partial",
            "unused": f"{', '.join(given[:-1])} and {given[-1]}" if len(given) > 1 else "".join(given),
        }  # fmt: skip


class Misfit(NamedTuple):
    """Things that do not go together, and why."""

    when: Callable[[Setup], bool]
    why: str


def weighs(weights: list[Weights], *kinds: int) -> bool:
    """Whether any of these weights is not 1."""
    return any(w[kind] != 1.0 for w in weights for kind in kinds)


def share_seats(form: Any) -> bool:
    """Whether two players share an infoset: the full-width engine updates one player's rows after the other's."""
    for p in range(form.players):
        start, end = form.node_start[p], form.node_start[p + 1]
        slot = form.slot[start:end]
        if np.any((slot < form.first[start]) | (slot >= form.first[end])):
            return True
    return False


TABLE: dict[str, tuple[Misfit, ...]] = {
    "pruning and walk": (
        Misfit(lambda s: s.solver is not None and s.pruning.reviews and not (s.walk.skips and s.walk.explores_all),
               "{part} pruning is for walk='external', not for {walk}; with a full walk use prune='brp'"),
        Misfit(lambda s: s.solver is not None and s.part is not None and s.pruning.samples and not s.walk.skips,
               "threshold pruning is for the walks external, average, robust and probing, not for {walk}"),
        Misfit(lambda s: s.samples and not s.pruning.samples,
               "{part} looks at whole iterations, and the {walk} walk samples them; use prune='threshold' or 'hybrid'"),
    ),
    "pruning and rule": (
        Misfit(lambda s: s.pruning.by_regret and any(
                   w[FLOOR] > -INFINITY or w[NEGATIVE] <= 0.5 for w in s.early_and_late[1:]),
               "{name} soon forgets negative regret, by which threshold pruning goes; use mccfr or lcfr"),
        Misfit(lambda s: s.pruning.by_regret and s.has_price,
               "a price of beta lowers every regret of an infoset, and threshold pruning would skip actions that the "
               "preference plays; leave beta or prune out"),
        Misfit(lambda s: s.pruning.leaves_out and s.prefers,
               "{part} leaves out what has no regret, and a preference plays it; leave prefer or prune out"),
        Misfit(lambda s: s.pruning.leaves_out and weighs(s.early_and_late, POSITIVE, NEGATIVE),
               "{name} weighs old regret anew on every iteration, and {part} leaves infosets out; use cfr"),
        Misfit(lambda s: s.pruning.leaves_out and s.minimizer.predicts,
               "{name} expects the last regret to come again, and {part} leaves regrets out; use cfr"),
        Misfit(lambda s: s.pruning.leaves_out and s.solver is not None and not s.minimizer.matches_regret,
               "{name} does not play by regret matching, on which {part} counts; use cfr"),
        Misfit(lambda s: s.pruning.counts_all and any(w[FLOOR] > -INFINITY for w in s.early_and_late),
               "{name} forgets negative regret, which tells {part} what to leave out; use cfr or prune='partial'"),
        Misfit(lambda s: s.pruning.counts_all and weighs(s.early_and_late, FADING),
               "{name} averages later iterations with more weight, and {part} counts all alike; use cfr"),
    ),
    "preference and rule": (
        Misfit(lambda s: s.has_price and not s.has_own_form and not s.minimizer.feels_price,
               "hedge sees only how regrets differ, so a price of beta on all of them changes nothing; leave beta out, "
               "or use another rule"),
    ),
    "teachers": (
        Misfit(lambda s: s.has_teachers and s.is_full,
               "training against a bot samples games; choose a sampled walk, as walk='probing'"),
        Misfit(lambda s: s.has_teachers and s.prefers,
               "a training against bots has no preferences; leave prefer or against out"),
        Misfit(lambda s: s.has_teachers and s.pruning.reviews,
               "reviews of {part} pruning need both players to learn; use prune='threshold' against bots"),
        Misfit(lambda s: s.has_teachers and s.game is not None and not hasattr(s.game, "observe"),
               "training against a bot needs a game that shows it something by observe(), got {game}"),
    ),
    "threads": (
        Misfit(lambda s: s.threads is not None and s.threads < 1,
               "threads must be at least 1, got {threads}; leave them out for a plain run"),
        Misfit(lambda s: s.threads is not None and s.threads >= MOST_THREADS,
               "threads must be fewer than {most}, got {threads}"),
        Misfit(lambda s: s.shared and s.threads is None,
               "a shared table is for threads; say how many, as threads=2"),
        Misfit(lambda s: s.debug_keys and s.is_full,
               "the full-width engine walks the whole game: `ruse check` looks at its keys"),
        Misfit(lambda s: s.threads is not None and s.is_full,
               "the full-width engine uses one thread; leave threads out, or choose a sampled walk"),
    ),
    "walk and rule": (
        Misfit(lambda s: s.samples and s.minimizer.predicts,
               "{name} predicts the next regret from the last, which sampling turns into noise; use dcfr"),
        Misfit(lambda s: s.solver is not None and s.samples and s.solver.follows_schedule,
               "{name} follows a schedule made for full iterations; use lcfr or dcfr with sampling"),
        Misfit(lambda s: s.threads is not None and s.pruning.reviews,
               "{part} pruning stops all walks for its reviews, so it uses one thread; leave threads out"),
    ),
    "start": (
        Misfit(lambda s: s.start.copies and s.is_full and weighs(
                   s.weights(1, progress=0.0), POSITIVE, NEGATIVE, FADING),
               "{name} forgets all that was before its first iteration, so nothing would be left of a copy; use cfr, "
               "or a sampled walk"),
        Misfit(lambda s: s.start.warms and s.samples,
               "{start} needs the full-width engine; {instead}"),
        Misfit(lambda s: s.start.warms and weighs(
                   s.weights(1, 2, 1000, progress=0.0), POSITIVE, NEGATIVE, FADING),
               "{name} weighs iterations, and a warm start has none to weigh; use cfr"),
        Misfit(lambda s: s.start.warms and s.prefers,
               "a warm start is made for regret matching without preferences; copy tables instead"),
        Misfit(lambda s: s.start.warms and s.solver is not None
               and (not s.minimizer.matches_regret or s.minimizer.predicts),
               "{name} does not play by regret matching, for which warm start is made; use cfr"),
        Misfit(lambda s: s.has_start and s.pruning.reviews,
               "a pruned training counts on all that was played since its first iteration; leave the start out"),
        Misfit(lambda s: s.start.warms and s.form is not None and s.form.players != 2,
               "warm start from a strategy is for two players; {game} has {players}: copy tables instead"),
        Misfit(lambda s: s.start.warms and s.form is not None and not s.form.perfect_recall,
               "warm start from a strategy needs players who forget nothing; this view of {game} forgets"),
    ),
    "view and game": (
        Misfit(lambda s: s.is_full and isinstance(s.view, Offering),
               "{view} offers actions of its own, which only sampled walks understand; choose one"),
        Misfit(lambda s: s.form is not None and s.pruning.leaves_out and not s.form.perfect_recall,
               "{part} needs players who forget nothing; this view of {game} forgets"),
        Misfit(lambda s: s.form is not None and s.pruning.counts_all and s.form.players != 2,
               "{part} is for two players, because it needs the average of all that a player has faced; {game} has "
               "{players}: use the pruning {other}"),
        Misfit(lambda s: s.form is not None and s.is_full and share_seats(s.form),
               "under this view the players of {game} share infosets, which the full-width engine keeps apart; use a "
               "sampled walk, as walk='chance'"),
    ),
    "linear program": (
        Misfit(lambda s: s.exact and not STOPS.isdisjoint(s.unused),
               "--exact solves in one go; leave --iterations, --target and --seconds out"),
        Misfit(lambda s: s.exact and "--prefer" in s.unused,
               "--exact finds one equilibrium and has no preferences; leave --prefer or --exact out"),
        Misfit(lambda s: s.exact and bool(s.unused),
               "--exact solves by a linear program, which has no use for {unused}; leave them or --exact out"),
        Misfit(lambda s: s.exact and s.form is not None and (s.form.players != 2 or not s.form.perfect_recall),
               "only two-player games with perfect recall have an exact answer by linear programming"),
    ),
}  # fmt: skip


def why_not(setup: Setup, *sections: str) -> str | None:
    """Why these do not go together; None if they do. By default the whole table is asked."""
    for section in sections or TABLE:
        for line in TABLE[section]:
            if line.when(setup):
                return line.why.format(**setup.words())
    return None


def must_fit(setup: Setup, *sections: str) -> None:
    """Raise if these do not go together."""
    if (why := why_not(setup, *sections)) is not None:
        raise RuseError(why)
