"""The tree of a small game, from left to right: who moves, what may be done, what it comes to."""

from typing import Any, NamedTuple

from ruse.charts.picture import Picture
from ruse.words.html import COLOURS

CHANCE_COLOUR = "#777777"
LIGHT = {COLOURS[k] for k in (1, 4, 7)}  # on which black is read more easily


class DrawnNode(NamedTuple):
    """A history as it is drawn."""

    parent: int  # its number among the nodes, -1 for the start
    label: str  # who moves, or the payoffs at an end
    edge: str  # the action that leads here
    player: int | None  # None: chance, or an end
    share: float | None = None  # how often that action is taken, if that is known
    is_end: bool = False


def places_of(nodes: list[DrawnNode]) -> list[tuple[float, float]]:
    """Where the nodes are drawn: ends one below the other, all others in the middle of what follows them."""
    children: list[list[int]] = [[] for _ in nodes]
    depth = [0] * len(nodes)
    for k, node in enumerate(nodes):
        if node.parent >= 0:
            children[node.parent].append(k)
            depth[k] = depth[node.parent] + 1
    height, waiting, order = [0.0] * len(nodes), [0], []
    while waiting:  # parents before children, the first child first
        k = waiting.pop()
        order.append(k)
        waiting += reversed(children[k])
    line = 0
    for k in order:
        if not children[k]:
            height[k], line = float(line), line + 1
    for k in reversed(order):
        if children[k]:
            height[k] = (height[children[k][0]] + height[children[k][-1]]) / 2
    return [(float(depth[k]), height[k]) for k in range(len(nodes))]


def draw_nodes(nodes: list[DrawnNode], *, title: str, axes: Any = None) -> Picture:
    """The tree; nodes that a player cannot tell apart have one number."""
    places = places_of(nodes)
    deep, lines = max(x for x, _ in places), max(y for _, y in places)
    picture = Picture(2.5 + 1.9 * deep, 1.0 + 0.32 * (lines + 1), axes=axes)
    for k, node in enumerate(nodes):
        x, y = places[k]
        if node.parent >= 0:
            a, b = places[node.parent]
            width = 1.0 if node.share is None else 0.4 + 2.6 * node.share
            picture.axes.plot([a, x], [b, y], color="#444444", linewidth=width, zorder=1, alpha=0.8)
            words = node.edge if node.share is None else f"{node.edge} {node.share:.2f}"
            picture.axes.text(
                a + 0.62 * (x - a), b + 0.62 * (y - b), words, fontsize=7, ha="center", va="center", zorder=2,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            )  # fmt: skip
        if node.is_end:
            picture.axes.text(x + 0.04, y, node.label, fontsize=7, ha="left", va="center")
        else:
            colour = CHANCE_COLOUR if node.player is None else COLOURS[node.player % len(COLOURS)]
            picture.axes.scatter([x], [y], s=170, color=colour, zorder=3)
            ink = "black" if colour in LIGHT else "white"
            picture.axes.text(
                x, y, node.label, color=ink, fontsize=7, ha="center", va="center", zorder=4, fontweight="bold"
            )  # fmt: skip
    picture.axes.set_title(title)
    picture.axes.set(xlim=(-0.3, deep + 0.75), ylim=(lines + 0.8, -0.8))
    picture.axes.axis("off")
    return picture
