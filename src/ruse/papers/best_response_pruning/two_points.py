"""The paper's agent with two Health Points: walks hundreds of times as long, and so not as many of them.

With one Health Point an iteration is short, and 1,000 of them see little of the game. The paper's took 2,800 s each.
"""

from ruse.papers.best_response_pruning.agents import HALF, Score
from ruse.papers.best_response_pruning.paper_agent import PLAIN, PRUNED, THEIRS, WALKS, trained
from ruse.papers.evidence import Evidence, beyond
from ruse.papers.lab import Lab, percent

GAME = HALF._replace(hp=2)
STOPS = {PRUNED: (10, 30, 100, 300), PLAIN: (10, 30, 100)}


def run(lab: Lab) -> list[Evidence]:
    if lab.quick:
        return []  # it takes minutes
    lab.tell("the paper's agent, 2 Health Points")
    curves = lab.each(lambda how: trained(lab, GAME, WALKS[how], STOPS[how], lab.seed), STOPS)
    pruned, plain = curves
    name, theirs = "The paper's agent, 2 Health Points, no cut", "60 and 20 % after 1,000"
    end = next(score for score in pruned if score.iterations == plain[-1].iterations)
    factors = ", ".join(f"{getattr(plain[-1], unit) / getattr(end, unit):.2f} times the {unit}"
                        for unit in ("nodes", "seconds", "infosets"))  # fmt: skip
    return [
        *(beyond(f"{name}, {how}: games won against naive and heuristic_002", ", ".join(map(told, curve)),
                 theirs=theirs, seeds=1) for how, curve in zip(STOPS, curves, strict=True)),
        beyond(f"{name}: without pruning by those with, {end.iterations} iterations", factors,
               theirs="9.3 times the seconds", seeds=1),
    ]  # fmt: skip


def told(score: Score) -> str:
    return f"{' and '.join(percent(score.shares[bot].rate) for bot in THEIRS)} after {score.iterations:,}"
