"""What engines have in common that move ranges: they start from nothing, and have no sums that others could use."""

from collections.abc import Mapping
from typing import Any

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.protocol.view import View
from ruse.solve.prefer.preferred import Preferred
from ruse.solve.start.learned import Infosets, Learned


class FromNothing:
    """The part of an engine's face that is answered alike, whatever the ranges are of."""

    no_sums: str  # why there are none to start from, or to be started from
    is_judged, unjudged = True, ""
    expanded = None
    preferred: Preferred | None = None

    def round_size(self, done: int) -> int | None:
        return None

    def price(self, measured: Exploitability) -> None:
        return None

    def current(self, done: int, about: Mapping[str, Any]) -> Any:
        raise RuseError("the range engine keeps the average strategy, and no other")

    def learned(self, done: int) -> Learned:
        raise RuseError(self.no_sums)

    def infosets(self, naming: View | None) -> Infosets | None:
        raise RuseError(self.no_sums)

    def begin(self, learned: Learned) -> None:
        raise RuseError(self.no_sums)
