"""The command line: promises to people (one clear sentence) and to programs (JSON, exit codes), and after a kill."""

import errno
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main

from ruse.cli import app, main
from ruse.cli.progress import duration, numbers, share_done
from ruse.cli.solve import parse_memory
from ruse.cli.table import fitting
from ruse.progress import Progress
from ruse.runs import RunDirectory, find
from ruse.strategy import Strategy

COMMANDS = [
    "games", "solve", "resume", "runs", "show", "evaluate", "equilibria", "style", "match", "play", "replay", "export",
    "check", "reproduce", "bench",
]  # fmt: skip
DOCS = (Path(__file__).parents[1] / "docs" / "commands.md").read_text()


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Ruse = Callable[..., Result]


@pytest.fixture
def ruse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ruse:
    """Run a command in this process, in an empty folder, with these lines typed."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, typed: tuple[str, ...] = ()) -> Result:
        lines = iter(typed)

        def answer(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        capsys.readouterr()
        code = main(words)
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def solved(ruse: Ruse) -> Ruse:
    """The same with a strategy of Kuhn poker in the folder."""
    assert ruse("solve", "kuhn", "--iterations", "200", "--no-run", "--out", "kuhn.strategy").code == 0
    return ruse


def process(*words: str, folder: Path, **options: object) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True}
    return subprocess.Popen([sys.executable, "-m", "ruse.cli", *words], cwd=folder, **(pipes | options))  # type: ignore[call-overload, no-any-return]


def wait_for(path: Callable[[], bool], running: subprocess.Popen[str], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not path() and running.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


# ---- help ------------------------------------------------------------------------------------------------------------


def test_commands_are_those_documented() -> None:
    assert list(typer.main.get_command(app).commands) == COMMANDS  # type: ignore[attr-defined]
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


def test_documented_examples_print_what_they_print(ruse: Ruse) -> None:
    """Every example of the page runs, in order, and says the same words; numbers depend on the machine."""

    def masked(text: str) -> str:
        plain = " ".join(re.sub(r"[-+]?\d[\d,.]*(?:e[-+]\d+)?(?:T\d+Z)?", "#", text).split())
        return re.sub(r"# (?:min|h|days)\b", "# s", plain)  # runs are older where kernels had to be compiled

    for block in re.findall(r"^```console\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ruse ", block, flags=re.MULTILINE)[1:]:
            line, _, expected = example.partition("\n")
            typed = tuple(re.findall(r"^> (.*)\n", expected, re.MULTILINE))
            result = ruse(*shlex.split(line), typed=typed)
            assert (result.code, result.err) == (0, ""), line
            assert masked(result.out) == masked(re.sub(r"^> .*\n", "> ", expected, flags=re.MULTILINE)), line


# ---- bad input -------------------------------------------------------------------------------------------------------

BAD = {
    "unknown command": ("nonsense", "nonsense"),
    "unknown option": ("games --nonsense", "--nonsense"),
    "unknown game": ("solve leduk", "did you mean leduc"),
    "no game": ("solve", "say which game"),
    "two games": ("solve kuhn leduc", "'leduc'"),
    "unknown field": ("solve kuhn --colour 3", "kuhn has no field 'colour'; it has players, ante, bet"),
    "slip in an option": ("solve kuhn --iteratons 3", "did you mean --iterations?"),
    "field without value": ("solve kuhn --players", "--players needs a value"),
    "field of the wrong kind": ("solve kuhn --players x", "must be a whole number, got 'x'"),
    "field out of range": ("solve kuhn:players=99", "players must be 2 to 10 in Kuhn poker, got 99"),
    "fields of an efg file": ("solve good.efg --players 3", "takes no fields"),
    "unknown rule": ("solve kuhn --rule nonsense", "unknown rule 'nonsense'"),
    "unknown parameter": ("solve kuhn --rule dcfr:delta=1", "dcfr has no field 'delta'"),
    "negative iterations": ("solve kuhn --iterations -5", "iterations must be above 0, got -5"),
    "no number of iterations": ("solve kuhn --iterations many", "'many' is not a whole number"),
    "half an iteration": ("solve kuhn --iterations 1.5", "'1.5' is not a whole number"),
    "target of nothing": ("solve kuhn --target nan", "target must be above 0, got nan"),
    "schedule without an end": ("solve kuhn --rule hs_dcfr --seconds 1", "give iterations"),
    "exact with iterations": ("solve kuhn --exact --iterations 5", "--exact solves in one go"),
    "unreadable memory": ("solve kuhn --memory much", "'much'"),
    "too little memory": ("solve kuhn --memory 1kB --json", "too large to expand"),
    "out in no folder": ("solve kuhn --out nowhere/a.strategy", "there is no folder nowhere"),
    "out is a folder": ("solve kuhn --out .", "--out must name a file"),
    "out is a device": ("solve kuhn --out /dev/null", "--out must name a file"),
    "resume and a game": ("solve kuhn --resume last", "knows its game"),
    "missing file": ("solve missing.py", "there is no file missing.py"),
    "file with a syntax error": ("solve syntax.py", "could not be imported: SyntaxError"),
    "file without a game": ("check nogame.py", "must define one game"),
    "rules that do not compile": ("solve uncompiled.py", "Unknown attribute 'nothing'"),
    "malformed efg": ("show bad.efg", "bad.efg: expected"),
    "efg that is no text": ("show binary.efg", "utf-8"),
    "unknown run": ("resume nonsense", "there is no run in runs yet"),
    "no run named": ("resume", "missing argument 'RUN'"),
    "neither file nor run": ("show nonsense", "there is no strategy file 'nonsense'"),
    "missing strategy": ("evaluate missing.strategy", "there is no file missing.strategy"),
    "truncated strategy": ("evaluate short.strategy", "short.strategy is cut short"),
    "foreign strategy": ("evaluate foreign.strategy", "foreign.strategy is"),
    "foreign safetensors": ("evaluate other.strategy", "other.strategy is not a strategy of ruse"),
    "strategy of another game": ("evaluate kuhn.strategy --game leduc", "is a strategy for Kuhn"),
    "strategies of two games": ("evaluate kuhn.strategy --against three.strategy", "is for Kuhn(players=3"),
    "opponent of another game": ("play leduc --against kuhn.strategy", "is a strategy for Kuhn"),
    "bot of another game": ("match leduc kuhn.strategy random", "is a strategy for Kuhn"),
    "too few bots": ("match kuhn random", "takes 2 bots, got 1"),
    "bots without a game": ("match random random", "name it first"),
    "unknown bot": ("match kuhn random heuristic", "kuhn has the bots random"),
    "missing bot": ("match missing.strategy random", "there is no file missing.strategy"),
    "fields of random": ("match kuhn random:u=1 random", "random has no fields"),
    "style and a bound": ("evaluate kuhn.strategy --style --lower-bound 10", "give one of --lower-bound, --against"),
    "no such action": ("evaluate kuhn.strategy --metric bett", "there is pass, bet, open, check, call, fold"),
    "no such decision": ("evaluate kuhn.strategy --metric 'bet, with A'", "'bet, with A' fits no decision"),
    "equilibria of three": ("equilibria kuhn --players 3", "has 3 players; equilibria can be mapped for two players"),
    "equilibria too far off": ("equilibria kuhn --within -1", "within must be at least 0"),
    "equilibria in a file": ("equilibria kuhn --out kuhn.strategy", "--out must name a folder"),
    "no deals": ("match kuhn random random --deals 0", "deals must be at least 2, got 0"),
    "no such infoset": ("show kuhn.strategy --at Z", "no infoset 'Z'"),
    "no such history": ("show kuhn.strategy --history K,Z", "no action 'Z' after K"),
    "history that ends": ("show kuhn.strategy --history K,Q,bet,pass", "the game is over"),
    "no such player": ("show kuhn.strategy --player 2", "--player must be 0 to 1 in kuhn, got 2"),
    "no such order": ("show kuhn.strategy --sort size", "'size'"),
    "negative limit": ("show kuhn.strategy --limit -1", "--limit must be at least 0"),
    "infoset of a game": ("show kuhn --at K", "kuhn is a game"),
    "tree of a strategy": ("show kuhn.strategy --tree", "ruse show kuhn --tree"),
    "field of a strategy": ("show kuhn.strategy --colour 2", "is not a game"),
    "no such seat": ("play kuhn --seat 2", "--seat must be 0 to 1 or random in kuhn, got '2'"),
    "no games": ("play kuhn --games 0", "--games must be at least 1, got 0"),
    "two opponents": ("play kuhn.strategy --against random", "is a strategy already"),
    "record in no folder": ("play kuhn --record nowhere/a.jsonl", "--record must name a file"),
    "coach of a bot": ("play cheat --against naive --coach", "naive plays by no strategy"),
    "no record": ("replay missing.jsonl", "cannot read missing.jsonl"),
    "strategy as efg": ("export kuhn.strategy --format efg", "there is json and csv"),
    "game as csv": ("export kuhn --format csv", "there is efg"),
    "no time": ("bench --seconds 0", "--seconds must be above 0"),
}  # fmt: skip

UNCOMPILED = """
from typing import NamedTuple
import numpy as np
from ruse import OVER, compiled

