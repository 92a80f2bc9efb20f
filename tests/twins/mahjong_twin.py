"""The slow and obvious twin of Mahjong, on lists of tiles by name, and what the tests of Mahjong share."""

import random
from typing import Any

import numpy as np

from ruse.games.mahjong.positions import outcomes_of
from ruse.games.mahjong.row import BACK, FRONT, HANDS, MELDS, RIVERS, WALL_TILES, wall_tile
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.past import melds_of
from ruse.games.mahjong.tiles import kinds_of
from ruse.protocol.state import State

CHARACTERS = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m"]
ALL = [*CHARACTERS, "E", "S", "W", "N", "C", "F", "P"]
READINGS = [
    Mahjong(),
    Mahjong(rob_kong=True, dead_wall=4),
    Mahjong(rob_kong=True, must_win=True, selfdraw_factor=2),
    Mahjong(kong_needs_tile=False, last_discard_win_only=False, dead_wall=14),
    Mahjong(kong_needs_tile=False, dead_wall=30),
    Mahjong(last_discard_win_only=False, dead_wall=25, four_is_two_pairs=False),
    Mahjong(must_win=True),
]


def called(game: Any) -> str:
    changed = [f"{k}={v}" for k, v in game._asdict().items() if v != Mahjong._field_defaults[k]]
    return ",".join(changed) or "usual"


def in_order(tiles: list[str]) -> list[str]:
    return sorted(tiles, key=ALL.index)


# ---- winning hands, by trying everything -----------------------------------------------------------------------------


def without(tiles: list[str], some: list[str]) -> list[str] | None:
    """What is left when these are taken away; None if they are not all there."""
    left = list(tiles)
    for tile in some:
        if tile not in left:
            return None
        left.remove(tile)
    return left


def readings(tiles: list[str]) -> list[list[list[str]]]:
    """Every way to read all of these tiles as pongs and chows."""
    if not tiles:
        return [[]]
    first = in_order(tiles)[0]
    melds = [[first] * 3]
    if first in CHARACTERS[:7]:
        at = CHARACTERS.index(first)
        melds.append(CHARACTERS[at : at + 3])
    found = []
    for meld in melds:
        left = without(tiles, meld)
        if left is not None:
            found += [[meld, *rest] for rest in readings(left)]
    return found


def patterns(game: Mahjong, hand: list[str], declared: list[list[str]]) -> set[str]:
    """All patterns that concealed tiles and melds make."""
    found = set()
    for eye in set(hand):
        left = without(hand, [eye, eye])
        for melds in readings(left) if left is not None else []:
            every = melds + declared
            if len(every) == 4:
                found.add("normal")
                if all(len(set(meld)) == 1 for meld in every):
                    found.add("pongponghu")
    counts = {tile: hand.count(tile) for tile in hand}
    allowed = (2, 4) if game.four_is_two_pairs else (2,)
    if not declared and len(hand) == 14 and all(n in allowed for n in counts.values()):
        found.add("qidui")
    return found


def worth(found: set[str]) -> int:
    """Points of the best pattern."""
    return max({"normal": 1, "pongponghu": 2, "qidui": 2}[name] for name in found)


# ---- a game ----------------------------------------------------------------------------------------------------------


