"""A bot in a training: it plays as it would at a table, its memory goes along, and the learner sees nothing of it."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.evaluate.against_bot import DRAWN, FACES, MEMORY, NOBODY, NUMBER, SEAT, WORDS, AgainstBot
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import Memoryless
from ruse.play.match import match
from ruse.play.seats import seated
from ruse.protocol.choices import Own
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.view import Full
from ruse.protocol.wrapped import Wrapped
from ruse.solve.sampled.engine import SampledEngine
from ruse.strategy import Strategy

MID = Cheat(**Cheat.NAMED["mid"], max_turns=20)


def at_table(facing: Wrapped, seat: int, number: int, draw: np.random.Generator) -> list[float]:
    """A game with the bot at a table of its own, beside the same game as the learner faces it: they stay the same."""
    game = facing.rules
    bot = seated(game, facing.twist.bot)
    bot.sit_down()
    s, row, used = facing.start(), game.start(), 0
    facing.apply(s, seat)
    for k in range(WORDS):
        facing.apply(s, number // FACES ** (WORDS - 1 - k) % FACES)
    assert s[facing.columns + NUMBER] == number
    while True:
        while game.player(row) != CHANCE:
            bot.look_on(game, row, seat)
            if game.player(row) != seat:
                break
            used += 1
            u = (mix(number, used) >> 11 & ((1 << 53) - 1)) * 2.0**-53
            game.apply(row, bot.answer(game, row, seat, game.num_actions(row), u))
        assert np.array_equal(s[: facing.columns], row)
        assert np.array_equal(s[facing.columns + MEMORY :][: facing.twist.remembered], bot.memory)
        player = facing.player(s)
        if player == OVER:
            break
        assert player != seat
        a = int(draw.integers(facing.num_actions(s)))
        game.apply(row, a if player == CHANCE else int(facing.twist.sees.meaning(game, row, a)))
        facing.apply(s, a)
    return [facing.payoff(s, p) for p in range(game.players)]


@pytest.mark.parametrize("view", [Memoryless(), Sketch()], ids=["memoryless", "sketch"])
@pytest.mark.parametrize("name", ["naive", "heuristic"])
def test_a_bot_plays_as_at_a_table(name: str, view: Any) -> None:
    facing, draw = AgainstBot.of(MID, BOTS[name], view), np.random.default_rng(1)
    found = [at_table(facing, game % 2, int(draw.integers(FACES**WORDS)), draw) for game in range(20)]
    assert {payoffs[0] for payoffs in found} >= {1.0, -1.0}


THREE = Cheat(players=3, hp=2, max_turns=20)


def test_a_bot_takes_a_seat_among_three() -> None:
    """It plays as at a table, whichever seat it has, and the learner has both others."""
    facing, draw = AgainstBot.of(THREE, BOTS["heuristic"], Memoryless(), share=0.75), np.random.default_rng(2)
    s = facing.start()
    assert [facing.chance(s, a) for a in range(facing.num_actions(s))] == [0.25, 0.25, 0.25, 0.25]
    assert [facing.action_name(s, a) for a in (0, 2, 3)] == ["bot in seat 0", "bot in seat 2", "no bot"]
    for seat in range(3):
        found = [at_table(facing, seat, int(draw.integers(FACES**WORDS)), draw) for _ in range(5)]
        assert all(len(payoffs) == 3 for payoffs in found)


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff", "observe")
class Hands(NamedTuple):
    """Rock, paper, scissors in turns, each hidden from the others. It begins with a player's move."""

    players: int = 2

    def start(self) -> Any:
        return np.zeros(1 + self.players, np.int64)

    def player(self, s):
        return s[0] if s[0] < self.players else OVER

    def num_actions(self, s):
        return 3

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        s[1 + s[0]] = a
        s[0] += 1

    def infoset(self, s):
        return mix(7, s[0])

    def payoff(self, s, player):
        total = 0.0
        for other in range(self.players):
            total += (0.0, 1.0, -1.0)[(s[1 + player] - s[1 + other]) % 3]
        return total

    def observation_size(self) -> int:
        return 1

    def observe(self, s, player, out):
        out[0] = s[0]

    def action_name(self, s: Any, a: int) -> str:
        return ("rock", "paper", "scissors")[a]

    def describe(self, s: Any, viewer: int) -> str:
        return f"turn {s[0]}"


