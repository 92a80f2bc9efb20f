"""The public names: some fifty that are told, and all that were ever promised."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import ruse

ROOT = Path(ruse.__file__).parent

# What was public before the list became short. Whoever wrote a program with these need not change it.
PROMISED = [
    "CHANCE", "EVERYTHING", "OVER", "PRESETS", "AverageSampling", "Best", "BestRegret", "Bot", "ChanceSampling",
    "Cheat", "CompiledBot", "Copied", "Copying", "Discount", "Equilibria", "Expanded", "Explicit", "Exploitability",
    "Exploited", "ExternalSampling", "Full", "Game", "Goofspiel", "Hedge", "Iterations", "Job", "Kuhn", "Leaning",
    "Learned", "Leduc", "Lesson", "LiarsDice", "LowerBound", "MatchResult", "Matrix", "Measured", "Metric", "Most",
    "Nothing", "OutcomeSampling", "Prefer", "Preference", "Price", "Probing", "RandomBot", "Rate", "RegretMatching",
    "Robust", "RobustSampling", "Row", "Run", "RuseError", "Seat", "Size", "Solver", "Stalled", "State", "Strategy",
    "StrategyBot", "Styled", "Target", "Teachers", "Threshold", "Tilting", "TooLarge", "Training", "View",
    "WarmStart", "Warming", "WatchingBot", "Weighted", "WinRate", "add_regret", "bot", "cfr", "cfr_plus", "cfvfp",
    "check", "compare", "compiled", "compiled_function", "curriculum", "dcfr", "dcfr_plus", "equilibria",
    "expected_values", "explain", "exploitability", "export", "export_file", "game", "hedge", "hs_dcfr",
    "hs_pcfr_plus", "lcfr", "lower_bound", "match", "matching_pennies", "matrix", "mccfr", "metric", "mix",
    "new_run", "pcfr_plus", "pdcfr_plus", "prefer", "preference", "price", "resume", "rock_paper_scissors", "size",
    "solve_exactly", "spec_of", "style", "style_of", "train", "what_here",
]  # fmt: skip
VERBS = {"bound", "check", "compare", "draw", "explain", "export", "find", "make", "match", "measure", "mix", "resume",
         "solve", "style", "train"}  # fmt: skip
NAMESAKES = {"compiled", "compiled_function"}  # decorators, which say what a thing is
TOLD = sorted(ruse.__all__)


def test_the_list_is_short() -> None:
    assert 45 <= len(TOLD) <= 66
    assert dir(ruse) == TOLD


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told_is_there(name: str) -> None:
    value = getattr(ruse, name)
    if inspect.isfunction(value) and name not in NAMESAKES | set(ruse.rules.PRESETS):
        assert name.split("_")[0] in VERBS, "functions are verbs"


@pytest.mark.parametrize("name", PROMISED)
def test_what_was_promised_still_works(name: str) -> None:
    assert getattr(ruse, name) is not None


def test_what_was_promised_has_a_home() -> None:
    homes = {text.split(" as ")[0]: module for module, names in ruse._HOMES.items() for text in names}
    assert set(PROMISED) <= set(homes)
    for name, module in homes.items():
        assert getattr(ruse, name) is getattr(import_module(module), name)
    with pytest.raises(AttributeError, match=r"^module 'ruse' has no attribute 'nonsense'$"):
        _ = ruse.nonsense  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ruse._SHORT)
def test_small_modules_list_what_they_have(name: str) -> None:
    module = getattr(ruse, name)
    assert module is import_module(f"ruse.{name}")
    assert module.__doc__
    for one in module.__all__:
        value = getattr(module, one)
        assert value is getattr(ruse, one, value), f"ruse.{one} is another thing"


def test_no_function_hides_a_module() -> None:
    """`ruse.game` and `ruse.curriculum` once did."""
    modules = {path.stem for path in ROOT.glob("*.py")} | {path.parent.name for path in ROOT.glob("*/__init__.py")}
    named = {text.split(" as ")[-1] for names in ruse._HOMES.values() for text in names}
    assert not modules & named
    for package in [ruse.styles]:
        inner = {path.stem for path in Path(str(package.__file__)).parent.glob("*.py")}
        assert not inner & set(package.__all__)


def seen_by_type_checkers(path: Path) -> dict[str, str]:
    """Where a file says, to type checkers alone, that its names are from."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    pairs = [(node, alias) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {alias.asname or alias.name: f"{node.module}:{alias.name}" for node, alias in pairs}


def test_type_checkers_see_all_of_it() -> None:
    path = ROOT / "__init__.py"
    homes = {
        text.split(" as ")[-1]: f"{module}:{text.split(' as ')[0]}"
        for module, names in ruse._HOMES.items()
        for text in names
    }
    assert seen_by_type_checkers(path) == homes | {name: f"ruse:{name}" for name in ruse._SHORT}
    text = path.read_text(encoding="utf-8")
    for name in homes:  # strict ones see no name that is not listed, unless it is imported as itself
        assert name in ruse.__all__ or f" as {name}\n" in text
    assert set(seen_by_type_checkers(ROOT / "styles" / "__init__.py")) == set(ruse.styles.__all__)


def test_import_waits_for_nothing() -> None:
    code = "import ruse, sys; print([name for name in ('numpy', 'numba', 'typer') if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
