"""Pictures of Hold'em before the flop: squares of 169 hands, and style against price."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.games.holdem.ranges.cells import CELLS, CLASSES, SIDE
from ruse.games.holdem.suits.deals import starting_names
from ruse.horizon.preflop import Preflop, Solved
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.drawing import COLOURS, INK, tidy

if TYPE_CHECKING:
    from ruse.papers.preference_cfr.holdem.table_2 import HabitPoint

PANEL = (4.3, 5.2)  # inches of a square and the words above it
PAINTS = ("#8fa3b5", "#7fb685", "#f2b880", "#d9653b", "#b08fc7")  # fold, call, raise to 2, raise to 3, all-in


def draw_openings(
    lab: Lab, game: Preflop, paper: Mapping[str, tuple[float, ...]], forms: dict[str, dict[str, Solved]]
) -> None:
    """Figure 5: the first decision of each style, in both forms, and the paper's shares in percent."""
    with lab.figure("figure-5", len(forms), len(paper), panel=PANEL) as axes:
        for row, (form, found) in enumerate(forms.items()):
            for panel, (name, theirs) in zip(axes[row], paper.items(), strict=True):
                draw_square(panel, found[name].rows[0])
                shares = ", ".join(
                    f"{action} {share:.0%}"
                    for action, share in zip(game.names(0), found[name].opening, strict=True)
                    if share >= 0.005
                )
                told = ", ".join(f"{a} {x:g}%" for a, x in zip(game.names(0), theirs, strict=True) if x > 0)
                panel.set_title(f"{name}, {form}\n{shares}\npaper: {told}", loc="left", fontsize=8, color=INK)
        name_paints(axes[-1][0], game.names(0))


def name_paints(panel: Any, names: tuple[str, ...]) -> None:
    """What the colours are, below a square."""
    for name, paint in zip(names, PAINTS, strict=True):
        panel.bar(0, 0, color=paint, label=name)
    panel.legend(
        frameon=False, fontsize=8, labelcolor=INK, ncol=len(names), loc="upper left", bbox_to_anchor=(-0.01, -0.01),
        handlelength=1.0, handletextpad=0.4, columnspacing=1.0, borderaxespad=0.0,
    )  # fmt: skip


def draw_square(panel: Any, rows: np.ndarray) -> None:
    """169 hands, suited ones above the diagonal; a cell is painted in proportion to what is done."""
    place = {name: k for k, name in enumerate(starting_names())}
    for cell in range(CELLS):
        x, y, left = cell % SIDE, SIDE - 1 - cell // SIDE, 0.0
        for share, paint in zip(rows[place[CLASSES[cell].name]], PAINTS, strict=True):
            panel.barh(y, share * 0.96, left=x + left * 0.96, height=0.96, color=paint, linewidth=0)
            left += share
        panel.text(x + 0.48, y, CLASSES[cell].name, ha="center", va="center", fontsize=5.4, color=INK)
    panel.set(xlim=(0, SIDE), ylim=(-0.5, SIDE - 0.5), aspect="equal", xticks=[], yticks=[])
    panel.spines[:].set_visible(False)


def draw_frontier(lab: Lab, points: "list[HabitPoint]", plain: "HabitPoint") -> None:
    with lab.figure("style-for-price-holdem", 1, 2) as axes:
        for panel, field, title in ((axes[0][0], "vpip", "VPIP"), (axes[0][1], "pfr", "PFR")):
            for colour, towards in zip(COLOURS, ("call", "raise", "fold"), strict=False):
                own = [plain, *(point for point in points if point.towards == towards)]
                panel.plot(
                    [getattr(point, field) for point in own], [point.price for point in own], "o-", color=colour,
                    linewidth=1.6, markersize=5, markeredgecolor="white", label=f"{towards} preferred",
                )  # fmt: skip
            tidy(panel, f"{title} of the small blind, and its price", x=f"{title}, share of hands",
                 y="given away to a best response, mBB a hand")  # fmt: skip
            panel.set_ylim(bottom=0)
        axes[0][0].legend(frameon=False, fontsize=8, labelcolor=INK)


def draw_buttons(
    lab: Lab, names: tuple[str, ...], paper: dict[str, str], found: dict[str, tuple[np.ndarray, np.ndarray]]
) -> None:
    """Figure 6: the button's first decision, one menu for all; the paper's shares are by menus of its own."""
    with lab.figure("figure-6", 1, 3, panel=PANEL) as axes:
        for panel, (name, (rows, shares)) in zip(axes[0], found.items(), strict=True):
            draw_square(panel, rows)
            told = ", ".join(f"{a} {share:.0%}" for a, share in zip(names, shares, strict=True) if share >= 0.005)
            panel.set_title(
                f"{name}, three players\n{told}\npaper, %: {paper[name]}", loc="left", fontsize=8, color=INK
            )
        name_paints(axes[0][0], names)
