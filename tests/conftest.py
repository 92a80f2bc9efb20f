"""What all tests share: nothing that they trust is remembered for the person who runs them."""

import os
from collections.abc import Iterator

import pytest


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
