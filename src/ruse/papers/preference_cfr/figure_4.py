"""Figure 4: six preferences in Kuhn poker as the authors' code has them, and our own form beside them.

RM is equation 10 on CFR; BR is equation 11, with the best action wherever nothing is preferred too. Updates are
simultaneous and tables start from U(0, 1). (The paper's later version numbers the equations 13 and 14, the figure 2.)
"""

from itertools import pairwise
from math import exp, log
from statistics import fmean
from typing import NamedTuple

from ruse.games.kuhn import Kuhn
from ruse.papers.evidence import AFTER, Evidence, Found, agreed, beyond, claim, near, so, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.course import Course, follow, opening, random_start
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, label, tidy
from ruse.solve.solver.presets import PRESETS, Solver, pdcfr_plus

STARTS, FEWER = 10, 3
NEAR = 0.02
STRONGEST = "BR bet 10"  # setting 1
SLOWER = 1.5  # times CFR's NashConv, on average over the looks; what is below is similar
BEGUN = 10  # iterations before which nothing has converged


class CurveSetting(NamedTuple):
    """A curve of the figure."""

    name: str
    rule: str
    wish: tuple[str, float] | None
    paper: float  # alpha, read off the figure

    @property
    def solver(self) -> Solver:
        return PRESETS[self.rule](alternating=False, prefer=opening(*self.wish) if self.wish else None)


SETTINGS = [
    CurveSetting("BR bet 10", "cfvfp", ("bet", 10), 0.32),
    CurveSetting("BR bet 5", "cfvfp", ("bet", 5), 0.295),
    CurveSetting("RM bet 5", "cfr", ("bet", 5), 0.24),
    CurveSetting("CFR", "cfr", None, 0.21),
    CurveSetting("RM pass 5", "cfr", ("pass", 5), 0.175),
    CurveSetting("BR pass 5", "cfvfp", ("pass", 5), 0.10),
    CurveSetting("BR pass 10", "cfvfp", ("pass", 10), 0.06),
]
OURS = [("bet", 10.0), ("pass", 10.0), ("bet", 100.0), ("pass", 100.0)]
SHADES = dict(zip((s.name for s in SETTINGS), (OWN, "#e58f65", COLOURS[1], INK, "#7fb7be", COLOURS[0], COLOURS[4]),
                  strict=True))  # fmt: skip


Ratios = dict[str, float]  # NashConv by CFR's, for each setting


class MeanCourse(NamedTuple):
    """Several starts of one setting, averaged."""

    at: list[int]
    played: list[float]
    nash_conv: list[float]
    ends: list[float]  # [start] alpha
    costs: list[float]  # [start] NashConv at the end

    @classmethod
    def of(cls, courses: list[Course]) -> "MeanCourse":
        played = [fmean(values) for values in zip(*(course.played for course in courses), strict=True)]
        costs = [fmean(values) for values in zip(*(course.nash_conv for course in courses), strict=True)]
        return cls(courses[0].at, played, costs, [course.end for course in courses], [c.cost for c in courses])

    @property
    def end(self) -> float:
        return self.played[-1]

    @property
    def cost(self) -> float:
        return self.nash_conv[-1]

    def beside(self, other: "MeanCourse", *, by_iterations: bool = False) -> float:
        """NashConv by another's of the same iteration: the mean over the looks, by logarithms. Looks are further and
        further apart, so that by iterations each counts for those since the one before.
        """
        ratios = [log(a / b) for a, b in zip(self.nash_conv, other.nash_conv, strict=True)]
        looks = [(t, t - before, ratio) for (before, t), ratio in zip(pairwise([0, *self.at]), ratios, strict=True)]
        weights = {t: float(since) if by_iterations else 1.0 for t, since, _ in looks if t >= BEGUN}
        return exp(sum(weights[t] * ratio for t, _, ratio in looks if t >= BEGUN) / sum(weights.values()))


def run(lab: Lab) -> list[Evidence]:
    seeds = range(lab.seed, lab.seed + (FEWER if lab.quick else STARTS))
    literal: dict[str, MeanCourse] = {}
    for setting in SETTINGS:
        lab.tell(f"Kuhn, {setting.name}")
        literal[setting.name] = MeanCourse.of(
            [follow(Kuhn(), setting.solver, start=random_start(seed)) for seed in seeds]
        )
    lab.tell("Kuhn, our form on PDCFR+")
    ours = {wish: follow(Kuhn(), pdcfr_plus(prefer=opening(*wish))) for wish in OURS}
    draw(lab, literal, ours)
    rows = []
    for setting in SETTINGS:
        cost, found = literal[setting.name].cost, Found.of(literal[setting.name].ends)
        rows.append(
            claim(f"Figure 4, alpha of {setting.name}", f"{setting.paper:g}",
                  f"{told(found, '.3f')} at NashConv {cost:.1e}", near(setting.paper, found, NEAR),
                  f"{NEAR:g}: theirs is read off a figure", found=found, margin_set=AFTER)
        )  # fmt: skip
    return [*rows, *claims(literal), *from_end_to_end(ours)]