@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Odd(NamedTuple):
    players: int = 2
    def start(self): return np.zeros(1, np.int64)
    def player(self, s): return {"a": s}.nothing
    def num_actions(self, s): return 2
    def chance(self, s, a): return 0.0
    def apply(self, s, a): s[0] += 1
    def infoset(self, s): return 0
    def payoff(self, s, player): return 0.0
    def action_name(self, s, a): return str(a)
    def describe(self, s, viewer): return str(s)
"""


@pytest.fixture
def bad_files(solved: Ruse, tmp_path: Path) -> Ruse:
    from ruse import Kuhn, matching_pennies, tensors
    from ruse.interop import efg

    whole = (tmp_path / "kuhn.strategy").read_bytes()
    texts = {
        "syntax.py": "def (",
        "nogame.py": "x = 1",
        "uncompiled.py": UNCOMPILED,
        "bad.efg": 'EFG 2 R "x" { "a" } p',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    efg.save(matching_pennies(), tmp_path / "good.efg")
    (tmp_path / "binary.efg").write_bytes(b"\xff\xfe\x80")
    (tmp_path / "short.strategy").write_bytes(whole[:-20])
    (tmp_path / "foreign.strategy").write_text("a shopping list, longer than eight bytes")
    tensors.write(tmp_path / "other.strategy", {}, {"format": "pt"})
    Strategy.uniform(Kuhn(players=3)).save(tmp_path / "three.strategy")
    return solved


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_changes_nothing(bad_files: Ruse, tmp_path: Path, case: str) -> None:
    line, told = BAD[case]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = bad_files(*shlex.split(line))
    assert result.code == 2
    assert result.err.startswith("ruse: ")
    assert told in result.err
    assert result.err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_unknown_run_among_others(ruse: Ruse) -> None:
    ruse("solve", "kuhn", "--iterations", "5")
    ruse("solve", "kuhn", "--iterations", "6")
    assert "no run in runs is called 'nonsense'" in ruse("resume", "nonsense").err
    assert "may mean 2 runs" in ruse("resume", "kuhn").err


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
        "kuhn:players=2 --players 3",
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
    assert "does not fit" in result.err


def test_memory_as_people_write_it() -> None:
    texts = ("8GB", "8 gb", "512MiB", "1.5k", "2e9", "100")
    assert [parse_memory(text) for text in texts] == [8 * 10**9, 8 * 10**9, 512 << 20, 1500, 2 * 10**9, 100]


def test_what_progress_says() -> None:
    now = Progress(50, 200, 2.0, 0.01, None, None)
    assert numbers(now) == "50/200, exploitability 0.01, 25 it/s, 6 s left"
    assert share_done(now) == 0.25
    now = Progress(50, None, 2.0, 0.01, 0.001, None)
    assert numbers(now) == "iteration 50, exploitability 0.01 (target 0.001), 25 it/s"
    now = now._replace(nodes=1_000, infosets=12, bytes=3 << 20)
    assert numbers(now).endswith("25 it/s, 500 nodes/s, 12 infosets, 3 MiB")
    assert numbers(now._replace(pruned=0.0)).endswith("3 MiB, 0% pruned, 0 KiB given back")
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
    out, _ = running.communicate(timeout=60)
    os.close(master)
    assert running.returncode == 0
    assert json.loads(out)["game"] == "kuhn"
    assert all(word in shown.decode() for word in ("kuhn", "iteration", "exploitability", "it/s", "left"))


# ---- interruptions ---------------------------------------------------------------------------------------------------


def test_ctrl_c_saves_and_resume_goes_on(ruse: Ruse, tmp_path: Path) -> None:
    (tmp_path / "old.strategy").write_text("mine")
    running = process("solve", "liars_dice", "--iterations", "1000000", "--out", "old.strategy", folder=tmp_path)
    wait_for(lambda: any(tmp_path.glob("runs/*/metrics.jsonl")), running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "")
    assert "go on with: ruse resume last" in out
    assert (tmp_path / "old.strategy").read_text() == "mine"
    run = find("runs", "last")
    assert run.summary().status == "interrupted"
    checkpoint = run.newest_checkpoint()
    assert checkpoint is not None
    assert Strategy.load(run.strategy_path).about["iterations"] == checkpoint.iteration
    told = json.loads(ruse("resume", "last", "--iterations", str(checkpoint.iteration + 20), "--json").out)
    assert told["iterations"] == checkpoint.iteration + 20
    assert told["finished"]


def test_ctrl_c_elsewhere_is_quiet(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ruse.catalog.game", interrupted)
    assert ruse("check", "kuhn") == (130, "", "")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only where processes can be killed")
def test_killed_at_random_a_run_still_ends_with_the_same_bits(ruse: Ruse, tmp_path: Path) -> None:
    words = ("solve", "liars_dice", "--iterations", "700")
    assert ruse(*words, "--runs", "whole").code == 0
    dice = random.Random()
    often = ("--checkpoint-seconds", "0")  # so that many a kill hits a checkpoint that is being written
    running = process(*words, *often, folder=tmp_path)
    wait_for(lambda: any(tmp_path.glob("runs/*/checkpoints/*/manifest.json")), running)
    for longest in (0.3, 2.5):  # while it trains; then anywhere from the start of the process on
        time.sleep(dice.uniform(0.0, longest))
        running.kill()
        running.communicate()
        running = process("resume", "last", *often, folder=tmp_path)
    _, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (0, "")
    whole, resumed = find("whole", "last"), find("runs", "last")
    assert resumed.strategy_path.read_bytes() == whole.strategy_path.read_bytes()
    measured = [[(row["iteration"], row["exploitability"]) for row in run.metrics()] for run in (whole, resumed)]
    assert measured[0] == measured[1]


# ---- disks and pipes -------------------------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_old_file(solved: Ruse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = (tmp_path / "kuhn.strategy").read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    for words in (
        ["solve", "kuhn", "--no-run"],
        ["solve", "kuhn", "--exact"],
        ["export", "kuhn.strategy", "--format", "csv"],
    ):
        result = solved(*words, "--out", "kuhn.strategy")
        assert result.code == 2
        assert result.err == "ruse: cannot write kuhn.strategy: the disk is full; free some space and try again\n"
        assert [path.name for path in tmp_path.iterdir()] == ["kuhn.strategy"]
        assert (tmp_path / "kuhn.strategy").read_bytes() == before


def test_a_file_that_may_not_grow(solved: Ruse, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = (tmp_path / "kuhn.strategy").read_bytes()
    running = process(
        "solve", "kuhn", "--iterations", "50", "--no-run", "--out", "kuhn.strategy", folder=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256)),
    )  # fmt: skip
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (2, "ruse: cannot write kuhn.strategy: File too large\n")
    assert (tmp_path / "kuhn.strategy").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["kuhn.strategy"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_output_to_a_full_disk(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        running = process("games", folder=tmp_path, stdout=full)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (2, "ruse: output: No space left on device\n")


def test_a_closed_pipe_is_no_trouble(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    running = process("games", folder=tmp_path, stdout=write)
    os.close(write)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (1, "")


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


def test_check_fails_with_code_two(ruse: Ruse, tmp_path: Path) -> None:
    assert ruse("check", "kuhn").code == 0
    (tmp_path / "odd.py").write_text(UNCOMPILED)
    result = ruse("check", "odd.py")
    assert result.code == 2
    assert "could not be compiled" in result.out


def test_match_calls_bots_as_they_were_typed(solved: Ruse) -> None:
    out = solved("match", "kuhn.strategy", "random", "--deals", "500").out
    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["kuhn.strategy", "random"]
    assert solved("match", "kuhn", "kuhn.strategy", "random", "--deals", "500").out == out


# ---- playing ---------------------------------------------------------------------------------------------------------


def test_what_a_word_may_mean() -> None:
    actions = ["fold", "call", "raise 2", "raise 4", "hint at it"]
    words = ("fold", "CALL", "2", "#2", "f", "r", "raise 4", "4 raise", "6", "0", "x", "hint", "")
    expected = [[0], [1], [1], [1], [0], [2, 3], [3], [3], [], [], [], [], []]
    assert [fitting(word.casefold(), actions) for word in words] == expected
    assert fitting("3", ["1", "3"]) == [1]
    # Where names are numbers, a number is a name.
    cards = ["A", "2", "A 2", "2 2"]
    words = ("a", "2", "#2", "2 a", "2,2", "1", "#1", "#5", "4")
    assert [fitting(word, cards) for word in words] == [[0], [1], [1], [2], [3], [], [0], [], []]


def test_play_hides_until_the_end(solved: Ruse) -> None:
    for seed in range(8):
        for seat in "01":
            words = ("play", "kuhn", "--against", "kuhn.strategy", "--seed", str(seed), "--seat", seat, "--games", "1")
            before, _, after = solved(*words, typed=("pass", "hint", "bet", "bet")).out.partition("The game is over: ")
            cards = after.split(",")[0].split()
            others = cards[1 - int(seat)]
            assert len(cards) == 2
            assert not re.search(rf"\b{others}\b", before.replace("You are", "")), (before, others)


def test_play_records_what_happened(solved: Ruse, tmp_path: Path) -> None:
    from ruse import Kuhn, State

    words = (
        "play",
        "kuhn.strategy",
        "--seed",
        "5",
        "--games",
        "3",
        "--coach",
        "--record",
        "games.jsonl",
        "--seat",
        "random",
    )
    out = solved(*words, typed=("1", "b", "bet", "pass", "?", "2", "2", "2", "2")).out
    events = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [event["number"] for event in events if event["event"] == "game"] == [0, 1, 2]
    state, score = State.of(Kuhn()), 0.0
    for event in events:
        if event["event"] == "game":
            state, seat = State.of(Kuhn()), event["players"].index("you")
        elif event["event"] == "action":
            assert event["player"] == ("chance" if state.is_chance else state.player)
            assert state.actions[event["number"]] == event["action"]
            state = state.child(event["number"])
        else:
            assert state.is_over
            assert event["payoffs"] == state.payoffs
            score += state.payoffs[seat]
    assert f"3 games, {score:+g} in all" in out
    assert out.count("Your choices:") == 3
    again = solved(*words, typed=("1", "b", "bet", "pass", "?", "2", "2", "2", "2")).out
    assert again == out
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2 * len(events)


def test_coach_tells_what_a_blunder_costs(solved: Ruse) -> None:
    for seed in range(20):  # until the person holds the King and is bet at
        out = solved("play", "kuhn.strategy", "--seed", str(seed), "--games", "1", "--coach", typed=("1", "1")).out
        if "at 'K, pass bet' you chose pass" in out:
            assert "lost 3.0000 against bet" in out
            return
    raise AssertionError("no seed deals the King")


def test_leaving_the_table(solved: Ruse) -> None:
    for typed in ((), ("quit",), ("q",), ("nonsense", "", "?", "hint", "quit")):
        result = solved("play", "kuhn", typed=typed)
        assert (result.code, result.err) == (0, "")
        assert "solved just now" in result.out
        assert "The game is over" not in result.out
        assert result.out.endswith("You leave the table.\n0 games, +0 in all\n")


def test_play_against_chance(ruse: Ruse) -> None:
    out = ruse("play", "goofspiel", "--against", "random", "--games", "1", typed=("4", "3", "hint", "2", "1")).out
    assert "The others choose at random." in out
    assert "0.500000" in out  # the hint: two cards are left, and random play takes either
    assert "1 game, " in out
    assert "too large to solve on the spot" in ruse("play", "liars_dice:dice=2").out
