"""Convergence curves, as text for a terminal and as a picture."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruse.charts.picture import Picture
from ruse.words.html import COLOURS

Curve = Sequence[tuple[float, float]]  # (iterations, exploitability), both above zero
Band = Sequence[tuple[float, float, float, float]]  # (iterations, mean, the ends of its interval)
MARKS = "o+x*#@%&"
STROKES = ("-", "--", ":", "-.")  # where there are more curves than colours
BELOW = 1e6  # how far a band that ends at zero goes on below what is seen


def text_chart(curves: Mapping[str, Curve], *, width: int = 72, height: int = 18, across: str = "iterations") -> str:
    """Curves on two logarithmic axes, one mark each."""
    points = [(math.log10(x), math.log10(y)) for curve in curves.values() for x, y in curve if x > 0 and y > 0]
    if not points:
        return "(nothing to draw)"
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = math.floor(min(y for _, y in points)), math.ceil(max(y for _, y in points))
    grid = [[" "] * width for _ in range(height)]
    for mark, curve in zip(MARKS, curves.values(), strict=False):
        for x, y in curve:
            if x > 0 and y > 0:
                column = round((math.log10(x) - left) / max(right - left, 1e-9) * (width - 1))
                row = round((high - math.log10(y)) / max(high - low, 1) * (height - 1))
                grid[row][column] = mark
    lines = []
    for row, cells in enumerate(grid):
        exponent = high - row / (height - 1) * (high - low)
        is_decade = any(round((high - e) / max(high - low, 1) * (height - 1)) == row for e in range(low, high + 1))
        lines.append(f"{f'1e{round(exponent):+03d}' if is_decade else '':>6} |{''.join(cells).rstrip()}")
    lines.append(" " * 7 + "+" + "-" * width)
    lines.append(" " * 8 + f"{10**left:,.0f}".ljust(width - 10) + f"{10**right:>10,.0f}")
    lines.append(" " * 8 + f"{across:<18}" + "   ".join(f"{m} {n}" for m, n in zip(MARKS, curves, strict=False)))
    return "\n".join(lines)


def draw_curves(curves: Mapping[str, Curve], *, title: str, across: str = "iterations", axes: Any = None) -> Picture:
    """Curves on two logarithmic axes, as a picture."""
    bands = {name: [(x, y, y, y) for x, y in curve] for name, curve in curves.items()}
    return draw_bands(bands, title=title, across=across, axes=axes)


def draw_bands(bands: Mapping[str, Band], *, title: str, across: str = "iterations", axes: Any = None) -> Picture:
    """The same, each with the band of its intervals, if it has any. What of a band lies at or below zero has no place
    on such axes: it ends at the lower edge.
    """
    picture = Picture(axes=axes)
    drawn: dict[Any, str] = {}  # [line] what it is called
    shaded: list[tuple[Any, Any, Any, Any]] = []
    for k, (name, band) in enumerate(bands.items()):
        points = [point for point in band if point[0] > 0 and point[1] > 0]
        if points:
            x, y, low, high = zip(*points, strict=True)
            style = {"color": COLOURS[k % len(COLOURS)], "linestyle": STROKES[k // len(COLOURS) % len(STROKES)]}
            line, *_ = picture.axes.loglog(x, y, label=name, linewidth=1.6, **style)
            drawn[line] = str(name) or "unnamed"
            if low != high:
                shaded.append((x, low, high, style["color"]))
    limits = picture.axes.get_ylim()
    for x, low, high, colour in shaded:
        lower = [max(end, limits[0] / BELOW) for end in low]
        picture.axes.fill_between(x, lower, high, color=colour, alpha=0.18, linewidth=0)
    if shaded:
        picture.axes.set_ylim(limits[0], max(limits[1], *(max(high) for _, _, high, _ in shaded)))
    picture.axes.set(xlabel=across, ylabel="exploitability (NashConv / players)", title=title)
    picture.axes.grid(visible=True, which="major", alpha=0.3)
    if drawn:
        add_legend(picture.axes, drawn)
    return picture


def add_legend(axes: Any, drawn: Mapping[Any, str]) -> None:
    """A legend of what was on the axes before, and of these lines, whose names Matplotlib may take for hidden ones."""
    before = {line: name for line, name in zip(*axes.get_legend_handles_labels(), strict=True) if line not in drawn}
    names = before | dict(drawn)
    legend = axes.legend(list(names), [f"line {n}" for n in range(len(names))], frameon=False)
    for text, name in zip(legend.get_texts(), names.values(), strict=True):
        text.set_text(name)


def draw(curves: Mapping[str, Curve], path: str | Path, *, title: str) -> None:
    """The same, written to a file."""
    draw_curves(curves, title=title).save(path)
