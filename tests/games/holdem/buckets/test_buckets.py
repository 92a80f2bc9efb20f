"""Buckets: each hand in that of the nearest centre or of its percentile, kept on disk with a checksum."""

import logging
from pathlib import Path

import numpy as np
import pytest

import ruse.games.holdem.buckets.cards as kept
from ruse.errors import RuseError
from ruse.games.holdem.buckets import building
from ruse.games.holdem.buckets.clusters import ordered
from ruse.games.holdem.buckets.equities import BINS, POINTS, room, work_out
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.suits.deals import deal_number, deal_of, word_of
from ruse.games.holdem.suits.index import suit_index


def test_each_hand_goes_to_the_nearest_centre() -> None:
    cards, ranks, own = building.TURN, hand_ranks(), room()
    boards, index = suit_index(0, cards), suit_index(2, cards)
    board = deal_of(9000, 0, cards)[1]
    work_out(ranks, word_of(board), 1, own)
    alive = np.flatnonzero(own.counts.sum(axis=1))
    points = (np.cumsum(own.counts[alive], axis=1) / own.counts[alive].sum(axis=1, keepdims=True)).astype(np.float32)
    centres = ordered(points[:: len(points) // 12])
    buckets, filled = np.zeros(index.size, np.uint8), np.zeros(index.size, np.bool_)
    street = building.Street(ranks, boards, 1)
    building.put_boards(street, index, np.array([9000]), room(), centres, buckets, filled)
    apart = np.abs(points[:, None] - centres.points[None]).sum(axis=2)
    for k in range(0, len(alive), 9):
        number = deal_number(holding_cards()[alive[k]].tolist(), board)
        assert filled[number]
        assert apart[k, buckets[number]] == pytest.approx(apart[k].min(), abs=1e-4)
    assert len(alive) / 2 < filled.sum() <= len(alive)  # holdings that differ in the names of suits are one


def test_the_river_is_cut_into_percentiles() -> None:
    ranks, index, boards = hand_ranks(), suit_index(2, 5), suit_index(0, 5)
    often = np.zeros(POINTS + 1, np.int64)
    building.count_points(ranks, boards, np.array([50_000, 50_001]), room(), often)
    assert often.sum() == sum(1081 * int(boards.arrangements(number)) for number in (50_000, 50_001))
    bucket_of = (1 + np.arange(POINTS + 1) * 10 // (POINTS + 1)).astype(np.uint8)
    buckets = np.zeros(index.size, np.uint8)
    building.put_rivers(ranks, boards, index, np.array([50_000]), room(), bucket_of, buckets)
    own, board = room(), deal_of(50_000, 0, 5)[1]
    work_out(ranks, word_of(board), 0, own)
    for holding in np.flatnonzero(own.points >= 0)[::9]:
        number = deal_number(holding_cards()[holding].tolist(), board)
        assert buckets[number] == bucket_of[own.points[holding]]


def test_the_sample_is_the_same_in_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(building.BOARDS, building.TURN, 40)
    monkeypatch.setattr(building, "SAMPLE", 400)
    heard: list[tuple[str, float]] = []
    first = building.sampled_points("turn", building.TURN, 3, lambda what, share: heard.append((what, share)))
    monkeypatch.setattr(building, "cpu_count", lambda: 1)
    assert (building.sampled_points("turn", building.TURN, 3, lambda what, share: None) == first).all()
    assert not np.array_equal(building.sampled_points("turn", building.TURN, 4, lambda what, share: None), first)
    assert first.shape == (400, BINS)
    np.testing.assert_allclose(first[:, -1], 1, atol=1e-6)
    assert heard[-1] == ("turn: 400 hands to learn from", 1.0)


@pytest.fixture
def before_the_flop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Buckets of the starting hands alone, in a folder of their own; the list has what was built."""
    calls: list[str] = []

    def built(counts, seed, tell):
        calls.append(f"{counts} {seed}")
        numbers = np.arange(169, dtype=building.kind_for(counts))
        return {"bucket": numbers} | {
            name: np.linspace(0, 1, count) for name, count in zip(("flop", "turn", "river"), counts, strict=True)
        }

    monkeypatch.setenv("RUSE_CACHE", str(tmp_path / "new"))
    monkeypatch.setattr(kept, "street_starts", lambda: [0, 169])
    monkeypatch.setattr(kept, "street_index", lambda: suit_index(2, 0))
    monkeypatch.setattr(kept, "built", built)
    monkeypatch.setattr(kept, "_here", {})
    return calls


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_here", {})


def test_buckets_are_built_once_and_kept(before_the_flop: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    found = kept.card_buckets((5, 6, 7), tell=lambda what, share: heard.append(what))
    assert heard == [
        "building buckets of hands (169, 5, 6, 7), once: 169 B on disk and in memory, some 2 minutes of a processor"
    ]
    assert found.words(0, found.of(cards_named("As Ks"))) == "AKs"
    assert found.words(5, 6) == "bucket 6 (100%)"
    assert kept.card_buckets((5, 6, 7)) is found
    forget(monkeypatch)
    again = kept.card_buckets((5, 6, 7))
    assert (again.cards.table == found.cards.table).all()
    assert not again.cards.table.flags.writeable  # it is the file
    assert before_the_flop == ["(5, 6, 7) 0"]
    kept.card_buckets((5, 6, 7), seed=1)
    kept.card_buckets((5, 6, 8))
    assert len(before_the_flop) == 3


def test_a_damaged_file_is_built_again(
    before_the_flop: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept.card_buckets((5, 6, 7))
    path = kept.place_of((5, 6, 7), 0)
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    forget(monkeypatch)
    with caplog.at_level(logging.WARNING):
        assert kept.card_buckets((5, 6, 7)).of(cards_named("7c 7d")) < 169
    assert "is damaged" in caplog.text
    assert len(before_the_flop) == 2
    path.rename(kept.place_of((5, 6, 8), 0))
    kept.card_buckets((5, 6, 8))
    assert "holds other buckets than its name says" in caplog.text


def test_a_full_disk_costs_the_file_alone(
    before_the_flop: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("RUSE_CACHE", str(tmp_path / "file"))
    assert kept.card_buckets((5, 6, 7)).of(cards_named("7c 7d")) < 169
    assert "the buckets are not kept" in caplog.text


@pytest.mark.parametrize(
    ("counts", "seed", "why"),
    [
        ((0, 200, 200), 0, "on the flop must be from 1 to 10,000, not 0"),
        ((200, 200, 20_000), 0, "on the river must be from 1 to 10,000, not 20000"),
        ((200, 200, 200), -1, "seed of buckets must be from 0 to 4,294,967,295, not -1"),
    ],
)
def test_what_cannot_be_built_is_refused(counts: tuple[int, ...], seed: int, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        kept.card_buckets(counts, seed)


def test_size_is_told_first() -> None:
    assert "(169, 200, 200, 200), once: 132 MiB on disk and in memory" in kept.told()
    assert "(169, 500, 200, 200), once: 264 MiB on disk and in memory" in kept.told((500, 200, 200))
