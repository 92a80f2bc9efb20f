"""Sessions: the random numbers of matches, who may act, and what a seat is told."""

import json
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from session_tables import CHEAT, HEURISTIC, KUHN, LEDUC, NAIVE, TABLES, Patient, play_out

import ruse
from ruse.errors import RuseError
from ruse.evaluate.explaining.coach import Coach
from ruse.games.goofspiel import Goofspiel
from ruse.games.leduc import Leduc
from ruse.play.bots.bot import RandomBot, Seat
from ruse.play.match import next_uniform, play_one, start_streams
from ruse.play.seats import seated
from ruse.play.session import Heard, NamedBot, Person, Session
from ruse.play.streams import seat_drawn, streams_of
from ruse.protocol.game import CHANCE, EVERYTHING, OVER
from ruse.protocol.state import State
from ruse.strategy import Strategy

# ---- the random numbers of matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "deal", "rotation"), [(0, 0, 0), (7, 3, 1), (2**63 - 1, 10**9, 2)])
def test_streams_are_those_of_kernels(seed: int, deal: int, rotation: int) -> None:
    states = [np.zeros(1, np.uint64), np.zeros(1, np.uint64)]
    start_streams(*states, seed, deal, rotation)
    for state, stream in zip(states, streams_of(seed, deal, rotation), strict=True):
        assert [next_uniform(state) for _ in range(20)] == [stream.draw(n) for n in range(20)]


@pytest.mark.parametrize("name", TABLES)
def test_bots_alone_play_the_games_of_a_match(name: str) -> None:
    game, bots = TABLES[name]()
    for deal in range(10):
        session = Session.start(game, bots, seed=5, deal=deal)
        fresh = [seated(game, ruse.StrategyBot.of(b) if isinstance(b, Strategy) else b) for b in TABLES[name]()[1]]
        assert session.end().payoffs == play_one(game, fresh, seed=5, deal=deal, rotation=0)


def test_a_person_who_does_as_a_bot_would_changes_nothing() -> None:
    for deal in range(10):
        bots = Session.start(CHEAT, [HEURISTIC, NAIVE], seed=2, deal=deal)
        session = Session.start(CHEAT, [Person(), NAIVE], seed=2, deal=deal)
        while not session.is_over:
            session.act(0, bots.end().history[len(session._state.history)])
        assert session.end().history == bots.end().history


def test_what_a_person_does_changes_no_cards() -> None:
    lines = (["call"] * 4, ["raise", "call", "raise", "call"], ["call", "raise", "raise", "call", "call", "call"])
    cards, histories = set(), set()
    for actions in lines:
        session = Session.start(LEDUC, [Person(), Person()], seed=11)
        for action in actions:
            session.act(session.turn, action)
        histories.add(session.end().history)
        cards.add(tuple(event["action"] for event in session.record() if event.get("player") == "chance"))
    assert (len(cards), len(histories)) == (1, 3)


def test_seats_drawn_are_fair() -> None:
    for players in (2, 3):
        seats = [seat_drawn(9, deal, players) for deal in range(600)]
        assert all(600 / players * 0.8 < seats.count(p) < 600 / players * 1.2 for p in range(players))


# ---- who may act, and when -------------------------------------------------------------------------------------------


