"""Bots for Mahjong by name: each of the policies, one that draws a policy for each game, and one that looks ahead."""

from typing import Any

from ruse.games.mahjong.lookahead.bot import searching
from ruse.games.mahjong.policies.mixed import mixed
from ruse.games.mahjong.policies.policies import Pairs, PongPongHu, normal

BOTS: dict[str, Any] = {
    "normal": normal(),
    "pongponghu": PongPongHu(),
    "seven_pairs": Pairs(),
    "mixed": mixed(),
    "search": searching(),
}
