"""Style in numbers: metrics, equilibria, and the search for a strategy that plays as one says."""

from typing import TYPE_CHECKING

from ruse.lazy import lazily

if TYPE_CHECKING:
    from ruse.styles.adapting import AdaptedStyle, adapt
    from ruse.styles.equilibria import Equilibria
    from ruse.styles.equilibria import equilibria as find_equilibria
    from ruse.styles.metrics import Measured, Metric, metric
    from ruse.styles.metrics import style_of as measure_style
    from ruse.styles.search import style
    from ruse.styles.styled import Styled, Target, Tried

__all__ = [
    "AdaptedStyle", "Equilibria", "Measured", "Metric", "Styled", "Target", "Tried", "adapt", "find_equilibria",
    "measure_style", "metric", "style",
]  # fmt: skip
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazily(__name__, {
        "ruse.styles.adapting": ["AdaptedStyle", "adapt"],
        "ruse.styles.equilibria": ["Equilibria", "equilibria as find_equilibria"],
        "ruse.styles.metrics": ["Measured", "Metric", "metric", "style_of as measure_style"],
        "ruse.styles.search": ["style"],
        "ruse.styles.styled": ["Styled", "Target", "Tried"],
    })  # fmt: skip
