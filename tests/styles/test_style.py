"""Style in numbers: what is meant by a text, and what is measured, against a slow recursion and known values."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from naive_play import every_history, frequency, payoff_moments
from places import ROOT
from random_games import random_game
from strategies import lopsided

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.bots import CheatMeter
from ruse.protocol.decisions import Asked, asked, is_said, told_first
from ruse.protocol.view import infoset_key
from ruse.strategy import Strategy
from ruse.styles import metrics as style
from ruse.styles.metrics import rates_of, usual_metrics, watch
from ruse.styles.sample import Sample, ratio_of
from ruse.tree.measure.size import TooLarge

KUHN, KUHN3, LEDUC = ruse.Kuhn(), ruse.Kuhn(players=3), ruse.Leduc()
DICE, CHEAT = ruse.LiarsDice(sides=3), ruse.Cheat(hp=1)
COIN = ruse.game(str(ROOT / "examples" / "coin_toss.py"))

Means = Callable[[ruse.State, str, int], bool]


def plays_of(strategy: Strategy) -> Callable[[ruse.State], Sequence[float]]:
    """What the strategy plays at a state."""

    def plays(state: ruse.State) -> Sequence[float]:
        key = int(infoset_key(state.game, strategy.view, state.row)) & 0xFFFFFFFFFFFFFFFF
        return strategy.probabilities(key, len(state.actions)).tolist()

    return plays


# ---- what a text means -----------------------------------------------------------------------------------------------


def test_reading() -> None:
    assert asked("bet", 2) == Asked("bet")
    assert asked(" bet ,  Player 1, FIRST", 2) == Asked("bet", 1, True)
    assert asked("call, player 0, with K, first, pass bet", 2) == Asked("call", 0, True, ("K",), ("pass bet",))
    for text in ("bet", "bet, player 0", "bet, player 0, with K, pass bet, first"):
        assert str(asked(text, 2)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot read ''"),
        ("bet,", "cannot read 'bet,'"),
        (", player 0", "cannot read ', player 0'"),
        ("bet, player 2", "no player 2 in 'bet, player 2'; there are 0 to 1"),
        ("bet, player 0, player 1", "names two players"),
        ("bett", "no action 'bett' in Kuhn.*; there is pass, bet, open, check, call, fold"),
        ("bet, with A", "'bet, with A' fits no decision of Kuhn.*; descriptions are like 'J' and 'J, pass bet'"),
        ("variance", "say whose variance, as in 'variance, player 0'"),
    ],
)
def test_bad_texts(text: str, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.metric(KUHN, text).of(Strategy.uniform(KUHN))


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        ("K", "Ks, no board", True),
        ("ks", "Ks, no board", True),
        ("Kh", "Ks, no board", False),
        ("no board", "Ks, no board", True),
        ("board", "Ks, no board, raise", True),
        ("rais", "Ks, no board, raise", False),  # whole words
        ("board raise", "Ks, no board, raise", True),
        ("no raise", "Ks, no board, raise", False),  # one after the other
    ],
)
def test_saying(words: str, text: str, said: bool) -> None:
    assert is_said(words, text) is said


def test_with_means_the_own_cards() -> None:
    assert asked("call, with K", 2).has([told_first("Kh, board Js, call call /")])
    assert not asked("call, with K", 2).has([told_first("Jh, board Ks, call call /")])
    assert asked("call, board K", 2).hears("Jh, board Ks, call call /")
    assert asked("lie, with 3", 2).has([told_first("A 3 | rank A, cards 2-2")])


# ---- exact, against the recursion ------------------------------------------------------------------------------------

TEXTS: list[tuple[ruse.Game, str, Means]] = [
    (KUHN, "bet", lambda s, a, before: a == "bet"),
    (KUHN, "pass, player 1", lambda s, a, before: a == "pass" and s.player == 1),
    (KUHN, "bet, player 0, first", lambda s, a, before: a == "bet" and s.player == 0 and before == 0),
    (KUHN, "bet, pass bet", lambda s, a, before: a == "bet" and "pass bet" in s.describe(s.player)),
    (KUHN, "call, with Q", lambda s, a, before: a == "bet" and s.describe(s.player) in ("Q, bet", "Q, pass bet")),
    (KUHN3, "open, player 2", lambda s, a, before: a == "bet" and s.player == 2 and "bet" not in s.path()),
    (KUHN3, "fold, player 1", lambda s, a, before: a == "pass" and s.player == 1 and "bet" in s.path()),
    (LEDUC, "raise, player 1, first", lambda s, a, before: a == "raise" and s.player == 1 and before == 0),
    (LEDUC, "fold, with K", lambda s, a, before: a == "fold" and s.describe(s.player)[0] == "K"),
    (LEDUC, "raise, board K", lambda s, a, before: a == "raise" and "board K" in s.describe(s.player)),
    (LEDUC, "pay", lambda s, a, before: a == "call" and "fold" in s.actions),
    (LEDUC, "check, player 0", lambda s, a, before: a == "call" and "fold" not in s.actions and s.player == 0),
    (DICE, "liar, player 0", lambda s, a, before: a == "liar" and s.player == 0),
    (DICE, "1x3, first", lambda s, a, before: a == "1x3" and before == 0),
    (COIN, "guess", lambda s, a, before: a.startswith("guess")),
    (COIN, "guess heads", lambda s, a, before: a == "guess heads"),
    (COIN, "play, with tails", lambda s, a, before: a == "play" and s.describe(0) == "tails"),
    (CHEAT, "challenge, player 1", lambda s, a, before: a == "challenge" and s.player == 1),
]  # fmt: skip


def marks(game: ruse.Game) -> Any:
    return pytest.mark.slow if game is CHEAT else ()  # its kernels take long to compile


@pytest.mark.parametrize(
    ("game", "text", "means"),
    [pytest.param(g, t, m, marks=marks(g), id=f"{type(g).__name__}: {t}") for g, t, m in TEXTS],
)
@pytest.mark.parametrize("pure", [False, True], ids=["mixed", "pure"])
def test_frequencies(game: ruse.Game, text: str, means: Means, pure: bool) -> None:
    strategy = lopsided(game, 3, pure=pure)
    truth = frequency(game, plays_of(strategy), means)
    assert ruse.metric(game, text).of(strategy) == pytest.approx(truth, abs=1e-12, nan_ok=True)
    assert ruse.metric(game, text).name == text


@pytest.mark.parametrize("seed", range(4))
def test_frequencies_in_random_games(seed: int) -> None:
    """Of every action by every player, and under strategies that never come to some decisions."""
    game = random_game(seed, players=2 + seed % 2)
    strategy = lopsided(game, seed, pure=seed % 2 == 1)
    told = ruse.style_of(strategy)
    names = [m.name for m in told if m.name.startswith("a")]
    assert len(names) > 3
    for m in told:
        if m.name in names:
            word, player = m.name.split(", player ")
            truth = frequency(game, plays_of(strategy), lambda s, a, _: a == word and s.player == int(player))  # noqa: B023
            assert m.value == pytest.approx(truth, abs=1e-12, nan_ok=True)
        assert m.interval is None


GENERAL = random_game(2, players=3, zero_sum=False)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=marks(game), id=type(game).__name__)
        for game in (KUHN, KUHN3, DICE, COIN, CHEAT, random_game(3), GENERAL)
    ],
)
def test_variance(game: ruse.Game) -> None:
    strategy = lopsided(game, 4)
    for player in range(game.players):
        mean, variance = payoff_moments(game, plays_of(strategy), player)
        assert ruse.metric(game, f"payoff, player {player}").of(strategy) == pytest.approx(mean, abs=1e-12)
        assert ruse.metric(game, f"variance, player {player}").of(strategy) == pytest.approx(variance, abs=1e-12)
        assert ruse.metric(game, f"deviation, player {player}").of(strategy) == pytest.approx(math.sqrt(variance))


def test_known_values() -> None:
    """Kuhn's equilibria (Kuhn 1950): J opens with a, K with 3a, Q calls with 1/3 + a; the second player has one."""
    strategy = ruse.train(KUHN, ruse.pdcfr_plus(), target=1e-8).strategy
    told = {m.name: m.value for m in ruse.style_of(strategy)}
    a = told["open, player 0, with J"]
    assert 0 < a < 1 / 3
    assert told["open, player 0, with K"] == pytest.approx(3 * a, abs=1e-5)
    assert told["open, player 0"] == pytest.approx(4 * a / 3, abs=1e-5)
    assert told["call, player 0, with Q"] == pytest.approx(1 / 3 + a, abs=1e-5)
    assert told["open, player 1, with J"] == pytest.approx(1 / 3, abs=1e-5)
    assert told["fold, player 1, with Q"] == pytest.approx(2 / 3, abs=1e-5)
    assert told["payoff, player 0"] == pytest.approx(-1 / 18, abs=1e-7)
    matching = ruse.matching_pennies()
    assert ruse.metric(matching, "variance, player 0").of(Strategy.uniform(matching)) == 1.0


