"""Solves of every kind in a process of their own; prints one line of JSON for each. `RUSE_BOUNDS=1` checks indices."""

import json
import os
import sys
from collections.abc import Callable

import numpy as np

import ruse
from ruse.compile import kernel
from ruse.interop import efg
from ruse.solve.table import threads


@kernel
def beyond(numbers, k):
    return numbers[k]


def is_checked() -> bool:
    """Whether a kernel that reads beyond an array says so. Unchecked it reads what lies behind, so that is zeros."""
    long = np.zeros(8)
    try:
        beyond(long[:4], 6)
    except IndexError:
        return True
    return False


def trained(game: ruse.Game, rule: str, iterations: int = 300, **options: object) -> float:
    names = ("threads", "shared")
    solver = ruse.PRESETS[rule](**{k: v for k, v in options.items() if k not in names})
    run = ruse.train(game, solver, iterations=iterations, seed=2, **{k: options[k] for k in names if k in options})
    return float(run.exploitability)


def in_many_chunks(solve: Callable[[], float]) -> float:
    """With eight chunks in every round of threads, as in a large game."""
    before = threads.WORK, threads.VISITS
    threads.WORK, threads.VISITS = 0, 1 << 40
    result = solve()
    threads.WORK, threads.VISITS = before
    return result


def matched() -> float:
    bots = [ruse.RandomBot(), ruse.RandomBot()]
    return float(ruse.match(ruse.Cheat(), bots, deals=200, seed=3).mean[0])


KUHN = ruse.Kuhn()
QUICK: dict[str, Callable[[], float]] = {"size": lambda: float(ruse.size(KUHN).histories)}
ALL: dict[str, Callable[[], float]] = QUICK | {
    "uniform": lambda: float(ruse.exploitability(KUHN, ruse.Strategy.uniform(KUHN))),
    "full": lambda: trained(KUHN, "cfr"),
    "full, a style": lambda: trained(KUHN, "cfr_plus", prefer="bet, player 0: delta=5"),
    "full, hedge": lambda: trained(ruse.LiarsDice(sides=3), "hedge", 50),
    "full, imported": lambda: trained(efg.parse(efg.dump(KUHN)), "dcfr"),
    "full, three players": lambda: trained(ruse.Kuhn(players=3), "dcfr", 50),
    "full, Goofspiel": lambda: trained(ruse.Goofspiel(cards=3), "dcfr", 50),
    "full, Cheat": lambda: trained(ruse.Cheat(hp=1), "dcfr", 20),
    "brp": lambda: trained(ruse.Leduc(), "cfr", 200, prune="brp"),
    "rbp": lambda: trained(KUHN, "cfr", prune="rbp"),
    "external": lambda: trained(KUHN, "mccfr"),
    "external, threshold": lambda: trained(KUHN, "mccfr", prune="threshold"),
    "external, hybrid": lambda: trained(KUHN, "mccfr", 12_000, prune="hybrid"),
    "external, a style": lambda: trained(KUHN, "mccfr", prefer="bet, player 0: delta=5"),
    "external, threads": lambda: in_many_chunks(lambda: trained(KUHN, "lcfr", walk="external", threads=2)),
    "external, shared": lambda: trained(KUHN, "mccfr", threads=1, shared=True),
    "outcome": lambda: trained(KUHN, "mccfr", walk="outcome"),
    "chance": lambda: trained(KUHN, "mccfr", walk="chance"),
    "average": lambda: trained(KUHN, "mccfr", walk="average"),
    "robust": lambda: trained(KUHN, "mccfr", walk="robust"),
    "probing": lambda: trained(KUHN, "mccfr", walk="probing"),
    "table grows": lambda: trained(ruse.LiarsDice(sides=4), "mccfr", 2_000),
    "match": matched,
}


def main(which: str) -> None:
    if os.environ.get("RUSE_BOUNDS") and not is_checked():
        sys.exit("RUSE_BOUNDS=1 does not check bounds")
    for name, solve in (ALL if which == "all" else QUICK).items():
        print(json.dumps([name, solve()]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
