"""An engine on a graphics card: iterations and exploitability there, all other questions to the processor's beside it.

The processor's engine holds the same game and, as soon as it is asked something, the same tables. So a checkpoint of
one is a checkpoint of the other. What is on the card is a part: that of `gpu.py` for the full-width engine, that of
`gpu_spots.py` for ranges.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.price import Price
from ruse.protocol.view import View
from ruse.solve.gpu.card import Card
from ruse.solve.start.learned import Infosets, Learned


class CardSide(Protocol):
    """A game on a card, beside the same game of the processor."""

    def send(self) -> None:
        """Put the processor's tables on the card."""

    def fetch(self) -> None:
        """Give the processor the card's tables."""

    def run(self, done: int, iterations: int) -> None: ...

    def exploitability(self, strategy: Callable[[Mapping[str, Any]], Any]) -> Exploitability:
        """Of the average strategy, which can be asked for where it is judged in another game."""


class CardEngine:
    """Every history, every iteration, on a card."""

    def __init__(self, processor: Any, side: CardSide, card: Card, name: str) -> None:
        self._processor, self.side, self.solver = processor, side, processor.solver
        self.is_judged, self.unjudged, self.preferred = processor.is_judged, processor.unjudged, processor.preferred
        self._about = {"card": name, "precision": card.precision}
        self._send()

    def _send(self) -> None:
        self.side.send()
        self._is_behind = False  # the processor, that is

    @property
    def processor(self) -> Any:
        """The processor's engine, with tables as they are now."""
        if self._is_behind:
            self.side.fetch()
            self._is_behind = False
        return self._processor

    @property
    def expanded(self) -> Any:
        return self._processor.expanded

    @property
    def form(self) -> Any:
        return self._processor.form

    # ---- what the card does ------------------------------------------------------------------------------------------

    def warm_up(self) -> None:
        """An iteration whose traces are wiped out: the processor keeps the tables as they are now."""
        _ = self.processor
        self.side.run(0, 1)
        self.exploitability()
        self._send()

    def run(self, done: int, iterations: int) -> None:
        self._is_behind = True
        self.side.run(done, iterations)

    def round_size(self, done: int) -> int | None:
        return None

    def exploitability(self) -> Exploitability:
        return self.side.exploitability(self.strategy)

    # ---- what the processor is asked ---------------------------------------------------------------------------------

    def next_check(self, done: int, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        check: int = self._processor.next_check(done, curve, target)
        return check

    def price(self, measured: Exploitability) -> Price | None:
        found: Price | None = None if self.preferred is None else self.processor.price(measured)
        return found

    def strategy(self, about: Mapping[str, Any]) -> Any:
        return self.processor.strategy(about)

    def current(self, done: int, about: Mapping[str, Any]) -> Any:
        return self.processor.current(done, about)

    def saved(self) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = self.processor.saved()
        return found

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._processor.restore(arrays)
        self._send()

    def learned(self, done: int) -> Learned:
        found: Learned = self.processor.learned(done)
        return found

    def infosets(self, naming: View | None) -> Infosets | None:
        found: Infosets | None = self._processor.infosets(naming)
        return found

    def begin(self, learned: Learned) -> None:
        self.processor.begin(learned)
        self._send()

    def facts(self) -> dict[str, Any]:
        return {**self._processor.facts(), **self._about}
