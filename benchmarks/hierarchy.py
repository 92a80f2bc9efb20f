"""Cheat by policies beside plain CFR, each with the same time of the processor.

`python benchmarks/hierarchy.py [SECONDS]` trains by what players see, by Sketch and by three policies, lets all of them
play against each other and a bot on mirrored deals, and tells what a true best response gains in a small game.
"""

import sys
import time
from itertools import combinations
from typing import Any

import ruse
from ruse.evaluate.exploitability import exploitability
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.policies import Manners
from ruse.games.cheat.sketch import Sketch
from ruse.play.match import match
from ruse.protocol.view import Full
from ruse.solve.sampled.engine import SampledEngine
from ruse.strategy import Strategy

SMALL = ruse.Cheat(ranks=3, copies=2, deal=2, hp=1)
MID = ruse.Cheat(ranks=5, copies=3, deal=4, hp=-1, max_turns=20)
VIEWS = {"all that is seen": Full(), "sketch": Sketch(), "policies": Manners()}
DEALS = 20_000


def trained(game: ruse.Cheat, view: Any, seconds: float) -> tuple[Strategy, int]:
    """A strategy after so many seconds of the processor, without compiling, and how many iterations that were."""
    SampledEngine(game, ruse.lcfr(walk="probing"), view=view).run(0, 1)
    engine, done, began = SampledEngine(game, ruse.lcfr(walk="probing"), view=view), 0, time.process_time()
    while time.process_time() - began < seconds:
        engine.run(done, 1_000)
        done += 1_000
    return Strategy(game, *engine.rows(), view=view), done


def main(seconds: float) -> None:
    print(f"{MID}, {seconds:g} s each, {DEALS:,} deals; payoff a game")
    found = {}
    for name, view in VIEWS.items():
        found[name] = trained(MID, view, seconds)
        print(f"{name}: {found[name][1]:,} iterations, {len(found[name][0]):,} infosets", flush=True)
    others = {name: strategy for name, (strategy, _) in found.items()} | {"heuristic": BOTS["heuristic"]}
    for one, other in combinations(others, 2):
        result = match(MID, [others[one], others[other]], deals=DEALS, seed=1)
        low, high = result.interval[0]
        print(f"{one} against {other}: {result.mean[0]:+.4f} ({low:+.4f} to {high:+.4f})", flush=True)
    print(f"{SMALL}, {seconds:g} s each, exploitability in the whole game")
    for name, view in VIEWS.items():
        if not isinstance(view, Sketch):  # which has no probability for each action
            strategy, done = trained(SMALL, view, seconds)
            gained = float(exploitability(SMALL, strategy))
            print(f"{name}: {done:,} iterations, {len(strategy):,} infosets, {gained:.4f}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
