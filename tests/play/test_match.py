"""Matches: no bias, honest errors, nothing seen that is hidden, and two ways to play that agree to the bit."""

import math
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats
from strategies import lopsided

import ruse
from ruse.compile import kernel
from ruse.compile.rng import stream
from ruse.errors import RuseError
from ruse.play.bots.bot import Seat, StrategyBot, playing
from ruse.play.match import MatchResult, next_uniform, open_streams, play_one, start_streams, wilson
from ruse.play.seats import rotations, seated, veiled
from ruse.strategy import Strategy

KUHN, KUHN3, LEDUC = ruse.Kuhn(), ruse.Kuhn(players=3), ruse.Leduc()


def strategies(game: ruse.Game) -> list[Strategy]:
    return [lopsided(game, seed) for seed in range(game.players)]


def exactly(game: ruse.Game, bots: list[Strategy]) -> np.ndarray:
    """[bot, seat] the expected payoff, each bot taking each seat in turn."""
    players = game.players
    table = np.zeros((players, players))
    for rotation in range(players):
        seated = [(seat + rotation) % players for seat in range(players)]
        values = ruse.expected_values(game, [bots[bot] for bot in seated])
        table[seated, range(players)] = values
    return table


def errors(result: MatchResult) -> np.ndarray:
    """The standard error of each bot's mean."""
    return np.array([(high - low) / 2 / 1.959963984540054 for low, high in result.interval])


# ---- the numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [LEDUC, KUHN3], ids=["leduc", "kuhn3"])
def test_unbiased(game: ruse.Game) -> None:
    bots = strategies(game)
    result, truth = ruse.match(game, bots, deals=100_000, seed=1), exactly(game, bots)
    assert np.all(errors(result) < 0.02)
    assert np.all(np.abs(result.mean - truth.mean(axis=1)) < 4 * errors(result)), (result.mean, truth)
    # Each seat has a share of the games; payoffs reach from -13 to 13 at most, and spread far less.
    assert np.abs(np.array(result.by_seat) - truth).max() < 0.06
    assert result.mean == pytest.approx(np.mean(result.by_seat, axis=1), abs=1e-9)
    assert sum(result.mean) == pytest.approx(0, abs=1e-9)
    assert (result.deals, result.games) == (100_000, 100_000 * game.players)
    if game.players == 2:
        assert sum(result.win_rate) == pytest.approx(1)


def test_the_interval_covers_the_truth() -> None:
    """In 95 % of 1,000 matches: binomially distributed, 4 standard deviations are 27.6."""
    bots = strategies(KUHN)
    truth = exactly(KUHN, bots).mean(axis=1)[0]
    covered = 0
    for seed in range(1_000):
        low, high = ruse.match(KUHN, bots, deals=100, seed=seed).interval[0]
        covered += low <= truth <= high
    assert 922 <= covered <= 978


@pytest.mark.parametrize("deals", [2, 3, 5, 20])
def test_few_deals_have_the_interval_of_student(deals: int) -> None:
    bots = strategies(KUHN)
    seats = [seated(KUHN, playing(bot)) for bot in bots]
    tables = rotations(seats, 2)
    both = [[play_one(KUHN, tables[k], seed=3, deal=d, rotation=k)[k] for k in range(2)] for d in range(deals)]
    each = np.mean(both, axis=1)
    result = ruse.match(KUHN, bots, deals=deals, seed=3)
    assert each.std() > 0
    assert result.interval[0] == pytest.approx(stats.t.interval(0.95, deals - 1, each.mean(), stats.sem(each)))


def test_a_win_counts_one_and_a_draw_one_half() -> None:
    """A pure strategy against itself: one seat wins each game, so each bot wins half of them."""
    game = ruse.matching_pennies()
    pure = lopsided(game, 0, pure=True)
    result = ruse.match(game, [pure, pure], deals=2)
    assert result.win_rate == (0.5, 0.5)
    assert result.by_seat[0] in ((1.0, -1.0), (-1.0, 1.0))
    assert result.mean == (0.0, 0.0)
    nothing = ruse.matrix([[0, 0], [0, 0]])
    assert ruse.match(nothing, [lopsided(nothing)] * 2, deals=2).win_rate == (0.5, 0.5)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    """Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3."""
    assert wilson(wins / games, games) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    mirrored = wilson(1 - wins / games, games)
    assert mirrored == (pytest.approx(1 - high, abs=5e-5), pytest.approx(1 - low, abs=5e-5))


