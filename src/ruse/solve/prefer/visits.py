"""How the others come to an infoset: pi_-i(I), the reach of chance and of the other players, as the engine needs it.

The sequence form has leaves, and leaves that are worth nothing are left out. The price beta of a preference is paid by
the visit, whatever the payoffs below. So each history of a preferred infoset is written down like a leaf: the others'
sequences, and the probability of chance.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, kernel
from ruse.tree.discovery import node_identity
from ruse.tree.expanded import Expanded
from ruse.tree.merge import QUANTUM, leaf_hash
from ruse.tree.passes import leaves_value
from ruse.tree.sequence_form import fill_index
from ruse.tree.sorting import sort_leaves
from ruse.tree.walk import Growing, find_place, new_index, twice

Array = NDArray[Any]


class Visits(NamedTuple):
    """The histories of some infosets, added up where the others' sequences agree."""

    start: Array  # [infoset + 1] where an infoset's visits start
    others: Array  # [visit, player - 1] the other players' sequences
    chance: Array  # [visit] probability of chance

    @classmethod
    def of(cls, expanded: Expanded, number: Array, infosets: int) -> "Visits":
        """Those of an expanded game; number[node] is the infoset that a node belongs to, negative if to none."""
        form = expanded.form
        keys, ids = new_index(len(form.parent))
        fill_index(expanded.keys.view(np.int64), form.parent, keys, ids)
        log = VisitLog.start(keys, ids, form.first.astype(np.int64), number, form.players)
        log = Growing(expanded.game, expanded.view, log).to_the_end()
        n = int(log.totals[0])
        return sorted_visits(log.infoset[:n], log.others[:n], log.chance[:n], infosets)

    def renamed(self, names: Array, chosen: Array) -> "Visits":
        """Those of the chosen infosets, with other names for the sequences."""
        begin, end = (self.start.astype(np.int64)[k:][chosen] for k in (0, 1))
        own = np.repeat(np.arange(len(chosen)), end - begin).astype(np.uint32)
        ranges = [np.arange(a, b) for a, b in zip(begin, end, strict=True)]
        visits = np.concatenate([*ranges, np.zeros(0, np.int64)])
        others = names[self.others[visits]].astype(np.uint32)
        return sorted_visits(own, others, self.chance[visits], len(chosen))

    def reach(self, reach: Array) -> Array:
        """pi_-i of each infoset, by the reach of every sequence."""
        result = np.zeros(len(self.start) - 1)
        fill_others(self.start, self.others, self.chance, reach, result)
        return result

    def colours(self, names: Array) -> Array:
        """A hash for each infoset, equal where reach is the same whatever the others do; `names` are of sequences."""
        visits = self.renamed(names, np.arange(len(self.start) - 1))
        result = np.zeros(len(self.start) - 1, np.int64)
        chance = np.round(visits.chance / QUANTUM).astype(np.int64)
        fill_colours(visits.start, visits.others, chance, np.arange(len(names)), result)
        return result


def sorted_visits(infoset: Array, others: Array, chance: Array, infosets: int) -> Visits:
    """Visits by infoset, those that agree added up."""
    names = max(infosets, int(others.max(initial=0)) + 1)  # numbers of infosets and of sequences
    start, others, chance = sort_leaves(infoset, others, chance, np.arange(names, dtype=np.uint32), names)
    return Visits(start[: infosets + 1], others, chance)


@kernel
def fill_others(start, others, chance, reach, result):
    for n in range(len(result)):
        result[n] = leaves_value(start, others, chance, reach, n)


@kernel
def fill_colours(start, others, chance, names, result):
    for n in range(len(result)):
        for visit in range(start[n], start[n + 1]):
            result[n] += chance[visit] * leaf_hash(others, visit, names)


@compiled("is_full", "at_chance", "at_decision", "at_end")
class VisitLog(NamedTuple):
    """A visitor that writes down how the others came to the infosets that are wanted."""

    keys: np.ndarray  # the index of nodes
    ids: np.ndarray
    node_first: np.ndarray  # [node]
    number: np.ndarray  # [node] its infoset, negative if it is not wanted
    totals: np.ndarray  # [1] visits
    infoset: np.ndarray  # [visit]
    others: np.ndarray  # [visit, player - 1]
    chance: np.ndarray  # [visit]

    @classmethod
    def start(cls, keys: Array, ids: Array, node_first: Array, number: Array, players: int) -> "VisitLog":
        room = 1 << 10
        visits = np.zeros(room, np.uint32), np.zeros((room, players - 1), np.uint32), np.zeros(room)
        return cls(keys, ids, node_first, number, np.zeros(1, np.int64), *visits)

    def is_full(self):
        return self.totals[0] >= len(self.chance)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        player = stack.player[level]
        node = self.ids[find_place(self.keys, self.ids, node_identity(key, stack.sequence[level, player]))]
        if self.number[node] >= 0:
            visit = self.totals[0]
            self.infoset[visit] = self.number[node]
            self.chance[visit] = stack.chance[level]
            column = 0
            for p in range(stack.sequence.shape[1]):
                if p != player:
                    self.others[visit, column] = stack.sequence[level, p]
                    column += 1
            self.totals[0] += 1
        return self.node_first[node]

    def at_end(self, game, stack, level):
        pass

    def larger(self) -> "VisitLog":
        """The same with room for twice as many visits."""
        return VisitLog._make([*self[:5], *twice(self[5:])])
