"""Leduc (in the paper's later version): delta alone does nothing, and a style costs beta and more.

The authors' sampling code is made exact: where player 0 first decides the best of delta * (regret a visit - beta)+ is
played, or the most preferred action if there is none; the best of regret everywhere else.
"""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ruse.evaluate.exploitability import exploitability
from ruse.games.leduc import Leduc
from ruse.papers.evidence import AFTER, Evidence, Found, beyond, check, claim, near, refuted_if, so, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.course import Course, Watched, follow, opening
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, label, tidy
from ruse.solve.prefer.favour import Best, Most
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.prefer import Prefer, preference
from ruse.solve.solver.presets import Solver, cfvfp, dcfr
from ruse.strategy import Strategy
from ruse.styles.equilibria import Equilibria

GAME = Leduc()
CALLS = Watched("Ks, no board", "call")
CARDS = ("J", "Q", "K")
DELTA = 5.0


class Setting(NamedTuple):
    """A curve of the paper's, its numbers read off the figures."""

    beta: float
    paper: float  # NashConv
    paper_calls: float  # how often a King calls


SETTINGS = [
    Setting(0.05, 0.081, 0.16),
    Setting(0.1, 0.135, 0.11),
    Setting(0.2, 0.234, 0.07),
    Setting(0.5, 0.50, 0.006),
]
FREE = Setting(0.0, 0.038, 0.245)
NEAR = 0.1  # of NashConv, as a share of it
NEAR_CALLS = 0.02
SAME = 0.01  # probabilities that are this near do not differ
POINTS = 25
EARLIER = 3  # looks between those that are told, a factor of three in iterations
NODES = (1e7, 3e7, 1e8)  # of external sampling; the last as in the paper
SAMPLED_SEEDS = 3
NEAR_SAMPLED = 0.1


def wish(action: str, delta: float, beta: float) -> Prefer:
    """The authors' rule."""
    return Prefer((preference(opening(action, delta, beta)),), Best(1.0, Most()))


def literal(action: str, delta: float, beta: float) -> Solver:
    """It on the whole game."""
    return cfvfp(alternating=False, prefer=wish(action, delta, beta))


def run(lab: Lab) -> list[Evidence]:
    lab.tell("Leduc, the authors' rule")
    plain = follow(GAME, cfvfp(alternating=False), watched=CALLS, points=POINTS)
    courses = {s.beta: follow(GAME, literal("raise", DELTA, s.beta), watched=CALLS, points=POINTS) for s in SETTINGS}
    draw(lab, plain, courses)
    rows = [
        row
        for s, course in ((FREE, plain), *((s, courses[s.beta]) for s in SETTINGS))
        for row in beside(called(s), course, s.paper, s.paper_calls)
    ]
    calls = [plain.end, *(courses[s.beta].end for s in SETTINGS)]
    costs = [plain.cost, *(courses[s.beta].cost for s in SETTINGS)]
    rows += [
        claim("Leduc, NashConv grows with beta", "grows", ", ".join(f"{x:.3f}" for x in costs), so(rises(costs)),
              "each more than the one before"),
        claim("Leduc, the caption of figure 4 (later version)", "larger beta, more calls",
              f"a King calls {', '.join(f'{x:.3f}' for x in calls)}", refuted_if(rises(calls[::-1]), so(rises(calls))),
              "more and more; refuted if less and less (raise is what is preferred)"),
    ]  # fmt: skip
    return [*rows, *by_direction(lab), *([] if lab.quick else by_sampling(lab)), *for_nothing(lab)]


def called(s: Setting) -> str:
    return f"raise preferred by {DELTA:g}, beta={s.beta:g}" if s.beta else "nothing preferred"


def beside(name: str, course: Course, cost: float, calls: float) -> list[Evidence]:
    """Two numbers of a curve of the paper's, and ours."""
    theirs = "theirs is sampled and read off a figure"
    return [
        claim(f"Leduc, {name}: NashConv", f"{cost:g}", f"{course.cost:.3f}",
              near(cost, Found.exactly(course.cost), NEAR * cost), f"{NEAR:.0%}: {theirs}"),
        claim(f"Leduc, {name}: a King calls", f"{calls:g}", f"{course.end:.3f}",
              near(calls, Found.exactly(course.end), NEAR_CALLS), f"{NEAR_CALLS:g}: {theirs}"),
    ]  # fmt: skip


