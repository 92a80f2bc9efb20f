"""A game of Mahjong as a viewer sees it: the facts, and the words that are made of them."""

from itertools import groupby

from ruse.compile.hashing import mix
from ruse.games.mahjong.row import (
    BACK,
    CLAIM,
    DRAWN,
    DREW,
    FRONT,
    HAND,
    HANDS,
    KNOWN,
    PATTERN,
    PHASE,
    PUBLIC,
    ROB,
    SCORE,
    TILE,
    WALL_TILES,
    WHO,
    wall_left,
    wall_tile,
)
from ruse.games.mahjong.telling.past import Past, past_of, unordered
from ruse.games.mahjong.tiles import NAMES, TILES, kinds_of, names_of, some
from ruse.games.mahjong.wins import PATTERNS
from ruse.protocol.game import EVERYTHING, OVER, Game
from ruse.protocol.scene import Scene, Zone
from ruse.protocol.state import State


def seen(game: Game, state: State, viewer: int) -> Scene:
    """Hands, melds, rivers, what is left of the wall, and what has happened, as far as the viewer has seen it.

    While the other thinks, the viewer is not told whether he has drawn by now, as he would see what the other may do.
    """
    row = state.row.tolist()
    if row[FRONT] < 0:
        return dealing(row, viewer)
    past = past_of(game, state.history, row)
    hides = row[WHO] not in (viewer, OVER) and viewer != EVERYTHING
    in_flight = int(hides and row[DREW] >= 0)
    left = wall_left(game, row) + in_flight
    facts = {} if hides or row[WHO] == OVER else {"phase": asked(row)}
    facts |= {"drawn": NAMES[row[DREW]]} if not hides and row[DREW] >= 0 else {}
    facts |= {"end": ending(row, viewer)} if row[WHO] == OVER else {}
    facts |= {} if past else {"past": f"#{mix(row[PUBLIC], row[KNOWN + max(viewer, 0)]) & 0xFFFFFFFFFFFFFFFF:x}"}
    lying = past or unordered(row)
    scene = Scene(
        viewer,
        row[WHO],
        "",
        zones=(*(hand(row, p, viewer, in_flight) for p in range(2)), *laid(lying), wall(game, row, viewer, left)),
        numbers={"wall": (left,), "round": (row[FRONT] + row[BACK] - in_flight,)},
        events=lying.heard[viewer],
        facts=facts,
    )
    return scene._replace(words=" | ".join(words(scene)))


def dealing(row: list[int], viewer: int) -> Scene:
    """Nothing is seen while the wall is laid, other than by those who see everything."""
    if viewer != EVERYTHING:
        return Scene(viewer, row[WHO], "dealing")
    dealt = TILES + row[FRONT]
    hands = [Zone("hand", p, tuple(names_of(kinds_of(row[HANDS + p])))) for p in range(2)]
    tiles = tuple(NAMES[wall_tile(row, k)] for k in range(max(0, dealt - 2 * HAND)))
    zones = (*hands, Zone("wall", shown=tiles))
    words = " / ".join(map(tiles_shown, zones))
    return Scene(viewer, row[WHO], f"dealing: {words}", zones=zones)


# ---- zones -----------------------------------------------------------------------------------------------------------


def hand(row: list[int], player: int, viewer: int, in_flight: int) -> Zone:
    """Concealed tiles, the one just drawn last; the other's are only counted, but for a winner's."""
    tiles, drew = row[HANDS + player], row[DREW]
    is_winner = row[PATTERN] > 0 and player == winner(row)
    if viewer not in (player, EVERYTHING) and not is_winner:
        return Zone("hand", player, hidden=len(kinds_of(tiles)) - in_flight)
    last = [drew] if drew >= 0 and (row[WHO] == player or is_winner) else []
    return Zone("hand", player, tuple(names_of(kinds_of(tiles - sum(some(kind, 1) for kind in last)) + last)))


