"""CFR before the flop for any number of players: each in turn learns from deals that are drawn for him.

An iteration takes the same deals whatever is preferred, so that styles differ by what is preferred and not by luck.
With three players or more CFR has no promise of an equilibrium; `gains.py` tells how far each is from the best.
"""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.compile import lean_kernel
from ruse.errors import FileTrouble, RuseError
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.horizon.many.drawn import room_for, worth_among
from ruse.horizon.many.seats import Seats
from ruse.horizon.preflop import NORMAL, Style
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING, FLOOR, NEGATIVE, POSITIVE
from ruse.store import tensors
from ruse.store.restoring import how_unlike

Array = NDArray[Any]
VERSION = 1


class SeatsSolver:
    """A solve, with a style at the first decision, by the weights of a rule; `deals` are drawn for each update.

    Boards are drawn, too, from some that are given or from all.
    """

    def __init__(
        self, game: Seats, solver: Solver, style: Style = NORMAL, *, deals: int = 50, seed: int = 0,
        boards: Sequence[Sequence[int]] = (),
    ) -> None:  # fmt: skip
        if deals < 1:
            raise RuseError(f"each update needs one deal at least, got {deals}")
        self.game, self.solver, self.style, self.deals, self.seed = game, solver, style, deals, seed
        self.regret, self.sums = (np.zeros((game.edges, STARTING_HANDS)) for _ in range(2))
        self.wish = game.lanes.offered.astype(np.float64)
        self.wish[: len(game.names[0])] *= style.deltas(game.names[0])
        self.rows, self.done, self.room = game.even(), 0, room_for(game, boards)
        self.is_torn = False  # interrupted in the middle of an iteration
        self.asked = (  # what the numbers hang on
            f"{solver!r}, {style!r}, {deals} deals, seed {seed}, menu {self.wish[: len(game.names[0])].tolist()}, "
            f"blueprint {zlib.crc32(game.lanes.shares.data):08x}"
        )
        if len(boards):
            self.asked += f", boards {zlib.crc32(self.room.boards.data):08x}"
        for p in range(game.players):
            self.match(p)

    def run(self, iterations: int) -> None:
        run_together([self], iterations)

    def learn(self, player: int, got: Array, weights: Any) -> None:
        """Add the regret of a player to his sums, and what he plays to his average."""
        game = self.game
        tax, four = self.style.beta * game.dealt, [weights[k] for k in (POSITIVE, NEGATIVE, FLOOR, FADING)]
        edges, tables = (game.owner, game.begin, game.after), (self.rows, self.regret, self.sums, np.ones_like(got))
        learn_edges(edges, tables, player, got, tax, np.array(four))

    def match(self, player: int) -> None:
        """What a player plays next."""
        game = self.game
        match_edges(game.owner, game.begin, player, self.regret, self.wish, self.rows)

    def average(self) -> Array:
        """[edge, hand] what comes of it."""
        return averaged(self.game, self.sums)

    def refuse_torn(self) -> None:
        if self.is_torn:
            raise RuseError(
                "this solve was interrupted in the middle of an iteration; restore a file, or start it anew"
            )

    def save(self, path: Path) -> None:
        self.refuse_torn()
        path.parent.mkdir(parents=True, exist_ok=True)
        about = {"format": tensors.format_name("seats", VERSION), "asked": self.asked}
        tensors.write(path, self.saved(), about, sealed=True)

    def saved(self) -> dict[str, Array]:
        """What a file has to hold."""
        return {"regret": self.regret, "sums": self.sums, "done": np.array([self.done])}

    def restore(self, path: Path) -> None:
        """Go on from a file, with the same bits as if nothing had happened."""
        metadata, arrays = tensors.read(path)
        tensors.check_format(metadata.get("format"), "seats", newest=VERSION, path=path)
        if metadata.get("asked") != self.asked:
            raise FileTrouble(f"{path} is of another solve before the flop; delete it")
        if unlike := how_unlike(arrays, self.saved()) or below_none(arrays):
            raise FileTrouble(f"{path} is no file of a solve before the flop, since {unlike}; delete it")
        self.regret, self.sums = np.array(arrays["regret"]), np.array(arrays["sums"])
        self.done, self.is_torn = int(arrays["done"][0]), False
        for p in range(self.game.players):
            self.match(p)


