"""External sampling of Hold'em beside OpenSpiel's C++ on universal_poker: the same cards, bets and lines of betting.

`python benchmarks/holdem.py` prints a table and writes docs/benchmarks/holdem.json and holdem.md; `--quick` runs fewer
iterations and writes nothing. One thread, in seconds of the processor, turn by turn, each from an empty table and the
best of three. Neither puts hands together. OpenSpiel sorts the cards of the board, ours knows which one came last.
"""

import argparse
import subprocess
import sys
import time
from typing import NamedTuple

import core
import sampling

import ruse
from ruse.catalog.names import game
from ruse.games.holdem.lines import lines_of
from ruse.solve.sampled.engine import SampledEngine

CARDS = {"numSuits": 4, "numRanks": 13, "numHoleCards": 2, "numBoardCards": "0 3 1 1", "numRounds": 4, "numPlayers": 2}
ROUNDS = 3


class Pair(NamedTuple):
    """A game here and there."""

    name: str
    ours: str
    theirs: dict[str, object]
    iterations: int


PAIRS = (
    Pair(
        "limit, 4 raises a street", "holdem:limit=true,stack=100",
        {"betting": "limit", "blind": "10 5", "raiseSize": "10 10 20 20", "maxRaises": "4 4 4 4"}, 10_000,
    ),
    Pair(
        "no-limit, 20 bb, pot or all-in",
        "holdem:stack=20,open=pot/all-in,reraise=pot/all-in,flop_bets=pot/all-in,flop_raises=pot/all-in,all_in_from=1",
        {"betting": "nolimit", "blind": "100 50", "stack": "2000 2000", "bettingAbstraction": "fcpa"}, 30_000,
    ),
)  # fmt: skip


def loaded(pair: Pair) -> object:
    import pyspiel

    return pyspiel.load_game("universal_poker", CARDS | {"firstPlayer": "2 1 1 1"} | pair.theirs)


def decisions(theirs: object) -> int:
    """How many decisions OpenSpiel's game has, whatever the cards are."""
    count, waiting = 0, [theirs.new_initial_state()]  # type: ignore[attr-defined]
    while waiting:
        state = waiting.pop()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        if not state.is_terminal():
            count += 1
            waiting += [state.child(action) for action in state.legal_actions()]
    return count


def run_theirs(pair: Pair, count: int) -> tuple[float, int]:
    """Seconds of OpenSpiel, and by how many bytes it has grown: in a process of its own, which frees nothing before."""
    words = [sys.executable, __file__, "--theirs", str(PAIRS.index(pair)), str(count)]
    took, grown = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return float(took), int(grown)


def iterate_theirs(pair: Pair, count: int) -> None:
    """The same, in this process."""
    import pyspiel

    solver = pyspiel.ExternalSamplingMCCFRSolver(loaded(pair), 0)
    before, began = sampling.resident(), time.process_time()
    for _ in range(count):
        solver.run_iteration()
    print(time.process_time() - began, sampling.resident() - before)


def run_ours(made: ruse.Game, count: int) -> tuple[float, SampledEngine]:
    engine, run = sampling.ours(made, ruse.mccfr("external"))
    began = time.process_time()
    run(count)
    return time.process_time() - began, engine


def measure(share: float) -> list[core.Row]:
    rows: list[core.Row] = []
    for pair in PAIRS:
        made, count = game(pair.ours), int(share * pair.iterations)
        lines, others = int((lines_of(made).who >= 0).sum()), decisions(loaded(pair))  # type: ignore[arg-type]
        if lines != others:
            raise SystemExit(f"{pair.name}: {lines} decisions here, {others} there")
        run_ours(made, 1)  # compiles
        mine, theirs = [], []
        for _ in range(ROUNDS):
            took, engine = run_ours(made, count)
            infosets, size = engine.facts.infosets, engine.facts.bytes
            mine.append(count / took)
            theirs.append(run_theirs(pair, count))
            del engine
        note = f"{lines:,} lines, {count:,} iterations, {infosets:,} infosets"
        other = count / min(took for took, _ in theirs)
        rows.append(row(f"{pair.name}: external sampling", "iterations/s", max(mine), other, 10, note))
        rows.append(row("the same, bytes for an infoset", "B", size / infosets, theirs[0][1] / infosets, 4,
                        "OpenSpiel: growth of the process by as many infosets"))  # fmt: skip
    return rows


def row(what: str, unit: str, mine: float, other: float, must: float, note: str) -> core.Row:
    print(f"  {what}: {mine:.4g} {unit}; OpenSpiel {other:.4g}", file=sys.stderr)
    return core.Row(what, unit, mine, {"OpenSpiel": other}, {"OpenSpiel": must}, {}, note)


def main() -> int:
    """Measure, print, write; the exit code tells whether every promise was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer iterations, nothing written")
    parser.add_argument("--theirs", nargs=2, type=int, help=argparse.SUPPRESS)  # a pair, and iterations
    asked = parser.parse_args()
    if asked.theirs:
        iterate_theirs(PAIRS[asked.theirs[0]], asked.theirs[1])
        return 0
    quick = asked.quick
    return core.report(measure(0.1 if quick else 1.0), "holdem", "Hold'em beside OpenSpiel", writes=not quick)


if __name__ == "__main__":
    sys.exit(main())
