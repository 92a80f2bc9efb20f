"""Tables of what melds and an eye cost in a part of the tiles, exact even where copies are gone.

The nine kinds of characters are cut between the fourth and the fifth. A table has a word of costs (`lanes.py`) for each
stretch of four or five kinds, by how many copies of each are held and can still be had, and for how many chows reach
over the cut. Honours make no chows: what a kind can be is one of eight classes, and only how many there are of each
counts.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.games.mahjong.distances.lanes import (
    BITS,
    EMPTY,
    LANES,
    MELDS,
    NEVER,
    NOTHING,
    dearer,
    least,
    turned,
    with_eye,
    with_meld,
)
from ruse.games.mahjong.tiles import CHARACTERS, COPIES, KINDS

SYMBOLS = 15  # how many copies of a kind are held, of those that can be had
CHOWS = 3  # 0, 1 or 2 chows from one place; three of them are three pongs
CROSSINGS = CHOWS * CHOWS  # 3 * (chows over the first kind of a stretch) + (chows over its first two kinds)
ROW = 8  # words: one line of a processor's cache
FULL = ROW - 1  # the word of a row that holds three crossings: what has many chows over the cut has few lanes
EXTRAS = 5  # the word that holds what each crossing costs at least
CLASSES = 8  # what an honour can become
LOW, HIGH = 4, 5  # kinds of characters on the two sides of the cut
FIRST, SECOND = 4, 3  # kinds of honours in the two halves of their key

# Bits of the sum that says where a hand stands in the tables: the keys of low and high characters, and the classes of
# honours in base 8, the second half of them first.
LOW_BITS, HIGH_BITS, CLASS_BITS = 16, 20, 3
HIGH_AT = LOW_BITS
SECOND_AT = HIGH_AT + HIGH_BITS
FIRST_AT = SECOND_AT + CLASS_BITS * SECOND
SEEN = 64  # numbers for what is held and unseen of a kind


@compiled_function
def symbol(held, unseen):
    """A kind's number by its copies: one more of those is held after a draw, and the number one larger."""
    room = min(held + unseen, 4)
    return (room * (room + 1) >> 1) + held


@compiled_function
def seen_of(held, unseen):
    """A number for how many of a kind are held and unseen; in its bounds whatever they are."""
    return (held << 3 | unseen) & (SEEN - 1)


@compiled_function
def honour_class(held, unseen):
    """What a kind can be: nothing (0), a pair at most (1-3: 0-2 are held), a pong (4-7: 0-3 are held)."""
    room = held + unseen
    if room < 2:
        return 0
    return 1 + held if room == 2 else 4 + min(held, 3)


class MeldCosts(NamedTuple):
    """The costs of melds and eyes in each part of the tiles. Made by `tables`."""

    places: np.ndarray  # [kind, number of `seen_of`] to be added up over kinds; `PLACES` says what is where in the sum
    low: np.ndarray  # [key of four characters, crossing] words; `pack` tells which
    high: np.ndarray  # [key of five characters, crossing]
    first: np.ndarray  # [classes of four honours in base 8] where their multiset begins
    second: np.ndarray  # [classes of three honours in base 8] where theirs is after that
    honours: np.ndarray  # [first + second] words with their lanes turned

    def __repr__(self) -> str:
        return "tables()"


@cache
def tables() -> MeldCosts:
    """The tables, made once: some seconds for the compiler at the first time ever, then well below one."""
    stretch = np.full((1, CROSSINGS), NOTHING, np.int64)
    stretch[0, 0] = EMPTY  # no chow may reach over the end
    for kinds in range(1, LOW):
        longer = np.empty((SYMBOLS**kinds, CROSSINGS), np.int64)
        lengthen(stretch, longer)
        stretch = longer
    low, high = _rows(SYMBOLS**LOW), _rows(SYMBOLS**HIGH)
    longer = np.empty((SYMBOLS**LOW, CROSSINGS), np.int64)
    lengthen(stretch, longer)
    pack_rows(longer, low)
    lengthen_rows(longer, high)
    first, firsts = _multisets(FIRST)
    second, seconds = _multisets(SECOND)
    honours = np.empty(len(firsts) * len(seconds), np.int64)
    weigh_honours(firsts, seconds, honours)
    return MeldCosts(_places(), low, high, first * np.int32(len(seconds)), second, honours)


def _rows(number: int) -> np.ndarray:
    """Rows that begin where a line of the cache does."""
    space = np.empty(ROW * (number + 1), np.int64)
    begin = -space.ctypes.data // space.itemsize % ROW
    return space[begin : begin + ROW * number].reshape(number, ROW)


