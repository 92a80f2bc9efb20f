"""A bot that is one of two: who plays is drawn fairly, and then plays as if it had been alone."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.rules import Cheat
from ruse.play.bots.bot import Seat
from ruse.play.bots.either import CHOSEN, MEMORIES, NOT_YET, ONE, Either
from ruse.play.seats import seated
from ruse.protocol.game import CHANCE, OVER

MID = Cheat(**Cheat.NAMED["mid"], max_turns=20)
PAIRS = [("heuristic", "naive"), ("naive", "heuristic_002"), ("heuristic", "heuristic_002")]


class Says(NamedTuple):
    """A bot that answers with its own number, and notes the random number that it was given."""

    number: int
    heard: list[float]

    def memory_size(self, game: Any) -> int:
        return self.number  # memories of different lengths

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None:
        memory[self.number - 1] += 1

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        self.heard.append(u)
        return self.number


def first_answer(bot: Any, u: float) -> int:
    memory = np.zeros(bot.memory_size(MID), np.int64)
    bot.watch(MID, memory[:0], 0, memory)
    return int(bot.decide(MID, memory[:0], 0, memory, 9, u))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.75, 1.0])
def test_the_choice_is_as_asked_and_leaves_a_random_number(share: float) -> None:
    one, other = Says(1, []), Says(2, [])
    found = [first_answer(Either(one, other, share), (k + 0.5) / 1_000) for k in range(1_000)]
    assert found.count(1) == round(1_000 * share)
    for bot in (one, other):
        if bot.heard:  # from 0 to 1, evenly
            middles = (np.arange(len(bot.heard)) + 0.5) / len(bot.heard)
            assert np.allclose(bot.heard, middles)


def test_several_bots_have_equal_chances() -> None:
    bots = [Says(n, []) for n in (1, 2, 3, 4)]
    found = [first_answer(Either.of(*bots), (k + 0.5) / 1_200) for k in range(1_200)]
    assert [found.count(n) for n in (1, 2, 3, 4)] == [300] * 4
    assert Either.of(bots[0]) is bots[0]


def test_weights() -> None:
    bots = [Says(n, []) for n in (1, 2, 3)]
    found = [first_answer(Either.of(*bots, weights=(5, 2, 1)), (k + 0.5) / 800) for k in range(800)]
    assert [found.count(n) for n in (1, 2, 3)] == [500, 200, 100]
    for wrong in ((1, 2), (1, 2, 0)):
        with pytest.raises(RuseError, match=r"^Either\.of needs bots, and a weight above 0 for each, got 3 bots and "):
            Either.of(*bots, weights=wrong)
    with pytest.raises(RuseError, match=r"got 0 bots and \[\]$"):
        Either.of()


@pytest.mark.parametrize("share", [0.1, 0.3, 1 / 3, 0.7, 0.9])
def test_what_is_left_is_below_1(share: float) -> None:
    one, other = Says(1, []), Says(2, [])
    for u in (np.nextafter(share, 0), 1 - 2.0**-53):
        first_answer(Either(one, other, share), float(u))
    assert len(one.heard) == len(other.heard) == 1
    assert 0.999 < one.heard[0] < 1
    assert 0.999 < other.heard[0] < 1


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_it_plays_as_one_of_the_two(names: tuple[str, str]) -> None:
    """Beside both bots at tables of their own: one of them makes all its moves, and remembers what it remembers."""
    draw, chosen = np.random.default_rng(2), []
    for _ in range(30):
        either, *pair = (
            seated(MID, bot) for bot in (Either(*(BOTS[n] for n in names), 0.4), *(BOTS[n] for n in names))
        )
        who, s = -1, MID.start()
        while MID.player(s) != OVER:
            a, count = int(draw.integers(MID.num_actions(s))), MID.num_actions(s)
            if MID.player(s) == 0:
                u = float(draw.random())
                a = int(either.answer(MID, s, 0, count, u))
                if who < 0:
                    who = int(u >= 0.4)
                    u = (u - 0.4) / 0.6 if who else u / 0.4
                assert a == pair[who].answer(MID, s, 0, count, u)
            MID.apply(s, a)
            if MID.player(s) != CHANCE:
                for bot in (either, *pair):
                    bot.look_on(MID, s, 0)
        assert either.memory[CHOSEN] == (who + ONE if who >= 0 else NOT_YET)
        if who >= 0:
            half = (len(either.memory) - MEMORIES) // 2
            kept = either.memory[MEMORIES:][who * half :][: len(pair[who].memory)]
            assert np.array_equal(kept, pair[who].memory)
        chosen.append(who)
    assert {0, 1} <= set(chosen)


class Uniformly:
    """Plays like RandomBot, in plain Python."""

    def act(self, seat: Seat) -> int:
        return int(seat.u * len(seat.actions))


@pytest.mark.usefixtures("unveiled")
def test_compiled_as_in_plain_python() -> None:
    bot = Either.of(BOTS["heuristic"], BOTS["naive"])
    compiled = ruse.match(MID, [bot, ruse.RandomBot()], deals=40, seed=4)
    plain = ruse.match(MID, [bot, Uniformly()], deals=40, seed=4)
    assert compiled[1:] == plain[1:]
