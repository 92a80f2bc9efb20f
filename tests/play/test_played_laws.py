"""Games that are played out, compiled or not, tell of a broken law; they neither average it nor hang."""

import math
import os
import signal
import sys
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from faulty_game import CHANCES, ENDLESS, INFINITE, NEGATIVE, NOBODY, PAYOFFS, STRANGER, STUCK, UNKNOWN, Guess
from strategies import lopsided

import ruse
from ruse.evaluate import lower_bound
from ruse.evaluate.against_bot import AgainstBot
from ruse.play.bots.bot import RandomBot, Seat, StrategyBot
from ruse.play.pieces import Pace
from ruse.play.session import Person, Session
from ruse.protocol.choices import AsItIs
from ruse.protocol.guards.breaches import Unlawful
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.wrapped import Wrapped
from ruse.strategy import Strategy
from ruse.styles.sample import Sample

LAWS = [
    (PAYOFFS, r"after \w+, \w+, \w+ the payoffs \[.*\] add up to -?2, not to payoff_sum = 0"),
    (CHANCES, r"after the start the chances are \[0\.3, 0\.3, 0\.3\], which must be at least 0 and add to 1"),
    (NEGATIVE, r"after the start the chances are \[-1\.0, 1\.0, 1\.0\], which must be at least 0"),
    (STRANGER, r"after \w+, \w+ player\(\) says 7; there are players 0 to 1"),
    (NOBODY, r"after \w+, \w+ player\(\) says -9; there are players 0 to 1"),
    (STUCK, r"after \w+, \w+ player 1 has no action"),
    (INFINITE, r"after \w+, \w+, \w+ the payoffs are \[-inf, inf\], which must be finite"),
    (UNKNOWN, r"after \w+, \w+, \w+ the payoffs are \[nan, nan\], which must be finite"),
    (ENDLESS, r"has not ended after 100,000 moves; limit its length"),
]
every_law = pytest.mark.parametrize(("fault", "words"), LAWS)


class First(NamedTuple):
    """In plain Python: the first action."""

    nothing: int = 0

    def act(self, seat: Seat) -> int:
        return 0


@every_law
def test_a_compiled_match(fault: int, words: str) -> None:
    with pytest.raises(Unlawful, match=words):
        ruse.match(Guess(fault), [RandomBot()] * 2, deals=100)


