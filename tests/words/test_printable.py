"""Text from files on its way to a terminal: nothing in it steers one, wherever it is printed."""

import io
import json
import os
from pathlib import Path

import pytest
from commands import Ruse

from ruse.errors import RuseError
from ruse.store import tensors
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy
from ruse.words.printable import PrintableStream, beneath, one_line, printable

EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\r\x7f\u202eevil\u2066\u200b\ud800"


def is_safe(text: str) -> bool:
    return all(c.isprintable() or c in "\n\t" for c in text)


def test_printable() -> None:
    assert printable("K♠ bet…\n\tç") == "K♠ bet…\n\tç"
    assert printable("a\xa0b") == "a\xa0b"  # a space, if an odd one
    assert is_safe(printable(EVIL))
    assert "evil" in printable(EVIL)
    assert one_line(f" a\n b\r\n{EVIL}").startswith("a b \\u001b[2J")
    assert printable(json.dumps("\x9b\U000e0041x", ensure_ascii=False)) == '"\\u009b\\udb40\\udc41x"'
    assert json.loads(printable(json.dumps(EVIL, ensure_ascii=False))) == EVIL


def test_errors_are_printable() -> None:
    assert is_safe(str(RuseError(f"no file {EVIL}")))
    assert str(RuseError("two\nlines")) == "two\nlines"


def test_errors_can_be_read(tmp_path: Path) -> None:
    """A file may say what nobody wants to scroll through; how the sentence begins and ends is still told."""
    path = tmp_path / "x.strategy"
    tensors.write(path, {}, {"format": "x" * 100_000})
    with pytest.raises(RuseError) as refused:
        Strategy.load(path)
    told = str(refused.value)
    assert len(told) <= 1_500
    assert told.startswith(f"{path} is not a strategy")
    assert told.endswith("not 'ruse-strategy/1'")


def test_stream() -> None:
    under = io.StringIO()
    stream = PrintableStream(under)
    print(EVIL, "♠", file=stream, flush=True)
    stream.writelines(["\x1b", "b\n"])
    assert is_safe(under.getvalue())
    assert "♠" in under.getvalue()
    assert beneath(stream) is under  # type: ignore[arg-type]
    assert beneath(under) is under


def test_a_strategys_header(solved: Ruse, tmp_path: Path) -> None:
    header, arrays = tensors.read("kuhn.strategy")
    evil = EVIL.replace("\ud800", "")  # no file in UTF-8 can hold half a character
    about = json.loads(header["about"]) | {"rule": evil}
    tensors.write("a", arrays, header | {"about": json.dumps(about)})
    tensors.write("b", arrays, header | {"game_repr": evil})
    tensors.write("c", arrays, header | {"format": evil})
    tensors.write("d", arrays, header | {"game": evil})
    tensors.write("e", arrays, header | {"view": evil})
    tensors.write("f", {evil: arrays["keys"]}, header)
    for name in "abcdef":
        for words in (["show", name], ["match", "kuhn", name, "random", "--deals", "2"]):
            result = solved(*words)
            assert is_safe(result.out)
            assert is_safe(result.err)
            assert result.code == (0 if name == "a" or (name, words[0]) == ("d", "match") else 2)
    told = json.loads(solved("show", "a", "--json").out)
    assert told["about"]["rule"] == evil
    assert is_safe(repr(Strategy.load("a")).replace(evil, ""))


def test_names_of_runs_and_files(ruse: Ruse, tmp_path: Path) -> None:
    run = RunDirectory.create("runs", "kuhn", slug="dcfr", settings={"game": "kuhn\x1b[2J", "rule": "\x1b[31m"})
    os.rename(run.path, run.path.with_name("a\x1b[2Jb"))
    (tmp_path / "runs" / "c\x1b[2Jd").mkdir()
    (tmp_path / "x\x1b[2J.strategy").write_text("no")
    for words in (["runs"], ["runs", "--json"], ["resume", "last"], ["show", "x\x1b[2J.strategy"], ["show", "\x1b[2J"]):
        result = ruse(*words)
        assert is_safe(result.out)
        assert is_safe(result.err)
        assert "[2J" in result.out + result.err


def test_exports_to_a_file_are_as_they_are(ruse: Ruse, tmp_path: Path) -> None:
    efg = 'EFG 2 R "a\u200bb" { "1" "2" }\np "" 1 1 "" { "x" "y" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 2, -2 }\n'
    Path("a.efg").write_text(efg)
    result = ruse("export", "a.efg")
    if result.code == 0:
        assert result.out == ruse("export", "a.efg").out
    assert is_safe(result.err)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="only where there are terminals to pretend")
def test_tables_on_a_terminal_keep_their_own_colours(ruse: Ruse, tmp_path: Path) -> None:
    import pty
    import subprocess
    import sys

    RunDirectory.create("runs", "kuhn", slug="dcfr", settings={"game": "kuhn", "rule": "\x1b[31mred"})
    master, slave = pty.openpty()
    words = [sys.executable, "-m", "ruse.cli", "runs"]
    running = subprocess.Popen(
        words, cwd=tmp_path, stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "xterm"}
    )
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    assert running.wait(timeout=60) == 0
    os.close(master)
    assert b"\x1b[1m" in shown  # the header is bold
    assert b"\x1b[31m" not in shown
