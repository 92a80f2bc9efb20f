"""When a training stops, other than after so many iterations or seconds."""

from ruse.training.terms.stops import Exploited, Iterations, Rate, Stalled, WinRate

__all__ = ["Exploited", "Iterations", "Rate", "Stalled", "WinRate"]
