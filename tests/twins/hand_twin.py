"""The strength of poker hands the long way: of every five of the cards, the ranks by how often they occur."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations


def of_five(cards: Sequence[int]) -> tuple[int, list[int]]:
    """The kind of five cards, from 0 for a high card to 8 for a straight flush, and their ranks in order of weight."""
    counts = Counter(card // 4 for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if straight or flush:
        return (8 if straight and flush else 5 if flush else 4), ranks
    return {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), ranks


def of_cards(cards: Sequence[int]) -> tuple[int, list[int]]:
    """The best of every five of the cards."""
    return max(of_five(five) for five in combinations(cards, 5))
