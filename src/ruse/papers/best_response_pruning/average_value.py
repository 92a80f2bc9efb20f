"""Figure 4: the running mean of the sampled value of the game while training, with and without pruning.

The paper takes a higher mean for faster convergence. With a random starter, as in the paper, the seats are alike, so
the value of an equilibrium is 0. With seat 0 always starting it is that of starting. Both are measured with the
paper's agent on the half deck with one Health Point: there walks end by themselves.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ruse.games.cheat.rules import Cheat
from ruse.papers.best_response_pruning.agents import HALF
from ruse.papers.best_response_pruning.paper_agent import AGENT, COLOURS, PLAIN, PRUNED
from ruse.papers.evidence import AFTER, Evidence, Found, at_least, beyond, check, claim, near, told
from ruse.papers.lab import Lab
from ruse.solve.exact import solve_exactly
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.solver.presets import mccfr
from ruse.solve.solver.threshold import Threshold
from ruse.training.engines.marks import run_to
from ruse.tree.expanded import Expanded

ITERATIONS = 1_000  # as in the paper
EARLY = 200  # up to which the paper's blue line "increases fast"
LUCK = 20  # iterations before which the mean is that of a few games
SEEDS = 20  # single curves scatter
PAPER = {PLAIN: 0.02, PRUNED: 0.12}
NEAR = 0.02
BELOW = -5.0  # in so few iterations hardly any regret falls to the -50 of long trainings
PRUNES = f"; threshold {BELOW:g} here"
WALKS = {PLAIN: ExternalSampling(), PRUNED: ExternalSampling(Threshold(BELOW))}
GAMES = {"either seat starts": HALF._replace(hp=1), "seat 0 starts": HALF._replace(hp=1, starter=0)}
SMALL = Cheat(hp=1)  # the value of which can be computed


class Means(NamedTuple):
    """One training: the mean value to player 0 up to each iteration, and the nodes visited up to it."""

    value: np.ndarray
    nodes: np.ndarray

    @property
    def early(self) -> float:
        """How much is gained an iteration up to the early end, beyond what is gained after it. The first few walks are
        left out: a mean of theirs is mostly luck.
        """
        first, rest = self.value[EARLY - 1] - self.value[LUCK - 1], self.value[-1] - self.value[EARLY - 1]
        return float(first / (EARLY - LUCK) - rest / (len(self.value) - EARLY))


def running_mean(engine: SampledEngine, iterations: int) -> Means:
    """From the second player's walks."""
    values, nodes = np.zeros(iterations), np.zeros(iterations)
    for t, _ in enumerate(run_to(engine, range(1, iterations + 1))):
        values[t] = -engine.scratch.value[0]  # what the last walk, player 1's, found the root to be worth
        nodes[t] = engine.facts.nodes
    return Means(np.cumsum(values) / np.arange(1, iterations + 1), nodes)


Curves = dict[str, list[Means]]  # by pruning, for each seed


def run(lab: Lab) -> list[Evidence]:
    curves = {}
    for starts, game in GAMES.items():
        lab.tell(f"average value, {starts}")
        curves[starts] = {how: lab.each(partial(one, game, walk), lab.seeds(SEEDS)) for how, walk in WALKS.items()}
    draw(lab, curves)
    theirs, other = curves.values()
    return [*judged(theirs), *measured(other), sign()]


def one(game: Cheat, walk: ExternalSampling, seed: int) -> Means:
    return running_mean(SampledEngine(game, mccfr(walk), seed=seed, view=AGENT), ITERATIONS)


def judged(curves: Curves) -> list[Evidence]:
    """The paper's game, but for the Health Point."""
    rows = []
    for how, runs in curves.items():
        found, words = Found.of([m.value[-1] for m in runs]), "with" if how == PRUNED else "without"
        rows.append(
            claim(f"Figure 4, average value after {ITERATIONS:,} iterations {words} pruning, either seat starts",
                  f"{PAPER[how]:g}", told(found, "+z.3f"), near(PAPER[how], found, NEAR),
                  f"{NEAR:g}: theirs is one run in round numbers{PRUNES if how == PRUNED else ''}", found=found,
                  margin_set=AFTER)
        )  # fmt: skip
    more = PAPER[PRUNED] - PAPER[PLAIN]
    pairs = list(zip(curves[PRUNED], curves[PLAIN], strict=True))
    higher, early = Found.of([a.value[-1] - b.value[-1] for a, b in pairs]), Found.of([a.early for a, _ in pairs])
    return [
        *rows,
        claim("Figure 4, the average value is higher with pruning",
              f"by {more:.2f}: {PAPER[PRUNED]} and {PAPER[PLAIN]}", told(higher, "+z.3f"),
              near(more, higher, 2 * NEAR), f"{2 * NEAR:g}: that of both", found=higher, margin_set=AFTER),
        claim(f"Figure 4, with pruning it rises faster in the first {EARLY} iterations than after them",
              "increases fast, then less", told(early, "+z.5f", unit=" an iteration more"), at_least(0.0, early),
              "above 0, by the whole interval", found=early),
    ]  # fmt: skip


def measured(curves: Curves) -> list[Evidence]:
    """What it is when seat 0 always starts: there is something to rise to."""
    return [
        beyond(f"Figure 4 with seat 0 always starting, {how}: average value",
               f"{told(Found.of([m.value[EARLY - 1] for m in runs]), '+z.3f')} after {EARLY}, "
               f"{told(Found.of([m.value[-1] for m in runs]), '+z.3f')} after {ITERATIONS:,}",
               found=Found.of([m.value[-1] for m in runs]))
        for how, runs in curves.items()
    ]  # fmt: skip


def sign() -> Evidence:
    """A sign of convergence would go to the value of the game, which is 0 where the seats are alike."""
    value = solve_exactly(Expanded.of(SMALL)).value
    return check(
        "Figure 4, the value of an equilibrium where the seats are alike",
        f"{abs(value):.0e} in Cheat-1, by linear program; the paper's 0.12 is further from it than its 0.02",
        abs(value) < 1e-6, "0: a higher average value is no sign of convergence",
    )  # fmt: skip


def draw(lab: Lab, curves: dict[str, Curves]) -> None:
    """By iterations and by nodes: the mean of all seeds, and the middle nine tenths of them."""
    with lab.figure("average-value", len(curves), 2, sharey=True) as axes:
        for (starts, own), panels in zip(curves.items(), axes, strict=True):
            for panel, unit in zip(panels, ("iterations", "nodes"), strict=True):
                for how, runs in own.items():
                    values = np.array([m.value for m in runs])
                    nodes = np.mean([m.nodes for m in runs], axis=0)
                    x = nodes if unit == "nodes" else np.arange(1, ITERATIONS + 1)
                    panel.plot(x, values.mean(0), label=f"{how}, mean of {len(runs)} seeds", color=COLOURS[how])
                    low, high = np.quantile(values, (0.05, 0.95), axis=0)
                    panel.fill_between(x, low, high, color=COLOURS[how], alpha=0.15, linewidth=0)
                    panel.axhline(PAPER[how], color=COLOURS[how], linewidth=1.0, linestyle="--",
                                  label=f"the paper's end, {PAPER[how]:g}")  # fmt: skip
                panel.axhline(0.0, color="black", linewidth=0.6)
                panel.set(xlabel=unit, ylabel="average value to seat 0", title=f"half deck, 1 HP; {starts}")
                panel.set_ylim(-0.4, 0.4)
                panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False, fontsize=7)
