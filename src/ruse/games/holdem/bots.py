"""Simple bots for Hold'em: they are what a strategy must beat before it is worth measuring."""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.tables import NO_CARDS, HandRanks, hand_ranks
from ruse.games.holdem.row import BOARD_CARDS, MOST
from ruse.games.holdem.telling.observation import (
    CALL,
    COUNT,
    FOLDS,
    LEGAL,
    MOST_SHOWN,
    OWN,
    POT,
    SEEN_BETS,
    SEEN_BOARD,
    SEEN_IN,
    SEEN_RAISES,
    SEEN_STREET,
)
from ruse.protocol.game import Game

TEN, QUEEN, KING, ACE = 8, 10, 11, 12  # ranks


@compiled("watch", "decide")
class Passive(NamedTuple):
    """Never bets: checks if it may, and calls any bet, or folds to it, whatever it has."""

    calls: bool

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return 1 if self.calls and seen[LEGAL] == FOLDS else 0


@compiled("watch", "decide")
class Tight(NamedTuple):
    """Tight and aggressive: plays few hands, and those by raising; later it goes by how many hands it beats.

    Before the flop hands count as by Chen's formula, from -1 to 20. After it a hand is worth the share of all other
    hands that it beats, to a power that grows with the players who are in and the raises that they have made.
    """

    ranks: HandRanks = hand_ranks()

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        stay = 1 if seen[LEGAL] == FOLDS else 0
        raises = seen[SEEN_RAISES]
        odds = seen[CALL] / (seen[POT] + seen[CALL])
        if seen[SEEN_STREET] == 0:
            needed = 4.0 + min(players_in(seen) - 2, 3)
            score = chen_score(seen[OWN], seen[OWN + 1])
            if score >= needed + 4.0 * raises and stay + 1 < count:
                return nearest_raise(seen, stay, 1.0)
            return stay if score >= needed - 1.5 + 8.0 * odds + 2.0 * max(raises - 1, 0) or odds == 0.0 else 0
        worth = share_beaten(self.ranks, seen) ** (players_in(seen) - 1 + raises)
        if worth > 0.7 and stay + 1 < count:
            return nearest_raise(seen, stay, 0.75)
        return stay if worth > odds else 0


@compiled_function
def players_in(seen):
    """How many have not folded."""
    total = 0
    for p in range(MOST):
        total += seen[SEEN_IN + p]
    return total


@compiled_function
def chen_score(high, low):
    """What two cards are worth before the flop by Chen's formula, unrounded."""
    top, gap = high // 4, high // 4 - low // 4
    score = 10.0 if top == ACE else 8.0 if top == KING else 7.0 if top == QUEEN else (top + 2) / 2.0
    if top == QUEEN - 1:
        score = 6.0
    if gap == 0:
        return max(5.0, 2.0 * score)
    if high % 4 == low % 4:
        score += 2.0
    score -= 0.0 if gap == 1 else gap - 1.0 if gap < 4 else 4.0 if gap == 4 else 5.0
    return score + 1.0 if gap <= 2 and top < QUEEN else score


@compiled_function
def nearest_raise(seen, stay, share):
    """The number of the raise that is nearest to this share of the pot."""
    highest = 0
    for p in range(MOST):
        highest = max(highest, seen[SEEN_BETS + p])
    wanted, best = highest + share * (seen[POT] + seen[CALL]), stay + 1
    for a in range(stay + 1, min(seen[COUNT], MOST_SHOWN)):
        if abs(seen[LEGAL + a] - wanted) < abs(seen[LEGAL + best] - wanted):
            best = a
    return best


@compiled_function
def share_beaten(ranks, seen):
    """The share of all hands that another player may have which this one beats on the board so far; ties are half."""
    board, suits, out = NO_CARDS, 0, 0
    for b in range(BOARD_CARDS):
        card = seen[SEEN_BOARD + b]
        if card >= 0:
            board += ranks.keys[card]
            suits |= ranks.suits[card]
            out |= 1 << card
    high, low = seen[OWN], seen[OWN + 1]
    mine = ranks.strength(board + ranks.keys[high] + ranks.keys[low], suits | ranks.suits[high] | ranks.suits[low])
    out |= 1 << high | 1 << low
    beaten, total = 0, 0
    for x in range(1, CARDS):
        if out >> x & 1:
            continue
        for y in range(x):
            if out >> y & 1:
                continue
            theirs = ranks.strength(board + ranks.keys[x] + ranks.keys[y], suits | ranks.suits[x] | ranks.suits[y])
            beaten += 2 if theirs < mine else 1 if theirs == mine else 0
            total += 2
    return beaten / total


BOTS = {"call": Passive(calls=True), "fold": Passive(calls=False), "tight": Tight()}
