"""Where a style differs from the plain solve, as a page is told it."""

from typing import Any

from pydantic import BaseModel

from ruse.evaluate.explaining.explain import Difference
from ruse.evaluate.explaining.guide import alike

SHOWN = 16  # infosets that move


class MovedView(BaseModel):
    """An infoset at which a style differs from the plain solve."""

    player: int | None
    name: str
    reach: float
    distance: float
    actions: list[str]
    plain: list[float]
    styled: list[float]
    alike: int = 0  # others that differ in suits alone, and move the same


def moved_views(moved: list[Difference]) -> list[MovedView]:
    """Those that matter most; what is alike but for suits is told once."""
    told: dict[Any, MovedView] = {}
    for one in moved:
        before, after = [*one.ours.values()], [*one.theirs.values()]
        key = alike(one.player, one.name, before, after)
        if key in told:
            told[key].alike += 1
        elif len(told) < SHOWN:
            told[key] = MovedView(
                player=one.player, name=one.name, reach=one.weight, distance=one.distance, actions=[*one.ours],
                plain=before, styled=after,
            )  # fmt: skip
    return list(told.values())