def laid(past: Past) -> list[Zone]:
    """Melds, one zone each, and rivers."""
    melds = [Zone(meld.name, p, tuple(names_of(meld.kinds))) for p in range(2) for meld in past.melds[p]]
    return melds + [Zone("river", p, tuple(names_of(past.rivers[p]))) for p in range(2)]


def wall(game: Game, row: list[int], viewer: int, left: int) -> Zone:
    """What may still be drawn; the tile next to be drawn first."""
    if viewer != EVERYTHING:
        return Zone("wall", hidden=left)
    places = range(row[FRONT], WALL_TILES - row[BACK])
    return Zone("wall", shown=tuple(NAMES[wall_tile(row, k)] for k in places))


# ---- words -----------------------------------------------------------------------------------------------------------


def asked(row: list[int]) -> str:
    """What the player to act is asked."""
    if row[PHASE] == CLAIM:
        return f"claim {NAMES[row[TILE]]}?"
    if row[PHASE] == ROB:
        return f"rob the kong of {NAMES[row[TILE]]}?"
    return "drawn" if row[PHASE] == DRAWN else "discard"


def words(scene: Scene) -> list[str]:
    """The parts of a line: 1m 2m ... E 9m | discard, drew 9m, wall 36 | you: draw C, discard F | player 1: discard 9m.

    To those who see everything rivers tell the past.
    """
    sees_all = scene.viewer == EVERYTHING
    hands = [zone for zone in scene.zones if zone.name == "hand"]
    table = [scene.facts["phase"]] if "phase" in scene.facts else []
    table += [f"drew {scene.facts['drawn']}"] if "drawn" in scene.facts else []
    table += [f"wall {scene.numbers['wall'][0]}"]
    past = [f"... {scene.facts['past']}"] if "past" in scene.facts else []
    return [
        " / ".join(map(tiles_shown, hands if sees_all else hands[scene.viewer : scene.viewer + 1])),
        ", ".join(table),
        *declared(scene),
        *(["rivers " + " / ".join(tiles_shown(zone) for zone in scene.zones if zone.name == "river")] if sees_all else
          [*past, *by_turns(scene)]),
        *([scene.facts["end"]] if "end" in scene.facts else []),
    ]  # fmt: skip


def tiles_shown(zone: Zone) -> str:
    return " ".join(zone.shown) or "no tiles"


def by_turns(scene: Scene) -> list[str]:
    """What has happened, with all in one text that a player did in a row: you: draw C, discard F."""
    return [
        f"{named(player, scene.viewer)}: {', '.join(event.what for event in events)}"
        for player, events in groupby(scene.events, key=lambda event: event.player)
    ]


def declared(scene: Scene) -> list[str]:
    """Melds of each player who has any."""
    found = []
    for p in range(2):
        melds = [zone for zone in scene.zones if zone.owner == p and zone.name not in ("hand", "river")]
        told = [f"{zone.name} {' '.join(zone.shown if zone.name == 'chow' else zone.shown[:1])}" for zone in melds]
        found += [f"{named(p, scene.viewer)} declared {', '.join(told)}"] if told else []
    return found


def winner(row: list[int]) -> int:
    return 0 if row[SCORE] > 0 else 1


def ending(row: list[int], viewer: int) -> str:
    """As in: won by player 1 with E, pongponghu, 2 points."""
    if row[PATTERN] == 0:
        return "a draw"
    kind = row[DREW] if row[DREW] >= 0 else row[TILE]
    how = "drawn" if row[DREW] >= 0 else "claimed"
    points = abs(row[SCORE])
    worth = f"{points} point{'s' if points != 1 else ''}"
    return f"won by {named(winner(row), viewer)} with {NAMES[kind]} {how}, {PATTERNS[row[PATTERN]]}, {worth}"


def named(seat: int, viewer: int) -> str:
    return "you" if seat == viewer else f"player {seat}"
