"""A game made ready for the full-width engine: measured, expanded, merged, and with its infosets' names at hand."""

import threading
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, kernel
from ruse.protocol.game import Game, needs_history
from ruse.protocol.state import State
from ruse.protocol.values.recent import Recent, identity_of
from ruse.protocol.view import Full, View, infoset_key
from ruse.tree.levels import in_levels, levelled_nodes
from ruse.tree.measure.free import free_memory
from ruse.tree.measure.size import Size, refuse_if_too_large, size_of
from ruse.tree.measure.survey import GameSurvey
from ruse.tree.merge import merged_nodes
from ruse.tree.sequence_form import Expansion, SequenceForm, expansion_of, renamed_leaves
from ruse.tree.walk import Stack, walk
from ruse.tree.ways import path_in, write_way


class Infoset(NamedTuple):
    """An infoset as a person reads it."""

    node: int
    player: int
    name: str  # what the player sees
    actions: list[str]


class MeasuredGame(NamedTuple):
    """A game that has been walked, if it fits: its leaves are kept for its expansion."""

    survey: GameSurvey
    size: Size

    @classmethod
    def of(cls, game: Game, view: View | None = None, memory: int | None = None) -> "MeasuredGame":
        survey = GameSurvey(game, view or Full(), keeps_leaves=True)
        return cls(survey, size_of(survey, room=free_memory() if memory is None else memory))


