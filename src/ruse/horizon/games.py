"""Small games cut short: those whose private cards are dealt first, up to the next public event of chance."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.horizon.continuations import Leafs
from ruse.horizon.cutting import cut_tree
from ruse.horizon.size import CutSize
from ruse.protocol.game import Game
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.games import game_plan
from ruse.solve.ranges.plans.leaves import CutTree
from ruse.solve.ranges.public.betting import DEAL, END, PublicTree
from ruse.solve.ranges.public.walked import Walked
from ruse.solve.solver.presets import Solver
from ruse.strategy import Strategy
from ruse.words.naming import named

Array = NDArray[np.float64]
Rows = Mapping[int, Array]  # decision: [hand, action] how often


class CutGame(NamedTuple):
    """The part of a game before its next public card."""

    walked: Walked
    kept: tuple[int, ...]  # node of the cut tree: node of the whole
    tree: PublicTree

    @classmethod
    def of(cls, walked: Walked) -> "CutGame":
        if not np.any(walked.tree.player == DEAL):
            raise RuseError("nothing is dealt after the first cards, so there is nowhere to cut")
        return cls(walked, *cut_tree(walked.tree.children, lambda n: int(walked.tree.player[n])))

    def valued(self, rows: Rows, leafs: Leafs) -> CutTree:
        """With leaves that are worth what they are if both go on by these rows, biased as they choose."""
        walked, names = self.walked, action_names(self.walked)
        refuse_idle(leafs, names)
        pairs = self.by_hands({deal.number: deal.chance for deal in walked.dealt})
        ways: list[list[dict[int, Array]]] = [
            [{n: way.of(np.asarray(rows[n]), names[n]) for n in rows if walked.player[n] == p} for way in leafs.of(p)]
            for p in range(2)
        ]
        worth = {}
        for n, whole in enumerate(self.kept):
            if self.tree.player[n] == END:
                is_leaf = int(walked.tree.player[whole]) == DEAL
                first = ways[0] if is_leaf else [{}]
                second = ways[1] if is_leaf else [{}]
                worth[n] = np.array(
                    [[self.by_hands(value_below(walked, whole, {**a, **b})) for b in second] for a in first]
                )
        return CutTree(self.tree, worth, pairs)

    def by_hands(self, by_deal: Mapping[int, float]) -> Array:
        """[hand of 0, hand of 1] the sum over deals."""
        found = np.zeros([int(hand.max()) + 1 for hand in self.walked.hand])
        for deal, value in by_deal.items():
            found[self.walked.hand[0][deal], self.walked.hand[1][deal]] += value
        return found


class UncutGame:
    """A small game with an engine that solves all of it, and what there is to know for cutting it."""

    def __init__(self, game: Game, solver: Solver, planned: int, leafs: Leafs, room: int) -> None:
        size = CutSize.of(game).within(room)
        walked = Walked(game)
        self.cut = CutGame.of(walked)
        refuse_idle(leafs, action_names(walked))
        size = size.planned(walked, len(leafs.choices)).within(room)
        self.engine = RangeEngine(game_plan(walked), solver, dtype=np.float64, planned=planned)
        if self.engine.plan.payoff_sum != 0.0:
            raise RuseError(f"a horizon is for games whose payoffs cancel; in {named(game)} they do not")
        self.decisions: list[int] = np.flatnonzero(walked.tree.player >= 0).tolist()
        self.told = size.told

    def valued(self, leafs: Leafs) -> CutTree:
        """The game up to its next card, after which both go on by what the engine has learned."""
        return self.cut.valued(rows_of(self.engine, self.decisions), leafs)

    def strategy(self, about: Mapping[str, Any]) -> Strategy:
        """What the engine has for its average."""
        walked = self.cut.walked
        found: dict[int, Array] = {}
        for n in self.decisions:
            rows, hand = self.engine.strategy(n)[1], walked.hand[walked.player[n]]
            found |= {key & MASK: rows[hand[deal]] for deal, key in walked.keys(n).items()}
        keys = sorted(found)
        start = np.cumsum([0, *(len(found[key]) for key in keys)])
        shares = np.concatenate([found[key] for key in keys])
        return Strategy(walked.game, np.array(keys, np.uint64), start, shares, about=about)


def refuse_idle(leafs: Leafs, names: dict[int, list[str]]) -> None:
    """Raise if a way to go on is like the first, because no action has a name that it favours."""
    told = {name for each in names.values() for name in each}
    for way in leafs.choices[1:]:
        if not any(map(way.favours, told)):
            raise RuseError(
                f"no action of the game begins with {', '.join(way.actions)}, so {way.name} more often would change "
                f"nothing; the actions are {', '.join(sorted(told)[:8])}; take card:ways=1"
            )


def action_names(walked: Walked) -> dict[int, list[str]]:
    """What actions are called at each decision."""
    game = walked.game
    return {
        n: [game.action_name(walked.deals[n][0].row, a) for a in range(len(walked.tree.children(n)))]
        for n in np.flatnonzero(walked.tree.player >= 0).tolist()
    }


def value_below(walked: Walked, n: int, rows: Rows) -> dict[int, float]:
    """What player 0 gets below a node by deal, times chance, if decisions are made by these rows."""
    who = int(walked.tree.player[n])
    if who == END:
        return {deal.number: deal.chance * float(walked.game.payoff(deal.row, 0)) for deal in walked.deals[n]}
    total: dict[int, float] = {}
    for a, c in enumerate(walked.tree.children(n)):
        for deal, value in value_below(walked, c, rows).items():
            share = rows[n][walked.hand[who][deal], a] if who >= 0 else 1.0
            total[deal] = total.get(deal, 0.0) + float(share) * value
    return total


def rows_of(engine: RangeEngine, nodes: Sequence[int]) -> dict[int, Array]:
    """The average strategy at some decisions, by hand and action."""
    return {n: engine.strategy(n)[1] for n in nodes}


def put_rows(engine: RangeEngine, rows: Rows) -> None:
    """Make these rows the average strategy of an engine, to be judged."""
    engine.take_average(np.zeros_like(engine.tables.average))
    for n, each in rows.items():
        engine.rows(engine.tables.average, n)[:] = each.T
