"""What the docs show of the command line is what it prints: every console block is run."""

import re
from pathlib import Path

import console
import pytest
from console import BLOCK, PAGES, Example

from ruse.cli.terminal import progress

WITH_BLOCKS = [path for path in PAGES if BLOCK.search(path.read_text(encoding="utf-8"))]


def check(path: Path, *, slow: bool) -> int:
    """Compare a page with its commands; how many there were."""
    count = 0
    with console.folder():
        for example, printed, trouble in console.renewed(path.read_text(encoding="utf-8"), slow=slow):
            assert not trouble, f"{path.name}: $ {example.line}: {trouble}"
            assert example.is_like(printed), (
                f"{path.name}: run make docs-console\n{console.difference(example, printed)}"
            )
            count += 1
    return count


@pytest.mark.parametrize("path", WITH_BLOCKS, ids=lambda path: path.stem)
def test_pages_show_what_is_printed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert check(path, slow=False) > 0 or console.is_slow(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [p for p in WITH_BLOCKS if console.is_slow(p.read_text(encoding="utf-8"))], ids=lambda path: path.stem
)
def test_pages_show_what_is_printed_slowly(path: Path) -> None:
    assert check(path, slow=True) > 0


def test_all_blocks_of_commands_are_console_blocks() -> None:
    """A block in which `ruse` is typed after a $ is marked as one, or as <!-- not run: why -->."""
    for path in PAGES:
        text = re.sub(
            r"^<!-- not run: [^\n]* -->\n```\n.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S
        )
        typed = len(re.findall(r"^\$ ", text, re.MULTILINE))
        assert typed == sum(len(re.findall(r"^\$ ", block, re.MULTILINE)) for _, block in BLOCK.findall(text)), (
            path.name
        )


def commands() -> list[str]:
    """Commands that the pages show indented, without what they print."""
    texts = (re.sub(r"\\\n\s*", "", path.read_text(encoding="utf-8")) for path in PAGES)  # a line may be continued
    found = (re.findall(r"^    (ruse [a-z].*)$", text, re.MULTILINE) for text in texts)
    return sorted({line.split(" #")[0].strip() for lines in found for line in lines})


def game_of_the_page_on_hierarchies() -> str:
    text = next(path for path in PAGES if path.stem == "hierarchy").read_text(encoding="utf-8")
    return text.partition("in `siege.py`")[2].partition("```python\n")[2].partition("```")[0]


@pytest.mark.slow
def test_commands_without_output_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other command of the pages runs, with fewer iterations."""
    monkeypatch.setattr(progress, "PATIENCE", 1e6)
    with console.folder() as here:
        (here / "siege.py").write_text(game_of_the_page_on_hierarchies(), encoding="utf-8")
        for line in commands():
            if line.startswith("ruse solve"):
                first = line.partition(" && ")[0]
                short = re.sub(r"--(iterations|seconds) \S+", "--iterations 2", first)
                if re.match(r"ruse solve holdem(?!.*--iterations)", short):  # which trains for ten minutes by itself
                    short += " --iterations 2"
                code, _, err = console.run(Example(f"{short} --no-run", "", vary=False))
                no_card = "--on gpu" in line and "solving on a card needs" in err
                assert code == 0 or no_card, f"{line}: {err}"
    assert len(commands()) > 20


def test_the_test_sees() -> None:
    """A check that finds nothing must be able to find something."""
    told = "kuhn: 12 infosets in 0.5 s, exploitability 0.25, 1,000 a second\n"
    example = Example("ruse solve kuhn", told, vary=False)
    assert example.is_like(told.replace("0.5 s", "17.25 s").replace("1,000 a", "9 a"))
    assert not example.is_like(told.replace("0.25", "0.26"))
    assert not example.is_like(told.replace("12", "13"))
    assert not example.is_like(told.replace("kuhn", "Kuhn"))
    assert not example.is_like(told + "more\n")
    assert example._replace(vary=True).is_like(told.replace("0.25", "0.26"))
    assert not example._replace(vary=True).is_like(told.replace("kuhn", "Kuhn"))
    assert Example("ruse games", "", vary=False).is_like("anything")
    assert Example("ruse games", "first\n…\n", vary=False).is_like("first\nsecond\n")
    assert not Example("ruse games", "second\n…\n", vary=False).is_like("first\nsecond\n")
    asked = Example("ruse play kuhn", "You see J\n> pass\nYou lose\n", vary=False)
    assert asked.typed == ["pass"]
    page = "<!-- slow -->\n```console\n$ ruse games\nkuhn\n```\n\n```console\n$ ruse --version\nruse 0\n```\n"
    assert [(marks, block.splitlines()[0]) for marks, block in BLOCK.findall(page)] == [
        ("slow", "$ ruse games"), ("", "$ ruse --version"),
    ]  # fmt: skip
