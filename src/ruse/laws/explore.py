"""The compiled rules at work on their own, with a look at every index and at every law, before anybody trusts them.

A game's rules write into memory. One index beyond the end of a row, after one deal in ten thousand, is a wrong number
that nobody sees. So a game that is small enough is walked whole here, and a larger one at random for long.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import checked_kernel
from ruse.compile.hashing import mix
from ruse.compile.rng import uniform
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.guards.breaches import LONGEST, TOLERANCE, is_off, promised_sum
from ruse.tree.walk import find_place, new_index

DEPTH, VISITED, ENDED, FOUND, DONE = range(5)  # the cursor
LAW, MENU = 1, 2  # what was found: a law that one state breaks; an infoset with different numbers of actions
SLICE = 200_000  # histories between two looks at the keyboard


class Explored(NamedTuple):
    """How far it went, and where it stopped if something is wrong there."""

    histories: int
    ends: int
    is_whole: bool
    found: int  # 0: nothing
    history: tuple[int, ...]
    error: Exception | None  # what the compiled rules have raised


class Trail(NamedTuple):
    """The way to the history that is looked at; filled in on the way."""

    rows: np.ndarray  # [depth, column]
    path: np.ndarray  # [depth] the action
    counts: np.ndarray  # [depth] how many there were
    cursor: np.ndarray  # how far it is, and what has come of it


class MenusSeen(NamedTuple):
    """How many actions each infoset has, as far as there is room."""

    keys: np.ndarray  # the index,
    ids: np.ndarray  # in which a place is free while its number is negative
    sizes: np.ndarray  # [place]
    used: np.ndarray  # [1] how many places are


def explored(game: Game, histories: int, *, at_random: bool) -> Explored:
    """Visit so many histories, each once in the order of a walk, or along random games; stop at the first trouble."""
    row = game.start()
    # What is not used is not taken from the system.
    path, counts, cursor = (np.zeros(n, np.int64) for n in (LONGEST + 2, LONGEST + 2, 5))
    trail = Trail(np.zeros((LONGEST + 2, len(row)), row.dtype), path, counts, cursor)
    trail.rows[0] = row
    keys, ids = new_index(min(histories, 1 << 20))
    menus = MenusSeen(keys, ids, np.zeros(len(keys), np.int64), np.zeros(1, np.int64))
    promised, rng, error = promised_sum(game), np.ones(1, np.uint64), None
    try:
        while cursor[VISITED] < histories and not cursor[FOUND] and not cursor[DONE]:
            limit = min(histories, int(cursor[VISITED]) + SLICE)
            visit(game, trail, menus, promised, game.players, limit, at_random, rng)
    except Exception as raised:
        error = raised
    history = tuple(int(a) for a in path[: cursor[DEPTH]])
    return Explored(int(cursor[VISITED]), int(cursor[ENDED]), bool(cursor[DONE]), int(cursor[FOUND]), history, error)


@checked_kernel
def visit(game, trail, menus, promised, players, limit, at_random, rng):
    """Go on until `limit` histories have been visited. The cursor tells where, whatever the rules do."""
    rows, path, counts, cursor = trail.rows, trail.path, trail.counts, trail.cursor
    depth = cursor[DEPTH]
    while cursor[VISITED] < limit:
        cursor[VISITED] += 1
        s = rows[depth]
        player = game.player(s)
        if player != np.floor(player) or player < OVER or player >= players or depth > LONGEST:
            cursor[FOUND] = LAW
            return
        if player == OVER:
            total, largest = 0.0, 0.0
            for p in range(players):
                payoff = float(game.payoff(s, p))
                total += payoff
                largest = max(largest, abs(payoff))
                if not abs(payoff) < np.inf:
                    cursor[FOUND] = LAW
            if is_off(total - promised, largest):
                cursor[FOUND] = LAW
            if cursor[FOUND] != 0:
                return
            cursor[ENDED] += 1
            if at_random:
                depth = 0
                cursor[DEPTH] = 0
                continue
            while depth > 0 and path[depth - 1] + 1 == counts[depth - 1]:
                depth -= 1
            if depth == 0:
                cursor[DONE] = 1
                return
            depth -= 1
            path[depth] += 1
        else:
            count = game.num_actions(s)
            if count != np.floor(count) or count < 1:
                cursor[FOUND] = LAW
                return
            counts[depth] = int(count)
            chosen = int(uniform(rng) * count) if at_random else 0
            if player == CHANCE:
                total, is_possible, drawn = 0.0, True, -1
                for a in range(int(count)):
                    share = float(game.chance(s, a))
                    total += share
                    is_possible = is_possible and share >= 0.0
                    if share > 0.0 and drawn < chosen:
                        drawn = a
                if not is_possible or not abs(total - 1.0) <= TOLERANCE:
                    cursor[FOUND] = LAW
                    return
                if at_random:  # what cannot happen need not have rules
                    chosen = drawn
            else:
                identity = mix(game.infoset(s), int(player))
                place = find_place(menus.keys, menus.ids, identity)
                if menus.ids[place] < 0 and 2 * menus.used[0] < len(menus.keys):
                    menus.keys[place] = identity
                    menus.ids[place] = 0
                    menus.sizes[place] = int(count)
                    menus.used[0] += 1
                if menus.ids[place] >= 0 and menus.sizes[place] != int(count):
                    cursor[FOUND] = MENU
                    return
            path[depth] = chosen
        cursor[DEPTH] = depth
        for c in range(rows.shape[1]):
            rows[depth + 1, c] = rows[depth, c]
        game.apply(rows[depth + 1], path[depth])
        depth += 1
        cursor[DEPTH] = depth
