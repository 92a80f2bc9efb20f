"""What a player of Cheat may choose to remember: the four agents of Mini-Cheat and their abstractions.

None of these keys names the seat, so the seats learn from each other; train with a sampled walk, mccfr("chance"). A
key is packed into 63 bits where it fits, and hashed where it does not.
"""

from typing import NamedTuple, TypeAlias

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.games.cheat.cards import (
    CLAIM,
    HANDS,
    OUTCOMES,
    PLAIN,
    RANK,
    TURN,
    WHO,
    WINDOW,
    WINDOW_BITS,
    cards_in_play,
    count_of,
    join,
    nth_discard,
    num_discards,
    read_turn,
    turn_bits,
    width,
)
from ruse.games.cheat.policies import Manners
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.watchful import Watchful
from ruse.games.cheat.words import cards_named, rank_name
from ruse.protocol.game import Game, Row
from ruse.words.naming import named


@compiled("key")
class Memoryless(NamedTuple):
    """The phase, the current rank, the own hand and the sizes of all hands."""

    cards: bool = False  # Cards Abstraction: the hand as seen from the current rank, which is left out
    claim: bool = False  # also how many cards lie there to be challenged
    own_order: bool = False  # sizes and HP from the own seat on, instead of from seat 0

    def key(self, game, s):
        return table_key(game, s, self.cards, self.claim, self.own_order, table_bits(game) <= 63)

    def describe(self, game: Cheat, s: Row) -> str:
        return ", ".join(words_for_table(self, game, s, claim=self.claim))

    def action_name(self, game: Cheat, s: Row, a: int) -> str:
        return words_for_action(self, game, s, a)


@compiled("key")
class HpAware(NamedTuple):
    """What Memoryless sees, and everybody's Health Points."""

    cards: bool = False
    claim: bool = False
    own_order: bool = False
    hp_clip: int = 0  # more points than this are seen as this many; 0: seen as they are
    hp_shift: int = 0  # so many points fewer are seen, but one at least: a game is seen as one with fewer points

    def key(self, game, s):
        fits = table_bits(game) + hp_bits(game, self.hp_clip) <= 63
        key = table_key(game, s, self.cards, self.claim, self.own_order, fits)
        return join_hp(key, game, s, self.hp_clip, self.hp_shift, self.own_order, fits)

    def describe(self, game: Cheat, s: Row) -> str:
        return ", ".join([*words_for_table(self, game, s, claim=self.claim), words_for_hp(self, game, s)])

    def action_name(self, game: Cheat, s: Row, a: int) -> str:
        return words_for_action(self, game, s, a)


@compiled("key")
class HistoryAware(NamedTuple):
    """What Memoryless sees, all claims and challenges before, and the claim on the table."""

    cards: bool = False
    own_order: bool = False
    window: int = 0  # History Abstraction: only so many of the last turns; 0: all
    outcome: bool = False  # also whether those who were challenged had lied

    def key(self, game, s):
        fits = table_bits(game) + window_bits(game, self.window) <= 63
        key = table_key(game, s, self.cards, True, self.own_order, fits)
        return join_history(key, game, s, self.window, self.outcome, fits)

    def refuse_unfit(self, game: Cheat) -> None:
        refuse_wide_window(self, game)

    def describe(self, game: Cheat, s: Row) -> str:
        return ", ".join([*words_for_table(self, game, s, claim=True), words_for_history(self, game, s)])

    def action_name(self, game: Cheat, s: Row, a: int) -> str:
        return words_for_action(self, game, s, a)


@compiled("key")
class General(NamedTuple):
    """What HistoryAware sees, and everybody's Health Points."""

    cards: bool = False
    own_order: bool = False
    window: int = 0
    outcome: bool = False
    hp_clip: int = 0
    hp_shift: int = 0

    def key(self, game, s):
        fits = table_bits(game) + window_bits(game, self.window) + hp_bits(game, self.hp_clip) <= 63
        key = table_key(game, s, self.cards, True, self.own_order, fits)
        key = join_hp(key, game, s, self.hp_clip, self.hp_shift, self.own_order, fits)
        return join_history(key, game, s, self.window, self.outcome, fits)

    def refuse_unfit(self, game: Cheat) -> None:
        refuse_wide_window(self, game)

    def describe(self, game: Cheat, s: Row) -> str:
        table = words_for_table(self, game, s, claim=True)
        return ", ".join([*table, words_for_hp(self, game, s), words_for_history(self, game, s)])

    def action_name(self, game: Cheat, s: Row, a: int) -> str:
        return words_for_action(self, game, s, a)


