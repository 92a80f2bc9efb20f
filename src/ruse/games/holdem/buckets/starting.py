"""Starting hands against each other before the flop, over all boards: exact, worked out once and kept on disk.

On a whole board the hands are put in order of strength. From the weakest on it is counted how many of each of the 169
starting hands are weaker, in all and with each card: a hand beats those but for the ones that share a card with it.
"""

from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ruse.compile import cache_dir, compiled_function, lean_kernel
from ruse.errors import FileTrouble
from ruse.games.holdem.buckets.equities import fill_points, key_of, room
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.suits.deals import STARTING_HANDS, starting_hands
from ruse.games.holdem.suits.index import suit_index
from ruse.store import tensors
from ruse.words.long_work import Tell, tell_listeners

BOARD = 5
LIVE = comb(CARDS - BOARD, 2)  # holdings that a board does not block
BOARDS = comb(CARDS - 4, BOARD)  # for two holdings
SLICE = 2_000  # boards until it is told how far it has come
VERSION = 1


class Starting(NamedTuple):
    """The 169 starting hands, one against the other."""

    pairs: np.ndarray  # [hand, hand] how many pairs of holdings that share no card
    equity: np.ndarray  # [hand, hand] the share of the pot that the first one gets, if all is dealt


@cache
def starting_equities(tell: Tell = tell_listeners) -> Starting:
    """The table on disk, or a new one, which takes half a minute."""
    path = cache_dir() / f"holdem-starting-v{VERSION}.safetensors"
    try:
        points = _loaded(path)
    except FileTrouble:
        tell("working out the starting hands against each other, once: half a minute of a processor", None)
        points = built(tell)
        _keep(path, points)
    pairs = disjoint_pairs()
    return Starting(pairs, points / (2.0 * BOARDS * pairs))


def disjoint_pairs() -> np.ndarray:
    """[hand, hand] how many pairs of holdings of these starting hands share no card."""
    cards, hands = holding_cards(), starting_hands().astype(np.int64)
    pairs = np.zeros((STARTING_HANDS, STARTING_HANDS), np.int64)
    for (high, low), hand in zip(cards.tolist(), hands.tolist(), strict=True):
        free = ~np.isin(cards, [high, low]).any(axis=1)
        pairs[hand] += np.bincount(hands[free], minlength=STARTING_HANDS)
    return pairs


def built(tell: Tell) -> np.ndarray:
    """[hand, hand] twice the wins of the first and its ties once, over all boards and all pairs of holdings."""
    boards, ranks, own = suit_index(0, BOARD), hand_ranks(), room()
    points = np.zeros((STARTING_HANDS, STARTING_HANDS), np.int32)
    weaker = np.zeros((CARDS + 1, STARTING_HANDS), np.int32)
    hands = starting_hands().astype(np.int32)
    for first in range(0, boards.size, SLICE):
        add_boards(ranks, boards, first, min(first + SLICE, boards.size), own, hands, weaker, points)
        tell("starting hands against each other", min(1.0, (first + SLICE) / boards.size))
    return points


@compiled_function
def add_weaker(room, hands, weaker, points, holding, times):
    """A point for each holding that was counted and has no card of this one."""
    mine, every = points[hands[holding]], weaker[CARDS]
    with_high, with_low = weaker[room.cards[holding, 0]], weaker[room.cards[holding, 1]]
    for hand in range(STARTING_HANDS):
        mine[hand] += times * (every[hand] - with_high[hand] - with_low[hand])


@lean_kernel
def add_boards(ranks, boards, first, last, room, hands, weaker, points):
    """Count the boards with these numbers, each as often as it can be dealt."""
    for number in range(first, last):
        _, board = boards.canonical_cards(number)
        times = np.int32(boards.arrangements(number))
        fill_points(ranks, key_of(ranks, board), board, room)  # which puts those that are live in order
        weaker[:] = 0
        every, begin = weaker[CARDS], 0
        while begin < LIVE:
            strength, end = room.strength[room.live[begin]], begin
            while end < LIVE and room.strength[room.live[end]] == strength:
                add_weaker(room, hands, weaker, points, room.live[end], times)
                end += 1
            for i in range(begin, end):
                holding = room.live[i]
                hand = hands[holding]
                weaker[room.cards[holding, 0], hand] += 1
                weaker[room.cards[holding, 1], hand] += 1
                every[hand] += 1
            for i in range(begin, end):
                add_weaker(room, hands, weaker, points, room.live[i], times)
                points[hands[room.live[i]], hands[room.live[i]]] += times  # itself was taken out twice
            begin = end


def _loaded(path: Path) -> np.ndarray:
    metadata, arrays = tensors.read(path)
    tensors.check_format(metadata.get("format"), "starting", newest=VERSION, path=path)
    points = arrays.get("points")
    if points is None or points.shape != (STARTING_HANDS, STARTING_HANDS) or points.dtype != np.int32:
        raise FileTrouble(f"{path} holds something else than starting hands")
    return np.array(points)


def _keep(path: Path, points: np.ndarray) -> None:
    try:
        with tensors.explaining("write", path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        tensors.write(path, {"points": points}, {"format": tensors.format_name("starting", VERSION)}, sealed=True)
    except FileTrouble:
        pass  # it is worked out again next time
