"""A census of the play: how often every decision is met and every action taken, exactly, in one walk of the game.

All of it is kept *by sequence and without its owner's own reach*: a sum over a player's sequences, weighted by how
often that player plays them, is then linear in his strategy. So the same sums measure a strategy and, in
`ruse.styles.equilibria`, look for one.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled
from ruse.play.meter import Meter, meter_for
from ruse.protocol.decisions import Asked, Decisions
from ruse.protocol.game import Game
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.tree.sequence_form import SequenceForm, node_and_reach, node_index
from ruse.tree.walk import Stack, walk

Interval = tuple[float, float]


class Found(NamedTuple):
    """A number, and its 95 % confidence interval if it was sampled."""

    value: float  # not a number if there is nothing to measure
    interval: Interval | None = None


class Ratio(NamedTuple):
    """Two sums over sequences, of what was done and of what could have been; linear in each player's own reach."""

    done: NDArray[Any]  # [sequence] without the owner's own reach
    possible: NDArray[Any]  # [sequence]

    def at(self, reach: NDArray[Any]) -> float:
        """The share when each sequence's owner plays it with this probability."""
        possible = float(self.possible @ reach)
        return float(self.done @ reach) / possible if possible > 0.0 else float("nan")


class Census:
    """What happens when all follow the strategy. The game must be small enough to be expanded."""

    def __init__(self, strategy: Strategy) -> None:
        self.expanded = Expanded.of(strategy.game)
        self.meter: Meter = meter_for(strategy.game)
        self.reach = np.zeros(self.form.num_sequences)  # [sequence] the owner's own
        fill_reach(self.form, strategy.on(self.expanded), self.reach)
        self.visited = visit(self.expanded, self.meter, self.reach)

    @property
    def form(self) -> SequenceForm:
        return self.expanded.form

    @property
    def game(self) -> Game:
        return self.expanded.game

    @cached_property
    def decisions(self) -> Decisions:
        """The nodes of the decision trees, in their order."""
        form, expanded = self.form, self.expanded
        is_first = form.parent < form.players
        return Decisions(self.game, expanded.rows(), expanded.owner, np.diff(form.first), is_first, way=expanded.way)

    def ratio(self, wanted: Asked) -> Ratio:
        """How often the actions are taken that a text means, over all decisions where one of them is legal."""
        form, meant = self.form, self.decisions.meant(wanted)
        done, possible = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
        others = np.repeat(self.visited.others, self.decisions.count)
        is_legal = np.add.reduceat(meant, self.decisions.start[:-1]) > 0
        done[form.players :] = others * meant
        possible[form.players :] = others * np.repeat(is_legal, self.decisions.count)
        return Ratio(done, possible)

    def frequency(self, wanted: Asked) -> Found:
        return Found(self.ratio(wanted).at(self.reach))

    def rate(self, name: str, player: int | None) -> Found:
        """What the game's meter says of a player, or of all of them, each of whom then plays a game of his own."""
        mine, games = (np.ones(len(self.reach)), self.game.players) if player is None else (self.owned(player), 1)
        return Found(self.meter.rates((self.reach * mine) @ self.visited.notes, games)[name])

    def mean(self, player: int) -> Found:
        return Found(float((self.reach * self.owned(player)) @ self.visited.payoff))

    def variance(self, player: int) -> Found:
        """Of the player's payoff in one game."""
        square = float((self.reach * self.owned(player)) @ self.visited.square)
        return Found(max(square - self.mean(player).value ** 2, 0.0))

    def owned(self, player: int) -> NDArray[Any]:
        """[sequence] 1 for the player's own sequences, the empty one too."""
        form = self.form
        mine = np.zeros(form.num_sequences)
        mine[player] = 1.0
        mine[form.first[form.node_start[player]] : form.first[form.node_start[player + 1]]] = 1.0
        return mine


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Visited(NamedTuple):
    """A visitor that adds up, each without the reach of the one whom it is about, what a census asks for."""

    rules: Any  # the game
    meter: Any
    keys: NDArray[Any]  # the index of nodes
    ids: NDArray[Any]
    node_first: NDArray[Any]
    reach: NDArray[Any]  # [sequence] the owner's own
    others: NDArray[Any]  # [node] chance and the other players
    notes: NDArray[Any]  # [sequence, what the meter counts]
    payoff: NDArray[Any]  # [sequence] the owner's, at the ends of which it is his last
    square: NDArray[Any]  # [sequence] and the square of it
    scratch: NDArray[Any]  # [player, what the meter counts]

    def is_full(self):
        return False

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        player = stack.player[level]
        node, product = node_and_reach(self.keys, self.ids, self.reach, stack, level, key)
        self.others[node] += product
        first = self.node_first[node]
        counted = self.notes.shape[1]
        if counted > 0:
            for a in range(stack.actions[level]):
                for k in range(counted):
                    self.scratch[player, k] = 0.0
                self.meter.note(self.rules, stack.rows[level], a, self.scratch, player)
                for k in range(counted):
                    self.notes[first + a, k] += product * self.scratch[player, k]
        return first

    def at_end(self, game, stack, level):
        players = stack.sequence.shape[1]
        for p in range(players):
            product = stack.chance[level]
            for q in range(players):
                if q != p:
                    product *= self.reach[stack.sequence[level, q]]
            payoff = game.payoff(stack.rows[level], p)
            self.payoff[stack.sequence[level, p]] += product * payoff
            self.square[stack.sequence[level, p]] += product * payoff * payoff


def visit(expanded: Expanded, meter: Meter, reach: NDArray[Any]) -> Visited:
    """Walk the whole game once."""
    form, game = expanded.form, expanded.game
    keys, ids = node_index(expanded.keys, form.parent)
    sequences, counted = form.num_sequences, meter.counted
    visitor = Visited(
        game, meter, keys, ids, form.first.astype(np.int64), reach, np.zeros(len(form.parent)),
        np.zeros((sequences, counted)), np.zeros(sequences), np.zeros(sequences), np.zeros((form.players, counted)),
    )  # fmt: skip
    walk(game, expanded.view, Stack.start(game, levels=expanded.size.depth + 2), visitor, 1 << 62)
    return visitor
