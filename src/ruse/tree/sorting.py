"""Leaves in order: by one player's sequence, then by the others'; equal ones are added up.

Of all that is done with a game this takes the most memory, so nothing is copied that need not be. Many leaves are cut
into ranges of sequences that are sorted side by side: what comes out is the same, however many there are.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ruse.compile import kernel, lean_kernel
from ruse.spread.here import cores

MANY = 1_000_000  # leaves that are worth threads
RANGES = 16


def others_of(sequence: np.ndarray) -> np.ndarray:
    """The other players' sequences at each leaf, the leaves once for each player; from [player, leaf]."""
    players, leaves = sequence.shape
    others = np.empty((players, leaves, players - 1), np.uint32)
    for p in range(players):
        for column, q in enumerate(q for q in range(players) if q != p):
            others[p, :, column] = sequence[q]
    return others.reshape(players * leaves, players - 1)


def sort_leaves(
    own: np.ndarray, others: np.ndarray, value: np.ndarray, names: np.ndarray, sequences: int,
    chosen: np.ndarray | None = None, *, threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Leaves by own sequence, then the others'; those that agree in all are added up, those worth nothing left out.

    All sequences get new names, which are below `sequences`. Of all leaves only the chosen ones are taken.
    """
    count, threads = len(own) if chosen is None else len(chosen), threads or cores()
    leaf_start = np.zeros(sequences + 1, np.uint32)
    kept, added = np.empty((count, others.shape[1]), np.uint32), np.empty(count)
    if threads == 1 or count < MANY:
        order = np.arange(len(own), dtype=np.uint32) if chosen is None else chosen
        found = [sort_range(own, others, value, names, order, leaf_start, kept, added)]
        start = [0]
    else:
        every = chosen if chosen is not None else np.zeros(0, np.uint32)
        leaves = np.zeros(sequences, np.int64)
        count_names(own, names, every, chosen is None, leaves)
        before = np.concatenate([[0], np.cumsum(leaves)])
        del leaves
        cuts = np.unique(np.searchsorted(before, np.linspace(0, count, RANGES + 1)))
        cuts[-1] = sequences
        start = before[cuts[:-1]].tolist()

        def sorted_range(first: int, last: int) -> int:
            begin, end = int(before[first]), int(before[last])
            order = np.empty(end - begin, np.uint32)
            pick_names(own, names, every, chosen is None, first, last, order)
            return sort_range(own, others, value, names, order, leaf_start, kept[begin:end], added[begin:end])

        with ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(sorted_range, cuts[:-1].tolist(), cuts[1:].tolist()))
    done = 0
    for begin, some in zip(start, found, strict=True):
        if begin > done:  # close the gap
            kept[done : done + some], added[done : done + some] = (
                kept[begin : begin + some],
                added[begin : begin + some],
            )
        done += some
    kept.resize((done, others.shape[1]), refcheck=False)
    added.resize(done, refcheck=False)
    return np.cumsum(leaf_start, dtype=np.uint32), kept, added


def sort_range(
    own: np.ndarray, others: np.ndarray, value: np.ndarray, names: np.ndarray, order: np.ndarray,
    counts: np.ndarray, kept: np.ndarray, added: np.ndarray,
) -> int:  # fmt: skip
    """Sort some leaves, write each set of equal ones once and count it for its sequence; how many there are."""
    spare, sequences = np.empty_like(order), len(counts) - 1
    for column in reversed(range(others.shape[1])):
        counting_sort(others, column, names, order, spare, sequences)
        order, spare = spare, order
    counting_sort(own.reshape(-1, 1), 0, names, order, spare, sequences)
    return int(add_equal(own, others, value, names, spare, counts, kept, added))


@lean_kernel
def count_names(own, names, chosen, is_all, leaves):
    """How many leaves, of all or of those that are chosen, have each new name."""
    for n in range(len(own) if is_all else len(chosen)):
        leaves[names[own[n if is_all else np.int64(chosen[n])]]] += 1


@lean_kernel
def pick_names(own, names, chosen, is_all, first, last, order):
    """List the leaves whose names are first .. last."""
    found = 0
    for n in range(len(own) if is_all else len(chosen)):
        leaf = n if is_all else np.int64(chosen[n])
        if first <= names[own[leaf]] < last:
            order[found] = leaf
            found += 1


@kernel
def counting_sort(table, column, names, order, result, count):
    """A stable sort of `order` by names[table[order, column]], which are 0 .. count-1."""
    start = np.zeros(count + 1, np.int64)
    for k in order:
        start[names[table[k, column]] + 1] += 1
    for n in range(count):
        start[n + 1] += start[n]
    for k in order:
        name = names[table[k, column]]
        result[start[name]] = k
        start[name] += 1


@kernel
def add_equal(own, others, value, names, order, leaf_start, out_others, out_value):
    """Walk sorted leaves and write each set of equal ones once; return how many there are, and count them by name."""
    width = others.shape[1]
    leaves, k = 0, 0
    while k < len(order):
        head = order[k]
        total = 0.0
        same = True
        while same:
            total += value[order[k]]
            k += 1
            same = k < len(order) and names[own[order[k]]] == names[own[head]]
            for c in range(width):
                same = same and names[others[order[k], c]] == names[others[head, c]]
        if total != 0.0:
            for c in range(width):
                out_others[leaves, c] = names[others[head, c]]
            out_value[leaves] = total
            leaf_start[names[own[head]] + 1] += 1
            leaves += 1
    return leaves