class Expanded:
    """A game in sequence form. `form` has every infoset in preorder; `merged` is what the engine runs on: smaller,
    in an order of its own, and with the same numbers.
    """

    def __init__(self, game: Game, view: View, measured: Size, expansion: Expansion, *, merging: bool) -> None:
        self.game, self.view, self.size = game, view, measured
        self.form: SequenceForm = expansion.form
        self.keys, self.owner, self.witness = expansion.keys, expansion.owner, expansion.witness
        self.merging = merging
        self.colours: np.ndarray | None = None  # [sequence] those of different colours are not merged
        self._infosets: list[Infoset] | None = None
        self._ways: np.ndarray | None = None  # [node, move]
        self._both: tuple[SequenceForm, np.ndarray] | None = None  # the merged form, and the names in it
        self._making = threading.RLock()  # several trainings may ask for what is made when it is first needed
        self._keys = {identity_of(view): (view, self.keys)}

    @classmethod
    def of(
        cls, game: Game, view: View | None = None, *, memory: int | None = None, merging: bool = True,
        measured: "MeasuredGame | None" = None,
    ) -> "Expanded":  # fmt: skip
        """Expand a game, unless it is too large: that is told before more is allocated than walking it takes.

        The last few games are kept, so asking again costs nothing. One that was measured is not walked again.
        """
        view = view or Full()

        def make() -> Expanded:
            survey, size = measured or MeasuredGame.of(game, view, memory)
            refuse_if_too_large(game, size, memory)
            return cls(game, view, size, expansion_of(survey), merging=merging)

        made = _recent.of((identity_of(game), identity_of(view), merging), make)
        if memory is not None:  # it may have been made when more was allowed
            refuse_if_too_large(game, made.size, memory)
        return made

    @property
    def _merged(self) -> tuple[SequenceForm, np.ndarray]:
        """Only the engine needs it, and in a large game it takes longer than all the rest."""
        with self._making:
            if self._both is None:
                self._both = self._merge()
            return self._both

    def _merge(self) -> tuple[SequenceForm, np.ndarray]:
        if not self.merging:
            return in_levels(self.form)
        smaller, there, is_kept = merged_nodes(self.form, self.colours)
        nodes, renamed = levelled_nodes(smaller)
        names = renamed[there]
        # Both at once: leaves take the most memory of all.
        return nodes.with_leaves(*renamed_leaves(self.form, names, is_kept, nodes.num_sequences)), names

    def apart(self, colours: np.ndarray) -> "Expanded":
        """The same game, in which sequences of different colours are not merged."""
        other = copy(self)
        other._both, other._making = None, threading.RLock()
        other.colours = colours.copy()
        return other

    @property
    def merged(self) -> SequenceForm:
        return self._merged[0]

    @property
    def renamed(self) -> np.ndarray:
        """For each sequence of `form`, its name in `merged`."""
        return self._merged[1]

    def __str__(self) -> str:
        """What merging has done: 936 infosets are 288, 5,520 leaves are 966."""
        before, after = len(self.form.parent), len(self.merged.parent)
        leaves = len(self.merged.value) // self.form.players
        return f"{before:,} infosets are {after:,}, {int(self.size.leaves):,} leaves are {leaves:,}"

    def unmerged(self, table: np.ndarray) -> np.ndarray:
        """A table over the merged form's sequences, spread over all sequences."""
        return np.asarray(table[self.renamed])

    def rows(self) -> np.ndarray:
        """One state of each node, found by walking the game again."""
        return self._found(0)[0]

    def way(self, j: int) -> tuple[int, ...]:
        """The actions that lead to the state of node j."""
        with self._making:
            if self._ways is None:
                self._ways = self._found(self.size.depth + 1)[1]
        return path_in(self._ways[j])

    def _found(self, moves: int) -> tuple[np.ndarray, np.ndarray]:
        """One state of each node, and the first so many moves of the way to it."""
        order = np.argsort(self.witness)
        found = np.zeros((len(order), len(self.game.start())), np.int64)
        ways = np.zeros((len(order), moves), np.int32)
        recorder = Recorder(self.witness[order], found, ways, np.zeros(1, np.int64))
        stack = Stack.start(self.game, levels=self.size.depth + 2)
        walk(self.game, self.view, stack, recorder, int(self.size.histories))
        back = np.argsort(order)
        return found[back], ways[back]

    def states(self) -> Iterator[State]:
        """One state of each node, with its history where the game's words need that."""
        found = self._found(self.size.depth + 1 if needs_history(self.game) else 0)
        return (State(self.game, row, path_in(way)) for row, way in zip(*found, strict=True))

    def keys_of(self, view: View) -> np.ndarray:
        """The infoset key that another view gives to each node."""
        identity = identity_of(view)
        with self._making:
            if identity not in self._keys:
                keys = np.zeros(len(self.owner), np.int64)
                fill_keys(self.game, view, self.rows(), self.owner, keys)
                # With the view itself: its address may be its identity.
                self._keys[identity] = view, keys.view(np.uint64)
            return self._keys[identity][1]

    @property
    def infosets(self) -> list[Infoset]:
        """All nodes in words, in the order of the players' decision trees."""
        with self._making:
            if self._infosets is None:
                self._infosets = list(self._name_infosets())
            return self._infosets

    def _name_infosets(self) -> Iterator[Infoset]:
        counts = np.diff(self.form.first)
        for j, state in enumerate(self.states()):
            player = int(self.owner[j])
            actions = [self.game.action_name(state.row, a) for a in range(int(counts[j]))]
            yield Infoset(j, player, state.describe(player), actions)


_recent = Recent[Expanded]()


@kernel
def fill_keys(game, view, rows, owner, keys):
    for j in range(len(keys)):
        keys[j] = infoset_key(game, view, rows[j])


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Recorder(NamedTuple):
    """A visitor that copies the rows of chosen histories, and the ways to them."""

    wanted: np.ndarray  # [k] numbers of histories, ascending
    found: np.ndarray  # [k, column]
    ways: np.ndarray  # [k, move] as far as there is room
    done: np.ndarray  # [1] how many have been found

    def is_full(self):
        return self.done[0] == len(self.wanted)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        if stack.cursor[1] == self.wanted[self.done[0]]:
            for c in range(stack.rows.shape[1]):
                self.found[self.done[0], c] = stack.rows[level, c]
            write_way(stack, level, self.ways[self.done[0]])
            self.done[0] += 1
        return 0

    def at_end(self, game, stack, level):
        pass
