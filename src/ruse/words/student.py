"""Student's distribution: how many standard errors an interval of a mean takes on each side.

The normal distribution would do if the spread were known. It is estimated from the same few samples, and with two of
them a normal interval of 95 % holds the truth in 70 of 100 cases. So whatever tells an interval of a mean asks here.

A few samples that are all alike say nothing of their spread: as long as one in twenty may be another and was not seen,
an interval is infinite, and not of no width.
"""

from functools import cache
from math import atan, cos, inf, isinf, pi, sin, sqrt
from statistics import NormalDist

EXACT = 100  # degrees of freedom; from there on the expansion is within 1e-6
STEPS = 80  # halvings of where a quantile lies
UNSEEN = 0.05  # the share of samples that are like no other, of which so many alike must have shown one
ROUNDING, TINY = 1e-6, 1e-12  # a spread of so much of the mean, or of so much in all, is no more than rounding


@cache
def student(freedom: int, confidence: float = 0.95) -> float:
    """The t beyond which, on either side, lies what the confidence leaves; infinite if there is no freedom at all.

    >>> round(student(1), 3), round(student(9), 3), round(student(59), 3), round(student(1_000_000), 3)
    (12.706, 2.262, 2.001, 1.96)
    """
    if freedom < 1:
        return float("inf")
    if freedom > EXACT:
        return _expanded(freedom, NormalDist().inv_cdf(0.5 + confidence / 2))
    low, high = 0.0, pi / 2  # of the angle whose tangent is t over the root of the freedom
    for _ in range(STEPS):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom) < confidence else (low, angle)
    return sqrt(freedom) * sin(low) / cos(low)


def margin(count: int, deviation: float, mean: float = 0.0, confidence: float = 0.95) -> float:
    """Half the interval of a mean of so many samples, by their standard deviation; infinite if it cannot be told.

    >>> round(margin(2, 1.0), 2), round(margin(1_000, 1.0), 3), margin(2, 0.0), margin(58, 0.0), margin(59, 0.0)
    (8.98, 0.062, inf, inf, 0.0)
    """
    if is_untold(count, deviation, mean, confidence):
        return inf
    return student(count - 1, confidence) * deviation / sqrt(count)


def is_untold(count: int, spread: float, mean: float = 0.0, confidence: float = 0.95) -> bool:
    """Whether samples are all alike, and too few to tell that others are as they are."""
    return not spread > max(ROUNDING * abs(mean), TINY) and (1.0 - UNSEEN) ** count > 1.0 - confidence


def told_margin(half: float, form: str = ".4f") -> str:
    """Half an interval in words: +- 0.0123."""
    return "+- ? (too few, all alike)" if isinf(half) else f"+- {half:{form}}"


def told_interval(low: float, high: float, form: str = ".4f") -> str:
    """An interval in words: 0.0123 to 0.0456."""
    return "? (too few, all alike)" if isinf(high) else f"{low:{form}} to {high:{form}}"


def share_within(t: float, freedom: int) -> float:
    """How much of the distribution lies between -t and t."""
    return _within(atan(t / sqrt(freedom)), freedom)


def _within(angle: float, freedom: int) -> float:
    """The finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    is_odd, square = freedom % 2 == 1, cos(angle) ** 2
    term = cos(angle) if is_odd else 1.0
    total = 0.0
    for k in range(3 if is_odd else 2, freedom + 1, 2):
        total += term
        term *= square * (k - 1) / k
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total


def _expanded(freedom: int, z: float) -> float:
    """About the normal quantile, in powers of one over the freedom (26.7.5)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
