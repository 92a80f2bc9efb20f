"""Cheat: how long the paper's trainings take here, beside the paper's own times.

`python benchmarks/cheat.py` prints a table and writes docs/benchmarks/cheat.md. One thread, warm, the best of three
(Cheat-5: of one). The paper's times are of another machine, so the ratio says what a reader gains, not who is quicker.
"""

import sys
import time

import core

import ruse
from ruse.evaluate.exploitability import exploitability
from ruse.games.cheat.bots import Heuristic
from ruse.papers.ordered_abstraction.agents import ITERATIONS, NAMES, PLUS, engine_for, strategy_of
from ruse.papers.ordered_abstraction.tables import PAPER
from ruse.tree.expanded import _recent

MUST = {3: 0.5, 4: 5.0, 5: 90.0}  # seconds for 100 iterations
AIM = {3: 0.1, 4: 1.0, 5: 20.0}


def seconds_of(agent: str, hp: int, times: int) -> tuple[float, float]:
    """The least time of 100 iterations, and what a history costs, in nanoseconds."""
    game, best, cost = ruse.Cheat(hp=hp), float("inf"), 0.0
    engine_for(agent, ruse.Cheat(hp=1), 0).run(0, 1)
    for seed in range(times):
        engine = engine_for(agent, game, seed)
        began = time.perf_counter()
        engine.run(0, ITERATIONS)
        took = time.perf_counter() - began
        if took < best:
            best, cost = took, 1e9 * took / engine.facts.nodes
    return best, cost


def measure() -> tuple[list[list[str]], list[str]]:
    """The lines of the table, and which promises were not kept."""
    lines, failed = [], []

    def add(what: str, ours: float, unit: str, theirs: str, must: str, aim: str, kept: bool) -> None:
        lines.append([what, f"{ours:,.3g} {unit}", theirs, must, aim, "yes" if kept else "NO"])
        print(f"  {' | '.join(lines[-1])}", file=sys.stderr)
        if not kept:
            failed.append(what)

    names = NAMES | PLUS
    for hp in (3, 4, 5):
        for agent, name in names.items():
            took, cost = seconds_of(agent, hp, 1 if hp == 5 else 3)
            paper = PAPER[agent][hp - 3].seconds
            what = f"{name}, Cheat-{hp}, 100 iterations ({cost:.0f} ns a history)"
            theirs = f"{paper:,} s ({paper / took:,.0f}x)"
            add(what, took, "s", theirs, f"{MUST[hp]:g} s", f"{AIM[hp]:g} s", took <= MUST[hp])
    for hp, must in ((3, 2.0), (4, 30.0)):
        game, engine = ruse.Cheat(hp=hp), engine_for("memoryless", ruse.Cheat(hp=hp), 0)
        engine.run(0, ITERATIONS)
        exploitability(ruse.Cheat(hp=1), strategy_of(engine_for("memoryless", ruse.Cheat(hp=1), 0)))
        _recent.clear()  # expanding the game is part of it
        began = time.perf_counter()
        exploitability(game, strategy_of(engine))
        took = time.perf_counter() - began
        add(f"exact exploitability in Cheat-{hp}", took, "s", "not measured", f"{must:g} s", "", took <= must)
    engine = engine_for("memoryless", ruse.Cheat(hp=3), 0)
    engine.run(0, ITERATIONS)
    for name, bots in (("strategy", [strategy_of(engine), Heuristic()]), ("random", [ruse.RandomBot(), Heuristic()])):
        ruse.match(ruse.Cheat(hp=3), bots, deals=10)
        began = time.perf_counter()
        games = ruse.match(ruse.Cheat(hp=3), bots, deals=200_000).games
        rate = games / (time.perf_counter() - began)
        add(f"matches, Heuristic against a {name}", rate, "games/s", "", "200,000 games/s", "", rate >= 200_000)
    return lines, failed


def main() -> int:
    lines, failed = measure()
    heads = ["", "ruse", "paper", "must", "aim", "kept"]
    table = "\n".join("| " + " | ".join(line) + " |" for line in (heads, ["---"] * len(heads), *lines))
    about = ", ".join(f"{key} {value}" for key, value in core.machine().items())
    verdict = f"Not kept: {'; '.join(failed)}." if failed else "Every promise is kept."
    text = f"# Cheat beside the paper's times\n\nWritten by `benchmarks/cheat.py`: {about}. One thread, warm.\n\n"
    (core.OUT / "cheat.md").write_text(f"{text}{table}\n\n{verdict}\n")
    print(f"{table}\n\n{verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
