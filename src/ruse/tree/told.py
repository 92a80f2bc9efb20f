"""Infosets in words: those that a view tells apart, by walking the expanded game once more."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.protocol.game import Row
from ruse.protocol.state import State
from ruse.protocol.view import Full, View
from ruse.tree.expanded import Expanded

ASKED = 12  # states of an infoset that are asked for the names of its actions


class Told(NamedTuple):
    """An infoset as a person reads it."""

    node: int  # the first of those that it is made of
    player: int | None  # None: several players share it
    name: str
    actions: list[str]


class ToldInfosets(NamedTuple):
    """The infosets that a view tells apart, each made of nodes of the whole game: of one, if the view is full."""

    expanded: Expanded
    view: View
    number: NDArray[Any]  # [node] of its infoset
    nodes: NDArray[Any]  # all nodes, infoset by infoset
    start: NDArray[Any]  # [infoset + 1] where its nodes start

    @classmethod
    def of(cls, expanded: Expanded, view: View) -> "ToldInfosets":
        """Those of a view that has words for them, describe(game, s); else those of the game."""
        every = np.arange(len(expanded.owner))
        if not hasattr(view, "describe"):
            return cls(expanded, Full(), every, every, np.arange(len(every) + 1))
        _, first, group = np.unique(expanded.keys_of(view), return_index=True, return_inverse=True)
        number = np.argsort(np.argsort(first))[group]  # in the order of the decision trees
        return cls(expanded, view, number, np.argsort(number, kind="stable"), np.cumsum([0, *np.bincount(number)]))

    def __len__(self) -> int:
        return len(self.start) - 1

    def told(self) -> Iterator[Told]:
        if isinstance(self.view, Full):
            yield from (Told(*infoset) for infoset in self.expanded.infosets)
            return
        rows = self.expanded.rows()
        for k in range(len(self)):
            nodes = self.nodes_of(k)
            # A view that turns cards round gives one action several names; a few nodes show most of them.
            few = rows[nodes[:: max(1, len(nodes) // ASKED)]]
            count = int(self.expanded.form.first[nodes[0] + 1] - self.expanded.form.first[nodes[0]])
            actions = [self.action(few, a) for a in range(count)]
            name = self.name(State(self.expanded.game, few[0], ()))
            yield Told(int(nodes[0]), self.player_of(k), name, actions)

    def nodes_of(self, k: int) -> NDArray[Any]:
        return self.nodes[self.start[k] : self.start[k + 1]]

    def player_of(self, k: int) -> int | None:
        """Whose infoset it is; None if several players share it."""
        owners = self.expanded.owner[self.nodes_of(k)]
        return int(owners[0]) if np.all(owners == owners[0]) else None

    def name(self, state: State) -> str:
        """What the acting player sees of this state."""
        if isinstance(self.view, Full):
            return state.describe(state.player)
        return str(self.view.describe(state.game, state.row))  # type: ignore[attr-defined]

    def action(self, rows: Iterable[Row], a: int) -> str:
        """The name of an action: the view's own, if it has any, else all that the game has for it."""
        game = self.expanded.game
        names = getattr(self.view, "action_name", lambda game, row, a: game.action_name(row, a))
        return "/".join(dict.fromkeys(names(game, row, a) for row in rows))
