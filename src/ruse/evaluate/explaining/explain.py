"""What a strategy does and what it is worth, infoset by infoset: "what here?", comparisons and exports."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled
from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of, sequence_values
from ruse.play.given import StrategyLike, as_strategy
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.protocol.view import Full, View, infoset_key
from ruse.store.tensors import replacing
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.tree.sequence_form import node_and_reach, node_index
from ruse.tree.told import Told, ToldInfosets
from ruse.tree.walk import Stack, walk
from ruse.words.choice import player_name
from ruse.words.html import table_of
from ruse.words.naming import distinct

if TYPE_CHECKING:
    from ruse.charts.picture import Picture


class Explained(NamedTuple):
    """A strategy at one infoset: what it plays, what each action is worth there, how often play comes there."""

    player: int | None  # None: under the strategy's view several players share it
    name: str
    reach: float  # the probability that play comes here when all follow the strategy
    actions: list[str]
    probability: list[float]
    value: list[float | None]  # expected payoff of the acting player; None where the others never let play come here
    met: bool = True  # whether the strategy knows it; where it does not, it plays at random

    def __str__(self) -> str:
        head = f"{player_name(self.player)} at {self.name!r}, reached with probability {self.reach:.6g}"
        width = max(map(len, self.actions))
        worth = ["never reached" if v is None else f"worth {v:+z.6f}" for v in self.value]
        rows = zip(self.actions, self.probability, worth, strict=True)
        head += "" if self.met else ", never met in training"
        return "\n".join([head, *(f"  {a:<{width}}  {p:8.6f}  {w}" for a, p, w in rows)])

    def rows(self) -> list[dict[str, Any]]:
        """One row an action, for pandas or Polars."""
        own = {"player": self.player, "infoset": self.name, "reach": self.reach}
        columns = zip(self.actions, self.probability, self.value, strict=True)
        return [own | {"action": a, "probability": p, "value": v} for a, p, v in columns]

    def _repr_html_(self) -> str:
        worth = ["never reached" if v is None else f"{v:+z.6f}" for v in self.value]
        rows = zip(self.actions, (f"{p:.6f}" for p in self.probability), worth, strict=True)
        head = f"{player_name(self.player)} at {self.name!r}, reached with probability {self.reach:.6g}"
        return table_of(["action", "probability", "worth"], rows, caption=head)

    def as_dict(self) -> dict[str, Any]:
        columns = zip(self.actions, self.probability, self.value, strict=True)
        actions = [{"action": a, "probability": p, "value": v} for a, p, v in columns]
        return {"player": self.player, "infoset": self.name, "reach": self.reach, "met": self.met, "actions": actions}


class Explanation:
    """Values and reach of a strategy at every infoset, added up at once; words are found when they are asked for.

    Under a view that forgets, play may come to an infoset more than once in a game: its reach is how often, and the
    values are those of one visit, each weighted by its probability.
    """

    def __init__(self, strategy: Strategy, *, view: View | None = None) -> None:
        self.strategy = strategy
        self.expanded = expanded = Expanded.of(strategy.game)
        self.infosets = ToldInfosets.of(expanded, view or strategy.view)
        form, self.sigma = expanded.form, strategy.on(expanded)
        own, values = np.zeros(form.num_sequences), sequence_values(form, self.sigma)
        fill_reach(form, self.sigma, own)
        self.others = reach_of_others(expanded, own)
        # [node]; a strategy without any infoset plays at random by design
        self.met = np.isin(expanded.keys_of(strategy.view), strategy.keys) | (len(strategy) == 0)
        self.own, self.values = own[form.parent], values

    def __call__(self, told: Told) -> Explained:
        form, nodes = self.expanded.form, self.infosets.nodes_of(self.infosets.number[told.node])
        slot, n = int(form.slot[told.node]), len(told.actions)
        weight = self.own[nodes] if len(nodes) > 1 and np.any(self.own[nodes] * self.others[nodes]) else None
        others = np.average(self.others[nodes], weights=weight)
        worth: list[float | None] = [None] * n
        if others > 0.0:
            rows = form.first[nodes].astype(np.int64)[:, None] + np.arange(n)
            worth = (np.average(self.values[rows], axis=0, weights=weight) / others).tolist()
        reach = float(self.own[nodes] @ self.others[nodes])
        shares = self.sigma[slot : slot + n].tolist()
        return Explained(told.player, told.name, reach, told.actions, shares, worth, bool(self.met[told.node]))

    def everywhere(self) -> list[Explained]:
        return [self(told) for told in self.infosets.told()]

    def at(self, state: State) -> Explained:
        """The infoset of the player to act."""
        keys = self.expanded.keys_of(self.infosets.view)
        node = int(np.argmax(keys == np.uint64(int(infoset_key(state.game, self.infosets.view, state.row)) & MASK)))
        player = self.infosets.player_of(self.infosets.number[node])
        return self(Told(node, player, self.infosets.name(state), state.actions))


def explain(strategy: StrategyLike) -> list[Explained]:
    """Every infoset of the strategy's view, or of the game, with probabilities, values and reach."""
    return Explanation(as_strategy(strategy).as_offered()).everywhere()


