"""A training starts from no table that is not a strategy, however it was made."""

from typing import Any

import numpy as np
import pytest
from starting import CFR, KUHN

import ruse
from ruse.errors import RuseError

STARTS: dict[str, Any] = {"a warm start": ruse.WarmStart, "a lean": ruse.Leaning}


def tables() -> dict[str, Any]:
    made = ruse.train(KUHN, CFR, iterations=20).strategy
    return {"keys": made.keys, "start": made.start, "probability": made.probability}


FAULTS: dict[str, Any] = {
    "nothing at all": {"probability": lambda p: 0 * p},
    "below zero": {"probability": lambda p: -p},
    "no number": {"probability": lambda p: np.nan * p},
    "too much": {"probability": lambda p: 5 * p},
    "too short": {"probability": lambda p: p[:-3]},
    "of two dimensions": {"probability": lambda p: p.reshape(-1, 2)},
    "a list": {"probability": lambda p: p.tolist()},
    "None": {"start": lambda start: None},
    "reversed": {"keys": lambda keys: keys[::-1]},
    "twice": {"keys": lambda keys: np.repeat(keys[:1], len(keys))},
    "signed": {"keys": lambda keys: keys.view(np.int64)},
    "shifted": {"start": lambda start: start - 5},
    "spread out": {"start": lambda start: start * 1000},
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_strategy_that_is_none_is_no_start(start: str, fault: str) -> None:
    """They were computed from: of all zeros came a number that looked like an exploitability."""
    given = tables()
    bent = {name: FAULTS[fault].get(name, lambda table: table)(table) for name, table in given.items()}
    with pytest.raises(RuseError, match=f"^the strategy of {start} cannot be played: "):
        ruse.train(KUHN, CFR, iterations=1, start=STARTS[start](ruse.Strategy(KUHN, **bent)))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("given", [None, 3, "x"])
def test_what_is_no_strategy_is_no_start(start: str, given: Any) -> None:
    with pytest.raises(RuseError, match=f"^{start} is from a strategy, such as run.strategy, not from {given!r}$"):
        ruse.train(KUHN, CFR, iterations=1, start=STARTS[start](given))


def test_numbers_of_a_start_are_numbers() -> None:
    uniform, run = ruse.Strategy.uniform(KUHN), ruse.train(KUHN, CFR, iterations=2)
    faulty: list[tuple[Any, str]] = [
        (ruse.WarmStart(uniform, iterations="x"), "iterations of a warm start must be a whole number, got 'x'"),  # type: ignore[arg-type]
        (ruse.WarmStart(uniform, scratch=1.5), "scratch of a warm start must be a whole number, got 1.5"),  # type: ignore[arg-type]
        (ruse.Leaning(uniform, weight="x"), "the weight of a lean must be above 0, got x"),  # type: ignore[arg-type]
        (ruse.Copied(run, factor=None), "the factor of a copy must be above 0, got None"),  # type: ignore[arg-type]
    ]
    for start, words in faulty:
        with pytest.raises(RuseError, match=f"^{words}$"):
            ruse.train(KUHN, CFR, iterations=1, start=start)
