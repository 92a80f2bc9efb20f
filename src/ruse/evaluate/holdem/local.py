"""Local best response (Lisy and Bowling 2017): what a simple opponent who knows the strategy wins against it.

The opponent keeps a probability for every hand that the strategy may hold, by what it has done with each so far. At a
decision he takes the action that is best if all would be checked and called down afterwards, but for the one answer to
his own raise, of which he knows how often it is a fold. What he wins is a lower bound on what a best response wins.

Only his own cards and the board are drawn. What the strategy holds is never drawn: its whole range moves over the lines
of betting, all that it may do is followed, and what is all-in is settled by equity. So there is little luck left in it.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.compile.rng import stream
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.evaluate.holdem.rooms import STREETS, draw_deal, fill_hand, hand_room
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.lines import FOLD, SHOWDOWN
from ruse.strategy import Strategy
from ruse.words.long_work import Tell, tell_listeners
from ruse.words.student import margin, told_margin

CONFIDENCE = 0.95
LEAST = 1e-12  # of a range that is followed
SLICE = 20  # deals until it is told how far it has come


class OnLines(NamedTuple):
    """A strategy on its lines, as kernels take it: see `Lines` and `Bucketed`."""

    who: np.ndarray
    street: np.ndarray
    start: np.ndarray
    child: np.ndarray
    paid: np.ndarray
    left: np.ndarray
    payoff: np.ndarray
    first: np.ndarray
    sigma: np.ndarray

    @classmethod
    def of(cls, bucketed: Bucketed) -> "OnLines":
        lines = bucketed.lines
        return cls(lines.who, lines.street, lines.start, lines.child, lines.paid, lines.left, lines.payoff,
                   bucketed.first, bucketed.sigma)  # fmt: skip

    @property
    def deepest(self) -> int:
        """The most decisions on a line."""
        depth = np.zeros(len(self.who), np.int64)
        for node in range(len(self.who)):
            depth[self.child[self.start[node] : self.start[node + 1]]] = depth[node] + 1
        return int(depth.max()) + 1


class Winnings(NamedTuple):
    """What is won against a strategy, in big blinds a hand."""

    mean: float  # of both seats
    margin: float  # half of the interval
    by_seat: tuple[float, float]  # of the opponent
    deals: int
    seed: int

    @property
    def interval(self) -> tuple[float, float]:
        return self.mean - self.margin, self.mean + self.margin

    def __str__(self) -> str:
        seats = ", ".join(f"seat {p} {1000 * x:+z.0f}" for p, x in enumerate(self.by_seat))
        return f"{1000 * self.mean:+z.0f} {told_margin(1000 * self.margin, '.0f')} mbb a hand ({seats})"


@compiled("respond")
class Local(NamedTuple):
    """The best action if all is checked and called down after it."""

    first: int = 0  # the street from which on it raises; before it there is but fold and call

    def respond(self, played, hand, reach, node, me):
        return best_action(played, hand, reach, node, me, played.street[node] >= self.first)


@compiled("respond")
class CallDown(NamedTuple):
    """Checks and calls. What it wins can be compared with a match."""

    nothing: int = 0

    def respond(self, played, hand, reach, node, me):
        return 1 if played.who[played.child[played.start[node]]] == FOLD else 0


@compiled_function
def best_action(played, hand, reach, node, me, raises):
    """What wins most at a node, by the share of the pot that we get from this range."""
    start, street, other = played.start[node], played.street[node], 1 - me
    total, share = 0.0, 0.0
    for h in range(HOLDINGS):
        weight = reach[h] * hand.live[street, h]
        total += weight
        share += weight * hand.equity[street, h]
    if total <= 0.0:
        return 0
    folds = 1 if played.who[played.child[start]] == FOLD else 0
    pot = played.paid[node, 0] + played.paid[node, 1]
    owed = min(played.paid[node, other] - played.paid[node, me], played.left[node, me])
    best, action = 0.0 if folds else -np.inf, 0
    share /= total
    value = share * pot - (1.0 - share) * owed
    if value > best:
        best, action = value, folds
    for a in range(folds + 1, played.start[node + 1] - start):
        after = played.child[start + a]
        if not raises:
            break
        cost = played.paid[after, me] - played.paid[node, me]
        answer = min(played.paid[after, me] - played.paid[after, other], played.left[after, other])
        gone, stays, kept = 0.0, 0.0, 0.0
        row, count = played.first[after], played.start[after + 1] - played.start[after]
        for h in range(HOLDINGS):
            weight = reach[h] * hand.live[street, h]
            fold = weight * played.sigma[row + hand.bucket[street, h] * count]
            gone += fold
            stays += weight - fold
            kept += (weight - fold) * hand.equity[street, h]
        value = gone * pot + kept * (pot + answer) - (stays - kept) * cost
        if value / total > best:
            best, action = value / total, a
    return action


@compiled_function
def settle(played, hand, reach, node, me):
    """What we win at an end from this range, times how often play comes there."""
    street, total, share, count = played.street[node], 0.0, 0.0, 0.0
    for h in range(HOLDINGS):
        weight = reach[h] * hand.live[street, h]
        count += hand.live[street, h]
        total += weight
        share += weight * hand.equity[street, h]
    payoff = played.payoff[node]
    if played.who[node] == FOLD:
        return total * payoff[0, me] / count
    wins, loses = (payoff[0, me], payoff[1, me]) if me == 0 else (payoff[1, me], payoff[0, me])
    return (share * wins + (total - share) * loses) / count


@compiled_function
def walk(played, hand, response, reach, stack, me):
    """What a response wins in this seat with the hand: all that the strategy may do is followed."""
    reach[0] = 1.0
    won, top = 0.0, 1
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, 0, -1, 0  # node, depth of its range, node before, action
    while top > 0:
        top -= 1
        node, depth, before, action = stack[top]
        if before >= 0 and played.who[before] != me:
            street, total = played.street[before], 0.0
            count = played.start[before + 1] - played.start[before]
            row = played.first[before] + action
            for h in range(HOLDINGS):
                kept = reach[depth, h] * hand.live[street, h]
                kept *= played.sigma[row + hand.bucket[street, h] * count]
                reach[depth + 1, h] = kept
                total += kept
            depth += 1
            if total < LEAST:
                continue
        if played.who[node] == FOLD or played.who[node] == SHOWDOWN:
            won += settle(played, hand, reach[depth], node, me)
            continue
        first, last = 0, played.start[node + 1] - played.start[node]
        if played.who[node] == me:
            first = response.respond(played, hand, reach[depth], node, me)
            last = first + 1
        for a in range(first, last):
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = (
                played.child[played.start[node] + a], depth, node, a
            )  # fmt: skip
            top += 1
    return won


@lean_kernel
def play_deals(ranks, cards, played, hand, responses, reach, stack, rng, seed, first, won):
    """What each response wins in both seats of each deal from the first one on."""
    for k in range(len(won)):
        stream(rng, seed, first + k)
        draw_deal(hand, rng)
        fill_hand(ranks, cards, hand)
        for r in range(len(responses)):
            for me in range(2):
                won[k, r, me] = walk(played, hand, responses[r], reach, stack, me)


def winnings(
    strategy: Strategy,
    *responses: Any,
    deals: int,
    seed: int = 0,
    confidence: float = 0.95,
    tell: Tell = tell_listeners,
) -> list[Winnings]:
    """What responses of one kind win against a strategy, all on the same deals."""
    if deals < 2:
        raise RuseError(f"deals must be at least 2, got {deals}")
    seed = seed_of(seed)
    bucketed = Bucketed.of_two(strategy)
    played, hand = OnLines.of(bucketed), hand_room()
    reach = np.zeros((played.deepest + 1, HOLDINGS))
    stack = np.zeros((len(played.who), STREETS), np.int64)
    won, rng = np.zeros((deals, len(responses), 2)), np.zeros(1, np.uint64)
    for first in range(0, deals, SLICE):
        part = won[first : first + SLICE]
        play_deals(hand_ranks(), bucketed.view.cards, played, hand, responses, reach, stack, rng, seed, first, part)
        tell(f"{deals:,} deals", min(1.0, (first + SLICE) / deals))
    each, by_seat = won.mean(axis=2), won.mean(axis=0)
    spread = each.std(axis=0, ddof=1).tolist()
    means = [float(each[:, r].mean()) for r in range(len(by_seat))]
    return [
        Winnings(means[r], margin(deals, spread[r], means[r], confidence), (seats[0], seats[1]), deals, seed)
        for r, seats in enumerate(by_seat.tolist())
    ]


class LocalResponses(NamedTuple):
    """What local best responses win that raise from each of the streets on, and only call before."""

    by_street: tuple[Winnings, ...]  # all four margins hold at once, with 95 % confidence

    @property
    def best(self) -> int:
        """The street of the one that surely wins most."""
        return max(range(STREETS), key=lambda street: self.by_street[street].interval[0])

    @property
    def bound(self) -> float:
        """A lower bound on exploitability, in big blinds a hand: nobody need deviate, so it is never below 0."""
        return max(0.0, self.by_street[self.best].interval[0])


def local_best_response(strategy: Strategy, *, deals: int = 1_000, seed: int = 0) -> LocalResponses:
    """What local best responses win against a strategy for two with hands in buckets."""
    responses = [Local(street) for street in range(STREETS)]
    confidence = 1.0 - (1.0 - CONFIDENCE) / STREETS  # shared among them
    return LocalResponses(tuple(winnings(strategy, *responses, deals=deals, seed=seed, confidence=confidence)))