def test_never_legal() -> None:
    """Nobody calls a bet that is never made."""
    never = lopsided(KUHN)
    never.probability[:] = np.tile([1.0, 0.0], len(never))
    called = ruse.style_of(never, ["call, player 1"])[0]
    assert math.isnan(called.value)
    assert str(called) == "call, player 1: never legal"


# ---- Cheat and its meter ---------------------------------------------------------------------------------------------


CHEAT3 = ruse.Cheat(ranks=2, copies=2, deal=1, players=3, hp=1, allow_pass=True, max_turns=3)


@pytest.mark.parametrize("game", [CHEAT, CHEAT3], ids=["two", "three"])
def test_the_meter_is_exact(game: ruse.Cheat) -> None:
    """Each player's counts, weighted by the probability of every history."""
    strategy, meter = lopsided(game, 6), CheatMeter()
    plays, notes = plays_of(strategy), np.zeros((game.players, meter.counted))
    for state, reach, _ in every_history(game, plays):
        if not state.is_over and not state.is_chance:
            for a, share in enumerate(plays(state)):
                once = np.zeros_like(notes)
                meter.note(game, state.row, a, once, state.player)
                notes += reach * share * once
    assert rates_of(game) == ["lies", "challenges", "challenges won", "discards a game"]
    for player in range(game.players):
        for name, truth in meter.rates(notes[player], 1).items():
            assert ruse.metric(game, f"{name}, player {player}").of(strategy) == pytest.approx(truth, abs=1e-12)
    for name, truth in meter.rates(notes.sum(axis=0), game.players).items():
        assert ruse.metric(game, name).of(strategy) == pytest.approx(truth, abs=1e-12)


