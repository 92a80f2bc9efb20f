"""What a curriculum is good for: Cheat as in the paper, and exploitability on Leduc and Liar's Dice."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from courses import RAISES, OneFaceFewer
from marks import compiled_only

import ruse
from ruse.games.cheat.views import General, HistoryAware, HpAware, Memoryless

# ---- Cheat: figure 3 of the paper ------------------------------------------------------------------------------------

CHEAT = [ruse.Cheat(hp=3), ruse.Cheat(hp=4)]
AT = (1, 10, 40)
# Win rate against RandomBot in Cheat-4 after 1, 10 and 40 iterations, measured before by other code.
KNOWN = {
    ("memoryless", "nothing"): (0.846, 0.883, 0.893),
    ("memoryless", "copy"): (0.894, 0.895, 0.890),
    ("history", "nothing"): (0.547, 0.659, 0.764),
    ("history", "copy"): (0.823, 0.832, 0.837),
    ("hp", "nothing"): (0.55, 0.68, 0.79),
    ("hp", "copy"): (0.57, 0.69, 0.78),
    ("general", "nothing"): (0.50, 0.63, 0.74),
    ("general", "lost"): (0.81, None, None),
}
VIEWS: dict[str, Any] = {
    "memoryless": Memoryless(), "history": HistoryAware(), "hp": HpAware(), "general": General(),
}  # fmt: skip


@cache
def win_rates(agent: str, how: str) -> tuple[float, ...]:
    """100 chance-sampled iterations of Cheat-3, then Cheat-4. Copies have the same points, or as many lost."""
    final = ruse.Iterations(40, measure=ruse.WinRate(ruse.RandomBot(), deals=5_000))
    view = VIEWS[agent]
    runs = ruse.curriculum(
        [CHEAT[0], ruse.Lesson(CHEAT[1], until=final)], ruse.mccfr("chance"), view=view, until=ruse.Iterations(100),
        transfer=ruse.Nothing() if how == "nothing" else ruse.Copying(),
        mapping=view._replace(hp_shift=1) if how == "lost" else None,
    )  # fmt: skip
    rates = dict(runs[-1].checks)
    found = tuple(rates[n] for n in AT)
    known = ["  -  " if x is None else f"{x:.3f}" for x in KNOWN[agent, how]]
    print(f"\n{agent:<10} {how:<8}", "  ".join(f"{x:.3f} ({y})" for x, y in zip(found, known, strict=True)), end="")
    return found


@compiled_only
@pytest.mark.parametrize("agent", ["memoryless", pytest.param("history", marks=pytest.mark.slow)])
def test_a_copy_helps(agent: str) -> None:
    assert all(np.array(win_rates(agent, "copy")) >= np.array(win_rates(agent, "nothing")))
    assert win_rates(agent, "copy") == pytest.approx(KNOWN[agent, "copy"], abs=0.03)


@pytest.mark.slow
@compiled_only
def test_a_copy_of_the_same_points_is_no_help_to_those_who_see_points() -> None:
    assert win_rates("hp", "copy") == pytest.approx(win_rates("hp", "nothing"), abs=0.03)
    for how in ("nothing", "copy"):
        assert win_rates("hp", how) == pytest.approx(KNOWN["hp", how], abs=0.05)


@pytest.mark.slow
@compiled_only
def test_as_many_points_lost_help() -> None:
    lost, fresh = win_rates("general", "lost"), win_rates("general", "nothing")
    assert lost[0] == pytest.approx(0.81, abs=0.03)
    assert all(np.array(lost) > np.array(fresh) + 0.05)


# ---- Leduc and Liar's Dice: exploitability ---------------------------------------------------------------------------


def final(games: list[Any], transfer: Any, mapping: Any = None) -> dict[int, float]:
    """Exploitability by iteration in the last game, after 1,000 iterations of each of those before."""
    lessons = [*games[:-1], ruse.Lesson(games[-1], until=ruse.Iterations(1_000))]
    runs = ruse.curriculum(lessons, ruse.cfr(), transfer=transfer, until=ruse.Iterations(1_000), mapping=mapping)
    return {n: found for n, _, found in runs[-1].curve}


@compiled_only
@pytest.mark.parametrize(
    ("games", "mapping"),
    [(RAISES, None), ([ruse.LiarsDice(sides=n) for n in (3, 4, 5)], OneFaceFewer())],
    ids=["leduc", "liars_dice"],
)
def test_a_copy_looks_good_and_then_hurts(games: list[Any], mapping: Any) -> None:
    fresh, copied, warmed = (final(games, t, mapping) for t in (ruse.Nothing(), ruse.Copying(), ruse.Warming()))
    print()
    for name, curve in (("nothing", fresh), ("copy", copied), ("warm", warmed)):
        print(f"{name:<8}", "  ".join(f"{curve[n]:.4f}" for n in (1, 1_000)))
    assert copied[1] < fresh[1]
    assert warmed[1] < fresh[1]
    assert copied[1_000] > 10 * fresh[1_000]
    assert warmed[1_000] < 1.5 * fresh[1_000]
