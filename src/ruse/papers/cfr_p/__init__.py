"""Paper 003, CFR-p: policies chosen by CFR in two-player Mahjong. Its tables and figures, and what it left open."""

from collections.abc import Callable

from ruse.papers.cfr_p import exploiting, figure_5, node, numbers, released, strength
from ruse.papers.evidence import Evidence
from ruse.papers.lab import Lab

PARTS: dict[str, Callable[[Lab], list[Evidence]]] = {
    "numbers": numbers.run,
    "table 4": node.run,
    "figure 5": figure_5.run,
    "exploitability": exploiting.run,
    "strength": strength.run,
    "released": released.run,
}
