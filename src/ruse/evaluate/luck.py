"""Matches of two with luck taken out, after AIVAT (Burch et al. 2018): the same mean, with less noise.

From a payoff is taken what chance has brought above its expectation, and what a known strategy's own mixing has, by a
guess of what states are worth. Whatever is guessed, what is taken away is nothing on the average, so there is no bias.
A guess is a part with two methods:

    luck(game, before, s, spare, rng, memory)  what chance has brought to player 0 from one row to the next, less its
                                               mean; spare is a row to work with
    guessed(game, s, rng, memory)              what a state is worth to player 0; any number will do
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.compile.rng import uniform
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.bots.blame import Blame, looked_at, strangers
from ruse.play.bots.bot import StrategyBot, bisect, name_of, playing
from ruse.play.lawful import ENDED, NO_ACTION
from ruse.play.match import open_streams, refuse_game
from ruse.play.pieces import Pace
from ruse.play.seats import at_table, is_quick, seated
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.guards.breaches import LONGEST
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.view import infoset_key
from ruse.strategy import Strategy
from ruse.words.student import margin, told_margin

WIDEST = 64  # actions of a decision whose mixing is taken out
UNKNOWN = -1.0  # in place of a probability
MEMORY = 8  # numbers that a guess may keep in a game


class LessLuck(NamedTuple):
    """What the first of two bots wins a game, with and without luck."""

    names: tuple[str, str]
    mean: float
    margin: float  # half of its 95 % interval
    plain_mean: float
    plain_margin: float
    deals: int
    seed: int

    @property
    def gain(self) -> float:
        """How many times as many deals would have been needed without it."""
        return (self.plain_margin / self.margin) ** 2 if self.margin else math.inf

    def __str__(self) -> str:
        worth = f": worth {self.gain:.1f} times as many deals" if math.isfinite(self.gain) else ""
        return (
            f"{self.deals:,} deals, seed {self.seed}\n"
            f"{self.names[0]}  {self.mean:+z.4f} {told_margin(self.margin)}, as played {self.plain_mean:+z.4f} "
            f"{told_margin(self.plain_margin)}{worth}"
        )


@compiled("fill_shares")
class KnownMix(NamedTuple):
    """A strategy whose probabilities may be asked for."""

    bot: StrategyBot

    def fill_shares(self, game, s, count, shares):
        """Write the probabilities of the actions at a decision; the first is UNKNOWN if nobody can tell."""
        bot: Any = self.bot
        key = np.uint64(infoset_key(game, bot.sees, s))
        place = bisect(bot.keys, key)
        is_known = place < len(bot.keys) and bot.keys[place] == key
        for a in range(count):
            shares[a] = bot.probability[bot.start[place] + a] if is_known else 1.0 / count


@compiled("fill_shares")
class UnknownMix(NamedTuple):
    """Anybody else."""

    nothing: int = 0

    def fill_shares(self, game, s, count, shares):
        shares[0] = UNKNOWN


@compiled_function
def copy_row(row, into):
    for c in range(len(row)):
        into[c] = row[c]


@compiled("luck", "guessed")
class Enumerated(NamedTuple):
    """Luck by going through all that chance could have brought; for games in which that is little."""

    guess: Any  # a part with guessed()

    def guessed(self, game, s, rng, memory):
        return self.guess.guessed(game, s, rng, memory)

    def luck(self, game, before, s, spare, rng, memory):
        mean = 0.0
        for a in range(game.num_actions(before)):
            copy_row(before, spare)
            share = game.chance(before, a)
            game.apply(spare, a)
            mean += share * self.guess.guessed(game, spare, rng, memory)
        return self.guess.guessed(game, s, rng, memory) - mean


@compiled_function
def skill(game, s, a, known, guess, rng, memory, spare, shares):
    """What a known strategy's choice has brought to player 0 above its mean."""
    count = game.num_actions(s)
    if count > len(shares):
        return 0.0
    known.fill_shares(game, s, count, shares)
    if shares[0] == UNKNOWN:
        return 0.0
    chosen, mean = 0.0, 0.0
    for other in range(count):
        if shares[other] > 0.0 or other == a:
            copy_row(s, spare)
            game.apply(spare, other)
            worth = guess.guessed(game, spare, rng, memory)
            mean += shares[other] * worth
            chosen = worth if other == a else chosen
    return chosen - mean