def test_mirrored_deals_reduce_the_variance() -> None:
    """The same cards for both sides cancel luck: half the variance of as many games with cards of their own."""
    seats = [seated(KUHN, StrategyBot.of(strategy)) for strategy in strategies(KUHN)]
    deals = 1_000
    games = np.array(
        [
            [play_one(KUHN, seats, seed=0, deal=deal, rotation=rotation)[rotation] for rotation in range(2)]
            for deal in range(deals)
        ]
    )  # [deal, rotation] payoff of the first bot
    mirrored = games.mean(axis=1).var()
    unmirrored = np.stack([games[:-1, 0], games[1:, 1]]).mean(axis=0).var()
    assert mirrored < 0.6 * unmirrored


# ---- the same again --------------------------------------------------------------------------------------------------


def test_same_seed_same_result() -> None:
    bots = strategies(KUHN)
    results = [ruse.match(KUHN, bots, deals=500, seed=seed) for seed in (3, 3, 4, 5)]
    assert results[0] == results[1]
    assert len({result.mean for result in results}) == 3


def test_no_two_games_share_their_random_numbers() -> None:
    """Neither two games of a match nor those of two seeds; the rotations of a deal share its cards, and only those."""
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    cards, choices = set(), set()
    for seed in range(20):
        for deal in range(20):
            for rotation in range(3):
                start_streams(luck, choice, seed, deal, rotation)
                cards.add((int(luck[0]), seed, deal))
                choices.add(int(choice[0]))
    assert len(cards) == len({state for state, _, _ in cards}) == 20 * 20
    assert len(choices) == 20 * 20 * 3
    assert not choices & {state for state, _, _ in cards}


class Uniformly:
    """Plays like RandomBot, in plain Python."""

    def act(self, seat: Seat) -> int:
        return int(seat.u * len(seat.actions))


class Following:
    """Plays a strategy, in plain Python and from the infosets' names alone."""

    def __init__(self, strategy: Strategy) -> None:
        self.plays = {(choice.player, choice.name): choice.actions for choice in strategy}

    def act(self, seat: Seat) -> int:
        u = seat.u
        shares = self.plays[seat.player, seat.description]
        for number, action in enumerate(seat.actions):
            u -= shares[action]
            if u < 0:
                return number
        raise AssertionError("the shares do not add up")


def numbers(result: MatchResult) -> tuple[object, ...]:
    return result[1:]  # all but the names


@pytest.mark.usefixtures("unveiled")
def test_plain_python_and_compiled_bots_agree_to_the_bit() -> None:
    strategy = lopsided(KUHN, 5)
    compiled = ruse.match(KUHN, [strategy, ruse.RandomBot()], deals=300, seed=2)
    assert compiled.names == ("strategy", "random")
    for bots in (
        [Following(strategy), Uniformly()],
        [Following(strategy), ruse.RandomBot()],
        [strategy, Uniformly()],
    ):
        assert numbers(ruse.match(KUHN, bots, deals=300, seed=2)) == numbers(compiled)
    assert ruse.match(KUHN, [strategy, Uniformly()], deals=2).names == ("strategy", "Uniformly")


@pytest.mark.usefixtures("unveiled")
def test_leduc_in_plain_python_too() -> None:
    bots = strategies(LEDUC)
    compiled = ruse.match(LEDUC, bots, deals=60, seed=9)
    plain = ruse.match(LEDUC, [Following(bots[0]), bots[1]], deals=60, seed=9)
    assert numbers(plain) == numbers(compiled)


def test_printing() -> None:
    run = ruse.train(KUHN, ruse.cfr(), iterations=10)
    result = ruse.match(KUHN, [run.strategy, lopsided(KUHN)], deals=50, seed=3)
    head, first, second = str(result).splitlines()
    assert head == "50 deals, 100 games, seed 3"
    assert first.startswith(f"cfr       {result.mean[0]:+.4f} +- ")
    assert second.startswith("strategy  ")
    assert result.as_dict()["mean"] == result.mean
    assert result.win_interval == tuple(wilson(rate, 100) for rate in result.win_rate)


