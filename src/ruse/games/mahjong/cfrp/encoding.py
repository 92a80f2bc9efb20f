"""The integer by which CFR-p's authors label a decision, bit for bit.

| bits | what |
|---|---|
| 0-5 | the round: tiles drawn from the wall so far, by both players (or by this one, if rounds are his own) |
| 6-8 | pairs |
| 9-11 | pongs or kongs |
| 12-15 | character tiles |
| 16-19 | wind tiles |

>>> decode(734401)
Encoded(round=1, pairs=3, pongs=2, characters=3, winds=11)
>>> encode(*decode(734401))
734401
"""

from typing import NamedTuple

from ruse.compile import compiled_function
from ruse.errors import RuseError

PAIRS, PONGS, CHARACTERS, WINDS, BITS = 6, 9, 12, 16, 20  # the first bit of each field, and how many there are


class Encoded(NamedTuple):
    """What the integer tells."""

    round: int
    pairs: int
    pongs: int
    characters: int
    winds: int


@compiled_function
def encode(drawn, pairs, pongs, characters, winds):
    """The integer of a round and of what is held."""
    return drawn | pairs << PAIRS | pongs << PONGS | characters << CHARACTERS | winds << WINDS


def decode(number: int) -> Encoded:
    """What an integer tells."""
    if not 0 <= number < 1 << BITS:
        raise RuseError(f"{number} is no label of a decision: those have {BITS} bits, as 734401")
    return Encoded(number & 63, number >> PAIRS & 7, number >> PONGS & 7, number >> CHARACTERS & 15, number >> WINDS)
