"""A walk through every history of a game, depth first, that can be paused and resumed.

What is done on the way is a *visitor*, a part with four methods, so there is one loop over the game for counting,
expanding and looking up states alike. The walk pauses when its budget is spent, its stack is full, or the visitor asks
for more room; the caller enlarges what is too small and calls again.

It sees every history, so it tests on the way what every game must obey, and raises where that is broken.
"""

from collections.abc import Iterable
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.guards.breaches import LONGEST, TOLERANCE, breach, endless, unlawful, way_to
from ruse.protocol.state import State
from ruse.protocol.view import View, infoset_key

LEVEL, VISITED, BROKEN = range(3)  # the cursor of a stack
SLICE = 2_000_000  # histories between two looks at the clock and the keyboard


class Stack(NamedTuple):
    """The open histories of a walk, one a level."""

    rows: np.ndarray  # [level, column]
    player: np.ndarray  # [level] who acts
    actions: np.ndarray  # [level] how many
    next: np.ndarray  # [level] the action to take next; -1 before the state has been looked at
    first: np.ndarray  # [level] the first sequence of the decision that is open here
    chance: np.ndarray  # [level] probability of all chance outcomes so far
    total: np.ndarray  # [level] of the chance node that is open there, what its outcomes so far add up to
    sequence: np.ndarray  # [level, player] each player's last sequence
    cursor: np.ndarray  # [3] the level that is open (-1: done), how many histories were visited, is a law broken here?

    @classmethod
    def start(cls, game: Game, levels: int = 64) -> "Stack":
        row = game.start()
        rows = np.zeros((levels, len(row)), row.dtype)
        rows[0] = row
        players = game.players
        player, actions, first = (np.zeros(levels, np.int64) for _ in range(3))
        sequence = np.tile(np.arange(players, dtype=np.int64), (levels, 1))  # sequence p is player p's empty one
        next_action, cursor = np.full(levels, -1), np.zeros(3, np.int64)
        return cls(rows, player, actions, next_action, first, np.ones(levels), np.zeros(levels), sequence, cursor)

    def deeper(self) -> "Stack":
        """The same stack with twice as many levels."""
        return Stack._make([*twice(self[:-1]), self.cursor])

    @property
    def is_done(self) -> bool:
        return bool(self.cursor[0] < 0)

    @property
    def is_full(self) -> bool:
        return bool(self.cursor[0] + 1 >= len(self.rows))

    @property
    def history(self) -> tuple[int, ...]:
        """The actions that lead to the open level."""
        return tuple(int(a) - 1 for a in self.next[: max(0, self.cursor[LEVEL])])


class Visitor(Protocol):
    """What to do at each history."""

    def is_full(self) -> bool:
        """Whether the walk must pause before the next history, to make room."""

    def at_chance(self, level: int, count: int) -> None: ...

    def at_decision(self, stack: Stack, level: int, key: int) -> int:
        """Return the first sequence of the decision node."""

    def at_end(self, game: Game, stack: Stack, level: int) -> None: ...


class Enlargeable(Visitor, Protocol):
    """A visitor that can have more room."""

    def larger(self) -> Self:
        """The same with room for twice as much."""


V = TypeVar("V", bound=Enlargeable)


class Growing(Generic[V]):
    """A walk over a game whose stack and visitor get more room where they need it."""

    def __init__(self, game: Game, view: View, visitor: V) -> None:
        self.game, self.view, self.visitor, self.stack = game, view, visitor, Stack.start(game)

    @property
    def is_done(self) -> bool:
        return self.stack.is_done

    @property
    def visited(self) -> int:
        """Histories so far."""
        return int(self.stack.cursor[VISITED])

    def go_on(self, pause: int | None = None) -> None:
        """Walk a slice, which ends at the latest when `pause` histories have been visited, if they have not been."""
        if self.stack.is_full:
            self.stack = self.stack.deeper()
            if further := getattr(self.visitor, "further", None):  # for ways that are longer
                self.visitor = further(len(self.stack.next))
        if self.visitor.is_full():
            self.visitor = self.visitor.larger()
        left = 0 if pause is None else pause - self.visited
        walk(self.game, self.view, self.stack, self.visitor, min(SLICE, left) if left > 0 else SLICE)

    def to_the_end(self) -> V:
        """Walk all that is left; the visitor then."""
        while not self.is_done:
            self.go_on()
        return self.visitor


