"""A game is walked in pieces by several at once: what comes out is what one walker finds, to the bit."""

from typing import Any

import numpy as np
import pytest
from faulty_game import CHANCES, PAYOFFS, STRANGER, STUCK, Guess
from forgetful_views import NoCardLater, SecondRoundAlone
from random_games import random_game

from ruse.games.goofspiel import Goofspiel
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import Unlawful
from ruse.protocol.view import Full, View
from ruse.tree import sorting
from ruse.tree import walk as walking
from ruse.tree.measure import survey as surveys
from ruse.tree.measure.size import counted, tree_size
from ruse.tree.measure.survey import GameSurvey
from ruse.tree.sequence_form import Expansion, expand, expansion_of
from ruse.tree.sorting import sort_leaves

CASES: dict[str, tuple[Game, View]] = {
    "kuhn_3": (Kuhn(players=3), Full()),
    "leduc": (Leduc(), Full()),
    "liars_dice": (LiarsDice(sides=4), Full()),
    "goofspiel": (Goofspiel(), Full()),
    "kuhn_3_no_card_later": (Kuhn(players=3), NoCardLater(3)),
    "leduc_second_round_alone": (Leduc(ranks=2), SecondRoundAlone()),
    **{f"random_{seed}": (random_game(seed, players=2 + seed % 2), Full()) for seed in range(4)},
}


def arrays_of(found: Expansion) -> list[Any]:
    return [*found.form, *found[1:]]


def in_small_steps(monkeypatch: pytest.MonkeyPatch, slice_: int = 77) -> None:
    """So that small games are split, in the midst of a piece, and everything has too little room at first."""
    for name, value in {"SPLIT": 20, "ENOUGH": 8, "SMALL": 16, "LARGE": 64}.items():
        monkeypatch.setattr(surveys, name, value)
    monkeypatch.setattr(walking, "SLICE", slice_)
    monkeypatch.setattr(sorting, "MANY", 10)


@pytest.mark.parametrize("case", CASES)
def test_one_result_for_any_number_of_walkers(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, view = CASES[case]
    alone, measured = arrays_of(expand(game, view)), tree_size(game, view)
    in_small_steps(monkeypatch)
    for walkers in (1, 2, 5):
        survey = GameSurvey(game, view, keeps_leaves=True, walkers=walkers).to_the_end()
        assert (len(survey.pieces) > 2) == (walkers > 1)
        assert counted(survey) == measured
        monkeypatch.setattr(sorting, "cores", lambda walkers=walkers: walkers)
        for ours, theirs in zip(arrays_of(expansion_of(survey)), alone, strict=True):
            np.testing.assert_array_equal(ours, theirs)
            assert getattr(ours, "dtype", None) == getattr(theirs, "dtype", None)


def test_counting_and_keeping_leaves_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    in_small_steps(monkeypatch, slice_=500)
    game = Leduc()
    one, other = (GameSurvey(game, Full(), keeps_leaves=keeps, walkers=3).to_the_end() for keeps in (False, True))
    assert counted(one) == counted(other) == tree_size(game)
    assert one.take_leaves()[1].shape == (2, 0)
    assert other.take_leaves()[1].shape == (2, 5_520)


@pytest.mark.parametrize("fault", [PAYOFFS, CHANCES, STUCK, STRANGER])
def test_the_first_breach_is_told_whoever_meets_another_one(fault: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = set()
    for walkers in (1, 4):
        if walkers > 1:
            in_small_steps(monkeypatch)
            monkeypatch.setattr(surveys, "SPLIT", 3)
            monkeypatch.setattr(walking, "SLICE", 3)
        with pytest.raises(Unlawful) as told:
            GameSurvey(Guess(fault), Full(), keeps_leaves=True, walkers=walkers).to_the_end()
        sentences.add(str(told.value))
    assert len(sentences) == 1


@pytest.mark.parametrize("threads", [2, 7])
def test_leaves_are_sorted_in_ranges_as_at_once(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "MANY", 1)
    random = np.random.default_rng(threads)
    own, others = (random.integers(0, 40, shape).astype(np.uint32) for shape in (3_000, (3_000, 2)))
    value, names = random.integers(-2, 3, 3_000).astype(float) / 3.0, random.permutation(40).astype(np.uint32)
    for chosen in (None, np.flatnonzero(random.random(3_000) < 0.5).astype(np.uint32)):
        once = sort_leaves(own, others, value, names, 45, chosen, threads=1)
        for ours, theirs in zip(sort_leaves(own, others, value, names, 45, chosen, threads=threads), once, strict=True):
            assert ours.tobytes() == theirs.tobytes()
