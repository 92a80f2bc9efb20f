"""Runs on the command line: another name, none at all, their curves; and what a shell may complete."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import Ruse

from ruse.cli.commands.completion import SCRIPTS


@pytest.fixture
def two(ruse: Ruse) -> Ruse:
    for rule in ("dcfr", "cfr"):
        assert ruse("solve", "kuhn", "--rule", rule, "--iterations", "50").code == 0
    return ruse


def names(ruse: Ruse) -> list[str]:
    return [run["name"] for run in json.loads(ruse("runs", "--json").out)]


def test_a_run_gets_another_name(two: Ruse) -> None:
    first, second = names(two)
    assert two("runs", "rename", "kuhn-dcfr", "best").out == f"{first} is now best\n"
    assert sorted(names(two)) == sorted(["best", second])
    assert two("resume", "best", "--iterations", "60").code == 0
    for words, sentence in (
        (("rename", "best", second), "already; choose another name"),
        (("rename", "best", "a/b"), "give a plain name, without a folder"),
        (("rename", "best", "last"), "cannot be called 'last'"),
        (("rename", "best"), "say which run, and its new name"),
        (("rename", "nobody", "x"), "no run in runs is called 'nobody'"),
        (("delete",), "say which run"),
        (("delete", "", "--yes"), "no run is called by an empty text"),
        (("rename", " ", "x"), "no run is called by an empty text"),
        (("rename", "best", "x\ny"), "give a plain name, of one line"),
        (("rename", "best", " x"), "give a plain name, of one line"),
        (("burn", "best"), "can rename and delete, not 'burn'"),
    ):
        result = two("runs", *words)
        assert result.code == 2
        assert sentence in result.err


def test_a_result_with_another_digit_is_damaged_until_it_is_made_anew(two: Ruse, tmp_path: Path) -> None:
    before = json.loads(two("runs", "--json").out)
    path = Path(before[0]["path"]) / "result.json"
    digits = repr(json.loads(path.read_text())["result"]["exploitability"])
    path.write_text(path.read_text().replace(digits, "0.90069"))
    told = json.loads(two("runs", "--json").out)
    assert [run["status"] for run in told] == ["damaged", "finished"]
    assert told[0] | {"status": "finished"} == before[0], "by what was measured on the way"
    assert "0.901" not in two("runs").out
    assert two("resume", before[0]["name"]).code == 0
    assert json.loads(two("runs", "--json").out) == before


def test_deleting_is_asked_for(two: Ruse) -> None:
    assert "nothing was deleted" in two("runs", "delete", "last").out  # nobody answers
    assert "nothing was deleted" in two("runs", "delete", "last", typed=("no",)).out
    assert len(names(two)) == 2
    told = two("runs", "delete", "kuhn-cfr", "last", typed=("yes",)).out
    assert "deleted: " in told
    assert len(names(two)) == 1
    assert json.loads(two("runs", "delete", "last", "--yes", "--json").out)["deleted"]
    assert names(two) == []


def test_curves_of_runs(two: Ruse, tmp_path: Path) -> None:
    drawn = two("plot", "kuhn-dcfr", "kuhn-cfr")
    assert drawn.code == 0
    assert "o kuhn dcfr   + kuhn cfr" in drawn.out
    assert max(map(len, drawn.out.splitlines())) <= 80
    assert "seconds" in two("plot", "last", "--across", "seconds").out
    curves = json.loads(two("plot", "last", "--json").out)
    assert curves["kuhn cfr"][-1].keys() == {"iterations", "seconds", "exploitability"}
    assert two("plot", "last", "--across", "hours").code == 2
    pytest.importorskip("matplotlib")
    assert two("plot", "last", "--out", "curve.png").out == "wrote curve.png\n"
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_two_runs_of_one_rule_are_told_apart(ruse: Ruse) -> None:
    for _ in range(2):
        ruse("solve", "kuhn", "--iterations", "5")
    assert len(json.loads(ruse("plot", *names(ruse), "--json").out)) == 2


@pytest.mark.parametrize(
    ("line", "some"),
    [
        (["s"], ["show", "solve", "style"]),
        (["solve", "le"], ["leduc"]),
        (["solve", "leduc:"], ["leduc:players=", "leduc:suits="]),
        (["solve", "leduc:players=3,su"], ["leduc:players=3,suits="]),
        (["solve", "leduc", "--su"], ["--suits"]),
        (["solve", "leduc", "--rule", "dcfr"], ["dcfr", "dcfr_plus"]),
        (["solve", "leduc", "--walk", ""], ["external", "full"]),
        (["sweep", "le"], ["leduc"]),
        (["sweep", "leduc", "--rule", "dcfr,cfr_p"], ["dcfr,cfr_plus"]),
        (["sweep", "leduc", "--on", "r"], ["ray"]),
        (["sweep", "leduc", "--su"], ["--suits"]),
        (["match", "cheat", "heur"], ["heuristic"]),
        (["play", "leduc", "--against", "r"], ["random"]),
        (["show", "k"], ["kuhn", "kuhn.strategy"]),
        (["resume", "la"], ["last"]),
        (["plot", "last", "--out", "x.png", "la"], ["last"]),
        (["runs", "d"], ["delete"]),
        (["solve", "--exact", "ku"], ["kuhn"]),
        (["completion", ""], ["bash", "fish", "zsh"]),
        (["solve", "leduc:bi"], ["leduc:big"]),
        (["solve", "cheat:half,cop"], ["cheat:half,copies="]),
    ],
)
def test_what_may_come_next(ruse: Ruse, tmp_path: Path, line: list[str], some: list[str]) -> None:
    (tmp_path / "kuhn.strategy").touch()
    (tmp_path / "runs" / "one").mkdir(parents=True)
    (tmp_path / "runs" / "one" / "run.toml").touch()
    told = ruse("complete", "--", *line).out.split()
    assert set(some) <= set(told)
    assert all(word.startswith(line[-1]) for word in told)


def test_nothing_comes_after_what_is_not_known(ruse: Ruse) -> None:
    for line in (["nonsense", "x"], ["solve", "leduc:players=3,suits=2"], ["solve", "--out", "k"]):
        assert ruse("complete", "--", *line).out.split() == []


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_are_ones(ruse: Ruse, tmp_path: Path, shell: str) -> None:
    script = ruse("completion", shell).out
    assert "ruse complete" in script
    if found := shutil.which(shell):
        (tmp_path / "script").write_text(script)
        assert subprocess.run([found, "-n", "script"], cwd=tmp_path, check=False).returncode == 0
    assert ruse("completion", "csh").code == 2


def test_bash_completes(ruse: Ruse, tmp_path: Path) -> None:
    """What is before a colon is a word of its own to bash, and must not come twice."""
    if (bash := shutil.which("bash")) is None:
        pytest.skip("no bash")
    script = ruse("completion").out.replace("< <(ruse complete", "< <(fake")
    test = 'fake() { printf "leduc:players=\\n"; }; compopt() { :; }\nCOMP_LINE="ruse solve leduc:pl"; COMP_POINT=19\n'
    (tmp_path / "try").write_text(f'{test}{script}\n_ruse; echo "${{COMPREPLY[0]}}"\n')
    done = subprocess.run([bash, "try"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "players=\n"
