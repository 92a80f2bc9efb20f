"""Trace which modules a training crosses, in plain Python: `python tests/docs/stations.py leduc` prints them.

From the training's loop down to the cards, and back to what is shown. What was made before, the solver, the job and the
expanded game, is not traced, nor is how code is compiled and how things are called.
"""

import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"
warnings.filterwarnings("ignore", category=RuntimeWarning)  # integers that wrap around, as they are meant to

import ruse  # noqa: E402
from ruse.compile import hashing, rng  # noqa: E402
from ruse.games.cheat.sketch import Sketch  # noqa: E402

FOUNDATION = ("ruse.compile", "ruse.words", "ruse.errors", "ruse.lazy")
LEDUC = ruse.Leduc(ranks=2, max_raises=1)  # as many modules, and fewer histories


def walks() -> dict[str, ruse.Job]:
    half = ruse.make_game("cheat:half", max_turns=40)
    return {
        "leduc": ruse.Job(LEDUC, ruse.dcfr(), iterations=1),
        "cheat": ruse.Job(half, ruse.mccfr("probing", prune="threshold"), Sketch(), iterations=1),
        "prefer": ruse.Job(LEDUC, ruse.dcfr(prefer="raise, player 0, first: delta=5"), iterations=1),
    }


def dealt(game: ruse.Game) -> ruse.State:
    """The first decision after some deal."""
    state = ruse.State.of(game)
    while state.is_chance:
        state = state.after(0)
    return state


def crossed(run: Callable[[], object]) -> list[str]:
    """The modules of the package in which something is called, in the order of the first call."""
    found: dict[str, None] = {}

    def note(frame: Any, event: str, argument: object) -> None:
        name = str(frame.f_globals.get("__name__"))
        if event == "call" and name.startswith("ruse.") and not name.startswith(FOUNDATION):
            found.setdefault(name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(found)


def main(name: str) -> None:
    # In Python a hash may be negative, which a stream of random numbers cannot start from.
    rng.mix = lambda *words: hashing.mix(*words) & (2**64 - 1)  # type: ignore[attr-defined]
    job = walks()[name]
    training = ruse.Training(job)
    training.engine.warm_up()  # which is for kernels that are not compiled yet
    training._is_warm = True
    place = dealt(job.game)

    def run() -> None:
        strategy = training.complete().strategy
        if name == "leduc":
            str(strategy.at(place))

    print(" → ".join(f"`{module.removeprefix('ruse.').replace('.', '/')}`" for module in crossed(run)))


if __name__ == "__main__":
    main(sys.argv[1])
