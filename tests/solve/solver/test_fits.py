"""What goes with what: one table, which everything asks."""

import ast
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from places import ROOT
from small_spots import RIVER

import ruse
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.games.cheat.policies import Manners
from ruse.games.cheat.sketch import Sketch
from ruse.solve.hybrid.hybrid import Hybrid
from ruse.solve.sampled import iterations
from ruse.solve.sampled.external import Traversal
from ruse.solve.solver.fits import TABLE, Setup, must_fit, why_not
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.pruning import PRUNINGS, BestResponse
from ruse.solve.solver.threshold import Never
from ruse.solve.solver.traits import BackendTraits, PruningTraits, StartTraits, WalkTraits
from ruse.solve.solver.walks import WALKS
from ruse.training.terms.stops import Stop

DELTA, PRICED = ["bet: delta=5"], ["bet: delta=3, beta=0.02"]
WARM = StartTraits("a warm start", warms=True)


SPOT = ruse.make_game(RIVER)


class Lowest(NamedTuple):
    """A view."""

    nothing: int = 0


def form(players: int = 2, *, perfect_recall: bool = True, shared: bool = False) -> Any:
    """As much of a sequence form as the table looks at."""
    node_start = np.arange(players + 1)
    first = np.arange(players + 1)
    slot = np.zeros(players) if shared else np.arange(players)
    return SimpleNamespace(
        players=players, perfect_recall=perfect_recall, node_start=node_start, first=first, slot=slot
    )


def pruned(rule: str, prune: str, **options: Any) -> Setup:
    """A rule with a pruning that a preset would refuse at once."""
    return Setup(ruse.PRESETS[rule](**options), pruning=PRUNINGS[prune])


