"""Rhode Island Hold'em of a few cards as a plain tree, ranked by PokerKit. Nothing of ruse."""

from fractions import Fraction
from functools import cache
from itertools import permutations

from pokerkit import RhodeIslandHoldemHand
from trees import CHANCE, Node, Tree

ANTE, SIZES = 5, (10, 20, 20)


@cache
def hand(cards: str) -> RhodeIslandHoldemHand:
    return RhodeIslandHoldemHand(cards)


def rhode_island(deck: list[str], most: int) -> Tree:
    """Both cards and the board are drawn at once; what a player knows of them is what the round has shown."""
    numbers: dict[tuple[object, ...], int] = {}
    menus: dict[tuple[int, int], int] = {}

    def betting(cards: tuple[str, ...], told: tuple[str, ...], paid: tuple[int, int], who: int, raises: int) -> Node:
        """The game goes on from here; `told` are all moves so far, with a slash after each round."""
        street = told.count("/")
        if street == 3:
            mine, theirs = (hand("".join([cards[p], *cards[2:]])) for p in range(2))
            return ended(0 if mine == theirs else paid[0] if mine > theirs else -paid[0])
        children = []
        if raises:  # who folds loses what he has paid
            children.append(ended(-paid[0] if who == 0 else paid[1]))
        level = (max(paid), max(paid))
        closes = raises > 0 or told[-1:] == ("check",)
        after = (*told, "call", "/") if closes else (*told, "check")
        children.append(betting(cards, after, level, 0 if closes else 1, 0 if closes else raises))
        if raises < most:
            more = tuple(max(paid) + SIZES[street] * (p == who) for p in range(2))
            children.append(betting(cards, (*told, "raise"), (more[0], more[1]), 1 - who, raises + 1))
        known = (who, cards[who], *cards[2 : 2 + street], told)
        node = Node(who, numbers.setdefault(known, len(numbers)), None)
        node.children = children
        menus[who, node.infoset] = len(children)
        return node

    def ended(gain: int) -> Node:
        return Node(None, 0, [Fraction(gain), Fraction(-gain)])

    root = Node(CHANCE, 0, None)
    for cards in permutations(deck, 4):
        root.children.append(betting(cards, (), (ANTE, ANTE), 0, 0))
    root.chances = [Fraction(1, len(root.children))] * len(root.children)
    return Tree(root, 2, Fraction(0), menus)
