"""A run that is asked for more keeps what it was asked, and a finished one stays as it is."""

import json
from pathlib import Path

import pytest

import ruse
from ruse.errors import FileTrouble, RuseError
from ruse.store.runs import RunDirectory, list_runs
from ruse.training.progress import Progress

KUHN = ruse.Kuhn()


def finished(root: Path, iterations: int = 200, walk: bool = False) -> RunDirectory:
    solver = ruse.mccfr("external") if walk else ruse.cfr()
    directory = ruse.new_run(root, KUHN, solver, iterations=iterations)
    ruse.train(KUHN, solver, iterations=iterations, directory=directory)
    return RunDirectory.open(directory.path)


def files(directory: RunDirectory) -> dict[str, bytes]:
    return {name: (directory.path / name).read_bytes() for name in ("strategy.safetensors", "result.json", "run.toml")}


def interrupt(training: ruse.Training, at: int) -> None:
    for progress in training:
        if progress.iteration >= at:
            break


def test_a_further_goal_is_kept(tmp_path: Path) -> None:
    from ruse.training.jobs.kept import kept_job

    directory = finished(tmp_path)
    interrupt(ruse.Training(kept_job(directory, iterations=5_000), directory), 300)
    again = RunDirectory.open(directory.path)
    assert again.settings["iterations"] == 5_000
    assert not again.is_finished
    assert list_runs(tmp_path)[0].status == "interrupted"
    run = ruse.resume(again)
    assert run.iterations == 5_000
    straight = ruse.train(KUHN, ruse.cfr(), iterations=5_000)
    assert run.strategy.probability.tobytes() == straight.strategy.probability.tobytes()
    assert list_runs(tmp_path)[0].status == "finished"


def test_asked_for_what_it_has_it_stays_as_it_is(tmp_path: Path) -> None:
    directory = finished(tmp_path, 200)
    before = files(directory)
    for asked in ({}, {"iterations": 100}, {"memory": 10**9}):
        ruse.resume(RunDirectory.open(directory.path), **asked)
        assert files(directory) == before


@pytest.mark.parametrize("name", ["strategy.safetensors", "result.json"])
def test_what_is_damaged_or_gone_is_made_again(tmp_path: Path, name: str) -> None:
    directory = finished(tmp_path, 200)
    before = directory.strategy_path.read_bytes()
    for spoil in (damage if name.startswith("strategy") else lambda path: path.write_text("{}"), Path.unlink):
        spoil(directory.path / name)
        ruse.resume(RunDirectory.open(directory.path))
        assert RunDirectory.open(directory.path).is_whole
        assert directory.strategy_path.read_bytes() == before


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_damaged_checkpoint_costs_no_result(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    directory = finished(tmp_path, 200)
    ruse.resume(directory, iterations=400)
    directory = RunDirectory.open(directory.path)
    before = files(directory)
    damage(max((directory.path / "checkpoints").iterdir()) / "tables.safetensors")
    with pytest.raises(FileTrouble, match="is finished, but the checkpoint or the metrics that it ended with"):
        ruse.resume(directory)
    assert files(directory) == before
    run = ruse.resume(RunDirectory.open(directory.path), iterations=600)
    straight = ruse.train(KUHN, ruse.cfr(), iterations=600)
    assert run.strategy.probability.tobytes() == straight.strategy.probability.tobytes()


def test_the_table_must_fit_when_gone_on_with(tmp_path: Path) -> None:
    directory = finished(tmp_path, walk=True)
    with pytest.raises(RuseError, match=r"the table of this run takes .*, over the .* allowed; give it more memory"):
        ruse.resume(directory, iterations=400, memory=1_000)
    assert directory.is_finished


def test_runs_tell_what_the_result_tells(tmp_path: Path) -> None:
    """Between two checks, too: the number beside an iteration is that iteration's."""
    directory = ruse.new_run(tmp_path, KUHN, ruse.cfr(), iterations=100_000)
    job = ruse.Job(KUHN, ruse.cfr(), iterations=100_000)
    training = ruse.Training(job, directory)
    checked: list[Progress] = []
    for progress in training:
        checked.append(progress)
        if progress.iteration > 1_000 and (training.curve[-1][0] != progress.iteration):
            break
    told = list_runs(tmp_path)[0]
    assert told.iterations == checked[-1].iteration
    assert told.exploitability == pytest.approx(float(training.measured))
    finished(tmp_path / "other", 77)
    told = list_runs(tmp_path / "other")[0]
    result = json.loads((told.path / "result.json").read_text())["result"]
    assert (told.iterations, told.exploitability) == (result["iterations"], result["exploitability"])


def test_counting_for_the_judge_keeps_to_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting takes memory, too: three million histories of it for a strategy that may not be judged anyway."""
    from ruse.training.engines import sampling

    rooms = []

    def counted(game: ruse.Game, **asked: int) -> ruse.Size:
        rooms.append(asked["room"])
        return ruse.size(game)

    monkeypatch.setattr(sampling, "tree_size", counted)
    _, why = sampling.judged_on(ruse.Leduc(), 1_000)
    assert rooms == [500]
    assert "no more than half of the" in why
