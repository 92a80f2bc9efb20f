"""Sets as games store them: one bit for each thing, in one integer of the row."""

from ruse.compile import compiled_function


@compiled_function
def ones_in(mask):
    """How many bits are set, of at most 62."""
    x = mask - (mask >> 1 & 0x1555555555555555)
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = (x & 0x0F0F0F0F0F0F0F0F) + (x >> 4 & 0x0F0F0F0F0F0F0F0F)
    x += x >> 8
    x += x >> 16
    return x + (x >> 32) & 63


@compiled_function
def nth_one(mask, n):
    """The place of the n-th bit that is set, counted from 0."""
    x = mask
    for _ in range(n):
        x &= x - 1
    return ones_in((x & -x) - 1)
