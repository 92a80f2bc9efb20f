"""Bots that fail: who it was and what they did is told in one sentence, whatever their code does."""

import threading
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.games.cheat.rules import Cheat
from ruse.play.bots.blame import strangers
from ruse.play.bots.bot import RandomBot, Seat, name_of
from ruse.play.bots.discretion import BotFault
from ruse.play.round_robin import RoundRobin
from ruse.play.seats import seated, whole_of
from ruse.play.session import NamedBot, Person, Session

KUHN, CHEAT = ruse.Kuhn(), Cheat()


class Fails:
    """Raises what it holds."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def act(self, seat: Seat) -> int:
        raise self.error


def in_a_match(bot: Any) -> Any:
    return ruse.match(KUHN, [bot, RandomBot()], deals=2)


def in_a_session(bot: Any) -> Any:
    return Session.start(KUHN, [bot, Person()])


def in_a_round_robin(bot: Any) -> Any:
    return list(RoundRobin(KUHN, {"it": bot, "random": RandomBot()}, deals=2).play())


def one_sentence(error: pytest.ExceptionInfo[RuseError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert "\x1b" not in text
    assert len(text) < 500
    return text


PLACES = [in_a_match, in_a_session, in_a_round_robin]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "error", [ValueError("two\nlines"), SystemExit(0), StopIteration(), GeneratorExit(), MemoryError(), KeyError("x")]
)
def test_what_a_bot_raises_is_its_fault(place: Any, error: BaseException) -> None:
    """One that leaves the program would otherwise end it with the exit code that it likes."""
    with pytest.raises(RuseError) as found:
        place(Fails(error))
    assert one_sentence(found).startswith(f"Fails has failed: act() raised {type(error).__name__}")
    assert isinstance(found.value.__cause__, type(error))


class Mute(Exception):
    """Raises, or leaves the program, when it is asked what it says."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __str__(self) -> str:
        raise self.error


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("error", [RuntimeError("again"), SystemExit(0), GeneratorExit()])
def test_an_exception_that_cannot_be_read_is_told_by_its_kind(place: Any, error: BaseException) -> None:
    with pytest.raises(RuseError) as found:
        place(Fails(Mute(error)))
    assert one_sentence(found).startswith("Fails has failed: act() raised Mute at test_blame.py:")


class Uncopied(Fails):
    """Leaves the program when it is copied, or says nothing of why it cannot be."""

    def __deepcopy__(self, memo: Any) -> Any:
        raise self.error


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("error", [SystemExit(0), Mute(SystemExit(0))])
def test_a_bot_that_cannot_be_copied_is_told_by_name(place: Any, error: BaseException) -> None:
    with pytest.raises(RuseError, match=r"^Uncopied cannot be copied \("):
        place(Uncopied(error))


def test_ctrl_c_in_a_thread_beside_is_the_bots_fault() -> None:
    """A person's reaches the main thread alone."""
    found: list[BaseException] = []

    def play() -> None:
        try:
            in_a_match(Fails(KeyboardInterrupt()))
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    assert [str(error)[:51] for error in found] == ["Fails has failed: act() raised KeyboardInterrupt at"]


def test_who_sits_opposite_is_told_who_failed_and_no_more() -> None:
    for bot in (Fails(ValueError("K")), Fails(RuseError("my secret is K")), Says("K")):
        with pytest.raises(BotFault) as found:
            Session.start(KUHN, [NamedBot("it", bot), Person()])
        assert found.value.in_public == "it has failed as player 0"
        assert "K" in str(found.value)


def test_ctrl_c_is_nobodys_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        in_a_match(Fails(KeyboardInterrupt()))


class Recurses:
    """Asks itself."""

    def act(self, seat: Seat) -> int:
        return self.act(seat)


class Unreadable:
    """What it chooses cannot even be printed."""

    def __repr__(self) -> str:
        raise ValueError

    def act(self, seat: Seat) -> Any:
        return self


class Unmeasurable(float):
    """No number, if it is asked."""

    def __float__(self) -> float:
        raise ValueError


class Says:
    """Says it, under a name that would steer a terminal."""

    name = "\x1b[31mred\nand long" + "x" * 1_000

    def __init__(self, what: Any) -> None:
        self.what = what

    def act(self, seat: Seat) -> Any:
        return self.what


class NotCallable:
    """Has what bots have, of another kind."""

    act = 3


