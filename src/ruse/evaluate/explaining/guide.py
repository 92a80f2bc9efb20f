"""A guide through a game's tree: any node by the moves that lead there, with what a strategy does and what it is worth.

Nothing is hidden from whoever is guided: this is for looking into strategies, not for playing.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.evaluate.explaining.explain import Explained, Explanation
from ruse.laws.peeking import refuse_peeking
from ruse.protocol.choices import Hierarchical, has_choices
from ruse.protocol.decisions import as_compared, without_suits
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.solve.start.learned import Learned
from ruse.strategy import Strategy
from ruse.tree.measure.size import TooLarge, tree_size
from ruse.words.naming import distinct

VALUED = 1_000_000  # histories of a game in which actions have values and infosets can be looked up by name
PLAYED_OUT = 20_000  # the same where each move is one of a policy, which plays until the next choice
LISTED = 60_000  # infosets that are put into words
OTHER_DEALS = 2_000  # moves that are made to see what others would lead to after another deal
DEEPEST = 2_000  # moves


class TreeStep(NamedTuple):
    """A move on the way to a node."""

    player: int  # or CHANCE
    name: str
    moves: tuple[int, ...]  # that lead to the node after it


class TreeAction(NamedTuple):
    """What can be done, or can happen, at a node."""

    name: str
    probability: float | None  # by the strategy, or by chance
    value: float | None = None  # to the player who acts
    lost: float | None = None  # against the best action
    regret: float | None = None  # that training has added up


class OtherDeal(NamedTuple):
    """What the same player does after the same moves with other cards."""

    name: str
    moves: tuple[int, ...]
    probability: list[float]
    is_here: bool


class OtherDeals(NamedTuple):
    """What another outcome of one chance move would have led to."""

    step: int  # the number of that move
    instead_of: str
    deals: list[OtherDeal]


class TreeNode(NamedTuple):
    """A node of the tree."""

    state: State
    steps: list[TreeStep]
    name: str  # of the infoset, at a decision; else all that there is to see
    actions: list[TreeAction]
    reach: float | None = None  # how often play comes to this infoset
    way: float | None = None  # how often it comes to this very history
    met: bool = True  # whether the strategy knows the infoset
    mean: float | None = None  # what the strategy's mix is worth
    deals: Sequence[OtherDeals] = ()


class NamedPlace(NamedTuple):
    """An infoset that was looked for."""

    name: str
    player: int | None
    moves: tuple[int, ...]
    actions: list[str]
    probability: list[float]
    reach: float
    alike: int = 0  # others that differ in suits alone, and are played the same


class TreeGuide:
    """Looks at a game, by a strategy if there is one. What takes a walk through the whole game is made when it is first
    asked for, and left out where the game is too large for it.
    """

    def __init__(self, game: Game, strategy: Strategy | None = None, learned: Learned | None = None) -> None:
        self.strategy, self.learned, self.game = None, learned, game
        self.most = VALUED  # histories of a game that is walked
        if strategy is not None:
            self.most = PLAYED_OUT if isinstance(strategy.view, Hierarchical) else VALUED
            refuse_peeking(strategy.game, strategy.view)
            self.strategy = offered = told_by(strategy)
            self.game = offered.game

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def node(self, moves: Sequence[int]) -> TreeNode:
        """The node after these moves, by their numbers."""
        states = self._states(moves)
        state = states[-1]
        steps, way = [], 1.0 if self.strategy is not None else None
        for k, (before, move) in enumerate(zip(states, moves, strict=False)):
            steps.append(TreeStep(before.player, before.actions[move], tuple(moves[: k + 1])))
            if way is not None:
                way *= self._shares(before)[move]
        if state.is_over:
            return TreeNode(state, steps, state.describe(), [], way=way)
        if state.is_chance:
            outcomes = zip(state.actions, state.chances, strict=True)
            return TreeNode(state, steps, state.describe(), [TreeAction(*one) for one in outcomes], way=way)
        return self._decision(state, steps, way, self._other_deals(states, moves))

    def _states(self, moves: Sequence[int]) -> list[State]:
        """The states on a way, the first and the last too."""
        if len(moves) > DEEPEST:
            raise RuseError(f"a way of {len(moves):,} moves is too long to be followed; there may be {DEEPEST:,}")
        states = [State.of(self.game)]
        for move in moves:
            state = states[-1]
            if state.is_over or not 0 <= move < state.num_actions:
                there = f"{state.num_actions} moves" if not state.is_over else "none, the game is over"
                raise RuseError(f"there is no move {move} after {state.path() or 'the start'}; there are {there}")
            states.append(state.child(move))
        return states

    def _decision(
        self, state: State, steps: list[TreeStep], way: float | None, deals: list[OtherDeals]
    ) -> TreeNode:  # fmt: skip
        names = distinct(state.actions)
        regrets = self._regrets(state, len(names))
        if self.strategy is None:
            actions = [TreeAction(name, None, regret=regrets[a]) for a, name in enumerate(names)]
            return TreeNode(state, steps, state.describe(state.player), actions, deals=deals)
        if (explanation := self.explanation) is not None:
            found = explanation.at(state)
        else:
            choice = self.strategy.at(state)
            shares = [*choice.actions.values()]
            met = len(self.strategy) == 0 or self._key(state) in self._keys
            found = Explained(choice.player, choice.name, np.nan, names, shares, [None] * len(shares), met)
        known = [value for value in found.value if value is not None]
        best = max(known, default=0.0)
        actions = [
            TreeAction(name, share, value, None if value is None else best - value, regrets[a])
            for a, (name, share, value) in enumerate(zip(names, found.probability, found.value, strict=True))
        ]
        mean = None if len(known) < len(names) else float(np.dot(known, found.probability))
        reach = None if np.isnan(found.reach) else found.reach
        return TreeNode(state, steps, found.name, actions, reach, way, found.met, mean, deals)

    def _shares(self, state: State) -> list[float]:
        """The probability of each move: of chance, or by the strategy."""
        if state.is_chance:
            return state.chances
        assert self.strategy is not None
        return [*self.strategy.at(state).actions.values()]

    def _regrets(self, state: State, count: int) -> list[float | None]:
        learned = self.learned
        if learned is not None and len(learned.keys):
            k = int(np.searchsorted(learned.keys, np.uint64(self._key(state))))
            if k < len(learned.keys) and int(learned.keys[k]) == self._key(state):
                row: list[float | None] = learned.regret[learned.start[k] : learned.start[k + 1]].tolist()
                if len(row) == count:
                    return row
        return [None] * count

    def _key(self, state: State) -> int:
        view = Full() if self.strategy is None else self.strategy.view
        return int(view.key(state.game, state.row)) & MASK

    @cached_property
    def _keys(self) -> set[int]:
        return set() if self.strategy is None else set(self.strategy.keys.tolist())

    # ---- other deals -------------------------------------------------------------------------------------------------

    def _other_deals(self, states: list[State], moves: Sequence[int]) -> list[OtherDeals]:
        """What the player would do if chance had done something else at one moment, and all others the same."""
        if self.strategy is None:
            return []
        names = [state.actions[move] for state, move in zip(states, moves, strict=False)]
        groups, left = [], OTHER_DEALS
        for k, state in enumerate(states[:-1]):
            if not state.is_chance or left < state.num_actions * (len(moves) - k):
                continue
            left -= state.num_actions * (len(moves) - k)
            if len(found := self._instead(states[-1], state, names[k:])) > 1:
                groups.append(OtherDeals(k, names[k], found))
        return groups

    def _instead(self, here: State, state: State, names: Sequence[str]) -> list[OtherDeal]:
        """The infosets of the player that another outcome at this state leads to; those that are alike but for suits
        are one.
        """
        assert self.strategy is not None
        found: dict[Any, OtherDeal] = {}
        for outcome, chance in enumerate(state.chances):
            other = followed_by_name(state.child(outcome), names[1:]) if chance > 0.0 else None
            if other is None or other.player != here.player or other.actions != here.actions:
                continue
            choice, is_here = self.strategy.at(other), self._key(other) == self._key(here)
            shares = [*choice.actions.values()]
            key = alike(choice.player, choice.name, shares)
            if key not in found or is_here:
                moves = here.history if is_here else other.history
                found[key] = OtherDeal(choice.name, moves, shares, is_here)
        return list(found.values())

    # ---- by name -----------------------------------------------------------------------------------------------------

    @cached_property
    def is_small(self) -> bool:
        """Whether the whole game can be walked for values and names."""
        return tree_size(self.game, limit=self.most).is_exact

    @cached_property
    def explanation(self) -> Explanation | None:
        """Values and reach everywhere; None where the game is too large, or the strategy cannot be judged exactly."""
        if self.strategy is None or not self.is_small or has_choices(self.strategy.view):
            return None
        try:
            return Explanation(self.strategy)
        except TooLarge:
            return None

    @cached_property
    def places(self) -> list[NamedPlace]:
        """All infosets by name, each with a way that leads there."""
        if (explanation := self.explanation) is None:
            raise RuseError("the game is too large to look infosets up by name; type the moves that lead there")
        if len(explanation.infosets) > LISTED:
            raise RuseError(f"there are {len(explanation.infosets):,} infosets, too many to look up by name; type the "
                            "moves that lead there")  # fmt: skip
        return list(self._named(explanation))

    def _named(self, explanation: Explanation) -> Iterator[NamedPlace]:
        for told in explanation.infosets.told():
            found = explanation(told)
            way = explanation.expanded.way(told.node)
            yield NamedPlace(found.name, found.player, way, found.actions, found.probability, found.reach)

    def search(self, text: str, limit: int = 20) -> tuple[int, list[NamedPlace]]:
        """How many infosets a text may mean, and the likeliest of them: where play comes most often first. Those that
        are alike but for suits are one.
        """
        words = text.casefold().replace(",", " ").split()
        wanted = as_compared(text)
        found: dict[Any, tuple[bool, float, NamedPlace]] = {}
        count = 0
        for place in self.places:
            said = f" {as_compared(place.name)} {without_suits(place.name)} "
            if all(f" {word}" in said for word in words):
                count += 1
                is_exact = as_compared(place.name) == wanted
                key = alike(place.player, place.name, place.probability)
                if key in found:
                    known = found[key]
                    first = place if is_exact else known[2]
                    found[key] = known[0] and not is_exact, known[1], first._replace(alike=known[2].alike + 1)
                else:
                    is_meant = is_exact or without_suits(place.name) == wanted
                    found[key] = not is_meant, -place.reach, place
        fits = sorted(found.values(), key=lambda one: one[:2])
        return count, [place for _, _, place in fits[:limit]]

    def followed(self, history: Sequence[str]) -> tuple[int, ...]:
        """The numbers of moves that are typed by name."""
        try:
            return State.of(self.game).after(*history).history
        except ValueError as error:
            raise RuseError(str(error)) from error


def told_by(strategy: Strategy) -> Strategy:
    """The strategy in the game as its view offers it; as it is where that game has no words."""
    try:
        return strategy.as_offered()
    except RuseError:
        return strategy


def alike(player: int | None, name: str, *shares: Sequence[float]) -> tuple[Any, ...]:
    """What infosets have in common that differ in suits alone, and are played the same."""
    return player, without_suits(name), *(round(share, 9) for row in shares for share in row)


def followed_by_name(state: State, names: Sequence[str]) -> State | None:
    """The decision that moves of these names lead to; None if they lead to none."""
    for name in names:
        moves = state.actions
        if name not in moves:
            return None
        state = state.child(moves.index(name))
    return None if state.is_over or state.is_chance else state
