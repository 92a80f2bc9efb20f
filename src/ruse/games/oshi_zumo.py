"""Oshi-Zumo, the pushing of the sumo: bid coins to push the wrestler off the other's edge (Buro 2003)."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.protocol.game import EVERYTHING, OVER, Row
from ruse.protocol.scene import Event, Scene
from ruse.protocol.state import State

# Columns. PLACE is where the wrestler stands, 0 and 2 * size + 2 are over the edges; BID is what the first player has
# bid in the open round, -1 before. After the coins of both there is a column for each round, with both bids in it.
WHO, ROUND, PLACE, BID, COINS, BIDS = 0, 1, 2, 3, 4, 6
DIGIT = 64  # the second bid of a round is above this
HELP = """\
Both bid some of their coins in secret, and pay what they bid. The higher bid pushes the wrestler one step: up towards
the edge of player 1, down towards that of player 0. Whose edge the wrestler is pushed over loses; when the coins or the
rounds are used up, it is the one on whose side the wrestler stands."""


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class OshiZumo(NamedTuple):
    """Both bid at once and pay what they bid; the higher bid pushes the wrestler one step towards the other's edge."""

    coins: int = 4
    size: int = 1  # places between the middle and an edge
    horizon: int = 6  # rounds, at most
    min_bid: int = 0
    alesia: bool = False  # a wrestler who is not pushed off the edge is a draw

    # Together, because type checkers would take one alone for a field without a default.
    players, payoff_sum, table = 2, 0, "ruse.games.oshi_zumo"

    def start(self) -> Row:
        for name, least, most in (("coins", 1, 60), ("size", 1, 20), ("horizon", 1, 40), ("min_bid", 0, self.coins)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name} must be {least} to {most} in Oshi-Zumo, got {getattr(self, name)}")
        return np.array([0, 0, self.size + 1, -1, self.coins, self.coins] + [0] * self.horizon, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        coins = s[COINS + s[WHO]]
        return coins - self.min_bid + 1 if coins >= self.min_bid else 1

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        bid = self.min_bid + a if s[COINS + s[WHO]] >= self.min_bid else 0
        if s[WHO] == 0:
            s[BID], s[WHO] = bid, 1
            return
        if s[BID] != bid:
            s[PLACE] += 1 if s[BID] > bid else -1
        s[COINS] -= s[BID]
        s[COINS + 1] -= bid
        s[BIDS + s[ROUND]] = bid * DIGIT + s[BID]
        s[ROUND] += 1
        s[BID], s[WHO] = -1, 0
        is_out = s[PLACE] == 0 or s[PLACE] == 2 * self.size + 2
        if is_out or s[ROUND] == self.horizon or s[COINS] + s[COINS + 1] == 0:
            s[WHO] = OVER

    def infoset(self, s):
        key = s[ROUND]
        for k in range(s[ROUND]):
            key = mix(key, s[BIDS + k])
        return key

    def payoff(self, s, player):
        ahead = s[PLACE] - self.size - 1  # of player 0
        is_out = s[PLACE] == 0 or s[PLACE] == 2 * self.size + 2
        if ahead == 0 or (self.alesia and not is_out):
            return 0.0
        return 1.0 if (ahead > 0) == (player == 0) else -1.0

    def action_name(self, s, a):
        return str(int(self.min_bid + a if s[COINS + s[WHO]] >= self.min_bid else 0))

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words  # type: ignore[arg-type]

    def scene(self, state: State, viewer: int) -> Scene:
        """Bids, coins and where the wrestler stands; in words: 2-1, 0-0; coins 2-3, place +1."""
        s = state.row
        rounds = [(int(x) % DIGIT, int(x) // DIGIT) for x in s[BIDS : BIDS + s[ROUND]]]
        events = [Event(p, f"bid {bid}") for both in rounds for p, bid in enumerate(both)]
        own = int(s[BID])
        open_bid = f"{own}-?" if own >= 0 and viewer in (0, EVERYTHING) else ""
        if own >= 0:
            events.append(Event(0, f"bid {own}" if viewer in (0, EVERYTHING) else "bid"))
        told = [f"{a}-{b}" for a, b in rounds] + [open_bid] * bool(open_bid)
        table = f"coins {s[COINS]}-{s[COINS + 1]}, place {int(s[PLACE]) - self.size - 1:+d}"
        words = f"{', '.join(told)}; {table}" if told else table
        place, coins = (float(s[PLACE] - self.size - 1),), (float(s[COINS]), float(s[COINS + 1]))
        return Scene(viewer, state.player, words, numbers={"coins": coins, "place": place}, events=tuple(events))


# ---- as it is told at the table --------------------------------------------------------------------------------------


def told(game: OshiZumo, before: Row, a: int, after: Row, viewer: int | None) -> list[str]:
    """What the viewer hears of a bid; None: what everybody may hear, which is nothing before both have bid."""
    bid = game.action_name(before, a)
    if before[WHO] == 0:
        return [f"you bid {bid}"] if viewer == 0 else ["player 0 has bid"]
    step = int(after[PLACE] - before[PLACE])
    moved = "the wrestler stays" if step == 0 else f"the wrestler goes {'up' if step > 0 else 'down'}"
    other = [] if viewer == 0 else [f"player 0 has bid {int(before[BID])}"]
    return [f"{'you bid' if viewer == 1 else 'player 1 bids'} {bid}", *other, moved]


def shown(state: State, seat: int) -> list[str]:
    """The coins, and where the wrestler stands."""
    s, size = state.row, state.game.size  # type: ignore[attr-defined]
    ring = " ".join("*" if k == s[PLACE] else "." for k in range(1, 2 * size + 2))
    return [f"coins: you {s[COINS + seat]}, the other {s[COINS + 1 - seat]}", f"player 0 | {ring} | player 1"]
