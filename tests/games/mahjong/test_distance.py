"""Distances to winning patterns, against all complete hands one by one."""

import distance_twin as twin
import numpy as np
import pytest

from ruse.compile import kernel
from ruse.games.mahjong.distances.distance import IMPOSSIBLE, after_discards, best_discards, copies_in
from ruse.games.mahjong.distances.four_melds import four_melds
from ruse.games.mahjong.distances.four_pongs import FourPongs
from ruse.games.mahjong.distances.seven_pairs import SevenPairs
from ruse.games.mahjong.tiles import KINDS

NAMES = [*(f"{n}m" for n in range(1, 10)), *"ESWNCFP"]
PATTERNS = {
    "melds": (four_melds, lambda declared: twin.melded_hands(4 - declared)),
    "pongs": (FourPongs, lambda declared: twin.ponged_hands(4 - declared)),
    "pairs": (SevenPairs, lambda declared: twin.paired_hands(True)),
    "single pairs": (lambda: SevenPairs(False), lambda declared: twin.paired_hands(False)),
}


@kernel
def evaluate(pattern, hands, declared, unseen, distances, masks):
    for i in range(len(hands)):
        distances[i, 0] = pattern.distance(hands[i], declared[i], unseen[i])
        distances[i, 1], masks[i] = pattern.useful(hands[i], declared[i], unseen[i])


@kernel
def side_by_side(pattern, hands, declared, unseen, result):
    pattern.distances(hands, declared, unseen, result)


@kernel
def discards(pattern, hands, declared, unseen, distances, masks, best, best_masks):
    for i in range(len(hands)):
        best[i, 2] = after_discards(pattern, hands[i], declared[i], unseen[i], distances[i], masks[i])
        best[i, 0], best[i, 1] = best_discards(pattern, hands[i], declared[i], unseen[i], best_masks[i])


def evaluated(pattern, hands, declared, unseen):
    distances, masks = np.zeros((len(hands), 2), np.int64), np.zeros(len(hands), np.int64)
    evaluate(pattern, hands, declared, unseen, distances, masks)
    assert (distances[:, 0] == distances[:, 1]).all()
    result = np.zeros(len(hands), np.int64)
    side_by_side(pattern, hands, declared, unseen, result)
    assert (result == distances[:, 0]).all()
    return distances[:, 0], masks


def counts(text: str) -> np.ndarray:
    return np.bincount([NAMES.index(name) for name in text.split()], minlength=KINDS)


