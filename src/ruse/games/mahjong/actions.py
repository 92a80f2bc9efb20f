"""What an action is: a code. At a decision actions are numbered 0, 1, ... in the order of their codes.

| code | action | when |
|---|---|---|
| PASS = 0 | claim nothing; go on to the discard | phases 0 and 1 |
| WIN = 1 | | phases 0 and 1 |
| PONG = 2 | with two of the discarded tile | phase 0 |
| KONG = 3 | with three of the discarded tile | phase 0 |
| CHOW + lowest kind (0-6) = 4-10 | with the other two of the three | phase 0 |
| CONCEALED + kind = 11-26 | a kong of four in the hand | phase 1 |
| ADDED + kind = 27-42 | the fourth tile to an exposed pong | phase 1 |
| DISCARD + kind = 43-58 | once a kind | phase 2 |
"""

from ruse.compile import compiled_function
from ruse.games.bits import nth_one
from ruse.games.mahjong.row import OPTIONS
from ruse.games.mahjong.tiles import KINDS, LOWS, NAMES

PASS, WIN, PONG, KONG, CHOW = range(5)
CONCEALED = CHOW + LOWS
ADDED = CONCEALED + KINDS
DISCARD = ADDED + KINDS
CODES = DISCARD + KINDS
MOST_ACTIONS = 14  # one for each tile of a hand, all of different kinds


@compiled_function
def code_of(s, a):
    """What action a is."""
    return nth_one(s[OPTIONS], a)


def code_name(code: int, tile: int) -> str:
    """A code in words; `tile` is the kind that lies there to be claimed.

    >>> code_name(DISCARD + 8, -1), code_name(CHOW + 2, 3), code_name(PONG, 9), code_name(ADDED + 13, -1)
    ('discard 9m', 'chow 3m 4m 5m', 'pong E', 'kong C added')
    """
    if code >= DISCARD:
        return f"discard {NAMES[code - DISCARD]}"
    if code >= ADDED:
        return f"kong {NAMES[code - ADDED]} added"
    if code >= CONCEALED:
        return f"kong {NAMES[code - CONCEALED]} concealed"
    if code >= CHOW:
        return "chow " + " ".join(NAMES[code - CHOW : code - CHOW + 3])
    if code in (PONG, KONG):
        return f"pong {NAMES[tile]}" if code == PONG else f"kong {NAMES[tile]} exposed"
    return "win" if code == WIN else "pass"
