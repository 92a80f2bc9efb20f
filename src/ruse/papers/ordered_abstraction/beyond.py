"""Beyond the paper: exact exploitability of its agents, and what a curriculum is really worth.

A win rate against a bot says how well an agent beats that bot. Exploitability says how much any opponent could win from
it. Cheat-3 and Cheat-4 are small enough to know it exactly, in the whole game, whatever the agent forgets.
"""

import time
from itertools import accumulate, repeat
from statistics import fmean
from typing import NamedTuple

from ruse.evaluate.exploitability import exploitability
from ruse.games.cheat.rules import Cheat
from ruse.papers.evidence import Evidence, beyond
from ruse.papers.lab import Lab, percent
from ruse.papers.ordered_abstraction.agents import COLOURS, ITERATIONS, NAMES, PLUS, engine_for, score, strategy_of
from ruse.papers.ordered_abstraction.figure_3 import taught
from ruse.solve.solver.presets import Solver, cfr
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.engines.marks import run_to
from ruse.training.jobs.job import Job
from ruse.training.terms.starts import Copied, Start, WarmStart
from ruse.training.train import train

SEEDS = 3
CLOCK = "the processor's seconds"
TEACHING = 1_000  # iterations of a teacher whose student is judged exactly


class RankedAgent(NamedTuple):
    """An agent after training: how exploitable it is, and how it does against the bots."""

    exploitability: float
    random: float
    heuristic: float


def run(lab: Lab) -> list[Evidence]:
    rows = ranking(lab)
    rows += longer(lab)
    rows += curriculum_by_full_width(lab)
    return rows + ([] if lab.quick else curriculum_by_sampling(lab))


# ---- do win rates rank the agents rightly? ---------------------------------------------------------------------------


def ranking(lab: Lab) -> list[Evidence]:
    rows = []
    for hp in (3,) if lab.quick else (3, 4):
        lab.tell(f"exploitability in Cheat-{hp}")
        game = Cheat(hp=hp)
        agents = {agent: judged(lab, agent, game) for agent in (*NAMES, *PLUS)}
        names = NAMES | PLUS
        for agent, found in agents.items():
            rows.append(
                beyond(f"Exploitability of {names[agent]} in Cheat-{hp} after {ITERATIONS} iterations",
                       f"{found.exploitability:.3f}; wins {percent(found.random)} against Random, "
                       f"{percent(found.heuristic)} against Heuristic", seeds=seeds_in(lab, game))
            )  # fmt: skip
        by_bot = [names[a] for a in sorted(agents, key=lambda a: -agents[a].random)]
        exactly = [names[a] for a in sorted(agents, key=lambda a: agents[a].exploitability)]
        rows.append(
            beyond(f"Do win rates against Random rank the agents of Cheat-{hp} as exploitability does?",
                   f"by win rate {', '.join(by_bot)}; by exploitability {', '.join(exactly)}", theirs="assumed",
                   seeds=seeds_in(lab, game))
        )  # fmt: skip
    return rows


def seeds_in(lab: Lab, game: Cheat) -> int:
    """One in Cheat-4, where a best response takes a while."""
    return len(lab.seeds(SEEDS if game.hp == 3 else 1))


def judged(lab: Lab, agent: str, game: Cheat) -> RankedAgent:
    def one(seed: int) -> RankedAgent:
        engine = engine_for(agent, game, seed)
        engine.run(0, ITERATIONS)
        strategy = strategy_of(engine)
        return RankedAgent(float(exploitability(game, strategy)), *score(game, strategy, lab.deals, seed))

    found = [one(seed) for seed in lab.seeds(seeds_in(lab, game))]
    return RankedAgent(*(fmean(a[k] for a in found) for k in range(3)))


def longer(lab: Lab) -> list[Evidence]:
    """What is left when there is time: an agent that forgets stays exploitable, one that does not goes on learning."""
    lab.tell("Cheat-3, longer training")
    game, stops = Cheat(hp=3), (10, 30, 100, 300, 1_000) + (() if lab.quick else (3_000, 10_000))
    curves: dict[str, list[tuple[int, float]]] = {}

    def one(agent: str) -> list[tuple[int, float]]:
        engine = engine_for(agent, game, lab.seed)
        marks = run_to(engine, stops)
        return [(mark.iteration, float(exploitability(game, strategy_of(engine)))) for mark in marks]

    curves = dict(zip(NAMES, lab.each(one, NAMES), strict=True))
    with lab.figure("exploitability", 1, 1) as axes:
        for (agent, curve), colour in zip(curves.items(), COLOURS.values(), strict=True):
            axes[0][0].loglog(*zip(*curve, strict=True), "o-", label=NAMES[agent], color=colour, linewidth=1.6)
        axes[0][0].set(xlabel="chance-sampled iterations", ylabel="exploitability in the whole game", title="Cheat-3")
        axes[0][0].grid(alpha=0.3)
        axes[0][0].legend(frameon=False)
    return [
        beyond(f"{NAMES[agent]} in Cheat-3, trained longer: exploitability",
               ", ".join(f"{x:.3f} after {t:,}" for t, x in curve), seeds=1)
        for agent, curve in curves.items()
    ]  # fmt: skip


