"""Which of several names is meant by what somebody has typed."""

from collections.abc import Sequence


def meant_by(word: str, names: Sequence[str]) -> list[int]:
    """The places of the names that a word is: the very name, or else those that differ in capital letters alone.

    >>> meant_by("B", ["b", "B"]), meant_by("Bet", ["pass", "bet"]), meant_by("BET", ["bet", "Bet"])
    ([1], [1], [0, 1])
    """
    exact = [k for k, name in enumerate(names) if name == word]
    return exact or [k for k, name in enumerate(names) if name.casefold() == word.casefold()]
