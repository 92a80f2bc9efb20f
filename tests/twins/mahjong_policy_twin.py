"""What a policy of Mahjong does, the long way: each action is tried, each discard after it, and all complete hands."""

from typing import NamedTuple

import numpy as np
from distance_twin import distance, distances, melded_hands, paired_hands, ponged_hands

from ruse.games.mahjong.actions import code_name
from ruse.games.mahjong.telling import observation as o

KINDS = 16
TILES = [*(f"{n}m" for n in range(1, 10)), *"ESWNCFP"]
NAMES = {name: kind for kind, name in enumerate(TILES)}
CLAIMS = {"normal": ("pong", "kong", "chow"), "pongponghu": ("pong", "kong"), "seven_pairs": ()}


class Outlook(NamedTuple):
    """A hand after an action, before what comes next."""

    hand: tuple[int, ...]
    melds: int


def complete_hands(policy: str, melds: int) -> np.ndarray:
    if policy == "seven_pairs":
        return paired_hands(True) if melds == 0 else np.full((1, KINDS), 9, np.int8)
    return melded_hands(4 - melds) if policy == "normal" else ponged_hands(4 - melds)


def after(words: str, hand: list[int], melds: int) -> Outlook:
    """What an action leaves in the hand; it is told in words."""
    what, *tiles = words.split()
    left = list(hand)
    if what == "discard":
        left[NAMES[tiles[0]]] -= 1
    elif what == "pong":
        left[NAMES[tiles[0]]] -= 2
    elif what == "kong":
        left[NAMES[tiles[0]]] -= {"exposed": 3, "concealed": 4, "added": 1}[tiles[1]]
    return Outlook(tuple(left), melds + (what == "pong" or (what == "kong" and tiles[1] != "added")))


def after_chow(words: str, claimed: int, hand: list[int], melds: int) -> Outlook:
    left = list(hand)
    for tile in words.split()[1:]:
        left[NAMES[tile]] -= NAMES[tile] != claimed
    return Outlook(tuple(left), melds + 1)


def far(policy: str, outlook: Outlook, unseen: np.ndarray) -> int:
    return distance(complete_hands(policy, outlook.melds), np.array(outlook.hand), unseen)


def far_after_discard(policy: str, outlook: Outlook, unseen: np.ndarray) -> int:
    held = [kind for kind in range(KINDS) if outlook.hand[kind]]
    without = [tuple(n - (k == kind) for k, n in enumerate(outlook.hand)) for kind in held]
    return min(far(policy, Outlook(hand, outlook.melds), unseen) for hand in without)


def tiles_that_help(policy: str, outlook: Outlook, unseen: np.ndarray) -> int:
    """Unseen tiles that one of the nearest complete hands lacks: the draw of any of them makes that one nearer."""
    complete, hand = complete_hands(policy, outlook.melds), np.array(outlook.hand)
    all_far = distances(complete, hand, unseen)
    if all_far.min() in (0, 99):
        return 0
    lacks = (complete[all_far == all_far.min()] > hand).any(axis=0)
    return int(unseen[lacks].sum())


def groups(hand: tuple[int, ...]) -> int:
    chows = sum(all(hand[low + i] for i in range(3)) for low in range(7))
    return sum(n >= 2 for n in hand) + chows


def twin_decides(policy: str, seen: np.ndarray) -> int:
    """The action, by what a player sees."""
    hand, unseen = seen[o.OWN_HAND : o.OWN_HAND + KINDS].tolist(), seen[o.UNSEEN : o.UNSEEN + KINDS].copy()
    melds, phase, tile = int(seen[o.OWN_DECLARED]), int(seen[o.SEEN_PHASE]), int(seen[o.SEEN_TILE])
    words = [code_name(int(code), tile) for code in seen[o.LEGAL :] if code >= 0]
    if "win" in words:
        return words.index("win")
    ways = []
    for a, way in enumerate(words):
        what = way.split()[0]
        if what in ("pass", "discard") or what in CLAIMS[policy]:
            outlook = after_chow(way, tile, hand, melds) if what == "chow" else after(way, hand, melds)
            must_discard = what in ("pong", "chow") or (what == "pass" and phase == 1)
            distance_then = (far_after_discard if must_discard else far)(policy, outlook, unseen)
            ways.append((a, what, distance_then, outlook))
    if phase != 2:
        passing = next(way for way in ways if way[1] == "pass")
        ways = [
            way for way in ways
            if way[1] != "pass" and (way[2] < passing[2] if phase == 0 else way[2] <= passing[2])
        ] or [passing]  # fmt: skip
    nearest = min(way[2] for way in ways)
    tied = [way for way in ways if way[2] == nearest]
    keep = [groups(way[3].hand) if way[1] == "discard" else 0 for way in tied]
    help_ = [tiles_that_help(policy, way[3], unseen) for way in tied]
    best = max(range(len(tied)), key=lambda i: (help_[i], keep[i], -tied[i][0]))
    return int(tied[best][0])
