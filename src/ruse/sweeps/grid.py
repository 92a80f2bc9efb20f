"""A grid: for each option and each field of the game its values; every combination is a cell. As data, and as a file:

    game = ["leduc", "kuhn"]
    rule = ["dcfr", "cfr_plus"]
    seed = "0..4"
    iterations = 1000

    [fields]
    ante = [1, 2]

    [[grid]]
    walk = "full"

    [[grid]]
    walk = ["external", "outcome"]
    iterations = 1e4

Fields are those of the game. Each `[[grid]]` has what stands above all of them, and its own beside that or instead.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from ruse.catalog.names import is_game, refuse_twice
from ruse.errors import FileTrouble, RuseError
from ruse.store import tensors
from ruse.sweeps.values import MOST, NONE, each_of, field_values, option_values, parted
from ruse.training.jobs.schema import OPTIONS, Option

# Where iterations run is asked of the whole sweep.
VARIED: dict[str, Option] = {option.name: option for option in OPTIONS if option.name != "on"}
LARGEST = 1 << 20  # bytes of a file
FORMAT = ("format", "sweep", 1)


class SweepGrid(NamedTuple):
    """What is varied."""

    games: tuple[str, ...]
    asked: dict[str, tuple[Any, ...]]  # by option
    fields: dict[str, tuple[Any, ...]]  # by field of the game

    @classmethod
    def of(cls, games: Any, axes: Mapping[str, Any]) -> "SweepGrid":
        """The grid of what is given by name, in words or not; what is no option is a field of the game."""
        asked = {name: option_values(VARIED[name], given) for name, given in axes.items() if name in VARIED}
        fields = {name: field_values(name, given) for name, given in axes.items() if name not in VARIED}
        made = cls(tuple(games_in(games)), {"seed": (0,)} | asked, fields)
        for text in made.games:
            refuse_twice(text, fields)
        if made.size > MOST:
            raise RuseError(f"the grid has {made.size:,} cells, and a sweep at most {MOST:,}; vary less")
        return made

    @property
    def size(self) -> int:
        return prod(map(len, (self.games, *self.asked.values(), *self.fields.values())))

    def points(self) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        """Game, fields and options of each cell; one seed after the other, so that each round of them is a whole."""
        options, fields = {"seed": self.asked["seed"]} | self.asked, list(self.fields)
        for seed_first in product(*options.values()):
            asked = dict(zip(options, seed_first, strict=True))
            for game, *chosen in product(self.games, *self.fields.values()):
                yield game, dict(zip(fields, chosen, strict=True)), asked

    def as_dict(self) -> dict[str, Any]:
        """As a file has it, which has no null."""
        asked = {name: [NONE if value is None else value for value in values] for name, values in self.asked.items()}
        return {"game": list(self.games), **asked, "fields": {name: list(v) for name, v in self.fields.items()}}


def games_in(given: Any) -> list[str]:
    """The games that are meant: the parts of a text with commas, if each of them names one; spots have commas, too."""
    if isinstance(given, str):
        parts = parted(given)
        return parts if parts and all(map(is_game, parts)) else [given]
    found = each_of(given)
    if not found or not all(isinstance(one, str) and one.strip() for one in found):
        raise RuseError(f"a sweep is of games by name, as leduc or leduc,kuhn, not of {given!r}")
    return list(dict.fromkeys(found))


# ---- as a file -------------------------------------------------------------------------------------------------------


def grids_in(path: Path) -> list[SweepGrid]:
    """The grids that a file describes; nothing in it is run."""
    try:
        with tensors.explaining("read", path):
            if path.stat().st_size > LARGEST:
                raise FileTrouble(f"{path} is too large for a grid")
            content = tomllib.loads(path.read_bytes().decode())
    except (ValueError, RecursionError) as error:
        raise FileTrouble(f"{path} is no TOML: {error}") from error
    key, kind, newest = FORMAT
    if (found := content.pop(key, None)) is not None:
        tensors.check_format(found, kind, newest=newest, path=path)
    several = content.pop("grid", [{}])
    if not isinstance(several, list) or not all(isinstance(one, dict) for one in several) or not several:
        raise FileTrouble(f"{path}: grid must be tables, each after a line [[grid]]")
    try:
        grids = [_grid(merged(content, one)) for one in several]
    except RuseError as error:
        raise FileTrouble(f"{path}: {error}") from error
    if sum(grid.size for grid in grids) > MOST:
        raise FileTrouble(f"{path} has more than {MOST:,} cells; vary less")
    return grids


def merged(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What all grids of a file share, with what one of them says instead; fields by fields."""
    tables = [table.get("fields", {}) for table in (common, own)]
    if not all(isinstance(table, dict) for table in tables):
        raise RuseError("fields must be a table, after a line [fields]")
    return {**common, **own, "fields": {**tables[0], **tables[1]}}


def _grid(table: dict[str, Any]) -> SweepGrid:
    fields = table.pop("fields")
    if (games := table.pop("game", None)) is None:
        raise RuseError('it names no game; write game = "leduc"')
    for name in table:
        if name not in VARIED:
            raise RuseError(f"there is no option {name!r}; fields of the game stand below a line [fields]")
    for name in fields:
        if name in VARIED:
            raise RuseError(f"{name} is an option, and no field of the game; write it above [fields]")
    return SweepGrid.of(games, table | fields)


def write_grids(path: Path, grids: Sequence[SweepGrid]) -> None:
    key, kind, newest = FORMAT
    content = {key: tensors.format_name(kind, newest), "grid": [grid.as_dict() for grid in grids]}
    with tensors.replacing(path) as file:
        file.write(tomli_w.dumps(content, multiline_strings=False).encode())
