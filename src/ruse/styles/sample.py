"""A sample of the play, for games too large for a census: games are played, and every decision is written down.

Games are independent, so what is told of them has an honest error: that of a mean, of a ratio of two means, or of
whatever a meter makes of its counts, with the games as samples.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, kernel
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.bots.blame import Blame, looked_at, strangers
from ruse.play.bots.bot import playing
from ruse.play.lawful import BROKEN, ENDED, NO_ACTION, settled
from ruse.play.match import (
    misfitting,
    next_uniform,
    open_streams,
    play_out,
    refuse_game,
    start_streams,
)
from ruse.play.meter import Meter, meter_for
from ruse.play.pieces import Pace
from ruse.play.seats import at_table, seated
from ruse.protocol.decisions import Asked, Decisions
from ruse.protocol.guards.breaches import promised_sum
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.state import State
from ruse.protocol.view import Full, infoset_key
from ruse.strategy import Strategy
from ruse.styles.census import Found
from ruse.words.student import is_untold, student

ROOM, GROUPS = 1 << 16, 50  # decisions that a diary holds at first; groups of games for the error of a meter's rates


def refuse_few(deals: int) -> None:
    if deals < GROUPS:
        raise RuseError(f"deals must be at least {GROUPS} to tell an error, got {deals}")


class Sample:
    """What happened in games in which all followed the strategy."""

    def __init__(self, strategy: Strategy, *, deals: int = 10_000, seed: int = 0) -> None:
        refuse_few(deals)
        self.game, self.meter = strategy.game, meter_for(strategy.game)
        self.deals, self.seed = deals, seed_of(seed)
        self.payoff = np.zeros((deals, self.game.players))
        self.notes = np.zeros((deals, self.game.players, self.meter.counted))
        self.diary = self._play(playing(strategy))
        self._ways: dict[int, list[tuple[int, ...]]] = {}  # by deal, those that were asked for

    def _play(self, bot: Any) -> "Diary":
        seats, start = [seated(self.game, bot) for _ in range(self.game.players)], self.game.start()
        table, promised, strange = at_table(seats), promised_sum(self.game), strangers(seats)
        play = looked_at(play_on, strange)
        diary = Diary.empty(self.meter, len(start), ROOM)
        for deal, last in Pace().pieces(0, self.deals):
            while deal < last:  # it stops when the diary is full; that game is played again in a larger one
                with Blame(*strange):
                    deal, why = play(
                        self.game, start, table, diary, self.payoff, self.notes, promised, self.seed, deal, last
                    )
                if why == NO_ACTION:
                    raise misfitting(self.game)
                if why != ENDED:
                    refuse_game(self.game, seats, why, seed=self.seed, deal=deal)
                if deal < last:
                    diary = diary.larger()
        return diary

    @cached_property
    def _distinct(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Which entries are the first of their kind, and for each entry its kind."""
        used = self.diary.used
        whole = np.stack([self.diary.key[:used], self.is_first.astype(np.int64)], axis=1)
        _, first, kind = np.unique(whole, axis=0, return_index=True, return_inverse=True)
        return first, kind.ravel()

    @cached_property
    def is_first(self) -> NDArray[Any]:
        """[entry] whether its player had not decided anything before in that game."""
        used, players = self.diary.used, self.game.players
        place = self.diary.deal[:used] * players + self.diary.player[:used]
        is_first = np.zeros(used, bool)
        is_first[np.unique(place, return_index=True)[1]] = True
        return is_first

    @cached_property
    def decisions(self) -> Decisions:
        """Those that were met, each once."""
        diary, (first, _) = self.diary, self._distinct
        return Decisions(
            self.game, diary.rows[first], diary.player[first], diary.actions[first], self.is_first[first],
            way=lambda k: self._way(int(first[k])),
        )  # fmt: skip

    def _way(self, entry: int) -> tuple[int, ...]:
        """The moves that led to an entry of the diary."""
        deal = int(self.diary.deal[entry])
        if deal not in self._ways:
            self._ways[deal] = list(self._played_again(deal))
        first = int(np.searchsorted(self.diary.deal[: self.diary.used], deal))
        return self._ways[deal][entry - first]

    def _played_again(self, deal: int) -> Iterator[tuple[int, ...]]:
        """The moves before each decision of a deal, which is played again in plain Python."""
        luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        start_streams(luck, choice, self.seed, deal, 0)
        used = self.diary.used
        taken = iter(self.diary.taken[:used][self.diary.deal[:used] == deal])
        state = State.of(self.game)
        while not state.is_over:
            if state.is_chance:
                a = int(drawn(self.game, state.row, state.num_actions, next_uniform(luck)))
            else:
                yield state.history
                a = int(next(taken))
            state = state.went(a)

    def frequency(self, wanted: Asked) -> Found:
        """How often the actions are taken that a text means, over all decisions where one of them is legal."""
        decisions, kind, used = self.decisions, self._distinct[1], self.diary.used
        meant = decisions.meant(wanted)
        is_legal = np.add.reduceat(meant, decisions.start[:-1]) > 0
        taken = meant[decisions.start[kind] + self.diary.taken[:used]]
        games = self.diary.deal[:used]
        done = np.bincount(games, weights=taken, minlength=self.deals)
        possible = np.bincount(games, weights=is_legal[kind], minlength=self.deals)
        return ratio_of(done, possible)

    def rate(self, name: str, player: int | None) -> Found:
        """What the game's meter says of a player, or of all; the error is the jackknife's, over groups of games."""
        each = self.game.players if player is None else 1  # all of them: each plays a game of his own
        notes = self.notes.sum(axis=1) if player is None else self.notes[:, player]
        groups = np.array_split(notes, GROUPS)
        sizes, sums = np.array([len(g) for g in groups]), np.array([g.sum(axis=0) for g in groups])
        value = self.meter.rates(notes.sum(axis=0), each * self.deals)[name]
        without = np.array(
            [
                self.meter.rates(rest, each * int(games))[name]
                for rest, games in zip(sums.sum(axis=0) - sums, self.deals - sizes, strict=True)
            ]
        )
        error = float(np.sqrt((GROUPS - 1) / GROUPS * np.sum((without - without.mean()) ** 2)))
        half = math.inf if is_untold(self.deals, error, value) else student(GROUPS - 1) * error
        return Found(value, (value - half, value + half))

    def mean(self, player: int) -> Found:
        payoff = self.payoff[:, player]
        mean, error = float(payoff.mean()), float(payoff.std(ddof=1) / np.sqrt(self.deals))
        half = math.inf if is_untold(self.deals, error, mean) else student(self.deals - 1) * error
        return Found(mean, (mean - half, mean + half))

    def variance(self, player: int) -> Found:
        """Of the player's payoff in one game; its error from the fourth moment."""
        off = self.payoff[:, player] - self.payoff[:, player].mean()
        value = float(off @ off) / (self.deals - 1)
        error = float(np.sqrt(max(np.mean(off**4) - value**2, 0.0) / self.deals))
        half = math.inf if is_untold(self.deals, error, value) else student(self.deals - 1) * error
        return Found(value, (max(value - half, 0.0), value + half))


