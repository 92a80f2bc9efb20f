"""What a style costs: what it may come to in the limit, and what the profile and the styled seat really give away.

In the limit of many iterations NashConv is at most the sum of pi_-i(I) beta(I) over the preferred infosets; pi_-i is
the reach of chance and of the others' average strategies. This is called `bound`, but is none on a run that has ended
before: what is not converged yet comes on top, and with a large delta there is much of it for long. What is measured is
true of any run. With more than two players, or payoffs that have no fixed sum, the limit is that of the regret of all,
as with CFR, and none of NashConv: no equilibrium is promised. Where players forget, or do under the view, regret has no
limit that is known, either.
"""

from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.given import GameLike, as_game
from ruse.compile.distinct import count_distinct
from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.play.given import StrategyLike, as_strategy
from ruse.protocol.view import View
from ruse.solve.exact import ProgramSize, payoff_sum_of, solved_program
from ruse.solve.prefer.preferred import Preferred, preferred
from ruse.solve.prefer.visits import Visits
from ruse.solve.solver.prefer import preferring
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.words.html import table_of

EXACT = 10_000  # sequences up to which the value of the game is found by the linear program


class StyledSeat(NamedTuple):
    """A player with a style."""

    player: int
    bound: float  # the player's share of it, in the limit: the sum of pi_-i(I) beta(I) over its own infosets
    gain: float  # what it could gain by leaving its style, against these opponents
    exploitability: float | None  # what the best answer to it takes, less the value of the game; None if there is none


class Price(NamedTuple):
    """What NashConv may come to, and what was measured."""

    bound: float | None  # on NashConv in the limit of many iterations, not of this run; None where there is none
    regret_bound: float | None  # the same on the sum of all players' regret an iteration; None where players forget
    nash_conv: float
    exploitability: float  # NashConv divided by the number of players
    game_value: float | None  # to player 0; None with more players, or payoffs that have no fixed sum
    margin: float  # by how much the value may be off: 0 if it is exact, else it is an estimate
    seats: tuple[StyledSeat, ...]  # those with a style

    @property
    def exploitability_of_styled_player(self) -> float | None:
        """Of the styled seat alone; the highest if there are several, None if there is no value to compare with."""
        known = [seat.exploitability for seat in self.seats]
        return None if None in known else max(e for e in known if e is not None)

    def as_dict(self) -> dict[str, Any]:
        return self._asdict() | {"seats": [seat._asdict() for seat in self.seats]}

    def __str__(self) -> str:
        """One line a seat."""
        about = "" if self.margin == 0.0 else f" (within {self.margin:.1g})"
        lines = []
        for seat in self.seats:
            alone = "not known" if seat.exploitability is None else f"{seat.exploitability:.3g}{about}"
            lines.append(f"price of player {seat.player}'s style: exploitability alone {alone}")
        return "\n".join([*lines, f"NashConv {self.nash_conv:.3g}{self._limit}"])

    def _repr_html_(self) -> str:
        alone = ["not known" if s.exploitability is None else f"{s.exploitability:.3g}" for s in self.seats]
        rows = [(f"player {s.player}", f"{s.gain:.3g}", x) for s, x in zip(self.seats, alone, strict=True)]
        return table_of(["style of", "could gain", "exploitability alone"], rows, caption=str(self).splitlines()[-1])

    @property
    def _limit(self) -> str:
        """What holds in the limit."""
        if self.bound is not None:
            return f", in the limit at most {self.bound:.3g}"
        if self.regret_bound is None:
            return "; what it comes to in the limit is not known, since players forget"
        where = "with two players and a fixed sum that is known"
        return f"; the limit of {self.regret_bound:.3g} is one of regret alone, and of NashConv only {where}"


def price(game: GameLike, strategy: StrategyLike, prefer: Any) -> Price:
    """What it costs that a strategy follows these preferences, which may be given by their texts."""
    if (rules := preferring(prefer)) is None:
        raise RuseError("say what is preferred, as prefer='bet, player 0, first: delta=10'")
    game = as_game(game)
    strategy, whole = as_strategy(strategy, game), Expanded.of(game)
    sigma, found = strategy.on(whole), preferred(game, strategy.view, rules.rules)
    return price_of(whole, sigma, found, strategy.view, exploitability_of(whole.form, sigma))


def price_of(
    whole: Expanded, sigma: NDArray[Any], preferred: Preferred, view: View, measured: Exploitability,
    plain: Exploitability | None = None,
) -> Price:  # fmt: skip
    """The same for a profile given by slot of the whole game; infosets are preferred under this view.

    A plain solve tells the value of the game more closely than a profile with a style, where it must be estimated.
    """
    bounds = bounds_of(whole, sigma, preferred, view)
    values, margin = values_of(whole, measured if plain is None else plain)
    regret = float(bounds.sum()) if recalls(whole, view) else None
    seats = []
    for p in preferred.players:
        # What is left to the styled player by the other's best answer is all that there is to share, less its worth.
        alone = None if values is None else values[p] - (sum(values) - measured.best[1 - p])
        seats.append(StyledSeat(p, float(bounds[p]), measured.per_player[p], alone))
    value = None if values is None else values[0]
    limit = None if values is None else regret
    return Price(limit, regret, measured.nash_conv, float(measured), value, margin, tuple(seats))


def recalls(whole: Expanded, view: View) -> bool:
    """Whether players remember all they knew, and the view tells all of it apart: what regret's limit rests on."""
    keys = whole.keys_of(view)
    return bool(whole.form.perfect_recall) and count_distinct(keys) == len(keys)


def bounds_of(whole: Expanded, sigma: NDArray[Any], preferred: Preferred, view: View) -> NDArray[Any]:
    """Each player's sum of pi_-i(I) beta(I)."""
    form = whole.form
    beta = np.where((number := preferred.number_of(whole.keys_of(view))) >= 0, preferred.beta[number], 0.0)
    nodes = np.flatnonzero(beta > 0.0)
    bounds = np.zeros(form.players)
    if len(nodes):
        place = np.full(len(beta), -1)
        place[nodes] = np.arange(len(nodes))
        reach = np.zeros(form.num_sequences)
        fill_reach(form, sigma, reach)
        np.add.at(bounds, whole.owner[nodes], Visits.of(whole, place, len(nodes)).reach(reach) * beta[nodes])
    return bounds


def values_of(whole: Expanded, measured: Exploitability) -> tuple[tuple[float, float] | None, float]:
    """The value of the game to both players and by how much it may be off; None if it has no such value.

    It is exact where the linear program is small enough. Else it lies between what the two best answers leave.
    """
    if whole.form.players != 2:
        return None, 0.0
    if whole.form.num_sequences <= EXACT:
        with suppress(RuseError):  # no SciPy
            if (values := exact_values(whole)) is not None:
                return values, 0.0
    if (total := getattr(whole.game, "payoff_sum", None)) is None:
        return None, 0.0
    low, high = total - measured.best[1], measured.best[0]
    value = (low + high) / 2
    return (value, total - value), (high - low) / 2


@lru_cache(maxsize=4)
def exact_values(whole: Expanded) -> tuple[float, float] | None:
    """The value of the game to both players, if it has one. A search asks for it again and again."""
    if not whole.merged.perfect_recall:
        return None
    ProgramSize.of(whole).refuse_if_too_large(None)
    if (total := payoff_sum_of(whole.form)) is None:
        return None
    exact = solved_program(whole.merged, total)
    return exact.value, exact.payoff_sum - exact.value
