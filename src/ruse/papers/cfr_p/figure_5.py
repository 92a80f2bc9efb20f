"""Figures 5a and 5b: the approximate exploitability while CFR-p trains, and how many nodes it has at the end.

"For each of them, the CFR player plays with all heuristic search based players, and the opponent's highest score is
selected": a game is played against each bot, and the agent draws its policies in each. Then the figure falls as the
agent mixes less, whatever that is worth. So it is told in two ways: by games that are drawn (their expectation,
exactly), and with the agent's mix followed exactly.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.games.mahjong.cfrp.encoding import PAIRS, WINDS, decode
from ruse.games.mahjong.views import CfrP
from ruse.papers.cfr_p.agents import (
    FEWER,
    ITERATIONS,
    LEARNED,
    PAPER,
    PAPERS_SOLVER,
    average,
    benchmark,
    by_regret,
    deals_of,
    engine_for,
    found_of,
    labels,
    trees,
)
from ruse.papers.evidence import AFTER, Evidence, Found, at_least, at_most, beyond, check, claim, near, so, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.drawing import COLOURS, INK, tidy
from ruse.strategy import Strategy
from ruse.subgame.deal_responses import Constant, Won
from ruse.subgame.deal_trees import DealTrees
from ruse.training.engines.marks import run_to

EPOCHS_A, EPOCHS_B = range(0, 131, 5), range(0, ITERATIONS + 1, 500)
SEEDS_A, SEEDS_B = 8, 3
NODES, FEWEST, MOST = 2_618, 1_500, 4_500
RANGES = (38, 6, 4, 14, 14)  # of Table 3
DRAWN, EXACT = "a game against each bot", "the mix followed exactly"
WAYS: dict[str, Callable[[Constant, Strategy], Won]] = {DRAWN: Constant.against_drawn, EXACT: Constant.against}
STEEPER = 3.0  # times the drop up to 5,000
STABLE = 0.1  # of the first epoch's drop, for a late one


class CfrPCourse(NamedTuple):
    """One training."""

    at: list[int]
    seconds: list[float]  # the processor's, without looks
    worth: dict[str, list[Won]]  # [way][look]
    nodes: list[int]  # [look] different integers
    labels: np.ndarray  # at the end
    keys: int  # integers and legal policies, at the end
    by_regret: dict[str, Won]  # at the end, if policies are drawn in proportion to regret

    def drop(self, way: str, begin: int, end: int) -> float:
        """By how much it has fallen from one iteration to another."""
        return self.mean(way, begin) - self.mean(way, end)

    def mean(self, way: str, iteration: int) -> float:
        return self.worth[way][self.at.index(iteration)].mean


def follow(judge: Constant, marks: Sequence[int], seed: int) -> CfrPCourse:
    """Train as the paper does, and judge at the end of each epoch."""
    engine_for(PAPER, PAPERS_SOLVER, seed).run(0, 1)  # compiling is no training
    engine = engine_for(PAPER, PAPERS_SOLVER, seed)
    seconds, nodes = list[float](), list[int]()
    worth: dict[str, list[Won]] = {way: [] for way in WAYS}
    for mark in run_to(engine, marks, clock=time.thread_time):
        strategy = average(engine)
        seconds.append(mark.seconds)
        nodes.append(len(labels(strategy)))
        for way, judged in WAYS.items():
            worth[way].append(judged(judge, strategy))
    last = by_regret(engine)
    return CfrPCourse(
        list(marks), seconds, worth, nodes, labels(strategy), len(strategy),
        {way: judged(judge, last) for way, judged in WAYS.items()},
    )  # fmt: skip


def run(lab: Lab) -> list[Evidence]:
    judge = benchmark(deals_of(lab), lab.seed)
    short = [follow(judge, EPOCHS_A, seed) for seed in telling(lab, "figure 5a", lab.seeds(SEEDS_A))]
    epochs = range(0, 5_001, 500) if lab.quick else EPOCHS_B
    long = [follow(judge, epochs, seed) for seed in telling(lab, "figure 5b", lab.seeds(SEEDS_B))]
    draw(lab, short, long)
    rows = [row for way in WAYS for row in (*figure_a(short, way), *figure_b(long, way))]
    return rows + nodes(lab, long) + aside(long)


def telling(lab: Lab, what: str, seeds: list[int]) -> list[int]:
    lab.tell(f"{what}, {len(seeds)} trainings")
    return seeds


def figure_a(courses: list[CfrPCourse], way: str) -> list[Evidence]:
    quarter = len(EPOCHS_A) // 4
    change = Found.of([
        float(np.mean([won.mean for won in course.worth[way][-quarter:]])
              - np.mean([won.mean for won in course.worth[way][:quarter]])) for course in courses
    ])  # fmt: skip
    slower = Found.of([c.drop(way, 0, 100) / 100 - c.drop(way, 100, 130) / 30 for c in courses])
    ends = f"{course_mean(courses, way, 0):.3f} to {course_mean(courses, way, 130):.3f}"
    return [
        claim(f"Figure 5a, {way}: gradually decreases in 130 iterations", "falls",
              f"{told(change, '+.4f')} from the first quarter to the last; {ends}", at_most(0.0, change),
              "below 0 by the whole interval over seeds", found=change),
        claim(f"Figure 5a, {way}: falls more slowly after 100 iterations", "slower after 100",
              f"{told(slower, '+.5f')} an iteration", at_least(0.0, slower),
              "the mean drop of an iteration is higher up to 100, by the whole interval", found=slower),
    ]  # fmt: skip


def figure_b(courses: list[CfrPCourse], way: str) -> list[Evidence]:
    last = courses[0].at[-1]
    first = Found.of([c.drop(way, 0, 500) for c in courses])
    more = Found.of([c.drop(way, 0, 500) - STEEPER * c.drop(way, 500, 5_000) for c in courses])
    late = max(500, last - 5_000)
    epochs = (last - late) / 500
    tail = Found.of([STABLE * c.drop(way, 0, 500) - c.drop(way, late, last) / epochs for c in courses])
    shown = ", ".join(f"{course_mean(courses, way, t):.3f} after {t:,}" for t in (0, 500, 5_000, last))
    return [
        claim(f"Figure 5b, {way}: drops in the first 500 iterations", "drops significantly", told(first, "+.4f"),
              at_least(0.0, first), "above 0 by the whole interval over seeds", found=first),
        claim(f"Figure 5b, {way}: most of the fall is in the first 500 iterations", "a long tail after 500",
              f"{shown}; the first drop less {STEEPER:g} times the second {told(more, '+.4f')}", at_least(0.0, more),
              f"the drop to 500 is {STEEPER:g} times that from 500 to 5,000", found=more),
        claim(f"Figure 5b, {way}: becomes stable", "gradually becomes stable",
              f"{shown}; {STABLE:.0%} of the first drop less an epoch's at the end {told(tail, '+.4f')}",
              at_least(0.0, tail), f"an epoch's mean drop after {late:,} is at most {STABLE:.0%} of the first one's",
              found=tail, margin_set=AFTER),
    ]  # fmt: skip


def course_mean(courses: list[CfrPCourse], way: str, iteration: int) -> float:
    return float(np.mean([course.mean(way, iteration) for course in courses]))


def nodes(lab: Lab, courses: list[CfrPCourse]) -> list[Evidence]:
    """How many different integers there are, and how many if fields count what Table 4 must have counted."""
    count = Found.of([float(course.nodes[-1]) for course in courses])
    at, deals = f"after {courses[0].at[-1]:,} iterations", FEWER if lab.quick else ITERATIONS
    walked, growth = trees(deals, lab.seed + LEARNED), np.diff(np.mean([course.nodes for course in courses], axis=0))
    likely = len(np.unique(integers(walked, PAPER._replace(at_least=True)) & (1 << WINDS) - 1))
    between = [
        len(np.unique(integers(walked, PAPER._replace(at_least=True)))),
        len(np.unique(integers(walked, PAPER) & (1 << WINDS) - 1)),
    ]
    fields = [decode(int(label)) for course in courses for label in course.labels]
    largest = tuple(map(max, zip(*fields, strict=True)))
    return [
        claim(f"Nodes {at}", f"{NODES:,}", told(count, ",.0f"),
              near((FEWEST + MOST) / 2, count, (MOST - FEWEST) / 2), f"{FEWEST:,} to {MOST:,}: the order of magnitude",
              found=count),
        claim(f"Nodes on {deals:,} deals, if fields count what Table 4 suggests: all honours, pongs as pairs, too",
              f"{NODES:,}", f"{likely:,}", so(abs(likely - NODES) <= 0.25 * NODES if deals == ITERATIONS else None),
              "25 %: where the points lie is our choice", margin_set=AFTER),
        beyond(f"Nodes on {deals:,} deals by the two readings between", f"{between[0]:,} with pongs as pairs, "
               f"{between[1]:,} with dragons as winds", theirs=f"{NODES:,}"),
        check("New nodes become fewer", f"{growth[0]:,.0f} in the first 500 iterations, {growth[-1]:,.0f} in the last",
              bool(growth[-1] < growth[len(growth) // 2] < growth[0]), "fewer in the middle epoch, and in the last"),
        check("Table 3: all fields stay in their ranges", f"at most {', '.join(map(str, largest))}",
              all(found <= most for found, most in zip(largest, RANGES, strict=True)), "38, 6, 4, 14 and 14"),
    ]  # fmt: skip


def integers(walked: DealTrees, view: CfrP) -> np.ndarray:
    """[node] the paper's integer of each choice."""
    return walked.keys_of(view) >> walked.choices


