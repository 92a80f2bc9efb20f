"""Forged checkpoints of the full-width engines are refused, each in a sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.errors import FileTrouble, RuseError
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.engines.pruned import PrunedEngine

LEDUC = ruse.Leduc()
Arrays = dict[str, np.ndarray]
NOT_ONE = "the checkpoint is not one that this training could have saved"


def at(name: str, place: Any, value: Any) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[name][place] = value

    return change


def other(name: str, make: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], None]:
    return lambda arrays: arrays.__setitem__(name, make(arrays[name]))


def full(prune: str | None = None) -> Any:
    solver = ruse.cfr(prune=prune) if prune else ruse.cfr()
    kind = PrunedEngine if prune else FullWidthEngine
    return kind(ruse.Job(LEDUC, solver))


@pytest.mark.parametrize("prune", [None, "partial"])
@pytest.mark.parametrize(
    "forge",
    [
        other("sigma", lambda a: a[:1]),
        other("sigma", lambda a: a.astype(np.float32)),
        other("average", lambda a: a.reshape(-1, 1)),
        other("average", lambda a: np.where(np.arange(len(a)) == 3, np.nan, a)),
        other("average", lambda a: np.where(np.arange(len(a)) == 3, np.inf, a)),
        other("average", lambda a: -a),
        other("sigma", lambda a: a - 0.75),
        other("sigma", lambda a: np.where(np.arange(len(a)) == 3, 1.5, a)),
        other("regret", lambda a: np.where(np.arange(len(a)) == 3, np.nan, a)),
        other("regret", lambda a: np.where(np.arange(len(a)) == 3, np.inf, a)),
        other("regret", lambda a: a[:-1]),
        lambda arrays: arrays.pop("regret"),
        lambda arrays: arrays.pop("sigma"),
        lambda arrays: arrays.update(count=np.zeros(3)),
        lambda arrays: arrays.update(_replace=np.zeros(3)),
    ],
)
def test_forged_full_tables_are_refused(prune: str | None, forge: Callable[[Arrays], Any]) -> None:
    engine = full(prune)
    engine.run(0, 20)
    arrays = {name: array.copy() for name, array in engine.saved().items()}
    full(prune).restore(arrays)
    forge(arrays)
    with pytest.raises(RuseError, match=f"({NOT_ONE}|the checkpoint does not fit)"):
        full(prune).restore(arrays)


def test_what_is_played_must_add_up_to_one() -> None:
    """Or what comes after it is an average of what nobody plays."""
    engine = full()
    arrays = {name: array.copy() for name, array in engine.saved().items()}
    arrays["sigma"][-2:] = 0.25
    with pytest.raises(RuseError, match=NOT_ONE):
        engine.restore(arrays)


@pytest.mark.parametrize(
    "forge",
    [
        other("reach", lambda a: np.where(np.arange(len(a)) == 3, np.inf, a)),
        other("faced", lambda a: np.where(np.arange(len(a)) == 3, -np.inf, a)),
        at("clock", 0, np.inf), at("clock", 0, 0.0), at("clock", 1, np.inf),
    ],
)  # fmt: skip
def test_forged_pruned_tables_are_refused(forge: Callable[[Arrays], Any]) -> None:
    engine = full("partial")
    arrays = {name: array.copy() for name, array in engine.saved().items()}
    forge(arrays)
    with pytest.raises(FileTrouble, match=NOT_ONE):
        engine.restore(arrays)
