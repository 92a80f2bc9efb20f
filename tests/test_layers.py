"""Imports point one way: from the command line down to the rules of a game, never back, and never in a circle."""

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import ruse

ROOT = Path(ruse.__file__).parent

# From the bottom up. A module may import from its own level and from those below; a folder stands for the files in it
# that are not named themselves, as those on which its own folders stand.
LAYERS: dict[str, int] = {
    name: level
    for level, names in enumerate(
        [
            ["ruse.words.printable"],
            ["ruse.errors", "ruse.lazy"],
            ["ruse.words"],
            ["ruse.charts"],
            ["ruse.compile.files"],
            ["ruse.compile", "ruse.store"],
            ["ruse.protocol.game", "ruse.protocol.looking"],
            ["ruse.protocol.values"],
            ["ruse.protocol.view", "ruse.protocol.state"],
            ["ruse.protocol", "ruse.protocol.guards"],
            ["ruse.spread"],
            ["ruse.hierarchy"],
            ["ruse.games"],
            ["ruse.games.board", "ruse.games.cheat"],
            ["ruse.games.holdem.cards", "ruse.games.holdem.row"],
            ["ruse.games.holdem.betting", "ruse.games.holdem.hands"],
            ["ruse.games.holdem.suits", "ruse.games.holdem.ranges", "ruse.games.holdem.turn"],
            ["ruse.games.holdem.buckets", "ruse.games.holdem.spots"],
            ["ruse.games.holdem.telling"],
            ["ruse.games.holdem", "ruse.games.holdem.records"],
            ["ruse.games.mahjong.tiles"],
            ["ruse.games.mahjong.distances"],
            [f"ruse.games.mahjong.{name}" for name in ("row", "actions", "wins", "offers", "turn")],
            ["ruse.games.mahjong.telling"],
            ["ruse.games.mahjong.policies"],
            ["ruse.games.mahjong.lookahead", "ruse.games.mahjong.cfrp"],
            ["ruse.games.mahjong", "ruse.games.mahjong.records"],  # rules, and what they name: bots, views, a table
            [f"ruse.tree.{name}" for name in ("walk", "sorting", "ranges", "discovery")],
            ["ruse.tree.measure"],
            ["ruse.tree", "ruse.interop"],
            ["ruse.solve.solver"],
            ["ruse.catalog"],
            ["ruse.laws"],
            ["ruse.listing"],
            ["ruse.strategy"],
            ["ruse.solve.full"],
            ["ruse.solve.prefer"],
            ["ruse.solve.table"],
            ["ruse.solve.start"],
            ["ruse.solve.pruned"],
            ["ruse.solve.hybrid"],
            ["ruse.solve.sampled"],
            ["ruse.solve"],
            ["ruse.play.bots", "ruse.play.records"],
            ["ruse.play"],
            [f"ruse.evaluate.{name}" for name in ("best_response", "against", "against_bot", "luck")],
            ["ruse.evaluate.explaining", "ruse.evaluate.holdem"],
            ["ruse.evaluate"],
            ["ruse.bridges"],
            ["ruse.solve.ranges.public"],
            ["ruse.solve.ranges.ends"],
            ["ruse.solve.ranges.passes"],
            ["ruse.solve.ranges.plans"],
            ["ruse.solve.ranges", "ruse.solve.gpu"],
            ["ruse.solve.ranges.card"],
            ["ruse.subgame"],
            [
                f"ruse.horizon.{name}"
                for name in ("rest", "continuations", "cutting", "holdem_leaves", "preflop", "habits")
            ],
            ["ruse.horizon.search", "ruse.horizon.many"],
            ["ruse.horizon"],
            ["ruse.spots"],
            ["ruse.training.terms"],
            ["ruse.training.jobs"],
            ["ruse.training.engines"],
            ["ruse.training.engines.card", "ruse.training.cluster"],
            ["ruse.training"],
            ["ruse.sweeps"],
            ["ruse.styles"],
            ["ruse.papers"],
            ["ruse.papers.preference_cfr.drawing"],
            ["ruse.papers.preference_cfr.holdem"],
            ["ruse.papers.ordered_abstraction", "ruse.papers.preference_cfr"],
            ["ruse.papers.best_response_pruning.savings"],
            ["ruse.papers.best_response_pruning", "ruse.papers.cfr_p"],
            ["ruse.papers.known"],
            [
                f"ruse.{names}"
                for names in ("bots", "preferences", "prune", "rules", "starts", "stops", "views", "walks")
            ],
            ["ruse"],  # the list of public names
            ["ruse.studio"],  # what all areas share
            ["ruse.studio.runs"],
            ["ruse.studio.play"],
            ["ruse.studio.look"],
            ["ruse.studio.app"],
            ["ruse.studio.serve"],
            ["ruse.cli.terminal"],
            [f"ruse.cli.commands.{folder}" for folder in ("training", "looking", "playing", "styling")],
            ["ruse.cli.commands"],
            ["ruse.cli"],
            ["ruse.entry", "ruse.__main__"],
        ]
    )
    for name in names
}


