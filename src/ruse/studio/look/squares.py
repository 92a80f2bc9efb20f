"""Squares of hands: a spot or a blueprint of Hold'em at any place, by kinds of hands and by hands."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from fastapi import APIRouter, Query
from pydantic import BaseModel

from ruse.errors import RuseError
from ruse.games.holdem.betting.paying import pot_of, to_call
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.ranges.cells import CELL_OF, CELLS, CLASSES, hand_name
from ruse.games.holdem.row import board_size, street_of
from ruse.games.holdem.spots.betting import ALL_INS, CALL, CHECK, FOLDS, SHOWDOWN
from ruse.games.holdem.spots.spot import SEATS
from ruse.games.holdem.telling.words import STREETS, blinds_text
from ruse.protocol.game import OVER
from ruse.spots.blueprints import DUE, blueprint_here
from ruse.spots.facts import equities_of, typed_hand, worth_of
from ruse.spots.grid import Grid
from ruse.spots.places import Here, here, place_after, stepped
from ruse.spots.places import SpotPlace as Place
from ruse.spots.strategy import SpotStrategy
from ruse.strategy import Strategy
from ruse.studio.answers import Clash
from ruse.studio.look.explorer import Kept
from ruse.studio.look.sources import SourceId, Sources, StrategySource

router = APIRouter(prefix="/api/squares", tags=["explorer"])

LineText = Annotated[str, Query(max_length=2_000, description="bets and cards: check, bet 25, call, 3c")]
CellName = Annotated[str, Query(pattern=r"^[2-9TJQKA]{2}[so]?$", description="a kind of hands: AKs, T9o, 77")]
BY_NAME = {kind.name: kind for kind in CLASSES}
NEVER = 1e-9  # a weight that is none
MoveKind = Literal["fold", "check", "call", "bet", "all-in"]


class SquareStep(BaseModel):
    """An action or cards on the way to a place."""

    name: str
    who: str  # a seat, or the street that cards begin
    line: str  # that leads to the place after it


class SquareMove(BaseModel):
    """What may be done."""

    name: str
    kind: MoveKind
    shade: float  # of bets, from the smallest, 0, to the largest, 1
    line: str
    share: float | None  # how often it is taken, over all hands that come here


class SquareCell(BaseModel):
    """A kind of hands."""

    name: str
    weight: float  # how much of it comes here, of 1
    mix: list[float]  # what it does; empty where none comes


class SquareSide(BaseModel):
    """How one strategy plays at a place."""

    source: StrategySource
    shares: list[float | None]  # how often each action is taken, over all hands
    cells: list[SquareCell]  # 169, row by row from the aces
    hands: float  # how many come here
    distance: list[float] | None = None  # [cell] to the first, as the share of play that differs


class ExplorerSquare(BaseModel):
    """A place of a spot or a blueprint."""

    kind: Literal["spot", "blueprint"]
    line: str
    steps: list[SquareStep]
    street: str
    board: list[str]
    pot: str
    to_call: str | None
    seat: str | None  # who acts; None where nobody does
    due: int  # cards that must be dealt now
    over: str | None  # how the hand ended, if it has
    free: list[str]  # cards that may be dealt
    moves: list[SquareMove]
    sides: list[SquareSide]


class SquareHand(BaseModel):
    """A hand of two cards."""

    name: str
    reach: float
    mix: list[float]
    equity: float | None = None
    values: list[float | None] | None = None  # of each action, in chips from here on


class SquareHands(BaseModel):
    """The hands of one kind, as each of the strategies plays them."""

    cell: str
    moves: list[str]
    sides: list[list[SquareHand]]


class SquareWorth(BaseModel):
    """What kinds of hands are worth here, and how often they win."""

    value: list[float | None]  # [cell] chips from here on
    equity: list[float | None]  # [cell]


class At(NamedTuple):
    """A place, whatever it is of."""

    here: Here
    board: tuple[int, ...]
    facts: dict[str, Any]
    worth: Callable[[], np.ndarray] | None  # [holding, action], where it can be told


@router.get("/place")
def square(sources: Kept, source: SourceId, line: LineText = "", other: SourceId | None = None) -> ExplorerSquare:
    """A place by the bets and cards that lead there."""
    at = found_at(sources, source, line)
    sides = [side_of(sources.source(source), at)]
    if other is not None:
        theirs = found_at(sources, other, at.facts["line"])
        if theirs.here.actions != at.here.actions or theirs.board != at.board or theirs.here.player != at.here.player:
            raise Clash(f"{other} has other moves here, so the two cannot stand side by side")
        sides.append(side_of(sources.source(other), theirs))
        sides[1].distance = distances(sides[0], sides[1])
    shares, shades = sides[0].shares, shades_of(at.here.actions)
    before = f"{at.facts['line']}, " if at.facts["line"] else ""
    moves = [
        SquareMove(name=name, kind=kind_of_move(name), shade=shades[a], line=f"{before}{name}", share=shares[a])
        for a, name in enumerate(at.here.actions)
    ]
    free = [name for card, name in enumerate(NAMES) if card not in at.board] if at.facts["due"] else []
    return ExplorerSquare(**at.facts, free=free, moves=moves, sides=sides)


@router.get("/hands")
def hands(
    sources: Kept, source: SourceId, cell: CellName, line: LineText = "", other: SourceId | None = None
) -> SquareHands:
    """The hands of one kind: what each does, what each action is worth to it, and how often it wins."""
    if cell not in BY_NAME:
        raise RuseError(f"there is no kind of hands {cell!r}; write the higher rank first, as in AKs, T9o or 77")
    first = found_at(sources, source, line)
    every = [first] + ([found_at(sources, other, line)] if other is not None else [])
    return SquareHands(
        cell=cell, moves=list(first.here.actions), sides=[hands_of(at, BY_NAME[cell].hands()) for at in every]
    )


@router.get("/hand")
def hand(
    sources: Kept, source: SourceId, hand: Annotated[str, Query(max_length=10)], line: LineText = ""
) -> SquareHands:
    """One hand, typed as AhKh."""
    at = found_at(sources, source, line)
    number = typed_hand(hand, at.board)
    return SquareHands(
        cell=CLASSES[int(CELL_OF[number])].name, moves=list(at.here.actions), sides=[hands_of(at, [number])]
    )


@router.get("/worth")
def worth(sources: Kept, source: SourceId, line: LineText = "") -> SquareWorth:
    """What all kinds of hands are worth at a place of a spot, and how often they win there."""
    at = found_at(sources, source, line)
    if at.worth is None or at.here.player < 0:
        raise RuseError("what hands are worth is known where somebody acts in a spot, not in a blueprint")
    weights = at.here.reach[at.here.player]
    own = np.where(weights > NEVER, 1.0, 0.0)
    value = np.nansum(at.worth() * at.here.rows, axis=1)
    return SquareWorth(value=by_cell(weights, value), equity=by_cell(weights, equities_of(own, at.here, at.board)))


# ---- places ----------------------------------------------------------------------------------------------------------


def found_at(sources: Sources, source: str, line: str) -> At:
    kind = sources.kind(source)
    if kind == "spot":
        return spot_at(sources.spot(source), line)
    if kind == "blueprint":
        return blueprint_at(sources.strategy(source), line)
    raise RuseError(f"{source} has no square of hands: it is neither a spot nor a blueprint of Hold'em")


def spot_at(strategy: SpotStrategy, line: str) -> At:
    game, place = strategy.game, place_after(strategy.game, line)
    at = here(strategy, place)
    steps, before = [], Place()
    for k, word in enumerate(place.line):
        player = int(game.who[before.node])
        before = stepped(game, before, word)
        who = SEATS[player] if player >= 0 else before.street(game)
        steps.append(SquareStep(name=word, who=who, line=", ".join(place.line[: k + 1])))
    put = game.put[place.node]
    owed = int(put.max() - put[at.player]) if at.player >= 0 else 0
    is_deal = at.player == -1
    ended = None if at.player >= -1 else "showdown" if at.player == SHOWDOWN else "fold"
    board = place.board(game)
    facts = {
        "kind": "spot", "line": ", ".join(place.line), "steps": steps, "street": place.street(game),
        "board": [NAMES[card] for card in board], "pot": str(place.pot(game)),
        "to_call": str(owed) if owed else None, "seat": SEATS[at.player] if at.player >= 0 else None,
        "due": 1 if is_deal else 0, "over": ended,
    }  # fmt: skip
    return At(at, board, facts, lambda: worth_of(strategy, at))


def blueprint_at(strategy: Strategy, line: str) -> At:
    game: Any = strategy.game
    at = blueprint_here(strategy, line)
    place = at.place
    steps = []
    for k, word in enumerate(place.line):
        before = blueprint_here(strategy, ", ".join(place.line[:k]))
        after = blueprint_here(strategy, ", ".join(place.line[: k + 1])).place.row
        who = f"seat {before.player}" if before.player >= 0 else STREETS[int(street_of(game, after))]
        steps.append(SquareStep(name=word, who=who, line=", ".join(place.line[: k + 1])))
    owed = to_call(game, place.row, at.player) if at.player >= 0 else 0
    facts = {
        "kind": "blueprint", "line": ", ".join(place.line), "steps": steps,
        "street": STREETS[int(street_of(game, place.row))], "board": [NAMES[card] for card in place.board],
        "pot": blinds_text(game, pot_of(game, place.row)), "to_call": blinds_text(game, owed) if owed > 0 else None,
        "seat": f"seat {at.player}" if at.player >= 0 else None,
        "due": DUE[int(board_size(game, place.row))] if at.player not in (OVER, *range(game.players)) else 0,
        "over": "the hand is over" if at.player == OVER else None,
    }  # fmt: skip
    return At(at, place.board, facts, None)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def side_of(source: StrategySource, at: At) -> SquareSide:
    if at.here.player < 0:
        return SquareSide(source=source, shares=[], cells=[], hands=0.0)
    grid = Grid.of(at.here)
    sizes = np.bincount(CELL_OF, minlength=CELLS)
    cells = [
        SquareCell(
            name=CLASSES[cell].name, weight=float(grid.weight[cell] / sizes[cell]),
            mix=grid.mix[cell].tolist() if grid.weight[cell] > NEVER else [],
        )
        for cell in range(CELLS)
    ]  # fmt: skip
    shares = [None if np.isnan(share) else float(share) for share in at.here.overall]
    return SquareSide(source=source, shares=shares, cells=cells, hands=float(grid.weight.sum()))


def distances(ours: SquareSide, theirs: SquareSide) -> list[float]:
    """[cell] total variation; 0 where one of the two never comes here with it."""
    return [
        float(np.abs(np.array(a.mix) - np.array(b.mix)).sum() / 2) if a.mix and b.mix else 0.0
        for a, b in zip(ours.cells, theirs.cells, strict=True)
    ]


def hands_of(at: At, numbers: list[int]) -> list[SquareHand]:
    """Those of these hands that come here."""
    if at.here.player < 0:
        raise RuseError("nobody acts here; deal a card, or leave the last action out")
    reach = at.here.reach[at.here.player]
    there = [number for number in numbers if reach[number] > NEVER]
    own = np.zeros(len(reach))
    own[there] = 1.0
    is_known = len(at.here.reach) == 2 and len(at.board) >= 3
    equity = equities_of(own, at.here, at.board) if there and is_known else np.full(len(reach), np.nan)
    worth = at.worth() if at.worth is not None and there else None
    return [
        SquareHand(
            name=hand_name(number), reach=float(reach[number]), mix=at.here.rows[number].tolist(),
            equity=known(equity[number]), values=None if worth is None else [known(x) for x in worth[number]],
        )
        for number in there
    ]  # fmt: skip


def by_cell(weights: np.ndarray, numbers: np.ndarray) -> list[float | None]:
    """[cell] the mean over the hands that come here."""
    weights = np.where(np.isnan(numbers), 0.0, weights)
    total = np.bincount(CELL_OF, weights, CELLS)
    sums = np.bincount(CELL_OF, weights * np.nan_to_num(numbers), CELLS)
    return [float(sums[k] / total[k]) if total[k] > NEVER else None for k in range(CELLS)]


def known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def kind_of_move(name: str) -> MoveKind:
    if name.startswith(ALL_INS):
        return "all-in"
    kinds: dict[str, MoveKind] = {FOLDS: "fold", CHECK: "check", CALL: "call"}
    return kinds.get(name, "bet")


def shades_of(actions: tuple[str, ...]) -> list[float]:
    """How large a bet is among those that there are."""
    bets = [name for name in actions if kind_of_move(name) == "bet"]
    return [bets.index(name) / max(len(bets) - 1, 1) if name in bets else 0.0 for name in actions]
