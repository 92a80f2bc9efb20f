"""Spots agree with a twin that looks at every pair of hands on every board."""

from typing import Any

import numpy as np
import pytest
from betting_trees import betting_of
from ranges_twin import RangeTwin, all_hands, weights_of

from ruse.errors import RuseError
from ruse.games.holdem.cards import cards_named
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.holdem import holdem_plan
from ruse.solve.ranges.preferred import Favour, spot_leaning
from ruse.solve.solver.presets import dcfr, hs_dcfr

POT = 10.0  # half of the first pot is 5


def street(before: float, end: Any, *, raises: bool = False) -> Any:
    """Check or bet 4; the other may fold, call or, if that is allowed, raise to 12."""

    def facing(player: int) -> Any:
        raised = [("act", 1 - player, [("fold", 1 - player, before + 4), end(before + 12)])] if raises else []
        return ("act", player, [("fold", player, before), end(before + 4), *raised])

    return ("act", 0, [("act", 1, [end(before), facing(0)]), facing(1)])


def river(before: float) -> Any:
    return street(before, lambda put: ("showdown", put), raises=True)


def turn(before: float) -> Any:
    return street(before, lambda put: ("deal", river(put) if put < 9 else ("showdown", put)))


def some_hands(names: str, seed: int, count: int) -> dict[tuple[int, int], float]:
    """A range of some hands, with weights."""
    rng = np.random.default_rng(seed)
    hands = all_hands(cards_named(names))
    return {hands[k]: float(rng.uniform(0.2, 1.0)) for k in rng.choice(len(hands), count, replace=False)}


def both(board: str, ranges: list[dict[tuple[int, int], float]], tree: Any, iterations: int) -> tuple[Any, RangeTwin]:
    cards = tuple(cards_named(board))
    solver = dcfr()
    plan = holdem_plan(cards, [weights_of(held) for held in ranges], betting_of(tree))
    engine = RangeEngine(plan, solver, dtype=np.float64)
    engine.run(0, iterations)
    twin = RangeTwin(cards, ranges, tree)
    twin.iterate(solver.weighting, iterations)
    return engine, twin


def assert_same(engine: RangeEngine, twin: RangeTwin) -> None:
    judged = engine.exploitability()
    for p in range(2):
        assert judged.values[p] == pytest.approx(twin.worth(p, "follow"), abs=1e-9)
        assert judged.best[p] == pytest.approx(twin.worth(p, "respond"), abs=1e-9)
    assert engine.gap() == pytest.approx(judged, abs=1e-9)


