"""Nobody sees what is hidden: bots of every kind, views, what a game shows, and what is printed at the table."""

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
import test_cli
from places import ROOT
from test_cli import Ruse
from test_teachers import MINI, SETTINGS, solver

import ruse as library
from ruse.cli.terminal.table import Opponent, Table
from ruse.compile import compiled
from ruse.compile.hashing import MASK, mix
from ruse.errors import RuseError
from ruse.evaluate.against_bot import MEMORY, AgainstBot
from ruse.games.cheat import table as cheat_table
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.cards import LAST, PILE
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import General, HistoryAware, HpAware, Memoryless
from ruse.games.cheat.watchful import Watchful
from ruse.games.kuhn import CARDS, Kuhn
from ruse.laws.check import check
from ruse.laws.peeking import peeking, refuse_leaking, refuse_peeking, views_of
from ruse.laws.twins import twins
from ruse.play.bot import RandomBot, Seat
from ruse.play.seats import answer_of, seated, show_all
from ruse.protocol.choices import AsItIs, Offered, Own
from ruse.protocol.game import OVER
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.strategy import Strategy
from ruse.styles.sample import Sample
from ruse.training.teachers import Teachers

ruse = test_cli.ruse  # the fixture
KUHN = Kuhn()
DEALS = [("K", "J"), ("K", "Q")]  # the same to player 0
HIDDEN = "tells player 0 what is hidden: it is not the same after "
CHEATS = ["cheat", "cheat:half,max_turns=40", "cheat:mid,players=3,allow_pass=true", "cheat:undealt=pile,starter=0"]


# ---- twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["kuhn:players=3", "leduc", "liars_dice", "goofspiel", "rock_paper_scissors", *CHEATS], ids=str
)
def test_twins_are_games_that_one_player_cannot_tell_apart(spec: str) -> None:
    game = library.game(spec)
    found = list(twins(game, random.Random(0), moves=3_000))
    assert len(found) > 8
    for player, *lines in found:
        known = []
        for line in lines:
            state = State.of(game)
            met = []
            for row, a in zip(line.rows, line.moves, strict=False):
                assert np.array_equal(state.row, row)
                assert state.player >= 0 or state.chances[a] > 0
                met += [(state.infoset, state.actions[a])] if state.player == player else []
                state = state.child(a)
            assert state.player == player
            assert np.array_equal(state.row, line.rows[-1])
            known.append((met, state.infoset, state.describe(player), state.actions))
        assert known[0] == known[1]
        assert lines[0].moves != lines[1].moves


# ---- views -----------------------------------------------------------------------------------------------------------


@compiled("key")
class Peek(NamedTuple):
    """What the player knows, and the other's card."""

    nothing: int = 0

    def key(self, game, s):
        return mix(mix(game.infoset(s), game.player(s)), s[CARDS + 1 - game.player(s)])


class Rarely(NamedTuple):
    """Tells about the last cards laid only whether there was a pair among them."""

    column: int = LAST

    def key(self, game: Any, s: Any) -> int:
        return mix(game.infoset(s), bool(s[self.column] & 0b1010))


class Wordy(NamedTuple):
    """A key that tells nothing, and words that tell all."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        return 0

    def describe(self, game: Any, s: Any) -> str:
        return f"he has {s[CARDS + 1 - game.player(s)]}"


class Offers(NamedTuple):
    """Choices that stand for other actions if the other's card is high."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        return 0

    def num_choices(self, game: Any, s: Any) -> int:
        return 2

    def meaning(self, game: Any, s: Any, a: int) -> int:
        return a if s[CARDS + 1 - game.player(s)] > 0 else 1 - a


class Keeps(NamedTuple):
    """A key that tells nothing, and an array in which the card is left for the bot."""

    card: np.ndarray

    def key(self, game: Any, s: Any) -> int:
        self.card[0] = 1 + s[CARDS + 1 - game.player(s)]
        return 0


