"""Spots that are solved on a card and on the processor, to be compared."""

from typing import Any

import numpy as np
from card_stand_in import StandIn
from small_spots import FLOP, ODD_RIVER, ODD_TURN

import ruse
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.device import Device
from ruse.solve.ranges.card.solving import Prepared, RangesOnCard, range_source
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.solver.presets import Solver
from ruse.spots.solving import engine_of

SPOTS = {"river": ODD_RIVER, "rake": f"{ODD_RIVER}, rake 5%", "turn": ODD_TURN, "flop": FLOP}
WIDE = (
    "holdem: board Ks 9d 4c 7h 2s, pot 40, stack 170, oop 99-22, A2s+, KTs+, QTs+, JTs, T9s, ATo+, KJo+, "
    "ip TT:0.5, 88, 66-33, A2s-A9s, AJs+, K8s+, QTs+, J9s+, T8s+, AQo+, KQo, bets 75%, raises all-in"
)


def stand_in(card: Card = Card(), **options: Any) -> StandIn:  # noqa: B008
    return StandIn(card, text=range_source(), **options)


def pair(text: str, solver: Solver, device: Device, kind: Any = np.float64) -> tuple[RangesOnCard, RangeEngine]:
    """The same spot on a device and on the processor, both with numbers of one kind."""
    engine = engine_of(ruse.game(text), solver, dtype=kind)  # type: ignore[arg-type]
    on_card = RangesOnCard(device, Prepared.of(engine.plan, solver), np.dtype(kind))
    on_card.send(engine.saved())
    return on_card, engine


def assert_same(on_card: RangesOnCard, engine: RangeEngine, tolerance: float) -> None:
    """Each number differs by no more than that share of the largest in its table."""
    ours, theirs = on_card.fetch(), engine.saved()
    assert ours.keys() == theirs.keys()
    for name, table in theirs.items():
        largest = float(np.abs(table).max())
        np.testing.assert_allclose(ours[name], table, rtol=0, atol=tolerance * largest, err_msg=name)
