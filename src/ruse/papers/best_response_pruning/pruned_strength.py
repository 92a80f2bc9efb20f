"""Figures 5 and 6 with and without pruning: games won on the half deck by nodes and by seconds of training.

External sampling as in the paper, in a game that ends: with one Health Point a walk need not be cut. And probing, which
trains our best agents, with a draw after 40 turns. Agents are judged in the game without Health Points and turns.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.papers.best_response_pruning.agents import HALF, TRAINING, Score, learning_curve
from ruse.papers.best_response_pruning.decks import BELOW
from ruse.papers.lab import Lab, Row
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.sampled.probing import Probing
from ruse.solve.solver.presets import lcfr
from ruse.solve.solver.threshold import Never, Threshold

PRUNINGS: dict[str, Any] = {"no pruning": Never(), "threshold": Threshold(BELOW)}
COLOURS = {"no pruning": "tab:red", "threshold": "tab:blue"}
BANDS = {"naive": 0.55, "heuristic_002": 0.15}  # what is to be reached at the end
STOPS = (300, 1_000, 3_000, 10_000, 30_000)
QUICK = (300, 1_000)


class Setting(NamedTuple):
    """A training: the game and the walk, which a pruning goes into."""

    game: Cheat
    walk: Any


SETTINGS = {
    "external, 1 Health Point": Setting(HALF._replace(hp=1), ExternalSampling()),
    "probing, 40 turns": Setting(TRAINING, Probing(epsilon=0.3)),
}


def run(lab: Lab) -> list[Row]:
    rows, curves = [], {}
    for name, setting in SETTINGS.items():
        lab.tell(f"figures 5 and 6, {name}")
        curves[name] = {how: curve(lab, setting, pruning) for how, pruning in PRUNINGS.items()}
        rows += compared(name, curves[name]["no pruning"], curves[name]["threshold"], judging=not lab.quick)
    draw(lab, curves)
    return rows


def curve(lab: Lab, setting: Setting, pruning: Any) -> list[Score]:
    """One training of Sketch with linear weights, judged at the stops."""
    stops = QUICK if lab.quick else STOPS
    solver = lcfr(walk=setting.walk._replace(pruning=pruning))
    engine = SampledEngine(setting.game, solver, view=Sketch(), seed=lab.seed)
    return list(learning_curve(engine, engine.view, stops, deals=lab.deals, seed=lab.seed, opponents=BANDS))


def at_nodes(scores: list[Score], nodes: float, bot: str) -> float:
    """The share of games won after so many nodes, between two looks by the logarithm of nodes."""
    found = [score.shares[bot].rate for score in scores]
    return float(np.interp(np.log(nodes), np.log([score.nodes for score in scores]), found))


def compared(name: str, plain: list[Score], pruned: list[Score], *, judging: bool) -> list[Row]:
    """Shares at the end, and at equal nodes: where the pruned training has ended."""
    fewer, sooner = plain[-1].nodes / pruned[-1].nodes, plain[-1].seconds / pruned[-1].seconds
    rows = [
        Row(f"Half deck, {name}, {plain[-1].iterations:,} iterations: nodes and seconds without and with thresholds",
            "280,000 s and 30,000 s for 100 iterations",
            f"{plain[-1].nodes:.3g} and {pruned[-1].nodes:.3g} nodes, {fewer:.2f} times fewer; {plain[-1].seconds:.1f} "
            f"and {pruned[-1].seconds:.1f} s, {sooner:.2f} times faster",
            "fewer nodes", fewer > 1.0 if judging else None)
    ]  # fmt: skip
    for (bot, least), figure in zip(BANDS.items(), ("Figure 5", "Figure 6"), strict=True):
        ours, theirs = pruned[-1].shares[bot], plain[-1].shares[bot]
        before = at_nodes(plain, pruned[-1].nodes, bot)
        rows.append(
            Row(f"{figure}, {name}: games won against {bot} with thresholds",
                "60 %, higher with BRP" if bot == "naive" else "20 %, higher with BRP",
                f"{ours}; without {100 * before:.1f} % after as many nodes, {theirs} after as many iterations",
                f"{100 * least:.0f} % or more, and no less than without at equal nodes",
                ours.low >= least and ours.high >= before if judging else None)
        )  # fmt: skip
    return rows


def draw(lab: Lab, curves: dict[str, dict[str, list[Score]]]) -> None:
    units = ("nodes", "seconds")
    with lab.figure("figures-5-6-pruned", len(curves), len(BANDS) * len(units), sharey=True) as axes:
        for (name, pair), panels in zip(curves.items(), axes, strict=True):
            for panel, (bot, unit) in zip(panels, [(bot, unit) for bot in BANDS for unit in units], strict=True):
                for how, scores in pair.items():
                    x, y = [getattr(s, unit) for s in scores], [100 * s.shares[bot].rate for s in scores]
                    panel.semilogx(x, y, "o-", label=how, color=COLOURS[how], linewidth=1.4)
                panel.set(xlabel=f"{unit} of training", ylabel="games won, %", title=f"{name}: v. {bot}")
                panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False)
