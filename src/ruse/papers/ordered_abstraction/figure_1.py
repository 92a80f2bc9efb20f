"""Figure 1: games won against both bots while training in Cheat-3, without (a, b) and with abstraction (c, d)."""

from statistics import fmean

from ruse.games.cheat.rules import Cheat
from ruse.papers.lab import Lab, Row, percent
from ruse.papers.ordered_abstraction.agents import BOTS, COLOURS, NAMES, PLUS, Score, engine_for, learning_curve
from ruse.play.match import match

GAME = Cheat(hp=3)
SEEDS = 5
Curve = list[tuple[int, Score]]


def run(lab: Lab) -> list[Row]:
    lab.tell("Cheat-3, learning curves")
    curves = {agent: averaged(lab, agent) for agent in (*NAMES, *PLUS)}
    baseline = match(GAME, [BOTS["heuristic"], BOTS["random"]], deals=20 * lab.deals, seed=lab.seed).win_rate[0]
    draw(lab, curves, baseline)
    ends = {agent: curve[-1][1] for agent, curve in curves.items()}
    plain = {agent: ends[agent].random for agent in NAMES}
    table = ", ".join(f"{NAMES[agent]} {percent(share)}" for agent, share in plain.items())
    rows = [
        Row("Figure 1, baseline: Heuristic against Random", "about 80 %", percent(baseline), "78 to 82 %",
            0.78 <= baseline <= 0.82),
        Row("Figure 1a, Memoryless against Random", "almost 90 %", table, "85 % or more, and the best of the four",
            plain["memoryless"] >= 0.85 and plain["memoryless"] == max(plain.values())),
        Row("Figure 1a, all four against the baseline", "most above it", table, "not more than 3 points below",
            min(plain.values()) >= baseline - 0.03),
        Row("Figure 1b, Memoryless against Heuristic", "75 %", percent(ends["memoryless"].heuristic), "above 55 %",
            ends["memoryless"].heuristic > 0.55),
        Row("Figure 1b, all four against Heuristic", "over 60 %",
            ", ".join(f"{NAMES[a]} {percent(ends[a].heuristic)}" for a in NAMES), "reported: not reproduced", None),
    ]  # fmt: skip
    for agent, name in (NAMES | PLUS).items():
        first, rest = steepness(curves[agent])
        rows.append(
            Row(f"Figure 1, {name} learns most at the beginning", "much steeper at the beginning",
                f"{100 * first:+z.2f} points an iteration up to 20, {100 * rest:+z.2f} after", "steeper up to 20",
                first > rest)
        )  # fmt: skip
    for agent in ("memoryless", "hp"):
        gains = [ends[f"{agent}+"][k] - ends[agent][k] for k in range(2)]
        rows.append(
            Row(f"Figure 1c-d, {PLUS[f'{agent}+']} beside {NAMES[agent]}", "5 to 10 points better against Heuristic",
                f"{100 * gains[0]:+z.1f} points against Random, {100 * gains[1]:+z.1f} against Heuristic",
                "not worse against either bot", min(gains) >= 0.0)
        )  # fmt: skip
    return rows


def averaged(lab: Lab, agent: str) -> Curve:
    """The mean of the learning curves of several seeds."""
    runs = lab.each(lambda seed: list(learning_curve(engine_for(agent, GAME, seed), lab.deals, seed)), lab.seeds(SEEDS))
    return [
        (runs[0][k][0], Score(*(fmean(curve[k][1][bot] for curve in runs) for bot in range(2))))
        for k in range(len(runs[0]))
    ]


def steepness(curve: Curve) -> tuple[float, float]:
    """Gain an iteration against Random up to iteration 20, and from there on."""
    shares = {iteration: score.random for iteration, score in curve}
    first, last = min(shares), max(shares)
    return (shares[20] - shares[first]) / (20 - first), (shares[last] - shares[20]) / (last - 20)


def draw(lab: Lab, curves: dict[str, Curve], baseline: float) -> None:
    with lab.figure("figure-1", 2, 2, sharex=True, sharey="row") as axes:
        for row, bot in enumerate(BOTS):
            for column, agents in enumerate((NAMES, PLUS)):
                panel = axes[row][column]
                for (agent, name), colour in zip(agents.items(), COLOURS.values(), strict=True):
                    points = [(iteration, 100 * score[row]) for iteration, score in curves[agent]]
                    panel.plot(*zip(*points, strict=True), label=name, color=colour, linewidth=1.6)
                panel.axhline(
                    100 * baseline, color="tab:red", linewidth=1, label="Heuristic v. Random" if not row else ""
                )
                letter = "abcd"[row + 2 * column]
                panel.set_title(f"({letter}) {'without' if not column else 'with'} abstraction, v. {bot.title()}")
                panel.set(xlabel="iterations", ylabel="games won, %")
                panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False, fontsize=8)
        axes[0][1].legend(frameon=False, fontsize=8)
