"""How often a hand or a range wins against another, on any board: exactly where that is quick, else by a sample of
boards, with an interval.

A range is an array of 1,326 weights, one for each holding (`holdings.py`); a hand is a range with one. Every pair of
holdings that share no card with each other or the board counts by the product of its weights, with every board that can
still come.
"""

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.compile.rng import stream, uniform
from ruse.errors import RuseError
from ruse.games.holdem.cards import CARDS, cards_named, names_of
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding
from ruse.games.holdem.hands.showdown import ALL, TIE, WIN, Side, Sums, settle, side_of, sums, weightless
from ruse.games.holdem.hands.strengths import refused
from ruse.games.holdem.hands.tables import NO_CARDS, HandRanks, hand_ranks
from ruse.words.student import margin

RIVER = 5  # cards of a whole board
QUICK = 400_000_000  # boards times holdings: some seconds
SAMPLE = 100_000  # boards
MOST_BOARDS = 10_000_000  # some minutes


class Equity(NamedTuple):
    """How often the first of two ranges wins."""

    win: float  # the share of pairs and boards that it wins
    tie: float
    share: float  # of the pot: wins, and half of the ties
    interval: tuple[float, float]  # where the share is with 95 % confidence; the share itself if it is exact
    boards: int  # that were looked at
    exact: bool
    by_holding: np.ndarray  # [holding] the share of each; NaN where it has no weight or meets nothing

    def __str__(self) -> str:
        how = (
            f"exact, {self.boards:,} board{'s' * (self.boards != 1)}"
            if self.exact
            else f"of {self.boards:,} boards drawn at random"
        )
        within = "" if self.exact else f" (95 %: {self.interval[0]:.2%} to {self.interval[1]:.2%})"
        return f"{self.share:.2%}{within}: wins {self.win:.2%}, ties {self.tie:.2%}; {how}"


def hand_range(hand: str | Sequence[int]) -> np.ndarray:
    """The range of one hand, such as `As Kd`."""
    cards = cards_named(hand) if isinstance(hand, str) else refused(hand, 2, 2)
    if len(cards) != 2:
        raise RuseError(f"a hand has two cards, not {len(cards)}: {names_of(cards)!r}")
    weights = np.zeros(HOLDINGS)
    weights[holding(cards[0], cards[1])] = 1.0
    return weights


def equity(hero: Any, villain: Any, board: Sequence[int] = (), *, seed: int = 0) -> Equity:
    """How often a range wins against another: exactly if that takes some seconds at most, else by SAMPLE boards."""
    work = comb(CARDS - len(board), max(0, RIVER - len(board))) * (np.count_nonzero(hero) + np.count_nonzero(villain))
    if work <= QUICK:
        return exact_equity(hero, villain, board)
    return sampled_equity(hero, villain, board, boards=SAMPLE, seed=seed)


def exact_equity(hero: Any, villain: Any, board: Sequence[int] = ()) -> Equity:
    """How often a range wins against another, over all boards that can still come."""
    meeting, totals = _meeting(hero, villain, board), np.zeros(3)
    boards = enumerate_boards(meeting, np.zeros(RIVER + 1, np.int64), totals)
    return _result(meeting, totals, boards, 0.0, exact=True)


def sampled_equity(
    hero: Any, villain: Any, board: Sequence[int] = (), *, boards: int = SAMPLE, seed: int = 0
) -> Equity:
    """The same over boards that are drawn at random."""
    if not 2 <= boards <= MOST_BOARDS:
        raise RuseError(f"boards must be from 2 to {MOST_BOARDS:,}, not {boards}")
    meeting, totals, each = _meeting(hero, villain, board), np.zeros(3), np.zeros((boards, 2))
    sample_boards(meeting, seed, totals, each)
    if totals[ALL] == 0:
        raise RuseError(f"none of {boards:,} random boards leaves both ranges a holding; ask for more boards")
    share = each[:, 0].sum() / each[:, 1].sum()
    # The share is a quotient of two sums over boards; this is how far each board pulls it.
    pull = (each[:, 0] - share * each[:, 1]) / each[:, 1].mean()
    return _result(meeting, totals, boards, margin(boards, float(pull.std(ddof=1)), share), exact=False)


class Meeting(NamedTuple):
    """Two ranges on a board, made ready for the kernels."""

    ranks: HandRanks
    key: int  # of the board
    suits: int
    missing: int  # cards of a whole board
    deck: np.ndarray  # cards that may come
    hero: Side
    villain: Side
    sums: Sums
    found: np.ndarray  # [hero's holding] what it beats, ties and meets