class Desk(NamedTuple):
    """What a match works with. Made by `desk`."""

    start: np.ndarray
    s: np.ndarray
    before: np.ndarray
    spare: np.ndarray
    chance: np.ndarray  # random numbers of chance,
    choice: np.ndarray  # of bots,
    own: np.ndarray  # and of guesses
    memory: np.ndarray
    shares: np.ndarray


def desk(game: Game) -> Desk:
    rows = [game.start() for _ in range(4)]
    streams = [np.zeros(1, np.uint64) for _ in range(3)]
    return Desk._make([*rows, *streams, np.zeros(MEMORY), np.zeros(WIDEST)])


@lean_kernel
def play_less(game, desk, table, first_known, second_known, guess, seed, first, paid, luck):
    """Play deals in both rotations: what the first bot is paid, and how much of it was luck."""
    s, before, spare, memory, shares = desk.s, desk.before, desk.spare, desk.memory, desk.shares
    chance, choice, own = desk.chance, desk.choice, desk.own
    for k in range(len(paid)):
        for rotation in range(2):
            copy_row(desk.start, s)
            for i in range(len(memory)):
                memory[i] = 0.0
            open_streams(chance, choice, seed, first + k, rotation)
            own[0] = choice[0] ^ np.uint64(0x5DEECE66D)
            table.begin()
            lucky, moves, player = 0.0, 0, game.player(s)
            if player != CHANCE:
                table.look_on_all(game, s, (2 - rotation) % 2, 2)
            while player != OVER:
                n = game.num_actions(s)
                copy_row(s, before)
                moves += 1
                if moves > LONGEST:
                    return first + k, rotation, NO_ACTION
                if player == CHANCE:
                    game.apply(s, drawn(game, s, n, uniform(chance)))
                    lucky += guess.luck(game, before, s, spare, own, memory)
                else:
                    bot = (player + rotation) % 2
                    a = int(table.answer_for(bot, game, s, player, n, uniform(choice)))
                    if a < 0 or a >= n:
                        return first + k, rotation, NO_ACTION
                    if bot == 0:
                        lucky += skill(game, before, a, first_known, guess, own, memory, spare, shares)
                    else:
                        lucky += skill(game, before, a, second_known, guess, own, memory, spare, shares)
                    game.apply(s, a)
                player = game.player(s)
                if player != CHANCE:
                    table.look_on_all(game, s, (2 - rotation) % 2, 2)
            sign = 1.0 if rotation == 0 else -1.0  # the first bot has seat 0, then seat 1
            paid[k] += game.payoff(s, rotation) / 2.0
            luck[k] += sign * lucky / 2.0
    return first, 0, ENDED


def less_luck(
    game: Game, bots: tuple[Any, Any], guess: Any, *, deals: int = 10_000, seed: int = 0,
    watch: Callable[[int], None] = lambda played: None,
) -> LessLuck:  # fmt: skip
    """Play two bots in a game of payoffs that cancel, each deal in both seats, with luck taken out."""
    if game.players != 2 or getattr(game, "payoff_sum", None) != 0:
        raise RuseError("luck is taken out of games of two players whose payoffs cancel")
    if deals < 2:
        raise RuseError(f"deals must be at least 2, got {deals}")
    seed = seed_of(seed)
    made = [playing(bot) if isinstance(bot, Strategy) else bot for bot in bots]
    seats = [seated(game, bot) for bot in made]
    if not all(map(is_quick, seats)):
        raise RuseError("luck is taken out of matches of compiled bots and strategies")
    known = [KnownMix(bot) if isinstance(bot, StrategyBot) else UnknownMix() for bot in made]
    paid, luck = np.zeros(deals), np.zeros(deals)
    made_desk, table, strange = desk(game), at_table(seats), strangers(seats)
    play = looked_at(play_less, strange)
    for first, last in Pace().pieces(0, deals):
        with Blame(*strange):
            deal, rotation, why = play(
                game, made_desk, table, known[0], known[1], guess, seed, first, paid[first:last],
                luck[first:last],
            )  # fmt: skip
        if why != ENDED:
            refuse_game(game, seats, why, seed=seed, deal=deal, rotation=rotation)
        watch(last)

    def judged(won: np.ndarray) -> tuple[float, float]:
        return (mean := float(won.mean())), margin(deals, float(won.std(ddof=1)), mean)

    return LessLuck((name_of(bots[0]), name_of(bots[1])), *judged(paid - luck), *judged(paid), deals, seed)
