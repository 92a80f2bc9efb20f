"""What is asked of a style, what a search has tried for it, and what it has found."""

import math
from numbers import Real
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.price import Price
from ruse.protocol.game import Game
from ruse.solve.solver.prefer import Preference
from ruse.strategy import Strategy

MET = 0.01  # how far from the target still meets it
NEAR = 0.005  # how near is so near that nothing more is tried


class Target(NamedTuple):
    """What a metric is to be."""

    name: str
    value: float

    def __str__(self) -> str:
        return f"{self.name} = {self.value:g}"


def target_of(text: str) -> Target:
    """Read a target.

    >>> target_of("bet, player 0, first = 0.6")
    Target(name='bet, player 0, first', value=0.6)
    """
    name, _, value = text.rpartition("=")
    try:
        found = Target(name.strip(), float(value))
    except ValueError:
        found = Target("", math.nan)
    if not (found.name and 0.0 <= found.value <= 1.0):
        raise RuseError(f"cannot read the target {text!r}; write a metric and a share of 1, as in 'bet = 0.45'")
    return found


def cap_of(max_exploitability: Any) -> float:
    """What may be paid, if it is a number above 0."""
    if not isinstance(max_exploitability, Real) or isinstance(max_exploitability, bool) or not max_exploitability > 0:  # type: ignore[operator]
        raise RuseError(f"max_exploitability must be above 0, and a number, got {max_exploitability!r}")
    return float(max_exploitability)


class Tried(NamedTuple):
    """A strategy of the search: a solve, or a mixture of two."""

    delta: float  # 1: nothing is preferred
    beta: float
    value: float  # of the metric
    price: Price
    measured: Exploitability  # of the profile
    seconds: float
    sigma: NDArray[Any]  # [slot] of the whole game
    share: float = 1.0  # of this one in a mixture with the one before it
    how: str = "solved"  # or "mixed", or "by linear program"
    bound: float | None = None  # on NashConv in the limit of many iterations, where that has one

    @property
    def exploitability(self) -> float:
        return float(self.measured)

    @property
    def exploitability_of_styled_player(self) -> float | None:
        """None where it is not known: with more than two players, or payoffs that have no fixed sum."""
        return self.price.exploitability_of_styled_player

    @property
    def could_gain(self) -> float:
        """What one player could gain by deviating alone from the profile, the one who could gain the most."""
        return max(self.measured.per_player)

    @property
    def cost(self) -> float:
        """What is held below the cap: of the profile and of the styled player alone, whichever is more; where a player
        has no price alone, what any one could gain, which is no less than the exploitability.
        """
        alone = self.exploitability_of_styled_player
        return self.could_gain if alone is None else max(self.exploitability, alone + self.price.margin)

    def __repr__(self) -> str:
        """Short: sigma may have millions of numbers."""
        return f"Tried({self.how}, delta {self.delta:g}, beta {self.beta:g}: {self.value:.4f} for {self.cost:.4g})"

    def as_dict(self) -> dict[str, Any]:
        names = ("how", "delta", "beta", "share", "value", "exploitability", "exploitability_of_styled_player")
        return {name: getattr(self, name) for name in (*names, "could_gain")}


class Styled(NamedTuple):
    """What a search has found."""

    game: Game
    target: Target
    cap: float
    chosen: Tried
    plain: Tried
    strategy: Strategy
    rule: Preference | None  # what gives this strategy; None: nothing had to be preferred, or nothing gives it
    is_nearest: bool  # whether a linear program has shown that the cap buys no more
    tried: list[Tried]  # all solves, in their order
    free: float  # how far delta alone moves the metric
    seconds: float

    def __repr__(self) -> str:
        met = "met" if self.is_met else "not met"
        return (
            f"Styled({title_of(self.game)}, {self.target}: {met}, {self.chosen.value:.4f} for {self.chosen.cost:.4g})"
        )

    @property
    def is_met(self) -> bool:
        return abs(self.chosen.value - self.target.value) <= MET and self.chosen.cost <= self.cap

    @property
    def moves_freely(self) -> bool:
        """Whether delta alone, at no cost, moves the metric."""
        return abs(self.free - self.plain.value) > NEAR

    @property
    def why(self) -> str:
        """One sentence."""
        target, plain, got = self.target, self.plain, self.chosen
        if len(self.tried) == 1:
            return "The plain solve is there already; nothing has to be preferred."
        if self.moves_freely:
            free = f"Delta alone moves it from {plain.value:.3f} to {self.free:.3f}"
        else:
            free = f"Delta alone does not move it from {plain.value:.3f}"
        player = got.price.seats[0].player  # a linear program has one
        against = f"while player {1 - player} plays a plain solve"
        if not self.is_met:
            known = f"{target.value:g} is not to be had for {self.cap:g}: no strategy of player {player} is nearer than"
            tried = f"no preference that was tried for {self.cap:g} is nearer to {target.value:g} than"
            return f"{free}; {f'{known} {got.value:.3f} {against}' if self.is_nearest else f'{tried} {got.value:.3f}'}."
        if got.how == "by linear program":
            cheapest = f"this is the cheapest strategy of player {player} {against}"
            return f"{free}, and no preference that was tried is cheap enough; {cheapest}."
        return f"{free}{'.' if got.beta == 0.0 else '; the rest is paid for.'}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": repr(self.game), "target": self.target._asdict(), "achieved": self.chosen.value,
            "met": self.is_met, "why": self.why, "max_exploitability": self.cap,
            "plain": self.plain.as_dict(), "chosen": self.chosen.as_dict(),
            "exploitability": self.chosen.exploitability,
            "exploitability_of_styled_player": self.chosen.exploitability_of_styled_player,
            "bound": self.chosen.bound,
            "prefer": None if self.rule is None else str(self.rule),
            "solves": len(self.tried), "frontier": [one.as_dict() for one in self.tried], "seconds": self.seconds,
        }  # fmt: skip
