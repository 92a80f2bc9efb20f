"""Deals without the names of their suits: known counts, there and back, and all 24 namings one by one."""

from itertools import permutations
from math import comb

import numpy as np
import pytest

from ruse.compile import kernel
from ruse.errors import RuseError
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.suits.deals import (
    canonical,
    cards_of,
    deal_number,
    deal_of,
    starting_hands,
    starting_names,
    word_of,
)
from ruse.games.holdem.suits.index import suit_index

COUNTS = {
    (2, 0): 169,
    (0, 3): 1755,
    (0, 4): 16_432,
    (0, 5): 134_459,
    (2, 3): 1_286_792,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
}


def one_by_one(hidden: list[int], board: list[int]) -> tuple[list[int], list[int]]:
    """The smallest of all namings of the suits."""
    return min(
        tuple(sorted(card // 4 * 4 + naming[card % 4] for card in cards) for cards in (hidden, board))
        for naming in permutations(range(4))
    )


@pytest.mark.parametrize(("hidden", "board"), COUNTS)
def test_known_counts(hidden: int, board: int) -> None:
    assert suit_index(hidden, board).size == COUNTS[hidden, board]


@pytest.mark.parametrize(("hidden", "board"), COUNTS)
def test_one_number_for_all_namings_and_no_other_deal(hidden: int, board: int) -> None:
    rng = np.random.default_rng(0)
    seen: dict[object, int] = {}
    for few in (52, 12, 8):  # of a short deck suits are often alike
        for _ in range(150):
            cards = rng.permutation(few)[: hidden + board].tolist()
            hole, lies = cards[:hidden], cards[hidden:]
            naming, number = rng.permutation(4), deal_number(hole, lies)
            renamed = [card // 4 * 4 + int(naming[card % 4]) for card in cards]
            assert deal_number(renamed[:hidden], renamed[hidden:]) == number
            form = one_by_one(hole, lies)
            assert seen.setdefault(repr(form), number) == number
            assert one_by_one(*canonical(hole, lies)) == form
            assert canonical(*canonical(hole, lies)) == canonical(hole, lies)
    assert len(set(seen.values())) == len(seen)


@kernel
def there_and_back(index):
    """How many numbers do not come back, and how many deals there are in all."""
    lost, deals = 0, 0
    for number in range(index.size):
        hole, board = index.canonical_cards(number)
        lost += index.canonical_index(hole, board) != number
        deals += index.arrangements(number)
    return lost, deals


# A number that comes back is that of a deal; so each is, and as many deals as there are have them: none is left out,
# and no two numbers are of the same.
@pytest.mark.parametrize(
    ("hidden", "board"),
    [pytest.param(*cards, marks=[pytest.mark.slow] * (count > 10**7)) for cards, count in COUNTS.items()],
)
def test_every_number_comes_back(hidden: int, board: int) -> None:
    assert there_and_back(suit_index(hidden, board)) == (0, comb(52, hidden) * comb(52 - hidden, board))


def test_streets_one_behind_the_other() -> None:
    streets, sizes = suit_index(2, 0, 3, 4, 5), [COUNTS[2, board] for board in (0, 3, 4, 5)]
    assert streets.size == sum(sizes)
    rng = np.random.default_rng(1)
    for k, board in enumerate((0, 3, 4, 5)):
        for _ in range(20):
            cards = rng.permutation(52).tolist()
            hole, lies = cards[:2], cards[2 : 2 + board]
            number = streets.canonical_index(word_of(hole), word_of(lies))
            assert number == sum(sizes[:k]) + deal_number(hole, lies)
            assert [cards_of(word) for word in streets.canonical_cards(number)] == list(canonical(hole, lies))


def test_starting_hands_have_names() -> None:
    numbers, names = starting_hands(), starting_names()
    assert len(set(names)) == 169
    combos = np.bincount(numbers)
    assert {(len(name), name[2:]): int(n) for name, n in zip(names, combos, strict=True)} == {
        (2, ""): 6,
        (3, "s"): 4,
        (3, "o"): 12,
    }
    for text, name in (("As Ks", "AKs"), ("2c Ah", "A2o"), ("7c 7d", "77")):
        assert names[deal_number(cards_named(text))] == name


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: deal_number([0, 1], [1, 2, 3]), "2d is twice in 2c 2d 2d 2h 2s"),
        (lambda: deal_of(169, 2, 0), "have numbers below 169, not 169"),
        (lambda: deal_of(-1, 2, 3), "not -1"),
        (lambda: suit_index(3, 0), "not 3 and 0"),
    ],
)
def test_what_is_no_deal_is_refused(call, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        call()
