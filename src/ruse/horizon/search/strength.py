"""How strong the agent that looks ahead is in whole hands, beside the blueprint that it searches from.

Before the flop both do the same. A flop is drawn with a turn and a river, and one of the lines that lead there, more
often where more is at stake. On it the agent solves every street below for all that it may hold, as at a table; then
both are known there, and what they win of each other in either seat is a sum over all pairs of holdings
(`evaluate/holdem/whole_ranges.py`). So boards and lines alone are luck, and what a blueprint wins from itself with
seats exchanged is 0 on each of them.

On the same boards local best responses play against both, all holdings at once. What these win is a lower bound on what
can be won from each.
"""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.holdem.pairs import HoldingPairs
from ruse.evaluate.holdem.rooms import STREETS
from ruse.evaluate.holdem.whole_ranges import LinesPart, LocalAnswers, RowsAt, respond, won_in_part
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.row import BOARD_CARDS
from ruse.horizon.holdem_leaves import flops_of
from ruse.horizon.search.agent import FLOP, Searching
from ruse.store import tensors
from ruse.words.long_work import Tell, tell_listeners
from ruse.words.student import margin, told_margin

Array = NDArray[np.float64]
VERSION = 2  # 1 did not say of which agent it was
SEATS = 2
# Up to which street it looks ahead; it plays the blueprint from the next one on. The first is the blueprint itself.
UP_TO = tuple(range(FLOP - 1, STREETS))


class Estimate(NamedTuple):
    """A mean in big blinds a hand, and half of its 95 % interval, by Student's distribution."""

    mean: float
    margin: float

    @classmethod
    def of(cls, each: Array) -> "Estimate":
        return cls(mean := float(each.mean()), margin(len(each), float(each.std(ddof=1)), mean))

    def __str__(self) -> str:
        return f"{1000 * self.mean:+z.0f} {told_margin(1000 * self.margin, '.0f')} mbb a hand"


class Strength(NamedTuple):
    """What was won on each spot, over how often it is drawn; means are big blinds a hand."""

    gains: Array  # [spot, up to] from the blueprint, mean of both seats
    locals: Array  # [spot, up to, raises from, seat] by local best responses, without what is over before the flop
    before: Array  # [raises from, seat] that part, which is exact
    seed: int

    def gain(self, up_to: int = -1) -> Estimate:
        """What the agent wins from the blueprint."""
        return Estimate.of(self.gains[:, up_to])

    def lost(self, raises_from: int, up_to: int = -1) -> Estimate:
        """What a local best response wins from the agent; up to 0: from the blueprint."""
        each = self.locals[:, up_to, raises_from].mean(axis=-1)
        found = Estimate.of(each)
        return found._replace(mean=found.mean + float(self.before[raises_from].mean()))

    def lost_more(self, raises_from: int, up_to: int = -1) -> Estimate:
        """What it wins from the agent beyond what it wins from the blueprint, on the same spots."""
        return Estimate.of((self.locals[:, up_to, raises_from] - self.locals[:, 0, raises_from]).mean(axis=-1))


class Approach(NamedTuple):
    """How blueprint and responses come to the flops: the same for everybody, so that it is worked out once."""

    flops: tuple[int, ...]  # nodes of the lines
    reach: Array  # [flop, seat, holding] of the blueprint
    own: Array  # [flop, seat, raises from, holding] of local best responses in that seat
    before: Array  # [raises from, seat] what they win where there is no flop
    odds: Array  # [flop] how often it is drawn

    @classmethod
    def of(cls, agent: Searching) -> "Approach":
        lines, on = agent.bucketed.lines, {0: HoldingPairs.before_the_flop()}
        part, flops = LinesPart.before_the_flop(lines, on), flops_of(lines)
        if not flops:
            raise RuseError("no bets are made after the flop in this game, so there is nothing to look ahead to")

        def rows(n: int) -> Array:
            return agent.blueprint_rows(n, [])

        alone = np.ones(HOLDINGS)
        reach = [part.reach(seat, rows, alone) for seat in range(SEATS)]
        firsts = range(STREETS)
        answers: list[LocalAnswers] = [
            respond(part, seat, rows, alone, np.ones((STREETS, HOLDINGS)), firsts) for seat in range(SEATS)
        ]
        mine = np.array([[each.reach[n] for each in answers] for n in flops])
        theirs = np.array([[each[n] for each in reach] for n in flops])
        # Where much is at stake, and somebody goes there: the blueprints, or one of the responses.
        meets = np.einsum("fh,hg,fg->f", theirs[:, 0], on[0].apart, theirs[:, 1])
        for seat in range(SEATS):
            meets += np.einsum("frh,hg,fg->f", mine[:, seat], on[0].apart, theirs[:, 1 - seat]) / STREETS
        stake = meets * [lines.paid[n].sum() for n in flops]
        before = np.stack([each.won for each in answers], axis=1)
        return cls(tuple(flops), theirs, mine, before, stake / stake.sum())


