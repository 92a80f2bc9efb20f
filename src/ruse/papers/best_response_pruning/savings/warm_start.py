"""Warm start and pruning together: nodes to the same exploitability with neither, each and both; the start's price.

The paper expects the one to be magnified by the other (of 2016). The start is a strategy from elsewhere: of a nearby
game, of an early stage of the same game, of a smaller game in the curriculum, of an agent that sees less.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import Memoryless
from ruse.games.leduc import Leduc
from ruse.papers.best_response_pruning.savings.pruning_curves import CurvePoint, curve, made, rows_of
from ruse.papers.evidence import AFTER, Evidence, beyond, claim, so
from ruse.papers.lab import Lab
from ruse.protocol.game import Game
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import cfr, mccfr
from ruse.strategy import Strategy
from ruse.training.terms.starts import WarmStart
from ruse.training.train import train

COLOURS = {"neither": "tab:red", "warm start": "tab:orange", "pruning": "tab:blue", "both": "tab:green"}
SCRATCH = 10 + 1  # iterations that a start itself takes: ten from nothing to see its worth, and a walk
MAGNIFIED = 1.05  # a start that saves so many times more with pruning is magnified by it


class PaidStart(NamedTuple):
    """A strategy to start from, and the nodes that it took."""

    strategy: Strategy
    nodes: float


class Case(NamedTuple):
    """A game, how its start is made, and the exploitability to be reached."""

    game: Game
    teach: Callable[[int], PaidStart]  # by seed
    target: float
    longest: int
    counted: int | None = None  # as how many iterations the start counts; None: found by ten from nothing


def by_full_width(game: Game, iterations: int, seed: int) -> PaidStart:
    run = train(game, cfr(alternating=False), iterations=iterations, seed=seed)
    return PaidStart(run.strategy, float(iterations * rows_of(game)))


def by_forgetting(game: Game, iterations: int, seed: int) -> PaidStart:
    """External sampling of an agent that forgets all but the table."""
    engine = SampledEngine(game, mccfr("external"), view=Memoryless(claim=True), seed=seed)
    engine.run(0, iterations)
    return PaidStart(Strategy(game, *engine.rows(), view=engine.view), float(engine.facts.nodes))


NEARBY, SMALLER, SAME = Leduc(second_raise=5), Cheat(hp=1), Cheat(hp=2)
LEDUC = Case(Leduc(), partial(by_full_width, NEARBY, 3_000), 0.07, 3_000)
CHEAT = Case(SAME, partial(by_full_width, SAME, 100), 0.003, 3_000)
FORGETS = CHEAT._replace(teach=partial(by_forgetting, SAME, 3_000))
CASES = {
    "Leduc from Leduc with a larger raise": LEDUC,
    "Leduc from the same, taught for 300 iterations": LEDUC._replace(teach=partial(by_full_width, NEARBY, 300)),
    "Cheat-2 from itself, 100 iterations": CHEAT,
    "Cheat-2 from Cheat-1, 300 iterations": CHEAT._replace(teach=partial(by_full_width, SMALLER, 300)),
    "Cheat-2 from an agent that forgets, 3,000 sampled": FORGETS,
    "Cheat-2 from such an agent, 1,000 sampled, counted as ten": FORGETS._replace(
        teach=partial(by_forgetting, SAME, 1_000), counted=10
    ),
}


def run(lab: Lab) -> list[Evidence]:
    rows, found = [], {}
    cases = dict(list(CASES.items())[2:]) if lab.quick else CASES
    with lab.figure("warm-start", len(cases) // 2, 2, sharey=True) as axes:
        for panel, (name, case) in zip(axes.flat, cases.items(), strict=True):
            lab.tell(f"warm start, {name}")
            lesson = case.teach(lab.seed)
            curves = measured(case, lesson.strategy)
            for how, points in curves.items():
                panel.loglog(
                    [p.nodes for p in points], [p.exploitability for p in points], label=how, color=COLOURS[how]
                )
            panel.axhline(case.target, color="black", linewidth=0.6)
            panel.axvline(price(case, lesson), color="0.5", linewidth=1.0, linestyle=":", label="what the start took")
            panel.set(xlabel="nodes after the start", ylabel="exploitability")
            panel.set_title(name, fontsize=9)
            panel.grid(alpha=0.3)
            panel.legend(frameon=False, fontsize=7)
            nodes = {how: nodes_to(points, case.target) for how, points in curves.items()}
            found[name] = gains(nodes)
            rows += compared(name, case.target, nodes, price(case, lesson))
    return [magnified(found), *rows]


def price(case: Case, lesson: PaidStart) -> float:
    """All nodes before the first iteration: the teacher's, a walk, and iterations from nothing to see its worth."""
    return lesson.nodes + (1 if case.counted else SCRATCH) * rows_of(case.game)


