"""Range notation: read as defined, written short, refused in one sentence."""

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.games.holdem.cards import NAMES, cards_named
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding_cards
from ruse.games.holdem.ranges.cells import CELL_OF, CELLS, CLASSES, hand_name, hand_named
from ruse.games.holdem.ranges.reading import range_of, range_on
from ruse.games.holdem.ranges.writing import range_text

UP = "23456789TJQKA"


def read(text: str) -> dict[frozenset[str], float]:
    """The hands of a range by the names of their cards, with their weights."""
    weights = range_of(text)
    cards = holding_cards()
    return {frozenset(NAMES[card] for card in cards[k]): weights[k] for k in range(HOLDINGS) if weights[k]}


def listed(*classes: str) -> set[frozenset[str]]:
    """The hands of classes such as AKs, 77 and T9o, by names alone: another way to the same."""
    found = set()
    for one in classes:
        for s in "cdhs":
            for t in "cdhs":
                is_meant = {"s": s == t, "o": s != t, "": True}[one[2:]]
                if is_meant and one[0] + s != one[1] + t:
                    found.add(frozenset((one[0] + s, one[1] + t)))
    return found


def test_hands_by_name() -> None:
    assert all(hand_named(hand_name(k)) == k for k in range(HOLDINGS))
    assert hand_named("khAH") == hand_named("Ah Kh")


def test_the_grid_has_pairs_on_the_diagonal_and_suited_hands_above() -> None:
    names = [one.name for one in CLASSES]
    assert (len(set(names)), names[0], names[1], names[13], names[168]) == (169, "AA", "AKs", "AKo", "22")
    assert [one.cell for one in CLASSES] == list(range(CELLS))
    assert sorted(np.bincount(CELL_OF).tolist()) == [4] * 78 + [6] * 13 + [12] * 78


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("QQ", ["QQ"]),
        ("AKs AKo", ["AK"]),
        ("ak", ["AK"]),
        ("KA", ["AK"]),
        ("KTo+", ["KTo", "KJo", "KQo"]),
        ("KT+", ["KT", "KJ", "KQ"]),
        ("TT+", ["TT", "JJ", "QQ", "KK", "AA"]),
        ("A5s-A2s", ["A5s", "A4s", "A3s", "A2s"]),
        ("A2s - A5s", ["A5s", "A4s", "A3s", "A2s"]),
        ("77-44", ["77", "66", "55", "44"]),
        ("T9s-76s", ["T9s", "98s", "87s", "76s"]),
        ("J9o-T8o", ["J9o", "T8o"]),
    ],
)
def test_kinds_of_hands(text: str, classes: list[str]) -> None:
    assert read(text) == dict.fromkeys(listed(*classes), 1.0)


def test_every_hand_and_one_hand() -> None:
    assert range_of("random").tolist() == [1.0] * HOLDINGS
    assert read("AhKh:0.25") == {frozenset(("Ah", "Kh")): 0.25}


def test_the_later_part_counts() -> None:
    assert read("22+, 77:0.5") == dict.fromkeys(listed(*(r + r for r in UP)), 1.0) | dict.fromkeys(listed("77"), 0.5)
    assert len(read("random, 72o:0")) == HOLDINGS - 12
    assert read("QQ : 0.5,QQ") == dict.fromkeys(listed("QQ"), 1.0)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("random", "random"),
        ("random:0.5", "random:0.5"),
        ("22+, 77:0.5", "88+, 77:0.5, 66-22"),
        ("A5s, A4s, A3s, A2s, AKs, AKo", "AK, A5s-A2s"),
        ("KTo, KJo, KQo", "KTo+"),
        ("AhKh, AdKd:0.5", "AdKd:0.5, AhKh"),
        ("32s", "32s"),
        ("", ""),
    ],
)
def test_written_short(text: str, short: str) -> None:
    assert range_text(range_of(text)) == short


def test_what_is_written_is_read_as_the_same() -> None:
    dice = np.random.default_rng(0)
    for _ in range(30):
        weights = np.zeros(HOLDINGS)
        for one in CLASSES:
            weights[one.hands()] = dice.choice([0.0, 0.0, 0.25, 1.0, round(float(dice.random()), 3), 1 / 3])
        some = dice.choice(HOLDINGS, 40, replace=False)
        weights[some] = dice.random(40)
        assert np.array_equal(range_of(range_text(weights)), weights)


def test_the_board_takes_its_cards_out() -> None:
    board = cards_named("Qs Jh 2h")
    weights = range_on("QQ, AK", board)
    assert weights.sum() == 3 + 16
    assert not weights[blocked_by(board)].any()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1Q", "'1' of '1Q' in a range is no rank"),
        ("AA:2", "weight of 'AA:2' in a range must be a number from 0 to 1"),
        ("AA:-0.5", "weight of 'AA:-0.5'"),
        ("AA:nan", "weight of 'AA:nan'"),
        ("QQ:", "weight of 'QQ:'"),
        ("AAs", "'AAs' in a range is a pair"),
        ("AKx", "cannot read 'AKx'"),
        ("A", "cannot read 'A'"),
        ("A5s-K2s", "'A5s-K2s' in a range has ends that do not fit"),
        ("A5s-A2o", "'A5s-A2o' in a range goes from one kind to another"),
        ("AhKh+", "'AhKh+' in a range goes on from one hand"),
        ("random+", "'random+' in a range goes on from random"),
        ("AhAh", "Ah is twice"),
        ("AhKx", "'Kx' in 'AhKx' is no card"),
        ("QsQh, Jh2c", "has no hand left: each of 'QsQh, Jh2c' holds a card of the board Qs Jh 2h"),
        ("AA:0", "is empty"),
        (" , ", "is empty"),
    ],
)
def test_refused_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(RuseError, match=r"^[^\n]*$") as refused:
        range_on(text, cards_named("Qs Jh 2h"))
    assert told in str(refused.value)
