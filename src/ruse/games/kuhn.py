"""Kuhn poker: one card each, one bet (Kuhn 1950). With n players there are n+1 cards."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.games.cards import draw, rank_name
from ruse.protocol.game import CHANCE, OVER, Game, Row
from ruse.protocol.scene import Event, Scene, held
from ruse.protocol.state import State

PASS, BET = 0, 1
DEALT, MOVES, BETTOR, BETS, CARDS = 0, 1, 2, 3, 4  # columns; BETS has a bit for each move; one card a player follows


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Kuhn(NamedTuple):
    """Everyone antes and gets a card; one player may bet, the others then call or fold; the high card wins."""

    players: int = 2
    ante: int = 1
    bet: int = 1

    # Together, because type checkers would take one alone for a field without a default.
    payoff_sum, style = 0, __name__

    def start(self) -> Row:
        if not 2 <= self.players <= 10:
            raise ValueError(f"players must be 2 to 10 in Kuhn poker, got {self.players}")
        s = np.zeros(CARDS + self.players, np.int64)
        s[BETTOR] = -1
        return s

    def player(self, s):
        if s[DEALT] < self.players:
            return CHANCE
        moves = self.players if s[BETTOR] < 0 else s[BETTOR] + self.players  # all passed, or all answered the bet
        return s[MOVES] % self.players if s[MOVES] < moves else OVER

    def num_actions(self, s):
        return self.players + 1 - s[DEALT] if s[DEALT] < self.players else 2

    def chance(self, s, a):
        return 1.0 / (self.players + 1 - s[DEALT])

    def apply(self, s, a):
        if s[DEALT] < self.players:
            s[CARDS + s[DEALT]] = draw(s, CARDS, s[DEALT], a)
            s[DEALT] += 1
            return
        if a == BET:
            s[BETS] |= 1 << s[MOVES]
            if s[BETTOR] < 0:
                s[BETTOR] = s[MOVES]
        s[MOVES] += 1

    def infoset(self, s):
        history = (1 << s[MOVES]) | s[BETS]  # the leading one tells how long it is
        return history * (self.players + 1) + s[CARDS + s[MOVES] % self.players]

    def payoff(self, s, player):
        pot, best, winner = 0, -1, -1
        for p in range(self.players):
            stake = self.ante + self.bet * has_bet(s, p, self.players)
            pot += stake
            # After a bet, only those who matched it see the showdown.
            if (s[BETTOR] < 0 or has_bet(s, p, self.players)) and s[CARDS + p] > best:
                best, winner = s[CARDS + p], p
        share = pot if winner == player else 0
        return float(share - self.ante - self.bet * has_bet(s, player, self.players))

    def action_name(self, s, a):
        if s[DEALT] < self.players:
            return rank_name(draw(s, CARDS, s[DEALT], a), self.players + 1)
        return ("pass", "bet")[a]

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        """Own card, stakes and moves; in words: K, pass bet."""
        s, players = state.row, self.players
        names = [rank_name(c, players + 1) for c in s[CARDS : CARDS + s[DEALT]]]
        hands = [names[p : p + 1] for p in range(players)]
        calling = [p for p in range(players) if s[BETTOR] < 0 or has_bet(s, p, players)]
        shown_down = calling if state.player == OVER and len(calling) > 1 else []
        moves = [Event(m % players, ("pass", "bet")[s[BETS] >> m & 1]) for m in range(s[MOVES])]
        stakes = tuple(self.ante + self.bet * int(has_bet(s, p, players)) for p in range(players))
        own = [card for zone in held("card", hands, viewer) for card in zone.shown]
        told = [" ".join(own), " ".join(move.what for move in moves)]
        return Scene(
            viewer, state.player, ", ".join(filter(None, told)), zones=held("card", hands, viewer, open_of=shown_down),
            numbers={"stakes": stakes, "pot": (sum(stakes),)}, events=tuple(moves),
        )  # fmt: skip


@compiled_function
def has_bet(s, player, players):
    """Whether the player has put the bet in, first or as a call: at his first or second move."""
    return (s[BETS] >> player | s[BETS] >> (player + players)) & 1


# ---- style -----------------------------------------------------------------------------------------------------------

# Words for what a pass or a bet is at the moment.
KINDS = {
    "open": lambda game, s, a: a == BET and s[BETTOR] < 0,
    "check": lambda game, s, a: a == PASS and s[BETTOR] < 0,
    "call": lambda game, s, a: a == BET and s[BETTOR] >= 0,
    "fold": lambda game, s, a: a == PASS and s[BETTOR] >= 0,
}


def metrics(game: Game) -> list[str]:
    """Opening, calling and folding, by card and by seat."""
    cards = [f", with {rank_name(card, game.players + 1)}" for card in range(game.players + 1)]
    return [f"{word}, player {p}{card}" for p in range(game.players) for word in ("open", "call", "fold")
            for card in (*cards, "")]  # fmt: skip