def ratio_of(done: NDArray[Any], possible: NDArray[Any]) -> Found:
    """A ratio of two sums over games, with the error of its linear part (Cochran 1977, 6.4)."""
    total = float(possible.sum())
    if total == 0.0:
        return Found(float("nan"))
    value, n = float(done.sum()) / total, len(done)
    spread = float(np.sqrt(n / (n - 1) * np.sum((done - value * possible) ** 2))) / total
    half = math.inf if is_untold(int(np.count_nonzero(possible)), spread, value) else student(n - 1) * spread
    return Found(value, (max(value - half, 0.0), min(value + half, 1.0)))


@compiled("note")
class Diary(NamedTuple):
    """A meter that writes every decision down, and lets the game's own meter count."""

    meter: Meter
    sees: Any  # the view by whose keys decisions are told apart: what the game lets the player know
    cursor: NDArray[Any]  # [2] entries written, and the number of the game
    key: NDArray[Any]  # [entry]
    rows: NDArray[Any]  # [entry, column]
    actions: NDArray[Any]  # [entry] how many there were
    taken: NDArray[Any]  # [entry]
    player: NDArray[Any]  # [entry]
    deal: NDArray[Any]  # [entry]

    @classmethod
    def empty(cls, meter: Meter, columns: int, room: int) -> "Diary":
        key, actions, taken, player, deal = (np.zeros(room, np.int64) for _ in range(5))
        rows = np.zeros((room, columns), np.int64)
        return cls(meter, Full(), np.zeros(2, np.int64), key, rows, actions, taken, player, deal)

    def larger(self) -> "Diary":
        """The same with room for twice as many entries."""
        return Diary(self.meter, self.sees, self.cursor, *(np.concatenate([array, array]) for array in self[3:]))

    @property
    def used(self) -> int:
        return int(self.cursor[0])

    def note(self, game, s, a, notes, bot):
        self.meter.note(game, s, a, notes, bot)
        entry = self.cursor[0]
        self.cursor[0] += 1
        if entry >= len(self.key):
            return  # the caller sees that there was no room
        self.key[entry] = infoset_key(game, self.sees, s)
        for c in range(len(s)):
            self.rows[entry, c] = s[c]
        self.actions[entry] = game.num_actions(s)
        self.taken[entry] = a
        self.player[entry] = game.player(s)
        self.deal[entry] = self.cursor[1]


@kernel
def play_on(game, start, table, diary, payoff, notes, promised, seed, deal, last):
    """Play from this deal on, one game each, and stop before the last; return the deal at which it stopped, and why.

    If that is neither the last one nor for a reason, the deal found no room in the diary.
    """
    _, players, counted = notes.shape
    s, count = start.copy(), np.zeros((players, counted))
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    while deal < last:
        before = diary.cursor[0]
        diary.cursor[1] = deal
        count[:] = 0.0
        for c in range(len(s)):
            s[c] = start[c]
        open_streams(luck, choice, seed, deal, 0)
        why = play_out(game, s, table, diary, count, 0, players, luck, choice)
        if why == ENDED and not settled(game, s, promised, payoff[deal]):
            why = BROKEN
        if why != ENDED:
            return deal, why
        if diary.cursor[0] > len(diary.key):
            diary.cursor[0] = before
            return deal, ENDED
        notes[deal] = count
        deal += 1
    return deal, ENDED