@every_law
def test_a_match_in_plain_python(fault: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.play.lawful.LONGEST", 1_000)
    with pytest.raises(Unlawful, match=words):
        ruse.match(Guess(fault), [First(), RandomBot()], deals=50)


@every_law
def test_a_sample(fault: int, words: str) -> None:
    with pytest.raises(Unlawful, match=words):
        Sample(Strategy.uniform(Guess(fault)), deals=50)


@every_law
def test_the_games_of_a_lower_bound(fault: int, words: str) -> None:
    bot = StrategyBot.of(Strategy.uniform(Guess(fault)))
    with pytest.raises(Unlawful, match=words):
        lower_bound.gain_of(Guess(fault), 0, bot, bot, 50, 0)


@every_law
def test_a_person_at_the_table(fault: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.play.lawful.LONGEST", 100)  # or the history is copied again and again

    def play() -> None:
        for deal in range(20):
            mine = deal % 2
            seats = [Person() if p == mine else RandomBot() for p in range(2)]
            session = Session.start(Guess(fault), seats, deal=deal)
            while not session.is_over:
                session.act(mine, 0)

    with pytest.raises(Unlawful, match=words):
        play()


def test_lawful_games_are_played() -> None:
    result = ruse.match(Guess(), [RandomBot()] * 2, deals=100)
    assert sum(result.mean) == 0.0
    assert ruse.match(Guess(), [First(), First()], deals=2).mean == (0.0, 0.0)


def test_deals_are_played_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between which Ctrl-C is heard; the result is the same."""
    strategy = Strategy.uniform(Guess())
    bot = StrategyBot.of(strategy)

    def played() -> list[Any]:
        watched = Sample(strategy, deals=100, seed=3)
        return [
            ruse.match(Guess(), [RandomBot()] * 2, deals=100, seed=3),
            lower_bound.gain_of(Guess(), 1, StrategyBot.of(lopsided(Guess(), 1)), bot, 100, 3),
            watched.payoff.tolist(), watched.diary.rows[: watched.diary.used].tolist(),
        ]  # fmt: skip

    whole = played()
    assert whole[1][0] != 0.0
    monkeypatch.setattr("ruse.play.pieces.SECONDS", 0.0)  # so each piece is one deal
    assert played() == whole
    told: list[int] = []
    ruse.match(Guess(), [RandomBot()] * 2, deals=5, seed=3, watch=told.append)
    assert told == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("pause", [1e-7, 4e-3, 0.3])
def test_pieces_are_cut_by_time(pause: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of slow games a piece is short, of quick ones there are few."""
    now, end = 0.0, min(100_000, round(20.0 / pause))
    monkeypatch.setattr("ruse.play.pieces.perf_counter", lambda: now)
    found = []
    for first, last in Pace().pieces(0, end):
        found.append((first, last))
        now += (last - first) * pause
    assert found[0][0] == 0
    assert found[-1][1] == end
    assert all(before[1] == after[0] for before, after in pairwise(found))
    assert max(last - first for first, last in found) * pause <= max(pause, 0.11)
    assert len(found) <= 8 + min(end, end * pause / 0.09)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_in_a_kernel_is_told_after_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[ruse.match.__module__]
    whole, played, told = module.play_deals, 0, [0]

    def pressed(*words: Any) -> Any:
        nonlocal played
        found = whole(*words)
        played = words[-1]
        if played > 1:
            signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(module, "play_deals", pressed)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ruse.match(Guess(), [RandomBot()] * 2, deals=100_000, watch=told.append)
    finally:
        signal.signal(signal.SIGINT, before)
    assert 1 < played < 100_000
    assert told[-1] == played


class Dice(NamedTuple):
    """Chances."""

    shares: tuple[float, ...]

    def chance(self, s: Any, a: int) -> float:
        return self.shares[a]


@pytest.mark.parametrize(
    ("shares", "u", "outcome"),
    [
        ((0.25, 0.75), 0.2, 0),
        ((0.25, 0.75), 0.25, 1),
        ((0.25, 0.75), 1.0 - 2**-53, 1),
        ((1 / 3, 1 / 3, 1 / 3), 1.0 - 2**-53, 2),
        ((0.0, 1.0), 0.0, 1),
        ((0.25, 0.25), 0.2, 0),  # the rest is not looked at
        ((0.25, 0.25), 0.3, -1),
        ((0.5, 0.9), 0.6, -1),
        ((1.5, 0.0), 0.1, -1),
        ((-0.5, 1.5), 0.1, -1),
        ((math.nan, 1.0), 0.1, -1),
        ((1.0, math.nan), 0.1, 0),
        ((math.inf, 0.0), 0.1, -1),
        ((0.5, -math.inf), 0.7, -1),
        ((), 0.5, -1),
    ],
)
def test_an_outcome_is_drawn_or_the_chances_are_wrong(shares: tuple[float, ...], u: float, outcome: int) -> None:
    assert drawn(Dice(shares), np.zeros(1), len(shares), u) == outcome


class Alone(NamedTuple):
    """A game in which player 0 has every turn, for ever."""

    stake: int = 1

    players = 2

    def start(self) -> Any:
        return np.zeros(1, np.int64)

    def player(self, s: Any) -> int:
        return 0

    def num_actions(self, s: Any) -> int:
        return 1

    def apply(self, s: Any, a: int) -> None:
        s[0] += 1

    def observation_size(self) -> int:
        return 1

    def observe(self, s: Any, player: int, out: Any) -> None:
        out[0] = s[0]


class Patient(NamedTuple):
    """Watches, and takes the only action that there is."""

    nothing: int = 0

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None: ...

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return 0


def test_a_bot_that_has_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its turns are part of one move of the learner's game, and no walk counts them."""
    monkeypatch.setattr("ruse.evaluate.against_bot.LONGEST", 1_000)
    facing = Wrapped(Alone(), AgainstBot(AsItIs(ruse.Full()), Patient(), 1.0, 2, 0, np.zeros(4, np.int64)), 1)
    s = facing.start()
    for a in (0, 0, 0, 0):  # the seat of the bot, and its number
        facing.apply(s, a)
    facing.apply(s, 0)
    with pytest.raises(Unlawful, match="has not ended after 100,000 moves"):
        facing.twist.refuse_strange(Alone())
    facing.apply(s, 0)  # from now on it is one turn at a time
    assert s[0] == 1_001