CheatView: TypeAlias = Memoryless | HpAware | HistoryAware | General
VIEWS: dict[str, type[CheatView]] = {
    "memoryless": Memoryless,
    "hp": HpAware,
    "history": HistoryAware,
    "general": General,
}
SKETCHES: dict[str, Sketch | Watchful | Manners] = {  # with choices of their own
    "sketch": Sketch(),
    "watchful": Watchful(),
    "policies": Manners(),
}
NAMES = (*VIEWS, *(f"{name}+" for name in VIEWS), *SKETCHES)  # what `view_of` knows


def view_of(text: str, game: Game) -> CheatView | Sketch | Watchful | Manners:
    """The view that a text names; with a + after the name it has both abstractions: "history+"."""
    if text in SKETCHES and isinstance(game, Cheat):
        return SKETCHES[text]
    name, plus = text.removesuffix("+"), text.endswith("+")
    if name not in VIEWS:
        raise RuseError(
            f"unknown view {text!r}; there are {', '.join(VIEWS)}, and each with a + for its abstraction; "
            f"and {', '.join(SKETCHES)}"
        )
    if not isinstance(game, Cheat):
        raise RuseError(f"the view {text!r} is one of Cheat's, and the game is {named(game)}")
    view = VIEWS[name](cards=plus)
    if plus and isinstance(view, HistoryAware | General):
        view = view._replace(window=game.ranks)
        refuse_wide_window(view, game)
    return view


def refuse_wide_window(view: HistoryAware | General, game: Cheat) -> None:
    """Raise if a state of the game does not hold as many turns as the view wants to see."""
    if view.window < 0 or view.window > WINDOW_BITS // turn_bits(game):
        raise RuseError(
            f"a window of {view.window} turns does not fit {named(game)}; it may have 1 to "
            f"{WINDOW_BITS // turn_bits(game)} turns, or 0 for the whole history"
        )


# ---- keys ------------------------------------------------------------------------------------------------------------


@compiled_function
def table_bits(game):
    """Phase, rank, hand, claim, and a size for each player."""
    sizes = (game.players + 1) * width(cards_in_play(game))
    return 1 + width(game.ranks - 1) + game.ranks * width(game.copies) + sizes


@compiled_function
def table_key(game, s, cards, claim, own_order, fits):
    players, ranks, bits = game.players, game.ranks, width(game.copies)
    me, rank = s[WHO], s[RANK]
    hand, sized = s[HANDS + me], width(cards_in_play(game))
    if cards:
        hand = turned(hand, bits * rank, bits * ranks)
        rank = 0
    key = join(hand, rank << 1 | (s[CLAIM] > 0), width(ranks - 1) + 1, fits)
    if claim:
        key = join(key, s[CLAIM], sized, fits)
    p = me if own_order else 0
    for _ in range(players):
        key = join(key, s[HANDS + players + p], sized, fits)
        p = p + 1 if p + 1 < players else 0
    return key


@compiled_function
def turned(hand, by, bits):
    """The hand with the current rank in the lowest place."""
    return hand >> by | (hand & ((1 << by) - 1)) << bits - by


@compiled_function
def hp_bits(game, clip):
    return game.players * hp_width(game, clip)


@compiled_function
def hp_width(game, clip):
    """Bits of one player's points, the same for up to 127 of them: keys of Cheat-3 must mean the same in Cheat-4."""
    return width(max(most_hp(game, clip), 127))


@compiled_function
def most_hp(game, clip):
    """The most points that are told apart. It is the clip, if there is one, so that keys fit games with more points."""
    return clip if clip > 0 else max(game.hp, 0)


@compiled_function
def join_hp(key, game, s, clip, shift, own_order, fits):
    players, most = game.players, most_hp(game, clip)
    p = s[WHO] if own_order else 0
    for _ in range(players):
        points = s[HANDS + 2 * players + p]
        points = max(points - shift, 1) if shift > 0 and points > 0 else points
        key = join(key, points if 0 <= points < most else most, hp_width(game, clip), fits)
        p = p + 1 if p + 1 < players else 0
    return key