def test_what_is_refused() -> None:
    coach = Coach(Strategy.uniform(KUHN))
    session = Session.start(KUHN, [Person("Ann"), Person("Ben")], seed=3, coach=coach)
    refusals: list[tuple[Callable[[], Any], str]] = [
        (lambda: session.act(1, 0), r"^it is player 0's turn, not player 1's$"),
        (lambda: session.hint(1), r"^it is player 0's turn, not player 1's$"),
        (lambda: session.act(2, 0), r"^there is no seat 2; .* has seats 0 to 1$"),
        (lambda: session.act(True, 0), r"^there is no seat True"),
        (lambda: session.events(-1), r"^there is no seat -1"),
        (lambda: session.scene(5), r"^there is no seat 5"),
        (lambda: session.scene(EVERYTHING), r"^not everything can be shown before the game is over$"),
        (lambda: session.end(), r"^the game is not over: it is player 0's turn$"),
        *(
            (lambda a=a: session.act(0, a), r"^there is no action .* here; there is: pass, bet$")
            for a in ("raise", 2, -1, "²", "9" * 5000, True, None, 1.0, "")
        ),
        (lambda: session.act(0, 0, seen=0), r"^player 0 has seen 0 events of 1; look again first$"),
    ]
    for refused, words in refusals:
        with pytest.raises(RuseError, match=words):
            refused()
    assert session.events(0) == (Heard(CHANCE, ("Q",)),)
    session.act(0, "BET", seen=1)
    session.act(1, 0)
    with pytest.raises(RuseError, match=r"^the game is over$"):
        session.act(0, 0)
    assert session.scene(EVERYTHING).words == "Q K, bet pass"
    assert session.turn == OVER
    bots = Session.start(KUHN, [Person(), RandomBot()], seed=3)
    with pytest.raises(RuseError, match=r"^seat 1 is random's, a bot's; nobody else can act there$"):
        bots.act(1, 0)
    with pytest.raises(RuseError, match=r"^nobody gives hints in this session"):
        bots.hint(0)
    with pytest.raises(RuseError, match=r"^nobody gives grades in this session"):
        bots.grades(0)
    for seats, words in (
        ([Person()], "takes 2 players, got 1"),
        ([Person(), 5], "is no bot"),
        ([Person(), Strategy.uniform(Leduc())], "the strategy is for"),
        (
            [Person(), NamedBot("x", Person("B"))],
            r"^Person\(name='B'\) is no bot; a person sits down without a NamedBot, as Person\('x'\)$",
        ),
    ):
        with pytest.raises(RuseError, match=words):
            Session.start(KUHN, seats)
    for deal in (-1, 1.0, 2**62):
        with pytest.raises(RuseError, match="a deal must be"):
            Session.start(KUHN, [Person(), Person()], deal=deal)  # type: ignore[arg-type]


def test_whole_numbers_of_numpy() -> None:
    session = Session.start(KUHN, [Person(), Person()], seed=3, deal=np.int64(0))  # type: ignore[arg-type]
    session.act(np.int64(0), np.int8(1), seen=np.int64(1))  # type: ignore[arg-type]
    seat: Any = np.uint8(0)
    assert session.events(seat) == session.events(0)
    assert session.scene(seat) == session.scene(0)
    assert type(session.scene(seat).viewer) is int
    assert json.dumps(session.record()) == json.dumps(Session.resume(KUHN, [Person()] * 2, session.record()).record())
    with pytest.raises(RuseError, match=r"^there is no seat np\.True_; "):
        session.events(np.True_)  # type: ignore[arg-type]


def test_names_that_differ_in_capital_letters_alone() -> None:
    """The very name is taken; what may be two actions is refused."""
    game = TwoCases()
    for number, name in enumerate(("bet", "Bet")):
        session = Session.start(game, [Person(), Person()])
        with pytest.raises(RuseError, match=r"^'BET' may be number 0, bet or number 1, Bet; give the number$"):
            session.act(0, "BET")
        session.act(0, name)
        assert session.record()[1]["number"] == number
        session.act(1, "PASS")
        assert session.end().path() == f"{name}, pass"
        assert State.of(game).after(name, "Pass").history == (number, 0)
    with pytest.raises(ValueError, match=r"^'BET' after the start may be number 0, bet or number 1, Bet; give"):
        State.of(game).after("BET")


class TwoCases(NamedTuple):
    """A small bet or a big one, which the other cannot but pass."""

    stake: int = 1

    players = 2

    def start(self) -> Any:
        return np.array([-1, -1])

    def player(self, s: Any) -> int:
        return int(0 if s[0] < 0 else 1 if s[1] < 0 else OVER)

    def num_actions(self, s: Any) -> int:
        return 2 if s[0] < 0 else 1

    def apply(self, s: Any, a: int) -> None:
        s[0 if s[0] < 0 else 1] = a

    def infoset(self, s: Any) -> int:
        return int(s[0])

    def payoff(self, s: Any, player: int) -> float:
        return float((1 + s[0]) * (1 - 2 * player))

    def action_name(self, s: Any, a: int) -> str:
        return ("bet", "Bet")[a] if s[0] < 0 else "pass"

    def describe(self, s: Any, viewer: int) -> str:
        return "" if s[0] < 0 else ("bet", "Bet")[s[0]]


def test_of_many_who_act_at_once_one_does() -> None:
    session = Session.start(LEDUC, [Person(), RandomBot()], seed=3)
    seen, refused = len(session.events(0)), []
    ready = threading.Barrier(8)

    def click() -> None:
        ready.wait()
        try:
            session.act(0, 1, seen=seen)
        except RuseError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=click) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7


