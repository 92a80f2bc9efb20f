"""The reference has a page for every public name, made from its docstring: so each has one."""

import inspect
import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT

import ruse

HOMES = {text.split(" as ")[-1]: (module, text.split(" as ")[0]) for module, t in ruse._HOMES.items() for text in t}


@pytest.mark.parametrize("name", sorted(HOMES))
def test_every_public_name_says_what_it_is(name: str) -> None:
    module, own = HOMES[name]
    thing = getattr(import_module(module), own)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        words = inspect.getdoc(thing) or ""
        assert len(words) > 10
        assert not words.startswith(f"{own}("), "that is what a NamedTuple says of itself"


@pytest.fixture(scope="module")
def conf() -> ModuleType:
    """The settings of the site, which write nothing when they are read as a module."""
    spec = spec_from_file_location("reference_conf", ROOT / "docs" / "conf.py")
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_pages_name_what_they_are_of(conf: ModuleType) -> None:
    homes = conf.public_names()
    assert set(homes) == set(HOMES)
    assert conf.page_of("train", homes["train"], is_alias=False).splitlines()[:4] == [
        "# ruse.train", "", "```{eval-rst}", ".. autofunction:: ruse.training.train.train",
    ]  # fmt: skip
    assert "autoclass:: ruse.strategy.Strategy" in conf.page_of("Strategy", homes["Strategy"], is_alias=False)
    assert ":no-index:" in conf.page_of("size", homes["size"], is_alias=True)
    assert "``-1``" in conf.page_of("CHANCE", homes["CHANCE"], is_alias=False)


PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "reference" not in path.parts)
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def dead_links(path: Path, text: str) -> list[str]:
    """What Sphinx finds nothing behind: folders, pages outside the site, and files that are not there."""
    dead = []
    for target, _ in LINK.findall(FENCED.sub("", text)):
        if "://" in target or target.startswith("mailto:"):
            continue
        goal = (path.parent / target).resolve()
        is_page = not target.endswith(".md") or (ROOT / "docs") in goal.parents
        if not goal.is_file() or not is_page:
            dead.append(target)
    return dead


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT / "docs")))
def test_links_lead_to_pages_of_the_site(path: Path) -> None:
    """`make docs` takes a dead link for an error, but it is not run by `make test`."""
    assert dead_links(path, path.read_text(encoding="utf-8")) == []


def test_dead_links_are_seen() -> None:
    text = "[a](papers/) [b](../README.md) [c](nowhere.md) [d](index.md#x) [e](https://x.org)\n```\n[f](g.md)\n```\n"
    assert dead_links(ROOT / "docs" / "studio.md", text) == ["papers/", "../README.md", "nowhere.md"]


def test_every_page_is_in_the_contents() -> None:
    """What is in no list of contents is found by nobody, and is a warning to Sphinx."""
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs").glob("*.md"):
        assert path.stem == "index" or f"\n{path.stem}\n" in index, f"put {path.stem} into docs/index.md"
