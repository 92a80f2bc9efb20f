"""Figure 3: Cheat-4 learned from nothing, and from the regret and strategy sums of Cheat-3 (a curriculum)."""

from statistics import fmean

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import General, HpAware
from ruse.papers.lab import Lab, Row
from ruse.papers.ordered_abstraction.agents import BOTS, ITERATIONS, NAMES, Score, engine_for, learning_curve, view_for
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.start.learned import Infosets, Learned

TEACHER, STUDENT = Cheat(hp=3), Cheat(hp=4)
SCRATCH, COPY, LOST = "from nothing", "copied", "copied by points lost"  # the paper has the first two
SEEDS = 3
Curve = list[tuple[int, Score]]


def run(lab: Lab) -> list[Row]:
    lab.tell("Cheat-4 from nothing and from Cheat-3")
    curves = {agent: {how: averaged(lab, agent, how) for how in ways(agent)} for agent in NAMES}
    draw(lab, curves)
    rows = []
    for agent in ("memoryless", "history"):
        gaps = gains(curves[agent][SCRATCH], curves[agent][COPY])
        rows.append(
            Row(f"Figure 3, {NAMES[agent]}: a copied start against nothing", "always higher", told(gaps),
                "not lower at any test", min(gaps.values()) >= 0.0)
        )  # fmt: skip
    gaps = gains(curves["hp"][SCRATCH], curves["hp"][COPY])
    rows.append(
        Row("Figure 3, HP-Aware: a copied start against nothing", "almost the same", told(gaps),
            "less than 3 points at any test", max(abs(gap) for gap in gaps.values()) < 0.03)
    )  # fmt: skip
    gaps = gains(curves["general"][SCRATCH], curves["general"][COPY])
    rows.append(
        Row("Figure 3, General: a copied start against nothing", "higher", told(gaps), "reported: not reproduced", None)
    )
    gaps = gains(curves["general"][SCRATCH], curves["general"][LOST])
    rows.append(
        Row("Figure 3, General: copied by points lost against nothing", "higher", told(gaps),
            "higher at the beginning and on average", gaps[1] > 0.05 and fmean(gaps.values()) > 0.0)
    )  # fmt: skip
    return rows


def ways(agent: str) -> tuple[str, ...]:
    return (SCRATCH, COPY, LOST) if agent in ("hp", "general") else (SCRATCH, COPY)


def averaged(lab: Lab, agent: str, how: str) -> Curve:
    def one(seed: int) -> Curve:
        student = engine_for(agent, STUDENT, seed)
        if how != SCRATCH:
            teach(student, agent, taught(agent, seed), how)
        return list(learning_curve(student, lab.deals, seed))

    runs = lab.each(one, lab.seeds(SEEDS))
    return [
        (runs[0][k][0], Score(*(fmean(curve[k][1][bot] for curve in runs) for bot in range(2))))
        for k in range(len(runs[0]))
    ]


def taught(agent: str, seed: int, iterations: int = ITERATIONS) -> Learned:
    """What an agent has learned in Cheat-3."""
    teacher = engine_for(agent, TEACHER, seed)
    teacher.run(0, iterations)
    return Learned.of_table(teacher.table, teacher.clock, iterations)


def teach(student: SampledEngine, agent: str, learned: Learned, how: str) -> None:
    """Copy regret and average to infosets of the same name: of the same key, or with as many points lost."""
    view = view_for(agent, STUDENT)
    if how == LOST and isinstance(view, HpAware | General):
        naming = view._replace(hp_shift=STUDENT.hp - TEACHER.hp)
        infosets = Infosets.met(STUDENT, view, naming, limit=10_000_000)
        assert infosets is not None
        learned = learned.for_infosets(infosets)[0]
    student.table = learned.into(student.table)


def gains(scratch: Curve, copied: Curve) -> dict[int, float]:
    """By how much the copied start is ahead, at each test against Random."""
    return {t: ours.random - theirs.random for (t, theirs), (_, ours) in zip(scratch, copied, strict=True)}


def told(gaps: dict[int, float]) -> str:
    marks = ", ".join(f"{100 * gaps[t]:+z.1f} after {t}" for t in (1, 10, 40, 100))
    return f"points ahead: {marks}; at least {100 * min(gaps.values()):+z.1f}"


def draw(lab: Lab, curves: dict[str, dict[str, Curve]]) -> None:
    with lab.figure("figure-3", 2, 2, sharex=True, sharey=True) as axes:
        for panel, (agent, name) in zip(axes.flat, NAMES.items(), strict=True):
            for bot, colours in zip(range(2), (("#9ecae1", "#08519c", "#6baed6"), ("#a1d99b", "#006d2c", "#74c476")),
                                    strict=True):  # fmt: skip
                for k, (how, curve) in enumerate(curves[agent].items()):
                    points = [(t, 100 * score[bot]) for t, score in curve]
                    panel.plot(*zip(*points, strict=True), color=colours[k], linewidth=1.6,
                               linestyle="--" if how == LOST else "-",
                               label=f"{list(BOTS)[bot].title()}, {how}")  # fmt: skip
            panel.set_title(f"({'abcd'[list(NAMES).index(agent)]}) {name}-4")
            panel.set(xlabel="iterations", ylabel="games won, %")
            panel.grid(alpha=0.3)
        axes[1][1].legend(frameon=False, fontsize=7, ncols=2)