# For each line of the table, in its order, something that it is for.
SPREAD = BackendTraits("ray", ("cpu", "ray"), ("sampling",), is_spread=True)
REFUSED: dict[str, list[Setup]] = {
    "pruning and walk": [
        pruned("cfr", "hybrid", walk="probing"),
        pruned("cfr", "threshold", walk="outcome"),
        pruned("cfr", "rbp", walk="external"),
    ],
    "pruning and rule": [
        pruned("cfr_plus", "threshold", walk="external"),
        pruned("mccfr", "threshold", prefer=PRICED),
        pruned("cfr", "partial", prefer=DELTA),
        pruned("lcfr", "brp"),
        pruned("pcfr_plus", "partial"),
        pruned("cfvfp", "partial"),
        pruned("cfr_plus", "rbp"),
        Setup(ruse.Solver("late", ruse.Discount(gamma=1.0)), pruning=BestResponse()),
    ],
    "preference and rule": [
        Setup(ruse.hedge(prefer=PRICED)),
        Setup(ruse.cfr(prefer=DELTA), noticed=Noticed(is_placeless=True)),
    ],
    "preference and view": [Setup(game=ruse.Kuhn(), noticed=Noticed(alone=1))],
    "lock": [
        Setup(exact=True, is_locked=True),
        Setup(ruse.cfr(), horizon="card", is_locked=True),
        Setup(ruse.cfr(), view=Lowest(), is_locked=True),
        Setup(ruse.cfr(prefer=["bet, player 0, first: delta=5"]), is_locked=True, opens=(0,)),
        Setup(exact=True, about_run="--runs", runless="--exact"),
    ],
    "teachers": [
        Setup(shares=[0.5]),
        Setup(ruse.cfr(), against="heuristic"),
        Setup(ruse.mccfr(prefer=DELTA), against="heuristic"),
        Setup(ruse.mccfr(prune="hybrid"), against="heuristic"),
        Setup(ruse.mccfr(), against="heuristic", view=Manners()),
        Setup(ruse.mccfr(), against="heuristic", game=ruse.Kuhn()),
        Setup(teacher=ruse.RandomBot(), teacher_name="random"),
    ],
    "limits": [
        Setup(ruse.hs_dcfr(), limits=Stop(None, 0.1, None)),
        Setup(ruse.hs_dcfr(), noticed=Noticed(scheduled=30)),
        Setup(game=ruse.Kuhn(), limits=Stop(None, 0.1, None), unjudged="it is too large"),
        Setup(game=ruse.Kuhn(), limits=Stop(None, None, None, ruse.Stalled()), unjudged="it is too large"),
    ],
    "backend": [
        Setup(backend=BackendTraits("gpu", ("cpu", "cluster"))),
        Setup(ruse.mccfr(), backend=BackendTraits("gpu", ("cpu", "gpu"), ("full_width",))),
        Setup(ruse.cfr(), backend=BackendTraits("gpu", ("cpu", "gpu"), ("full_width",), "there is no card here")),
        Setup(ruse.mccfr(), shared=True, backend=SPREAD),
        Setup(ruse.cfr(walk="external", prune="hybrid"), backend=SPREAD),
    ],
    "threads": [
        Setup(ruse.mccfr(), threads=0),
        Setup(ruse.mccfr(), threads=1 << 16),
        Setup(ruse.mccfr(), shared=True),
        Setup(ruse.cfr(), debug_keys=True),
        Setup(ruse.cfr(), threads=2),
    ],
    "walk and rule": [
        Setup(ruse.pcfr_plus(walk="external")),
        Setup(ruse.hs_dcfr(walk="external")),
        Setup(ruse.dcfr(walk="external", alternating=False)),
        Setup(ruse.mccfr(prune="hybrid"), threads=2),
    ],
    "walk and game": [
        Setup(ruse.cfr(), sampling=True),
        Setup(game=ruse.Kuhn(), noticed=Noticed(wide=1_000)),
        Setup(game=ruse.Kuhn(), noticed=Noticed(deep=256)),
        Setup(ruse.mccfr(), game=ruse.Kuhn(), noticed=Noticed(vast=1e12)),
        Setup(ruse.mccfr("external"), game=ruse.Kuhn(), noticed=Noticed(lines=1e9)),
        Setup(ruse.mccfr(), game=ruse.Cheat(hp=-1)),
    ],
    "start": [
        Setup(ruse.lcfr(), start=StartTraits("a copy", copies=True)),
        Setup(ruse.mccfr(), start=WARM),
        Setup(ruse.dcfr(), start=WARM),
        Setup(ruse.cfr(prefer=DELTA), start=WARM),
        Setup(ruse.cfvfp(), start=WARM),
        Setup(ruse.mccfr(prune="hybrid"), start=StartTraits()),
        Setup(ruse.cfr(prune="brp"), noticed=Noticed(is_uncounted=True)),
        Setup(ruse.cfr(), start=WARM, game=ruse.Kuhn(players=3), form=form(3)),
        Setup(ruse.cfr(), start=WARM, game=ruse.Kuhn(), form=form(perfect_recall=False)),
        Setup(start=WARM, game=ruse.Kuhn(), constant_sum=False),
    ],
    "view and game": [
        Setup(ruse.mccfr(), debug_keys=True, view=WALKS["external"]),
        Setup(ruse.cfr(), view=Sketch()),
        Setup(ruse.cfr(prune="partial"), game=ruse.Kuhn(), form=form(perfect_recall=False)),
        Setup(ruse.cfr(prune="brp"), game=ruse.Kuhn(players=3), form=form(3)),
        Setup(ruse.cfr(), game=ruse.Kuhn(), form=form(shared=True)),
    ],
    "horizon": [
        Setup(ruse.cfr(), horizon="card", uncut="nothing is dealt here"),
        Setup(ruse.mccfr(), horizon="card"),
        Setup(ruse.cfr(prefer=DELTA), horizon="card"),
        Setup(ruse.cfr(), horizon="card", backend=BackendTraits("gpu", ("cpu", "gpu"), ("full_width",))),
        Setup(ruse.cfr(), horizon="card", threads=2),
        Setup(ruse.cfr(), horizon="card", view=Lowest()),
    ],
    "ranges": [
        Setup(ruse.cfr(prune="partial"), game=SPOT),
        Setup(ruse.cfr(prefer=DELTA), game=SPOT, threads=2),
        Setup(ruse.cfr(), game=SPOT, threads=2, shared=True),
        Setup(ruse.cfr(), game=SPOT, start=WARM),
        Setup(ruse.cfr(), game=SPOT, view=Lowest()),
    ],
    "adapting": [
        Setup(game=ruse.Kuhn(), adapts=True, exact=True, unused=("--rule",)),
        Setup(game=ruse.Kuhn(), adapts=True, unused=("--solves",)),
    ],
    "resume": [
        Setup(resumed="last", renamed="kuhn", unused=("--rule",)),
        Setup(resumed="last", unused=("--rule", "--walk")),
    ],
    "linear program": [
        Setup(exact=True, unused=("--seconds", "--walk")),
        Setup(exact=True, unused=("--prefer",)),
        Setup(exact=True, unused=("--walk", "--prune", "--view")),
        Setup(exact=True, form=form(3)),
        Setup(exact=True, constant_sum=False),
    ],
}


