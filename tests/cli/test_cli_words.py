"""How things are called and laid out: names as people type them, whole, in tables of any width."""

import ast
import json
import os
import re
import sys
from pathlib import Path

import pytest
from commands import Ruse
from places import ROOT

import ruse as library
from ruse.catalog.names import view as view_of
from ruse.catalog.titles import title, title_of, view_title
from ruse.cli.terminal import output
from ruse.cli.terminal.output import print_table
from ruse.store.runs import find


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setattr(output, "terminal_columns", lambda: 80)


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["kuhn", "leduc:players=3", "cheat", "cheat:half", "cheat:mid,max_turns=40", "cheat:ranks=7,copies=4,deal=6"],
)
def test_games_are_called_as_they_are_typed(text: str) -> None:
    game = library.game(text)
    assert title_of(game) == text
    spec = library.spec_of(game)
    assert spec is not None
    assert title(spec) == text
    assert library.game(title(spec)) == game


def test_titles_of_other_texts() -> None:
    assert title("openspiel:liars_dice(numdice=2)") == "openspiel:liars_dice(numdice=2)"
    assert title("cheat:of a damaged file") == "cheat:of a damaged file"
    assert title("nonsense") == "nonsense"
    assert title_of(library.matrix([[1.0, 0.0]])).startswith("Matrix(")


def test_views_are_called_as_they_are_typed() -> None:
    game = library.game("cheat")
    for name in ("full", "memoryless", "history+", "sketch"):
        assert view_title(view_of(name, game), game) == name
    odd = view_of("Memoryless(claim=True)", game)
    assert view_of(view_title(odd, game), game) == odd
    assert view_title(library.Full(), library.Kuhn()) == "full"


