"""What a style costs: bounds that hold and bounds that do not, and the style that is had for each unit of cost."""

import math
from itertools import pairwise
from typing import NamedTuple

from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.papers.lab import Lab, Row
from ruse.papers.preference_cfr.course import ALPHA, Course, follow, opening
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, tidy
from ruse.papers.preference_cfr.leduc import CALLS, literal
from ruse.protocol.game import Game
from ruse.solve.prefer.favour import Best
from ruse.solve.solver.prefer import Prefer, preference
from ruse.solve.solver.presets import PRESETS, Solver, cfr, cfvfp, dcfr
from ruse.styles.equilibria import Equilibria
from ruse.styles.metrics import metric

RULES = {"cfr_plus": "CFR+", "dcfr": "DCFR", "pdcfr_plus": "PDCFR+"}
GAMES: dict[str, tuple[Game, str]] = {"Kuhn": (Kuhn(), "bet"), "Leduc": (Leduc(), "raise")}
WATCHED = {"Kuhn": ALPHA, "Leduc": CALLS}
BETAS = (0.05, 0.1, 0.2)
STYLE = "raise, player 0, first"
DELTA = 5.0
TAXED = 3_000  # iterations of our form
LONG = 400_000  # iterations after which nothing is for want of time


class Point(NamedTuple):
    """A style and what it costs."""

    beta: float
    style: float
    nash_conv: float
    own: float  # what the styled player alone gives away


def run(lab: Lab) -> list[Row]:
    return [*bounds(lab), *broken(lab), *per_unit(lab)]


def bounds(lab: Lab) -> list[Row]:
    """Our form: beta is taken from regret as a tax on every visit."""
    rows = []
    for name, (game, action) in GAMES.items():
        for rule, words in RULES.items():
            lab.tell(f"{name}, beta as a tax, {words}")
            costs = [
                follow(game, PRESETS[rule](prefer=opening(action, DELTA, beta)), TAXED, watched=WATCHED[name], points=1)
                for beta in BETAS
            ]
            rows.append(
                Row(f"The bound, {name}, our form on {words}: NashConv for beta=0.05, 0.1, 0.2",
                    "at most beta", ", ".join(f"{course.cost:.3f}" for course in costs), "at most beta",
                    all(course.cost <= beta for course, beta in zip(costs, BETAS, strict=True)))
            )  # fmt: skip
    return rows


def printed(beta: float) -> Solver:
    """Equation 13 (16 in the later version) as it is printed, on Kuhn: bets are preferred.

    It divides regret by the iterations, not by visits. Chance leads to each of Kuhn's three openings a third of the
    time, so its beta is three times as much a visit.
    """
    prefer = Prefer((preference(opening("bet", DELTA, 3 * beta)),), Best(0.0))
    return cfvfp(alternating=False, prefer=prefer)


def broken(lab: Lab) -> list[Row]:
    """The paper's bound, with the best action everywhere."""
    rows, long = [], LONG // 10 if lab.quick else LONG
    for beta in (0.02, 0.05):
        lab.tell(f"Kuhn, the printed bound, beta={beta}")
        costs = [follow(Kuhn(), printed(beta), n, points=1).cost / 2 for n in (long // 20, long)]
        rows.append(
            Row(f"The bound as printed, Kuhn, BR everywhere, beta={beta:g}: exploitability", "at most beta",
                f"{costs[0] / beta:.2f} beta after {long // 20:,} iterations, {costs[1] / beta:.2f} after {long:,}",
                "more than beta, and it does not heal: the bound does not hold", min(costs) > beta)
        )  # fmt: skip
    theirs, ours = (follow(Kuhn(), solver, long, points=1).cost for solver in (
        literal("bet", DELTA, 0.02), cfr(alternating=False, prefer=opening("bet", DELTA, 0.02))))  # fmt: skip
    rows.append(
        Row("The bound a visit, Kuhn, beta=0.02: NashConv, BR everywhere and our form on CFR", "at most beta",
            f"{theirs / 0.02:.2f} beta and {ours / 0.02:.2f} beta", "above and below beta", ours < 0.02 < theirs)
    )  # fmt: skip
    return rows


def per_unit(lab: Lab) -> list[Row]:
    """Style for cost, on Leduc: the authors' rule, ours, and the least that any strategy must lose."""
    lab.tell("Leduc, style for cost")
    betas = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
    theirs = [point(follow(Leduc(), literal("raise", DELTA, b), watched=CALLS, points=1), b) for b in betas]
    ours = [
        point(follow(Leduc(), dcfr(prefer=opening("raise", DELTA, b)), TAXED, watched=CALLS, points=1), b)
        for b in betas
    ]  # fmt: skip
    exact = Equilibria(Leduc(), [STYLE])
    least = exact.frontier(STYLE)
    draw(lab, theirs, ours, least)
    rows = []
    for share in (0.6, 0.7, 0.8):
        paid = [between(points, share) for points in (theirs, ours)]
        cheapest = exact.cheapest(STYLE, share)
        assert cheapest is not None
        rows.append(
            Row(f"Leduc, what it costs to raise first {share:.0%} of the time", "not measured",
                f"NashConv: authors' rule {paid[0].nash_conv:.3f}, ours {paid[1].nash_conv:.3f}. Its player alone: "
                f"{paid[0].own:.4f}, {paid[1].own:.4f}; the least there is {cheapest:.4f}",
                "none below the least", min(one.own for one in paid) >= cheapest - 1e-9)
        )  # fmt: skip
    return rows


def point(course: Course, beta: float) -> Point:
    return Point(beta, metric(course.strategy.game, STYLE).of(course.strategy), course.cost, course.own_cost)


def between(points: list[Point], style: float) -> Point:
    """The cost of a style, on the line between two that were measured; not a number outside them."""
    for low, high in pairwise(points):
        if low.style <= style <= high.style:
            share = (style - low.style) / (high.style - low.style)
            return Point(*(a + share * (b - a) for a, b in zip(low, high, strict=True)))
    return Point(math.nan, style, math.nan, math.nan)


def draw(lab: Lab, theirs: list[Point], ours: list[Point], least: list[tuple[float, float]]) -> None:
    with lab.figure("style-for-cost", 1, 2) as axes:
        for panel, field, title in (
            (axes[0][0], "nash_conv", "NashConv of the whole profile"),
            (axes[0][1], "own", "What the styled player alone gives away"),
        ):
            for points, colour, mark, name in (
                (theirs, OWN, "s", "authors' rule"),
                (ours, COLOURS[0], "o", "our form"),
            ):
                panel.plot([p.style for p in points], [getattr(p, field) for p in points], f"{mark}-", color=colour,
                           linewidth=1.6, markersize=5, markeredgecolor="white", label=name)  # fmt: skip
            tidy(panel, title, x=f"{STYLE}: how often", y="cost")
        alone = axes[0][1]
        shown = [(style, cost) for style, cost in least if style >= 0.5]
        alone.fill_between(*zip(*shown, strict=True), color=INK, alpha=0.08, linewidth=0)
        alone.plot(*zip(*shown, strict=True), color=INK, linewidth=1.6, label="the least there is (linear program)")
        for point in ours:
            if point.beta >= 0.05:
                axes[0][0].annotate(f"beta {point.beta:g}", (point.style, point.nash_conv), (7, -9), fontsize=7,
                                    textcoords="offset points", color=COLOURS[0])  # fmt: skip
        for panel in axes[0]:
            panel.set(xlim=(0.5, 1.0), ylim=(0, None))
            panel.legend(frameon=False, fontsize=8, labelcolor=INK, loc="upper left")