class Writes(NamedTuple):
    """Changes the other's card."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        s[CARDS + 1 - game.player(s)] = 0
        return 0


class Loose:
    """No part: it could keep what it is shown."""

    def key(self, game: Any, s: Any) -> int:
        return 0

    def __repr__(self) -> str:
        return "Loose()"


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Peek(), rf"^the view Peek\(nothing=0\) {HIDDEN}[JQK], [JQK].* as after .*, which this player cannot tell apa"),
        (AsItIs(Peek()), rf"^the view AsItIs\(sees=Peek\(nothing=0\)\) {HIDDEN}"),
        (Wordy(), rf"^the view Wordy\(nothing=0\) {HIDDEN}"),
        (Offers(), rf"^the view Offers\(nothing=0\) {HIDDEN}"),
        (Keeps(np.zeros(1, np.int64)), r"^the view Keeps\(.*\) must be a NamedTuple .* that keeps nothing of what it"),
        (Loose(), r"^the view Loose\(\) must be a NamedTuple with @compiled\('key'\)"),
        (Writes(), r"^the view Writes\(nothing=0\) changes the state that it is shown; it may only read it$"),
    ],
    ids=str,
)
def test_views_that_peek_are_refused(view: Any, words: str) -> None:
    words = words.replace("player 0", "player [01]")
    for _ in range(2):  # the second time from memory
        with pytest.raises(RuseError, match=words):
            refuse_peeking(KUHN, view)
    with pytest.raises(RuseError, match=words):
        refuse_peeking(Offered(KUHN, view), Own())


@pytest.mark.parametrize("column", [LAST, PILE])
@pytest.mark.parametrize("spec", CHEATS)
def test_a_peek_is_found_in_large_games(spec: str, column: int) -> None:
    with pytest.raises(RuseError, match=r"^the view Rarely\(column=\d\) tells player \d what is hidden: "):
        refuse_peeking(library.game(spec), Rarely(column))


HONEST = [Full(), Memoryless(), HpAware(hp_clip=2), HistoryAware(outcome=True), General(window=2, cards=True)]


@pytest.mark.parametrize("spec", CHEATS)
def test_views_that_forget_are_fine(spec: str) -> None:
    for view in [*HONEST, Memoryless(cards=True, claim=True, own_order=True), Sketch(), Watchful()]:
        refuse_peeking(library.game(spec), view)
    refuse_peeking(KUHN, AsItIs(Full()))


class Forgetful(Kuhn):
    """Kuhn poker whose players forget all but how many moves there were."""

    perfect_recall = False

    def infoset(self, s: Any) -> int:
        return int(s[1])


def test_a_view_may_remember_what_infosets_forget() -> None:
    """But no more than the player was shown."""
    refuse_peeking(Forgetful(), AsItIs(Remembers()))
    with pytest.raises(RuseError, match=HIDDEN.replace("player 0", "player [01]")):
        refuse_peeking(Forgetful(), Peek())


class Remembers(NamedTuple):
    """The player's own card."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        return int(s[CARDS + game.player(s)])


def test_training_refuses_a_view_that_peeks() -> None:
    for walk in (library.cfr(), library.mccfr("external")):
        with pytest.raises(RuseError, match=r"^the view Peek\(nothing=0\) tells player \d what is hidden"):
            library.train(KUHN, walk, iterations=1, view=Peek())
    peeked = Strategy(KUHN, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=Peek())
    for judge in (library.exploitability, library.lower_bound):
        with pytest.raises(RuseError, match=r"^the view Peek\(nothing=0\) tells player \d what is hidden"):
            judge(KUHN, peeked)


