"""What threads gain a sampled walk: `--threads N` and `--threads N --shared`, from one to as many as there are cores.

    python benchmarks/threads.py                   1, 2, 4, 8 ... up to all cores; writes docs/benchmarks/threads.md
    python benchmarks/threads.py --most 16         up to so many, however many cores there are
    python benchmarks/threads.py --seconds 3       shorter; writes nothing

Each row is a process of its own, which visits as many histories before it measures as then, and as many as all others.
A row tells how many processors it had, by which what it gains by the clock can be judged, and what it costs in
processor time: at best so many threads that all have work are as much faster as they are many, divided by it.
"""

import argparse
import os
import platform
import time
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import ruse
from ruse.spread.here import cores
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job

OUT = Path(__file__).parent.parent / "docs" / "benchmarks" / "threads.md"
GAMES = (
    ("liars_dice:dice=2", {"rule": "mccfr", "walk": "external"}),
    ("cheat:half", {"rule": "lcfr", "walk": "probing", "view": "memoryless+"}),
    ("goofspiel:cards=7", {"rule": "mccfr", "walk": "external"}),
)
COLUMNS = """\
Histories/s is what the clock says, and times as fast is that beside one thread with neither option. Work of a history
is what it costs in processor time, beside the same. Processors is how many were at work on the average: fewer than
threads are threads that waited, or other work on the machine, and then the clock says little. At best is so many
threads divided by the work: what the clock would say if all had some, which they have not where one does it all."""
HEAD = (
    "| game, rule, walk | threads | | histories/s | times as fast | work of a history | processors | at best |\n"
    "|---|---|---|---|---|---|---|---|"
)


class Rate(NamedTuple):
    """What was done in some seconds."""

    histories: int
    wall: float
    busy: float  # processor time, of all threads

    @property
    def speed(self) -> float:
        return self.histories / self.wall

    @property
    def work(self) -> float:
        return self.busy / self.histories


def rate(game: str, said: dict[str, str], threads: int | None, shared: bool, histories: int, seconds: float) -> Rate:
    """A walk after so many histories, for as many again; or, where none are given, seconds of a processor."""
    job = Job.typed(ruse.game(game), said)._replace(threads=threads, shared=shared)
    engine, done = sampled(job, None), 1
    engine.run(0, 1)  # compiled
    for _ in range(2):
        before, busy, wall = engine.facts.nodes, time.process_time(), time.perf_counter()
        while (engine.facts.nodes - before < histories) if histories else (time.process_time() - busy < seconds):
            step = engine.round_size(done) or max(1, done // 16)
            engine.run(done, step)
            done += step
        found = Rate(engine.facts.nodes - before, time.perf_counter() - wall, time.process_time() - busy)
        histories = histories or found.histories
    return found


def apart(*given: object) -> Rate:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(rate, given)  # type: ignore[arg-type]


def line(name: str, threads: int, how: str, found: Rate, one: Rate) -> str:
    had, work = found.busy / found.wall, found.work / one.work
    gain, best = found.speed / one.speed, threads / work
    cells = (name, threads, how, f"{found.speed:,.0f}", f"{gain:.2f}x", f"{work:.2f}x", f"{had:.1f}", f"{best:.2f}x")
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=cores(), help="threads")
    parser.add_argument("--seconds", type=float, help="of each row; writes nothing")
    asked = parser.parse_args()
    counts, rows = [n for n in (1, 2, 4, 8, 16, 32, 64) if n < asked.most] + [asked.most], []
    for game, said in GAMES:
        name = f"`{game}`, {said['rule']}, {said['walk']}"
        one = apart(game, said, None, False, 0, asked.seconds or 20.0)
        rows.append(line(name, 1, "neither", one, one))
        print(rows[-1], flush=True)
        for shared, how in ((False, "`--threads`"), (True, "`--threads --shared`")):
            for count in counts:
                found = apart(game, said, count, shared, one.histories, 0.0)
                rows.append(line(name, count, how, found, one))
                print(rows[-1], flush=True)
    if asked.seconds is None:
        machine = (
            f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, of which {cores()} are ours"
        )
        text = ["# Threads of a sampled walk", "", f"`python benchmarks/threads.py` on {machine}.", "", COLUMNS, ""]
        OUT.write_text("\n".join([*text, HEAD, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
