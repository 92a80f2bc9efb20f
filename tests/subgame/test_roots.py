"""Solving from given rows: the second round of Leduc poker from an equilibrium's ranges is worth what it was."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from rounds import LEDUC, SecondRound, blueprint, exactly

import ruse
from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.evaluate.exploitability import expected_values
from ruse.games.leduc import CARDS, DEALT, FOLDED, HISTORY, TURN
from ruse.laws.check import check
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.subgame.cut import After
from ruse.subgame.rooted import BRANCHES, Rooted
from ruse.subgame.roots import Roots, values_at
from ruse.subgame.strategies import inside, patched
from ruse.tree.expanded import Expanded

BOARD = CARDS + 2
KUHN = ruse.Kuhn()


def slow_roots(state: State, strategy: ruse.Strategy, due: Any, reaches: tuple[float, ...]) -> dict[Any, Any]:
    """The same by recursion over the game's own words."""
    if state.is_over:
        return {}
    if due(state):
        return {tuple(state.row.tolist()): reaches}
    shares = state.chances if state.is_chance else list(strategy.at(state).actions.values())
    found: dict[Any, Any] = {}
    for a, share in enumerate(shares):
        then = list(reaches)
        then[1 + state.player] *= share  # chance is player -1
        found |= slow_roots(state.child(a), strategy, due, tuple(then))
    return found


def slow_value(state: State, strategy: ruse.Strategy) -> np.ndarray:
    if state.is_over:
        return np.array(state.payoffs)
    shares = state.chances if state.is_chance else strategy.at(state).actions.values()
    parts = [share * slow_value(state.child(a), strategy) for a, share in enumerate(shares) if share > 0.0]
    return np.asarray(sum(parts))


@pytest.fixture(scope="module")
def roots() -> Roots:
    return Roots.at(LEDUC, SecondRound(), blueprint()[0])


def test_roots_are_where_play_comes(roots: Roots) -> None:
    strategy = blueprint()[0]
    slow = slow_roots(State.of(LEDUC), strategy, lambda s: "board" in s.describe(0).replace("no board", ""), (1.0,) * 3)
    assert len(slow) == len(roots.rows) == 120 * 5  # deals of three cards, and ways to bet
    for row, reaches in zip(roots.rows.tolist(), roots.reaches, strict=True):
        assert slow[tuple(row)] == pytest.approx(reaches)
    values = values_at(LEDUC, roots.rows[::37], strategy)
    for row, value in zip(roots.rows[::37], values, strict=True):
        assert value == pytest.approx(slow_value(State(LEDUC, row, ()), strategy), abs=1e-12)


def test_the_second_round_is_worth_what_it_was(roots: Roots) -> None:
    """Solved anew from the ranges of an equilibrium, by each of the engines, and by linear program."""
    strategy, whole = blueprint()
    rooted = roots.game(LEDUC)
    before = expected_values(rooted, [inside(strategy, rooted)] * 2)[0]
    # What the first round leaves to the second is all but what is paid where somebody has folded.
    first = whole - roots.weights.sum() * before
    found, value = exactly(rooted)
    assert value == pytest.approx(before, abs=1e-6)
    assert first + roots.weights.sum() * value == pytest.approx(whole, abs=1e-6)
    new = patched(strategy, found)
    assert expected_values(LEDUC, [new, new])[0] == pytest.approx(whole, abs=1e-6)
    for solver, iterations, close in ((ruse.cfr_plus(), 3_000, 1e-3), (ruse.cfr(prune="rbp"), 2_000, 2e-2)):
        run = ruse.train(rooted, solver, iterations=iterations)
        assert run.measured.values[0] == pytest.approx(value, abs=close)
        assert run.exploitability < close


@pytest.mark.parametrize("walk", ["external", "outcome"])
def test_sampled_walks_draw_the_root(roots: Roots, walk: str) -> None:
    rooted = roots.game(LEDUC)
    run = ruse.train(rooted, ruse.mccfr(walk), iterations=20_000, seed=1)
    uniform = ruse.exploitability(rooted, ruse.Strategy.uniform(rooted))
    assert run.exploitability < 0.3 * uniform


