"""Run directories: what survives kills, damage and full disks, and how a run is found again."""

import errno
import json
import logging
import os
import subprocess
import sys
import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from marks import posix
from saved_runs import kept, save, tables

from ruse.errors import FileTrouble, NewerFile
from ruse.store import tensors
from ruse.store.checksums import line_of
from ruse.store.runs import RunDirectory, find, list_runs

# ---- making and opening ----------------------------------------------------------------------------------------------


def test_create_and_open(tmp_path: Path) -> None:
    settings = {"rule": "dcfr", "alpha": np.float64(1.5), "seed": 2**63 + 1, "stop": None, "sizes": (1, 2), "lit": True}
    run = RunDirectory.create(tmp_path / "a/b", "My Spiel/Ü.py:Game", slug="DCFR α=1.5", settings=settings)
    stamp, rest = run.name.split("-", 1)
    assert datetime.strptime(stamp, "%Y%m%dT%H%M%S%z").tzinfo == UTC
    assert rest == "my-spiel-u-py-game-dcfr-1-5"
    again = RunDirectory.open(run.path)
    assert again.settings == {"rule": "dcfr", "alpha": 1.5, "seed": 2**63 + 1, "sizes": [1, 2], "lit": True}
    assert again.game == "My Spiel/Ü.py:Game"
    assert again.created == run.created
    about = tomllib.loads((run.path / "run.toml").read_text(encoding="utf-8"))
    assert about["versions"]["numpy"] == np.__version__
    assert about["versions"].keys() == {"python", "ruse", "numpy", "numba"}
    assert about["machine"]["cpus"] >= 1
    assert run.strategy_path == run.path / "strategy.safetensors"


def test_two_in_the_same_second(tmp_path: Path) -> None:
    made = [RunDirectory.create(tmp_path, "kuhn", slug="!", settings={}) for _ in range(5)]
    assert len({run.path for run in made}) == 5
    assert [summary.path for summary in list_runs(tmp_path)] == [run.path for run in made]
    assert find(tmp_path, "last").path == made[-1].path
    assert find(tmp_path, made[0].name).path == made[0].path  # exact, though others begin with it


def test_what_is_no_run_is_refused(tmp_path: Path, run: RunDirectory) -> None:
    with pytest.raises(FileTrouble, match=r"is not a run: there is no run\.toml in it"):
        RunDirectory.open(tmp_path)
    with pytest.raises(FileTrouble, match="is not a run"):
        RunDirectory.open(tmp_path / "missing")
    text = (run.path / "run.toml").read_text(encoding="utf-8")
    for content, wrong in [
        ("what?", "is damaged"),
        ("", "is not a run of ruse"),
        (text.replace("ruse-run/1", "ruse-run/2"), r"newer version of ruse \(ruse-run/2\)"),
        (text.replace("ruse-run/1", "ruse-strategy/1"), "holds ruse-strategy, not ruse-run"),
        (text.replace("game =", "name ="), "is damaged: it lacks the game"),
        (text.replace("+00:00", ""), "is damaged: it lacks the game, the time of creation"),
        *((text[:length], "is damaged|is not a run of ruse") for length in range(text.index("cpus = ") + 7)),
    ]:
        (run.path / "run.toml").write_text(content, encoding="utf-8")
        with pytest.raises(FileTrouble, match=wrong):
            RunDirectory.open(run.path)


def test_a_full_disk_leaves_no_half_made_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileTrouble, match="the disk is full"):
        RunDirectory.create(tmp_path, "kuhn", slug="cfr", settings={})
    assert not list(tmp_path.iterdir())


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_numba_is_not_imported() -> None:
    program = "import sys, ruse.store.runs; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# ---- metrics ---------------------------------------------------------------------------------------------------------


def test_metrics(run: RunDirectory) -> None:
    assert run.metrics() == []
    run.append_metrics({"iteration": np.int64(1), "exploitability": np.float32(0.5), "payoffs": (1, -1)})
    run.append_metrics({"iteration": 2, "exploitability": float("inf"), "note": "a\nb"})
    assert run.metrics() == [
        {"iteration": 1, "exploitability": 0.5, "payoffs": [1, -1]},
        {"iteration": 2, "exploitability": None, "note": "a\nb"},
    ]
    assert run.metrics_path.read_bytes().count(b"\n") == 2
    with pytest.raises(ValueError, match="needs its iteration"):
        run.append_metrics({"exploitability": 1.0})


