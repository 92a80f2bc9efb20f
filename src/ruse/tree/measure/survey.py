"""A walk over a whole game by one walker, or by several at once, that counts it and may write its leaves down.

A game is walked by one walker as far as `SPLIT`. What is left then is split where play comes to a certain depth: the
pieces are the same for any number of walkers, and so is what comes out. A piece is a stack that ends where it began;
the histories above are pieces, too. In depth-first order the pieces make up the game.
"""

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import Unlawful
from ruse.protocol.view import View
from ruse.spread.here import cores
from ruse.tree import walk as walking
from ruse.tree.discovery import (
    CHANCES,
    DECISIONS,
    DEPTH,
    LEAVES,
    MISFITS,
    MOST_WALKERS,
    NODES,
    PIECE,
    SEQUENCES,
    WITNESS,
    Discovery,
    FoundNodes,
)
from ruse.tree.walk import LEVEL, VISITED, Stack, walk

SPLIT = 1_000_000  # histories that one walker visits first: fewer are not worth threads
ENOUGH, MOST = 256, 4096  # pieces that are wished for, and that are made at most
SMALL, LARGE = 1 << 12, 1 << 20  # leaves for which room is made at once

LEVELS = 64  # of a stack to begin with

Leaves = tuple[np.ndarray, np.ndarray]  # [player, leaf] sequences and values


class Piece:
    """A part of the game: the histories of a stack, and what was found there."""

    def __init__(self, number: int, stack: Stack, depth: int) -> None:
        self.number, self.stack, self.depth, self.is_closed = number, stack, depth, False
        self.totals, self.visited, self.leaves = np.zeros(5, np.int64), 0, list[Leaves]()

    @property
    def is_done(self) -> bool:
        return self.is_closed or self.stack.is_done

    def add(self, totals: np.ndarray) -> None:
        self.visited = int(self.stack.cursor[VISITED])
        deepest = max(int(self.totals[DEPTH]), int(totals[DEPTH]) + self.depth)
        self.totals += totals
        self.totals[DEPTH] = deepest


class Walker:
    """One who walks pieces, with room for leaves."""

    def __init__(self, players: int) -> None:
        self.players, self.used, self.done = players, 0, 0
        self.room: Leaves = np.zeros((players, 0), np.uint32), np.zeros((players, 0))
        self.piece: Piece | None = None

    def make_room(self) -> None:
        """As much again as was used so far, within limits."""
        if self.used == self.room[1].shape[1]:
            self.done += self.used
            count, self.used = min(max(SMALL, self.done), LARGE), 0
            self.room = np.empty((self.players, count), np.uint32), np.empty((self.players, count))


