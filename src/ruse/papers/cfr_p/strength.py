"""Head to head: agents against the bots that keep one policy, on deals that are played in both seats.

The paper has no such numbers. The agent's mix is followed exactly.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.papers.cfr_p.agents import (
    FRESH,
    ITERATIONS,
    OURS,
    PAPER,
    PAPERS_SOLVER,
    POLICIES,
    benchmark,
    found_of,
    trained_by,
    view_named,
)
from ruse.papers.evidence import Evidence, beyond, check, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.drawing import COLOURS, INK, STILL, tidy
from ruse.solve.solver.presets import Solver
from ruse.strategy import Strategy
from ruse.subgame.deal_responses import Constant, Won

DEALS, MORE, FEWER = 6_000, 20_000, 300
LONGER, SHORTER = 100_000, 2_000
SEES = "part+distances"


class TrainedAgent(NamedTuple):
    """How it was trained."""

    name: str
    view: Any
    iterations: int
    solver: Solver = OURS

    def strategy(self, seed: int) -> Strategy:
        return trained_by(self.view, self.solver, self.iterations, seed)

    def judge(self, lab: Lab) -> Constant:
        """Deals with the bots, for those who begin alike."""
        is_at_once = self.view.before_first == "normal"
        deals = FEWER if lab.quick else MORE if is_at_once else DEALS
        return benchmark(deals, lab.seed + FRESH, self.view if is_at_once else PAPER)


def agents(lab: Lab) -> list[TrainedAgent]:
    few, many = (1_000, SHORTER) if lab.quick else (ITERATIONS, LONGER)
    return [
        TrainedAgent(f"the paper's agent, {few:,} iterations", PAPER, few, PAPERS_SOLVER),
        TrainedAgent(f"cfr_p, linear weights, {many:,}", PAPER, many),
        TrainedAgent(f"{SEES}, Normal until the first choice, {many:,}", view_named(f"{SEES}+at_once"), many),
    ]


def run(lab: Lab) -> list[Evidence]:
    rows, won = [], dict[str, list[Won]]()
    for agent in agents(lab):
        lab.tell(f"{agent.name} against bots")
        judge, strategy = agent.judge(lab), agent.strategy(lab.seed)
        won[agent.name] = [Won(-judge.policy_against(k, strategy).by_deal) for k in range(len(POLICIES))]
        text = ", ".join(
            f"{told(found_of(one), '+.3f')} against {bot}" for bot, one in zip(POLICIES, won[agent.name], strict=True)
        )
        deals = judge.trees[0].deals
        rows.append(beyond(f"Points a game in {deals:,} deals, both seats: {agent.name}", text, seeds=1))
    draw(lab, won)
    best = agents(lab)[-1].name
    return rows + checks(lab, best, won[best])


def checks(lab: Lab, name: str, won: list[Won]) -> list[Evidence]:
    """Of the agent that loses nothing before its first choice."""
    rows = []
    for bot, one in zip(POLICIES, won, strict=True):
        found = found_of(one)
        rows.append(
            check(f"{name}: beats {bot}", told(found, "+.4f"), found.low > 0 if not lab.quick else None,
                  "the interval above 0", found=found)
        )  # fmt: skip
    mixed = found_of(Won(np.mean([one.by_deal for one in won], axis=0)))
    rows.append(
        check(f"{name}: beats mixed, which draws one of them for each game", told(mixed, "+.3f"), mixed.low > 0,
              "the interval above 0", found=mixed)
    )  # fmt: skip
    return rows


def draw(lab: Lab, won: dict[str, list[Won]]) -> None:
    shades = (INK, COLOURS[0], COLOURS[2])
    with lab.figure("strength", 1, 1) as axes:
        panel = axes[0][0]
        for k, (name, each) in enumerate(won.items()):
            at = [place + 0.22 * (k - 1) for place in range(len(each))]
            errors = [one.mean - one.interval[0] for one in each]
            panel.bar(at, [one.mean for one in each], 0.18, yerr=errors, color=shades[k], ecolor=STILL, label=name)
        panel.axhline(0.0, color=INK, linewidth=0.8)
        panel.set_xticks(range(len(POLICIES)), POLICIES)
        panel.legend(frameon=False, fontsize=7, labelcolor=INK)
        tidy(panel, "Against bots that keep one policy", x="", y="points a game")
