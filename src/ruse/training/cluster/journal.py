"""What has happened to a shard, on the disk of another machine: if the shard is lost, it is made again from this.

A copy of the shard in memory would halve what a cluster can hold, and a checkpoint would lose what came after it. So
the rows of some round are kept in a file, and behind them what every round since has added. When that has become longer
than the rows themselves, the shard is asked for its rows anew.
"""

import tempfile
from typing import IO, NamedTuple

import numpy as np

from ruse.solve.table.blocks import Array, PackedRows
from ruse.training.cluster.shard import Sent, ShardPast

PATIENCE = 1 << 26  # bytes of rounds that are kept before the shard is asked again, however small it is


class _Written(NamedTuple):
    """Where arrays are in the file."""

    place: int
    shapes: tuple[tuple[str, int], ...]


class Journal:
    """Keeps the past of one shard. Its file has no name, so nothing is left of it when the process ends."""

    def __init__(self) -> None:
        self.file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, it is kept
        self.begin(0, PackedRows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)))

    def begin(self, done: int, block: PackedRows) -> None:
        """Start with the rows of a shard after so many iterations."""
        self.close()
        self.file = tempfile.TemporaryFile(prefix="ruse-journal-")  # noqa: SIM115, it is kept
        self.done, self.start = done, self._write(block)
        self.own = self.file.tell()
        self.rounds: dict[int, list[tuple[int, _Written]]] = {}

    def close(self) -> None:
        """Forget everything."""
        self.file.close()

    def keep(self, after: int, *sent: Sent) -> bool:
        """Keep what was sent in the round that leads to `after` iterations; whether it is time to begin anew."""
        self.rounds[after] = [(one.number, self._write(one.block)) for one in sent]
        self.file.flush()
        return self.file.tell() > 2 * self.own + PATIENCE

    def past(self, upto: int) -> ShardPast:
        """All of it, up to the round that leads to so many iterations."""
        rounds = [(after, kept) for after, kept in sorted(self.rounds.items()) if self.done < after <= upto]
        sent = [[Sent(number, PackedRows(*self._read(place))) for number, place in kept] for _, kept in rounds]
        return ShardPast(
            self.done, PackedRows(*self._read(self.start)), tuple(zip((r[0] for r in rounds), sent, strict=True))
        )

    def last(self) -> int:
        """The iterations that it knows of."""
        return max(self.rounds, default=self.done)

    def _write(self, block: PackedRows) -> _Written:
        place = self.file.seek(0, 2)
        for array in block:
            self.file.write(np.ascontiguousarray(array).data)
        return _Written(place, tuple((array.dtype.str, len(array)) for array in block))

    def _read(self, written: _Written) -> list[Array]:
        self.file.seek(written.place)
        kinds = [(np.dtype(kind), length) for kind, length in written.shapes]
        return [np.frombuffer(self.file.read(kind.itemsize * length), kind) for kind, length in kinds]