def test_check_and_the_command_line(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(peeking(KUHN))
    monkeypatch.setattr(Kuhn, "views", __name__, raising=False)
    assert {type(view).__name__ for view in views_of(KUHN)} >= {"Peek", "Wordy", "Offers", "Writes", "Remembers"}
    failures = check(KUHN, games=5).failures
    assert sum("Peek(nothing=0) tells player" in failure for failure in failures) == 1
    assert not any("Remembers" in failure for failure in failures)
    refused = ruse("solve", "kuhn", "--view", "Peek", "--iterations", "1")
    assert (refused.code, refused.out) == (2, "")
    assert "the view Peek(nothing=0) tells player" in refused.err
    assert not Path("runs").exists()


# ---- what a game shows -----------------------------------------------------------------------------------------------


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


# ---- bots ------------------------------------------------------------------------------------------------------------


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


class Uniform:
    """Plays at random, in plain Python."""

    def act(self, seat: Seat) -> int:
        return int(seat.u * len(seat.actions))


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


class OnlyAnswers:
    """No bot."""

    def answer(self, *given: Any) -> int:
        return 0


class NoView(NamedTuple):
    """It chooses by a key, but nobody knows which."""

    nothing: int = 0

    def choose(self, key: int, count: int, u: float) -> int:
        return 0


def test_who_is_no_bot() -> None:
    with pytest.raises(RuseError, match=r"is no bot: it has no act\(seat\), no choose\(key, count, u\) and no decide"):
        library.match(KUHN, [OnlyAnswers(), RandomBot()], deals=2)
    with pytest.raises(RuseError, match=r"^NoView chooses by a key, so it needs a view in `sees`"):
        library.match(KUHN, [NoView(), RandomBot()], deals=2)


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


# ---- actions ---------------------------------------------------------------------------------------------------------


class Says(NamedTuple):
    """A bot in plain Python that says this."""

    what: Any

    def act(self, seat: Seat) -> Any:
        return self.what


@compiled("choose")
class Chooses(NamedTuple):
    """The same, compiled: a number that may be none of an action."""

    what: float
    sees: Full = Full()

    def choose(self, key, count, u):
        return self.what


@pytest.mark.parametrize("what", [2, -1, 0.5, float("nan"), float("inf"), None, "bet", [1]], ids=repr)
def test_only_actions_are_played(what: Any) -> None:
    said = "'bet'" if what == "bet" else r"\[1\]" if what == [1] else str(what)
    words = rf" chose {said}(\.0)? as player 0; an action is a whole number from 0 to 1 here$"
    with pytest.raises(RuseError, match="^Says" + words):
        library.match(KUHN, [Says(what), Uniform()], deals=2)
    if isinstance(what, int | float):
        for bots in ([Chooses(float(what)), RandomBot()], [Chooses(float(what)), Uniform()]):
            with pytest.raises(RuseError, match="^Chooses" + words):
                library.match(KUHN, bots, deals=2)


@pytest.mark.parametrize("what", [1, 1.0, True, np.int8(1), np.float32(1), np.True_], ids=repr)
def test_a_whole_number_is_an_action(what: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.play.seats.veiled", lambda u: u)  # the same random numbers for bots of all kinds
    expected = library.match(KUHN, [Chooses(1.0), RandomBot()], deals=20, seed=3)
    assert library.match(KUHN, [Says(what), Uniform()], deals=20, seed=3)[1:] == expected[1:]


def test_a_strategy_of_another_game_is_not_read_beyond_its_rows() -> None:
    states = [State.of(KUHN).after(*deal) for deal in (*DEALS, ("J", "Q"))]
    keys = np.unique(np.array([int(Full().key(KUHN, state.row)) & MASK for state in states], np.uint64))
    short = Strategy(KUHN, keys, np.arange(len(keys) + 1), np.ones(len(keys)))
    for bots in ([short, Strategy.uniform(KUHN)], [short, Uniform()]):
        with pytest.raises(RuseError, match=r"^the strategy does not fit the game: where player 0 has 2 actions, it h"):
            library.match(KUHN, bots, deals=20)
    with pytest.raises(RuseError, match=r"^the strategy does not fit Kuhn\(.*: an infoset has another number of act"):
        Sample(short, deals=50)


class Astray(NamedTuple):
    """Chooses what is no action when it is asked."""

    what: int = -1

    def memory_size(self, game: Any) -> int:
        return 1

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None:
        pass

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return self.what


def test_a_training_against_a_bot_that_goes_astray_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    facing, draw = AgainstBot.of(MINI, Astray(9_999), Sketch()), np.random.default_rng(0)
    facing.refuse_strange()
    s = facing.start()
    facing.apply(s, 1)
    while facing.player(s) != OVER:  # what is played is legal
        facing.apply(s, int(draw.integers(facing.num_actions(s))))
    assert np.all(s[facing.columns + MEMORY :][: facing.remembered] == 0)
    with pytest.raises(RuseError, match=r"^Astray chose 9999 as player 1; an action is a whole number from 0 to \d h"):
        facing.refuse_strange()

    def astray(self: Teachers, game: Any, view: Any) -> AgainstBot:
        found = AgainstBot.of(game, BOTS["heuristic"], view, share=0.5)
        found.strange[:] = 1, 0, 7, 2
        return found

    monkeypatch.setattr(Teachers, "facing", astray)
    with pytest.raises(RuseError, match=r"^Heuristic chose 7 as player 0; an action is a whole number from 0 to 1 he"):
        library.train(MINI, solver(), **SETTINGS)


def test_the_bot_in_the_docs_plays() -> None:
    game = library.game(str(ROOT / "examples/coin_toss.py"))
    blocks = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8").split("```python\n")[1:]
    code = next(block.split("```")[0] for block in blocks if block.startswith("class Bold"))
    scope = {"ruse": library, "CoinToss": type(game), "run": SimpleNamespace(strategy=Strategy.uniform(game))}
    exec(compile(code, "add-a-game.md", "exec"), scope)


# ---- at the table ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", CHEATS)
def test_what_is_told_at_the_table_is_not_hidden(spec: str) -> None:
    game: Any = library.game(spec)
    assert isinstance(game, Cheat)
    for player, *lines in twins(game, random.Random(5), moves=2_000):
        heard = []
        for line in lines:
            steps = zip(line.rows, line.moves, line.rows[1:], strict=False)
            told = [text for s, a, t in steps for text in cheat_table.told(game, s, a, t, player)]
            heard.append((told, cheat_table.shown(game, line.rows[-1], player)))
        assert heard[0] == heard[1]


def test_hints_tell_nothing_that_is_hidden() -> None:
    table = Table(KUHN, Opponent("random", RandomBot(), Strategy.uniform(KUHN)), seed=0, coach=False)
    hints = {table.hint(State.of(KUHN).after(*deal)) for deal in DEALS}
    assert len(hints) == 1
    assert table.hint(State.of(KUHN).after("J", "Q")) not in hints
