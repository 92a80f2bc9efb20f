"""The choices that CFR-p's authors leave open, each a field: own rounds, keys without what is legal, eyes shut."""

import random
from typing import Any

import numpy as np
import pytest

from ruse.catalog.names import view as view_named
from ruse.errors import RuseError
from ruse.games.mahjong.actions import DISCARD
from ruse.games.mahjong.cfrp.encoding import decode
from ruse.games.mahjong.cfrp.features import Paper, Part, distances, helping
from ruse.games.mahjong.cfrp.points import Rounds
from ruse.games.mahjong.cfrp.rounds import own_draws
from ruse.games.mahjong.policies.mixed import mixed
from ruse.games.mahjong.policies.policies import Normal, Pairs, PongPongHu, normal
from ruse.games.mahjong.policies.reasons import explain
from ruse.games.mahjong.row import DREW, WHO
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling import observation as o
from ruse.games.mahjong.telling.visible import put_back
from ruse.games.mahjong.tiles import COPIES, KINDS, tiles_named
from ruse.games.mahjong.views import CfrP
from ruse.play.bots.names import bot
from ruse.protocol.state import State

GAME = Mahjong()
BEFORE = "CfrP(sees='cfr_p', at_least=False, first=1, apart=12, times=3, recall=False, before_first='pass')"
WAITING = "1m 2m 3m 4m 5m 6m E E E S S S W C"  # for W or for C, whichever is kept


def sight(hand: str, *, river: str = "", pongs: str = "", own_pongs: str = "") -> np.ndarray:
    """What a player sees who is to discard. The other has discarded `river` and declared `pongs`."""
    seen = np.zeros(o.SIZE, np.int64)
    held, gone = (np.bincount(tiles_named(text), minlength=KINDS) for text in (hand, river))
    unseen = COPIES - held - gone
    for at, text in ((o.OWN_MELDS, own_pongs), (o.OTHER_MELDS, pongs)):
        for kind in tiles_named(text):
            seen[at + kind] = 1
            unseen[kind] -= 3
    seen[o.OWN_HAND : o.OWN_HAND + KINDS], seen[o.OTHER_RIVER : o.OTHER_RIVER + KINDS] = held, gone
    seen[o.UNSEEN : o.UNSEEN + KINDS] = unseen
    seen[o.SEEN_PHASE], seen[o.SEEN_TILE], seen[o.SEEN_DREW] = 2, -1, tiles_named(hand)[0]
    seen[o.OWN_DECLARED], seen[o.OTHER_DECLARED] = len(tiles_named(own_pongs)), len(tiles_named(pongs))
    seen[o.LEGAL :] = -1
    codes = [DISCARD + kind for kind in range(KINDS) if held[kind]]
    seen[o.LEGAL : o.LEGAL + len(codes)] = codes
    return seen


def discarded(policy: Any, seen: np.ndarray) -> int:
    """The kind that a policy discards; what it was shown is left as it was."""
    before, count = seen.copy(), int((seen[o.LEGAL :] >= 0).sum())
    action = policy.decide(GAME, seen, 0, np.ones(1, np.int64), count, 0.5)
    assert np.array_equal(seen, before)
    return int(seen[o.LEGAL + action]) - DISCARD


def test_the_defaults_print_as_before_there_were_such_fields() -> None:
    """Runs and strategies of then name their view so, and it is compared with what the view prints as now."""
    assert repr(CfrP()) == BEFORE
    assert view_named(BEFORE, GAME) == CfrP()
    assert repr(CfrP().hierarchy(GAME)) == (
        "Hierarchy.of(normal(), PongPongHu(nothing=0), Pairs(nothing=0), points=Rounds(first=1, apart=12, times=3), "
        "features=Paper(at_least=False), before=Biding(nothing=0), recall=False, draws=0)"
    )
    assert repr(Part()) == "Part(first=1, apart=12, times=3)"
    assert [repr(part) for part in (distances(), helping(), mixed())] == ["distances()", "helping()", "mixed()"]


@pytest.mark.parametrize("text", ["round_count='own'", "legal_in_key=False", "use_visible=False"])
def test_each_has_a_name_and_prints_so_that_it_can_be_read(text: str) -> None:
    view = view_named(f"CfrP({text})", GAME)
    assert repr(view) == BEFORE.replace("'pass')", f"'pass', {text})")
    assert view_named(repr(view), GAME) == view
    assert text.split("=")[0] in repr(view.hierarchy(GAME)).replace("own=True", "round_count")  # type: ignore[attr-defined]


def test_another_way_to_count_rounds_is_refused() -> None:
    with pytest.raises(RuseError, match="round_count of CfrP must be global or own, got 'both'"):
        view_named("CfrP(round_count='both')", GAME)


# ---- rounds ----------------------------------------------------------------------------------------------------------


def test_own_draws_are_those_of_a_count_kept_on_the_way() -> None:
    """Whatever is claimed and declared: pongs, chows, all three kongs."""
    dice, melds = random.Random(0), set()
    for _ in range(25):
        state, drawn, before = State.of(GAME), [0, 0], None
        while not state.is_over:
            if state.is_chance:
                state = state.step(dice.choices(range(state.num_actions), state.chances)[0])
            else:
                calls = [a for a, name in enumerate(state.actions) if name.startswith(("kong", "pong", "chow"))]
                a = dice.choice(calls) if calls else dice.randrange(state.num_actions)
                melds.add(" ".join(word for word in state.actions[a].split() if word.isalpha() and word.islower()))
                state = state.step(a)
            if state.is_over or state.is_chance:
                continue
            me, seen = state.player, np.zeros(o.SIZE, np.int64)
            GAME.observe(state.row, me, seen)
            # A turn in which something was drawn, and tiles drawn in all: each of these is met once.
            now = int(seen[o.ROUND])
            if state.row[DREW] >= 0 and now != before:
                drawn[int(state.row[WHO])] += 1
                before = now
            assert own_draws(seen) == drawn[me]
            assert Paper(own=True).feature(GAME, seen, me) >> 6 == Paper().feature(GAME, seen, me) >> 6
            assert decode(Paper(own=True).feature(GAME, seen, me)).round == drawn[me]
    assert {"pong", "chow", "kong exposed", "kong concealed", "kong added"} <= melds


