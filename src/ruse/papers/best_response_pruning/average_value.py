"""Figure 4: the running mean of the sampled value of the game while training, with and without pruning.

The paper takes a higher mean for faster convergence. With a random starter the seats are alike and the value is 0, so
it is no such measure. Here seat 0 always starts, and the value is that of starting.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import Memoryless
from ruse.papers.best_response_pruning.decks import BELOW, MID
from ruse.papers.lab import Lab, Row, interval
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.solver.presets import mccfr
from ruse.solve.solver.threshold import Threshold
from ruse.training.marks import run_to

ITERATIONS = 1_000  # as in the paper
EARLY = 200  # where the paper's curves are furthest apart
SEEDS = 12  # single curves scatter
DRAWN = 4  # of them
WALKS = {"no pruning": ExternalSampling(), "threshold": ExternalSampling(Threshold(BELOW))}
COLOURS = {"no pruning": "tab:red", "threshold": "tab:blue"}


class Means(NamedTuple):
    """One training: the mean value to player 0 up to each iteration, and the nodes visited up to it."""

    value: np.ndarray
    nodes: np.ndarray

    def after(self, nodes: float) -> float:
        """The mean when so many nodes had been visited, or at the end if that was before."""
        return float(self.value[min(int(np.searchsorted(self.nodes, nodes)), len(self.nodes) - 1)])

    def risen(self) -> float:
        """Nodes until the mean is above 0 for good; all of them if it never is."""
        below = np.flatnonzero(self.value <= 0.0)
        return float(self.nodes[min(below[-1] + 1 if len(below) else 0, len(self.nodes) - 1)])


def running_mean(engine: SampledEngine, iterations: int) -> Means:
    """From the second player's walks."""
    values, nodes = np.zeros(iterations), np.zeros(iterations)
    for t, _ in enumerate(run_to(engine, range(1, iterations + 1))):
        values[t] = -engine.scratch.value[0]  # what the last walk, player 1's, found the root to be worth
        nodes[t] = engine.facts.nodes
    return Means(np.cumsum(values) / np.arange(1, iterations + 1), nodes)


def run(lab: Lab) -> list[Row]:
    game = Cheat(hp=2, starter=0) if lab.quick else MID._replace(starter=0)
    lab.tell("average value")

    def curve(seed: int, walk: ExternalSampling) -> Means:
        return running_mean(SampledEngine(game, mccfr(walk), seed=seed, view=Memoryless(claim=True)), ITERATIONS)

    curves = {how: lab.each(partial(curve, walk=walk), lab.seeds(SEEDS)) for how, walk in WALKS.items()}
    draw(lab, {how: runs[:DRAWN] for how, runs in curves.items()})
    plain, pruned = curves["no pruning"], curves["threshold"]
    told = "; ".join(
        f"{how} {spread([m.value[EARLY - 1] for m in runs])} after {EARLY}, "
        f"{spread([m.value[-1] for m in runs])} after {ITERATIONS:,}"
        for how, runs in curves.items()
    )
    rows = [
        Row(f"Figure 4, average game value, seat 0 starts, {len(plain)} seeds", "0.12 with BRP, 0.02 without", told,
            "reported: the value of the symmetric game is 0, whatever the strategies", None)
    ]  # fmt: skip
    pairs = list(zip(plain, pruned, strict=True))
    by_iterations = [theirs.value[EARLY - 1] - ours.value[EARLY - 1] for ours, theirs in pairs]
    by_nodes = [theirs.after(ours.nodes[EARLY - 1]) - ours.value[EARLY - 1] for ours, theirs in pairs]
    rows += [
        Row(f"Figure 4, value with pruning less that without, after {EARLY} iterations without and as many {unit}",
            "higher with BRP", spread(gains), "reported", None)
        for unit, gains in (("iterations", by_iterations), ("nodes", by_nodes))
    ]  # fmt: skip
    sooner, low, high = np.exp(interval([np.log(ours.risen() / theirs.risen()) for ours, theirs in pairs]))
    rows.append(
        Row("Figure 4, the early rise: nodes until the average stays above 0, without pruning by those with",
            "rises sooner with BRP", f"{sooner:.2f} ({low:.2f} to {high:.2f}, 95 %)",
            "above 1", None if lab.quick else bool(sooner > 1.0))
    )  # fmt: skip
    return rows


def spread(found: list[float]) -> str:
    """The mean over seeds, and the lowest and the highest."""
    return f"{np.mean(found):+z.3f} ({min(found):+z.3f} to {max(found):+z.3f})"


def draw(lab: Lab, curves: dict[str, list[Means]]) -> None:
    with lab.figure("average-value", 1, 2, sharey=True) as axes:
        for panel, unit in zip(axes[0], ("iterations", "nodes"), strict=True):
            for how, runs in curves.items():
                for k, means in enumerate(runs):
                    x = means.nodes if unit == "nodes" else np.arange(1, len(means.value) + 1)
                    label = None if k else how
                    panel.plot(x, means.value, label=label, color=COLOURS[how], linewidth=1.0, alpha=0.8)
            panel.axhline(0.0, color="black", linewidth=0.6)
            panel.set(xlabel=unit, ylabel="average value to seat 0, which starts", title=f"Cheat, 5x3 cards, by {unit}")
            panel.set_ylim(-0.4, 0.2)
            panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False)
