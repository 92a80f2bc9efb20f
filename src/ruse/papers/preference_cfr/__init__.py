"""Paper 001, Preference-CFR: its tables and figures, and what it could not measure."""

from collections.abc import Callable

from ruse.papers.evidence import Evidence
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr import (
    beyond,
    bound,
    figure_3,
    figure_4,
    leduc,
    price,
    speed,
    table_1,
)
from ruse.papers.preference_cfr.holdem import sentences, table_2, table_3

PARTS: dict[str, Callable[[Lab], list[Evidence]]] = {
    "table 1": table_1.run,
    "figure 3": figure_3.run,
    "figure 4": figure_4.run,
    "speed": speed.run,
    "leduc": leduc.run,
    "bound": bound.run,
    "price": price.run,
    "beyond the paper": beyond.run,
    "holdem": sentences.run,
    "table 2": table_2.run,
    "table 3": table_3.run,
}
ONLY_IF_ASKED = ("table 2", "table 3")  # Hold'em takes half an hour each
