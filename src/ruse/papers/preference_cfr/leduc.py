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
from ruse.papers.preference_cfr.course import Course, WatchedAction, follow, opening
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, label, tidy
from ruse.solve.prefer.favour import Best, Most
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.prefer import Prefer, preference
from ruse.solve.solver.presets import Solver, cfvfp, dcfr
from ruse.strategy import Strategy
from ruse.styles.equilibria import Equilibria

GAME = Leduc()
CALLS = WatchedAction("Ks, no board", "call")
CARDS = ("J", "Q", "K")
DELTA = 5.0


class LeducSetting(NamedTuple):
    """A curve of the paper's, its numbers read off the figures: sampled, 1e8 nodes."""

    action: str  # that is preferred; none is ""
    delta: float
    beta: float
    paper: float  # NashConv
    paper_calls: float  # how often a King calls

    def __str__(self) -> str:
        return f"{self.action} preferred by {self.delta:g}, beta={self.beta:g}" if self.action else "nothing preferred"

    @property
    def prefer(self) -> Prefer | None:
        """The authors' rule."""
        return wish(self.action, self.delta, self.beta) if self.action else None

    @property
    def solver(self) -> Solver:
        """It on the whole game."""
        return cfvfp(alternating=False, prefer=self.prefer)

    @property
    def sampled(self) -> Solver:
        """As the authors ran it."""
        return cfvfp(walk="external", prefer=self.prefer)


FREE = LeducSetting("", 1.0, 0.0, 0.038, 0.245)
RAISED = [
    LeducSetting("raise", DELTA, 0.05, 0.081, 0.16),
    LeducSetting("raise", DELTA, 0.1, 0.135, 0.11),
    LeducSetting("raise", DELTA, 0.2, 0.234, 0.07),
    LeducSetting("raise", DELTA, 0.5, 0.50, 0.006),
]
# Figure 3 of the later version: towards call and towards raise, without beta and with a little.
DIRECTIONS = [
    LeducSetting("call", 10.0, 0.0, 0.051, 0.35),
    LeducSetting("raise", 10.0, 0.0, 0.063, 0.23),
    LeducSetting("call", 5.0, 0.05, 0.069, 0.59),
    LeducSetting("call", 10.0, 0.05, 0.069, 0.59),
]
NEAR = 0.1  # of NashConv, as a share of it
NEAR_CALLS = 0.02
SAME = 0.01  # probabilities that are this near do not differ
POINTS = 25
EARLIER = 3  # looks between those that are told, a factor of three in iterations
NODES = (1e7, 3e7, 1e8)  # of external sampling; the last as in the paper
SAMPLED_SEEDS = 3
NEAR_MOVING = 0.1  # of calls that are preferred: they are still on their way after 1e8 nodes


def wish(action: str, delta: float, beta: float) -> Prefer:
    """The authors' rule."""
    return Prefer((preference(opening(action, delta, beta)),), Best(1.0, Most()))


def literal(action: str, delta: float, beta: float) -> Solver:
    """It on the whole game."""
    return cfvfp(alternating=False, prefer=wish(action, delta, beta))


def run(lab: Lab) -> list[Evidence]:
    """Claims are judged by sampling, as the authors ran it; what whole walks say of the same rule is told beside it."""
    lab.tell("Leduc, the authors' rule")
    courses = {s: follow(GAME, s.solver, watched=CALLS, points=POINTS) for s in (FREE, *RAISED)}
    draw(lab, courses)
    calls, costs = [course.end for course in courses.values()], [course.cost for course in courses.values()]
    for s in DIRECTIONS:
        lab.tell(f"Leduc, {s}")
        courses[s] = follow(GAME, s.solver, watched=CALLS, points=POINTS)
    rows = [
        claim("Leduc, NashConv grows with beta, by whole walks", "grows", ", ".join(f"{x:.3f}" for x in costs),
              so(rises(costs)), "each more than the one before"),
        claim("Leduc, the caption of figure 4 (later version; its text says the opposite), by whole walks",
              "larger beta, more calls", f"a King calls {', '.join(f'{x:.3f}' for x in calls)}",
              refuted_if(rises(calls[::-1]), so(rises(calls))),
              "more and more; refuted if less and less (raise is what is preferred)"),
    ]  # fmt: skip
    sampled = [] if lab.quick else [row for s in courses for row in by_sampling(lab, s)]
    return [*sampled, *rows, *(by_whole_walks(s, course) for s, course in courses.items()), *for_nothing(lab)]


