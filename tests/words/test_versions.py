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