def _places() -> np.ndarray:
    """What each kind adds to the place of a hand: the nearer to the cut, the more."""
    result = np.zeros((KINDS, SEEN), np.int64)
    for kind in range(KINDS):
        for held in range(COPIES + 1):
            for unseen in range(COPIES + 1):
                if kind < LOW:
                    place = symbol(held, unseen) * SYMBOLS**kind
                elif kind < CHARACTERS:
                    place = symbol(held, unseen) * SYMBOLS ** (CHARACTERS - 1 - kind) << HIGH_AT
                else:
                    place = honour_class(held, unseen) << SECOND_AT + CLASS_BITS * (KINDS - 1 - kind)
                result[kind, seen_of(held, unseen)] = place
    return result


@kernel
def lengthen(shorter, longer):
    """Put one more kind before every stretch."""
    for place in range(len(longer)):
        _lengthen(shorter, place, longer[place])


@kernel
def lengthen_rows(shorter, rows):
    """The same, each packed into a row for the high part."""
    words = np.empty(CROSSINGS, np.int64)
    for place in range(len(rows)):
        _lengthen(shorter, place, words)
        pack(words, rows[place], True)


@kernel
def pack_rows(stretch, rows):
    """Rows for the low part."""
    for place in range(len(rows)):
        pack(stretch[place], rows[place], False)


@compiled_function
def _lengthen(shorter, place, words):
    """The words of one stretch, from those of all that are one kind shorter."""
    size = len(shorter)
    number, rest = place // size, place % size
    room = 0
    while (room + 1) * (room + 2) // 2 <= number:
        room += 1
    held = number - room * (room + 1) // 2
    for crossing in range(CROSSINGS):
        words[crossing] = _with_kind(shorter[rest], room, held, crossing)


@compiled_function
def place_of(crossing):
    """The word of a row that a crossing is in, and how far up."""
    if crossing == 5:
        return FULL, 2 * BITS
    if crossing > 6:
        return FULL, 0 if crossing == 7 else 4 * BITS
    return crossing, 0


@compiled_function
def pack(words, row, is_high):
    """Put nine words into the eight of a row, and what each crossing costs at least.

    There are no lanes for more than four melds, those over the cut included. So three words with few lanes are
    one, and there is room for a word with a lane for each crossing, in the order of the high part: how much dearer
    the row is with those chows than without, in the lane where that is least.
    """
    for at in range(ROW):
        row[at] = 0
    for crossing in range(CROSSINGS):
        over = crossing // CHOWS + crossing % CHOWS
        word, extra = 0, NEVER
        for lane in range(LANES):
            if lane % MELDS + over < MELDS:
                cost = words[crossing] >> (BITS * lane) & 31
                word |= cost << BITS * lane
                if cost < NEVER:
                    extra = min(extra, cost - (words[0] >> (BITS * lane) & 31))
        at, shift = place_of(crossing)
        row[at] |= word << shift
        if crossing > 0:
            number = crossing if is_high else CHOWS * (crossing % CHOWS) + crossing // CHOWS
            row[EXTRAS] |= extra << BITS * (number - 1)


@compiled_function
def _with_kind(rest, room, held, crossing):
    """The costs of a kind and of the stretch behind it."""
    ending, going = crossing // CHOWS, crossing % CHOWS
    best = NOTHING
    for starting in range(CHOWS):
        word = rest[CHOWS * going + starting]
        for _ in range(starting):
            word = with_meld(word)
        need = ending + going + starting
        if need <= room:
            best = least(best, dearer(word, max(0, need - held)))
        if need + 2 <= room:
            best = least(best, dearer(with_eye(word), max(0, need + 2 - held)))
        if need + 3 <= room:
            best = least(best, dearer(with_meld(word), max(0, need + 3 - held)))
    return best


def _multisets(kinds: int) -> tuple[np.ndarray, np.ndarray]:
    """The number of each sequence's multiset, and the multisets."""
    sets = np.array(list(combinations_with_replacement(range(CLASSES), kinds)), np.int64)
    numbers = {tuple(each): i for i, each in enumerate(sets.tolist())}
    digits = np.sort(np.indices((CLASSES,) * kinds).reshape(kinds, -1).T, axis=1)
    return np.array([numbers[tuple(each)] for each in digits.tolist()], np.int32), sets


@kernel
def weigh_honours(firsts, seconds, honours):
    """The costs of each multiset of classes."""
    for i in range(len(firsts)):
        start = EMPTY
        for j in range(firsts.shape[1]):
            start = _with_honour(start, firsts[i, j])
        for k in range(len(seconds)):
            word = start
            for j in range(seconds.shape[1]):
                word = _with_honour(word, seconds[k, j])
            honours[i * len(seconds) + k] = turned(word)


@compiled_function
def _with_honour(word, kind):
    """A word and one more kind of this class."""
    if kind == 0:
        return word
    held = kind - 1 if kind < 4 else kind - 4
    best = least(word, dearer(with_eye(word), max(0, 2 - held)))
    if kind >= 4:
        best = least(best, dearer(with_meld(word), 3 - held))
    return best
