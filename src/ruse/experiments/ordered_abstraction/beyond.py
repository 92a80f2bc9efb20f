"""Beyond the paper: exact exploitability of its agents, and what a curriculum is really worth.

A win rate against a bot says how well an agent beats that bot. Exploitability says how much any opponent could win from
it. Cheat-3 and Cheat-4 are small enough to know it exactly, in the whole game, whatever the agent forgets.
"""

import time
from collections.abc import Callable
from statistics import fmean
from typing import Any, NamedTuple

from ruse.evaluate.exploitability import exploitability
from ruse.experiments.lab import Lab, Row, percent
from ruse.experiments.ordered_abstraction.agents import (
    COLOURS,
    ITERATIONS,
    NAMES,
    PLUS,
    engine_for,
    score,
    strategy_of,
)
from ruse.experiments.ordered_abstraction.figure_3 import COPY, taught, teach
from ruse.games.cheat import Cheat
from ruse.solve.presets import cfr
from ruse.starts import Copied, WarmStart
from ruse.training import train

SEEDS = 3


class Agent(NamedTuple):
    """An agent after training: how exploitable it is, and how it does against the bots."""

    exploitability: float
    random: float
    heuristic: float


def run(lab: Lab) -> list[Row]:
    rows = ranking(lab)
    rows += longer(lab)
    rows += curriculum_by_full_width(lab)
    return rows + ([] if lab.quick else curriculum_by_sampling(lab))


# ---- do win rates rank the agents rightly? ---------------------------------------------------------------------------


def ranking(lab: Lab) -> list[Row]:
    rows = []
    for hp in (3,) if lab.quick else (3, 4):
        lab.tell(f"exploitability in Cheat-{hp}")
        game = Cheat(hp=hp)
        agents = {agent: judged(lab, agent, game) for agent in (*NAMES, *PLUS)}
        names = NAMES | PLUS
        for agent, found in agents.items():
            rows.append(
                Row(f"Exploitability of {names[agent]} in Cheat-{hp} after {ITERATIONS} iterations", "not measured",
                    f"{found.exploitability:.3f}; wins {percent(found.random)} against Random, "
                    f"{percent(found.heuristic)} against Heuristic", "reported", None)
            )  # fmt: skip
        by_bot = [names[a] for a in sorted(agents, key=lambda a: -agents[a].random)]
        exactly = [names[a] for a in sorted(agents, key=lambda a: agents[a].exploitability)]
        rows.append(
            Row(f"Do win rates against Random rank the agents of Cheat-{hp} as exploitability does?", "assumed",
                f"by win rate {', '.join(by_bot)}; by exploitability {', '.join(exactly)}", "reported", None)
        )  # fmt: skip
    return rows


def judged(lab: Lab, agent: str, game: Cheat) -> Agent:
    def one(seed: int) -> Agent:
        engine = engine_for(agent, game, seed)
        engine.run(0, ITERATIONS)
        strategy = strategy_of(engine)
        return Agent(float(exploitability(game, strategy)), *score(game, strategy, lab.deals, seed))

    found = [one(seed) for seed in lab.seeds(SEEDS if game.hp == 3 else 1)]
    return Agent(*(fmean(a[k] for a in found) for k in range(3)))


def longer(lab: Lab) -> list[Row]:
    """What is left when there is time: an agent that forgets stays exploitable, one that does not goes on learning."""
    lab.tell("Cheat-3, longer training")
    game, stops = Cheat(hp=3), (10, 30, 100, 300, 1_000) + (() if lab.quick else (3_000, 10_000))
    curves: dict[str, list[tuple[int, float]]] = {}

    def one(agent: str) -> list[tuple[int, float]]:
        engine, done, curve = engine_for(agent, game, lab.seed), 0, []
        for stop in stops:
            engine.run(done, stop - done)
            done = stop
            curve.append((done, float(exploitability(game, strategy_of(engine)))))
        return curve

    curves = dict(zip(NAMES, lab.each(one, NAMES), strict=True))
    with lab.figure("exploitability", 1, 1) as axes:
        for (agent, curve), colour in zip(curves.items(), COLOURS.values(), strict=True):
            axes[0][0].loglog(*zip(*curve, strict=True), "o-", label=NAMES[agent], color=colour, linewidth=1.6)
        axes[0][0].set(xlabel="chance-sampled iterations", ylabel="exploitability in the whole game", title="Cheat-3")
        axes[0][0].grid(alpha=0.3)
        axes[0][0].legend(frameon=False)
    return [
        Row(f"{NAMES[agent]} in Cheat-3, trained longer: exploitability", "not measured",
            ", ".join(f"{x:.3f} after {t:,}" for t, x in curve), "reported", None)
        for agent, curve in curves.items()
    ]  # fmt: skip


