"""The update rules: exploitability as measured elsewhere, known values of games, and rules of one's own."""

import math
from functools import cache
from typing import NamedTuple

import naive
import numpy as np
import pytest

from ruse.catalog.names import preset
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import rock_paper_scissors
from ruse.protocol.game import Game
from ruse.solve.full.engine import Tables, average_strategy, iterate, run
from ruse.solve.solver.presets import (
    PRESETS,
    Solver,
    cfr,
    cfr_plus,
    cfvfp,
    dcfr,
    dcfr_plus,
    hedge,
    hs_dcfr,
    hs_pcfr_plus,
    lcfr,
    pcfr_plus,
    pdcfr_plus,
)
from ruse.solve.solver.rules import Discount, Hedge, RegretMatching, add_regret
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.tree.sequence_form import SequenceForm

compiled_only = pytest.mark.skipif(not hasattr(run, "signatures"), reason="takes hours under NUMBA_DISABLE_JIT=1")

GAMES: dict[str, Game] = {"kuhn": Kuhn(), "leduc": Leduc(), "liars_dice": LiarsDice()}
COLUMNS = [(game, iterations) for game in GAMES for iterations in (100, 1_000)]

# Exploitability (NashConv / 2) of the average strategy, measured to two digits by another implementation of the same
# formulas: the project's notes on the CFR family, section 4.2. The papers print figures only. Regret starts at zero,
# players take turns, old regret is discounted before new regret is added. HS rules plan 10,000 iterations for Kuhn and
# 1,000 elsewhere.
TABLE: dict[str, tuple[Solver, list[float]]] = {
    #                                 Kuhn 100, 1,000   Leduc 100, 1,000  Liar's Dice 100, 1,000
    "cfr": (cfr(), [8.2e-3, 9.4e-4, 9.6e-2, 1.2e-2, 2.3e-2, 2.7e-3]),
    "cfr_plus_1": (cfr_plus(), [1.2e-3, 8.7e-5, 1.3e-2, 2.4e-4, 4.9e-3, 1.3e-4]),
    "cfr_plus_2": (cfr_plus(2.0), [2.0e-3, 1.7e-4, 1.2e-2, 1.9e-4, 3.2e-3, 7.8e-5]),
    "lcfr": (lcfr(), [1.1e-3, 9.4e-5, 3.5e-2, 5.6e-3, 8.0e-3, 1.0e-3]),
    "dcfr": (dcfr(), [1.7e-3, 1.5e-4, 7.8e-3, 1.7e-4, 2.2e-3, 1.4e-4]),
    "pcfr_plus": (pcfr_plus(), [2.3e-5, 2.4e-8, 2.0e-2, 7.1e-4, 6.2e-3, 4.0e-4]),
    "dcfr_plus": (dcfr_plus(), [1.6e-3, 1.2e-4, 6.5e-3, 1.9e-4, 3.1e-3, 1.5e-4]),
    "pdcfr_plus": (pdcfr_plus(), [1.1e-7, 1.1e-13, 1.8e-2, 9.0e-4, 6.7e-3, 6.8e-4]),
    "hs_dcfr": (hs_dcfr(), [6.4e-3, 1.2e-4, 4.6e-2, 7.2e-4, 1.5e-2, 3.6e-4]),
    "hs_pcfr_plus": (hs_pcfr_plus(), [2e-13, 1e-17, 3.1e-2, 9.8e-4, 1.0e-2, 1.7e-3]),
    "cfvfp": (cfvfp(), [1.6e-2, 1.9e-3, 5.7e-1, 6.6e-2, 8.1e-1, 1.6e-1]),
}

