"""Distances in Mahjong against the package `mahjong`, whose shanten is one less. It knows of no tiles that are gone."""

import numpy as np
import pytest

from ruse.games.mahjong.distances.four_melds import four_melds
from ruse.games.mahjong.distances.seven_pairs import SevenPairs
from ruse.games.mahjong.tiles import KINDS

shanten = pytest.importorskip("mahjong.shanten")

PLACES = [*range(9), *range(27, 34)]  # characters and honours among its 34 kinds


def hands(number: int, size: int) -> list[np.ndarray]:
    rng = np.random.default_rng(size)
    kinds = np.repeat(np.arange(KINDS), 4)
    return [np.bincount(rng.permutation(kinds)[:size], minlength=KINDS) for _ in range(number)]


def theirs(hand: np.ndarray) -> list[int]:
    tiles = [0] * 34
    for kind, place in enumerate(PLACES):
        tiles[place] = int(hand[kind])
    return tiles


@pytest.mark.parametrize("declared", [0, 1, 2, 3])
@pytest.mark.parametrize("drawn", [0, 1])
def test_four_melds(declared: int, drawn: int) -> None:
    pattern, judge = four_melds(), shanten.Shanten()
    for hand in hands(150, 13 - 3 * declared + drawn):
        expected = judge.calculate_shanten_for_regular_hand(theirs(hand)) + 1
        assert pattern.distance(hand, declared, 4 - hand) == expected, hand


def test_seven_pairs() -> None:
    pattern, judge = SevenPairs(four_is_two_pairs=False), shanten.Shanten()
    for hand in hands(300, 13) + hands(300, 14):
        expected = judge.calculate_shanten_for_chiitoitsu_hand(theirs(hand)) + 1
        assert pattern.distance(hand, 0, 4 - hand) == expected, hand
