"""The paper's agent with two Health Points: walks hundreds of times as long, and so not as many of them.

With one Health Point an iteration is short, and 1,000 of them see little of the game. The paper's took 2,800 s each,
and its time is that of 100 iterations, as many as are run here.
"""

from ruse.papers.best_response_pruning.agents import HALF, AgentScore, ahead, won
from ruse.papers.best_response_pruning.paper_agent import PLAIN, PRUNED, THEIRS, TIMED, WALKS, better, savings, trained
from ruse.papers.evidence import Evidence, beyond
from ruse.papers.lab import Lab, share_of

GAME = HALF._replace(hp=2)
STOPS = {PRUNED: (10, 30, TIMED, 300), PLAIN: (10, 30, TIMED)}
SEEDS = 5
NAME = "The paper's agent, 2 Health Points, no cut"


def run(lab: Lab) -> list[Evidence]:
    if lab.quick:
        return []  # it takes minutes
    lab.tell("the paper's agent, 2 Health Points")
    return compared(lab.each(lambda seed: pair(lab, seed), lab.seeds(SEEDS)))


Pair = dict[str, list[AgentScore]]  # by pruning, at each stop


def pair(lab: Lab, seed: int) -> Pair:
    """Both trainings of a seed in one sitting."""
    return {how: trained(lab, GAME, WALKS[how], stops, seed) for how, stops in STOPS.items()}


def compared(pairs: list[Pair]) -> list[Evidence]:
    """What is won on the way, and what pruning changes after as many iterations as the paper has timed."""
    curves = {how: list(zip(*(one[how] for one in pairs), strict=True)) for how in STOPS}  # [stop][seed]
    plain, pruned = (
        list(next(scores for scores in curves[how] if scores[0].iterations == TIMED)) for how in (PLAIN, PRUNED)
    )
    own = f"{NAME}, {TIMED} iterations, thresholds for BRP"
    return [
        *(beyond(f"{NAME}, {how}: games won against naive and heuristic_002", ", ".join(map(told, looks)),
                 theirs="60 and 20 % after 1,000", seeds=len(pairs)) for how, looks in curves.items()),
        *(better(own, bot, ahead(pruned, plain, bot)) for bot in THEIRS),
        *savings(own, plain, pruned),
    ]  # fmt: skip


def told(scores: tuple[AgentScore, ...]) -> str:
    return f"{' and '.join(share_of(won(scores, bot)) for bot in THEIRS)} after {scores[0].iterations:,}"