class Twin:
    """A table. `known` has for each player all that he has seen or done, in order."""

    def __init__(self, game: Mahjong, tiles: list[str]) -> None:
        self.game = game
        self.hands = [tiles[:13], tiles[13:26]]
        self.wall = tiles[26:]
        self.melds: list[list[list[str]]] = [[], []]
        self.hidden: list[list[str]] = [[], []]  # kinds of concealed kongs
        self.rivers: list[list[str]] = [[], []]
        self.known: list[list[Any]] = [[in_order(hand)] for hand in self.hands]
        self.payoffs: tuple[int, int] | None = None
        self.who, self.phase, self.tile, self.drew = 0, "", "", ""
        self.pattern: set[str] = set()
        self.drawn = 0
        self.draw(0, at=0)
        self.pass_over()

    @property
    def left(self) -> int:
        return len(self.wall) - self.game.dead_wall

    def draw(self, player: int, at: int) -> None:
        self.who, self.tile, self.drew = player, "", ""
        if self.left == 0:
            self.payoffs = (0, 0)
            return
        self.drew = self.wall.pop(at)
        self.drawn += 1
        self.hands[player].append(self.drew)
        self.known[player].append(("draw", self.drew))
        self.phase = "drawn"

    def can_win(self) -> bool:
        hand = self.hands[self.who] + ([self.tile] if self.tile else [])
        return bool(patterns(self.game, hand, self.melds[self.who]))

    def legal(self) -> list[str]:
        """By name, in the order of the codes."""
        hand, me = self.hands[self.who], self.who
        if self.phase == "discard":
            return [f"discard {tile}" for tile in ALL if tile in hand]
        found = ["pass"] + ["win"] * self.can_win()
        may_kong = self.left > 0 or not self.game.kong_needs_tile
        if self.phase == "claim" and (self.left > 0 or not self.game.last_discard_win_only):
            found += [f"pong {self.tile}"] * (hand.count(self.tile) >= 2)
            found += [f"kong {self.tile} exposed"] * (hand.count(self.tile) >= 3 and may_kong)
            for at in range(7):
                run = CHARACTERS[at : at + 3]
                if self.tile in run and all(tile in hand for tile in run if tile != self.tile):
                    found.append(f"chow {' '.join(run)}")
        if self.phase == "drawn" and may_kong:
            found += [f"kong {tile} concealed" for tile in ALL if hand.count(tile) == 4]
            found += [f"kong {tile} added" for tile in ALL if [tile] * 3 in self.melds[me] and tile in hand]
        return found

    def pass_over(self) -> None:
        """What the rules do by themselves."""
        while self.payoffs is None:
            if self.game.must_win and self.phase != "discard" and self.can_win():
                self.do("win")
            elif self.phase in ("claim", "drawn") and self.legal() == ["pass"]:
                self.do("pass")
            else:
                return

    def act(self, name: str) -> None:
        assert name in self.legal()
        self.do(name)
        self.pass_over()

    def do(self, name: str) -> None:
        me, other = self.who, 1 - self.who
        word, _, rest = name.partition(" ")
        if name not in ("pass", "win"):
            for known in self.known:
                known.append((me, name))
        if name == "pass":
            if self.phase == "claim":
                self.draw(me, at=0)
            elif self.phase == "rob":
                self.draw(other, at=-1)
            else:
                self.phase = "discard"
        elif name == "win":
            self.win(me, other)
        elif word == "discard":
            self.hands[me].remove(rest)
            self.rivers[me].append(rest)
            self.who, self.phase, self.tile, self.drew = other, "claim", rest, ""
        elif name.endswith("concealed"):
            tile = rest.split()[0]
            self.lay(me, [tile] * 4, from_hand=4)
            self.hidden[me].append(tile)
            self.draw(me, at=-1)
        elif name.endswith("added"):
            tile = rest.split()[0]
            self.melds[me][self.melds[me].index([tile] * 3)].append(tile)
            self.hands[me].remove(tile)
            if self.game.rob_kong:
                self.who, self.phase, self.tile, self.drew = other, "rob", tile, ""
            else:
                self.draw(me, at=-1)
        else:
            assert self.rivers[other].pop() == self.tile
            meld = {"pong": [self.tile] * 3, "kong": [self.tile] * 4, "chow": rest.split()}[word]
            self.hands[me].append(self.tile)
            self.lay(me, meld, from_hand=len(meld))
            self.tile, self.phase = "", "discard"
            if word == "kong":
                self.draw(me, at=-1)

    def lay(self, me: int, meld: list[str], from_hand: int) -> None:
        for tile in meld[:from_hand]:
            self.hands[me].remove(tile)
        self.melds[me].append(list(meld))

    def win(self, me: int, other: int) -> None:
        factor = 1 if self.tile else self.game.selfdraw_factor
        if self.tile:
            self.hands[me].append(self.tile)
            if self.phase == "rob":
                next(meld for meld in self.melds[other] if meld == [self.tile] * 4).pop()
            else:
                assert self.rivers[other].pop() == self.tile
        self.pattern = patterns(self.game, self.hands[me], self.melds[me])
        points = factor * worth(self.pattern)
        self.payoffs = (points, -points) if me == 0 else (-points, points)

    # ---- what a seat may see -----------------------------------------------------------------------------------------

    def seen_by(self, me: int) -> dict[str, Any]:
        """The parts of an observation, from what lies open and the own hand."""
        other, is_over = 1 - me, self.payoffs is not None
        mine, acts = not is_over and self.who == me, not is_over
        open_tiles = [tile for place in self.rivers + self.melds[0] + self.melds[1] for tile in place]
        unknown = int(acts and not mine and self.drew != "")
        return {
            "hand": counts(self.hands[me]),
            "melds": [self.meld_codes(me), self.meld_codes(other)],
            "chows": [self.chows(me), self.chows(other)],
            "rivers": [counts(self.rivers[me]), counts(self.rivers[other])],
            "unseen": [4 - (open_tiles + self.hands[me]).count(tile) for tile in ALL],
            "phase": {"claim": 0, "rob": 0, "drawn": 1, "discard": 2}[self.phase] if mine else -1,
            "tile": ALL.index(self.tile) if mine and self.tile else -1,
            "drew": ALL.index(self.drew) if mine and self.drew else -1,
            "left": self.left + unknown,
            "round": self.drawn - unknown,
            "has_chow": int(any(self.chows(me))),
            "has_pong": int(any(self.meld_codes(me))),
            "declared": [len(self.melds[me]), len(self.melds[other])],
            "other_size": len(self.hands[other]) - unknown,
            "acting": -2 if is_over else self.who,
        }

    def meld_codes(self, p: int) -> list[int]:
        codes = {(tile, 3): 1 for tile in ALL} | {(tile, 4): 2 for tile in ALL}
        found = dict.fromkeys(ALL, 0)
        for meld in self.melds[p]:
            if len(set(meld)) == 1:
                found[meld[0]] = 3 if meld[0] in self.hidden[p] else codes[meld[0], len(meld)]
        return list(found.values())

    def chows(self, p: int) -> list[int]:
        return [self.melds[p].count(CHARACTERS[at : at + 3]) for at in range(7)]


