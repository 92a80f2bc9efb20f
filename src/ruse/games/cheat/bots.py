"""Bots for Cheat, and what they are measured by: how often they lie, challenge, and challenge rightly.

A bot is shown an observation (see ruse.games.cheat.observation) whenever it has changed, and keeps its own books on it.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.games.cheat.cards import CLAIM, LAST, RANK, discard_number, most_cards, nth_discard, num_discards, width
from ruse.games.cheat.observation import (
    BLOCKS,
    CHALLENGING,
    DOUBTER,
    LAID,
    LAID_AS,
    LAID_BY,
    PHASE,
    SEEN_RANK,
    SEEN_TURN,
    TAKER,
)
from ruse.protocol.game import Game

# The books: turns whose discard, and whose end, have been entered; own cards in the pile by rank; then for each seat
# the cards by rank that are known to be in that hand.
ENTERED, CLOSED, PILE = 0, 1, 2


@compiled("watch", "decide")
class Heuristic(NamedTuple):
    """Tells the truth if it can, remembers what it has seen, and challenges what is unlikely.

    With every card seen it never errs, so Mini-Cheat's authors call it Heuristic-perfect.
    """

    threshold: float = 0.5  # challenge if the claim is true with a probability below this
    challenge_last: bool = False  # challenge whoever lays the last card

    def refuse_unfit(self, game: Game) -> None:
        refuse_no_probability("threshold", self.threshold)

    def memory_size(self, game: Game) -> int:
        ranks: int = game.ranks  # type: ignore[attr-defined]
        return PILE + ranks + game.players * ranks

    def watch(self, game, seen, me, memory):
        ranks, turn = game.ranks, seen[SEEN_TURN]
        laid_by, known = seen[LAID_BY], PILE + ranks
        if seen[PHASE] == CHALLENGING:
            if laid_by == me and memory[ENTERED] == turn:
                memory[ENTERED] = turn + 1
                for r in range(ranks):
                    memory[PILE + r] += seen[BLOCKS + ranks + r]
            return
        if memory[CLOSED] == turn:
            return
        memory[ENTERED], memory[CLOSED] = turn, turn
        his = known + laid_by * ranks
        if seen[DOUBTER] < 0:  # believed: suppose that it was true
            memory[his + seen[LAID_AS]] -= min(seen[LAID], memory[his + seen[LAID_AS]])
            return
        taker = seen[TAKER]
        for r in range(ranks):
            shown = seen[BLOCKS + ranks + r]
            if laid_by != me:
                memory[his + r] -= min(shown, memory[his + r])
            if taker != me:  # he has my cards of the pile, with those just laid among them if they were mine
                memory[known + taker * ranks + r] += memory[PILE + r] + (shown if laid_by != me else 0)
            memory[PILE + r] = 0

    def decide(self, game, seen, me, memory, count, u):
        if seen[PHASE] != CHALLENGING:
            return honest_discard(game, seen)
        ranks, copies, players = game.ranks, game.copies, game.players
        claim, rank, him = seen[LAID], seen[LAID_AS], seen[LAID_BY]
        known, left = PILE + ranks + him * ranks, seen[BLOCKS + 2 * ranks + him]
        mine = seen[BLOCKS + rank] + memory[PILE + rank]
        if claim > copies - mine:
            return 1  # it cannot be true
        if self.challenge_last and left == 0:
            return 1
        if memory[known + rank] >= claim:
            return 0
        cards, unseen, his = left + claim, ranks * copies, 0
        for r in range(ranks):
            unseen -= seen[BLOCKS + r] + memory[PILE + r]
            his += memory[known + r]
        others, theirs = 0, 0
        for p in range(players):
            if p != me and p != him:
                theirs += memory[PILE + ranks + p * ranks + rank]
                for r in range(ranks):
                    others += memory[PILE + ranks + p * ranks + r]
        unseen -= his + others
        if cards <= his:
            return 1  # all of his cards are known, and he has too few of these
        same = copies - mine - memory[known + rank] - theirs
        # A lie that was believed leaves cards in the books that are elsewhere, so that too few may seem to be unseen.
        unseen = max(unseen, 0)
        chance = at_least(claim - memory[known + rank], min(cards - his, unseen), min(same, unseen), unseen)
        return 1 if chance < self.threshold else 0


@compiled("watch", "decide")
class Naive(NamedTuple):
    """Lays cards at random, and challenges by the toss of a coin unless it sees the lie in its own hand."""

    challenge: float = 0.5

    def refuse_unfit(self, game: Game) -> None:
        refuse_no_probability("challenge", self.challenge)

    def memory_size(self, game: Game) -> int:
        return 1

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        ranks, hand, bits = game.ranks, 0, width(game.copies)
        if seen[PHASE] == CHALLENGING:
            if seen[BLOCKS + seen[LAID_AS]] + seen[LAID] > game.copies:
                return 1
            return 1 if u < self.challenge else 0
        rank, cards = seen[SEEN_RANK], 0
        for r in range(ranks):
            hand += seen[BLOCKS + r] << bits * r
            cards += seen[BLOCKS + r]
        most = min(most_cards(game), cards)
        if seen[BLOCKS + rank] == cards and cards <= most:
            return discard_number(game, hand, rank, hand)
        # One random number is enough for the size and for each card: what is left of it is random too.
        size = int(u * most)
        u = u * most - size
        chosen, rest = 0, hand
        for _ in range(size + 1):
            k = int(u * cards)
            u = u * cards - k
            r = 0
            while k >= (rest >> bits * r & ((1 << bits) - 1)):
                k -= rest >> bits * r & ((1 << bits) - 1)
                r += 1
            chosen += 1 << bits * r
            rest -= 1 << bits * r
            cards -= 1
        return discard_number(game, hand, rank, chosen)


@compiled_function
def honest_discard(game, seen):
    """All cards of the current rank that may be laid at once; without any, one that is not needed for longest."""
    ranks, rank, bits, hand = game.ranks, seen[SEEN_RANK], width(game.copies), 0
    for r in range(ranks):
        hand += seen[BLOCKS + r] << bits * r
    if seen[BLOCKS + rank] > 0:
        return discard_number(game, hand, rank, min(seen[BLOCKS + rank], most_cards(game)) << bits * rank)
    farthest = rank
    for ahead in range(1, ranks):
        r = rank + ahead if rank + ahead < ranks else rank + ahead - ranks
        if seen[BLOCKS + r] > 0:
            farthest = r
    return discard_number(game, hand, rank, 1 << bits * farthest)


@compiled_function
def at_least(wanted, drawn, good, cards):
    """The probability of at least so many good cards among those drawn from `cards` (hypergeometric)."""
    if wanted <= 0:
        return 1.0
    if wanted > good or wanted > drawn:
        return 0.0
    # The weight of k good cards, from one k to the next, up to a common factor.
    low = max(0, drawn - (cards - good))
    weight, total, enough = 1.0, 0.0, 0.0
    for k in range(low, min(good, drawn) + 1):
        total += weight
        if k >= wanted:
            enough += weight
        weight *= (good - k) * (drawn - k) / ((k + 1.0) * (cards - good - drawn + k + 1.0))
    return enough / total


def refuse_no_probability(field: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise RuseError(f"{field} is a probability, from 0 to 1, got {value:g}")


BOTS = {
    "heuristic": Heuristic(),
    "naive": Naive(),
    "heuristic_last": Heuristic(challenge_last=True),
    "heuristic_002": Heuristic(threshold=0.05),
}

DISCARDS, LIES, ASKED, CHALLENGES, RIGHT = range(5)  # what the meter counts


@compiled("note")
class CheatMeter(NamedTuple):
    """How often a bot lies, challenges, and is right when it does."""

    nothing: int = 0

    @property
    def counted(self) -> int:
        return 5

    def note(self, game, s, a, notes, bot):
        bits = width(game.copies)
        if s[CLAIM] == 0:
            if a == num_discards(game, s):
                return  # a pass
            cards, laid = nth_discard(game, s, a)
            notes[bot, DISCARDS] += 1
            notes[bot, LIES] += cards != laid << bits * s[RANK]
            return
        notes[bot, ASKED] += 1
        if a == 1:
            notes[bot, CHALLENGES] += 1
            notes[bot, RIGHT] += s[LAST] != s[CLAIM] << bits * s[RANK]

    def rates(self, notes: np.ndarray, games: int) -> dict[str, float]:
        shares = {"lies": (LIES, DISCARDS), "challenges": (CHALLENGES, ASKED), "challenges won": (RIGHT, CHALLENGES)}
        found = {name: float(notes[a] / notes[b]) if notes[b] else 0.0 for name, (a, b) in shares.items()}
        return found | {"discards a game": float(notes[DISCARDS] / games)}