def walk(game: Game, view: View, stack: Stack, visitor: Visitor, budget: int) -> None:
    """Visit up to `budget` more histories. Raise Unlawful where the game breaks a law, or if it does not end."""
    go(game, view, stack, visitor, budget)
    if stack.cursor[BROKEN]:
        state = State.of(game)._replace(row=stack.rows[stack.cursor[LEVEL]].astype(np.int64), history=stack.history)
        found = breach(state) or f"after {way_to(state)} the compiled rules break a law that they keep in plain Python"
        raise unlawful(game, found)
    if stack.cursor[LEVEL] >= LONGEST:
        raise endless(game)


@kernel
def go(game, view, stack, visitor, budget):
    """Walk on until the budget is spent, there is no room, or a law is broken."""
    level = stack.cursor[LEVEL]
    visited = stack.cursor[VISITED]
    limit = visited + budget
    players = stack.sequence.shape[1]
    while level >= 0 and stack.cursor[BROKEN] == 0:
        if stack.next[level] < 0:
            if visited == limit or level + 1 >= len(stack.rows) or visitor.is_full():
                break
            s = stack.rows[level]
            player = game.player(s)
            stack.cursor[VISITED] = visited
            visited += 1
            if player == OVER:
                visitor.at_end(game, stack, level)
                level -= 1 - stack.cursor[BROKEN]
                continue
            count = game.num_actions(s)
            if player < OVER or player >= players or count < 1:
                stack.cursor[BROKEN] = 1
                break
            stack.player[level] = player
            stack.actions[level] = count
            stack.next[level] = 0
            if player == CHANCE:
                stack.total[level] = 0.0
                visitor.at_chance(level, count)
            else:
                stack.first[level] = visitor.at_decision(stack, level, infoset_key(game, view, s))
        a = stack.next[level]
        player = stack.player[level]
        if a == stack.actions[level]:
            if player == CHANCE and not abs(stack.total[level] - 1.0) <= TOLERANCE:
                stack.cursor[BROKEN] = 1
                break
            level -= 1
            continue
        down = level + 1
        stack.chance[down] = stack.chance[level]
        if player == CHANCE:
            share = game.chance(stack.rows[level], a)
            if not share >= 0.0:
                stack.cursor[BROKEN] = 1
                break
            stack.total[level] += share
            stack.chance[down] *= share
        stack.next[level] = a + 1
        for c in range(stack.rows.shape[1]):
            stack.rows[down, c] = stack.rows[level, c]
        for p in range(players):
            stack.sequence[down, p] = stack.sequence[level, p]
        if player != CHANCE:
            stack.sequence[down, player] = stack.first[level] + a
        game.apply(stack.rows[down], a)
        stack.next[down] = -1
        level = down
    stack.cursor[LEVEL] = level
    stack.cursor[VISITED] = visited


@compiled_function
def find_place(keys, ids, key):
    """The place of a key in an open-addressing index whose length is a power of two; ids are -1 where it is free."""
    mask = len(keys) - 1
    place = (key ^ (key >> 29)) & mask
    while ids[place] >= 0 and keys[place] != key:
        place = (place + 1) & mask
    return place


def new_index(capacity: int) -> tuple[np.ndarray, np.ndarray]:
    """An empty index with room for `capacity` keys at a load of one half."""
    length = 1 << max(4, int(2 * capacity - 1).bit_length())
    return np.zeros(length, np.int64), np.full(length, -1, np.int32)


def larger_index(keys: np.ndarray, ids: np.ndarray, capacity: int) -> tuple[np.ndarray, np.ndarray]:
    """The same index with room for `capacity` keys."""
    index = new_index(capacity)
    reindex(keys, ids, *index)
    return index


def twice(arrays: Iterable[np.ndarray], axis: int = 0) -> list[np.ndarray]:
    """Arrays with twice as much room; what lies in the new half will be written over."""
    return [np.concatenate([array, array], axis=axis) for array in arrays]


@kernel
def reindex(keys, ids, new_keys, new_ids):
    """Copy an index into a larger one."""
    for place in range(len(keys)):
        if ids[place] >= 0:
            there = find_place(new_keys, new_ids, keys[place])
            new_keys[there] = keys[place]
            new_ids[there] = ids[place]
