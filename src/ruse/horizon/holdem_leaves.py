"""What it is worth to see a flop, from a blueprint for two: by starting hands, and by how both go on.

Boards are drawn. On each, every hand of one player meets every hand of the other over all lines of betting at once, so
that nothing but the board is luck. Of the first player's hands one of each of the 169 kinds is dealt, which is enough,
since boards of all suits are drawn. Luck of the board is taken out by the equities, which are known exactly: what a
leaf is worth hangs on them nearly as on a straight line.

Sums over lines are exact (`GRID`). Rounded by the processor at hand they differed in the last bit from one kind of it
to another, and with its threads; after a solve with a style that had become a point of what is opened with.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import lean_kernel
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.lines import FOLD, Lines
from ruse.games.holdem.suits.deals import STARTING_HANDS, bit_of, starting_hands, word_of
from ruse.horizon.continuations import Leafs
from ruse.horizon.rest import ends_reached, summed
from ruse.store import tensors
from ruse.strategy import Strategy
from ruse.words.long_work import Tell, tell_listeners

Array = NDArray[Any]
SLICE = 20  # boards until they are kept, and it is told how far it has come
VERSION = 2
FEWEST_BOARDS, MOST_BOARDS = 2, 1 << 40
SLACK = 1e-3  # big blinds, for rounding
PAIRS = 12  # one holding of a kind against all of another
GRID = 2.0**-21  # of shares, and of big blinds: with stacks up to 2,000 sums of products need 53 bits, and are exact


class FlopLeaves(NamedTuple):
    """What leaves are worth to player 0, in big blinds."""

    nodes: tuple[int, ...]  # [leaf] which node of the lines
    worth: Array  # [leaf, choice of 0, choice of 1, starting hand of 0, starting hand of 1]
    boards: int
    error: float  # of an entry, one standard deviation: about


def flops_of(lines: Lines) -> list[int]:
    """The nodes at which the betting before the flop has ended, and more is to come."""
    before = [n for n in range(len(lines.who)) if lines.who[n] >= 0 and lines.street[n] == 0]
    return [c for n in before for c in lines.children(n) if lines.who[c] >= 0 and lines.street[c] > 0]


class LeafSums(NamedTuple):
    """Sums over boards, for the mean and for the line that luck is taken out by. All by starting hands."""

    dealt: Array  # [hand, hand] pairs of holdings that were dealt
    won: Array  # [hand, hand] how much the first was ahead at the showdown: 1 for a win, -1 for a loss
    worth: Array  # [leaf, choice, choice, hand, hand]
    both: Array  # [leaf, choice, choice] of products
    luck: Array  # [1] of squares of luck
    spread: Array  # [leaf, choice, choice] of squares of worth
    boards: Array  # [1]

    @classmethod
    def start(cls, leaves: int, ways: Sequence[int]) -> "LeafSums":
        square, shape = (STARTING_HANDS, STARTING_HANDS), (leaves, *ways)
        zeros = [np.zeros(size) for size in (square, square, (*shape, *square), shape, (1,), shape, (1,))]
        return cls(*zeros)


def flop_leaves(
    strategy: Strategy, leafs: Leafs, *, boards: int = 500, seed: int = 0, kept: Path | None = None,
    tell: Tell = tell_listeners, means: "Means | None" = None,
) -> FlopLeaves:  # fmt: skip
    """Leaf values from so many boards; they are kept in a file as they come, and gone on with from there.

    `means` makes them of the sums over boards: `flop_means` if it is not given, or `as_dealt`.
    """
    if boards < FEWEST_BOARDS:
        raise RuseError(f"boards must be at least {FEWEST_BOARDS}, got {boards}")
    bucketed = Bucketed.of_two(strategy)
    nodes = flops_of(bucketed.lines)
    if not nodes:
        raise RuseError("no bets are made after the flop in this game, so its leaves need no blueprint")
    of, most = made_of(strategy, leafs, seed), float(np.nanmax(np.abs(bucketed.lines.payoff)))
    tally = restored(kept, LeafSums.start(len(nodes), [len(leafs.of(p)) for p in range(2)]), of, most)
    for first in range(int(tally.boards[0]), boards, SLICE):
        for board in drawn_boards(seed, first, min(first + SLICE, boards)):
            add_board(tally, bucketed, nodes, leafs, board)
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            about = {"format": tensors.format_name("leaves", VERSION), "made_of": of}
            tensors.write(kept, {name: array for name, array in tally._asdict().items()}, about)
        tell(f"{boards:,} boards for the leaves", min(1.0, (first + SLICE) / boards))
    return (means or flop_means)(tally, nodes)


def drawn_boards(seed: int, first: int, last: int) -> Iterator[list[int]]:
    """Boards by number, the same in whatever slices they are drawn."""
    for k in range(first, last):
        yield np.random.default_rng([seed, k]).choice(CARDS, 5, replace=False).tolist()


def made_of(strategy: Strategy, leafs: Leafs, seed: int) -> str:
    """What sums over boards are made of, as a short hash: others are not gone on with."""
    told = f"{strategy.game!r} {leafs!r} {seed}"
    tables = strategy.keys.tobytes() + strategy.start.tobytes() + strategy.probability.tobytes()
    return hashlib.sha256(told.encode() + tables).hexdigest()[:16]


def restored(kept: Path | None, tally: LeafSums, of: str, most: float) -> LeafSums:
    """The sums in a file, if they are of the same; else those that are given. A hand wins `most` big blinds at most."""
    if kept is None or not kept.exists():
        return tally
    metadata, arrays = tensors.read(kept)
    tensors.check_format(metadata.get("format"), "leaves", newest=VERSION, path=kept)
    if {name: array.shape for name, array in arrays.items()} != {k: v.shape for k, v in tally._asdict().items()}:
        raise FileTrouble(f"{kept} holds leaf values of another game; delete it")
    if metadata.get("made_of") != of:
        raise FileTrouble(f"{kept} is of another blueprint, of other ways to go on or of another seed; delete it")
    if fault := fault_in_sums(found := LeafSums(**{name: np.array(array) for name, array in arrays.items()}), most):
        raise FileTrouble(f"{kept} cannot be gone on with, as {fault}; delete it")
    return found


def fault_in_sums(sums: LeafSums, most: float) -> str | None:
    """What no sums over boards can be; None if all is well."""
    for name, array in sums._asdict().items():
        if array.dtype != np.float64 or not np.isfinite(array).all():
            return f"{name} is not of finite numbers in 64 bits"
    boards = float(sums.boards[0])
    if not (boards.is_integer() and 0 <= boards < MOST_BOARDS):
        return f"it is of {boards:g} boards"
    if (sums.dealt < 0.0).any() or (sums.dealt > boards * PAIRS).any():
        return "more or fewer hands were dealt than so many boards have"
    if (np.abs(sums.won) > sums.dealt).any() or (np.abs(sums.worth) > (most + SLACK) * sums.dealt).any():
        return "more was won than can be"
    return "there are squares below 0" if (sums.luck < 0.0).any() or (sums.spread < 0.0).any() else None


def flop_means(tally: LeafSums, nodes: Sequence[int]) -> FlopLeaves:
    """The means, without the luck of the boards."""
    exact = 2.0 * starting_equities().equity - 1.0
    seen = np.maximum(tally.dealt, 1.0)
    mean, luck = tally.worth / seen, tally.won / seen
    weight = tally.dealt / tally.dealt.sum()
    # Slopes of worth on luck: of the boards' deviations from their means, for each leaf and pair of choices.
    among = tally.boards[0]
    varied = float(tally.luck[0] - (weight * luck**2).sum() * among)
    together = tally.both - (weight * mean * luck).sum(axis=(-2, -1)) * among
    slope = together / varied if varied > 0.0 else np.zeros_like(together)
    spread = tally.spread - (weight * mean**2).sum(axis=(-2, -1)) * among
    left = np.maximum(spread - slope * together, 0.0) / max(among - 1.0, 1.0)
    worth = mean - slope[..., None, None] * (luck - exact)
    worth = np.where(tally.dealt > 0.0, worth, 0.0)
    return FlopLeaves(tuple(nodes), worth, int(among), float(np.sqrt(left.mean() / among)))


def as_dealt(tally: LeafSums, nodes: Sequence[int]) -> FlopLeaves:
    """The means with the luck of the boards, as whoever is dealt these boards alone has them."""
    worth = tally.worth / np.maximum(tally.dealt, 1.0)
    return FlopLeaves(tuple(nodes), worth, int(tally.boards[0]), 0.0)


Means = Callable[[LeafSums, Sequence[int]], FlopLeaves]


# ---- one board -------------------------------------------------------------------------------------------------------


def add_board(tally: LeafSums, bucketed: Bucketed, nodes: Sequence[int], leafs: Leafs, board: list[int]) -> None:
    """Add what all leaves are worth on a board to the sums."""
    lines, cards, kinds = bucketed.lines, holding_cards(), starting_hands().astype(np.int64)
    free = np.asarray(~np.isin(cards, board).any(axis=1))
    second = np.flatnonzero(free)
    second = second[np.argsort(kinds[second], kind="stable")]
    _, one_of_each = np.unique(kinds, return_index=True)
    first = one_of_each[free[one_of_each]]
    bucket = buckets_on(bucketed, board)
    held = (first, second)
    ways = [leafs.of(p) for p in range(2)]

    def rows(n: int) -> list[Array]:
        p, street = int(lines.who[n]), int(lines.street[n])
        own = bucketed.rows(n)
        return [way.of(own, lines.names[n])[bucket[street, held[p]]] for way in ways[p]]

    strength = strengths_on(board).astype(np.int64)
    meets = ~(cards[first][:, None, :, None] == cards[second][None, :, None, :]).any(axis=(2, 3))
    sign = (np.sign(strength[first][:, None] - strength[second][None, :]) * meets).astype(np.float32)
    starts = np.flatnonzero(np.diff(kinds[second], prepend=-1))
    columns = kinds[second][starts]
    where = np.ix_(kinds[first], columns)
    count = np.add.reduceat(meets.astype(np.float64), starts, axis=1)
    luck = np.add.reduceat(sign, starts, axis=1)
    tally.dealt[where] += count
    tally.won[where] += luck
    share, met = count / count.sum(), np.maximum(count, 1.0)
    tally.luck[0] += float((share * (luck / met) ** 2).sum())
    tally.boards[0] += 1.0
    for k, leaf in enumerate(nodes):
        ends = ends_reached(lines, lines.who, leaf, rows, [len(first), len(second)], [len(w) for w in ways], np.float32)
        won, lost = (lines.payoff[ends.ends, j, 0] for j in range(2))
        shown = lines.who[ends.ends] != FOLD
        even = np.ones(len(shown), bool)
        worth = summed(ends, (won + lost) / 2.0, even, grid=GRID)  # at a fold both are the same
        worth = worth * meets + summed(ends, (won - lost) / 2.0, shown, grid=GRID) * sign
        by_hand = np.add.reduceat(worth, starts, axis=3).astype(np.float64)
        tally.worth[k][(slice(None), slice(None), *where)] += by_hand
        each = by_hand / met
        tally.both[k] += (share * each * (luck / met)).sum(axis=(2, 3))
        tally.spread[k] += (share * each**2).sum(axis=(2, 3))


def buckets_on(bucketed: Bucketed, board: Sequence[int]) -> Array:
    """[street, holding] the bucket of each holding, with as much of the board as lies there; up to its last street."""
    words = holding_words()
    lies = np.array([0, *(word_of(board[: street + 2]) for street in range(1, len(board) - 1))], np.int64)
    found = np.zeros((len(lies), len(words)), np.int64)
    fill_buckets(bucketed.view.cards, words, lies, found)
    return found


@cache
def holding_words() -> Array:
    """[holding] its two cards as a word (`games/holdem/suits`)."""
    return np.array([int(bit_of(high)) | int(bit_of(low)) for high, low in holding_cards().tolist()], np.int64)


@lean_kernel
def fill_buckets(cards, words, lies, out):
    """Write the bucket of each holding that a board does not block, street by street."""
    for street in range(len(lies)):
        for h in range(len(words)):
            out[street, h] = cards.bucket(words[h], lies[street]) if words[h] & lies[street] == 0 else 0
