"""A game made ready for the full-width engine: measured, expanded, merged, and with its infosets' names at hand."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.game import Game
from ruse.solve.merge import merge
from ruse.solve.sequence_form import Expansion, SequenceForm, expand
from ruse.solve.size import Size, refuse_if_too_large, size
from ruse.solve.walk import Stack, walk
from ruse.view import Full, View, infoset_key


class Infoset(NamedTuple):
    """An infoset as a person reads it."""

    node: int
    player: int
    name: str  # what the player sees
    actions: list[str]


class Expanded:
    """A game in sequence form. `form` has every infoset; `merged` is smaller and gives the same numbers."""

    def __init__(self, game: Game, view: View, measured: Size, expansion: Expansion, *, merging: bool) -> None:
        self.game, self.view, self.size = game, view, measured
        self.form: SequenceForm = expansion.form
        self.keys, self.owner, self.witness = expansion.keys, expansion.owner, expansion.witness
        identity = np.arange(self.form.num_sequences, dtype=np.uint32)
        self.merged, self.renamed = merge(self.form) if merging else (self.form, identity)
        self._infosets: list[Infoset] | None = None

    @classmethod
    def of(cls, game: Game, view: View | None = None, *, memory: int | None = None, merging: bool = True) -> "Expanded":
        """Expand a game, unless it is too large: that is told before anything is allocated.

        The last few games are kept, so asking again costs nothing.
        """
        view = view or Full()
        identity = (repr(game), id(game) if not _is_hashable(game) else hash(game), repr(view), merging)
        if identity not in _recent:
            measured = size(game, view)
            refuse_if_too_large(game, measured, memory)
            _recent[identity] = cls(game, view, measured, expand(game, view, measured), merging=merging)
            while len(_recent) > 4:
                _recent.popitem(last=False)
        _recent.move_to_end(identity)
        return _recent[identity]

    def __str__(self) -> str:
        """What merging has done: 936 infosets are 288, 5,520 leaves are 966."""
        before, after = len(self.form.parent), len(self.merged.parent)
        leaves = len(self.merged.value) // self.form.players
        return f"{before:,} infosets are {after:,}, {int(self.size.leaves):,} leaves are {leaves:,}"

    def unmerged(self, table: np.ndarray) -> np.ndarray:
        """A table over the merged form's sequences, spread over all sequences."""
        return table[self.renamed]

    def rows(self) -> np.ndarray:
        """One state of each node, found by walking the game again."""
        order = np.argsort(self.witness)
        found = np.zeros((len(order), len(self.game.start())), np.int64)
        recorder = Recorder(self.witness[order], found, np.zeros(1, np.int64))
        stack = Stack.start(self.game, levels=self.size.depth + 2)
        walk(self.game, self.view, stack, recorder, int(self.size.histories))
        rows = np.empty_like(found)
        rows[order] = found
        return rows

    def keys_of(self, view: View) -> np.ndarray:
        """The infoset key that another view gives to each node."""
        if view == self.view:
            return self.keys
        pairs = zip(self.rows(), self.owner, strict=True)
        keys = [int(infoset_key(self.game, view, row, int(p))) & 0xFFFFFFFFFFFFFFFF for row, p in pairs]
        return np.array(keys, np.uint64)

    @property
    def infosets(self) -> list[Infoset]:
        """All nodes in words, in the order of the players' decision trees."""
        if self._infosets is None:
            self._infosets = list(self._name_infosets())
        return self._infosets

    def _name_infosets(self) -> Iterator[Infoset]:
        counts = np.diff(self.form.first)
        for j, row in enumerate(self.rows()):
            player = int(self.owner[j])
            actions = [self.game.action_name(row, a) for a in range(int(counts[j]))]
            yield Infoset(j, player, self.game.describe(row, player), actions)


_recent: OrderedDict[tuple[object, ...], Expanded] = OrderedDict()


def _is_hashable(game: Game) -> bool:
    try:
        hash(game)
    except TypeError:
        return False
    return True


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Recorder(NamedTuple):
    """A visitor that copies the rows of chosen histories."""

    wanted: np.ndarray  # [k] numbers of histories, ascending
    found: np.ndarray  # [k, column]
    done: np.ndarray  # [1] how many have been found

    def is_full(self):
        return self.done[0] == len(self.wanted)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        if stack.cursor[1] == self.wanted[self.done[0]]:
            for c in range(stack.rows.shape[1]):
                self.found[self.done[0], c] = stack.rows[level, c]
            self.done[0] += 1
        return 0

    def at_end(self, game, stack, level):
        pass


