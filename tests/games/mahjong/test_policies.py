"""Policies of Mahjong: the decisions of a slow and obvious twin, some hands by hand, and reasons in words."""

import random
from functools import cache

import numpy as np
import pytest
from mahjong_policy_twin import twin_decides

from ruse.catalog.names import game as game_named
from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN
from ruse.games.mahjong.policies.policies import Biding, Normal, Pairs, PongPongHu, normal
from ruse.games.mahjong.policies.reasons import explain, hints
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling import observation as o
from ruse.games.mahjong.tiles import COPIES, KINDS, tiles_named
from ruse.play.bots.names import bot, bots_of
from ruse.play.match import match
from ruse.protocol.state import State

GAME = Mahjong()
NAMES = ["normal", "pongponghu", "seven_pairs"]


@cache
def policies() -> dict[str, Normal | PongPongHu | Pairs]:
    """The policies by name; their tables are made by a kernel, and not where tests are only collected."""
    return dict(zip(NAMES, (normal(), PongPongHu(), Pairs()), strict=True))


def seen_by(game: Mahjong, state: State) -> np.ndarray:
    seen = np.zeros(o.SIZE, np.int64)
    game.observe(state.row, state.player, seen)
    return seen


def sight(hand: str, codes: list[int], *, phase: int = 2, tile: str = "", melds: int = 0, gone: str = "") -> np.ndarray:
    """What a player sees who holds these tiles and may do this; `gone` lies in a river."""
    seen = np.zeros(o.SIZE, np.int64)
    counts, out = (np.bincount(tiles_named(text), minlength=KINDS) for text in (hand, f"{gone} {tile}"))
    seen[o.OWN_HAND : o.OWN_HAND + KINDS], seen[o.OTHER_RIVER : o.OTHER_RIVER + KINDS] = counts, out
    seen[o.UNSEEN : o.UNSEEN + KINDS] = COPIES - counts - out
    seen[o.SEEN_PHASE], seen[o.SEEN_TILE], seen[o.SEEN_DREW] = phase, tiles_named(tile)[0] if tile else -1, -1
    seen[o.OWN_DECLARED] = melds
    seen[o.LEGAL :] = -1
    codes = codes or [DISCARD + kind for kind in range(KINDS) if counts[kind]]
    seen[o.LEGAL : o.LEGAL + len(codes)] = codes
    return seen


def decided(policy: Normal | PongPongHu | Pairs | Biding, seen: np.ndarray) -> int:
    """The code of what a policy does; what it was shown is left as it was."""
    before, count = seen.copy(), int((seen[o.LEGAL :] >= 0).sum())
    action = policy.decide(GAME, seen, 0, seen[:0], count, 0.5)
    assert (seen == before).all()
    return int(seen[o.LEGAL + action])


def test_the_same_as_the_twin_in_random_games() -> None:
    """Half of the moves are a policy's, half are any: hands are good and bad, with melds of all kinds."""
    dice, asked = random.Random(5), dict.fromkeys([0, 1, 2], 0)
    for number in range(9):
        state = State.of(GAME)
        while state.is_chance:
            state = state.step(dice.choices(range(state.num_actions), state.chances)[0])
        playing = NAMES[number % 3]
        while not state.is_over:
            seen, count = seen_by(GAME, state), state.num_actions
            phase, action = int(seen[o.SEEN_PHASE]), dice.randrange(count)
            if asked[phase] < 15:
                asked[phase] += 1
                answers = {name: p.decide(GAME, seen, 0, seen[:0], count, 0.5) for name, p in policies().items()}
                assert answers == {name: twin_decides(name, seen) for name in NAMES}, state.describe(state.player)
            if dice.random() < 0.5:
                action = policies()[playing].decide(GAME, seen, 0, seen[:0], count, 0.5)
            state = state.step(action)
    assert min(asked.values()) >= 5


def test_a_win_is_always_taken() -> None:
    seen = sight("E E E S S S W W W N N N C", [PASS, WIN], phase=0, tile="C")
    assert {decided(policy, seen) for policy in [*policies().values(), Biding()]} == {WIN}


def test_claims_that_bring_the_hand_nearer() -> None:
    # 2m 3m want 1m or 4m; the pair of E wants a third.
    hand = "2m 3m 5m 6m 7m 8m E E S S S C P"
    chow = sight(hand, [PASS, CHOW + 0], phase=0, tile="1m")
    assert decided(normal(), chow) == CHOW
    assert decided(PongPongHu(), chow) == PASS  # never a chow
    pong = sight(hand, [PASS, PONG], phase=0, tile="E")
    assert [decided(policy, pong) for policy in policies().values()] == [PONG, PONG, PASS]