def counts(tiles: list[str]) -> list[int]:
    return [tiles.count(tile) for tile in ALL]


# ---- both side by side -----------------------------------------------------------------------------------------------


def shuffled(dice: random.Random) -> list[str]:
    tiles = ALL * 4
    dice.shuffle(tiles)
    return tiles


def lucky(dice: random.Random) -> list[str]:
    """A deal in which each player's tiles are of five kinds or so: pongs, kongs and wins come up."""
    kinds = ALL.copy()
    if dice.random() < 0.6:  # neighbours, for chows
        at = dice.randrange(5)
        kinds = kinds[at : at + 5] + [kind for kind in dice.sample(kinds, 16) if kind not in kinds[at : at + 5]]
    else:
        dice.shuffle(kinds)
    first, second, others = kinds[:5] * 4, kinds[5:10] * 4, kinds[10:] * 4
    for tiles in (first, second):
        dice.shuffle(tiles)
    wall = first[13:] + second[13:] + others
    dice.shuffle(wall)
    return first[:13] + second[:13] + wall


def both(game: Mahjong, tiles: list[str]) -> tuple[State, Twin]:
    """A deal as the game has it, and as the twin has it."""
    state = State.of(game).after(*outcomes_of([ALL.index(tile) for tile in tiles]))
    return state, Twin(game, tiles)


def tables_of(row: np.ndarray) -> dict[str, Any]:
    """Hands, rivers and melds of a row by name, in order, and the wall from front to back."""
    return {
        "hands": [[ALL[k] for k in kinds_of(row[HANDS + p])] for p in range(2)],
        "rivers": [[ALL[k] for k in kinds_of(row[RIVERS + p])] for p in range(2)],
        "melds": [sorted([ALL[k] for k in meld.kinds] for meld in melds_of(row[MELDS + p])) for p in range(2)],
        "wall": [ALL[wall_tile(row, k)] for k in range(int(row[FRONT]), WALL_TILES - int(row[BACK]))],
    }


def tables_of_twin(twin: Twin) -> dict[str, Any]:
    return {
        "hands": [in_order(hand) for hand in twin.hands],
        "rivers": [in_order(river) for river in twin.rivers],
        "melds": [sorted(melds) for melds in twin.melds],
        "wall": twin.wall,
    }