def test_a_torn_line_is_skipped_and_cut_off(run: RunDirectory) -> None:
    for iteration in (1, 2):
        run.append_metrics({"iteration": iteration})
    whole = run.metrics_path.read_bytes()
    for length in range(len(whole)):
        run.metrics_path.write_bytes(whole[:length])
        before = run.metrics()
        assert len(before) == whole[:length].count(b"\n")
        run.append_metrics({"iteration": 9})
        assert run.metrics() == [*before, {"iteration": 9}]


@pytest.mark.parametrize("line", [b'{"itera', b"\xff", b"[]", b'{"iteration": true}', b'{"iteration": -1}', b"",
    b'{"iteration": 2, "exploitability": "x"}', b'{"iteration": 2, "seconds": []}', b'{"iteration": 1e3}',
])  # fmt: skip
def test_a_damaged_line_is_left_out_with_a_word(
    run: RunDirectory, line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    run.metrics_path.write_bytes(b'{"iteration": 1}\n' + line + b'\n{"iteration": 3}\n')
    with caplog.at_level(logging.WARNING):
        assert [row["iteration"] for row in run.metrics()] == [1, 3]
    said = f"{run.metrics_path} is damaged: line 2 is no row of metrics, and is left out"
    assert [record.getMessage() for record in caplog.records] == [said]
    run.rewind(3)  # as a run does that is gone on with: then it is gone
    assert run.metrics_path.read_bytes() == b'{"iteration": 1}\n{"iteration": 3}\n'


def test_a_line_with_another_digit_is_left_out(run: RunDirectory, caplog: pytest.LogCaptureFixture) -> None:
    for iteration in (1, 2, 3):
        run.append_metrics({"iteration": iteration, "exploitability": iteration / 8})
    run.metrics_path.write_bytes(run.metrics_path.read_bytes().replace(b"0.25", b"0.75"))
    assert [row["iteration"] for row in run.metrics()] == [1, 3]
    assert "line 2 is no row of metrics" in caplog.text


def test_rewind(run: RunDirectory) -> None:
    for iteration in range(10, 60, 10):
        run.append_metrics({"iteration": iteration})
    whole = run.metrics_path.read_bytes()
    run.rewind(50)
    assert run.metrics_path.read_bytes() == whole
    run.rewind(35)
    assert [row["iteration"] for row in run.metrics()] == [10, 20, 30]
    assert whole.startswith(run.metrics_path.read_bytes())
    run.rewind(0)
    assert run.metrics() == []


LIMITED_METRICS = """
import resource, sys
from ruse.errors import FileTrouble
from ruse.store.runs import RunDirectory
run = RunDirectory.open(sys.argv[1])
run.append_metrics({"iteration": 1})
resource.setrlimit(resource.RLIMIT_FSIZE, (30, 30))
try:
    run.append_metrics({"iteration": 2, "note": "x" * 100})
except FileTrouble as trouble:
    print(trouble)
"""


@posix
def test_a_full_disk_keeps_the_lines_there_are(run: RunDirectory) -> None:
    program = [sys.executable, "-c", LIMITED_METRICS, run.path]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert done.stdout == f"cannot write {run.metrics_path}: File too large\n"
    assert run.metrics_path.read_bytes() == line_of({"iteration": 1})


# ---- checkpoints -----------------------------------------------------------------------------------------------------


def test_checkpoints(run: RunDirectory) -> None:
    assert run.newest_checkpoint() is None
    state = {"seed": np.uint64(2**64 - 1), "stream": [2**127, 0.1], "weight": float("inf"), "stage": None}
    run.save_checkpoint(5, {**tables(5), "empty": np.zeros((0, 4), np.float32)}, state=state)
    newest = run.newest_checkpoint()
    assert newest is not None
    assert newest.iteration == 5
    assert newest.state == {"seed": 2**64 - 1, "stream": [2**127, 0.1], "weight": float("inf"), "stage": None}
    assert newest.arrays["empty"].shape == (0, 4)
    assert np.array_equal(newest.arrays["regret"], tables(5)["regret"])
    manifest = json.loads((run.path / "checkpoints/00000005/manifest.json").read_bytes())
    assert manifest["format"] == "ruse-checkpoint/1"
    assert list(manifest["files"]) == ["tables.safetensors"]


@pytest.mark.parametrize("keep", [1, 2, 3])
def test_only_the_newest_are_kept(run: RunDirectory, keep: int) -> None:
    save(run, 1, 2, 3, 4, 123_456_789, keep=keep)
    assert kept(run) == ["00000003", "00000004", "123456789"][-keep:]
    newest = run.newest_checkpoint()
    assert newest is not None
    assert newest.iteration == 123_456_789


def test_saving_an_iteration_again_and_going_back(run: RunDirectory) -> None:
    save(run, 10, 20)
    run.save_checkpoint(20, tables(21), state={"t": 21})
    assert kept(run) == ["00000010", "00000020-2"]
    assert run.newest_checkpoint().state == {"t": 21}  # type: ignore[union-attr]
    save(run, 15)  # as after a fall back from 20 to 10
    assert kept(run) == ["00000010", "00000015"]


def test_leftovers_are_ignored_and_swept(run: RunDirectory) -> None:
    save(run, 1)
    for name in (".00000009.abc.tmp", "00000008", "notes"):
        (run.path / "checkpoints" / name).mkdir()
    (run.path / "checkpoints/.00000009.abc.tmp/manifest.json").write_text("{}")
    assert run.newest_checkpoint().iteration == 1  # type: ignore[union-attr]
    save(run, 8)
    assert run.newest_checkpoint().iteration == 8  # type: ignore[union-attr]
    assert kept(run) == ["00000001", "00000008", "00000008-2", "notes"]


@pytest.mark.parametrize("name", ["tables.safetensors", "manifest.json"])
@pytest.mark.parametrize("damage", ["flip", "cut", "delete", "empty"])
def test_a_damaged_newest_falls_back(
    run: RunDirectory, caplog: pytest.LogCaptureFixture, name: str, damage: str
) -> None:
    save(run, 1, 2)
    path = run.path / "checkpoints/00000002" / name
    content = path.read_bytes()
    for at in [*range(0, len(content), 37), len(content) - 1]:
        if damage == "delete":
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(
                {
                    "flip": content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :],
                    "cut": content[:at],
                    "empty": b"",
                }[damage]
            )
        caplog.clear()
        newest = run.newest_checkpoint()
        assert newest is not None
        if damage == "flip" and name == "manifest.json" and newest.iteration == 2:
            assert newest.state == {"t": 2}  # only white space was hit
            continue
        assert (newest.iteration, newest.state) == (1, {"t": 1})
        assert np.array_equal(newest.arrays["average"], tables(1)["average"])
        if (damage, name) != ("delete", "manifest.json"):
            assert "going back to the checkpoint before it" in caplog.text
            assert "00000002" in caplog.text


