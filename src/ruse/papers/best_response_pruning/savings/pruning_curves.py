"""Pruned and unpruned CFR on the same axes: exploitability by iterations, by nodes and by seconds."""

import time
from collections.abc import Iterator
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from ruse.games.cheat.rules import Cheat
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.papers.best_response_pruning.savings.costs import SPACE, faster_beside, fewer, neighbour, timed
from ruse.papers.evidence import AFTER, Evidence, Verdict, check, claim, so
from ruse.papers.lab import Lab
from ruse.protocol.game import Game
from ruse.solve.solver.presets import cfr
from ruse.training.engines.chosen import engine_for
from ruse.training.engines.marks import run_to
from ruse.training.jobs.job import Job
from ruse.training.terms.engine import Engine
from ruse.training.terms.starts import Start

GAMES: dict[str, tuple[Game, int]] = {
    "Leduc": (Leduc(), 10_000),
    "Liar's Dice": (LiarsDice(), 1_000),
    "Cheat, 2 Health Points": (Cheat(hp=2), 3_000),
    "Cheat, 3 Health Points": (Cheat(hp=3), 300),
}
COLOURS = {"no pruning": "tab:red", "brp": "tab:blue"}
GROWTH = 1.3  # between two looks
AXES = ("iterations", "nodes", "seconds")
TIMES = 5  # trainings that are timed
EARLY = 20  # iterations
SAME = 1.05
CLEARLY = 1.5  # of one timing, on a machine that does other things, too


class CurvePoint(NamedTuple):
    """How a training stands; nodes are histories visited, and all that best responses look at."""

    iterations: int
    nodes: float
    seconds: float
    exploitability: float


class Live(NamedTuple):
    """Regrets at the end of a pruned training: all of them, and those that are not below pruned actions."""

    entries: int
    live: int

    @property
    def fewer(self) -> float:
        return self.entries / self.live


def made(game: Game, prune: str | None, *, alternating: bool = True) -> Engine:
    solver = cfr(prune=prune, alternating=alternating)
    return engine_for(Job(game, solver))


def rows_of(game: Game) -> int:
    """Histories that an iteration visits without pruning, counted as they are with it."""
    engine: Any = made(game, "partial")
    return len(engine.trees.histories.weight)


def curve(engine: Engine, last: int, *, rows: int, start: Start | None = None) -> list[CurvePoint]:
    """Run up to so many iterations, with a look from time to time."""
    engine.warm_up()
    if start is not None:
        start.begin(engine)
    points: list[CurvePoint] = []
    for mark in run_to(engine, looks(last), clock=time.thread_time):
        facts = engine.facts()
        nodes = float(facts["visited"] + facts["checked"] if "visited" in facts else rows * mark.iteration)
        points.append(CurvePoint(mark.iteration, nodes, mark.seconds, float(engine.exploitability())))
    return points


def looks(last: int) -> Iterator[int]:
    """Iterations further and further apart, up to the last."""
    done = 0
    while done < last:
        done = min(last, int(done * GROWTH) + 1)
        yield done


def late(points: list[CurvePoint]) -> list[float]:
    """Exploitability at the last five looks: single ones scatter."""
    return [point.exploitability for point in points[-5:]]


def run(lab: Lab) -> list[Evidence]:
    rows, early, live, sooner = [], {}, {}, {}
    with lab.figure("pruning-curves", len(GAMES), len(AXES), sharey="row") as axes:
        for (name, (game, last)), panels in zip(GAMES.items(), axes, strict=True):
            lab.tell(name)
            found = rows_of(game)
            iterations = last // 10 if lab.quick else last
            pruned = made(game, "brp")
            curves = {
                "no pruning": curve(made(game, None), iterations, rows=found),
                "brp": curve(pruned, iterations, rows=found),
            }
            live[name] = Live(pruned.facts()["regret_entries"], pruned.facts()["regret_live"])
            for k, panel in enumerate(panels):
                for how, points in curves.items():
                    panel.loglog(
                        [p[k] for p in points], [p.exploitability for p in points], label=how, color=COLOURS[how]
                    )
                panel.set(xlabel=AXES[k], ylabel="" if k else "exploitability", title=name)
                panel.grid(alpha=0.3)
            panels[0].legend(frameon=False)
            lab.tell(f"{name}, timed")
            both = partial(started, game, None), partial(started, game, "brp")
            alone = timed(*both, iterations, TIMES)
            with neighbour():
                crowded = timed(*both, iterations, TIMES)
            rows += compared(name, curves["no pruning"], curves["brp"], Timed(alone, crowded))
            early[name] = beginning(curves["no pruning"], curves["brp"])
            sooner[name] = speed_up(curves["no pruning"], curves["brp"])
    return [*rows, unchanged(early), space(live), converges(sooner)]


