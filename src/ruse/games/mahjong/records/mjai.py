"""Events as mjai has them, for two players and these tiles: start_game, start_kyoku, tsumo, dahai, chi, pon, ...

A kyoku is a game. What mjai knows and these rules do not (four players, other suits, riichi, dora, red fives, hidden
hands) is refused. `start_kyoku` has one entry more, `wall`: the tiles in the order in which they are drawn from the
front. Without it, as mjai's own files are, those that nobody has drawn lie in the order of their kinds.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN
from ruse.games.mahjong.records.board import (
    Board,
    at,
    deal_of,
    field,
    hands_of,
    is_same_json,
    names_from,
    refuse_too_many,
    rules_from,
    tiles_of,
)
from ruse.games.mahjong.row import CLAIM, DRAWN, DREW, HAND, PATTERN, PHASE, ROB, SCORE, SEATS, TILE, WALL_TILES
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.past import DRAW, Happened, Past
from ruse.games.mahjong.tiles import CHARACTERS, COPIES, KINDS, NAMES, names_of, tiles_named
from ruse.protocol.game import Game
from ruse.protocol.played import Lines, Played, RecordForm

FOREIGN = {
    "reach": "riichi", "reach_accepted": "riichi", "dora": "dora", "kita": "bonus tiles", "nukidora": "bonus tiles",
}  # fmt: skip
KANS = ("daiminkan", "ankan", "kakan")


def begins(entry: Any) -> bool:
    return isinstance(entry, dict) and entry.get("type") in ("start_game", "start_kyoku")


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(played: Played) -> Iterator[dict[str, Any]]:
    """The events of a game that is over, or of one that is not as far as it has come."""
    game: Any = played.game
    tiles = tiles_of(played.history)
    first, second, wall = hands_of(tiles)
    usual = Mahjong._field_defaults
    rules = {name: value for name, value in game._asdict().items() if value != usual[name]}
    deal = {"seed": played.seed, "deal": played.number}
    yield {
        "type": "start_game", "names": list(played.names), **{k: v for k, v in deal.items() if v is not None},
        **({"rules": rules} if rules else {}),
    }  # fmt: skip
    yield {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "scores": [0, 0],
        "tehais": [names_of(first), names_of(second)], "wall": names_of(wall),
    }  # fmt: skip
    board, told = Board(game, tiles), 1
    yield event_of(board.happened[0], -1)
    for before, *_ in board.follow(played.history):
        for one in board.happened[told:]:
            if one.code not in (PASS, WIN):  # nobody is told of a pass, and of a win at the end
                yield event_of(one, before.row[DREW])
        told = len(board.happened)
    if board.is_over:
        yield from ending(board.past)


def event_of(one: Happened, drew: int) -> dict[str, Any]:
    """What somebody did, who had drawn this tile."""
    player, code, tile = one
    if code == DRAW:
        return {"type": "tsumo", "actor": player, "pai": NAMES[tile]}
    if code >= DISCARD:
        kind = code - DISCARD
        return {"type": "dahai", "actor": player, "pai": NAMES[kind], "tsumogiri": kind == drew}
    if code >= ADDED:
        kind = code - ADDED
        return {"type": "kakan", "actor": player, "pai": NAMES[kind], "consumed": [NAMES[kind]] * 3}
    if code >= CONCEALED:
        return {"type": "ankan", "actor": player, "consumed": [NAMES[code - CONCEALED]] * 4}
    name, count = {PONG: ("pon", 2), KONG: ("daiminkan", 3)}.get(code, ("chi", 0))
    low = code - CHOW
    taken = [tile] * count if count else [kind for kind in range(low, low + 3) if kind != tile]
    return {"type": name, "actor": player, "target": 1 - player, "pai": NAMES[tile], "consumed": names_of(taken)}


def ending(past: Past) -> Iterator[dict[str, Any]]:
    row = past.row
    deltas = [row[SCORE], -row[SCORE]]
    if row[PATTERN] > 0:
        player = 0 if row[SCORE] > 0 else 1
        tile, target = (row[TILE], 1 - player) if row[TILE] >= 0 else (row[DREW], player)
        yield {"type": "hora", "actor": player, "target": target, "pai": NAMES[tile], "deltas": deltas}
    else:
        yield {"type": "ryukyoku", "reason": "fanpai", "deltas": deltas}
    yield {"type": "end_kyoku"}
    yield {"type": "end_game"}


# ---- reading ---------------------------------------------------------------------------------------------------------


class Numbered(NamedTuple):
    """An event, and the number of its line."""

    line: int
    event: dict[str, Any]


def read(lines: Lines, source: str, named: Game | None) -> Iterator[Played]:
    """The kyokus of a file, each as a game; each event is tested against the rules."""
    start: Numbered | None = None
    kyoku: list[Numbered] = []
    for number, entry in lines:
        with at(source, number):
            kind = field(entry, "type", str) if isinstance(entry, dict) else None
            if kind is None:
                raise RuseError("this is no event of mjai, which is a JSON object with a 'type'")
            if kind in FOREIGN:
                raise RuseError(f"{kind!r} is of {FOREIGN[kind]}, which these rules do not have")
            if kyoku and kind in ("start_game", "start_kyoku", "end_kyoku", "end_game"):
                yield one_game(start, kyoku, source, named)
                kyoku = []
            if kind == "start_game":
                start = Numbered(number, entry)
            elif kind == "start_kyoku" or kyoku:
                kyoku.append(Numbered(number, entry))
            elif kind not in ("end_kyoku", "end_game"):
                raise RuseError(f"{kind!r:.80} stands outside of a kyoku")
    if kyoku:
        yield one_game(start, kyoku, source, named)


def one_game(start: Numbered | None, kyoku: list[Numbered], source: str, named: Game | None) -> Played:
    """A kyoku as a game in which player 0 is the first to draw."""
    head = kyoku[0]
    line, told = start or Numbered(head.line, {})
    with at(source, line):
        names, deal = names_from(told, "names"), deal_of(told)
        game = rules_from(field(told, "rules", dict, {}), named)
    with at(source, head.line):
        oya = dealer(head.event)
        hands = first_hands(head.event, oya)
    tiles = laid(hands, kyoku, source)
    kyoku_of = Kyoku(Board(game, tiles), oya)
    for line, event in kyoku[1:]:
        with at(source, line):
            kyoku_of.take(event)
    return Played(game, tuple(kyoku_of.board.history), names[oya:] + names[:oya], *deal)


def dealer(head: dict[str, Any]) -> int:
    """Who is the first to draw."""
    hands, oya = field(head, "tehais", list), field(head, "oya", int, 0)
    if len(hands) != SEATS:
        raise RuseError(f"there are {len(hands)} players, and this Mahjong is for {SEATS}")
    if oya not in (0, 1):
        raise RuseError(f"'oya' must be 0 or 1, got {oya!r:.80}")
    if head.get("dora_marker") is not None:
        raise RuseError("there is a dora marker, and these rules have no dora; leave it out")
    return int(oya)


def first_hands(head: dict[str, Any], oya: int) -> list[list[int]]:
    hands = [tiles_from(hand) for hand in head["tehais"]]
    for hand in hands:
        if len(hand) != HAND:
            raise RuseError(f"a first hand has {HAND} tiles, and here is one of {len(hand)}")
    return hands[oya:] + hands[:oya]


def tiles_from(names: Any) -> list[int]:
    """Tiles by their names; says why if one is of another Mahjong."""
    if not isinstance(names, list):
        raise RuseError(f"{names!r:.80} is no list of tiles")
    for name in names:
        if name == "?":
            raise RuseError("a tile is hidden ('?'), and only a record that has all hands can be read")
        if not isinstance(name, str) or name not in NAMES:
            raise RuseError(f"there is no tile {name!r:.80} in this Mahjong; its tiles are {' '.join(NAMES)}")
    return tiles_named(names)


def laid(hands: Sequence[list[int]], kyoku: list[Numbered], source: str) -> list[int]:
    """All tiles in the order in which they are dealt, as far as events tell it."""
    front: list[int] = []
    back: list[int] = []
    head = kyoku[0]
    seen, is_after_kan = [*hands[0], *hands[1]], False
    with at(source, head.line):
        refuse_too_many(seen)
        wall = tiles_from(head.event["wall"]) if head.event.get("wall") is not None else None
        if wall is not None:
            if len(wall) != WALL_TILES:
                raise RuseError(f"'wall' must be {WALL_TILES} tiles, and is {len(wall)}")
            refuse_too_many(seen + wall)
            return seen + wall
    for line, event in kyoku:
        if event["type"] == "tsumo":
            with at(source, line):
                tile = tiles_from([event.get("pai")])[0]
                refuse_too_many([*seen, tile])
                if len(front) + len(back) == WALL_TILES:
                    raise RuseError(f"the wall has {WALL_TILES} tiles, and all of them are drawn")
            seen.append(tile)
            (back if is_after_kan else front).append(tile)
        is_after_kan = event["type"] in KANS
    rest = [kind for kind in range(KINDS) for _ in range(COPIES - seen.count(kind))]
    return [*hands[0], *hands[1], *front, *rest, *reversed(back)]


class Kyoku:
    """A game that is played by events."""

    def __init__(self, board: Board, oya: int) -> None:
        self.board, self.oya = board, oya
        self.draws = 0  # that events have told

    def take(self, event: dict[str, Any]) -> None:
        """One event more."""
        kind = event["type"]
        if kind == "ryukyoku":
            self.end_in_draw(event)
            return
        if kind not in ("tsumo", "dahai", "chi", "pon", "hora", *KANS):
            raise RuseError(f"there is no event {kind!r:.80}")
        player = (field(event, "actor", int) - self.oya) % SEATS
        if event["actor"] not in (0, 1):
            raise RuseError(f"'actor' must be 0 or 1, got {event['actor']!r:.80}")
        if kind == "tsumo":
            self.draw(player, tiles_from([event.get("pai")])[0])
            return
        if self.draws != self.board.draws:
            raise RuseError(f"{kind!r} comes where by these rules a tile is drawn first: a 'tsumo' is missing")
        if kind == "hora":
            self.win(player, event)
        elif kind == "dahai":
            self.discard(player, event)
        else:
            self.board.take(player, self.call(kind, player, event))

    def draw(self, player: int, tile: int) -> None:
        """A draw; what could be claimed before was passed."""
        board = self.board
        if board.row[PHASE] in (CLAIM, ROB) and not board.is_over and self.draws == board.draws:
            board.take(board.who, PASS)
        drawn = next((one for one in reversed(board.happened) if one.code == DRAW), None)
        if drawn is None or self.draws + 1 != board.draws:
            raise RuseError(f"player {player} cannot draw here")
        if drawn != Happened(player, DRAW, tile):
            who, what = f"player {drawn.player}", NAMES[drawn.kind]
            raise RuseError(f"player {player} draws {NAMES[tile]}, where {who} is to draw {what}")
        self.draws += 1

    def discard(self, player: int, event: dict[str, Any]) -> None:
        kind, board = tiles_from([event.get("pai")])[0], self.board
        if field(event, "tsumogiri", bool, None) and kind != board.row[DREW]:
            raise RuseError(f"'tsumogiri' says that {NAMES[kind]} was just drawn, and it was not")
        if board.row[PHASE] == DRAWN and board.who == player:
            board.take(player, PASS)
        board.take(player, DISCARD + kind)

    def call(self, kind: str, player: int, event: dict[str, Any]) -> int:
        """The code of a claim or a kong, if its tiles make one."""
        tiles = tiles_from(event.get("consumed"))
        if kind == "ankan":
            refuse_unequal(kind, tiles, 4)
            return CONCEALED + tiles[0]
        tile = tiles_from([event.get("pai")])[0]
        if kind == "kakan":
            refuse_unequal(kind, [tile, *tiles], 4)
            return ADDED + tile
        if tile != self.board.row[TILE]:
            raise RuseError(f"{kind!r} is of {NAMES[tile]}, and that is not what was discarded")
        refuse_other_target(event, 1 - event["actor"], "the other player")
        if kind == "chi":
            low, *_ = found = sorted([tile, *tiles])
            if found != [low, low + 1, low + 2] or found[-1] >= CHARACTERS:
                raise RuseError(f"{' '.join(names_of(found))} is no chow")
            return CHOW + low
        refuse_unequal(kind, [tile, *tiles], 3 if kind == "pon" else 4)
        return PONG if kind == "pon" else KONG

    def win(self, player: int, event: dict[str, Any]) -> None:
        board = self.board
        tile = board.row[TILE] if board.row[TILE] >= 0 else board.row[DREW]
        if event.get("pai") is not None and tiles_from([event["pai"]]) != [tile]:
            raise RuseError(f"'hora' is with {event['pai']}, where the tile is {NAMES[tile] if tile >= 0 else 'none'}")
        is_drawn = board.row[TILE] < 0
        board.take(player, WIN)
        if is_drawn:
            refuse_other_target(event, event["actor"], "who has drawn the tile")
        else:
            refuse_other_target(event, 1 - event["actor"], "the other player")
        self.refuse_other_deltas(event)

    def end_in_draw(self, event: dict[str, Any]) -> None:
        """Nobody has won; what could be claimed last was passed."""
        board = self.board
        if not board.is_over and board.row[PHASE] == CLAIM and self.draws == board.draws:
            board.take(board.who, PASS)
        if not board.is_over or board.draws != self.draws:
            raise RuseError("'ryukyoku' comes while there are tiles to draw, and these rules know no other draw")
        self.refuse_other_deltas(event)

    def refuse_other_deltas(self, event: dict[str, Any]) -> None:
        """Raise if an end is paid otherwise than the rules do."""
        score = self.board.row[SCORE]
        deltas = [score, -score] if self.oya == 0 else [-score, score]
        if not is_same_json(event.get("deltas", deltas), deltas):
            raise RuseError(f"'deltas' are {event['deltas']!r:.80}, and these rules pay {deltas}; leave them out")


def refuse_other_target(event: dict[str, Any], target: int, what: str) -> None:
    """Raise if an event says that a tile comes from somebody else."""
    if not is_same_json(event.get("target", target), target):
        raise RuseError(f"'target' must be {target}, {what}, got {event['target']!r:.80}")


def refuse_unequal(kind: str, tiles: list[int], count: int) -> None:
    if len(tiles) != count or len(set(tiles)) != 1:
        raise RuseError(f"{kind!r} is of {count} equal tiles, not of {' '.join(names_of(tiles)) or 'none'}")


FORM = RecordForm(begins, write, read)
