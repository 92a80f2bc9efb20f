"""Spots on a card: `ruse solve SPOT --on gpu`, checkpoints there and back, and what is refused."""

import sys
from pathlib import Path

import card_spots as spots
import numpy as np
import pytest
from card_stand_in import needs_compiler
from commands import Ruse
from fake_cupy import FakeCupy
from small_spots import ODD_RIVER

import ruse as package
from ruse.solve.gpu import card
from ruse.solve.solver.presets import PRESETS
from ruse.spots.strategy import SpotStrategy
from ruse.store.runs import RunDirectory
from ruse.training.engines.card.gpu_spots import spot_on_card
from ruse.training.engines.spots import SpotEngine
from ruse.training.jobs.job import Job


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch):
    yield
    monkeypatch.undo()
    card.cards.cache_clear()


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> FakeCupy:
    card.cards.cache_clear()
    found = FakeCupy()
    monkeypatch.setitem(sys.modules, "cupy", found)
    return found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--rule hedge", "a card solves spots by regret matching, and hedge is another rule; use dcfr, or on='cpu'"),
        ("--prefer call:delta=3", "a card solves spots without preferences; leave prefer out, or use on='cpu'"),
    ],
)
@pytest.mark.usefixtures("cupy")
def test_refusals_are_one_sentence(ruse: Ruse, tmp_path: Path, words: str, told: str) -> None:
    found = ruse("solve", ODD_RIVER, "--on", "gpu", "--runs", str(tmp_path / "runs"), *words.split())
    assert (found.code, found.err) == (2, f"ruse: {told}\n")
    assert not (tmp_path / "runs").exists()


def test_without_a_card(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    card.cards.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", None)
    found = ruse("solve", ODD_RIVER, "--on", "gpu", "--runs", str(tmp_path / "runs"))
    assert found.code == 2
    assert found.err.startswith("ruse: solving on a card needs CuPy, which does not load here")
    assert found.err.count("\n") == 1


@needs_compiler
def test_too_little_room_is_told_first(ruse: Ruse, cupy: FakeCupy, tmp_path: Path) -> None:
    cupy.room = 100_000
    found = ruse("solve", ODD_RIVER, "--on", "gpu", "--runs", str(tmp_path / "runs"))
    assert found.code == 2
    assert found.err.startswith("ruse: this spot needs 233 KiB on Fake 0, where 97.7 KiB are free; ")
    assert not (tmp_path / "runs").exists()


@needs_compiler
def test_to_a_target_from_the_command_line(ruse: Ruse, cupy: FakeCupy, tmp_path: Path) -> None:
    """The same looks as on the processor, a strategy that can be read without a card."""
    runs = ("--runs", str(tmp_path / "runs"))
    found = ruse("solve", ODD_RIVER, "--target", "2%", "--on", "gpu", "--out", "a.strategy", *runs)
    assert (found.code, found.err) == (0, "")
    assert "on Fake 0: 233 KiB, 17 kernels an iteration" in found.out
    assert cupy.log.count("graph") > 20
    assert ruse("solve", ODD_RIVER, "--target", "2%", "--out", "b.strategy", *runs).code == 0
    one, other = (SpotStrategy.load(Path(name)) for name in ("a.strategy", "b.strategy"))
    assert one.about["iterations"] == other.about["iterations"]
    np.testing.assert_allclose(one.rows(0, ()), other.rows(0, ()), atol=0.02)


@needs_compiler
@pytest.mark.usefixtures("cupy")
@pytest.mark.parametrize(("there", "then"), [("gpu", "cpu"), ("cpu", "gpu")])
def test_a_checkpoint_goes_on_on_the_other_side(tmp_path: Path, ruse: Ruse, there: str, then: str) -> None:
    runs = ("--runs", str(tmp_path / "runs"))
    assert ruse("solve", ODD_RIVER, "--rule", "dcfr", "--iterations", "10", "--on", there, *runs).code == 0
    assert ruse("resume", "last", "--iterations", "15", "--on", then, *runs).code == 0
    saved = RunDirectory.open(next((tmp_path / "runs").iterdir())).newest_checkpoint()
    assert saved is not None
    whole = SpotEngine(Job(package.game(ODD_RIVER), PRESETS["dcfr"]()))
    whole.run(0, 15)
    for name, table in whole.saved().items():
        np.testing.assert_allclose(saved.arrays[name], table, rtol=0, atol=1e-5 * float(np.abs(table).max()))


@needs_compiler
def test_warming_up_leaves_no_trace() -> None:
    job = Job(package.game(ODD_RIVER), PRESETS["pdcfr_plus"](), on="gpu")
    one, other = (spot_on_card(job, spots.stand_in()) for _ in range(2))
    one.run(0, 5)
    one.warm_up()
    one.run(5, 5)
    other.run(0, 5)
    other.restore(other.saved())
    other.run(5, 5)
    for name, table in other.saved().items():
        assert one.saved()[name].tobytes() == table.tobytes()
    assert one.facts()["card"] == "a processor"
