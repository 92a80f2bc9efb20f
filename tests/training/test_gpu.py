"""The word `gpu`: the face of the card's engine, its checkpoints, and what is told where there is no card."""

import sys
from pathlib import Path
from typing import Any

import card_cases as cases
import numpy as np
import pytest
from card_stand_in import StandIn, needs_compiler
from commands import Ruse
from fake_cupy import FakeCupy

import ruse as package
from ruse.errors import RuseError
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.solve.gpu import card
from ruse.solve.solver.presets import PRESETS
from ruse.store.runs import RunDirectory
from ruse.training.engines.card.gpu import FullWidthSide, full_width_on_card
from ruse.training.engines.card.on_card import CardEngine
from ruse.training.engines.chosen import engine_for
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep, kept_job
from ruse.training.regrets import regrets_of
from ruse.training.training import Training

NO_CUPY = "solving on a card needs CuPy, which does not load here"


def with_cupy(monkeypatch: pytest.MonkeyPatch, cupy: FakeCupy | None) -> FakeCupy | None:
    """Let `import cupy` find this; None: nothing."""
    card.cards.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return cupy


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch):
    yield
    monkeypatch.undo()
    card.cards.cache_clear()


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> FakeCupy:
    found = with_cupy(monkeypatch, FakeCupy())
    assert found is not None
    return found


# ---- without a card --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cupy", "words", "told"),
    [
        (None, "--on gpu", NO_CUPY),
        (FakeCupy(cards=-1), "--on gpu", "CuPy finds no card here (cudaErrorNoDevice: no CUDA-capable device is "),
        (FakeCupy(cards=0), "--on gpu", "CuPy finds no card here; use on='cpu'"),
        (FakeCupy(cards=2), "--on gpu:number=2", "there is no card 2 here; the last one is 1: gpu:number=1"),
        (FakeCupy(), "--on gpu:number=-1", "the number of a card must be at least 0, got -1"),
        (FakeCupy(), "--on gpu:precision=f16", "precision must be f64 or f32, got 'f16'"),
        (FakeCupy(), "--on gpu:memory=3", "gpu has no field 'memory'; it has precision, number"),
        (FakeCupy(), "--on gpu:f32", "cannot read 'f32'; write name=value, several with commas, as in gpu:precision=f"),
        (FakeCupy(), "--on gpu --rule mccfr", "gpu has no sampling engine, which the walk external needs; use on='cpu"),
        (FakeCupy(), "--on gpu --prune brp", "gpu has no pruned engine, which the walk full, brp needs; use on='cpu'"),
        (FakeCupy(), "--on gpu --threads 2", "the full-width engine uses one thread; leave threads out"),
    ],
)
def test_refusals_are_one_sentence(
    ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cupy: FakeCupy | None, words: str, told: str
) -> None:
    with_cupy(monkeypatch, cupy)
    found = ruse("solve", "kuhn", "--runs", str(tmp_path / "runs"), *words.split())
    assert found.code == 2
    assert found.err.startswith(f"ruse: {told}")
    assert found.err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@needs_compiler
def test_a_run_of_a_card_is_read_without_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its strategy, and its regret; it goes on on the processor if that is said."""
    with_cupy(monkeypatch, FakeCupy())
    directory = keep(tmp_path, Job(Kuhn(), package.dcfr(), iterations=10, on="gpu"))
    Training(kept_job(directory), directory).complete()
    with_cupy(monkeypatch, None)
    directory = RunDirectory.open(directory.path)
    assert kept_job(directory).on == "gpu"
    assert regrets_of(directory) is not None
    with pytest.raises(RuseError, match=NO_CUPY):
        Training(kept_job(directory, iterations=20), directory)
    assert Training(kept_job(directory, iterations=20, on="cpu"), directory).complete().iterations == 20


# ---- by way of CuPy --------------------------------------------------------------------------------------------------


@needs_compiler
def test_from_the_command_line(ruse: Ruse, cupy: FakeCupy, tmp_path: Path) -> None:
    """One word more, the same strategy; a small game is told to be one."""
    runs = ("--runs", str(tmp_path / "runs"))
    found = ruse("solve", "leduc", "--iterations", "60", "--on", "gpu", "--out", "a.strategy", *runs)
    assert (found.code, found.err) == (0, "")
    assert "on Fake 0: 241 KiB, 19 kernels an iteration; so small" in found.out
    assert "so small a game is solved faster by the processor (on='cpu'): about 5.1 us an iteration" in found.out
    assert cupy.log.count("graph") >= 60
    assert ruse("solve", "leduc", "--iterations", "60", "--out", "b.strategy", *runs).code == 0
    one, other = (package.Strategy.load(Path(name)) for name in ("a.strategy", "b.strategy"))
    np.testing.assert_allclose(one.probability, other.probability, rtol=0, atol=1e-12)
    single = ruse("solve", "leduc", "--iterations", "60", "--on", "gpu:precision=f32", "--json", *runs)
    assert '"precision": "f32"' in single.out
    assert '"card": "Fake 0"' in single.out


@needs_compiler
def test_too_little_room_is_told_first(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_cupy(monkeypatch, FakeCupy(room=100_000))
    found = ruse("solve", "leduc", "--on", "gpu", "--runs", str(tmp_path / "runs"))
    assert found.code == 2
    assert found.err.startswith("ruse: this game needs 241 KiB on Fake 0, where 97.7 KiB are free; ")
    assert not (tmp_path / "runs").exists()


@needs_compiler
def test_room_that_is_gone_meanwhile(cupy: FakeCupy) -> None:
    """What was free has been taken by another process."""
    cupy.room, cupy.others = 10_000, -(1 << 30)
    with pytest.raises(RuseError, match=r"^Fake 0 has no room for .* more, only .*; use on='cpu'$"):
        engine_for(Job(Kuhn(), package.dcfr(), iterations=5, on="gpu"))


@needs_compiler
@pytest.mark.usefixtures("cupy")
@pytest.mark.parametrize(("there", "then"), [("gpu", "cpu"), ("cpu", "gpu"), ("gpu", "gpu")])
def test_a_checkpoint_goes_on_on_the_other_side(tmp_path: Path, ruse: Ruse, there: str, then: str) -> None:
    runs = ("--runs", str(tmp_path / "runs"))
    assert ruse("solve", "leduc", "--iterations", "40", "--on", there, *runs).code == 0
    assert ruse("resume", "last", "--iterations", "90", "--on", then, *runs).code == 0
    directory = next((tmp_path / "runs").glob("*leduc*"))
    saved = RunDirectory.open(directory).newest_checkpoint()
    assert saved is not None
    assert saved.iteration == 90
    whole = FullWidthEngine(Job(Leduc(), package.dcfr()))
    whole.run(0, 90)
    cases.assert_same(dict(saved.arrays), whole.saved(), 1e-9, f"{there}, then {then}")


# ---- the engine ------------------------------------------------------------------------------------------------------


def slow_unless(name: str, *quick: str) -> Any:
    """A case that is left to `make test-all`: each form compiles the processor's kernels anew."""
    return name if name in quick else pytest.param(name, marks=pytest.mark.slow)


