"""Tables 1 and 2: seconds. Ours are of another machine and another language, so only their ratios count.

The paper has Cheat-3 to Cheat-5. Cheat-5 takes minutes, so growth is measured from Cheat-2 on instead.
"""

import time
from collections.abc import Iterable
from itertools import pairwise

from ruse.games.cheat.rules import Cheat
from ruse.papers.evidence import AFTER, Evidence, Verdict, claim, so
from ruse.papers.lab import Lab
from ruse.papers.ordered_abstraction.agents import ITERATIONS, NAMES, PLUS, engine_for
from ruse.papers.ordered_abstraction.tables import PAPER
from ruse.training.engines.marks import run_to

POINTS = (2, 3, 4)
REPEATS = 3
HOW = f"the processor's time, all agents turn by turn, the least of {REPEATS}"
GROWN = 3.0  # what one more Health Point must at least multiply the time by, to be called exponential
Seconds = dict[tuple[str, int], float]  # by agent and Health Points


def run(lab: Lab) -> list[Evidence]:
    seconds: Seconds = {}
    for hp in POINTS:
        lab.tell(f"Cheat-{hp}")
        seconds |= {(agent, hp): least for agent, least in measure(lab, (*NAMES, *PLUS), hp).items()}
    return judged(seconds)


def measure(lab: Lab, agents: Iterable[str], hp: int) -> dict[str, float]:
    """The least of some trainings of one seed by the processor's time of one thread, all agents turn by turn: what the
    machine does besides is alike for all of them.
    """
    game, found = Cheat(hp=hp), dict.fromkeys(agents, float("inf"))
    for agent in found:
        engine_for(agent, game, lab.seed).run(0, 1)  # compiled, so that it is not timed
    for _ in range(REPEATS):
        for agent in found:
            mark = next(run_to(engine_for(agent, game, lab.seed), (ITERATIONS,), clock=time.thread_time))
            found[agent] = min(found[agent], mark.seconds)
    return found


def judged(seconds: Seconds) -> list[Evidence]:
    """What the paper says of its own."""
    factors = {a: [seconds[a, y] / seconds[a, x] for x, y in pairwise(POINTS)] for a in (*NAMES, *PLUS)}
    least = min(factor for own in factors.values() for factor in own)
    most = max(factor for own in factors.values() for factor in own)
    dearer = {agent: [seconds[f"{agent}+", hp] / seconds[agent, hp] for hp in POINTS[1:]] for agent in NAMES}
    slower = sum(ratio > 1.0 for own in dearer.values() for ratio in own)
    pairs = len(NAMES) * len(POINTS[1:])
    own = [(b.seconds, a.seconds) for name in NAMES for a, b in zip(PAPER[name], PAPER[f"{name}+"], strict=True)]
    larger, same = sum(b > a for b, a in own), sum(b == a for b, a in own)
    return [
        claim("Tables 1 and 2, time grows exponentially with the Health Points", "14 to 32 times, then 3 to 21",
              f"{least:.1f} to {most:.1f} times for one more, from Cheat-2 to Cheat-4 ({HOW})",
              so(least >= GROWN), f"every factor {GROWN:g} or more", seeds=1, margin_set=AFTER),
        claim("Tables 1 and 2, time with abstraction", f"a bit larger than without (its own tables: in {larger} "
              f"of {len(own)}, the same in {same})",
              f"larger in {slower} of {pairs}, Cheat-3 and Cheat-4 ({HOW}): " + "; ".join(
                  f"{NAMES[a]} {', '.join(f'{r:.2f}' for r in own)} times" for a, own in dearer.items()),
              Verdict.CANNOT_BE_TOLD if pairs // 3 < slower < pairs - pairs // 3 else so(slower >= pairs // 2),
              "larger in two thirds of the pairs, or in fewer than a third; between them nothing can be told",
              seeds=1, margin_set=AFTER),
    ]  # fmt: skip
