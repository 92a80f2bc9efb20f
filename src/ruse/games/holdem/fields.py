"""The fields of a hand of Hold'em: stacks by seat, games by name, and what is refused.

Amounts are in big blinds. A big blind has `chips` chips, which are what is paid and divided.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.errors import RuseError
from ruse.games.holdem.betting.menus import Menu, first_bets, menu
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.row import FEWEST, MOST

if TYPE_CHECKING:
    from ruse.games.holdem.rules import Holdem

LONGEST, FINEST = 1_000_000_000, 1_000_000  # chips of a stack, and of a big blind
MENUS = ("open", "reraise", "flop_bets", "flop_raises", "turn_bets", "turn_raises", "river_bets", "river_raises")
ANY_SIZE = {name: menu("any") for name in MENUS}


class Stacks(NamedTuple):
    """The stacks of the seats, the button first; all zero where all are the same."""

    seat_0: float = 0.0
    seat_1: float = 0.0
    seat_2: float = 0.0
    seat_3: float = 0.0
    seat_4: float = 0.0
    seat_5: float = 0.0

    def __str__(self) -> str:
        """As it stands among the fields of a game: without commas."""
        return "/".join(f"{stack:.10g}" for stack in self if stack) or "same"

    def __repr__(self) -> str:
        return f"stacks({str(self)!r})"


def stacks(text: Any) -> Stacks:
    """The stacks of a text such as `25/20/30`, in big blinds, the button first."""
    if isinstance(text, Stacks):
        return text
    words = str(text).strip().removeprefix("(").removesuffix(")")
    if words.strip().casefold() == "same":
        return Stacks()
    try:
        numbers = [float(word.casefold().removesuffix("bb")) for word in words.replace(",", "/").split("/")]
    except ValueError:
        numbers = []
    if not FEWEST <= len(numbers) <= MOST or not all(0 < number < math.inf for number in numbers):
        raise RuseError(f"stacks are big blinds by seat, the button first, as in 25/20/30, got {words!r}")
    return Stacks(*numbers)


READ = {  # fields that are typed as a text
    "stacks": stacks,
    **{name: first_bets if name in ("flop_bets", "turn_bets", "river_bets") else menu for name in MENUS},
}

THREE = {"players": 3, "open": menu("2bb, 3bb"), "cap": 3}
# Several fields at once. In games with "pre" the board is dealt without bets.
NAMED: dict[str, dict[str, Any]] = {
    "hu25": {"players": 2, "stack": 25.0},
    "hu20": {"players": 2, "stack": 20.0, "cap": 2},
    "hu100": {"players": 2, "stack": 100.0, "cap": 2},
    "hu_pre20": {"players": 2, "stack": 20.0, "streets": 1, "cap": 4},
    "hu_pre100": {"players": 2, "stack": 100.0, "streets": 1, "cap": 4},
    "three25": THREE | {"stack": 25.0},
    "three_pre20": THREE | {"stack": 20.0, "streets": 1},
    "three_pre100": THREE | {"stack": 100.0, "streets": 1},
    "any": {**ANY_SIZE, "all_in_from": 1.0},
}
# A strategy for the whole game: sampled, hands in buckets, as good as ten minutes make it.
BLUEPRINT = {"rule": "lcfr", "walk": "external", "prune": "threshold", "view": "buckets", "seconds": 600}


def refuse_bad_fields(game: "Holdem") -> None:
    """Raise with one sentence that names the value and the fix."""
    if not FEWEST <= game.players <= MOST:
        raise ValueError(f"players must be {FEWEST} to {MOST} in Hold'em, got {game.players}")
    if not 1 <= game.chips <= FINEST:
        raise ValueError(f"chips of a big blind must be 1 to {FINEST:,} in Hold'em, got {game.chips}")
    for name in MENUS:
        if not isinstance(getattr(game, name), Menu):
            raise ValueError(
                f"{name} of Hold'em is a menu, as in menu('2bb, 3bb, all-in'), got {getattr(game, name)!r}"
            )
    if game.open.first == 0 or game.reraise.first == 0 or game.flop_bets.first == 0 or game.flop_raises.first == 0:
        raise ValueError(
            "open, reraise, flop_bets and flop_raises have no street before; write none for no bets at all"
        )
    if game.ranks is not hand_ranks():
        raise ValueError("ranks of Hold'em are its tables of hands, which nobody needs to change; leave the field out")
    refuse_bad_stacks(game)
    for name, value, most in (
        ("small", game.small, 1.0),
        ("ante", game.ante, 100.0),
        ("big_ante", game.big_ante, 100.0),
    ):
        if not 0.0 <= value <= most or not is_whole(value * game.chips):
            raise ValueError(
                f"{name} of Hold'em must be 0 to {most:g} big blinds, and whole chips of {game.chips} a big blind, "
                f"got {value:g}"
            )
    if game.ante and game.big_ante:
        raise ValueError("ante is paid by all and big_ante by the big blind for all; Hold'em has one of them, not both")
    if not 1 <= game.streets <= 4:
        raise ValueError(f"streets with bets must be 1 to 4 in Hold'em, got {game.streets}")
    if not 0 <= game.cap <= 100:
        raise ValueError(f"cap of raises must be 0 (none) to 100 in Hold'em, got {game.cap}")
    if not 0.0 < game.all_in_from <= 1.0:
        raise ValueError(f"all_in_from is a share of the stack, above 0 and at most 1, got {game.all_in_from:g}")


def refuse_bad_stacks(game: "Holdem") -> None:
    if not isinstance(game.stacks, Stacks):
        raise ValueError(f"stacks of Hold'em are made from a text, as in stacks('25/20/30'), got {game.stacks!r}")
    given = [stack for stack in game.stacks if stack]
    if given and len(given) != game.players:
        raise ValueError(f"stacks of Hold'em must be {game.players}, one for each player, got {game.stacks!s}")
    for stack in given or [game.stack]:
        if not 0.0 < stack * game.chips <= LONGEST or not is_whole(stack * game.chips):
            raise ValueError(
                f"a stack in Hold'em must be whole chips, {game.chips} a big blind and at most {LONGEST:,}, "
                f"got {stack:g} big blinds"
            )


def is_whole(amount: float) -> bool:
    return abs(amount - round(amount)) < 1e-6
