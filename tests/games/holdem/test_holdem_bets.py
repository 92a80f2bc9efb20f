"""Bet sizes as people write them."""

import pytest

from ruse.errors import RuseError
from ruse.games.holdem.betting.bets import (
    ALL_IN,
    ANY,
    BLINDS,
    CHIPS,
    LEAST,
    POT,
    TIMES,
    BetSize,
    bet_to,
    bets_named,
    bets_text,
)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("2bb, 3bb, 60%, all-in", [BetSize(BLINDS, 2), BetSize(BLINDS, 3), BetSize(POT, 60), BetSize(ALL_IN)]),
        ("2.5BB/3x", [BetSize(BLINDS, 2.5), BetSize(TIMES, 3)]),
        ("min pot ALL IN", [BetSize(LEAST), BetSize(POT, 100), BetSize(ALL_IN)]),
        ("33 %; 40c; allin", [BetSize(POT, 33), BetSize(CHIPS, 40), BetSize(ALL_IN)]),
        ("any", [BetSize(ANY)]),
        ("none", []),
        ("", []),
    ],
)
def test_bets_are_read_and_written_back(text: str, sizes: list[BetSize]) -> None:
    assert bets_named(text) == tuple(sizes)
    assert bets_named(bets_text(sizes)) == tuple(sizes)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2bb, 60", "'60'"),
        ("2bb, sixty%", "'sixty%'"),
        ("-3bb", "'-3bb'"),
        ("0%", "'0%'"),
        ("nan%", "'nan%'"),
        ("1e3bb", "'1e3bb'"),
        ("99999999bb", "'99999999bb'"),
        ("1x", "'1x'"),
        ("60%, 60.0%", "60% is twice"),
        ("any, 2bb", "alone"),
        ("none, 2bb", "'none'"),
    ],
)
def test_wrong_bets_are_refused_in_one_sentence(text: str, wrong: str) -> None:
    with pytest.raises(RuseError) as told:
        bets_named(text)
    assert wrong in str(told.value)
    assert repr(text) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_first_bet_is_no_multiple() -> None:
    assert bets_named("3x") == (BetSize(TIMES, 3),)
    with pytest.raises(RuseError, match="3x"):
        bets_named("60%, 3x", opens=True)


def test_what_a_size_comes_to() -> None:
    """The pot is 100 with a bet of 20 in it, to which a player has put 5."""
    now = {"pot": 100, "call": 15, "highest": 20, "least": 40, "most": 500, "big_blind": 10}
    sizes = bets_named("2.5bb 30c pot 60% 3x min all-in")
    assert [bet_to(*size, **now) for size in sizes] == [25, 30, 135, 89, 60, 40, 500]
