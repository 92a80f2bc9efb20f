"""The notebooks in examples/ run from top to bottom, and what their cells show can be shown."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def shown(value: Any) -> str:
    """What a notebook would show of a value."""
    for method in ("_repr_png_", "_repr_html_"):
        if hasattr(value, method):
            content = getattr(value, method)()
            assert content.startswith(b"\x89PNG") if method == "_repr_png_" else content.startswith("<")
            return method
    return repr(value)


def run_cell(text: str, names: dict[str, Any]) -> str:
    """Run a cell; its last line is shown, if it is an expression."""
    if text.startswith("%%writefile "):
        head, _, content = text.partition("\n")
        Path(head.split()[1]).write_text(content, encoding="utf-8")
        return ""
    *lines, last = ast.parse(text).body
    if isinstance(last, ast.Expr):
        exec(compile(ast.Module(lines, []), "cell", "exec"), names)
        return shown(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    exec(compile(ast.Module([*lines, last], []), "cell", "exec"), names)
    return ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] for cell in cells), "commit notebooks without what they print"
    names: dict[str, Any] = {"__name__": "__main__"}
    told = [run_cell("".join(cell["source"]), names) for cell in cells]
    assert "_repr_png_" in told
    assert "_repr_html_" in told


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3
