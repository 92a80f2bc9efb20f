"""Liar's Dice: roll in secret, bid on how many dice of all show a face, call the liar. The highest face is wild."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.protocol.scene import Event, Scene, held
from ruse.protocol.state import State

# Columns. WHO is what player() answers; BIDS has a bit for each bid made, and as bids only rise it is also their order.
# A hand for each player follows: how many dice show each face, four bits a face; the order of the dice is not kept.
WHO, ROLLED, BIDDER, LAST, BIDS, HANDS = range(6)


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class LiarsDice(NamedTuple):
    """Bids rise by quantity, then face; the next player bids higher or calls. Who is wrong about a call pays 1."""

    players: int = 2
    dice: int = 1
    sides: int = 6

    # Together, because type checkers would take one alone for a field without a default.
    payoff_sum, perfect_recall = 0, True

    def start(self) -> Row:
        if self.players < 2 or self.dice < 1 or not 2 <= self.sides <= 15:
            raise ValueError(
                f"players must be at least 2, dice at least 1 and sides 2 to 15 in Liar's Dice, "
                f"got {self.players}, {self.dice} and {self.sides}"
            )
        if self.players * self.dice * self.sides > 62:  # one bit a bid, which also keeps the counts below sixteen
            raise ValueError(
                f"{self.players} players, {self.dice} dice and {self.sides} sides are too many for Liar's Dice: "
                f"their product must be at most 62"
            )
        return np.array([CHANCE, 0, -1, -1, 0] + [0] * self.players, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        if s[WHO] == CHANCE:
            return self.sides
        higher = self.players * self.dice * self.sides - 1 - s[LAST]
        return higher + (s[LAST] >= 0)

    def chance(self, s, a):
        return 1.0 / self.sides

    def apply(self, s, a):
        if s[WHO] == CHANCE:
            s[HANDS + s[ROLLED] // self.dice] += 1 << 4 * a
            s[ROLLED] += 1
            if s[ROLLED] == self.players * self.dice:
                s[WHO] = 0
            return
        bid = s[LAST] + 1 + a
        if bid == self.players * self.dice * self.sides:  # one past the highest bid: "liar"
            s[WHO] = OVER
            return
        s[LAST] = bid
        s[BIDS] |= 1 << bid
        s[BIDDER] = s[WHO]
        s[WHO] = s[WHO] + 1 if s[WHO] + 1 < self.players else 0

    def infoset(self, s):
        hand, width = s[HANDS + s[WHO]], 4 * self.sides
        if width + self.players * self.dice * self.sides <= 63:
            return s[BIDS] << width | hand
        return mix(s[BIDS], hand)

    def payoff(self, s, player):
        face, wild = s[LAST] % self.sides, self.sides - 1
        matches = 0
        for p in range(self.players):
            matches += s[HANDS + p] >> 4 * face & 15
            if face != wild:
                matches += s[HANDS + p] >> 4 * wild & 15
        sign = 1.0 if matches > s[LAST] // self.sides else -1.0  # the quantity is one more than the quotient
        if player == s[BIDDER]:
            return sign
        return -sign if player == (s[BIDDER] + 1) % self.players else 0.0

    def action_name(self, s, a):
        if s[WHO] == CHANCE:
            return str(a + 1)
        bid = int(s[LAST]) + 1 + a
        return "liar" if bid == self.players * self.dice * self.sides else self.bid_name(bid)

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        """Own dice and all bids; in words: 1 5, 1x3 2x4."""
        s, players = state.row, self.players
        hands = [self.faces(int(hand)) for hand in s[HANDS:]]
        dice = held("dice", hands, viewer, open_of=range(players) if s[WHO] == OVER else ())
        said = [self.bid_name(b) for b in range(players * self.dice * self.sides) if s[BIDS] >> b & 1]
        said += ["liar"] if s[WHO] == OVER else []
        shown = " | ".join(filter(None, (" ".join(zone.shown) for zone in held("dice", hands, viewer))))
        return Scene(
            viewer, state.player, ", ".join(filter(None, [shown, " ".join(said)])), zones=dice,
            events=tuple(Event(k % players, what) for k, what in enumerate(said)),
        )  # fmt: skip

    def bid_name(self, bid: int) -> str:
        """The bid as quantity and face: 2x6 says that at least two dice show a six."""
        return f"{bid // self.sides + 1}x{bid % self.sides + 1}"

    def faces(self, hand: int) -> list[str]:
        """The faces from low to high."""
        return [str(f + 1) for f in range(self.sides) for _ in range(hand >> 4 * f & 15)]
