"""What a plain iteration of external sampling costs on the half deck: measured for few turns, estimated for many.

The paper's 100 iterations took 280,000 s. All actions of the traverser are explored, so a walk multiplies with every
turn; how the recursion stopped is not told. Here the game is a draw after so many turns.
"""

import time
from typing import NamedTuple

import numpy as np

from ruse.compile import kernel
from ruse.compile.rng import stream, uniform
from ruse.games.cheat.rules import NAMED, Cheat
from ruse.games.cheat.views import Memoryless
from ruse.papers.evidence import Evidence, Verdict, check, claim
from ruse.papers.lab import Lab
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.guards.drawing import drawn
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import mccfr

PAPER_SECONDS = 2_800.0  # an iteration
LIMIT = 60.0  # seconds that we give an iteration
LONGEST = 40  # turns
PROBES = 200_000


class Cost(NamedTuple):
    """One iteration with so many turns."""

    turns: int
    seconds: float
    nodes: int

    def __str__(self) -> str:
        return f"{self.turns} turns {self.seconds:.3g} s, {self.nodes:,} histories"


def run(lab: Lab) -> list[Evidence]:
    rows = []
    for deck in ("mid", "half"):
        lab.tell(f"plain iterations, {deck}")
        game = Cheat(**NAMED[deck])
        costs = measured(game, LIMIT / 20 if lab.quick else LIMIT, lab.seed)
        told = "; ".join(map(str, costs))
        if deck == "half":
            rows.append(
                claim("One plain iteration of external sampling on the half deck, with a draw after so many turns",
                      f"{PAPER_SECONDS:,.0f} s", told, Verdict.CANNOT_BE_TOLD,
                      "the paper does not say where a walk ends, and its machine and language are others", seeds=1)
            )  # fmt: skip
        probes = PROBES // 20 if lab.quick else PROBES
        sizes = {
            turns: estimated(game._replace(max_turns=turns), probes, lab.seed) for turns in (costs[-1].turns, LONGEST)
        }
        speed = costs[-1].nodes / costs[-1].seconds
        rows.append(
            check(f"A plain iteration on `{deck}` by Knuth's estimator, {probes:,} probes",
                  "; ".join(f"{turns} turns {x} histories, {x.mean / speed:.2g} s" for turns, x in sizes.items())
                  + f"; counted for {costs[-1].turns} turns: {costs[-1].nodes:,}",
                  bool(1 / 3 <= sizes[costs[-1].turns].mean / costs[-1].nodes <= 3),
                  f"within a factor of 3 of what was counted for {costs[-1].turns} turns", seeds=1)
        )  # fmt: skip
    return rows


def measured(game: Cheat, limit: float, seed: int) -> list[Cost]:
    """An iteration for 1, 2, 3, ... turns, as far as one more will not exceed the limit of the processor's seconds."""
    costs: list[Cost] = []
    for turns in range(1, LONGEST + 1):
        shorter = game._replace(max_turns=turns)
        solver = mccfr("external")
        iterations = 20 if turns < 4 else 3
        engine = SampledEngine(shorter, solver, seed=seed, view=Memoryless())
        if not costs:
            engine.run(0, 1)  # compiling
            engine = SampledEngine(shorter, solver, seed=seed, view=Memoryless())
        began = time.thread_time()
        engine.run(0, iterations)
        seconds = (time.thread_time() - began) / iterations
        costs.append(Cost(turns, seconds, engine.facts.nodes // iterations))
        growth = costs[-1].nodes / costs[-2].nodes if len(costs) > 1 else 1.0
        if 3 * seconds * max(growth, 1.0) > limit:
            break
    return costs


class ProbedMean(NamedTuple):
    """Histories of a plain iteration, by random probes. Most see far less than the mean, which is carried by few."""

    mean: float
    error: float  # standard error

    def __str__(self) -> str:
        return f"{self.mean:.2g} +- {self.error:.1g}"


def estimated(game: Cheat, probes: int, seed: int) -> ProbedMean:
    """The size of external sampling's walk while all strategies are uniform (Knuth 1975)."""
    found = np.zeros(probes)
    knuth(game, game.start(), found, seed)
    return ProbedMean(float(found.mean()), float(found.std(ddof=1) / np.sqrt(probes)))


@kernel
def knuth(game, start, found, seed):
    """Each probe follows one own action of each decision, and counts what it sees as often as there were actions."""
    rng, s = np.zeros(1, np.uint64), start.copy()
    for probe in range(len(found)):
        stream(rng, seed, probe)
        for me in range(2):
            for c in range(len(s)):
                s[c] = start[c]
            weight, player = 1.0, game.player(s)
            while player != OVER:
                found[probe] += weight
                a = 0
                if player == CHANCE:
                    a = drawn(game, s, game.num_actions(s), uniform(rng))
                else:
                    count = game.num_actions(s)
                    weight *= count if player == me else 1
                    a = int(uniform(rng) * count)
                game.apply(s, a)
                player = game.player(s)
            found[probe] += weight
