"""How a training stands, and what it came to."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.catalog.names import spec_of
from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.price import Price
from ruse.protocol.game import Game, declared
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy
from ruse.training.terms.engine import Engine
from ruse.training.terms.stops import Check
from ruse.tree.expanded import Expanded
from ruse.words.amounts import exploitability_text
from ruse.words.html import table_of

if TYPE_CHECKING:
    from ruse.charts.picture import Picture


Checked = Sequence[tuple[int, float, float]]  # (iteration, seconds, exploitability)
ACROSS = {"iterations": 0, "seconds": 1}


def draw_runs(curves: Mapping[str, Checked], *, title: str, across: str = "iterations", axes: Any = None) -> "Picture":
    """The exploitability of trainings, by name, across iterations or seconds."""
    from ruse.charts.curves import draw_curves

    if across not in list(ACROSS):  # which need not be a text
        raise RuseError(f"a run is drawn across {' or '.join(ACROSS)}, not across {across!r}")
    points = {name: [(row[ACROSS[across]], row[2]) for row in curve] for name, curve in curves.items()}
    return draw_curves(points, title=title, across=across, axes=axes)


class Progress(NamedTuple):
    """How a training stands; given to whoever watches it."""

    iteration: int
    planned: int | None
    seconds: float
    exploitability: float
    target: float | None
    seconds_limit: float | None
    nodes: int = 0  # of a sampled walk, as are the next two
    infosets: int = 0
    bytes: int = 0
    pruned: float | None = None  # the share of all actions that are pruned, or follow one that is, if any may be
    given_back: int = 0  # bytes of their tables that the system has back
    stake: float | None = None  # what exploitability is a share of, where a game says so
    stage: str = ""  # of what the iterations are, where they are not all of one thing

    @property
    def rate(self) -> float:
        """Iterations a second."""
        return self.iteration / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Until the planned iterations or seconds are up, whichever is first; None if neither is known."""
        left = []
        if self.planned and self.rate:
            left.append((self.planned - self.iteration) / self.rate)
        if self.seconds_limit is not None:
            left.append(max(0.0, self.seconds_limit - self.seconds))
        return min(left) if left else None


class Run(NamedTuple):
    """A finished, or interrupted, training."""

    game: Game
    solver: Solver
    strategy: Strategy
    iterations: int
    seconds: float  # of iterations and checks; not of compiling and expanding
    measured: Exploitability
    curve: list[tuple[int, float, float]]  # (iteration, seconds, exploitability)
    engine: Engine
    seed: int
    is_finished: bool = True
    directory: RunDirectory | None = None
    start: dict[str, Any] | None = None  # what was done before the first iteration, if it did not start from nothing
    checks: Sequence[Check] = ()  # what `until` has measured
    price: Price | None = None  # what the style costs, if there is one and the game is small enough to tell

    @property
    def exploitability(self) -> float:
        return float(self.measured)

    @property
    def game_value(self) -> float:
        """Expected payoff of player 0 when all follow the strategy."""
        return self.measured.values[0]

    @property
    def expanded(self) -> Expanded:
        """The game in sequence form, if the walk was full width."""
        if self.engine.expanded is None:
            raise AttributeError("a sampled walk does not expand the game")
        return self.engine.expanded

    @property
    def current(self) -> Strategy:
        """The strategy of the last iteration; `strategy` is the average of all of them, and the one that converges."""
        about = {"rule": f"{self.solver.name}, current", "iterations": self.iterations, "seed": self.seed}
        return self.engine.current(self.iterations, about)

    def plot(self, *, across: str = "iterations", axes: Any = None) -> "Picture":
        """A picture of its exploitability, across iterations or seconds. `ruse.draw_runs` draws several."""
        return draw_runs({self.solver.name: self.curve}, title=title_of(self.game), across=across, axes=axes)

    @property
    def facts(self) -> dict[str, Any]:
        """Infosets and the like; nodes and memory of a sampled walk."""
        facts = self.engine.facts()
        if "nodes" in facts:
            facts["nodes_per_second"] = facts["nodes"] / self.seconds if self.seconds else None
        return facts if self.start is None else facts | {"start": self.start}

    @property
    def style(self) -> dict[str, Any]:
        """What was preferred, and what it costs; nothing if nothing was."""
        if (prefer := preferring(self.solver.prefer)) is None or self.engine.preferred is None:
            return {}
        players, infosets = self.engine.preferred.players, len(self.engine.preferred.keys)
        return {
            "style": {"rules": prefer.texts, "players": list(players), "infosets": infosets},
            "bound": self.price.bound if self.price else None,
            "regret_bound": self.price.regret_bound if self.price else None,
            "exploitability_of_styled_player": self.price.exploitability_of_styled_player if self.price else None,
            "price": self.price.as_dict() if self.price else None,
        }

    def __repr__(self) -> str:
        return f"Run({self})"

    def _repr_html_(self) -> str:
        """What it came to, in a few lines."""
        known = not math.isnan(self.exploitability)
        told = exploitability_text(self.exploitability, declared(self.game, "stake")) if known else "not known"
        rows: list[tuple[str, Any]] = [
            ("game", title_of(self.game)), ("solver", self.solver.name), ("iterations", f"{self.iterations:,}"),
            ("seconds", f"{self.seconds:.3g}"), ("exploitability", told),
        ]  # fmt: skip
        if known:
            rows.append(("values", ", ".join(f"player {p} {x:+z.6f}" for p, x in enumerate(self.measured.values))))
        rows += [("infosets", f"{len(self.strategy):,}")] if hasattr(self.strategy, "keys") else []
        rows += [("finished", "no: go on with ruse.resume")] if not self.is_finished else []
        rows += [("run", str(self.directory.path))] if self.directory else []
        return table_of(["", "run"], rows)

    def __str__(self) -> str:
        told = exploitability_text(self.exploitability, declared(self.game, "stake"))
        judged = "" if math.isnan(self.exploitability) else f", exploitability {told}"
        done = f"{self.iterations:,} iterations in {self.seconds:.3g} s"
        return f"{title_of(self.game)}, {self.solver.name}: {done}{judged}"

    def as_dict(self) -> dict[str, Any]:
        """The result as the command line prints it with --json."""
        stake: float | None = declared(self.game, "stake")
        return {
            "game": spec_of(self.game) or repr(self.game),
            "rule": self.solver.name,
            "solver": repr(self.solver),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "iterations_per_second": self.iterations / self.seconds if self.seconds else None,
            "exploitability": self.exploitability,
            **(
                {} if stake is None else {"stake": stake, "exploitability_percent": 100.0 * self.exploitability / stake}
            ),
            "exploitability_per_player": list(self.measured.per_player),
            "game_value": self.game_value,
            "values": list(self.measured.values),
            **self.facts,
            **self.style,
            "seed": self.seed,
            "finished": self.is_finished,
            "run": str(self.directory.path) if self.directory else None,
        }
