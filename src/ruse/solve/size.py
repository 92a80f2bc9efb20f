"""How large a game is, told before anything large is allocated."""

import os
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, kernel
from ruse.errors import RuseError
from ruse.game import OVER, Game
from ruse.rng import uniform
from ruse.solve.walk import Stack, find, new_index, reindex, walk
from ruse.view import Full, View

CHANCES, DECISIONS, LEAVES, ACTIONS, INFOSETS, DEPTH = range(6)
SLICE = 2_000_000  # histories between two looks at the clock and the keyboard
GIB = 1 << 30


class TooLarge(RuseError):
    """The game does not fit into this machine's memory."""


class Size(NamedTuple):
    """The counts of a game's tree, exact unless it was too large to walk."""

    players: int
    histories: float
    leaves: float
    infosets: float
    sequences: float
    depth: int
    is_exact: bool

    @property
    def bytes(self) -> int:
        """Memory that the full-width engine needs while it expands the game and solves it."""
        leaf = self.players * (4 + 8) + self.players * (4 * (self.players - 1) + 8)
        needed = self.leaves * leaf + self.sequences * (8 * 5 + 4 * 4) + self.infosets * (8 + 12 + 4 * 8)
        return int(min(needed, 1e300))  # an estimate of an endless game may be infinite

    def __str__(self) -> str:
        if self.is_exact:
            return f"{self.histories:,} histories, {self.infosets:,} infosets, {self.leaves:,} leaves, {self.memory}"
        return f"about {self.histories:.2g} histories, {self.leaves:.2g} leaves, {self.memory}"

    @property
    def memory(self) -> str:
        scale = next((k for k, unit in enumerate(("", "Ki", "Mi", "Gi", "Ti")) if self.bytes < 1024 ** (k + 1)), 4)
        return f"{self.bytes / 1024**scale:.3g} {('', 'Ki', 'Mi', 'Gi', 'Ti')[scale]}B"


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Counter(NamedTuple):
    """A visitor that counts."""

    totals: np.ndarray  # [6]
    keys: np.ndarray
    ids: np.ndarray

    def is_full(self):
        return 2 * self.totals[INFOSETS] >= len(self.ids)

    def at_chance(self, level, count):
        self.totals[CHANCES] += 1

    def at_decision(self, stack, level, key):
        self.totals[DECISIONS] += 1
        place = find(self.keys, self.ids, key)
        if self.ids[place] < 0:
            self.keys[place] = key
            self.ids[place] = 0
            self.totals[INFOSETS] += 1
            self.totals[ACTIONS] += stack.actions[level]
        return 0

    def at_end(self, game, stack, level):
        self.totals[LEAVES] += 1
        self.totals[DEPTH] = max(self.totals[DEPTH], level)


def is_within(game: Game, limit: int) -> bool:
    """Whether a game has at most so many histories."""
    return _counted(game, Full(), limit)[0].is_done


def _counted(game: Game, view: View, limit: int) -> tuple[Stack, np.ndarray]:
    """A walk through up to `limit` histories, and what it has counted."""
    stack = Stack.start(game)
    counter = Counter(np.zeros(6, np.int64), *new_index(1 << 12))
    while not stack.is_done and stack.cursor[1] < limit:
        walk(game, view, stack, counter, min(SLICE, limit))
        if stack.is_full:
            stack = stack.deeper()
        if counter.is_full():
            larger = new_index(2 * int(counter.totals[INFOSETS]))
            reindex(counter.keys, counter.ids, *larger)
            counter = Counter(counter.totals, *larger)
    return stack, counter.totals


def size(game: Game, view: View | None = None, *, limit: int = 50_000_000) -> Size:
    """Count a game's tree, or estimate it by random dives if it has more than `limit` histories."""
    stack, totals = _counted(game, view or Full(), limit)
    if stack.is_done:
        histories = int(totals[CHANCES] + totals[DECISIONS] + totals[LEAVES])
        sequences = int(totals[ACTIONS]) + game.players
        return Size(
            game.players, histories, int(totals[LEAVES]), int(totals[INFOSETS]), sequences, int(totals[DEPTH]), True
        )
    sums = np.zeros(3)
    dives = 10_000
    row = game.start()
    dive(game, row, row.copy(), dives, sums, np.ones(1, np.uint64))
    histories, leaves = sums[0] / dives, sums[1] / dives
    # Infosets are at most what the walk has seen, in proportion.
    share = histories / float(stack.cursor[1])
    infosets, actions = totals[INFOSETS] * max(share, 1.0), totals[ACTIONS] * max(share, 1.0)
    return Size(game.players, histories, leaves, float(infosets), float(actions), int(sums[2]), False)


@kernel
def dive(game, start, s, dives, sums, rng):
    """Knuth's estimate of a tree's size: follow random paths, multiply the branching (Knuth 1975)."""
    for _ in range(dives):
        for c in range(len(s)):
            s[c] = start[c]
        width = 1.0
        depth = 0
        while True:
            sums[0] += width
            if game.player(s) == OVER:
                sums[1] += width
                break
            n = game.num_actions(s)
            width *= n
            depth += 1
            game.apply(s, int(uniform(rng) * n))
        sums[2] = max(sums[2], depth)


def free_memory() -> int:
    """Bytes of memory that can be had now; half of the 64-bit address space where the system does not tell."""
    try:
        with open("/proc/meminfo") as file:
            fields = dict(line.split(":") for line in file)
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pages = getattr(os, "sysconf", lambda _: -1)("SC_PHYS_PAGES")
        return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else 1 << 63


def refuse_if_too_large(game: Game, measured: Size, memory: int | None = None) -> None:
    """Raise TooLarge, with the estimate, unless the game fits into `memory` bytes (default: what is free)."""
    room = free_memory() if memory is None else memory
    if measured.bytes > room:
        raise TooLarge(
            f"{game!r} is too large to expand: {measured} needed, {room / GIB:.1f} GiB free; "
            "make the game smaller, or sample it"
        )
