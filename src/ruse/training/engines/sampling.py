"""A sampled walk at work on one game, judged exactly if that is small enough to be walked whole."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.evaluate.price import Price, price_of
from ruse.laws.collisions import KeyBook
from ruse.play.bots.blame import Blame, is_strange, looked_at
from ruse.protocol.choices import Own, has_choices
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.traits import StartTraits
from ruse.solve.start.learned import Infosets, Learned
from ruse.strategy import Strategy
from ruse.training.engines.current import played_by
from ruse.training.jobs.job import Job
from ruse.training.terms.stops import next_check
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import TooLarge, tree_size
from ruse.words.amounts import in_bytes
from ruse.words.naming import named

if TYPE_CHECKING:
    from ruse.solve.sampled.engine import SampledEngine

GROWTH = 1.25  # of iterations from one check to the next
JUDGED = 0.5  # of the memory that is allowed, for the game on which a sampled strategy is judged
OFFERS = "it is not measured under a view with actions of its own"
MEASURED = 3_000_000  # histories up to which a sampled strategy is judged exactly
NAMED = 100_000_000  # histories up to which a sampled game is walked to find what its infosets are called elsewhere


class SamplingEngine:
    """A sampled walk into a table that grows. It is judged exactly if the game is small enough to be walked whole.

    The table and those who fill it are this process's own, or `spread` over other machines.
    """

    def __init__(self, job: Job, spread: "Callable[[SampledEngine], Any] | None" = None) -> None:
        game, view, memory, against = job.game, job.view, job.memory, job.against
        self.whole, self.unjudged = (None, OFFERS) if has_choices(view) else judged_on(game, memory)
        # What the judge takes, the table cannot have.
        left = memory if memory is None or self.whole is None else memory - self.whole.size.bytes

        def make() -> "SampledEngine":
            return sampled(job, left)

        strange = strange_teachers(job)
        self.blame: AbstractContextManager[None] = Blame(*strange) if strange else nullcontext()
        with self.blame:
            one = make()
        engine: Any = one if spread is None else spread(one)
        self.game, self.solver, self.make, self.engine, self.against = game, job.solver, make, engine, against
        self.expanded = None
        self.view, self.preferred = view or Full(), self.engine.preferred
        self.book = KeyBook(game, self.view, seed=job.seed) if job.debug_keys else None
        self.is_judged = self.whole is not None
        self._unknown = Exploitability([math.nan] * game.players, [math.nan] * game.players)

    def warm_up(self) -> None:
        with self.blame:
            self.make().run(0, 1)
        self.engine.warm_up()
        self.exploitability()

    def run(self, done: int, iterations: int) -> None:
        began = time.perf_counter()
        with self.blame:
            self.engine.run(done, iterations)
        if self.against is not None:
            refuse_strange(self.engine, self.game)
        if self.book is not None:
            self.book.play(seconds=time.perf_counter() - began)

    def round_size(self, done: int) -> int | None:
        size: int | None = self.engine.round_size(done)
        return size

    def next_check(self, done: int, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        return next_check(done, None, GROWTH)

    def exploitability(self) -> Exploitability:
        if self.whole is None:
            return self._unknown
        return exploitability_of(self.whole.form, self.strategy({}).on(self.whole))

    def price(self, measured: Exploitability) -> Price | None:
        if self.preferred is None or self.whole is None:
            return None
        return price_of(self.whole, self.strategy({}).on(self.whole), self.preferred, self.view, measured)

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return Strategy(self.game, *self.engine.rows(), view=self.view, about={**about, **self._taught})

    def current(self, done: int, about: Mapping[str, Any]) -> Strategy:
        return played_by(self.learned(done), self.solver, self.strategy(about))

    def saved(self) -> dict[str, np.ndarray]:
        arrays: dict[str, np.ndarray] = self.engine.saved()
        return arrays

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.engine.restore(dict(arrays))
        allowed, taken = self.engine.memory, self.engine.bytes
        if allowed is not None and taken > allowed:
            raise RuseError(f"the table of this run takes {in_bytes(taken)}, over the {in_bytes(max(allowed, 0))} "
                            "allowed; give it more memory")  # fmt: skip

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


def sampled(job: Job, memory: int | None) -> "SampledEngine":
    """The engine of a job's walk, in this process; its table may take so much memory."""
    from ruse.solve.sampled.engine import SampledEngine

    game, view = (job.game, job.view) if job.against is None else (job.against.facing(job.game, job.view), Own())
    engine = SampledEngine(
        game, job.solver, view=view, seed=job.seed, memory=memory, threads=job.threads, shared=job.shared
    )
    if teachers := strange_teachers(job):  # the state lies beside what they remember
        engine.kernel = looked_at(engine.kernel, teachers)
    return engine


def strange_teachers(job: Job) -> list[Any]:
    """The bots of a job whose code is not ours."""
    return [] if job.against is None else [bot for bot in job.against.found(job.game) if is_strange(bot)]


def judged_on(game: Game, memory: int | None) -> tuple[Expanded | None, str]:
    """The game as a whole, on which a sampled strategy is judged; or why it is not."""
    # Counting takes memory, too, so it stops where the judge would have no room.
    room = None if memory is None else int(memory * JUDGED)
    measured = tree_size(game, limit=MEASURED, room=room)
    if not measured.is_exact and (room is None or measured.bytes <= room):
        return None, "the game is too large to be walked at every check"
    if memory is not None and room is not None and measured.bytes > room:
        return None, f"that takes {measured.memory}, and no more than half of the {in_bytes(memory)} allowed is for it"
    try:
        return Expanded.of(game), ""
    except TooLarge:
        return None, f"that takes {measured.memory}, more than is free"


def refuse_strange(engine: Any, game: Game) -> None:
    """Raise if a bot in the walked game has done what no bot may."""
    engine.walked[0].twist.refuse_strange(game)


def _is_same(one: View, other: View) -> bool:
    """Whether two views give the same keys, as far as can be told; one that holds arrays is the same as itself only."""
    try:
        return one is other or (type(one) is type(other) and hash(one) == hash(other) and one == other)
    except TypeError:
        return False
