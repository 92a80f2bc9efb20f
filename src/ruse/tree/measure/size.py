"""How large a game is, told before anything large is allocated."""

from typing import NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.values.fields import refuse_unplayable
from ruse.protocol.view import Full, View
from ruse.tree.discovery import COUNT, DEPTH, KEY, LEAVES
from ruse.tree.measure.dives import Sighted, histories_told, sighted
from ruse.tree.measure.free import free_memory
from ruse.tree.measure.survey import GameSurvey
from ruse.words.amounts import in_bytes
from ruse.words.naming import named

COUNTED = 50_000_000  # histories up to which a game is counted, whatever it takes in memory
FEW, FEW_DIVES = 1_000_000, 10_000  # histories that are counted in any case, and dives if there are far more of them
LITTLE = 1 << 26  # bytes that a game may take and still be counted to the end, if only to be told exactly
MOST = (1 << 32) - 1  # entries that the engine can number


class TooLarge(RuseError):
    """The game does not fit into this machine's memory."""


class Size(NamedTuple):
    """The counts of a game's tree, exact unless it was too large to walk."""

    players: int
    histories: float
    leaves: float
    infosets: float
    sequences: float  # of infosets: their actions, and an empty one for each player
    depth: int
    is_exact: bool
    nodes: float = 0  # infosets told apart by the own actions before: as many as infosets, unless players forget
    actions: float = 0  # of nodes
    is_least: bool = False  # whether there is more of it

    @property
    def bytes(self) -> int:
        """Memory that it takes to expand the game and solve it, besides what the program itself takes.

        Leaves take the most while they are sorted, once for each player: own and other sequences and a payoff
        (4 P + 8), two orders of them (8), and the result (4 P + 4). Later there are two such results, the whole game
        and the merged one, and the tables. What nodes and actions take was measured (`tests/tree/test_size.py`).
        """
        players = self.players
        sorting = self.leaves * players * (8 * players + 20) + self.nodes * 160 + self.actions * 20
        solving = self.leaves * players * (8 * players + 8) + self.nodes * 80 + self.actions * 160
        needed = 1.05 * max(sorting, solving)
        return int(min(needed, 1e300))  # an estimate of an endless game may be infinite

    def __str__(self) -> str:
        if self.is_exact:
            return f"{self.histories:,} histories, {self.infosets:,} infosets, {self.leaves:,} leaves, {self.memory}"
        about = "more than" if self.is_least else "about"
        return f"{about} {self.histories:.2g} histories, {self.leaves:.2g} leaves, {self.memory}"

    @property
    def memory(self) -> str:
        return in_bytes(self.bytes)


def counted(survey: GameSurvey, *, is_exact: bool = True) -> Size:
    """What has been counted so far."""
    players, rows, sequences = survey.game.players, survey.found.rows, survey.sequences
    actions = sequences - players
    _, earliest = np.unique(rows[:, KEY], return_index=True)
    if len(earliest) < len(rows):
        sequences = int(rows[earliest, COUNT].sum()) + players
    leaves, depth = survey.total(LEAVES), survey.total(DEPTH)
    return Size(players, survey.histories, leaves, len(earliest), sequences, depth, is_exact, len(rows), actions)


def bytes_of(survey: GameSurvey) -> int:
    """Memory for what has been counted so far."""
    players, actions = survey.game.players, survey.sequences - survey.game.players
    return Size(players, 0, survey.total(LEAVES), 0, 0, 0, False, survey.nodes, actions).bytes


def is_within(game: Game, limit: int) -> bool:
    """Whether a game has at most so many histories."""
    survey = GameSurvey(game, Full(), keeps_leaves=False, walkers=1)
    while not survey.is_done and survey.visited < limit:
        survey.go_on(pause=limit)
    return survey.is_done


def tree_size(game: Game, view: View | None = None, *, limit: int | None = None, room: int | None = None) -> Size:
    """Count a game's tree, or estimate it by random dives if it has more than `limit` histories (50 millions).

    With `room`, in bytes, it is counted to the end however many there are, unless it takes more than that: by the
    estimate, or by what has been counted.
    """
    # Where counting may stop before the end, one walker counts: what is told then is the same on every machine.
    walkers = 1 if room is None else None
    return size_of(GameSurvey(game, view or Full(), keeps_leaves=False, walkers=walkers), limit=limit, room=room)


def size_of(survey: GameSurvey, *, limit: int | None = None, room: int | None = None) -> Size:
    """The same of a survey, which has seen all of the game if the size is exact."""
    game, view = survey.game, survey.view
    refuse_unplayable(game)
    limit = COUNTED if limit is None else limit
    rough: Size | None = None
    while not survey.is_done:
        if survey.visited == FEW < limit and is_far_beyond(histories_told(game, FEW_DIVES), limit):
            rough = estimate(sighted(game, view, FEW_DIVES), survey)  # notes take room: not before they are needed
            if room is None or rough.bytes > room:
                return rough
        if survey.visited >= limit and rough is None:
            rough = estimate(sighted(game, view), survey)
            if room is None or rough.bytes > room:
                return rough
        if room is not None and bytes_of(survey) > max(room, LITTLE):  # counting takes memory, too
            # If dives do not know of more than was counted, they have missed what there still is.
            rough = estimate(sighted(game, view), survey)
            return rough._replace(is_least=rough.histories <= survey.visited)
        survey.go_on(pause=FEW if survey.visited < FEW < limit else limit)
    return counted(survey)


def estimate(about: Sighted, survey: GameSurvey) -> Size:
    """The size of a game of which a part has been counted: what dives tell, and never less than was known."""
    known, game = counted(survey, is_exact=False), survey.game
    infosets = max(about.infosets, float(known.infosets))
    actions = max(about.actions, float(known.sequences - game.players))
    told_apart = max(known.nodes, 1) / max(known.infosets, 1)  # by own actions before
    return known._replace(
        histories=max(about.histories, float(known.histories)), leaves=max(about.leaves, float(known.leaves)),
        infosets=infosets, sequences=actions + game.players, nodes=infosets * told_apart, actions=actions * told_apart,
        depth=max(known.depth, about.depth),
    )  # fmt: skip


def is_far_beyond(histories: float, limit: int) -> bool:
    """Whether dives say that a game has more than a million times so many histories.

    On average they tell what is true (Knuth 1975), so of a game of `limit` histories or fewer they tell that once in a
    million times at most. Mostly they tell too little.
    """
    return histories > 1e6 * limit


def refuse_if_too_large(game: Game, measured: Size, memory: int | None = None) -> None:
    """Raise TooLarge, with the estimate, unless the game fits into `memory` bytes (default: what is free)."""
    room = free_memory() if memory is None else memory
    if measured.bytes > room:
        raise TooLarge(
            f"{named(game)} is too large to expand: {measured} needed, {in_bytes(room)} "
            f"{'free' if memory is None else 'allowed'}; make the game smaller, or sample it"
        )
    if max(measured.players * measured.leaves, measured.actions + measured.players) > MOST:
        raise TooLarge(
            f"{named(game)} is too large to expand: {measured}, and there are numbers for {MOST:,} leaves, counted "
            "once for "
            "each player; make the game smaller, or sample it"
        )