def pair(job: Job, **options: int) -> tuple[CardEngine, FullWidthEngine]:
    return full_width_on_card(job._replace(on="gpu"), StandIn(**options)), FullWidthEngine(job)


@needs_compiler
@pytest.mark.parametrize("name", [slow_unless(name, "cfr_price", "hedge") for name in cases.preferring_solvers()])
@pytest.mark.parametrize("alternating", cases.BOTH)
def test_preferences(name: str, alternating: bool) -> None:
    """Every form, free and at a price, in any order of threads."""
    solver = cases.preferring_solvers()[name]._replace(alternating=alternating)
    for game in (Leduc(ranks=2), Kuhn(players=3)):
        ours, theirs = pair(Job(game, solver), shuffled=3)
        ours.run(0, 10)
        theirs.run(0, 10)
        cases.assert_same(ours.saved(), theirs.saved(), 1e-9, name)
        plain = FullWidthEngine(Job(game, solver._replace(prefer=None)))
        plain.run(0, 10)
        assert not np.array_equal(plain._average(), theirs._average())
        measured = ours.exploitability()
        assert float(measured) == pytest.approx(float(theirs.exploitability()), rel=1e-9)
        assert str(ours.price(measured)) == str(theirs.price(theirs.exploitability()))


@needs_compiler
@pytest.mark.parametrize("case", [case for case, (_, view) in cases.SMALL.items() if view is not None])
def test_views_that_forget_are_judged_in_the_whole_game(case: str) -> None:
    game, view = cases.SMALL[case]
    ours, theirs = pair(Job(game, package.cfr(), view=view))
    ours.run(0, 10)
    theirs.run(0, 10)
    assert isinstance(ours.side, FullWidthSide)
    assert ours.side.judge is not None
    assert float(ours.exploitability()) == pytest.approx(float(theirs.exploitability()), rel=1e-9)
    cases.assert_same(ours.saved(), theirs.saved(), 1e-9, case)


@needs_compiler
def test_warming_up_leaves_no_trace() -> None:
    ours, theirs = pair(Job(Leduc(), package.dcfr()))
    ours.run(0, 5)
    theirs.run(0, 5)
    ours.warm_up()
    ours.run(5, 5)
    theirs.run(5, 5)
    cases.assert_same(ours.saved(), theirs.saved(), 1e-9, "warmed up")


@needs_compiler
def test_starts_are_taken_over() -> None:
    """From sums that keep merged infosets alike, and from those that do not: then the game is taken unmerged."""
    solver = PRESETS["cfr"]()
    for seed in (None, 1):
        ours, theirs = pair(Job(Leduc(), solver))
        theirs.run(0, 7)
        learned = theirs.learned(7)
        if seed is not None:
            learned = learned._replace(regret=np.random.default_rng(seed).normal(size=len(learned.regret)))
        for engine in (ours, theirs):
            engine.begin(learned)
            engine.run(0, 5)
        assert (ours.form.num_sequences == ours.expanded.form.num_sequences) == (seed is not None)
        cases.assert_same(ours.saved(), theirs.saved(), 1e-9, f"start {seed}")
        np.testing.assert_allclose(ours.learned(12).regret, theirs.learned(12).regret, atol=1e-9)
        again, _ = pair(Job(Leduc(), solver))
        again.restore(ours.saved())
        again.run(12, 3)
        ours.run(12, 3)
        cases.assert_same_bits(again.saved(), ours.saved(), f"restored {seed}")
        assert ours.current(15, {}).probability.tobytes() == again.current(15, {}).probability.tobytes()


@needs_compiler
def test_a_checkpoint_of_another_game_is_refused() -> None:
    ours, _ = pair(Job(Leduc(), package.dcfr()))
    other, _ = pair(Job(Kuhn(), package.dcfr()))
    with pytest.raises(RuseError, match=r"the checkpoint does not fit Leduc.* any more: start a new run"):
        ours.restore(other.saved())
