"""Spots solved by the range engine: as history by history, to the known values, and to be looked at afterwards."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from places import ROOT
from small_spots import FLOP, ODD_RIVER, ODD_TURN, RIVER, TURN
from spot_values_twin import counted_values

from ruse.catalog.names import game
from ruse.errors import FileTrouble, RuseError
from ruse.games.holdem.hands.holdings import blocked_by
from ruse.games.holdem.spots.rules import SpotGame
from ruse.protocol.state import State
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.preferred import Favour
from ruse.solve.solver.prefer import preference
from ruse.solve.solver.presets import Solver, cfr, dcfr
from ruse.spots.places import here, place_after
from ruse.spots.preferred import favours_of
from ruse.spots.size import SpotSize
from ruse.spots.solving import engine_of
from ruse.spots.strategy import SpotStrategy
from ruse.spots.values import action_values
from ruse.store import tensors
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job
from ruse.tree.measure.size import TooLarge


def spot(text: str) -> SpotGame:
    made = game(text)
    assert isinstance(made, SpotGame)
    return made


def in_doubles(made: SpotGame, solver: Solver) -> RangeEngine:
    return engine_of(made, solver, dtype=np.float64)


STYLE = ["all-in or bet, player 0, first: delta=5, beta=0.5", "call, player 1, check bet 19: delta=3"]


@pytest.mark.parametrize(
    ("text", "solver", "line"),
    [
        (ODD_RIVER, dcfr(), ()),
        (f"{ODD_RIVER}, rake 5%, rake cap 6", dcfr(), ()),
        (ODD_RIVER, dcfr(prefer=STYLE), ()),
        (ODD_TURN, cfr(alternating=False), ("check", "bet 10", "call", "3c")),
        (f"{ODD_TURN}, rake 10%", cfr(alternating=False), ("check", "bet 10", "call", "3c")),
    ],
)
def test_as_history_by_history(text: str, solver: Solver, line: tuple[str, ...]) -> None:
    """After ten iterations both engines have the same strategies, the same values and the same exploitability."""
    made = spot(text)
    ranges, histories = in_doubles(made, solver), FullWidthEngine(Job(made, solver, iterations=10))
    for engine in (ranges, histories):
        engine.run(0, 10)
    ours, theirs = ranges.exploitability(), histories.exploitability()
    assert float(ours) == pytest.approx(float(theirs), rel=1e-9)
    assert ours.values == pytest.approx(theirs.values, rel=1e-9)
    assert ours.best == pytest.approx(theirs.best, rel=1e-9)
    place, strategy = place_after(made, ", ".join(line)), histories.strategy({})
    rows = SpotStrategy(made, ranges, {}).rows(place.node, place.cards)
    for number in np.flatnonzero(made.spot.weights(0)):
        if not blocked_by(place.cards)[number]:
            state = with_hand(made, int(number), line)
            assert rows[number] == pytest.approx(list(strategy.at(state).actions.values()), abs=1e-9)


def test_preferences_mean_decisions_of_the_betting() -> None:
    made = spot(TURN)
    first, answers = "bet, player 0, first: delta=5, beta=0.5", "call: delta=3"
    assert favours_of(made, [preference(first)]) == [Favour(0, (1.0, 5.0), 0.5)]
    every = favours_of(made, [preference(answers)])
    nodes = [n for n in range(len(made.who)) if "call" in made.betting.names(n)]
    assert [favour.node for favour in every] == nodes
    assert {favour.delta for favour in every} == {(1.0, 3.0)}
    line = favours_of(made, [preference("bet, player 0, check check: delta=2")])
    assert [favour.node for favour in line] == [place_after(made, "check, check, 3c").node]
    for text, why in {
        "bet, with AA: delta=2": "one of all hands, whatever cards come; leave 'with AA' out",
        "bet, 3c: delta=2": "leave '3c' out",
        "raise: delta=2": "no action 'raise' in",
        "call, player 0, first: delta=2": "fits no decision",
    }.items():
        with pytest.raises(RuseError, match=why):
            favours_of(made, [preference(text)])


def with_hand(made: SpotGame, number: int, line: tuple[str, ...]) -> State:
    """A state after a line in which the player out of position has this hand."""
    hand = int(np.searchsorted(np.flatnonzero(made.spot.weights(0)), number))
    one = State.of(made).child(hand)
    other = next(k for k, chance in enumerate(one.chances) if chance > 0.0)
    return one.child(other).after(*line)


@pytest.mark.parametrize(("name", "worth"), [("river", 4.911), pytest.param("turn", 6.02, marks=pytest.mark.slow)])
def test_known_values(name: str, worth: float) -> None:
    made = spot(str(ROOT / "examples" / "spots" / f"{name}.toml"))
    engine = engine_of(made, dcfr())
    engine.run(0, 200)
    found = engine.exploitability()
    assert float(found) < 0.005 * 50
    assert found.values[1] == pytest.approx(worth, abs=0.02)


@pytest.mark.parametrize(
    "line", ["", "check", "check, bet 10", "check, check, card 3c", "bet 10, call, card 3c, check"]
)
def test_what_hands_are_worth(line: str) -> None:
    """What the engine says of each action is what a count of all that follows comes to."""
    made = spot(TURN)
    engine = in_doubles(made, cfr(alternating=False))
    engine.run(0, 10)
    plays = SpotStrategy(made, engine, {})
    at = here(plays, place_after(made, line))
    ours, counted = action_values(plays, at), counted_values(plays, at)
    comes = at.reach[at.player] > 0.0
    assert comes.any()
    np.testing.assert_allclose(ours[comes], counted[comes], atol=1e-9)
    if not line:
        worth = (counted * at.rows).sum(axis=1)[engine.plan.hands[0]]
        np.testing.assert_allclose(worth, engine.values(0), atol=1e-9)


def test_a_file_brings_the_strategy_back(tmp_path: Path) -> None:
    made = spot(RIVER)
    engine = engine_of(made, dcfr())
    engine.run(0, 20)
    file = tmp_path / "spot.strategy"
    SpotStrategy(made, engine, {"rule": "dcfr", "iterations": 20}).save(file)
    loaded = SpotStrategy.load(file)
    assert (loaded.game, loaded.about) == (made, {"rule": "dcfr", "iterations": 20})
    node = place_after(made, "check, bet 25").node
    assert np.array_equal(loaded.rows(node, ()), SpotStrategy(made, engine, {}).rows(node, ()))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": "leduc"}, "which is no spot"),
        ({"about": "["}, "does not tell how it was made"),
        ({"about": "[]"}, "does not tell how it was made"),
        ({"about": '{"exploitability": "none", "iterations": -5}'}, "does not tell how it was made"),
        ({"game": TURN}, "have changed since"),
        ({"average": np.zeros(3, np.float32)}, "is not a whole file of this spot"),
        ({"average": None}, "is not a whole file of this spot"),
        ({"fill": -1.0}, "which is no sum of what was played"),
        ({"fill": np.inf}, "which is no sum of what was played"),
        ({"fill": 3e38}, "which is no sum of what was played"),  # two of them are infinite, and the rest is told as 0
        ({"fill": np.nan}, "not a number"),
    ],
)
def test_a_forged_file_is_refused(change: dict[str, object], told: str, tmp_path: Path) -> None:
    made = spot(RIVER)
    file = tmp_path / "spot.strategy"
    SpotStrategy(made, engine_of(made, dcfr()), {}).save(file)
    header, arrays = tensors.read(file)
    header |= {name: str(value) for name, value in change.items() if name not in ("average", "fill")}
    average = change.get("average", arrays["average"])
    if "fill" in change:
        average = np.full_like(arrays["average"], change["fill"])
    tensors.write(file, {} if average is None else {"average": np.array(average)}, header)
    with pytest.raises(Exception, match=told) as refused:
        SpotStrategy.load(file)
    assert "\\n" not in str(refused.value)
    assert not isinstance(refused.value, FileTrouble) or file.exists()


def test_the_size_is_told_before() -> None:
    made = spot(str(ROOT / "examples" / "spots" / "turn.toml"))
    size = SpotSize.of(made, dcfr())
    assert (size.nodes, size.boards, size.hands) == (316, (1, 48), (299, 216))
    assert "316 nodes of betting, 1 turn, 48 rivers, 299 and 216 hands" in str(size)
    with pytest.raises(TooLarge, match="is too large to solve: 316 nodes of betting"):
        size.within(1_000_000)
    flop = spot(str(ROOT / "examples" / "spots" / "flop.toml"))
    # Clubs and diamonds are alike on Qs Jh 2h: of 49 turns 10 have a twin that is a diamond.
    assert SpotSize.of(flop, dcfr()).boards[:2] == (1, 36)


@pytest.mark.parametrize("text", [RIVER, TURN, FLOP])
def test_the_size_is_what_the_engine_takes(text: str) -> None:
    made = spot(text)
    size, engine = SpotSize.of(made, dcfr()), engine_of(made, dcfr())
    assert 0.9 * engine.plan.size <= size.entries <= 1.2 * engine.plan.size
    assert engine.bytes <= size.bytes


def test_several_threads_are_told_the_same_values() -> None:
    """The engine counts in scratch memory of its own: two at once would tell each other's numbers."""
    made = spot(TURN)
    engine = engine_of(made, cfr())
    engine.run(0, 5)
    strategy = SpotStrategy(made, engine, {})
    places = [here(strategy, place_after(made, line)) for line in ("", "check", "bet 10", "check, bet 10")]
    alone = [action_values(strategy, at) for at in places]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda at: action_values(strategy, at), places * 50))
    for k, found in enumerate(together):
        assert np.array_equal(found, alone[k % len(places)], equal_nan=True)
