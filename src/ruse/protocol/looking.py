"""When a seat is shown the game: whenever what it sees has changed, and not after moves that are hidden from it.

Else a bot could count those: in Mahjong, that the other might have claimed a tile and did not.
"""

from ruse.compile import compiled_function
from ruse.compile.hashing import mix


@compiled_function
def has_changed(game, s, player, seen):
    """Write what a player sees now over what was seen before; whether it is another."""
    before = digest(seen)
    game.observe(s, player, seen)
    return digest(seen) != before


@compiled_function
def digest(seen):
    """What is seen as one word."""
    word = 0
    for k in range(len(seen)):
        word = mix(word, seen[k])
    return word
