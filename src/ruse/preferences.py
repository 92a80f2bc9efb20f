"""Preferences: which actions are favoured where, how, and at what price."""

from ruse.evaluate.price import Price, price
from ruse.solve.prefer.favour import Best, Most, Weighted
from ruse.solve.prefer.preferred import prefer
from ruse.solve.solver.prefer import Prefer, Preference, preference

__all__ = ["Best", "Most", "Prefer", "Preference", "Price", "Weighted", "prefer", "preference", "price"]
