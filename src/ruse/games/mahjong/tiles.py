"""The tiles: 16 kinds, four of each, and many tiles packed into one integer, three bits a kind.

| kind  | tiles                         | names     |
|-------|-------------------------------|-----------|
| 0-8   | characters one to nine        | `1m`-`9m` |
| 9-12  | winds: east, south, west, north | `E S W N` |
| 13-15 | dragons: red, green, white    | `C F P`   |
"""

from collections.abc import Iterable, Sequence

from ruse.compile import compiled_function
from ruse.errors import RuseError

CHARACTERS, HONOURS, KINDS, COPIES = 9, 7, 16, 4
TILES = KINDS * COPIES
LOWS = CHARACTERS - 2  # kinds that a chow may begin with
NAMES = (*(f"{n}m" for n in range(1, CHARACTERS + 1)), *"ESWN", *"CFP")

BITS = 3  # a kind has in a packed number
LOW_BITS = sum(1 << BITS * kind for kind in range(KINDS))  # the lowest bit of each kind
ALL_TILES = COPIES * LOW_BITS


# ---- packed ----------------------------------------------------------------------------------------------------------


@compiled_function
def count_of(tiles, kind):
    """How many tiles of a kind."""
    return tiles >> BITS * kind & 7


@compiled_function
def some(kind, n):
    """So many tiles of a kind, packed."""
    return n << BITS * kind


@compiled_function
def size_of(tiles):
    """How many tiles they are."""
    x = (tiles & 0o0707070707070707) + (tiles >> 3 & 0o0707070707070707)  # twos, fours, eights, all sixteen kinds
    x = (x & 0o00770077007700770077) + (x >> 6 & 0o00770077007700770077)
    x = (x & 0o0000777700007777) + (x >> 12 & 0o0000777700007777)
    return (x & 0o77777777) + (x >> 24)


@compiled_function
def kinds_in(tiles):
    """A mask of the kinds of which there are any, one bit a kind."""
    x = (tiles | tiles >> 1 | tiles >> 2) & LOW_BITS
    x = (x | x >> 2) & 0x00C30C30C30C30C3  # every third bit, drawn together in pairs, fours, eights, sixteen
    x = (x | x >> 4) & 0x000F00F00F00F00F
    x = (x | x >> 8) & 0x000000FF0000FF
    return (x | x >> 16) & 0xFFFF


# ---- by name ---------------------------------------------------------------------------------------------------------


def counts_of(packed: int) -> list[int]:
    """How many there are of each kind."""
    return [int(packed) >> BITS * kind & 7 for kind in range(KINDS)]


def packed(kinds: Iterable[int]) -> int:
    """Tiles in one integer; at most seven of a kind."""
    return sum(1 << BITS * kind for kind in kinds)


def kinds_of(packed: int) -> list[int]:
    """The tiles of a packed integer, low to high, each as often as it is there."""
    return [kind for kind, count in enumerate(counts_of(packed)) for _ in range(count)]


def names_of(kinds: Iterable[int]) -> list[str]:
    return [NAMES[kind] for kind in kinds]


def kind_named(name: str) -> int:
    """The kind of a tile by its name.

    >>> kind_named("1m"), kind_named("E"), kind_named("P")
    (0, 9, 15)
    """
    if name not in NAMES:
        raise RuseError(f"there is no tile {name!r}; tiles are {' '.join(NAMES)}")
    return NAMES.index(name)


def tiles_named(text: str | Sequence[str]) -> list[int]:
    """The kinds of tiles by name: "1m 1m E".

    >>> tiles_named("9m E C")
    [8, 9, 13]
    """
    return [kind_named(name) for name in (text.split() if isinstance(text, str) else text)]
