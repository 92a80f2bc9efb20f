"""Where a training starts, other than from nothing, and what lessons hand on."""

from ruse.solve.start.learned import Learned
from ruse.training.curriculum import Copying, Lesson, Nothing, Tilting, Warming
from ruse.training.terms.starts import Copied, Leaning, WarmStart

__all__ = ["Copied", "Copying", "Leaning", "Learned", "Lesson", "Nothing", "Tilting", "WarmStart", "Warming"]
