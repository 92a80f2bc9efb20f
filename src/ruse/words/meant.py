"""Which of several names is meant by what somebody has typed."""

from collections.abc import Sequence


def meant_by(word: str, names: Sequence[str]) -> list[int]:
    """The places of the names that a word is: the very name, or else those that differ in capital letters alone.

    >>> meant_by("B", ["b", "B"]), meant_by("Bet", ["pass", "bet"]), meant_by("BET", ["bet", "Bet"])
    ([1], [1], [0, 1])
    """
    exact = [k for k, name in enumerate(names) if name == word]
    return exact or [k for k, name in enumerate(names) if name.casefold() == word.casefold()]


def numbers_meant(action: str | int, names: Sequence[str]) -> list[int]:
    """The numbers of the actions that may be meant by a name, or by a number where no name is so.

    >>> numbers_meant("Raise", ["call", "raise"]), numbers_meant("1", ["1", "3"]), numbers_meant(1, ["1", "3"])
    ([1], [0], [1])
    """
    if isinstance(action, str) and (fits := meant_by(action, names)):
        return fits
    text = str(action)
    is_number = text.isascii() and text.isdigit() and len(text) < 10
    return [int(text)] if is_number and int(text) < len(names) else []


def alternatives(numbers: Sequence[int], names: Sequence[str]) -> str:
    """What somebody has to choose from who meant several.

    >>> alternatives([0, 2], ["bet", "pass", "Bet"])
    'number 0, bet or number 2, Bet; give the number'
    """
    return " or ".join(f"number {k}, {names[k]}" for k in numbers) + "; give the number"