def what_here(strategy: StrategyLike, place: str | Sequence[str]) -> Explained:
    """The infoset that a person means: by its name, or by the history that leads to it, chance included."""
    strategy = as_strategy(strategy).as_offered()
    if not isinstance(place, str):
        if not isinstance(place, Sequence):
            raise RuseError(f"a place is the name of an infoset or a history, not {place!r}")
        return Explanation(strategy).at(state_after(strategy.game, place))
    choice = strategy.find(place)
    explanation = Explanation(strategy)
    told = (t for t in explanation.infosets.told() if (t.player, t.name) == (choice.player, choice.name))
    return explanation(next(told))


def state_after(game: Game, history: Sequence[str]) -> State:
    """The decision to which a history leads, chance included."""
    try:
        state = State.of(game).after(*history)
    except ValueError as error:
        raise RuseError(str(error)) from error
    if state.is_over or state.is_chance:
        reason = "the game is over" if state.is_over else "chance is due"
        raise RuseError(f"nobody acts after {state.path() or 'the start'}: {reason}")
    return state


class Difference(NamedTuple):
    """Two strategies at one infoset."""

    player: int | None
    name: str
    weight: float  # how often play comes here, the mean of both
    distance: float  # total variation: the share of play that differs
    ours: dict[str, float]
    theirs: dict[str, float]

    def __str__(self) -> str:
        mixes = "  ".join(f"{a} {p:.3f}/{self.theirs[a]:.3f}" for a, p in self.ours.items())
        return f"{player_name(self.player)}  {self.name}  {mixes}  (reach {self.weight:.4f})"


class Comparison(list[Difference]):
    """Two strategies, infoset by infoset: a list of differences, those first where they matter most."""

    def __init__(self, differences: Iterable[Difference], names: tuple[str, str]) -> None:
        super().__init__(differences)
        self.names = names

    @property
    def distance(self) -> float:
        """How much of play differs: the distances at all infosets, each as often as play comes there."""
        return sum(d.distance * d.weight for d in self)

    def __repr__(self) -> str:
        return f"Comparison({' and '.join(self.names)}: {len(self):,} infosets, distance {self.distance:.4g})"

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        rows = []
        for d in self:
            mixes = (", ".join(f"{a} {p:.3f}" for a, p in mix.items()) for mix in (d.ours, d.theirs))
            rows.append((player_name(d.player), d.name, *mixes, f"{d.distance:.3f}", f"{d.weight:.4f}"))
        headers = ["player", "infoset", *self.names, "distance", "reach"]
        return table_of(headers, rows, caption=f"{self.names[0]} and {self.names[1]}")

    def plot(self, most: int = 12, *, axes: Any = None) -> "Picture":
        """A picture of the infosets where they differ most."""
        from ruse.charts.mixes import draw_pairs

        shown = [d for d in self[:most] if d.distance > 0.0]
        rows = [(f"{player_name(d.player)}: {d.name}", d.ours, d.theirs) for d in shown]
        title = "where they differ most" if rows else "they are the same"
        return draw_pairs(rows, self.names, title=title, axes=axes)


