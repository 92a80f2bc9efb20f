"""The range engine on a graphics card, at work on a spot of hold'em: the part of `on_card.py` that is there."""

from collections.abc import Callable, Mapping
from typing import Any

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.cuda import Cuda
from ruse.solve.gpu.device import Device
from ruse.solve.ranges.card.solving import Prepared, RangesOnCard, range_source, unfit
from ruse.training.engines.card.on_card import CardEngine
from ruse.training.engines.spots import SpotEngine
from ruse.training.jobs.job import Job
from ruse.training.terms.backends import CPU


def spot_on_card(job: Job, device: Device | None = None) -> CardEngine:
    """Every history, every iteration, all hands of a range on all boards at once."""
    if why := unfit(job.solver):
        raise RuseError(why)
    card = Card.named(job.on)
    device = Cuda(card, range_source()) if device is None else device  # before anything that takes long
    side = SpotSide(card, device, SpotEngine(job._replace(on=CPU, threads=None)), job.planned or 0)
    return CardEngine(side.processor, side, card, device.name)


class SpotSide:
    """All boards of a spot on the card."""

    def __init__(self, card: Card, device: Device, processor: SpotEngine, planned: int) -> None:
        self.processor = processor
        prepared = Prepared.of(processor.engine.plan, processor.solver)
        prepared.needs(card.kind).within(device.free(), device.name)
        self.at_work = RangesOnCard(device, prepared, card.kind, planned)

    def send(self) -> None:
        self.at_work.send(self.processor.saved())

    def fetch(self) -> None:
        kind = self.processor.engine.dtype
        self.processor.restore({name: table.astype(kind) for name, table in self.at_work.fetch().items()})

    def run(self, done: int, iterations: int) -> None:
        self.at_work.run(done, iterations)

    def exploitability(self, strategy: Callable[[Mapping[str, Any]], Any]) -> Exploitability:
        return self.at_work.exploitability()


def look_at_spot(job: Job) -> str:
    """What a spot takes on the card; raises if that is too much, or if its rule is not in the kernels."""
    if why := unfit(job.solver):
        raise RuseError(why)
    card = Card.named(job.on)
    device = Cuda(card, range_source())
    plan = SpotEngine(job._replace(on=CPU, threads=None)).engine.plan
    return Prepared.of(plan, job.solver).needs(card.kind).within(device.free(), device.name).told(device.name)
