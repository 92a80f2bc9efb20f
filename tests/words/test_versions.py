"""A package that was not installed has no version, and a strategy is saved all the same."""

from importlib import metadata
from pathlib import Path

import pytest

import ruse
from ruse.words.versions import version_of


def test_a_package_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    assert version_of("ruse") == metadata.version("ruse")
    monkeypatch.setattr(metadata, "version", missing)
    assert version_of("ruse") == "unknown"
    ruse.train(ruse.Kuhn(), iterations=10).strategy.save(tmp_path / "kuhn.strategy")
    assert len(ruse.Strategy.load(tmp_path / "kuhn.strategy")) == 12


@pytest.mark.parametrize("left", [None, "Name: broken\n", "Name: broken\nVersion: \n"])
def test_what_is_left_of_an_installation_has_no_version(
    left: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It was None, which no file's header takes."""
    (tmp_path / "broken-1.0.dist-info").mkdir()
    if left is not None:
        (tmp_path / "broken-1.0.dist-info" / "METADATA").write_text(left)
    monkeypatch.syspath_prepend(tmp_path)
    assert version_of("broken") == "unknown"
