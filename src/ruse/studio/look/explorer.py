"""The explorer: any node of any game, with what one strategy or two do there."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel

from ruse.catalog.likeness import is_same
from ruse.errors import RuseError
from ruse.evaluate.explaining.explain import compare
from ruse.evaluate.explaining.guide import NamedPlace, TreeGuide, TreeNode, alike
from ruse.protocol.game import EVERYTHING
from ruse.protocol.scene import scene_of
from ruse.store.records import plain as plainly
from ruse.studio.answers import Clash
from ruse.studio.look.sources import USUAL, SourceId, Sources, StrategySource, sources_of

router = APIRouter(prefix="/api/explorer", tags=["explorer"])

ALIKE = 0.0005  # a distance that three digits do not show
MOST = 300  # actions of a node that are told
FOUND = 30

Kept = Annotated[Sources, Depends(sources_of)]
PlaceText = Annotated[str, Query(pattern=r"^(\d{1,6}(\.\d{1,6})*)?$", max_length=8_000, description="as 0.3.1")]


class SourceList(BaseModel):
    """What can be looked at."""

    sources: list[StrategySource]
    games: list[str]


class NodeStep(BaseModel):
    """A move on the way to a node."""

    player: int  # -1: chance
    name: str
    place: str  # of the node after it


class NodeAction(BaseModel):
    """What can be done at a node, or can happen there."""

    name: str
    place: str
    probability: float | None
    value: float | None = None  # to the player who acts
    lost: float | None = None  # against the best
    regret: float | None = None  # that training has added up


class NodeDeal(BaseModel):
    """What the player would do with other cards."""

    name: str
    place: str
    probability: list[float]
    here: bool


class NodeDeals(BaseModel):
    """What another outcome of a chance move would have led to."""

    step: int
    instead_of: str
    deals: list[NodeDeal]


class NodeSide(BaseModel):
    """What one strategy does at a node."""

    source: StrategySource
    actions: list[NodeAction]
    reach: float | None  # how often play comes to this infoset
    way: float | None  # how often to this very history
    met: bool  # whether the strategy knows the infoset
    mean: float | None  # what its mix is worth
    deals: list[NodeDeals]
    valued: bool  # whether the game is small enough for values
    distance: float | None = None  # to the first, as the share of play that differs


class ExplorerNode(BaseModel):
    """A node of a game's tree, seen by somebody from whom nothing is hidden."""

    kind: Literal["decision", "chance", "end"]
    place: str
    player: int  # -1: chance, -2: nobody, the game is over
    players: int
    name: str  # of the infoset; else all that there is to see
    words: str  # all that there is to see
    steps: list[NodeStep]
    more: int  # actions that are left out, because there are too many
    payoffs: list[float]
    scene: dict[str, Any]
    sides: list[NodeSide]


class FoundPlace(BaseModel):
    """An infoset that was looked for, with a way that leads there."""

    name: str
    player: int | None
    place: str
    actions: list[str]
    probability: list[float]
    reach: float
    alike: int  # others that differ in suits alone, and are played the same


class FoundPlaces(BaseModel):
    """What a text may mean."""

    count: int
    places: list[FoundPlace]
    way: str | None  # the place that the text leads to, if it is a list of moves
    trouble: str | None  # why nothing was found


class FoundDifference(BaseModel):
    """An infoset at which two strategies differ."""

    name: str
    player: int | None
    place: str | None
    reach: float  # the mean of both
    distance: float
    actions: list[str]
    ours: list[float]
    theirs: list[float]
    alike: int = 0  # others that differ in suits alone, and are played the same by both


class FoundDifferences(BaseModel):
    """Where two strategies differ, where it matters most first."""

    count: int
    differences: list[FoundDifference]


@router.get("/sources")
def sources_list(sources: Kept) -> SourceList:
    """The strategies in the folder of runs, and games that can be looked at without any."""
    return SourceList(sources=sources.every(), games=list(USUAL))


@router.get("/node")
def node(sources: Kept, source: SourceId, place: PlaceText = "", other: SourceId | None = None) -> ExplorerNode:
    """A node by the moves that lead there, with what one strategy does, or two."""
    guide, moves = sources.guide(source), moves_of(place)
    found = guide.node(moves)
    state = found.state
    sides = [side_of(sources.source(source), guide, found, place)]
    if other is not None:
        theirs = sources.guide(other)
        if not is_same(guide.game, theirs.game):
            raise Clash(f"{other} is not of the same game, so the two cannot stand side by side")
        beside = side_of(sources.source(other), theirs, theirs.node(moves), place)
        beside.distance = distance(sides[0], beside)
        sides.append(beside)
    kind: Literal["decision", "chance", "end"] = "end" if state.is_over else "chance" if state.is_chance else "decision"
    return ExplorerNode(
        kind=kind, place=place, player=state.player, players=state.game.players, name=found.name,
        words=state.describe(EVERYTHING), more=max(0, len(found.actions) - MOST),
        steps=[NodeStep(player=step.player, name=step.name, place=text_of(step.moves)) for step in found.steps],
        payoffs=[float(x) for x in state.payoffs] if state.is_over else [], scene=told_scene(found), sides=sides,
    )  # fmt: skip