def test_no_claim_that_leaves_the_hand_where_it_is() -> None:
    # Waits for W or N: a chow of 6m 7m 8m would leave 5m alone.
    seen = sight("5m 6m 7m E E E S S S W W N N", [PASS, CHOW + 5], phase=0, tile="8m")
    assert decided(normal(), seen) == PASS


def test_kongs_that_do_not_cost_anything() -> None:
    free = sight("E E E E 1m 2m 3m 4m 5m 6m S S C P", [PASS, CONCEALED + 9], phase=1)
    assert [decided(policy, free) for policy in policies().values()] == [CONCEALED + 9, CONCEALED + 9, PASS]
    # 1m is needed in 1m 2m 3m: as a kong it leaves 2m 3m alone.
    dear = sight("1m 1m 1m 1m 2m 3m E E E S S S W W", [PASS, CONCEALED + 0], phase=1)
    assert decided(normal(), dear) == PASS
    added = sight("E 1m 2m 3m 4m 5m 6m S S C P", [PASS, ADDED + 9], phase=1, melds=1)
    assert decided(normal(), added) == ADDED + 9


def test_an_exposed_kong_is_preferred_to_nothing_but_not_to_a_pong() -> None:
    seen = sight("E E E 1m 2m 4m 5m 7m 8m S S C P", [PASS, PONG, KONG], phase=0, tile="E")
    assert decided(normal(), seen) == PASS  # three E are a meld already
    assert decided(PongPongHu(), seen) == PASS


def test_discards_in_order_of_what_is_lost() -> None:
    # 1m 2m 3m, 4m 5m 6m, E E E, S S S and W C: either of these waits for three of the other.
    assert decided(normal(), sight("1m 2m 3m 4m 5m 6m E E E S S S W C", [])) == DISCARD + 11  # the lowest kind
    # One C lies there: with W two would be left to wait for, with C three.
    assert decided(normal(), sight("1m 2m 3m 4m 5m 6m E E E S S S W C", [], gone="C")) == DISCARD + 13
    assert decided(normal(), sight("1m 2m 3m 4m 5m 6m E E E S S S W C", [], gone="W")) == DISCARD + 11
    # Seven pairs: 1m 2m 3m are three singles, of which 1m can be had least.
    seen = sight("1m 2m 3m E E S S W W N N C C F", [], gone="1m 1m")
    assert decided(Pairs(), seen) == DISCARD + 0


def test_biding_discards_what_it_has_drawn() -> None:
    seen = sight("1m 2m 3m E E S S W W N N C C F", [])
    seen[o.SEEN_DREW] = 12
    assert decided(Biding(), seen) == DISCARD + 12


def test_every_decision_has_a_reason() -> None:
    seen = sight("1m 2m 3m 4m 5m 6m E E E S S S W C", [])
    assert explain(normal(), GAME, seen, 0)[1] == "discard W: 1 away, 1 kind and 3 tiles complete the hand"
    assert explain(Pairs(), GAME, seen, 0)[1] == "discard E: 5 away, 9 kinds and 25 tiles bring the hand nearer"
    pong = sight("2m 3m 5m 6m 7m 8m E E S S S C P", [PASS, PONG], phase=0, tile="E")
    assert explain(normal(), GAME, pong, 0)[1].startswith("pong E: 2 away, ")
    assert explain(Pairs(), GAME, pong, 0)[1].endswith("; seven_pairs lays nothing down")
    seen[o.OWN_HAS_CHOW] = 1
    assert explain(PongPongHu(), GAME, seen, 0)[1].endswith("pongponghu cannot be had with a chow")
    state = State.of(GAME)
    dice = random.Random(1)
    while state.is_chance:
        state = state.step(dice.choices(range(state.num_actions), state.chances)[0])
    given = hints(GAME, state.row, state.player)
    assert list(given) == NAMES
    for action, line in given.values():
        assert line.startswith(state.actions[action])


def test_each_is_a_bot_of_the_game() -> None:
    assert list(bots_of(GAME)) == ["random", "normal", "pongponghu", "seven_pairs", "mixed", "search"]
    assert repr(bot("normal", game_named("mahjong"))) == "normal()"


def test_bots_play_in_kernels_as_in_plain_python() -> None:
    bots = [bot("normal", GAME), bot("pongponghu", GAME)]
    quick = match(GAME, bots, deals=6, seed=3)
    assert quick.by_seat == match(GAME, [Plain(b) for b in bots], deals=6, seed=3).by_seat


class Plain:
    """A watching bot that kernels cannot call."""

    def __init__(self, inner: object) -> None:
        for name in ("memory_size", "watch", "decide"):
            setattr(self, name, getattr(inner, name))


@pytest.mark.parametrize("name", NAMES)
def test_policies_print_short(name: str) -> None:
    assert len(repr(policies()[name])) < 30
