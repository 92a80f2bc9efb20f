"""What is said of a card by the word `gpu`, and why there may be none.

Plain `gpu` is the first card, with numbers of 64 bits. `gpu:precision=f32` takes half the memory, and keeps 24 bits of
each sum; `gpu:number=1` is the second card.
"""

import warnings
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.protocol.values.fields import make, parse_fields

GPU = "gpu"
PRECISIONS: dict[str, np.dtype[Any]] = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
INSTALL = "pip install 'ruse[gpu]'"


class Card(NamedTuple):
    """Which card, and how numbers are kept there."""

    precision: str = "f64"
    number: int = 0

    @classmethod
    def named(cls, on: str) -> "Card":
        """Read "gpu:precision=f32,number=1"."""
        card: Card = make(cls, GPU, parse_fields(on.partition(":")[2], example="gpu:precision=f32,number=1"))
        if card.precision not in PRECISIONS:
            raise RuseError(f"precision must be {' or '.join(PRECISIONS)}, got {card.precision!r}")
        if card.number < 0:
            raise RuseError(f"the number of a card must be at least 0, got {card.number}")
        return card

    @property
    def kind(self) -> np.dtype[Any]:
        return PRECISIONS[self.precision]


@cache
def cards() -> tuple[int, str]:
    """How many cards there are, and why there are none; CuPy is imported for it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # on what it has not found, which is told if it matters
            import cupy
    except ImportError as error:
        return 0, f"solving on a card needs CuPy, which does not load here ({brief(error)}): {INSTALL}, or use on='cpu'"
    try:
        found = int(cupy.cuda.runtime.getDeviceCount())
    except RuntimeError as error:  # no driver, or one that is too old
        return 0, f"CuPy finds no card here ({brief(error)}); use on='cpu'"
    return found, "" if found else "CuPy finds no card here; use on='cpu'"


def brief(error: Exception) -> str:
    """The first line of what it says that says anything: some errors of CuPy's are pages."""
    return next((line.strip() for line in str(error).splitlines() if any(c.isalpha() for c in line)), "no reason given")


def why_no(card: Card) -> str:
    """Why this card cannot be had; nothing if it can."""
    found, why = cards()
    if found and card.number >= found:
        return f"there is no card {card.number} here; the last one is {found - 1}: gpu:number={found - 1}"
    return why
