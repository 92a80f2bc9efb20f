"""Cheat in broad strokes: a view with some thousand keys, and at most a dozen discards instead of hundreds.

What is left out: which cards one lies with, and all cards of one's own that are not needed soon.
"""

from typing import TYPE_CHECKING, NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.cheat.cards import (
    CLAIM,
    DISCARDER,
    HANDS,
    RANK,
    WHO,
    cards_in_play,
    count_of,
    discard_number,
    join,
    most_cards,
    nth_discard,
    num_discards,
    width,
)
from ruse.protocol.game import Row

if TYPE_CHECKING:
    from ruse.games.cheat.rules import Cheat


@compiled("key", "num_choices", "meaning")
class Sketch(NamedTuple):
    """Sizes of the hands from the own seat on, the claim, cards of this rank, and cards of one's next own ranks."""

    ahead: int = 2  # how many of one's next own turns are looked at

    def key(self, game, s):
        players, ranks, bits = game.players, game.ranks, width(game.copies)
        me, hand, rank = s[WHO], s[HANDS + s[WHO]], s[RANK]
        sized = width(cards_in_play(game))
        fits = (1 + self.ahead) * bits + (1 + players) * sized <= 63
        key = join(count_of(hand, rank, bits), s[CLAIM], sized, fits)
        turn = me - s[DISCARDER] if me > s[DISCARDER] else me - s[DISCARDER] + players
        for _ in range(self.ahead):
            key = join(key, count_of(hand, (rank + turn) % ranks, bits), bits, fits)
            turn += players
        p = me
        for _ in range(players):
            key = join(key, s[HANDS + players + p], sized, fits)
            p = p + 1 if p + 1 < players else 0
        return key

    def num_choices(self, game, s):
        if s[CLAIM] > 0:
            return 2
        true, other, most = cards_to_lay(game, s)
        return min(true, most) + min(other, most) + mixed(true, other, most) + game.allow_pass

    def meaning(self, game, s, a):
        if s[CLAIM] > 0:
            return int(a)
        true, other, most = cards_to_lay(game, s)
        honest, lies = min(true, most), min(other, most)
        if a >= honest + lies + mixed(true, other, most):
            return num_discards(game, s)  # a pass
        hand, rank, bits = s[HANDS + s[WHO]], s[RANK], width(game.copies)
        laid, spare = 0, 0
        if a < honest:
            laid = a + 1
        elif a < honest + lies:
            spare = a - honest + 1
        else:
            laid, spare = true, a - honest - lies + 1
        return discard_number(game, hand, rank, (laid << bits * rank) + spare_cards(game, hand, rank, spare))

    def describe(self, game: "Cheat", s: Row) -> str:
        """Such as: discard, has 2, next 1 0, cards 6-5. What is to be challenged is told last: 3 laid."""
        players, bits = game.players, width(game.copies)
        me, hand, rank, claim = (int(s[k]) for k in (WHO, HANDS + s[WHO], RANK, CLAIM))
        turn = (me - int(s[DISCARDER]) - 1) % players + 1  # how many ranks from now on it is one's own turn
        soon = [count_of(hand, (rank + turn + k * players) % game.ranks, bits) for k in range(self.ahead)]
        sizes = [s[HANDS + players + (me + k) % players] for k in range(players)]
        words = ["challenge" if claim > 0 else "discard", f"has {count_of(hand, rank, bits)}"]
        words += [f"next {' '.join(map(str, soon))}"] if soon else []
        words += [f"cards {'-'.join(map(str, sizes))}"]
        return ", ".join(words + ([f"{claim} laid"] if claim > 0 else []))

    def action_name(self, game: "Cheat", s: Row, a: int) -> str:
        """A discard by its true and its false cards, because which ones they are is left out: 2 true 1 false."""
        if s[CLAIM] > 0 or (meant := self.meaning(game, s, a)) >= num_discards(game, s):
            return str(game.action_name(s, a if s[CLAIM] > 0 else meant))
        cards, laid = nth_discard(game, s, meant)
        true = count_of(int(cards), int(s[RANK]), width(game.copies))
        parts = [f"{count} {word}" for count, word in ((true, "true"), (int(laid) - true, "false")) if count > 0]
        return " ".join(parts)


@compiled_function
def cards_to_lay(game, s):
    """Own cards of the current rank, all others, and how many may be laid at once."""
    true = count_of(s[HANDS + s[WHO]], s[RANK], width(game.copies))
    return true, s[HANDS + game.players + s[WHO]] - true, most_cards(game)


@compiled_function
def mixed(true, other, most):
    """How many discards have all cards of the current rank and some others."""
    return max(0, min(other, most - true)) if true > 0 else 0


@compiled_function
def spare_cards(game, hand, rank, wanted):
    """So many cards that are not of the current rank: those that will be one's own rank last, or never, go first."""
    ranks, players, bits = game.ranks, game.players, width(game.copies)
    step, rest = players, ranks
    while rest > 0:
        step, rest = rest, step % rest
    cards = 0
    for ahead in range(1, ranks):  # ranks that are never one's own have distances that no number of turns makes
        if ahead % step != 0:
            r = (rank + ahead) % ranks
            taken = min(wanted, count_of(hand, r, bits))
            cards += taken << bits * r
            wanted -= taken
    for turns in range(ranks // step - 1, 0, -1):
        r = (rank + turns * players) % ranks
        taken = min(wanted, count_of(hand, r, bits))
        cards += taken << bits * r
        wanted -= taken
    return cards
