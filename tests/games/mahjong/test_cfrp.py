"""CFR-p: its 20 bits, its points, which policies may be chosen, its views by name, and a training from the shell."""

import json
import random
from typing import Any

import numpy as np
import pytest
from commands import Ruse

from ruse.catalog.names import view as view_named
from ruse.errors import RuseError
from ruse.games.kuhn import Kuhn
from ruse.games.mahjong.actions import DISCARD, PASS, PONG, WIN
from ruse.games.mahjong.cfrp.encoding import decode, encode
from ruse.games.mahjong.cfrp.features import Paper
from ruse.games.mahjong.cfrp.points import Rounds
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling import observation as o
from ruse.games.mahjong.tiles import KINDS, tiles_named
from ruse.games.mahjong.views import NAMES, CfrP, view_of
from ruse.protocol.state import State
from ruse.training.jobs.job import Job

GAME = Mahjong()


def drawn(hand: str, *, melds: str = "", round_number: int = 1) -> np.ndarray:
    """What a player sees who has drawn; of `melds` each kind is a declared kong."""
    seen = np.zeros(o.SIZE, np.int64)
    seen[o.OWN_HAND : o.OWN_HAND + KINDS] = np.bincount(tiles_named(hand), minlength=KINDS)
    for kind in tiles_named(melds):
        seen[o.OWN_MELDS + kind] = 2
    seen[o.ROUND], seen[o.LEGAL + 1], seen[o.SEEN_DREW] = round_number, DISCARD, 0
    return seen


# ---- the integer -----------------------------------------------------------------------------------------------------


def test_the_sample_node_bit_for_bit() -> None:
    assert decode(734401) == (1, 3, 2, 3, 11)
    assert encode(1, 3, 2, 3, 11) == 734401 == 1 + 3 * 2**6 + 2 * 2**9 + 3 * 2**12 + 11 * 2**16
    # Both ways to count pairs have a hand with this label.
    exact = drawn("E E E E S S S W W N N 1m 1m 9m")
    assert Paper().feature(GAME, exact, 0) == 734401
    inclusive = drawn("E E E E S S S S W W N 1m 2m 3m")
    assert Paper(at_least=True).feature(GAME, inclusive, 0) == 734401
    assert Paper().feature(GAME, inclusive, 0) == encode(1, 1, 2, 3, 11)


def test_labels_go_both_ways_and_others_are_refused() -> None:
    dice = random.Random(0)
    for _ in range(200):
        number = dice.randrange(1 << 20)
        assert encode(*decode(number)) == number
    for number in (-1, 1 << 20):
        with pytest.raises(RuseError, match=f"{number} is no label"):
            decode(number)


def test_a_declared_kong_is_three_tiles_so_that_every_hand_has_fourteen() -> None:
    seen = drawn("1m 2m 3m 4m 5m 6m C C", melds="E 9m", round_number=30)
    assert decode(Paper().feature(GAME, seen, 0)) == (30, 1, 2, 9, 3)
    assert "round 30, 1 pairs, 2 pongs, 9 characters, 3 winds" in Paper().describe(GAME, seen, 0)


# ---- the points ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("me", "rounds"), [(0, (1, 13, 25)), (1, (2, 14, 26))])
def test_points_begin_at_their_rounds(me: int, rounds: tuple[int, int, int]) -> None:
    stages = [Rounds().stage(GAME, drawn("1m", round_number=number), me, 0) for number in range(39)]
    assert [stages.index(stage) for stage in (1, 2, 3)] == list(rounds)
    assert stages == sorted(stages)


def test_nothing_is_chosen_without_a_draw_or_with_a_win() -> None:
    claiming, winning = drawn("1m", round_number=13), drawn("1m", round_number=13)
    claiming[o.SEEN_DREW], winning[o.LEGAL + 1] = -1, WIN
    assert Rounds().stage(GAME, claiming, 0, 0) == Rounds().stage(GAME, winning, 0, 0) == 0


def started(game: Any, dice: random.Random) -> State:
    state = State.of(game)
    while state.is_chance:
        state = state.step(dice.choices(range(state.num_actions), state.chances)[0])
    return state


def test_choices_in_games_are_at_the_points_and_between_legal_policies() -> None:
    """The policies play in between; what is declared says which may be chosen."""
    hierarchy, dice = CfrP().hierarchy(GAME), random.Random(2)
    assert hierarchy.names == ["normal", "pongponghu", "seven_pairs"]
    abstract, counts = hierarchy.abstract(GAME), set()
    for _ in range(4):
        state, points = started(abstract, dice), {0: [], 1: []}
        while not state.is_over:
            seen = np.zeros(o.SIZE, np.int64)
            GAME.observe(state.row[: abstract.columns], state.player, seen)
            points[state.player].append(int(seen[o.ROUND]))
            assert seen[o.SEEN_DREW] >= 0
            assert seen[o.OWN_HAND : o.OWN_HAND + KINDS].sum() + 3 * seen[o.OWN_DECLARED] == 14
            assert not seen[o.OWN_HAS_CHOW]  # else there is nothing to choose
            assert state.num_actions == (2 if seen[o.OWN_DECLARED] else 3)
            counts.add(state.num_actions)
            state = state.step(dice.randrange(state.num_actions))
        for me, rounds in points.items():
            assert len(rounds) <= 3
            stages = [Rounds().stage(GAME, drawn("1m", round_number=number), me, 0) for number in rounds]
            assert stages == sorted(set(stages))
    assert 3 in counts


