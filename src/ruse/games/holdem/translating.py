"""A strategy at a table with other bets than its own: what it is shown is taken for a bet of its own menu.

A bet between two sizes of the menu is taken for one of them, by the pseudo-harmonic mapping (Ganzfried and Sandholm
2013): of shares of the pot A < x < B, x is taken for A with probability (B - x)(1 + A) / ((B - A)(1 + x)). What is
below the least size or above the largest is taken for that. Own bets are the same share of the pot that is there.

Which of two a bet is taken for depends on a hash of the line and the own cards: it is the same whenever the hand is
played again, and nobody else can tell. Where the line of the menu has all chips in and the hand goes on, it checks and
calls.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.hashing import MASK, mix
from ruse.games.holdem.betting.menus import nth_raise, offer, raises_in
from ruse.games.holdem.betting.paying import most_to, pot_of, to_call
from ruse.games.holdem.fields import MENUS
from ruse.games.holdem.row import (
    BOARD,
    BOARD_CARDS,
    CARD,
    DEALT,
    HANDS,
    HIGH,
    LEVEL,
    MOST,
    PAST,
    WHO,
    board_size,
    street_of,
)
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.observation import (
    ACTING,
    CALL,
    FLOP,
    FOLDS,
    LEGAL,
    MOST_SHOWN,
    OWN,
    POT,
    SEEN_BETS,
    SEEN_BOARD,
    SEEN_IN,
    SEEN_LEFT,
    SEEN_STREET,
)
from ruse.games.holdem.turn import begin_street
from ruse.protocol.game import CHANCE, Game, Row
from ruse.protocol.view import infoset_key

BEGUN, CHOSEN, BEFORE = range(3)  # in the memory: whether a hand has begun, its own last action, the last look


def differ_in_bets(home: Game, game: Game) -> bool:
    """Whether two games are the same but for the bets on their menus."""
    if not isinstance(home, Holdem) or not isinstance(game, Holdem):
        return False
    free = {name: getattr(game, name) for name in (*MENUS, "all_in_from")}
    return home != game and home._replace(**free) == game


# ---- sizes -----------------------------------------------------------------------------------------------------------


def pot_share(to: float, highest: float, pot: float, call: float) -> float:
    """What is bet beyond a call, as a share of the pot with the call in it."""
    return (to - highest) / (pot + call)


def raise_shares(game: Holdem, s: Row) -> list[float]:
    """The raises that the player to act may choose from, as shares of the pot."""
    pot, call, highest = pot_of(game, s), to_call(game, s, s[WHO]), s[HIGH] - s[LEVEL]
    return [pot_share(nth_raise(game, s, k), highest, pot, call) for k in range(raises_in(game, s))]


def taken_for(share: float, shares: Sequence[float]) -> dict[int, float]:
    """Which of some shares a share is taken for, and how often.

    >>> taken_for(0.5, [0.5, 1.0]), taken_for(0.1, [0.5, 1.0]), taken_for(9.0, [1.0, 0.5])
    ({0: 1.0}, {0: 1.0}, {0: 1.0})
    >>> {k: round(p, 3) for k, p in taken_for(0.75, [0.5, 1.0, 4.0]).items()}
    {0: 0.429, 1: 0.571}
    """
    order = sorted(range(len(shares)), key=lambda k: shares[k])
    above = next((n for n, k in enumerate(order) if shares[k] >= share), len(order) - 1)
    low, high = order[max(above - 1, 0)], order[above]
    a, b = shares[low], shares[high]
    if not a < share < b:
        return {high: 1.0}
    lower = (b - share) * (1.0 + a) / ((b - a) * (1.0 + share))
    return {low: lower, high: 1.0 - lower}


# ---- at the table ----------------------------------------------------------------------------------------------------


class Spent(NamedTuple):
    """What a player has done, as all can see it."""

    player: int
    folds: bool
    share: float | None  # of a raise; None for a check or a call
    is_all_in: bool

    @classmethod
    def between(cls, before: np.ndarray, after: np.ndarray) -> "Spent":
        """What who was to act has done between two looks."""
        p = int(before[ACTING])
        bets = before[SEEN_BETS : SEEN_BETS + MOST]
        highest, paid = int(bets.max()), int(before[SEEN_LEFT + p] - after[SEEN_LEFT + p])
        call = highest - int(bets[p])
        share = pot_share(int(bets[p]) + paid, highest, int(before[POT]), call) if paid > max(call, 0) else None
        return cls(p, after[SEEN_IN + p] < before[SEEN_IN + p], share, after[SEEN_LEFT + p] == 0)


class Translating:
    """Plays a strategy for `home` in a game that differs from it by its bets; `plays` goes by keys of home's infosets.

    It remembers the hand as it would have gone by home's menu.
    """

    name = "translated strategy"

    def __init__(self, home: Holdem, plays: Any) -> None:
        self.home, self.plays = home, plays

    def __deepcopy__(self, memo: Any) -> "Translating":
        return self  # all that it remembers is in the memory that it is given

    def memory_size(self, game: Any) -> int:
        return BEFORE + int(game.observation_size()) + len(self.home.start())

    def watch(self, game: Any, seen: np.ndarray, me: int, memory: np.ndarray) -> None:
        before, s = memory[BEFORE : BEFORE + len(seen)], memory[BEFORE + len(seen) :]
        if memory[BEGUN]:
            self.follow(s, Spent.between(before, seen), int(before[SEEN_STREET]), me, memory)
            self.deal(s, seen)
        elif seen[OWN] >= 0:
            memory[BEGUN] = 1
            self.begin(s, seen, me)
        before[:] = seen

    def decide(self, game: Any, seen: np.ndarray, me: int, memory: np.ndarray, count: int, u: float) -> int:
        s, stays = memory[BEFORE + len(seen) :], 1 if seen[LEGAL] == FOLDS else 0
        if not self.is_at(s, me, int(seen[SEEN_STREET])):
            return stays
        a = int(self.plays.choose(infoset_key(self.home, self.plays.sees, s), int(self.home.num_actions(s)), u))
        return self.carried_out(a, seen, memory, count)

    def carried_out(self, a: int, seen: np.ndarray, memory: np.ndarray, count: int) -> int:
        """The action of the table that is the a-th of the menu, of which it takes note."""
        s, stays = memory[BEFORE + len(seen) :], 1 if seen[LEGAL] == FOLDS else 0
        memory[CHOSEN] = a + 1
        first = self.first_raise(s)
        if a < first:
            return a if a < 0 else stays if a == first - 1 else 0
        return self.raised(s, a - first, seen, stays, count)

    # ---- the hand by the menu ----------------------------------------------------------------------------------------

    def begin(self, s: Row, seen: np.ndarray, me: int) -> None:
        """The row when hands are dealt; only the own cards are known."""
        s[:] = self.home.start()
        s[DEALT] = 2 * self.home.players
        s[HANDS + me] = seen[OWN] | seen[OWN + 1] << CARD
        self.begin_street(s)

    def begin_street(self, s: Row) -> None:
        begin_street(self.home, s)
        if s[WHO] >= 0:
            offer(self.home, s)

    def is_at(self, s: Row, player: int, street: int) -> bool:
        """Whether it is this player's turn by the menu, too."""
        return bool(s[WHO] == player and street_of(self.home, s) == street)

    def first_raise(self, s: Row) -> int:
        """The number of the first action that raises."""
        return 2 if to_call(self.home, s, s[WHO]) > 0 else 1

    def follow(self, s: Row, done: Spent, street: int, me: int, memory: np.ndarray) -> None:
        """The same by the menu."""
        chosen, memory[CHOSEN] = int(memory[CHOSEN]) - 1, 0
        if not self.is_at(s, done.player, street):
            return
        first, raises = self.first_raise(s), int(raises_in(self.home, s))
        a = 0 if done.folds else first - 1
        if done.share is not None and raises > 0:
            if done.player != me or chosen < first:
                shares = raise_shares(self.home, s)
                odds = taken_for(max(shares) if done.is_all_in else done.share, shares)
                chosen = first + drawn_among(odds, hashed(int(s[PAST]), int(s[HANDS + me]), done.share))
            a = chosen
        self.home.apply(s, a)

    def deal(self, s: Row, seen: np.ndarray) -> None:
        """The cards that lie on the board by now."""
        lies = int(np.count_nonzero(seen[SEEN_BOARD : SEEN_BOARD + BOARD_CARDS] >= 0))
        while s[WHO] == CHANCE and (size := int(board_size(self.home, s))) < lies:
            for k in range(size, max(size + 1, FLOP)):
                s[BOARD] |= int(seen[SEEN_BOARD + k]) << CARD * k
                s[DEALT] += 1
            self.begin_street(s)

    def raised(self, s: Row, k: int, seen: np.ndarray, stays: int, count: int) -> int:
        """The action that comes nearest to the k-th raise of the menu."""
        raises = count - stays - 1
        if raises < 1:
            return stays
        to, highest = nth_raise(self.home, s, k), int(seen[SEEN_BETS : SEEN_BETS + MOST].max())
        wanted = highest + raise_shares(self.home, s)[k] * int(seen[POT] + seen[CALL])
        if to == most_to(self.home, s):
            wanted = np.inf
        least = int(seen[LEGAL + stays + 1])
        if count > MOST_SHOWN:  # every amount may be bet
            return stays + 1 + int(min(max(wanted - least + 0.5, 0), raises - 1))
        offered = [int(seen[LEGAL + a]) for a in range(stays + 1, count)]
        wanted = min(wanted, max(offered))
        return stays + 1 + min(range(raises), key=lambda n: abs(offered[n] - wanted))


def hashed(past: int, hand: int, share: float) -> float:
    """A number in [0, 1) that only the owner of a hand can tell."""
    return (int(mix(mix(past, hand), round(share * 1e6))) & MASK) / 2.0**64


def drawn_among(odds: dict[int, float], u: float) -> int:
    for k, chance in odds.items():
        u -= chance
        if u < 0.0:
            return k
    return list(odds)[-1]
