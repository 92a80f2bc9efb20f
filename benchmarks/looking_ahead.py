"""The agent that looks ahead beside the blueprint that it searches from: what it wins, what it loses, and its time.

`python benchmarks/looking_ahead.py RUN` prints tables and writes docs/benchmarks/looking-ahead.md; `--quick` takes few
spots and writes nothing. Spots are kept in a file as they come (`--kept`): what is interrupted is gone on with, and
more `--spots` add to those that are there. How it is measured: `src/ruse/horizon/search/strength.py`.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

import core

from ruse.evaluate.holdem.rooms import STREETS
from ruse.evaluate.holdem.whole_ranges import LinesPart
from ruse.horizon.search.agent import Searching
from ruse.horizon.search.streets import start_of
from ruse.horizon.search.strength import UP_TO, Approach, DrawnSpot, Strength, strength
from ruse.store.strategies import strategy_path
from ruse.strategy import Strategy

PLAYED = ("blueprint", "on the flop alone", "on flop and turn", "on all streets")
RAISES = ("before the flop", "the flop", "the turn", "the river")
NAMES = ("", "flop", "turn", "river")
LIMITS = (0.25, 1.0, 4.0)  # seconds a move
FOREVER = 1e9


class Move(NamedTuple):
    """A move on a street: seconds by the clock, and of the processor."""

    street: int
    clock: float
    busy: float


def timed(blueprint: Strategy, seconds: float, spots: int, seed: int) -> list[Move]:
    """The first moves on the streets of some lines, one street after the other as at a table."""
    bot, found = Searching(blueprint, seconds=seconds), []
    approach = Approach.of(bot)
    for number in range(spots):
        spot = DrawnSpot.drawn(approach, seed, number)
        lines, board = bot.bucketed.lines, list(spot.board)
        deepest = next(n for n in LinesPart.below(lines, approach.flops[spot.flop], {}).nodes if lines.street[n] == 3)
        starts = [start_of(lines, bot.ways, n, board).node for n in (*bot.ways[deepest].nodes, deepest)]
        for node in dict.fromkeys(n for n in starts if lines.street[n] > 0):
            began = time.perf_counter(), time.process_time()
            bot.rows(node, board)
            took = time.perf_counter() - began[0], time.process_time() - began[1]
            found.append(Move(int(lines.street[node]), *took))
    return found


def time_table(blueprint: Strategy, spots: int, seed: int) -> list[list[str]]:
    """For each limit and street the longest move, by the clock and of the processor."""
    timed(blueprint, LIMITS[0], 1, seed)  # kernels are loaded
    lines = [["limit", *(f"{name}: longest by the clock (processor)" for name in NAMES[1:])]]
    for limit in LIMITS:
        moves = timed(blueprint, limit, spots, seed)
        print(f"  {limit:g} s: {len(moves)} moves", file=sys.stderr)
        cells = []
        for street in range(1, STREETS):
            here = [move for move in moves if move.street == street]
            cells.append(f"{max(m.clock for m in here):.2f} s ({max(m.busy for m in here):.2f} s)")
        lines.append([f"{limit:g} s", *cells])
    return lines


def strength_tables(found: Strength) -> tuple[list[list[str]], list[list[str]]]:
    """What it wins from the blueprint, and what local best responses win from both."""
    gains = [["looks ahead", "wins from the blueprint"]]
    gains += [[name, mbb(*found.gain(k))] for k, name in enumerate(PLAYED) if k > 0]
    losses = [["raises from", "from the blueprint", *(f"more from who looks ahead {name}" for name in PLAYED[1:])]]
    for k, name in enumerate(RAISES):
        more = [mbb(*found.lost_more(k, up_to)) for up_to in range(1, len(UP_TO))]
        losses.append([name, mbb(*found.lost(k, 0)), *more])
    return gains, losses


def mbb(mean: float, margin: float) -> str:
    return f"{1000 * mean:+z.0f} ± {1000 * margin:.0f}"


def markdown(lines: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], ["---"] * len(lines[0]), *lines[1:]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("blueprint", help="a run of `ruse solve holdem`, or its strategy")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--spots", type=int, default=200)
    parser.add_argument("--timed", type=int, default=4, help="lines whose moves are timed, with each limit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, default=None, help="a file for the spots that were played")
    parser.add_argument("--quick", action="store_true", help="few spots, nothing written")
    asked = parser.parse_args()
    spots, lines = (4, 1) if asked.quick else (asked.spots, asked.timed)
    blueprint = Strategy.load(strategy_path(asked.blueprint, asked.runs))
    found = strength(
        Searching(blueprint, seconds=FOREVER), spots=spots, seed=asked.seed, kept=asked.kept,
        tell=lambda what, share: print(f"  {what}, {share:.0%}", file=sys.stderr),
    )  # fmt: skip
    gains, losses = strength_tables(found)
    times = time_table(blueprint, lines, asked.seed)
    made = ", ".join(f"{key} {blueprint.about[key]}" for key in ("iterations", "seed") if key in blueprint.about)
    about = ", ".join(f"{key} {value}" for key, value in core.machine().items())
    text = f"""# Looking ahead

Written by `benchmarks/looking_ahead.py`: {about}. Blueprint: {made}. {len(found.gains)} spots, seed {found.seed}, 200
iterations a street without a limit of time; thousandths of a big blind a hand, both seats, each with its own 95 %
interval, by Student's distribution.

{markdown(gains)}

What [local best responses](../holdem-blueprint.md#how-strong-it-is) win, which raise from a street on; the differences
are on the same spots:

{markdown(losses)}

What a move takes, the longest of {lines} on each street:

{markdown(times)}
"""
    if not asked.quick:
        (core.OUT / "looking-ahead.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