# ---- what is a curriculum worth? -------------------------------------------------------------------------------------


def curriculum_by_full_width(lab: Lab) -> list[Row]:
    """Cheat-3 from Cheat-2 with perfect recall: by copy, by strategy-based warm start, and from nothing."""
    lab.tell("curriculum with perfect recall, Cheat-2 to Cheat-3")
    small, large = Cheat(hp=2), Cheat(hp=3)
    budget = 3.0 if lab.quick else 15.0
    began = time.perf_counter()
    teacher = train(small, cfr(alternating=False), iterations=300 if lab.quick else 1_000, seed=lab.seed)
    lesson = time.perf_counter() - began
    starts: dict[str, Callable[[], Any]] = {
        "from nothing": lambda: None,
        "copied": lambda: Copied(teacher),
        "strategy-based": lambda: WarmStart(teacher.strategy),
    }
    curves = {}
    for how, start in starts.items():
        head = lesson if how != "from nothing" else 0.0
        made = start()
        began = time.perf_counter()
        run = train(large, cfr(alternating=False), seconds=max(budget - head, 0.5), seed=lab.seed, start=made)
        # What the start has cost counts too; training itself tells its own seconds.
        head += max(0.0, time.perf_counter() - began - run.seconds - 3.0) if made is not None else 0.0
        curves[how] = [(head + seconds, found) for _, seconds, found in run.curve]
    with lab.figure("curriculum", 1, 1) as axes:
        for how, curve in curves.items():
            axes[0][0].loglog(*zip(*curve, strict=True), label=how, linewidth=1.6)
        axes[0][0].set(
            xlabel="seconds, with the teacher's", ylabel="exploitability", title="Cheat-3 after Cheat-2, CFR"
        )
        axes[0][0].grid(alpha=0.3)
        axes[0][0].legend(frameon=False)
    marks = [budget / 5, budget / 2, budget]
    table = "; ".join(f"{how}: {', '.join(f'{at(curve, t):.4f} after {t:.3g} s' for t in marks)}"
                      for how, curve in curves.items())  # fmt: skip
    return [
        Row("Curriculum at equal time, perfect recall, Cheat-2 to Cheat-3: exploitability",
            "only win rates; copying helps", table, "reported", None)
    ]  # fmt: skip


def at(curve: list[tuple[float, float]], seconds: float) -> float:
    """The last measure up to a time; the first if there was none before."""
    return next((y for x, y in reversed(curve) if x <= seconds), curve[0][1])


def curriculum_by_sampling(lab: Lab) -> list[Row]:
    """The paper's own setting, judged by exploitability: Cheat-4 from Cheat-3."""
    rows = []
    for agent in ("memoryless", "history"):
        lab.tell(f"curriculum judged exactly, {agent}")
        found = {}
        for how in ("from nothing", COPY):
            student = engine_for(agent, Cheat(hp=4), lab.seed)
            if how != "from nothing":
                teach(student, agent, taught(agent, lab.seed), how)
            marks, done = [], 0
            for stop in (10, 100):
                student.run(done, stop - done)
                done = stop
                marks.append(float(exploitability(Cheat(hp=4), strategy_of(student))))
            found[how] = marks
        rows.append(
            Row(f"Curriculum of {NAMES[agent]}, Cheat-3 to Cheat-4: exploitability after 10 and 100 iterations",
                "not measured",
                "; ".join(f"{how}: {a:.3f}, {b:.3f}" for how, (a, b) in found.items()), "reported", None)
        )  # fmt: skip
    return rows
