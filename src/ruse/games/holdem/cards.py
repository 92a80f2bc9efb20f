"""The 52 cards: numbered by rank, two to ace, then by suit, clubs to spades; `Qs` is the queen of spades."""

import re
from collections.abc import Iterable

from ruse.errors import RuseError
from ruse.games.cards import RANKS

SUITS = "cdhs"
CARDS = len(RANKS) * len(SUITS)
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBER = {name: card for card, name in enumerate(NAMES)}


def cards_named(text: str) -> list[int]:
    """The cards of a text such as `Qs Jh 2h` or `QsJh2h`, each of which may occur once."""
    parts = re.findall(r"[^\s,]{1,2}", text)
    for part in parts:
        if spelled(part) not in NUMBER:
            raise RuseError(
                f"{part!r} in {text!r} is no card; write a rank of {RANKS} and a suit of {SUITS}, such as Qs"
            )
    cards = [NUMBER[spelled(part)] for part in parts]
    for k, card in enumerate(cards):
        if card in cards[:k]:
            raise RuseError(f"{NAMES[card]} is twice in {text!r}; each card is in the deck once")
    return cards


def spelled(part: str) -> str:
    """As cards are written here: the rank in a capital letter, the suit in a small one."""
    return part[:1].upper() + part[1:].lower()


def names_of(cards: Iterable[int]) -> str:
    return " ".join(NAMES[card] for card in cards)