# ---- what a bot sees -------------------------------------------------------------------------------------------------


class Spy:
    """Plays at random and remembers all that it is told."""

    def __init__(self) -> None:
        self.seats: list[Seat] = []

    def __deepcopy__(self, memo: object) -> "Spy":
        """One list for all seats: a test is to see everything."""
        return self

    def act(self, seat: Seat) -> int:
        self.seats.append(seat)
        return int(seat.u * len(seat.actions))


def test_a_bot_never_sees_what_is_hidden() -> None:
    spy = Spy()
    ruse.match(KUHN3, [spy, spy, spy], deals=150, seed=0)
    keys: dict[tuple[int, str], set[int]] = {}
    for seat in spy.seats:
        assert [type(part) for part in seat] == [int, str, list, int, float]  # nothing that leads to the state
        card, _, moves = seat.description.partition(", ")
        assert card in ("T", "J", "Q", "K")
        assert {*moves.split(), *seat.actions} <= {"pass", "bet"}  # no other card
        assert 0 <= seat.u < 1
        keys.setdefault((seat.player, seat.description), set()).add(seat.key)
    assert len(keys) == 48  # all infosets of three-player Kuhn poker
    assert all(len(own) == 1 for own in keys.values())  # the key tells no more than the description
    assert len(set.union(*keys.values())) == 48


def test_a_bot_is_told_the_key_of_its_infoset() -> None:
    spy = Spy()
    ruse.match(KUHN, [spy, spy], deals=60, seed=0)
    strategy = lopsided(KUHN)
    for seat in spy.seats:
        shares = strategy.probabilities(seat.key, 2).tolist()
        assert dict(zip(seat.actions, shares, strict=True)) == strategy[seat.description]


# ---- bots ------------------------------------------------------------------------------------------------------------


def bot_with(shares: list[float]) -> StrategyBot:
    strategy = Strategy(KUHN, np.array([7], np.uint64), np.array([0, len(shares)]), np.array(shares))
    return StrategyBot.of(strategy)


def test_a_strategy_bot_plays_its_probabilities() -> None:
    shares = [0.125, 0.0, 0.375, 0.5, 0.0]
    bot, n = bot_with(shares), 20_000
    counts = [0] * 5
    for u in np.random.default_rng(1).random(n):
        counts[bot.choose(7, 5, float(u))] += 1
    assert counts[1] == counts[4] == 0
    chi_square = sum(
        (count - n * share) ** 2 / (n * share) for count, share in zip(counts, shares, strict=True) if share
    )
    assert chi_square < 18.42  # two degrees of freedom: one in 10,000