@router.get("/search")
def search(
    sources: Kept, source: SourceId, text: Annotated[str, Query(max_length=2_000)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = FOUND,
) -> FoundPlaces:  # fmt: skip
    """What is meant by a text that somebody has typed: an infoset by its words, or moves with commas between them."""
    guide, way, trouble = sources.guide(source), None, None
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        way = text_of(guide.followed(words)) if words else None
    except RuseError as error:
        trouble = str(error)
    try:
        count, places = guide.search(text, limit)
    except RuseError as error:
        return FoundPlaces(count=0, places=[], way=way, trouble=None if way is not None else trouble or str(error))
    told = [found_place(place) for place in places]
    return FoundPlaces(count=count, places=told, way=way, trouble=None if told or way is not None else trouble)


@router.get("/differences")
def differences(
    sources: Kept, source: SourceId, other: SourceId, limit: Annotated[int, Query(ge=1, le=500)] = 40
) -> FoundDifferences:
    """Where two strategies differ, those infosets first where it matters most."""
    guide = sources.guide(source)
    found = [
        one for one in compare(sources.strategy(source), sources.strategy(other))
        if one.distance >= ALIKE and one.weight > 0.0
    ]  # fmt: skip
    ways = {(place.player, place.name): text_of(place.moves) for place in guide.places} if found else {}
    told: dict[Any, FoundDifference] = {}
    for one in found:
        ours, theirs = [*one.ours.values()], [*one.theirs.values()]
        key = alike(one.player, one.name, ours, theirs)
        if key in told:
            told[key].alike += 1
        elif len(told) < limit:
            told[key] = FoundDifference(
                name=one.name, player=one.player, place=ways.get((one.player, one.name)), reach=one.weight,
                distance=one.distance, actions=[*one.ours], ours=ours, theirs=theirs,
            )  # fmt: skip
    return FoundDifferences(count=len(found), differences=list(told.values()))


# ---- from a guide's words to a page's --------------------------------------------------------------------------------


def moves_of(place: str) -> list[int]:
    return [int(move) for move in place.split(".")] if place else []


def text_of(moves: tuple[int, ...]) -> str:
    return ".".join(map(str, moves))


def side_of(source: StrategySource, guide: TreeGuide, found: TreeNode, place: str) -> NodeSide:
    before = f"{place}." if place else ""
    actions = [
        NodeAction(
            name=one.name, place=f"{before}{a}", probability=one.probability, value=one.value, lost=one.lost,
            regret=one.regret,
        )
        for a, one in enumerate(found.actions[:MOST])
    ]  # fmt: skip
    deals = [
        NodeDeals(
            step=group.step, instead_of=group.instead_of,
            deals=[
                NodeDeal(name=deal.name, place=text_of(deal.moves), probability=deal.probability, here=deal.is_here)
                for deal in group.deals
            ],
        )
        for group in found.deals
    ]  # fmt: skip
    is_decision = not found.state.is_chance and not found.state.is_over
    valued = is_decision and guide.strategy is not None and guide.is_small
    return NodeSide(
        source=source, actions=actions, reach=found.reach, way=found.way, met=found.met, mean=found.mean, deals=deals,
        valued=valued,
    )  # fmt: skip


def distance(ours: NodeSide, theirs: NodeSide) -> float | None:
    """Total variation: the share of play that differs."""
    pairs = [(a.probability, b.probability) for a, b in zip(ours.actions, theirs.actions, strict=True)]
    if any(a is None or b is None for a, b in pairs):
        return None
    return sum(abs((a or 0.0) - (b or 0.0)) for a, b in pairs) / 2


def told_scene(found: TreeNode) -> dict[str, Any]:
    """All that there is to see, as data; without what is told elsewhere."""
    scene = scene_of(found.state, EVERYTHING).as_dict()
    for name in ("actions", "payoffs", "words"):
        del scene[name]
    told: dict[str, Any] = plainly(scene, finite=True)
    return told


def found_place(place: NamedPlace) -> FoundPlace:
    return FoundPlace(
        name=place.name, player=place.player, place=text_of(place.moves), actions=place.actions,
        probability=place.probability, reach=place.reach, alike=place.alike,
    )  # fmt: skip
