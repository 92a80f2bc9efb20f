"""Building buckets: the flop and the turn by clusters of histograms, the river by percentiles of the equity.

Every hand of every street is worked out against all other hands on all boards that can come. What is sampled is only
what the centres of clusters are learned from: SAMPLE hands of each street, from boards drawn as they are dealt.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from os import cpu_count
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled_function, lean_kernel
from ruse.games.holdem.buckets.clusters import clustered, nearest
from ruse.games.holdem.buckets.equities import BINS, POINTS, Room, fill_counts, fill_points, key_of, room
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.hands.tables import HandRanks, hand_ranks
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.games.holdem.suits.index import SuitIndex, suit_index
from ruse.words.long_work import Tell, tell_listeners

FLOP, TURN, RIVER = 3, 4, 5  # cards of the board
STREETS = (0, FLOP, TURN, RIVER)
SAMPLE = 200_000  # hands of a street to learn centres from
BOARDS = {FLOP: 500, TURN: 4000}  # from so many boards
SLICE = 32  # boards that a thread works out before it says so


def street_index() -> SuitIndex:
    """The numbers of all hands, street by street."""
    return suit_index(2, *STREETS)


def street_starts() -> list[int]:
    """Where the numbers of each street begin, and where they end."""
    return [0, *np.cumsum([suit_index(2, cards).size for cards in STREETS]).tolist()]


def kind_for(counts: Sequence[int]) -> Any:
    """The smallest type of number for so many buckets."""
    return np.uint8 if max(STARTING_HANDS, *counts) <= 256 else np.uint16


def built(counts: Sequence[int], seed: int = 0, tell: Tell = tell_listeners) -> dict[str, np.ndarray]:
    """The bucket of each hand by its number, the higher the stronger, and the mean equity in each bucket.

    `counts` are those of flop, turn and river; before the flop each of the 169 starting hands is a bucket.
    """
    starts = street_starts()
    buckets = np.zeros(starts[-1], kind_for(counts))
    buckets[: starts[1]] = np.arange(STARTING_HANDS)
    flop, turn, river = (buckets[begin:end] for begin, end in pairwise(starts[1:]))
    return {
        "bucket": buckets,
        "flop": _clustered_street("flop", FLOP, flop, counts[0], seed, tell),
        "turn": _clustered_street("turn", TURN, turn, counts[1], seed, tell),
        "river": _river(river, counts[2], tell),
    }


class Street(NamedTuple):
    """The boards of a street, for kernels."""

    ranks: HandRanks
    boards: SuitIndex
    missing: int  # cards of a whole board


# ---- the flop and the turn -------------------------------------------------------------------------------------------


def _clustered_street(name: str, cards: int, buckets: np.ndarray, count: int, seed: int, tell: Tell) -> np.ndarray:
    """Put the hands of a street into buckets; returns the mean equity in each centre."""
    points = sampled_points(name, cards, seed, tell)
    centres = clustered(points, count, seed, lambda share: tell(f"{name}: clusters", share))
    tell(f"{name}: clusters", 1.0)
    boards, index = suit_index(0, cards), suit_index(2, cards)
    filled, street = np.zeros(index.size, np.bool_), Street(hand_ranks(), boards, RIVER - cards)

    def work(part: np.ndarray, own: Room) -> None:
        put_boards(street, index, part, own, centres, buckets, filled)

    _in_slices(np.arange(boards.size), work, f"{name}: all {index.size:,} hands", tell)
    # A centre's sum is how much of the histogram lies below the end of each bin.
    equity: np.ndarray = (BINS - centres.sums.astype(np.float64) + 0.5) / BINS
    return equity


def sampled_points(name: str, cards: int, seed: int, tell: Tell) -> np.ndarray:
    """Cumulative histograms of hands from boards that are drawn as they are dealt."""
    rng = np.random.default_rng(seed)
    index, number = suit_index(0, cards), BOARDS[cards]
    often = np.zeros(index.size)
    count_arrangements(index, often)
    chosen = rng.choice(index.size, number, p=often / often.sum())
    picks = rng.random((number, HOLDINGS)).argsort(axis=1).astype(np.int32)
    points = np.zeros((number, SAMPLE // number, BINS), np.float32)
    street = Street(hand_ranks(), index, RIVER - cards)

    def work(part: np.ndarray, own: Room) -> None:
        take_points(street, chosen, part, own, picks, points)

    _in_slices(np.arange(number), work, f"{name}: {points[:, :, 0].size:,} hands to learn from", tell)
    return points.reshape(-1, BINS)


@lean_kernel
def count_arrangements(index, often):
    for number in range(index.size):
        often[number] = index.arrangements(number)


@compiled_function
def cumulative(counts, point):
    """Write a histogram's shares up to each bin; returns their sum."""
    total = 0
    for k in range(BINS):
        total += counts[k]
    running, own = 0, np.float32(0.0)
    for k in range(BINS):
        running += counts[k]
        point[k] = np.float32(running / total)
        own += point[k]
    return own


