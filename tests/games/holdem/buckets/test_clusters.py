"""k-means by the earth mover's distance: the nearest of all centres, better than where it began, the same each time."""

import numpy as np
import pytest

from ruse.compile import kernel
from ruse.errors import RuseError
from ruse.games.holdem.buckets.clusters import Centres, clustered, first_centres, nearest, ordered

BINS = 32


def histograms(number: int, seed: int = 0) -> np.ndarray:
    """Cumulative histograms of many shapes."""
    rng = np.random.default_rng(seed)
    counts = rng.random((number, BINS)) ** rng.integers(1, 40, (number, 1))
    return np.cumsum(counts / counts.sum(axis=1, keepdims=True), axis=1).astype(np.float32)


def apart(points: np.ndarray, centres: Centres) -> np.ndarray:
    return np.abs(points[:, None] - centres.points[None]).sum(axis=2)


@kernel
def all_nearest(points, sums, centres, found):
    for i in range(len(points)):
        found[i] = nearest(points[i], sums[i], centres)[0]


def test_the_nearest_is_the_nearest_of_all() -> None:
    points, centres = histograms(3000), ordered(histograms(40, 1))
    found = np.zeros(len(points), np.int64)
    all_nearest(points, points.sum(axis=1, dtype=np.float32), centres, found)
    every = apart(points, centres)
    assert len(set(found.tolist())) > 10
    np.testing.assert_allclose(every[np.arange(len(points)), found], every.min(axis=1), atol=1e-4)


def test_clusters_are_nearer_than_their_first_centres() -> None:
    points = histograms(4000)
    sums = points.sum(axis=1, dtype=np.float32)
    begun = ordered(points[first_centres(points, sums, 20, 7, np.zeros(20, np.int64))])
    centres = clustered(points, 20, 7)
    assert apart(points, centres).min(axis=1).mean() < 0.9 * apart(points, begun).min(axis=1).mean()
    assert (np.diff(centres.sums) <= 0).all()  # the weakest first
    again, other = clustered(points, 20, 7), clustered(points, 20, 8)
    assert (again.points == centres.points).all()
    assert not np.array_equal(other.points, centres.points)


def test_groups_that_lie_apart_are_found() -> None:
    rng = np.random.default_rng(2)
    group = rng.integers(0, 5, 1000)
    points = (np.arange(BINS) >= 6 * group[:, None]).astype(np.float32)
    centres = clustered(points, 5, 0)
    assert apart(points, centres).min(axis=1).max() == 0


def test_more_buckets_than_different_hands_are_refused() -> None:
    points = (np.arange(BINS) >= np.arange(100)[:, None] % 5).astype(np.float32)
    with pytest.raises(RuseError, match="6 buckets are too many"):
        clustered(points, 6, 0)
