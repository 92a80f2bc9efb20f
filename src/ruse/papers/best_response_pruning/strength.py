"""Beyond the paper: how strong other views of the half deck get by self-play, and how they lie and challenge meanwhile.

The paper's own agent is in `paper_agent`. These are trained by probing in a game that is a draw after 40 turns.
"""

import math

from ruse.papers.best_response_pruning.agents import OPPONENTS, VIEWS, AgentScore, engine_for, learning_curve
from ruse.papers.best_response_pruning.paper_agent import THEIRS
from ruse.papers.evidence import Evidence, beyond, check
from ruse.papers.lab import Lab

STOPS = (1_000, 3_000, 10_000, 30_000, 100_000)
QUICK = (300, 1_000, 3_000)
SEEDS = 3
COLOURS = dict(zip(VIEWS, ("tab:blue", "tab:orange", "tab:green"), strict=True))


def run(lab: Lab) -> list[Evidence]:
    stops = QUICK if lab.quick else STOPS
    curves: dict[str, list[list[AgentScore]]] = {}
    for name, view in VIEWS.items():
        lab.tell(f"training {name}")
        # The views with a key for every hand need some ten times as long for an iteration.
        own = stops if name == "Sketch" else stops[:-2]
        curves[name] = [
            list(learning_curve(engine_for(view, seed=seed), view, own, deals=lab.deals, seed=seed))
            for seed in (lab.seeds(SEEDS) if name == "Sketch" else lab.seeds(1))
        ]
    draw(lab, curves)
    rows = [
        beyond(f"{name} by probing, seed {lab.seed + k}: games won after training", str(runs[k][-1]),
               theirs="60 % and 20 % after 1,000 iterations", seeds=1)
        for name, runs in curves.items() for k in range(len(runs))
    ]  # fmt: skip
    slowest = max(reached(curve) for curve in curves["Sketch"])
    rows.append(
        beyond("Sketch by probing: seconds until it wins as much as the paper's agent, slowest seed",
               f"{slowest:.0f} s" if slowest < math.inf else "not in this time",
               theirs="2,800,000 s without pruning, 300,000 s with", seeds=len(curves["Sketch"]))
    )  # fmt: skip
    if not lab.quick:
        ends = [curve[-1] for curve in curves["Sketch"]]
        rows += [
            check(f"Sketch by probing wins more against {bot} than the paper's agent, every seed",
                  ", ".join(str(score.shares[bot]) for score in ends),
                  all(score.shares[bot].low >= share for score in ends), f"{share:.0%} or more", seeds=len(ends))
            for bot, (_, share) in THEIRS.items()
        ]  # fmt: skip
    return rows + rates(curves["Sketch"][0])


def reached(curve: list[AgentScore]) -> float:
    """When an agent was first as strong as the paper's; never is infinite."""
    strong = (s.seconds for s in curve if all(s.shares[bot].rate >= share for bot, (_, share) in THEIRS.items()))
    return next(strong, float("inf"))


def rates(curve: list[AgentScore]) -> list[Evidence]:
    """Lies, challenges and challenges won over the training."""
    bot = OPPONENTS[-1]
    return [
        beyond(f"Rates of Sketch over training, against {bot}: {what}",
               ", ".join(f"{score.rates[bot][what]:.3g} after {score.iterations:,}" for score in curve),
               theirs="named as future work", seeds=1)
        for what in curve[0].rates[bot]
    ]  # fmt: skip


def draw(lab: Lab, curves: dict[str, list[list[AgentScore]]]) -> None:
    with lab.figure("strength", 1, len(OPPONENTS), sharey=True) as axes:
        for panel, bot in zip(axes[0], OPPONENTS, strict=True):
            for name, runs in curves.items():
                for k, curve in enumerate(runs):
                    points = [(score.iterations, 100 * score.shares[bot].rate) for score in curve]
                    label = name if k == 0 else None
                    panel.semilogx(*zip(*points, strict=True), "o-", label=label, color=COLOURS[name], linewidth=1.4)
            if bot in THEIRS:
                figure, share = THEIRS[bot]
                panel.axhline(100 * share, color="0.35", linewidth=1.0, linestyle="--",
                              label=f"{figure}: the paper's {share:.0%}")  # fmt: skip
            panel.set(xlabel="iterations of probing", ylabel="games won, %", title=f"against {bot}")
            panel.grid(alpha=0.3)
            panel.legend(frameon=False, fontsize=8)
