"""Why a policy does what it does, in one line of plain Python: for hints at the table."""

from typing import Any

import numpy as np

from ruse.games.mahjong.actions import CHOW, CONCEALED, PASS, WIN, code_name
from ruse.games.mahjong.distances.distance import IMPOSSIBLE, copies_in
from ruse.games.mahjong.policies.policies import Pairs, PongPongHu, normal
from ruse.games.mahjong.policies.search import NO_MELDS, PONGS, is_meld, is_sought, lay
from ruse.games.mahjong.row import CLAIM
from ruse.games.mahjong.telling.observation import (
    LEGAL,
    OWN_DECLARED,
    OWN_HAND,
    OWN_HAS_CHOW,
    SEEN_PHASE,
    SEEN_TILE,
    SIZE,
    UNSEEN,
)
from ruse.games.mahjong.telling.visible import put_back
from ruse.games.mahjong.tiles import KINDS
from ruse.protocol.game import Game, Row


def hints(game: Game, s: Row, me: int) -> dict[str, tuple[int, str]]:
    """What each policy would do where a player is to act, and why: by its name the action and the line."""
    seen = np.zeros(SIZE, np.int64)
    game.observe(s, me, seen)  # type: ignore[attr-defined]
    return {policy.name: explain(policy, game, seen, me) for policy in (normal(), PongPongHu(), Pairs())}


def explain(policy: Any, game: Game, seen: np.ndarray, me: int) -> tuple[int, str]:
    """The action of a policy and the reason for it.

    "discard 9m: 2 away, 5 kinds and 14 tiles bring the hand nearer".
    """
    codes = [int(code) for code in seen[LEGAL:] if code >= 0]
    action = int(policy.decide(game, seen, me, seen[:0], len(codes), 0.5))
    code, tile = codes[action], int(seen[SEEN_TILE])
    if code == WIN:
        return action, "win"
    done = code_name(code, tile)
    pattern = policy.pattern_in(game)
    if not policy.use_visible:
        seen = seen.copy()
        put_back(seen, 1)
    if policy.takes == PONGS and seen[OWN_HAS_CHOW]:
        return action, f"{done}: {policy.name} cannot be had with a chow"
    if code == PASS:
        return action, f"{done}: {why_pass(policy, pattern, seen, codes)}"
    return action, f"{done}: {prospects(pattern, seen, code, tile)}"


def prospects(pattern: Any, seen: np.ndarray, code: int, tile: int) -> str:
    """How far the hand is from the pattern after an action, and what brings it nearer."""
    distance, mask = judged(pattern, seen, code, tile)
    if distance >= IMPOSSIBLE:
        return "the tiles that it needs are gone"
    kinds, tiles = int(mask).bit_count(), int(copies_in(mask, seen[UNSEEN : UNSEEN + KINDS]))
    what = "complete the hand" if distance == 1 else "bring the hand nearer"
    return f"{distance} away, {kinds} kind{'s' * (kinds != 1)} and {tiles} tile{'s' * (tiles != 1)} {what}"


def why_pass(policy: Any, pattern: Any, seen: np.ndarray, codes: list[int]) -> str:
    """How far the hand is, and what else could have been done with it."""
    tile = int(seen[SEEN_TILE])
    words = prospects(pattern, seen, PASS, tile)
    if policy.takes == NO_MELDS:
        return f"{words}; {policy.name} lays nothing down"
    others = [code for code in codes if code != PASS and is_sought(code, policy.takes)]
    if not others:
        return f"{words}; {policy.name} lays no chow down" if any(map(is_chow, codes)) else words
    told = ", ".join(f"{judged(pattern, seen, code, tile)[0]} with {code_name(code, tile)}" for code in others)
    return f"{words}; {'no nearer' if seen[SEEN_PHASE] == CLAIM else 'farther'}: {told}"


def judged(pattern: Any, seen: np.ndarray, code: int, tile: int) -> tuple[int, int]:
    """The distance after an action, and the mask of kinds that lower it."""
    hand, unseen = seen[OWN_HAND : OWN_HAND + KINDS].copy(), seen[UNSEEN : UNSEEN + KINDS]
    lay(hand, code, tile, 1)
    distance, mask = pattern.useful(hand, int(seen[OWN_DECLARED]) + is_meld(code), unseen)
    return int(distance), int(mask)


def is_chow(code: int) -> bool:
    return CHOW <= code < CONCEALED
