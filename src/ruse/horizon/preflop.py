"""Hold'em for two before the flop, with leaf values from a blueprint: 169 hands against 169, and nothing is drawn."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.lines import FOLD, SHOWDOWN, Lines
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.horizon.continuations import CALLS
from ruse.horizon.cutting import cut_tree
from ruse.horizon.holdem_leaves import FlopLeaves
from ruse.solve.prefer.favour import FORMS
from ruse.solve.ranges.engine import Leans, RangeEngine
from ruse.solve.ranges.plans.leaves import CutTree, leaf_plan
from ruse.solve.ranges.plans.plan import RangePlan
from ruse.solve.ranges.preferred import leaning
from ruse.solve.ranges.public.betting import END, PublicTree
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.traits import minimizer_traits
from ruse.strategy import Strategy
from ruse.subgame.strategies import patched
from ruse.words.counts import count_of

Array = NDArray[np.float64]
Rows = Mapping[int, Array]  # node: [starting hand, action] how often


class Style(NamedTuple):
    """What player 0 prefers at his first decision."""

    name: str = "Normal"
    actions: tuple[str, ...] = ()  # how their names begin
    delta: float = 1.0
    beta: float = 0.0  # big blinds that a visit may cost

    def deltas(self, names: tuple[str, ...]) -> Array:
        """[action] 1 where nothing is preferred."""
        return np.array([self.delta if name.startswith(self.actions or ("\0",)) else 1.0 for name in names])


NORMAL = Style()
AGGRESSIVE = Style("Aggressive", ("raise",), 5.0, 0.05)  # as in the paper, whose all-in is an action by itself
LOOSE_PASSIVE = Style("Loose passive", CALLS, 5.0, 0.05)
STYLES = (NORMAL, AGGRESSIVE, LOOSE_PASSIVE)


class Preflop(NamedTuple):
    """The betting before the flop. Node numbers are its own; `kept` has those of the lines."""

    lines: Lines
    kept: tuple[int, ...]
    tree: PublicTree

    @classmethod
    def of(cls, lines: Lines) -> "Preflop":
        return cls(lines, *cut_tree(lines.children, lambda n: int(lines.who[n]) if lines.street[n] == 0 else END))

    @property
    def decisions(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.tree.player >= 0).tolist()
        return found

    def names(self, n: int) -> tuple[str, ...]:
        """What may be done at a decision."""
        return self.lines.names[self.kept[n]]

    def valued(self, leaves: FlopLeaves) -> CutTree:
        """With what its ends are worth: folds and all-ins exactly, flops by the blueprint."""
        table = starting_equities()
        pairs = table.pairs / table.pairs.sum()
        place = {node: k for k, node in enumerate(leaves.nodes)}
        worth = {}
        for n in np.flatnonzero(self.tree.player == END).tolist():
            whole = self.kept[n]
            who, payoff = int(self.lines.who[whole]), self.lines.payoff[whole]
            if who == FOLD:
                each = np.full((1, 1, *pairs.shape), payoff[0, 0])
            elif who == SHOWDOWN:
                each = (payoff[1, 0] + (payoff[0, 0] - payoff[1, 0]) * table.equity)[None, None]
            elif whole in place:
                each = leaves.worth[place[whole]]
            else:
                raise RuseError("the leaf values are of another game: a line of it has none")
            worth[n] = each * pairs
        return CutTree(self.tree, worth, pairs)


class Solved(NamedTuple):
    """A solution of the game before the flop."""

    style: Style
    rows: dict[int, Array]  # both players'
    judged: Exploitability  # in the game before the flop, by best responses that choose at leaves, too
    iterations: int

    @property
    def opening(self) -> Array:
        """[action] how often each is taken first, over all hands that are dealt."""
        dealt = starting_equities().pairs.sum(axis=1)
        share: Array = (dealt / dealt.sum()) @ self.rows[0]
        return share


def solved(
    game: Preflop, cut: CutTree, solver: Solver, style: Style = NORMAL, *, form: Any = None, iterations: int = 1_000,
    dtype: Any = np.float64,
) -> Solved:  # fmt: skip
    """Solve the game before the flop, in one iteration at least, with a style at player 0's first decision.

    `form` is how a preference changes a choice (`solve/prefer/favour.py`); None: the one that goes with the rule.
    """
    iterations = count_of("iterations", iterations, least=1)
    has_style = style.delta > 1.0 or style.beta > 0.0
    plan, node = leaf_plan(cut, [0] if style.beta > 0.0 else [])
    leans = styled(plan, solver, style, game.names(0), form) if has_style else None
    engine = RangeEngine(plan, solver, dtype=dtype, planned=iterations, leaning=leans)
    engine.run(0, iterations)
    rows = {n: engine.strategy(node[n])[1] for n in game.decisions}
    return Solved(style, rows, engine.exploitability(), iterations)


def styled(plan: RangePlan, solver: Solver, style: Style, names: tuple[str, ...], form: Any) -> Leans:
    """The preferences of a style at the root, with all hands."""
    deltas = style.deltas(names)
    if form is None:
        form = FORMS[minimizer_traits(solver.minimizer).form](solver.minimizer)
    numbers = {0: np.zeros(plan.scratch.width, np.int64)}
    return leaning(
        plan, solver.minimizer, form, numbers, np.array([0, len(deltas)]), deltas, np.array([style.beta], np.float64)
    )


def duel(cut: CutTree, first: Rows, second: Rows) -> float:
    """What player 0 wins a hand, exactly, if both go on as the blueprint does after the flop."""
    tree, pairs = cut.tree, cut.pairs
    rows = (first, second)

    def visit(n: int, reach: tuple[Array, Array]) -> float:
        who = int(tree.player[n])
        if who == END:
            return float(reach[0] @ cut.worth[n][0, 0] @ reach[1])
        total = 0.0
        for a, c in enumerate(tree.children(n)):
            own = reach[who] * rows[who][n][:, a]
            total += visit(c, (own, reach[1]) if who == 0 else (reach[0], own))
        return total

    return visit(0, (np.ones(pairs.shape[0]), np.ones(pairs.shape[1])))


def rows_before_flop(strategy: Strategy, game: Preflop) -> dict[int, Array]:
    """What a strategy with hands in buckets does before the flop."""
    bucketed = Bucketed.of_two(strategy)
    return {n: bucketed.rows(game.kept[n]) for n in game.decisions}


def patched_before_flop(blueprint: Strategy, game: Preflop, first: Rows, second: Rows) -> Strategy:
    """The blueprint, with these rows of players 0 and 1 before the flop."""
    rows = {game.kept[n]: (first, second)[int(game.tree.player[n])][n] for n in game.decisions}
    return patched_at(blueprint, game.lines, rows)


def patched_at(blueprint: Strategy, lines: Lines, rows: Rows) -> Strategy:
    """The blueprint, with these rows at nodes before the flop, of hands that it has never held there, too."""
    view, keys, shares = cast(Any, blueprint.view), [], []
    for n, table in rows.items():
        past, who = int(lines.past[n]), int(lines.who[n])
        keys += [int(view.key_of(past, hand, who)) & MASK for hand in range(STARTING_HANDS)]
        shares += list(table)
    order = np.argsort(np.array(keys, np.uint64))
    start = np.concatenate([[0], np.cumsum([len(shares[k]) for k in order])]).astype(np.int64)
    part = Strategy(
        blueprint.game, np.array(keys, np.uint64)[order], start, np.concatenate([shares[k] for k in order]), view=view
    )
    whole = patched(blueprint, part)
    whole.about = dict(blueprint.about)
    return whole
