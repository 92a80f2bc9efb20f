"""Checkpoints of a run directory."""

import os

import numpy as np

from ruse.store.runs import RunDirectory


def tables(iteration: int) -> dict[str, np.ndarray]:
    return {"regret": np.full((50, 3), float(iteration)), "average": np.arange(9) + iteration}


def save(run: RunDirectory, *iterations: int, keep: int = 2) -> None:
    for iteration in iterations:
        run.save_checkpoint(iteration, tables(iteration), state={"t": iteration}, keep=keep)


def kept(run: RunDirectory) -> list[str]:
    return sorted(os.listdir(run.path / "checkpoints"))
