"""The rules of Hold'em by hand: order of action, raises, all-ins, pots, and the size of the betting."""

import random

import pytest
from golden import GAMES

from ruse.games.holdem.betting.paying import least_to, most_to
from ruse.games.holdem.betting.pots import chips_won
from ruse.games.holdem.cards import NUMBER
from ruse.games.holdem.fields import NAMED, stacks
from ruse.games.holdem.row import DEALT, left, paid
from ruse.games.holdem.rules import Holdem
from ruse.protocol.state import State

ANY = NAMED["any"]


def dealt(game: Holdem, text: str) -> State:
    """The state when cards are dealt: seat by seat, from the button on."""
    return after_cards(State.of(game), text)


def after_cards(state: State, text: str) -> State:
    for name in text.split():
        state = state.after(name)
    return state


def nets(state: State) -> list[float]:
    assert state.is_over
    return [round(x, 6) for x in state.payoffs]


# ---- order of action -------------------------------------------------------------------------------------------------


def test_two_players_the_button_has_the_small_blind_and_acts_first_then_last() -> None:
    state = dealt(Holdem(), "As Ks 2c 2d")
    assert state.player == 0
    assert state.actions == ["fold", "call", "raise 2bb", "raise 3bb", "all-in"]
    state = state.after("call")
    assert (state.player, state.actions[0]) == (1, "check")
    state = after_cards(state.after("check"), "Qs Jh 2h")
    assert state.player == 1
    assert state.after("check").player == 0


def test_six_players_act_in_turn() -> None:
    state = dealt(Holdem(players=6), "2c 2d 3c 3d 4c 4d 5c 5d 6c 6d 7c 7d")
    order = []
    for _ in range(6):
        order.append(state.player)
        state = state.after("call" if state.player != 2 else "check")
    assert order == [3, 4, 5, 0, 1, 2]
    state, order = after_cards(state, "As Ks Qs"), []
    for _ in range(6):
        order.append(state.player)
        state = state.after("check")
    assert order == [1, 2, 3, 4, 5, 0]


# ---- raises ----------------------------------------------------------------------------------------------------------


def raised(state: State, blinds: float) -> State:
    return state.after(f"{'raise' if state.actions[0] == 'fold' or state.row[DEALT] < 5 else 'bet'} {blinds:g}bb")


def test_the_least_raise_is_as_large_as_the_last() -> None:
    state = dealt(Holdem(stack=100.0, **ANY), "As Ks 2c 2d")
    assert (least_to(state.game, state.row), most_to(state.game, state.row)) == (200, 10_000)
    state = raised(state, 5)
    assert least_to(state.game, state.row) == 900
    state = raised(state, 9)
    assert least_to(state.game, state.row) == 1300


def test_a_short_all_in_does_not_open_the_betting_again() -> None:
    """Player 0 raises to 3, player 1 goes all-in for 4: a raise of 1 where 2 would be a full one."""
    game = Holdem(players=3, stacks=stacks("50/4/50"), **ANY)
    state = raised(dealt(game, "As Ks 2c 2d 7h 7d"), 3).after("all-in")
    assert (state.player, "all-in" in state.actions) == (2, True)
    state = state.after("call")
    assert (state.player, state.actions) == (0, ["fold", "call"])


def test_several_short_all_ins_may_come_to_a_full_raise() -> None:
    game = Holdem(players=4, stacks=stacks("4/5/50/50"), **ANY)
    state = raised(dealt(game, "As Ks 2c 2d 7h 7d 8c 9c"), 3).after("all-in", "all-in", "call")
    assert (state.player, "all-in" in state.actions) == (3, True)


def test_a_raise_that_nobody_can_answer_is_not_offered() -> None:
    state = dealt(Holdem(stacks=stacks("25/5"), **ANY), "As Ks 2c 2d").after("raise 5bb")
    assert state.actions == ["fold", "call"]


def test_a_blind_that_covers_the_other_is_not_asked() -> None:
    """The small blind is all-in for its half; the other has nothing to decide, and gets half a blind back."""
    state = dealt(Holdem(stacks=stacks("0.5/10")), "As Ks 2c 2d")
    assert state.is_chance
    assert nets(after_cards(state, "Ah Kh 3s 4s 9d")) == [0.5, -0.5]


