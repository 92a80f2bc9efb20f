"""In a notebook a training shows how it stands, and leaves nothing behind; nowhere else does it."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

import ruse
from ruse.training import notebook
from ruse.training.progress import Progress


class Handle:
    """What changes something that is shown."""

    def __init__(self, shown: list[str]) -> None:
        self.shown = shown

    def update(self, content: str) -> None:
        self.shown.append(content)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a notebook is made to show, one after the other."""
    told: list[str] = []

    def display(content: str, display_id: bool) -> Handle:
        told.append(content)
        return Handle(told)

    module: Any = SimpleNamespace(HTML=str, display=display)
    ipython: Any = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=True))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(notebook, "PATIENCE", 0.0)
    monkeypatch.setattr(notebook, "PACE", 0.0)
    return told


def test_a_line_while_it_trains(shown: list[str]) -> None:
    ruse.train("kuhn", iterations=50)
    assert any("kuhn: " in line and "/50" in line and "<progress" in line for line in shown)
    assert shown[-1] == ""


def test_who_watches_is_told_alone(shown: list[str]) -> None:
    heard = []
    ruse.train("kuhn", iterations=5, watch=heard.append)
    assert heard
    assert shown == []


def test_a_terminal_shows_nothing(shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: SimpleNamespace())
    ruse.train("kuhn", iterations=5)
    assert shown == []


def failing(name: str) -> None:
    with notebook.shown_in_notebook(name, None) as watch:
        assert watch is not None
        watch(Progress(1, 2, 0.1, 0.5, None, None))
        raise ZeroDivisionError


def test_the_line_is_gone_after_a_failure(shown: list[str]) -> None:
    line = notebook.NotebookLine(sys.modules["IPython.display"])
    with pytest.raises(ZeroDivisionError):
        failing("kuhn")
    assert shown[-1] == ""
    line.clear()  # which was never shown
