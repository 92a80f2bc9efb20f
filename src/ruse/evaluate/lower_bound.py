"""A lower bound on exploitability for games too large for an exact best response: a response is learned by sampling.

The response is trained against the frozen strategy with the same walks that trained it, and then plays new deals. What
it wins there, less what may be luck, is what some opponent can win; the best one may win more. So it is a bound, at the
confidence that is told, and is called one.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.catalog.given import GameLike, as_game
from ruse.compile import kernel
from ruse.compile.seeds import next_seed, seed_of
from ruse.evaluate.against import Against
from ruse.play.bots.bot import StrategyBot, playing
from ruse.play.given import StrategyLike, as_strategy
from ruse.play.lawful import BROKEN, ENDED, NO_ACTION, settled
from ruse.play.match import misfitting, open_streams, play_out, refuse_game
from ruse.play.meter import Silent
from ruse.play.pieces import Pace
from ruse.play.seats import at_table, seated
from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import promised_sum
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.fits import Setup, why_not
from ruse.solve.solver.presets import Solver, cfvfp
from ruse.strategy import Strategy
from ruse.tree.measure.widths import mean_width
from ruse.words.counts import count_of
from ruse.words.student import is_untold, student

CHUNK = 10_000  # deals whose payoffs are kept until they are added up
WIDE = 1e6  # histories an iteration beyond which actions are probed
CONFIDENCE = 0.95  # that the bound is below the truth, for all players at once


class LowerBound(NamedTuple):
    """What learned responses gain over the strategy itself, for each player, measured on new deals."""

    gain: tuple[float, ...]  # [player]
    margin: tuple[float, ...]  # [player] how much of it may be luck
    iterations: int
    deals: int
    seed: int

    @property
    def bound(self) -> float:
        """The bound on exploitability: the mean of what is left of the gains without luck. Nobody need deviate, so it
        is never below 0.
        """
        return sum(max(g - m, 0.0) for g, m in zip(self.gain, self.margin, strict=True)) / len(self.gain)

    def __str__(self) -> str:
        shares = ", ".join(
            f"player {p} {g:z.4f} {f'less {m:.4f}' if np.isfinite(m) else 'in deals too few and all alike'}"
            for p, (g, m) in enumerate(zip(self.gain, self.margin, strict=True))
        )
        if self.bound == 0.0:
            return f"no lower bound on exploitability but 0: what was gained may be luck ({shares})"
        return f"exploitability is at least {self.bound:.4f}, with {100 * CONFIDENCE:.0f} % confidence ({shares})"


def lower_bound(
    game: GameLike, strategy: StrategyLike, *, iterations: int = 100_000, deals: int = 100_000, seed: int = 0
) -> LowerBound:
    """Learn a response for each player in so many iterations, and let it play so many deals."""
    game = as_game(game)
    strategy = as_strategy(strategy, game)
    iterations, deals = count_of("iterations", iterations, least=1), count_of("deals", deals, least=2)
    gains, margins = [], []
    seed = seed_of(seed)
    fixed = playing(strategy)
    # One-sided, and shared among the players: that one of the margins is too small is as rare as was said.
    confidence = 1.0 - 2.0 * (1.0 - CONFIDENCE) / game.players
    width = student(deals - 1, confidence)
    for player in range(game.players):
        facing = Against.of(game, player, strategy)
        engine = SampledEngine(facing, solver_for(game, facing), seed=next_seed(seed, player))
        engine.run(0, iterations)
        response = StrategyBot.of(Strategy(facing, *engine.greedy_rows()))
        gain, error = gain_of(game, player, response, fixed, deals, next_seed(seed, 1))
        gains.append(gain)
        margins.append(np.inf if is_untold(deals, error, gain, confidence) else width * error)
    return LowerBound(tuple(gains), tuple(margins), iterations, deals, seed)


def solver_for(game: Game, facing: Game) -> Solver:
    """Who learns a response: by exploring every action or, where an iteration might never end, by probing them."""
    solver = cfvfp(walk="external")
    is_short = why_not(Setup(solver, game=game), "walk and game") is None and mean_width(facing) < WIDE
    return solver if is_short else cfvfp(walk="probing")


def gain_of(game: Game, player: int, response: StrategyBot, fixed: Any, deals: int, seed: int) -> tuple[float, float]:
    """What a seat wins more by the response than by the strategy, a game, and the standard error of that.

    Both play the same deals, so that luck with the cards cancels out.
    """
    tables = [[seated(game, bot if p == player else fixed) for p in range(game.players)] for bot in (response, fixed)]
    start, promised, total, square = game.start(), promised_sum(game), 0.0, 0.0
    pace = Pace()
    for first in range(0, deals, CHUNK):
        payoffs = np.zeros((2, min(CHUNK, deals - first)))
        for seats, paid in zip(tables, payoffs, strict=True):
            table = at_table(seats)
            for begin, end in pace.pieces(0, len(paid)):
                deal, why = play_seated(
                    game, start, table, Silent(), paid[begin:end], player, promised, seed, first + begin, game.players
                )
                if why == NO_ACTION:
                    raise misfitting(game)
                if why != ENDED:
                    refuse_game(game, seats, why, seed=seed, deal=deal)
        more = payoffs[0] - payoffs[1]
        total, square = total + float(more.sum()), square + float(more @ more)
    mean = total / deals
    return mean, float(np.sqrt(max(square / deals - mean**2, 0.0) / (deals - 1)))


@kernel
def play_seated(game, start, table, meter, paid, player, promised, seed, first, players):
    """Play deals from the first one on without changing seats; fill in what one player is paid.

    Return the deal at which it stopped, and why.
    """
    s, notes, payoffs = start.copy(), np.zeros((players, 0)), np.zeros(players)
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for deal in range(len(paid)):
        for c in range(len(s)):
            s[c] = start[c]
        open_streams(luck, choice, seed, first + deal, 0)
        why = play_out(game, s, table, meter, notes, 0, players, luck, choice)
        if why == ENDED and not settled(game, s, promised, payoffs):
            why = BROKEN
        if why != ENDED:
            return first + deal, why
        paid[deal] = payoffs[player]
    return first + len(paid), ENDED
