"""Cards as games store them: numbers from 0, dealt without replacement into columns of the row."""

from ruse.compile import compiled_function

RANKS = "23456789TJQKA"


@compiled_function
def draw(s, first, held, a):
    """The a-th card, counted from 0, that is not among the cards s[first : first + held]."""
    card = a
    moved = True
    while moved:  # step over each held card once; `held` is small
        below = 0
        for k in range(first, first + held):
            below += s[k] <= card
        moved = a + below != card
        card = a + below
    return card


def rank_name(rank: int, ranks: int) -> str:
    """The rank's letter, where the highest of `ranks` ranks is the King (the Ace if there are more than twelve)."""
    top = 12 if ranks <= 12 else 13
    return RANKS[top - ranks + rank] if ranks <= 13 else str(rank + 1)


def card_name(card: int, ranks: int, suits: int) -> str:
    """The card's rank and suit, such as Ks; cards are numbered by rank, then suit."""
    letters = "shdc" if suits <= 4 else "abcdefghijklmnopqrstuvwxyz"
    return rank_name(card // suits, ranks) + letters[card % suits]
