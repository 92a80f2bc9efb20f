"""k-means of histograms by the earth mover's distance, our own.

In one dimension that distance is the sum of the differences of the cumulative histograms, so a point is a cumulative
histogram. The sums of two points differ by no more than their distance: centres are kept in order of their sums, and
the nearest is looked for from a point's own sum outwards, until nothing nearer can come. Centres are means; the first
ones are drawn by k-means++ (Arthur and Vassilvitskii 2007). The same points and seed give the same centres.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.compile.rng import stream, uniform
from ruse.errors import RuseError

ROUNDS = 60  # at most
SETTLED = 0.001  # the share of points that change their cluster in the last round


class Centres(NamedTuple):
    """The centres of clusters in order of their sums, largest first: the weakest hands have most below each bin."""

    points: np.ndarray  # [centre, bin] float32
    sums: np.ndarray  # [centre] float32


def clustered(points: np.ndarray, count: int, seed: int, tell: Callable[[float], None] = lambda share: None) -> Centres:
    """The centres of so many clusters. `tell` hears which share of the rounds is done."""
    different = len(np.unique(points[: 50 * count], axis=0)) if len(points) else 0
    if different < count and len(np.unique(points, axis=0)) < count:
        raise RuseError(f"{count} buckets are too many: the hands have fewer different histograms; ask for fewer")
    points = np.ascontiguousarray(points, np.float32)
    sums = points.sum(axis=1, dtype=np.float32)
    centres = ordered(points[first_centres(points, sums, count, seed, np.zeros(count, np.int64))])
    cluster = np.full(len(points), -1)
    for i in range(ROUNDS):
        totals, sizes = np.zeros(centres.points.shape), np.zeros(count, np.int64)
        apart = np.zeros(len(points), np.float32)
        changed = assign(points, sums, centres, cluster, apart, totals, sizes)
        if changed <= SETTLED * len(points):
            break
        means = totals / np.maximum(sizes, 1)[:, None]
        lost = np.flatnonzero(sizes == 0)  # these begin again where points are worst off
        means[lost] = points[np.argsort(apart, kind="stable")[::-1][: len(lost)]]
        centres = ordered(means.astype(np.float32))
        tell((i + 1) / ROUNDS)
    return centres


def ordered(points: np.ndarray) -> Centres:
    """Centres in order."""
    sums = points.sum(axis=1, dtype=np.float32)
    order = np.argsort(-sums, kind="stable")
    return Centres(np.ascontiguousarray(points[order]), sums[order])


@compiled_function
def distance(a, b, limit):
    """The earth mover's distance of two points; where it is no less than the limit, any number that is not."""
    total = np.float32(0.0)
    for k in range(len(a)):
        total += abs(a[k] - b[k])
        if k & 7 == 7 and total >= limit:
            break
    return total


@compiled_function
def nearest(point, own, centres):
    """The nearest centre of a point whose sum is `own`, and how far it is."""
    count = len(centres.sums)
    low, high = 0, count  # the first centre whose sum is not above our own
    while low < high:
        middle = (low + high) // 2
        if centres.sums[middle] > own:
            low = middle + 1
        else:
            high = middle
    before, after = low - 1, low
    best, found = np.float32(np.inf), 0
    while before >= 0 or after < count:
        to_before = centres.sums[before] - own if before >= 0 else np.float32(np.inf)
        to_after = own - centres.sums[after] if after < count else np.float32(np.inf)
        if min(to_before, to_after) >= best:
            break
        if to_before < to_after:
            tried = before
            before -= 1
        else:
            tried = after
            after += 1
        there = distance(point, centres.points[tried], best)
        if there < best:
            best, found = there, tried
    return found, best


@kernel
def first_centres(points, sums, count, seed, chosen):
    """Draw the first centres: each point with a chance by the square of how far it is from those drawn before."""
    rng = np.zeros(1, np.uint64)
    stream(rng, seed, 0)
    apart = np.full(len(points), np.float32(np.inf))
    chosen[0] = int(uniform(rng) * len(points))
    for k in range(1, count):
        last, total = chosen[k - 1], 0.0
        for i in range(len(points)):
            if abs(sums[i] - sums[last]) < apart[i]:
                there = distance(points[i], points[last], apart[i])
                if there < apart[i]:
                    apart[i] = there
            total += np.float64(apart[i]) ** 2
        left, i = uniform(rng) * total, -1
        while left >= 0 and i + 1 < len(points):
            i += 1
            left -= np.float64(apart[i]) ** 2
        while apart[i] == 0:  # rounding took us past the last one
            i -= 1
        chosen[k] = i
    return chosen


@kernel
def assign(points, sums, centres, cluster, apart, totals, sizes):
    """Put each point into the cluster of the nearest centre; returns how many have changed theirs."""
    changed = 0
    for i in range(len(points)):
        found, apart[i] = nearest(points[i], sums[i], centres)
        changed += found != cluster[i]
        cluster[i] = found
        sizes[found] += 1
        for k in range(points.shape[1]):
            totals[found, k] += points[i, k]
    return changed
