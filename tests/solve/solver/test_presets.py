"""The presets share four options; what is written once must reach every one of them."""

import inspect
from typing import Any, NamedTuple

import pytest

from ruse.catalog import names as catalog
from ruse.errors import RuseError
from ruse.solve.sampled.outcome import OutcomeSampling
from ruse.solve.solver.prefer import Prefer
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.pruning import BestResponse, FixedLength, OpenEnded, RegretBased
from ruse.solve.solver.traits import LengthTraits
from ruse.solve.solver.walks import FullWidth

OPTIONS = {"alternating": True, "walk": "full", "prune": None, "prefer": None}


@pytest.mark.parametrize("name", PRESETS)
def test_the_signature_shows_the_options(name: str) -> None:
    parameters = inspect.signature(PRESETS[name]).parameters
    shown = {key: parameters[key].default for key in OPTIONS}
    assert shown == OPTIONS | ({"walk": "external"} if name == "mccfr" else {})
    assert all(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters.values())
    assert all(parameters[key].kind is inspect.Parameter.KEYWORD_ONLY for key in ("alternating", "prune", "prefer"))


@pytest.mark.parametrize("name", PRESETS)
def test_the_options_reach_the_solver(name: str) -> None:
    make = PRESETS[name]
    assert make().name == name
    assert make().alternating
    assert make(walk="full").walk == FullWidth()
    solver = make(alternating=False, walk="outcome:epsilon=0.5", prefer="bet: delta=10")
    assert not solver.alternating
    assert solver.walk == OutcomeSampling(epsilon=0.5)
    assert isinstance(solver.prefer, Prefer)
    with pytest.raises(RuseError, match="unknown pruning 'hedgeclipper'"):
        make(prune="hedgeclipper")
    with pytest.raises(TypeError, match="unexpected keyword argument 'wolk'"):
        make(wolk="outcome")


def test_a_preset_by_its_text() -> None:
    assert catalog.preset("dcfr:alpha=2,alternating=false,walk=external") == PRESETS["dcfr"](
        2.0, alternating=False, walk="external"
    )
    with pytest.raises(RuseError, match="cfr has no field 'gamma'; it has alternating, walk, prune, prefer"):
        catalog.preset("cfr:gamma=1")


class SureLength(NamedTuple):
    """A length of one's own that is known beforehand, and that is no `FixedLength`."""

    nothing: int = 0

    @property
    def traits(self) -> LengthTraits:
        return LengthTraits(is_fixed=True)


class OwnLength(NamedTuple):
    """One that says nothing of itself."""

    nothing: int = 0


@pytest.mark.parametrize("pruning", [RegretBased, BestResponse])
def test_prunings_ask_what_a_length_is_and_not_its_class(pruning: Any) -> None:
    names = [str(pruning(length)) for length in (SureLength(), FixedLength(), OwnLength(), OpenEnded())]
    assert [name.endswith("_fixed") for name in names] == [True, True, False, False]
