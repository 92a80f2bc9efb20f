"""Mahjong as it is told at the table: each event as it happens, and what lies there when it is one's turn.

`viewer` is a seat, or None for what everybody may hear. Nobody hears of another's draw or pass by itself: when it is
told would say whether there was a claim to be made.
"""

from typing import TYPE_CHECKING

from ruse.games.mahjong.actions import CHOW, CONCEALED, DISCARD, PASS, WIN, code_name
from ruse.games.mahjong.past import DRAW, Happened, Meld, events_of, melds_of
from ruse.games.mahjong.row import CLAIM, DREW, HANDS, MELDS, PATTERN, PHASE, RIVERS, ROB, SCORE, TILE, WHO, wall_left
from ruse.games.mahjong.tiles import NAMES, kinds_of, names_of, some
from ruse.games.mahjong.wins import PATTERNS
from ruse.protocol.game import CHANCE, OVER, Row

if TYPE_CHECKING:
    from ruse.games.mahjong.rules import Mahjong

HELP = """\
Draw a tile and discard one, until four melds (three in a row, or three or four of a kind) and a pair are in your hand,
or seven pairs. What the other discards may be claimed for a chow, a pong, a kong or the win. Tiles are 1m to 9m, the
winds E S W N and the dragons C (red) F (green) P (white). Four pongs or kongs, and seven pairs, count two points."""


def told(game: "Mahjong", before: Row, a: int, after: Row, viewer: int | None) -> list[str]:
    """What the viewer hears when action or outcome a has led from one state to the next."""
    if after[WHO] == CHANCE:
        return []
    lines = told_of_deal(before, after, viewer) if before[WHO] == CHANCE else []
    for event in events_of(before, a, after):
        lines += told_of(event, after, viewer)
    if after[WHO] == OVER and after[PATTERN] == 0:
        lines.append("the wall is empty: a draw")
    return lines


def told_of_deal(before: Row, after: Row, viewer: int | None) -> list[str]:
    if viewer is None:
        return ["the tiles are dealt; player 0 begins"]
    hand = kinds_of(int(before[HANDS + viewer]))
    return [f"you are dealt {' '.join(names_of(hand))}; {verb(0, viewer, 'begin', 'begins')}"]


def told_of(event: Happened, after: Row, viewer: int | None) -> list[str]:
    """One event in words, to whom it concerns."""
    who, code, kind = event
    if code == PASS:
        return []
    if code == DRAW:
        return [f"you draw {NAMES[kind]}"] if who == viewer else []
    if code == WIN:
        return [told_of_win(who, kind, after, viewer)]
    if code >= DISCARD:
        return [f"{verb(who, viewer, 'discard', 'discards')} {NAMES[code - DISCARD]}"]
    meld = code_name(code, kind)
    if code >= CONCEALED:
        return [f"{verb(who, viewer, 'declare', 'declares')} {meld}"]
    return [f"{verb(who, viewer, 'claim', 'claims')} {NAMES[kind]}: {meld if code >= CHOW else meld.split()[0]}"]


def told_of_win(who: int, kind: int, after: Row, viewer: int | None) -> str:
    points = abs(int(after[SCORE]))
    worth = f"{PATTERNS[after[PATTERN]]}, {points} point{'s' if points != 1 else ''}"
    how = f"with {NAMES[kind]}" if kind >= 0 else f"by drawing {NAMES[after[DREW]]}"
    tiles = " ".join(names_of(kinds_of(int(after[HANDS + who]))))
    melds = "".join(f", {meld_words(meld)}" for meld in melds_of(int(after[MELDS + who])))
    return f"{verb(who, viewer, 'win', 'wins')} {how}: {tiles}{melds} ({worth})"


def shown(game: "Mahjong", s: Row, viewer: int) -> list[str]:
    """What lies on the table when it is the viewer's turn, and what is asked."""
    other = 1 - viewer
    hand, drew = int(s[HANDS + viewer]), int(s[DREW])
    tiles = names_of(kinds_of(hand - (some(drew, 1) if drew >= 0 else 0)))
    return [
        f"player {other}: {len(kinds_of(int(s[HANDS + other])))} tiles{melds_words(s, other)}",
        f"  discards: {river_words(s, other)}",
        f"wall: {wall_left(game, s)} tiles left",
        f"  your discards: {river_words(s, viewer)}",
        f"your hand: {' '.join(tiles)}{f' + {NAMES[drew]}' if drew >= 0 else ''}{melds_words(s, viewer)}",
        question(s, other),
    ]


def question(s: Row, other: int) -> str:
    if s[PHASE] == CLAIM:
        return f"player {other} has discarded {NAMES[s[TILE]]}. Do you claim it?"
    if s[PHASE] == ROB:
        return f"player {other} adds {NAMES[s[TILE]]} to a pong. Do you rob it?"
    return f"You drew {NAMES[s[DREW]]}. What do you do?" if s[DREW] >= 0 else "What do you discard?"


# ---- words -----------------------------------------------------------------------------------------------------------


def verb(seat: int, viewer: int | None, mine: str, others: str) -> str:
    return f"you {mine}" if seat == viewer else f"player {seat} {others}"


def meld_words(meld: Meld) -> str:
    """As in: chow 1m 2m 3m, pong E."""
    return f"{meld.name} {' '.join(names_of(meld.kinds if meld.name == 'chow' else meld.kinds[:1]))}"


def melds_words(s: Row, seat: int) -> str:
    return "".join(f" | {meld_words(meld)}" for meld in melds_of(int(s[MELDS + seat])))


def river_words(s: Row, seat: int) -> str:
    return " ".join(names_of(kinds_of(int(s[RIVERS + seat])))) or "none"
