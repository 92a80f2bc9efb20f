"""`ruse sweep`: a table at the end, what is done is skipped, and whatever is killed goes on to the same bits."""

import os
import signal
from pathlib import Path

import pytest
from commands import Ruse, process, told, wait_for

from ruse.store.runs import list_runs
from ruse.training.train import train

KUHN = ("sweep", "kuhn", "--rule", "dcfr,cfr_plus", "--seed", "0..1", "--iterations", "20", "--jobs", "1")


def test_a_sweep_ends_in_a_table(ruse: Ruse, tmp_path: Path) -> None:
    first = ruse(*KUHN)
    assert (first.code, first.err) == (0, "")
    lines = first.out.splitlines()
    assert lines[0].startswith("4 cells, 0 done already; 1 process at once, ")
    assert lines[1].split() == ["rule", "seeds", "iterations", "exploitability", "95", "%", "interval", "seconds"]
    assert lines[2].split()[:5] == ["dcfr", "2", "of", "2", "20"]
    assert lines[-1] == "next: ruse runs --runs sweep-kuhn, ruse studio --runs sweep-kuhn"
    assert {path.name for path in (tmp_path / "sweep-kuhn").iterdir() if path.is_file()} >= {"table.md", "sweep.json"}
    again = ruse(*KUHN)
    assert again.out.splitlines()[0].startswith("4 cells, 4 done already; ")
    assert again.out.splitlines()[2:4] == lines[2:4]
    found = told(ruse("sweep", "--out", "sweep-kuhn", "--json"))
    assert [found[name] for name in ("done", "failed", "unfit", "unfinished", "finished")] == [4, 0, 0, 0, True]
    alone = train("kuhn", "dcfr", iterations=20)
    assert found["rows"][0]["exploitability"] == alone.exploitability
    assert "kuhn-cfr_plus-seed-1" in ruse("runs", "--runs", "sweep-kuhn").out
    drawn = ruse("plot", "kuhn-dcfr-seed-0", "kuhn-cfr_plus-seed-0", "--runs", "sweep-kuhn")
    assert (drawn.code, drawn.err) == (0, "")


def test_a_cell_that_fails_is_told_and_the_exit_code_says_so(ruse: Ruse, tmp_path: Path) -> None:
    words = ("sweep", "kuhn", "--memory", "none,1B", "--iterations", "10", "--jobs", "1", "--out", "out")
    result = ruse(*words)
    assert (result.code, result.err) == (1, "")
    rows = [line for line in result.out.splitlines() if " of 1 " in line]
    assert rows[0].split()[:4] == ["none", "1", "of", "1"]
    assert rows[1].split()[:4] == ["1B", "0", "of", "1"]
    assert "failed: " in rows[1]
    assert "1 B" in rows[1]


def test_what_is_wrong_is_one_sentence_and_nothing_is_made(ruse: Ruse, tmp_path: Path) -> None:
    for line, why in {
        "sweep": "say which game, as in `ruse sweep leduc --seed 0..4`",
        "sweep kuhn --sed 0..3": "there is no option --sed; did you mean --seed?",
        "sweep kuhn --color 3": "kuhn has no field 'color'; it has players, ante, bet",
        "sweep kuhn:ante=1,kuhn:ante=2 --ante 3": "ante is given twice, in kuhn:ante=1 and beside it; leave one of t",
        "sweep kuhn leduc": "unexpected argument 'leduc'; see `ruse sweep --help`",
        "sweep kuhn --grid a.toml": "a grid file says all of it; leave kuhn or the file out",
        "sweep --grid a.toml": "cannot read a.toml: No such file or directory",
        "sweep --out here": f"say what to sweep, as leduc --seed 0..4: there is no {tmp_path}/here/sweep.toml to go on",
        "sweep kuhn --rule cfr_plus --prune rbp": "nothing of the grid goes together: cfr_plus forgets negative regret",
        "sweep kuhn --on moon": "nothing of the grid goes together: there is no machine 'moon'",
        "sweep kuhn --simultaneous --seed 1": "simultaneous is yes, no, or yes,no for both in a sweep, got '--seed'",
        "sweep kuhn --threads 2": "nothing of the grid goes together: the full-width engine uses one thread",
    }.items():
        result = ruse(*line.split())
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), line
        assert result.err.startswith(f"ruse: {why}"), result.err
    assert not list(tmp_path.iterdir())


# Seconds of work: a sweep must not be done before it is killed, however late that is.
LONG = ("sweep", "kuhn", "--seed", "0..1", "--iterations", "10000000", "--checkpoint-seconds", "0.05", "--jobs", "1")


def worker_of(folder: Path) -> int:
    """The process that trains a run, as its lock says."""
    for lock in folder.glob("*/lock"):
        if (text := lock.read_text().strip()).isdigit():
            return int(text)
    return 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_what_is_killed_is_gone_on_with_to_the_same_bits(ruse: Ruse, tmp_path: Path) -> None:
    out = tmp_path / "sweep-kuhn"
    seen = {0}

    def another_works() -> bool:
        return worker_of(out) not in seen

    for victim, code in (("worker", 130), ("sweep", -9), ("sweep", 143)):
        running = process(*LONG, folder=tmp_path)
        wait_for(another_works, running)
        seen.add(worker := worker_of(out))
        if victim == "worker":
            os.kill(worker, signal.SIGKILL)
            wait_for(another_works, running)
            seen.add(worker_of(out))
            running.send_signal(signal.SIGINT)
        else:
            running.send_signal(-code if code < 0 else signal.SIGTERM)
        said, err = running.communicate(timeout=600)
        assert running.returncode == code, err
        assert "Traceback" not in err
        if code == 130:
            assert said.splitlines()[-1] == "stopped; the same command goes on"
    result = ruse(*LONG)
    assert (result.code, result.err) == (0, "")
    assert len(list_runs(out)) == 2
    for seed in (0, 1):
        directory = tmp_path / f"alone-{seed}"
        assert ruse("solve", "kuhn", "--seed", str(seed), "--iterations", "10000000", "--no-run",
                    "--out", f"{directory}.strategy").code == 0  # fmt: skip
        kept = (out / f"kuhn-dcfr-seed-{seed}" / "strategy.safetensors").read_bytes()
        assert kept == Path(f"{directory}.strategy").read_bytes()