def test_lies_where_one_can_lie() -> None:
    """A lie is a share of the discards where a lie is legal; the meter counts all discards."""
    strategy = lopsided(CHEAT, 2)
    plays = plays_of(strategy)

    def lie(state: ruse.State, action: str, before: int) -> bool:
        if action in ("believe", "challenge"):
            return False
        rank = state.describe(state.player).split("rank ")[1][0]
        return set(action.split()) != {rank}

    assert ruse.metric(CHEAT, "lie").of(strategy) == pytest.approx(frequency(CHEAT, plays, lie), abs=1e-12)
    lies, truths = (ruse.metric(CHEAT, f"{word}, player 0").of(strategy) for word in ("lie", "truth"))
    assert lies > ruse.metric(CHEAT, "lies, player 0").of(strategy)
    assert 0 < truths < 1


@pytest.mark.slow
def test_cheat_exact_and_played() -> None:
    """Cheat with two Health Points: the exact lie rate is what a match counts, within its error."""
    game = ruse.Cheat(hp=2)
    run = ruse.train(game, ruse.dcfr(walk="chance"), iterations=30, view=ruse.catalog.names.view("memoryless", game))
    exact, played = watch(run.strategy), Sample(run.strategy, deals=4_000, seed=1)
    match = ruse.match(game, [run.strategy, run.strategy], deals=4_000, seed=2).rates[0]
    for name in rates_of(game):
        truth = exact.rate(name, None).value
        found = played.rate(name, None)
        assert found.interval is not None
        error = (found.interval[1] - found.interval[0]) / 2 / 1.96
        assert found.value == pytest.approx(truth, abs=4 * error)
        assert match[name] == pytest.approx(truth, abs=6 * error)  # of other games
        assert 0 < error < 0.05