# ---- what is a curriculum worth? -------------------------------------------------------------------------------------


def curriculum_by_full_width(lab: Lab) -> list[Evidence]:
    """Cheat-3 from Cheat-2 with perfect recall: by copy, by strategy-based warm start, and from nothing."""
    lab.tell("curriculum with perfect recall, Cheat-2 to Cheat-3")
    small, large, solver = Cheat(hp=2), Cheat(hp=3), cfr(alternating=False)
    budget = 3.0 if lab.quick else 15.0
    train(small, solver, iterations=1, seed=lab.seed)  # compiled, so that it is not timed
    began = time.thread_time()
    teacher = train(small, solver, iterations=300 if lab.quick else 1_000, seed=lab.seed)
    lesson = time.thread_time() - began
    starts = {"from nothing": None, "copied": Copied(teacher), "strategy-based": WarmStart(teacher.strategy)}
    curves = {how: by_time(large, solver, start, lesson, budget) for how, start in starts.items()}
    with lab.figure("curriculum", 1, 1) as axes:
        for how, curve in curves.items():
            axes[0][0].loglog(*zip(*curve, strict=True), label=how, linewidth=1.6)
        axes[0][0].set(
            xlabel=f"{CLOCK}, with the teacher's", ylabel="exploitability", title="Cheat-3 after Cheat-2, CFR"
        )
        axes[0][0].grid(alpha=0.3)
        axes[0][0].legend(frameon=False)
    marks = [budget / 5, budget / 2, budget]
    table = "; ".join(f"{how}: {', '.join(f'{at(curve, t):.4f} after {t:.3g} s' for t in marks)}"
                      for how, curve in curves.items())  # fmt: skip
    return [
        beyond(f"Curriculum at equal time ({CLOCK}), perfect recall, Cheat-2 to Cheat-3: exploitability", table,
               theirs="only win rates; copying helps", seeds=1)
    ]  # fmt: skip


def by_time(
    game: Cheat, solver: Solver, start: Start | None, lesson: float, budget: float
) -> list[tuple[float, float]]:
    """The processor's seconds and exploitability, up to so many seconds; what a teacher and a start took counts."""
    for _ in range(2):  # compiled the first time, so that it is not timed
        engine, head = FullWidthEngine(Job(game, solver)), 0.0
        engine.warm_up()
        if start is not None:
            began = time.thread_time()
            start.begin(engine)
            head = lesson + time.thread_time() - began
    curve: list[tuple[float, float]] = []
    for mark in run_to(engine, accumulate(repeat(1), lambda done, _: done + 1 + done // 8), clock=time.thread_time):
        curve.append((head + mark.seconds, float(engine.exploitability())))
        if curve[-1][0] >= budget:
            break
    return curve


def at(curve: list[tuple[float, float]], seconds: float) -> float:
    """The last measure up to a time; the first if there was none before."""
    return next((y for x, y in reversed(curve) if x <= seconds), curve[0][1])


def curriculum_by_sampling(lab: Lab) -> list[Evidence]:
    """The paper's own setting, judged exactly: Cheat-4 from Cheat-3, with a teacher that had 1,000 iterations."""
    rows = []
    ways = {"from nothing": 0.0, "copied": 1.0, "a tenth copied": 0.1}
    with lab.figure("curriculum-sampled", 1, 2, sharey=True) as axes:
        for panel, agent in zip(axes[0], ("memoryless", "history"), strict=True):
            lab.tell(f"curriculum judged exactly, {agent}")
            curves = {how: judged_curve(agent, factor, lab.seed) for how, factor in ways.items()}
            for how, curve in curves.items():
                panel.loglog(*zip(*curve, strict=True), "o-", label=how, linewidth=1.6)
            panel.set(xlabel=f"{CLOCK}, with the teacher's", ylabel="exploitability", title=f"{NAMES[agent]}-4")
            panel.grid(alpha=0.3)
            panel.legend(frameon=False)
            told = "; ".join(f"{how}: {', '.join(f'{y:.3f} after {x:.2g} s' for x, y in curve)}"
                             for how, curve in curves.items())  # fmt: skip
            rows.append(
                beyond(f"Curriculum of {NAMES[agent]} at equal time ({CLOCK}), Cheat-3 to Cheat-4: exploitability",
                       told, theirs="only win rates; copying helps", seeds=1)
            )  # fmt: skip
    return rows


def judged_curve(agent: str, factor: float, seed: int) -> list[tuple[float, float]]:
    """Seconds of training, the teacher's too, and exploitability in the whole of Cheat-4."""
    game, seconds = Cheat(hp=4), 0.0
    student = engine_for(agent, game, seed)
    engine_for(agent, game, seed).run(0, 1)  # compiled, so that it is not timed
    if factor > 0.0:
        began = time.thread_time()
        learned = taught(agent, seed, TEACHING)
        student.table = learned.scaled(factor).into(student.table)
        seconds += time.thread_time() - began
    marks = run_to(student, (1, 3, 10, 30, 100, 200), clock=time.thread_time)
    return [(seconds + mark.seconds, float(exploitability(game, strategy_of(student)))) for mark in marks]
