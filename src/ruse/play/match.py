"""Matches: every deal is played once in each rotation of the seats, and the error of the result is told.

A deal is a stream of random numbers for chance, the same in all rotations, so that luck with the cards cancels out.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.catalog.given import GameLike, as_game
from ruse.compile import compiled_function, kernel
from ruse.compile.hashing import mix
from ruse.compile.interrupts import held_back
from ruse.compile.rng import stream, uniform
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.bots.blame import Blame, looked_at, strangers
from ruse.play.bots.bot import is_a, name_of, playing
from ruse.play.given import as_bot, refuse_unlisted
from ruse.play.lawful import BROKEN, ENDED, ENDLESS, NO_ACTION, refuse_broken, settled
from ruse.play.meter import Meter, Silent, checked_meter, meter_for
from ruse.play.pieces import Pace
from ruse.play.seats import answer_of, at_table, is_quick, rotations, seated, show_all
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.guards.breaches import LONGEST, endless, promised_sum, unlawful
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.words.counts import count_of
from ruse.words.html import table_of
from ruse.words.long_work import refuse_uncallable
from ruse.words.naming import named
from ruse.words.student import is_untold, student, told_margin

Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution
SILENT, NOTHING = Silent(), np.zeros((0, 0))  # a meter, and its notes


class MatchResult(NamedTuple):
    """The result of a match, for each bot in the order given."""

    names: tuple[str, ...]
    mean: tuple[float, ...]  # payoff a game
    # 95 % of the mean, deals as samples, by Student's distribution; infinite of a few deals that all came out alike
    interval: tuple[tuple[float, float], ...]
    by_seat: tuple[tuple[float, ...], ...]  # [bot][seat] mean payoff
    win_rate: tuple[float, ...]  # share of games with a positive payoff, draws counted half
    win_interval: tuple[tuple[float, float], ...]  # 95 % Wilson interval
    deals: int
    games: int
    seed: int
    rates: tuple[dict[str, float], ...] = ()  # what the game's meter has measured of each bot

    def __str__(self) -> str:
        lines = [f"{self.deals:,} deals, {self.games:,} games, seed {self.seed}"]
        width = max(map(len, self.names))
        for k, name in enumerate(self.names):
            seats = "  ".join(f"seat {p} {x:+z.4f}" for p, x in enumerate(self.by_seat[k]))
            margin = told_margin((self.interval[k][1] - self.interval[k][0]) / 2)
            lines.append(f"{name:<{width}}  {self.mean[k]:+z.4f} {margin}  {seats}  wins {self.win_rate[k]:.1%}")
            if self.rates and self.rates[k]:
                known = {what: x for what, x in self.rates[k].items() if not math.isnan(x)}  # others never came up
                lines.append(" " * width + "  " + ", ".join(f"{what} {x:.3g}" for what, x in known.items()))
        return "\n".join(lines)

    def __repr__(self) -> str:
        told = (f"{n} {x:+z.4f} {told_margin((i[1] - i[0]) / 2)}" for n, x, i in zip(*self[:3], strict=True))
        return f"MatchResult({', '.join(told)}, {self.games:,} games)"

    def _repr_html_(self) -> str:
        rows = []
        for k, name in enumerate(self.names):
            low, high = self.interval[k]
            seats = [f"{x:+z.4f}" for x in self.by_seat[k]]
            ends = f"{low:+z.4f} to {high:+z.4f}" if math.isfinite(high - low) else "too few deals, all alike"
            rows.append((name, f"{self.mean[k]:+z.4f}", ends, *seats, f"{self.win_rate[k]:.1%}"))
        headers = ["bot", "a game", "95 % interval", *(f"seat {p}" for p in range(len(self.names))), "wins"]
        return table_of(headers, rows, caption=f"{self.deals:,} deals, {self.games:,} games, seed {self.seed}")

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


def match(
    game: GameLike, bots: Sequence[Any], *, deals: int = 10_000, seed: int = 0, meter: Meter | None = None,
    watch: Callable[[int], None] | None = None,
) -> MatchResult:  # fmt: skip
    """Play bots against each other, one for each player: strategies, compiled bots, bots in plain Python, or names.

    A name is what `ruse match` takes: a bot of the game ("random"), a strategy file, a run, or "last".

    The meter counts what they do; without one the game's own is taken, if it has any. `watch` is told now and then how
    many deals have been played.
    """
    game, deals, seed = as_game(game), count_of("deals", deals, least=2), seed_of(seed)
    refuse_uncallable(watch)
    refuse_unlisted(bots, game)
    if len(bots) != game.players:
        raise RuseError(f"{named(game)} takes {game.players} bots, got {len(bots)}")
    names = [bot if is_a(bot, str) else None for bot in bots]
    bots = [as_bot(bot, game) for bot in bots]
    for bot in bots:
        if is_a(bot, Strategy):
            bot.refuse_other(game)
    seats = [seated(game, playing(bot) if is_a(bot, Strategy) else bot) for bot in bots]
    tell, meter = watch or (lambda played: None), meter_for(game) if meter is None else checked_meter(meter)
    tally = Tally.start(game.players, meter.counted)
    if all(map(is_quick, seats)):
        table, promised, strange = at_table(seats), promised_sum(game), strangers(seats)
        play = looked_at(play_deals, strange)
        for first, last in Pace().pieces(0, deals):
            with held_back(), Blame(*strange):  # or what has just been played would not be told
                deal, rotation, why = play(game, game.start(), table, meter, tally, promised, seed, first, last)
                if why == ENDED:
                    tell(last)
            if why != ENDED:
                refuse_game(game, seats, why, seed=seed, deal=deal, rotation=rotation)
    else:
        tables = rotations(seats, game.players)
        for deal in range(deals):
            for rotation, sitting in enumerate(tables):
                payoffs = play_one(
                    game, sitting, seed=seed, deal=deal, rotation=rotation, meter=meter, notes=tally.notes
                )
                tally.add(np.array(payoffs), rotation)
            tally.close_deal()
            tell(deal + 1)
    called = tuple(name or name_of(bot) for name, bot in zip(names, bots, strict=True))
    return _result(tally, meter, called, deals, seed)


class Tally(NamedTuple):
    """Sums over the deals of a match."""

    now: np.ndarray  # [bot] payoff of the open deal so far
    total: np.ndarray  # [bot] sum over deals of the mean payoff of a deal
    square: np.ndarray  # [bot] sum of its square
    seat: np.ndarray  # [bot, seat]
    wins: np.ndarray  # [bot]
    notes: np.ndarray  # [bot, what the meter counts]

    @classmethod
    def start(cls, players: int, counted: int) -> "Tally":
        now, total, square, wins = (np.zeros(players) for _ in range(4))
        return cls(now, total, square, np.zeros((players, players)), wins, np.zeros((players, counted)))

    def add(self, payoffs: np.ndarray, rotation: int) -> None:
        """Book one game; seat p is taken by bot (p + rotation) mod players."""
        count_game(self, payoffs, rotation)

    def close_deal(self) -> None:
        count_deal(self)


def _result(tally: Tally, meter: Meter, names: tuple[str, ...], deals: int, seed: int) -> MatchResult:
    players = len(names)
    games = deals * players
    mean = tally.total / deals
    variance = np.maximum(tally.square / deals - mean**2, 0.0) * deals / (deals - 1)
    margin = student(deals - 1) * np.sqrt(variance / deals)
    margin[[is_untold(deals, *one) for one in zip(np.sqrt(variance), mean, strict=True)]] = math.inf
    rate = tally.wins / games
    return MatchResult(
        names,
        tuple(mean.tolist()),
        tuple(zip((mean - margin).tolist(), (mean + margin).tolist(), strict=True)),
        tuple(tuple(row) for row in (tally.seat / deals).tolist()),
        tuple(rate.tolist()),
        tuple(wilson(float(r), games) for r in rate),
        deals,
        games,
        seed,
        tuple(meter.rates(notes, games) for notes in tally.notes),
    )


def wilson(rate: float, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share of n trials."""
    centre = (rate + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    margin = Z95 * math.sqrt(rate * (1 - rate) / n + Z95**2 / (4 * n * n)) / (1 + Z95**2 / n)
    return centre - margin, centre + margin


# ---- compiled play ---------------------------------------------------------------------------------------------------


def refuse_game(game: Game, seats: Sequence[Any], why: int, *, seed: int, deal: int, rotation: int = 0) -> None:
    """Raise because this game stopped before its end; it is played again in plain Python to see who is to blame."""
    if why == ENDLESS:
        raise endless(game)
    play_one(game, seats, seed=seed, deal=deal, rotation=rotation)
    if why == BROKEN:
        raise unlawful(game, f"the rules break a law in deal {deal}, but only when compiled")
    names = ", ".join(name_of(seat.bot) for seat in seats)
    raise RuseError(f"one of {names} chose what is no action in deal {deal}, but only when compiled; run `ruse check`")


def misfitting(game: Game) -> RuseError:
    """What to raise if somebody who plays by a strategy chose what is no action."""
    return RuseError(f"the strategy does not fit {named(game)}: an infoset has another number of actions")


@kernel
def play_deals(game, start, table, meter, tally, promised, seed, first, last):
    """Play these deals; return the deal and the rotation of the game at which it stopped, and why it did."""
    players = len(tally.total)
    s = start.copy()
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    payoffs = np.zeros(players)
    for deal in range(first, last):
        for rotation in range(players):
            for c in range(len(s)):
                s[c] = start[c]
            open_streams(luck, choice, seed, deal, rotation)
            why = play_out(game, s, table, meter, tally.notes, rotation, players, luck, choice)
            if why == ENDED and not settled(game, s, promised, payoffs):
                why = BROKEN
            if why != ENDED:
                return deal, rotation, why
            count_game(tally, payoffs, rotation)
        count_deal(tally)
    return last, 0, ENDED


@compiled_function
def play_out(game, s, table, meter, notes, rotation, players, luck, choice):
    """Play to the end from the row s; seat p is taken by bot (p + rotation) mod players.

    How it stopped: a bot may have chosen what is no action, and the rules may break a law.
    """
    table.begin()
    first = (players - rotation) % players  # where the first bot sits
    player = game.player(s)
    if player != CHANCE:
        table.look_on_all(game, s, first, players)
    moves = 0
    while player != OVER:
        n = game.num_actions(s)
        if n < 1 or player < OVER or player >= players:
            return BROKEN
        if moves == LONGEST:
            return ENDLESS
        moves += 1
        if player == CHANCE:
            outcome = drawn(game, s, n, uniform(luck))
            if outcome < 0:
                return BROKEN
            game.apply(s, outcome)
        else:
            bot = (player + rotation) % players
            answer = table.answer_for(bot, game, s, player, n, uniform(choice))
            a = int(answer)
            if a != answer or a < 0 or a >= n:
                return NO_ACTION
            meter.note(game, s, a, notes, bot)
            game.apply(s, a)
        player = game.player(s)
        if player != CHANCE:
            table.look_on_all(game, s, first, players)
    return ENDED


@compiled_function
def open_streams(luck, choice, seed, deal, rotation):
    """Chance has one stream a deal, the bots one a game; no two seeds share one, nor does a training have any of them.

    Iteration t of a sampled training draws from stream t of its seed: a match of the same seed would be of the very
    deals that were learned by heart.
    """
    stream(luck, mix(seed, 0), 2 * deal)
    stream(choice, mix(seed, 1 + rotation), 2 * deal + 1)


@compiled_function
def count_game(tally, payoffs, rotation):
    players = len(payoffs)
    for p in range(players):
        bot = (p + rotation) % players
        tally.now[bot] += payoffs[p] / players
        tally.seat[bot, p] += payoffs[p]
        tally.wins[bot] += 1.0 if payoffs[p] > 0.0 else 0.5 if payoffs[p] == 0.0 else 0.0


@compiled_function
def count_deal(tally):
    for b in range(len(tally.now)):
        tally.total[b] += tally.now[b]
        tally.square[b] += tally.now[b] ** 2
        tally.now[b] = 0.0


# ---- play in plain Python --------------------------------------------------------------------------------------------


@kernel
def next_uniform(state):
    return uniform(state)


@kernel
def start_streams(luck, choice, seed, deal, rotation):
    open_streams(luck, choice, seed, deal, rotation)


def play_one(
    game: Game,
    seats: Sequence[Any],
    *,
    seed: int,
    deal: int,
    rotation: int,
    meter: Meter = SILENT,
    notes: np.ndarray = NOTHING,
) -> list[float]:
    """One game with the same cards and the same random numbers as the compiled match; payoffs by player."""
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    start_streams(luck, choice, seed, deal, rotation)
    for seat in seats:
        seat.sit_down()
    state, moves = State.of(game), list[int]()
    while True:
        refuse_broken(state, moves)
        if not state.is_chance:
            show_all(seats, state, rotation)
        if state.is_over:
            return state.payoffs
        if state.is_chance:
            a = int(drawn(game, state.row, state.num_actions, next_uniform(luck)))
        else:
            who = (state.player + rotation) % game.players
            a = answer_of(seats[who], state, next_uniform(choice))
            meter.note(game, state.row, a, notes, who)
        state = state.stepped(a)
        moves.append(a)
