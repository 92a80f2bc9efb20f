"""The docs are true: the README runs, examples run, pages exist and carry the code that they speak of."""

import ast
import builtins
import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

import ruse
from ruse.catalog.names import GAMES, view
from ruse.catalog.names import game as make_game
from ruse.solve.solver.presets import PRESETS, mccfr
from ruse.solve.solver.walks import WALKS
from ruse.training.train import train

DOCS = ROOT / "docs"


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_page_on_style_runs() -> None:
    results = doctest.testfile(str(DOCS / "style-metrics.md"), module_relative=False)
    assert results.attempted > 4
    assert results.failed == 0


def test_the_page_on_subgames_runs() -> None:
    results = doctest.testfile(str(DOCS / "subgames.md"), module_relative=False)
    assert results.attempted > 20
    assert results.failed == 0


def test_the_page_on_targets_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(DOCS / "styles.md"), module_relative=False)
    assert results.attempted > 4
    assert results.failed == 0


def test_the_page_on_sweeps_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(DOCS / "sweep.md"), module_relative=False)
    assert results.attempted > 3
    assert results.failed == 0


def test_the_page_on_mahjong_runs() -> None:
    results = doctest.testfile(str(DOCS / "games" / "mahjong.md"), module_relative=False)
    assert results.attempted > 6
    assert results.failed == 0


