"""The values of a job, one by one: of which kind each has to be. What goes together is asked in `solve/solver/fits.py`.

Numbers are taken as people write them in Python, 1_000, 1e3 or NumPy's, and are plain ones afterwards.
"""

import math
import re
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.horizon.horizon import horizon_named
from ruse.protocol.game import declared
from ruse.protocol.values.fields import refuse_unplayable
from ruse.words.naming import named
from ruse.words.printable import shown

MOST = 2**62  # iterations: kernels count them in 64 bits, and each player's apart
PERCENT = re.compile(r"\d*\.?\d+(?:e-?\d+)?%")
LARGEST = 2**63 - 1  # what kernels can count to


def is_number(value: Any) -> bool:
    """Whether it is one that is finite, and small enough for a float to hold."""
    return isinstance(value, Real) and not isinstance(value, bool) and -1e300 < value < 1e300  # type: ignore[operator]


def refuse_too_small(name: str, value: Any) -> None:
    """Raise for a number that is one, but not above 0."""
    if isinstance(value, Real) and not value > 0:  # type: ignore[operator]
        raise RuseError(f"{name} must be above 0, got {shown(value)}")


def whole(most: int, of: str = "") -> Callable[[str, Any], int]:
    """A whole number from 1 on."""

    def checked(name: str, value: Any) -> int:
        refuse_too_small(name, value)
        if not is_number(value) or value != int(value) or value > most:
            raise RuseError(f"{name} must be a whole number{of} from 1 to {most}, got {shown(value)}")
        return int(value)

    return checked


def number(name: str, value: Any) -> float:
    """A number above 0."""
    refuse_too_small(name, value)
    if not is_number(value):
        raise RuseError(f"{name} must be a number above 0, got {shown(value)}")
    return value if isinstance(value, int) else float(value)


def count(name: str, value: Any) -> int:
    """A whole number, of which the table says how large it may be."""
    if not is_number(value) or value != int(value):
        raise RuseError(f"{name} must be a whole number, got {shown(value)}")
    return int(value)


def yes_or_no(name: str, value: Any) -> bool:
    if not isinstance(value, Real) or value not in (False, True):
        raise RuseError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def pause(name: str, value: Any) -> float:
    """Seconds between two things that are done; none at all is one after the other."""
    if not is_number(value) or value < 0:
        raise RuseError(f"{name} must be a number of seconds, 0 or more, got {shown(value)}")
    return float(value)


def having(*methods: str, example: str, instead: str = "") -> Callable[[str, Any], Any]:
    """Something that can be asked one of these, and not the class or the function that makes it."""

    def checked(name: str, value: Any) -> Any:
        if isinstance(value, type) or not any(hasattr(value, method) for method in methods):
            given = f"{value.__name__}, which is yet to be called" if hasattr(value, "__name__") else shown(value)
            raise RuseError(f"{name} must be {example}, not {given}{instead}")
        return value

    return checked


def in_payoffs(target: Any, game: Any) -> Any:
    """A target as exploitability; "0.1%" is that share of what is at stake, where a game says what that is."""
    if not isinstance(target, str):
        return target
    share = float(target.removesuffix("%")) / 100.0 if PERCENT.fullmatch(target) else math.nan
    if math.isnan(share):
        raise RuseError(f"target must be a number above 0, or a share such as 0.1%, got {shown(target)}")
    if (stake := declared(game, "stake")) is None:
        raise RuseError(
            f"{target} is a share of a pot, and {named(game)} has none; give the exploitability as a number"
        )
    return number("target", share * float(stake))


def game(name: str, value: Any) -> Any:
    refuse_unplayable(value)
    return value


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise RuseError(f"{name} must be a text, got {shown(value)}")
    return value


def horizon(name: str, value: Any) -> str:
    return str(horizon_named(text(name, value)))


CHECKS: dict[str, Callable[[str, Any], Any]] = {  # by field; none for those that are looked at where they are used
    "game": game,
    "solver": having("weighting", example="such as ruse.dcfr()"),
    "view": having("key", "hierarchy", example="such as ruse.Full()"),
    "iterations": whole(MOST),
    "target": number,
    "seconds": number,
    "until": having("is_reached", example="a rule such as ruse.Stalled()", instead="; give a number as iterations"),
    "start": having("begin", example="such as ruse.WarmStart(strategy)"),
    "against": having("facing", example='such as ruse.Teachers.of("heuristic")'),
    "threads": count,
    "shared": yes_or_no,
    "memory": whole(LARGEST, " of bytes"),
    "merging": yes_or_no,
    "debug_keys": yes_or_no,
    "on": text,
    "rule": text,
    "horizon": horizon,
}
NEVER_LEFT = ("game", "solver", "shared", "merging", "debug_keys", "on")  # there is always one


def unboxed(value: Any) -> Any:
    """A number of NumPy's as Python's own: in 32 bits or fewer it cannot be compared with large ones."""
    return value.item() if isinstance(value, np.generic) else value


def in_kind(asked: dict[str, Any]) -> dict[str, Any]:
    """The same values, each of its kind; raises for one that is not. What is None is not asked for."""
    return {
        name: CHECKS[name](name, unboxed(value))
        if name in CHECKS and (value is not None or name in NEVER_LEFT)
        else value
        for name, value in asked.items()
    }
