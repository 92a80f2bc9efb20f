"""The command line: promises to people (one clear sentence) and to programs (JSON, exit codes), and after a kill."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from commands import COMMANDS, Ruse, process
from places import ROOT

from ruse.cli import app
from ruse.cli.terminal.progress import duration, numbers, share_done
from ruse.store.runs import RunDirectory, find
from ruse.strategy import Strategy
from ruse.training.progress import Progress
from ruse.words.amounts import bytes_of

DOCS = (ROOT / "docs" / "commands.md").read_text()


# ---- help ------------------------------------------------------------------------------------------------------------


def test_commands_are_those_documented() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert [name for name, command in commands.items() if not command.hidden] == COMMANDS
    assert re.findall(r"^## `ruse (\w+)`$", DOCS, re.MULTILINE) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_an_example(ruse: Ruse, command: str) -> None:
    result = ruse(command, "--help")
    assert result.code == 0
    assert result.out.strip().splitlines()[-1].strip().startswith(f"Example: ruse {command}")


def test_no_command_prints_help(ruse: Ruse) -> None:
    for words in ([], ["--help"], ["-h"]):
        result = ruse(*words)
        assert result.code == 0
        assert all(command in result.out for command in COMMANDS)
        assert "Example: ruse solve" in result.out


def test_version(ruse: Ruse) -> None:
    assert re.fullmatch(r"ruse \d+\.\d+\.\d+\n", ruse("--version").out)
    module = subprocess.run([sys.executable, "-m", "ruse", "--version"], capture_output=True, text=True)
    assert module.stdout == ruse("--version").out


@pytest.mark.parametrize(
    "words", [["--help"], ["solve", "--help"], ["games"], ["runs"], ["--version"], ["replay", "-h"]]
)
def test_quick_commands_import_nothing_heavy(tmp_path: Path, words: list[str]) -> None:
    script = (
        f"import sys; from ruse.cli import main; code = main({words!r}); "
        "assert not {'numba', 'scipy', 'matplotlib', 'pyspiel'} & set(sys.modules); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- JSON ------------------------------------------------------------------------------------------------------------


def test_json_of_solve(ruse: Ruse, tmp_path: Path) -> None:
    result = ruse("solve", "kuhn", "--iterations", "100", "--seed", "3", "--out", "a.strategy", "--json")
    assert (result.code, result.err, result.out.count("\n")) == (0, "", 1)
    told = json.loads(result.out)
    assert (told["game"], told["rule"], told["iterations"], told["infosets"]) == ("kuhn", "dcfr", 100, 12)
    promised = re.search(r"With `--json` the one object has (.*?)\.\n", DOCS, re.DOTALL)
    assert promised
    assert set(re.findall(r"`(\w+)`", promised[1])) <= set(told)
    assert told["seconds"] > 0
    assert 0 < told["exploitability"] < 0.01
    assert told["game_value"] == pytest.approx(-1 / 18, abs=0.01)
    assert (told["seed"], told["finished"], told["out"]) == (3, True, "a.strategy")
    saved = Strategy.load(tmp_path / "a.strategy")
    assert saved.about["exploitability"] == told["exploitability"]
    assert told["view"] == "full"
    kept = RunDirectory.open(told["run"]).result
    assert {"view": "full"} | kept == {key: told[key] for key in told if key != "out"}


def test_json_of_the_others(solved: Ruse) -> None:
    def told(line: str) -> object:
        result = solved(*shlex.split(line), "--json")
        assert (result.code, result.err, result.out.count("\n")) == (0, "", 1), line
        return json.loads(result.out)

    def keys(line: str) -> set[str]:
        answer = told(line)
        assert isinstance(answer, dict)
        return set(answer)

    exact = told("solve kuhn --exact --out exact.strategy")
    assert isinstance(exact, dict)
    assert exact["game_value"] == pytest.approx(-1 / 18, abs=1e-9)
    assert exact["exploitability"] < 1e-9
    assert {"game", "rule", "iterations", "seconds", "infosets"} <= set(exact)
    games = told("games")
    assert isinstance(games, list)
    assert games[0]["name"] == "kuhn"
    assert games[0]["fields"] == {"players": 2, "ante": 1, "bet": 1}
    assert told("runs") == []
    told("solve kuhn --players 3 --iterations 5")
    runs = told("runs")
    assert isinstance(runs, list)
    assert [(run["game"], run["iterations"], run["status"]) for run in runs] == [("kuhn:players=3", 5, "finished")]
    assert {"game", "infosets", "count", "about"} <= keys("show kuhn.strategy --limit 2")
    assert {"player", "infoset", "reach", "actions"} <= keys('show kuhn.strategy --at "K, pass bet"')
    assert {"count", "differences"} <= keys("show kuhn.strategy --compare exact.strategy")
    assert {"size", "tree", "players"} <= keys("show kuhn --tree")
    assert {"exploitability", "nash_conv", "values", "best_responses"} <= keys("evaluate kuhn.strategy")
    assert {"by_seat", "mean"} <= keys("evaluate kuhn.strategy --against exact.strategy")
    assert {"exploitability", "style"} <= keys("evaluate kuhn.strategy --style")
    assert {"game", "value", "within", "metrics"} <= keys("equilibria kuhn")
    assert {"names", "mean", "interval", "deals", "seed"} <= keys("match kuhn.strategy random --deals 100")
    assert {"game", "lawful", "lines", "failures"} <= keys("check kuhn")


# ---- solving ---------------------------------------------------------------------------------------------------------


def test_fields_are_options_wherever_they_stand(ruse: Ruse) -> None:
    for line in (
        "kuhn --players 3",
        "kuhn --players=3",
        "--players 3 kuhn",
        "kuhn:players=3",
    ):
        told = json.loads(ruse("solve", *line.split(), "--iterations", "5", "--no-run", "--json").out)
        assert (told["game"], told["infosets"]) == ("kuhn:players=3", 48)
    assert "Kuhn(players=3" in ruse("show", "kuhn", "--players", "3").out


def test_solve_stops_by_itself(ruse: Ruse) -> None:
    assert json.loads(ruse("solve", "kuhn", "--no-run", "--json").out)["iterations"] == 1000
    told = json.loads(ruse("solve", "kuhn", "--target", "1e-2", "--no-run", "--json").out)
    assert told["exploitability"] <= 1e-2
    assert told["iterations"] < 1000
    told = json.loads(ruse("solve", "kuhn", "--seconds", "0.05", "--no-run", "--json").out)
    assert told["seconds"] >= 0.05


def test_a_rule_that_samples_expands_nothing(ruse: Ruse) -> None:
    """As mccfr does by itself, without --walk."""
    result = ruse("solve", "kuhn", "--rule", "mccfr", "--iterations", "10", "--no-run")
    assert result.code == 0
    assert "histories" not in result.out


def test_no_run_keeps_nothing(ruse: Ruse, tmp_path: Path) -> None:
    ruse("solve", "kuhn", "--iterations", "5", "--no-run")
    assert list(tmp_path.iterdir()) == []
    ruse("solve", "kuhn", "--memory", "1kB")
    assert list(tmp_path.iterdir()) == []


def test_simultaneous_and_unmerged_runs_can_be_resumed(ruse: Ruse) -> None:
    assert ruse("solve", "kuhn", "--rule", "cfr+", "--simultaneous", "--no-merge", "--iterations", "5").code == 0
    told = json.loads(ruse("resume", "last", "--iterations", "8", "--json").out)
    assert told["iterations"] == 8
    assert "alternating=False" in told["solver"]


def test_a_finished_run_goes_further(ruse: Ruse) -> None:
    ruse("solve", "kuhn", "--iterations", "10")
    assert json.loads(ruse("resume", "last", "--json").out)["iterations"] == 10
    assert json.loads(ruse("solve", "--resume", "last", "--iterations", "20", "--json").out)["iterations"] == 20
    further = json.loads(ruse("resume", "last", "--target", "1e-3", "--out", "b.strategy", "--json").out)
    assert further["exploitability"] <= 1e-3
    assert further["iterations"] > 20
    straight = json.loads(ruse("solve", "kuhn", "--target", "1e-3", "--out", "c.strategy", "--json").out)
    assert (straight["iterations"], straight["exploitability"]) == (further["iterations"], further["exploitability"])
    assert Path("b.strategy").read_bytes() == Path("c.strategy").read_bytes()


def test_a_run_that_does_not_fit_its_game_any_more(ruse: Ruse) -> None:
    ruse("solve", "leduc", "--iterations", "5")
    settings = find("runs", "last").path / "run.toml"
    text = settings.read_text().replace('"leduc"', '"leduc:max_raises=1"').replace("max_raises=2", "max_raises=1")
    settings.write_text(text)
    result = ruse("resume", "last", "--iterations", "10")
    assert result.code == 2
    assert "the rules of leduc:max_raises=1 have changed since" in result.err


def test_memory_as_people_write_it() -> None:
    texts = ("8GB", "8 gb", "512MiB", "1.5k", "2e9", "100")
    assert [bytes_of(text) for text in texts] == [8 * 10**9, 8 * 10**9, 512 << 20, 1500, 2 * 10**9, 100]


def test_what_progress_says() -> None:
    now = Progress(50, 200, 2.0, 0.01, None, None)
    assert numbers(now) == "50/200, exploitability 0.01, 25 it/s, 6 s left"
    assert share_done(now) == 0.25
    now = Progress(50, None, 2.0, 0.01, 0.001, None)
    assert numbers(now) == "iteration 50, exploitability 0.01 (target 0.001), 25 it/s"
    now = now._replace(nodes=1_000, infosets=12, bytes=3 << 20)
    assert numbers(now).endswith("25 it/s, 500 nodes/s, 12 infosets, 3 MiB")
    assert numbers(now._replace(pruned=0.0)).endswith("3 MiB, 0% pruned, 0 B given back")
    assert numbers(now._replace(pruned=0.4, given_back=8192)).endswith("3 MiB, 40% pruned, 8 KiB given back")
    assert share_done(now) is None
    assert share_done(Progress(50, None, 2.0, 0.01, None, 8.0)) == 0.25
    assert [duration(s) for s in (0.2, 119, 120, 7200, 200_000)] == ["0 s", "119 s", "2 min", "2 h", "2 days"]


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    words = ("solve", "kuhn", "--seconds", "0.5", "--no-run", "--json")
    running = process(*words, folder=tmp_path, stderr=slave, env=os.environ | {"COLUMNS": "100", "TERM": "xterm"})
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    out, _ = running.communicate(timeout=900)
    os.close(master)
    assert running.returncode == 0
    assert json.loads(out)["game"] == "kuhn"
    assert all(word in shown.decode() for word in ("kuhn", "iteration", "exploitability", "it/s", "left"))


# ---- looking ---------------------------------------------------------------------------------------------------------


def test_show_pages(solved: Ruse) -> None:
    out = solved("show", "kuhn.strategy", "--limit", "5").out
    assert "… and 7 more" in out
    assert len(out.splitlines()) == 1 + 1 + 5 + 1
    assert "more" not in solved("show", "kuhn.strategy").out
    mine = solved("show", "kuhn.strategy", "--player", "1").out.splitlines()[2:]
    assert len(mine) == 6
    assert all(line.startswith("1 ") for line in mine)
    rows = json.loads(solved("show", "kuhn.strategy", "--sort", "reach", "--json").out)["infosets"]
    assert [row["reach"] for row in rows] == sorted((row["reach"] for row in rows), reverse=True)


def test_show_names_a_place_in_two_ways(solved: Ruse) -> None:
    by_name = solved("show", "kuhn.strategy", "--at", "k pass bet").out
    assert by_name == solved("show", "kuhn.strategy", "--history", "K, Q, pass, bet").out
    assert "worth +2.000000" in by_name


def test_strategies_are_found_as_runs_too(ruse: Ruse) -> None:
    ruse("solve", "kuhn", "--iterations", "50")
    name = find("runs", "last").name
    for text in ("last", name, name[:-2], f"runs/{name}", f"runs/{name}/strategy.safetensors"):
        assert json.loads(ruse("evaluate", text, "--json").out)["about"]["iterations"] == 50
    assert "Kuhn(" in ruse("show", "kuhn").out  # a game's name is the game


def test_export(solved: Ruse, tmp_path: Path) -> None:
    told = json.loads(solved("export", "kuhn.strategy").out)
    assert len(told["infosets"]) == 12
    assert solved("export", "kuhn.strategy", "--out", "a.csv").out == "wrote a.csv\n"
    assert (tmp_path / "a.csv").read_text() == solved("export", "kuhn.strategy", "--format", "csv").out
    solved("export", "kuhn", "--players", "3", "--out", "three.efg")
    assert "617 histories" in solved("show", "three.efg").out


def test_match_calls_bots_as_they_were_typed(solved: Ruse) -> None:
    out = solved("match", "kuhn.strategy", "random", "--deals", "500").out
    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["kuhn.strategy", "random"]
    assert solved("match", "kuhn", "kuhn.strategy", "random", "--deals", "500").out == out
