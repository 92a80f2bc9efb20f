"""The full-width engine on a graphics card: the part of `on_card.py` that is there."""

from collections.abc import Callable, Mapping
from typing import Any

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
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
from ruse.strategy import Strategy
from ruse.training.engines.card.on_card import CardEngine
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job
from ruse.training.terms.backends import CPU
from ruse.tree.expanded import Expanded
from ruse.tree.levels import in_levels

F32 = "in f32 all but the average has 24 bits: exploitability below about 1e-7 of the largest payoff is noise"


def full_width_on_card(job: Job, device: Device | None = None) -> CardEngine:
    """Every history, every iteration, one level of a decision tree at a time."""
    card = Card.named(job.on)
    device = Cuda(card) if device is None else device  # before anything that takes long
    side = FullWidthSide(card, device, FullWidthEngine(job._replace(on=CPU)))
    return CardEngine(side.processor, side, card, device.name)


class FullWidthSide:
    """A game in levels on the card, and the whole game beside it if the view forgets."""

    def __init__(self, card: Card, device: Device, processor: FullWidthEngine) -> None:
        self.card, self.device, self.processor = card, device, processor
        self._place()

    def _place(self) -> None:
        """Put the processor's game on the card."""
        processor = self.processor
        CardSize.of(processor.form, self.card).within(self.device.free(), self.device.name)
        self.at_work = OnCard(self.device, processor.form, processor.at_work(processor.tables), self.card.kind)
        is_whole = processor.whole is processor.expanded
        self.judge = None if is_whole else WholeGame(self.card, self.device, processor.whole)

    def send(self) -> None:
        if self.at_work.form is not self.processor.form:  # merged otherwise than before
            del self.at_work, self.judge  # which makes room
            self._place()
        self.at_work.send(self.processor.tables)

    def fetch(self) -> None:
        self.processor.tables = Tables.restored(self.processor.form, self.at_work.fetch())

    def run(self, done: int, iterations: int) -> None:
        self.at_work.run(done, iterations, self.processor.planned)

    def exploitability(self, strategy: Callable[[Mapping[str, Any]], Strategy]) -> Exploitability:
        return self.at_work.exploitability() if self.judge is None else self.judge.exploitability(strategy({}))


class WholeGame:
    """The game without a view, in which a strategy of a view that forgets is judged; on the card, too."""

    def __init__(self, card: Card, device: Device, whole: Expanded) -> None:
        self.whole = whole
        form, self.renamed = in_levels(whole.form)
        CardSize.of(form, card).within(device.free(), device.name)
        self.at_work = OnCard(device, form, Solver("none"), card.kind)

    def exploitability(self, strategy: Strategy) -> Exploitability:
        tables = Tables.start(self.at_work.form)
        tables.average[self.renamed] = strategy.on(self.whole)
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


def look_at_game(job: Job) -> str:
    """What a game that has been expanded takes on the card; raises if that is too much."""
    card = Card.named(job.on)
    device = Cuda(card)
    form = Expanded.of(job.game, job.view, memory=job.memory, merging=job.merging).merged
    told = CardSize.of(form, card).within(device.free(), device.name).told(device.name)
    return f"{told}; {F32}" if card.precision == "f32" else told
