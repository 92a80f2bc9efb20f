"""Paper 003: its numbers are judged, not repeated, and what its node can be is counted."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from ruse.games.mahjong.cfrp.features import Paper
from ruse.games.mahjong.telling.observation import SIZE
from ruse.papers.cfr_p import figure_5, node, numbers
from ruse.papers.cfr_p.agents import GAME
from ruse.papers.cfr_p.numbers import SAMPLE
from ruse.papers.evidence import Evidence, Kind, Verdict
from ruse.papers.lab import Lab
from ruse.subgame.deal_responses import Won


def by_name(rows: list[Evidence]) -> dict[str, Verdict]:
    return {row.name: row.verdict for row in rows}


def test_the_numbers_of_the_text() -> None:
    found = by_name([*numbers.tiles(), *numbers.sizes(), *numbers.encoding()])
    assert found["Shuffles, 64! / (4!)^16"] is Verdict.REFUTED
    assert found["The two multiplied"] is Verdict.REFUTED
    assert found["Tiles for two players"] is Verdict.REFUTED
    assert found["Tables 3 and 4: what 734401 tells"] is Verdict.REPRODUCED
    assert found["Leaves with policies in place of discards, 3^38"] is Verdict.REPRODUCED
    shuffles = next(row for row in numbers.sizes() if row.name.startswith("Shuffles"))
    assert shuffles.ours.startswith("1.05e67")


def test_hands_of_the_node_are_counted_as_by_hand() -> None:
    """Eleven winds have one pattern by our reading: four, three, two and two, with a pair of characters and another."""
    held = dict(node.hands(node.OURS))
    assert held == {(2, 1, *[0] * 7, 4, 3, 2, 2): (9 * 8 * 6 * 4) * (12 * 1 * 4 * 6 * 6)}
    assert node.expected_visits(node.OURS) == pytest.approx(10_000 * 1728 * 1728 / comb(64, 14))
    # Three kinds of two, ten tiles of four kinds: by all subsets.
    tiles = [kind for kind in range(3) for _ in range(4)]
    slow = sum(1 for hand in combinations(tiles, 5) if sorted(hand.count(k) for k in range(3)) == [0, 2, 3])
    fast = sum(node.arrangements(c, 3) * comb(4, 3) * comb(4, 2) for c in node.counts(3, 5) if c == (3, 2, 0))
    assert fast == slow


def test_visits_are_judged_by_their_chance() -> None:
    assert node.visits(node.OURS).verdict is Verdict.REFUTED
    assert node.visits(node.LIKELY).verdict is Verdict.REPRODUCED
    assert node.visits(node.BETWEEN[1]).verdict is Verdict.NOT_REPRODUCED
    assert node.at_least_so_often(0, 2.0) == pytest.approx(1.0)
    assert node.at_least_so_often(1, 2.0) == pytest.approx(1 - np.exp(-2.0))


def test_deals_of_the_node_have_its_integer() -> None:
    rows = node.deals_with(node.OURS, 5, seed=0)
    seen = np.zeros(SIZE, np.int64)
    for row in rows:
        GAME.observe(row, 0, seen)
        assert Paper().feature(GAME, seen, 0) == SAMPLE
    likely = node.deals_with(node.LIKELY, 5, seed=0)
    for row in likely:
        GAME.observe(row, 0, seen)
        assert Paper(at_least=True).feature(GAME, seen, 0) & 0xFFFF == SAMPLE & 0xFFFF


def course(worth: list[float], at: range) -> figure_5.CfrPCourse:
    won = {way: [Won(np.array([x, x])) for x in worth] for way in figure_5.WAYS}
    nothing = {way: each[-1] for way, each in won.items()}
    return figure_5.CfrPCourse(list(at), [0.0] * len(at), won, [1] * len(at), np.zeros(0, np.int64), 1, nothing)


def test_figures_can_rise() -> None:
    falling = [course([1.2 - 0.1 * min(t, 100) / 100 - s / 1000 for t in figure_5.EPOCHS_A], figure_5.EPOCHS_A)
               for s in range(3)]  # fmt: skip
    rising = [course([1.0 + 0.001 * t - s / 1000 for t in figure_5.EPOCHS_A], figure_5.EPOCHS_A) for s in range(3)]
    assert [row.verdict for row in figure_5.figure_a(falling, figure_5.EXACT)] == [Verdict.REPRODUCED] * 2
    assert figure_5.figure_a(rising, figure_5.EXACT)[0].verdict is Verdict.NOT_REPRODUCED
    early = [course([1.2 - 0.3 * min(t, 500) / 500 - s / 1000 for t in figure_5.EPOCHS_B], figure_5.EPOCHS_B)
             for s in range(3)]  # fmt: skip
    late = [course([1.2 - 0.00003 * t - s / 1000 for t in figure_5.EPOCHS_B], figure_5.EPOCHS_B) for s in range(3)]
    assert [row.verdict for row in figure_5.figure_b(early, figure_5.EXACT)] == [Verdict.REPRODUCED] * 3
    assert [row.verdict for row in figure_5.figure_b(late, figure_5.EXACT)] == [
        Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.NOT_REPRODUCED
    ]  # fmt: skip


@pytest.mark.slow
def test_all_of_it_quickly() -> None:
    from ruse.papers.cfr_p import PARTS

    rows = [row for part in PARTS.values() for row in part(Lab(quick=True))]
    assert {row.kind for row in rows} == set(Kind)
    assert not [row for row in rows if row.verdict is Verdict.BROKEN]
