"""A small game that breaks one law at a time."""

import itertools
from typing import Any, NamedTuple

import numpy as np

import ruse
from ruse.protocol.game import EVERYTHING, OVER

STEP, CARD, HINT, GUESS = range(4)  # columns
(
    NOTHING, PAYOFFS, CHANCES, NEGATIVE, MENU, TELLS, KNOWS, PEEKS, FORGETS, DECLARED, ENDLESS, NAMES, STRANGER, STUCK,
    SILENT, RANDOM, LARGE_KEY, LARGE_PAYOFF, SMALL_ROW, FLAT, FLOATS, LIST, NOBODY, INFINITE, UNKNOWN, WIDE_KEY,
) = range(26)  # fmt: skip
starts = itertools.count()


@ruse.compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Guess(NamedTuple):
    """Player 0 sees one of three cards and gives a hint; player 1 guesses. `fault` is the law that it breaks."""

    fault: int = NOTHING

    players = 2
    payoff_sum = 0

    @property
    def perfect_recall(self) -> bool:
        return self.fault != DECLARED

    def start(self) -> Any:
        s = np.zeros(4, np.int8 if self.fault == SMALL_ROW else np.int64)
        if self.fault == RANDOM:
            s[GUESS] = next(starts)
        faulty = {FLAT: s.reshape(2, 2), FLOATS: s.astype(float), LIST: [0, 0, 0, 0]}
        return faulty.get(self.fault, s)

    def player(self, s):
        if s[STEP] == 2 and self.fault == STRANGER:
            return 7
        if s[STEP] == 2 and self.fault == NOBODY:
            return -9
        if s[STEP] == 3:
            return 0 if self.fault == FORGETS or self.fault == DECLARED else OVER
        return OVER if s[STEP] > 3 else s[STEP] - 1

    def num_actions(self, s):
        if s[STEP] == 2 and self.fault == STUCK:
            return 0
        if s[STEP] == 2 and self.fault == MENU:
            return 2 + (s[CARD] == 2)
        return 2 if s[STEP] % 2 else 3

    def chance(self, s, a):
        if self.fault == NEGATIVE:
            return 1.0 if a else -1.0
        return 0.3 if self.fault == CHANCES else 1.0 / 3.0

    def apply(self, s, a):
        if s[STEP] == 0:
            s[CARD] = a
        elif s[STEP] == 1:
            s[HINT] = 200 + a if self.fault == SMALL_ROW else a
        elif s[STEP] == 2:
            s[GUESS] = a
        if s[STEP] != 1 or self.fault != ENDLESS:
            s[STEP] += 1

    def infoset(self, s):
        if s[STEP] == 1:
            return s[CARD]
        if s[STEP] == 3:
            return 99
        if self.fault == LARGE_KEY:
            return large(s[HINT])
        if self.fault == WIDE_KEY:
            return wide(s[HINT])
        return 10 + s[HINT] + (100 * s[CARD] if self.fault == KNOWS else 0)

    def payoff(self, s, player):
        if self.fault == INFINITE or self.fault == UNKNOWN:
            return (np.inf if self.fault == INFINITE else np.nan) * (1 if player == 1 else -1)
        sign = 1 if player == 1 or self.fault == PAYOFFS else -1
        stake = large(s[GUESS]) if self.fault == LARGE_PAYOFF else 1
        return float(sign * stake * (1 if s[CARD] == s[GUESS] else -1))

    def action_name(self, s, a):
        if s[STEP] % 2:
            return "low" if self.fault == NAMES else ("low", "high")[a]
        return ("one", "two", "three")[a]

    def describe(self, s, viewer):
        card, hint = f"card {s[CARD]}", f"hint {s[HINT]}"
        if viewer == EVERYTHING:
            return "" if self.fault == SILENT else f"{card}, {hint}, guess {s[GUESS]}"
        if viewer == 0:
            return card if s[STEP] == 1 else "what was it?"
        if s[STEP] == 1:
            return card if self.fault == PEEKS else ""
        return f"{hint}, {card}" if self.fault == TELLS else hint


@ruse.compiled_function
def large(x):
    """Too large for 64 bits on the way, but not at the end."""
    y = 1
    for _ in range(50):
        y = y * 7 + int(x)
    return y % 1009


@ruse.compiled_function
def wide(x):
    """Too large for 64 bits, where it loses what tells keys apart."""
    y = int(x)
    for _ in range(5):
        y = y * 65_536
    return y + 5