# Cells whose digits hang on the rounding of the last bit, with the range that was measured here. These runs meet exact
# ties, such as a regret that is zero but for the last bit, and which way a tie falls decides the rest of the run: the
# digits are those of one order of sums. Payoffs times a constant give the same run in exact arithmetic and another one
# here, so the notes' number must lie among those.
ROUNDING: dict[tuple[str, str, int], tuple[float, float]] = {
    ("cfr_plus_1", "leduc", 1_000): (2.4e-4, 2.6e-4),
    ("cfr_plus_2", "leduc", 1_000): (1.5e-4, 2.1e-4),
    ("lcfr", "leduc", 1_000): (4.7e-3, 7.1e-3),
    ("lcfr", "liars_dice", 1_000): (9.1e-4, 1.1e-3),
    ("dcfr", "leduc", 1_000): (1.4e-4, 2.0e-4),
    ("dcfr_plus", "leduc", 1_000): (1.4e-4, 2.1e-4),
    ("dcfr_plus", "liars_dice", 1_000): (1.1e-4, 3.2e-4),
    ("pdcfr_plus", "kuhn", 100): (1.1e-7, 2.6e-7),
    ("pdcfr_plus", "kuhn", 1_000): (1.1e-13, 2.5e-13),
    ("hs_dcfr", "leduc", 100): (2.2e-2, 5.4e-2),
    ("hs_dcfr", "leduc", 1_000): (3.4e-4, 1.1e-3),
    ("hs_dcfr", "liars_dice", 1_000): (2.5e-4, 4.9e-4),
}

# Cells where ours is another number, beside theirs.
#
# HS-DCFR: an average with exponent 30 is one of the last t/30 iterates, 3 of 100, and these jump about. The formulas as
# printed, which the twin in test_full.py checks, give ours; no variant of them that was tried gives the notes'.
# DCFR on Liar's Dice: rounding again, 5.2e-5 to 1.2e-4 here. The notes have 7.0e-5 for the same rule with the discount
# after the sum, which in exact arithmetic is no other rule: the strategy that follows w(t-1) R + r follows w(t) R too.
# CFVFP: theirs starts with the first action everywhere, ours with the uniform strategy, as all rules here do. Started
# like theirs, ours gives the notes' numbers (below).
# HS-PCFR+: the last digits of the evaluation itself; the notes give one digit.
DIFFERENT: dict[tuple[str, str, int], tuple[float, float]] = {  # the range of ours
    ("dcfr", "liars_dice", 1_000): (5e-5, 1.3e-4),
    ("hs_dcfr", "kuhn", 100): (4.8e-3, 9.0e-3),
    ("hs_dcfr", "kuhn", 1_000): (2.4e-4, 5.3e-4),
    ("hs_dcfr", "liars_dice", 100): (8.0e-3, 1.2e-2),
    ("hs_pcfr_plus", "kuhn", 100): (1e-13, 1e-12),
    ("hs_pcfr_plus", "kuhn", 1_000): (-1e-15, 1e-15),
    ("cfvfp", "kuhn", 100): (5.8e-3, 1.2e-2),
    ("cfvfp", "kuhn", 1_000): (7.5e-4, 2.1e-3),
    ("cfvfp", "leduc", 100): (1.9e-1, 2.5e-1),
    ("cfvfp", "leduc", 1_000): (3.3e-2, 4.6e-2),
    ("cfvfp", "liars_dice", 100): (1.8e-1, 2.1e-1),
    ("cfvfp", "liars_dice", 1_000): (4.1e-2, 5.0e-2),
}
CELLS = [
    (row, game, iterations, published)
    for row, (_, numbers) in TABLE.items()
    for (game, iterations), published in zip(COLUMNS, numbers, strict=True)
]
every_cell = pytest.mark.parametrize(
    ("row", "game", "iterations", "published"),
    [pytest.param(*cell, marks=pytest.mark.slow if cell[1:3] == ("liars_dice", 1_000) else ()) for cell in CELLS],
)


@cache
def merged(game: str) -> SequenceForm:
    return Expanded.of(GAMES[game]).merged


def solved(form: SequenceForm, solver: Solver, iterations: int, *, planned: int = 0) -> Exploitability:
    tables = Tables.start(form)
    iterate(solver, form, tables, 0, iterations, planned)
    return exploitability_of(form, average_strategy(form, tables))


def cell(row: str, game: str, iterations: int, scale: float = 1.0) -> float:
    """Our number for a cell of the table, with all payoffs scaled, which changes nothing but the rounding."""
    form = merged(game)
    scaled = form._replace(value=form.value * scale)
    return solved(scaled, TABLE[row][0], iterations, planned=10_000 if game == "kuhn" else 1_000) / scale


