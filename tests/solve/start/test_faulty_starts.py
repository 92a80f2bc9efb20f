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


def learned() -> Any:
    return ruse.train(KUHN, CFR, iterations=20).engine.learned(20)


LEARNED: dict[str, Any] = {
    "an average below zero": {"average": lambda x: -5.0 - x},
    "an endless average": {"average": lambda x: x + np.inf},
    "no number": {"regret": lambda x: x * np.nan},
    "endless regret": {"regret": lambda x: x + np.inf},
    "sums that cannot be added to": {"regret": lambda x: x + 1e308, "average": lambda x: x + 1e308},
    "complex": {"average": lambda x: x + 0j},
    "objects": {"average": lambda x: x.astype(object)},
    "too short": {"average": lambda x: x[:-1]},
    "a list": {"regret": lambda x: x.tolist()},
    "None": {"keys": lambda x: None},
    "reversed": {"keys": lambda x: x[::-1]},
    "signed": {"keys": lambda x: x.view(np.int64)},
    "of two dimensions": {"regret": lambda x: x.reshape(-1, 2)},
    "shifted": {"start": lambda x: x + 1},
}


@pytest.mark.parametrize("fault", LEARNED)
def test_what_nobody_has_learned_is_not_copied(fault: str) -> None:
    """It was computed from: exploitability below 0, and probabilities too."""
    good = learned()
    bent = good._replace(**{name: bend(getattr(good, name)) for name, bend in LEARNED[fault].items()})
    with pytest.raises(RuseError, match=r"^a copy cannot be made of what was learned: "):
        ruse.train(KUHN, CFR, iterations=1, start=ruse.starts.Copied(bent))


@pytest.mark.parametrize(
    ("solver", "start"),
    [
        ("cfr", lambda run: ruse.starts.Copied(run, factor=1e308)),
        ("mccfr", lambda run: ruse.starts.Copied(run, factor=1e37)),
        ("mccfr", lambda run: ruse.Leaning(run.strategy, weight=1e39)),
    ],
)
def test_no_start_is_too_large_to_be_added_to(solver: str, start: Any) -> None:
    run = ruse.train(KUHN, CFR, iterations=20)
    with pytest.raises(RuseError, match=r"^no training can begin from this: .* which no training comes to$"):
        ruse.train(KUHN, solver, iterations=1, start=start(run))


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        (3, "a mapping is a view, or a function from a key to the new one, not 3"),
        (lambda key: None, "the mapping gives None for the key"),
        (lambda key: "x", "the mapping gives 'x' for the key"),
        (lambda key: 1.5, "the mapping gives 1.5 for the key"),
    ],
)
def test_a_mapping_that_is_none_is_told(mapping: Any, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.train(KUHN, CFR, iterations=1, start=ruse.starts.Copied(learned(), mapping=mapping))


def test_a_lean_may_be_towards_a_strategy_in_single_precision() -> None:
    made = tables()
    strategy = ruse.Strategy(KUHN, **made | {"probability": made["probability"].astype(np.float32)})
    assert ruse.train(KUHN, "mccfr", iterations=10, start=ruse.Leaning(strategy)).iterations == 10
