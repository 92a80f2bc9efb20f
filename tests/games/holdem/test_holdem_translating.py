"""Strategies at tables with other bets: what is bet is taken for what they know, and they stay in the game."""

import random
from pathlib import Path

import numpy as np
import pytest

from ruse.catalog.names import game as make_game
from ruse.errors import RuseError
from ruse.games.holdem.betting.menus import menu
from ruse.games.holdem.fields import NAMED
from ruse.games.holdem.row import PAST, WHO
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.observation import SEEN_STREET
from ruse.games.holdem.translating import BEFORE, Spent, Translating, differ_in_bets, raise_shares, taken_for
from ruse.play.bots.bot import playing
from ruse.play.match import play_one
from ruse.play.opponents import opponent
from ruse.play.seats import ByMemory, seated
from ruse.protocol.game import CHANCE
from ruse.protocol.state import State
from ruse.strategy import Strategy

HOME = Holdem()
LOOSE = Holdem(**NAMED["any"])
THREE = Holdem(players=3)


def translating(home: Holdem) -> Translating:
    return Translating(home, playing(Strategy.uniform(home)))


def dealt(state: State, dice: random.Random) -> State:
    while state.is_chance:
        state = state.child(dice.randrange(state.num_actions))
    return state


def watched(home: Holdem, game: Holdem, seat: int) -> ByMemory:
    table = seated(game, translating(home))
    assert isinstance(table, ByMemory)
    assert seat < game.players
    table.sit_down()
    return table


def row_in(table: ByMemory) -> np.ndarray:
    return table.memory[BEFORE + table.looks.shape[1] :]


def test_pseudo_harmonic() -> None:
    """As in the paper: a bet of half the pot between a check and the pot is taken for the pot half as often."""
    assert taken_for(0.5, [0.0, 1.0]) == pytest.approx({0: 1 / 3, 1: 2 / 3})
    assert taken_for(0.7, [2.0, 0.5]) == pytest.approx({1: 1.3 * 1.5 / (1.5 * 1.7), 0: 1 - 1.3 * 1.5 / (1.5 * 1.7)})
    assert taken_for(0.2, [0.5]) == {0: 1.0}


@pytest.mark.parametrize("home", [HOME, THREE])
def test_bets_that_are_known_are_followed_exactly(home: Holdem) -> None:
    """Where nobody bets anything else, the hand by the menu is the hand."""
    game = home._replace(open=menu("2bb, 2.2bb, 3bb, all-in"), flop_bets=menu("75%, 110%"))
    dice = random.Random(1)
    followed = 0
    for _ in range(60):
        seat = dice.randrange(home.players)
        table, real, plain = watched(home, game, seat), State.of(game), State.of(home)
        while not real.is_over:
            if real.is_chance:
                a = dice.randrange(real.num_actions)
                real, plain = real.child(a), plain.child(a)
                continue
            table.look_on(game, real.row, seat)
            assert (row_in(table)[PAST], row_in(table)[WHO]) == (plain.row[PAST], plain.row[WHO])
            assert real.row[PAST] == plain.row[PAST]
            followed += 1
            if real.player == seat:
                a = int(table.answer(game, real.row, seat, real.num_actions, dice.random()))
                name = real.actions[a]
            else:
                name = dice.choice(plain.actions)
            real, plain = real.child(real.actions.index(name)), plain.child(plain.actions.index(name))
    assert followed > 200


def test_a_bet_between_two_sizes_is_taken_for_either() -> None:
    """A raise to 2.5bb: three quarters of the pot, between a half and the whole."""
    known = {"raise 2bb": 0, "raise 3bb": 0}
    dice, to = random.Random(2), 52  # after fold, call and raises to 2bb, 2.01bb, ...
    assert LOOSE.action_name(dealt(State.of(LOOSE), dice).row, to) == "raise 2.5bb"
    for _ in range(400):
        table, state = watched(HOME, LOOSE, 1), dealt(State.of(LOOSE), dice)
        table.look_on(LOOSE, state.row, 1)
        before = row_in(table).copy()
        assert raise_shares(HOME, before)[:2] == [0.5, 1.0]
        table.look_on(LOOSE, state.child(to).row, 1)
        for name in known:
            after = before.copy()
            HOME.apply(after, [HOME.action_name(before, a) for a in range(5)].index(name))
            known[name] += int(after[PAST] == row_in(table)[PAST])
    assert sum(known.values()) == 400
    assert known["raise 2bb"] / 400 == pytest.approx(3 / 7, abs=0.08)


@pytest.mark.parametrize("home", [HOME, THREE, Holdem(open=menu("min"), reraise=menu("none"), flop_bets=menu("none"))])
def test_whatever_is_bet_it_stays_in_the_game(home: Holdem) -> None:
    """Against others who bet any amount it is asked for an action, and has a lawful one, to the end of the hand."""
    game = home._replace(**NAMED["any"])
    dice, decided, led = random.Random(3), 0, 0
    for _ in range(80):
        seat = dice.randrange(home.players)
        table, state = watched(home, game, seat), dealt(State.of(game), dice)
        while not state.is_over:
            table.look_on(game, state.row, seat)
            count = int(game.num_actions(state.row))
            if state.player == seat:
                a = int(table.answer(game, state.row, seat, count, dice.random()))
                led += int(row_in(table)[WHO] == seat)
                decided += 1
            else:
                a = dice.choice([0, 1, min(2 + dice.randrange(80), count - 1), dice.randrange(count)])
            assert 0 <= a < count
            state = dealt(state.step(a), dice)
        table.look_on(game, state.row, seat)
        assert row_in(table)[WHO] <= CHANCE or table.seen[SEEN_STREET] >= 0
    assert decided > 100
    assert led > decided / 2


def test_who_sits_down(tmp_path: Path) -> None:
    """A strategy of a game that differs in bets translates; other differences are refused as ever."""
    file = tmp_path / "holdem.strategy"
    Strategy.uniform(HOME).save(file)
    assert isinstance(opponent(str(file), HOME).bot, Strategy)
    bot = opponent(str(file), LOOSE).bot
    assert isinstance(bot, Translating)
    assert sum(play_one(LOOSE, [seated(LOOSE, bot) for _ in range(2)], seed=1, deal=0, rotation=0)) == 0.0
    with pytest.raises(RuseError, match="is a strategy for Holdem"):
        opponent(str(file), LOOSE._replace(stack=50.0))
    assert not differ_in_bets(HOME, HOME)
    assert not differ_in_bets(HOME, HOME._replace(cap=3))


@pytest.mark.parametrize("menu_text", ["all-in/2bb/3bb", "3bb/2bb", "2bb/3bb/all-in"])
def test_an_all_in_is_taken_for_the_largest_raise_wherever_it_stands_on_the_menu(menu_text: str) -> None:
    home = make_game(f"holdem:open={menu_text}")
    shares = raise_shares(home, dealt(State.of(home), random.Random(1)).row)
    bot = translating(home)
    s = dealt(State.of(home), random.Random(1)).row.copy()
    memory = np.zeros(4, np.int64)
    bot.follow(s, Spent(int(s[WHO]), False, 24.0, True), 0, 1, memory)
    largest = 2 + int(np.argmax(shares))
    expected = dealt(State.of(home), random.Random(1)).row.copy()
    home.apply(expected, largest)
    assert s.tolist() == expected.tolist()
