"""Three players before the flop, beside plain sums over all triples of hands."""

from functools import cache

import numpy as np
import pytest
from rough_hands import rough_table

from ruse.errors import RuseError
from ruse.games.holdem.rules import Holdem
from ruse.horizon import three
from ruse.horizon.preflop import Style
from ruse.horizon.three import Equities, Three, ThreeLines, ThreeSolver, judged, opening, three_equities, together
from ruse.solve.solver.presets import dcfr

GAME = Holdem(players=3, stack=4.0, cap=1, streets=1)  # few lines


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equities that nobody has to wait for."""
    monkeypatch.setattr(three, "starting_equities", rough_table)


@cache
def equities() -> Equities:
    return three_equities(4, seed=2)


def game() -> Three:
    return Three.of(GAME, equities())


def test_what_ends_are_worth() -> None:
    made = game()
    lines, rng = made.lines, np.random.default_rng(1)
    ends = len(lines.ends)
    reach = rng.uniform(0.0, 1.0, (ends, 3, 169)).astype(np.float32)
    kinds = {tuple(stays): e for e, stays in enumerate(lines.stays.tolist())}
    assert len(kinds) == 7, "one, two or three are left, whoever they are"
    for player in range(3):
        found = made.end_values(player, reach)
        j, k = (p for p in range(3) if p != player)
        for stays, e in kinds.items():
            pot, share = lines.paid[e].sum(), np.zeros((169, 169, 169))  # by own hand, that of j, that of k
            if stays[player]:
                share += (
                    made.share if stays[j] and stays[k]
                    else made.two[:, :, None] if stays[j] else made.two[:, None, :] if stays[k] else 1.0
                )  # fmt: skip
            paid = (share * pot - lines.paid[e, player]) * made.dealt
            expected = np.einsum("ijk,j,k->i", paid, reach[e, j], reach[e, k], optimize=True)
            np.testing.assert_allclose(found[e], expected, rtol=1e-3, atol=1e-7)


def test_shares_of_three_hands() -> None:
    share = equities().share
    total = share + share.transpose(1, 0, 2) + share.transpose(1, 2, 0)
    np.testing.assert_allclose(total, 1.0, atol=1e-5)
    np.testing.assert_allclose(share, share.transpose(0, 2, 1), atol=1e-6)


def test_solving_and_a_style() -> None:
    made = game()
    normal, loose = ThreeSolver(made, dcfr()), ThreeSolver(made, dcfr(), Style("loose", ("call",), 5.0, 0.3))
    first = judged(made, normal.average())
    assert sum(first.values) == pytest.approx(0.0, abs=1e-3), "nobody wins what nobody has lost"
    for solver in (normal, loose):
        solver.run(12)
    rows = normal.average()
    assert judged(made, rows).nash_conv < first.nash_conv / 5
    assert opening(made, loose.average())[1] > opening(made, rows)[1] + 0.05
    assert opening(made, rows).sum() == pytest.approx(1.0, abs=1e-6)
    assert judged(made, together(made.lines, (rows, rows, rows))).values == judged(made, rows).values


def test_another_menu() -> None:
    lines = ThreeLines.of(GAME)
    fewer = lines.offering("fold", "raise 2bb")
    assert (len(fewer.children[0]), fewer.names[0]) == (2, ("fold", "raise 2bb"))
    solver = ThreeSolver(game()._replace(lines=fewer), dcfr())
    solver.run(1)
    assert solver.average()[0].shape == (169, 2)
    with pytest.raises(RuseError, match="the first decision offers fold, call"):
        lines.offering("fold", "raise 7bb")
    with pytest.raises(RuseError, match="three players with the same stacks"):
        ThreeLines.of(Holdem(players=3))
