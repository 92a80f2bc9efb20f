"""The values of an option in a sweep, as they are typed, as a file has them and as Python does."""

from typing import Any

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.sweeps.grid import VARIED, SweepGrid, games_in
from ruse.sweeps.values import field_values, option_values, value_text

READ: list[tuple[str, Any, tuple[Any, ...]]] = [
    ("rule", "dcfr,cfr_plus", ("dcfr", "cfr_plus")),
    ("rule", "dcfr:gamma=4,alpha=2,cfr+", ("dcfr:gamma=4,alpha=2", "cfr+")),
    ("rule", ["dcfr:gamma=4,alpha=2"], ("dcfr:gamma=4,alpha=2",)),
    ("rule", "none,cfr,cfr", (None, "cfr")),
    ("walk", "full,outcome(epsilon=0.5,rate=0.1)", ("full", "outcome(epsilon=0.5,rate=0.1)")),
    ("prefer", "bet, player 0, first: delta=5", (["bet, player 0, first: delta=5"],)),
    ("prefer", ["none", "bet: delta=5; call: delta=2"], (None, ["bet: delta=5", "call: delta=2"])),
    ("prefer", [[], ["bet: delta=5"]], (None, ["bet: delta=5"])),
    ("against", "random,heuristic", (["random"], ["heuristic"])),
    ("share", "0.5,1", ([0.5], [1.0])),
    ("seed", "0..2,7", (0, 1, 2, 7)),
    ("seed", range(3), (0, 1, 2)),
    ("seed", np.arange(2), (0, 1)),
    ("seed", 2**63 - 1, (2**63 - 1,)),
    ("iterations", "1e3,2_000", (1000, 2000)),
    ("iterations", [100.0], (100,)),
    ("target", "0.1%,0.01", ("0.1%", 0.01)),
    ("simultaneous", "yes,no", (True, False)),
    ("simultaneous", [False, True], (False, True)),
    ("memory", "8GB", ("8GB",)),
    ("memory", 1_000, ("1000",)),
]


@pytest.mark.parametrize(("name", "given", "meant"), READ)
def test_values_are_read(name: str, given: Any, meant: tuple[Any, ...]) -> None:
    assert option_values(VARIED[name], given) == meant


BAD: list[tuple[str, Any, str]] = [
    ("rule", "", "rule has no value"),
    ("rule", [3], "rule must be a text, got 3"),
    ("rule", [""], "rule must be a text"),
    ("seed", "4..0", "seed: 4..0 runs backwards"),
    ("seed", "0..99999", "seed: 0..99999 has more than 10,000 values"),
    ("seed", range(10**12), "seed has more than 10,000 values"),
    ("seed", "-1", "a seed must be a whole number from 0"),
    ("seed", True, "seed must be a number, got True"),
    ("iterations", "many", "iterations must be a number, got 'many'"),
    ("iterations", 1.5, "iterations must be a whole number"),
    ("iterations", "nan", "iterations must be a number, got 'nan'"),
    ("iterations", "1e999999", "iterations must be a number"),
    ("target", "x%", "target must be a number, got 'x'"),
    ("simultaneous", "maybe", "simultaneous is yes, no, or yes,no"),
    ("iterations", {"a": {}}, "iterations must be a number, got 'a'"),
]


@pytest.mark.parametrize(("name", "given", "why"), BAD)
def test_what_is_no_value_is_refused(name: str, given: Any, why: str) -> None:
    with pytest.raises(RuseError) as refused:
        option_values(VARIED[name], given)
    assert str(refused.value).startswith(why)


def test_fields_of_games() -> None:
    assert field_values("suits", "2..4") == (2, 3, 4)
    assert field_values("open", "2bb/3bb,all-in") == ("2bb/3bb", "all-in")
    assert field_values("ante", [1, 0.5]) == (1, 0.5)
    with pytest.raises(RuseError, match=r"^ante must be numbers or texts, as in ante=2,3, got"):
        field_values("ante", [[1]])


def test_games_with_commas() -> None:
    assert games_in("kuhn,leduc:suits=2,ranks=4,leduc") == ["kuhn", "leduc:suits=2,ranks=4", "leduc"]
    spot = "holdem: board Qs Jh 2h 8d 3c, pot 50, stack 200, oop AA, ip KK"
    assert games_in(spot) == [spot]
    with pytest.raises(RuseError, match=r"^a sweep is of games by name"):
        games_in([5])


def test_grids_are_bounded_before_anything_is_made() -> None:
    with pytest.raises(RuseError, match=r"^the grid has 90,000 cells, and a sweep at most 10,000; vary less$"):
        SweepGrid.of("kuhn", {"seed": "0..299", "iterations": "1..300"})


def test_values_as_they_are_typed() -> None:
    assert [value_text(x) for x in (None, True, False, 3, "dcfr", ["a: delta=1", "b: delta=2"])] == [
        "none", "yes", "no", "3", "dcfr", "a: delta=1; b: delta=2",
    ]  # fmt: skip


def test_a_seed_that_is_too_large_is_named_as_it_was_typed() -> None:
    with pytest.raises(RuseError, match=r"^a seed must be a whole number from 0 to 9\d+, got 18446744073709551616$"):
        option_values(VARIED["seed"], "0,18446744073709551616")
