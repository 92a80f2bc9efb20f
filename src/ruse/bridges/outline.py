"""What other libraries must know of a game before it begins: how many actions, how long, what it pays, what is said.

It is found by walking all of the game, so it is for small ones.
"""

import re
from typing import NamedTuple

from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.protocol.values.recent import Recent, identity_of
from ruse.tree.measure.size import is_within
from ruse.words.naming import named

LIMIT = 300_000  # histories that are walked
FEW = 20_000  # after so many it is asked how many more there are: a kernel counts them sooner
WORD = re.compile(r"[^\s,|/:;()]+|[|/:;()]")


class Outline(NamedTuple):
    """The bounds of a game, and its vocabulary."""

    actions: int  # at one decision, at most
    outcomes: int  # of chance, at most
    moves: int  # in one game, chance and all, at most
    decisions: int  # of players in one game, at most
    lowest: float  # payoff
    highest: float
    payoff_sum: float | None  # None: it is not always the same
    is_random: bool  # whether chance has a move
    words: tuple[str, ...]  # that descriptions are made of
    longest: int  # description, in words

    @classmethod
    def of(cls, game: Game) -> "Outline":
        return _recent.of(identity_of(game), lambda: (game, walked(game)))[1]


_recent = Recent[tuple[Game, Outline]]()  # with the game: an address may be its identity


def words_in(text: str) -> list[str]:
    """The words of a description, and the marks that part it.

    >>> words_in("Ks, board Qh, raise call / call")
    ['Ks', 'board', 'Qh', 'raise', 'call', '/', 'call']
    """
    return WORD.findall(text)


def walked(game: Game) -> Outline:
    actions = outcomes = moves = decisions = longest = seen = 0
    lowest, highest, is_random = float("inf"), float("-inf"), False
    sums: set[float] = set()
    words: dict[str, None] = {}
    told: set[tuple[int, int]] = set()
    waiting = [(State.of(game), 0)]
    while waiting:
        state, decided = waiting.pop()
        seen += 1
        if seen == FEW and not is_within(game, LIMIT):
            raise RuseError(f"{named(game)} has more than {LIMIT:,} histories, too many for another library's bounds")
        player, moves = state.player, max(moves, len(state.history))
        if state.is_over:
            payoffs = state.payoffs
            lowest, highest = min(lowest, *payoffs), max(highest, *payoffs)
            sums.add(round(sum(payoffs), 9))
            decisions = max(decisions, decided)
            for viewer in range(game.players):
                words |= dict.fromkeys(said := words_in(state.describe(viewer)))
                longest = max(longest, len(said))
            continue
        if state.is_chance:
            is_random, outcomes = True, max(outcomes, state.num_actions)
        else:
            actions = max(actions, state.num_actions)
            if (player, state.infoset) not in told:
                told.add((player, state.infoset))
                for viewer in range(game.players):
                    words |= dict.fromkeys(said := words_in(state.describe(viewer)))
                    longest = max(longest, len(said))
        waiting += [(child, decided + (player >= 0)) for child in state.children()]
    fixed = sums.pop() if len(sums) == 1 else None
    return Outline(
        actions, outcomes, moves, decisions, lowest, highest, fixed, is_random, tuple(sorted(words)), max(longest, 1)
    )
