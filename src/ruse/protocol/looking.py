"""When a seat is shown the game: whenever what it sees has changed, and not after moves that are hidden from it.

Else a bot could count those: in Mahjong, that the other might have claimed a tile and did not. Where two observations
can lie side by side they are compared, which is over at the first difference. Where a walk would have to copy both, a
word is kept of the last one.
"""

from ruse.compile import compiled_function
from ruse.compile.hashing import mix


@compiled_function
def differ(one, other):
    """Whether two observations are different."""
    k = 0
    while k < len(one) and one[k] == other[k]:
        k += 1
    return k < len(one)


@compiled_function
def copied(one, other):
    """Write an observation over another."""
    for k in range(len(one)):
        other[k] = one[k]


@compiled_function
def digest(seen):
    """An observation, or a row, as one word."""
    word = 0
    for k in range(len(seen)):
        word = mix(word, seen[k])
    return word