def aside(courses: list[CfrPCourse]) -> list[Evidence]:
    last, rounds = courses[0].at[-1], [len(np.unique(course.labels & (1 << PAIRS) - 1)) for course in courses]
    seconds = Found.of([course.seconds[-1] for course in courses])
    rows = [
        beyond(f"Seconds for {last:,} iterations of all policies, one thread", told(seconds, ".1f"),
               theirs="72 hours with evaluation, 10,000 iterations", found=seconds),
        beyond("Different rounds at which choices fall, and keys with the legal policies in them",
               f"{np.mean(rounds):.0f} rounds for 6 points; {np.mean([course.keys for course in courses]):,.0f} keys"),
    ]  # fmt: skip
    rows += [
        beyond(f"Figure 5b, {way}: policies drawn in proportion to regret instead of the average",
               f"{told(Found.of([course.by_regret[way].mean for course in courses]), '.3f')} after {last:,}, average "
               f"{told(Found.of([course.worth[way][-1].mean for course in courses]), '.3f')}",
               theirs="picks one legal abstract policy based on the accumulated regrets")
        for way in WAYS
    ]  # fmt: skip
    error = found_of(courses[0].worth[EXACT][-1])
    return [*rows, beyond("The same on its deals: 95 % interval of one number", told(error, ".3f"))]


