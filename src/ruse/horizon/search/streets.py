"""A hand of two from a street on: with what both have come there, and what may be bet until the end.

In the range engine player 0 is out of position, which is seat 1: the button acts last after the flop.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by
from ruse.games.holdem.lines import FOLD, SHOWDOWN, Lines
from ruse.games.holdem.row import BOARD_CARDS
from ruse.solve.ranges.public.betting import DEAL, Betting

Array = NDArray[np.float64]
RowsAt = Callable[[int], Array]  # a decision of the lines: [holding, action] how often

SURPRISE = 1e-3  # how much of everything a strategy is taken to do: others may do what it never does
FAINT = 1e-3  # of the likeliest holding: one that comes so seldom is left out


class StreetStart(NamedTuple):
    """Where a street begins, as all see it."""

    node: int  # of the lines: the first decision on the street
    board: tuple[int, ...]


class Way(NamedTuple):
    """How one comes to a node of the lines."""

    nodes: tuple[int, ...]  # from the root on, without the last
    actions: tuple[int, ...]


def ways_of(lines: Lines) -> list[Way]:
    """[node] the way there. Parents stand before their children."""
    found = [Way((), ())] * len(lines.who)
    for n in range(len(lines.who)):
        for a, c in enumerate(lines.children(n)):
            found[c] = Way((*found[n].nodes, n), (*found[n].actions, a))
    return found


def start_of(lines: Lines, ways: Sequence[Way], node: int, board: Sequence[int]) -> StreetStart:
    """Where the street of a decision has begun."""
    street = int(lines.street[node])
    first = next(n for n in (*ways[node].nodes, node) if lines.street[n] == street)
    return StreetStart(first, tuple(board[: street + 2]))


def reach_of(lines: Lines, way: Way, board: Sequence[int], rows: RowsAt) -> Array:
    """[seat, holding] how often each would have come along this way with each holding that the board leaves."""
    reach = np.ones((2, HOLDINGS)) * ~blocked_by(board)
    for n, a in zip(way.nodes, way.actions, strict=True):
        told = rows(n)
        reach[lines.who[n]] *= (1.0 - SURPRISE) * told[:, a] + SURPRISE / told.shape[1]
    reach /= reach.max(axis=1, keepdims=True)
    return np.where(reach < FAINT, 0.0, reach)


def betting_below(lines: Lines, root: int) -> tuple[Betting, dict[int, int]]:
    """The betting from a decision on to the end, cards to come included; and where its decisions are in it."""
    player: list[int] = []
    children: list[list[int]] = []
    pays: list[NDArray[np.float64]] = []  # [seat 0 wins, loses, ties; seat]
    place: dict[int, int] = {}

    def new(who: int, pay: NDArray[np.float64]) -> int:
        player.append(who)
        children.append([])
        pays.append(pay)
        return len(player) - 1

    def dealt(cards: int, n: int) -> int:
        """A node of the lines, after so many cards."""
        if cards:
            here = new(DEAL, np.zeros((3, 2)))
            children[here].append(dealt(cards - 1, n))
            return here
        who = int(lines.who[n])
        here = new(1 - who if who >= 0 else who, lines.payoff[n])
        if who >= 0:
            place[n] = here
            for c in lines.children(n):
                children[here].append(dealt(cards_between(lines, n, c), c))
        return here

    dealt(0, root)
    assert (FOLD, SHOWDOWN) == (-2, -3)  # as the range engine has them
    start = np.cumsum([0, *(len(below) for below in children)]).astype(np.int32)
    by_seat = np.stack(pays)  # [node, 3, seat]
    wins = np.stack([by_seat[:, 1, 1], by_seat[:, 0, 0]], axis=1)
    loses = np.stack([by_seat[:, 0, 1], by_seat[:, 1, 0]], axis=1)
    edges = np.array([c for below in children for c in below], np.int32)
    return Betting(np.array(player, np.int8), start, edges, wins, loses, (wins + loses) / 2.0), place


def cards_between(lines: Lines, n: int, c: int) -> int:
    """How many cards are dealt between a decision and what comes after it; none before a fold."""
    if lines.who[c] == FOLD:
        return 0
    lies = int(lines.street[n]) + 2
    return BOARD_CARDS - lies if lines.who[c] == SHOWDOWN else int(lines.street[c]) + 2 - lies
