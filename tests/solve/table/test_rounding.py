"""Sums in 32 bits: right on average at any size, in every way that they are written."""

import naive
import numpy as np
import pytest
from marks import compiled_only

import ruse
from ruse.compile import lean_kernel
from ruse.compile.rng import stream, uniform
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.table.writers import SPARE, Atomic, Fair, Plain, Unrounded


@lean_kernel
def add_often(writer, array, rng, times, x):
    """Add x to all slots so many times, with random numbers that move on as those of a walk do."""
    for t in range(times):
        stream(rng, 0, t)
        for k in range(len(array)):
            uniform(rng)
            writer.add(array, k, x)


@lean_kernel
def round_all(rounding, numbers):
    for k in range(len(numbers)):
        numbers[k] = rounding.rounded(numbers[k])


def test_up_or_down_in_proportion_to_what_is_left_over() -> None:
    numbers = np.array(
        [1.0, -3.0, 0.0, 2.0**24 + 2, -(2.0**100), 1.0 + 2.0**-25, -1.0 - 2.0**-25, 16777217.5, -1e9 - 7]
    )
    noise = [0, SPARE // 4, SPARE // 2, 3 * (SPARE // 4), SPARE]
    got = []
    for number in noise:
        state = np.array([number + (12345 << 29)], np.uint64)
        rounded = np.array([Fair(state).rounded(x) for x in numbers])
        compiled = numbers.copy()
        round_all(Fair(state), compiled)
        assert compiled.tolist() == rounded.tolist()
        assert rounded.astype(np.float32).tolist() == rounded.tolist(), "it fits into 32 bits"
        got.append(rounded)
    assert all(row[:5].tolist() == numbers[:5].tolist() for row in got), "what fits is left alone"
    # A quarter of a step is left over, a quarter, three quarters, and seven of 64 parts.
    step = np.array([2.0**-23, -(2.0**-23), 2.0, -64.0])
    up = (np.array(got)[:, 5:] - got[0][5:]) / step
    assert up.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1]]
    assert [Unrounded().rounded(x) for x in numbers] == numbers.tolist()


@compiled_only
@pytest.mark.parametrize("size", [24, 30, 40])
@pytest.mark.parametrize("kind", [Plain, Atomic])
def test_small_additions_to_large_sums_are_not_lost(kind: type, size: int) -> None:
    rng, start, times = np.zeros(1, np.uint64), 2.0**size, 20_000
    array = np.full(1_000, start, np.float32)
    add_often(kind(Fair(rng)), array, rng, times, 0.3)
    added, expected = float(array.astype(np.float64).sum() - start * len(array)), 0.3 * times * len(array)
    spread = np.sqrt(expected * 2.0 ** (size - 23))
    assert abs(added - expected) < 5 * spread < expected
    nearest = np.full(10, start, np.float32)
    add_often(kind(Unrounded()), nearest, rng, 10, 0.3)
    assert (nearest == start).all(), "which is what would happen"


def first_infosets(node: naive.Node) -> set[naive.Infoset]:
    """Where the first decision is taken."""
    return {node.infoset} if node.infoset is not None else set().union(*map(first_infosets, node.children))


@compiled_only
@pytest.mark.usefixtures("many_chunks")
@pytest.mark.parametrize("mode", ["plain", "threads", "shared"])
@pytest.mark.parametrize("walk", ["external", "outcome"])
def test_a_long_run_goes_on_adding(walk: str, mode: str) -> None:
    """From sums as they are after tens of millions of visits, and regrets so large that the strategy stays the same."""
    game, done, iterations = ruse.Kuhn(), 50_000_000, 300_000
    engine = SampledEngine(game, ruse.mccfr(walk), threads=None if mode == "plain" else 2, shared=mode == "shared")
    draw, rows, roots = np.random.default_rng(0), {}, []
    starts = first_infosets(naive.tree(game))
    for infoset, n in naive.infosets(naive.tree(game)).items():
        first = engine.table.row(np.uint64(naive.key_of(infoset)).astype(np.int64), n)
        sigma = draw.dirichlet(np.full(n, 3.0))
        engine.table.rows[first : first + n] = sigma * 2.0**40
        engine.table.rows[first + n : first + 2 * n] = 2.0**24
        rows[first + n, first + 2 * n] = sigma
        if infoset in starts:
            roots.append(first + n)
    engine.scratch.counters[0] = 10 * done
    for at in range(done, done + iterations, 10_000):
        engine.run(at, 10_000)
    total = 0.0
    for (start, end), sigma in rows.items():
        added = engine.table.rows[start:end].astype(np.float64) - 2.0**24
        error = 6 * np.sqrt(2 * added.sum())  # steps of two, each as likely as it should be
        assert np.abs(added - sigma * added.sum()).max() < error
        assert error < 0.05 * added.sum() or start not in roots
        total += added.sum() if start in roots else 0.0
    assert total == pytest.approx(iterations, rel=0.02), "one visit in each iteration"
