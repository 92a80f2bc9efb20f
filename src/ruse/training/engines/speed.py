"""How fast this machine iterates, for `ruse bench`."""

import time
from typing import Any

from ruse.catalog.names import game
from ruse.solve.full.engine import Tables, iterate
from ruse.solve.solver.presets import dcfr
from ruse.tree.expanded import Expanded


def measure_speed(name: str, seconds: float) -> dict[str, Any]:
    """Iterations of dcfr a second on the game of this name, without compiling, expanding and checks."""
    expanded, solver = Expanded.of(game(name)), dcfr()
    form = expanded.merged
    tables = Tables.start(form)
    done, chunk, took = 0, 1, 0.0
    iterate(solver, form, Tables.start(form), 0, 1, 0)  # so that compiling is not counted
    while took < seconds:
        began = time.perf_counter()
        iterate(solver, form, tables, done, chunk, 0)
        took += time.perf_counter() - began
        done, chunk = done + chunk, 2 * chunk if took < seconds / 4 else chunk
    return {
        "game": name, "rule": "dcfr", "infosets": len(expanded.form.parent), "leaves": int(expanded.size.leaves),
        "iterations": done, "seconds": took, "iterations_per_second": done / took,
    }  # fmt: skip
