"""Three ways to play Cheat, and a game of choosing between them: honest, liar and sceptic.

Each is a bot that knows no more than the table shows now. They differ in two things: whether one lays cards that are
not of the rank, and whether one challenges what may be true.
"""

from functools import partial
from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.games.cheat.bots import honest_discard
from ruse.games.cheat.cards import cards_in_play, discard_number, join, most_cards, width
from ruse.games.cheat.observation import BLOCKS, CHALLENGING, LAID, LAID_AS, PHASE, SEEN_RANK
from ruse.hierarchy.hierarchy import Hierarchy
from ruse.hierarchy.points import EveryTurns
from ruse.protocol.game import Game

BELIEVE, CHALLENGE = 0, 1
NAMES = {(False, False): "honest", (True, False): "liar", (False, True): "sceptic", (True, True): "cynic"}


@compiled("watch", "decide")
class Manner(NamedTuple):
    """A way to play, by two answers: whether it lies, and whether it challenges what may be true."""

    lies: bool = False
    doubts: bool = False

    @property
    def name(self) -> str:
        return NAMES[bool(self.lies), bool(self.doubts)]

    def memory_size(self, game: Game) -> int:
        return 0

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        if seen[PHASE] == CHALLENGING:
            return CHALLENGE if self.doubts or is_certain(game, seen) else BELIEVE
        return full_discard(game, seen) if self.lies else honest_discard(game, seen)


# The truth if it can be told, and challenges to what cannot be true; as many cards as may be laid; doubt of all claims.
Honest, Liar, Sceptic = partial(Manner), partial(Manner, lies=True), partial(Manner, doubts=True)


@compiled_function
def is_certain(game, seen):
    """Whether a claim is a lie for sure: too many of these cards are in the own hand."""
    return seen[BLOCKS + seen[LAID_AS]] + seen[LAID] > game.copies


@compiled_function
def full_discard(game, seen):
    """As many cards as may be laid at once: those of the current rank, then those that are not needed for longest."""
    ranks, rank, bits, hand, chosen = game.ranks, seen[SEEN_RANK], width(game.copies), 0, 0
    for r in range(ranks):
        hand += seen[BLOCKS + r] << bits * r
    left = most_cards(game)
    for k in range(ranks):
        ahead = ranks - k if k > 0 else 0
        r = rank + ahead if rank + ahead < ranks else rank + ahead - ranks
        laid = min(seen[BLOCKS + r], left)
        chosen += laid << bits * r
        left -= laid
    return discard_number(game, hand, rank, chosen)


@compiled("feature")
class AtTable(NamedTuple):
    """The claim, own cards of this rank and of the next one of one's own, all sizes and HP from the own seat on."""

    nothing: int = 0

    def feature(self, game, seen, me):
        players, ranks = game.players, game.ranks
        bits, sized, points = width(game.copies), width(cards_in_play(game)), width(max(game.hp, 0) + 1)
        rank, turn = seen[SEEN_RANK], players
        if seen[PHASE] == CHALLENGING:
            rank, turn = seen[LAID_AS], 1
        fits = 1 + 2 * bits + (1 + players) * sized + players * points <= 46  # policies take the rest
        key = join(0 + (seen[PHASE] == CHALLENGING), seen[LAID] if seen[PHASE] == CHALLENGING else 0, sized, fits)
        key = join(key, seen[BLOCKS + rank], bits, fits)
        key = join(key, seen[BLOCKS + (rank + turn) % ranks], bits, fits)
        p = me
        for _ in range(players):
            key = join(key, seen[BLOCKS + 2 * ranks + p], sized, fits)
            key = join(key, seen[BLOCKS + 2 * ranks + players + p] + 1, points, fits)
            p = p + 1 if p + 1 < players else 0
        return key

    def describe(self, game: Game, seen, me: int) -> str:
        players, ranks = game.players, game.ranks  # type: ignore[attr-defined]
        is_asked = seen[PHASE] == CHALLENGING
        rank = int(seen[LAID_AS] if is_asked else seen[SEEN_RANK])
        own, soon = seen[BLOCKS + rank], seen[BLOCKS + (rank + (1 if is_asked else players)) % ranks]
        seats = [(me + k) % players for k in range(players)]
        words = [
            f"challenge, {seen[LAID]} laid" if is_asked else "discard",
            f"{own} of this rank",
            f"{soon} of my next",
        ]
        words.append("cards " + "-".join(str(seen[BLOCKS + 2 * ranks + p]) for p in seats))
        if game.hp >= 0:  # type: ignore[attr-defined]
            words.append("HP " + "-".join(str(seen[BLOCKS + 2 * ranks + players + p]) for p in seats))
        return ", ".join(words)


class Manners(NamedTuple):
    """A view by which players choose to be honest, a liar or a sceptic, at every so many of their decisions."""

    every: int = 1
    recall: bool = False

    def refuse_unfit(self, game: Game) -> None:
        if self.every < 1:
            raise RuseError(f"every is a number of decisions, at least 1, got {self.every}")

    def hierarchy(self, game: Game) -> Hierarchy:
        points = EveryTurns(self.every)
        return Hierarchy.of(Honest(), Liar(), Sceptic(), points=points, features=AtTable(), recall=self.recall)
