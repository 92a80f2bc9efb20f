"""A lower bound on exploitability for games too large for an exact best response: a response is learned by sampling.

The response is trained against the frozen strategy with the same walks that trained it, and then plays new deals. What
it wins there is what some opponent can win; the best one may win more. So it is a bound, and is called one.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import kernel
from ruse.compile.seeds import next_seed, seed_of
from ruse.errors import RuseError
from ruse.evaluate.against import Against
from ruse.play.bot import StrategyBot
from ruse.play.lawful import BROKEN, ENDED, NO_ACTION, settled
from ruse.play.match import CHUNK, Z95, misfitting, open_streams, play_out, refuse_game
from ruse.play.meter import Silent
from ruse.play.seats import at_table, seated
from ruse.protocol.breaches import promised_sum
from ruse.protocol.game import Game
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import cfvfp
from ruse.strategy import Strategy


class LowerBound(NamedTuple):
    """What learned responses gain over the strategy itself, for each player, measured on new deals."""

    gain: tuple[float, ...]  # [player]
    margin: tuple[float, ...]  # [player] half of the 95 % confidence interval
    iterations: int
    deals: int
    seed: int

    @property
    def mean(self) -> float:
        """The bound on exploitability: the mean of the players' gains. One who finds no gain need not deviate."""
        return sum(max(gain, 0.0) for gain in self.gain) / len(self.gain)

    def __str__(self) -> str:
        shares = ", ".join(
            f"player {p} {g:z.4f} +- {m:.4f}" for p, (g, m) in enumerate(zip(self.gain, self.margin, strict=True))
        )
        return f"exploitability is at least about {self.mean:.4f} ({shares})"


def lower_bound(
    game: Game, strategy: Strategy, *, iterations: int = 100_000, deals: int = 100_000, seed: int = 0
) -> LowerBound:
    """Learn a response for each player in so many iterations, and let it play so many deals."""
    if iterations < 1 or deals < 2:
        raise RuseError(f"give at least 1 iteration and 2 deals, got {iterations} and {deals}")
    gains, margins = [], []
    seed = seed_of(seed)
    fixed = StrategyBot.of(strategy)
    for player in range(game.players):
        facing = Against.of(game, player, strategy)
        engine = SampledEngine(facing, cfvfp(walk="external"), seed=next_seed(seed, player))
        engine.run(0, iterations)
        response = StrategyBot.of(Strategy(facing, *engine.greedy_rows()))
        value, error = seat_value(game, player, response, fixed, deals, next_seed(seed, 1))
        own, own_error = seat_value(game, player, fixed, fixed, deals, next_seed(seed, 2))
        gains.append(value - own)
        margins.append(Z95 * float(np.hypot(error, own_error)))
    return LowerBound(tuple(gains), tuple(margins), iterations, deals, seed)


def seat_value(
    game: Game, player: int, ours: StrategyBot, others: StrategyBot, deals: int, seed: int
) -> tuple[float, float]:
    """Mean payoff of one seat and its standard error, over independent deals."""
    seats = [seated(game, ours if p == player else others) for p in range(game.players)]
    table, start, promised, sums = at_table(seats), game.start(), promised_sum(game), np.zeros(2)
    for first in range(0, deals, CHUNK):
        last = min(first + CHUNK, deals)
        deal, why = play_seated(game, start, table, Silent(), sums, player, promised, seed, first, last, game.players)
        if why == NO_ACTION:
            raise misfitting(game)
        if why != ENDED:
            refuse_game(game, seats, why, seed=seed, deal=deal)
    mean = sums[0] / deals
    return float(mean), float(np.sqrt(max(sums[1] / deals - mean**2, 0.0) / deals))


@kernel
def play_seated(game, start, table, meter, sums, player, promised, seed, first, last, players):
    """Play deals without changing seats; add up one player's payoffs and their squares.

    Return the deal at which it stopped, and why.
    """
    s, notes, payoffs = start.copy(), np.zeros((players, 0)), np.zeros(players)
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for deal in range(first, last):
        for c in range(len(s)):
            s[c] = start[c]
        open_streams(luck, choice, seed, deal, 0)
        why = play_out(game, s, table, meter, notes, 0, players, luck, choice)
        if why == ENDED and not settled(game, s, promised, payoffs):
            why = BROKEN
        if why != ENDED:
            return deal, why
        sums[0] += payoffs[player]
        sums[1] += payoffs[player] * payoffs[player]
    return last, ENDED
