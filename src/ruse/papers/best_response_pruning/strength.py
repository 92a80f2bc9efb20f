"""Figures 5 and 6: games won against Naive and Heuristic while training, and how agents lie and challenge meanwhile."""

from ruse.papers.best_response_pruning.agents import OPPONENTS, VIEWS, Score, engine_for, learning_curve
from ruse.papers.lab import Lab, Row

STOPS = (1_000, 3_000, 10_000, 30_000, 100_000)
QUICK = (300, 1_000, 3_000)
SEEDS = 3
COLOURS = dict(zip(VIEWS, ("tab:blue", "tab:orange", "tab:green"), strict=True))
FIGURES = {
    "naive": ("Figure 5", "60 %"),
    "heuristic_002": ("Figure 6", "20 %"),
    "heuristic": ("Figure 6, a stronger bot", "-"),
}


def run(lab: Lab) -> list[Row]:
    stops = QUICK if lab.quick else STOPS
    curves: dict[str, list[list[Score]]] = {}
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
        Row(f"{name}, seed {lab.seed + k}: games won after training", "60 % and 20 %", str(runs[k][-1]),
            "reported", None)
        for name, runs in curves.items() for k in range(len(runs))
    ]  # fmt: skip
    for bot, least in (("naive", 0.55), ("heuristic_002", 0.15)):
        found = [curve[-1] for curve in curves["Sketch"]]
        rows.append(
            Row(f"{FIGURES[bot][0]}: Sketch against {bot}, every seed", f"{FIGURES[bot][1]} after 1,000 iterations",
                ", ".join(str(score.shares[bot]) for score in found), f"{100 * least:.0f} % or more",
                None if lab.quick else all(score.shares[bot].low >= least for score in found))
        )  # fmt: skip
    slowest = max(reached(curve) for curve in curves["Sketch"])
    rows.append(
        Row("Seconds until 60 % against Naive and 20 % against Heuristic (thr 0.05), slowest seed",
            "280,000 s for 100 of 1,000 iterations", f"{slowest:.0f} s", "under 300 s",
            None if lab.quick else slowest < 300.0)
    )  # fmt: skip
    return rows + rates(curves["Sketch"][0])


def reached(curve: list[Score]) -> float:
    """When an agent was first as strong as the paper's; never is infinite."""
    strong = (s.seconds for s in curve if s.shares["naive"].rate >= 0.6 and s.shares["heuristic_002"].rate >= 0.2)
    return next(strong, float("inf"))


def rates(curve: list[Score]) -> list[Row]:
    """Lies, challenges and challenges won over the training."""
    return [
        Row(f"Rates of Sketch over training, against {OPPONENTS[-1]}: {what}", "named as future work",
            ", ".join(f"{score.rates[what]:.3g} after {score.iterations:,}" for score in curve), "reported", None)
        for what in curve[0].rates
    ]  # fmt: skip


def draw(lab: Lab, curves: dict[str, list[list[Score]]]) -> None:
    with lab.figure("figures-5-6", 1, len(OPPONENTS), sharey=True) as axes:
        for panel, bot in zip(axes[0], OPPONENTS, strict=True):
            for name, runs in curves.items():
                for k, curve in enumerate(runs):
                    points = [(score.seconds, 100 * score.shares[bot].rate) for score in curve]
                    label = name if k == 0 else None
                    panel.semilogx(*zip(*points, strict=True), "o-", label=label, color=COLOURS[name], linewidth=1.4)
            panel.set(xlabel="seconds of training", ylabel="games won, %", title=f"{FIGURES[bot][0]}: v. {bot}")
            panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False, fontsize=8)
