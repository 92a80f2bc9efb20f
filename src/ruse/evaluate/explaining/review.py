"""A review of the choices that somebody has made: each with all that a coach says of it.

It is about infosets, as hints and grades are, so it can be shown before a game is over.
"""

from typing import NamedTuple

from ruse.errors import RuseError
from ruse.evaluate.explaining.coach import Coach, Hint
from ruse.protocol.state import State


class Reviewed(NamedTuple):
    """A choice, with what a strategy would do there and, in games that can be walked, what it has cost."""

    infoset: str
    actions: list[str]  # as the strategy has them
    probability: list[float]
    value: list[float | None] | None
    chosen: str
    share: float | None  # how often the strategy does what was chosen; None where it has no such action
    best: str | None
    lost: float | None  # payoff a game, against the best action; None where the strategy gives no values


class ChoiceReviewer:
    """A coach that says of each choice all that it knows. One may serve many sessions."""

    def __init__(self, coach: Coach) -> None:
        self.coach = coach

    def hint(self, state: State) -> Hint:
        return self.coach.hint(state)

    def grade(self, state: State, chosen: int) -> Reviewed | None:
        """What the coach says of a choice; None where it knows nothing."""
        try:
            hint = self.coach.hint(state)
        except RuseError:  # a strategy that chooses policies cannot be looked up
            return None
        name = state.actions[chosen]
        place = hint.actions.index(name) if name in hint.actions else None
        share = None if place is None else hint.probability[place]
        value, best, lost = hint.value, None, None
        if value is not None and place is not None and (mine := value[place]) is not None:
            known = [(x, a) for a, x in enumerate(value) if x is not None]
            highest = max(x for x, _ in known)
            best = next(hint.actions[a] for x, a in known if x == highest)
            lost = highest - mine
        return Reviewed(hint.infoset, hint.actions, hint.probability, value, name, share, best, lost)
