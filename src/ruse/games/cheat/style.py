"""Words for what a discard of Cheat is: the truth, or a lie. The game's meter counts the same in play."""

from typing import TYPE_CHECKING

from ruse.games.cheat.cards import CLAIM, RANK, nth_discard, num_discards, width
from ruse.protocol.game import Row

if TYPE_CHECKING:
    from ruse.games.cheat.rules import Cheat


def is_lie(game: "Cheat", s: Row, a: int) -> bool:
    """Whether a discard has a card of another rank than the current one."""
    if not is_discard(game, s, a):
        return False
    cards, laid = nth_discard(game, s, a)
    return bool(cards != laid << width(game.copies) * s[RANK])


def is_truth(game: "Cheat", s: Row, a: int) -> bool:
    return is_discard(game, s, a) and not is_lie(game, s, a)


def is_discard(game: "Cheat", s: Row, a: int) -> bool:
    """Whether cards are laid: it is no challenge, and no pass."""
    return bool(s[CLAIM] == 0 and a < num_discards(game, s))


KINDS = {"lie": is_lie, "truth": is_truth, "discard": is_discard}


def metrics(game: "Cheat") -> list[str]:
    """How often a player lies who could, and challenges."""
    return [f"{word}, player {p}" for p in range(game.players) for word in ("lie", "challenge")]
