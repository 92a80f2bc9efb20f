"""Warm start and pruning together: nodes to the same exploitability with neither, each, and both.

The paper expects the one to be magnified by the other. The start is the strategy of a nearby game (Brown and Sandholm
2016); its own cost is not counted, because it is the same with and without pruning.
"""

import math
from typing import NamedTuple

from ruse.games.cheat.rules import Cheat
from ruse.games.leduc import Leduc
from ruse.papers.best_response_pruning.pruning_curves import Point, curve, made, rows_of
from ruse.papers.lab import Lab, Row
from ruse.protocol.game import Game
from ruse.solve.solver.presets import cfr
from ruse.strategy import Strategy
from ruse.training.starts import WarmStart
from ruse.training.train import train


class Case(NamedTuple):
    """A game, where its start comes from, and the exploitability to be reached."""

    game: Game
    source: Game
    target: float
    longest: int


CASES = {
    "Leduc from Leduc with a larger raise": Case(Leduc(), Leduc(second_raise=5), 0.07, 3_000),
    "Cheat-2 from itself, 100 iterations": Case(Cheat(hp=2), Cheat(hp=2), 0.003, 3_000),
}
TAUGHT = {"Leduc from Leduc with a larger raise": 3_000, "Cheat-2 from itself, 100 iterations": 100}
COLOURS = {"neither": "tab:red", "warm start": "tab:orange", "pruning": "tab:blue", "both": "tab:green"}


def run(lab: Lab) -> list[Row]:
    rows = []
    with lab.figure("warm-start", 1, len(CASES)) as axes:
        for panel, (name, case) in zip(axes[0], CASES.items(), strict=True):
            lab.tell(f"warm start, {name}")
            strategy = train(case.source, cfr(alternating=False), iterations=TAUGHT[name]).strategy
            curves = measured(case, strategy)
            for how, points in curves.items():
                panel.loglog(
                    [p.nodes for p in points], [p.exploitability for p in points], label=how, color=COLOURS[how]
                )
            panel.axhline(case.target, color="black", linewidth=0.6)
            panel.set(xlabel="nodes", ylabel="exploitability", title=name)
            panel.grid(alpha=0.3)
            panel.legend(frameon=False)
            rows.append(compared(name, case, curves))
    return rows


def measured(case: Case, strategy: Strategy) -> dict[str, list[Point]]:
    """All four, with simultaneous updates, for which warm start is made."""
    found = rows_of(case.game)
    ways = {"neither": (None, False), "warm start": (None, True), "pruning": ("brp", False), "both": ("brp", True)}
    curves = {}
    for how, (prune, is_warm) in ways.items():
        engine = made(case.game, prune, alternating=False)
        curves[how] = curve(engine, case.longest, rows=found, start=WarmStart(strategy) if is_warm else None)
    return curves


def nodes_to(points: list[Point], target: float) -> float:
    """Nodes until exploitability stays below the target, between two looks on a straight line in logarithms."""
    late = len(points)
    while late > 0 and points[late - 1].exploitability <= target:
        late -= 1
    if late in (0, len(points)):
        return points[0].nodes if late == 0 else math.inf
    (_, x, _, high), (_, y, _, low) = points[late - 1 : late + 1]
    return float(x * (y / x) ** (math.log(high / target) / math.log(high / low)))


def compared(name: str, case: Case, curves: dict[str, list[Point]]) -> Row:
    nodes = {how: nodes_to(points, case.target) for how, points in curves.items()}
    factor = {how: nodes["neither"] / count for how, count in nodes.items()}
    product = factor["warm start"] * factor["pruning"]
    told = ", ".join(f"{how} {count:.3g}" for how, count in nodes.items())
    return Row(
        f"Warm start and pruning, {name}: nodes to exploitability {case.target}",
        "warm starting is magnified by pruning (2016)",
        f"{told}; {factor['warm start']:.2f} times fewer by the start, {factor['pruning']:.2f} by pruning, "
        f"{factor['both']:.2f} by both (the product would be {product:.2f})",
        "both are better than each", nodes["both"] < min(nodes["warm start"], nodes["pruning"]),
    )  # fmt: skip
