"""Styles as files, so that one can sit down with them: `ruse play` and `ruse match` take them."""

from collections.abc import Mapping

from ruse.papers.lab import Lab
from ruse.strategy import Strategy


def keep_to_play(lab: Lab, table: str, styles: Mapping[str, Strategy]) -> None:
    """Each style as a file in a folder of the table's, if there is a place for results."""
    if lab.out is None:
        return
    folder = lab.out / table.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for name, strategy in styles.items():
        words = name.casefold().replace(",", "").split()
        path = folder / f"{'-'.join(words)}.strategy"
        strategy.save(path)
        lab.keep(path)
