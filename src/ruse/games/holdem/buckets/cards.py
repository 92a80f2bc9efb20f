"""Buckets of hands by their cards: built once for each size, kept on disk, looked up by a number."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import cache_dir, compiled
from ruse.errors import FileTrouble, RuseError
from ruse.games.holdem.buckets.building import STREETS, built, kind_for, street_index, street_starts
from ruse.games.holdem.suits.deals import STARTING_HANDS, starting_names, word_of
from ruse.games.holdem.suits.index import SuitIndex
from ruse.store import tensors
from ruse.words.amounts import in_bytes
from ruse.words.long_work import Tell, tell_listeners

log = logging.getLogger(__name__)

USUAL = (200, 200, 200)  # buckets on flop, turn and river
MOST = 10_000  # buckets of a street
VERSION = 1  # of how buckets are built: another number, another file
SECONDS = 120  # of a processor, about


@compiled("bucket")
class CardBuckets(NamedTuple):
    """The buckets of all hands on all streets. Made by `card_buckets`."""

    flop: int
    turn: int
    river: int
    seed: int
    numbers: SuitIndex
    table: np.ndarray  # [number] bucket of that street

    def __repr__(self) -> str:
        return f"card_buckets({self[:3]}, {self.seed})"

    def __eq__(self, other: object) -> bool:
        """The table follows from the rest, and is long to compare."""
        return isinstance(other, CardBuckets) and self[:4] == other[:4]

    def __hash__(self) -> int:
        return hash(self[:4])

    def bucket(self, hole, board):
        """The bucket of two cards and a board of none, three, four or five, as words of 13 ranks a suit."""
        return np.int64(self.table[self.numbers.canonical_index(hole, board)])


class Kept(NamedTuple):
    """Buckets, and the mean equity in each of flop, turn and river."""

    cards: CardBuckets
    equity: tuple[np.ndarray, ...]

    def of(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The bucket of a hand."""
        return int(self.cards.bucket(word_of(hole), word_of(board)))

    def words(self, board: int, bucket: int) -> str:
        """What a bucket with so many cards on the board is called: AKs, or `bucket 137 (62 %)` with its equity."""
        if board == 0:
            return starting_names()[bucket]
        return f"bucket {bucket} ({self.equity[STREETS.index(board) - 1][bucket]:.0%})"


def told(counts: Sequence[int] = USUAL) -> str:
    """What building takes, to be said first."""
    size = street_starts()[-1] * np.dtype(kind_for(counts)).itemsize
    each = ", ".join(map(str, [STARTING_HANDS, *counts]))
    takes = f"{in_bytes(size)} on disk and in memory, some {SECONDS // 60} minutes of a processor"
    return f"building buckets of hands ({each}), once: {takes}"


def card_buckets(counts: Sequence[int] = USUAL, seed: int = 0, tell: Tell = tell_listeners) -> Kept:
    """The buckets of so many on flop, turn and river: those on disk, or new ones, which are kept there.

    `tell` hears what that takes first, then what is being built and how far it has come.
    """
    for name, count in zip(("flop", "turn", "river"), counts, strict=True):
        if not 1 <= count <= MOST:
            raise RuseError(f"the number of buckets on the {name} must be from 1 to {MOST:,}, not {count}")
    if not 0 <= seed < 1 << 32:
        raise RuseError(f"the seed of buckets must be from 0 to {(1 << 32) - 1:,}, not {seed}")
    key = (*counts, seed)
    if key not in _here:
        _here[key] = _kept(counts, seed, tell)
    return _here[key]


_here: dict[tuple[int, ...], Kept] = {}  # what this process has loaded


def place_of(counts: Sequence[int], seed: int) -> Path:
    """The file of such buckets, in the user's cache folder: it can be built again."""
    return cache_dir() / f"holdem-buckets-{'-'.join(map(str, counts))}-seed{seed}-v{VERSION}.safetensors"


def _kept(counts: Sequence[int], seed: int, tell: Tell) -> Kept:
    path = place_of(counts, seed)
    if path.exists():
        try:
            return _loaded(path, counts, seed)
        except FileTrouble as error:
            log.warning("%s; the buckets are built again", error)
    tell(told(counts), None)
    arrays = built(counts, seed, tell)
    try:
        with tensors.explaining("write", path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        tensors.write(path, arrays, {"format": tensors.format_name("buckets", VERSION)}, sealed=True)
        return _loaded(path, counts, seed)  # from disk, so that processes share the memory
    except FileTrouble as error:
        log.warning("%s; the buckets are not kept", error)
    return _made(arrays, counts, seed)


def _loaded(path: Path, counts: Sequence[int], seed: int) -> Kept:
    metadata, arrays = tensors.read(path)
    tensors.check_format(metadata.get("format"), "buckets", newest=VERSION, path=path)
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {"bucket": ((street_starts()[-1],), kind_for(counts))}
    shapes |= {name: ((count,), np.float64) for name, count in zip(("flop", "turn", "river"), counts, strict=True)}
    if {name: (array.shape, array.dtype.type) for name, array in arrays.items()} != shapes:
        raise FileTrouble(f"{path} holds other buckets than its name says")
    return _made(arrays, counts, seed)


def _made(arrays: dict[str, Any], counts: Sequence[int], seed: int) -> Kept:
    equity = tuple(np.asarray(arrays[name]) for name in ("flop", "turn", "river"))
    flop, turn, river = counts
    return Kept(CardBuckets(flop, turn, river, seed, street_index(), arrays["bucket"]), equity)