def started(game: Game, prune: str | None) -> Engine:
    """A fresh training, ready to be timed."""
    engine = made(game, prune)
    engine.warm_up()
    return engine


class Timed(NamedTuple):
    """Seconds without pruning by those with, of some trainings: alone, and beside a neighbour."""

    alone: list[float]
    crowded: list[float]


def compared(name: str, plain: list[CurvePoint], pruned: list[CurvePoint], factors: Timed) -> list[Evidence]:
    """Nodes, time, and what is reached. The paper's claim is of time; its own experiment is in `paper_agent`."""
    own = f"{name}, full width, {plain[-1].iterations:,} iterations"
    ratio = fmean(ours / theirs for ours, theirs in zip(late(pruned), late(plain), strict=True))
    return [
        fewer(own, [plain[-1].nodes / pruned[-1].nodes], exact=True),
        faster_beside(own, *factors),
        check(f"{own}: exploitability with BRP by that without, mean of five looks",
              f"{ratio:.3f} (at the end {pruned[-1].exploitability:.3g} and {plain[-1].exploitability:.3g})",
              ratio <= 1.1, "at most 1.1"),
    ]  # fmt: skip


def beginning(plain: list[CurvePoint], pruned: list[CurvePoint]) -> float:
    """The largest factor between the two, either way, at the looks of the first iterations."""
    pairs = [(a.exploitability, b.exploitability) for a, b in zip(plain, pruned, strict=True) if a.iterations <= EARLY]
    return max(max(a / b, b / a) for a, b in pairs)


def unchanged(early: dict[str, float]) -> Evidence:
    return claim(
        f"Section 4, nothing changes at the early stage: exploitability in the first {EARLY} iterations",
        "remains unchanged", ", ".join(f"{name} {factor:.3f} times" for name, factor in early.items()) + " at the most",
        so(max(early.values()) <= SAME), f"a factor of {SAME:g} at most, either way", margin_set=AFTER,
    )  # fmt: skip


def speed_up(plain: list[CurvePoint], pruned: list[CurvePoint]) -> float:
    """How many times as long it takes without pruning until exploitability stays as low as at the last looks."""
    target = max(max(late(plain)), max(late(pruned)))
    return seconds_to(plain, target) / seconds_to(pruned, target)


def seconds_to(points: list[CurvePoint], target: float) -> float:
    """Seconds up to the first look from which on exploitability is never above the target."""
    above = [k for k, point in enumerate(points) if point.exploitability > target]
    return points[above[-1] + 1 if above else 0].seconds


def converges(sooner: dict[str, float]) -> Evidence:
    """By time to the same exploitability, in the paper's game; other games are told beside it."""
    own = [factor for name, factor in sooner.items() if name.startswith("Cheat")]
    verdict = Verdict.CANNOT_BE_TOLD
    if min(own) >= CLEARLY or max(own) <= 1.0 / CLEARLY:
        verdict = so(min(own) >= CLEARLY)
    return claim(
        "Figure 4, convergence by time, full width: seconds to the same exploitability without BRP by those with",
        "BRP helps us speed up the convergence to the equilibrium",
        ", ".join(f"{name} {factor:.2f} times" for name, factor in sooner.items()), verdict,
        f"{CLEARLY:g} times or more on Cheat, not if as much slower: one training of each", seeds=1, margin_set=AFTER,
    )  # fmt: skip


def space(found: dict[str, Live]) -> Evidence:
    """The paper names a factor of 7 that was found in other games, so only that it saves is judged."""
    return claim(
        "Section 4, BRP saves space, full width: regrets by those in use at the end",
        "saves space (a factor of 7 in games of 2017)",
        ", ".join(f"{name} {own.fewer:.2f} times ({own.live:,} of {own.entries:,})" for name, own in found.items()),
        so(min(own.fewer for own in found.values()) >= SPACE), f"{SPACE:g} or more in every game",
    )  # fmt: skip