def test_points_by_own_rounds_are_the_same_for_both_players() -> None:
    seen = sight("1m " * 4 + "2m " * 4 + "3m " * 4 + "E E")
    for more in range(19):
        seen[o.OWN_RIVER] = more  # so many more have been drawn, and discarded
        assert own_draws(seen) == 1 + more
        stages = [Rounds(1, 6, 3, own=True).stage(GAME, seen, me, 0) for me in (0, 1)]
        assert stages == [min(more // 6 + 1, 3)] * 2
        assert Part(1, 6, 3, own=True).feature(GAME, seen, 0) == stages[0] - 1
    assert "own round 19" in Paper(own=True).describe(GAME, seen, 0)


# ---- what lies on the table ------------------------------------------------------------------------------------------


def test_unseen_are_all_but_the_own_tiles() -> None:
    seen = sight("E E S S 1m 2m 3m 4m 5m 6m 7m", river="S W W 9m", pongs="F", own_pongs="C")
    seen[o.OTHER_CHOWS + 5], seen[o.OTHER_MELDS + 15] = 1, 3  # 6m 7m 8m, and a concealed kong of P
    for kind in (5, 6, 7):
        seen[o.UNSEEN + kind] -= 1
    seen[o.UNSEEN + 15] = 0
    before = seen.copy()
    put_back(seen, 1)
    own = seen[o.OWN_HAND : o.OWN_HAND + KINDS] + 3 * (seen[o.OWN_MELDS : o.OWN_MELDS + KINDS] > 0)
    assert seen[o.UNSEEN : o.UNSEEN + KINDS].tolist() == (COPIES - own).tolist()
    put_back(seen, -1)
    assert np.array_equal(seen, before)


@pytest.mark.parametrize("river", ["C", "C C C"])
def test_who_does_not_look_discards_as_if_nothing_lay_there(river: str) -> None:
    seen, bare = sight(WAITING, river=river), sight(WAITING)
    looking, blind = normal(), normal(use_visible=False)
    assert discarded(looking, seen) == 13  # fewer C are left
    assert discarded(blind, seen) == discarded(looking, bare) == discarded(blind, bare) == 11
    assert explain(blind, GAME, seen, 0)[1] == "discard W: 1 away, 1 kind and 3 tiles complete the hand"


def test_the_other_policies_have_it_too() -> None:
    pairs = "1m 2m 3m E E S S W W N N C C F"
    seen = sight(pairs, river="3m 3m")
    assert discarded(Pairs(), seen) == 2
    assert discarded(Pairs(use_visible=False), seen) == discarded(Pairs(), sight(pairs)) == 14  # which keeps 1m 2m 3m
    pongs = "1m 1m 2m 2m E E E S S S W W W C"
    seen = sight(pongs, river="1m 1m")
    assert discarded(PongPongHu(), seen) == discarded(PongPongHu(use_visible=False), seen) == 13
    assert explain(PongPongHu(), GAME, seen, 0)[1].endswith("1 kind and 2 tiles complete the hand")
    assert explain(PongPongHu(use_visible=False), GAME, seen, 0)[1].endswith("2 kinds and 4 tiles complete the hand")
    assert discarded(mixed()._replace(use_visible=False), sight(WAITING, river="C")) == 11


def test_bots_have_the_field() -> None:
    for name in ("normal", "pongponghu", "seven_pairs", "mixed"):
        blind = bot(f"{name}:use_visible=false", GAME)
        assert blind == bot(name, GAME)._replace(use_visible=False)
        assert "use_visible=False" in repr(blind)
    assert isinstance(bot("normal", GAME), Normal)


def test_features_of_distances_have_it_too() -> None:
    bare, seen = sight(WAITING), sight(WAITING, river="C C C W W W")
    for made in (distances, helping):
        assert made().feature(GAME, seen, 0) != made().feature(GAME, bare, 0)
        before = seen.copy()
        assert made(use_visible=False).feature(GAME, seen, 0) == made().feature(GAME, bare, 0)
        assert np.array_equal(seen, before)


# ---- keys ------------------------------------------------------------------------------------------------------------


def test_a_key_may_be_the_label_alone() -> None:
    """A declared pong rules seven pairs out, and the label does not tell that it is declared."""
    closed, declared = (
        sight("E E E 1m 1m 2m 3m 5m 6m 7m 9m S W C"),
        sight("1m 1m 2m 3m 5m 6m 7m 9m S W C", own_pongs="E"),
    )
    for in_key, different in ((True, 2), (False, 1)):
        hierarchy = CfrP(legal_in_key=in_key).hierarchy(GAME)
        book, keys, words = np.zeros(hierarchy.book_size(0), np.int64), set(), set()
        for seen in (closed, declared):
            seen[o.ROUND] = 1
            legal = hierarchy.legal_at(GAME, seen, 0)
            keys.add(hierarchy.key_at(GAME, seen, 0, book, legal) >> 3 * in_key)
            words.add(hierarchy.words(GAME, seen, 0, book, legal))
            assert hierarchy.offered_at(legal) == (3 if seen is closed or not in_key else 2)
        assert keys == {int(Paper().feature(GAME, closed, 0))}
        assert len(words) == different