@compiled_function
def window_bits(game, window):
    """Bits of so many turns and their number; the whole history is hashed and never fits."""
    return window * turn_bits(game) + width(window) if window > 0 else 64


@compiled_function
def join_history(key, game, s, window, outcome, fits):
    if window == 0:
        key = mix(key, s[PLAIN])
        return mix(key, s[OUTCOMES]) if outcome else key
    bits = turn_bits(game)
    while window * bits > WINDOW_BITS:  # no state holds more
        window -= 1
    seen = 0
    for k in range(window):
        seen |= ((1 << bits) - 1 - (not outcome)) << bits * k
    key = join(key, s[WINDOW] & seen, bits * window, fits)
    return join(key, min(s[TURN], window), width(window), fits)


# ---- words -----------------------------------------------------------------------------------------------------------


def words_for_table(view: CheatView, game: Cheat, s: Row, *, claim: bool) -> list[str]:
    """Such as: discard, rank 2, hand A 3, cards 2-1. With Cards Abstraction: discard, hand +1 +2, cards 2-1."""
    hand, rank = int(s[HANDS + s[WHO]]), int(s[RANK])
    words = ["challenge" if s[CLAIM] > 0 else "discard"]
    if view.cards:
        shown = " ".join(ahead_of(game, hand, rank))
    else:
        words.append(f"rank {rank_name(rank)}")
        shown = cards_named(game, hand)
    words += [f"hand {shown or 'empty'}", f"cards {by_seat(view, game, s, 1)}"]
    return words + ([f"{s[CLAIM]} laid"] if claim and s[CLAIM] > 0 else [])


def words_for_action(view: CheatView, game: Cheat, s: Row, a: int) -> str:
    """The action as the game calls it or, with Cards Abstraction, cards by how far ahead they are: +0 +1."""
    if not view.cards or s[CLAIM] > 0 or a >= num_discards(game, s):
        return str(game.action_name(s, a))
    cards, rank = nth_discard(game, s, a)[0], int(s[RANK])
    return " ".join(ahead_of(game, int(cards), rank))


def ahead_of(game: Cheat, cards: int, rank: int) -> list[str]:
    """Each card by its distance from the current rank."""
    counts = ((i, count_of(cards, (rank + i) % game.ranks, width(game.copies))) for i in range(game.ranks))
    return [f"+{i}" for i, count in counts for _ in range(count)]


def words_for_hp(view: HpAware | General, game: Cheat, s: Row) -> str:
    most = most_hp(game, view.hp_clip)
    less = f" less {view.hp_shift}" if view.hp_shift else ""
    return f"HP {by_seat(view, game, s, 2, most)}{less}"


def by_seat(view: CheatView, game: Cheat, s: Row, block: int, most: int | None = None) -> str:
    """A number for each player, as 2-1, in the view's order."""
    first = int(s[WHO]) if view.own_order else 0
    values = [int(s[HANDS + block * game.players + (first + k) % game.players]) for k in range(game.players)]
    return "-".join(str(v if most is None or 0 <= v < most else most) for v in values)


def words_for_history(view: HistoryAware | General, game: Cheat, s: Row) -> str:
    """Such as: before 1 believed, 2 challenged. A number stands for turns that the state does not hold."""
    held = WINDOW_BITS // turn_bits(game)
    turns = min(int(s[TURN]), min(view.window, held) if view.window else held)
    words = [turn_words(game, *read_turn(game, s, k), outcome=view.outcome) for k in reversed(range(turns))]
    if view.window == 0 and s[TURN] > held:
        words.insert(0, f"#{mix(s[PLAIN], s[OUTCOMES] if view.outcome else 0) & 0xFFFFFFFFFFFFFFFF:x} ...")
    return f"before: {', '.join(words) or 'nothing'}"


def turn_words(game: Cheat, claim: int, doubter: int, lie: int, *, outcome: bool) -> str:
    if claim == 0:
        return "pass"
    if doubter == 0:
        return f"{claim} believed"
    by = f" by +{doubter}" if game.players > 2 else ""
    return f"{claim} challenged{by}{(' (a lie)' if lie else ' (true)') if outcome else ''}"
