"""A game of Cheat in words: what a player may see of it, told turn by turn from the row's log."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ruse.compile.hashing import mix
from ruse.games.cheat.cards import (
    CLAIM,
    DISCARDER,
    EVENT,
    HANDS,
    LAST,
    PILE,
    PILED,
    PLAIN,
    RANK,
    REVEALS,
    TURN,
    WHO,
    WINNER,
    WRITTEN,
    count_of,
    read_turn,
    width,
)
from ruse.protocol.game import EVERYTHING, OVER, Row

if TYPE_CHECKING:
    from ruse.games.cheat.rules import Cheat

RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
OPEN, NOBODY = -1, -2  # challenger: the others are still being asked, or nobody did


class Turn(NamedTuple):
    """One turn as it is told."""

    seat: int
    rank: int
    claim: int  # 0: a pass
    cards: int
    challenger: int
    lie: int
    taken: int  # the pile, if it is known

    def told_to(self, game: "Cheat", viewer: int) -> str:
        """In words, with the cards that the viewer has seen: player 1: 2xA (A 3) challenged by you, a lie."""
        who = named(self.seat, viewer)
        if self.claim == 0:
            return f"{who}: pass"
        sees = viewer in (EVERYTHING, self.seat) or self.challenger >= 0
        cards = f" ({cards_named(game, self.cards)})" if sees and self.cards else ""
        said = f"{who}: {self.claim}x{rank_name(self.rank)}{cards}"
        if self.challenger < 0:
            return said if self.challenger == OPEN else f"{said} believed"
        loser = self.seat if self.lie else self.challenger
        took = f": {named(loser, viewer)} took {cards_named(game, self.taken)}" if self.taken else ""
        end = f"challenged by {named(self.challenger, viewer)}, {'a lie' if self.lie else 'true'}"
        return f"{said} {end}{took if viewer in (EVERYTHING, loser) else ''}"


def described(game: "Cheat", s: Row, viewer: int) -> str:
    """Own hand, what lies on the table, then each turn: who said what, with the cards that the viewer has seen.

    A log that is full cannot tell the later turns; then a number stands for all that the viewer knows.
    """
    row, players = s.tolist(), game.players
    hands = [cards_named(game, hand) or "no cards" for hand in row[HANDS : HANDS + players]]
    if row[TURN] < 0:
        return f"dealing: {' / '.join(hands)}" if viewer == EVERYTHING else "dealing"
    sizes, points = ("-".join(map(str, row[HANDS + k * players : HANDS + (k + 1) * players])) for k in (1, 2))
    pile = f" ({cards_named(game, row[PILE])})" if viewer == EVERYTHING and row[PILED] else ""
    table = [f"rank {rank_name(row[RANK])}", f"cards {sizes}", f"pile {row[PILED]}{pile}"]
    table += [f"HP {points}"] if game.hp > 0 else []
    words = [" / ".join(hands) if viewer == EVERYTHING else hands[viewer], ", ".join(table)]
    turns, is_whole = all_turns(game, row)
    words += [turn.told_to(game, viewer) for turn in turns]
    if not is_whole:
        known = s[HANDS + 3 * players + max(viewer, 0)]
        words.append(f"... #{mix(mix(s[PLAIN], s[REVEALS]), known) & 0xFFFFFFFFFFFFFFFF:x} ...")
        words.append(last_turn(game, row).told_to(game, viewer))
    if row[WHO] == OVER:
        words.append(ending(row[WINNER], viewer))
    return " | ".join(words)


def ending(winner: int, viewer: int) -> str:
    if winner >= 0:
        return f"won by {named(winner, viewer)}"
    return "a draw" if winner == -1 else f"lost by {named(-2 - winner, viewer)}"


def all_turns(game: "Cheat", row: list[int]) -> tuple[list[Turn], bool]:
    """Every turn from the first, the one on the table too, and whether the log holds all of them."""
    states = list(replay(game, row))
    turns: list[Turn] = []
    for before, after in pairwise(states):
        if before[WHO] >= 0 and before[CLAIM] == 0:
            turns.append(last_turn(game, after))
        elif before[WHO] >= 0 and after[CLAIM] == 0:
            turns[-1] = last_turn(game, after)._replace(cards=before[LAST], taken=before[PILE])
    return turns, states[-1] == row


def replay(game: "Cheat", row: list[int]) -> Iterator[list[int]]:
    """Every state from the start to this one, or as far as the log goes, as lists: they are quicker than arrays."""
    now, log = game.start().tolist(), HANDS + 4 * game.players
    yield now
    while now != row:
        bits = width(game.num_actions(now) - 1)
        at = now[WRITTEN] if (now[WRITTEN] & 63) + bits <= 63 else (now[WRITTEN] | 63) + 1
        if log + (at >> 6) >= len(row):
            return
        now = now.copy()
        game.apply(now, row[log + (at >> 6)] >> (at & 63) & ((1 << bits) - 1))
        yield now


def last_turn(game: "Cheat", row: list[int]) -> Turn:
    """The turn on the table, or the last that is over, with the cards that everybody has seen."""
    if row[CLAIM] > 0:
        return Turn(row[DISCARDER], row[RANK], row[CLAIM], row[LAST], OPEN, 0, 0)
    claim, doubter, lie = read_turn(game, row, 0)
    seat, rank = row[EVENT] % game.players, row[EVENT] // game.players
    challenger = (seat + doubter) % game.players if doubter else NOBODY
    return Turn(seat, rank, claim, row[LAST], challenger, lie, 0)


def cards_named(game: "Cheat", packed: int) -> str:
    """Cards by name, low to high: A A 3."""
    counts = [count_of(int(packed), r, width(game.copies)) for r in range(game.ranks)]
    return " ".join(rank_name(r) for r, count in enumerate(counts) for _ in range(count))


def rank_name(rank: int) -> str:
    return RANKS[rank] if rank < len(RANKS) else str(rank + 1)


def named(seat: int, viewer: int) -> str:
    return "you" if seat == viewer else f"player {seat}"
