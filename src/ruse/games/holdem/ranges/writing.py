"""From weights to a short text that is read as the same range."""

from itertools import pairwise

import numpy as np

from ruse.games.cards import RANKS
from ruse.games.holdem.ranges.cells import CLASSES, OFFSUIT, PAIR, SUITED, Class, hand_name
from ruse.protocol.values.fields import number_text

TOP = len(RANKS) - 1


def range_text(weights: np.ndarray) -> str:
    """The range in the usual notation: pairs, then suited, offsuit and both, then what is not whole hand by hand."""
    if np.all(weights == weights[0]) and weights[0] > 0.0:
        return "random" + _suffix(weights[0])
    whole: dict[Class, float] = {}
    rest: list[int] = []
    for one in CLASSES:
        shares = weights[one.hands()]
        if np.all(shares == shares[0]):
            whole[one] = float(shares[0])
        else:
            rest += [hand for hand in one.hands() if weights[hand] > 0.0]
    parts = _pairs([whole.get(Class(rank, rank, PAIR), 0.0) for rank in range(TOP + 1)])
    for high in range(TOP, 0, -1):
        rows = {kind: [whole.get(Class(high, low, kind), 0.0) for low in range(high)] for kind in (SUITED, OFFSUIT)}
        both = [s if s == o else 0.0 for s, o in zip(*rows.values(), strict=True)]
        for kind, row in (("", both), *rows.items()):
            own = row if not kind else [0.0 if b else r for r, b in zip(row, both, strict=True)]
            parts += [_run(high, top, low, kind) + _suffix(weight) for top, low, weight in _runs(own)]
    parts += [hand_name(hand) + _suffix(float(weights[hand])) for hand in rest]
    return ", ".join(parts)


def _pairs(row: list[float]) -> list[str]:
    names = []
    for top, low, weight in _runs(row):
        first, last = RANKS[top] * 2, RANKS[low] * 2
        run = first if top == low else f"{last}+" if top == TOP else f"{first}-{last}"
        names.append(run + _suffix(weight))
    return names


def _run(high: int, top: int, low: int, kind: str) -> str:
    """Second cards from `top` down to `low`, to one first card."""
    first, last = (RANKS[high] + RANKS[rank] + kind for rank in (top, low))
    return first if top == low else f"{last}+" if top == high - 1 else f"{first}-{last}"


def _runs(row: list[float]) -> list[tuple[int, int, float]]:
    """Stretches of one weight above 0, from the top: where they begin and end."""
    edges = [len(row), *(rank for rank in range(len(row) - 1, 0, -1) if row[rank] != row[rank - 1]), 0]
    return [(above - 1, below, row[below]) for above, below in pairwise(edges) if above > below and row[below] > 0.0]


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{number_text(weight)}"
