"""A style that answers one opponent's mistakes and gives no more away than may be paid, exactly.

The best response to what an opponent does wins most from him, and loses far more to one who does something else. Of
all strategies that lose at most so much to a best response (`polytope.py`) a linear program knows the one that wins
most from him; of several that win as much, the cheapest. What restricted Nash responses (Johanson, Zinkevich and
Bowling 2007) reach by a probability is reached here by the price itself. `horizon/adapting.py` has those, for Hold'em
before the flop, which is too large for a program.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.given import GameLike, as_game
from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.play.bots.bot import RandomBot
from ruse.play.by_infoset import strategy_of
from ruse.play.given import as_bot
from ruse.protocol.game import Game
from ruse.solve.exact import by_linear_program, payoff_matrix, sequences_of
from ruse.strategy import Strategy
from ruse.styles.census import Ratio
from ruse.styles.equilibria import followed, largest_loss, mappable, plain_equilibrium
from ruse.styles.polytope import ROUNDING, Polytope
from ruse.styles.styled import cap_of
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.tree.sequence_form import SequenceForm
from ruse.words.html import table_of
from ruse.words.naming import named

SPARED = 1e-6  # of the cap, for what numbers are not exact,
LEEWAY = 2.0 * ROUNDING[0]  # and what programs allow themselves, of which the cap has to be a few times as much
LEAST, TRIES = 5.0 * LEEWAY, 3


class SeatsWon(NamedTuple):
    """A strategy beside an opponent, by seats."""

    won: tuple[float, float]  # from him, a game
    lost: tuple[float, float]  # to the best opponent: less than the game is worth there

    @property
    def mean(self) -> float:
        """What is won a game, each seat half of the time."""
        return sum(self.won) / 2.0

    @property
    def exploitability(self) -> float:
        """Of the profile."""
        return sum(self.lost) / 2.0

    def as_dict(self) -> dict[str, Any]:
        return {"won": list(self.won), "mean": self.mean, "lost": list(self.lost),
                "exploitability": self.exploitability}  # fmt: skip


class AdaptedStyle(NamedTuple):
    """What was found."""

    game: Game
    cap: float
    strategy: Strategy  # of both seats
    plain: SeatsWon  # an equilibrium that knows nothing of him
    chosen: SeatsWon
    best: SeatsWon  # the best response to him, as cheaply as it can be had

    @property
    def gain(self) -> float:
        """What is won more than by the plain solve."""
        return self.chosen.mean - self.plain.mean

    @property
    def rows(self) -> list[tuple[str, SeatsWon]]:
        """What is to be compared, by name."""
        return [("plain solve", self.plain), ("adapted", self.chosen), ("best response", self.best)]

    def as_dict(self) -> dict[str, Any]:
        every = {name.replace(" ", "_"): answer.as_dict() for name, answer in self.rows}
        return {"game": repr(self.game), "max_exploitability": self.cap, "gain": self.gain, **every}

    def __repr__(self) -> str:
        won = f"wins {self.chosen.mean:.4f} instead of {self.plain.mean:.4f}"
        return f"AdaptedStyle({title_of(self.game)}: {won} for {max(self.chosen.lost):.4g})"

    def _repr_html_(self) -> str:
        rows = [(name, f"{a.mean:+z.4f}", f"{a.exploitability:.4f}") for name, a in self.rows]
        return table_of(["", "wins from him", "exploitability"], rows, caption=title_of(self.game))


def adapt(game: GameLike, opponent: Any, *, max_exploitability: float = 0.02) -> AdaptedStyle:
    """The strategy that wins most from an opponent, of those that lose at most so much to the best one, in each seat.

    The opponent is a strategy, a file or a run, or a bot whose play hangs on its infoset alone. The game is for two,
    its payoffs have a fixed sum, and it is small enough for a linear program.

    >>> found = adapt("kuhn", "random", max_exploitability=0.05)
    >>> found.plain.mean < found.chosen.mean < found.best.mean, max(found.chosen.lost) <= 0.05
    (True, True)
    """
    made = as_game(game)
    cap = cap_of(max_exploitability)
    if cap == np.inf:
        raise RuseError("max_exploitability must be finite; a large number is any price, too")
    if cap < LEAST:
        raise RuseError(
            f"max_exploitability must be at least {LEAST:g}, got {cap:g}: linear programs are no more exact"
        )
    known = as_bot(opponent, made)  # before what takes long
    expanded = mappable(made, "a style that adapts can be found")
    return Adapting(expanded, habits_of(known, made).on(expanded)).within(cap)


def habits_of(known: Any, game: Game) -> Strategy:
    """What an opponent does everywhere."""
    if isinstance(known, RandomBot):
        return Strategy.uniform(game)
    if not isinstance(known, Strategy):
        return strategy_of(known, game)
    known.refuse_unplayable("the opponent's strategy")  # a program would choke on it, or answer it as a mistake
    return known


class Adapting:
    """All answers to an opponent."""

    def __init__(self, expanded: Expanded, opponent: NDArray[Any]) -> None:
        self.expanded, self.form = expanded, expanded.form
        exact = by_linear_program(expanded)
        self.worth = (exact.value, exact.payoff_sum - exact.value)
        self.plain = plain_equilibrium(expanded).on(expanded)
        reach = np.zeros(self.form.num_sequences)
        fill_reach(self.form, opponent, reach)
        self.brings = [brought(self.form, p, reach) for p in range(2)]

    def within(self, cap: float) -> AdaptedStyle:
        """The best answer for a price, beside those for none and for any."""
        sigma, best = self.kept_to(cap), self.best(largest_loss(self.form))
        chosen = self.judged(sigma)
        about = {"rule": "adapted", "exploitability": chosen.exploitability, "style": {"max_exploitability": cap}}
        strategy = Strategy.of(self.expanded, sigma, about)
        return AdaptedStyle(self.expanded.game, cap, strategy, self.judged(self.plain), chosen, self.judged(best))

    def kept_to(self, cap: float) -> NDArray[Any]:
        """[slot] the best of those that lose at most so much as it is measured, which is a little more than was asked
        of the program.
        """
        within = min(cap * (1.0 - SPARED), cap - LEEWAY, largest_loss(self.form))  # programs know no endless numbers
        for _ in range(TRIES):
            sigma = self.best(within)
            if (over := max(self.judged(sigma).lost) - cap) <= 0.0:
                return sigma
            within -= 2.0 * over
            if within <= 0.0:
                break
        raise RuseError(f"linear programs are not exact to {cap:g} in {named(self.expanded.game)}; allow more")

    def best(self, within: float) -> NDArray[Any]:
        """[slot] what wins most from him, of all that loses at most so much in each seat; then the cheapest."""
        sigma = self.plain
        for p, brings in enumerate(self.brings):
            once = np.zeros(self.form.num_sequences)
            once[p] = 1.0
            ratios = [Ratio(brings, once)]
            polytope = Polytope(self.form, p, value=self.worth[p], ratios=ratios, within=within)
            ends = polytope.range(0)
            plan = None if ends is None else polytope.plan(0, ends.highest)
            if plan is None:
                raise RuseError("the linear program was not solved: no strategy is as cheap as that; allow more")
            sigma = followed(self.form, p, plan, sigma)
        return sigma

    def judged(self, sigma: NDArray[Any]) -> SeatsWon:
        """What a strategy wins from him, and what the best opponent leaves to it."""
        reach = np.zeros(self.form.num_sequences)
        fill_reach(self.form, sigma, reach)
        answers = exploitability_of(self.form, sigma).best
        won = (float(self.brings[0] @ reach), float(self.brings[1] @ reach))
        # What the other gets above his worth is what this seat has below its own.
        return SeatsWon(won, (answers[1] - self.worth[1], answers[0] - self.worth[0]))


def brought(form: SequenceForm, player: int, reach: NDArray[Any]) -> NDArray[Any]:
    """[sequence] what each of a player's own brings, if it is played, against the other's reach."""
    found = np.zeros(form.num_sequences)
    found[sequences_of(form, player)] = payoff_matrix(form, player) @ reach[sequences_of(form, 1 - player)]
    return found
