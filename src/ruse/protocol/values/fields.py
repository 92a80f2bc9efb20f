"""Fields by name: from what a person types, "players=3,ante=2", to games, bots and parts with values of their kind."""

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from numbers import Integral, Real
from typing import Any

from ruse.compile.files.mistakes import wrong_parameters
from ruse.errors import RuseError
from ruse.protocol.game import RULES, Game
from ruse.words.printable import shown

EMPTY: Mapping[str, Any] = {}
LONGEST = 10_000  # characters of a view's text


def parse_fields(
    text: str, named: Mapping[str, Mapping[str, Any]] = EMPTY, *, example: str = "leduc:players=3,suits=3"
) -> dict[str, Any]:  # fmt: skip
    """From "players=3,ante=2" to a dictionary; numbers become numbers. A name stands for several fields at once."""
    fields: dict[str, Any] = {}
    said: set[str] = set()
    for part in split_fields(text):
        if part in named:
            fields |= named[part]
            continue
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            names = f"; or one of {', '.join(named)}" if named else ""
            raise RuseError(f"cannot read {part!r}; write name=value, several with commas, as in {example}{names}")
        if (key := key.strip()) in said:
            raise RuseError(f"{key} is given twice in {text!r}; leave one of them out")
        said.add(key)
        fields[key] = _number(value.strip())
    return fields


def split_fields(text: str) -> list[str]:
    """What stands between commas, except those in brackets.

    >>> split_fields("gamma=4, walk=outcome(epsilon=0.5,rate=0.1)")
    ['gamma=4', 'walk=outcome(epsilon=0.5,rate=0.1)']
    """
    return [part for part in map(str.strip, re.split(r",(?![^(]*\))", text)) if part]


