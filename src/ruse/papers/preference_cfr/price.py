"""What a style costs: the style that is had for each unit of cost, and the least that it must cost."""

import math
from itertools import pairwise
from typing import NamedTuple

from ruse.games.leduc import Leduc
from ruse.papers.evidence import Evidence, beyond, check
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.course import Course, follow, opening
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, tidy
from ruse.papers.preference_cfr.leduc import CALLS, literal
from ruse.solve.solver.presets import dcfr
from ruse.styles.equilibria import Equilibria
from ruse.styles.metrics import metric

STYLE = "raise, player 0, first"
DELTA = 5.0
TAXED = 3_000  # iterations of our form


class PricePoint(NamedTuple):
    """A style and what it costs."""

    beta: float
    style: float
    nash_conv: float
    own: float  # what the styled player alone gives away


def run(lab: Lab) -> list[Evidence]:
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
    points = [*theirs, *ours]
    rows = [
        check("Leduc, no strategy of a style costs its player less than the least that there is",
              f"{len(points)} strategies",
              all(one.own >= (exact.cheapest(STYLE, one.style) or 0.0) - 1e-6 for one in points),
              "not less, by linear program")
    ]  # fmt: skip
    for share in (0.6, 0.7, 0.8):
        paid = [between(points, share) for points in (theirs, ours)]
        cheapest = exact.cheapest(STYLE, share)
        assert cheapest is not None
        rows.append(
            beyond(f"Leduc, what it costs to raise first {share:.0%} of the time",
                   f"NashConv: authors' rule {paid[0].nash_conv:.3f}, ours {paid[1].nash_conv:.3f}. Its player alone: "
                   f"{paid[0].own:.4f}, {paid[1].own:.4f}; the least there is {cheapest:.4f}")
        )  # fmt: skip
    return rows


def point(course: Course, beta: float) -> PricePoint:
    return PricePoint(beta, metric(course.strategy.game, STYLE).of(course.strategy), course.cost, course.own_cost)


def between(points: list[PricePoint], style: float) -> PricePoint:
    """The cost of a style, on the line between two that were measured; not a number outside them."""
    for low, high in pairwise(points):
        if low.style <= style <= high.style:
            share = (style - low.style) / (high.style - low.style)
            return PricePoint(*(a + share * (b - a) for a, b in zip(low, high, strict=True)))
    return PricePoint(math.nan, style, math.nan, math.nan)


def draw(lab: Lab, theirs: list[PricePoint], ours: list[PricePoint], least: list[tuple[float, float]]) -> None:
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
