"""The paper's own combination, Best-Response Pruning under external sampling, where it can be run.

A best response needs the whole game, and players who forget nothing: small decks, and agents that see all they may.
Half a deck is far too large for that. Rows are those of the paper's agent: nodes, time, and what is reached.
"""

import time
from typing import Any

from ruse.evaluate.exploitability import exploitability
from ruse.games.cheat.rules import Cheat
from ruse.papers.best_response_pruning.savings.costs import faster, fewer
from ruse.papers.evidence import Evidence, Found, Verdict, beyond, check, claim, no_worse, told
from ruse.papers.lab import Lab
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import mccfr
from ruse.strategy import Strategy
from ruse.training.engines.marks import run_to

GAMES = {"3x2 cards, 2 each, 2 Health Points": Cheat(hp=2),
         "4x2 cards, 3 each, 1 Health Point": Cheat(ranks=4, copies=2, deal=3, hp=1)}  # fmt: skip
ITERATIONS = 100_000
SEEDS = 30  # exploitability of sampled agents scatters
WAYS = {"no pruning": None, "hybrid": "hybrid", "threshold": "threshold"}
WORSE = 0.1  # of exploitability, as a share of it: non-inferiority is within that


def run(lab: Lab) -> list[Evidence]:
    rows = []
    for name, game in GAMES.items():
        lab.tell(f"hybrid pruning, {name}")
        iterations = ITERATIONS // 5 if lab.quick else ITERATIONS
        runs = [{how: trained(game, prune, iterations, seed) for how, prune in WAYS.items()}
                for seed in lab.seeds(SEEDS)]  # fmt: skip
        for how in ("hybrid", "threshold"):
            rows += compared(f"External sampling with {how} pruning, {name}, {iterations:,} iterations", runs, how)
    rows.append(
        claim("External sampling with BRP on the half deck, the paper's own combination", "9.3 times faster", "not run",
              Verdict.CANNOT_BE_TOLD, "a best response to an average needs the whole game, which is too large, and an "
              "agent that forgets nothing; thresholds stand for it in the rows of the paper's agent")
    )  # fmt: skip
    return rows


Trained = tuple[float, float, float]  # nodes, seconds, exploitability


def trained(game: Cheat, prune: Any, iterations: int, seed: int) -> Trained:
    solver = mccfr("external", prune=prune)
    SampledEngine(game, solver, seed=seed).run(0, 1)  # compiling is no training
    engine = SampledEngine(game, solver, seed=seed)
    mark = next(run_to(engine, (iterations,), clock=time.thread_time))
    strategy = Strategy(game, *engine.rows(), view=engine.view)
    return float(engine.facts.nodes), mark.seconds, float(exploitability(game, strategy))


def compared(name: str, runs: list[dict[str, Trained]], how: str) -> list[Evidence]:
    """Hybrid pruning is the paper's; thresholds, which only go by regret, are told beside it."""
    factors = {
        unit: [run["no pruning"][k] / run[how][k] for run in runs] for k, unit in enumerate(("nodes", "seconds"))
    }
    worse = Found.ratio([run[how][2] / run["no pruning"][2] for run in runs])
    ends = " and ".join(f"{sum(run[w][2] for run in runs) / len(runs):.3g}" for w in (how, "no pruning"))
    less = Found(1.0 - worse.value, 1.0 - worse.high, 1.0 - worse.low, worse.seeds)
    if how == "hybrid":
        rows = [fewer(name, factors["nodes"]), faster(name, factors["seconds"])]
    else:
        ratios = {unit: Found.ratio(own) for unit, own in factors.items()}
        rows = [beyond(f"{name}: {unit} without pruning by those with", told(own, ".2f", unit=" times"), found=own)
                for unit, own in ratios.items()]  # fmt: skip
    return [
        *rows,
        check(f"{name}: exploitability by that without", f"{told(worse, '.3f')}; {ends} on average",
              no_worse(less, WORSE), f"at most {1 + WORSE:g}, by the whole interval", found=worse),
    ]  # fmt: skip
