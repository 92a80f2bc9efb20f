"""A picture that notebooks show, and that can be saved; Matplotlib is imported when one is drawn."""

import io
from pathlib import Path
from typing import Any

from ruse.errors import RuseError


class Picture:
    """A figure of Matplotlib, apart from its windows and its state: `figure` and `axes` are there to be changed."""

    def __init__(self, width: float = 7.0, height: float = 4.2, *, axes: Any = None) -> None:
        self.axes = axes if axes is not None else new_axes(width, height)
        self.figure = self.axes.figure

    def save(self, path: str | Path) -> Path:
        """Write it; the ending says as what: .png, .svg or .pdf."""
        try:
            self.figure.savefig(path, dpi=150, bbox_inches="tight")
        except (OSError, ValueError) as error:
            raise RuseError(f"cannot write the picture {path}: {error}") from error
        return Path(path)

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="png", dpi=110, bbox_inches="tight")
        return buffer.getvalue()

    def __repr__(self) -> str:
        return f"Picture({self.axes.get_title()!r}); .save(path) writes it"


def new_axes(width: float, height: float) -> Any:
    """Axes in a figure that belongs to no window."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RuseError('drawing needs Matplotlib: pip install "ruse[plot]"') from error
    return Figure(figsize=(width, height), layout="constrained").subplots()