def claims(literal: dict[str, MeanCourse]) -> list[Evidence]:
    """What the paper says of the six."""
    alpha = {name: mean.end for name, mean in literal.items()}
    order = ["BR pass 10", "BR pass 5", "CFR", "BR bet 5", "BR bet 10"]
    away = {name: abs(alpha[name] - alpha["CFR"]) for name in alpha}
    styled = {name: mean for name, mean in literal.items() if name != "CFR"}
    slower = {
        words: {name: mean.beside(literal["CFR"], by_iterations=by_iterations) for name, mean in styled.items()}
        for words, by_iterations in (("by looks, even on a logarithmic axis", False), ("by iterations", True))
    }
    ends = {"": {name: mean.cost / literal["CFR"].cost for name, mean in styled.items()}}
    starts = len(literal["CFR"].ends)
    return [
        claim("Figure 4, greater preference, greater deviation", "BR pass 10 < BR pass 5 < CFR < BR bet 5 < BR bet 10",
              " < ".join(f"{alpha[name]:.3f}" for name in order),
              so(all(alpha[a] < alpha[b] for a, b in pairwise(order))), "that order", seeds=starts),
        claim("Figure 4, RM deviates less than BR, on CFR", "considerably inferior",
              f"bet 5: {away['RM bet 5']:.3f} and {away['BR bet 5']:.3f}; pass 5: {away['RM pass 5']:.3f} and "
              f"{away['BR pass 5']:.3f}",
              so(away["RM bet 5"] < away["BR bet 5"] / 2 and away["RM pass 5"] < away["BR pass 5"] / 2),
              "less than half, both ways", seeds=starts, margin_set=AFTER),
        only(f"over the training, from iteration {BEGUN} on", slower, starts),
        only("at the end", ends, starts),
    ]  # fmt: skip


def only(when: str, readings: dict[str, Ratios], starts: int) -> Evidence:
    """Whether one is slow, and only one; by each way to take the mean."""

    def is_so(ratios: Ratios) -> bool:
        return ratios[STRONGEST] > SLOWER > max(ratio for name, ratio in ratios.items() if name != STRONGEST)

    each = [", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()) + (f" {words}" if words else "")
            for words, ratios in readings.items()]  # fmt: skip
    return claim(
        f"Figure 4, only setting 1 ({STRONGEST}) is slower than CFR, {when}", "the others as fast as CFR",
        f"NashConv by CFR's: {'; '.join(each)}", agreed(*(so(is_so(ratios)) for ratios in readings.values())),
        f"{STRONGEST} is more than {SLOWER:g} times as high, all others less"
        + ("; by both means, or it cannot be told" if len(readings) > 1 else ""), seeds=starts, margin_set=AFTER,
    )  # fmt: skip


def from_end_to_end(ours: dict[tuple[str, float], Course]) -> list[Evidence]:
    """Delta times positive regret inside a fast rule."""
    rows = []
    for delta, theirs in ((10.0, "BR on CFR: 0.32 and 0.06"), (100.0, "not tried: speed is acceptable up to 5")):
        bet, back = ours["bet", delta], ours["pass", delta]
        cost = max(bet.cost, back.cost)
        rows.append(
            beyond(f"Our RM on PDCFR+, delta={delta:g}, towards bet and towards pass",
                   f"alpha {bet.end:.4f} and {back.end:.4f} at NashConv {cost:.1e}", theirs=theirs)
        )  # fmt: skip
    return rows


def draw(lab: Lab, literal: dict[str, MeanCourse], ours: dict[tuple[str, float], Course]) -> None:
    """Alpha on top, with the paper's numbers; below it how fast: the authors' beside CFR, for they are all as slow."""
    with lab.figure("figure-4", 2, 2, sharex=True) as axes:
        theirs = [(name, SHADES[name], mean) for name, mean in literal.items()]
        shades = (OWN, COLOURS[4], "#e58f65", COLOURS[0])
        faster = [(f"{w[0]} {w[1]:g}", shade, ours[w]) for w, shade in zip(OURS, shades, strict=True)]
        for panel, title, curves in ((axes[0][0], "As the authors do it", theirs), (axes[0][1], "Our form", faster)):
            panel.axhspan(0, 1 / 3, color=COLOURS[2], alpha=0.10, linewidth=0)
            for _, colour, curve in curves:
                panel.plot(curve.at, curve.played, color=colour, linewidth=1.7)
            panel.set(xscale="log", xlim=(1, curves[0][2].at[-1]), ylim=(-0.02, 0.62))
            tidy(panel, title, x="", y="alpha")
            label(panel, [(curve.played[-1], name, colour) for name, colour, curve in curves])
        for s in SETTINGS:
            axes[0][0].plot(literal[s.name].at[-1], s.paper, "D", color=SHADES[s.name], markersize=5,
                            markeredgecolor="white", clip_on=False, zorder=5)  # fmt: skip
        axes[0][0].plot([], [], "D", color=INK, markersize=5, label="the paper's")
        axes[0][0].legend(frameon=False, fontsize=8, labelcolor=INK, loc="upper right")
        axes[0][1].annotate("all equilibria", (150, 0.17), fontsize=8, color=COLOURS[2])
        slow, fast = axes[1]
        for _, colour, curve in theirs:
            ratios = [cost / plain for cost, plain in zip(curve.nash_conv, literal["CFR"].nash_conv, strict=True)]
            slow.plot(curve.at, ratios, color=colour, linewidth=1.7)
        slow.set(ylim=(0.5, 3.2))
        slow.annotate("the paper: all but BR bet 10 as fast as CFR", (1.3, 3.0), fontsize=8, color=INK)
        tidy(slow, "NashConv by CFR's of the same iteration", x="iterations", y="times")
        ends = [(curve.nash_conv[-1] / literal["CFR"].cost, name, colour) for name, colour, curve in theirs]
        label(slow, ends)
        for _, colour, curve in faster:
            fast.plot(curve.at, curve.nash_conv, color=colour, linewidth=1.7)
        fast.plot(literal["CFR"].at, literal["CFR"].nash_conv, color=INK, linewidth=1.2, linestyle="--", label="CFR")
        fast.set(yscale="log", ylim=(1e-17, 3))
        fast.legend(frameon=False, fontsize=8, labelcolor=INK, loc="lower left")
        tidy(fast, "NashConv of our form on PDCFR+", x="iterations", y="")
