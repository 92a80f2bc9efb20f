"""Strategy files that lie: each is refused in one sentence, wherever it is loaded, and none reaches a kernel."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Ruse

import ruse as api
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.against import Against
from ruse.evaluate.exploitability import exploitability
from ruse.solve.start.learned import Learned
from ruse.solve.table.table import Table
from ruse.store import tensors
from ruse.store.distributions import fault_in_tables
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded

KUHN = api.Kuhn()


@pytest.fixture
def kuhn(tmp_path: Path) -> Path:
    """A file with a strategy of Kuhn poker."""
    path = tmp_path / "kuhn.strategy"
    api.train(KUHN, api.cfr(), iterations=100).strategy.save(path)
    return path


def forge(path: Path, header: dict[str, str] | None = None, **tables: Any) -> None:
    """The same file with other tables, as somebody writes it who leaves the checksum out."""
    about, arrays = tensors.read(path)
    arrays = {name: np.array(array) for name, array in arrays.items()} | tables
    tensors.write(path, arrays, about | (header or {}))


# ---- tables ----------------------------------------------------------------------------------------------------------

SHARES = np.tile([0.25, 0.75], 12)
BAD = {
    "zeros": (0.0 * SHARES, "add up to 0, not to 1"),
    "not a number": (np.where(np.arange(24) == 5, np.nan, SHARES), "holds the probability nan"),
    "infinite": (np.where(np.arange(24) == 5, np.inf, SHARES), "add up to inf, not to 1"),
    "negative": (np.tile([-15.0, 16.0], 12), "holds the probability -15.0"),
    "unnormalised": (1.01 * SHARES, "add up to 1.01, not to 1"),
    "counts": (np.tile([1, 0], 12), "its table probability is 1-dimensional int64, not a list of float64"),
    "complex": (SHARES.astype(np.complex64), "1-dimensional complex64"),
    "half": (SHARES.astype(np.float16), "1-dimensional float16"),
    "a table": (SHARES.reshape(2, 12), "2-dimensional float64"),
    "too few": (SHARES[:-2], "do not fit together"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_probabilities_are_refused(kuhn: Path, case: str) -> None:
    probability, words = BAD[case]
    forge(kuhn, probability=probability)
    with pytest.raises(FileTrouble, match=words):
        Strategy.load(kuhn)
    with pytest.raises(FileTrouble, match=words):
        Strategy.load(kuhn, game=KUHN)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("keys", np.arange(12)),
        ("keys", np.arange(12, dtype=np.uint64).reshape(12, 1)),
        ("keys", np.zeros(12, np.uint64)),
        ("keys", np.arange(12, dtype=np.uint64)[::-1]),
        ("start", np.arange(0, 25, 2, dtype=np.int32)),
        ("start", np.arange(0, 25, 2, dtype=np.float64)),
        ("start", np.arange(0, 25, 2).reshape(1, 13)),
        ("start", np.zeros(0, np.int64)),
        ("start", np.array([0, *range(4, 25, 2), 2])),
        ("start", np.array([-2, *range(2, 25, 2)])),
        ("start", np.array([0, -(1 << 62), *range(4, 25, 2)])),
        ("start", np.array([0, 1 << 62, *range(4, 25, 2)])),
    ],
)
def test_bad_places_are_refused(kuhn: Path, name: str, table: np.ndarray) -> None:
    forge(kuhn, **{name: table})
    with pytest.raises(FileTrouble, match="is not a whole strategy file: its"):
        Strategy.load(kuhn)


def test_single_precision_is_near_enough(kuhn: Path) -> None:
    whole = Strategy.load(kuhn)
    forge(kuhn, probability=np.array(whole.probability, np.float32))
    again = Strategy.load(kuhn)
    assert again.probability.dtype == np.float64
    assert float(exploitability(KUHN, again)) == pytest.approx(float(exploitability(KUHN, whole)), abs=1e-6)


def test_what_nobody_could_load_is_not_saved(tmp_path: Path) -> None:
    bad = Strategy(KUHN, np.zeros(1, np.uint64), np.array([0, 2]), np.array([np.nan, 1.0]))
    with pytest.raises(RuseError, match="cannot be saved: it holds the probability nan"):
        bad.save(tmp_path / "a")
    assert not list(tmp_path.iterdir())
    Strategy.uniform(KUHN).save(tmp_path / "a")
    assert len(Strategy.load(tmp_path / "a")) == 0


def test_nothing_is_wrong_with_long_rows() -> None:
    n = 100_000
    shares = np.full(n, 1.0 / n)
    tables = {"keys": np.zeros(1, np.uint64), "start": np.array([0, n]), "probability": shares}
    assert fault_in_tables(tables) is None
    assert fault_in_tables(tables | {"probability": shares.astype(np.float32)}) is None


@pytest.mark.parametrize(
    "about", ["[]", '{"iterations": "x"}', '{"iterations": -1}', '{"exploitability": []}', "[" * 9999]
)
def test_other_accounts_of_how_it_was_made(kuhn: Path, about: str) -> None:
    forge(kuhn, {"about": about})
    with pytest.raises(FileTrouble, match=r"its header (is damaged|does not say how it was made)"):
        Strategy.load(kuhn)


# ---- the number of actions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 3, 40])
def test_another_number_of_actions_than_the_game_has(solved: Ruse, tmp_path: Path, width: int) -> None:
    path = tmp_path / "kuhn.strategy"
    keys = np.array(Strategy.load(path).keys)
    shares = np.full(len(keys) * width, 1.0 / width)
    forge(path, start=np.arange(len(keys) + 1) * width, probability=shares)
    strategy = Strategy.load(path)
    root = api.State.of(KUHN).child(0).child(0)
    for call in (
        lambda: strategy.at(root),
        lambda: exploitability(KUHN, strategy),
        lambda: api.match(KUHN, [strategy, api.RandomBot()], deals=2),
        lambda: api.lower_bound(KUHN, strategy, iterations=2, deals=2),
    ):
        with pytest.raises(RuseError, match="does not fit"):
            call()
    for words in ("show", "evaluate", "match random --deals 2", "evaluate --lower-bound 2"):
        command, *rest = words.split()
        result = solved(command, "kuhn.strategy", *rest, typed=("p", "p"))
        assert result.code == 2, words
        assert "does not fit" in result.err
    result = solved("play", "kuhn.strategy", "--games", "1", typed=("p", "p"))  # who sits there hears no more
    assert (result.code, "kuhn.strategy has failed as player" in result.err) == (2, True)
    against = Against.of(KUHN, 0, strategy)
    assert against.chance(root.child(0).row, 1) == 0.5  # in bounds


def test_a_start_from_rows_that_do_not_fit() -> None:
    """A training that starts from a strategy takes its rows over; none may be wider than a table can hold."""
    learned = Learned(np.zeros(1, np.uint64), np.array([0, 70_000]), np.zeros(70_000), np.zeros(70_000))
    with pytest.raises(RuseError, match="an infoset with 70,000 actions is too wide"):
        learned.into(Table.empty())
    expanded = Expanded.of(KUHN)
    keys = np.sort(expanded.keys)
    learned = Learned(keys, 3 * np.arange(len(keys) + 1), np.zeros(3 * len(keys)), np.zeros(3 * len(keys)))
    with pytest.raises(RuseError, match="does not fit Kuhn"):
        learned.on(expanded)


# ---- the checksum ----------------------------------------------------------------------------------------------------


def test_every_flipped_bit_is_found(kuhn: Path) -> None:
    whole, probability = kuhn.read_bytes(), Strategy.load(kuhn).probability.tobytes()
    name = whole.index(b"sha256")
    for place in range(0, len(whole), 3):
        kuhn.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        if 0 <= place - name < len("sha256"):  # then there is none, and nothing else has changed
            with suppress(FileTrouble):
                assert Strategy.load(kuhn).probability.tobytes() == probability
            continue
        with pytest.raises(FileTrouble, match=r"kuhn\.strategy"):
            Strategy.load(kuhn)


def test_a_flipped_probability_is_called_damage(kuhn: Path) -> None:
    whole = kuhn.read_bytes()
    kuhn.write_bytes(whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:])  # the last bit of a number: nothing else tells
    with pytest.raises(FileTrouble, match="does not have the sha256 that its header names; get another copy"):
        Strategy.load(kuhn)


def test_files_of_older_versions_have_none(kuhn: Path) -> None:
    whole = Strategy.load(kuhn)
    forge(kuhn)
    assert b"sha256" not in kuhn.read_bytes()
    again = Strategy.load(kuhn)
    assert again.probability.tobytes() == whole.probability.tobytes()


def test_a_flipped_bit_in_the_name_of_the_checksum_is_noticed(kuhn: Path) -> None:
    """The file passed for one of an older version, and nothing else in it was compared with anything."""
    whole = kuhn.read_bytes()
    place = whole.index(b'"sha256":') + 1
    for byte in range(place, place + len("sha256")):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[byte] ^= 1 << bit
            kuhn.write_bytes(damaged)
            with pytest.raises(FileTrouble, match="is damaged"):
                Strategy.load(kuhn)


def test_a_header_may_talk_of_checksums(tmp_path: Path) -> None:
    metadata = {"note": f'"sha256":"{tensors.UNSEALED}"', "and": '\\"sha256":"0'}
    tensors.write(tmp_path / "a", {"sha256": np.arange(3)}, metadata, sealed=True)
    found, arrays = tensors.read(tmp_path / "a")
    assert found == metadata
    assert arrays["sha256"].tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="'sha256' is the checksum"):
        tensors.write(tmp_path / "b", {}, {"sha256": "x"})
