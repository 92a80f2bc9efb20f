"""Views of Hold'em: hands in buckets.

| text | what a player sees |
|---|---|
| `full` | everything |
| `buckets` | all bets, and the bucket of the own cards and the board: 169 before the flop, then 200 on each street |
| `buckets:flop=50,turn=50,river=50,seed=1` | so many of them, from another sample |

The buckets of earlier streets are forgotten: two hands that are in one bucket now are one, whatever they were before.
"""

import inspect
from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.games.holdem.betting.paying import pot_of, to_call
from ruse.games.holdem.buckets.cards import USUAL, CardBuckets, card_buckets
from ruse.games.holdem.row import BOARD, HANDS, PAST, WHO, board_size, card_at, street_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import bit_of
from ruse.games.holdem.telling.words import STREETS, blinds_text
from ruse.protocol.game import Game, Row
from ruse.protocol.values.fields import call_of, make, parse_fields
from ruse.words.naming import named


@compiled("key", "key_of")
class Buckets(NamedTuple):
    """All bets, and the bucket of the own cards and the board. Made by `buckets`."""

    cards: CardBuckets

    def __repr__(self) -> str:
        changed = zip(("flop", "turn", "river", "seed"), self.cards[:4], (*USUAL, 0), strict=True)
        fields = ", ".join(f"{name}={value}" for name, value, usual in changed if value != usual)
        return f"buckets({fields})" if fields else "buckets"

    def key(self, game, s):
        return self.key_of(s[PAST], bucket_of(self.cards, game, s, s[WHO]), s[WHO])

    def key_of(self, past, bucket, player):
        """The key of a bucket, after all bets that `past` is the hash of."""
        return mix(mix(past, bucket), player)

    def describe(self, game: Holdem, s: Row) -> str:
        """Such as: flop, bucket 118 (51%), pot 6bb, 2bb to call, after #3f09. A number stands for the bets before."""
        kept, me = card_buckets(self.cards[:3], self.cards.seed), int(s[WHO])
        words = [STREETS[street_of(game, s)]]
        words.append(kept.words(max(int(board_size(game, s)), 0), int(bucket_of(self.cards, game, s, me))))
        words += [f"pot {blinds_text(game, pot_of(game, s))}", f"{blinds_text(game, to_call(game, s, me))} to call"]
        if s[PAST] != 0:
            words.append(f"after #{int(s[PAST]) & 0xFFFFFFFFFFFFFFFF:x}")
        return ", ".join(words)


@compiled_function
def bucket_of(cards, game, s, p):
    """The bucket of a player's cards and the board."""
    hand = s[HANDS + p]
    hole, board = bit_of(card_at(hand, 0)) | bit_of(card_at(hand, 1)), 0
    for k in range(board_size(game, s)):
        board |= bit_of(card_at(s[BOARD], k))
    return cards.bucket(hole, board)


def buckets(flop: int = USUAL[0], turn: int = USUAL[1], river: int = USUAL[2], seed: int = 0) -> Buckets:
    """The view with so many buckets on each street; they are built when they are first asked for, and kept on disk."""
    return Buckets(card_buckets((flop, turn, river), seed).cards)


def view_of(text: str, game: Game) -> Buckets:
    """The view that a text names."""
    name, fields = call_of(text)
    if text.startswith("buckets:"):
        name, fields = "buckets", parse_fields(text.removeprefix("buckets:"), example="buckets:flop=50,turn=50")
    if name != "buckets":
        offered = ", ".join(inspect.signature(buckets).parameters)
        raise RuseError(f"unknown view {text!r}; there are full and buckets, with {offered}: buckets:flop=50")
    if not isinstance(game, Holdem):
        raise RuseError(f"the view {text!r} is one of Hold'em's, and the game is {named(game)}")
    return make(buckets, name, fields)  # type: ignore[no-any-return]
