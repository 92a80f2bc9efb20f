"""Games of Mahjong that were played out in plain Python, and one by hand in which a kong is robbed."""

import random
from typing import Any

from ruse.games.mahjong.rules import Mahjong
from ruse.protocol.played import Played
from ruse.protocol.state import State

VARIANTS = (
    Mahjong(),
    Mahjong(rob_kong=True, selfdraw_factor=2),
    Mahjong(must_win=True, kong_needs_tile=False),
    Mahjong(dead_wall=14, last_discard_win_only=False, rob_kong=True, must_win=True),
)
FIRST = ("9m 9m 1m 1m 2m 3m 4m E E E F F P", "1m 2m 3m 4m 5m 6m 7m 8m S S S W W")


def played(seed: int, game: Mahjong | None = None) -> Played:
    """A game by players who win if they can, and claim what they can more often than not."""
    dice, state = random.Random(seed), State.of(game or VARIANTS[seed % len(VARIANTS)])
    while not state.is_over:
        luck = state.chances if state.is_chance else None
        state = state.child(dice.choices(range(len(luck)), luck)[0] if luck else chosen(state.actions, dice))
    return Played(state.game, state.history, ("ann", "ben"), seed, 0)


def chosen(names: list[str], dice: random.Random) -> int:
    if "win" in names:
        return names.index("win")
    calls = [a for a, name in enumerate(names) if name.startswith(("kong", "pong", "chow"))]
    return dice.choice(calls) if calls and dice.random() < 0.7 else dice.randrange(len(names))


def event(kind: str, actor: int, pai: str = "", *consumed: str, **more: Any) -> dict[str, Any]:
    """One event as mjai has it."""
    found: dict[str, Any] = {"type": kind, "actor": actor} | ({"pai": pai} if pai else {})
    return found | ({"consumed": list(consumed)} if consumed else {}) | more


def robbed() -> list[dict[str, Any]]:
    """Player 1 wins with the tile that player 0 adds to a pong."""
    return [
        {"type": "start_game", "names": ["ann", "ben"], "rules": {"rob_kong": True}},
        {
            "type": "start_kyoku",
            "oya": 0,
            "tehais": [hand.split() for hand in FIRST],
        },
        event("tsumo", 0, "N"),
        event("dahai", 0, "N", tsumogiri=True),
        event("tsumo", 1, "9m"),
        event("dahai", 1, "9m", tsumogiri=True),
        event("pon", 0, "9m", "9m", "9m", target=1),
        event("dahai", 0, "P", tsumogiri=False),
        event("tsumo", 1, "C"),
        event("dahai", 1, "C", tsumogiri=True),
        event("tsumo", 0, "9m"),
        event("kakan", 0, "9m", "9m", "9m", "9m"),
        event("hora", 1, "9m", target=0, deltas=[-1, 1]),
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ]
