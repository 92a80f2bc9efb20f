"""The histories at one moment of a game: their rows, how often play comes there, and what they are worth."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.against import NOBODY, Against
from ruse.laws.peeking import refuse_peeking
from ruse.play.bots.bot import StrategyBot, bisect
from ruse.protocol.game import OVER, Game, Row
from ruse.protocol.view import Full
from ruse.protocol.wrapped import Through, Wrapped
from ruse.strategy import Strategy
from ruse.subgame.cut import Cut, LeafTable, Moment, refuse_no_moment
from ruse.subgame.given import array_of, frequencies_of, places_of
from ruse.subgame.rooted import PLACE, Rooted, refuse_no_states, rows_of
from ruse.tree.walk import Growing, Stack, twice
from ruse.words.naming import named

CARDS = 64  # at most, as bits of a word
UNKNOWN = -1  # where the probabilities of a decision start that a strategy does not know
FOUND, MISFITS = range(2)  # what is counted on the way


class Roots(NamedTuple):
    """Rows of a game, and the probability with which chance and each player lead there."""

    rows: NDArray[Any]  # [root, column]
    reaches: NDArray[Any]  # [root, 1 + player] chance's first

    @classmethod
    def at(cls, game: Game, until: Moment, strategy: Strategy) -> "Roots":
        """All histories at which this moment has come, with their reaches under a strategy; 0 is among them."""
        refuse_no_moment(game, until)
        strategy.refuse_other(game)
        strategy.refuse_choices()
        refuse_peeking(game, strategy.view)
        cut, view = Cut.of(game, until, Worthless()), Through(strategy.view)
        visitor = Growing(cut, view, Gatherer.start(game, strategy, len(Stack.start(cut).next))).to_the_end()
        if visitor.totals[MISFITS]:
            raise RuseError(f"the strategy does not fit {named(game)}: an infoset has another number of actions")
        found = int(visitor.totals[FOUND])
        if not found:
            raise RuseError(f"no game of {named(game)} comes to {until!r}")
        return cls(visitor.rows[:found], visitor.reaches[:found])

    @classmethod
    def dealt(
        cls, row: Row, columns: Sequence[Sequence[int]], holdings: Sequence[ArrayLike], ranges: Sequence[ArrayLike], *,
        gone: Sequence[int] = (),
    ) -> "Roots":  # fmt: skip
        """A row for each way to deal cards of which nobody can have one that another has, or that is gone.

        Player p holds holdings[p][h], some cards, in columns[p] of the row, and comes here with it as often as
        ranges[p][h] says. Cards are numbered from 0 to 63.
        """
        front = array_of(row, "the columns of a row")
        if front.ndim != 1 or front.dtype.kind not in "iu":
            raise RuseError(f"deal into one row of whole numbers, got {front.dtype} of the shape {front.shape}")
        places_of([c for own in columns for c in own], "columns that cards are dealt to", len(front))
        cards, share = held_by([len(own) for own in columns], holdings, ranges)
        out = places_of(list(gone), "cards that are gone", CARDS)
        taken = np.bitwise_or.reduce(np.uint64(1) << out.astype(np.uint64), keepdims=True, initial=np.uint64(0))
        chosen = np.zeros((1, 0), np.int64)  # [deal, player] which holding
        for held, one in zip(cards, share, strict=True):
            mask = np.bitwise_or.reduce(np.uint64(1) << held.astype(np.uint64), axis=1)
            deal, which = np.nonzero(((taken[:, None] & mask[None, :]) == 0) & (one[None, :] > 0.0))
            chosen, taken = np.column_stack([chosen[deal], which]), taken[deal] | mask[which]
        if not len(chosen):
            raise RuseError("there is no way to deal: each leaves a player without a holding of his range")
        rows = np.repeat(front[None, :], len(chosen), axis=0)
        for p, held in enumerate(cards):
            rows[:, list(columns[p])] = held[chosen[:, p]]
        return cls(rows, np.column_stack([np.ones(len(rows)), *(one[chosen[:, p]] for p, one in enumerate(share))]))

    @property
    def weights(self) -> NDArray[Any]:
        """[root] how often play comes there."""
        return np.asarray(self.reaches.prod(axis=1))

    def only(self, chosen: NDArray[Any]) -> "Roots":
        """Some of them: a mask, or their numbers."""
        return Roots(self.rows[chosen], self.reaches[chosen])

    def game(self, game: Game) -> Wrapped:
        """The game from here on."""
        return Rooted.of(game, self.rows, self.reaches)


def held_by(
    counts: Sequence[int], holdings: Sequence[ArrayLike], ranges: Sequence[ArrayLike]
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """For each player the cards of each holding, so many as he has, and how often he comes with it."""
    if not len(counts) == len(holdings) == len(ranges):
        got = f"{len(counts)}, {len(holdings)} and {len(ranges)}"
        raise RuseError(f"each player needs columns, holdings and a range: got {got}")
    cards, share = [], []
    for p, count in enumerate(counts):
        held = array_of(holdings[p], f"cards of player {p}")
        held = held[:, None] if held.ndim == 1 else held
        if held.shape[1:] != (count,):
            raise RuseError(f"player {p} holds {count} cards in each holding, got holdings of the shape {held.shape}")
        cards.append(places_of(held, f"cards of player {p} in a holding", CARDS))
        share.append(frequencies_of(ranges[p], f"ranges of player {p}"))
        if share[p].shape != (len(held),):
            raise RuseError(f"player {p} has {len(held):,} holdings and a range of the shape {share[p].shape}")
    return cards, share


def values_at(game: Game, rows: ArrayLike, strategy: Strategy) -> NDArray[Any]:
    """[row, player] what each row is worth if all follow a strategy from there on."""
    frozen, found = Against.of(game, NOBODY, strategy), rows_of(game, rows)
    refuse_no_states(game, found)
    rooted = Rooted.trusting(frozen, found, np.ones(len(found)))
    adder = Adder(np.zeros((len(rooted.twist.rows), game.players)), rooted.columns)
    Growing(rooted, Full(), adder).to_the_end()
    return adder.value * len(adder.value)


def leaf_values(game: Game, until: Moment, strategy: Strategy) -> LeafTable:
    """What the histories at a moment are worth under a strategy, for a game that is cut there."""
    rows = Roots.at(game, until, strategy).rows
    return LeafTable.of(game, rows, values_at(game, rows, strategy))


@compiled("leaf_worth")
class Worthless(NamedTuple):
    """Leaves that are worth nothing."""

    nothing: int = 0

    def leaf_worth(self, game, s, player):
        return 0.0


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Gatherer(NamedTuple):
    """A visitor that writes down the ends of a cut game, and how they are reached."""

    follows: StrategyBot
    place: NDArray[Any]  # [level] where the probabilities of the open decision start
    rows: NDArray[Any]  # [root, column]
    reaches: NDArray[Any]  # [root, 1 + player]
    totals: NDArray[Any]  # [2] roots, decisions that do not fit the strategy

    @classmethod
    def start(cls, game: Game, strategy: Strategy, levels: int, room: int = 1 << 10) -> "Gatherer":
        row = game.start()
        rows, reaches = np.zeros((room, len(row)), row.dtype), np.zeros((room, 1 + game.players))
        return cls(StrategyBot.of(strategy), np.zeros(levels, np.int64), rows, reaches, np.zeros(2, np.int64))

    def larger(self) -> "Gatherer":
        """The same with room for twice as many roots."""
        rows, reaches = twice([self.rows, self.reaches])
        return self._replace(rows=rows, reaches=reaches)

    def further(self, moves: int) -> "Gatherer":
        """The same for histories of so many moves."""
        return self._replace(place=np.resize(self.place, moves))

    def is_full(self):
        return self.totals[FOUND] >= len(self.rows)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        found = bisect(self.follows.keys, np.uint64(key))
        self.place[level] = UNKNOWN
        if found < len(self.follows.keys) and self.follows.keys[found] == np.uint64(key):
            first = self.follows.start[found]
            if self.follows.start[found + 1] - first == stack.actions[level]:
                self.place[level] = first
            else:
                self.totals[MISFITS] += 1
        return 0

    def at_end(self, game, stack, level):
        row = stack.rows[level][: game.columns]
        if game.rules.player(row) == OVER:
            return
        root = self.totals[FOUND]
        for c in range(len(row)):
            self.rows[root, c] = row[c]
        for p in range(self.reaches.shape[1]):
            self.reaches[root, p] = 1.0
        self.reaches[root, 0] = stack.chance[level]
        for above in range(level):
            player = stack.player[above]
            if player >= 0 and self.place[above] != UNKNOWN:
                self.reaches[root, 1 + player] *= self.follows.probability[self.place[above] + stack.next[above] - 1]
            elif player >= 0:
                self.reaches[root, 1 + player] /= stack.actions[above]
        self.totals[FOUND] += 1


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Adder(NamedTuple):
    """A visitor that adds up payoffs by the root that they follow from."""

    value: NDArray[Any]  # [root, player]
    columns: int  # of the game that is rooted

    def is_full(self):
        return False

    def larger(self) -> "Adder":
        return self

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        return 0

    def at_end(self, game, stack, level):
        root = stack.rows[level, self.columns + PLACE]
        for p in range(self.value.shape[1]):
            self.value[root, p] += stack.chance[level] * game.payoff(stack.rows[level], p)
