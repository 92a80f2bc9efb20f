"""What bots of a game would do where somebody is to act: advice for a person, from what that seat may see alone.

A bot that remembers has looked on from the start as it would have sat there; it was not asked for what was done then.
"""

from collections.abc import Mapping
from typing import Any

from ruse.play.bots.bot import RandomBot, is_a
from ruse.play.seats import answer_of, look_on, seated
from ruse.protocol.game import Game
from ruse.protocol.state import State

MIDDLE = 0.5  # in place of a random number: a bot that mixes does what lies in the middle


def would_do(game: Game, history: tuple[int, ...], bots: Mapping[str, Any]) -> dict[str, str]:
    """By the name of each bot, the action that it would take after this history; not of one that does anything."""
    states = [State.of(game)]
    for a in history:
        states.append(states[-1].child(a))
    here = states[-1]
    return {
        name: here.actions[looked_on(seated(game, bot), states)]
        for name, bot in bots.items()
        if not is_a(bot, RandomBot)
    }


def looked_on(seat: Any, states: list[State]) -> int:
    """What whoever sits there does at the last of these states, having seen those before as its player sees them."""
    here = states[-1]
    seat.sit_down()
    for state in states:
        if not state.is_chance:
            look_on(seat, state.game, state.row, here.player)
    return answer_of(seat, here, MIDDLE)