class DrawnSpot(NamedTuple):
    """A board, and which flop of the lines is played on it."""

    board: tuple[int, ...]
    flop: int  # which one of the approach

    @classmethod
    def drawn(cls, approach: Approach, seed: int, number: int) -> "DrawnSpot":
        rng = np.random.default_rng([seed, number])
        board = rng.choice(CARDS, BOARD_CARDS, replace=False).tolist()
        return cls(tuple(board), int(rng.choice(len(approach.flops), p=approach.odds)))


class OnSpot(NamedTuple):
    """What was won on one spot, times how often play comes to its flop; see `Strength`."""

    gains: Array
    locals: Array


def played_on(agent: Searching, approach: Approach, spot: DrawnSpot) -> OnSpot:
    """Agent and blueprint on a spot, against each other and against local best responses."""
    lines, board, k = agent.bucketed.lines, list(spot.board), spot.flop
    on = {street: HoldingPairs.on(board[: street + 2]) for street in range(FLOP, STREETS)}
    part = LinesPart.below(lines, approach.flops[k], on)
    plain = {n: agent.blueprint_rows(n, board) for n in part.decisions}
    ahead = {n: agent.rows(n, board) for n in sorted(part.decisions)}  # a line to its end before the next one

    def up_to(street: int) -> RowsAt:
        return lambda n: ahead[n] if lines.street[n] <= street else plain[n]

    start, gains = approach.reach[k], np.zeros(len(UP_TO))
    found = np.zeros((len(UP_TO), STREETS, SEATS))
    for j, street in enumerate(UP_TO):
        rows = up_to(street)
        gains[j] = (
            won_in_part(part, (rows, plain.__getitem__), start) - won_in_part(part, (plain.__getitem__, rows), start)
        ) / SEATS
        for seat in range(SEATS):
            own, theirs = approach.own[k, seat], start[1 - seat]
            found[j, :, seat] = respond(part, seat, rows, theirs, own, range(STREETS)).won
    return OnSpot(gains, found)


def strength(
    agent: Searching, *, spots: int, seed: int = 0, kept: Path | None = None, tell: Tell = tell_listeners
) -> Strength:
    """What the agent wins and loses on so many spots; they are kept in a file as they come, and gone on with there."""
    if spots < 2:
        raise RuseError(f"spots must be at least 2, got {spots}")
    approach, asked = Approach.of(agent), asked_of(agent, seed)
    gains, found = restored(kept, asked)
    for number in range(len(gains), spots):
        spot = DrawnSpot.drawn(approach, seed, number)
        each, odds = played_on(agent, approach, spot), approach.odds[spot.flop]
        gains = np.concatenate([gains, each.gains[None] / odds])
        found = np.concatenate([found, each.locals[None] / odds])
        keep(kept, gains, found, asked)
        tell(f"{spots:,} spots", (number + 1) / spots)
    return Strength(gains[:spots], found[:spots], approach.before, seed)


def asked_of(agent: Searching, seed: int) -> str:
    """What the numbers of a spot hang on."""
    blueprint = zlib.crc32(np.ascontiguousarray(agent.bucketed.sigma).data)
    return (
        f"seed {seed}, blueprint {blueprint:08x}, {agent.iterations} iterations, {agent.seconds:g} seconds, "
        f"{agent.leafs!r}"
    )


def restored(kept: Path | None, asked: str) -> Sequence[Array]:
    """What a file has of this measurement."""
    if kept is None or not kept.exists():
        return np.zeros((0, len(UP_TO))), np.zeros((0, len(UP_TO), STREETS, SEATS))
    metadata, arrays = tensors.read(kept)
    if tensors.check_format(metadata.get("format"), "strength", newest=VERSION, path=kept) < VERSION:
        raise FileTrouble(f"{kept} does not say of which blueprint it is; name another file")
    if metadata.get("asked") != asked:
        raise FileTrouble(f"{kept} was measured with {metadata.get('asked')}, not with {asked}; name another file")
    gains, found = (arrays.get(name, np.zeros(())) for name in ("gains", "locals"))
    if gains.shape[1:] != (len(UP_TO),) or found.shape != (len(gains), len(UP_TO), STREETS, SEATS):
        raise FileTrouble(f"{kept} is damaged: its arrays are not those of spots; delete it")
    return np.array(gains), np.array(found)


def keep(kept: Path | None, gains: Array, found: Array, asked: str) -> None:
    if kept is not None:
        about = {"format": tensors.format_name("strength", VERSION), "asked": asked}
        tensors.write(kept, {"gains": gains, "locals": found}, about, sealed=True)