def test_the_page_on_hands_runs() -> None:
    results = doctest.testfile(str(DOCS / "holdem-abstraction.md"), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0


def test_the_page_on_spots_runs() -> None:
    results = doctest.testfile(str(DOCS / "spots.md"), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0


def test_the_page_on_holdem_runs() -> None:
    results = doctest.testfile(str(DOCS / "games" / "holdem.md"), module_relative=False)
    assert results.attempted > 4
    assert results.failed == 0


def test_the_page_on_sessions_runs() -> None:
    results = doctest.testfile(str(DOCS / "session.md"), module_relative=False)
    assert results.attempted > 15
    assert results.failed == 0


@pytest.mark.parametrize(
    "name", ["oshi_zumo", "blotto", "dark_hex", "phantom_ttt", "battleship", "oh_hell", "rhode_island"]
)
def test_pages_on_small_games_run(name: str) -> None:
    results = doctest.testfile(str(DOCS / "games" / f"{name}.md"), module_relative=False)
    assert results.attempted > 3
    assert results.failed == 0


@pytest.mark.parametrize(
    "name", ["python", "write-a-bot", "port-from-openspiel", "compare-rules", "strategy-files", "index"]
)
def test_pages_for_python_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    if name == "port-from-openspiel":
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    results = doctest.testfile(str(DOCS / f"{name}.md"), module_relative=False, optionflags=flags)
    assert results.attempted > 2
    assert results.failed == 0


def test_the_page_on_locks_runs() -> None:
    results = doctest.testfile(str(DOCS / "node-locking.md"), module_relative=False)
    assert results.attempted > 4
    assert results.failed == 0


def test_the_page_on_ranges_runs() -> None:
    results = doctest.testfile(str(DOCS / "range-engine.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


@pytest.mark.parametrize(
    "module",
    [
        "ruse.protocol.state", "ruse.catalog.names", "ruse.compile.files.game_files", "ruse.games.explicit",
        "ruse.games.mahjong.tiles", "ruse.games.mahjong.actions", "ruse.games.mahjong.positions", "ruse.play.heard",
        "ruse.games.mahjong.cfrp.encoding", "ruse.games.mahjong.records.log",
        "ruse.play.opponents", "ruse.solve.ranges.looks", "ruse.catalog.given", "ruse.catalog.sizes",
        "ruse.words.counts", "ruse.words.html", "ruse.evaluate.response", "ruse.subgame.locked",
        "ruse.training.jobs.worded", "ruse.strategy",
        "ruse.games.holdem.translating", "ruse.protocol.values.fields", "ruse.play.bots.manners",
    ],
)  # fmt: skip
def test_docstrings_run(module: str) -> None:
    results = doctest.testmod(__import__(module, fromlist=["_"]))
    assert results.attempted > 0
    assert results.failed == 0


def test_the_example_game_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples/coin_toss.py")], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "all laws hold" in done.stdout
    assert "guess heads 0.250" in done.stdout


def test_add_a_game_shows_the_example_as_it_is() -> None:
    page = (DOCS / "add-a-game.md").read_text()
    code = (ROOT / "examples/coin_toss.py").read_text()
    blocks = [block.split("```")[0].strip() for block in page.split("```python\n")[1:]]
    assert blocks[0] in code
    assert blocks[1] in code
    assert blocks[0].startswith('"""Coin toss')
    assert blocks[1].endswith('return ", ".join(words)')


def test_the_scene_of_add_a_game_keeps_the_coin_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    from ruse.laws.peeking import peeking
    from ruse.protocol.scene import scene_of
    from ruse.protocol.state import State

    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    home = importlib.import_module("coin_toss")
    page = (DOCS / "add-a-game.md").read_text()
    scope = dict(vars(home))
    exec(next(block.split("```")[0] for block in page.split("```python\n") if "class Coin:" in block), scope)
    monkeypatch.setattr(home.CoinToss, "scene", scope["Coin"].scene, raising=False)
    game = home.CoinToss()
    assert list(peeking(game)) == []
    scenes = [scene_of(State.of(game).after("tails", "play"), viewer) for viewer in (0, 1)]
    assert [(zone.shown, zone.hidden) for scene in scenes for zone in scene.zones] == [(("tails",), 0), ((), 1)]
    assert [scene.words for scene in scenes] == ["tails, play", "play"]


def test_add_a_view_runs() -> None:
    page = (DOCS / "add-a-view.md").read_text()
    scope: dict[str, object] = {"__name__": "a_view"}
    code = page.split("```python\n")[1].split("```")[0].replace("iterations=1_000", "iterations=20")
    exec(compile(code, "add-a-view.md", "exec"), scope)
    assert scope["run"].exploitability > 0.1  # type: ignore[attr-defined]


def test_the_page_on_hierarchies_runs(tmp_path: Path) -> None:
    page = (DOCS / "hierarchy.md").read_text()
    path = tmp_path / "siege.py"
    path.write_text(page.split("```python\n")[1].split("```")[0])
    game = make_game(str(path))
    run = train(game, mccfr("external"), iterations=300, view=view("Moods(every=3)", game), seed=0)
    choices = {choice.name: choice.actions for choice in run.strategy}
    assert choices["card 3, stake 1"]["bold"] > 0.8
    assert choices["card 1, stake 1"]["bold"] < 0.2


def test_every_game_and_rule_has_a_page() -> None:
    pages = {path.stem for path in (DOCS / "games").glob("*.md")}
    assert {"kuhn", "leduc", "liars_dice", "goofspiel", "matrix"} <= pages
    assert set(GAMES) - {"rock_paper_scissors", "matching_pennies"} <= pages
    rules = {path.stem for path in (DOCS / "rules").glob("*.md")}
    assert set(PRESETS) <= rules


def test_no_page_points_nowhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
        for part in page.read_text().split("](")[1:]:
            target = part.split(")")[0].split("#")[0]
            if target and "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} points to {target}"


# ---- names in Python blocks ------------------------------------------------------------------------------------------

FROM_ELSEWHERE = {"style-metrics.md": {"BET", "CARD"}}  # a part of a game's own file, whose columns it speaks of


def bound_and_used(code: str) -> tuple[set[str], set[str]]:
    """The names that a piece of code binds anywhere, and those that it uses."""
    bound, used = set(dir(builtins)), set[str]()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
    return bound, used


def test_the_walk_on_the_page_is_a_class_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WALKS, "parts", dict(WALKS.parts))
    page = (DOCS / "rules" / "mccfr.md").read_text(encoding="utf-8")
    scope: dict[str, object] = {}
    exec(next(block.split("```")[0] for block in page.split("```python\n") if "class SomeSampling" in block), scope)
    assert str(ruse.Job(ruse.Kuhn(), scope["run"].solver, iterations=5)) == (  # type: ignore[attr-defined]
        "ruse solve kuhn --rule mccfr --walk some:share=0.7 --iterations 5"
    )


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: str(page.relative_to(DOCS)))
def test_python_blocks_use_no_name_that_is_not_there(page: Path) -> None:
    """Each block may go on from those above it on its page."""
    known = set(FROM_ELSEWHERE.get(page.name, ()))
    for block in page.read_text().split("```python\n")[1:]:
        code = block.split("```")[0]
        if ">>>" in code:
            code = "".join(example.source for example in doctest.DocTestParser().get_examples(code))
        bound, used = bound_and_used(code)
        known |= bound
        assert used - known == set(), code
