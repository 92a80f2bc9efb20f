"""A best response as a strategy, to look at, to play and to save."""

from typing import NamedTuple

import numpy as np

from ruse.catalog.given import GameLike, as_game
from ruse.errors import RuseError
from ruse.evaluate.best_response import evaluated
from ruse.play.given import StrategyLike, as_strategy
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.tree.passes import Following, Responding, fill_reach
from ruse.words.counts import is_whole_in
from ruse.words.html import table_of
from ruse.words.naming import named


class BestReply(NamedTuple):
    """A profile in which some players respond best to what the others do in another one."""

    strategy: Strategy  # all others play as before
    players: tuple[int, ...]  # who responds, each to all others as they were
    values: tuple[float, ...]  # what each of them gets so
    gains: tuple[float, ...]  # what that is more than before

    def __repr__(self) -> str:
        told = zip(self.players, self.values, self.gains, strict=True)
        return f"BestReply({', '.join(f'player {p} {v:+z.6f}, {g:z.6f} more' for p, v, g in told)})"

    def _repr_html_(self) -> str:
        told = zip(self.players, self.values, self.gains, strict=True)
        rows = [(f"player {p}", f"{v:+z.6f}", f"{g:z.6f}") for p, v, g in told]
        return table_of(["who responds", "gets", "more than before"], rows)


def find_best_response(game: GameLike, strategy: StrategyLike, player: int | None = None) -> BestReply:
    """The best that a player can do against the others' strategies; without a player, each of them against the others.

    Where actions are worth the same the first is taken, so it is a pure strategy.

    >>> import ruse
    >>> found = find_best_response("kuhn", ruse.Strategy.uniform("kuhn"), player=0)
    >>> found.strategy["K, pass bet"]["bet"], round(found.values[0], 6)
    (1.0, 0.5)
    """
    made = as_game(game)
    given, expanded = as_strategy(strategy, made), Expanded.of(made)
    if player is not None and not is_whole_in(player, 0, made.players):
        raise RuseError(f"there is no player {player!r} in {named(made)}; there are 0 to {made.players - 1}")
    form, sigma = expanded.form, given.on(expanded)
    if not form.perfect_recall:
        raise RuseError(f"players forget in {named(made)}, so a best response there is no strategy of it")
    reach, value = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    players = tuple(range(made.players)) if player is None else (int(player),)
    best, values, gains = sigma.copy(), [], []
    for p in players:
        before = float(evaluated(form, reach, value, Following(form.slot, sigma), p))
        values.append(float(evaluated(form, reach, value, Responding(), p)))
        gains.append(values[-1] - before)
        for j in range(form.node_start[p], form.node_start[p + 1]):
            first, last = int(form.first[j]), int(form.first[j + 1])
            best[first:last] = 0.0
            best[first + int(np.argmax(value[first:last]))] = 1.0
    rule = f"best response to {given.about.get('rule', 'a strategy')}"
    return BestReply(Strategy.of(expanded, best, {"rule": rule}), players, tuple(values), tuple(gains))
