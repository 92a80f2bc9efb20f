"""A state goes nowhere where its game does not go, and shows itself to players alone."""

from typing import Any

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.protocol.state import NoAction

KUHN = ruse.State.of(ruse.Kuhn())
FAULTY: list[Any] = [-1, 5, 2, float("nan"), 1.0, "bet", None, True, 10**30, np.int64(-1), np.bool_(True), [0]]


@pytest.mark.parametrize("a", FAULTY)
def test_an_action_that_there_is_not_leads_nowhere(a: Any) -> None:
    """Rules do not look before they go: NaN was applied for ever, and -1 had player 1 act after nothing."""
    state = KUHN.after("K", "J")
    for go in (state.child, state.step):
        with pytest.raises(NoAction, match=r"^no action .* after K, J; there is: pass, bet$"):
            go(a)


def test_nothing_comes_after_the_end() -> None:
    end = KUHN.after("K", "J", "pass", "pass")
    for go in (end.child, end.step):
        with pytest.raises(NoAction, match=r"^no action 0 after K, J, pass, pass; there is: none, the game is over$"):
            go(0)


def test_numbers_of_numpy_lead_on() -> None:
    state = KUHN.after("K", "J")
    for go in (state.child, state.step):
        assert np.array_equal(go(np.int8(1)).row, state.after("bet").row)  # type: ignore[arg-type]
    assert state.child(np.int8(1)).history == (*state.history, 1)  # type: ignore[arg-type]


def test_to_go_without_a_look_leads_to_the_same() -> None:
    state = KUHN.after("K", "J")
    assert repr(state.went(1)) == repr(state.child(1))
    assert repr(state.stepped(1)) == repr(state.step(1))


@pytest.mark.parametrize("viewer", [7, 2, -2, "x", None, True, False, 0.0, float("nan")])
def test_who_looks_is_a_player(viewer: Any) -> None:
    """`describe(True)` showed the card of player 1."""
    with pytest.raises(RuseError, match=r"^who looks is a player from 0 to 1, or ruse.EVERYTHING, not "):
        KUHN.after("K", "J").describe(viewer)
    assert KUHN.after("K", "J").describe(np.int64(1)) == "J"  # type: ignore[arg-type]
