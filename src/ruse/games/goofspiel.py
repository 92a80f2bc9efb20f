"""Goofspiel, or the game of pure strategy: bid a card for each prize, see who won but not with what (Ross 1971)."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Row
from ruse.protocol.scene import Event, Scene, Zone, held
from ruse.protocol.state import State

DESCENDING, ASCENDING, RANDOM = 0, 1, 2  # points_order: how the prizes are turned up
WIN_LOSS, POINT_DIFFERENCE, TOTAL_POINTS = 0, 1, 2  # returns: what the points are worth
# Columns. WHO is what player() answers; LEFT has a bit for each prize not yet turned up. PRIZES and WINS are sequences
# of hexadecimal digits: card + 1, and winner + 1 or 0 for a tie. For each player follow a mask of the cards in hand,
# the bids (card + 1, hexadecimal digits again) and the points, each as one block.
WHO, ROUND, LEFT, PRIZES, WINS, HANDS = range(6)
UNKNOWN = -2
WORDS = {
    "points_order": ("descending", "ascending", "random"),
    "returns": ("win_loss", "point_difference", "total_points"),
}  # of fields whose numbers have names


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Goofspiel(NamedTuple):
    """Cards 1 to n in every hand and as prizes. The highest bid takes the prize, a tie discards it."""

    cards: int = 4
    players: int = 2
    points_order: int = DESCENDING
    returns: int = WIN_LOSS

    @property
    def payoff_sum(self) -> int:
        if self.returns == TOTAL_POINTS:
            raise AttributeError("total points have no fixed sum: ties discard prizes")
        return 0

    def start(self) -> Row:
        if not 2 <= self.cards <= 15:
            raise ValueError(f"cards must be 2 to 15 in Goofspiel, got {self.cards}")
        if not 2 <= self.players <= 10:
            raise ValueError(f"players must be 2 to 10 in Goofspiel, got {self.players}")
        for field, words in WORDS.items():
            if getattr(self, field) not in range(len(words)):
                allowed = ", ".join(f"{n} ({word})" for n, word in enumerate(words))
                raise ValueError(f"{field} must be one of {allowed} in Goofspiel, got {getattr(self, field)!r}")
        deck = (1 << self.cards) - 1
        s = np.array([CHANCE, 0, deck, 0, 0] + [deck] * self.players + [0] * 2 * self.players, np.int64)
        if self.points_order != RANDOM:
            turn_up(self, s, 0)
        return s

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        return self.cards - s[ROUND]

    def chance(self, s, a):
        return 1.0 / (self.cards - s[ROUND])

    def apply(self, s, a):
        if s[WHO] == CHANCE:
            turn_up(self, s, a)
            return
        place_bid(self, s, s[WHO], a)
        s[WHO] += 1
        if s[WHO] < self.players:
            return
        award_prize(self, s)
        if s[ROUND] == self.cards - 1:  # no choice is left, so the last round plays itself
            turn_up(self, s, 0)
            for p in range(self.players):
                place_bid(self, s, p, 0)
            award_prize(self, s)
            s[WHO] = OVER
        elif self.points_order == RANDOM:
            s[WHO] = CHANCE
        else:
            turn_up(self, s, 0)

    def infoset(self, s):
        bids, width = s[HANDS + self.players + s[WHO]], 4 * (self.cards - 1)
        if self.points_order != RANDOM:  # the prizes are known from the start
            return bids << width | s[WINS] if 2 * width <= 63 else mix(s[WINS], bids)
        if 3 * width <= 63:
            return (bids << width | s[WINS]) << width | s[PRIZES]
        return mix(mix(s[PRIZES], s[WINS]), bids)

    def payoff(self, s, player):
        points = HANDS + 2 * self.players
        mine, total, best, winners = s[points + player], 0, -1, 0
        for p in range(self.players):
            total += s[points + p]
            if s[points + p] > best:
                best, winners = s[points + p], 0
            winners += s[points + p] == best
        if self.returns == TOTAL_POINTS:
            return float(mine)
        if self.returns == POINT_DIFFERENCE:
            return mine - total / self.players
        if winners == self.players:
            return 0.0
        return 1.0 / winners if mine == best else -1.0 / (self.players - winners)

    def action_name(self, s, a):
        return str(nth_card(s[LEFT] if s[WHO] == CHANCE else s[HANDS + s[WHO]], a) + 1)

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        """Own hand, points and rounds; in words each round as prize:bid and its result: 4:2 lost, 3:4 won, 2."""
        s, players = state.row, self.players
        rounds = self.rounds(s)
        hands = held("hand", [names_in(hand) for hand in s[HANDS : HANDS + players].tolist()], viewer)
        return Scene(
            viewer, state.player, ", ".join(one.told_to(viewer) for one in rounds),
            zones=(*hands, Zone("prizes", shown=tuple(names_in(int(s[LEFT]))))),
            numbers={"points": tuple(s[HANDS + 2 * players :].tolist())},
            events=tuple(event for one in rounds for event in one.events(viewer)),
        )  # fmt: skip

    def rounds(self, s: Row) -> list["Bidding"]:
        """All that was turned up and bid, the round that is open too."""
        prizes, wins = digits(s[PRIZES]), digits(s[WINS], s[ROUND])
        bids = [digits(bid) for bid in s[HANDS + self.players : HANDS + 2 * self.players]]
        return [
            Bidding(prize, tuple(bid[k] if k < len(bid) else UNKNOWN for bid in bids),
                  wins[k] - 1 if k < len(wins) else UNKNOWN)
            for k, prize in enumerate(prizes)
        ]  # fmt: skip


class Bidding(NamedTuple):
    """A prize, and what was bid for it."""

    prize: int
    bids: tuple[int, ...]  # UNKNOWN: not yet
    winner: int  # -1: tied; UNKNOWN: not yet

    def told_to(self, viewer: int) -> str:
        bids = self.bids if viewer == EVERYTHING else self.bids[viewer : viewer + 1]
        shown = "-".join("?" if bid == UNKNOWN else str(bid) for bid in bids) if max(bids) > UNKNOWN else ""
        told = f"{self.prize}:{shown}" if shown else str(self.prize)
        return told if self.winner == UNKNOWN else f"{told} {self.result(viewer)}"

    def result(self, viewer: int) -> str:
        """How it ended for this viewer; with more than two players a loser also sees who won."""
        if self.winner < 0:
            return "tied"
        if viewer == EVERYTHING or (len(self.bids) > 2 and self.winner != viewer):
            return f"won by {self.winner}"
        return "won" if self.winner == viewer else "lost"

    def events(self, viewer: int) -> list[Event]:
        seen = [(p, str(bid) if viewer in (p, EVERYTHING) else "a card") for p, bid in enumerate(self.bids) if bid > 0]
        found = [Event(CHANCE, f"prize {self.prize}"), *(Event(p, f"bid {what}") for p, what in seen)]
        if self.winner == UNKNOWN:
            return found
        return [*found, Event(CHANCE, "tied") if self.winner < 0 else Event(self.winner, "won")]


@compiled_function
def nth_card(cards, n):
    """The n-th card, counted from 0, of a mask."""
    card = 0
    while True:
        if cards >> card & 1:
            if n == 0:
                return card
            n -= 1
        card += 1


@compiled_function
def turn_up(game, s, a):
    """Show the next prize: in random order the a-th that is left, else the highest or lowest."""
    if game.points_order == DESCENDING:
        a = game.cards - s[ROUND] - 1
    card = nth_card(s[LEFT], a)
    s[LEFT] ^= 1 << card
    s[PRIZES] = s[PRIZES] * 16 + card + 1
    s[WHO] = 0


@compiled_function
def place_bid(game, s, player, a):
    """Move the a-th card of the hand to the end of the player's bids."""
    card = nth_card(s[HANDS + player], a)
    s[HANDS + player] ^= 1 << card
    s[HANDS + game.players + player] = s[HANDS + game.players + player] * 16 + card + 1


@compiled_function
def award_prize(game, s):
    """Give the last prize to the highest of the last bids, if it is the only one."""
    best, winner = 0, 0
    for p in range(game.players):
        bid = s[HANDS + game.players + p] & 15
        if bid == best:
            winner = 0
        elif bid > best:
            best, winner = bid, p + 1
    if winner > 0:
        s[HANDS + 2 * game.players + winner - 1] += s[PRIZES] & 15
    s[WINS] = s[WINS] * 16 + winner
    s[ROUND] += 1


def names_in(cards: int) -> list[str]:
    """The cards of a mask, low to high."""
    return [str(card + 1) for card in range(cards.bit_length()) if cards >> card & 1]


def digits(sequence: int, length: int | None = None) -> list[int]:
    """The hexadecimal digits of a sequence, first to last; its length must be given if they may be zero."""
    text = f"{int(sequence):x}" if length is None else f"{int(sequence):0{length}x}"
    return [int(d, 16) for d in text] if int(sequence) or length else []
