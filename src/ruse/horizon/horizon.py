"""How far a game is solved, and what is known of the rest: one value, from the words that a person types.

`card` is up to the next card that all see; `card:ways=4,factor=10,blueprint=2000,who=1` says in how many ways players
may go on after it, how strongly these are biased, how long the whole was solved that they are made of, and who chooses.
"""

from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.games.holdem.spots.spot import STREETS
from ruse.horizon.continuations import Leafs, biased
from ruse.protocol.game import Game, declared
from ruse.protocol.values.fields import make, number_text, parse_fields
from ruse.words.naming import named

CARD = "card"  # the one place at which games are cut
TURN = 4  # cards on the board
BOTH = 2  # who chooses at leaves, beside 0 and 1 for one player alone


class Horizon(NamedTuple):
    """Up to the next public card. What lies behind it is worth what a solve of the whole makes it, in several ways."""

    ways: int = 4  # to go on, for each player: as it is, raising, calling, folding more
    factor: float = 5.0  # how much more likely
    blueprint: int = 500  # iterations in the whole game, before those that are cut
    who: int = BOTH  # chooses: player 0, player 1, or both

    WORDS = {"who": {"both": BOTH}}  # type: ignore[misc] # noqa: RUF012 - an annotation would make it a field

    @property
    def leafs(self) -> Leafs:
        return Leafs(biased(self.ways, self.factor), (self.who != 1, self.who != 0))

    @property
    def told(self) -> str:
        """How many values a leaf has, in words."""
        alone = "" if self.who == BOTH else f", chosen by player {self.who} alone"
        return f"{self.ways} value{'s' * (self.ways > 1)} a leaf, factor {self.factor:g}{alone}"

    def __str__(self) -> str:
        """What a person types for it."""
        usual = Horizon._field_defaults
        said = [f"{name}={number_text(x)}" for name, x in self._asdict().items() if x != usual[name]]
        return f"{CARD}:{','.join(said)}" if said else CARD


def horizon_named(text: Any) -> Horizon:
    """The horizon that a text names.

    >>> horizon_named("card:ways=2")
    Horizon(ways=2, factor=5.0, blueprint=500)
    """
    name, _, fields = str(text).partition(":")
    if name != CARD:
        raise RuseError(f"a game is solved up to the next {CARD}, as in {CARD}:ways=4,factor=10, not up to {text!r}")
    found: Horizon = make(Horizon, CARD, parse_fields(fields) if fields else {})
    if found.blueprint < 1:
        raise RuseError(f"the blueprint of a horizon has at least 1 iteration, got {found.blueprint}")
    if found.who not in (0, 1, BOTH):
        raise RuseError(f"at a leaf player 0, player 1 or both choose: who is 0, 1 or both, got {found.who}")
    biased(found.ways, found.factor)  # which refuses what makes no sense
    return found


def why_not_cut(game: Game) -> str:
    """Why a game cannot be solved up to its next card, as far as that is seen at once; nothing if it can."""
    is_spot = declared(game, "stake") is not None
    if not is_spot and declared(game, "usual") is not None:  # it is sampled
        return (
            f"{named(game)} is too large to be solved up to a card by itself: of Hold'em a turn is, as a spot, and "
            "before the flop `ruse style` solves it on top of a blueprint"
        )
    if not is_spot:
        return "" if game.players == 2 else f"a horizon is for two players, and {named(game)} has {game.players}"
    spot: Any = game.spot  # type: ignore[attr-defined]
    if len(spot.board) != TURN:
        return f"a spot has a horizon on the turn, before the river, and this one begins on the {STREETS[spot.street]}"
    return "a spot with a rake has no horizon: leave the rake out" if spot.rake > 0.0 else ""
