"""The full-width engine on a graphics card.

All that is asked of an engine besides iterations and exploitability is answered by the processor's, which holds the
same game and, as soon as it is asked something, the same tables. So a checkpoint of one is a checkpoint of the other.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.price import Price
from ruse.protocol.view import View
from ruse.solve.full.engine import Tables
from ruse.solve.gpu.card import Card, why_no
from ruse.solve.gpu.codes import form_code, rule_code
from ruse.solve.gpu.cuda import Cuda
from ruse.solve.gpu.device import Device
from ruse.solve.gpu.size import CardSize
from ruse.solve.gpu.solving import OnCard
from ruse.solve.prefer.favour import form_of
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver
from ruse.solve.start.learned import Infosets, Learned
from ruse.strategy import Strategy
from ruse.training.engines.backends import CPU
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job
from ruse.tree.expanded import Expanded
from ruse.tree.levels import in_levels

F32 = "in f32 all but the average has 24 bits: exploitability below about 1e-7 of the largest payoff is noise"


class GpuEngine:
    """Every history, every iteration, one level of a decision tree at a time."""

    growth = FullWidthEngine.growth
    is_judged, unjudged = True, ""

    def __init__(self, job: Job, device: Device | None = None) -> None:
        self.card = Card.named(job.on)
        self.device: Device = Cuda(self.card) if device is None else device  # before anything that takes long
        self._processor, self.solver = FullWidthEngine(job._replace(on=CPU)), job.solver
        self.preferred = self._processor.preferred
        self._place()

    def _place(self) -> None:
        """Put the processor's game and tables on the card."""
        processor = self._processor
        CardSize.of(processor.form, self.card).within(self.device.free(), self.device.name)
        solver = processor.at_work(processor.tables)
        self.at_work = OnCard(self.device, processor.form, solver, self.card.kind)
        self.judge = None if processor.whole is processor.expanded else WholeGame(self, processor.whole)
        self._send()

    def _send(self) -> None:
        if self.at_work.form is not self._processor.form:  # merged otherwise than before
            del self.at_work, self.judge  # which makes room
            self._place()
        self.at_work.send(self._processor.tables)
        self._is_behind = False  # the processor, that is

    @property
    def processor(self) -> FullWidthEngine:
        """The processor's engine, with tables as they are now."""
        if self._is_behind:
            self._processor.tables = Tables.restored(self._processor.form, self.at_work.fetch())
            self._is_behind = False
        return self._processor

    @property
    def expanded(self) -> Expanded:
        return self._processor.expanded

    @property
    def form(self) -> Any:
        return self._processor.form

    def warm_up(self) -> None:
        tables = self.processor.tables
        self.at_work.run(0, 1, self._processor.planned)
        self.exploitability()
        self.at_work.send(tables)

    def run(self, done: int, iterations: int) -> None:
        self._is_behind = True
        self.at_work.run(done, iterations, self._processor.planned)

    def round_size(self, done: int) -> int | None:
        return None

    def exploitability(self) -> Exploitability:
        return self.at_work.exploitability() if self.judge is None else self.judge.exploitability()

    def price(self, measured: Exploitability) -> Price | None:
        return None if self.preferred is None else self.processor.price(measured)

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        return self.processor.strategy(about)

    def current(self, done: int, about: Mapping[str, Any]) -> Strategy:
        return self.processor.current(done, about)

    def saved(self) -> dict[str, np.ndarray]:
        return self.processor.saved()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._processor.restore(arrays)
        self._send()

    def learned(self, done: int) -> Learned:
        return self.processor.learned(done)

    def infosets(self, naming: View | None) -> Infosets | None:
        return self._processor.infosets(naming)

    def begin(self, learned: Learned) -> None:
        self.processor.begin(learned)
        self._send()

    def facts(self) -> dict[str, Any]:
        return self._processor.facts() | {"card": self.device.name, "precision": self.card.precision}


class WholeGame:
    """The game without a view, in which a strategy of a view that forgets is judged; on the card, too."""

    def __init__(self, engine: GpuEngine, whole: Expanded) -> None:
        self.engine, self.whole = engine, whole
        form, self.renamed = in_levels(whole.form)
        CardSize.of(form, engine.card).within(engine.device.free(), engine.device.name)
        self.at_work = OnCard(engine.device, form, Solver("none"), engine.card.kind)

    def exploitability(self) -> Exploitability:
        tables = Tables.start(self.at_work.form)
        tables.average[self.renamed] = self.engine.strategy({}).on(self.whole)
        self.at_work.send(tables)
        return self.at_work.exploitability()


# ---- before there is an engine ---------------------------------------------------------------------------------------


def lacks(on: str, solver: Solver) -> str:
    """Why such a job cannot run on a card here; nothing if it can."""
    try:
        card = Card.named(on)
        rule_code(solver.minimizer)
        if (prefer := preferring(solver.prefer)) is not None:
            form_code(form_of(prefer, solver.minimizer))
    except RuseError as error:
        return str(error)
    return why_no(card)


def look(job: Job) -> str:
    """What a game that has been expanded takes on the card; raises if that is too much."""
    card = Card.named(job.on)
    device = Cuda(card)
    form = Expanded.of(job.game, job.view, memory=job.memory, merging=job.merging).merged
    told = CardSize.of(form, card).within(device.free(), device.name).told(device.name)
    return f"{told}; {F32}" if card.precision == "f32" else told
