"""Leduc poker: one private card, one on the board, two rounds of betting (Southey et al. 2005)."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.games.cards import card_name, draw, rank_name
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.protocol.scene import Event, Scene, Zone, held
from ruse.protocol.state import State

FOLD, CALL, RAISE = 0, 1, 2
# Columns. HISTORY has two bits for each move, FOLDED one for each player; a card and a stake for each player, and
# the board between them, follow.
ROUND, DEALT, TURN, RAISES, ANSWERS, FOLDED, OVERALL, HISTORY, CARDS = range(9)

NAMED = {"big": {"ranks": 12, "max_raises": 6}}  # several fields at once


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Leduc(NamedTuple):
    """A pair with the board wins, then the higher card. Two raises a round; they cost 2 before the board, 4 after."""

    players: int = 2
    ranks: int = 0  # 0: one more than there are players
    suits: int = 2
    ante: int = 1
    first_raise: int = 2
    second_raise: int = 4
    max_raises: int = 2

    # Together, because type checkers would take one alone for a field without a default.
    payoff_sum, style, NAMED = 0, __name__, NAMED

    def start(self) -> Row:
        cards = num_ranks(self) * self.suits
        longest = 2 * (self.players + self.max_raises * (self.players - 1))
        if self.players < 2 or self.suits < 1 or cards <= self.players:
            raise ValueError(f"{cards} cards are too few for {self.players} players and a board in Leduc poker")
        if longest > 26 or cards > 45:
            raise ValueError(
                f"{self.players} players, {self.max_raises} raises and {cards} cards are too many for Leduc"
            )
        return np.array([0, 0, 0, 0, 0, 0, 0, 1] + [-1] * (self.players + 1) + [self.ante] * self.players, np.int64)

    def player(self, s):
        if s[OVERALL]:
            return OVER
        return CHANCE if s[DEALT] < self.players + s[ROUND] else s[TURN]

    def num_actions(self, s):
        if s[DEALT] < self.players + s[ROUND]:
            return num_ranks(self) * self.suits - s[DEALT]
        return 1 + (s[RAISES] > 0) + (s[RAISES] < self.max_raises)

    def chance(self, s, a):
        return 1.0 / (num_ranks(self) * self.suits - s[DEALT])

    def apply(self, s, a):
        if s[DEALT] < self.players + s[ROUND]:
            s[CARDS + s[DEALT]] = draw(s, CARDS, s[DEALT], a)
            s[DEALT] += 1
            return
        move = a if s[RAISES] > 0 else a + 1  # nobody folds before the first raise
        s[HISTORY] = s[HISTORY] * 4 + move + 1
        stakes = CARDS + self.players + 1
        if move == FOLD:
            s[FOLDED] |= 1 << s[TURN]
        else:
            highest = 0
            for p in range(self.players):
                highest = max(highest, s[stakes + p])
            s[stakes + s[TURN]] = highest
            s[ANSWERS] += 1
            if move == RAISE:
                s[stakes + s[TURN]] += self.second_raise if s[ROUND] else self.first_raise
                s[RAISES] += 1
                s[ANSWERS] = 1
        left = still_in(s, self.players)
        if left == 1 or s[ANSWERS] == left:  # all others folded, or all have matched the stakes: the round is done
            if left == 1 or s[ROUND] == 1:
                s[OVERALL] = 1
                return
            s[ROUND], s[RAISES], s[ANSWERS], s[TURN] = 1, 0, 0, self.players - 1
        s[TURN] = next_in(s, self.players)

    def infoset(self, s):
        deck = num_ranks(self) * self.suits
        return (s[HISTORY] * (deck + 1) + s[CARDS + self.players] + 1) * deck + s[CARDS + s[TURN]]

    def payoff(self, s, player):
        stakes = CARDS + self.players + 1
        if s[FOLDED] >> player & 1:
            return -float(s[stakes + player])
        contested = still_in(s, self.players) > 1
        mine = hand_strength(self, s, player) if contested else 0
        pot, winners = 0, 1
        for p in range(self.players):
            pot += s[stakes + p]
            if contested and p != player and not s[FOLDED] >> p & 1:
                strength = hand_strength(self, s, p)
                if strength > mine:
                    return -float(s[stakes + player])
                winners += strength == mine
        return pot / winners - s[stakes + player]

    def action_name(self, s, a):
        if s[DEALT] < self.players + s[ROUND]:
            return card_name(draw(s, CARDS, s[DEALT], a), num_ranks(self), self.suits)
        return ("fold", "call", "raise")[a if s[RAISES] > 0 else a + 1]

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        """Own card, the board, stakes and moves; in words: Ks, board Qh, raise call / call raise fold."""
        s, players = state.row, self.players
        names = [card_name(c, num_ranks(self), self.suits) for c in s[CARDS : CARDS + s[DEALT]]]
        hands = [names[:players][p : p + 1] for p in range(players)]
        is_showdown = state.player == OVER and still_in(s, players) > 1
        cards = held(
            "card", hands, viewer, open_of=[p for p in range(players) if is_showdown and not s[FOLDED] >> p & 1]
        )
        board, rounds = names[players:], self.rounds(s)
        stakes = tuple(s[CARDS + players + 1 :].tolist())
        shown = " ".join(card for zone in held("card", hands, viewer) for card in zone.shown)
        moves = " / ".join(" ".join(move.what for move in one) for one in rounds if one)
        told = [shown, f"board {board[0]}" if board else "no board", moves]
        turned_up = [Event(CHANCE, f"board {card}") for card in board]
        return Scene(
            viewer, state.player, ", ".join(filter(None, told)), zones=(*cards, Zone("board", shown=tuple(board))),
            numbers={"stakes": stakes, "pot": (sum(stakes),)}, events=(*rounds[0], *turned_up, *rounds[1]),
        )  # fmt: skip

    def rounds(self, s: Row) -> tuple[list[Event], list[Event]]:
        """The moves before the board and after it."""
        found: tuple[list[Event], list[Event]] = ([], [])
        now = self.start()
        for digit in map(int, np.base_repr(int(s[HISTORY]), 4)[1:]):
            now[DEALT] = self.players + now[ROUND]
            found[now[ROUND]].append(Event(int(now[TURN]), ("fold", "call", "raise")[digit - 1]))
            self.apply(now, digit - 1 if now[RAISES] > 0 else digit - 2)
        return found


@compiled_function
def num_ranks(game):
    return game.ranks if game.ranks > 0 else game.players + 1


@compiled_function
def still_in(s, players):
    """How many players have not folded."""
    left = 0
    for p in range(players):
        left += 1 - (s[FOLDED] >> p & 1)
    return left


@compiled_function
def next_in(s, players):
    """Who of those still in acts after the player in turn."""
    turn = s[TURN]
    while True:
        turn = turn + 1 if turn + 1 < players else 0
        if not s[FOLDED] >> turn & 1:
            return turn


@compiled_function
def hand_strength(game, s, player):
    """A number that orders hands: a pair with the board first, then the rank. No board before the second round."""
    rank, board = s[CARDS + player] // game.suits, s[CARDS + game.players]
    paired = board >= 0 and rank == board // game.suits
    return rank + num_ranks(game) * paired


@compiled("spares")
class LastRound(NamedTuple):
    """Where threshold pruning spares everything: after the board was dealt."""

    nothing: int = 0

    def spares(self, game, s):
        return s[ROUND] == 1


# ---- style -----------------------------------------------------------------------------------------------------------

# Words for what a call or a raise is at the moment: it may cost nothing, or be the first.
KINDS = {
    "bet": lambda game, s, a: a == 1 and s[RAISES] == 0,
    "check": lambda game, s, a: a == 0 and s[RAISES] == 0,
    "pay": lambda game, s, a: a == 1 and s[RAISES] > 0,
}


def metrics(game: Leduc) -> list[str]:
    """Raising and calling at the first decision by card, folding by card, and all of it by seat."""
    cards = [f"with {rank_name(card, num_ranks(game))}" for card in range(num_ranks(game))]
    found = []
    for p in range(game.players):
        found += [f"{word}, player {p}, {card}, first" for word in ("raise", "call") for card in cards]
        found += [f"fold, player {p}, {card}" for card in cards]
        found += [f"{word}, player {p}" for word in ("raise", "call", "fold", "check", "pay")]
    return found
