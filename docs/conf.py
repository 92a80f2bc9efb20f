"""The reference site: all pages of this folder, and one page for every public name, made from its docstring.

make docs  # sphinx-build -W: a warning is an error, a link that points nowhere is a warning
"""

import inspect
import sys
from importlib import import_module
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))

project, author, copyright = "ruse", "the authors of ruse", "the authors of ruse"
version = release = version_of("ruse")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme, html_title = "furo", f"ruse {version}"
templates_path: list[str] = []
exclude_patterns = ["_build", "Thumbs.db"]
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]  # README-like pages may begin at any level
autodoc_typehints, autodoc_member_order = "signature", "bysource"
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": False}
default_role = "code"  # what docstrings have between single backticks


def public_names() -> dict[str, str]:
    """Every public name, with the module that it comes from."""
    import ruse

    every = {text.split(" as ")[-1]: module for module, texts in ruse._HOMES.items() for text in texts}
    own = {text.split(" as ")[-1]: text.split(" as ")[0] for texts in ruse._HOMES.values() for text in texts}
    return {name: f"{module}:{own[name]}" for name, module in every.items()}


def page_of(name: str, home: str, *, is_alias: bool) -> str:
    """The page of a name: what it is, where it comes from, and its docstring; an alias is not indexed twice."""
    module, _, own = home.partition(":")
    thing = getattr(import_module(module), own)
    kind = "class" if inspect.isclass(thing) else "function" if inspect.isroutine(thing) else "data"
    lines = [f"# ruse.{name}", "", "```{eval-rst}"]
    if kind == "data":
        lines += [f".. py:data:: ruse.{name}", "", f"   ``{thing!r}``" if len(repr(thing)) < 60 else "   A table."]
    else:
        lines += [f".. auto{kind}:: {module}.{own}", *(["   :no-index:"] if is_alias else [])]
    return "\n".join([*lines, "```", ""])


def write_reference() -> None:
    """Write the pages of all public names, and the list of them; those that have not changed stay as they are."""
    folder = HERE / "reference"
    folder.mkdir(exist_ok=True)
    homes = public_names()
    import ruse

    told, rest = sorted(set(homes) & set(ruse.__all__)), sorted(set(homes) - set(ruse.__all__))
    index = ["# Every public name", "", "What most people need is in `dir(ruse)`; the rest is there, too.", ""]
    for title, names in (("In `dir(ruse)`", told), ("The rest", rest)):
        index += [f"## {title}", "", "```{toctree}", ":maxdepth: 1", "", *names, "```", ""]
    main = {homes[name]: name for name in [*rest, *told]}  # of two names for one thing, the one that is told
    pages = {name: page_of(name, home, is_alias=main[home] != name) for name, home in homes.items()}
    pages["index"] = "\n".join(index)
    for name, text in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.glob("*.md"):
        if path.stem not in pages:
            path.unlink()


if __name__ != "reference_conf":  # as tests read it
    write_reference()
