"""What all tests share: nothing that they trust is remembered for the person who runs them; the command line."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Result, Ruse

from ruse.cli import main

gc.disable()  # until all tests are collected: thousands of them, none of which is garbage


def pytest_collection_finish() -> None:
    """What has been imported and collected stays, and the collector need not look at it again after every test."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow what `slow.txt` lists."""
    lines = (Path(__file__).parent / "slow.txt").read_text().splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]
    slow = [item for item in items if item.nodeid.startswith(tuple(listed))]
    for item in slow:
        item.add_marker(pytest.mark.slow)
    if config.args == config.getini("testpaths"):  # all tests are collected
        idle = [line for line in listed if not any(item.nodeid.startswith(line) for item in slow)]
        if idle:
            raise pytest.UsageError(f"tests/slow.txt: no test begins with {idle[0]}")


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("RUSE_STATE")
    os.environ["RUSE_STATE"] = str(tmp_path_factory.mktemp("state"))
    yield
    if before is None:
        del os.environ["RUSE_STATE"]
    else:
        os.environ["RUSE_STATE"] = before


@pytest.fixture
def unveiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots in plain Python get the random numbers of compiled ones."""
    monkeypatch.setattr("ruse.play.seats.veiled", lambda u: u)


@pytest.fixture
def many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round of threads has eight chunks, also in games so small that one thread would do better."""
    monkeypatch.setattr("ruse.solve.table.threads.WORK", 0)
    monkeypatch.setattr("ruse.solve.table.threads.VISITS", 1 << 40)


@pytest.fixture
def ruse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ruse:
    """Run a command in this process, in an empty folder, with these lines typed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ruse.cli.terminal.progress.PATIENCE", 1e6)  # or a slow machine says more than a quick one

    def run(*words: str, typed: tuple[str, ...] = ()) -> Result:
        lines = iter(typed)

        def answer(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        capsys.readouterr()
        code = main(words)
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def solved(ruse: Ruse, kuhn_strategy: list[bytes]) -> Ruse:
    """The same with a strategy of Kuhn poker in the folder."""
    if kuhn_strategy:
        Path("kuhn.strategy").write_bytes(kuhn_strategy[0])
    else:
        assert ruse("solve", "kuhn", "--iterations", "200", "--no-run", "--out", "kuhn.strategy").code == 0
        kuhn_strategy.append(Path("kuhn.strategy").read_bytes())
    return ruse


@pytest.fixture(scope="session")
def kuhn_strategy() -> list[bytes]:
    """The file of that strategy, once it has been solved."""
    return []
