"""Different words of many: as NumPy finds them, whatever they are."""

import numpy as np
import pytest

from ruse.compile import distinct
from ruse.compile.distinct import count_distinct, numbered

RANDOM = np.random.default_rng(1)
WORDS = {
    "none": np.zeros(0, np.int64),
    "zeros": np.zeros(5, np.int64),
    "hashes": RANDOM.integers(-(2**63), 2**63 - 1, 300)[RANDOM.integers(0, 300, 2_000)],
    "small": RANDOM.integers(-3, 90, 1_000),
    "unsigned": RANDOM.integers(0, 2**64 - 1, 1_000, dtype=np.uint64),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_as_numpy_finds_them(words: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    assert count_distinct(words) == len(np.unique(words))
    monkeypatch.setattr(distinct, "MANY", 1)  # in heaps
    assert count_distinct(words) == len(np.unique(words))


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_numbers_are_those_of_first_places(words: np.ndarray) -> None:
    first, number = numbered(words)
    assert sorted(first.tolist()) == first.tolist()
    assert np.array_equal(words[first[number]], words)
    assert len(first) == len(np.unique(words))
    assert all(words[place] not in words[:place] for place in first)
