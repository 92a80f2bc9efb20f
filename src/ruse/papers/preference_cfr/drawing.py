"""How this paper's pictures look: the colours of `ruse.styles.family_charts`, open frames, titles on the left."""

from typing import Any

from ruse.styles.family_charts import COLOURS, FAINT, INK, OWN, STILL

__all__ = ["COLOURS", "FAINT", "INK", "OWN", "STILL", "label", "tidy"]


def tidy(panel: Any, title: str, *, x: str, y: str) -> None:
    """Title, axes and grid of a panel."""
    panel.set_title(title, loc="left", fontsize=10, color=INK)
    panel.set_xlabel(x, color=INK, fontsize=9)
    panel.set_ylabel(y, color=INK, fontsize=9)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(STILL)
    panel.tick_params(colors=INK, labelsize=8)
    panel.grid(visible=True, color=FAINT, linewidth=0.6)
    panel.set_axisbelow(True)


def label(panel: Any, ends: list[tuple[float, str, str]]) -> None:
    """Names at the right end of curves, given as (height, name, colour), none on top of another."""
    floor, ceiling = panel.transData.transform([(0, y) for y in panel.get_ylim()])[:, 1]
    gap, last = 0.065 * (ceiling - floor), float("-inf")
    for height, name, colour in sorted(ends):
        place = max(float(panel.transData.transform((1, height))[1]), last + gap)
        last = place
        panel.annotate(
            name, (1.02, (place - floor) / (ceiling - floor)), xycoords="axes fraction", fontsize=8, color=colour,
            va="center", annotation_clip=False,
        )  # fmt: skip