def rises(numbers: list[float]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


# Figure 3 of the later version: towards call and towards raise, without beta and with a little; calls and NashConv.
DIRECTIONS = (
    ("call", 10.0, 0.0, 0.35, 0.051),
    ("raise", 10.0, 0.0, 0.23, 0.063),
    ("call", 5.0, 0.05, 0.59, 0.069),
    ("call", 10.0, 0.05, 0.59, 0.069),
)


def by_direction(lab: Lab) -> list[Evidence]:
    """By the whole walk, where theirs is sampled: another stage of the same training."""
    rows = []
    for action, delta, beta, calls, cost in DIRECTIONS:
        lab.tell(f"Leduc, {action} preferred by {delta:g}, beta={beta:g}")
        course = follow(GAME, literal(action, delta, beta), watched=CALLS, points=POINTS)
        looks = list(zip(course.at, course.played, course.nash_conv, strict=True))[-1 - 2 * EARLIER :: EARLIER]
        rows.append(
            beyond(f"Leduc, {action} preferred by {delta:g}, beta={beta:g}, by whole walks: a King calls, NashConv",
                   ", ".join(f"{played:.2f} and {paid:.3f} after {t:,}" for t, played, paid in looks),
                   theirs=f"{calls:g} and {cost:g}, sampled, 1e8 nodes")
        )  # fmt: skip
    return rows


def by_sampling(lab: Lab) -> list[Evidence]:
    """By external sampling, as the authors ran it, for as many nodes: it is not at its end there."""
    rows = []
    for action, delta, beta, calls, cost in DIRECTIONS:
        lab.tell(f"Leduc, external sampling, {action} preferred by {delta:g}, beta={beta:g}")
        solver = cfvfp(walk="external", prefer=wish(action, delta, beta))
        runs = lab.each(partial(sampled_looks, solver), lab.seeds(SAMPLED_SEEDS))
        looks = [
            [Found.of(values) for values in zip(*(run[k] for run in runs), strict=True)] for k in range(len(NODES))
        ]
        course = ", ".join(f"{told(played)} after {nodes:.0e}" for nodes, (played, _) in zip(NODES, looks, strict=True))
        played, nash_conv = looks[-1]
        name = f"Leduc, {action} preferred by {delta:g}, beta={beta:g}, sampled as theirs, {NODES[-1]:.0e} nodes"
        rows += [
            claim(f"{name}: a King calls", f"{calls:g}", course, near(calls, played, NEAR_SAMPLED),
                  f"{NEAR_SAMPLED:g}: theirs is one run, and seeds of ours differ by nearly as much", found=played,
                  margin_set=AFTER),
            claim(f"{name}: NashConv", f"{cost:g}", told(nash_conv, ".3f"), near(cost, nash_conv, NEAR * cost),
                  f"{NEAR:.0%}: theirs is read off a figure", found=nash_conv),
        ]  # fmt: skip
    return rows


def sampled_looks(solver: Solver, seed: int) -> list[tuple[float, float]]:
    """How often a King calls, and NashConv, each time that so many nodes have been visited."""
    engine, done, found = SampledEngine(GAME, solver, seed=seed), 0, []
    for nodes in NODES:
        while engine.facts.nodes < nodes:
            step = max(1_000, done // 20)
            engine.run(done, step)
            done += step
        strategy = Strategy(GAME, *engine.rows(), view=engine.view)
        calls = [strategy[f"{card}, no board"]["call"] for card in ("Ks", "Kh")]
        found.append((sum(calls) / 2, exploitability(GAME, strategy).nash_conv))
    return found


def raises_first(course: Course) -> list[float]:
    return [course.strategy[f"{card}s, no board"]["raise"] for card in CARDS]


def for_nothing(lab: Lab) -> list[Evidence]:
    """Where all equilibria agree no delta has anything to choose from."""
    lab.tell("Leduc, delta alone")
    ranges = Equilibria(GAME, [f"raise, player 0, with {card}, first" for card in CARDS]).metrics
    runs = {delta: follow(GAME, dcfr(prefer=opening("raise", delta) if delta > 1 else None), watched=CALLS, points=1)
            for delta in (1.0, 10.0, 100.0)}  # fmt: skip
    shares = {delta: raises_first(course) for delta, course in runs.items()}
    moved = max(abs(a - b) for delta in (10.0, 100.0) for a, b in zip(shares[1.0], shares[delta], strict=True))
    return [
        check("Leduc, the opening is the same in all equilibria, by linear program",
              "raises " + ", ".join(f"{c} {m.lowest:.4f} to {m.highest:.4f}"
                                    for c, m in zip(CARDS, ranges, strict=True)),
              all(m.is_unique for m in ranges), "unique"),
        claim("Leduc, delta alone (10 and 100, DCFR)", "converges to the unique equilibrium if only one exists",
              "; ".join(f"delta={delta:g}: raises " + ", ".join(
                  f"{c} {x:.3f}" for c, x in zip(CARDS, found, strict=True))
                  + f" at NashConv {runs[delta].cost:.0e}" for delta, found in shares.items()),
              so(moved <= SAME), f"nothing moves by more than {SAME}"),
    ]  # fmt: skip


def draw(lab: Lab, plain: Course, courses: dict[float, Course]) -> None:
    shades = (INK, COLOURS[0], COLOURS[2], COLOURS[1], OWN)
    curves = [("nothing preferred", plain), *((f"beta {beta:g}", course) for beta, course in courses.items())]
    theirs = [FREE, *SETTINGS]
    with lab.figure("leduc", 1, 2) as axes:
        calls, costs = axes[0]
        for (name, course), colour, s in zip(curves, shades, theirs, strict=True):
            calls.plot(course.at, course.played, color=colour, linewidth=1.7)
            costs.plot(course.at, course.nash_conv, color=colour, linewidth=1.7, label=name)
            for panel, height in ((calls, s.paper_calls), (costs, s.paper)):
                panel.plot(course.at[-1], height, "D", color=colour, markersize=5, markeredgecolor="white",
                           clip_on=False, zorder=5)  # fmt: skip
        calls.set(xscale="log", xlim=(30, plain.at[-1]), ylim=(-0.01, 0.55))
        costs.set(xscale="log", yscale="log", xlim=(30, plain.at[-1]), ylim=(0.02, 2))
        tidy(calls, "A King calls at player 0's first decision", x="iterations", y="how often")
        tidy(costs, "NashConv", x="iterations", y="")
        calls.plot([], [], "D", color=INK, markersize=5, label="the paper's, sampled, 1e8 nodes")
        calls.legend(frameon=False, fontsize=8, labelcolor=INK)
        label(costs, [(c.cost, name, colour) for (name, c), colour in zip(curves, shades, strict=True)])
