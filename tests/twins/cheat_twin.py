"""The slow and obvious twin of Cheat, on tuples, and what the tests of Cheat share."""

import itertools
import random
from collections.abc import Iterator
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pytest

from ruse.compile import kernel
from ruse.games.cheat.cards import CLAIM, DISCARDER, HANDS, LAST, PILE, RANK, WHO, count_of, most_actions, width
from ruse.games.cheat.rules import (
    CHALLENGE_LOSER,
    CHALLENGE_WINNER,
    END,
    IN_PILE,
    NO_HP,
    RANDOM,
    RESET,
    STAY,
    UNLIMITED,
    Cheat,
)
from ruse.protocol.state import State

HALF = Cheat(ranks=7, copies=4, deal=6, hp=NO_HP, max_turns=40)
READINGS = [
    Cheat(),
    Cheat(hp=5, starter=1),
    Cheat(max_discard=1),
    Cheat(max_discard=UNLIMITED),
    Cheat(undealt=IN_PILE, first_rank=RANDOM),
    Cheat(undealt=IN_PILE, max_discard=3, rank_after_challenge=STAY),
    Cheat(next_after_challenge=CHALLENGE_WINNER, rank_after_challenge=RESET, first_rank=1),
    Cheat(next_after_challenge=CHALLENGE_LOSER, rank_after_challenge=STAY, first_rank=RANDOM),
    Cheat(hp=NO_HP),
    Cheat(hp=NO_HP, max_turns=3),
    Cheat(allow_pass=True, max_turns=9),
    Cheat(deal=0, hp=2),
    Cheat(players=3),
    Cheat(players=3, hp=1, hp_out=END),
    Cheat(players=3, hp=2, deal=0, ranks=5, copies=2, next_after_challenge=CHALLENGE_LOSER),
    Cheat(players=4, ranks=4, copies=3, deal=0, hp=1, allow_pass=True, max_turns=30, undealt=IN_PILE),
    Cheat(players=3, ranks=4, copies=3, deal=3, hp=1, next_after_challenge=CHALLENGE_WINNER),
    Cheat(ranks=5, copies=3, deal=4, hp=2),
    Cheat(ranks=2, copies=1, deal=1),
    HALF,
    HALF._replace(max_discard=UNLIMITED, first_rank=RANDOM),
    Cheat(ranks=13, copies=4, deal=6, hp=NO_HP, max_turns=25),
]


def called(game: Any) -> str:
    changed = [f"{k}={v}" for k, v in game._asdict().items() if v != Cheat._field_defaults[k]]
    return ",".join(changed) or "mini"


# ---- the twin --------------------------------------------------------------------------------------------------------

Cards = tuple[int, ...]  # how many of each rank


def plus(a: Cards, b: Cards) -> Cards:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def minus(a: Cards, b: Cards) -> Cards:
    return tuple(x - y for x, y in zip(a, b, strict=True))


class Twin(NamedTuple):
    """A state on tuples. `known` has for each player all that he has ever been shown, in order."""

    game: Cheat
    hands: tuple[Cards, ...]
    pile: Cards
    last: Cards | None  # on the table, to be challenged
    rank: int
    discarder: int
    who: int
    hp: tuple[int, ...]
    turn: int
    known: tuple[tuple[Any, ...], ...]
    event: tuple[Any, ...] = ()  # of the last turn: seat, claim, rank, challenger, lie, revealed
    payoffs: tuple[float, ...] | None = None

    @classmethod
    def dealt(cls, game: Cheat, hands: tuple[Cards, ...], starter: int, rank: int) -> "Twin":
        pile = (0,) * game.ranks
        if game.undealt == IN_PILE:
            pile = (game.copies,) * game.ranks
            for hand in hands:
                pile = minus(pile, hand)
        known = tuple(((p, starter, rank, hand),) for p, hand in enumerate(hands))
        return cls(game, hands, pile, None, rank, starter, starter, (game.hp,) * game.players, 0, known)

    def after(self, player: int) -> int:
        """The next player in turn who is still in the game."""
        while True:
            player = (player + 1) % self.game.players
            if self.hp[player] != 0:
                return player

    def shown(self, *what: Any, to: int | None = None) -> "Twin":
        known = tuple((*seen, what) if to in (None, p) else seen for p, seen in enumerate(self.known))
        return self._replace(known=known)

    def discards(self) -> list[Cards]:
        """Sorted by how many cards are of the rank farthest ahead, then of the one before it, and so on."""
        most = self.game.max_discard or self.game.copies
        hand, ranks = self.hands[self.who], self.game.ranks
        chosen = (c for c in itertools.product(*(range(n + 1) for n in hand)) if 1 <= sum(c) <= most)
        return sorted(chosen, key=lambda c: [c[(self.rank + i) % ranks] for i in reversed(range(ranks))])

    def moves(self) -> Iterator["Twin"]:
        if self.last is not None:
            yield self.believed()
            yield self.challenged()
            return
        for cards in self.discards():
            hands = list(self.hands)
            hands[self.who] = minus(hands[self.who], cards)
            laid = self._replace(hands=tuple(hands), pile=plus(self.pile, cards), last=cards, who=self.after(self.who))
            yield laid.shown("own cards", cards, to=self.who).shown("claim", self.who, sum(cards), self.rank)
        if self.game.allow_pass:
            yield self.shown("pass", self.who).ended(-1, 0, None)

    def believed(self) -> "Twin":
        if self.after(self.who) != self.discarder:
            return self._replace(who=self.after(self.who))
        return self.shown("believed").ended(-1, 0, None)

    def challenged(self) -> "Twin":
        assert self.last is not None
        lie = self.last[self.rank] < sum(self.last)
        loser = self.discarder if lie else self.who
        hands, hp = list(self.hands), list(self.hp)
        hands[loser] = plus(hands[loser], self.pile)
        hp[loser] -= hp[loser] > 0
        taken = self._replace(hands=tuple(hands), hp=tuple(hp), pile=(0,) * self.game.ranks)
        taken = taken.shown("challenge", self.who, self.last).shown("taken", hands[loser], to=loser)
        return taken.ended(self.who, int(lie), loser)

    def ended(self, challenger: int, lie: int, loser: int | None) -> "Twin":
        """The end of the turn: who wins, who leaves, who comes next."""
        game, laid_by = self.game, self.discarder
        cards = self.last or (0,) * game.ranks
        event = (laid_by, sum(cards), self.rank, challenger, lie if challenger >= 0 else -1, cards)
        now = self._replace(turn=self.turn + 1, event=event, last=None)
        if sum(self.hands[laid_by]) == 0:
            return now.won(laid_by)
        if loser is not None and self.hp[loser] == 0:
            hands = list(self.hands)
            hands[loser] = (0,) * game.ranks
            now = now._replace(hands=tuple(hands))
            left = [p for p in range(game.players) if self.hp[p] != 0]
            if len(left) == 1:
                return now.won(left[0])
            if game.hp_out == END:
                share = 1 / (game.players - 1)
                return now.over(tuple(-1.0 if p == loser else share for p in range(game.players)))
        rank, leader = (self.rank + 1) % game.ranks, self.after(laid_by)
        if loser is not None:
            winner = self.who if lie else laid_by
            rank = [rank, self.rank, max(game.first_rank, 0)][game.rank_after_challenge]
            chosen = [leader, winner, loser][game.next_after_challenge]
            leader = chosen if self.hp[chosen] != 0 else self.after(chosen)
        if now.turn == game.max_turns:
            return now.over((0.0,) * game.players)
        return now._replace(rank=rank, discarder=leader, who=leader)

    def won(self, winner: int) -> "Twin":
        share = 1 / (self.game.players - 1)
        return self.over(tuple(1.0 if p == winner else -share for p in range(self.game.players)))

    def over(self, payoffs: tuple[float, ...]) -> "Twin":
        return self._replace(payoffs=payoffs)


