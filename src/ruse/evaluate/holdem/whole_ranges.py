"""What strategies win of each other on one board with all that they may hold, without a card of theirs being drawn.

The two ranges move over the lines of betting apart from each other, and meet at the ends, where a product of matrices
tells what all pairs of holdings win. A street whose cards lie is settled over all pairs that it leaves, and what is
all-in over all cards to come, so that nothing is luck but the boards on which more is bet.

The same is done for local best responses (`local.py`), of all holdings at once: what the opponent comes to a node with
does not depend on what the responder holds, and what is best there is a column of such a product.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.evaluate.holdem.pairs import HoldingPairs
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.lines import FOLD, SHOWDOWN, Lines

Array = NDArray[np.float64]
RowsAt = Callable[[int], Array]  # a decision of the lines: [holding, action] how often


class LinesPart(NamedTuple):
    """Nodes of the lines, a parent before its children, from the first one on; and how pairs meet on their streets."""

    lines: Lines
    nodes: tuple[int, ...]
    on: Mapping[int, HoldingPairs]  # by street

    @classmethod
    def below(cls, lines: Lines, root: int, on: Mapping[int, HoldingPairs]) -> "LinesPart":
        """All that comes after a node."""
        found = [root]
        for n in found:
            found.extend(lines.children(n))
        return cls(lines, tuple(found), on)

    @classmethod
    def before_the_flop(cls, lines: Lines, on: Mapping[int, HoldingPairs]) -> "LinesPart":
        """From the beginning up to the flops, which belong to it."""
        found = [0]
        for n in found:
            if lines.street[n] == 0:
                found.extend(lines.children(n))
        return cls(lines, tuple(found), on)

    @property
    def ends(self) -> list[int]:
        return [n for n in self.nodes if self.lines.who[n] in (FOLD, SHOWDOWN)]

    @property
    def decisions(self) -> list[int]:
        """Decisions whose children belong to it, too."""
        inside = set(self.nodes)
        return [n for n in self.nodes if self.lines.who[n] >= 0 and self.lines.children(n)[0] in inside]

    def reach(self, seat: int, rows: RowsAt, start: Array) -> dict[int, Array]:
        """[node] how often a seat's holdings go there by these rows."""
        found = {self.nodes[0]: start}
        for n in self.decisions:
            is_own = self.lines.who[n] == seat
            told = rows(n) if is_own else None
            for a, c in enumerate(self.lines.children(n)):
                found[c] = found[n] if told is None else found[n] * told[:, a]
        return found


def met_at(part: LinesPart, nodes: Sequence[int], reach: Mapping[int, Array]) -> dict[int, tuple[Array, Array]]:
    """[node] how often each own holding meets an opponent's range there, and with which share of the pot."""
    found = {}
    for street in {int(part.lines.street[n]) for n in nodes}:
        here = [n for n in nodes if part.lines.street[n] == street]
        columns = np.stack([reach[n] for n in here], axis=1)
        met, share = part.on[street].apart @ columns, part.on[street].equity @ columns
        found.update({n: (met[:, k], share[:, k]) for k, n in enumerate(here)})
    return found


def paid_at(part: LinesPart, n: int, seat: int, met: Array, share: Array) -> Array:
    """[holding] what a seat wins at an end, times how often it comes there by the opponent's choices and by chance."""
    payoff, dealt = part.lines.payoff[n], part.on[int(part.lines.street[n])].dealt
    wins, loses = (payoff[0, 0], payoff[1, 0]) if seat == 0 else (payoff[1, 1], payoff[0, 1])  # a fold: the same
    worth: Array = (loses * met + (wins - loses) * share) / dealt
    return worth


def won_in_part(part: LinesPart, rows: tuple[RowsAt, RowsAt], start: Array) -> float:
    """What seat 0 wins in the part, times how often play comes there; rows of seat 0 and of seat 1."""
    own, theirs = (part.reach(seat, rows[seat], start[seat]) for seat in range(2))
    ends = part.ends
    met = met_at(part, ends, theirs)
    return float(sum(own[n] @ paid_at(part, n, 0, *met[n]) for n in ends))


# ---- local best responses --------------------------------------------------------------------------------------------


class LocalAnswers(NamedTuple):
    """Local best responses of all holdings, that raise from each of some streets on."""

    won: Array  # [response] in the part, times how often play comes there
    reach: dict[int, Array]  # [node] of the responder: [response, holding]


def respond(part: LinesPart, seat: int, rows: RowsAt, start: Array, own: Array, firsts: Sequence[int]) -> LocalAnswers:
    """What local best responses in a seat win from an opponent; `own` is what they come with, [response, holding]."""
    lines = part.lines
    theirs = part.reach(1 - seat, rows, start)
    met = met_at(part, [n for n in part.nodes if n in part.decisions or n in part.ends], theirs)
    folded = fold_columns(part, seat, rows, theirs)
    found, total = {part.nodes[0]: own}, np.zeros(len(firsts))
    for n in part.decisions:
        below = lines.children(n)
        if lines.who[n] != seat:
            found.update(dict.fromkeys(below, found[n]))
            continue
        calls, raises = best_actions(part, n, seat, met[n], folded)
        chosen = np.stack([raises if lines.street[n] >= first else calls for first in firsts])
        for a, c in enumerate(below):
            found[c] = found[n] * (chosen == a)
    for n in part.ends:
        total += found[n] @ paid_at(part, n, seat, *met[n])
    return LocalAnswers(total, found)


def fold_columns(
    part: LinesPart, seat: int, rows: RowsAt, theirs: Mapping[int, Array]
) -> dict[int, tuple[Array, Array]]:
    """[node after a raise] how often each own holding meets a range that folds there, and its share against it."""
    lines = part.lines
    answers = [
        c for n in part.decisions if lines.who[n] == seat for c in lines.children(n)
        if lines.who[c] == 1 - seat and lines.street[c] == lines.street[n] and lines.who[lines.children(c)[0]] == FOLD
    ]  # fmt: skip
    return met_at(part, answers, {c: theirs[c] * rows(c)[:, 0] for c in answers})


def best_actions(
    part: LinesPart, n: int, seat: int, met: tuple[Array, Array], folded: Mapping[int, tuple[Array, Array]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[holding] what wins most if all is checked and called down after it: without raises, and with them."""
    lines, other = part.lines, 1 - seat
    total, share = met
    below = lines.children(n)
    folds = int(lines.who[below[0]] == FOLD)
    pot = float(lines.paid[n].sum())
    owed = min(lines.paid[n, other] - lines.paid[n, seat], lines.left[n, seat])
    best = np.zeros(HOLDINGS) if folds else np.full(HOLDINGS, -np.inf)
    action = np.zeros(HOLDINGS, np.int64)
    value = share * pot - (total - share) * owed  # times how often they meet
    better = value > best
    best, action = np.where(better, value, best), np.where(better, folds, action)
    calls = action
    for a, c in enumerate(below[folds + 1 :], folds + 1):
        cost = lines.paid[c, seat] - lines.paid[n, seat]
        answer = min(lines.paid[c, seat] - lines.paid[c, other], lines.left[c, other])
        gone, gone_share = folded[c]
        kept = share - gone_share
        value = gone * pot + kept * (pot + answer) - (total - gone - kept) * cost
        better = value > best
        best, action = np.where(better, value, best), np.where(better, a, action)
    return calls, action
