"""Beyond the paper: what thresholds save agents that play well, by nodes and by seconds of training.

Sketch with linear weights: by external sampling in a game with one Health Point, and by probing, which trains our best
agents, with a draw after 40 turns. Agents are judged in the game without Health Points and turns.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.papers.best_response_pruning.agents import HALF, TRAINING, AgentScore, ahead, learning_curve, won
from ruse.papers.best_response_pruning.paper_agent import COLOURS, MARGIN, PLAIN, PRUNED, THEIRS
from ruse.papers.best_response_pruning.savings.decks import BELOW
from ruse.papers.evidence import Evidence, Found, beyond, check, no_worse, told
from ruse.papers.lab import Lab, points_of, share_of
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.sampled.probing import Probing
from ruse.solve.solver.presets import lcfr
from ruse.solve.solver.threshold import Never, Threshold

PRUNINGS: dict[str, Any] = {PLAIN: Never(), PRUNED: Threshold(BELOW)}
STOPS = (300, 1_000, 3_000, 10_000, 30_000)
QUICK = (300, 1_000)
SEEDS = 5


class WalkSetting(NamedTuple):
    """A training: the game and the walk, which a pruning goes into."""

    game: Cheat
    walk: Any


SETTINGS = {
    "external, 1 Health Point": WalkSetting(HALF._replace(hp=1), ExternalSampling()),
    "probing, 40 turns": WalkSetting(TRAINING, Probing(epsilon=0.3)),
}


Curves = dict[str, list[list[AgentScore]]]  # by pruning: [seed][stop]


def run(lab: Lab) -> list[Evidence]:
    rows, curves = [], {}
    for name, setting in SETTINGS.items():
        lab.tell(f"thresholds, {name}")
        pairs = lab.each(partial(pair, lab, setting), lab.seeds(SEEDS))
        curves[name] = {how: [one[how] for one in pairs] for how in PRUNINGS}
        rows += compared(name, curves[name])
    draw(lab, curves)
    return rows


def pair(lab: Lab, setting: WalkSetting, seed: int) -> dict[str, list[AgentScore]]:
    """Both trainings of a seed in one sitting."""
    return {how: curve(lab, setting, pruning, seed) for how, pruning in PRUNINGS.items()}


def curve(lab: Lab, setting: WalkSetting, pruning: Any, seed: int) -> list[AgentScore]:
    """One training of Sketch with linear weights, judged at the stops."""
    stops = QUICK if lab.quick else STOPS
    solver = lcfr(walk=setting.walk._replace(pruning=pruning))
    engine = SampledEngine(setting.game, solver, view=Sketch(), seed=seed)
    return list(learning_curve(engine, engine.view, stops, deals=lab.deals, seed=seed, opponents=THEIRS))


def at_nodes(scores: list[AgentScore], nodes: float, bot: str) -> float:
    """The share of games won after so many nodes, between two looks by the logarithm of nodes."""
    found = [score.shares[bot].rate for score in scores]
    return float(np.interp(np.log(nodes), np.log([score.nodes for score in scores]), found))


def compared(name: str, curves: Curves) -> list[Evidence]:
    """Shares at the end, and at equal nodes: where the pruned training has ended."""
    plain, pruned = ([one[-1] for one in curves[how]] for how in (PLAIN, PRUNED))
    own = f"Half deck, Sketch, {name}, {plain[0].iterations:,} iterations"
    factors = {
        unit: Found.ratio([getattr(a, unit) / getattr(b, unit) for a, b in zip(plain, pruned, strict=True)])
        for unit in ("nodes", "seconds")
    }
    rows = [
        beyond(f"{own}: {unit} without thresholds by those with", told(found, ".2f", unit=" times"),
               theirs="9.3 times faster", found=found)
        for unit, found in factors.items()
    ]  # fmt: skip
    for bot in THEIRS:
        gap = ahead(pruned, plain, bot)
        before = Found.of([at_nodes(one, end.nodes, bot) for one, end in zip(curves[PLAIN], pruned, strict=True)])
        rows += [
            beyond(f"{own}: games won against {bot} with thresholds",
                   f"{share_of(won(pruned, bot))}; without {share_of(won(plain, bot))} after as many iterations, "
                   f"{share_of(before)} after as many nodes", found=won(pruned, bot)),
            check(f"{own}: thresholds cost no games against {bot}", points_of(gap), no_worse(gap, MARGIN),
                  f"not lower by more than {100 * MARGIN:g} points at equal iterations", found=gap),
        ]  # fmt: skip
    return rows


def draw(lab: Lab, curves: dict[str, Curves]) -> None:
    units = ("nodes", "seconds")
    with lab.figure("strength-pruned", len(curves), len(THEIRS) * len(units), sharey="row") as axes:
        for (name, pairs), panels in zip(curves.items(), axes, strict=True):
            for panel, (bot, unit) in zip(panels, [(bot, unit) for bot in THEIRS for unit in units], strict=True):
                for how, runs in pairs.items():
                    for k, scores in enumerate(runs):
                        x, y = [getattr(s, unit) for s in scores], [100 * s.shares[bot].rate for s in scores]
                        label = None if k else how
                        panel.semilogx(x, y, "o-", label=label, color=COLOURS[how], linewidth=1.0, markersize=3)
                share = THEIRS[bot][1]
                panel.axhline(100 * share, color="0.35", linewidth=1.0, linestyle="--",
                              label=f"the paper's {share:.0%}")  # fmt: skip
                panel.set(xlabel=f"{unit} of training", ylabel="games won, %")
                panel.set_title(f"{name}: against {bot}", fontsize=9)
                panel.grid(alpha=0.3)
                panel.legend(frameon=False, fontsize=7)
