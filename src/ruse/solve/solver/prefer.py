"""Preferences in words: which actions a player is to favour, where, and what it may cost (Preference-CFR, Ju 2025).

    bet, player 0, first: delta=10
    raise or bet, player 0, first: delta=5, beta=0.05
    challenge: delta=3

What is before the colon `ruse.protocol.decisions` reads. delta >= 1 is how much an action is favoured, beta >= 0 how
much a visit may cost. A rule is only words; `solve/prefer/preferred.py` finds the infosets of a game that it means,
and `solve/prefer/favour.py` has the update rules that follow it.
"""

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.protocol.decisions import Asked, asked
from ruse.words.printable import shown

EXAMPLE = '"bet, player 0, first: delta=10"'


class Preference(NamedTuple):
    """One rule. Several may meet at an infoset: the largest delta of an action counts, and the largest beta."""

    wanted: Asked  # which actions of whom, and where
    delta: float = 10.0
    beta: float = 0.0

    def __str__(self) -> str:
        """The text that `preference` reads."""
        numbers = [f"delta={_number(self.delta)}"] + [f"beta={_number(self.beta)}"] * (self.beta > 0.0)
        return f"{self.wanted}: {', '.join(numbers)}"

    def checked(self) -> "Preference":
        """The same, if it makes sense."""
        for name, value in (("delta", self.delta), ("beta", self.beta)):
            if isinstance(value, bool) or not isinstance(value, Real):
                raise RuseError(f"{name} must be a number, got {shown(value)}")
        if not (math.isfinite(self.delta) and self.delta >= 1.0):
            raise RuseError(f"delta must be at least 1, which is no preference, got {self.delta}")
        if not (math.isfinite(self.beta) and self.beta >= 0.0):
            raise RuseError(f"beta must be at least 0, which costs nothing, got {self.beta}")
        if self.delta == 1.0 and self.beta == 0.0:
            raise RuseError(f"a preference of delta=1 and beta=0 changes nothing; raise delta, as in {EXAMPLE}")
        return self._replace(delta=float(self.delta), beta=float(self.beta))


class Prefer(NamedTuple):
    """What a solver prefers: rules, and how they change its choices; by default as its update rule allows."""

    rules: tuple[Preference, ...]
    form: Any = None  # a part of `solve/prefer/favour.py`; None: the one that goes with the solver's minimizer

    @property
    def texts(self) -> list[str]:
        return [str(rule) for rule in self.rules]


def preference(text: str) -> Preference:
    """Read a rule.

    >>> preference("bet, player 0, first: delta=10")
    Preference(wanted=Asked(action='bet', player=0, is_first=True, held=(), said=()), delta=10.0, beta=0.0)
    """
    head, colon, tail = text.rpartition(":")
    numbers: dict[str, float] = {}
    for part in tail.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not (colon and equals and name in ("delta", "beta") and name not in numbers):
            raise RuseError(
                f"cannot read the preference {text!r}; write it as {EXAMPLE}, with beta=0.05 if it may cost"
            )
        try:
            numbers[name] = float(value)
        except ValueError:
            raise RuseError(f"{name} must be a number, got {value!r} in the preference {text!r}") from None
    if not head.strip():
        raise RuseError(f"a preference needs the name of an action, as in {EXAMPLE}")
    return Preference(asked(head), **numbers).checked()


def preferring(prefer: Any) -> Prefer | None:
    """What a solver is given as prefer=: a rule, its text, several of them in a list, or all of it as it is."""
    if prefer is None or isinstance(prefer, Prefer):
        return prefer if prefer is None or prefer.rules else None
    if isinstance(prefer, Preference | str):
        prefer = [prefer]
    if not isinstance(prefer, Iterable) or getattr(prefer, "ndim", 1) == 0:
        raise RuseError(f"prefer must be a preference, a text as {EXAMPLE}, or a list of them, not {shown(prefer)}")
    rules = []
    for rule in prefer:
        if not isinstance(rule, Preference | str):
            raise RuseError(f"prefer must hold preferences or texts as {EXAMPLE}, not {shown(rule)}")
        rules.append(preference(rule) if isinstance(rule, str) else rule.checked())
    return Prefer(tuple(rules)) if rules else None


def _number(x: float) -> str:
    """As short as it can be read back to the same bits."""
    return f"{x:g}" if float(f"{x:g}") == x else repr(x)
