"""Positions by hand: a wall in its order, or a table with hands, melds and rivers. What cannot be is refused."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.games.mahjong.offers import after_draw, to_claim, to_discard
from ruse.games.mahjong.row import (
    A_COLUMN,
    CHOW_BIT,
    CLAIM,
    DISCARDING,
    DRAWN,
    DREW,
    EXPOSED,
    FRONT,
    HAND,
    HANDS,
    HIDDEN,
    KNOWN,
    MELDS,
    OPTIONS,
    PHASE,
    PONG_MELD,
    PUBLIC,
    RIVERS,
    TILE,
    WALL,
    WALL_TILES,
    WHO,
    WIDTH,
    melds_in,
    tiles_in,
)
from ruse.games.mahjong.tiles import COPIES, KINDS, LOWS, NAMES, TILES, counts_of, packed, tiles_named
from ruse.protocol.game import Row

if TYPE_CHECKING:
    from ruse.games.mahjong.rules import Mahjong

PHASES = {CLAIM: "to answer a discard", DRAWN: "after a draw", DISCARDING: "to discard"}


def outcomes_of(kinds: Sequence[int]) -> list[int]:
    """The 64 chance moves that lay these tiles: 13 for player 0, 13 for player 1, then the wall from its front.

    >>> outcomes_of([k for k in range(16) for _ in range(4)])[:6]
    [0, 0, 0, 0, 0, 0]
    """
    refuse_other_wall(kinds)
    left, found = [COPIES] * KINDS, []
    for kind in kinds:
        found.append(sum(1 for other in range(kind) if left[other]))
        left[kind] -= 1
    return found


def refuse_other_wall(kinds: Sequence[int]) -> None:
    """Raise unless these are the 64 tiles."""
    if len(kinds) != TILES:
        raise RuseError(f"a wall has {TILES} tiles, got {len(kinds)}")
    for kind in kinds:
        if isinstance(kind, bool) or not isinstance(kind, int | np.integer) or not 0 <= kind < KINDS:
            raise RuseError(f"a tile is a kind from 0 to {KINDS - 1}, got {kind!r:.80}")
    for kind, count in sorted(Counter(kinds).items()):
        if count != COPIES:
            raise RuseError(f"a wall has {COPIES} tiles of each kind, got {count} of {NAMES[kind]}")


def dealt(game: "Mahjong", kinds: Sequence[int]) -> Row:
    """The row after a deal, in which player 0 has drawn the first tile."""
    row = game.start()
    for a in outcomes_of(kinds):
        game.apply(row, a)
    return row


def position(
    game: "Mahjong",
    hands: Sequence[str],
    *,
    melds: Sequence[Sequence[str]] = ((), ()),
    rivers: Sequence[str] = ("", ""),
    wall: str = "",
    turn: int = 0,
    phase: int = DISCARDING,
    tile: str = "",
) -> Row:
    """A row made by hand; hands are concealed tiles by name, a drawn one too.

    A meld is its name and a tile, the lowest of a chow: "chow 1m", "pong E", "kong C", "concealed kong F". `wall` is
    what is drawn first; the other tiles that nobody holds follow low to high. `tile` is the one that was drawn (phases
    1 and 2), or discarded (phase 0), which lies in the other's river. What was known before is made up, so such a row
    has infosets of its own.
    """
    s = np.zeros(WIDTH, np.int64)
    for p in range(2):
        s[HANDS + p], s[RIVERS + p] = held(tiles_named(hands[p])), held(tiles_named(rivers[p]))
        s[MELDS + p] = melds_named(melds[p])
    refuse_sizes(s, turn, phase)
    s[WHO], s[PHASE], s[TILE], s[DREW] = turn, phase, -1, -1
    lay_wall(s, tiles_named(wall))
    for p in range(2):
        s[KNOWN + p] = mix(s[HANDS + p], s[MELDS + p])
    s[PUBLIC] = mix(mix(s[RIVERS], s[RIVERS + 1]), mix(s[MELDS], s[MELDS + 1]))
    kind = tiles_named(tile)[0] if tile else -1
    offer(game, s, kind)
    return s


def offer(game: "Mahjong", s: Row, kind: int) -> None:
    """Say what may be done, given the tile that was discarded or drawn."""
    me, phase = int(s[WHO]), int(s[PHASE])
    if phase == CLAIM:
        if kind < 0 or counts_of(int(s[RIVERS + 1 - me]))[kind] == 0:
            raise RuseError(f"the tile to be claimed must lie in the river of player {1 - me}; name it as tile=")
        s[TILE], s[OPTIONS] = kind, to_claim(game, s, me, kind)
        return
    if kind >= 0:
        if counts_of(int(s[HANDS + me]))[kind] == 0:
            raise RuseError(f"player {me} cannot have drawn {NAMES[kind]}: it is not in the hand")
        s[DREW] = kind
    s[OPTIONS] = after_draw(game, s, me) if phase == DRAWN else to_discard(s, me)


def held(kinds: list[int]) -> int:
    """Tiles in one integer; more than there are of a kind are refused."""
    for kind, count in Counter(kinds).items():
        if count > COPIES:
            raise RuseError(f"there are {COPIES} tiles of a kind, got {count} of {NAMES[kind]} in one place")
    return packed(kinds)


def melds_named(texts: Sequence[str]) -> int:
    """Melds by name, as a row has them."""
    found = 0
    for text in texts:
        name, _, tile = text.rpartition(" ")
        kind = NAMES.index(tile) if tile in NAMES else -1
        codes = {"pong": PONG_MELD, "kong": EXPOSED, "concealed kong": HIDDEN}
        if name == "chow" and 0 <= kind < LOWS:
            found += 1 << CHOW_BIT + 3 * kind
        elif name in codes and kind >= 0:
            found += codes[name] << 2 * kind
        else:
            raise RuseError(f"a meld is 'chow 1m' to 'chow 7m', 'pong E', 'kong E' or 'concealed kong E', got {text!r}")
    return found


def refuse_sizes(s: Row, turn: int, phase: int) -> None:
    """Raise unless players hold as many tiles as they can, and no kind is there too often."""
    if turn not in (0, 1) or phase not in PHASES:
        raise RuseError(f"turn is 0 or 1 and phase 0, 1 or 2, got {turn!r} and {phase!r}")
    for p in range(2):
        melds = int(melds_in(s[MELDS + p]))
        due = HAND - 3 * melds + (p == turn and phase != CLAIM)
        size = sum(counts_of(int(s[HANDS + p])))
        if size != due:
            beside = f"beside {melds} meld{'s' if melds != 1 else ''}" if melds else "without melds"
            raise RuseError(f"player {p} must hold {due} tiles {beside} {PHASES[phase]} of player {turn}, got {size}")
    there = [sum(column) for column in zip(*map(counts_of, lying(s)), strict=True)]
    for kind, count in enumerate(there):
        if count > COPIES:
            raise RuseError(f"there are {COPIES} tiles of a kind, got {count} of {NAMES[kind]} on the table")


def lying(s: Row) -> list[int]:
    """All that is not in the wall, packed."""
    return [int(tiles) for p in range(2) for tiles in (s[HANDS + p], s[RIVERS + p], tiles_in(s[MELDS + p]))]


def lay_wall(s: Row, first: list[int]) -> None:
    """Put what nobody holds into the wall; the places of tiles that were drawn keep nothing."""
    there = [sum(column) for column in zip(*map(counts_of, lying(s)), strict=True)]
    left = [COPIES - count for count in there]
    for kind in first:
        if left[kind] == 0:
            raise RuseError(f"no {NAMES[kind]} is left for the wall")
        left[kind] -= 1
    tiles = first + [kind for kind, count in enumerate(left) for _ in range(count)]
    s[FRONT] = WALL_TILES - len(tiles)
    for place, kind in enumerate(tiles, int(s[FRONT])):
        s[WALL + place // A_COLUMN] |= kind << 4 * (place % A_COLUMN)
