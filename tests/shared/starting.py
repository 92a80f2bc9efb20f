"""What a training may start from, and an engine to start."""

from functools import cache
from typing import Any

import ruse
from ruse.training.engines.chosen import engine_for

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()
CFR = ruse.cfr(alternating=False)


@cache
def teacher(**fields: int) -> ruse.Run:
    return ruse.train(ruse.Leduc(**fields), CFR, iterations=3_000)


def engine_of(game: ruse.Game, solver: Any = CFR, **options: Any) -> Any:
    return engine_for(ruse.Job(game, solver, **options))