def agrees(ours: float, published: float) -> bool:
    """Whether two printed digits are the same: within 6 %, or half a unit of the second digit."""
    unit = 10.0 ** (math.floor(math.log10(published)) - 1)
    return abs(ours - published) <= max(0.06 * published, unit / 2)


@compiled_only
@every_cell
def test_table(row: str, game: str, iterations: int, published: float) -> None:
    place = (row, game, iterations)
    if place in ROUNDING:
        scales = [1, 3, 0.1] if game == "liars_dice" else np.geomspace(0.1, 10, 30)
        found = [cell(*place, scale) for scale in scales]
        assert min(found) < 1.06 * published
        assert max(found) > 0.94 * published
        low, high = ROUNDING[place]
        assert 0.7 * low < min(found) < max(found) < 1.4 * high
    elif place in DIFFERENT:
        low, high = DIFFERENT[place]
        assert low < cell(*place) < high
    else:
        assert agrees(cell(*place), published)


@compiled_only
def test_a_power_of_two_changes_no_bit() -> None:
    """The other half of the argument: it is the rounding, not the size of the payoffs."""
    assert cell("dcfr", "leduc", 1_000, 4.0) == cell("dcfr", "leduc", 1_000)


@compiled_only
@pytest.mark.parametrize(("game", "iterations", "published"), [cell[1:] for cell in CELLS if cell[0] == "cfvfp"])
def test_cfvfp_from_the_first_actions(game: str, iterations: int, published: float) -> None:
    form = merged(game)
    tables = Tables.start(form)
    tables.sigma[:] = 0.0
    tables.sigma[form.slot] = 1.0
    fill_reach(form, tables.sigma, tables.reach)
    iterate(cfvfp(), form, tables, 0, iterations, 0)
    assert exploitability_of(form, average_strategy(form, tables)) == pytest.approx(published, rel=0.15)


# ---- known values ----------------------------------------------------------------------------------------------------


@compiled_only
def test_vanilla_cfr_on_leduc() -> None:
    """OpenSpiel's CFRSolver, alternating updates, gives the same digits."""
    assert solved(merged("leduc"), cfr(), 1) == pytest.approx(2.3736111, abs=5e-8)
    assert solved(merged("leduc"), cfr(), 100) == pytest.approx(0.0957163530, abs=5e-11)


@compiled_only
@pytest.mark.parametrize(
    ("game", "solver", "iterations", "value", "tolerance"),
    [
        ("kuhn", pdcfr_plus(), 1_000, -1 / 18, 1e-12),  # Kuhn 1950
        ("leduc", hs_pcfr_plus(), 10_000, -0.0856064, 1e-7),  # OpenSpiel's sequence-form linear program
        ("liars_dice", cfr_plus(2.0), 3_000, -7 / 258, 1e-7),  # a linear program over the sequence form
    ],
)
def test_game_value(game: str, solver: Solver, iterations: int, value: float, tolerance: float) -> None:
    result = solved(merged(game), solver, iterations, planned=iterations)
    assert result.values[0] == pytest.approx(value, abs=tolerance)
    assert result.values[1] == pytest.approx(-value, abs=tolerance)
    assert 0 <= result < 1e-4


@pytest.mark.parametrize("preset", naive.RULES)
def test_every_preset_converges_in_rock_paper_scissors_with_a_tilt(preset: str) -> None:
    """Rock against scissors counts double: rock 1/4, paper 1/2, scissors 1/4."""
    game = rock_paper_scissors()
    payoffs = game.payoffs.copy()
    payoffs[:, 2], payoffs[:, 6] = [2, -2], [-2, 2]
    form = Expanded.of(game._replace(payoffs=payoffs)).merged
    tables = Tables.start(form)
    iterate(PRESETS[preset](), form, tables, 0, 2_000, 2_000)
    np.testing.assert_allclose(average_strategy(form, tables)[2:], [0.25, 0.5, 0.25] * 2, atol=0.03)


