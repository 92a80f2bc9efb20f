"""Hold'em before the flop with leaf values from a blueprint, beside plain sums."""

import itertools
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rough_hands import few_buckets, rough_table

from ruse.errors import RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.lines import FOLD, SHOWDOWN, lines_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import starting_hands
from ruse.horizon import habits as habits_module
from ruse.horizon import holdem_leaves, preflop
from ruse.horizon.continuations import Continuation, Leafs, biased
from ruse.horizon.habits import habits
from ruse.horizon.holdem_leaves import GRID, LeafSums, add_board, as_dealt, buckets_on, flop_leaves, flops_of
from ruse.horizon.preflop import NORMAL, Preflop, Style, duel, patched_before_flop, solved
from ruse.horizon.rest import Reached, summed
from ruse.solve.solver.presets import dcfr
from ruse.store import tensors
from ruse.strategy import Strategy

GAME = Holdem(stack=8.0)  # few lines
LINES = lines_of(GAME)
BEFORE = Preflop.of(LINES)
BOARD = [0, 13, 26, 39, 51]


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equities that nobody has to wait for."""
    for module in (holdem_leaves, preflop, habits_module):
        monkeypatch.setattr(module, "starting_equities", rough_table)


def nobodys(game: Holdem = GAME) -> Strategy:
    """A strategy that knows nothing: all is played uniformly."""
    return Strategy(game, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())


def mixed() -> Bucketed:
    """A strategy that plays each bucket in a way of its own."""
    bucketed = Bucketed.of(nobodys())
    rng, sigma = np.random.default_rng(2), np.zeros_like(bucketed.sigma)
    for n in np.flatnonzero(LINES.who >= 0).tolist():
        rows = bucketed.rows(n)
        sigma[bucketed.first[n] : bucketed.first[n + 1]] = rng.dirichlet(np.ones(rows.shape[1]), len(rows)).ravel()
    return bucketed._replace(sigma=sigma)


def test_a_board_is_worth_what_its_lines_are() -> None:
    """For some pairs of hands, by going through all lines one by one."""
    bucketed, leafs, nodes = mixed(), Leafs(biased(2, 5.0)), flops_of(LINES)
    sums = LeafSums.start(len(nodes), [2, 2])
    add_board(sums, bucketed, nodes, leafs, BOARD)
    bucket, strength = buckets_on(bucketed, BOARD), strengths_on(BOARD).astype(int)
    cards, kinds = holding_cards(), starting_hands()
    _, one_of_each = np.unique(kinds, return_index=True)

    def worth(n: int, held: tuple[int, int], ways: Any) -> float:
        who = int(LINES.who[n])
        if who == FOLD:
            return float(LINES.payoff[n, 0, 0])
        if who == SHOWDOWN:
            ahead = int(np.sign(strength[held[0]] - strength[held[1]]))
            return float(LINES.payoff[n, {1: 0, -1: 1, 0: 2}[ahead], 0])
        row = ways[who].of(bucketed.rows(n), LINES.names[n])[bucket[LINES.street[n], held[who]]]
        return sum(share * worth(c, held, ways) for share, c in zip(row, LINES.children(n), strict=True))

    first = [h for h in one_of_each if not set(cards[h]) & set(BOARD)][::60]
    for h, k in itertools.product(first, (5, 168)):
        others = [o for o in np.flatnonzero(kinds == k) if not set(cards[o]) & {*BOARD, *cards[h]}]
        assert sums.dealt[kinds[h], k] == len(others)
        for a, b in ((0, 0), (1, 0), (0, 1)):
            total = sum(worth(nodes[0], (h, o), (leafs.choices[a], leafs.choices[b])) for o in others)
            assert sums.worth[0, a, b, kinds[h], k] == pytest.approx(total, abs=1e-4)


def test_leaves_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdem_leaves, "SLICE", 2)
    kept, strategy = tmp_path / "leaves", nobodys()
    whole = flop_leaves(strategy, Leafs(), boards=6, seed=1)
    flop_leaves(strategy, Leafs(), boards=2, seed=1, kept=kept)
    again = flop_leaves(strategy, Leafs(), boards=6, seed=1, kept=kept)
    np.testing.assert_array_equal(whole.worth, again.worth)
    assert (again.boards, again.nodes) == (6, tuple(flops_of(LINES)))
    dealt = flop_leaves(strategy, Leafs(), boards=6, seed=1, means=as_dealt)
    each = [LeafSums.start(len(whole.nodes), [1, 1]) for _ in range(6)]
    for sums, board in zip(each, holdem_leaves.drawn_boards(1, 0, 6), strict=True):
        add_board(sums, Bucketed.of_two(strategy), whole.nodes, Leafs(), board)
    pairs = sum(one.dealt[5, 60] for one in each)
    assert dealt.worth[0, 0, 0, 5, 60] == pytest.approx(sum(one.worth[0, 0, 0, 5, 60] for one in each) / pairs)
    with pytest.raises(RuseError, match="leaf values of another game"):
        flop_leaves(nobodys(), Leafs(biased(2)), boards=6, kept=kept)
    with pytest.raises(RuseError, match="no bets are made after the flop"):
        flop_leaves(nobodys(Holdem(streets=1)), Leafs(), boards=6)


FORGED: dict[str, tuple[str, Any, str]] = {
    "no number": ("worth", lambda x: x * np.nan, "worth is not of finite numbers"),
    "too few boards": ("boards", lambda x: x - 7.0, "it is of -5 boards"),
    "half a board": ("boards", lambda x: x + 0.5, "it is of 2.5 boards"),
    "too many boards": ("boards", lambda x: x * 1e300, "it is of 2e\\+300 boards"),
    "too many hands": ("dealt", lambda x: x + 100.0, "more or fewer hands were dealt"),
    "too much won": ("worth", lambda x: x * 100.0, "more was won than can be"),
    "luck below 0": ("luck", lambda x: -x, "squares below 0"),
    "other numbers": ("dealt", lambda x: x.astype(np.float32), "in 64 bits"),
}


@pytest.mark.parametrize("what", FORGED)
def test_leaves_that_cannot_be_are_refused(tmp_path: Path, what: str) -> None:
    """With a checksum that is right: a program has written them."""
    kept, strategy = tmp_path / "leaves", nobodys()
    flop_leaves(strategy, Leafs(), boards=2, seed=1, kept=kept)
    metadata, arrays = tensors.read(kept)
    table, change, words = FORGED[what]
    tensors.write(kept, dict(arrays) | {table: change(np.array(arrays[table]))}, metadata)
    with pytest.raises(RuseError, match=words):
        flop_leaves(strategy, Leafs(), boards=4, seed=1, kept=kept)


def test_leaves_of_another_seed_or_blueprint_are_refused(tmp_path: Path) -> None:
    kept = tmp_path / "leaves"
    flop_leaves(nobodys(), Leafs(), boards=2, seed=1, kept=kept)
    other = Leafs((Continuation("calling", ("call",), 5.0),))
    for strategy, leafs, seed in ((nobodys(), Leafs(), 2), (nobodys(), other, 1), (one_row(), Leafs(), 1)):
        with pytest.raises(RuseError, match="of another blueprint, of other ways to go on or of another seed"):
            flop_leaves(strategy, leafs, boards=4, seed=seed, kept=kept)


def one_row() -> Strategy:
    """A strategy that knows one thing."""
    keys, start = np.array([7], np.uint64), np.array([0, 2], np.int64)
    return Strategy(GAME, keys, start, np.array([0.5, 0.5]), view=few_buckets())


@cache
def leaves() -> Any:
    return flop_leaves(nobodys(), Leafs(biased(2)), boards=6, seed=3)


def test_styles_before_the_flop() -> None:
    cut = BEFORE.valued(leaves())
    normal = solved(BEFORE, cut, dcfr(), iterations=200)
    assert normal.judged < 0.005
    loose = solved(BEFORE, cut, dcfr(), Style("loose", ("call",), 5.0, 0.2), iterations=200)
    assert loose.opening[1] > normal.opening[1] + 0.05
    assert 0.0 < loose.judged.nash_conv < 0.2, "at most beta"
    assert duel(cut, normal.rows, normal.rows) > duel(cut, loose.rows, normal.rows) - 0.01
    calls = habits(BEFORE, loose.rows, normal.rows, 0)
    assert calls.vpip == pytest.approx(1.0 - loose.opening[0], abs=0.02)
    assert calls.aggression < habits(BEFORE, normal.rows, normal.rows, 0).aggression
    assert normal.style == NORMAL


def test_a_blueprint_is_a_strategy() -> None:
    """Kernels would read beyond tables that do not fit together."""
    one = one_row()
    for start, share in (([0, 2000], 0.5), ([0, 2], 0.0), ([0, 2], np.nan)):
        bent = Strategy(GAME, one.keys, np.array(start, np.int64), np.full(2, share), view=one.view)
        with pytest.raises(RuseError, match=r"^the strategy cannot be played: "):
            Bucketed.of(bent)


@pytest.mark.parametrize(
    ("iterations", "why"), [(0, "at least 1, got 0"), (-1, "at least 1, got -1"), ("x", "a whole number")]
)
def test_nothing_is_solved_in_no_iterations(iterations: Any, why: str) -> None:
    """What came back then was a strategy of nothing, judged as if it were one."""
    with pytest.raises(RuseError, match=f"^iterations must be {why}"):
        solved(BEFORE, BEFORE.valued(leaves()), dcfr(), iterations=iterations)


def test_a_match_is_what_it_is_worth_in_the_engine() -> None:
    one = leaves()._replace(worth=leaves().worth[:, :1, :1])
    cut = BEFORE.valued(one)
    found = solved(BEFORE, cut, dcfr(), iterations=5)
    assert duel(cut, found.rows, found.rows) == pytest.approx(found.judged.values[0], abs=1e-12)


def test_habits_of_one_who_always_raises() -> None:
    rows = {n: np.zeros((169, len(BEFORE.names(n)))) for n in BEFORE.decisions}
    for n, each in rows.items():
        each[:, next((a for a, name in enumerate(BEFORE.names(n)) if name.startswith(("raise", "all-in"))), 1)] = 1.0
    found = habits(BEFORE, rows, rows, 0)
    assert (found.vpip, found.pfr, found.fold_to_raise) == pytest.approx((1.0, 1.0, 0.0))
    assert habits(BEFORE, rows, rows, 1).three_bet == pytest.approx(1.0)


def test_a_blueprint_with_a_style_before_the_flop() -> None:
    view = few_buckets()
    key = np.uint64(int(view.key_of(int(LINES.past[0]), 7, 0)) % 2**64)
    blueprint = Strategy(GAME, np.array([key]), np.array([0, 5]), np.full(5, 0.2), view=view)
    rows = {n: np.full((169, len(BEFORE.names(n))), 1.0 / len(BEFORE.names(n))) for n in BEFORE.decisions}
    rows[0] = np.random.default_rng(3).dirichlet(np.ones(5), 169)
    found = patched_before_flop(blueprint, BEFORE, rows, rows)
    everywhere = Bucketed.of(found)
    for n in BEFORE.decisions:
        assert np.array_equal(everywhere.rows(BEFORE.kept[n]), rows[n]), "also hands that the blueprint has not held"
    assert len(found.keys) == 169 * len(BEFORE.decisions), "and nothing else is changed"


def test_sums_on_a_grid_have_the_same_bits_in_any_order() -> None:
    """As with other threads, or on another processor, whose order of adding up nobody chooses."""
    rng = np.random.default_rng(4)
    first, second = (rng.dirichlet(np.ones(40), (2, 7)).astype(np.float32).transpose(2, 0, 1) for _ in range(2))
    pays, every = rng.normal(0.0, 12.0, 40), np.ones(40, bool)
    plain, backwards = Reached([], [*first], [*second]), Reached([], [*first[::-1]], [*second[::-1]])
    found = summed(plain, pays, every, grid=GRID)
    assert np.array_equal(found, summed(backwards, pays[::-1], every, grid=GRID))
    assert np.abs(found - summed(plain, pays, every)).max() < 1e-5

    def on_grid(x: np.ndarray) -> list[Fraction]:
        return [Fraction(round(float(value) / GRID)) for value in x]

    way, other, hand, against = 1, 0, 3, 5
    left = on_grid(first[:, way, hand] * pays.astype(np.float32))
    exact = sum(a * b for a, b in zip(left, on_grid(second[:, other, against]), strict=True)) * Fraction(GRID) ** 2
    assert found[way, other, hand, against] == np.float32(float(exact))
