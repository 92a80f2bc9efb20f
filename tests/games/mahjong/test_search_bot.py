"""The bot that looks ahead: what it draws fits what it sees, and it decides the same in Python and in kernels."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.games.mahjong.actions import DISCARD, PASS, WIN
from ruse.games.mahjong.distances.four_melds import four_melds
from ruse.games.mahjong.lookahead import hidden
from ruse.games.mahjong.lookahead.bot import PLANS, look_ahead, looked_ahead, searching
from ruse.games.mahjong.lookahead.hidden import any_of, lay_hidden, lay_known, turns_of_other
from ruse.games.mahjong.lookahead.plans import ACTION, POLICY, SQUARES, WON, enter, is_better, list_plans, promising
from ruse.games.mahjong.lookahead.plans import ROOM as PLANS_ROOM
from ruse.games.mahjong.policies.policies import normal
from ruse.games.mahjong.positions import lying, position
from ruse.games.mahjong.row import HANDS, WHO, WIDTH, wall_tile
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling import observation as o
from ruse.games.mahjong.tiles import COPIES, KINDS, counts_of, kind_named
from ruse.play.bots.names import bot
from ruse.play.match import match
from ruse.protocol.state import State

GAME, BOT = Mahjong(), searching(40)


def seen_at(game: Mahjong, row: np.ndarray, player: int) -> np.ndarray:
    seen = np.zeros(o.SIZE, np.int64)
    game.observe(row, player, seen)
    return seen


def decisions(game: Mahjong, seed: int) -> Iterator[tuple[State, np.ndarray]]:
    """Those of a game between `normal` and a player who does anything half the time, where there is much to ask."""
    dice, state, policy = random.Random(seed), State.of(game), normal()
    while not state.is_over:
        count, action = state.num_actions, 0
        if state.is_chance:
            action = dice.choices(range(count), state.chances)[0]
        else:
            seen = seen_at(game, state.row, state.player)
            if count > 1 and seen[o.LEGAL + 1] != WIN:
                yield state, seen
            action = dice.randrange(count)
            if state.player == seed % 2 or dice.random() < 0.5:
                action = int(policy.decide(game, seen, state.player, seen[:0], count, 0.5))
        state = state.step(action)


def drawn_row(seen: np.ndarray, me: int, count: int, *, turns: int, key: int) -> np.ndarray:
    row, room = np.zeros(WIDTH, np.int64), np.zeros(hidden.ROOM, np.int64)
    lay_known(seen, me, count, row)
    lay_hidden(four_melds(), seen, me, turns, key, room, row)
    return row


@pytest.mark.parametrize("game", [GAME, Mahjong(rob_kong=True, dead_wall=5, kong_needs_tile=False)])
def test_a_row_that_was_drawn_looks_the_same_to_the_player_and_has_all_tiles(game: Mahjong) -> None:
    phases = set()
    for seed in range(4):
        for key, (state, seen) in enumerate(decisions(game, seed)):
            row = drawn_row(seen, state.player, state.num_actions, turns=key % 3, key=key)
            assert (seen_at(game, row, state.player) == seen).all()
            wall = [int(wall_tile(row, place)) for place in range(int(seen[o.ROUND]), 38)]
            there = [sum(column) for column in zip(*map(counts_of, lying(row)), strict=True)]
            assert [n + wall.count(kind) for kind, n in enumerate(there)] == [COPIES] * KINDS
            assert [game.action_name(row, a) for a in range(state.num_actions)] == state.actions
            phases.add(int(seen[o.SEEN_PHASE]))
    assert phases == {0, 1, 2}


def test_the_same_key_draws_the_same_tiles_and_others_draw_others() -> None:
    state, seen = next(decisions(GAME, 0))
    rows = [drawn_row(seen, state.player, state.num_actions, turns=2, key=key).tolist() for key in (1, 1, 2, 3, 4)]
    assert rows[0] == rows[1]
    assert len(set(map(tuple, rows))) == 4


def test_every_place_is_drawn_equally_often() -> None:
    counts = np.bincount([any_of(7, number, 5) for number in range(5000)])
    assert len(counts) == 5
    assert abs(counts - 1000).max() < 150


def test_the_other_has_better_tiles_after_some_turns() -> None:
    state, seen = list(decisions(GAME, 2))[4]
    me, unseen, pattern = state.player, np.full(KINDS, COPIES), four_melds()

    def mean_distance(turns: int) -> float:
        hands = [drawn_row(seen, me, state.num_actions, turns=turns, key=key)[HANDS + 1 - me] for key in range(40)]
        counts = [np.array(counts_of(int(hand))) for hand in hands]
        return float(np.mean([pattern.distance(hand, seen[o.OTHER_DECLARED], unseen - hand) for hand in counts]))

    assert mean_distance(8) < mean_distance(0) - 0.8


def test_turns_are_discards_wherever_they_lie() -> None:
    hands = ("1m 3m 5m 7m 9m W W N C F", "1m 2m 3m 4m 5m 6m 7m 8m 9m C C")
    row = position(GAME, hands, melds=(["pong S"], ["pong E"]), rivers=("P P", ""), turn=1)
    assert turns_of_other(seen_at(GAME, row, 1)) == 3  # two lie there, and one E was claimed


def test_plans_begin_with_what_normal_does() -> None:
    for state, seen in list(decisions(GAME, 1))[:12]:
        plans, before, count = np.zeros(PLANS_ROOM, np.int64), seen.copy(), state.num_actions
        number = list_plans(BOT.pattern, GAME, seen, count, 10, 10, plans)
        assert plans[ACTION] == normal().decide(GAME, seen, 0, seen[:0], count, 0.5)
        assert (seen == before).all()
        listed = [(int(plans[ACTION + i]), int(plans[POLICY + i])) for i in range(number)]
        assert len(set(listed)) == number
        assert {a for a, policy in listed if policy == 0} == set(range(count))  # all that can be done is tried


def test_plans_that_do_not_win_more_are_dropped() -> None:
    plans = np.zeros(PLANS_ROOM, np.int64)
    for i, won in enumerate([0, -3, 5, 1, 4, 0]):
        enter(plans, i, i, 0)
        plans[WON + i] = won
    left = promising(plans, 6)
    assert [int(plans[ACTION + i]) for i in range(left)] == [0, 2, 3, 4]
    left = promising(plans, left)
    assert [int(plans[ACTION + i]) for i in range(left)] == [0, 2, 4]
    plans[WON + 1], plans[WON + 2] = 0, -1
    assert promising(plans, left) == 1


def test_better_by_so_many_errors() -> None:
    plans = np.zeros(PLANS_ROOM, np.int64)
    enter(plans, 1, 1, 0)
    plans[WON + 1], plans[SQUARES + 1] = 4, 16
    assert is_better(plans, 1, 0.9)
    assert not is_better(plans, 1, 1.1)


def test_python_and_kernels_decide_alike() -> None:
    quick, asked = BOT._replace(playouts=1), [list(decisions(GAME, seed))[-1 - seed] for seed in range(4)]
    for state, seen in asked:
        given = (quick, GAME, seen, state.player)
        sheets = [np.zeros(quick.memory_size(GAME), np.int64) for _ in range(2)]
        answers = [
            int(call(*given, sheet, state.num_actions, 0.3))
            for call, sheet in zip((look_ahead, looked_ahead), sheets, strict=True)
        ]
        assert answers[0] == answers[1]
        assert (sheets[0] == sheets[1]).all()


def test_nothing_is_remembered_from_one_decision_to_the_next() -> None:
    for state, seen in list(decisions(GAME, 5))[:8]:
        clean, used = np.zeros(BOT.memory_size(GAME), np.int64), np.full(BOT.memory_size(GAME), 77)
        before = seen.copy()
        answers = [BOT.decide(GAME, seen, state.player, sheet, state.num_actions, 0.6) for sheet in (clean, used)]
        assert answers[0] == answers[1]
        assert (seen == before).all()


def test_a_win_is_taken_without_a_thought() -> None:
    hands = ("1m 3m 5m 7m 9m W W N C F P P P", "1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S")
    row = position(GAME, hands, rivers=("S", ""), turn=1, phase=0, tile="S")
    memory = np.zeros(0, np.int64)
    assert BOT.decide(GAME, seen_at(GAME, row, 1), 1, memory, 2, 0.5) == 1


def test_the_last_discard_is_one_that_cannot_be_claimed() -> None:
    """Nothing is left to draw, and the other waits with one tile: only 5m is safe, which `normal` would never part."""
    game = Mahjong(dead_wall=37)
    mine, theirs = "1m 2m 3m 4m 5m 6m 7m 8m 9m C C C F P", "N"
    row = position(game, (mine, theirs), melds=([], ["pong 5m", "pong E", "pong S", "pong W"]), turn=0)
    seen, count = seen_at(game, row, 0), int(game.num_actions(row))
    assert row[WHO] == 0
    assert seen[o.SEEN_LEFT] == 0
    thorough = searching(4000)._replace(slack=10)
    memory = np.zeros(thorough.memory_size(game), np.int64)
    chosen = int(thorough.decide(game, seen, 0, memory, count, 0.2))
    assert seen[o.LEGAL + chosen] == DISCARD + kind_named("5m")
    assert seen[o.LEGAL + normal().decide(game, seen, 0, seen[:0], count, 0.2)] != DISCARD + kind_named("5m")
    assert thorough.thought(game, seen, 0, memory, memory)["policy"] in ("normal", "pongponghu", "seven_pairs")
    assert memory[PLANS + ACTION] == chosen


def test_a_pass_where_nothing_else_can_be_done_needs_no_room() -> None:
    seen = np.full(o.SIZE, -1)
    seen[o.LEGAL] = PASS
    assert BOT.decide(GAME, seen, 0, np.zeros(0, np.int64), 1, 0.5) == 0


def test_fields_by_name() -> None:
    made = bot("search:playouts=50,errors=2", GAME)
    assert (made.playouts, made.errors) == (50, 2)
    assert len(repr(made)) < 100
    for text in ("search:playouts=0", "search:practice=11", "search:slack=-1"):
        with pytest.raises(RuseError, match="must be"):
            bot(text, GAME)


@pytest.mark.slow
def test_matches_in_kernels_are_those_of_plain_python() -> None:
    class Plain:
        """The bot, which kernels cannot call."""

        memory_size, watch, decide = BOT.memory_size, BOT.watch, BOT.decide

    bots = [BOT, normal()]
    assert match(GAME, bots, deals=2, seed=3).by_seat == match(GAME, [Plain(), bots[1]], deals=2, seed=3).by_seat
