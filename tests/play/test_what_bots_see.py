"""Bots of every kind are given what their player may know, and no more."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from peeking_views import Keeps, Peek
from plain_bots import Uniform

import ruse as library
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.games.cheat.rules import Cheat
from ruse.games.kuhn import CARDS, Kuhn
from ruse.laws.peeking import refuse_leaking
from ruse.play.bots.bot import RandomBot, Seat
from ruse.play.seats import answer_of, seated, show_all
from ruse.protocol.game import OVER
from ruse.protocol.guards.frozen import frozen
from ruse.protocol.state import State
from ruse.protocol.view import Full

KUHN = Kuhn()
DEALS = [("K", "J"), ("K", "Q")]  # the same to player 0
MINI = Cheat(hp=2)


class Shows(Kuhn):
    """Kuhn poker that shows a bot its own card and the bets."""

    def observe(self, s: Any, player: int, out: Any) -> None:
        out[0], out[1] = s[CARDS + player], s[3]

    def observation_size(self) -> int:
        return 2


class Leaks(Shows):
    """It shows the other's card too, but only when it is the other's turn."""

    def observe(self, s: Any, player: int, out: Any) -> None:
        is_other = self.player(s) not in (player, OVER)
        out[0], out[1] = s[CARDS + player], s[CARDS + 1 - player] if is_other else -1


def test_observe_must_not_leak() -> None:
    refuse_leaking(Shows())
    refuse_leaking(library.game("cheat:mid,players=3"))
    with pytest.raises(RuseError, match=r"^observe tells player [01] what is hidden: it is not the same after"):
        refuse_leaking(Leaks())
    with pytest.raises(RuseError, match=r"^observe tells player [01] what is hidden"):
        seated(Leaks(), Watcher())


class Curious:
    """Has every method that was ever called with a state, and notes all that it is given."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Any]] = []

    def __deepcopy__(self, memo: object) -> "Curious":
        return self  # one list for all seats

    def sit_down(self) -> None:
        self.given.append(("sit_down", ()))

    def act(self, seat: Seat) -> int:
        self.given.append(("act", Seat(*seat)._replace(actions=list(seat.actions))))
        seat.actions.append("win")
        return 1

    def answer(self, *given: Any) -> int:
        self.given.append(("answer", given))
        return 0

    def look_on(self, *given: Any) -> None:
        self.given.append(("look_on", given))


