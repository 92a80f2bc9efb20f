"""How often hands and ranges win, against every pair and board one by one, and known odds."""

from itertools import combinations

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.hands.equity import equity, exact_equity, hand_range, sampled_equity
from ruse.games.holdem.hands.holdings import HOLDINGS, holding_cards
from ruse.games.holdem.hands.strengths import strengths


def some_range(seed: int, hands: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    weights = np.zeros(HOLDINGS)
    weights[rng.choice(HOLDINGS, hands, replace=False)] = rng.random(hands)
    return weights


def one_by_one(hero: np.ndarray, villain: np.ndarray, board: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """For each holding of the hero what it wins of the other range, ties counted half, and what it meets."""
    won, met = np.zeros(HOLDINGS), np.zeros(HOLDINGS)
    for mine in np.flatnonzero(hero):
        for theirs in np.flatnonzero(villain):
            held = [*holding_cards()[mine].tolist(), *holding_cards()[theirs].tolist()]
            if len({*held, *board}) < 4 + len(board):
                continue
            left = [card for card in range(52) if card not in held and card not in board]
            boards = np.array([[*board, *more] for more in combinations(left, 5 - len(board))])
            ours, others = (
                strengths(np.concatenate([boards, np.broadcast_to(hand, (len(boards), 2))], axis=1)).astype(int)
                for hand in (held[:2], held[2:])
            )
            won[mine] += villain[theirs] * ((ours > others).sum() + (ours == others).sum() / 2)
            met[mine] += villain[theirs] * len(boards)
    return won, met


@pytest.mark.parametrize(
    ("text", "hands"), [("Qs Jh 2h", 5), ("Qs Jh 2h 8d", 20), ("Qs Jh 2h 8d Qd", 60), ("As Ks Qs Js Ts", 30)]
)
def test_ranges_against_every_pair_and_board(text: str, hands: int) -> None:
    board = cards_named(text)
    hero, villain = some_range(1, hands), some_range(2, hands)
    villain[np.flatnonzero(hero)[::2]] = 0.7  # holdings in both
    won, met = one_by_one(hero, villain, board)
    found = exact_equity(hero, villain, board)
    assert found.exact
    assert found.share == pytest.approx((hero * won).sum() / (hero * met).sum(), abs=1e-12)
    assert found.interval == (found.share, found.share)
    expected = np.full(HOLDINGS, np.nan)
    expected[met > 0] = won[met > 0] / met[met > 0]
    np.testing.assert_allclose(found.by_holding, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("hero", "villain", "wins", "ties"),
    [("As Ah", "Ks Kh", 0.823595, 0.005420), ("As Ks", "Qc Qh", 0.460188, 0.003897)],
)
def test_known_odds_before_the_flop(hero: str, villain: str, wins: float, ties: float) -> None:
    found = equity(hand_range(hero), hand_range(villain))
    assert (found.exact, found.boards) == (True, 1_712_304)
    assert (round(found.win, 4), round(found.tie, 4)) == (round(wins, 4), round(ties, 4))
    back = equity(hand_range(villain), hand_range(hero))
    assert found.share + back.share == pytest.approx(1, abs=1e-12)


def test_a_sample_has_an_interval_that_holds_the_exact_share() -> None:
    hero, villain, board = some_range(3, 40), some_range(4, 40), cards_named("Qs Jh 2h")
    exact = exact_equity(hero, villain, board)
    inside, widths = 0, []
    for seed in range(40):
        found = sampled_equity(hero, villain, board, boards=400, seed=seed)
        assert not found.exact
        inside += found.interval[0] <= exact.share <= found.interval[1]
        widths.append(found.interval[1] - found.interval[0])
    assert inside >= 34  # 95 % are 38
    assert 0 < max(widths) < 0.1
    again = sampled_equity(hero, villain, board, boards=400, seed=39)
    assert again.interval == found.interval


def test_what_is_too_much_is_sampled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.games.holdem.hands.equity.SAMPLE", 1000)
    found = equity(np.ones(HOLDINGS), np.ones(HOLDINGS))
    assert not found.exact
    assert found.boards == 1000
    assert "of 1,000 boards drawn at random" in str(found)
    assert str(equity(hand_range("As Ah"), hand_range("Ks Kh"), cards_named("2c 3d 4h 5s 9c"))).endswith(
        "exact, 1 board"
    )


@pytest.mark.parametrize(
    ("hero", "villain", "board", "why"),
    [
        ("Qs Jh", "As Ah", "Qs 2c 3c", "empty: every hand in it has a card of the board Qs 2c 3c"),
        ("Qs Jh", "Qs Ah", "", "every hand of one range has a card of every hand of the other$"),
        ("Qs Jh", "Qs Ah", "2c 3c 4c", "of every hand of the other on 2c 3c 4c"),
        ("Qs Jh", "As Ah", "2c 3c", "no, three, four or five cards; 2c 3c has 2"),
    ],
)
def test_what_cannot_be_is_refused(hero: str, villain: str, board: str, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        equity(hand_range(hero), hand_range(villain), cards_named(board))


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        (np.zeros(HOLDINGS), "the weight 0"),
        (np.ones(169), r"1326 weights, not of shape \(169,\)"),
        (np.full(HOLDINGS, -1.0), "from 0 on, not -1"),
        (np.full(HOLDINGS, np.nan), "not nan"),
        (np.full(HOLDINGS, np.inf), "not inf"),
    ],
)
def test_what_is_no_range_is_refused(weights: np.ndarray, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        equity(hand_range("As Ah"), weights, cards_named("2c 3c 4c"))


def test_what_is_no_hand_is_refused() -> None:
    with pytest.raises(RuseError, match="a hand has two cards, not 3"):
        hand_range("As Ah Ad")
    with pytest.raises(RuseError, match="from 2 to 10,000,000, not 1"):
        sampled_equity(hand_range("As Ah"), hand_range("Ks Kh"), boards=1)
