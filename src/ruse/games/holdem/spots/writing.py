"""A spot as text, or as a table for a TOML file; both are read as the same spot."""

from typing import Any

from ruse.games.holdem.betting.bets import bets_text
from ruse.games.holdem.cards import names_of
from ruse.games.holdem.spots.spot import SEATS, STREETS, Spot
from ruse.protocol.values.fields import number_text

SEATED = range(len(SEATS))
KINDS = ("bets", "raises", "donks")
SHARES = {
    "threshold": "threshold",
    "add_all_in": "add all-in",
    "force_all_in": "force all-in",
    "merge": "merge",
    "rake": "rake",
    "rake_cap": "rake cap",
}


def spot_text(spot: Spot) -> str:
    """What a person would type: `holdem: board Qs Jh 2h, pot 50, ...`."""
    return f"holdem: {', '.join(f'{name} {value}' for name, value in spot_table(spot).items())}"


def spot_title(spot: Spot) -> str:
    """The same without ranges and bets."""
    return f"holdem: board {names_of(spot.board)}, pot {spot.pot}, stack {spot.stack}"


def spot_table(spot: Spot) -> dict[str, Any]:
    """By the words that stand before each part."""
    table: dict[str, Any] = {"board": names_of(spot.board), "pot": spot.pot, "stack": spot.stack}
    table |= dict(zip(SEATS, spot.ranges, strict=True))
    for kind in KINDS:
        table |= {name: bets_text(said) for name, said in _said(spot, kind).items()}
    for field, name in SHARES.items():
        if (share := getattr(spot, field)) != Spot._field_defaults[field]:
            table[name] = number_text(share)
    return table


def _said(spot: Spot, kind: str) -> dict[str, Any]:
    """The sizes of one kind in as few words as there can be: for all, by player, or by player and street."""
    every = {
        (player, street): getattr(spot.sizes[player][street], kind) for player in SEATED for street in spot.streets
    }
    every = {place: sizes for place, sizes in every.items() if sizes is not None}
    if not every:
        return {}
    if kind != "donks" and len(set(every.values())) == 1:
        return {kind: next(iter(every.values()))}
    said = {}
    for player, seat in enumerate(SEATS):
        own = {street: sizes for (owner, street), sizes in every.items() if owner == player}
        if len(own) == len(spot.streets) and len(set(own.values())) == 1:
            said[f"{seat} {kind}"] = next(iter(own.values()))
        else:
            said |= {f"{seat} {STREETS[street]} {kind}": sizes for street, sizes in own.items()}
    return said
