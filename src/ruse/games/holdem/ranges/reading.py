"""From the usual notation to weights: `QQ:0.5, AQs, KTo+, 22+, A5s-A2s, KQ, AhKh, random`.

| text | hands |
|---|---|
| `QQ`, `AKs`, `AKo`, `AK` | a pair; suited, offsuit, or both |
| `AhKh` | one hand |
| `22+`, `KTo+` | this pair and all above; the king with a ten, jack or queen |
| `77-44`, `A5s-A2s`, `T9s-76s` | from one to the other: pairs, second cards, or both cards alike |
| `random` | every hand |
| `QQ:0.5` | half of them; weights are from 0 to 1 |

Commas or spaces part them. Where two speak of a hand, the later one counts: `22+, 77:0.5`, or `random, 72o:0`.
"""

import math
import re
from collections.abc import Iterator

import numpy as np

from ruse.errors import RuseError
from ruse.games.cards import RANKS
from ruse.games.holdem.cards import names_of
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by
from ruse.games.holdem.ranges.cells import OFFSUIT, PAIR, SUITED, Class, hand_named

EVERY = ("random", "any", "all")
EXAMPLE = "QQ:0.5, AQs, KTo+"
LONGEST = 40  # characters of a part that is told in a sentence
PART = re.compile(r"(?P<from>[^:+\-]+)(?P<more>\+|-(?P<to>[^:+\-]+))?(?::(?P<weight>.*))?")


def range_of(text: str) -> np.ndarray:
    """[holding] the weights that a text gives to hands."""
    weights = np.zeros(HOLDINGS)
    # Spaces part hands, too, but not a hand from its weight or from the one that it goes on to.
    for part in re.split(r"[\s,;]+", re.sub(r"\s*([:-])\s*|\s+(?=\+)", r"\1", text)):
        if part:
            hands, weight = _part(part)
            weights[hands] = weight
    return weights


def range_on(text: str, board: "tuple[int, ...] | list[int]", whose: str = "the range") -> np.ndarray:
    """The same without hands that hold a card of the board; at least one must be left."""
    weights = range_of(text)
    if not weights.any():
        raise RuseError(f"{whose} is empty; give it hands, such as {EXAMPLE}")
    weights[blocked_by(board)] = 0.0
    if not weights.any():
        raise RuseError(
            f"{whose} has no hand left: each of {_short(text)} holds a card of the board {names_of(board)}; add hands"
        )
    return weights


def _part(part: str) -> tuple[list[int], float]:
    """The hands of one part, and their weight."""
    found = PART.fullmatch(part)
    if found is None:
        raise RuseError(f"cannot read {_short(part)} in a range; write {EXAMPLE} and the like")
    weight = _weight(found["weight"], part)
    first = found["from"]
    if first.casefold() in EVERY:
        if found["more"]:
            raise RuseError(f"{_short(part)} in a range goes on from {first}, which is every hand already")
        return list(range(HOLDINGS)), weight
    if _is_hand(first):
        if found["more"]:
            raise RuseError(f"{_short(part)} in a range goes on from one hand; go on from a kind, such as KTs+")
        return [hand_named(first)], weight
    return [hand for one in _classes(part, first, found["more"], found["to"]) for hand in one.hands()], weight


def _weight(text: str | None, part: str) -> float:
    try:
        weight = 1.0 if text is None else float(text)
    except ValueError:
        weight = math.nan
    if not 0.0 <= weight <= 1.0:
        raise RuseError(f"the weight of {_short(part)} in a range must be a number from 0 to 1, such as {EXAMPLE[:6]}")
    return weight


def _is_hand(text: str) -> bool:
    return len(text) == 4


def _classes(part: str, first: str, more: str | None, to: str | None) -> Iterator[Class]:
    high, low, kinds = _named(part, first)
    if more is None:
        ends = [(high, low)]
    elif to is None:
        ends = _upward(high, low)
    else:
        last_high, last_low, last_kinds = _named(part, to)
        if last_kinds != kinds:
            raise RuseError(f"{_short(part)} in a range goes from one kind to another; write both ends alike: A5s-A2s")
        ends = _between(part, (high, low), (last_high, last_low))
    for one, other in ends:
        for kind in kinds:
            yield Class(one, other, kind)


def _named(part: str, text: str) -> tuple[int, int, tuple[str, ...]]:
    """Ranks and kinds of hands: `AK` is suited and offsuit."""
    name = text.upper()
    for letter in name[:2]:
        if letter not in RANKS:
            raise RuseError(f"{letter!r} of {_short(part)} in a range is no rank; ranks are {RANKS}")
    if len(name) < 2 or (kind := name[2:].casefold()) not in ("", SUITED, OFFSUIT):
        raise RuseError(f"cannot read {_short(part)} in a range; write {EXAMPLE} and the like, or a hand such as AhKh")
    high, low = sorted(map(RANKS.index, name[:2]), reverse=True)
    if high != low:
        return high, low, (kind,) if kind else (SUITED, OFFSUIT)
    if kind:
        raise RuseError(f"{_short(part)} in a range is a pair, which is neither suited nor offsuit; write {name[:2]}")
    return high, low, (PAIR,)


def _upward(high: int, low: int) -> list[tuple[int, int]]:
    if high == low:
        return [(rank, rank) for rank in range(high, len(RANKS))]
    return [(high, rank) for rank in range(low, high)]


def _between(part: str, one: tuple[int, int], other: tuple[int, int]) -> list[tuple[int, int]]:
    """From one to the other: pairs, second cards to one first card, or both cards by the same steps."""
    (high, low), (last_high, last_low) = max(one, other), min(one, other)
    if high == last_high:
        return [(high, rank) for rank in range(last_low, low + 1)]
    if high - low != last_high - last_low:
        raise RuseError(f"{_short(part)} in a range has ends that do not fit; write 77-44, A5s-A2s or T9s-76s")
    return [(rank, rank - high + low) for rank in range(last_high, high + 1)]


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= LONGEST else text[:LONGEST] + "…")
