"""One hand against everything that the other may have, street by street: equities, buckets, and what is blocked."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function
from ruse.compile.rng import uniform
from ruse.games.holdem.buckets.equities import key_of
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import HOLDINGS, holding_cards
from ruse.games.holdem.hands.tables import NO_CARDS
from ruse.games.holdem.suits.deals import bit_of, starting_hands

STREETS, DEAL = 4, 7  # streets, and cards of a deal: two own, five on the board


class Hand(NamedTuple):
    """Where a deal is worked out. Made by `hand_room`, one for each thread."""

    cards: np.ndarray  # [holding, 2]
    words: np.ndarray  # [holding] the two cards as a word (`suits/`)
    starting: np.ndarray  # [holding] which of the 169
    against: np.ndarray  # [169, 169] equity before the flop
    deal: np.ndarray  # [card] own cards, then the board
    equity: np.ndarray  # [street, holding] the share of the pot that we get if no more is bet; 0 where it is blocked
    live: np.ndarray  # [street, holding] 1 if it shares no card with what lies there, else 0
    bucket: np.ndarray  # [street, holding]


def hand_room() -> Hand:
    cards = np.array(holding_cards())
    words = np.array([int(bit_of(high)) | int(bit_of(low)) for high, low in cards.tolist()], np.int64)
    shape = (STREETS, HOLDINGS)
    starting = starting_hands().astype(np.int64)
    deal = np.zeros(DEAL, np.int64)
    return Hand(cards, words, starting, starting_equities().equity, deal, np.zeros(shape), np.zeros(shape),
                np.zeros(shape, np.int64))  # fmt: skip


@compiled_function
def draw_deal(hand, rng):
    """Deal two cards and a board, all deals alike."""
    for k in range(DEAL):
        is_new = False
        while not is_new:
            card, is_new = int(uniform(rng) * CARDS), True
            for before in range(k):
                is_new = is_new and hand.deal[before] != card
        hand.deal[k] = card


@compiled_function
def fill_hand(ranks, cards, hand):
    """Work out all four streets of a deal; `cards` are the buckets."""
    own = bit_of(hand.deal[0]) | bit_of(hand.deal[1])
    for street in range(STREETS):
        board = 0
        for k in range(0 if street == 0 else street + 2):
            board |= bit_of(hand.deal[2 + k])
        for h in range(HOLDINGS):
            free = hand.words[h] & (own | board) == 0
            hand.live[street, h] = 1.0 if free else 0.0
            hand.bucket[street, h] = cards.bucket(hand.words[h], board) if free else 0
        if street > 0:
            fill_equity(ranks, own, board, 3 - street, hand, street)
    mine = 0
    for h in range(HOLDINGS):
        mine = h if hand.words[h] == own else mine
    for h in range(HOLDINGS):
        share = hand.against[hand.starting[mine], hand.starting[h]]
        hand.equity[0, h] = share * hand.live[0, h]


@compiled_function
def fill_equity(ranks, own, board, missing, hand, street):
    """The equity against each holding over all boards to come, of which none, one or two cards are missing."""
    equity, own_key, key, dealt = hand.equity[street], key_of(ranks, own), key_of(ranks, board), own | board
    equity[:] = 0.0
    if missing == 0:
        add_board(ranks, own, own_key, key, board, hand, equity)
    for first in range(CARDS if missing > 0 else 0):
        one = ranks.suits[first]
        if one & dealt:
            continue
        if missing == 1:
            add_board(ranks, own, own_key, key + ranks.keys[first], board | one, hand, equity)
            continue
        for second in range(first):
            other = ranks.suits[second]
            if other & dealt == 0:
                both = key + ranks.keys[first] + ranks.keys[second]
                add_board(ranks, own, own_key, both, board | one | other, hand, equity)
    boards = 1.0 if missing == 0 else 44.0 if missing == 1 else 990.0  # for two hands
    for h in range(HOLDINGS):
        equity[h] /= 2.0 * boards


@compiled_function
def add_board(ranks, own, own_key, key, board, hand, equity):
    """Two points against each holding that we beat on a whole board, one against those that are as good."""
    mine, taken = ranks.strength(key + own_key - NO_CARDS, board | own), own | board
    place = 0
    for high in range(CARDS):
        with_high, suits = key + ranks.keys[high], board | ranks.suits[high]
        if ranks.suits[high] & taken:
            place += high
            continue
        for low in range(high):
            if ranks.suits[low] & taken == 0:
                theirs = ranks.strength(with_high + ranks.keys[low], suits | ranks.suits[low])
                equity[place] += 2.0 if mine > theirs else 1.0 if mine == theirs else 0.0
            place += 1