@pytest.mark.parametrize("section", TABLE)
def test_every_line_of_the_table_refuses_something_and_says_why(section: str) -> None:
    assert len(REFUSED[section]) == len(TABLE[section]), "give an example for the new line"
    for line, setup in zip(TABLE[section], REFUSED[section], strict=True):
        told = why_not(setup)
        assert told == line.why.format(**setup.words()), line.why
        assert re.fullmatch(r"[^\n{}]+[^.\n]", told), told
        with pytest.raises(RuseError, match=f"^{re.escape(told)}$"):
            must_fit(setup)


# Files that ask the table, and what else they refuse: what was given or met is wrong by itself, whatever it goes with.
INPUT = {
    "cli/commands/styling/adapt.py": ["max_exploitability must be above 0", "in Hold'em a style adapts on top",
                                       "too large to find out what it does"],
    "cli/commands/training/solve.py": ["holds the strategy after"],
    "solve/exact.py": ["was not solved", "needs SciPy"],
    "solve/full/engine.py": [],
    "solve/prefer/preferred.py": ["action is the name of one", "when is a text", "is too large to be walked",
                                  "nobody decides anything"],
    "solve/pruned/start.py": [],
    "solve/sampled/engine.py": ["two infosets of", "an older version wrote this checkpoint"],
    "training/jobs/job.py": ["say when to stop", "rule is the text that names the solver"],
    "training/jobs/kept.py": ["was to stop by", "was started with", "which a file cannot name",
                              "which a file cannot name", "which has no name"],
    "training/locked.py": [],
    "training/terms/starts.py": ["must be above 0", "is from a strategy", "was made to start from",
                                 "a copy is made from a run"],
    "training/terms/teachers.py": ["name a bot to train against", "and not None", "a share is a number",
                                   "give one share for all bots", "shares must be above 0"],
}  # fmt: skip


@pytest.mark.parametrize("path", INPUT)
def test_nothing_else_refuses(path: str) -> None:
    """What does not go together is told by the table; what is told elsewhere stands here."""
    text = (ROOT / "src" / "ruse" / path).read_text(encoding="utf-8")
    raised = [ast.unparse(node.exc) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Raise) and node.exc]
    told = [words for words in raised if words.startswith("RuseError(")]
    assert len(told) == len(INPUT[path]), told
    for words in INPUT[path]:
        assert any(words in sentence for sentence in told), words


def test_what_is_plain_goes_together() -> None:
    assert why_not(Setup()) is None
    for rule, maker in ruse.PRESETS.items():
        assert why_not(Setup(maker(), game=ruse.Kuhn(), form=form())) is None, rule
    for walk in WALKS:
        assert str(WALKS[walk]) == walk  # the list says where it is
        assert why_not(Setup(ruse.cfr(walk=walk), game=ruse.Kuhn())) is None, walk
    assert why_not(Setup(exact=True, form=form())) is None


def test_preferences_may_be_texts() -> None:
    """A solver that is made by hand may hold them as a person writes them."""
    solver = ruse.hedge()._replace(prefer=PRICED)  # type: ignore[arg-type]
    assert "hedge sees only how regrets differ" in (why_not(Setup(solver)) or "")


