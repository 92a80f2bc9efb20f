"""An agent that solves what is left of a hand before it moves, beside spots, plain sums and lawful tables."""

import itertools
import random
from typing import Any

import numpy as np
import pytest
from rough_hands import few_buckets

from ruse.catalog.names import game as make_game
from ruse.errors import RuseError
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.fields import NAMED
from ruse.games.holdem.hands.holdings import HOLDINGS, holding
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.lines import FOLD, SHOWDOWN
from ruse.games.holdem.rules import Holdem
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.search.agent import Searching
from ruse.horizon.search.flops import CutFlop
from ruse.horizon.search.streets import StreetStart, betting_below, reach_of, start_of
from ruse.play.seats import seated
from ruse.protocol.state import State
from ruse.solve.solver.presets import dcfr
from ruse.spots.solving import engine_of
from ruse.strategy import Strategy

GAME = Holdem(stack=8.0)  # few lines
LONG = 600.0  # seconds: no test waits for them


def nobodys(game: Holdem = GAME) -> Strategy:
    """A strategy that knows nothing: all is played uniformly."""
    return Strategy(game, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())


def agent(iterations: int = 20, seconds: float = LONG) -> Searching:
    return Searching(nobodys(), seconds=seconds, iterations=iterations)


def node_after(bot: Searching, *names: str) -> int:
    """The node of the lines after these actions."""
    lines, node = bot.bucketed.lines, 0
    for name in names:
        node = lines.children(node)[lines.names[node].index(name)]
    return node


def cards(text: str) -> list[int]:
    return list(cards_named(text))


@pytest.mark.parametrize("board", ["Qs Jh 2h 8d 3c", "Qs Jh 2h 8d"])
def test_what_is_left_is_solved_as_the_spot_is(board: str) -> None:
    """All hands alike have come there by checks, so that it is a spot that can be written in words.

    A big blind is 128 chips there: a power of two, so that both round alike.
    """
    bot = agent()
    streets = len(board.split()) - 3
    node = node_after(bot, "call", "check", *(["check"] * 2 * streets))
    text = f"holdem: board {board}, pot 256, stack 896, oop random, ip random, bets 75%, raises all-in"
    spot: Any = make_game(text)
    engine = engine_of(spot, dcfr(gamma=4.0))
    engine.run(0, bot.iterations)
    rows = bot.to_the_end(StreetStart(node, tuple(cards(board))), np.ones((2, HOLDINGS)) * free(cards(board)), np.inf)
    lines = bot.bucketed.lines
    answer = lines.children(node)[1]  # to a bet
    for here, there in ((node, 0), (answer, spot.betting.children(0)[1])):
        hands, expected = engine.strategy(there)
        np.testing.assert_allclose(rows[here][hands], expected, atol=1e-6)
    assert set(rows) == {n for n in betting_below(lines, node)[1] if lines.street[n] == streets + 1}


def free(board: list[int]) -> np.ndarray:
    """[holding] whether the board leaves it."""
    return strengths_on(board) >= 0


