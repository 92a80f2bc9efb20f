"""Many equilibria, seen: how far a metric of style can move while the strategy stays (nearly) unexploitable.

Exact, for two-player games of zero or constant sum that fit: linear programs over all strategies of one player that
lose at most `within` to a best response (`ruse.styles.polytope`). A frequency weighs decisions by how often play
comes there, and that takes an opponent. He is fixed: he plays the profile `against`, or if there is none the
equilibrium that a plain solve ends at (pdcfr_plus), which mixes where it can, so that play comes to most decisions.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.given import GameLike, as_game
from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.protocol.decisions import Asked, asked, metrics_of, without_suits
from ruse.protocol.game import Game
from ruse.protocol.view import Full
from ruse.solve.exact import by_linear_program
from ruse.solve.full.engine import average_strategy
from ruse.solve.solver.presets import pdcfr_plus
from ruse.strategy import Strategy
from ruse.styles.census import Census, Ratio
from ruse.styles.metrics import MOMENTS, rates_of
from ruse.styles.polytope import Polytope, Range
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.engines.marks import run_to
from ruse.training.jobs.job import Job
from ruse.tree.expanded import Expanded
from ruse.tree.measure import size
from ruse.tree.measure.dives import sighted
from ruse.tree.sequence_form import SequenceForm
from ruse.words.html import table_of
from ruse.words.naming import named

MOST = 20_000  # sequences of the merged game: a program of that size takes seconds
VAST = 1_000  # times as many, before merging, are not looked at any further
STEP, STEPS, ENOUGH = 1_000, 20, 1e-9  # iterations at a time, how often at most, and the exploitability that will do
NEVER = 1e-6  # what a plain solve plays less often than this, it has given up
SAME = 1e-5  # a metric that moves by less does not move
ROUNDED = 1e-9  # a plan that comes somewhere less often than this does not come there
FEW = 12  # infosets that are shown one by one


class Movable(NamedTuple):
    """A metric over all strategies that lose at most so much."""

    name: str
    player: int
    lowest: float  # not a number if play never comes there
    highest: float
    own: float  # what a plain solve plays

    @property
    def is_unique(self) -> bool:
        """Whether all of these strategies agree, so that no preference can choose among them."""
        return not self.highest - self.lowest > SAME

    def as_dict(self) -> dict[str, Any]:
        return self._asdict() | {"unique": self.is_unique}


class Family(NamedTuple):
    """The strategies along a metric: where it has each value, how far other things can move."""

    name: str
    at: list[float]  # the values of the metric
    lines: dict[str, list[Range | None]]  # None: play never comes there

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


class Aim(NamedTuple):
    """A ratio that a program makes as large or as small as it can, and what is to be added to it."""

    name: str
    player: int
    ratio: Ratio
    shift: float = 0.0

    def moved(self, found: Range | None) -> Range | None:
        return None if found is None else Range(found.lowest + self.shift, found.highest + self.shift)


class Equilibria:
    """The equilibria of a game, or the strategies within so much of one, by what they do."""

    def __init__(
        self, game: Game, texts: Sequence[str] | None = None, *, within: float = 0.0, against: Strategy | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        if not 0.0 <= within < float("inf"):
            raise RuseError(f"within must be at least 0, and a number, got {within}")
        self.game, self.within, self.tell = game, within, tell
        self.expanded = mappable(game)
        tell("solving")
        exact = by_linear_program(self.expanded)
        self.value, self.payoff_sum = exact.value, exact.payoff_sum
        self.own = against or plain_equilibrium(self.expanded)
        self.census = Census(self.own)
        self.aims = self._usual() if texts is None else [aim for text in texts for aim in self._aims(text)]
        self._polytopes = [self._polytope(p, [a for a in self.aims if a.player == p]) for p in range(2)]

    @cached_property
    def metrics(self) -> list[Movable]:
        """Each metric with its lowest and highest value."""
        found = []
        for aim in self.aims:
            self.tell(aim.name)
            number = [other.name for other in self.aims if other.player == aim.player].index(aim.name)
            ends = aim.moved(self._polytopes[aim.player].range(number)) or Range(float("nan"), float("nan"))
            found.append(Movable(aim.name, aim.player, *ends, aim.ratio.at(self.census.reach) + aim.shift))
        return found

    def __repr__(self) -> str:
        return f"Equilibria({title_of(self.game)}, {len(self.aims)} metrics, within {self.within:g})"

    def _repr_html_(self) -> str:
        rows = [(m.name, f"{m.lowest:.4f}", f"{m.highest:.4f}", f"{m.own:.4f}") for m in self.metrics]
        lost = f"strategies that lose at most {self.within:g}" if self.within else "all equilibria"
        caption = f"{title_of(self.game)}, value {self.value:+z.6f}: {lost}"
        return table_of(["metric", "lowest", "highest", "plain solve"], rows, caption=caption)

    @property
    def chosen(self) -> Movable:
        """The metric along which there is most to see: the first that moves, or the first of all."""
        return next((m for m in self.metrics if not m.is_unique), self.metrics[0])

    def family(self, name: str, points: int = 17) -> Family:
        """The family along one of the metrics: infosets if the player has few, else the metrics that move most."""
        along, aim = self._find(name)
        lines = self._infosets(aim.player)
        if len(lines) > FEW:
            lines = self._widest(aim)
        polytope = self._polytope(aim.player, [aim, *lines])
        # At the very ends nothing but rounding decides whether there is a solution.
        edge = 1e-6 * (along.highest - along.lowest)
        values = np.linspace(along.lowest + edge, along.highest - edge, 1 if along.is_unique else points)
        found: dict[str, list[Range | None]] = {line.name: [] for line in lines}
        for value in values:
            self.tell(f"{name} {value:.3f}")
            pinned = [polytope.pin(0, float(value) - aim.shift)]
            for k, line in enumerate(lines, start=1):
                found[line.name].append(polytope.range(k, pinned))
        return Family(name, values.tolist(), found)

    def frontier(self, name: str, points: int = 33) -> list[tuple[float, float]]:
        """The price of style: each value that the metric can have, and the least that one must lose for it."""
        along, _ = self._find(name)
        anything = self._anything(name)
        ends = anything.range(0)
        if ends is None:
            return []
        values = {*np.linspace(ends.lowest, ends.highest, points).tolist(), along.lowest, along.highest}
        found = []
        for value in sorted(v for v in values if not np.isnan(v)):
            self.tell(f"price of {value:.3f}")
            price = anything.price(0, value)
            if price is not None:
                found.append((value, price))
        return found

    def cheapest(self, name: str, value: float) -> float | None:
        """The least that a strategy of this value loses to a best response; None if there is none."""
        return self._anything(name).price(0, value)

    def nearest(self, name: str, value: float, within: float) -> float | None:
        """The value nearest to this one that a strategy can have which loses at most `within`; None if there is none.

        What the cheapest strategy loses grows on both sides of the equilibria, so that one of this value loses no more.
        """
        _, aim = self._find(name)
        polytope = Polytope(
            self.expanded.form, aim.player, value=self._value_to(aim.player), ratios=[aim.ratio], within=within
        )
        ends = polytope.range(0)
        return None if ends is None else min(max(value, ends.lowest), ends.highest)

    def cheapest_strategy(self, name: str, value: float) -> Strategy | None:
        """The player of the metric as cheaply as it can be, and the plain solve where his plan does not come."""
        _, aim = self._find(name)
        plan = self._anything(name).plan(0, value)
        if plan is None:
            return None
        sigma = followed(self.expanded.form, aim.player, plan, self.own.on(self.expanded))
        return Strategy.of(self.expanded, sigma)

    def _anything(self, name: str) -> Polytope:
        """All strategies of the player whose metric it is."""
        _, aim = self._find(name)
        if aim.shift:
            raise RuseError(f"the price of {name!r} is not linear; give the frequency of an action")
        return Polytope(
            self.expanded.form, aim.player, value=self._value_to(aim.player), ratios=[aim.ratio], within=self._largest()
        )

    # ---- what is asked for -------------------------------------------------------------------------------------------

    def _find(self, name: str) -> tuple[Movable, Aim]:
        for movable, aim in zip(self.metrics, self.aims, strict=True):
            if movable.name == name:
                return movable, aim
        raise RuseError(f"no metric {name!r} here; there is {', '.join(repr(m.name) for m in self.metrics)}")

    def _usual(self) -> list[Aim]:
        """The game's own metrics, or each action of each player; and the variance of the payoff."""
        names = metrics_of(self.game)
        if names is None:
            words = self.census.decisions.words
            names = [f"{word.replace(',', ' ')}, player {p}" for p in range(2) for word in words(p)]
        found = [aim for name in names for aim in self._aims(name)]
        return found if self.within > 0.0 else [*found, *(self._variance(p) for p in range(2))]

    def _aims(self, text: str) -> list[Aim]:
        """What a text asks for; one aim for each player if it does not say whose."""
        wanted = asked(text, 2)
        word = wanted.action.casefold()
        whose = range(2) if wanted.player is None else [wanted.player]
        if word == "variance" and not (wanted.is_first or wanted.held or wanted.said):
            if self.within > 0.0:
                raise RuseError("the variance can be mapped among equilibria alone; leave --within out")
            return [self._variance(p) for p in whose]
        if word in MOMENTS or word in rates_of(self.game):
            raise RuseError(f"{word!r} cannot be mapped; give the frequency of an action, or the variance")
        meant = self.census.decisions.meant(wanted)
        owners = set(np.repeat(self.census.decisions.player, self.census.decisions.count)[meant].tolist())
        return [self._frequency(wanted._replace(player=p)) for p in whose if p in owners]

    def _frequency(self, wanted: Asked) -> Aim:
        assert wanted.player is not None
        return Aim(str(wanted), wanted.player, self.census.ratio(wanted))

    def _variance(self, player: int) -> Aim:
        """Of the payoff: among equilibria its mean is the value of the game, and the mean of its square is linear."""
        square, once = self.census.visited.square * self.census.owned(player), np.zeros(len(self.census.reach))
        once[player] = 1.0
        return Aim(f"variance, player {player}", player, Ratio(square, once), -(self._value_to(player) ** 2))

    def _infosets(self, player: int) -> list[Aim]:
        """Each infoset of a player and its actions but the first; those that are alike are one."""
        form, decisions = self.expanded.form, self.census.decisions
        start, end = int(form.node_start[player]), int(form.node_start[player + 1])
        alike = self.expanded.renamed[form.first[:-1]]  # [node] by their first sequence in the merged game
        found = []
        for head in [j for j in range(start, end) if np.argmax(alike == alike[j]) == j]:
            nodes = np.flatnonzero(alike == alike[head])
            spell = without_suits if len(nodes) > 1 else str
            for a in range(1, int(decisions.count[head])):
                done, possible = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
                for j in nodes:
                    possible[form.first[j] : form.first[j + 1]] = self.census.visited.others[j]
                    done[form.first[j] + a] = self.census.visited.others[j]
                word = decisions.names[decisions.start[head] + a]
                found.append(Aim(f"{word} at {spell(decisions.describe(head))}", player, Ratio(done, possible)))
        return found

    def _widest(self, along: Aim) -> list[Aim]:
        """The player's other metrics that move most."""
        mine = {aim.name: aim for aim in [*self._usual(), *self.aims] if aim.player == along.player and not aim.shift}
        others = [aim for aim in mine.values() if aim.name != along.name]
        polytope = self._polytope(along.player, others)
        ranges = [polytope.range(k) for k in range(len(others))]
        widths = [0.0 if found is None else found.width for found in ranges]
        kept: list[Aim] = []
        for k in sorted(range(len(others)), key=lambda k: -widths[k]):
            if widths[k] > SAME and not any(is_rest(others[k].ratio, aim.ratio) for aim in [along, *kept]):
                kept.append(others[k])
        return kept[: FEW // 3]

    def _polytope(self, player: int, aims: Sequence[Aim]) -> Polytope:
        value, ratios = self._value_to(player), [aim.ratio for aim in aims]
        return Polytope(
            self.expanded.form, player, value=value, ratios=ratios, within=min(self.within, self._largest())
        )

    def _value_to(self, player: int) -> float:
        return self.value if player == 0 else self.payoff_sum - self.value

    def _largest(self) -> float:
        return largest_loss(self.expanded.form)


def equilibria(game: GameLike, texts: Sequence[str] | str | None = None, *, within: float = 0.0) -> Equilibria:
    """How far metrics can move among the equilibria of a game, or among strategies that lose at most `within`."""
    return Equilibria(as_game(game), [texts] if isinstance(texts, str) else texts, within=within)


def program_for(game: Game, name: str, plain: Strategy | None = None) -> Equilibria | None:
    """The linear programs of one player's metric against a plain solve, its own if none is given; None without them.

    They are for two players, payoffs of a fixed sum, and games that are not too large. A metric of both players has
    none: how often one comes to a decision hangs on the other, whose style is to be found as well.
    """
    try:
        exact = Equilibria(game, [name], against=plain)
    except RuseError:
        return None
    return exact if len(exact.metrics) == 1 else None


def is_rest(ours: Ratio, theirs: Ratio) -> bool:
    """Whether one is done whenever the other is not, so that it tells nothing new."""
    return np.allclose(ours.possible, theirs.possible) and np.allclose(ours.done + theirs.done, ours.possible)


def mappable(game: Game, what: str = "equilibria can be mapped") -> Expanded:
    """The expanded game, or one sentence that says why its strategies have no linear programs."""
    if game.players != 2:
        number = f"{game.players} player{'s' if game.players != 1 else ''}"
        raise RuseError(f"{named(game)} has {number}; {what} for two players")
    refuse_vast(game, what)
    expanded = Expanded.of(game)
    if not expanded.form.perfect_recall:
        raise RuseError(f"the players of {named(game)} forget; {what} where they recall all they knew")
    if expanded.merged.num_sequences > MOST:
        raise RuseError(
            f"{named(game)} is too large: {what} by linear programs, which take {MOST:,} sequences, and it has "
            f"{expanded.merged.num_sequences:,}; make the game smaller"
        )
    return expanded


def refuse_vast(game: Game, what: str) -> None:
    """Raise before a game is walked whole if dives say that it has a thousand times as many sequences as programs take:
    merging what is alike leaves no such part of them.
    """
    if size.is_within(game, size.FEW) or (about := sighted(game, Full(), size.FEW_DIVES)).actions < VAST * MOST:
        return
    raise RuseError(
        f"{named(game)} is too large: {what} by linear programs, which take {MOST:,} sequences, and by random dives it "
        f"has about {about.actions:.2g}; make the game smaller"
    )


def followed(form: SequenceForm, player: int, plan: NDArray[Any], otherwise: NDArray[Any]) -> NDArray[Any]:
    """[slot] what a player's plan makes him do, and another strategy where it does not come; by sequence."""
    sigma = otherwise.copy()
    for j in range(int(form.node_start[player]), int(form.node_start[player + 1])):
        slots = slice(int(form.first[j]), int(form.first[j + 1]))
        if (total := plan[slots].sum()) > ROUNDED:
            sigma[slots] = plan[slots] / total
    return sigma


def largest_loss(form: SequenceForm) -> float:
    """More than any strategy can lose."""
    return 2.0 * float(np.abs(form.value).sum()) + 1.0


def plain_equilibrium(expanded: Expanded) -> Strategy:
    """Where pdcfr_plus ends without any preference, less what it has all but given up."""
    last = STEP * STEPS
    engine = FullWidthEngine(Job(expanded.game, pdcfr_plus(), iterations=last))
    for _ in run_to(engine, range(STEP, last + 1, STEP)):
        if engine.exploitability() < ENOUGH:
            break
    sigma = engine.expanded.unmerged(average_strategy(engine.form, engine.tables))
    return Strategy.of(expanded, without_traces(expanded, sigma))


def without_traces(expanded: Expanded, sigma: NDArray[Any]) -> NDArray[Any]:
    """The strategy without what it hardly ever plays."""
    first = expanded.form.first.astype(np.int64)
    kept = np.where(sigma < NEVER, 0.0, sigma)
    kept[first[0] :] /= np.repeat(np.add.reduceat(kept, first[:-1]), np.diff(first))
    return kept
