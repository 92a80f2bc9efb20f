"""Figure 3: Cheat-4 learned from nothing, and from the regret and strategy sums of Cheat-3 (a curriculum).

The paper shows agents with abstraction here, as in all that follows its Figure 1. Those without are beyond it.
"""

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import General, HpAware
from ruse.papers.evidence import AFTER, Evidence, Found, Verdict, beyond, claim, near, so
from ruse.papers.lab import Lab, points_of
from ruse.papers.ordered_abstraction.agents import (
    BOTS,
    ITERATIONS,
    NAMES,
    PLUS,
    BotShares,
    engine_for,
    learning_curve,
    view_for,
)
from ruse.papers.ordered_abstraction.curves import AgentCurves, gathered
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.start.learned import Infosets, Learned

TEACHER, STUDENT = Cheat(hp=3), Cheat(hp=4)
SCRATCH, COPY, LOST = "from nothing", "copied", "copied by points lost"  # the paper has the first two
SEEDS, FEWER = 10, 3
ALIKE = 0.03  # curves that stay within so much of one another are "almost the same"
SEEN = 0.01  # a lead of less than a point could not be seen in a figure
TOLD = (1, 10, 40, 100)  # iterations


def run(lab: Lab) -> list[Evidence]:
    lab.tell("Cheat-4 from nothing and from Cheat-3")
    curves = {agent: {how: learned(lab, agent, how, SEEDS) for how in (SCRATCH, COPY)} for agent in PLUS}
    draw(lab, curves)
    rows = []
    for bot in BOTS:
        for agent, name in PLUS.items():
            scratch, copied = curves[agent][SCRATCH], curves[agent][COPY]
            judge = unhelped if agent == "hp+" else helped
            rows.append(judge(f"Figure 3, {name}-4 against {bot.title()}: a copied start", scratch, copied, bot))
    if not lab.quick:
        rows += others(lab)
    return rows


def gaps(scratch: AgentCurves, copied: AgentCurves, bot: str) -> dict[int, Found]:
    """By how much the copied start is ahead, at each test."""
    return {t: copied.ahead_of(scratch, bot, k) for k, t in enumerate(scratch.at)}


def helped(name: str, scratch: AgentCurves, copied: AgentCurves, bot: str) -> Evidence:
    """The paper: it starts higher and is always higher."""
    found = gaps(scratch, copied, bot)
    at = min(found, key=lambda t: found[t].value)
    first, worst = found[min(found)], found[at]
    if first.low > 0.0 and worst.low > 0.0:
        verdict = Verdict.REPRODUCED
    else:
        verdict = so(False) if first.high < SEEN or worst.high < 0.0 else Verdict.CANNOT_BE_TOLD
    return claim(name, "starts higher and is always higher", told(found, at, "the least"), verdict,
                 "higher after the first iteration, and where it is least ahead, each by its whole interval; less than "
                 f"{100 * SEEN:g} point after the first is not higher",
                 found=worst, margin_set=AFTER)  # fmt: skip


def unhelped(name: str, scratch: AgentCurves, copied: AgentCurves, bot: str) -> Evidence:
    """The paper: the lines are almost the same."""
    found = gaps(scratch, copied, bot)
    at = max(found, key=lambda t: abs(found[t].value))
    return claim(name, "almost the same", told(found, at, "furthest apart"), near(0.0, found[at], ALIKE),
                 f"{100 * ALIKE:g} points where they are furthest apart, by the whole interval",
                 found=found[at], margin_set=AFTER)  # fmt: skip


def told(found: dict[int, Found], at: int, words: str) -> str:
    """Some of the tests, the first with its interval; and the one that is judged, whose interval the row has."""
    first = min(found)
    marks = ", ".join(f"{100 * found[t].value:+z.1f} after {t}" for t in TOLD if t in found and t != first)
    return f"{points_of(found[first])} ahead after {first}, {marks}; {words} {points_of(found[at])} after {at}"


def others(lab: Lab) -> list[Evidence]:
    """Agents without abstraction, and points counted from the top."""
    rows = []
    for agent, name in NAMES.items():
        lab.tell(f"curriculum without abstraction, {name}")
        curves = {how: learned(lab, agent, how, FEWER) for how in ways(agent)}
        for how in ways(agent)[1:]:
            for bot in BOTS:
                found = gaps(curves[SCRATCH], curves[how], bot)
                at = min(found, key=lambda t: found[t].value)
                rows.append(
                    beyond(f"{name}-4 without abstraction, {how}, against {bot.title()}", told(found, at, "the least"),
                           found=found[at])
                )  # fmt: skip
    return rows


def ways(agent: str) -> tuple[str, ...]:
    return (SCRATCH, COPY, LOST) if agent in ("hp", "general") else (SCRATCH, COPY)


def learned(lab: Lab, agent: str, how: str, seeds: int) -> AgentCurves:
    def one(seed: int) -> list[tuple[int, BotShares]]:
        student = engine_for(agent, STUDENT, seed)
        if how != SCRATCH:
            teach(student, agent, taught(agent, seed), how)
        return list(learning_curve(student, lab.deals, seed))

    return gathered(lab.each(one, lab.seeds(seeds)))


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


def draw(lab: Lab, curves: dict[str, dict[str, AgentCurves]]) -> None:
    with lab.figure("figure-3", 2, 2, sharex=True, sharey=True) as axes:
        for panel, (agent, name) in zip(axes.flat, PLUS.items(), strict=True):
            for bot, colours in zip(BOTS, (("#9ecae1", "#08519c"), ("#a1d99b", "#006d2c")), strict=True):
                for (how, own), colour in zip(curves[agent].items(), colours, strict=True):
                    panel.plot(own.at, [100 * share for share in own.mean(bot)], color=colour, linewidth=1.6,
                               label=f"{bot.title()}, {how}")  # fmt: skip
            panel.set_title(f"({'abcd'[list(PLUS).index(agent)]}) {name}-4")
            panel.set(xlabel="iterations", ylabel="games won, %")
            panel.grid(alpha=0.3)
        axes[1][1].plot([], [], " ", label="(the paper's text has no numbers)")
        axes[1][1].legend(frameon=False, fontsize=7, ncols=2, loc="lower right")