def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
# Rooms of one level that name each other; all others are above or below, or know nothing of one another.
BOTH_WAYS = {
    # Rules name the forms of records that a game has beside the one of all games, in a text; those forms make the game.
    ("ruse.games.holdem", "ruse.games.holdem.records"),
    ("ruse.games.mahjong", "ruse.games.mahjong.records"),
}
MODULE = re.compile(r"ruse(\.\w+)+(:\w+)?")


def room(module: str) -> str:
    """The room that a module is in; the list of public names is no package in this sense."""
    while module not in LAYERS and module.count(".") > 1:
        module = module.rpartition(".")[0]
    return module


def layer(module: str) -> int | None:
    """The level of a module, or of the package that it is in."""
    return LAYERS.get(room(module))


def imports(name: str, text: str, *, everywhere: bool = True) -> set[str]:
    """The package's modules that a text names; `everywhere` includes imports inside functions and for types, and texts
    such as "package.module:Class", by which a part is loaded later.
    """
    tree = ast.parse(text)
    found = set()
    if everywhere:
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        found |= {inner.partition(":")[0] for inner in texts if MODULE.fullmatch(inner)}
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: write imports in full, not with dots"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {full if full in MODULES else str(node.module) for full in inner}
    return {module for module in found if module.split(".")[0] == "ruse"} - {name}


@pytest.mark.parametrize("name", MODULES)
def test_every_module_has_a_layer(name: str) -> None:
    assert layer(name) is not None, f"put {name} into LAYERS in tests/test_layers.py"


def test_every_folder_is_listed() -> None:
    folders = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    assert sorted(folders - LAYERS.keys()) == []


@pytest.mark.parametrize("name", sorted(LAYERS))
def test_layers_are_there(name: str) -> None:
    assert name in MODULES, f"take {name} out of LAYERS in tests/test_layers.py"


@pytest.mark.parametrize("name", MODULES)
def test_no_import_points_back(name: str) -> None:
    for other in imports(name, MODULES[name].read_text(encoding="utf-8")):
        ours, theirs = layer(name), layer(other)
        assert ours is not None
        assert theirs is not None, f"{name} imports {other}, which is not there"
        assert theirs <= ours, f"{name} (level {ours}) imports {other} (level {theirs})"


def beside() -> dict[str, set[str]]:
    """For each room the others of its level that it imports."""
    found: dict[str, set[str]] = {name: set() for name in LAYERS}
    for name, path in MODULES.items():
        others = {room(other) for other in imports(name, path.read_text(encoding="utf-8"))} - {room(name)}
        found[room(name)] |= {other for other in others if layer(other) == layer(name)}
    return found


def test_rooms_of_one_level_have_one_direction() -> None:
    """A level is no way to hide that two rooms know each other."""
    found = beside()
    pairs = {(one, other) for one, others in found.items() for other in others if one < other}
    assert {(one, other) for one, other in pairs if one in found[other]} == BOTH_WAYS
    for one, other in BOTH_WAYS:
        found[other].discard(one)
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_no_circles() -> None:
    """What a module imports as it is loaded; the list of public names loads the rest when it is asked."""
    graph = {
        name: imports(name, path.read_text(encoding="utf-8"), everywhere=False) - {"ruse"}
        for name, path in MODULES.items()
        if name != "ruse"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("name", sorted(name for name in MODULES if not name.startswith("ruse.compile")))
def test_one_folder_knows_numba(name: str) -> None:
    """Any other that imports it would slow down `ruse --help` by a second."""
    text = MODULES[name].read_text(encoding="utf-8")
    assert not any(line.split()[:1] in (["import"], ["from"]) and "numba" in line for line in text.splitlines())


def test_the_test_sees() -> None:
    """A check that finds nothing must be able to find something."""
    text = (
        "import ruse.cli.commands.training.solve\nfrom ruse import strategy, Kuhn\n"
        "def f():\n    from ruse.games.kuhn import Kuhn\n"
        "LATER = ['ruse.games.leduc:Leduc', 'ruse.games.goofspiel', 'as ruse.games are', 'ruse']\n"
    )
    told = {"ruse.games.leduc", "ruse.games.goofspiel"}
    assert imports("x", text) == {"ruse.cli.commands.training.solve", "ruse.strategy", "ruse", "ruse.games.kuhn"} | told
    assert imports("x", text, everywhere=False) == {"ruse.cli.commands.training.solve", "ruse.strategy", "ruse"}
    assert layer("ruse.solve.exact") == layer("ruse.solve") == LAYERS["ruse.solve"]
    assert layer("ruse.solve.full.engine") == LAYERS["ruse.solve.full"] < LAYERS["ruse.solve"]
    assert layer("ruse.nonsense") is None
    assert layer("ruse") == LAYERS["ruse"]