class Hides:
    """Shows nobody what it sees."""

    @property
    def sees(self) -> Any:
        raise ValueError

    def act(self, seat: Seat) -> int:
        return 0


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (Recurses(), "Recurses has failed: act() raised RecursionError"),
        (Unreadable(), "Unreadable chose what is a Unreadable as player 0"),
        (Says("x" * 100_000), "red and long"),
        (Says(10**400), "red and long"),
        (NotCallable(), "NotCallable has failed: TypeError: 'int' object is not callable"),
        (Hides(), "Hides has failed: sees() raised ValueError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_it_is_it_is_told_in_one_sentence(bot: Any, words: str) -> None:
    for place in PLACES:
        with pytest.raises(RuseError) as found:
            place(bot)
        assert words in one_sentence(found)


def test_a_number_that_cannot_be_measured_is_none() -> None:
    assert whole_of(Unmeasurable(1.0)) is None
    assert len(name_of(Says(1))) <= 80


# ---- compiled ones ---------------------------------------------------------------------------------------------------


@compiled("choose")
class Table(NamedTuple):
    """Looks its action up, perhaps where there is nothing."""

    at: int
    table: Any = np.zeros(4, np.int64)
    sees: ruse.views.View = ruse.Full()

    def choose(self, key, count, u):
        return 0 if self.table[self.at] < 5 else 1


@compiled("choose")
class Lists(NamedTuple):
    """Makes what kernels cannot."""

    sees: ruse.views.View = ruse.Full()

    def choose(self, key, count, u):
        return len([key]) - 1


@compiled("watch", "decide")
class LongMemory(NamedTuple):
    """Writes beyond its memory, in long games alone."""

    after: int

    def memory_size(self, game: Any) -> int:
        return 2

    def watch(self, game, seen, me, memory):
        memory[0] += 1
        if memory[0] > self.after:
            memory[2 + memory[0]] = 9

    def decide(self, game, seen, me, memory, count, u):
        return count - 1


def test_whose_code_is_not_ours() -> None:
    seats = [seated(KUHN, bot) for bot in (RandomBot(), Table(1))]
    assert strangers(seats) == [seats[1].bot]


def test_a_table_is_not_read_beyond_its_end() -> None:
    assert ruse.match(KUHN, [Table(3), RandomBot()], deals=2).deals == 2
    for at in (4, -5):
        with pytest.raises(RuseError, match=r"^Table reaches beyond an array when compiled"):
            ruse.match(KUHN, [Table(at), RandomBot()], deals=2)


def test_what_cannot_be_compiled_is_told_by_name_and_line() -> None:
    with pytest.raises(RuseError, match=r"^Lists cannot be compiled: choose\(\) at test_blame.py:\d+ makes a list"):
        ruse.match(KUHN, [Lists(), RandomBot()], deals=2)


def test_a_rare_reach_beyond_a_memory_ends_a_match_and_a_training() -> None:
    """The first games, in plain Python, are too short for it."""
    with pytest.raises(RuseError, match=r"^LongMemory reaches beyond an array when compiled"):
        ruse.match(CHEAT, [LongMemory(12), RandomBot()], deals=500)
    solver, teachers = ruse.lcfr(walk="probing"), ruse.Teachers.of(LongMemory(12))
    with pytest.raises(RuseError, match=r"^LongMemory reaches beyond an array when compiled"):
        ruse.train(CHEAT, solver, against=teachers, iterations=3_000)


class Remembers(NamedTuple):
    """Says that it remembers so much."""

    size: Any
    name: str = "it"

    def memory_size(self, game: Any) -> Any:
        return self.size

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return 0


@pytest.mark.parametrize("size", [-1, 1 << 40, "x", None, 1.5])
def test_memories_have_a_size(size: Any) -> None:
    with pytest.raises(RuseError, match=r"^memory_size\(\) of it must return a whole number from 0 to 1,048,576, not"):
        ruse.match(CHEAT, [Remembers(size), RandomBot()], deals=2)


# ---- views -----------------------------------------------------------------------------------------------------------


@compiled("key")
class Keyed(NamedTuple):
    """A view whose keys are this, or more than tables can hold."""

    by: float

    def key(self, game, s):
        return game.infoset(s) * self.by


class Plain(NamedTuple):
    """A view that was not marked as one."""

    nothing: int = 0

    def key(self, game, s):
        return int(game.infoset(s))


def test_keys_are_whole_numbers() -> None:
    """A kernel would cut them off, and so join what the view tells apart."""
    for given in (lambda: ruse.train(KUHN, view=Keyed(0.5), iterations=1), lambda: in_a_match(WithView(Keyed(0.5)))):
        with pytest.raises(RuseError, match=r"for a key; a key is a whole number of 64 bits, as ruse.mix gives it$"):
            given()


@pytest.mark.parametrize("rule", ["cfr", "mccfr"])
def test_a_view_that_cannot_be_compiled_is_told_in_one_sentence(rule: str) -> None:
    with pytest.raises(RuseError, match=r"^the rules could not be compiled: .*\.key, which Plain does not"):
        ruse.train(KUHN, rule, view=Plain(), iterations=1)


class WithView:
    """Sees by a view."""

    def __init__(self, sees: Any) -> None:
        self.sees = sees

    def act(self, seat: Seat) -> int:
        return 0


class AskedTooOften:
    """Raises when it is asked for anything for the n-th time: for its methods, its name, even for what it is."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __getattribute__(self, name: str) -> Any:
        left = object.__getattribute__(self, "left") - 1
        object.__setattr__(self, "left", left)
        if left == 0:
            raise ValueError(f"no {name}")
        return object.__getattribute__(self, name)

    def act(self, seat: Seat) -> int:
        return 0


@pytest.mark.parametrize("place", PLACES)
def test_a_bot_that_raises_wherever_it_is_asked_for_something(place: Any) -> None:
    played = 0
    for left in range(1, 40):
        with suppress(RuseError):  # and nothing else
            place(AskedTooOften(left))
            continue
        played += 1
    assert played > 5


class NoAttributes:
    """Raises for whatever it has not, as a stand-in does that was never made."""

    def __getattr__(self, name: str) -> Any:
        raise ValueError(f"no {name}")


@pytest.mark.parametrize("place", PLACES)
def test_a_bot_whose_getattr_raises(place: Any) -> None:
    with pytest.raises(RuseError) as found:
        place(NoAttributes())
    assert one_sentence(found).startswith("NoAttributes has failed: __getattr__() raised ValueError: no ")