def _meeting(hero: Any, villain: Any, board: Sequence[int]) -> Meeting:
    cards, ranks = refused(board, 0, RIVER), hand_ranks()
    if len(cards) in (1, 2):
        raise RuseError(f"a board has no, three, four or five cards; {names_of(cards)} has {len(cards)}")
    ours, theirs = (_checked(weights, blocked_by(cards), cards) for weights in (hero, villain))
    first, second = side_of(ranks, ours), side_of(ranks, theirs)
    if (second.suits[:, None] & first.suits).all():
        raise RuseError(f"every hand of one range has a card of every hand of the other{_on(cards)}")
    never = weightless(ours) | weightless(theirs)
    never[cards] = True
    key, suits = NO_CARDS, 0
    for card in cards:
        key, suits = key + int(ranks.keys[card]), suits | int(ranks.suits[card])
    found = np.zeros((len(first.number), 3))
    return Meeting(ranks, key, suits, RIVER - len(cards), np.flatnonzero(~never), first, second, sums(), found)


def _result(meeting: Meeting, totals: np.ndarray, boards: int, error: float, *, exact: bool) -> Equity:
    win, tie = float(totals[WIN] / totals[ALL]), float(totals[TIE] / totals[ALL])
    share = win + tie / 2
    by_holding, met = np.full(HOLDINGS, np.nan), meeting.found[:, ALL] > 0
    each = meeting.found[met]
    by_holding[meeting.hero.number[met]] = (each[:, WIN] + each[:, TIE] / 2) / each[:, ALL]
    interval = (share, share) if exact else (max(0.0, share - error), min(1.0, share + error))
    return Equity(win, tie, share, interval, boards, exact, by_holding)


def _checked(weights: Any, blocked: np.ndarray, board: list[int]) -> np.ndarray:
    """A range without the holdings that the board blocks."""
    array = np.asarray(weights, np.float64)
    if array.shape != (HOLDINGS,):
        raise RuseError(f"a range is an array of {HOLDINGS} weights, not of shape {array.shape}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise RuseError(
            f"the weights of a range are numbers from 0 on, not {array[~(array >= 0) | np.isinf(array)][0]}"
        )
    if not (array > 0).any():
        raise RuseError("a range is empty: every hand in it has the weight 0")
    free = np.where(blocked, 0.0, array)
    if not (free > 0).any():
        raise RuseError(f"a range is empty: every hand in it has a card of the board {names_of(board)}")
    return free


def _on(board: list[int]) -> str:
    return f" on {names_of(board)}" if board else ""


# ---- the boards that can come ----------------------------------------------------------------------------------------


@kernel
def enumerate_boards(meeting, chosen, totals):
    """Settle every board that has so many more cards of the deck; returns how many there are."""
    ranks, deck, missing, boards = meeting.ranks, meeting.deck, meeting.missing, 0
    depth = 0  # how many cards are chosen; chosen[depth] is the next one to try
    chosen[0] = 0
    while depth >= 0:
        if depth == missing:
            key, suits = meeting.key, meeting.suits
            for k in range(missing):
                key += ranks.keys[deck[chosen[k]]]
                suits |= ranks.suits[deck[chosen[k]]]
            add_board(meeting, key, suits, totals)
            boards += 1
        elif chosen[depth] + missing - depth <= len(deck):
            chosen[depth + 1] = chosen[depth] + 1
            depth += 1
            continue
        depth -= 1
        if depth >= 0:
            chosen[depth] += 1
    return boards


@kernel
def sample_boards(meeting, seed, totals, each):
    """Settle boards that are drawn at random; each[i] has what the hero gets, and of how much."""
    ranks, deck, rng = meeting.ranks, meeting.deck, np.zeros(1, np.uint64)
    stream(rng, seed, 0)
    for i in range(len(each)):
        key, suits = meeting.key, meeting.suits
        for k in range(meeting.missing):  # the first cards of a shuffled deck
            j = k + int(uniform(rng) * (len(deck) - k))
            deck[k], deck[j] = deck[j], deck[k]
            key += ranks.keys[deck[k]]
            suits |= ranks.suits[deck[k]]
        each[i, 0], each[i, 1] = add_board(meeting, key, suits, totals)


@compiled_function
def add_board(meeting, key, suits, totals):
    """Settle a whole board; returns what the hero gets of it, and of how much."""
    hero, villain, sums = meeting.hero, meeting.villain, meeting.sums
    wins, ties, pairs = settle(meeting.ranks, key, suits, hero, villain, sums, meeting.found)
    totals[WIN] += wins
    totals[TIE] += ties
    totals[ALL] += pairs
    return wins + ties / 2, pairs
