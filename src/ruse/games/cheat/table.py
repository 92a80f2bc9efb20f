"""Cheat as it is told at the table: each event as it happens, and what lies there when it is one's turn.

`viewer` is a seat, or None for what everybody may hear. A seat is told what it sees, and nothing else.
"""

from typing import TYPE_CHECKING, Any

from ruse.games.cheat.cards import CLAIM, DISCARDER, HANDS, LAST, PILE, PILED, RANK, WHO, WINNER, width
from ruse.games.cheat.words import cards_named, hand_words, rank_name, size_of
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.games.cheat.rules import Cheat

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_WORDS = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}
HELP = """\
Lay one or more cards face down. How many there are is seen by all; that they are of the current rank is only said.
The others may challenge. Who is wrong, liar or challenger, takes the pile and loses a Health Point, where there are
any. You win when your last card is believed, or true, or when the others have no Health Points left."""


def told(game: "Cheat", before: Row, a: int, after: Row, viewer: int | None) -> list[str]:
    """What the viewer hears when action or outcome a has led from one state to the next."""
    who = int(before[WHO])
    if who == CHANCE:
        return told_of_deal(game, after, viewer) if after[WHO] != CHANCE else []
    if before[CLAIM] == 0:
        lines = [told_of_discard(game, after, who, viewer) if after[CLAIM] > 0 else verb(who, viewer, "pass", "passes")]
    elif a == 0:
        lines = [verb(who, viewer, "believe", "believes") + " it"]
    else:
        lines = told_of_challenge(game, before, after, viewer)
    return lines + told_of_end(game, before, after, viewer)


def told_of_deal(game: "Cheat", s: Row, viewer: int | None) -> list[str]:
    starter = f"{verb(int(s[DISCARDER]), viewer, 'begin', 'begins')}, the first rank is {rank_name(int(s[RANK]))}"
    if viewer is None:
        return [f"the cards are dealt; {starter}"]
    return [f"you are dealt {hand_of(game, s, viewer)}; {starter}"]


def told_of_discard(game: "Cheat", s: Row, who: int, viewer: int | None) -> str:
    said = claim_words(int(s[CLAIM]), int(s[RANK]))
    if who == viewer:
        return f"you lay {cards_named(game, s[LAST])} and say: {said}"
    return f"player {who} lays {counted(int(s[CLAIM]), 'card')} and says: {said}"


def told_of_challenge(game: "Cheat", before: Row, after: Row, viewer: int | None) -> list[str]:
    laid_by, doubter = int(before[DISCARDER]), int(before[WHO])
    lie = before[LAST] != before[CLAIM] << width(game.copies) * before[RANK]
    loser = laid_by if lie else doubter
    cards = cards_named(game, before[PILE]) if viewer == loser else counted(int(before[PILED]), "card")
    taken = f"{verb(loser, viewer, 'take', 'takes')} the pile: {cards}"
    if game.hp > 0:
        points = counted(int(after[HANDS + 2 * game.players + loser]), "Health Point")
        taken += f", and {verb(loser, viewer, 'have', 'has')} {points} left"
    return [
        f"{verb(doubter, viewer, 'challenge', 'challenges')}: "
        f"{cards_named(game, before[LAST])} {'is' if before[CLAIM] == 1 else 'are'} turned up, "
        f"{'a lie' if lie else 'and it was true'}",
        taken,
    ]


def told_of_end(game: "Cheat", before: Row, after: Row, viewer: int | None) -> list[str]:
    """Who has won, or has to leave."""
    points = HANDS + 2 * game.players
    gone = [p for p in range(game.players) if before[points + p] != 0 and after[points + p] == 0]
    lines = [f"{verb(p, viewer, 'are', 'is')} out of the game" for p in gone if after[WHO] != OVER]
    if after[WHO] == OVER:
        winner = int(after[WINNER])
        if winner >= 0:
            lines.append(verb(winner, viewer, "win", "wins"))
        else:
            lines.append("a draw" if winner == -1 else verb(-2 - winner, viewer, "lose", "loses"))
    return lines


def shown(state: State, viewer: int) -> list[str]:
    """What lies on the table when it is the viewer's turn, and what is asked."""
    game: Any = state.game
    s, scene = state.row, game.scene(state, viewer)
    hands, pile = scene.zones[: game.players], scene.zones[game.players]
    sizes = [f"{seat_name(hand.owner, viewer)} {size_of(hand)}" for hand in hands]
    lines = [f"your hand: {hand_words(hands[viewer])}", f"cards: {', '.join(sizes)}, pile {size_of(pile)}"]
    if "HP" in scene.numbers:
        points = [f"{seat_name(p, viewer)} {left}" for p, left in enumerate(scene.numbers["HP"])]
        lines.append(f"Health Points: {', '.join(points)}")
    if s[CLAIM] > 0:
        said = claim_words(int(s[CLAIM]), int(s[RANK]))
        return [*lines, f"player {s[DISCARDER]} says: {said}. Do you believe it?"]
    return [*lines, f"The rank is {rank_name(int(s[RANK]))}. What do you lay?"]


# ---- words -----------------------------------------------------------------------------------------------------------


def hand_of(game: "Cheat", s: Row, seat: int) -> str:
    return cards_named(game, s[HANDS + seat]) or "no cards"


def seat_name(seat: int, viewer: int | None) -> str:
    return "you" if seat == viewer else f"player {seat}"


def verb(seat: int, viewer: int | None, mine: str, others: str) -> str:
    return f"{seat_name(seat, viewer)} {mine if seat == viewer else others}"


def claim_words(cards: int, rank: int) -> str:
    """Such as: one Ace, two 3s.

    >>> claim_words(2, 0), claim_words(1, 9), claim_words(12, 12)
    ('two Aces', 'one 10', '12 Kings')
    """
    number = NUMBERS[cards] if cards < len(NUMBERS) else str(cards)
    name = RANK_WORDS.get(rank_name(rank), rank_name(rank))
    return f"{number} {name}{'s' if cards != 1 else ''}"


def counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
