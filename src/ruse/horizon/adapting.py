"""A button that answers an opponent's mistakes before the flop, and gives no more away than was said.

The best response to what an opponent does wins most from him, and loses far more to one who does something else. A
*restricted Nash response* (Johanson, Zinkevich and Bowling 2007) answers one who does it with some probability and is
free to do his best else: his hands are there twice, once with his habits and once free. The larger that probability,
the more is won and the more is given away; the largest is taken whose price is still allowed. `styles/adapting.py` does
the same by a linear program in games that are small enough for one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.horizon.continuations import Continuation
from ruse.horizon.preflop import Preflop, Rows, duel, patched_before_flop, rows_before_flop, solved
from ruse.horizon.targets import leaves_of, refuse_idle
from ruse.solve.ranges.frozen import frozen_engine
from ruse.solve.ranges.plans.leaves import CutTree, leaf_plan
from ruse.solve.ranges.public.betting import END
from ruse.solve.solver.presets import Solver, dcfr
from ruse.strategy import Strategy
from ruse.words.naming import named

Array = NDArray[np.float64]
STEPS = 6  # of halving the probability
LEARNS = -1.0  # in place of a row


class Adapted(NamedTuple):
    """What is played, and what it wins and costs; big blinds a hand."""

    rows: dict[int, Array]  # of player 0
    trust: float  # the probability with which the opponent was taken to do as he does
    gain: float  # against this opponent, more than the normal strategy
    price: float  # to the best opponent, more than the normal strategy gives away


def leaning_rows(game: Preflop, rows: Rows, way: Continuation) -> dict[int, Array]:
    """A strategy with a mistake: some actions are so many times as likely at every decision before the flop."""
    return {n: way.of(np.asarray(rows[n]), game.names(n)) for n in game.decisions}


def given_away(cut: CutTree, rows: Rows) -> float:
    """What the best opponent wins from player 0, who goes on as the blueprint does; he himself chooses how."""

    def visit(n: int, reach: Array) -> Array:
        who = int(cut.tree.player[n])
        if who == END:
            return np.max([-(reach @ worth) for worth in cut.worth[n][0]], axis=0)  # type: ignore[no-any-return]
        below = cut.tree.children(n)
        if who == 0:
            total: Array = np.sum([visit(c, reach * rows[n][:, a]) for a, c in enumerate(below)], axis=0)
            return total
        best: Array = np.max([visit(c, reach) for c in below], axis=0)
        return best

    return float(visit(0, np.ones(cut.pairs.shape[0])).sum())


def restricted(cut: CutTree, opponent: Rows, trust: float, solver: Solver, iterations: int) -> dict[int, Array]:
    """Player 0's rows in the game in which player 1 does as he does so often, and is free else."""
    tree, hands = cut.tree, cut.pairs.shape[1]
    pairs = np.concatenate([trust * cut.pairs, (1.0 - trust) * cut.pairs], axis=-1)
    worth = {n: np.concatenate([trust * w[:1], (1.0 - trust) * w[:1]], axis=-1) for n, w in cut.worth.items()}
    plan, node = leaf_plan(CutTree(tree, worth, pairs))
    kept: dict[int, Array] = {}
    for n in range(len(tree.player)):
        who, ways = int(tree.player[n]), worth[n].shape[1] if n in worth else 0
        if who == 1:
            kept[node[n]] = np.concatenate([opponent[n], np.full_like(opponent[n], LEARNS)])
        elif who == END and ways > 1:
            as_it_is = np.tile(np.eye(ways)[0], (hands, 1))
            kept[node[n]] = np.concatenate([as_it_is, np.full((hands, ways), LEARNS)])
    engine = frozen_engine(plan, solver, kept)
    engine.run(0, iterations)
    return {n: engine.strategy(node[n])[1] for n in np.flatnonzero(tree.player == 0).tolist()}


def adapted(
    cut: CutTree, normal: Rows, opponent: Rows, *, price: float, solver: Solver | None = None, iterations: int = 200,
    steps: int = STEPS,
) -> Adapted:  # fmt: skip
    """The answer to an opponent that gives no more away than `price`; the normal strategy where there is none."""
    if not price >= 0.0:
        raise RuseError(f"the price of adapting is at least 0 big blinds a hand, got {price:g}")
    base, before = given_away(cut, normal), duel(cut, normal, opponent)
    own = {n: np.asarray(normal[n]) for n in np.flatnonzero(cut.tree.player == 0).tolist()}
    best, low, high = Adapted(own, 0.0, 0.0, 0.0), 0.0, 1.0
    for _ in range(steps):
        trust = (low + high) / 2.0
        rows = restricted(cut, opponent, trust, solver or dcfr(), iterations)
        found = Adapted(rows, trust, duel(cut, rows, opponent) - before, given_away(cut, rows) - base)
        if found.price <= price:
            low, best = trust, max(best, found, key=lambda one: one.gain)
        else:
            high = trust
    return best


class AdaptedButton(NamedTuple):
    """A blueprint whose button answers an opponent; big blinds a hand."""

    strategy: Strategy  # for the whole game
    before: float  # what a normal button wins from this opponent before the flop, both going on as the blueprint does
    found: Adapted
    exploitability: float  # before the flop, of a normal strategy: what all prices come on top of

    @property
    def after(self) -> float:
        return self.before + self.found.gain


def adapted_button(
    blueprint: Strategy, opponent: Strategy, *, price: float, boards: int = 300, iterations: int = 400,
    solver: Solver | None = None,
) -> AdaptedButton:  # fmt: skip
    """The blueprint with a button that answers what an opponent's big blind does before the flop."""
    if opponent.game != blueprint.game:
        raise RuseError(
            f"the opponent plays {named(opponent.game)} and the blueprint {named(blueprint.game)}: both have to play "
            "one game"
        )
    rule = solver or dcfr()
    refuse_idle(iterations, rule)
    game, cut = leaves_of(blueprint, boards)
    plain = solved(game, cut, rule, iterations=iterations)
    others = rows_before_flop(opponent, game)
    found = adapted(cut, plain.rows, others, price=price, solver=rule, iterations=iterations)
    whole = patched_before_flop(blueprint, game, found.rows, plain.rows)
    return AdaptedButton(whole, duel(cut, plain.rows, others), found, float(plain.judged))
