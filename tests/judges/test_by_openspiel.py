"""Every rule, walk, pruning, preference and way to use threads, judged by OpenSpiel's best responses.

The bands were set beforehand: what is left of the uniform strategy's NashConv after so many iterations. They are wide,
because sampled walks are noisy; that threads learn as one thread does is judged beside it. ruse's own figure must be
OpenSpiel's to 1e-9.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("pyspiel")

import combinations
import spiel
from combinations import MODES, Combination

import ruse
from ruse.solve.solver.rules import RegretMatching
from ruse.solve.solver.walks import WALKS

pytestmark = pytest.mark.usefixtures("many_chunks")
REFUSED = Path(__file__).parent / "refused.txt"


class Court(NamedTuple):
    """A game, how long it is trained, and how much of the uniform strategy's NashConv may be left then."""

    name: str
    action: str  # the one that preferences favour
    full: int  # iterations of the full walk
    sampled: int
    band_full: float
    band_sampled: float


KUHN = Court("kuhn_poker", "bet", 1_000, 20_000, 0.03, 0.1)
FURTHER = [
    Court("kuhn_poker(players=3)", "bet", 2_000, 40_000, 0.05, 0.15),
    Court("kuhn_poker(players=4)", "bet", 1_000, 40_000, 0.1, 0.25),
    Court("leduc_poker", "raise", 500, 60_000, 0.05, 0.2),
    Court("liars_dice(numdice=1,dice_sides=3)", "liar", 1_000, 40_000, 0.05, 0.2),
    Court(spiel.GOOFSPIEL, "[P0]Bid: 3", 1_000, 20_000, 0.05, 0.2),
]
LOOSER = 3.0  # for fictitious play and hedge, which converge more slowly, and for styles, whose bound grows with delta
SCARCE = 2.0  # for walks that see one line of play an iteration
LONGER = 4  # times the iterations for the robust walk, which then visits as many histories as external sampling


class Verdict(NamedTuple):
    """What OpenSpiel says of a training."""

    nash_conv: float
    uniform: float
    band: float
    claimed: float  # NashConv by ruse


@cache
def uniform(name: str) -> float:
    return spiel.imported(name).nash_conv(None)


@cache
def verdict(court: Court, combination: Combination) -> Verdict:
    twins = spiel.imported(court.name)
    is_full = combination.walk == "full"
    solver = combination.solver(court.action)
    iterations = court.full if is_full else court.sampled * (LONGER if combination.walk == "robust" else 1)
    run = ruse.train(twins.ours, solver, iterations=iterations, seed=11, **MODES[combination.mode])
    band = court.band_full if is_full else court.band_sampled
    if not isinstance(solver.minimizer, RegretMatching) or combination.preference != "none":
        band *= LOOSER
    if combination.walk in ("outcome", "probing"):
        band *= SCARCE
    claimed = run.exploitability * twins.ours.players
    return Verdict(twins.nash_conv(run.strategy), uniform(court.name), min(band, 0.8), claimed)


def complaints(court: Court, combination: Combination) -> list[str]:
    """What OpenSpiel has against this training."""
    where = f"{combination} on {court.name}"
    try:
        found = verdict(court, combination)
    except AssertionError as error:
        return [f"{where}: {error}"]
    told = []
    if abs(found.nash_conv - found.claimed) > 1e-9:
        told.append(f"{where}: NashConv {found.nash_conv:.12g}, and ruse says {found.claimed:.12g}")
    if not found.nash_conv <= found.band * found.uniform:
        told.append(f"{where}: NashConv {found.nash_conv:.4f} above {found.band:g} of {found.uniform:.4f}")
    if combination.mode != "one":
        alone = verdict(court, combination._replace(mode="one")).nash_conv
        if not found.nash_conv <= 2 * alone + 0.05 * found.uniform:
            told.append(f"{where}: NashConv {found.nash_conv:.4f}, with one thread {alone:.4f}")
    return told


@cache
def judged() -> list[Combination]:
    accepted = combinations.accepted(spiel.imported(KUHN.name).ours, KUHN.action)
    return [combination for combination in accepted if combinations.is_judged(combination)]


@pytest.mark.slow
def test_what_is_refused_is_known() -> None:
    """A combination that is refused is not judged: the list tells which, and is changed by hand."""
    assert combinations.refused(spiel.imported(KUHN.name).ours, KUHN.action) == REFUSED.read_text().splitlines()


QUICK = [
    Combination("mccfr", "external", "none", "none", "one"),
    Combination("mccfr", "external", "none", "none", "threads"),
    Combination("lcfr", "external", "none", "none", "threads"),
    Combination("dcfr", "external", "none", "none", "shared"),
    Combination("mccfr", "outcome", "none", "none", "one"),
    *(Combination(rule, "full", "none", "none", "one") for rule in ruse.PRESETS),
]


@pytest.mark.parametrize("combination", QUICK, ids=str)
def test_a_few(combination: Combination) -> None:
    assert complaints(KUHN, combination) == []


@pytest.mark.parametrize("court", FURTHER, ids=lambda court: court.name)
@pytest.mark.parametrize("rule", ["dcfr", "mccfr"])
def test_games(court: Court, rule: str) -> None:
    walk = "full" if rule == "dcfr" else "external"
    assert complaints(court, Combination(rule, walk, "none", "none", "one")) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("walk", WALKS)
def test_all_on_kuhn(walk: str, mode: str) -> None:
    mine = [c for c in judged() if (c.walk, c.mode) == (walk, mode)]
    assert mine or (walk == "full" and mode != "one")
    assert [told for c in mine for told in complaints(KUHN, c)] == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("court", FURTHER, ids=lambda court: court.name)
def test_each_on_another_game(court: Court) -> None:
    """Combinations are dealt out to the further games: all plain ones, and half of those that depart in two ways."""
    told: list[str] = []
    tried = 0
    dealt = [c for k, c in enumerate(judged()) if c.departures <= 1 or k % 2]
    for combination in dealt[FURTHER.index(court) :: len(FURTHER)]:
        if combination.refusal(spiel.imported(court.name).ours, court.action) is None:
            tried += 1
            told += complaints(court, combination)
    assert tried > 30
    assert told == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_leduc_for_three() -> None:
    """OpenSpiel needs most of a minute for one best response here, so these are few."""
    twins = spiel.leduc_twins(3)
    uniform = ruse.exploitability(twins.ours, ruse.Strategy.uniform(twins.ours)) * 3
    asked: list[tuple[str, str, dict[str, Any], float]] = [
        ("dcfr", "full", {"iterations": 200}, 0.05),
        ("lcfr", "external", {"iterations": 60_000, "threads": 2}, 0.3),
    ]
    for rule, walk, options, band in asked:
        run = ruse.train(twins.ours, ruse.PRESETS[rule](walk=walk), seed=5, **options)
        assert len(twins.infosets) >= len(run.strategy)
        found = twins.nash_conv(run.strategy)
        assert found == pytest.approx(3 * run.exploitability, abs=1e-9)
        assert found < band * uniform