@lean_kernel
def take_points(street, chosen, part, room, picks, points):
    """Write the histograms of some holdings, in the order of their picks, of each chosen board in this part."""
    ranks = street.ranks
    for i in range(len(part)):
        _, board = street.boards.canonical_cards(chosen[part[i]])
        fill_counts(ranks, board, street.missing, room)
        taken, k = 0, 0
        while taken < points.shape[1]:
            number = picks[part[i], k]
            k += 1
            hole = ranks.suits[room.cards[number, 0]] | ranks.suits[room.cards[number, 1]]
            if hole & board == 0:
                cumulative(room.counts[number], points[part[i], taken])
                taken += 1


@lean_kernel
def put_boards(street, index, part, room, centres, buckets, filled):
    """Put every hand on each board of this part into its bucket."""
    ranks = street.ranks
    for i in range(len(part)):
        _, board = street.boards.canonical_cards(part[i])
        fill_counts(ranks, board, street.missing, room)
        for number in range(HOLDINGS):
            hole = ranks.suits[room.cards[number, 0]] | ranks.suits[room.cards[number, 1]]
            if hole & board:
                continue
            place = index.canonical_index(hole, board)
            if not filled[place]:  # by a holding that differs in the names of suits alone
                own = cumulative(room.counts[number], room.point)
                buckets[place] = nearest(room.point, own, centres)[0]
                filled[place] = True


# ---- the river -------------------------------------------------------------------------------------------------------


def _river(buckets: np.ndarray, count: int, tell: Tell) -> np.ndarray:
    """Put the hands of the river into buckets of as many deals each as ties allow; returns the mean equity in each."""
    boards, index, ranks = suit_index(0, RIVER), suit_index(2, RIVER), hand_ranks()
    everything = np.arange(boards.size)

    def count_part(part: np.ndarray, own: Room) -> np.ndarray:
        often = np.zeros(POINTS + 1, np.int64)
        count_points(ranks, boards, part, own, often)
        return often

    often = np.sum(_in_slices(everything, count_part, "river: equities", tell, slice_of=16 * SLICE), axis=0)
    middle = (np.cumsum(often) - often / 2) / often.sum()
    bucket_of = (middle * count).astype(buckets.dtype)

    def work(part: np.ndarray, own: Room) -> None:
        put_rivers(ranks, boards, index, part, own, bucket_of, buckets)

    _in_slices(everything, work, f"river: all {index.size:,} hands", tell, slice_of=16 * SLICE)
    weights = np.bincount(bucket_of, weights=often, minlength=count)
    points = np.bincount(bucket_of, weights=often * np.arange(POINTS + 1), minlength=count)
    equity: np.ndarray = points / np.maximum(weights, 1) / POINTS
    return equity


@lean_kernel
def count_points(ranks, boards, part, room, often):
    """How many deals have each number of points, on the boards of this part."""
    for i in range(len(part)):
        _, board = boards.canonical_cards(part[i])
        fill_points(ranks, key_of(ranks, board), board, room)
        deals = boards.arrangements(part[i])
        for number in range(HOLDINGS):
            if room.points[number] >= 0:
                often[room.points[number]] += deals


@lean_kernel
def put_rivers(ranks, boards, index, part, room, bucket_of, buckets):
    """Put every hand on each board of this part into its bucket."""
    for i in range(len(part)):
        _, board = boards.canonical_cards(part[i])
        fill_points(ranks, key_of(ranks, board), board, room)
        for number in range(HOLDINGS):
            if room.points[number] >= 0:
                hole = ranks.suits[room.cards[number, 0]] | ranks.suits[room.cards[number, 1]]
                buckets[index.canonical_index(hole, board)] = bucket_of[room.points[number]]


# ---- threads ---------------------------------------------------------------------------------------------------------


def _in_slices(
    boards: np.ndarray, work: Callable[[np.ndarray, Room], Any], what: str, tell: Tell, slice_of: int = SLICE
) -> list[Any]:
    """Work through boards in slices, in threads, each with a room of its own; what comes out does not depend on it."""
    slices = [boards[i : i + slice_of] for i in range(0, len(boards), slice_of)]
    threads = cpu_count() or 1
    rooms: SimpleQueue[Room] = SimpleQueue()
    for _ in range(threads):
        rooms.put(room())

    def one(part: np.ndarray) -> Any:
        own = rooms.get()
        try:
            return work(part, own)
        finally:
            rooms.put(own)

    results = []
    pool = ThreadPoolExecutor(threads)
    try:
        for result in pool.map(one, slices):
            results.append(result)
            tell(what, len(results) / len(slices))
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, when the slices that run are done
    return results
