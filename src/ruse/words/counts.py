"""Whole numbers as people write them: 1000, 1e3 or NumPy's."""

from decimal import Decimal, InvalidOperation
from typing import Any

from ruse.errors import RuseError

MOST = 2**63 - 1  # what kernels can count to


def count_of(name: str, value: Any, *, least: int = 0) -> int:
    """The whole number that is meant, if it is one and not below the least.

    >>> count_of("deals", 1e4)
    10000
    """
    try:
        exact = None if isinstance(value, bool | str) else Decimal(str(value))
    except InvalidOperation:
        exact = None
    if exact is None or not exact.is_finite() or exact != exact.to_integral_value() or abs(exact) > MOST:
        raise RuseError(f"{name} must be a whole number, got {value!r}")
    if exact < least:
        raise RuseError(f"{name} must be at least {least}, got {value}")
    return int(exact)
