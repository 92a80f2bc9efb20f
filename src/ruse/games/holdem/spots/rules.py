"""A spot as a game: both are dealt a hand of their range, then they bet, and cards come as they go.

Payoffs are chips above half of the first pot, so that they cancel, but for what the house takes. What is asked for by
full-width rules is solved by the range engine, which takes the spot itself; anything else that takes a game takes it as
it is.
"""

import hashlib
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.games.holdem.cards import CARDS, NAMES
from ruse.games.holdem.hands.holdings import holding, holding_cards
from ruse.games.holdem.hands.tables import NO_CARDS, HandRanks, hand_ranks
from ruse.games.holdem.ranges.cells import hand_name
from ruse.games.holdem.spots.betting import DEAL, SHOWDOWN, BettingTree, betting_of
from ruse.games.holdem.spots.reading import spot_of
from ruse.games.holdem.spots.spot import Spot
from ruse.games.holdem.spots.writing import spot_text, spot_title
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Row

OOP_HAND, IP_HAND, NODE, FIRST_CARD = 0, 1, 2, 3  # columns; cards that are dealt on the way follow
NOT_YET = -1
COLUMNS = FIRST_CARD + 2
USUAL = {"rule": "dcfr:gamma=4", "target": "0.1%"}  # how it is solved if nothing else is asked for
VERSION = "spot 1"  # of the rules, in fingerprints


@compiled_function
def cards_left(game, s):
    """How many cards may come next."""
    return CARDS - len(game.board) - 4 - (s[FIRST_CARD] >= 0)


@compiled_function
def card_left(game, s, a):
    """The a-th card, counted from 0, that nobody holds and that does not lie on the board."""
    for card in range(CARDS):
        is_free = s[FIRST_CARD] != card
        for k in range(len(game.board)):
            is_free = is_free and game.board[k] != card
        for player in range(2):
            for k in range(2):
                is_free = is_free and game.hands[player, s[player], k] != card
        a -= is_free
        if a < 0:
            return card
    return 0  # there are as many as `cards_left` says


@compiled_function
def strength_in(game, s, player):
    """How strong a player's hand is at the end."""
    key, suits = NO_CARDS, 0
    for card in game.board:
        key += game.ranks.keys[card]
        suits |= game.ranks.suits[card]
    for k in range(2):
        card = game.hands[player, s[player], k]
        key += game.ranks.keys[card]
        suits |= game.ranks.suits[card]
        if s[FIRST_CARD + k] >= 0:
            key += game.ranks.keys[s[FIRST_CARD + k]]
            suits |= game.ranks.suits[s[FIRST_CARD + k]]
    return game.ranks.strength(key, suits)


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class SpotGame(NamedTuple):
    """A spot by the rules of hold'em. Made by `spot_game`."""

    text: np.ndarray  # uint8: the spot in words
    board: np.ndarray  # [card] int64
    hands: np.ndarray  # [player, hand, 2] int64: cards; a player may have fewer than there is room for
    many: np.ndarray  # [player] int64: how many hands
    weight: np.ndarray  # [player, hand] float64
    first: np.ndarray  # [hand] float64: how often the player out of position is dealt it,
    left: np.ndarray  # [hand] float64: the weight of the other's hands that share no card with it,
    others: np.ndarray  # [hand] int64: how many these are,
    other: np.ndarray  # [hand, k] int16: and which
    who: np.ndarray  # [node] int64: as in BettingTree
    edges: np.ndarray  # [node + 1] int64
    child: np.ndarray  # [edge] int64
    put: np.ndarray  # [node, player] int64
    pot: np.ndarray  # [1] float64: half of it is what each has won or lost already
    rake: np.ndarray  # [2] float64: the share of the last pot that is taken from who wins it, and at most how much
    ranks: HandRanks

    engine, usual = "ranges", USUAL  # engine: of full-width rules

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def payoff_sum(self) -> int | None:
        """What both get together, where the house takes nothing."""
        return 0 if self.rake[0] == 0.0 else None

    def start(self) -> Row:
        row = np.full(COLUMNS, NOT_YET, np.int64)
        row[NODE] = 0
        return row

    def player(self, s):
        if s[IP_HAND] < 0:
            return CHANCE
        who = self.who[s[NODE]]
        return who if who >= 0 else CHANCE if who == DEAL else OVER

    def num_actions(self, s):
        if s[OOP_HAND] < 0:
            return self.many[0]
        if s[IP_HAND] < 0:
            return self.others[s[OOP_HAND]]
        node = s[NODE]
        return cards_left(self, s) if self.who[node] == DEAL else self.edges[node + 1] - self.edges[node]

    def chance(self, s, a):
        if s[OOP_HAND] < 0:
            return self.first[a]
        if s[IP_HAND] < 0:
            own = s[OOP_HAND]
            return self.weight[1, self.other[own, a]] / self.left[own]
        return 1.0 / cards_left(self, s)

    def apply(self, s, a):
        if s[OOP_HAND] < 0:
            s[OOP_HAND] = a
        elif s[IP_HAND] < 0:
            s[IP_HAND] = self.other[s[OOP_HAND], a]
        else:
            node, edge = s[NODE], a
            if self.who[node] == DEAL:
                s[FIRST_CARD if s[FIRST_CARD] < 0 else FIRST_CARD + 1] = card_left(self, s, a)
                edge = 0
            s[NODE] = self.child[self.edges[node] + edge]

    def infoset(self, s):
        """The own hand, the cards that were dealt, and the node, which tells all bets and whose turn it is."""
        who = self.who[s[NODE]]
        cards = self.hands[who, s[who]]
        key = holding(cards[0], cards[1]) * (CARDS + 1) + s[FIRST_CARD] + 1
        return (key * (CARDS + 1) + s[FIRST_CARD + 1] + 1) * len(self.who) + s[NODE]

    def payoff(self, s, player):
        node = s[NODE]
        oop, ip = self.put[node, 0], self.put[node, 1]
        at_stake = self.pot[0] / 2.0 + min(oop, ip)
        taken = min(2.0 * at_stake * self.rake[0], self.rake[1])
        if self.who[node] == SHOWDOWN:
            own, other = strength_in(self, s, player), strength_in(self, s, 1 - player)
            return at_stake - taken if own > other else -at_stake if own < other else -taken / 2.0
        return -at_stake if (player == 0) == (oop < ip) else at_stake - taken  # who has put in less has folded

    # ---- in words ----------------------------------------------------------------------------------------------------

    @property
    def spot(self) -> Spot:
        return spot_by(self.own_spec)

    @property
    def betting(self) -> BettingTree:
        """The betting tree, with the names of actions."""
        return betting_in(self.own_spec)

    @property
    def stake(self) -> float:
        """What a percentage of the stake is of: the pot."""
        return float(self.pot[0])

    @property
    def own_spec(self) -> str:
        """The text that makes the same game again."""
        return self.text.tobytes().decode()

    @property
    def own_title(self) -> str:
        return spot_title(self.spot)

    @property
    def fingerprint(self) -> str:
        """What it does, as far as that depends on anything but the rules: the betting, and the words."""
        digest = hashlib.sha256(f"{VERSION} {self.own_spec}".encode())
        for part in (self.who, self.edges, self.child, self.put):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]

    def action_name(self, s, a):
        if s[OOP_HAND] < 0:
            return self._hand(0, a)
        if s[IP_HAND] < 0:
            return self._hand(1, self.other[s[OOP_HAND], a])
        return NAMES[card_left(self, s, a)] if self.who[s[NODE]] == DEAL else self.betting.names(int(s[NODE]))[a]

    def describe(self, s, viewer):
        """The hand that the viewer may see, then all that was done and dealt."""
        seen = [player for player in range(2) if viewer in (player, EVERYTHING) and s[player] >= 0]
        hands = [self._hand(player, s[player]) for player in seen]
        cards = [NAMES[card] for card in s[FIRST_CARD:] if card >= 0]
        line, node, parents = [], int(s[NODE]), parents_in(self.own_spec)
        while node:
            node, edge = parents[node]
            line.append(self.betting.actions[edge] if self.who[node] != DEAL else cards.pop())
        return ", ".join([*hands, *reversed(line)]) or "the spot"

    def _hand(self, player: int, number: int) -> str:
        return hand_name(int(holding(*map(int, self.hands[player, number]))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpotGame) and np.array_equal(self.text, other.text)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.own_spec)

    def __repr__(self) -> str:
        return f"SpotGame({self.own_spec!r})"


