"""Paper 000, Ordered Abstraction for Cheat: its tables and figures, and what it could not measure."""

from collections.abc import Callable

from ruse.papers.evidence import Evidence
from ruse.papers.lab import Lab
from ruse.papers.ordered_abstraction import beyond, figure_1, figure_2, figure_3, larger, tables, times

PARTS: dict[str, Callable[[Lab], list[Evidence]]] = {
    "tables 1 and 2": tables.run,
    "times": times.run,
    "figure 1": figure_1.run,
    "figure 2": figure_2.run,
    "figure 3": figure_3.run,
    "beyond the paper": beyond.run,
    "larger games": larger.run,
}
