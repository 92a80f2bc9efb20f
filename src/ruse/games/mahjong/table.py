"""Mahjong as it is told at the table: each event as it happens, and what lies there when it is one's turn.

`viewer` is a seat, or None for what everybody may hear. A seat is told what it sees, and nothing else: of the other's
draws only that they were made, and that when he has done something with them.
"""

from typing import TYPE_CHECKING

from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN
from ruse.games.mahjong.row import CLAIM, DRAWN, DREW, FRONT, HANDS, PATTERN, PHASE, ROB, SCORE, TILE, WHO
from ruse.games.mahjong.telling.past import DRAW, Columns, Happened, events_of
from ruse.games.mahjong.tiles import NAMES, kinds_of, names_of
from ruse.games.mahjong.wins import PATTERNS
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Row
from ruse.protocol.scene import NOBODY, Scene, Zone
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.games.mahjong.rules import Mahjong

HELP = """\
Tiles are characters 1m to 9m, winds E S W N, and dragons C (red) F (green) P (white), four of each.
Be the first with four melds and a pair: three or four equal tiles (pong, kong), or characters in a row (chow). Without
a chow that is worth 2 points, and so are seven pairs; all else is worth 1. Each turn you draw a tile and discard one.
What the other discards you may claim for a meld, which then lies open, or to win. To discard 9m, type 9m."""

# What a terminal may show in place of a name: a symbol, and a colour.
FACES = {
    name: (symbol, colour)
    for names, first, colour in (
        (NAMES[:9], 0x1F007, "yellow"), (NAMES[9:13], 0x1F000, "cyan"), ("C", 0x1F004, "red"),
        ("F", 0x1F005, "green"), ("P", 0x1F006, "bold"),
    )
    for name, symbol in zip(names, map(chr, range(first, first + 9)), strict=False)
}  # fmt: skip
PER_LINE = 20  # tiles of the wall


def told(game: "Mahjong", before: Row, a: int, after: Row, viewer: int | None) -> list[str]:
    """What the viewer hears when action or outcome a has led from one state to the next."""
    if after[FRONT] < 0:
        return []
    then, now = before.tolist(), after.tolist()
    lines = told_of_deal(then, viewer) if then[WHO] == CHANCE else []
    for one in events_of(then, a, now):
        lines += told_of(one, then, viewer)
    return lines + (told_of_end(now, viewer) if now[WHO] == OVER else [])


def told_of_deal(before: Columns, viewer: int | None) -> list[str]:
    begins = verb(0, viewer, "begin", "begins")
    if viewer is None:
        return [f"the tiles are dealt; {begins}"]
    hand = kinds_of(before[HANDS + viewer])  # without the first tile drawn, of which more is told
    return [f"you are dealt {' '.join(names_of(hand))}; {begins}"]


def told_of(one: Happened, before: Columns, viewer: int | None) -> list[str]:
    """What is told of a single event."""
    player, code, kind = one
    who, mine = seat_name(player, viewer), player == viewer
    if code in (DRAW, PASS):
        if not mine or (code == PASS and before[PHASE] not in (CLAIM, ROB)):
            return []
        return [f"you draw {NAMES[kind]}" if code == DRAW else "you pass"]
    if code == WIN:
        return []  # which the end tells
    if code >= DISCARD:
        has_drawn = not mine and before[DREW] >= 0
        return [f"{who} {'draws, and ' * has_drawn}{'discard' if mine else 'discards'} {NAMES[code - DISCARD]}"]
    if code >= ADDED:
        return [f"{who} {'add' if mine else 'adds'} {NAMES[code - ADDED]} to the pong, which makes a kong"]
    if code >= CONCEALED:
        return [f"{who} {'lay' if mine else 'lays'} down a concealed kong of {NAMES[code - CONCEALED]}"]
    tiles = {PONG: [kind] * 3, KONG: [kind] * 4}.get(code) or range(code - CHOW, code - CHOW + 3)
    name = {PONG: "pong", KONG: "kong"}.get(code, "chow")
    return [f"{who} {'claim' if mine else 'claims'} {NAMES[kind]} for a {name}: {' '.join(names_of(tiles))}"]


