"""The same comparisons on a card, where there is one (`pytest -m card`); and NVIDIA's compiler."""

import shutil
import subprocess
from pathlib import Path

import card_cases as cases
import pytest

import ruse
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.solve.gpu.card import Card, cards
from ruse.solve.gpu.cuda import OPTIONS, Cuda
from ruse.solve.gpu.device import kernel_source
from ruse.solve.solver.presets import PRESETS
from ruse.training.engines.chosen import engine_for
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job

FOUND, WHY = cards()
NVCC = shutil.which("nvcc")
card = [pytest.mark.card, pytest.mark.skipif(not FOUND, reason=WHY)]


@pytest.mark.skipif(NVCC is None, reason="there is no nvcc here")
@pytest.mark.parametrize("number", ["double", "float"])
def test_the_compiler_takes_the_kernels(number: str, tmp_path: Path) -> None:
    """To the code of a card, without one; no product and sum become one step but in exp."""
    source = tmp_path / "kernels.cu"
    source.write_text(kernel_source(), encoding="utf-8")
    out = tmp_path / "kernels.ptx"
    words = [
        str(NVCC),
        *OPTIONS,
        f"-DNUMBER={number}",
        "-Werror",
        "all-warnings",
        "-arch=sm_80",
        "-ptx",
        "-o",
        str(out),
    ]
    subprocess.run([*words, str(source)], check=True, timeout=300)
    kernels = dict(text.split("(", 1) for text in out.read_text(encoding="utf-8").split(".entry ")[1:])
    assert len(kernels) == 12
    assert [name for name, text in kernels.items() if "fma." in text] in (
        ["learn", "learn_rows"],
        ["learn_rows", "learn"],
    )


@pytest.mark.parametrize("preset", [pytest.param(name, marks=card) for name in cases.FULL_WIDTH])
def test_ten_iterations_on_a_card(preset: str) -> None:
    device = Cuda(Card())
    games = [*cases.SMALL.values(), (LiarsDice(), None), *((game, None) for game in cases.random_trees())]
    for n, (game, view) in enumerate(games):
        for alternating in cases.BOTH:
            solver = PRESETS[preset](alternating=alternating)
            cases.assert_same(*cases.both(device, cases.form_of(game, view), solver, 10), 1e-9, f"game {n}")


@pytest.mark.parametrize("preset", [pytest.param(name, marks=card) for name in cases.FULL_WIDTH])
def test_exploitability_on_a_card(preset: str) -> None:
    form, solver = cases.form_of(Leduc()), PRESETS[preset]()
    ours, theirs = cases.judged_on(Cuda(Card()), form, solver, 1_000), cases.judged(form, solver, 1_000)
    assert float(ours) == pytest.approx(float(theirs), rel=0.1)


@pytest.mark.parametrize("name", [pytest.param(name, marks=card) for name in cases.preferring_solvers()])
def test_preferences_on_a_card(name: str) -> None:
    job = Job(Leduc(), cases.preferring_solvers()[name])
    ours, theirs = engine_for(job._replace(on="gpu")), FullWidthEngine(job)
    ours.run(0, 10)
    theirs.run(0, 10)
    cases.assert_same(ours.saved(), theirs.saved(), 1e-9, name)


@pytest.mark.parametrize("precision", [pytest.param(name, marks=card) for name in ("f64", "f32")])
def test_two_runs_on_a_card_have_the_same_bits(precision: str) -> None:
    kind, form = Card(precision), cases.form_of(LiarsDice())
    one, other = (cases.placed(Cuda(kind), form, ruse.dcfr(), kind.kind) for _ in range(2))
    one.run(0, 200, 0)
    for done in range(0, 200, 50):
        other.run(done, 50, 0)
    cases.assert_same_bits(one.fetch(), other.fetch(), precision)
