"""The passes over decision trees do the same in plain Python as in kernels, whatever is done at a node."""

from typing import NamedTuple

import numpy as np
import pytest

from ruse.evaluate.best_response import exploitability_of
from ruse.games.kuhn import Kuhn
from ruse.tree.expanded import Expanded
from ruse.tree.passes import Following, Responding, fill_leaves, fill_reach, pass_down, pass_up, pass_up_some
from ruse.tree.sequence_form import SequenceForm

PLAYERS = pytest.mark.parametrize("players", [2, 3])


def mixed(form: SequenceForm) -> np.ndarray:
    """A strategy that is nowhere uniform."""
    sigma = np.ones(form.num_sequences)
    for j in range(len(form.parent)):
        row = slice(int(form.slot[j]), int(form.slot[j] + form.first[j + 1] - form.first[j]))
        sigma[row] = np.arange(1.0, row.stop - row.start + 1)
        sigma[row] /= sigma[row].sum()
    return sigma


def reached(form: SequenceForm, sigma: np.ndarray) -> np.ndarray:
    reach = np.zeros(form.num_sequences)
    reach[: form.players] = 1.0
    pass_down(form, reach, Following(form.slot, sigma), 0, len(form.parent))
    return reach


@PLAYERS
@pytest.mark.parametrize("merged", [False, True])
def test_down_and_up(players: int, merged: bool) -> None:
    whole = Expanded.of(Kuhn(players=players))
    form = whole.merged if merged else whole.form
    sigma, compiled = mixed(form), np.zeros(form.num_sequences)
    reach = reached(form, sigma)
    fill_reach(form, sigma, compiled)
    np.testing.assert_array_equal(reach, compiled)
    measured = exploitability_of(form, sigma)
    for node, expected in ((Following(form.slot, sigma), measured.values), (Responding(), measured.best)):
        value = np.zeros(form.num_sequences)
        fill_leaves(form, reach, value, 0, len(value))
        listed = value.copy()
        pass_up(form, value, node, 0, len(form.parent))
        np.testing.assert_array_equal(value[:players], expected)
        pass_up_some(form, listed, node, np.arange(len(form.parent)), len(form.parent))
        np.testing.assert_array_equal(listed, value)


class Stopping(NamedTuple):
    """Go no further than the first node."""

    last: int

    def descend(self, reach, above, j, first, last):
        reach[first:last] = 2.0 * above
        return self.last


def test_a_part_may_leave_nodes_out() -> None:
    form = Expanded.of(Kuhn()).form
    reach = np.ones(form.num_sequences)
    pass_down(form, reach, Stopping(len(form.parent)), 0, len(form.parent))
    assert reach[form.first[0] : form.first[1]].tolist() == [2.0, 2.0]
    assert np.all(reach[form.first[1] :] == 1.0)