def unpacked(game: Cheat, packed: int) -> Cards:
    return tuple(int(count_of(int(packed), r, width(game.copies))) for r in range(game.ranks))


def hands_of(game: Cheat, row: np.ndarray) -> tuple[Cards, ...]:
    return tuple(unpacked(game, row[HANDS + p]) for p in range(game.players))


def deal(state: State, dice: random.Random) -> State:
    while state.is_chance:
        state = state.child(dice.choices(range(len(state.actions)), state.chances)[0])
    return state


def twin_of(state: State) -> Twin:
    """The twin of a state whose cards have just been dealt."""
    game, row = state.game, state.row
    assert isinstance(game, Cheat)
    return Twin.dealt(game, hands_of(game, row), int(row[DISCARDER]), int(row[RANK]))


def observed(state: State, player: int) -> np.ndarray:
    assert isinstance(state.game, Cheat)
    out = np.full(state.game.observation_size(), -99)
    state.game.observe(state.row, player, out)
    return out


# ---- all deals and all states ----------------------------------------------------------------------------------------


def dealt(game: Cheat) -> list[tuple[State, float]]:
    """All deals with their probabilities."""
    done, waiting = [], [(State.of(game), 1.0)]
    while waiting:
        state, weight = waiting.pop()
        if not state.is_chance:
            done.append((state, weight))
            continue
        assert len(state.actions) > 1, "what is certain is no chance node"
        assert min(state.chances) > 0
        assert sum(state.chances) == pytest.approx(1)
        waiting += [(state.child(a), weight * chance) for a, chance in enumerate(state.chances)]
    return done


def ways(game: Cheat, hands: tuple[Cards, ...]) -> int:
    """In how many ways distinct cards can be dealt so that the ranks come out like this."""
    found = 1
    for counts in zip(*hands, strict=True):
        left = game.copies
        for n in counts:
            found *= comb(left, n)
            left -= n
    return found


@kernel
def expand(game, s, rows):
    """Fill the rows with all children, and answer how many they are."""
    n = game.num_actions(s)
    for a in range(n):
        rows[a] = s
        game.apply(rows[a], a)
    return n


compiled_only = pytest.mark.skipif(not hasattr(expand, "py_func"), reason="takes hours under NUMBA_DISABLE_JIT=1")


def reachable(game: Cheat) -> list[np.ndarray]:
    """One row for each state that can be reached, whatever happened before."""
    columns = [WHO, DISCARDER, RANK, CLAIM, PILE, *range(HANDS, HANDS + 3 * game.players)]
    seen: dict[tuple[int, ...], np.ndarray] = {}
    waiting = [state.row for state, _ in dealt(game)]
    rows = np.zeros((most_actions(game), len(waiting[0])), np.int64)
    while waiting:
        row = waiting.pop()
        here = (*row[columns].tolist(), int(row[LAST]) if row[CLAIM] else 0)
        if row[WHO] >= 0 and here not in seen:
            seen[here] = row
            waiting += list(rows[: expand(game, row, rows)].copy())
    return list(seen.values())