def compare(ours: StrategyLike, theirs: StrategyLike) -> Comparison:
    """Where two strategies of one game differ, those infosets first where it matters most: distance times reach."""
    ours, theirs = as_strategy(ours), as_strategy(theirs)
    theirs.refuse_other(ours.game)
    names = tuple(str(s.about.get("rule", "strategy")) for s in (ours, theirs))
    names = names if names[0] != names[1] else (f"{names[0]}, the first", f"{names[1]}, the second")
    differences = []
    if repr(ours.view) == repr(theirs.view):
        ours, theirs = ours.as_offered(), theirs.as_offered()
    common = ours.view if repr(ours.view) == repr(theirs.view) else Full()
    both = (Explanation(strategy, view=common).everywhere() for strategy in (ours, theirs))
    for a, b in zip(*both, strict=True):
        distance = float(np.abs(np.array(a.probability) - np.array(b.probability)).sum()) / 2
        mixes = (dict(zip(distinct(e.actions), e.probability, strict=True)) for e in (a, b))
        differences.append(Difference(a.player, a.name, (a.reach + b.reach) / 2, distance, *mixes))
    return Comparison(sorted(differences, key=lambda d: -d.distance * d.weight), (names[0], names[1]))


def export(strategy: StrategyLike, kind: str = "json") -> str:
    """The whole strategy as text: JSON (one object) or CSV (one line an action)."""
    strategy = as_strategy(strategy)
    rows = explain(strategy)
    if kind == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["player", "infoset", "reach", "action", "probability", "value"])
        for e in rows:
            for action, share, value in zip(e.actions, e.probability, e.value, strict=True):
                writer.writerow([e.player, e.name, e.reach, action, share, "" if value is None else value])
        return out.getvalue()
    if kind != "json":
        raise RuseError(f"unknown format {kind!r}; there are json and csv")
    expanded = Expanded.of(strategy.game)
    measured = exploitability_of(expanded.form, strategy.on(expanded))
    head = {"format": "ruse-export/1", "game": repr(strategy.game), **strategy.about}
    head |= {"game_value": measured.values[0], "values": measured.values, "exploitability": float(measured)}
    return json.dumps(head | {"infosets": [e.as_dict() for e in rows]}, indent=1, ensure_ascii=False)


def export_file(strategy: StrategyLike, path: str | Path, kind: str | None = None) -> None:
    """Write an export; the format is that of the file's ending unless given."""
    text = export(strategy, kind or Path(path).suffix.removeprefix(".") or "json")
    with replacing(path) as file:
        file.write(text.encode())


# ---- how often the others let play come to an infoset ----------------------------------------------------------------


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Reacher(NamedTuple):
    """A visitor that adds up, for each node, chance and the other players' reach."""

    keys: NDArray[Any]  # the index of nodes
    ids: NDArray[Any]
    node_first: NDArray[Any]
    reach: NDArray[Any]  # [sequence]
    others: NDArray[Any]  # [node]

    def is_full(self):
        return False

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        node, product = node_and_reach(self.keys, self.ids, self.reach, stack, level, key)
        self.others[node] += product
        return self.node_first[node]

    def at_end(self, game, stack, level):
        pass


def reach_of_others(expanded: Expanded, reach: NDArray[Any]) -> NDArray[Any]:
    """For each node, the probability that chance and the other players bring play there."""
    form = expanded.form
    keys, ids = node_index(expanded.keys, form.parent)
    visitor = Reacher(keys, ids, form.first.astype(np.int64), reach, np.zeros(len(form.parent)))
    walk(expanded.game, expanded.view, Stack.start(expanded.game, levels=expanded.size.depth + 2), visitor, 1 << 62)
    return visitor.others
