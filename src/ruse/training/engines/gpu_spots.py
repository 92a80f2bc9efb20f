"""The range engine on a graphics card, at work on a spot of hold'em.

As in `gpu.py`, all but iterations and exploitability is asked of the processor's engine, with tables as they are now.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.protocol.view import View
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.cuda import Cuda
from ruse.solve.gpu.device import Device
from ruse.solve.ranges.card.solving import Prepared, RangesOnCard, range_source, unfit
from ruse.solve.start.learned import Infosets, Learned
from ruse.training.engines.backends import CPU
from ruse.training.engines.spots import SpotEngine
from ruse.training.jobs.job import Job


class GpuSpotEngine:
    """Every history, every iteration, all hands of a range on all boards at once."""

    growth = SpotEngine.growth
    is_judged, unjudged = True, ""
    expanded = None

    def __init__(self, job: Job, device: Device | None = None) -> None:
        if why := unfit(job.solver):
            raise RuseError(why)
        self.card = Card.named(job.on)
        self.device: Device = Cuda(self.card, range_source()) if device is None else device  # before what takes long
        self._processor, self.solver = SpotEngine(job._replace(on=CPU, threads=None)), job.solver
        self.preferred = self._processor.preferred
        prepared = Prepared.of(self._processor.engine.plan, job.solver)
        prepared.needs(self.card.kind).within(self.device.free(), self.device.name)
        self.at_work = RangesOnCard(self.device, prepared, self.card.kind, job.planned or 0)
        self._send()

    def _send(self) -> None:
        self.at_work.send(self._processor.saved())
        self._is_behind = False  # the processor, that is

    @property
    def processor(self) -> SpotEngine:
        """The processor's engine, with tables as they are now."""
        if self._is_behind:
            kind = self._processor.engine.dtype
            self._processor.restore({name: table.astype(kind) for name, table in self.at_work.fetch().items()})
            self._is_behind = False
        return self._processor

    def warm_up(self) -> None:
        saved = {name: table.copy() for name, table in self.processor.saved().items()}
        self.at_work.run(0, 1)
        self.exploitability()
        self.at_work.send(saved)

    def run(self, done: int, iterations: int) -> None:
        self._is_behind = True
        self.at_work.run(done, iterations)

    def round_size(self, done: int) -> int | None:
        return None

    def next_check(self, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        return self._processor.next_check(curve, target)

    def exploitability(self) -> Exploitability:
        return self.at_work.exploitability()

    def price(self, measured: Exploitability) -> None:
        return None

    def strategy(self, about: Mapping[str, Any]) -> Any:
        return self.processor.strategy(about)

    def current(self, done: int, about: Mapping[str, Any]) -> Any:
        return self._processor.current(done, about)

    def saved(self) -> dict[str, np.ndarray]:
        return self.processor.saved()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._processor.restore(arrays)
        self._send()

    def learned(self, done: int) -> Learned:
        return self._processor.learned(done)

    def infosets(self, naming: View | None) -> Infosets | None:
        return self._processor.infosets(naming)

    def begin(self, learned: Learned) -> None:
        self._processor.begin(learned)

    def facts(self) -> dict[str, Any]:
        return self._processor.facts() | {"card": self.device.name, "precision": self.card.precision}


def look(job: Job) -> str:
    """What a spot takes on the card; raises if that is too much, or if its rule is not in the kernels."""
    if why := unfit(job.solver):
        raise RuseError(why)
    card = Card.named(job.on)
    device = Cuda(card, range_source())
    plan = SpotEngine(job._replace(on=CPU, threads=None)).engine.plan
    return Prepared.of(plan, job.solver).needs(card.kind).within(device.free(), device.name).told(device.name)
