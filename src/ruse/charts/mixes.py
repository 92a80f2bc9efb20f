"""What strategies do, as bars: one infoset, many of them, or two strategies side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from ruse.charts.picture import Picture
from ruse.words.html import COLOURS

MOST = 40  # infosets in one picture


def draw_mix(name: str, actions: Mapping[str, float], *, axes: Any = None) -> Picture:
    """One infoset: a bar for each action."""
    picture = Picture(4.6, 0.9 + 0.4 * len(actions), axes=axes)
    names, shares = list(actions), list(actions.values())
    colours = [COLOURS[k % len(COLOURS)] for k in range(len(names))]
    bars = picture.axes.barh(names, shares, color=colours)
    picture.axes.bar_label(bars, labels=[f"{share:.3f}" for share in shares], padding=3)
    picture.axes.set(xlim=(0, 1.15), xlabel="probability", title=name)
    picture.axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    picture.axes.invert_yaxis()
    plain(picture.axes)
    return picture


def draw_mixes(rows: Sequence[tuple[str, Mapping[str, float]]], *, title: str, axes: Any = None) -> Picture:
    """Many infosets: a bar of pieces for each, and a colour for each action; what is too much is counted."""
    shown = rows[:MOST]
    names = list(dict.fromkeys(action for _, mix in shown for action in mix))
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    picture = Picture(7.5, 1.2 + 0.22 * len(shown), axes=axes)
    left = [0.0] * len(shown)
    for name in names:
        widths = [mix.get(name, 0.0) for _, mix in shown]
        picture.axes.barh(range(len(shown)), widths, left=left, color=colours[name], label=name, height=0.8)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    rest = f" (the first {len(shown)} of {len(rows):,} infosets)" if len(shown) < len(rows) else ""
    picture.axes.set(xlim=(0, 1), xlabel="probability", title=title + rest)
    picture.axes.set_yticks(range(len(shown)), [label for label, _ in shown], fontsize=8)
    picture.axes.set_ylim(len(shown) - 0.4, -0.6)
    picture.axes.legend(frameon=False, bbox_to_anchor=(1.01, 1.0), loc="upper left")
    plain(picture.axes)
    return picture


Pair = tuple[str, Mapping[str, float], Mapping[str, float]]


def draw_pairs(rows: Sequence[Pair], names: tuple[str, str], *, title: str, axes: Any = None) -> Picture:
    """Two strategies: at each infoset a bar of pieces for either, one below the other."""
    actions = list(dict.fromkeys(action for _, ours, _ in rows for action in ours))
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(actions)}
    picture = Picture(7.5, 1.3 + 0.5 * max(1, len(rows)), axes=axes)
    for side, shift in ((1, -0.2), (2, 0.2)):
        left = [0.0] * len(rows)
        for action in actions:
            widths = [row[side].get(action, 0.0) for row in rows]  # type: ignore[union-attr]
            places = [k + shift for k in range(len(rows))]
            label = action if side == 1 else None
            picture.axes.barh(places, widths, left=left, height=0.36, color=colours[action], label=label)
            left = [a + b for a, b in zip(left, widths, strict=True)]
    picture.axes.set(xlim=(0, 1), xlabel=f"above: {names[0]}; below: {names[1]}", title=title)
    picture.axes.set_yticks(range(len(rows)), [name for name, _, _ in rows], fontsize=8)
    picture.axes.set_ylim(len(rows) - 0.4, -0.6)
    if rows:
        picture.axes.legend(frameon=False, bbox_to_anchor=(1.01, 1.0), loc="upper left")
    plain(picture.axes)
    return picture


def plain(axes: Any) -> None:
    """Without the frame's upper and right side."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
