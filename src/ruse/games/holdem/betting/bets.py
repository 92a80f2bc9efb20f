"""Bet sizes as people write them: `2bb, 3bb, 60%, all-in`.

| written | a bet, or a raise to |
|---|---|
| `2.5bb` | so many big blinds |
| `40c` | so many chips |
| `60%`, `pot` | a share of the pot; of a raise, the pot is counted with the call in it |
| `3x` | so many times the bet that is raised |
| `min` | the least that the rules allow |
| `all-in` | all that there is |
| `any` | every amount that the rules allow; stands alone |

Sizes stand between commas, blanks, slashes or semicolons. `none` and an empty text are no sizes.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ruse.compile import compiled_function
from ruse.errors import RuseError

BLINDS, CHIPS, POT, TIMES, LEAST, ALL_IN, ANY = range(1, 8)  # kinds of sizes
UNITS = {"bb": BLINDS, "c": CHIPS, "%": POT, "x": TIMES}
WORDS = {"min": LEAST, "all-in": ALL_IN, "any": ANY}
ALIASES = {"allin": "all-in", "a": "all-in", "pot": "100%"}
LARGEST = 1_000_000  # of the number in a size


class BetSize(NamedTuple):
    """One size; `amount` is in the kind's unit, percent of a pot, and 0 where the kind says it all."""

    kind: int
    amount: float = 0.0

    def __str__(self) -> str:
        for word, kind in WORDS.items():
            if kind == self.kind:
                return word
        unit = next(unit for unit, kind in UNITS.items() if kind == self.kind)
        return f"{self.amount:.10g}{unit}"


def bets_named(text: str, *, opens: bool = False) -> tuple[BetSize, ...]:
    """The sizes of a text, in its order; raises RuseError in one sentence. If nothing was bet before, `opens`."""
    words = re.sub(r"all[\s-]*in", "all-in", text.strip().casefold())
    words = re.sub(r"(?<=[\d.])\s+(?=(bb|%|x)(?![a-z]))", "", words)
    parts = [part for part in re.split(r"[\s,;/]+", words) if part]
    if parts == ["none"]:
        return ()
    sizes = tuple(size_named(part, text) for part in parts)
    for k, size in enumerate(sizes):
        if size in sizes[:k]:
            raise RuseError(f"{size} is twice in the bets {text!r}; write each size once")
        if size.kind == ANY and len(sizes) > 1:
            raise RuseError(f"'any' in the bets {text!r} is every size; write it alone, or leave it out")
        if opens and size.kind == TIMES:
            raise RuseError(f"{size} in the bets {text!r} has no bet before it to be a multiple of; write 60% or 2bb")
    return sizes


def size_named(part: str, text: str) -> BetSize:
    """One size of a text."""
    part = ALIASES.get(part, part)
    if part in WORDS:
        return BetSize(WORDS[part])
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)(bb|c|%|x)", part)
    if match is None:
        raise RuseError(
            f"{part!r} in the bets {text!r} is no size; write such as 60%, 40c, 2bb, 3x, min, any or all-in"
        )
    size = BetSize(UNITS[match[2]], float(match[1]))
    if not 0 < size.amount <= LARGEST:
        raise RuseError(f"{part!r} in the bets {text!r} must be above 0 and at most {LARGEST:,}")
    if size.kind == TIMES and size.amount <= 1:
        raise RuseError(f"{part!r} in the bets {text!r} is no raise; write more than 1x, such as 3x")
    return size


def bets_text(sizes: Iterable[BetSize]) -> str:
    """As it is written: what `bets_named` reads as the same sizes."""
    return ", ".join(map(str, sizes)) or "none"


@compiled_function
def bet_to(kind, amount, pot, call, highest, least, most, big_blind):
    """What a player's bet on this street comes to by a size, in chips: unrounded, and not yet held to the rules.

    `pot` has all bets so far in it, those of this street too; `call` is what a call costs, `highest` the bet to be
    called, all in; `least` and `most` are what the rules allow.
    """
    if kind == BLINDS:
        return amount * big_blind
    if kind == CHIPS:
        return amount + 0.0
    if kind == POT:
        return highest + amount / 100.0 * (pot + call)
    if kind == TIMES:
        return amount * highest
    return least + 0.0 if kind == LEAST else most + 0.0
