"""Paper 001, Preference-CFR: its tables and figures, and what it could not measure."""

from collections.abc import Callable

from ruse.papers.lab import Lab, Row
from ruse.papers.preference_cfr import beyond, figure_3, figure_4, holdem, leduc, price, table_1

PARTS: dict[str, Callable[[Lab], list[Row]]] = {
    "table 1": table_1.run,
    "figure 3": figure_3.run,
    "figure 4": figure_4.run,
    "leduc": leduc.run,
    "price": price.run,
    "beyond the paper": beyond.run,
    "holdem": holdem.run,
}
