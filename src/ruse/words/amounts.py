"""Amounts of memory as people read them."""

UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def in_bytes(count: float) -> str:
    """So many bytes in the unit that suits them: "3.44 KiB", "16 GiB".

    >>> in_bytes(3520), in_bytes(1023 * 1024), in_bytes(0)
    ('3.44 KiB', '1023 KiB', '0 B')
    """
    unit = next((k for k in range(len(UNITS)) if count < 1024 ** (k + 1)), len(UNITS) - 1)
    amount = count / 1024**unit
    return f"{amount:.0f} {UNITS[unit]}" if 999.5 <= amount < 1024 else f"{amount:.3g} {UNITS[unit]}"
