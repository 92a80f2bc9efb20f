"""Pictures of many equilibria: how far each metric can move, what moves with it, and what going further costs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ruse.errors import RuseError

INK, FAINT, STILL, OWN = "#22303c", "#d8dee4", "#8a97a3", "#d1495b"
COLOURS = ("#00798c", "#edae49", "#66a182", "#8d5a97", "#2e4057", "#c05746", "#5b8e7d", "#b5838d")

Ends = tuple[float, float]


@contextmanager
def figure(path: str | Path, columns: int, *, width: float, height: float, title: str) -> Iterator[list[Any]]:
    """Panels side by side; the picture is saved when they have been drawn."""
    try:
        import matplotlib
    except ImportError as error:
        raise RuseError('drawing needs Matplotlib: pip install "ruse[plot]"') from error
    matplotlib.use("Agg")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    picture = Figure(figsize=(width, height), dpi=150, layout="constrained")
    FigureCanvasAgg(picture)
    panels = list(picture.subplots(1, columns, squeeze=False)[0])
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.spines[["left", "bottom"]].set_color(STILL)
        panel.tick_params(colors=INK, labelsize=8)
        panel.grid(visible=True, color=FAINT, linewidth=0.6)
        panel.set_axisbelow(True)
    picture.suptitle(title, color=INK, fontsize=11, fontweight="bold", x=0.01, ha="left")
    yield panels
    picture.savefig(path)


def draw_ranges(rows: Sequence[tuple[str, float, float, float]], path: str | Path, *, title: str, moved: float) -> None:
    """A bar from the lowest to the highest value of each metric, and a mark at (name, lowest, highest, own)'s last.

    What moves by less than `moved` is drawn as one point.
    """
    with figure(path, 1, width=8.0, height=1.1 + 0.24 * len(rows), title=title) as (panel,):
        for y, (_, lowest, highest, own) in enumerate(rows):
            if highest - lowest > moved:
                panel.barh(y, highest - lowest, left=lowest, height=0.55, color=COLOURS[0], alpha=0.85)
                panel.plot([own], [y], "o", color=OWN, markersize=5, markeredgecolor="white", markeredgewidth=0.7)
            else:
                panel.plot([lowest], [y], "D", color=STILL, markersize=4.5)
        panel.set_yticks(range(len(rows)), [name for name, *_ in rows])
        panel.set(xlim=(-0.02, 1.02), ylim=(len(rows) - 0.4, -0.6))
        panel.set_xlabel("frequency", color=INK, fontsize=9)
        panel.grid(visible=False, axis="y")
        for mark, colour, label in (("s", COLOURS[0], "can move"), ("o", OWN, "plain solve"), ("D", STILL, "unique")):
            panel.plot([], [], mark, color=colour, label=label, markersize=5)
        panel.legend(frameon=False, fontsize=8, ncols=3, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderpad=0.1)


def draw_family(
    name: str, at: Sequence[float], lines: Mapping[str, Sequence[Ends | None]], frontier: Sequence[Ends],
    path: str | Path, *, title: str, own: float, within: float,
) -> None:  # fmt: skip
    """What moves along a metric, if it moves at all, and the price of each of its values."""
    has_family = len(at) > 1 and any(any(line) for line in lines.values())
    columns = has_family + bool(frontier)
    if not columns:
        return
    with figure(path, columns, width=1.0 + 5.2 * columns, height=4.2, title=title) as panels:
        if has_family:
            _draw_lines(panels[0], at, lines)
            panels[0].axvline(own, color=OWN, linewidth=1.0, linestyle=":")
            panels[0].set_xlabel(name, color=INK, fontsize=9)
            loss = f"losing at most {within:g}" if within else "at no loss"
            panels[0].set_title(f"The family, {loss}: what moves along", fontsize=9, color=INK, loc="left")
        if frontier:
            _draw_price(panels[-1], frontier, own)
            panels[-1].set_xlabel(name, color=INK, fontsize=9)
            panels[-1].set_title("The price of going further", fontsize=9, color=INK, loc="left")


def _draw_lines(panel: Any, at: Sequence[float], lines: Mapping[str, Sequence[Ends | None]]) -> None:
    """A band from the lowest to the highest of each line, with its name at the end."""
    ends: list[tuple[float, str, str]] = []
    for k, (name, line) in enumerate(lines.items()):
        known = [(x, *pair) for x, pair in zip(at, line, strict=True) if pair is not None]
        if not known:
            continue
        x, low, high = ([float(row[c]) for row in known] for c in range(3))
        colour = COLOURS[k % len(COLOURS)]
        panel.fill_between(x, low, high, color=colour, alpha=0.22, linewidth=0)
        for edge in (low, high):
            # Every other line has gaps, so that of two in one place both are seen.
            panel.plot(x, edge, color=colour, linewidth=1.8, linestyle=("-", (0, (4, 2.5)))[k % 2], zorder=2 + k % 2)
        ends.append(((low[-1] + high[-1]) / 2, name, colour))
    floor, ceiling = panel.get_ylim()
    gap, height = 0.052 * (ceiling - floor), float("-inf")
    for middle, name, colour in sorted(ends):
        height = max(middle, height + gap)  # names must not lie on each other
        panel.annotate(name, (max(at), middle), (1.02, height), xycoords="data", textcoords=panel.get_yaxis_transform(),
                       fontsize=8, color=colour, va="center", annotation_clip=False)  # fmt: skip
    panel.set_xlim(min(at), max(at))
    panel.set_ylabel("frequency", color=INK, fontsize=9)


def _draw_price(panel: Any, frontier: Sequence[Ends], own: float) -> None:
    """What a strategy must at least lose to a best response for the metric to have each value."""
    x, price = [m for m, _ in frontier], [cost for _, cost in frontier]
    free = [m for m, cost in frontier if cost <= 1e-7]
    if free:
        panel.axvspan(min(free), max(free), color=COLOURS[2], alpha=0.18, linewidth=0)
        panel.annotate("free", ((min(free) + max(free)) / 2, 0.96), xycoords=panel.get_xaxis_transform(), fontsize=8,
                       color=COLOURS[2], ha="center", va="top")  # fmt: skip
    panel.fill_between(x, price, color=COLOURS[0], alpha=0.12, linewidth=0)
    panel.plot(x, price, color=COLOURS[0], linewidth=1.8)
    panel.plot([own], [0.0], "o", color=OWN, markersize=6, markeredgecolor="white", clip_on=False, zorder=5)
    panel.annotate("plain solve", (own, 0.0), (0, 10), textcoords="offset points", fontsize=8, color=OWN, ha="center",
                   bbox={"boxstyle": "round,pad=0.15", "color": "white", "alpha": 0.8})  # fmt: skip
    panel.set_ylabel("what the style loses to a best response", color=INK, fontsize=9)
    panel.set_ylim(bottom=0.0)


def draw_style(
    name: str, tried: Sequence[Ends], frontier: Sequence[Ends], path: str | Path, *,
    title: str, target: float, cap: float, chosen: Ends,
) -> None:  # fmt: skip
    """What was tried on the way to a target, beside the least that each value must cost where that is known."""
    with figure(path, 1, width=7.0, height=4.4, title=title) as (panel,):
        if frontier:
            x, price = [m for m, _ in frontier], [cost for _, cost in frontier]
            panel.fill_between(x, price, color=COLOURS[0], alpha=0.12, linewidth=0)
            panel.plot(x, price, color=COLOURS[0], linewidth=1.8, label="the least it can cost (linear program)")
        panel.axhline(cap, color=STILL, linewidth=1.0, linestyle="--", label="what it may cost")
        panel.axvline(target, color=OWN, linewidth=1.0, linestyle=":", label="target")
        panel.plot(
            *zip(*tried, strict=True), "o", color=COLOURS[1], markersize=5, markeredgecolor="white", label="tried"
        )
        panel.plot(*chosen, "*", color=OWN, markersize=13, markeredgecolor="white", label="chosen", clip_on=False)
        values = [target, chosen[0], *(value for value, _ in tried)]
        costs = [cap, chosen[1], *(cost for _, cost in tried)]
        margin = 0.08 * (max(values) - min(values)) + 0.02
        panel.set_xlim(max(min(values) - margin, 0.0), min(max(values) + margin, 1.0))
        panel.set_ylim(0.0, 1.15 * max(costs))
        panel.set_xlabel(name, color=INK, fontsize=9)
        panel.set_ylabel("exploitability", color=INK, fontsize=9)
        panel.legend(frameon=False, fontsize=8)