def test_a_start_that_does_not_fit_is_told_before_a_run_is_made(tmp_path: Path) -> None:
    warm = ruse.WarmStart(ruse.Strategy.uniform(ruse.Kuhn()))
    with pytest.raises(RuseError, match=r"^a warm start needs the full-width engine"):
        ruse.new_run(tmp_path, ruse.Kuhn(), ruse.mccfr(), iterations=5, start=warm)
    assert not list(tmp_path.iterdir())


class Elsewhere(NamedTuple):
    """A walk that nothing in the package has heard of: this class, and a line in the list."""

    pruning: Any = Never()

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(skips=True, explores_all=True)

    def kernel(self) -> Any:
        return iterations.run, Traversal()


def test_a_walk_is_a_class_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WALKS.parts, "elsewhere", f"{__name__}:Elsewhere")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Elsewhere.__module__])
    solver = ruse.mccfr("elsewhere")
    assert solver.walk == Elsewhere()
    assert solver.samples
    ours = ruse.train(ruse.Kuhn(), solver, iterations=50, seed=3).strategy
    theirs = ruse.train(ruse.Kuhn(), ruse.mccfr("external"), iterations=50, seed=3).strategy
    assert ours.probability.tobytes() == theirs.probability.tobytes()
    with pytest.raises(RuseError, match=r"^rbp looks at whole iterations, and the Elsewhere"):
        ruse.mccfr("elsewhere", prune="rbp")
    assert ruse.mccfr("elsewhere", prune="threshold").pruning == ruse.Threshold()
    with pytest.raises(RuseError, match=r"^threshold pruning is for .*robust, probing and elsewhere, not for"):
        ruse.mccfr("outcome", prune="threshold")


@compiled("visits_all", "spares", "skips", "rarity", "counts")
class Skipper(NamedTuple):
    """A pruning for sampled walks that nothing in the package has heard of; it skips what `Threshold` skips."""

    below: float = -1.0

    @property
    def traits(self) -> PruningTraits:
        return PruningTraits(samples=True, leaves_out=False, counts_all=False, by_regret=True)

    def visits_all(self, u):
        return u < 0.05

    def spares(self, game, s):
        return False

    def skips(self, regret):
        return regret <= self.below

    def rarity(self):
        return 20.0

    def counts(self, rows, first, count):
        return 1.0

    @property
    def floor(self) -> float:
        return 1.03 * self.below


def test_a_pruning_is_a_class_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRUNINGS.parts, "skipper", Skipper())
    ours = ruse.train(ruse.Kuhn(), ruse.mccfr(prune="skipper"), iterations=500, seed=3).strategy
    theirs, everything = (
        ruse.train(ruse.Kuhn(), ruse.mccfr(prune=part), iterations=500, seed=3).strategy
        for part in (ruse.Threshold(-1.0), None)
    )
    assert ours.probability.tobytes() == theirs.probability.tobytes() != everything.probability.tobytes()
    assert ruse.mccfr(prune="skipper").pruning == Skipper()
    assert ruse.mccfr("probing", prune="skipper").pruning == Skipper()
    with pytest.raises(RuseError, match=r"^cfr_plus soon forgets negative regret"):
        ruse.cfr_plus(walk="external", prune="skipper")
    with pytest.raises(RuseError, match=r"^Skipper\(below=-1.0\) pruning is for the walks external, .* not for full$"):
        ruse.cfr(prune="skipper")


def test_solvers_are_asked_what_they_do_and_not_what_they_are_called() -> None:
    """`ruse solve cheat:half --rule mccfr` was once refused for want of the letters walk=."""
    assert ruse.mccfr().samples
    assert not ruse.cfr().samples
    assert not ruse.cfr(prune="brp").samples
    assert ruse.cfr(prune="brp").pruning == BestResponse()
    assert ruse.mccfr(prune=Hybrid(first=5)).pruning == Hybrid(first=5)
    with pytest.raises(RuseError, match=r"^BestResponse\(.*looks at whole iterations|^brp looks at whole iterations"):
        ruse.mccfr(prune=BestResponse())