class Watcher:
    """Watches and remembers in plain Python, spoils what it is given, and notes it."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def __deepcopy__(self, memo: object) -> "Watcher":
        return self  # one list for all seats

    def memory_size(self, game: Any) -> int:
        return 2

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None:
        self.given.append((game, seen.tolist(), me, memory.tolist()))
        memory[0] += 1
        seen[:] = 77

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        self.given.append((seen.tolist(), me, memory.tolist(), count, u))
        seen[:] = memory[:] = 99
        return 1


def given_in(game: Any, bot: Any, deal: tuple[str, ...]) -> list[Any]:
    """All that a bot as player 0 is given from the deal to its second decision; the state must stay as it is."""
    seats = [seated(game, bot), seated(game, RandomBot())]
    bot.given.clear()
    for seat in seats:
        seat.sit_down()
    state = State.of(game).after(*deal)
    for moves in ((), ("pass",), ("bet",)):
        state = state.after(*moves)
        before = state.row.copy()
        show_all(seats, state)
        if state.player == 0:
            assert answer_of(seats[0], state, 0.25) == 1
        assert np.array_equal(before, state.row)
    return list(bot.given)


@pytest.mark.parametrize(("game", "bot"), [(KUHN, Curious()), (Shows(), Watcher())], ids=["in words", "watching"])
def test_a_bot_is_given_the_same_in_deals_that_differ_in_what_is_hidden(game: Any, bot: Any) -> None:
    one, other = (given_in(game, bot, deal) for deal in DEALS)
    assert one == other
    assert len(one) > 2
    assert given_in(game, bot, ("Q", "J")) != one
    if isinstance(bot, Curious):
        assert [name for name, _ in one] == ["sit_down", "act", "act"], "no method but these is called"


def test_a_match_tells_a_bot_no_more() -> None:
    curious, watcher = Curious(), Watcher()
    seated(Shows(), watcher)
    assert not watcher.given, "it plays no games that nobody asked for"
    library.match(KUHN, [curious, curious], deals=20)
    assert {name for name, _ in curious.given} == {"sit_down", "act"}
    library.match(Shows(), [watcher, Uniform()], deals=3)
    assert {len(given) for given in watcher.given} == {4, 5}


class ByPeek(NamedTuple):
    """A bot that goes by the key of a view of its own."""

    sees: Any = Peek()

    def choose(self, key: int, count: int, u: float) -> int:
        return 0


class InWords(Uniform):
    """A bot in plain Python with a view of its own."""

    sees = Peek()


@pytest.mark.parametrize(
    "bot", [ByPeek(), InWords(), ByPeek(Keeps(np.zeros(1, np.int64)))], ids=["by key", "in words", "that keeps"]
)
def test_a_bot_whose_view_peeks_may_not_sit_down(bot: Any) -> None:
    with pytest.raises(RuseError, match=r"^the view (Peek|Keeps)\(.*\) (tells player \d what is hidden|must be)"):
        library.match(KUHN, [bot, RandomBot()], deals=2)


class Exchanges:
    """Has an honest view when it sits down, and another one afterwards."""

    def __init__(self) -> None:
        self.sees: Any = Full()
        self.keys: list[int] = []

    def choose(self, key: int, count: int, u: float) -> int:
        self.keys.append(key)
        self.sees = Peek()
        return 1


def test_a_view_cannot_be_exchanged_after_it_was_tested() -> None:
    bot = Exchanges()
    seat, other = seated(KUHN, bot), seated(KUHN, RandomBot())
    for deal in DEALS:
        show_all([seat, other], state := State.of(KUHN).after(*deal))
        answer_of(seat, state, 0.5)
    assert isinstance(bot.sees, Peek)
    assert bot.keys[0] == bot.keys[1], "the other's card is not in the key"


@compiled("choose")
class Notes(NamedTuple):
    """Writes its keys down, and would know the cards when the deal is played again with seats exchanged."""

    notes: np.ndarray
    sees: Full = Full()

    def choose(self, key, count, u):
        self.notes[0] = key
        return 0


def test_a_compiled_bot_has_nothing_to_write_on() -> None:
    words = r"^Notes cannot be compiled: choose\(\) at test_what_bots_see.py:\d+ writes into an array of its own, "
    with pytest.raises(RuseError, match=words):
        library.match(KUHN, [Notes(np.zeros(1, np.int64)), RandomBot()], deals=2)
    with pytest.raises(ValueError, match="read-only"):
        seated(KUHN, Notes(np.zeros(1, np.int64))).bot.choose(1, 2, 0.5)
    notes = np.zeros(1, np.int64)
    assert frozen((1, notes))[1].base is notes
    assert notes.flags.writeable, "whoever made it may still write"


class Rewrites(Watcher):
    """Writes on what it is shown, so that the next is never the same as that."""

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        assert seen.base is None, "there is nothing behind it"
        return 0


def test_what_a_bot_writes_does_not_change_when_it_is_shown_more() -> None:
    bot = Rewrites()
    seats = [seated(Shows(), bot), seated(Shows(), RandomBot())]
    state = State.of(Shows()).after("K", "J")
    for _ in range(3):  # nothing has happened in between
        show_all(seats, state)
        answer_of(seats[0], state, 0.5)
    assert len(bot.given) == 1


@compiled("watch", "decide")
class Reaches(NamedTuple):
    """Reads before its memory, where in a training the state is."""

    nothing: int = 0

    def memory_size(self, game: Any) -> int:
        return 1

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        return memory[-9] % count


def test_a_bot_that_reaches_beyond_its_memory_is_refused() -> None:
    words = r"^Reaches reaches beyond what it is shown or remembers: index -9 is out of bounds"
    with pytest.raises(RuseError, match=words):
        library.match(MINI, [Reaches(), RandomBot()], deals=2)
    with pytest.raises(RuseError, match=words):
        library.Teachers.of(Reaches()).facing(MINI, None)