def draw(lab: Lab, short: list[CfrPCourse], long: list[CfrPCourse]) -> None:
    shades = dict(zip(WAYS, (COLOURS[0], COLOURS[2]), strict=True))
    with lab.figure("figure-5", 1, 3) as axes:
        for panel, courses, title in (
            (axes[0][0], short, "Figure 5a: 5 iterations an epoch"),
            (axes[0][1], long, "Figure 5b: 500 iterations an epoch"),
        ):
            for way, colour in shades.items():
                for course in courses:
                    panel.plot(
                        course.at, [won.mean for won in course.worth[way]], color=colour, linewidth=0.6, alpha=0.5
                    )
                means = np.mean([[won.mean for won in course.worth[way]] for course in courses], axis=0)
                panel.plot(courses[0].at, means, color=colour, linewidth=2.0, label=way)
            panel.set(xlim=(0, courses[0].at[-1]), ylim=(0.5, 1.35))
            tidy(panel, title, x="iterations", y="approximate exploitability, points a game")
        axes[0][0].plot([], [], " ", label="(the paper's text has no numbers)")
        axes[0][0].legend(frameon=False, fontsize=8, labelcolor=INK, loc="lower left")
        counts: Any = axes[0][2]
        for course in long:
            counts.plot(course.at, course.nodes, color=COLOURS[4], linewidth=1.4)
        counts.axhline(NODES, color=INK, linewidth=1.0, linestyle=":")
        counts.annotate("the paper's 2,618", (long[0].at[-1], NODES), (0, 5), textcoords="offset points", ha="right",
                        fontsize=8, color=INK)  # fmt: skip
        counts.set(xlim=(0, long[0].at[-1]), ylim=(0, None))
        tidy(counts, "Nodes", x="iterations", y="different integers")