def positions(seed: int, number: int, declared: int, gone: float = 0.5, drawn: int = 0):
    """Random hands, and what is unseen after some of the other tiles, up to a share of them, have been shown."""
    rng = np.random.default_rng(seed)
    hands, unseen = np.zeros((2, number, KINDS), np.int64)
    for i in range(number):
        wall = rng.permutation(np.repeat(np.arange(KINDS), 4))
        size = 13 - 3 * declared + drawn
        shown = size + int(rng.random() * gone * (64 - size))
        hands[i] = np.bincount(wall[:size], minlength=KINDS)
        unseen[i] = np.bincount(wall[shown:], minlength=KINDS)
    return hands, np.full(number, declared), unseen


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize(("declared", "number"), [(0, 12), (1, 40), (2, 60), (3, 60), (4, 60)])
def test_against_all_complete_hands(name: str, declared: int, number: int) -> None:
    if "pairs" in name and declared:
        pytest.skip("seven pairs have no declared melds")
    make, complete = PATTERNS[name]
    for drawn in (0, 1):
        for gone in (0.0, 0.7, 1.0):
            hands, melds, unseen = positions(declared, number // 4, declared, gone, drawn)
            distances, masks = evaluated(make(), hands, melds, unseen)
            for i in range(len(hands)):
                expected = twin.distance(complete(declared), hands[i], unseen[i])
                assert distances[i] == expected, (hands[i], unseen[i])
                if expected != IMPOSSIBLE:
                    assert masks[i] == twin.useful(complete(declared), hands[i], unseen[i]), (hands[i], unseen[i])


@pytest.mark.parametrize(
    ("held", "left", "far"),
    [
        ("E E S S W W N N C C F F P", "1m 2m 3m 4m", 12),  # four melds are to be drawn
        ("E E S S W W N N C C F F P", "6m 7m 8m 9m", 12),
        ("E E S S W W N N C C F F 1m", "1m 2m 3m 4m", 11),
        ("E E S S W W N N C C F F 1m 2m", "1m 2m 3m 4m", 10),
        ("E E S S W W N N C C F F P", "1m 5m 9m", IMPOSSIBLE),
    ],
)
def test_a_hand_that_needs_nearly_all_of_its_tiles(held: str, left: str, far: int) -> None:
    hand, unseen = counts(held), np.zeros(KINDS, np.int64)
    for name in left.split():
        unseen[NAMES.index(name)] = 4 - hand[NAMES.index(name)]
    distances, masks = evaluated(four_melds(), hand[None], np.zeros(1, np.int64), unseen[None])
    assert distances[0] == far == twin.distance(twin.melded_hands(4), hand, unseen)
    assert masks[0] == twin.useful(twin.melded_hands(4), hand, unseen)


def test_positions_in_which_nearly_all_is_gone() -> None:
    """The unseen tiles are of a few kinds that are hardly held."""
    rng, number = np.random.default_rng(3), 60
    hands, unseen = np.zeros((2, number, KINDS), np.int64)
    for i in range(number):
        kept = np.isin(np.arange(KINDS), np.arange(4) + i % 10 if i % 2 else rng.permutation(KINDS)[:5])
        shuffled = rng.permutation(np.repeat(np.flatnonzero(~kept), 4))
        held = np.append(shuffled[: 13 - i % 3], rng.choice(np.flatnonzero(kept), i % 3, replace=False))
        hands[i] = np.bincount(held, minlength=KINDS)
        unseen[i] = np.where(kept, 4 - hands[i], 0)
    distances, masks = evaluated(four_melds(), hands, np.zeros(number, np.int64), unseen)
    complete = twin.melded_hands(4)
    for i in range(number):
        assert distances[i] == twin.distance(complete, hands[i], unseen[i])
        assert masks[i] == twin.useful(complete, hands[i], unseen[i])
    assert {9, 10, 11} <= set(distances.tolist())


@pytest.mark.parametrize("name", PATTERNS)
def test_a_useful_tile_lowers_the_distance(name: str) -> None:
    pattern = PATTERNS[name][0]()
    hands, declared, unseen = positions(5, 3000, 0, 1.0)
    distances, masks = evaluated(pattern, hands, declared, unseen)
    assert len(set(distances)) > 4
    for kind in range(KINDS):
        drawn = np.arange(KINDS) == kind
        there = unseen[:, kind] > 0
        then, _ = evaluated(pattern, hands[there] + drawn, declared[there], unseen[there] - drawn)
        assert (then == distances[there] - (masks[there] >> kind & 1)).all()
        assert not (masks[~there] >> kind & 1).any()


@pytest.mark.parametrize("name", PATTERNS)
def test_interpreted_is_compiled(name: str) -> None:
    pattern = PATTERNS[name][0]()
    hands, declared, unseen = positions(6, 10, 0)
    distances, masks = evaluated(pattern, hands, declared, unseen)
    for i in range(len(hands)):
        assert pattern.useful(hands[i], 0, unseen[i]) == (distances[i], masks[i])
        assert pattern.distance(hands[i], 0, unseen[i]) == distances[i]


@pytest.mark.parametrize(
    ("text", "normal", "pongs", "pairs"),
    [
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S S", 0, 6, 5),
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S", 1, 7, 6),
        ("1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m", 1, 5, 5),
        ("E E E E S S S S W W W W N", 4, 4, 1),
        ("1m 1m 2m 2m 3m 3m E E S S W W N", 2, 4, 1),
        ("1m 4m 7m E S W N C F P 1m 4m 7m", 6, 6, 4),
        ("1m 1m 1m E E E S S S W W W N", 1, 1, 3),
    ],
)
def test_known_hands(text: str, normal: int, pongs: int, pairs: int) -> None:
    hand = counts(text)
    for pattern, expected in ((four_melds(), normal), (FourPongs(), pongs), (SevenPairs(), pairs)):
        assert pattern.distance(hand, 0, 4 - hand) == expected


def test_the_wait_on_nine_sides() -> None:
    hand = counts("1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m")
    assert four_melds().useful(hand, 0, 4 - hand) == (1, 0b111111111)
    assert copies_in(0b111111111, 4 - hand) == 23


def test_a_tile_that_is_gone_is_not_waited_for() -> None:
    hand = counts("1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S")
    unseen = 4 - hand
    unseen[NAMES.index("S")] = 0
    distance, mask = four_melds().useful(hand, 0, unseen)
    assert distance == 2
    assert not mask >> NAMES.index("S") & 1
    assert four_melds().useful(hand, 0, np.zeros(KINDS, np.int64)) == (IMPOSSIBLE, 0)


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("declared", [0, 2])
def test_best_discards(name: str, declared: int) -> None:
    """Those that are found by one look at the hand are those that are best when each is tried."""
    hands, melds, unseen = positions(7, 3000, declared, 0.9, 1)
    before = hands.copy()
    distances, masks, best_masks = np.zeros((3, len(hands), KINDS), np.int64)
    best = np.zeros((len(hands), 3), np.int64)
    discards(PATTERNS[name][0](), hands, melds, unseen, distances, masks, best, best_masks)
    assert (hands == before).all()
    assert (best[:, 2] == distances.min(axis=1)).all()
    assert (best[:, 0] == best[:, 2]).all()
    chosen = (distances == best[:, :1]) & (hands > 0)
    assert (best[:, 1] == chosen @ (1 << np.arange(KINDS))).all()
    assert (best_masks == masks * chosen).all()
    assert (distances[hands == 0] == IMPOSSIBLE).all()


def test_the_tile_to_discard() -> None:
    hand = counts("1m 2m 3m 4m 5m 6m 7m 8m E E E S S W")
    masks = np.zeros(KINDS, np.int64)
    west = NAMES.index("W")
    assert best_discards(four_melds(), hand, 0, 4 - hand, masks) == (1, 1 << west)
    assert masks[west] == 0b100100100