def test_limit_bets_have_one_size_and_a_cap() -> None:
    state = dealt(Holdem(limit=True), "As Ks 2c 2d")
    for size in (2, 3, 4, 5):
        assert state.actions == ["fold", "call", f"raise {size}bb"]
        state = state.after(state.actions[-1])
    assert state.actions == ["fold", "call"]
    state = after_cards(state.after("call"), "Qs Jh 2h")
    assert state.actions == ["check", "bet 1bb"]
    state = after_cards(state.after("check", "check"), "3h")
    assert state.actions == ["check", "bet 2bb"]


# ---- pots ------------------------------------------------------------------------------------------------------------


def all_in(game: Holdem, hands: str, board: str) -> State:
    state = dealt(game, hands).after("all-in")
    while not state.is_chance:
        state = state.after("call")
    return after_cards(state, board)


def test_side_pots() -> None:
    """The shortest stack has the best hand, the longest the worst, and gets back what nobody could call."""
    game = Holdem(players=3, stacks=stacks("20/10/5"), **ANY)
    state = all_in(game, "2c 3d Ks Kh As Ah", "Qd Jd 7c 7s 4h")
    assert nets(state) == [-10, 0, 10]


def test_odd_chips_go_to_the_first_on_the_left_of_the_button() -> None:
    """Seats 0 and 2 share a pot of 41 half blinds in which seat 1 has left a small blind."""
    game = Holdem(players=3, stack=10.0, chips=2, **ANY)
    state = dealt(game, "As Kh 2c 2d Ad Ks").after("all-in", "fold", "call")
    state = after_cards(state, "Qd Jd 7c 7s 4h")
    assert [int(chips_won(game, state.row, p)) for p in range(3)] == [20, 0, 21]


def test_the_ante_of_the_big_blind_is_for_all() -> None:
    game = Holdem(players=3, stacks=stacks("10/10/1"), big_ante=1.0, **ANY)
    state = dealt(game, "2c 3d Ks Kh As Ah")  # the big blind has paid nothing but the ante, and plays for that alone
    state = after_cards(state.after("call", "check"), "Qd Jd 7c").after("check", "check")
    state = after_cards(after_cards(state, "7s").after("check", "check"), "4h").after("check", "check")
    assert nets(state) == [-0.5, 0.5, 0]


@pytest.mark.parametrize("name", [name for name in GAMES if name.startswith("holdem")])
def test_chips_are_conserved_at_every_moment(name: str) -> None:
    game, dice = GAMES[name], random.Random(5)
    for _ in range(30):
        state = State.of(game)
        total = state.row[paid(game) : left(game) + game.players].sum()
        while not state.is_over:
            state = state.child(dice.randrange(state.num_actions))
            chips = state.row[paid(game) :]
            assert chips.sum() == total
            assert chips.min() >= 0
        assert (
            sum(chips_won(game, state.row, p) for p in range(game.players)) == state.row[paid(game) : left(game)].sum()
        )


# ---- the size of the betting -----------------------------------------------------------------------------------------


def decisions(state: State) -> int:
    """Public decisions: any cards will do."""
    while state.is_chance:
        state = state.child(0)
    return 0 if state.is_over else 1 + sum(decisions(child) for child in state.children())


@pytest.mark.parametrize(
    ("name", "count"),
    [("hu100", 686), ("hu20", 426), ("hu_pre20", 20), ("hu_pre100", 30), ("three_pre20", 222), ("three_pre100", 318)],
)
def test_public_decisions(name: str, count: int) -> None:
    """As they were counted elsewhere with the same sizes."""
    assert decisions(State.of(Holdem(**NAMED[name]))) == count


def test_without_bets_the_board_is_dealt_at_once() -> None:
    state = dealt(Holdem(streets=1), "As Ks 2c 2d").after("call", "check")
    state = after_cards(state, "Qs Js Ts 3h 4h")
    assert nets(state) == [1, -1]


def test_the_order_of_dealt_cards_means_nothing() -> None:
    keys = {
        after_cards(dealt(Holdem(), hand).after("call", "check"), flop).infoset
        for hand in ("As Ks 2c 2d", "Ks As 2d 2c")
        for flop in ("Qs Jh 2h", "2h Qs Jh", "Jh 2h Qs")
    }
    assert len(keys) == 1
    assert len(NUMBER) == 52
