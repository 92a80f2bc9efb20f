"""Ways to go on find the actions that they favour by name, and none is like the first without a word."""

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.games import refuse_idle


def test_capitals_do_not_matter() -> None:
    _, raising, calling, folding = biased(4, 3.0)
    rows = np.full((1, 3), 1.0 / 3.0)
    for way, share in ((raising, [0.2, 0.2, 0.6]), (calling, [0.2, 0.6, 0.2]), (folding, [0.6, 0.2, 0.2])):
        for names in (["fold", "call", "raise"], ["Fold", "Call", "Raise"]):
            assert way.of(rows, names)[0] == pytest.approx(share)


def test_a_way_that_would_change_nothing_is_refused() -> None:
    names = {0: ["up", "down"], 1: ["Fold", "Call", "Raise"]}
    refuse_idle(Leafs(biased(4)), names)
    refuse_idle(Leafs(biased(1)), {0: ["up", "down"]})
    with pytest.raises(RuseError, match="raising more often would change nothing; the actions are down, up;"):
        refuse_idle(Leafs(biased(2)), {0: ["up", "down"]})
