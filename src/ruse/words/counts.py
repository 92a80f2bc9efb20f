"""Whole numbers as people write them: 1000, 1e3 or NumPy's."""

from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.words.printable import shown

MOST = 2**63 - 1  # what kernels can count to


def count_of(name: str, value: Any, *, least: int = 0) -> int:
    """The whole number that is meant, if it is one and not below the least.

    >>> count_of("deals", 1e4)
    10000
    """
    try:
        exact = None if isinstance(value, bool | str) else Decimal(str(value))
    except (InvalidOperation, ValueError):  # the second of a number with thousands of digits
        exact = None
    if exact is None or not exact.is_finite() or exact != exact.to_integral_value() or abs(exact) > MOST:
        raise RuseError(f"{name} must be a whole number, got {shown(value)}")
    if exact < least:
        raise RuseError(f"{name} must be at least {least}, got {value}")
    return int(exact)


def is_whole_in(value: Any, first: int, end: int) -> bool:
    """Whether it is a whole number from the first on, and before the end; True and False are none, and no text is.

    >>> is_whole_in(0, 0, 2), is_whole_in(2, 0, 2), is_whole_in(True, 0, 2), is_whole_in("1", 0, 2)
    (True, False, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and first <= int(value) < end
