"""Fields of a game may be called as they like: what a game says of itself are class attributes and properties."""

from typing import Any, NamedTuple

import pytest

import ruse
from ruse.catalog.likeness import looks_alike
from ruse.catalog.names import companion, spec_of
from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.games.holdem.spots.rules import SpotGame
from ruse.play.meter import Silent, meter_for
from ruse.protocol.game import declared, needs_history
from ruse.solve.solver.fits import Setup
from ruse.solve.solver.traits import engine_kind
from ruse.training.jobs.usual import usual
from ruse.training.jobs.values import in_payoffs


class Named(NamedTuple):
    """Settings that are called as what other games say of themselves."""

    stake: float = 1.0
    betting: int = 1
    engine: int = 2
    usual: int = 3
    unseen: int = 4
    meter: int = 5
    style: int = 6
    table: int = 7
    own_title: int = 8
    own_spec: int = 9
    fingerprint: int = 10
    to_end: int = 11
    needs_history: int = 12
    scene: int = 13
    rules: int = 14
    sees: int = 15

    players, payoff_sum = 2, 0


def test_fields_say_nothing_of_the_game() -> None:
    game: Any = Named()
    assert [declared(game, name) for name in Named._fields] == [None] * len(Named._fields)
    assert declared(game, "payoff_sum") == 0
    assert engine_kind(ruse.cfr(), game) == engine_kind(ruse.cfr(), ruse.Kuhn())
    assert (usual(game, "rule"), usual(game, "view")) == ("dcfr", "full")
    assert (title_of(game), spec_of(game), needs_history(game)) == (repr(game), None, False)
    assert companion(game, "table") is companion(game, "style") is None
    assert isinstance(meter_for(game), Silent)
    assert (Setup(game=game).own_engine, Setup(game=game).too_long) == ("", "")
    assert not looks_alike(game, Named(unseen=5))
    with pytest.raises(RuseError, match="is a share of a pot"):
        in_payoffs("0.1%", game)


def test_properties_do() -> None:
    assert not {"stake", "betting", "own_spec", "own_title", "fingerprint"} & set(SpotGame._fields)
    assert all(isinstance(getattr(SpotGame, name), property) for name in ("stake", "betting", "own_spec", "own_title"))
    assert declared(ruse.Cheat(), "style") == "ruse.games.cheat.style"
