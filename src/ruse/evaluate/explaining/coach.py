"""A coach: what a strategy would do where somebody is to act, and what choices have cost.

A hint and a grade are about an infoset: they are the same wherever the player to act cannot tell two states apart.
"""

from functools import cached_property
from typing import NamedTuple

from ruse.evaluate.explaining.explain import Explanation
from ruse.laws.peeking import refuse_peeking
from ruse.protocol.choices import has_choices
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.tree.measure.size import tree_size

VALUED = 3_000_000  # histories of a game in which hints tell what actions are worth
NOTHING_LOST = 5e-5  # payoff a game


class Hint(NamedTuple):
    """What a strategy plays at an infoset, and what each action is worth there."""

    infoset: str
    actions: list[str]
    probability: list[float]
    value: list[float | None] | None  # None: the game is too large; of an action: the others never let play come here
    words: str  # all of it in lines

    def __str__(self) -> str:
        return self.words


class Grade(NamedTuple):
    """A choice, judged by the values of a strategy that all others follow."""

    infoset: str
    chosen: str
    best: str
    lost: float | None  # payoff a game, against the best action; None where the strategy gives no values

    def __str__(self) -> str:
        head = f"at {self.infoset!r} you chose {self.chosen}"
        if self.lost is None:
            return f"{head}: no grade, the strategy never comes here"
        return (
            f"{head}: nothing lost" if self.lost < NOTHING_LOST else f"{head}: lost {self.lost:.4f} against {self.best}"
        )


class Coach:
    """Gives hints and grades by a strategy. One coach may serve many sessions; it walks the game when first asked."""

    def __init__(self, strategy: Strategy) -> None:
        refuse_peeking(strategy.game, strategy.view)
        self.strategy = strategy

    def hint(self, state: State) -> Hint:
        """What the strategy plays here; also what that is worth, if the game is small enough to be walked."""
        self.strategy.refuse_other(state.game)
        if not has_choices(self.strategy.view) and self.is_small:  # a view with choices has no value for each action
            found = self.explanation.at(state)
            return Hint(found.name, found.actions, found.probability, found.value, str(found))
        choice = self.strategy.at(state)
        width = max(map(len, choice.actions))
        words = "\n".join(f"  {a:<{width}}  {p:8.6f}" for a, p in choice.actions.items())
        return Hint(choice.name, [*choice.actions], [*choice.actions.values()], None, words)

    def grade(self, state: State, chosen: int) -> Grade:
        """What a choice has cost against the best one."""
        self.strategy.refuse_other(state.game)
        found, actions = self.explanation.at(state), state.actions
        values = [value for value in found.value if value is not None]
        if not values:
            return Grade(found.name, actions[chosen], actions[chosen], None)
        best = max(range(len(values)), key=values.__getitem__)
        return Grade(found.name, actions[chosen], actions[best], values[best] - values[chosen])

    @cached_property
    def is_small(self) -> bool:
        return tree_size(self.strategy.game, limit=VALUED).is_exact

    @cached_property
    def explanation(self) -> Explanation:
        """What the strategy plays everywhere, and what it is worth; whoever is to grade asks for it beforehand."""
        return Explanation(self.strategy)