def below_none(arrays: Mapping[str, Array]) -> str | None:
    """What is below 0 that never is; None if nothing is."""
    return next((f"{name} has numbers below 0" for name in ("sums", "done") if (arrays[name] < 0).any()), None)


def run_together(solves: Sequence[SeatsSolver], iterations: int) -> None:
    """Go on with solves of one game on the same deals, as each would alone: deals are worked out once for all."""
    if not solves or len({id(one) for one in solves}) < len(solves):
        raise RuseError("solves that go on together are one at least, and each of them once")
    first = solves[0]
    for one in solves:
        one.refuse_torn()
        if one.game is not first.game or (one.deals, one.seed, one.done) != (first.deals, first.seed, first.done):
            raise RuseError("solves that go on together are of one game, one number of deals and seed, and as far")
        if not np.array_equal(one.room.boards, first.room.boards):
            raise RuseError("solves that go on together are on the same boards")
    for _ in range(iterations):
        deals = range(first.done * first.deals, (first.done + 1) * first.deals)
        for one in solves:
            one.done, one.is_torn = one.done + 1, True
        for p in range(first.game.players):
            rows = np.array([one.rows for one in solves])
            got = worth_among(first.game, rows, p, deals, seed=first.seed, room=first.room)
            for one, each in zip(solves, got, strict=True):
                one.learn(p, each, one.solver.weighting.weights(one.done, 0.0))
                one.match(p)
        for one in solves:
            one.is_torn = False


def averaged(game: Seats, sums: Array) -> Array:
    """[edge, hand] the strategy of sums of what was played; sums of several solves make the mean of them."""
    found = game.even()
    for first, end in zip(game.begin[:-1].tolist(), game.begin[1:].tolist(), strict=True):
        total = sums[first:end].sum(axis=0)
        found[first:end] = np.where(total > 0.0, sums[first:end] / np.where(total > 0.0, total, 1.0), found[first:end])
    return found


@lean_kernel
def learn_edges(edges, tables, player, got, tax, weights):
    """One update of a player's regrets and sums. `got` becomes what edges are worth with all that comes after them."""
    owner, begin, after = edges
    rows, regret, sums, reach = tables
    positive, negative, floor, fading = weights
    for d in range(len(owner) - 1, -1, -1):
        if owner[d] == player:
            for h in range(got.shape[1]):
                value = 0.0
                for e in range(begin[d], begin[d + 1]):
                    value += rows[e, h] * got[e, h]
                got[after[d], h] += value  # after none: the last
                value += tax[h] if d == 0 else 0.0
                for e in range(begin[d], begin[d + 1]):
                    old = regret[e, h]
                    new = old * (positive if old > 0.0 else negative) + got[e, h] - value
                    regret[e, h] = max(new, floor)
    for d in range(len(owner)):
        if owner[d] == player:
            for e in range(begin[d], begin[d + 1]):
                for h in range(got.shape[1]):
                    reach[e, h] = reach[after[d], h] * rows[e, h]
                    sums[e, h] = sums[e, h] * fading + reach[e, h]


@lean_kernel
def match_edges(owner, begin, player, regret, wish, rows):
    """Regret matching, with what is preferred; what is wished for is played where nothing is regretted."""
    for d in range(len(owner)):
        if owner[d] == player:
            extra, offered = 0.0, 0.0
            for e in range(begin[d], begin[d + 1]):
                extra += max(wish[e] - 1.0, 0.0)
                offered += 1.0 if wish[e] > 0.0 else 0.0
            for h in range(rows.shape[1]):
                total = 0.0
                for e in range(begin[d], begin[d + 1]):
                    total += max(regret[e, h], 0.0) * wish[e]
                for e in range(begin[d], begin[d + 1]):
                    if total > 0.0:
                        rows[e, h] = max(regret[e, h], 0.0) * wish[e] / total
                    elif extra > 0.0:
                        rows[e, h] = max(wish[e] - 1.0, 0.0) / extra
                    else:
                        rows[e, h] = 1.0 / offered if wish[e] > 0.0 else 0.0