class GameSurvey:
    """All that is found in a game. Its walk can be paused, and goes on where it was."""

    def __init__(self, game: Game, view: View, *, keeps_leaves: bool, walkers: int | None = None) -> None:
        self.game, self.view, self.keeps_leaves = game, view, keeps_leaves
        self.found = FoundNodes.none(game.players)
        self.pieces = [Piece(0, Stack.start(game), 0)]
        self.walkers = [Walker(game.players) for _ in range(min(walkers or cores(), MOST_WALKERS))]
        self._waiting: Iterator[Piece] = iter(())  # pieces that nobody has taken
        self.is_whole = len(self.walkers) == 1  # it is not to be split any more
        self.is_shared, self._stops, self._taking = False, False, threading.Lock()  # whether several are at work

    @property
    def is_done(self) -> bool:
        return all(piece.is_done for piece in self.pieces)

    @property
    def visited(self) -> int:
        """Histories so far."""
        return sum(piece.visited for piece in self.pieces)

    def total(self, kind: int) -> int:
        """What all pieces have counted."""
        counts = [int(piece.totals[kind]) for piece in self.pieces]
        return max(counts) if kind == DEPTH else sum(counts)

    @property
    def nodes(self) -> int:
        return int(self.found.totals[NODES])

    @property
    def sequences(self) -> int:
        """With the players' empty ones."""
        return int(self.found.totals[SEQUENCES])

    @property
    def histories(self) -> int:
        """Those that were looked at, by their kinds."""
        return self.total(CHANCES) + self.total(DECISIONS) + self.total(LEAVES)

    @property
    def has_misfits(self) -> bool:
        return self.total(MISFITS) > 0

    # ---- walking -----------------------------------------------------------------------------------------------------

    def go_on(self, pause: int | None = None) -> None:
        """Walk a slice. One walker stops when `pause` histories have been visited, if they have not been before."""
        if not self.is_whole and self.visited >= SPLIT:
            self.is_whole = True
            self._lawful(self._split)
        if len(self.pieces) > 1:
            self._lawful(self._round)
            return
        piece, left = self.pieces[0], 0 if pause is None else pause - self.visited
        if piece.stack.is_full:
            piece.stack = piece.stack.deeper()
        self._step(piece, self.walkers[0], min(walking.SLICE, left) if left > 0 else walking.SLICE)

    def to_the_end(self) -> "GameSurvey":
        while not self.is_done:
            self.go_on()
        return self

    def _step(self, piece: Piece, walker: Walker, budget: int) -> None:
        """Walk on in a piece."""
        if not self.is_shared and self.found.is_crowded:
            self.found = self.found.larger()
        if self.keeps_leaves:
            walker.make_room()
        visitor = Discovery.of(self.game, self.found, piece.number, walker.room if self.keeps_leaves else None)
        visitor.totals[LEAVES] = walker.used
        walk(self.game, self.view, piece.stack, visitor, budget)
        visitor.totals[LEAVES] -= walker.used
        found = int(visitor.totals[LEAVES])
        piece.add(visitor.totals)
        if self.keeps_leaves and found:
            sequence, value = (room[:, walker.used : walker.used + found] for room in walker.room)
            piece.leaves.append((sequence, value))
            walker.used += found

    # ---- in pieces ---------------------------------------------------------------------------------------------------

    def _split(self) -> None:
        """Cut what is left of the first piece into pieces, as many as are wished for, if that can be."""
        first = self.pieces[0]
        if (depth := self._where_to_split(first.stack)) is None:
            return
        rest, trunk = split(first.stack, depth)
        if rest is not None:
            self._add(rest, depth)
        walker = self.walkers[0]
        while not trunk.is_done:
            trunk.cursor[VISITED] = 0
            above = self._add(trunk, 0)
            while not trunk.is_done and not is_at(trunk, depth):
                self._step(above, walker, walking.SLICE)
            above.is_closed = True
            if not trunk.is_done:
                self._add(root_at(trunk, depth), depth)
                trunk.cursor[LEVEL] -= 1
        first.is_closed = True
        self._waiting = iter([piece for piece in self.pieces if not piece.is_done])

    def _add(self, stack: Stack, depth: int) -> Piece:
        self.pieces.append(Piece(len(self.pieces), stack, depth))
        return self.pieces[-1]

    def _where_to_split(self, stack: Stack) -> int | None:
        """The least depth to which play comes often enough from here on; None if it comes there too often at once."""
        best = None
        for depth in itertools.count(1):
            times = comes_to(self.game, self.view, stack, depth)
            if times > MOST or times == 0:
                return best
            best = depth
            if times >= ENOUGH:
                return best
        return best

    def _round(self) -> None:
        """All walkers walk a slice at once; they stop before that if they need more room for nodes."""
        if self.found.is_crowded:
            self.found = self.found.larger()
        self.is_shared, self._stops = True, False
        try:
            with ThreadPoolExecutor(len(self.walkers)) as pool:
                try:
                    for done in [pool.submit(self._slice, walker) for walker in self.walkers]:
                        done.result()
                except BaseException:
                    self._stops = True
                    raise
        finally:
            self.is_shared = False

    def _slice(self, walker: Walker) -> None:
        left = walking.SLICE
        while left > 0 and not self._stops and not self.found.is_crowded:
            if walker.piece is None or walker.piece.is_done:
                with self._taking:
                    walker.piece = next(self._waiting, None)
            if (piece := walker.piece) is None:
                return
            if piece.stack.is_full:
                piece.stack = piece.stack.deeper()
            before = piece.visited
            self._step(piece, walker, left)
            left -= piece.visited - before

    def _lawful(self, work: Callable[[], None]) -> None:
        """Where a law is broken tell of the first such history, whatever was met first."""
        try:
            work()
        except Unlawful:
            GameSurvey(self.game, self.view, keeps_leaves=self.keeps_leaves, walkers=1).to_the_end()
            raise

    # ---- what was found ----------------------------------------------------------------------------------------------

    def rows(self) -> np.ndarray:
        """The nodes, [node, column], as a single walker would have found them."""
        rows = self.found.rows
        if len(self.pieces) == 1:
            return rows
        before = np.concatenate([[0], np.cumsum([piece.visited for piece in self.pieces])])
        rows = rows[np.argsort(rows[:, WITNESS])]
        rows[:, WITNESS] = before[rows[:, WITNESS] >> PIECE] + (rows[:, WITNESS] & ((1 << PIECE) - 1))
        return rows

    def forget(self) -> None:
        """Give all memory back but for the counts."""
        self.found = self.found._replace(words=np.zeros(0, np.int64), nodes=np.zeros(0, np.int64))

    def take_leaves(self) -> Leaves:
        """The leaves in depth-first order; they are given away."""
        none = np.zeros((self.game.players, 0), np.uint32), np.zeros((self.game.players, 0))
        every = [none, *(leaves for piece in self.pieces for leaves in piece.leaves)]
        for piece in self.pieces:
            piece.leaves = []
        for walker in self.walkers:
            walker.room, walker.used = none, 0
        sequences, values = (list(part) for part in zip(*every, strict=True))
        del every
        sequence = np.concatenate(sequences, axis=1)
        del sequences
        return sequence, np.concatenate(values, axis=1)


# ---- stacks in parts -------------------------------------------------------------------------------------------------


def split(stack: Stack, depth: int) -> tuple[Stack | None, Stack]:
    """What is left to do below a depth where the stack is deeper, and above; the latter stops where it comes there."""
    level = int(stack.cursor[LEVEL])
    rest = None
    if level >= depth:
        rest = Stack._make([array[depth:].copy() for array in stack[:-1]] + [np.array([level - depth, 0, 0])])
    above = [array[: depth + 1].copy() for array in stack[:-1]]
    return rest, Stack._make([*above, np.array([min(level, depth - 1), 0, 0])])


def is_at(trunk: Stack, depth: int) -> bool:
    """Whether a stack that ends at a depth has come there."""
    return bool(trunk.cursor[LEVEL] == depth)


def root_at(trunk: Stack, depth: int) -> Stack:
    """A stack that begins at the history to which a trunk has come."""
    return Stack._make(
        [np.repeat(array[depth : depth + 1], LEVELS, axis=0) for array in trunk[:-1]] + [np.zeros(3, np.int64)]
    )


def comes_to(game: Game, view: View, stack: Stack, depth: int) -> int:
    """How often play comes to a depth from here on, counted as far as `MOST`."""
    rest, trunk = split(stack, depth)
    times, found = int(rest is not None), FoundNodes.none(game.players)
    while not trunk.is_done and times <= MOST:
        if found.is_crowded:
            found = found.larger()
        walk(game, view, trunk, Discovery.of(game, found, 0, None), walking.SLICE)
        if is_at(trunk, depth):
            times += 1
            trunk.cursor[LEVEL] -= 1
    return times