def spot_game(spot: Spot) -> SpotGame:
    """The game of a spot."""
    text, tree = spot_text(spot), betting_of(spot)
    weights = [spot.weights(player) for player in range(2)]
    held = [np.flatnonzero(weights[player]) for player in range(2)]
    cards = [holding_cards()[own] for own in held]
    apart = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    able = apart.any(axis=1)  # who can meet nobody is never dealt
    held[0], cards[0], apart = held[0][able], cards[0][able], apart[able]
    hands, weight = np.zeros((2, max(map(len, held)), 2), np.int64), np.zeros((2, max(map(len, held))))
    for player, own in enumerate(held):
        hands[player, : len(own)] = cards[player]
        weight[player, : len(own)] = weights[player][own]
    left = apart @ weight[1, : len(held[1])]
    first = weight[0, : len(held[0])] * left
    other = np.zeros(apart.shape, np.int16)
    for hand, row in enumerate(apart):
        other[hand, : row.sum()] = np.flatnonzero(row)
    return SpotGame(
        text=np.frombuffer(text.encode(), np.uint8).copy(), board=np.array(spot.board, np.int64), hands=hands,
        many=np.array(list(map(len, held)), np.int64), weight=weight, first=first / first.sum(),
        left=left, others=apart.sum(axis=1), other=other, who=tree.player.astype(np.int64),
        edges=tree.start.astype(np.int64), child=tree.child.astype(np.int64), put=tree.put,
        pot=np.array([spot.pot], np.float64), rake=np.array([spot.rake, spot.rake_cap or np.inf]), ranks=hand_ranks(),
    )  # fmt: skip


@lru_cache(4)
def spot_by(text: str) -> Spot:
    """What is asked of a game again and again is read once."""
    return spot_of(text)


@lru_cache(4)
def betting_in(text: str) -> BettingTree:
    return betting_of(spot_by(text))


@lru_cache(4)
def parents_in(text: str) -> list[tuple[int, int]]:
    """[node] its parent, and the edge that leads from there."""
    tree = betting_in(text)
    found = [(0, 0)] * len(tree.player)
    for node in range(len(tree.player)):
        for edge in range(tree.start[node], tree.start[node + 1]):
            found[tree.child[edge]] = (node, edge)
    return found