def test_one_board_after_one_betting(roots: Roots) -> None:
    """Each public state by itself; their values add up to that of all of them."""
    strategy = blueprint()[0]
    total, value = roots.weights.sum(), exactly(roots.game(LEDUC))[1]
    public = roots.rows[:, BOARD] * 1_000_000 + roots.rows[:, HISTORY]
    parts = 0.0
    for moment in np.unique(public):
        some = roots.only(public == moment)
        if some.weights.sum() > 1e-9:
            parts += some.weights.sum() * exactly(some.game(LEDUC))[1]
    assert parts / total == pytest.approx(value, abs=1e-6)
    assert len(np.unique(public)) == 30
    assert strategy.game == LEDUC


def test_ranges_are_dealt_with_card_removal(roots: Roots) -> None:
    """From what each player's card is, given that no card is dealt twice, come the same rows and the same game."""
    history = roots.rows[:, HISTORY]
    common = history[np.argmax(roots.weights)]
    some = roots.only((roots.rows[:, BOARD] == 3) & (history == common))
    reach = np.zeros((2, 6))
    for row, (_, *own) in zip(some.rows, some.reaches, strict=True):
        for p in range(2):
            reach[p, row[CARDS + p]] = own[p]
    cards = np.arange(6)
    made = Roots.dealt(some.rows[0], [[CARDS], [CARDS + 1]], [cards, cards], list(reach), gone=[3])
    order = np.lexsort(some.rows.T[[CARDS + 1, CARDS]])
    reached = some.weights[order] > 0.0
    assert np.array_equal(made.rows, some.rows[order][reached])
    assert made.weights / made.weights.sum() == pytest.approx(some.weights[order][reached] / some.weights.sum())
    with pytest.raises(RuseError, match=r"^player 1 has 6 holdings and a range of the shape \(5,\)$"):
        Roots.dealt(some.rows[0], [[CARDS], [CARDS + 1]], [cards, cards], [reach[0], reach[1][:5]])


def test_many_roots_are_drawn_in_steps() -> None:
    game = KUHN
    deal = State.of(game).child(0).child(1).row
    weights = np.random.default_rng(0).random(BRANCHES**2 + 3)
    weights[5] = 0.0
    rooted = Rooted.of(game, np.tile(deal, (len(weights), 1)), weights)
    levels = rooted.twist.level
    assert len(levels) == 3 + 2  # three draws
    seen, s = [], rooted.start()
    waiting = [(s, 1.0)]
    while waiting:
        s, chance = waiting.pop()
        if rooted.player(s) != CHANCE:
            seen.append(chance)
            continue
        count = rooted.num_actions(s)
        assert sum(rooted.chance(s, a) for a in range(count)) == pytest.approx(1.0, abs=1e-12)
        for a in reversed(range(count)):
            after = s.copy()
            rooted.apply(after, a)
            waiting.append((after, chance * rooted.chance(s, a)))
    kept = weights[weights > 0.0]
    assert np.array(seen) == pytest.approx(kept / kept.sum())
    assert "rows 64 to 127" in rooted.action_name(_after(rooted, 0), 1)


def _after(game: Any, *actions: int) -> np.ndarray:
    s = game.start()
    for a in actions:
        game.apply(s, a)
    return np.asarray(s)


def test_a_rooted_game_is_lawful() -> None:
    deals = [State.of(KUHN).child(a).child(b).row for a in range(3) for b in range(2)]
    rooted = Rooted.of(KUHN, deals, [1.0, 2.0, 3.0, 1.0, 1.0, 0.5])
    report = check(rooted)
    assert not report.failures, report
    assert rooted == Rooted.of(KUHN, deals, [1.0, 2.0, 3.0, 1.0, 1.0, 0.5])
    assert rooted != Rooted.of(KUHN, deals, [1.0, 2.0, 3.0, 1.0, 1.0, 0.6])


@compiled("key")
class OwnCard(NamedTuple):
    """A player who forgets all but the card, and how much was bet."""

    nothing: int = 0

    def key(self, game, s):
        return mix(game.infoset(s) % 8, game.player(s))


