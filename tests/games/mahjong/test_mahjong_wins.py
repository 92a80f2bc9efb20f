"""Winning hands: against a twin that tries everything, and those that others get wrong."""

import random

import numpy as np
import pytest
from mahjong_twin import ALL, CHARACTERS, called, patterns, worth

from ruse.compile import kernel
from ruse.games.mahjong.positions import melds_named
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.past import Meld
from ruse.games.mahjong.tiles import KINDS, packed, tiles_named
from ruse.games.mahjong.wins import NORMAL, PATTERNS, PONGPONGHU, SEVEN_PAIRS, pattern_of, points_of

CASES = [
    ("chows and an eye", "1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S S", (), NORMAL),
    ("four pongs and an eye", "1m 1m 1m 5m 5m 5m 9m 9m 9m E E E C C", (), PONGPONGHU),
    ("seven pairs", "1m 1m 3m 3m 5m 5m 9m 9m E E S S C C", (), SEVEN_PAIRS),
    ("seven pairs with four of a kind", "1m 1m 1m 1m 5m 5m 9m 9m E E S S C C", (), SEVEN_PAIRS),
    ("pairs that are chows too are worth two", "1m 1m 2m 2m 3m 3m 4m 4m 5m 5m 6m 6m E E", (), SEVEN_PAIRS),
    ("three pongs that are chows too", "1m 1m 1m 2m 2m 2m 3m 3m 3m E E E C C", (), PONGPONGHU),
    ("four of a kind are no pong and an eye", "1m 1m 1m 1m 2m 3m 5m 5m 5m E E E C C", (), NORMAL),
    ("the eye is in the middle", "1m 2m 3m 4m 5m 5m 5m 6m 7m 7m 8m 9m E E", (), 0),
    ("an eye among the characters", "2m 3m 4m 4m 5m 5m 5m 6m 7m 8m 9m E E E", (), NORMAL),
    ("nine gates", "1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m 5m", (), NORMAL),
    ("four melds without a pair", "1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S W", (), 0),
    ("four melds without a pair, honours", "1m 1m 1m 9m 9m 9m E E E S S S W N", (), 0),
    ("winds are no chow", "1m 2m 3m 4m 5m 6m 7m 8m 9m E S W C C", (), 0),
    ("dragons are no chow", "1m 2m 3m 4m 5m 6m 7m 8m 9m C F P E E", (), 0),
    ("9, 1 and 2 are no chow", "9m 1m 2m 3m 4m 5m 3m 4m 5m E E E S S", (), 0),
    ("8, 9 and E are no chow", "8m 9m E 1m 2m 3m 4m 5m 6m S S S C C", (), 0),
    ("seven pairs with a declared meld", "1m 1m 3m 3m 5m 5m E E S S C", ("pong 9m",), 0),
    ("six pairs", "1m 1m 3m 3m 5m 5m 9m 9m E E S S C F", (), 0),
    ("declared pongs", "1m 1m 1m C C", ("pong 9m", "kong E", "concealed kong S"), PONGPONGHU),
    ("a declared chow spoils pongs only", "1m 1m 1m C C", ("pong 9m", "kong E", "chow 3m"), NORMAL),
    ("all four declared", "C C", ("chow 1m", "chow 1m", "chow 1m", "chow 1m"), NORMAL),
    ("all four declared, no eye", "C F", ("pong 1m", "pong 2m", "pong 3m", "pong 4m"), 0),
    ("the lowest pair is not the eye", "1m 1m 1m 2m 2m 3m 3m 4m 4m 5m 5m", ("pong E",), NORMAL),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "melds", "pattern"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_hands(hand: str, melds: tuple[str, ...], pattern: int) -> None:
    assert pattern_of(packed(tiles_named(hand)), melds_named(melds), True) == pattern


def test_four_are_one_pair_or_two() -> None:
    hand = packed(tiles_named("1m 1m 1m 1m 5m 5m 9m 9m E E S S C C"))
    assert (pattern_of(hand, 0, True), pattern_of(hand, 0, False)) == (SEVEN_PAIRS, 0)


def test_points() -> None:
    assert [points_of(p) for p in (NORMAL, PONGPONGHU, SEVEN_PAIRS)] == [1, 2, 2]


# ---- against the twin ------------------------------------------------------------------------------------------------


def some_hand(dice: random.Random) -> tuple[list[str], list[Meld]]:
    """A hand of melds, an eye or pairs, of which up to two tiles are changed, so that near misses come up."""
    kinds = list(range(KINDS)) if dice.random() < 0.5 else list(range(9))
    melds: list[Meld] = []
    hand: list[int] = []
    if dice.random() < 0.15:
        hand = [kind for kind in dice.choices(kinds, k=7) for _ in range(2)]
    else:
        for _ in range(4):
            kind = dice.choice(kinds)
            is_chow = kind < 7 and dice.random() < 0.7
            meld = Meld("chow", (kind, kind + 1, kind + 2)) if is_chow else Meld("pong", (kind,) * 3)
            if dice.random() < 0.15 and (is_chow or meld not in melds):
                melds.append(meld)
            else:
                hand += meld.kinds
        hand += [dice.choice(kinds)] * 2
    for _ in range(dice.choice((0, 0, 1, 2))):
        hand[dice.randrange(len(hand))] = dice.choice(kinds)
    return [ALL[kind] for kind in hand], melds


def possible(hand: list[str], melds: list[Meld]) -> bool:
    declared = [ALL[kind] for meld in melds for kind in meld.kinds]
    return all((hand + declared).count(tile) <= 4 for tile in ALL)


@kernel
def patterns_of(hands, melds, four_is_two_pairs, found):
    for k in range(len(hands)):
        found[k] = pattern_of(hands[k], melds[k], four_is_two_pairs)


def compare(game: Mahjong, number: int, seed: int) -> list[int]:
    """Compiled, interpreted and the twin on random hands; answers with how often each pattern came up."""
    dice, hands, rows = random.Random(seed), [], []
    while len(hands) < number:
        hand, melds = some_hand(dice)
        if possible(hand, melds):
            names = [f"{meld.name} {ALL[meld.kinds[0]]}" for meld in melds]
            hands.append((hand, [[ALL[kind] for kind in meld.kinds] for meld in melds]))
            rows.append((packed(tiles_named(hand)), melds_named(names)))
    found = np.zeros(number, np.int64)
    table = np.array(rows, np.int64)
    patterns_of(table[:, 0].copy(), table[:, 1].copy(), game.four_is_two_pairs, found)
    for (hand, melds), (tiles, declared), ours in zip(hands, rows, found.tolist(), strict=True):
        theirs = patterns(game, hand, melds)
        assert (ours > 0) == bool(theirs), (hand, melds)
        assert not ours or (PATTERNS[ours] in theirs and points_of(ours) == worth(theirs)), (hand, melds)
        assert ours == pattern_of(tiles, declared, game.four_is_two_pairs)
    return np.bincount(found, minlength=4).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("game", [Mahjong(), Mahjong(four_is_two_pairs=False)], ids=called)
def test_random_hands(game: Mahjong) -> None:
    assert min(compare(game, 4000, 1)) > 20  # of each pattern, and of hands that do not win


# ---- against sums ----------------------------------------------------------------------------------------------------

PONGS = [{kind: 3} for kind in range(KINDS)]
CHOWS = [{low: 1, low + 1: 1, low + 2: 1} for low in range(7)]
COLUMNS = np.array([[meld.get(kind, 0) for kind in range(KINDS)] for meld in PONGS + CHOWS])
PLACES = 1 << 3 * np.arange(KINDS)
DECLARED = {
    "pong": ("pong E", "kong S", "concealed kong W", "pong N"),
    "chow": ("chow 1m", "pong E", "pong S", "chow 5m"),
}


def sums(melds: np.ndarray, number: int) -> np.ndarray:
    """All hands of so many melds and an eye, packed and in order."""
    hands = np.zeros((1, KINDS), np.int64)
    for _ in range(number):
        hands = np.unique((hands[:, None] + melds).reshape(-1, KINDS), axis=0)
    hands = (hands[:, None] + 2 * np.eye(KINDS, dtype=np.int64)).reshape(-1, KINDS)
    return np.unique(hands[hands.max(axis=1) <= 4] @ PLACES)


def compare_with_sums(number: int, seed: int) -> list[int]:
    """Random hands with every number of declared melds, most of them a tile or two away from a sum of melds."""
    draw, total = np.random.default_rng(seed), np.zeros(4, np.int64)
    for declared in range(5):
        concealed = 4 - declared
        hands = COLUMNS[draw.integers(len(COLUMNS), size=(number, concealed))].sum(axis=1)
        hands[np.arange(number), draw.integers(KINDS, size=number)] += 2
        if not declared:
            pairs = np.eye(KINDS, dtype=np.int64)[draw.integers(KINDS, size=(number // 8, 7))].sum(axis=1)
            hands[: len(pairs)] = 2 * pairs
        for _ in range(2):
            here, there = draw.integers(KINDS, size=(2, number))
            moves = (hands[np.arange(number), here] > 0) & (draw.random(number) < 0.4)
            hands[np.arange(number), here] -= moves
            hands[np.arange(number), there] += moves
        hands = hands[hands.max(axis=1) <= 4]
        tiles, found = hands @ PLACES, np.zeros(len(hands), np.int64)
        wins, pong_wins = sums(COLUMNS, concealed), sums(COLUMNS[: len(PONGS)], concealed)
        for kind, names in DECLARED.items():
            melds = np.full(len(hands), melds_named(names[:declared]))
            patterns_of(tiles, melds, True, found)
            expected = np.where(np.isin(tiles, wins), NORMAL, 0)
            if kind == "pong" or not declared:
                expected[np.isin(tiles, pong_wins)] = PONGPONGHU
            if not declared:
                expected[(hands % 2 == 0).all(axis=1)] = SEVEN_PAIRS
            np.testing.assert_array_equal(found, expected)
            total += np.bincount(found, minlength=4)
    return total.tolist()  # type: ignore[no-any-return]


def test_many_hands_against_sums_of_melds() -> None:
    assert min(compare_with_sums(5_000, 1)) > 100


@pytest.mark.slow
def test_millions_of_hands_against_sums_of_melds() -> None:
    assert min(compare_with_sums(1_000_000, 2)) > 100_000


@pytest.mark.slow
def test_every_hand_of_characters() -> None:
    """All 118,800 ways to hold 14 characters, as sums of melds and an eye, and by the rules."""
    melds = [tuple(int(k == at) * 3 for k in range(9)) for at in range(9)]
    melds += [tuple(int(at <= k < at + 3) for k in range(9)) for at in range(7)]
    sums = {(0,) * 9}
    for _ in range(4):
        sums = {tuple(map(sum, zip(old, meld, strict=True))) for old in sums for meld in melds}
    wins = {tuple(n + 2 * (k == eye) for k, n in enumerate(one)) for one in sums for eye in range(9)}
    wins = {one for one in wins if max(one) <= 4}
    hands = [()]
    for _ in CHARACTERS:
        hands = [(*hand, n) for hand in hands for n in range(min(4, 14 - sum(hand)) + 1)]  # type: ignore[misc]
    whole = [hand for hand in hands if sum(hand) == 14]
    assert len(whole) == 118_800
    for hand in whole:
        tiles = sum(n << 3 * k for k, n in enumerate(hand))
        is_pairs = all(n % 2 == 0 for n in hand)
        assert (pattern_of(tiles, 0, True) > 0) == (hand in wins or is_pairs)
