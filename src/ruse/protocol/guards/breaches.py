"""Laws that can be seen at one state: who acts, how many actions there are, the chances, the payoffs.

`check` tests them on the games that it plays, walks over a whole game on every history, sampled walks where they come.
"""

import math
from contextlib import suppress
from typing import Any

import numpy as np

from ruse.compile import compiled_function
from ruse.errors import RuseError
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.state import State
from ruse.words.naming import named

TOLERANCE = 1e-9  # rounding that chances and payoffs may show when they are added up
MOST_ACTIONS = 1 << 31  # at one place
LONGEST = 100_000  # moves before a game counts as endless; Cheat without Health Points may take some 20,000


class Unlawful(RuseError):
    """A game breaks a law that every game must obey; `law` says which, without the game's name and where to read on."""

    def __init__(self, sentence: str, law: str | None = None) -> None:
        super().__init__(sentence)
        self.law = law or sentence


def unlawful(game: Any, law: str) -> Unlawful:
    """What to raise when something is wrong with a game."""
    return Unlawful(f"{named(game)}: {law}; `ruse check` tells more", law)


def breach(state: State, where: str | None = None) -> str | None:
    """The law that is broken at this state, in one sentence; None if there is none.

    `where` tells the place of a state whose history is not known.
    """
    with np.errstate(all="ignore"):  # rules may divide by zero; what comes of it is what counts
        return _breach(state, where)


def _breach(state: State, where: str | None) -> str | None:
    game, player = state.game, state.player
    if player < OVER or player >= game.players:
        return f"{_place(state, where)} player() says {player}; there are players 0 to {game.players - 1}"
    if player == OVER:
        return _payoff_breach(state, where)
    count = state.num_actions
    if count < 1:
        who = "chance" if player == CHANCE else f"player {player}"
        return f"{_place(state, where)} {who} has no action: num_actions() says {count}"
    if count > MOST_ACTIONS:
        return f"{_place(state, where)} num_actions() says {count:,}; there may be {MOST_ACTIONS:,} at most"
    if player == CHANCE:
        chances = state.chances
        if not (min(chances) >= 0.0 and abs(sum(chances) - 1.0) <= TOLERANCE):  # so that no comparison holds with NaN
            return f"{_place(state, where)} {_told(chances)}, which must be at least 0 and add to 1"
    return None


def _payoff_breach(state: State, where: str | None) -> str | None:
    """The same at the end of a game."""
    payoffs, promised = state.payoffs, promised_sum(state.game)
    if not all(map(math.isfinite, payoffs)):
        return f"{_place(state, where)} the payoffs are {listed(payoffs)}, which must be finite numbers"
    if is_off(sum(payoffs) - promised, max(map(abs, payoffs))):
        total = f"{sum(payoffs):g}, not to payoff_sum = {promised:g}"
        return f"{_place(state, where)} the payoffs {listed(payoffs)} add up to {total}"
    return None


def listed(numbers: list[float]) -> str:
    """Numbers in a sentence; of many the first few."""
    if len(numbers) <= 8:
        return str(numbers)
    return f"[{', '.join(map(str, numbers[:4]))}, ...] ({len(numbers)} of them)"


def _told(chances: list[float]) -> str:
    if len(chances) <= 8:
        return f"the chances are {chances}"
    return f"{len(chances)} chances are {min(chances):g} to {max(chances):g} and add to {sum(chances):.12g}"


def _place(state: State, where: str | None) -> str:
    return where or f"after {way_to(state)}"


def promised_sum(game: Any) -> float:
    """What the game promises that payoffs add up to; NaN if it promises nothing."""
    promised = getattr(game, "payoff_sum", None)
    return math.nan if promised is None else float(promised)


@compiled_function
def is_off(difference, largest):
    """Whether a sum of payoffs is not what was promised; NaN, for no promise, is always right."""
    return abs(difference) > TOLERANCE * max(1.0, largest)


def way_to(state: State) -> str:
    """The way to a state in words. It takes as long as the way is, so it is asked for only when something is wrong."""
    with suppress(Exception):  # the names of actions are a game's own code, which may be what is wrong
        return _short(state.path()) or "the start"
    return _short(f"actions {', '.join(map(str, state.history))}")


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:300]}..."


def endless(game: Any) -> Unlawful:
    """What to raise when a game goes on and on."""
    law = f"has not ended after {LONGEST:,} moves; limit its length"
    return Unlawful(f"{named(game)} {law}: `ruse check` tells more", f"a game {law}")