def test_nothing_whole_is_not_the_same_as_nothing(run: RunDirectory) -> None:
    save(run, 1, 2)
    for tables_path in run.path.glob("checkpoints/*/tables.safetensors"):
        tables_path.write_bytes(b"")
    with pytest.raises(FileTrouble, match=r"no checkpoint in .* is whole"):
        run.newest_checkpoint()


def test_a_newer_checkpoint_is_refused_and_not_passed_over(run: RunDirectory) -> None:
    save(run, 1, 2)
    path = run.path / "checkpoints/00000002/manifest.json"
    path.write_text(path.read_text().replace("ruse-checkpoint/1", "ruse-checkpoint/4"))
    with pytest.raises(NewerFile, match=r"newer version of ruse \(ruse-checkpoint/4\)"):
        run.newest_checkpoint()


def test_a_full_disk_keeps_the_checkpoints_there_are(run: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    save(run, 1, 2)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(FileTrouble, match="the disk is full"):
            save(run, 3)
    assert kept(run) == ["00000001", "00000002"]
    assert run.newest_checkpoint().iteration == 2  # type: ignore[union-attr]


# ---- many runs -------------------------------------------------------------------------------------------------------


def test_list_runs(run: RunDirectory, caplog: pytest.LogCaptureFixture) -> None:
    root = run.path.parent
    other = RunDirectory.create(root, "kuhn", slug="cfr", settings={})
    run.append_metrics({"iteration": 100, "exploitability": 0.25})
    run.append_metrics({"iteration": 200})
    save(run, 150)
    run.finish({"exploitability": np.float64(0.125), "ratio": float("nan")})
    (root / "junk").mkdir()
    (root / "index.sqlite").touch()
    (root / ".hidden").mkdir()
    with caplog.at_level(logging.WARNING):
        first, second = list_runs(root)
    assert first == (run.path, "leduc", "dcfr", 200, 0.125, run.created, "finished"), "the result's, not the last row's"
    assert second == (other.path, "kuhn", "", 0, None, other.created, "interrupted")
    assert [record.getMessage() for record in caplog.records] == [
        f"skipped: {root / 'junk'} is not a run: there is no run.toml in it"
    ]
    assert run.is_finished
    assert run.result == {"exploitability": 0.125, "ratio": None}
    assert other.result is None
    assert list_runs(root / "missing") == []


def test_a_damaged_result_is_refused(run: RunDirectory) -> None:
    run.result_path.write_text("{}")
    with pytest.raises(FileTrouble, match="holds no result"):
        _ = run.result


def test_any_other_letter_in_a_result_is_seen(run: RunDirectory) -> None:
    """A digit makes another number of it, and no kind of file."""
    run.append_metrics({"iteration": 300, "exploitability": 0.25})
    result = {"iterations": 300, "exploitability": np.float64(0.00069), "curve": [(1, float("nan"))], "by": {3: "x"}}
    run.finish(result)
    whole, told = run.result_path.read_bytes(), run.result
    assert told == {"iterations": 300, "exploitability": 0.00069, "curve": [[1, None]], "by": {"3": "x"}}
    for place, letter in enumerate(whole):
        for other in {letter ^ 1, letter ^ 32, ord("9")} - {letter}:
            run.result_path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
            with suppress(FileTrouble):  # else it means the same, as where a blank is another
                assert run.result == told
    run.result_path.write_bytes(whole.replace(b"0.00069", b"0.90069"))
    with pytest.raises(FileTrouble, match=r"does not have the checksum that it names; delete it, and `ruse resume "):
        _ = run.result
    (listed,) = list_runs(run.path.parent)
    assert listed[3:5] == (300, 0.25), "what was measured on the way"
    assert listed.status == "damaged"


def test_results_of_before_have_no_checksum(run: RunDirectory) -> None:
    run.result_path.write_text('{"format": "ruse-result/1", "result": {"iterations": 3}}')
    assert run.result == {"iterations": 3}


def test_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "runs"
    with pytest.raises(FileTrouble, match=r"there is no run in .*runs yet: train one first"):
        find(root, "last")
    leduc = RunDirectory.create(root, "leduc", slug="dcfr", settings={})
    kuhn = RunDirectory.create(root, "kuhn", slug="dcfr", settings={})
    cases = [("last", kuhn), ("leduc", leduc), ("KUHN-d", kuhn), (leduc.name, leduc), (leduc.name[:-3], leduc)]
    for text, run in [*cases, (str(leduc.path), leduc)]:
        assert find(root, text).path == run.path
    with pytest.raises(FileTrouble, match=r"'dcfr' may mean 2 runs \(\S+-dcfr, \S+-dcfr\): give more of it"):
        find(root, "dcfr")
    with pytest.raises(FileTrouble, match=r"no run in .* is called 'holdem': `ruse runs` lists them"):
        find(root, "holdem")
    with pytest.raises(FileTrouble, match="is not a run"):
        find(root, str(tmp_path))
    with pytest.raises(FileTrouble, match="is called 'xxx"):
        find(root, "x" * 1000)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leduc").mkdir()  # a folder that happens to have that name is not meant
    assert find("runs", "leduc").path == Path("runs") / leduc.name
    for _ in range(5):
        RunDirectory.create(root, "leduc", slug="dcfr", settings={})
    with pytest.raises(FileTrouble, match=r"'leduc' may mean 6 runs \(.*, …\)"):
        find(root, "leduc")


def test_the_last_of_runs_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    first, second = (RunDirectory.create(tmp_path, name, slug="cfr", settings={}) for name in ("kuhn", "leduc"))
    (second.path / "run.toml").write_text("form")
    assert find(tmp_path, "last").path == first.path
    about = first.path / "run.toml"
    text = about.read_text()
    about.write_text("form")
    last = max(first.path, second.path)
    with pytest.raises(FileTrouble) as caught:
        find(tmp_path, "last")
    assert str(caught.value).startswith(f"{last / 'run.toml'} is damaged: ")
    assert str(caught.value).endswith(f"; put that file back, or delete {last}")
    (second.path / "run.toml").unlink()
    about.write_text(text.replace("ruse-run/1", "ruse-run/2"))
    with pytest.raises(NewerFile, match=r"upgrade ruse$"):
        find(tmp_path, "last")


def test_the_strategy_of_a_run(run: RunDirectory) -> None:
    tensors.write(run.strategy_path, {"keys": np.arange(3, dtype=np.uint64)}, {"format": "ruse-strategy/1"})
    metadata, _ = tensors.read(run.strategy_path)
    assert tensors.check_format(metadata.get("format"), "strategy", newest=1, path=run.strategy_path) == 1
