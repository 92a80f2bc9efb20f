"""Distances in Mahjong the long way: every complete hand that four copies allow is compared with the tiles held."""

from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np

KINDS = 16
GONE = 99  # no complete hand can be had


def _tiles(*kinds: int) -> np.ndarray:
    return np.bincount(kinds, minlength=KINDS).astype(np.int8)


PONGS = [_tiles(k, k, k) for k in range(KINDS)]
CHOWS = [_tiles(k, k + 1, k + 2) for k in range(7)]
EYES = [_tiles(k, k) for k in range(KINDS)]


def _with_eyes(sets: list[np.ndarray]) -> np.ndarray:
    """Each of these with each eye, of four copies at most."""
    return _distinct((np.array(sets)[:, None] + np.array(EYES)).reshape(-1, KINDS))


def _distinct(hands: np.ndarray) -> np.ndarray:
    possible = hands[(hands <= 4).all(axis=1)]
    _, first = np.unique(possible @ 5 ** np.arange(KINDS), return_index=True)
    return possible[first].astype(np.int8)


def _sums(sets: list[tuple[np.ndarray, ...]]) -> list[np.ndarray]:
    return [sum(each, np.zeros(KINDS, np.int8)) for each in sets]


@cache
def melded_hands(melds: int) -> np.ndarray:
    """All hands of so many melds and an eye."""
    return _with_eyes(_sums(list(combinations_with_replacement(PONGS + CHOWS, melds))))


@cache
def ponged_hands(melds: int) -> np.ndarray:
    """All hands of so many pongs and an eye."""
    return _with_eyes(_sums(list(combinations(PONGS, melds))))


@cache
def paired_hands(four_is_two_pairs: bool) -> np.ndarray:
    """All hands of seven pairs."""
    choose = combinations_with_replacement if four_is_two_pairs else combinations
    return _distinct(np.array(_sums(list(choose(EYES, 7)))))


def distances(complete: np.ndarray, hand: np.ndarray, unseen: np.ndarray) -> np.ndarray:
    """How many tiles each complete hand has more, or GONE."""
    lacking = np.maximum(complete - hand.astype(np.int8), 0)
    possible = (lacking <= unseen.astype(np.int8)).all(axis=1)
    return np.where(possible, lacking.sum(axis=1, dtype=np.int64), GONE)


def distance(complete: np.ndarray, hand: np.ndarray, unseen: np.ndarray) -> int:
    """How many tiles the nearest complete hand has more, if they can be had."""
    return int(distances(complete, hand, unseen).min())


def useful(complete: np.ndarray, hand: np.ndarray, unseen: np.ndarray) -> int:
    """A mask of the kinds whose draw lowers the distance: each is drawn. One draw helps only towards the nearest."""
    far = distances(complete, hand, unseen)
    complete, now, mask = complete[far == far.min()], far.min(), 0
    if now == GONE:
        return 0
    for kind in range(KINDS):
        if unseen[kind]:
            drawn = np.arange(KINDS) == kind
            mask |= (distance(complete, hand + drawn, unseen - drawn) < now) << kind
    return mask
