"""Small betting trees as nested lists, as the twin of the range engine reads them, and as the engine does."""

from typing import Any

import numpy as np

from ruse.solve.ranges.public.betting import DEAL, FOLD, SHOWDOWN, Betting, PublicTree


def betting_of(tree: Any) -> Betting:
    """The same betting as arrays."""
    player: list[int] = []
    children: list[list[int]] = []
    pays: list[float] = []

    def visit(node: Any) -> int:
        n = len(player)
        kind = node[0]
        player.append({"act": node[1], "deal": DEAL, "fold": FOLD, "showdown": SHOWDOWN}[kind])
        children.append([])
        pays.append(node[-1] if kind in ("fold", "showdown") else 0.0)
        for child in node[2] if kind == "act" else [node[1]] if kind == "deal" else []:
            children[n].append(visit(child))
        return n

    visit(tree)
    wins = np.array([pays, pays]).T
    return Betting(*PublicTree.of(player, children), wins, -wins, np.zeros_like(wins))
