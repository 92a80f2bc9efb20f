"""A game of Cheat as a viewer sees it, turn by turn: the facts, and the words that are made of them."""

from collections.abc import Iterable, Sequence
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
    PLAIN,
    RANK,
    REVEALS,
    TURN,
    WHO,
    WINNER,
    count_of,
    read_turn,
    width,
)
from ruse.protocol.game import EVERYTHING, OVER
from ruse.protocol.scene import Event, Scene, Zone, held
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.games.cheat.rules import Cheat

RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
MOST_TOLD = 100  # turns
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

    def told_to(self, game: "Cheat", viewer: int) -> Event:
        """In words, with the cards that the viewer has seen: 2xA (A 3) challenged by you, a lie."""
        if self.claim == 0:
            return Event(self.seat, "pass")
        sees = viewer in (EVERYTHING, self.seat) or self.challenger >= 0
        cards = f" ({cards_named(game, self.cards)})" if sees and self.cards else ""
        said = f"{self.claim}x{rank_name(self.rank)}{cards}"
        if self.challenger < 0:
            return Event(self.seat, said if self.challenger == OPEN else f"{said} believed")
        loser = self.seat if self.lie else self.challenger
        took = f": {named(loser, viewer)} took {cards_named(game, self.taken)}" if self.taken else ""
        end = f"challenged by {named(self.challenger, viewer)}, {'a lie' if self.lie else 'true'}"
        return Event(self.seat, f"{said} {end}{took if viewer in (EVERYTHING, loser) else ''}")


def seen(game: "Cheat", state: State, viewer: int) -> Scene:
    """Own hand, what lies on the table, and each turn: who said what, with the cards that the viewer has seen.

    Without the history, and in a very long game, a number stands for all that the viewer knows of the turns before.
    """
    row, players = state.row.tolist(), game.players
    names = [cards_named(game, hand).split() for hand in row[HANDS : HANDS + players]]
    hands = held("hand", names, viewer)
    if row[TURN] < 0:  # how many cards who has by now would tell of what rank they are
        return Scene(viewer, row[WHO], dealing(hands, viewer), zones=hands if viewer == EVERYTHING else ())
    pile = cards_named(game, row[PILE]).split()
    zones = (*hands, Zone("pile", shown=tuple(pile)) if viewer == EVERYTHING else Zone("pile", hidden=len(pile)))
    numbers = {"HP": tuple(row[HANDS + 2 * players : HANDS + 3 * players])} if game.hp > 0 else {}
    numbers |= {"claim": (row[CLAIM],)} if row[CLAIM] > 0 else {}
    facts = {"rank": rank_name(row[RANK])}
    turns, is_whole = all_turns(game, state.history, row)
    events = [turn.told_to(game, viewer) for turn in turns]
    if not is_whole:
        known = mix(mix(row[PLAIN], row[REVEALS]), row[HANDS + 3 * players + max(viewer, 0)])
        facts["past"] = f"#{known & 0xFFFFFFFFFFFFFFFF:x}"
        events.append(last_turn(game, row).told_to(game, viewer))
    if row[WHO] == OVER:
        facts["end"] = ending(row[WINNER], viewer)
    found = Scene(viewer, row[WHO], "", zones, numbers, tuple(events), facts=facts)
    return found._replace(words=" | ".join(words(found, players)))


def dealing(hands: tuple[Zone, ...], viewer: int) -> str:
    return f"dealing: {' / '.join(map(hand_words, hands))}" if viewer == EVERYTHING else "dealing"


def words(scene: Scene, players: int) -> list[str]:
    """The parts of a line: A 3 | rank A, cards 2-1, pile 1, HP 3-3 | player 1: 1xA."""
    hands, pile = scene.zones[:players], scene.zones[players]
    shown = hands if scene.viewer == EVERYTHING else hands[scene.viewer : scene.viewer + 1]
    cards = f" ({' '.join(pile.shown)})" if pile.shown else ""
    table = [f"rank {scene.facts['rank']}", f"cards {by_seat(map(size_of, hands))}", f"pile {size_of(pile)}{cards}"]
    table += [f"HP {by_seat(scene.numbers['HP'])}"] if "HP" in scene.numbers else []
    turns = [f"{named(seat, scene.viewer)}: {what}" for seat, what in scene.events]
    past = [f"... {scene.facts['past']} ..."] if "past" in scene.facts else []  # before the last turn
    end = [scene.facts["end"]] if "end" in scene.facts else []
    return [" / ".join(map(hand_words, shown)), ", ".join(table), *turns[:-1], *past, *turns[-1:], *end]


def by_seat(values: Iterable[float]) -> str:
    return "-".join(map(str, values))


def size_of(zone: Zone) -> int:
    return len(zone.shown) + zone.hidden


def hand_words(zone: Zone) -> str:
    return " ".join(zone.shown) or "no cards"


def ending(winner: int, viewer: int) -> str:
    if winner >= 0:
        return f"won by {named(winner, viewer)}"
    return "a draw" if winner == -1 else f"lost by {named(-2 - winner, viewer)}"


def all_turns(game: "Cheat", history: Sequence[int], row: list[int]) -> tuple[list[Turn], bool]:
    """The turns from the first on, the one on the table too, and whether these are all of them."""
    if row[TURN] == 0:
        return [last_turn(game, row)] if row[CLAIM] > 0 else [], True
    turns: list[Turn] = []
    states = replay(game, history)
    for before, after in pairwise(states):
        if before[WHO] >= 0 and before[CLAIM] == 0:
            turns.append(last_turn(game, after))
        elif before[WHO] >= 0 and after[CLAIM] == 0:
            turns[-1] = last_turn(game, after)._replace(cards=before[LAST], taken=before[PILE])
    return turns, states[-1] == row


def replay(game: "Cheat", history: Sequence[int]) -> list[list[int]]:
    """Every state from the start, as far as turns are told, as lists: they are quicker than arrays."""
    states = [game.start().tolist()]
    for a in history:
        if states[-1][TURN] >= MOST_TOLD:
            break
        states.append(states[-1].copy())
        game.apply(states[-1], a)
    return states


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
