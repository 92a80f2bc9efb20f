"""Pruned and unpruned CFR on the same axes: exploitability by iterations, by nodes and by seconds."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any, NamedTuple

from ruse.games.cheat.rules import Cheat
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.papers.lab import Lab, Row
from ruse.protocol.game import Game
from ruse.solve.solver.presets import cfr
from ruse.training.engine import Engine
from ruse.training.engines import engine_for
from ruse.training.job import Job
from ruse.training.marks import run_to
from ruse.training.starts import Start

GAMES: dict[str, tuple[Game, int]] = {
    "Leduc": (Leduc(), 10_000),
    "Liar's Dice": (LiarsDice(), 1_000),
    "Cheat, 2 Health Points": (Cheat(hp=2), 3_000),
    "Cheat, 3 Health Points": (Cheat(hp=3), 300),
}
COLOURS = {"no pruning": "tab:red", "brp": "tab:blue"}
GROWTH = 1.3  # between two looks
AXES = ("iterations", "nodes", "seconds")


class Point(NamedTuple):
    """How a training stands; nodes are histories visited, and all that best responses look at."""

    iterations: int
    nodes: float
    seconds: float
    exploitability: float


def made(game: Game, prune: str | None, *, alternating: bool = True) -> Engine:
    solver = cfr(prune=prune, alternating=alternating)
    return engine_for(Job(game, solver))


def rows_of(game: Game) -> int:
    """Histories that an iteration visits without pruning, counted as they are with it."""
    engine: Any = made(game, "partial")
    return len(engine.trees.histories.weight)


def curve(engine: Engine, last: int, *, rows: int, start: Start | None = None) -> list[Point]:
    """Run up to so many iterations, with a look from time to time."""
    engine.warm_up()
    if start is not None:
        start.begin(engine)
    points: list[Point] = []
    for mark in run_to(engine, looks(last)):
        facts = engine.facts()
        nodes = float(facts["visited"] + facts["checked"] if "visited" in facts else rows * mark.iteration)
        points.append(Point(mark.iteration, nodes, mark.seconds, float(engine.exploitability())))
    return points


def looks(last: int) -> Iterator[int]:
    """Iterations further and further apart, up to the last."""
    done = 0
    while done < last:
        done = min(last, int(done * GROWTH) + 1)
        yield done


def late(points: list[Point]) -> list[float]:
    """Exploitability at the last five looks: single ones scatter."""
    return [point.exploitability for point in points[-5:]]


def run(lab: Lab) -> list[Row]:
    rows = []
    with lab.figure("pruning-curves", len(GAMES), len(AXES), sharey="row") as axes:
        for (name, (game, last)), panels in zip(GAMES.items(), axes, strict=True):
            lab.tell(name)
            found = rows_of(game)
            iterations = last // 10 if lab.quick else last
            curves = {
                "no pruning": curve(made(game, None), iterations, rows=found),
                "brp": curve(made(game, "brp"), iterations, rows=found),
            }
            for k, panel in enumerate(panels):
                for how, points in curves.items():
                    panel.loglog(
                        [p[k] for p in points], [p.exploitability for p in points], label=how, color=COLOURS[how]
                    )
                panel.set(xlabel=AXES[k], ylabel="" if k else "exploitability", title=name)
                panel.grid(alpha=0.3)
            panels[0].legend(frameon=False)
            rows += compared(name, curves["no pruning"], curves["brp"])
    return rows


def compared(name: str, plain: list[Point], pruned: list[Point]) -> list[Row]:
    fewer, sooner = plain[-1].nodes / pruned[-1].nodes, plain[-1].seconds / pruned[-1].seconds
    ratio = fmean(ours / theirs for ours, theirs in zip(late(pruned), late(plain), strict=True))
    return [
        Row(f"{name}, full width, {plain[-1].iterations:,} iterations: nodes without and with BRP",
            "not told; 280,000 s and 30,000 s on the half deck",
            f"{plain[-1].nodes:.3g} and {pruned[-1].nodes:.3g}, {fewer:.1f} times fewer; {sooner:.1f} times faster",
            "fewer nodes", fewer > 1.0),
        Row(f"{name}: exploitability with BRP by that without, equal iterations, mean of five looks",
            "not measured", f"{ratio:.3f} (at the end {pruned[-1].exploitability:.3g} and "
            f"{plain[-1].exploitability:.3g})", "at most 1.1", ratio <= 1.1),
    ]  # fmt: skip
