"""Tables that are no strategy are refused wherever somebody looks one up, shows it or saves it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.play.bots.manners import likeliest
from ruse.store import distributions
from ruse.strategy import Strategy

KUHN = ruse.Kuhn()


@pytest.fixture(scope="module")
def kuhn() -> Strategy:
    return ruse.train(KUHN, ruse.cfr(), iterations=10).strategy


def not_a_number(shares: Any) -> Any:
    bent = shares.copy()
    bent[3] = np.nan
    return bent


FAULTS: dict[str, Any] = {
    "NaN": not_a_number,
    "below zero": lambda shares: -shares,
    "nothing": lambda shares: 0 * shares,
    "too much": lambda shares: 2 * shares,
    "a list": lambda shares: shares.tolist(),
    "None": lambda shares: None,
    "text": lambda shares: "x",
    "of another machine's bytes": lambda shares: shares.astype(shares.dtype.newbyteorder()),
}
USES: dict[str, Any] = {
    "at a history": lambda s, path: s.at(["K", "J"]),
    "at a state": lambda s, path: s.at(ruse.State.of(KUHN).after("K", "J")),
    "by its name": lambda s, path: s["K, pass bet"],
    "by its key": lambda s, path: s.probabilities(int(s.keys[0]), 2),
    "printed": lambda s, path: str(s),
    "in rows": lambda s, path: s.rows(),
    "saved": lambda s, path: s.save(path),
    "at its likeliest": lambda s, path: likeliest(s),
    "in a tree": lambda s, path: ruse.draw_tree("kuhn", s),
    "explained": lambda s, path: ruse.explain(s),
    "measured": lambda s, path: ruse.measure_exploitability("kuhn", s),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_distribution_is_refused(kuhn: Strategy, fault: str, use: str, tmp_path: Path) -> None:
    """Of all zeros it was told that nothing is done at all."""
    bent = Strategy(KUHN, kuhn.keys, kuhn.start, FAULTS[fault](kuhn.probability))
    with pytest.raises(RuseError, match=r"^the strategy cannot be (played|saved): "):
        USES[use](bent, tmp_path / "strategy")
    assert not list(tmp_path.iterdir())


def test_openspiel_is_given_none(kuhn: Strategy) -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(RuseError, match=r"^the strategy cannot be played: it holds the probability nan$"):
        Strategy(KUHN, kuhn.keys, kuhn.start, not_a_number(kuhn.probability)).to_openspiel("kuhn_poker")


def test_tables_are_looked_at_once(kuhn: Strategy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look-ups come in loops; other tables are looked at anew."""
    looks: list[Any] = []
    fault = distributions.fault_in_tables
    monkeypatch.setattr("ruse.strategy.fault_in_tables", lambda tables: looks.append(1) or fault(tables))
    made = Strategy(KUHN, kuhn.keys, kuhn.start, kuhn.probability)
    for _ in range(3):
        made.at(["K", "J"])
    assert len(looks) == 1
    made.keys = made.keys[::-1]
    with pytest.raises(RuseError, match=r"keys and rows must ascend$"):
        made.at(["K", "J"])


def test_a_menu_of_another_length_is_not_saved(kuhn: Strategy, tmp_path: Path) -> None:
    bent = Strategy(KUHN, kuhn.keys, np.arange(0, 39, 3), np.full(36, 1 / 3))
    with pytest.raises(RuseError, match=r"^the strategy does not fit Kuhn.*: an infoset has 2 actions, not 3$"):
        bent.save(tmp_path / "strategy")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("key", "count"), [(-1, 2), (5, 0), (1 << 64, 2), ("x", 2), (5, 1.5), (None, 2), (True, 2)])
def test_keys_and_counts_are_whole_numbers(kuhn: Strategy, key: Any, count: Any) -> None:
    with pytest.raises(RuseError, match=r"^an infoset has a key from 0 to 2\^64 - 1 and an action at least, not "):
        kuhn.probabilities(key, count)


@pytest.mark.parametrize(
    "use", [lambda s: ruse.draw_tree("kuhn", s), lambda s: s.to_openspiel("kuhn_poker")], ids=["tree", "openspiel"]
)
def test_tables_that_were_changed_after_a_look_are_looked_at_again(kuhn: Strategy, use: Any) -> None:
    bent = Strategy(KUHN, kuhn.keys, kuhn.start, kuhn.probability.copy())
    bent.at(["K", "J"])
    bent.probability[:2] = -5.0, 6.0
    with pytest.raises(RuseError, match="cannot be played: it holds the probability -5"):
        use(bent)


@pytest.mark.parametrize(("key", "count"), [(3, 2**63), (-1, 2), (3, 0), (2**64, 2), ("3", 2)])
def test_what_is_no_infoset_is_told(kuhn: Strategy, key: Any, count: int) -> None:
    with pytest.raises(RuseError, match="an infoset has a key from 0"):
        kuhn.probabilities(key, count)
