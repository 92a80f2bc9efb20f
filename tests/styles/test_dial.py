"""Dials: what can be turned for nothing, what more costs, and what turns along. Kuhn's family is known by heart."""

import pytest

import ruse
from ruse.errors import RuseError
from ruse.games.kuhn import Kuhn
from ruse.styles.dial import Dials

KUHN = Kuhn()
BLUFF = "open, player 0, with J"


@pytest.fixture(scope="module")
def dials() -> Dials:
    return Dials(KUHN)


def test_kuhn_bluffs_up_to_one_in_three_for_nothing(dials: Dials) -> None:
    dial = dials.find(BLUFF)
    assert (dial.lowest, dial.highest) == pytest.approx((0.0, 1 / 3), abs=1e-6)
    assert (dial.player, dial.turns) == (0, True)
    frontier = dials.frontier(BLUFF)
    assert [frontier[0][0], frontier[-1][0]] == pytest.approx([0.0, 1.0])
    assert [price for value, price in frontier if value < 1 / 3] == pytest.approx([0.0] * 11, abs=1e-6)
    assert frontier[-1][1] == pytest.approx(2 / 9, abs=1e-6)


def test_a_dial_takes_the_others_along(dials: Dials) -> None:
    """A king bets three times as often as a jack, and a queen calls a third more often."""
    free = dials.turn(BLUFF, 0.25)
    assert free.price == pytest.approx(0.0, abs=1e-6)
    assert free.others["open, player 0, with K"] == pytest.approx(0.75, abs=1e-4)
    assert free.others["call, player 0, with Q"] == pytest.approx(0.25 + 1 / 3, abs=1e-4)
    dear = dials.turn(BLUFF, 0.6)
    assert dear.price == pytest.approx((0.6 - 1 / 3) / 3, abs=1e-6)
    assert dear.exploitability == pytest.approx(float(ruse.measure_exploitability(KUHN, dear.strategy)))
    assert dear.others[BLUFF] == pytest.approx(0.6, abs=1e-6)
    assert "J" in {one.name for one in dear.moved}
    assert dials.turn(BLUFF, 5.0).value == pytest.approx(1.0)  # the nearest that there is


def test_where_there_are_no_programs_there_is_still_a_plain_solve() -> None:
    three = Dials(Kuhn(players=3))
    assert three.exact is None
    assert "3 players" in three.why
    assert three.exploitability < 0.01
    dial = next(dial for dial in three.dials if dial.turns)
    assert dial.lowest is None
    assert three.frontier(dial.name) == []
    with pytest.raises(RuseError, match="known here only after a search"):
        three.turn(dial.name, 0.5)


def test_what_is_no_dial_is_refused(dials: Dials) -> None:
    with pytest.raises(RuseError, match="there is no metric 'smile' here; there is open"):
        dials.turn("smile", 0.5)
    with pytest.raises(RuseError, match="not how often an action is taken"):
        dials.turn("variance, player 0", 0.5)
