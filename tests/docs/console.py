"""The console blocks of the docs: run, compared with what the pages print, or written anew.

A page's blocks are run one after the other in one folder. In a block, a line after `$ ` is typed, `> ` is what a person
answers, and the rest is printed. A command below which nothing stands is run, and may print what it likes; a line that
is nothing but `…` stands for all that follows. In the line above a block, <!-- slow --> keeps it for `make test-all`,
and <!-- numbers vary --> compares words alone.

    python tests/docs/console.py           what the pages should say, and do not
    python tests/docs/console.py --write   write it there (make docs-console)
"""

import contextlib
import difflib
import io
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from ruse.cli import main
from ruse.cli.terminal import progress

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?:^<!-- ([a-z ,]+) -->\n)?^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
# What depends on the machine and the hour: seconds, speed, memory in pages of the system, ages, and names of runs.
VARYING = [
    (re.compile(r"\b\d{8}T\d{6}Z((?:-[a-z]\w*)*)(?:-\d+\b)?"), r"DATE\1"),  # a second run in one second has a number
    (re.compile(r"\b[\d.]+(?:e-?\d+)? (?:s|min|h|days)\b"), "TIME"),
    (re.compile(r"\b[\d,]+ a second\b"), "SPEED"),
    (re.compile(r"\b[\d,]+ bytes\b"), "BYTES"),
]


class Example(NamedTuple):
    """A command, and what the page says that it prints."""

    line: str
    told: str
    vary: bool

    @property
    def typed(self) -> list[str]:
        return re.findall(r"^> (.*)\n", self.told, re.MULTILINE)

    def is_like(self, printed: str) -> bool:
        """Whether the page says what was printed."""
        if not self.told:
            return True
        kept = shortened(printed, self.told)
        if self.vary:
            return words_of(kept) == words_of(self.told)
        ours, theirs = masked(kept), masked(self.told)
        return NUMBER.sub("#", ours) == NUMBER.sub("#", theirs) and all(
            math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12)
            for a, b in zip(numbers_of(ours), numbers_of(theirs), strict=True)
        )


def masked(text: str) -> str:
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    return text


def words_of(text: str) -> list[str]:
    return NUMBER.sub("#", masked(text)).split()


def numbers_of(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]


def shortened(printed: str, told: str) -> str:
    """What was printed, up to where the page leaves off."""
    lines = told.splitlines()
    if "…" not in lines:
        return printed
    return "\n".join([*printed.splitlines()[: lines.index("…")], "…"]) + "\n"


def examples_of(block: str, marks: str) -> Iterator[Example]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, told = part.partition("\n")
        yield Example(line, told, "numbers vary" in marks)


def run(example: Example) -> tuple[int, str, str]:
    """Run a command in this process and in this folder: exit code, what it prints with the answers in it, stderr."""
    words = shlex.split(example.line)
    assert words[0] == "ruse", example.line
    out, err, answers = io.StringIO(), io.StringIO(), iter(example.typed)

    def answer(prompt: str = "") -> str:
        print(prompt, end="")
        try:
            word = next(answers)
        except StopIteration:
            raise EOFError from None
        print(word)
        return word

    with (
        mock.patch("builtins.input", answer), mock.patch.object(progress, "PATIENCE", 1e6),
        contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
    ):  # fmt: skip
        code = main(words[1:])
    return code, out.getvalue(), err.getvalue()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """An empty folder to be in, with the examples that the pages speak of."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "examples", Path(name) / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def renewed(page: str, *, slow: bool = True) -> Iterator[tuple[Example, str, str]]:
    """Each command of a page with what it printed and what went wrong, in the order of the page."""
    for marks, block in BLOCK.findall(page):
        if "slow" in marks and not slow:
            continue
        for example in examples_of(block, marks):
            code, printed, err = run(example)
            yield example, printed, "" if code == 0 and not err else f"exit code {code}: {err or printed}"


def is_slow(page: str) -> bool:
    return any("slow" in marks for marks, _ in BLOCK.findall(page))


def difference(example: Example, printed: str) -> str:
    lines = difflib.unified_diff(
        example.told.splitlines(),
        shortened(printed, example.told).splitlines(),
        "the page",
        "the run",
        lineterm="",
        n=1,
    )
    return "\n".join([f"$ {example.line}", *lines])


def write(path: Path) -> None:
    """Put into a page what its commands print, where it says something else."""
    text = path.read_text(encoding="utf-8")
    with folder():
        found = list(renewed(text))
    for example, printed, trouble in found:
        if trouble:
            print(f"{path.name}: $ {example.line}: {trouble}")
        elif not example.is_like(printed):
            print(f"{path.name}: $ {example.line}")
            before, after = (f"$ {example.line}\n{told}" for told in (example.told, shortened(printed, example.told)))
            assert text.count(before) >= 1
            text = text.replace(before, after, 1)
    path.write_text(text, encoding="utf-8")


def complain(path: Path) -> None:
    with folder():
        for example, printed, trouble in renewed(path.read_text(encoding="utf-8")):
            if trouble or not example.is_like(printed):
                print(f"{path.name}: {trouble}\n{difference(example, printed)}")


if __name__ == "__main__":
    chosen = [Path(word).resolve() for word in sys.argv[1:] if not word.startswith("--")] or PAGES
    for page in chosen:
        if BLOCK.search(page.read_text(encoding="utf-8")):
            (write if "--write" in sys.argv else complain)(page)
