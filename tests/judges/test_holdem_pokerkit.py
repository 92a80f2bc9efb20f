"""Hold'em against PokerKit: who is to act, what may be paid, and every stack, action by action and chip by chip.

Two differences are known, and looked for by name. An all-in for less than a full bet opens nothing here; PokerKit lets
those raise who have acted, if nobody has bet or raised in full on the street. And where several short all-ins come to a
full raise and one more follows, PokerKit lets nobody raise who has acted; here they may. There is always a small blind:
without one PokerKit begins at another seat where an ante has cost the big blind all chips.
"""

import random
from collections import Counter

import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

from ruse.games.holdem.betting.menus import raises_in
from ruse.games.holdem.betting.paying import highest_to, least_to, may_raise, to_call
from ruse.games.holdem.betting.pots import chips_won
from ruse.games.holdem.fields import NAMED, Stacks
from ruse.games.holdem.row import ACTED, HIGH, LEVEL, RAISE, STATUS, WHO, left, paid
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.words import board_names, hand_names
from ruse.protocol.game import CHANCE
from ruse.protocol.state import State

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def some_game(dice: random.Random) -> Holdem:
    """Two to six players with any stacks, from a single chip on."""
    players, chips = dice.randint(2, 6), dice.choice([2, 4, 10, 100])
    small = dice.choice([chips // 2, dice.randrange(1, chips)])
    ante = dice.choice([0, 0, 1, dice.randint(1, chips)])
    deep = dice.choice([2, 6, 25, 100])
    stacks = [dice.choice([dice.randint(1, 2 * chips), dice.randint(1, deep * chips)]) for _ in range(players)]
    if dice.random() < 0.2:
        stacks = [deep * chips] * players
    pays_all = dice.random() < 0.3
    return Holdem(
        players=players, stacks=Stacks(*(stack / chips for stack in stacks)), small=small / chips, chips=chips,
        ante=0.0 if pays_all else ante / chips, big_ante=ante / chips if pays_all else 0.0,
        limit=dice.random() < 0.3, **NAMED["any"],
    )  # fmt: skip


def theirs(game: Holdem):
    """The same hand in PokerKit, whose seat 0 is the one on the left of the button."""
    chips = game.chips
    antes = (0, round(game.big_ante * chips)) if game.big_ante else round(game.ante * chips)
    bets = (chips, 2 * chips) if game.limit else (chips,)
    stacks = [round(game.stacks[seat(k, game)] * chips) for k in range(game.players)]
    kind = FixedLimitTexasHoldem if game.limit else NoLimitTexasHoldem
    return kind.create_state(
        AUTOMATIC, not game.big_ante, antes, (round(game.small * chips), chips), *bets, stacks, game.players
    )


def seat(k: int, game: Holdem) -> int:
    return (k + 1) % game.players


def move(dice: random.Random, choices: int, call: int, may_raise_there: bool) -> int:
    """An action: mostly calls and small or large raises, so that hands go on."""
    first = 1 if call > 0 else 0
    raises = choices - first - 1
    if raises > 0 and may_raise_there and dice.random() < 0.4:
        return first + 1 + dice.choice([0, raises - 1, dice.randrange(raises)])
    return first if dice.random() < 0.8 else 0


def dealt(state: State, dice: random.Random, cards: int) -> State:
    """The state after so many cards."""
    for _ in range(cards):
        state = state.child(dice.randrange(state.num_actions))
    return state


def is_short(game: Holdem, s, call: int) -> bool:
    """Whether the player has acted and is asked for less than a full raise."""
    return bool(s[STATUS] >> ACTED + s[WHO] & 1) and call < s[RAISE]


def compare(number: int) -> Counter[str]:
    """Play a hand in both; returns what was seen in it."""
    dice = random.Random(number)
    game, seen = some_game(dice), Counter[str]()
    mine, their = State.of(game), theirs(game)
    order = [seat(k, game) for k in range(game.players)]
    mine = dealt(mine, dice, 2 * game.players)
    for p in order:
        their.deal_hole("".join(hand_names(mine.row, p)))
    while not mine.is_over:
        if mine.is_chance:
            before = board_names(game, mine.row)
            mine = dealt(mine, dice, 1 if before else 3)
            now = board_names(game, mine.row)
            their.burn_card("??")
            their.deal_board("".join(card for card in now if card not in before))
            seen["cards dealt without bets"] += mine.row[WHO] == CHANCE
            continue
        s, p = mine.row, mine.player
        assert order[their.actor_index] == p
        assert [their.stacks[k] for k in range(game.players)] == [s[left(game) + q] for q in order]
        call = min(to_call(game, s, p), s[left(game) + p])
        assert their.checking_or_calling_amount == max(call, 0)
        assert their.can_fold() == (call > 0)
        limits = (int(least_to(game, s)), int(highest_to(game, s))) if may_raise(game, s) else (None, None)
        found = (their.min_completion_betting_or_raising_to_amount, their.max_completion_betting_or_raising_to_amount)
        if limits != found:
            completed = their.completion_betting_or_raising_amount
            if found[0] is not None:
                assert limits[0] is None
                assert is_short(game, s, to_call(game, s, p))
                assert completed < s[RAISE]
                seen["they open after a short all-in"] += 1
            else:
                assert not is_short(game, s, to_call(game, s, p))
                assert 0 < sum(their.consecutive_short_all_in_amounts) < completed <= to_call(game, s, p)
                seen["they do not open after several"] += 1
        assert raises_in(game, s) == (0 if limits[0] is None else limits[1] - limits[0] + 1)
        a = move(dice, mine.num_actions, call, found[0] is not None)
        moves = a + (call <= 0)
        if moves == 0:
            their.fold()
        elif moves == 1:
            their.check_or_call()
        else:
            to = limits[0] + moves - 2
            their.complete_bet_or_raise_to(to)
            full = to - (s[HIGH] - s[LEVEL]) >= s[RAISE]
            seen["raises" if full else "short all-ins"] += 1
        mine = mine.child(a)
    assert not their.status
    won = [mine.row[left(game) + q] + chips_won(game, mine.row, q) for q in order]
    assert their.stacks == won
    assert sum(won) == sum(round(stack * game.chips) for stack in game.stacks)
    paid_in = {int(mine.row[paid(game) + q]) for q in order}
    seen["hands"] += 1
    seen["showdowns"] += sum(their.statuses) > 1
    seen["side pots"] += len(paid_in) > 2
    return seen


def test_random_hands() -> None:
    seen = sum((compare(number) for number in range(300)), Counter[str]())
    for what in ("showdowns", "side pots", "raises", "short all-ins", "cards dealt without bets"):
        assert seen[what] > 10, what


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 100_000, 10_000))
def test_a_hundred_thousand_random_hands(first: int) -> None:
    seen = sum((compare(number) for number in range(first, first + 10_000)), Counter[str]())
    assert seen["hands"] == 10_000
    assert seen["they open after a short all-in"] < seen["hands"] / 10
    assert seen["they do not open after several"] < seen["hands"] / 1000