def call_of(text: str) -> tuple[str, dict[str, Any]]:
    """From "Name(field=1)" to the name and the fields; no fields if it is but a name."""
    with suppress(SyntaxError, ValueError, MemoryError, RecursionError):
        node = ast.parse(text[:LONGEST], mode="eval").body
        is_plain = isinstance(node, ast.Call) and not node.args and all(k.arg is not None for k in node.keywords)
        if is_plain and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id, {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
    return text, {}


def nested(text: str) -> str:
    """A name with fields as it stands among other fields: "outcome:epsilon=0.5,rate=0.1" in brackets."""
    name, _, fields = text.partition(":")
    return f"{name}({fields})" if "," in fields else text


def unnested(text: str) -> str:
    """The same as it stands alone; brackets may be around the fields, or around all of it.

    >>> unnested("outcome(epsilon=0.5,rate=0.1)"), unnested("(threshold:below=-3000)")
    ('outcome:epsilon=0.5,rate=0.1', 'threshold:below=-3000')
    """
    name, bracket, fields = text.partition("(")
    return text if not bracket else f"{name}:{fields.removesuffix(')')}".removeprefix(":")


def number_text(value: float) -> str:
    """A number as a person would type it."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else str(float(value))


def make(maker: Callable[..., Any], name: str, fields: dict[str, Any]) -> Any:
    offered = list(typed_fields(maker))
    for field in fields:
        if field not in offered:
            raise RuseError(f"{name} has no field {field!r}; it has {', '.join(offered) or 'none'}")
    for field, parameter in inspect.signature(maker).parameters.items():
        if parameter.default is parameter.empty and parameter.kind <= parameter.KEYWORD_ONLY and field not in fields:
            raise RuseError(f"{name} needs a value for {field}: type {name}:{field}=..., or give the field a default")
    words, read = getattr(maker, "WORDS", {}), getattr(maker, "READ", {})
    kept = {
        field: read[field](value) if field in read else
        _fitting(name, field, _in_numbers(name, field, value, words.get(field, {})), _default(maker, field))
        for field, value in fields.items()
    }  # fmt: skip
    try:
        made = maker(**kept)
    except (TypeError, ValueError) as error:
        raise RuseError(str(error)) from error
    if isinstance(made, tuple) and hasattr(made, "start"):
        refuse_bad_fields(made)
    return made


def typed_fields(maker: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The fields that can be typed: not those that hold a part, such as tables, unless there is a way to read them."""
    read = getattr(maker, "READ", {})
    every = inspect.signature(maker).parameters
    return {name: field for name, field in every.items() if name in read or not isinstance(field.default, tuple)}


def refuse_no_game(game: Any) -> None:
    """Raise if this is something else, such as the name of a game."""
    if isinstance(game, str):
        raise RuseError(f"{game!r} is a text, and a game is needed; make one of it: ruse.make_game({game!r})")
    if isinstance(game, type):
        raise RuseError(f"{game.__name__} is a class, and a game is needed; make one of it: {game.__name__}()")
    _refuse_lacking(game, "start")


def _refuse_lacking(game: Any, *names: str) -> None:
    if missing := [name for name in names if not hasattr(game, name)]:
        raise RuseError(f"a game is needed, such as ruse.Leduc(), got {shown(game)}, which has no {missing[0]}")


def refuse_unplayable(game: Any) -> None:
    """Raise if this is no game, or one with fields that are no numbers where numbers are, or with which none begins."""
    refuse_no_game(game)
    _refuse_lacking(game, "players", *RULES)
    for field, default in getattr(game, "_field_defaults", {}).items():
        if isinstance(default, Real) and not isinstance(value := getattr(game, field), Real):
            raise RuseError(f"{field} of {type(game).__name__} must be a number, got {value!r}")
    refuse_bad_fields(game)


def refuse_bad_fields(game: Any) -> None:
    """Raise if no game can begin with these fields, in the game's own words if it has any."""
    if wrong := wrong_parameters(game, Game, ["start"]):
        raise RuseError(wrong)
    try:
        game.start()
    except (TypeError, ValueError) as error:
        raise RuseError(str(error)) from error


def with_plain_numbers(part: Any, name: str) -> Any:
    """The part with its numbers as plain ones of their kind; raises for what is none. Kernels are handed only these."""
    usual = getattr(part, "_field_defaults", {})
    numbers = {field: default for field, default in usual.items() if isinstance(default, bool | int | float)}
    kept = {field: _fitting(name, field, getattr(part, field), default) for field, default in numbers.items()}
    return part._replace(**kept) if kept else part


def numbers_in(part: Any) -> dict[str, Any]:
    """The numbers of a part and of the parts in it, by name. A pruning in a walk has an option of its own."""
    found: dict[str, Any] = {}
    for field, value in part._asdict().items() if hasattr(part, "_asdict") else ():
        if isinstance(value, int | float) and field != "nothing":
            found[field] = value
        elif field != "pruning":
            found |= numbers_in(value)
    return found


def with_numbers(part: Any, name: str, numbers: Mapping[str, Any]) -> Any:
    """The part with some of its numbers changed."""
    changed = {}
    for field, value in part._asdict().items():
        if field in numbers and isinstance(value, int | float):
            changed[field] = _fitting(name, field, numbers[field], value)
        elif hasattr(value, "_asdict") and field != "pruning":
            changed[field] = with_numbers(value, name, numbers)
    return part._replace(**changed)


def _in_numbers(name: str, field: str, value: Any, words: Mapping[str, int]) -> Any:
    """The number that a word stands for in a field that has words; all else as it is."""
    if not words or isinstance(value, int):
        return value
    if (word := str(value).casefold()) not in words:
        raise RuseError(f"{field} of {name} must be a whole number or a word ({', '.join(words)}), got {value!r}")
    return words[word]


def _fitting(name: str, field: str, value: Any, default: Any) -> Any:
    """The value as a number of the default's kind, because kernels are compiled for that kind."""
    if isinstance(value, Integral) and not -(1 << 63) <= int(value) < 1 << 63:
        shown = str(value) if abs(int(value)) < 10**40 else "one of more than 40 digits"
        raise RuseError(f"{field} of {name} must be a number of at most 63 bits, got {shown}")
    if isinstance(default, bool):
        if not isinstance(value, Integral) or value not in (0, 1):
            raise RuseError(f"{field} of {name} must be true or false, got {value!r}")
        return bool(value)
    if isinstance(default, int) and not isinstance(value, Integral):
        raise RuseError(f"{field} of {name} must be a whole number, got {value!r}")
    if isinstance(default, float) and (not isinstance(value, Real) or math.isnan(value)):
        raise RuseError(f"{field} of {name} must be a number, got {value!r}")
    return type(default)(value) if isinstance(default, int | float) else value


def _default(maker: Callable[..., Any], field: str) -> Any:
    return inspect.signature(maker).parameters[field].default


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": 1, "false": 0}.get(text.casefold(), text)