def test_leaves_of_a_flop_are_worth_what_their_lines_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one hand each, by going through all turns, rivers and lines; and in every way to go on."""
    monkeypatch.setattr("ruse.horizon.search.flops.HELD", 1)
    bot, board = agent(), cards("Ts 9s 2d")
    held = holding(*cards("As Ks")), holding(*cards("Td Th"))
    lines, leafs = bot.bucketed.lines, Leafs(biased(2))
    node = node_after(bot, "call", "check")
    cut = CutFlop.of(bot.bucketed, StreetStart(node, tuple(board)))
    reach = np.zeros((2, HOLDINGS))
    reach[0, held[0]], reach[1, held[1]] = 1.0, 1.0
    valued = cut.valued(reach, leafs, 300, lambda: True)
    assert valued.pairs.tolist() == [[1.0]]

    def worth(n: int, ahead: int, ways: Any) -> float:
        who = int(lines.who[n])
        if who == FOLD:
            return float(lines.payoff[n, 0, 0])
        if who == SHOWDOWN:
            return float(lines.payoff[n, {1: 0, -1: 1, 0: 2}[ahead], 0])
        row = ways[who].of(bot.bucketed.rows(n)[0], lines.names[n])
        return sum(share * worth(c, ahead, ways) for share, c in zip(row, lines.children(n), strict=True))

    rest = sorted(set(range(52)) - {*board, *cards("As Ks Td Th")})
    found = [strengths_on([*board, *two]).astype(int) for two in itertools.combinations(rest, 2)]
    ahead = np.array([np.sign(each[held[0]] - each[held[1]]) for each in found])
    chance = {k: float(np.mean(ahead == k)) for k in (-1, 0, 1)}
    for n, values in valued.worth.items():
        for i, j in np.ndindex(*values.shape[:2]):
            ways = (leafs.choices[i], leafs.choices[j])
            each = {k: worth(cut.kept[n], k, ways) for k in chance}
            expected = sum(share * each[k] for k, share in chance.items())
            spread = abs(each[1] - each[-1]) * np.sqrt(chance[1] * chance[-1] / 300)
            assert values[i, j, 0, 0] == pytest.approx(expected, abs=4 * spread + 1e-9)


def test_where_a_street_begins_and_with_what() -> None:
    bot, board = agent(), cards("Qs Jh 2h 8d")
    node = node_after(bot, "raise 2bb", "call", "check", "check", "check")
    start = start_of(bot.bucketed.lines, bot.ways, node, [*board, 0])
    assert start == StreetStart(node_after(bot, "raise 2bb", "call", "check", "check"), tuple(board))
    told = np.tile([0.0, 0.2, 0.8], (HOLDINGS, 1))
    told[7] = [1.0, 0.0, 0.0]
    reach = reach_of(bot.bucketed.lines, bot.ways[node_after(bot, "raise 2bb")], board, lambda n: told)
    assert reach[1].max() == reach[1].min() + 1.0 == 1.0, "nothing but the board"
    assert reach[0, 7] <= 1e-3


def decisions(bot: Any, game: Holdem, seed: int, hands: int = 10) -> list[tuple[str, str]]:
    """What the agent does in some hands against one who calls and raises at random; lawful, or the table refuses it."""
    dice, found = random.Random(seed), []
    for hand in range(hands):
        seat, table, state = hand % 2, seated(game, bot), State.of(game)
        table.sit_down()
        while not state.is_over:
            if not state.is_chance:
                table.look_on(game, state.row, seat)
            a = dice.randrange(state.num_actions)
            if not state.is_chance and state.player != seat:
                a = int(state.actions[0] == "fold") if dice.random() < 0.8 else a
            elif not state.is_chance:
                a = int(table.answer(game, state.row, seat, state.num_actions, dice.random()))
                assert 0 <= a < state.num_actions
                found.append((state.describe(seat), state.actions[a]))
            state = state.child(a)
    return found


@pytest.mark.parametrize("game", [GAME, GAME._replace(**NAMED["any"])])
def test_it_plays_to_the_end_of_the_hand(game: Holdem, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its own table and where any amount may be bet; the same again with the same numbers."""
    monkeypatch.setattr("ruse.horizon.search.agent.RUNOUTS", 4)
    found = decisions(agent(5), game, 3)
    assert sum("no board" not in at for at, _ in found) >= 3
    assert decisions(agent(5), game, 3) == found


def test_it_has_a_time_limit() -> None:
    """A move that may take next to no time has some iterations, and no more."""
    bot, ran = agent(10_000, seconds=1e-6), []

    class Engine:
        def run(self, done: int, iterations: int) -> None:
            ran.append(iterations)

    bot.run(Engine(), 0.0)  # type: ignore[arg-type]
    assert ran == [10]


def test_the_own_cards_choose_a_row_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is solved is the same whatever the seat holds: another hand finds it solved."""
    monkeypatch.setattr("ruse.horizon.search.agent.RUNOUTS", 4)
    bot = agent(5)
    node, board = node_after(bot, "call", "check"), cards("Qs Jh 2h")
    rows = bot.rows(node, board)
    assert bot.rows(node_after(bot, "call", "check", "check"), board).shape[0] == len(rows) == HOLDINGS
    assert len(bot.solved.places) == 1
    np.testing.assert_allclose(rows[free(board)].sum(axis=1), 1.0)


def test_what_it_cannot_play_is_refused() -> None:
    with pytest.raises(RuseError, match="seconds must be above 0, got 0"):
        agent(seconds=0.0)
    with pytest.raises(RuseError, match="iterations must be at least 1, got 0"):
        agent(0)
    with pytest.raises(RuseError, match="for two players; the strategy is for 3"):
        Searching(nobodys(Holdem(players=3)))
    with pytest.raises(RuseError, match="hands in buckets"):
        Searching(Strategy.uniform(GAME))