def rises(numbers: list[float]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


def by_whole_walks(s: LeducSetting, course: Course) -> Evidence:
    """Where theirs is sampled: another stage of the same training."""
    looks = list(zip(course.at, course.played, course.nash_conv, strict=True))[-1 - 2 * EARLIER :: EARLIER]
    return beyond(f"Leduc, {s}, by whole walks: a King calls, NashConv",
                  ", ".join(f"{played:.3f} and {paid:.3f} after {t:,}" for t, played, paid in looks),
                  theirs=f"{s.paper_calls:g} and {s.paper:g}, sampled, 1e8 nodes")  # fmt: skip


def by_sampling(lab: Lab, s: LeducSetting) -> list[Evidence]:
    """By external sampling, as the authors ran it, for as many nodes: it is not always at its end there."""
    lab.tell(f"Leduc, external sampling, {s}")
    runs = lab.each(partial(sampled_looks, s.sampled), lab.seeds(SAMPLED_SEEDS))
    return beside(s, [[Found.of(values) for values in zip(*(run[k] for run in runs), strict=True)]
                      for k in range(len(NODES))])  # fmt: skip


def beside(s: LeducSetting, looks: list[list[Found]]) -> list[Evidence]:
    """Two numbers of a curve of the paper's, and ours: how often a King calls and NashConv, at each look."""
    course = ", ".join(
        f"{told(played, '.3f')} after {nodes:.0e}" for nodes, (played, _) in zip(NODES, looks, strict=True)
    )
    played, nash_conv = looks[-1]
    name, within = f"Leduc, {s}, sampled as theirs, {NODES[-1]:.0e} nodes", NEAR_CALLS
    why = "theirs is one run and read off a figure"
    if s.action == "call":
        within, why = NEAR_MOVING, "theirs is one run, and seeds of ours differ by nearly as much"
    return [
        claim(f"{name}: a King calls", f"{s.paper_calls:g}", course, near(s.paper_calls, played, within),
              f"{within:g}: {why}", found=played, margin_set=AFTER),
        claim(f"{name}: NashConv", f"{s.paper:g}", told(nash_conv, ".3f"), near(s.paper, nash_conv, NEAR * s.paper),
              f"{NEAR:.0%}: theirs is one run and read off a figure", found=nash_conv, margin_set=AFTER),
    ]  # fmt: skip


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


def draw(lab: Lab, courses: dict[LeducSetting, Course]) -> None:
    shades = (INK, COLOURS[0], COLOURS[2], COLOURS[1], OWN)
    curves = [(f"beta {s.beta:g}" if s.action else str(s), course) for s, course in courses.items()]
    last = curves[0][1].at[-1]
    with lab.figure("leduc", 1, 2) as axes:
        calls, costs = axes[0]
        for (name, course), colour, s in zip(curves, shades, courses, strict=True):
            calls.plot(course.at, course.played, color=colour, linewidth=1.7)
            costs.plot(course.at, course.nash_conv, color=colour, linewidth=1.7, label=name)
            for panel, height in ((calls, s.paper_calls), (costs, s.paper)):
                panel.plot(course.at[-1], height, "D", color=colour, markersize=5, markeredgecolor="white",
                           clip_on=False, zorder=5)  # fmt: skip
        calls.set(xscale="log", xlim=(30, last), ylim=(-0.01, 0.55))
        costs.set(xscale="log", yscale="log", xlim=(30, last), ylim=(0.02, 2))
        tidy(calls, "A King calls at player 0's first decision", x="iterations", y="how often")
        tidy(costs, "NashConv", x="iterations", y="")
        calls.plot([], [], "D", color=INK, markersize=5, label="the paper's, sampled, 1e8 nodes")
        calls.legend(frameon=False, fontsize=8, labelcolor=INK)
        label(costs, [(c.cost, name, colour) for (name, c), colour in zip(curves, shades, strict=True)])
