"""Rhode Island Hold'em: one private card, two on the board, three rounds of betting (Shi and Littman 2001)."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.games.cards import card_name, draw
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.protocol.scene import Event, Scene, Zone, held
from ruse.protocol.state import State

FOLD, CALL, RAISE = 0, 1, 2
MOVES = ("fold", "call", "raise")
ROUNDS = 3
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH = range(6)
# Columns. HISTORY has two bits for each move, FOLDED is who did, -1 before; two cards of the players and two of the
# board follow, then what both have paid.
ROUND, DEALT, TURN, RAISES, CHECKED, FOLDED, DONE, HISTORY, CARDS, STAKES = 0, 1, 2, 3, 4, 5, 6, 7, 8, 12

NAMED = {"royal": {"ranks": 5}, "small": {"ranks": 3, "suits": 2}}  # several fields at once


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class RhodeIsland(NamedTuple):
    """A card of the board before the second and the third round. The best three cards win; three raises a round."""

    ranks: int = 13
    suits: int = 4
    ante: int = 5
    first_raise: int = 10
    later_raise: int = 20
    max_raises: int = 3  # in each round, by both together

    # Together, because type checkers would take one alone for a field without a default.
    players, payoff_sum, NAMED = 2, 0, NAMED

    def start(self) -> Row:
        for name, least, most in (("ranks", 1, 13), ("suits", 1, 4), ("max_raises", 1, 6)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name} must be {least} to {most} in Rhode Island Hold'em, got {getattr(self, name)}")
        if self.ranks * self.suits < 4:
            raise ValueError(f"{self.ranks * self.suits} cards are too few for Rhode Island Hold'em, which deals 4")
        for name in ("ante", "first_raise", "later_raise"):
            if not 0 < getattr(self, name) <= 1_000_000:
                raise ValueError(f"{name} must be 1 to 1,000,000, got {getattr(self, name)}")
        return np.array([0, 0, 0, 0, 0, -1, 0, 1] + [-1] * 4 + [self.ante] * 2, np.int64)

    def player(self, s):
        if s[DONE]:
            return OVER
        return CHANCE if s[DEALT] < 2 + s[ROUND] else s[TURN]

    def num_actions(self, s):
        if s[DEALT] < 2 + s[ROUND]:
            return self.ranks * self.suits - s[DEALT]
        return 1 + (s[RAISES] > 0) + (s[RAISES] < self.max_raises)

    def chance(self, s, a):
        return 1.0 / (self.ranks * self.suits - s[DEALT])

    def apply(self, s, a):
        if s[DEALT] < 2 + s[ROUND]:
            s[CARDS + s[DEALT]] = draw(s, CARDS, s[DEALT], a)
            s[DEALT] += 1
            return
        me = s[TURN]
        move = a if s[RAISES] > 0 else a + 1  # nobody folds before the first raise
        s[HISTORY] = s[HISTORY] * 4 + move + 1
        s[TURN] = 1 - me
        if move == FOLD:
            s[FOLDED], s[DONE] = me, 1
            return
        is_answer = s[RAISES] > 0 or s[CHECKED] > 0
        s[STAKES + me] = s[STAKES + 1 - me]
        if move == RAISE:
            s[STAKES + me] += self.later_raise if s[ROUND] else self.first_raise
            s[RAISES] += 1
        elif is_answer:
            s[DONE] = s[ROUND] == ROUNDS - 1
            s[ROUND] += 1 - s[DONE]
            s[TURN], s[RAISES], s[CHECKED] = 0, 0, 0
        else:
            s[CHECKED] = 1

    def infoset(self, s):
        deck = self.ranks * self.suits + 1
        key = s[HISTORY] * deck + s[CARDS + s[TURN]]
        return (key * deck + s[CARDS + 2] + 1) * deck + s[CARDS + 3] + 1

    def payoff(self, s, player):
        other = 1 - player
        if s[FOLDED] >= 0:
            return float(s[STAKES + other]) if s[FOLDED] == other else -float(s[STAKES + player])
        mine, theirs = hand_strength(self, s, player), hand_strength(self, s, other)
        if mine == theirs:
            return 0.0
        return float(s[STAKES + other]) if mine > theirs else -float(s[STAKES + player])

    def action_name(self, s, a):
        if s[DEALT] < 2 + s[ROUND]:
            return card_name(draw(s, CARDS, s[DEALT], a), self.ranks, self.suits)
        return MOVES[a if s[RAISES] > 0 else a + 1]

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words  # type: ignore[arg-type]

    def scene(self, state: State, viewer: int) -> Scene:
        """Own card, the board, stakes and moves; in words: Ks, board Qh 2c, raise call / call raise call."""
        s = state.row
        names = [card_name(int(c), self.ranks, self.suits) for c in s[CARDS : CARDS + s[DEALT]]]
        cards = held("card", [names[p : p + 1] for p in range(2)], viewer)
        board, rounds = names[2:], self.rounds(s)
        stakes = tuple(s[STAKES : STAKES + 2].tolist())
        shown = " ".join(card for zone in cards for card in zone.shown)
        moves = " / ".join(" ".join(move.what for move in one) for one in rounds if one)
        told = [shown, f"board {' '.join(board)}" if board else "no board", moves]
        events = list(rounds[0])
        for card, later in zip(board, rounds[1:], strict=False):
            events += [Event(CHANCE, f"board {card}"), *later]
        return Scene(
            viewer, state.player, ", ".join(filter(None, told)), zones=(*cards, Zone("board", shown=tuple(board))),
            numbers={"stakes": stakes, "pot": (sum(stakes),)}, events=tuple(events),
        )  # fmt: skip

    def rounds(self, s: Row) -> list[list[Event]]:
        """The moves before the board, after its first card, and after its second."""
        found: list[list[Event]] = [[], [], []]
        now = self.start()
        for digit in map(int, np.base_repr(int(s[HISTORY]), 4)[1:]):
            now[DEALT] = 2 + now[ROUND]
            found[now[ROUND]].append(Event(int(now[TURN]), MOVES[digit - 1]))
            self.apply(now, digit - 1 if now[RAISES] > 0 else digit - 2)
        return found


@compiled_function
def hand_strength(game, s, player):
    """A number that orders three cards: by their kind, then by their ranks. The ace of a whole deck is also low."""
    a, b, c = s[CARDS + player], s[CARDS + 2], s[CARDS + 3]
    x, y, z = a // game.suits, b // game.suits, c // game.suits
    high, low = max(x, y, z), min(x, y, z)
    middle = x + y + z - high - low
    is_flush = a % game.suits == b % game.suits and a % game.suits == c % game.suits
    is_wheel = game.ranks == 13 and high == 12 and middle == 1 and low == 0
    if (high == middle + 1 and middle == low + 1) or is_wheel:
        top = middle if is_wheel else high
        return (STRAIGHT_FLUSH if is_flush else STRAIGHT) * 4096 + top * 256
    if high == low:
        return THREE * 4096 + high * 256
    if high == middle or middle == low:
        kicker = low if high == middle else high
        return PAIR * 4096 + middle * 256 + kicker
    return (FLUSH if is_flush else HIGH_CARD) * 4096 + high * 256 + middle * 16 + low
