"""The book that a player keeps of a hierarchy, and sets of policies as bits.

The same book is kept in the abstract game, in columns behind the row (`abstract.py`), and by whoever plays a strategy
of that game in a seat of the plain one, as its memory (`seat.py`).
"""

from ruse.compile import compiled_function

# The stage of the last choice, the policy that plays (counted from 1; 0 before the first choice), decisions of the game
# made so far, a hash of the choices so far, one of what was seen last, then the memories of all policies. All are 0 in
# the beginning.
STAGE, CURRENT, MOVES, TRAIL, LOOKED, MEMORIES = range(6)

MOST = 16  # policies to choose from: each takes a bit of a key


@compiled_function
def nth_policy(legal, n):
    """The n-th of the policies in a set."""
    for policy in range(MOST):
        if legal >> policy & 1:
            if n == 0:
                return policy
            n -= 1
    return MOST


@compiled_function
def count_policies(legal):
    """How many policies are in a set."""
    count = 0
    for policy in range(MOST):
        count += legal >> policy & 1
    return count
