"""A round robin: everybody against everybody, in rounds, so that there is something to look at after the first."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ruse.compile.hashing import mix
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.match import MatchResult, match
from ruse.protocol.game import Game
from ruse.spread.here import InTurn
from ruse.spread.pieces import Spreading, results_of
from ruse.words.naming import named
from ruse.words.student import is_untold, student

ROUNDS = 10  # pieces of a match, as far as there are deals for them
FEWEST = 20  # deals of a round
POSITIVE = (1 << 63) - 1  # a seed
IN_TURN = InTurn()
Watch = Callable[[Sequence[int], int], None]


class Winning(NamedTuple):
    """What somebody has won in so many deals."""

    deals: int = 0
    total: float = 0.0  # sum over deals of the mean payoff of a deal
    square: float = 0.0  # sum of its square
    games: int = 0
    wins: float = 0.0  # draws counted half

    @classmethod
    def of(cls, result: MatchResult, seat: int) -> "Winning":
        """What one of a match has won in it, from what the match tells."""
        n, mean = result.deals, result.mean[seat]
        half = (result.interval[seat][1] - result.interval[seat][0]) / 2.0
        variance = 0.0 if math.isinf(half) else (half / student(n - 1)) ** 2 * n  # infinite: all came out alike
        square = n * mean**2 + variance * (n - 1)
        return cls(n, n * mean, square, result.games, result.win_rate[seat] * result.games)

    def __add__(self, other: Any) -> "Winning":
        return Winning(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def mean(self) -> float:
        """Payoff a game."""
        return self.total / self.deals if self.deals else math.nan

    @property
    def margin(self) -> float:
        """Half the 95 % interval of the mean, deals as samples; not finite if it cannot be told."""
        if self.deals < 2:
            return math.nan
        variance = max(self.square / self.deals - self.mean**2, 0.0) * self.deals / (self.deals - 1)
        if is_untold(self.deals, math.sqrt(variance), self.mean):
            return math.inf
        return student(self.deals - 1) * math.sqrt(variance / self.deals)

    @property
    def win_rate(self) -> float:
        return self.wins / self.games if self.games else math.nan


class Meet(NamedTuple):
    """A match of a round. It has a seed of its own: what one table is dealt, another is not, so that errors add up."""

    number: int
    table: tuple[int, ...]
    deals: int
    seed: int


class RoundRobin:
    """A tournament in which every table that can be made of the bots is played.

    With two players a table is a pair. With more it is as many bots as there are seats, and what one has won against
    another is what it has won at tables with it.
    """

    def __init__(self, game: Game, bots: Mapping[str, Any], *, deals: int = 1_000, seed: int = 0) -> None:
        if len(bots) < game.players:
            raise RuseError(f"{named(game)} has {game.players} seats, got {len(bots)} bots; add some")
        if deals < 2:
            raise RuseError(f"deals must be at least 2, got {deals}")
        self.game, self.deals, self.seed = game, deals, seed_of(seed)
        self.names, self.bots = tuple(bots), list(bots.values())
        self.tables = list(combinations(range(len(bots)), game.players))
        self.won: dict[tuple[int, ...], list[Winning]] = {table: [Winning()] * game.players for table in self.tables}
        self._played: dict[int, int] = {}  # [match] deals

    @property
    def played(self) -> int:
        """Deals so far, at all tables."""
        return sum(self._played.values())

    @property
    def planned(self) -> int:
        """Deals at all tables."""
        return self.deals * len(self.tables)

    def play(self, watch: Watch = lambda table, deals: None, *, over: Spreading = IN_TURN) -> Iterator[None]:
        """Play it out, and stop after each match of a round. `watch` is told who plays, and how many deals of it are
        done; what it raises ends the tournament.

        Matches know nothing of each other, so they may be spread over threads, `over=Threads()`, if the bots may sit at
        several tables at once, as compiled ones and strategies may. What comes out has the same bits.
        """
        meetings = [
            Meet(number * len(self.tables) + place, table, deals, int(mix(mix(self.seed, number), place)) & POSITIVE)
            for number, deals in enumerate(rounds_of(self.deals))
            for place, table in enumerate(self.tables)
        ]

        def played(meet: Meet) -> MatchResult:
            def told(done: int) -> None:
                self._played[meet.number] = done
                watch(meet.table, done)

            told(0)
            bots = [self.bots[k] for k in meet.table]
            result = match(self.game, bots, deals=meet.deals, seed=meet.seed, watch=told)
            self._played[meet.number] = meet.deals
            return result

        for meet, result in zip(meetings, results_of(over, played, meetings), strict=True):
            before = self.won[meet.table]
            self.won[meet.table] = [won + Winning.of(result, seat) for seat, won in enumerate(before)]
            yield

    def against(self, one: int, other: int) -> Winning:
        """What one has won at tables with another."""
        tables = [table for table in self.tables if one in table and other in table]
        return sum((self.won[table][table.index(one)] for table in tables), Winning())

    def overall(self, one: int) -> Winning:
        """What one has won at all its tables."""
        return sum((self.won[table][table.index(one)] for table in self.tables if one in table), Winning())


def rounds_of(deals: int) -> list[int]:
    """Deals in rounds of about the same size.

    >>> rounds_of(1_000), rounds_of(50), rounds_of(3)
    ([100, 100, 100, 100, 100, 100, 100, 100, 100, 100], [25, 25], [3])
    """
    count = max(1, min(ROUNDS, deals // FEWEST))
    return [deals // count + (k < deals % count) for k in range(count)]
