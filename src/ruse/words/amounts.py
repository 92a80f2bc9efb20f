"""Amounts of memory, and what can be won from a strategy, as people read them."""

import re

from ruse.errors import RuseError

UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def in_bytes(count: float) -> str:
    """So many bytes in the unit that suits them: "3.44 KiB", "16 GiB".

    >>> in_bytes(3520), in_bytes(1023 * 1024), in_bytes(0)
    ('3.44 KiB', '1023 KiB', '0 B')
    """
    unit = next((k for k in range(len(UNITS)) if count < 1024 ** (k + 1)), len(UNITS) - 1)
    amount = count / 1024**unit
    return f"{amount:.0f} {UNITS[unit]}" if 999.5 <= amount < 1024 else f"{amount:.3g} {UNITS[unit]}"


def bytes_of(text: str) -> int:
    """From "8GB", "500 MiB" or "2e9" to bytes.

    >>> bytes_of("8GB"), bytes_of("1.5KiB")
    (8000000000, 1536)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?(?:e\d+)?)\s*([kmgt]?)(i?)b?\s*", text.casefold())
    if match is None or (match[3] and not match[2]):
        raise RuseError(f"cannot read the memory {text!r}; write a number and a unit, as 8GB or 500MB")
    power = "kmgt".index(match[2]) + 1 if match[2] else 0
    count = float(match[1]) * (1024 if match[3] else 1000) ** power
    if not 1 <= count < 1 << 63:
        raise RuseError(f"the memory must be at least a byte, and less than 2^63 of them, got {text!r}")
    return int(count)


def exploitability_text(exploitability: float, stake: float | None) -> str:
    """An exploitability; in a game that says what is at stake, in percent of that.

    >>> exploitability_text(0.05, None), exploitability_text(0.05, 50.0)
    ('0.05', '0.1 % of the pot')
    """
    return f"{exploitability:.3g}" if stake is None else f"{100.0 * exploitability / stake:.3g} % of the pot"