def measured(case: Case, strategy: Strategy) -> dict[str, list[CurvePoint]]:
    """All four, with simultaneous updates, for which warm start is made."""
    found = rows_of(case.game)
    ways = {"neither": (None, False), "warm start": (None, True), "pruning": ("brp", False), "both": ("brp", True)}
    curves = {}
    warm = WarmStart(strategy, case.counted)
    for how, (prune, is_warm) in ways.items():
        engine = made(case.game, prune, alternating=False)
        curves[how] = curve(engine, case.longest, rows=found, start=warm if is_warm else None)
    return curves


def nodes_to(points: list[CurvePoint], target: float) -> float:
    """Nodes until exploitability stays below the target, between two looks on a straight line in logarithms."""
    late = len(points)
    while late > 0 and points[late - 1].exploitability <= target:
        late -= 1
    if late in (0, len(points)):
        return points[0].nodes if late == 0 else math.inf
    (_, x, _, high), (_, y, _, low) = points[late - 1 : late + 1]
    return float(x * (y / x) ** (math.log(high / target) / math.log(high / low)))


def worthy(paid: float, saved: dict[str, float]) -> str:
    """For whom a start has saved more than it took."""
    return ", ".join(words for words, count in saved.items() if count > paid) or "no"


def gains(nodes: dict[str, float]) -> tuple[float, float]:
    """How many times fewer nodes a training takes with the start, without pruning and with it."""
    return nodes["neither"] / nodes["warm start"], nodes["pruning"] / nodes["both"]


def magnified(found: dict[str, tuple[float, float]]) -> Evidence:
    """The sentence is about starts that help; those that save nothing either way tell nothing."""
    helped = {name: own for name, own in found.items() if max(own) > 1.0}
    more = [name for name, (alone, together) in helped.items() if together >= MAGNIFIED * alone]
    return claim(
        "Section 4, the effectiveness of warm starting is magnified by pruning, by nodes", "magnified (of 2016)",
        f"in {len(more)} of {len(helped)} starts: "
        + "; ".join(f"{name} {alone:.2f} and {together:.2f} times" for name, (alone, together) in helped.items()),
        so(len(more) == len(helped) if helped else None),
        f"each start that saves nodes at all saves {MAGNIFIED:g} times as many with pruning as without",
        seeds=1, margin_set=AFTER,
    )  # fmt: skip


def compared(name: str, target: float, nodes: dict[str, float], paid: float) -> list[Evidence]:
    """What the start saves without pruning and with it; and whether it is worth what it took."""
    told = ", ".join(f"{how} {count:.3g}" for how, count in nodes.items())
    saved = {"without pruning": nodes["neither"] - nodes["warm start"], "with it": nodes["pruning"] - nodes["both"]}
    worth = ", ".join(f"{words} {count:.2g}" for words, count in saved.items())
    alone, together = gains(nodes)
    return [
        beyond(f"Warm start and pruning, {name}: nodes to exploitability {target:g}, the start's own not counted",
               f"{told}; the start saves {alone:.2f} times without pruning, {together:.2f} times with it"),
        beyond(f"Warm start, {name}: is it worth its price?",
               f"{worthy(paid, saved)}: it took {paid:.2g} nodes, and saved {worth}"),
    ]  # fmt: skip