def test_a_file_is_called_by_its_name(ruse: Ruse, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/coin.py").write_text((ROOT / "examples/coin_toss.py").read_text())
    here = ruse("solve", "mine/coin.py:price=0.25", "--iterations", "5", "--out", "coin.strategy")
    assert here.out.startswith("mine/coin.py:price=0.25: 11 histories")
    for line in ("show coin.strategy", "evaluate coin.strategy", "runs", "check mine/coin.py", "show mine/coin.py"):
        result = ruse(*line.split())
        assert result.code == 0, result.err
        assert str(tmp_path) not in result.out + result.err, line
    told = json.loads(ruse("show", "coin.strategy", "--json").out)
    assert told["game"] == f"{tmp_path / 'mine/coin.py'}:price=0.25", "a program finds it from anywhere"
    os.chdir(tmp_path / "mine")
    assert title(f"{tmp_path}/mine/coin.py:price=0.25") == "coin.py:price=0.25"
    assert title(f"{tmp_path}/other/coin.py") == "coin.py"


# ---- numbers ---------------------------------------------------------------------------------------------------------


def test_no_minus_before_zero(ruse: Ruse) -> None:
    assert "value of the game to player 0: +0.000000000\n" in ruse("solve", "rock_paper_scissors", "--exact").out
    even = library.Strategy.uniform(library.rock_paper_scissors())
    assert "-0.0" not in "".join(map(str, library.explain(even)))
    assert "-0.0000" not in str(library.match(even.game, [even, even], deals=2))


def test_every_signed_number_knows_zero() -> None:
    """A format with a sign says so of what rounds to zero, too; `z` is Python's way to leave it out."""
    found = 0
    for path in (ROOT / "src/ruse").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
                spec = "".join(part.value for part in node.format_spec.values if isinstance(part, ast.Constant))
                found += spec.startswith("+")
                assert not re.match(r"\+(?!z).*[fg]$", spec), f"{path.name}: {ast.unparse(node)}"
    assert found > 5


def test_memory_is_told_in_one_unit(ruse: Ruse) -> None:
    assert re.search(r" \d\S* KiB needed, 1000 B allowed; make", ruse("solve", "kuhn", "--memory", "1kB").err)


def test_a_table_that_may_not_grow_leaves_its_strategy(ruse: Ruse) -> None:
    """Where no run is kept there is nothing to go on with, so what there is goes to --out."""
    words = ("solve", "liars_dice:sides=5", "--walk", "external", "--rule", "mccfr", "--iterations", "100000")
    done = ruse(*words, "--no-run", "--memory", "200KiB", "--out", "some.strategy")
    assert done.code == 2
    found = re.search(r"some\.strategy holds the strategy after ([\d,]+) iterations$", done.err.strip())
    assert found is not None, done.err
    assert library.Strategy.load("some.strategy").about["iterations"] == int(found[1].replace(",", ""))


def test_infosets_that_training_never_met_are_counted(ruse: Ruse) -> None:
    """What is listed is what the first line counts."""
    assert ruse("solve", "kuhn", "--walk", "outcome", "--rule", "mccfr", "--iterations", "8", "--no-run",
                "--out", "few.strategy").code == 0  # fmt: skip
    known = len(library.Strategy.load("few.strategy"))
    assert known < 12
    head, _, *rows = ruse("show", "few.strategy").out.splitlines()
    assert len(rows) == 12
    assert f"12 infosets, {12 - known} of them never met in training and played at random" in head
    assert sum("(never met)" in row for row in rows) == 12 - known
    told = json.loads(ruse("show", "few.strategy", "--json").out)
    assert (told["count"], sum(not row["met"] for row in told["infosets"])) == (12, 12 - known)


# ---- what to type next -----------------------------------------------------------------------------------------------


def next_of(out: str) -> list[str]:
    """The commands that the last line offers."""
    return re.findall(r"ruse ([^,\n]+)", re.search(r"^next: (.*)$", out, re.MULTILINE)[1])  # type: ignore[index]


@pytest.mark.parametrize("judged", ["at every check", "afterwards", "never"])
def test_what_is_offered_next_works(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, judged: str) -> None:
    if judged != "at every check":
        monkeypatch.setattr("ruse.training.engines.sampling.MEASURED", 1)
        monkeypatch.setattr(sys.modules["ruse.cli.commands.training.solve"], "RESPONSES", 10)
    if judged == "never":
        monkeypatch.setattr(sys.modules["ruse.cli.commands.training.solve"], "fits_a_judge", lambda game: False)
    words = ("--walk", "external", "--rule", "mccfr", "--iterations", "10", "--no-run", "--out", "a.strategy")
    offered = next_of(ruse("solve", "kuhn", *words).out)
    usual = ["show a.strategy", "play a.strategy", "evaluate a.strategy"]
    sampled = ["play a.strategy", "match a.strategy random"]
    assert offered == {
        "at every check": usual, "afterwards": [*sampled, "evaluate a.strategy"],
        "never": [*sampled, "evaluate a.strategy --lower-bound 10"],
    }[judged]  # fmt: skip
    for line in offered:
        result = ruse(*line.split())
        assert result.code == 0, result.err


@pytest.mark.parametrize("folder", ["runs", "elsewhere"])
def test_what_is_offered_after_a_resume_works_wherever_the_run_is(ruse: Ruse, folder: str) -> None:
    """By its path, too, which says where it is without --runs."""
    ruse("solve", "kuhn", "--iterations", "5", "--runs", folder)
    (path,) = Path(folder).iterdir()
    for more, typed in ((10, str(path)), (20, "last")):
        for line in next_of(ruse("resume", typed, "--iterations", str(more), "--runs", folder).out):
            result = ruse(*line.split())
            assert result.code == 0, result.err
    bare = ruse("resume", str(path)).out
    assert f"ruse resume {path.name if folder == 'runs' else path} --iterations 40" in bare


@pytest.mark.slow
@pytest.mark.parametrize("view", ["memoryless", "sketch"])
def test_what_is_offered_next_works_in_a_large_game(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    monkeypatch.setattr(sys.modules["ruse.cli.commands.training.solve"], "RESPONSES", 10)
    words = ("--view", view, "--walk", "outcome", "--rule", "mccfr", "--iterations", "10", "--out", "a.strategy")
    offered = next_of(ruse("solve", "cheat:half,max_turns=40", *words).out)
    assert len(offered) == (3 if view == "memoryless" else 2)
    for line in offered:
        result = ruse(*line.split(), *(["--deals", "10"] if line.startswith("match") else []))
        assert result.code == 0, result.err


# ---- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("terminal")
def test_names_of_runs_are_whole_on_a_narrow_terminal(ruse: Ruse) -> None:
    ruse("solve", "kuhn", "--iterations", "5", "--rule", "dcfr:alpha=2,gamma=3")
    ruse("solve", "kuhn:players=2,ante=1,bet=2", "--iterations", "5")
    lines = ruse("runs").out.splitlines()
    names = sorted(path.name for path in Path("runs").iterdir())
    assert lines[::2] == names
    assert lines[1].startswith("  kuhn, dcfr")
    assert lines[3].startswith("  kuhn:bet=2, dcfr: 5 iterations, exploitability ")
    assert find("runs", lines[0]).name == lines[0]


def test_runs_on_a_wide_terminal(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    ruse("solve", "kuhn", "--iterations", "5")
    as_file = ruse("runs").out
    assert as_file.startswith("name ")
    monkeypatch.setattr(output, "terminal_columns", lambda: 200)
    assert ruse("runs").out == as_file


@pytest.mark.usefixtures("terminal")
def test_tables_are_folded_between_entries(capsys: pytest.CaptureFixture[str]) -> None:
    name = "a name of 50 letters, blanks and all, to be copied"
    print_table(["player", "infoset", "mix"], [["0", name, "call 0.25  fold 0.25  raise 0.5"], ["1", "b", "call 1"]])
    assert capsys.readouterr().out.splitlines() == [
        f"player  infoset{' ' * 45}mix",
        f"0       {name}  call 0.25  fold 0.25",
        f"{' ' * 60}raise 0.5",
        f"1       b{' ' * 51}call 1",
    ]


def test_tables_elsewhere_are_as_wide_as_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["name", "number"], [["x" * 200, "7"], ["y", "1,000"]], right=["number"])
    assert capsys.readouterr().out.splitlines()[1] == "x" * 200 + "       7"


def test_a_game_whose_players_forget_says_what_best_responses_are(ruse: Ruse) -> None:
    """In this one a player comes twice to one infoset: who remembers gets 4, and who cannot at most 4/3."""
    Path("forgets.efg").write_text(
        'EFG 2 R "forgets" { "A" "B" }\n""\np "" 1 1 "x" { "l" "r" } 0\np "" 1 1 "x" { "l" "r" } 0\n'
        't "" 1 "a" { 0, 0 }\nt "" 2 "b" { 4, -4 }\nt "" 3 "c" { 1, -1 }\n'
    )
    said = "players forget in this game, and best responses remember: nobody could gain more than that\n"
    assert said in ruse("solve", "forgets.efg", "--iterations", "10", "--no-run", "--out", "f.strategy").out
    assert said in ruse("evaluate", "f.strategy", "--game", "forgets.efg").out
    assert said not in ruse("solve", "kuhn", "--iterations", "10", "--no-run").out