def test_a_strategy_bot_plays_uniformly_where_it_knows_nothing() -> None:
    bot = bot_with([1.0, 0.0])
    assert [bot.choose(8, 4, u / 8) for u in range(8)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [ruse.RandomBot().choose(8, 4, u / 8) for u in range(8)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert StrategyBot.of(Strategy.uniform(KUHN)).choose(8, 3, 0.999) == 2


@given(st.lists(st.integers(0, 9) | st.just(0), min_size=1, max_size=6).filter(any), st.floats(0, 1, exclude_max=True))
@example([1] * 6, math.nextafter(1, 0))
@example([9, 1, 0], math.nextafter(1, 0))
@example([1] * 10 + [0, 0], math.nextafter(1, 0))  # ten tenths are less than one, and the last two are never played
@example([0, 3, 3, 3], 0.0)
@settings(max_examples=300, deadline=None)
def test_a_strategy_bot_inverts_the_distribution(weights: list[int], u: float) -> None:
    shares = [weight / sum(weights) for weight in weights]
    chosen = bot_with(shares).choose(7, len(shares), u)
    assert shares[chosen] > 0
    below = sum(map(Fraction, shares[:chosen]), Fraction(0))
    slack = Fraction(1, 10**12)  # rounding
    assert below - slack <= Fraction(u) <= below + Fraction(shares[chosen]) + slack


# ---- refusals --------------------------------------------------------------------------------------------------------


class Wild(NamedTuple):
    """Chooses an action that there is not."""

    action: int

    def act(self, seat: Seat) -> int:
        return self.action


@pytest.mark.parametrize(
    ("bots", "deals", "words"),
    [
        ([ruse.RandomBot()], 10, r"^Kuhn\(.*\) takes 2 bots, got 1$"),
        ([ruse.RandomBot()] * 3, 10, r"^Kuhn\(.*\) takes 2 bots, got 3$"),
        ([ruse.RandomBot()] * 2, 1, "^deals must be at least 2, got 1$"),
        ([ruse.RandomBot()] * 2, 0, "^deals must be at least 2, got 0$"),
        ([ruse.RandomBot(), Strategy.uniform(LEDUC)], 10, r"^the strategy is for Leduc\(.*\), not for Kuhn\(.*\)$"),
        ([Wild(2), Wild(0)], 10, "^Wild chose 2 as player 0; an action is a whole number from 0 to 1 here$"),
        ([Wild(0), Wild(-1)], 10, "^Wild chose -1 as player 1; an action is a whole number from 0 to 1 here$"),
    ],
)
def test_refusals(bots: list[object], deals: int, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.match(KUHN, bots, deals=deals)


class Remembering:
    """Remembers its cards of all games: in a deal that it met before, the other one would hold one of them."""

    games: ClassVar[list[list[tuple[int, str]]]] = []

    def __init__(self) -> None:
        self.met: list[tuple[int, str]] = []
        self.games.append(self.met)

    def __deepcopy__(self, memo: object) -> "Remembering":
        return type(self)()

    def act(self, seat: Seat) -> int:
        self.met.append((seat.player, seat.description))
        return 0


def test_a_bot_that_remembers_meets_no_deal_again() -> None:
    """Each rotation of the seats has a bot of its own; once it knew the other's card in every second game."""
    Remembering.games.clear()
    ruse.match(KUHN, [Remembering(), ruse.RandomBot()], deals=40, seed=1)
    played = [met for met in Remembering.games if met]
    assert len(played) == 2
    assert [{player for player, _ in met} for met in played] == [{0}, {1}]


def test_a_bot_that_cannot_be_copied_is_told() -> None:
    class Locked(Spy):
        def __deepcopy__(self, memo: object) -> "Spy":
            raise TypeError("it holds a lock")

    with pytest.raises(RuseError, match=r"cannot be copied \(TypeError: it holds a lock\).*__deepcopy__"):
        ruse.match(KUHN, [Locked(), ruse.RandomBot()], deals=2)


def test_random_numbers_of_plain_bots_lead_nowhere() -> None:
    """They were the raw output of the generator that deals the cards, from which its seed can be told."""
    spy = Spy()
    ruse.match(KUHN, [spy, ruse.RandomBot()], deals=2, seed=5)
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    raw = set()
    for deal in range(2):
        for rotation in range(2):
            start_streams(luck, choice, 5, deal, rotation)
            raw |= {float(next_uniform(choice)) for _ in range(6)}
    assert spy.seats
    assert not raw & {seat.u for seat in spy.seats}
    many = [veiled(u) for u in np.random.default_rng(0).random(20_000)]
    assert 0.0 <= min(many) < 0.001
    assert 0.999 < max(many) < 1.0
    assert abs(np.mean(many) - 0.5) < 0.01


@kernel
def first_numbers(seeds, numbers):
    """The states with which the streams of trainings and of matches begin."""
    state, other = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    trained, dealt = np.zeros((seeds, numbers), np.uint64), np.zeros((seeds, numbers, 2), np.uint64)
    for seed in range(seeds):
        for n in range(numbers):
            stream(state, seed, n)
            trained[seed, n] = state[0]
            open_streams(state, other, seed, n, 0)
            dealt[seed, n, 0], dealt[seed, n, 1] = state[0], other[0]
    return trained, dealt


def test_a_match_is_not_of_the_deals_of_a_training() -> None:
    """Iteration t of a sampled training draws from stream t of its seed, and both seeds are 0 where none is given."""
    trained, dealt = (set(states.ravel().tolist()) for states in first_numbers(3, 1_000))
    assert (len(trained), len(dealt)) == (3_000, 6_000)
    assert not trained & dealt
