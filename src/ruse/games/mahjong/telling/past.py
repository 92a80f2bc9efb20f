"""What has happened in a game, in order: who drew, claimed and discarded what, told from the way to a state."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN, code_name, code_of
from ruse.games.mahjong.row import (
    BACK,
    EXPOSED,
    FRONT,
    HIDDEN,
    MELDS,
    PATTERN,
    PHASE,
    RIVERS,
    ROB,
    SCORE,
    TILE,
    WALL_TILES,
    WHO,
    chows_from,
    meld_of,
    wall_tile,
)
from ruse.games.mahjong.tiles import KINDS, LOWS, NAMES, TILES, kinds_of
from ruse.protocol.game import CHANCE, EVERYTHING, Game, Row
from ruse.protocol.scene import Event
from ruse.protocol.values.recent import Recent, identity_of

DRAW = -1  # beside the codes of actions

Columns: TypeAlias = Row | Sequence[int]  # a row, or the same as a list, which is quicker


class Happened(NamedTuple):
    """One thing that a player did, or that befell him."""

    player: int
    code: int  # of an action, or DRAW
    kind: int  # the tile that was drawn, or that lay there

    def told_to(self, viewer: int) -> list[Event]:
        """What a viewer hears of it: of the other's draws and passes nothing; they follow from what he does next."""
        if self.code in (DRAW, PASS) and viewer not in (self.player, EVERYTHING):
            return []
        words = f"draw {NAMES[self.kind]}" if self.code == DRAW else code_name(self.code, self.kind)
        return [Event(self.player, words)]


class Meld(NamedTuple):
    """What was declared: its name, and its tiles."""

    name: str
    kinds: tuple[int, ...]


class Past(NamedTuple):
    """All that has happened, and how the melds and discards that are left of it lie there, first to last."""

    row: list[int]
    heard: tuple[tuple[Event, ...], ...] = ((), (), ())  # by player 0, by player 1, and all of it
    melds: tuple[tuple[Meld, ...], ...] = ((), ())
    rivers: tuple[tuple[int, ...], ...] = ((), ())

    def then(self, game: Game, a: int) -> "Past":
        """One move on."""
        row: Any = self.row.copy()  # a list, which plain Python changes sooner than an array
        game.apply(row, a)
        new = events_of(self.row, a, row)
        melds, rivers = list(self.melds), list(self.rivers)
        for player, code, kind in new:
            if code >= DISCARD:
                rivers[player] += (code - DISCARD,)
            elif code >= PONG:
                melds[player] = with_meld(melds[player], code, kind)
            other, is_robbed = 1 - player, self.row[PHASE] == ROB and code == WIN
            if is_robbed:
                melds[other] = tuple(pong(kind) if meld.kinds[0] == kind else meld for meld in melds[other])
            elif PONG <= code < CONCEALED or (code == WIN and kind >= 0):
                rivers[other] = rivers[other][:-1]
        heard = tuple(
            (*old, *(event for one in new for event in one.told_to(viewer)))
            for old, viewer in zip(self.heard, (0, 1, EVERYTHING), strict=True)
        )
        return Past(row, heard, tuple(melds), tuple(rivers))


_pasts = Recent[Past](64)  # people are shown one state after another


def past_of(game: Game, history: Sequence[int], row: Columns) -> Past | None:
    """What has happened on the way to a row; None if that is not told, because only the row is at hand."""
    whole, known = tuple(history), identity_of(game)
    if len(whole) < TILES:
        return None
    if (before := _pasts.places.get((known, whole[:-1]))) and before.things:
        past = _pasts.of((known, whole), lambda: before.things[0].then(game, whole[-1]))
    else:
        past = _pasts.of((known, whole), lambda: replayed(game, whole))
    return past if past.row == [int(x) for x in row] else None


def replayed(game: Game, history: Sequence[int]) -> Past:
    """The same from the start."""
    row = game.start().tolist()
    for a in history[: TILES - 1]:
        game.apply(row, a)
    past = Past(row)
    for a in islice(history, TILES - 1, None):
        past = past.then(game, a)
    return past


def events_of(before: Columns, a: int, after: Columns) -> list[Happened]:
    """What happens between two rows: an action, and the draw that may follow; a win that is not asked for, too."""
    found = []
    drawer, me = 0, int(before[WHO])
    if me != CHANCE:
        code = int(code_of(before, a))
        found.append(Happened(me, code, int(before[TILE])))
        in_turn = code >= DISCARD or (code == PASS and before[PHASE] == ROB)
        drawer = 1 - me if in_turn else me
    drawn = drawn_between(before, after)
    if drawn >= 0:
        found.append(Happened(drawer, DRAW, drawn))
    if after[PATTERN] > 0 and not (found and found[0].code == WIN):
        winner = 0 if after[SCORE] > 0 else 1
        found.append(Happened(winner, WIN, int(after[TILE])))
    return found


def drawn_between(before: Columns, after: Columns) -> int:
    """The tile that was drawn, or -1."""
    if after[FRONT] > 0 and after[FRONT] > max(before[FRONT], 0):
        return int(wall_tile(after, after[FRONT] - 1))
    if after[BACK] > before[BACK]:
        return int(wall_tile(after, WALL_TILES - after[BACK]))
    return -1


# ---- melds -----------------------------------------------------------------------------------------------------------


def pong(kind: int) -> Meld:
    return Meld("pong", (kind,) * 3)


def with_meld(melds: tuple[Meld, ...], code: int, kind: int) -> tuple[Meld, ...]:
    """The melds after a claim or a kong; a kong that is added to a pong lies in its place."""
    if code == PONG:
        return (*melds, pong(kind))
    if code == KONG:
        return (*melds, Meld("kong", (kind,) * 4))
    if code < CONCEALED:
        return (*melds, Meld("chow", tuple(range(code - CHOW, code - CHOW + 3))))
    if code < ADDED:
        return (*melds, Meld("concealed kong", (code - CONCEALED,) * 4))
    kind = code - ADDED
    return tuple(Meld("kong", (kind,) * 4) if meld == pong(kind) else meld for meld in melds)


def melds_of(packed: int) -> tuple[Meld, ...]:
    """Melds of a row, low to high: in what order they were declared it does not tell."""
    found = [Meld("chow", (low, low + 1, low + 2)) for low in range(LOWS) for _ in range(chows_from(packed, low))]
    for kind in range(KINDS):
        meld = int(meld_of(packed, kind))
        if meld:
            name = "concealed kong" if meld == HIDDEN else "kong"
            found.append(Meld(name, (kind,) * 4) if meld >= EXPOSED else pong(kind))
    return tuple(found)


def unordered(row: Columns) -> Past:
    """What a row alone tells of the past: what lies there."""
    return Past(
        [int(x) for x in row],
        melds=tuple(melds_of(int(row[MELDS + p])) for p in range(2)),
        rivers=tuple(tuple(kinds_of(int(row[RIVERS + p]))) for p in range(2)),
    )
