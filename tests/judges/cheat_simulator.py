"""Cheat written from its rules alone, with cards as letters in lists. Nothing of ruse.

The fields are those of the game: ranks, copies, deal, players, hp, max_discard, starter, first_rank, undealt,
next_after_challenge, rank_after_challenge, allow_pass, max_turns, hp_out.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from math import comb

NAMES = ["A", *map(str, range(2, 11)), "J", "Q", "K"]


class Table:
    """A game in progress; `acting` is None when it is over."""

    def __init__(self, rules: Mapping[str, int], starter: int, first_rank: int, hands: list[list[int]]) -> None:
        self.rules = rules
        self.players = rules["players"]
        self.hands = [Counter(hand) for hand in hands]
        deck = Counter({rank: rules["copies"] for rank in range(rules["ranks"])})
        for hand in self.hands:
            deck -= hand
        self.pile: Counter[int] = deck if rules["undealt"] == 1 else Counter()
        self.points = [rules["hp"]] * self.players
        self.has_left = [False] * self.players
        self.rank, self.opening_rank = first_rank, first_rank
        self.discarder = starter
        self.laid: Counter[int] | None = None
        self.turns = 0
        self.acting: int | None = starter
        self.payoffs = [0.0] * self.players
        # What each seat has been told, which is all that it may act upon.
        self.told: list[list[object]] = [[("hand", self._sorted(hand)), (first_rank, starter)] for hand in self.hands]
        self._stop_if_too_long()

    @staticmethod
    def _sorted(cards: Counter[int]) -> tuple[int, ...]:
        return tuple(sorted(cards.elements()))

    def _tell(self, *news: object) -> None:
        for told in self.told:
            told.append(news)

    def actions(self) -> list[object]:
        """What the acting player may do: sets of cards, honest ones first, and pass; or to believe and to challenge."""
        if self.laid is not None:
            return ["believe", "challenge"]
        assert self.acting is not None
        hand, ranks = self.hands[self.acting], self.rules["ranks"]
        most = self.rules["max_discard"] or self.rules["copies"]
        order = [(self.rank + k) % ranks for k in range(ranks)]
        sets = []
        for digits in product(*(range(hand[rank] + 1) for rank in reversed(order))):
            if 1 <= sum(digits) <= most:
                pairs = zip(reversed(order), digits, strict=True)
                sets.append(tuple(sorted(rank for rank, n in pairs for _ in range(n))))
        return [*sets, "pass"] if self.rules["allow_pass"] else list(sets)

    def act(self, action: object) -> None:
        """The acting player does one of the `actions`."""
        assert self.acting is not None
        if action == "pass":
            self._tell("pass", self.acting)
            self._next_turn(self._after(self.discarder), advance=True)
        elif action == "believe":
            self._tell("believes", self.acting)
            asked = self._after(self.acting)
            if asked != self.discarder:
                self.acting = asked
            elif not self.hands[self.discarder].total():
                self._won_by(self.discarder)
            else:
                self._next_turn(self._after(self.discarder), advance=True)
        elif action == "challenge":
            self._challenged(self.acting)
        else:
            assert isinstance(action, tuple)
            self.laid = Counter(action)
            self.hands[self.acting] -= self.laid
            self.pile += self.laid
            self._tell("laid", self.acting, len(action), self.rank)
            self.told[self.acting].append(("these", action))
            self.acting = self._after(self.acting)

    def _challenged(self, challenger: int) -> None:
        assert self.laid is not None
        is_lie = any(rank != self.rank for rank in self.laid)
        loser, winner = (self.discarder, challenger) if is_lie else (challenger, self.discarder)
        self._tell("challenged", challenger, self._sorted(self.laid))
        self.hands[loser] += self.pile
        self.told[loser].append(("took", self._sorted(self.pile)))
        self.pile = Counter()
        if self.rules["hp"] > 0:
            self.points[loser] -= 1
        if not self.hands[self.discarder].total():
            self._won_by(self.discarder)
            return
        if self.rules["hp"] > 0 and self.points[loser] == 0:
            self.hands[loser] = Counter()
            self.has_left[loser] = True
            left = [p for p in range(self.players) if not self.has_left[p]]
            if len(left) == 1:
                self._won_by(left[0])
                return
            if self.rules["hp_out"] == 1:
                self.payoffs = [1.0 / (self.players - 1)] * self.players
                self.payoffs[loser] = -1.0
                self.acting = None
                return
        leader = {0: self.discarder, 1: winner, 2: loser}[self.rules["next_after_challenge"]]
        if self.rules["next_after_challenge"] == 0 or self.has_left[leader]:
            leader = self._after(leader)
        if self.rules["rank_after_challenge"] == 2:
            self.rank = max(self.rules["first_rank"], 0)
        self._next_turn(leader, advance=self.rules["rank_after_challenge"] == 0)

    def _next_turn(self, leader: int, *, advance: bool) -> None:
        if advance:
            self.rank = (self.rank + 1) % self.rules["ranks"]
        self.laid, self.discarder, self.acting = None, leader, leader
        self.turns += 1
        self._stop_if_too_long()

    def _stop_if_too_long(self) -> None:
        limit = self.rules["max_turns"]
        if limit == 0 and (self.rules["hp"] < 0 or self.rules["allow_pass"]):
            limit = 10_000
        if limit and self.turns >= limit:
            self.acting = None

    def _after(self, player: int) -> int:
        while True:
            player = (player + 1) % self.players
            if not self.has_left[player]:
                return player

    def _won_by(self, winner: int) -> None:
        self.acting = None
        self.payoffs = [-1.0 / (self.players - 1)] * self.players
        self.payoffs[winner] = 1.0


def deal_sizes(rules: Mapping[str, int], starter: int) -> list[int]:
    """How many cards each seat gets; if all are dealt, what is left over goes to the first from the starter on."""
    if rules["deal"]:
        return [rules["deal"]] * rules["players"]
    each, over = divmod(rules["ranks"] * rules["copies"], rules["players"])
    return [each + ((p - starter) % rules["players"] < over) for p in range(rules["players"])]


def deal_probability(rules: Mapping[str, int], hands: list[list[int]]) -> float:
    """Of these hands, drawn without looking from a shuffled deck."""
    left = Counter({rank: rules["copies"] for rank in range(rules["ranks"])})
    likely = 1.0
    for hand in hands:
        ways = 1
        for rank, n in Counter(hand).items():
            ways *= comb(left[rank], n)
        likely *= ways / comb(left.total(), len(hand))
        left -= Counter(hand)
    return likely