@pytest.mark.parametrize("view", [Full(), OwnCard()], ids=["full", "forgets"])
def test_three_players_and_a_view(view: Any) -> None:
    """From the deals on, the game is what it was, for any number of players and under any view."""
    game = ruse.Kuhn(players=3)
    strategy = random_strategy(game, view)
    rooted = Roots.at(game, After(3), strategy).game(game)
    within = inside(strategy, rooted)
    assert ruse.exploitability(rooted, within) == pytest.approx(ruse.exploitability(game, strategy), abs=1e-12)
    assert expected_values(rooted, [within] * 3) == pytest.approx(expected_values(game, [strategy] * 3), abs=1e-12)
    with_all = patched(ruse.Strategy(game, *(a[:n] for a, n in _none(strategy)), view=view), within)
    assert np.array_equal(with_all.keys, strategy.keys)
    assert np.array_equal(with_all.probability, strategy.probability)


def _none(strategy: ruse.Strategy) -> list[tuple[np.ndarray, int]]:
    """The arrays of a strategy, and how much of each is left of one that knows nothing."""
    return [(strategy.keys, 0), (strategy.start, 1), (strategy.probability, 0)]


def random_strategy(game: ruse.Game, view: Any) -> ruse.Strategy:
    expanded = Expanded.of(game, view)
    keys, node = np.unique(expanded.keys, return_index=True)
    counts = np.diff(expanded.form.first)[node].astype(np.int64)
    draw = np.random.default_rng(0)
    rows = [draw.dirichlet(np.ones(n)) for n in counts]
    return ruse.Strategy(game, keys, np.concatenate([[0], np.cumsum(counts)]), np.concatenate(rows), view=view)


DEAL = [State.of(KUHN).child(0).child(1).row.tolist()] * 3


@pytest.mark.parametrize(
    ("rows", "reaches", "sentence"),
    [
        (DEAL, [1.0, -0.5, 1.0], r"^a reach is a number from 0 on, got -0\.5 for row 1$"),
        (DEAL, [1.0, np.nan, 1.0], r"^a reach is a number from 0 on, got nan for row 1$"),
        (DEAL, [0.0, 0.0, 0.0], r"^none of the 3 rows is ever reached: the product of its reaches is 0 for each"),
        (DEAL, [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]], r"^none of the 3 rows is ever reached"),
        (DEAL, [1.0, 1.0], r"^give each of the 3 rows a reach, or one for each player: got reaches for 2$"),
        (DEAL, 1.0, r"^give each of the 3 rows a reach, got one number$"),
        ([row[:-1] for row in DEAL], [1.0] * 3, r"^a row of Kuhn\(.*\) has \d+ columns, got rows of \d+$"),
        (DEAL[0], [1.0], r"^roots are whole numbers, one row a state: got int64 in 1 dimensions, not integers in 2$"),
        (DEAL[:0], [], r"^there are no rows: give at least one state of Kuhn\("),
        ([DEAL[0], [1]], [1.0] * 2, r"^roots are numbers, as many in each row, got \[\["),
        ("abc", [1.0], r"^roots are numbers, got 'abc'$"),
        (DEAL, ["a"] * 3, r"^reaches are numbers, got \['a', 'a', 'a'\]$"),
        (DEAL, np.array([1j] * 3), r"^reaches are numbers, got array\("),
        (DEAL, [[1.0], [1.0, 2.0], [1.0]], r"^reaches are numbers, as many in each row, got \[\[1"),
        (DEAL, np.ones((3, 1, 1)), r"^give each of the 3 rows a reach, or .* player: got the shape \(3, 1, 1\)$"),
        (DEAL, np.ones((3, 0)), r"^give each of the 3 rows a reach, or one for each player: got the shape \(3, 0\)$"),
        (np.array(DEAL) + 0.5, [1.0] * 3, r"^roots are whole numbers, one row a state: got float64 in 2"),
    ],
)
def test_sentences(rows: Any, reaches: Any, sentence: str) -> None:
    with pytest.raises(RuseError, match=sentence):
        Rooted.of(KUHN, rows, reaches)


