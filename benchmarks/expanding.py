"""What it costs to make a game ready for the full-width engine: measuring, expanding and merging, by one core and two.

    python benchmarks/expanding.py                    all games; writes docs/benchmarks/expanding.md
    python benchmarks/expanding.py --before CHECKOUT  with another version beside it, in turns
    python benchmarks/expanding.py --games leduc      these games; writes nothing

Each row is a process of its own, with its kernels compiled before. Seconds are the processor's, of all cores together;
in brackets those of a clock on the wall, which counts other work on the machine.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent.parent / "docs" / "benchmarks" / "expanding.md"
GAMES = (
    "liars_dice:sides=7",
    "goofspiel:cards=6",
    "leduc:ranks=11,suits=4",
    "liars_dice:sides=8",
    "liars_dice:dice=2,sides=4",
)
PARTS = ("measuring", "expanding", "merging")

# Older versions can run it, too. The first game of a kind compiles, or loads, what the second is timed with.
ONE = """
import json, os, sys, time
name, cores = sys.argv[1], int(sys.argv[2])
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
import ruse
from ruse.solve.full.engine import Tables, iterate
from ruse.tree import expanded
from ruse.tree.measure.size import tree_size
told = {}
def timed(part, work):
    cpu, wall = time.process_time(), time.perf_counter()
    found = work()
    told[part] = time.process_time() - cpu, time.perf_counter() - wall
    return found
def ready(game):
    if hasattr(expanded, "MeasuredGame"):
        measured = timed("measuring", lambda: expanded.MeasuredGame.of(game))
        made = timed("expanding", lambda: expanded.Expanded.of(game, measured=measured))
    else:
        timed("measuring", lambda: tree_size(game, room=1 << 40))
        made = timed("expanding", lambda: expanded.Expanded.of(game))
    return made, timed("merging", lambda: made.merged)
ready(ruse.game(name.split(":")[0]))
made, form = ready(ruse.game(name))
tables = Tables.start(form)
iterate(ruse.dcfr(), form, tables, 0, 1, 0)
timed("iterating", lambda: iterate(ruse.dcfr(), form, tables, 1, 10, 0))
print(json.dumps({"parts": told, "histories": made.size.histories, "leaves": made.size.leaves}))
"""


def measured(checkout: Path, game: str, cores: int) -> dict[str, Any]:
    surroundings = os.environ | {"PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(
        [sys.executable, "-c", ONE, game, str(cores)], env=surroundings, check=True, capture_output=True, text=True
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def line(game: str, who: str, found: dict[str, Any]) -> str:
    parts = found["parts"]
    total = [sum(parts[part][k] for part in PARTS) for k in range(2)]
    cells = [f"{parts[part][0]:.2f} ({parts[part][1]:.2f})" for part in PARTS]
    return (
        f"| `{game}` | {found['histories']:,} | {found['leaves']:,} | {who} | {' | '.join(cells)} | "
        f"{total[0]:.2f} ({total[1]:.2f}) | {parts['iterating'][0] / 10:.3f} |"
    )


HEAD = (
    "| game | histories | leaves | | measuring | expanding | merging | all | an iteration |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="a checkout of another version")
    parser.add_argument("--games", nargs="+", help="these games; writes nothing")
    asked = parser.parse_args()
    here = Path(__file__).parent.parent
    who = {"before": (asked.before, 1)} if asked.before else {}
    who |= {"one core": (here, 1), "two cores": (here, 2)}
    rows = []
    for game in asked.games or GAMES:
        for name, (checkout, cores) in who.items():
            rows.append(line(game, name, measured(checkout, game, cores)))
            print(rows[-1], flush=True)
    if not asked.games:
        _, mark, kept = OUT.read_text(encoding="utf-8").partition("## Merging by part")  # made apart
        OUT.write_text("\n".join([*TEXT, HEAD, *rows, "", mark + kept]), encoding="utf-8")


TEXT = (
    "# Making a game ready to be solved", "",
    "`python benchmarks/expanding.py --before CHECKOUT`. Seconds of processor time of all cores together, in brackets",
    "by the clock; kernels compiled before. The machine had two cores and so much other work that a process got a",
    "sixth of one: the clock tells nothing about what two cores gain, and only rows of one game may be compared.",
    "*Before* is the version that walked a game three times, on one thread. *Measuring* walks the game and keeps its",
    "leaves, by all cores from the millionth history on; *expanding* and *merging* sort them, by all cores, too, and",
    "most of the rest is one thread's. The last column is one iteration of `dcfr` on one thread, for scale.", "",
)  # fmt: skip

if __name__ == "__main__":
    main()
