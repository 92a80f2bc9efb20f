"""The paper's agent with two Health Points: walks hundreds of times as long, and the 1,000 iterations of the paper.

With one Health Point an iteration is short, and 1,000 of them see little of the game. The paper's took 2,800 s each.
Two Health Points are as deep as walks without a cut can be run here.
"""

from functools import partial

from ruse.papers.best_response_pruning.agents import HALF
from ruse.papers.best_response_pruning.paper_agent import WALKS, Setting, compared, draw, pair
from ruse.papers.evidence import Evidence
from ruse.papers.lab import Lab

NAME = "2 Health Points, no cut"
SETTING = Setting(HALF._replace(hp=2), (10, 30, 100, 300, 1_000), 2)


def run(lab: Lab) -> list[Evidence]:
    if lab.quick:
        return []  # it takes minutes
    lab.tell(f"the paper's agent, {NAME}")
    pairs = lab.each(partial(pair, lab, SETTING), lab.seeds(SETTING.seeds))
    curves = {how: [one[how] for one in pairs] for how in WALKS}
    draw(lab, "figures-5-6-deeper", {NAME: curves})
    return compared(NAME, curves)