@compiled_only
def test_hedge_converges() -> None:
    found = [solved(merged("leduc"), hedge(3.0), iterations) for iterations in (100, 1_000, 10_000)]
    assert found[0] > 4 * found[1] > 16 * found[2]
    assert found[2] < 0.01


def test_hedge_survives_large_regret() -> None:
    """exp(regret) alone would overflow."""
    form = Expanded.of(rock_paper_scissors()).merged
    tables = Tables.start(form)
    tables.regret[2:5] = [1e6, 1e6 - 1.0, -1e6]
    iterate(Solver("hedge", minimizer=Hedge(1.0)), form, tables, 0, 1, 0)
    assert tables.sigma[2:5] == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0])


# ---- a rule of one's own ---------------------------------------------------------------------------------------------


@compiled("match")
class SquaredRegret(NamedTuple):
    """Play in proportion to the square of positive regret."""

    nothing: int = 0

    def match(self, regret, value, expected, sigma, first, last, weights):
        total = 0.0
        for k in range(first, last):
            regret[k] = add_regret(regret[k], value[k] - expected, weights)
            sigma[k] = max(regret[k], 0.0) ** 2
            total += sigma[k]
        for k in range(first, last):
            sigma[k] = sigma[k] / total if total > 0.0 else 1.0 / (last - first)


@compiled("weights")
class Constant(NamedTuple):
    """Keep the same share of all old regret at every iteration."""

    share: float = 0.9

    def weights(self, t, progress):
        return self.share, self.share, -math.inf, 1.0, self.share


def squared(R: list[float], r: list[float], v: list[float], t: int, progress: float) -> tuple[list[float], list[float]]:
    new = [x + y for x, y in zip(R, r, strict=True)]
    return new, [max(x, 0.0) ** 2 for x in new]


def test_own_minimizer() -> None:
    game = Expanded.of(Leduc(ranks=2))
    solver = Solver("squared", Discount(), SquaredRegret())
    tables = Tables.start(game.form)
    iterate(solver, game.form, tables, 0, 4, 0)
    twin = naive.Cfr(naive.tree(game.game), 2, naive.Rule(squared)).run(4)
    strategy = {naive.key_of(infoset): row for infoset, row in twin.strategy.items()}
    theirs = [p for key in game.keys.tolist() for p in strategy[key]]
    np.testing.assert_allclose(tables.sigma[2:], theirs, rtol=1e-10, atol=1e-10)
    found = [solved(Expanded.of(Kuhn()).merged, solver, iterations) for iterations in (10, 1_000)]
    assert found[1] < 0.01 < found[0]


def test_own_weighting() -> None:
    form = Expanded.of(Kuhn()).merged
    tables = Tables.start(form)
    tables.regret[2:] = 1000.0
    iterate(Solver("constant", Constant(0.5), RegretMatching()), form, tables, 0, 10, 0)
    assert np.abs(tables.regret[2:]).max() < 10
    assert repr(Solver("constant", Constant(0.5))).startswith("Solver(name='constant', weighting=Constant(share=0.5)")


@pytest.mark.parametrize("exponent", [100.0, 110.0, 400.0, 1e300, math.inf])
def test_an_exponent_too_large_for_floats_forgets_nothing(exponent: float) -> None:
    """n^alpha / (n^alpha + c) was inf / inf, and regret was no number from then on."""
    one, two = (Discount(alpha=a, beta=a, gamma=2.0, offset=1.5) for a in (exponent, math.inf))
    for t in (3, 1_000, 10_000_000):
        assert one.weights(t, 0.0) == pytest.approx(two.weights(t, 0.0), abs=1e-15)
    assert float(solved(Expanded.of(Kuhn()).form, dcfr(alpha=exponent, beta=exponent), 1_000)) < 2e-3


@pytest.mark.parametrize("text", ["dcfr:gamma=-5", "cfr_plus:gamma=-1", "hedge:eta=0", "hedge:eta=-1"])
def test_numbers_by_which_nothing_is_solved_are_refused(text: str) -> None:
    with pytest.raises(RuseError, match=r"gamma must be at least 0|eta of hedge must be above 0"):
        preset(text)