def test_before_the_first_point_nothing_is_claimed() -> None:
    hierarchy = CfrP().hierarchy(GAME)
    book, seen = np.zeros(hierarchy.book_size(0), np.int64), drawn("E E 1m 2m 3m")
    seen[o.LEGAL : o.LEGAL + 2] = PASS, 2  # a pong
    seen[o.SEEN_TILE], seen[o.SEEN_DREW] = 9, -1
    assert hierarchy.act_as(GAME, seen, 1, book, 0, 2, 0.5) == 0


def test_normal_may_play_before_the_first_point() -> None:
    """It lays a pong down, where the authors' agent passes."""
    acts = []
    for name in ("part+distances", "part+distances+at_once"):
        hierarchy = view_of(name, GAME).hierarchy(GAME)
        book, seen = np.zeros(hierarchy.book_size(0), np.int64), drawn("E E 1m 2m 3m 4m 5m 6m 7m 8m 9m S W")
        seen[o.UNSEEN : o.UNSEEN + KINDS] = 4 - seen[o.OWN_HAND : o.OWN_HAND + KINDS]
        seen[o.LEGAL : o.LEGAL + 2] = PASS, PONG
        seen[o.SEEN_TILE], seen[o.SEEN_DREW] = 9, -1
        acts.append(hierarchy.act_as(GAME, seen, 1, book, 0, 2, 0.5))
        assert hierarchy.names == ["normal", "pongponghu", "seven_pairs"]
    assert acts == [0, 1]


# ---- views by name ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_views_have_names_and_print_so_that_they_can_be_read(name: str) -> None:
    view = view_named(name, GAME)
    assert view_named(repr(view), GAME) == view
    hierarchy: Any = view.hierarchy(GAME)  # type: ignore[attr-defined]
    state = started(hierarchy.abstract(GAME), random.Random(1))
    assert state.describe(state.player)
    assert 0 <= state.game.infoset(state.row) < 1 << 63


def test_richer_views_tell_more() -> None:
    """Two hands that look the same to the authors' integer, and are not equally far from a win."""
    near, far = drawn("1m 2m 3m 4m 5m 6m E E E S S S W N"), drawn("1m 2m 4m 6m 7m 9m E E E S S S W N")
    for seen in (near, far):
        seen[o.UNSEEN : o.UNSEEN + KINDS] = 4 - seen[o.OWN_HAND : o.OWN_HAND + KINDS]
    poor, rich = (view_of(name, GAME).hierarchy(GAME).features for name in ("cfr_p", "cfr_p+distances"))
    assert poor.feature(GAME, near, 0) == poor.feature(GAME, far, 0)
    assert rich.feature(GAME, near, 0) != rich.feature(GAME, far, 0)
    assert "normal 1 away" in rich.describe(GAME, near, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cfr-p", "unknown view 'cfr-p'"),
        ("often", "unknown view 'often'"),
        ("at_once+often", "unknown view 'at_once.often'"),
        ("cfr_p+cfr_p", "stands twice"),
        ("cfr_p+often+often", "'often' stands twice in"),
        ("CfrP(before_first='wait')", "before_first of CfrP must be pass or normal, got 'wait'"),
        ("CfrP(sees='all')", "unknown feature 'all'"),
        ("CfrP(apart=0)", "apart of CfrP must be from 1 to 38, got 0"),
    ],
)
def test_other_names_are_refused(text: str, words: str) -> None:
    with pytest.raises(RuseError, match=words.replace("(", r"\(")):
        view_named(text, GAME)


def test_views_are_of_mahjong_alone() -> None:
    with pytest.raises(RuseError, match="one of Mahjong's"):
        CfrP().refuse_unfit(Kuhn())


# ---- training --------------------------------------------------------------------------------------------------------


def test_mahjong_is_solved_by_cfr_p_unless_something_else_is_asked() -> None:
    usual = Job.typed(GAME, {"iterations": 10_000})
    assert (usual.view, usual.rule) == (CfrP(), "mccfr")
    assert str(usual) == "ruse solve mahjong --iterations 10000"
    other = Job.typed(GAME, {"iterations": 10, "view": "part+distances", "walk": "chance"})
    assert (other.view, other.rule) == (CfrP("part+distances"), "mccfr:walk=chance")
    assert Job.typed(GAME, other.asked) == other
    assert Job.typed(GAME, {"view": "full"}).asked["view"] == "full"
    assert Job.typed(Kuhn(), {}).asked["view"] is None


def test_a_training_from_the_shell(ruse: Ruse) -> None:
    result = ruse("solve", "mahjong", "--iterations", "40", "--seed", "0", "--no-run", "--json")
    assert result.code == 0, result.err
    told = json.loads(result.out)
    assert (told["rule"], told["view"]) == ("mccfr", repr(CfrP()))
    assert 100 < told["infosets"] < 1_000