def told_of_end(s: Columns, viewer: int | None) -> list[str]:
    if s[PATTERN] == 0:
        return ["the wall is empty: a draw"]
    winner, points = 0 if s[SCORE] > 0 else 1, abs(s[SCORE])
    how = f"{NAMES[s[TILE]]} that was discarded" if s[TILE] >= 0 else f"{NAMES[s[DREW]]} just drawn"
    if s[PHASE] == ROB and s[TILE] >= 0:
        how = f"{NAMES[s[TILE]]} that was added to a pong"
    worth = f"{points} point{'s' if points != 1 else ''}"
    hand = " ".join(names_of(kinds_of(s[HANDS + winner])))
    shows = [] if winner == viewer else [f"player {winner} shows {hand}"]
    return [*shows, f"{verb(winner, viewer, 'win', 'wins')} with the {how}: {PATTERNS[s[PATTERN]]}, {worth}"]


# ---- what lies there -------------------------------------------------------------------------------------------------


def shown(state: State, viewer: int) -> list[str]:
    """What lies on the table when it is the viewer's turn, and what is asked."""
    scene: Scene = state.game.scene(state, viewer)  # type: ignore[attr-defined]
    return [*laid(scene, (1 - viewer, viewer)), question(state.row.tolist())]


def everything(state: State) -> list[str]:
    """All that lies anywhere, for those from whom nothing is hidden."""
    scene: Scene = state.game.scene(state, EVERYTHING)  # type: ignore[attr-defined]
    return laid(scene, (0, 1))


def laid(scene: Scene, seats: tuple[int, ...]) -> list[str]:
    """The wall, and hands, melds and rivers of the players in this order; a viewer's own hand comes last."""
    wall = next(zone for zone in scene.zones if zone.owner == NOBODY)
    lines = block("wall", [("left", counted(wall)), *(("", tiles) for tiles in folded(wall.shown))])
    for p in seats:
        own = [zone for zone in scene.zones if zone.owner == p]
        hand = next(zone for zone in own if zone.name == "hand")
        river = next((zone for zone in own if zone.name == "river"), Zone("river", p))
        melds = [zone for zone in own if zone.name not in ("hand", "river")]
        drawn = scene.facts.get("drawn") if scene.turn == p else None
        entries = [("hand", hand_words(hand, drawn))]
        entries += [("melds", " ".join(map(meld_words, melds)))] if melds else []
        entries += [("river", " ".join(river.shown) or "empty")]
        entries = entries[::-1] if p == scene.viewer else entries
        head = "you" if p == scene.viewer else f"player {p}"
        lines += block(head, entries)
    return lines


def block(head: str, entries: list[tuple[str, str]]) -> list[str]:
    """Lines that belong together, with their names before them."""
    return [f"  {head if k == 0 else '':<9}  {name:<5}  {text}" for k, (name, text) in enumerate(entries)]


def folded(tiles: tuple[str, ...]) -> list[str]:
    return [" ".join(tiles[k : k + PER_LINE]) for k in range(0, len(tiles), PER_LINE)]


def counted(zone: Zone) -> str:
    count = len(zone.shown) + zone.hidden
    return f"{count} tile{'s' if count != 1 else ''}"


def hand_words(hand: Zone, drawn: str | None) -> str:
    """A hand; the tile just drawn stands apart."""
    if hand.hidden:
        return counted(hand)
    if drawn is None:
        return " ".join(hand.shown)
    return f"{' '.join(hand.shown[:-1])} + {hand.shown[-1]}"


def meld_words(meld: Zone) -> str:
    tiles = " ".join(meld.shown)
    return f"({tiles})" if meld.name.startswith("concealed") else f"[{tiles}]"


def question(row: Columns) -> str:
    """What the player to act is asked."""
    tile = NAMES[row[TILE]] if row[TILE] >= 0 else ""
    if row[PHASE] == CLAIM:
        return f"{tile} was discarded. Do you claim it?"
    if row[PHASE] == ROB:
        return f"{tile} is added to a pong. Do you win with it?"
    if row[PHASE] == DRAWN:
        return "Do you declare anything? After a pass you discard."
    return "What do you discard?"


# ---- hints -----------------------------------------------------------------------------------------------------------


def hints(state: State, viewer: int) -> dict[str, str]:
    """What each policy would do in the viewer's place, and why; from what the viewer sees alone."""
    from ruse.games.mahjong.policies.reasons import hints as reasons  # whoever does not ask needs no tables

    return {name: words for name, (_, words) in reasons(state.game, state.row, viewer).items()}


# ---- words -----------------------------------------------------------------------------------------------------------


def seat_name(seat: int, viewer: int | None) -> str:
    return "you" if seat == viewer else f"player {seat}"


def verb(seat: int, viewer: int | None, mine: str, others: str) -> str:
    return f"{seat_name(seat, viewer)} {mine if seat == viewer else others}"
