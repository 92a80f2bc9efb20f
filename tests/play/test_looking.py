"""A bot is shown the game whenever what it sees has changed: it cannot count the moves that are hidden from it."""

from typing import Any

import numpy as np

import ruse
from ruse.games.mahjong.actions import PASS, code_of
from ruse.games.mahjong.rules import Mahjong
from ruse.play.seats import seated
from ruse.protocol.game import CHANCE, OVER


class Counting:
    """Counts how often it is shown the game."""

    def __init__(self) -> None:
        self.shown = 0

    def memory_size(self, game: ruse.Game) -> int:
        return 1

    def watch(self, game: ruse.Game, seen: Any, me: int, memory: Any) -> None:
        self.shown += 1

    def decide(self, game: ruse.Game, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return int(u * count)


def test_a_pass_of_the_other_is_not_shown() -> None:
    game, dice, passes = Mahjong(), np.random.default_rng(0), 0
    for _ in range(20):
        seat = seated(game, bot := Counting())
        seat.sit_down()
        s = game.start()
        while game.player(s) != OVER:
            count = int(game.num_actions(s))
            chances = [game.chance(s, a) for a in range(count)] if game.player(s) == CHANCE else None
            a = int(dice.choice(count, p=chances))
            is_hidden = game.player(s) == 1 and code_of(s, a) == PASS
            game.apply(s, a)
            if game.player(s) not in (CHANCE, OVER):
                before = bot.shown
                seat.look_on(game, s, 0)
                if is_hidden and game.player(s) == 1:
                    passes += 1
                    assert bot.shown == before
    assert passes > 20
