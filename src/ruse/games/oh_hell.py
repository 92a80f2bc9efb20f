"""Oh Hell, or Nomination Whist: say how many tricks you will take, then follow suit and take just as many."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.games.bits import nth_one, ones_in
from ruse.games.cards import card_name
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Row
from ruse.protocol.scene import Event, Scene, Zone, held
from ruse.protocol.state import State

RANDOM = -1  # dealer
POINT_DIFFERENCE, TOTAL_POINTS = 0, 1
WORDS = {  # for numbers of fields, and what they stand for
    "dealer": {"random": RANDOM},
    "returns": {"point_difference": POINT_DIFFERENCE, "total_points": TOTAL_POINTS},
}
BONUS = 10  # points for taking as many tricks as one has said
# Columns. UNSEEN has a bit for each card that was not dealt; TRUMP is the card turned up, -1 before. For each player
# there are then his bid, -1 before, his tricks, and his hand as bits; and at last the cards played, in order.
WHO, DEALER, DEALT, UNSEEN, TRUMP, LEADER, PLAYED, BIDS = range(8)


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class OhHell(NamedTuple):
    """Bids may not add up to the tricks there are. The highest trump takes a trick, or the highest of the suit led."""

    players: int = 2
    suits: int = 2
    ranks: int = 3
    tricks: int = 2  # as many cards are dealt to each
    dealer: int = RANDOM  # bids and leads last
    points_per_trick: int = 1
    off_bid_penalty: bool = False  # who misses the bid loses points for each trick that it is off
    returns: int = POINT_DIFFERENCE

    # Together, because type checkers would take one alone for a field without a default.
    WORDS, perfect_recall = WORDS, True

    @property
    def payoff_sum(self) -> int:
        if self.returns == TOTAL_POINTS:
            raise AttributeError("total points have no fixed sum: bids may be missed")
        return 0

    def start(self) -> Row:
        for name, least, most in (("players", 2, 7), ("suits", 1, 4), ("ranks", 2, 13), ("points_per_trick", 0, 1000)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name} must be {least} to {most} in Oh Hell, got {getattr(self, name)}")
        most = (self.suits * self.ranks - 1) // self.players
        if not 1 <= self.tricks <= most:
            cards = self.suits * self.ranks
            raise ValueError(f"{cards} cards and {self.players} players have 1 to {most} tricks, got {self.tricks}")
        if not RANDOM <= self.dealer < self.players:
            raise ValueError(f"dealer must be 0 to {self.players - 1}, or -1 (random), got {self.dealer}")
        if self.returns not in (POINT_DIFFERENCE, TOTAL_POINTS):
            raise ValueError(f"returns must be 0 (point_difference) or 1 (total_points), got {self.returns!r}")
        s = [CHANCE, self.dealer, 0, (1 << self.suits * self.ranks) - 1, -1, 0, 0]
        s += [-1] * self.players + [0] * 2 * self.players + [0] * self.players * self.tricks
        return np.array(s, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        if s[WHO] == CHANCE:
            return self.players if s[DEALER] < 0 else self.suits * self.ranks - s[DEALT]
        if s[BIDS + s[WHO]] < 0:
            return self.tricks + 1 - is_barred(self, s, self.tricks)
        return ones_in(playable(self, s))

    def chance(self, s, a):
        return 1.0 / (self.players if s[DEALER] < 0 else self.suits * self.ranks - s[DEALT])

    def apply(self, s, a):
        if s[WHO] == CHANCE:
            if s[DEALER] < 0:
                s[DEALER] = a
            else:
                deal(self, s, nth_one(s[UNSEEN], a))
            return
        me = s[WHO]
        if s[BIDS + me] < 0:
            s[BIDS + me] = a + is_barred(self, s, a)
            s[WHO] = me + 1 if me + 1 < self.players else 0
            return
        hands, plays = BIDS + 2 * self.players, BIDS + 3 * self.players
        card = nth_one(playable(self, s), a)
        s[hands + me] ^= 1 << card
        s[plays + s[PLAYED]] = card
        s[PLAYED] += 1
        s[WHO] = me + 1 if me + 1 < self.players else 0
        if s[PLAYED] % self.players == 0:
            s[LEADER] = s[WHO] = trick_winner(self, s)
            s[BIDS + self.players + s[WHO]] += 1
        if s[PLAYED] == self.players * self.tricks:
            s[WHO] = OVER

    def infoset(self, s):
        key = mix(s[DEALER] * 64 + s[TRUMP], s[BIDS + 2 * self.players + s[WHO]])
        for p in range(self.players):
            key = mix(key, s[BIDS + p])
        for k in range(s[PLAYED]):
            key = mix(key, s[BIDS + 3 * self.players + k])
        return key

    def payoff(self, s, player):
        if self.returns == TOTAL_POINTS:
            return float(points(self, s, player))
        total = 0
        for p in range(self.players):
            total += points(self, s, p)
        return points(self, s, player) - total / self.players

    def action_name(self, s, a):
        if s[WHO] != CHANCE:
            if s[BIDS + s[WHO]] < 0:
                return str(int(a + is_barred(self, s, a)))
            return self.name_of(nth_one(playable(self, s), a))
        return f"player {a} deals" if s[DEALER] < 0 else self.name_of(nth_one(s[UNSEEN], a))

    def name_of(self, card: int) -> str:
        return card_name(int(card), self.ranks, self.suits)

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        """Own hand, the trump, bids and tricks; in words: Ks Qh, trump Js, player 1 deals, bids 1-?, Qs Ks / Qh."""
        s, n = state.row, self.players
        masks = [int(mask) for mask in s[BIDS + 2 * n : BIDS + 3 * n]]
        deck = range(self.suits * self.ranks)
        hands = held("hand", [[self.name_of(c) for c in deck if mask >> c & 1] for mask in masks], viewer)
        if s[TRUMP] < 0 and viewer != EVERYTHING:  # hands are taken up when all are dealt: no card came before another
            hands = tuple(Zone("hand", p, hidden=self.tricks) for p in range(n))
        trump = (self.name_of(s[TRUMP]),) if s[TRUMP] >= 0 else ()
        bids = [int(bid) for bid in s[BIDS : BIDS + n]]
        played = [self.name_of(c) for c in s[BIDS + 3 * n : BIDS + 3 * n + s[PLAYED]]]
        told = [" | ".join(filter(None, (" ".join(zone.shown) for zone in hands)))]
        told += [f"trump {trump[0]}"] if trump else []
        told += [f"player {s[DEALER]} deals"] if s[DEALER] >= 0 else []
        told += [f"bids {'-'.join(str(bid) if bid >= 0 else '?' for bid in bids)}"] if max(bids) >= 0 else []
        told += [" / ".join(" ".join(played[k : k + n]) for k in range(0, len(played), n))]
        return Scene(
            viewer, state.player, ", ".join(filter(None, told)), zones=(*hands, Zone("trump", shown=trump)),
            numbers={"tricks": tuple(s[BIDS + n : BIDS + 2 * n].tolist())}, events=self.events(s),
        )  # fmt: skip

    def events(self, s: Row) -> tuple[Event, ...]:
        """The bids and the cards played, in their order."""
        n, found = self.players, []
        for k in range(n):
            p = (int(s[DEALER]) + 1 + k) % n
            if s[BIDS + p] >= 0:
                found.append(Event(p, f"bid {s[BIDS + p]}"))
        now, who = s.copy(), (int(s[DEALER]) + 1) % n
        for k in range(int(s[PLAYED])):
            found.append(Event(who, self.name_of(s[BIDS + 3 * n + k])))
            who = (who + 1) % n
            if (k + 1) % n == 0:
                now[PLAYED], now[LEADER] = k + 1, who
                who = int(trick_winner(self, now))
        return tuple(found)


@compiled_function
def deal(game, s, card):
    """One card to each player in turn, from player 0 on; after the hands one is turned up, and the bids begin."""
    s[UNSEEN] ^= 1 << card
    if s[DEALT] < game.players * game.tricks:
        s[BIDS + 2 * game.players + s[DEALT] % game.players] |= 1 << card
    else:
        s[TRUMP] = card
        s[LEADER] = s[WHO] = s[DEALER] + 1 if s[DEALER] + 1 < game.players else 0
    s[DEALT] += 1


@compiled_function
def is_barred(game, s, bid):
    """Whether a bid stands at or above the one that the last bidder may not make, so that all could be met."""
    total = 0
    if s[WHO] != s[DEALER]:
        return 0
    for p in range(game.players):
        total += max(0, s[BIDS + p])
    return 1 if 0 <= game.tricks - total <= bid else 0


@compiled_function
def playable(game, s):
    """The cards of the player in turn that he may play: of the suit that was led, or any if he has none."""
    hand = s[BIDS + 2 * game.players + s[WHO]]
    if s[PLAYED] % game.players == 0:
        return hand
    led = s[BIDS + 3 * game.players + s[PLAYED] - s[PLAYED] % game.players] % game.suits
    following = 0
    for rank in range(game.ranks):
        following |= hand & 1 << (rank * game.suits + led)
    return following if following else hand


@compiled_function
def trick_winner(game, s):
    """Who takes the trick that has just been completed; LEADER has led it."""
    first = BIDS + 3 * game.players + s[PLAYED] - game.players
    best = 0
    for k in range(1, game.players):
        card, high = s[first + k], s[first + best]
        is_higher = card % game.suits == high % game.suits and card > high
        is_ruff = card % game.suits == s[TRUMP] % game.suits and high % game.suits != s[TRUMP] % game.suits
        if is_higher or is_ruff:
            best = k
    return (s[LEADER] + best) % game.players


@compiled_function
def points(game, s, player):
    bid, taken = s[BIDS + player], s[BIDS + game.players + player]
    if bid == taken:
        return game.points_per_trick * taken + BONUS
    return -game.points_per_trick * abs(bid - taken) if game.off_bid_penalty else game.points_per_trick * taken