SIX, OWN = list(range(6)), [[CARDS], [CARDS + 1]]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"gone": [4, 4]}, r"^cards that are gone are all different, got 4 twice$"),
        ({"gone": [64]}, r"^cards that are gone are whole numbers from 0 to 63, got 64$"),
        ({"gone": [-1]}, r"^cards that are gone are whole numbers from 0 to 63, got -1$"),
        ({"gone": ["Ks"]}, r"^cards that are gone are numbers, got \['Ks'\]$"),
        ({"ranges": [[1.0] * 6, [np.nan] + [1.0] * 5]}, r"^ranges of player 1 are numbers from 0 on, got nan$"),
        ({"ranges": [[-1.0] + [1.0] * 5, [1.0] * 6]}, r"^ranges of player 0 are numbers from 0 on, got -1\.0$"),
        ({"ranges": [["a"] * 6, [1.0] * 6]}, r"^ranges of player 0 are numbers, got \['a'"),
        ({"ranges": [[1.0] * 6]}, r"^each player needs columns, holdings and a range: got 2, 2 and 1$"),
        ({"ranges": [[0.0] * 6, [1.0] * 6]}, r"^there is no way to deal: each leaves a player without a holding"),
        ({"holdings": [[0.5] * 6, SIX]}, r"^cards of player 0 in a holding are whole numbers from 0 to 63, got 0\.5$"),
        ({"holdings": [[np.nan] * 6, SIX]}, r"^cards of player 0 in a holding are whole numbers .*, got nan$"),
        (
            {"holdings": [[[1, 2]], SIX]},
            r"^player 0 holds 1 cards in each holding, got .* shape \(1, 2\)$",
        ),
        ({"columns": [[99], [CARDS]]}, r"^columns that cards are dealt to are whole numbers from 0 to 12, got 99$"),
        ({"columns": [[CARDS], [CARDS]]}, r"^columns that cards are dealt to are all different, got \d+ twice$"),
        ({"row": [0.5] * 13}, r"^deal into one row of whole numbers, got float64 of the shape \(13,\)$"),
        (
            {"columns": [[CARDS, CARDS + 2], [CARDS + 1]], "holdings": [[[0, 0]], SIX], "ranges": [[1.0], [1.0] * 6]},
            r"^cards of player 0 in a holding are all different, got 0 twice$",
        ),
    ],
)
def test_sentences_of_deals(given: dict[str, Any], sentence: str) -> None:
    row = State.of(LEDUC).after("Js", "Jh", "call", "call", "Ks").row
    good: dict[str, Any] = {"row": row, "columns": OWN, "holdings": [SIX, SIX], "ranges": [[1.0] * 6] * 2, "gone": [4]}
    assert len(Roots.dealt(**good).rows) == 5 * 4
    with pytest.raises(RuseError, match=sentence):
        Roots.dealt(**good | given)


def test_rows_that_are_no_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a small game are known; in a larger one it is seen where a law is broken."""
    row = State.of(LEDUC).after("Js", "Qs", "call").row
    for column, number in ((FOLDED, 3), (CARDS, 99), (DEALT, 9), (TURN, 7)):
        strange = row.copy()
        strange[column] = number
        with pytest.raises(RuseError, match=r"^row 1 is no state of Leduc\(.*\): no game of it comes to \[0, "):
            Rooted.of(LEDUC, [row, strange], [1.0, 1.0])
    monkeypatch.setattr("ruse.subgame.rooted.SMALL", 100)
    with pytest.raises(RuseError, match=r"^row 1 is no state of Leduc\(.*\): at this row player\(\) says 7; there are"):
        Rooted.of(LEDUC, [row, strange], [1.0, 1.0])


def test_a_moment_that_never_comes() -> None:
    with pytest.raises(RuseError, match=r"^no game of Kuhn\(.*\) comes to After\(moves=99\)$"):
        Roots.at(KUHN, After(99), ruse.Strategy.uniform(KUHN))
    with pytest.raises(RuseError, match=r"^a moment needs a method is_due\(self, game, s, moves\) and @ruse.compiled"):
        Roots.at(KUHN, OVER, ruse.Strategy.uniform(KUHN))  # type: ignore[arg-type]