# ---- sampled ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(g, marks=pytest.mark.slow if g in (KUHN3, CHEAT) else (), id=type(g).__name__)
        for g in (KUHN3, LEDUC, COIN, CHEAT)
    ],
)
def test_the_sample_is_unbiased(game: ruse.Game) -> None:
    strategy = lopsided(game, 1)
    exact, played = watch(strategy), Sample(strategy, deals=20_000, seed=5)
    for name in usual_metrics(game, exact.decisions):
        truth, found = ruse.metric(game, name).on(exact), ruse.metric(game, name).on(played)
        assert found.interval is not None
        error = (found.interval[1] - found.interval[0]) / 2 / 1.96
        assert abs(found.value - truth.value) <= 4.5 * error + 1e-12, (name, truth, found)


@pytest.mark.parametrize("text", ["bet, player 0", "call, player 1, with Q", "variance, player 0", "payoff, player 0"])
def test_the_interval_covers_the_truth(text: str) -> None:
    """In 95 % of 400 samples: binomially distributed, 4 standard deviations are 17.4."""
    strategy, measure = lopsided(KUHN, 1), ruse.metric(KUHN, text)
    truth = measure.of(strategy)
    covered = 0
    for seed in range(400):
        found = measure.on(Sample(strategy, deals=300, seed=seed))
        assert found.interval is not None
        covered += found.interval[0] <= truth <= found.interval[1]
    assert 380 - 20 <= covered <= 397


def test_too_large_for_a_census(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit is sampled, with an interval; the same seed gives the same numbers."""

    def refuse(strategy: Strategy) -> None:
        raise TooLarge("too large")

    monkeypatch.setattr(style, "Census", refuse)
    strategy = lopsided(KUHN)
    told = ruse.style_of(strategy, deals=500, seed=3)
    assert told == ruse.style_of(strategy, deals=500, seed=3) != ruse.style_of(strategy, deals=500, seed=4)
    assert all(m.interval is not None and m.interval[0] <= m.value <= m.interval[1] for m in told)
    assert " to " in str(told[0])
    with pytest.raises(RuseError, match="deals must be at least 50"):
        ruse.style_of(strategy, deals=3)


def test_a_diary_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for few decisions at first changes nothing."""
    strategy = lopsided(LEDUC)
    roomy = Sample(strategy, deals=200, seed=1)
    monkeypatch.setattr("ruse.styles.sample.ROOM", 8)
    tight = Sample(strategy, deals=200, seed=1)
    used = roomy.diary.used
    assert tight.diary.used == used > 8
    for ours, theirs in zip(tight.diary[3:], roomy.diary[3:], strict=True):
        assert np.array_equal(ours[:used], theirs[:used])
    assert np.array_equal(tight.payoff, roomy.payoff)


def test_ratios() -> None:
    """Two games, one of two and none of two: half, and nothing where nothing was possible."""
    assert ratio_of(np.array([1.0, 0.0]), np.array([2.0, 0.0])).value == 0.5
    assert math.isnan(ratio_of(np.zeros(3), np.zeros(3)).value)
