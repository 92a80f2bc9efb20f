"""Twins: two ways through a game that one player cannot tell apart.

A random game is played in plain Python. Then a move that was not this player's is changed, by chance or by another, and
the game goes on as it went before, or as near as it can, until it comes to an infoset of the player. It is a twin if
the player has then met the same infosets of the game, and done the same at each.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ruse.compile.hashing import MASK
from ruse.protocol.game import CHANCE, OVER, Game, Row

LONGEST = 80  # decisions of a game that are looked at
MOST = 1_000  # and moves: of chance there may be many
NAMED = 12  # actions up to which their names are asked; of more, some are tried by number
TRIED = 8
STEPS = 20  # moves that are tried for one twin
PATIENCE = 10  # times the moves that are allowed, where few twins are found
LATE = 2  # every other change is one of so many last moves


class Line(NamedTuple):
    """A way from the start: rows[k] is where moves[k] was made; the last row has no move yet."""

    rows: list[Row]
    moves: list[int]

    def at(self, k: int) -> "Line":
        """The same up to row k."""
        return Line(self.rows[: k + 1], self.moves[:k])


def infoset(game: Game, row: Row) -> int:
    return int(game.infoset(row)) & MASK


def outcomes(game: Game, row: Row) -> list[int]:
    """What can happen: all actions, or the outcomes that chance does not rule out."""
    count = range(int(game.num_actions(row)))
    return [a for a in count if game.chance(row, a) > 0.0] if game.player(row) == CHANCE else list(count)


def after(game: Game, row: Row, a: int) -> Row:
    row = row.copy()
    game.apply(row, a)
    return row


def random_line(game: Game, dice: random.Random) -> Line:
    """A random game, to its end or as far as it is looked at."""
    rows, moves, decisions = [game.start().astype(np.int64)], list[int](), 0
    while decisions < LONGEST and len(moves) < MOST and (player := game.player(rows[-1])) != OVER:
        decisions += player != CHANCE
        moves.append(dice.choice(outcomes(game, rows[-1])))
        rows.append(after(game, rows[-1], moves[-1]))
    return Line(rows, moves)


class Twins(NamedTuple):
    """Two lines that are the same to the player who acts at their ends."""

    player: int
    one: Line
    other: Line


def twins(game: Game, dice: random.Random, *, moves: int, enough: int = 0) -> Iterator[Twins]:
    """Twins of random games, until so many moves have been made, or up to ten times as many if these are not enough."""
    search, found = TwinSearch(game, dice, moves), 0
    while search.left > 0 or (found < enough and search.left > (1 - PATIENCE) * moves):
        line = random_line(game, dice)
        search.left -= len(line.moves) + 1
        acting = [int(game.player(row)) for row in line.rows]
        for end in (k for k, player in enumerate(acting) if player >= 0):
            others = [k for k in range(end) if acting[k] != acting[end]]
            if not others or (search.left <= 0 and found >= enough):
                continue
            place = dice.choice(others[-LATE:] if dice.random() < 0.5 else others)
            if (other := search.twin(line.at(end), acting, place)) is not None:
                found += 1
                yield Twins(acting[end], line.at(end), other)


class TwinSearch:
    """Looks for twins, as long as there are moves left to be made."""

    def __init__(self, game: Game, dice: random.Random, left: int) -> None:
        self.game, self.dice, self.left = game, dice, left

    def twin(self, line: Line, acting: list[int], place: int) -> Line | None:
        """A line that differs from this one in the move at `place`, and is the same to the player who acts at its end.

        Depth first, with the moves of the old line tried first; what the player does is done again.
        """
        game, rows, moves = self.game, line.rows, line.moves
        end = len(rows) - 1
        me = acting[end]
        mine = [(infoset(game, rows[k]), moves[k] if k < end else -1) for k in range(place, end + 1) if acting[k] == me]
        others = [k for k in range(place + 1, end) if acting[k] != me]
        old = [(moves[k], str(game.action_name(rows[k], moves[k]))) for k in others]
        changed = [a for a in outcomes(game, rows[place]) if a != moves[place]]
        if not changed:
            return None
        self.dice.shuffle(changed)
        few = changed[: 1 if acting[place] == CHANCE else TRIED]  # a card is the player's own, or it is not
        path, steps = [TwinStep(rows[place], few, 0, 0)], STEPS + 2 * (end - place)
        while path and steps > 0:
            step = path[-1]
            if not step.untried:
                path.pop()
                continue
            a = step.untried.pop()
            row = after(game, step.row, a)
            step.taken = a
            steps -= 1
            self.left -= 1
            player, met, told = int(game.player(row)), step.met, step.told + (int(game.player(step.row)) != me)
            if player != me:
                if player != OVER:
                    path.append(TwinStep(row, self.ordered(row, old, told - 1), met, told))
            elif infoset(game, row) == mine[met][0]:
                if met + 1 == len(mine):
                    ways = [s.taken for s in path]
                    return Line([*rows[:place], *(s.row for s in path), row], [*moves[:place], *ways])
                path.append(TwinStep(row, [mine[met][1]], met + 1, told))
        return None

    def ordered(self, row: Row, old: list[tuple[int, str]], told: int) -> list[int]:
        """What to try at a move of chance or another player, best last: as in the old line, then anything."""
        ways = outcomes(self.game, row)
        self.dice.shuffle(ways)
        number, name = old[told] if told < len(old) else (-1, "")
        if len(ways) > NAMED:
            return [*ways[:TRIED], *([number] if number in ways else [])]
        names = {a: str(self.game.action_name(row, a)) for a in ways}
        known = {said for _, said in old}
        return sorted(ways, key=lambda a: (names[a] == name) * 2 + (names[a] in known))


@dataclass
class TwinStep:
    """A place on the way of a search: what is left to be tried there, and how much of the old line has been met."""

    row: Row
    untried: list[int]
    met: int  # infosets of the player
    told: int  # moves of the others
    taken: int = -1
