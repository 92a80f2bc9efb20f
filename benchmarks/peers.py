"""Speed of other solvers, OpenSpiel's C++ ones and LiteEFG, on six small games, in one thread.

Each peer is driven as its own documentation does it. All exploitabilities are NashConv / 2, in the game's payoffs.
`python benchmarks/peers.py [game ...]` prints a quick run as JSON, of kuhn and leduc unless games are named.
"""

import contextlib
import functools
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any, NamedTuple
from unittest import mock

GAMES = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "liars4": "liars_dice(numdice=1,dice_sides=4)",
    "liars6": "liars_dice(numdice=1,dice_sides=6)",
    "goof4": "goofspiel(imp_info=True,num_cards=4,points_order=descending,returns_type=win_loss)",
    "goof5": "goofspiel(imp_info=True,num_cards=5,points_order=descending,returns_type=win_loss)",
}


class Solver(NamedTuple):
    """A peer's solver on one game, before its first iteration."""

    iterate: Callable[[], None]  # once more
    exploitability: Callable[[], float]  # of the average strategy so far


class Reached(NamedTuple):
    """When a target was met; the seconds are of training only."""

    seconds: float
    iterations: int
    exploitability: float


class Peer(NamedTuple):
    """A package to compare with."""

    name: str
    package: str  # what pip installs
    module: str  # what Python imports
    rules: tuple[str, ...]
    build: Callable[[str, str], Solver]  # from a game's and a rule's name

    def rate(self, game: str, rule: str = "CFR", *, seconds: float) -> float:
        """Iterations per second: the best of three warm windows that together last about `seconds`."""
        solver = self.build(game, rule)
        solver.iterate()
        window, iterations = seconds / 3, 1
        while (elapsed := seconds_of(solver.iterate, times=iterations)) < window / 4:
            iterations *= 2
        iterations = max(1, round(iterations * window / elapsed))
        return iterations / seconds_of(solver.iterate, times=iterations, best_of=3)

    def time_to(
        self, game: str, rule: str, *, target: float, limit_seconds: float, look_from: int = 1
    ) -> Reached | None:
        """Training until exploitability is at most `target`; None once a look finds `limit_seconds` spent in vain.

        Looks after each of the first 40 iterations, then after every 5 % more. Looking is not timed and not limited;
        where it is slow and it is known that the target cannot be met before, begin with iteration `look_from`.
        """
        solver = self.build(game, rule)
        seconds, iterations = 0.0, 0
        while seconds < limit_seconds:
            more = max(1, iterations // 20, look_from if iterations == 0 else 1)
            seconds += seconds_of(solver.iterate, times=more)
            iterations += more
            exploitability = solver.exploitability()
            if exploitability <= target:
                return Reached(seconds, iterations, exploitability)
        return None

    def exploitability_seconds(self, game: str) -> float:
        """Seconds for one exact exploitability of an average strategy, once the peer has its tree of the game."""
        solver = self.build(game, "CFR")
        solver.iterate()
        return seconds_of(solver.exploitability, best_of=4)  # the first may build the tree


def seconds_of(call: Callable[[], Any], *, times: int = 1, best_of: int = 1) -> float:
    """Wall-clock seconds of so many calls in a row; the least of some tries, as other work can only add time."""
    tries = []
    for _ in range(best_of):
        start = time.perf_counter()
        for _ in range(times):
            call()
        tries.append(time.perf_counter() - start)
    return min(tries)


def load(game: str) -> Any:
    """The OpenSpiel game of this name, turn based."""
    import pyspiel

    return pyspiel.load_game_as_turn_based(GAMES[game])


def openspiel(game: str, rule: str) -> Solver:
    """OpenSpiel's C++ solver, with alternating updates. Its DCFR is written in Python, so it is not here."""
    import pyspiel

    model = load(game)
    solver = {"CFR": pyspiel.CFRSolver, "CFR+": pyspiel.CFRPlusSolver}[rule](model)
    average = solver.average_policy()  # a view: it follows the solver
    best_responses = functools.cache(lambda: [pyspiel.TabularBestResponse(model, p, average) for p in range(2)])

    def exploitability() -> float:
        # What pyspiel.exploitability gives, but that builds both trees anew in each call and takes 2.5 times as long.
        root, nash_conv = model.new_initial_state(), 0.0
        for response in best_responses():
            response.set_policy(average)  # forgets the values of the last call
            nash_conv += response.value_from_state(root)
        return nash_conv / 2

    return Solver(solver.evaluate_and_update_policy, exploitability)


def liteefg(game: str, rule: str) -> Solver:
    """LiteEFG's own baselines (leaner graphs gained little). CFR updates both players at once, the others in turn."""
    import LiteEFG
    from LiteEFG.baselines import CFR, DCFR, CFRplus

    LiteEFG.set_threads(1)
    # LiteEFG prints banners, and keeps game files in the home folder, where it would reuse those of another version.
    quiet = contextlib.redirect_stdout(io.StringIO())
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, HOME=folder), quiet:
        environment = LiteEFG.OpenSpielEnv(load(game), traverse_type="Enumerate")
        graph = {"CFR": CFR, "CFR+": CFRplus, "DCFR": DCFR}[rule].graph()
    environment.set_graph(graph)
    # DCFR averages inside its graph; for the others the environment keeps the averages.
    strategy = graph.current_strategy("average-iterate") if rule == "DCFR" else graph.current_strategy()
    average = {"CFR": "avg-iterate", "CFR+": "linear-avg-iterate", "DCFR": "default"}[rule]

    def iterate() -> None:
        graph.update_graph(environment)
        if rule != "DCFR":
            environment.update_strategy(strategy)

    def exploitability() -> float:
        # LiteEFG gives what each player gains by a best response; the sum, which it calls exploitability, is NashConv.
        return sum(environment.exploitability(strategy, average)) / 2

    return Solver(iterate, exploitability)


