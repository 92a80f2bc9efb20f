"""What is met too late to be refused beforehand, and is refused by the same table."""

from typing import NamedTuple


class Noticed(NamedTuple):
    """What shows itself only on the way: in a walk, in a record, or in the sums of a start."""

    wide: int | None = None  # a decision has more actions than so many
    deep: int | None = None  # a path has more decisions than so many
    vast: float | None = None  # an iteration would visit more histories than so many
    lines: float | None = None  # an iteration would play so many lines by policies
    alone: int | None = None  # the player who is to prefer where others share the infoset
    scheduled: int | None = None  # iterations that a schedule was begun for, and others are asked for now
    is_uncounted: bool = False  # sums that do not tell what was played since the first iteration
    is_placeless: bool = False  # tables of no game
