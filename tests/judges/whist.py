"""Oh Hell for two as a plain tree, on lists of (rank, suit). Nothing of ruse."""

from fractions import Fraction
from itertools import combinations, product

from trees import CHANCE, Node, Tree

Card = tuple[int, int]  # rank and suit


def oh_hell(suits: int, ranks: int, tricks: int, dealer: int) -> Tree:
    """Hands are dealt at once, all as likely, and a trump from what is left; payoffs are half the difference."""
    deck = list(product(range(ranks), range(suits)))
    numbers: dict[tuple[object, ...], int] = {}
    menus: dict[tuple[int, int], int] = {}

    def decide(player: int, known: tuple[object, ...], children: list[Node]) -> Node:
        node = Node(player, numbers.setdefault((player, *known), len(numbers)), None)
        node.children = children
        assert menus.setdefault((player, node.infoset), len(children)) == len(children)
        return node

    def bidding(hands: list[tuple[Card, ...]], trump: Card) -> Node:
        first, last = 1 - dealer, dealer
        opened = []
        for one in range(tricks + 1):
            answers = [two for two in range(tricks + 1) if one + two != tricks]
            bids = [{first: one, last: two} for two in answers]
            answered = [playing(hands, trump, bid, [], first) for bid in bids]
            opened.append(decide(last, (hands[last], trump, one), answered))
        return decide(first, (hands[first], trump), opened)

    def playing(hands: list[tuple[Card, ...]], trump: Card, bids: dict[int, int], played: list[Card], who: int) -> Node:
        if len(played) == 2 * tricks:
            return ended(trump, bids, played)
        hand = [card for card in hands[who] if card not in played]
        if len(played) % 2:
            hand = [card for card in hand if card[1] == played[-1][1]] or hand
        children = []
        for card in hand:
            after = [*played, card]
            leader = leader_after(trump, after)
            children.append(playing(hands, trump, bids, after, leader if len(after) % 2 == 0 else 1 - who))
        return decide(who, (hands[who], trump, bids[0], bids[1], *played), children)

    def leader_after(trump: Card, played: list[Card]) -> int:
        """Who leads after the tricks that are complete."""
        leader = 1 - dealer
        for k in range(0, len(played) - 1, 2):
            led, answer = played[k : k + 2]
            strength = [(card[1] == trump[1], card[1] == led[1], card[0]) for card in (led, answer)]
            leader = leader if strength[0] > strength[1] else 1 - leader
        return leader

    def ended(trump: Card, bids: dict[int, int], played: list[Card]) -> Node:
        taken = [0, 0]
        for k in range(2, len(played) + 1, 2):
            taken[leader_after(trump, played[:k])] += 1
        points = [taken[p] + 10 * (taken[p] == bids[p]) for p in range(2)]
        gain = Fraction(points[0] - points[1], 2)
        return Node(None, 0, [gain, -gain])

    root = Node(CHANCE, 0, None)
    for one in combinations(deck, tricks):
        rest = [card for card in deck if card not in one]
        for two in combinations(rest, tricks):
            for trump in [card for card in rest if card not in two]:
                root.children.append(bidding([one, two], trump))
    root.chances = [Fraction(1, len(root.children))] * len(root.children)
    return Tree(root, 2, Fraction(0), menus)
