"""What lies on the table for all to see, and how a player reckons who does not look at it."""

from ruse.compile import compiled_function
from ruse.games.mahjong.row import PONG_MELD
from ruse.games.mahjong.telling.observation import OTHER_CHOWS, OTHER_MELDS, OTHER_RIVER, OWN_RIVER, UNSEEN
from ruse.games.mahjong.tiles import KINDS, LOWS


@compiled_function
def put_back(seen, n):
    """Count n times as unseen what lies in the rivers and what the other has declared; -1 takes it away again.

    Of each kind four less the player's own tiles, in the hand or declared, are unseen then.
    """
    for kind in range(KINDS):
        meld = seen[OTHER_MELDS + kind]
        tiles = 0 if meld == 0 else 3 if meld == PONG_MELD else 4
        seen[UNSEEN + kind] += n * (tiles + seen[OWN_RIVER + kind] + seen[OTHER_RIVER + kind])
    for low in range(LOWS):
        for kind in range(low, low + 3):
            seen[UNSEEN + kind] += n * seen[OTHER_CHOWS + low]
