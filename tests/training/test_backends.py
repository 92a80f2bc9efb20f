"""The seam below an engine: another machine is its engines and a line in a table."""

from pathlib import Path

import pytest
from commands import Ruse

import ruse as package
from ruse.errors import RuseError
from ruse.store.runs import RunDirectory
from ruse.training.engines.chosen import engine_for
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep, kept_job, settings_of
from ruse.training.terms.backends import BACKENDS, CPU, KINDS, Backend
from ruse.training.training import Training

KUHN = package.Kuhn()


class ToyEngine(FullWidthEngine):
    """An engine of another machine, as far as a training can tell: one that counts what it was asked for."""

    asked = 0

    def run(self, done: int, iterations: int) -> None:
        self.asked += iterations
        super().run(done, iterations)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "toy", Backend(full_width=ToyEngine))


def test_the_processor_has_every_engine() -> None:
    assert BACKENDS[CPU].engines == KINDS
    assert Backend._fields[: len(KINDS)] == KINDS
    for solver, kind in (
        (package.cfr(), "full_width"),
        (package.cfr(prune="brp"), "pruned"),
        (package.mccfr(), "sampling"),
    ):
        assert solver.engine == kind


@pytest.mark.usefixtures("toy")
def test_a_backend_is_its_engines_and_a_line(tmp_path: Path) -> None:
    job = Job(KUHN, package.dcfr(), iterations=40, on="toy")
    directory = keep(tmp_path, job)
    training = Training(job, directory)
    run = training.complete()
    assert isinstance(training.engine, ToyEngine)
    assert training.engine.asked == 40
    plain = package.train(KUHN, package.dcfr(), iterations=40)
    assert run.strategy.probability.tobytes() == plain.strategy.probability.tobytes()
    assert str(job) == "ruse solve kuhn --iterations 40 --on toy"
    again = kept_job(RunDirectory.open(directory.path), iterations=80)
    assert again.on == "toy"
    resumed = Training(again, directory)
    assert resumed.complete().iterations == 80
    assert isinstance(resumed.engine, ToyEngine)
    assert resumed.engine.asked == 40


@pytest.mark.usefixtures("toy")
def test_a_backend_may_have_an_address() -> None:
    assert isinstance(engine_for(Job(KUHN, package.dcfr(), on="toy://here:80")), ToyEngine)
    with pytest.raises(
        RuseError, match=r"^there is no machine 'toys://here' to solve on; there is cpu, gpu, ray, toy$"
    ):
        engine_for(Job(KUHN, package.dcfr(), on="toys://here"))


@pytest.mark.usefixtures("toy")
def test_a_backend_without_the_engine_says_so(tmp_path: Path) -> None:
    sentence = r"^toy has no sampling engine, which the walk external needs; use on='cpu'$"
    with pytest.raises(RuseError, match=sentence):
        engine_for(Job(KUHN, package.mccfr(), on="toy"))
    with pytest.raises(RuseError, match=sentence):
        keep(tmp_path, Job(KUHN, package.mccfr(), iterations=5, on="toy"))
    assert not list(tmp_path.iterdir())


def test_what_is_as_usual_is_not_written() -> None:
    assert not {"on", "debug_keys", "horizon"} & settings_of(Job(KUHN, package.mccfr(), iterations=5)).keys()
    unusual = settings_of(Job(KUHN, package.mccfr(), iterations=5, debug_keys=True, on="toy"))
    assert unusual["debug_keys"] is True
    assert unusual["on"] == "toy"


def test_an_unknown_backend_is_one_sentence(ruse: Ruse) -> None:
    told = ruse("solve", "kuhn", "--on", "abacus")
    assert (told.code, told.err) == (2, "ruse: there is no machine 'abacus' to solve on; there is cpu, gpu, ray\n")
