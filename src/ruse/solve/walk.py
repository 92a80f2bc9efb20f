"""A walk through every history of a game, depth first, that can be paused and resumed.

What is done on the way is a *visitor*, a part with four methods, so there is one loop over the game for counting,
expanding and looking up states alike. The walk pauses when its budget is spent, its stack is full, or the visitor asks
for more room; the caller enlarges what is too small and calls again.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.game import CHANCE, OVER, Game
from ruse.view import infoset_key


class Stack(NamedTuple):
    """The open histories of a walk, one a level."""

    rows: np.ndarray  # [level, column]
    player: np.ndarray  # [level] who acts
    actions: np.ndarray  # [level] how many
    next: np.ndarray  # [level] the action to take next; -1 before the state has been looked at
    first: np.ndarray  # [level] the first sequence of the decision that is open here
    chance: np.ndarray  # [level] probability of all chance outcomes so far
    sequence: np.ndarray  # [level, player] each player's last sequence
    cursor: np.ndarray  # [2] the level that is open (-1: done), and how many histories have been visited

    @classmethod
    def start(cls, game: Game, levels: int = 64) -> "Stack":
        row = game.start()
        rows = np.zeros((levels, len(row)), row.dtype)
        rows[0] = row
        players = game.players
        player, actions, first = (np.zeros(levels, np.int64) for _ in range(3))
        sequence = np.tile(np.arange(players, dtype=np.int64), (levels, 1))  # sequence p is player p's empty one
        next_action, cursor = np.full(levels, -1), np.zeros(2, np.int64)
        return cls(rows, player, actions, next_action, first, np.ones(levels), sequence, cursor)

    def deeper(self) -> "Stack":
        """The same stack with twice as many levels."""
        return Stack._make([*(np.concatenate([array, array]) for array in self[:-1]), self.cursor])

    @property
    def is_done(self) -> bool:
        return bool(self.cursor[0] < 0)

    @property
    def is_full(self) -> bool:
        return bool(self.cursor[0] + 1 >= len(self.rows))


class Visitor(Protocol):
    """What to do at each history."""

    def is_full(self) -> bool:
        """Whether the walk must pause before the next history, to make room."""

    def at_chance(self, level: int, count: int) -> None: ...

    def at_decision(self, stack: Stack, level: int, key: int) -> int:
        """Return the first sequence of the decision node."""

    def at_end(self, game: Game, stack: Stack, level: int) -> None: ...


@kernel
def walk(game, view, stack, visitor, budget):
    """Visit up to `budget` more histories."""
    level = stack.cursor[0]
    visited = stack.cursor[1]
    limit = visited + budget
    players = stack.sequence.shape[1]
    while level >= 0:
        if stack.next[level] < 0:
            if visited == limit or level + 1 >= len(stack.rows) or visitor.is_full():
                break
            s = stack.rows[level]
            player = game.player(s)
            stack.cursor[1] = visited
            visited += 1
            if player == OVER:
                visitor.at_end(game, stack, level)
                level -= 1
                continue
            stack.player[level] = player
            stack.actions[level] = game.num_actions(s)
            stack.next[level] = 0
            if player == CHANCE:
                visitor.at_chance(level, stack.actions[level])
            else:
                stack.first[level] = visitor.at_decision(stack, level, infoset_key(game, view, s))
        a = stack.next[level]
        if a == stack.actions[level]:
            level -= 1
            continue
        stack.next[level] = a + 1
        down = level + 1
        player = stack.player[level]
        stack.chance[down] = stack.chance[level]
        if player == CHANCE:
            stack.chance[down] *= game.chance(stack.rows[level], a)
        for c in range(stack.rows.shape[1]):
            stack.rows[down, c] = stack.rows[level, c]
        for p in range(players):
            stack.sequence[down, p] = stack.sequence[level, p]
        if player != CHANCE:
            stack.sequence[down, player] = stack.first[level] + a
        game.apply(stack.rows[down], a)
        stack.next[down] = -1
        level = down
    stack.cursor[0] = level
    stack.cursor[1] = visited


@compiled_function
def find(keys, ids, key):
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


@kernel
def reindex(keys, ids, new_keys, new_ids):
    """Copy an index into a larger one."""
    for place in range(len(keys)):
        if ids[place] >= 0:
            there = find(new_keys, new_ids, keys[place])
            new_keys[there] = keys[place]
            new_ids[there] = ids[place]
