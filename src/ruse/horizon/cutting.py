"""The part of a public tree before a horizon."""

from collections.abc import Callable

from ruse.solve.ranges.public.betting import END, PublicTree


def cut_tree(
    children: Callable[[int], list[int]], acts: Callable[[int], int], root: int = 0
) -> tuple[tuple[int, ...], PublicTree]:
    """The nodes of a tree from a root up to those at which nobody `acts`, and the tree that they make."""
    kept: list[int] = []
    player: list[int] = []
    below: list[list[int]] = []

    def visit(n: int) -> int:
        here, who = len(kept), acts(n)
        kept.append(n)
        player.append(who if who >= 0 else END)
        below.append([])
        if who >= 0:
            below[here] += [visit(c) for c in children(n)]
        return here

    visit(root)
    return tuple(kept), PublicTree.of(player, below)