def test_a_river() -> None:
    ranges = [
        some_hands("As Ks Kd Qh Jc Js Th 9h 8c 3c 3d 4h", 1, 45),
        some_hands("Ad Ks Kc Qh Jc Js Th 9d 8c 3c 2d", 2, 40),
    ]
    engine, twin = both("Qs Jh 2h 8d 3h", ranges, river(POT / 2), 12)
    assert_same(engine, twin)
    values = twin.walk(0, twin.tree, (), twin.board, twin.weights[0], twin.weights[1], ("follow",))
    met = twin.meets(0, twin.board)[0] @ twin.weights[1]
    told = dict(zip(engine.plan.hands[0].tolist(), engine.values(0), strict=True))
    for hand, value, weight in zip(twin.hands[0], values, met, strict=True):
        high, low = max(hand), min(hand)
        if weight > 0:
            assert told[high * (high - 1) // 2 + low] == pytest.approx(value / weight, abs=1e-9)


def symmetric(hands: str) -> dict[tuple[int, int], float]:
    """All hands of some ranks: suits do not matter."""
    ranks = [c // 4 for c in cards_named(hands)]
    return {(a, b): 0.5 + (a // 4 == b // 4) / 2 for a, b in all_hands([4 * r + s for r in ranks for s in range(4)])}


@pytest.mark.parametrize("board", ["Qs Jh 2h 8d", "Qs Js 2s 8s", "Qs Jh 2h 8h"])
def test_a_turn_with_suits_that_are_alike(board: str) -> None:
    """Two, three or no suits can be exchanged; the twin knows nothing of it."""
    ranges = [symmetric("Ac Qc"), symmetric("Ac 9c")]
    engine, twin = both(board, ranges, turn(POT / 2), 3)
    assert len(engine.plan.boards) == {"Qs Jh 2h 8d": 49, "Qs Js 2s 8s": 23, "Qs Jh 2h 8h": 36}[board]
    assert_same(engine, twin)


def test_a_turn_with_ranges_that_are_not() -> None:
    ranges = [some_hands("Ac Ad 9h 9s Kc", 3, 8), some_hands("Qc Qd 9h 3s Kc", 4, 8)]
    engine, twin = both("Qs Js 2s 8s", ranges, turn(POT / 2), 3)
    assert len(engine.plan.boards) == 49
    assert_same(engine, twin)


def test_a_strategy_on_a_board_that_another_stands_for() -> None:
    """Kc on the turn is solved as the first of its class; hands are told with the suits that were asked for."""
    ranges = [symmetric("Ac Qc"), symmetric("Ac 9c")]
    engine, twin = both("Qs Jh 2h 8h", ranges, turn(POT / 2), 3)
    deal = int(np.flatnonzero(engine.plan.tree.player == -1)[0])
    for card in cards_named("Kc Kd Kh 3s"):
        hands, rows = engine.strategy(deal + 1, (card,))
        way = (0, 0, -card)
        own = np.array([hand for hand in twin.hands[0] if card not in hand])
        sums = np.stack([twin.average[way][:, k] for k, hand in enumerate(twin.hands[0]) if card not in hand])
        told = dict(zip(hands.tolist(), rows, strict=True))
        assert len(told) == len(own)
        values = twin.reached(0, way[:2], card)
        for hand, value in zip(*engine.values_at(deal + 1, 0, (card,)), strict=True):
            assert value == pytest.approx(values[int(hand)], abs=1e-9)
        for (low, high), row in zip(own, sums, strict=True):
            np.testing.assert_allclose(told[high * (high - 1) // 2 + low], row / row.sum(), atol=1e-9)


def flop(before: float) -> Any:
    """Check, or bet all-in; on the turn the first may bet, and on the river the other."""
    last = ("act", 1, [("showdown", before), ("act", 0, [("fold", 0, before), ("showdown", before + 3)])])
    later = ("act", 0, [("deal", last), ("act", 1, [("fold", 1, before), ("deal", ("showdown", before + 4))])])
    run_out = ("deal", ("deal", ("showdown", before + 7)))
    return ("act", 0, [("act", 1, [("deal", later), ("act", 0, [("fold", 0, before), run_out])])])


ODD = [some_hands("Ac Ad 9h Ks", 3, 4), some_hands("Qc Qd 9h 3s", 4, 4)]


@pytest.mark.parametrize(
    ("board", "ranges", "boards"),
    [("Qs Jh 2h", ODD, 1 + 49 + 49 * 48), ("Qs 8s 2s", [symmetric("Ac"), symmetric("Tc")], 1 + 23 + 10 * 22 + 13 * 35)],
)
def test_a_flop(board: str, ranges: list[dict[tuple[int, int], float]], boards: int) -> None:
    """All pairs of hands on all 2,352 run-outs: with ranges whose suits are not alike, and with such as are."""
    engine, twin = both(board, ranges, flop(POT / 2), 2)
    assert len(engine.plan.boards) == boards
    assert_same(engine, twin)


def test_a_flop_goes_down() -> None:
    """All the way, in single precision: the strategy gets better, and its value stays in the game's bounds."""
    tree = (
        "act",
        0,
        [("act", 1, [("deal", turn(5.0)), ("act", 0, [("fold", 0, 5.0), ("deal", ("deal", ("showdown", 9.0)))])])],
    )
    ranges = [weights_of(symmetric("Ac")), weights_of(symmetric("Tc"))]
    engine = RangeEngine(holdem_plan(cards_named("Qs Jh 2h"), ranges, betting_of(tree)), dcfr())
    engine.run(0, 2)
    early = engine.exploitability()
    engine.run(2, 18)
    assert 0.0 <= engine.exploitability() < early / 3
    assert abs(engine.exploitability().values[0]) < POT


def test_ranges_that_cannot_be() -> None:
    aces = weights_of({(50, 51): 1.0})
    with pytest.raises(RuseError, match="card in common"):
        holdem_plan(cards_named("Qs Jh 2h 8d 3c"), [aces, aces], betting_of(river(5.0)))
    with pytest.raises(RuseError, match="no hand of the range in position"):
        holdem_plan(cards_named("As Jh 2h 8d 3c"), [weights_of({(0, 5): 1.0}), aces], betting_of(river(5.0)))
    betting = betting_of(river(5.0))
    with pytest.raises(RuseError, match="no betting tree"):
        holdem_plan(cards_named("As Jh 2h 8d 3c"), [aces, aces], betting._replace(child=betting.child[::-1].copy()))


def test_preferences_in_a_spot() -> None:
    """The first to act likes to bet, which may cost him half a chip; who faces a bet likes to call."""
    names = "As Ks Kd Qh Jc Js Th 9h", "Ad Ks Kc Qh Jc Js Th 9d"
    ranges = [some_hands(names[0], 5, 20), some_hands(names[1], 6, 20)]
    tree, cards, solver = river(POT / 2), cards_named("Qs Jh 2h 8d 3h"), dcfr()
    betting = betting_of(tree)
    answer = betting.tree.children(0)[1]
    plan = holdem_plan(cards, [weights_of(held) for held in ranges], betting, visits=[0])
    favours = [Favour(0, (1.0, 5.0), 0.5), Favour(answer, (1.0, 3.0, 1.0))]
    engine = RangeEngine(plan, solver, dtype=np.float64, leaning=spot_leaning(plan, solver, favours))
    engine.run(0, 12)
    twin = RangeTwin(tuple(cards), ranges, tree)
    twin.favours = {(): (np.array(favours[0].delta), 0.5), (1,): (np.array(favours[1].delta), 0.0)}
    twin.iterate(solver.weighting, 12)
    assert_same(engine, twin)
    plain = RangeEngine(plan, solver, dtype=np.float64)
    plain.run(0, 12)
    weights = plan.weights[0][: len(plan.hands[0])]
    assert weights @ engine.strategy(0)[1][:, 1] > weights @ plain.strategy(0)[1][:, 1] + 0.05


def test_threads_change_no_bit() -> None:
    ranges = [weights_of(symmetric("Ac Qc")), weights_of(symmetric("Ac 9c"))]
    plan = holdem_plan(cards_named("Qs Jh 2h 8h"), ranges, betting_of(turn(POT / 2)))
    one, two = (RangeEngine(plan, dcfr(), threads=threads) for threads in (1, 2))
    one.run(0, 5)
    two.run(0, 2)
    two.run(2, 3)
    assert two.crew is not None
    for name, array in one.saved().items():
        assert array.tobytes() == two.saved()[name].tobytes()
    assert one.exploitability() == two.exploitability()


def test_averages_that_fade_to_nothing() -> None:
    """A hand that comes nowhere for long: what is left of its average is less than single precision can divide by."""
    ranges = [weights_of(some_hands("As Ks Kd Qh Jc Js", 1, 12)), weights_of(some_hands("Ad Ks Kc Qh Jc Js", 2, 12))]
    plan = holdem_plan(cards_named("Qs 2c 2h 8d 3h"), ranges, betting_of(river(POT / 2)))
    engine = RangeEngine(plan, hs_dcfr(), planned=200)
    engine.run(0, 200)
    assert engine.exploitability() < 0.01 * POT