def count_histories(game: str) -> int:
    """How many histories OpenSpiel's game has, the empty one and the final ones too, by a plain walk in Python."""
    states, count = [load(game).new_initial_state()], 0
    while states:
        state = states.pop()
        count += 1
        if not state.is_terminal():
            states.extend(state.child(action) for action in state.legal_actions())
    return count


def expand_seconds(game: str) -> float:
    """Seconds for a plain Python walk of OpenSpiel's whole tree."""
    return seconds_of(lambda: count_histories(game), best_of=3)


OPENSPIEL = Peer("OpenSpiel", "open_spiel", "pyspiel", ("CFR", "CFR+"), openspiel)
LITEEFG = Peer("LiteEFG", "LiteEFG", "LiteEFG", ("CFR", "CFR+", "DCFR"), liteefg)


def available() -> list[Peer]:
    """The peers that can be imported; one sentence on stderr for each that cannot."""
    found = []
    for peer in (OPENSPIEL, LITEEFG):
        try:
            import_module(peer.module)
            found.append(peer)
        except ImportError as error:
            print(f"{peer.name} is skipped ({error}); to compare with it: pip install {peer.package}", file=sys.stderr)
    return found


def quick(peer: Peer, game: str) -> dict[str, Any]:
    """Every measure of a peer on one game, in little time."""
    times = {rule: peer.time_to(game, rule, target=0.05, limit_seconds=1.0) for rule in peer.rules}
    return {
        "version": metadata.version(peer.package),
        "iterations_per_second": peer.rate(game, seconds=0.6),
        "time_to_0.05": {rule: reached and reached._asdict() for rule, reached in times.items()},
        "exploitability_seconds": peer.exploitability_seconds(game),
        "expand_seconds": expand_seconds(game) if peer is OPENSPIEL else None,
    }


if __name__ == "__main__":
    chosen = sys.argv[1:] or ["kuhn", "leduc"]
    print(json.dumps({p.name: {game: quick(p, game) for game in chosen} for p in available()}, indent=2))