def test_a_bot_that_fails_can_be_asked_again() -> None:
    class Shy:
        fails = True

        def act(self, seat: Seat) -> int:
            return 7 if Shy.fails else 0

    session = Session.start(KUHN, [Person(), Shy()], seed=3)
    with pytest.raises(RuseError, match="Shy chose 7 as player 1"):
        session.act(0, "bet")
    assert session.turn == 1
    with pytest.raises(RuseError, match="it is player 1's turn"):
        session.act(0, "bet")
    Shy.fails = False
    session.advance()
    assert session.end().path() == "Q, K, bet, pass"


def test_each_bot_sits_alone() -> None:
    """The same bot in two seats, or in two sessions, remembers neither for the other."""
    bot = Patient()
    one = Session.start(Leduc(players=3), [Person(), bot, bot], seed=3)
    two = Session.start(Leduc(players=3), [Person(), bot, Patient()], seed=3)
    assert play_out(one).end().history == play_out(two).end().history
    assert bot.asked == 0


# ---- what a seat is told ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "coached"), [("kuhn", True), ("leduc", True), ("cheat", False)])
def test_a_seat_is_told_what_it_may_know_and_nothing_else(name: str, coached: bool) -> None:
    """Wherever a player cannot tell two games apart, the session says the same, whatever is hidden in them."""
    game = ruse.game(name)
    coach = Coach(Strategy.uniform(game)) if coached else None
    told: dict[Any, Any] = {}
    hidden: dict[Any, set[Any]] = defaultdict(set)
    for deal in range(150):
        session = Session.start(game, [Person(), Person()], deal=deal, coach=coach)
        while not session.is_over:
            seat = session.turn
            here = (seat, session._state.infoset)
            says = (
                session.events(seat), session.scene(seat), session.shown(seat),
                str(session.hint(seat)) if coached else "", session.grades(seat) if coached else (),
            )  # fmt: skip
            assert told.setdefault(here, says) == says
            hidden[here].add(session._state.describe(EVERYTHING))
            session.act(seat, deal % len(session.scene(seat).actions))
    assert max(map(len, hidden.values())) > 1


def test_what_chance_does_in_a_row_is_one_event() -> None:
    """In Cheat the number of its moves depends on cards that are hidden."""
    moves, heard = set(), set()
    for deal in range(50):
        session = Session.start(CHEAT, [Person(), Person()], deal=deal)
        moves.add(len(session._state.history))
        heard |= {len(session.events(seat)) for seat in (0, 1)}
    assert len(moves) > 1
    assert heard == {1}


def test_events_are_told_as_they_happen() -> None:
    session = Session.start(CHEAT, [Person(), HEURISTIC], seed=38)
    assert session.events(0) == (Heard(CHANCE, ("you are dealt A 3; you begin, the first rank is A",)),)
    assert session.shown(0)[-1] == "The rank is A. What do you lay?"
    assert session.shown(1) == []
    session.act(0, "A")
    assert session.events(0, since=1) == (
        Heard(0, ("you lay A and say: one Ace",)),
        Heard(1, ("player 1 believes it",)),
        Heard(1, ("player 1 lays 1 card and says: one 2",)),
    )
    assert session.events(0, since=99) == ()
    assert session.events(1)[1].words == ("player 0 lays 1 card and says: one Ace",)
    plain = Session.start(KUHN, [Person(), Person()], seed=3)
    plain.act(0, "pass")
    assert [plain.events(seat) for seat in (0, 1)] == [
        (Heard(CHANCE, (card,)), Heard(0, ("pass",))) for card in ("Q", "K")
    ]


@pytest.mark.parametrize("order", [1, 2])
def test_a_seat_hears_what_its_own_action_brings_to_light(order: int) -> None:
    """In Goofspiel the last to bid ends the round: who won it, and what the next prize is."""
    session = Session.start(Goofspiel(cards=3, points_order=order), [Person(), Person()], seed=1)
    while not session.is_over:
        session.act(session.turn, 0 if session.turn else len(session.scene(0).actions) - 1)
    for seat in (0, 1):
        told = " ".join(word for heard in session.events(seat) for word in heard.words)
        for result in ("won", "lost", "tied"):
            assert told.count(result) == session.scene(seat).words.count(result)
    assert "lost" in session.scene(1).words
    own = [heard.words[0] for heard in session.events(1) if heard.player == 1]
    assert own == [event["action"] for event in session.record() if event.get("player") == 1]