@compiled("watch", "decide")
class Rock(NamedTuple):
    """Plays rock, and counts what it has seen."""

    hand: int = 0

    def memory_size(self, game: Any) -> int:
        return 1

    def watch(self, game, seen, me, memory):
        memory[0] += 1

    def decide(self, game, seen, me, memory, count, u):
        return self.hand


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_begins_with_a_move(players: int) -> None:
    """The first move is the bot's if it has the first seat, and it watches from the beginning."""
    facing, draw = AgainstBot.of(Hands(players), Rock(), Full()), np.random.default_rng(4)
    for seat in range(players):
        at_table(facing, seat, int(draw.integers(FACES**WORDS)), draw)


@pytest.mark.slow
def test_the_best_answer_to_a_bot_that_begins() -> None:
    run = ruse.train(
        Hands(), ruse.mccfr(walk="external"), iterations=2_000, seed=1, against=ruse.Teachers.of(Rock(), share=1.0)
    )
    assert [choice.actions["paper"] > 0.98 for choice in run.strategy] == [True, True]


def test_who_sits_where_is_chance() -> None:
    facing = AgainstBot.of(MID, BOTS["naive"], Sketch(), share=0.25)
    s = facing.start()
    assert facing.player(s) == CHANCE
    assert [facing.chance(s, a) for a in range(facing.num_actions(s))] == [0.125, 0.125, 0.75]
    facing.apply(s, 2)
    assert s[facing.columns + SEAT] == NOBODY
    assert s[facing.columns + DRAWN] == WORDS, "nobody needs a number"
    plain = MID.start()
    draw, players = np.random.default_rng(0), set()
    while facing.player(s) != OVER:  # the learner has both seats
        a = int(draw.integers(facing.num_actions(s)))
        players.add(int(facing.player(s)))
        MID.apply(plain, a if facing.player(s) == CHANCE else int(Sketch().meaning(MID, plain, a)))
        facing.apply(s, a)
        assert np.array_equal(s[: facing.columns], plain)
    assert players >= {0, 1}


def test_a_learner_cannot_see_the_bot() -> None:
    facing = AgainstBot.of(MID, BOTS["heuristic"], Sketch())
    s, draw = facing.start(), np.random.default_rng(3)
    while facing.player(s) < 0:
        facing.apply(s, int(draw.integers(facing.num_actions(s))))
    other = s.copy()
    other[facing.columns :] = 7
    assert facing.infoset(s) == facing.infoset(other)


@pytest.mark.slow
def test_it_learns_to_beat_the_bot() -> None:
    facing = AgainstBot.of(MID, BOTS["heuristic"], Sketch())
    engine = SampledEngine(facing, ruse.lcfr(walk="probing"), view=Own(), seed=0)
    shares = []
    for done in (0, 4_000):
        engine.run(max(done - 4_000, 0), done)
        strategy = Strategy(MID, *engine.rows(), view=Sketch())
        shares.append(match(MID, [strategy, BOTS["heuristic"]], deals=1_000, seed=1).win_rate[0])
    assert shares[1] > shares[0] + 0.2


def test_sentences() -> None:
    with pytest.raises(RuseError, match=r"^share must be between 0 and 1, got 1\.5$"):
        AgainstBot.of(MID, BOTS["naive"], Sketch(), share=1.5)
    with pytest.raises(
        RuseError, match=r"^training against a bot needs a game that shows it something by observe\(\), got Kuhn"
    ):
        AgainstBot.of(ruse.Kuhn(), BOTS["naive"], Sketch())
