"""A number that was measured over seeds, with its 95 % interval by Student's distribution."""

from collections.abc import Sequence
from math import exp, isfinite, log, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from ruse.words.student import student


class OverSeeds(NamedTuple):
    """A number that was measured, with its 95 % interval."""

    value: float
    low: float
    high: float
    seeds: int = 1

    @classmethod
    def exactly(cls, value: float) -> "OverSeeds":
        """Of what does not hang on chance."""
        return cls(value, value, value)

    @classmethod
    def ratio(cls, values: Sequence[float]) -> "OverSeeds":
        """The mean of ratios by their logarithms: twice as much and half as much cancel out."""
        value, low, high, seeds = cls.of([log(value) for value in values])
        return cls(exp(value), exp(low), exp(high), seeds)

    @classmethod
    def of(cls, values: Sequence[float]) -> "OverSeeds":
        """The mean over seeds; one seed alone has no interval."""
        if len(values) < 2:
            return cls(values[0], float("-inf"), float("inf"))
        error = student(len(values) - 1) * stdev(values) / sqrt(len(values))
        mean = fmean(values)
        return cls(mean, mean - error, mean + error, len(values))


def told(found: OverSeeds, form: str = ".2f", *, scale: float = 1.0, unit: str = "") -> str:
    """The number with its interval in brackets, if it has one: 57.8 % (56.9 to 58.7)."""
    value, *ends = (format(scale * x, form) for x in found[:3])
    is_exact = interval_of(found) is None or found.low == found.high
    return f"{value}{unit}" + ("" if is_exact else f" ({ends[0]} to {ends[1]})")


def interval_of(found: OverSeeds | None) -> tuple[float, float] | None:
    """Its ends, if it has any: one seed alone has none."""
    return (found.low, found.high) if found is not None and isfinite(found.high - found.low) else None
