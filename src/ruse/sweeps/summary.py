"""What a sweep came to: a line for each combination, over its seeds, and a picture of the curves with their bands."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.charts.curves import Band, draw_bands
from ruse.errors import RuseError
from ruse.store import tensors
from ruse.store.records import plain
from ruse.words.html import table_of
from ruse.words.over_seeds import OverSeeds, interval_of

if TYPE_CHECKING:
    from ruse.charts.picture import Picture

TABLE, JSON, PICTURE = "table.md", "sweep.json", "curves.png"
LEFT_OUT = ("unfit", "failed", "unfinished")


class CellOutcome(NamedTuple):
    """What became of a cell."""

    game: str
    name: str
    about: dict[str, str]  # what differs from cell to cell
    seed: int
    standing: str = "unfinished"  # or done, failed, unfit
    rule: str = ""
    run: Path | None = None
    iterations: int = 0
    seconds: float = 0.0
    exploitability: float = math.nan
    curve: tuple[tuple[int, float], ...] = ()  # iterations, exploitability
    trouble: str | None = None
    remark: str | None = None  # about one that is done

    def as_dict(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if name != "curve"}


class SweepRow(NamedTuple):
    """A combination over its seeds."""

    about: dict[str, str]
    cells: tuple[CellOutcome, ...]

    @property
    def done(self) -> list[CellOutcome]:
        return [cell for cell in self.cells if cell.standing == "done"]

    @property
    def exploitability(self) -> OverSeeds | None:
        """None where it is not known of every cell that is done."""
        values = [cell.exploitability for cell in self.done]
        return OverSeeds.of(values) if values and not any(map(math.isnan, values)) else None

    @property
    def seconds(self) -> float:
        return sum(cell.seconds for cell in self.done) / len(self.done) if self.done else math.nan

    @property
    def label(self) -> str:
        return ", ".join(filter(None, self.about.values())) or self.cells[0].rule

    @property
    def note(self) -> str:
        """Each trouble and each remark once, with the seeds that had it."""
        seeds: dict[tuple[str, str], list[int]] = {}
        for cell in self.cells:
            if cell.standing in LEFT_OUT:
                seeds.setdefault((cell.standing, cell.trouble or ""), []).append(cell.seed)
            elif cell.remark:
                seeds.setdefault((cell.remark, ""), []).append(cell.seed)
        told = []
        for (what, why), own in sorted(seeds.items(), key=lambda found: self._place(found[0][0])):
            which = "" if len(own) == len(self.cells) else f" (seed {', '.join(map(str, own))})"
            told.append(f"{what}{which}{': ' if why else ''}{why}")
        return "; ".join(told)

    @staticmethod
    def _place(what: str) -> int:
        """Troubles by what they are, and remarks after them."""
        return LEFT_OUT.index(what) if what in LEFT_OUT else len(LEFT_OUT)

    def band(self) -> Band:
        """Exploitability over seeds at each iteration that all of them were judged at."""
        curves = [dict(cell.curve) for cell in self.done]
        common = [x for x in curves[0] if all(x in curve for curve in curves)] if curves else []
        found = [(x, OverSeeds.of([curve[x] for curve in curves])) for x in common]
        return [(x, one.value, *(interval_of(one) or (one.value, one.value))) for x, one in found]

    def cells_of_table(self) -> list[str]:
        found, done = self.exploitability, self.done
        ends = interval_of(found)
        counts = sorted({cell.iterations for cell in done})
        return [
            *self.about.values(), f"{len(done)} of {len(self.cells)}",
            f"{counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "") if counts else "",
            f"{found.value:.3g}" if found else "not known" if done else "",
            "" if ends is None else f"{ends[0]:.3g} to {ends[1]:.3g}" if ends[0] < ends[1] else "all the same",
            f"{self.seconds:.3g}" if done else "", self.note,
        ]  # fmt: skip


HEADERS = ("seeds", "iterations", "exploitability", "95 % interval", "seconds", "note")


class SweepResult(NamedTuple):
    """All cells of a sweep."""

    out: Path
    varied: tuple[str, ...]
    cells: tuple[CellOutcome, ...]

    @property
    def rows(self) -> list[SweepRow]:
        groups: dict[tuple[str, ...], list[CellOutcome]] = {}
        for cell in self.cells:
            groups.setdefault(tuple(cell.about.values()), []).append(cell)
        return [SweepRow(cells[0].about, tuple(cells)) for cells in groups.values()]

    def number_of(self, standing: str) -> int:
        return sum(cell.standing == standing for cell in self.cells)

    @property
    def title(self) -> str:
        return ", ".join(dict.fromkeys(cell.game for cell in self.cells))

    @property
    def table(self) -> tuple[list[str], list[list[str]]]:
        """Headers and rows; no column for notes where there are none."""
        headers, rows = [*self.varied, *HEADERS], [row.cells_of_table() for row in self.rows]
        if not any(row[-1] for row in rows):
            return headers[:-1], [row[:-1] for row in rows]
        return headers, rows

    def plot(self, *, axes: Any = None) -> "Picture":
        """The mean over seeds, and its 95 % interval as a band."""
        rows = {row.label: row.band() for row in self.rows}
        drawn = {name: band for name, band in rows.items() if band}
        if not drawn:
            raise RuseError(f"there is nothing to draw in {self.out}: no cell is done of which exploitability is known")
        return draw_bands(drawn, title=self.title, axes=axes)

    def as_dict(self) -> dict[str, Any]:
        rows = [
            {
                "about": row.about, "seeds": len(row.done), "of": len(row.cells),
                "exploitability": None if (found := row.exploitability) is None else found.value,
                "interval": interval_of(found), "seconds": row.seconds, "note": row.note,
            }
            for row in self.rows
        ]  # fmt: skip
        counts = {standing: self.number_of(standing) for standing in ("done", *LEFT_OUT)}
        return {"out": str(self.out), "cells": [c.as_dict() for c in self.cells], "rows": rows, **counts}

    def markdown(self) -> str:
        headers, rows = self.table
        lines = [headers, ["---"] * len(headers), *rows]
        cells = [[text.replace("|", "/").replace("\n", " ").replace("<", "&lt;") for text in line] for line in lines]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n"

    def write(self) -> list[Path]:
        """The table, the numbers and the picture, beside the runs; which of them there are."""
        written = [self.out / TABLE, self.out / JSON]
        content = json.dumps(plain(self.as_dict(), finite=True), indent=1, ensure_ascii=False)
        for path, text in zip(written, (self.markdown(), content + "\n"), strict=True):
            with tensors.replacing(path) as file:
                file.write(text.encode())
        try:
            picture = self.plot()
        except RuseError:  # nothing to draw, or nothing to draw with
            return written
        return [*written, picture.save(self.out / PICTURE)]

    def _repr_html_(self) -> str:
        headers, rows = self.table
        return table_of(
            headers, rows, caption=f"{self.title}: {self.number_of('done')} of {len(self.cells)} cells done"
        )

    def __str__(self) -> str:
        return self.markdown()
