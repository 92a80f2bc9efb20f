"""The values that an option or a field has in a sweep: as they are typed, as a file has them, or as Python does.

    dcfr,cfr_plus         two of them; what stands in brackets, or goes on with name=value, is not parted
    dcfr:gamma=4,alpha=2  one
    0..4                  five whole numbers
    none                  as if nothing were said

Options that may be given several times at once, such as preferences, part with a semicolon what goes together. A
preference has commas of its own, so there each text is one value, and the option is given again for another.
"""

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.protocol.values.fields import parse_fields, split_fields
from ruse.training.jobs.schema import Option
from ruse.words.counts import MOST as LARGEST
from ruse.words.counts import count_of

MOST = 10_000  # cells of a sweep, and so values of anything
NONE = "none"
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
CONTINUED = re.compile(r"\w+\s*=")  # what follows on a comma and belongs to the name before
WHOLE_TEXTS = ("prefer",)  # options whose texts have commas of their own
ANSWERS = {"yes": True, "no": False, "true": True, "false": False}


def parted(text: str) -> list[str]:
    """What stands between the commas of a list.

    >>> parted("dcfr:gamma=4,alpha=2, cfr_plus"), parted("outcome(epsilon=0.5,rate=0.1),external")
    (['dcfr:gamma=4,alpha=2', 'cfr_plus'], ['outcome(epsilon=0.5,rate=0.1)', 'external'])
    """
    found: list[str] = []
    for part in split_fields(text):
        if found and ":" in found[-1] and CONTINUED.match(part):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def each_of(given: Any, *, is_whole: bool = False) -> list[Any]:
    """What is given, one by one: a text in its parts, a list or a range in its items, anything else alone."""
    if isinstance(given, str):
        return [given] if is_whole else parted(given)
    if isinstance(given, Iterable):
        return list(given[: MOST + 1]) if isinstance(given, range) else list(given)
    return [given]


def option_values(option: Option, given: Any) -> tuple[Any, ...]:
    """All values of an option, each of its kind."""
    every = each_of(given, is_whole=option.name in WHOLE_TEXTS)
    return _checked(option.name, [value for item in every for value in _read(option, item)])


def field_values(name: str, given: Any) -> tuple[Any, ...]:
    """All values of a field of the game, of whatever kind that takes."""
    found: list[Any] = []
    for item in each_of(given):
        if isinstance(item, str):
            found += _range(name, item) or [parse_fields(f"{name}={item}").get(name, item)]
        elif isinstance(item, bool | int | float):
            found.append(item)
        else:
            raise RuseError(f"{name} must be numbers or texts, as in {name}=2,3, got {item!r}")
    return _checked(name, found)


def _checked(name: str, values: list[Any]) -> tuple[Any, ...]:
    """Each once, and not too many."""
    if not values:
        raise RuseError(f"{name} has no value; give one, or several with commas")
    if len(values) > MOST:
        raise RuseError(f"{name} has more than {MOST:,} values, more than a sweep may have")
    return tuple(value for k, value in enumerate(values) if value not in values[:k])


def _read(option: Option, item: Any) -> list[Any]:
    """The values that one item stands for: several if it is a range."""
    if item is None or item == NONE or (option.is_many and item in ([], ())):
        return [option.default]
    if option.is_many:
        parts = item.split(";") if isinstance(item, str) else item if isinstance(item, list | tuple) else [item]
        single = option._replace(is_many=False)
        return [[value for part in parts for value in _read(single, part.strip() if isinstance(part, str) else part)]]
    if option.kind in ("whole", "seed") and isinstance(item, str) and (found := _range(option.name, item)):
        return [seed_of(value) if option.kind == "seed" else value for value in found]
    return [READERS.get(option.kind, _text)(option.name, item)]


def _range(name: str, text: str) -> list[int]:
    """The whole numbers from one to another; none if the text is no range."""
    if (ends := RANGE.fullmatch(text.strip())) is None:
        return []
    first, last = int(ends[1]), int(ends[2])
    if last < first:
        raise RuseError(f"{name}: {text} runs backwards; write the smaller number first")
    if last - first >= MOST:
        raise RuseError(f"{name}: {text} has more than {MOST:,} values, more than a sweep may have")
    return list(range(first, last + 1))


def _number(name: str, item: Any) -> Decimal:
    try:
        found = Decimal("nan") if isinstance(item, bool) else Decimal(str(item))
    except InvalidOperation:
        found = Decimal("nan")
    if not found.is_finite() or found.adjusted() > 300:
        raise RuseError(f"{name} must be a number, got {item!r}")
    return found


def _whole(name: str, item: Any) -> int:
    number = _number(name, item)
    return count_of(name, item if abs(number) > LARGEST else number, least=-(2**63))


def _seed(name: str, item: Any) -> int:
    number = _number(name, item)
    return seed_of(int(number) if number == number.to_integral_value() else item)


def _float(name: str, item: Any) -> float:
    return float(_number(name, item))


def _share(name: str, item: Any) -> float | str:
    """A number, or a percentage of what is at stake."""
    if isinstance(item, str) and item.endswith("%"):
        _number(name, item.removesuffix("%"))
        return item
    return _float(name, item)


def _bytes(name: str, item: Any) -> str:
    return str(_whole(name, item)) if isinstance(item, int | float) else _text(name, item)


def _answer(name: str, item: Any) -> bool:
    found = ANSWERS.get(str(item).casefold())
    if found is None:
        raise RuseError(f"{name} is yes, no, or yes,no for both in a sweep, got {item!r}")
    return found


def _text(name: str, item: Any) -> str:
    if not isinstance(item, str) or not item.strip():
        raise RuseError(f"{name} must be a text, got {item!r}")
    return item.strip()


READERS = {"whole": _whole, "seed": _seed, "number": _float, "share": _share, "bytes": _bytes, "yes": _answer}


def value_text(value: Any) -> str:
    """A value as a person would type it."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "; ".join(map(value_text, value)) if isinstance(value, list) else str(value)
