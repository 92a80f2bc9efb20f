"""Head to head: agents against the bots that keep one policy, on deals that are played in both seats.

The paper has no such numbers. The agent's mix is followed exactly.
"""

from typing import NamedTuple

import numpy as np

from ruse.papers.cfr_p.agents import FRESH, ITERATIONS, POLICIES, benchmark, found_of, trained
from ruse.papers.evidence import Evidence, beyond, check, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.drawing import COLOURS, INK, STILL, tidy
from ruse.strategy import Strategy
from ruse.subgame.deal_responses import Won

DEALS, FEWER = 12_000, 300
LONGER, SHORTER = 100_000, 2_000
OURS = "third+distances+helping"


class Agent(NamedTuple):
    """How it was trained."""

    name: str
    view: str
    iterations: int
    as_paper: bool = False

    def strategy(self, seed: int) -> Strategy:
        return trained(self.view, self.iterations, seed, as_paper=self.as_paper)


def agents(lab: Lab) -> list[Agent]:
    few, many = (1_000, SHORTER) if lab.quick else (ITERATIONS, LONGER)
    return [
        Agent(f"the paper's agent, {few:,} iterations", "cfr_p", few, as_paper=True),
        Agent(f"cfr_p, linear weights, {many:,}", "cfr_p", many),
        Agent(f"{OURS}, linear weights, {many:,}", OURS, many),
    ]


def run(lab: Lab) -> list[Evidence]:
    judge = benchmark(FEWER if lab.quick else DEALS, lab.seed + FRESH)
    rows, won = [], dict[str, list[Won]]()
    for agent in agents(lab):
        lab.tell(f"{agent.name} against bots")
        strategy = agent.strategy(lab.seed)
        found = [judge.policy_against(k, strategy) for k in range(len(POLICIES))]
        won[agent.name] = [Won(-one.by_deal) for one in found]
        text = ", ".join(
            f"{told(found_of(one), '+.3f')} against {bot}" for bot, one in zip(POLICIES, won[agent.name], strict=True)
        )
        rows.append(beyond(f"Points a game, {agent.name}", text, seeds=1))
    best = agents(lab)[-1]
    rows.append(
        check(f"{best.name} beats every bot that keeps one policy", worst(won[best.name]),
              all(one.interval[0] > 0 for one in won[best.name]) if not lab.quick else None,
              f"each interval above 0, {judge.trees[0].deals:,} deals in both seats", seeds=1)
    )  # fmt: skip
    mixed = Won(np.mean([one.by_deal for one in won[best.name]], axis=0))
    rows.append(
        check(f"{best.name} beats mixed, which draws one of them for each game", told(found_of(mixed), "+.3f"),
              mixed.interval[0] > 0, "the interval above 0", found=found_of(mixed))
    )  # fmt: skip
    draw(lab, won)
    return rows


def worst(won: list[Won]) -> str:
    name, least = min(zip(POLICIES, won, strict=True), key=lambda pair: pair[1].mean)
    return f"{told(found_of(least), '+.3f')} against {name}, the strongest"


def draw(lab: Lab, won: dict[str, list[Won]]) -> None:
    shades = (INK, COLOURS[0], COLOURS[2])
    with lab.figure("strength", 1, 1) as axes:
        panel = axes[0][0]
        for k, (name, each) in enumerate(won.items()):
            at = [place + 0.22 * (k - 1) for place in range(len(each))]
            errors = [one.mean - one.interval[0] for one in each]
            panel.bar(at, [one.mean for one in each], 0.2, yerr=errors, color=shades[k], ecolor=STILL, label=name)
        panel.axhline(0.0, color=INK, linewidth=0.8)
        panel.set_xticks(range(len(POLICIES)), POLICIES)
        panel.legend(frameon=False, fontsize=7, labelcolor=INK)
        tidy(panel, "Against bots that keep one policy", x="", y="points a game")
