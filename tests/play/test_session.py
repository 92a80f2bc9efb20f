"""Sessions: who may act, what a seat is told, the random numbers of matches, and going on from a record."""

import json
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from plain_bots import Uniform
from strategies import lopsided

import ruse
from ruse.errors import RuseError
from ruse.evaluate.coach import Coach
from ruse.games.cheat.rules import Cheat
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.play.bot import RandomBot, Seat
from ruse.play.either import Either
from ruse.play.match import next_uniform, play_one, start_streams
from ruse.play.seats import seated
from ruse.play.session import Heard, NamedBot, Person, Session
from ruse.play.streams import seat_drawn, streams_of
from ruse.protocol.game import CHANCE, EVERYTHING, OVER
from ruse.strategy import Strategy

KUHN, LEDUC, CHEAT = Kuhn(), Leduc(), Cheat()
HEURISTIC, NAIVE = ruse.bot("heuristic", CHEAT), ruse.bot("naive", CHEAT)


class Patient:
    """Remembers in plain Python: it passes as often as it has been asked, then takes the last action."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, seat: Seat) -> int:
        self.asked += 1
        return 0 if self.asked % 3 else len(seat.actions) - 1


TABLES: dict[str, Callable[[], tuple[Any, list[Any]]]] = {
    "kuhn": lambda: (KUHN, [Strategy.uniform(KUHN), lopsided(KUHN, 1)]),
    "leduc": lambda: (LEDUC, [Patient(), RandomBot()]),
    "leduc:players=3": lambda: (Leduc(players=3), [Uniform(), RandomBot(), Patient()]),
    "cheat": lambda: (CHEAT, [HEURISTIC, Either.of(NAIVE, HEURISTIC)]),
    "cheat:players=3": lambda: (Cheat(players=3), [NAIVE, Patient(), Either.of(HEURISTIC, NAIVE, RememberingLast())]),
}
tables = pytest.mark.parametrize("name", TABLES)


class RememberingLast:
    """Watches in plain Python, and plays by what it was shown in all."""

    def memory_size(self, game: Any) -> int:
        return 1

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None:
        memory[0] = (31 * memory[0] + int(seen.sum())) % 1009

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return int(memory[0] + 7 * u) % count


def chosen_by(session: Session, seat: int) -> int:
    """What a person of these tests does: it depends on all that the seat has seen."""
    scene = session.scene(seat)
    return sum(scene.words.encode()) % len(scene.actions)


def play_out(session: Session) -> Session:
    while not session.is_over:
        session.act(session.turn, chosen_by(session, session.turn))
    return session


def kept(session: Session) -> list[Any]:
    """A record as it comes back from a file."""
    return json.loads(json.dumps(session.record()))  # type: ignore[no-any-return]


# ---- the random numbers of matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "deal", "rotation"), [(0, 0, 0), (7, 3, 1), (2**63 - 1, 10**9, 2)])
def test_streams_are_those_of_kernels(seed: int, deal: int, rotation: int) -> None:
    states = [np.zeros(1, np.uint64), np.zeros(1, np.uint64)]
    start_streams(*states, seed, deal, rotation)
    for state, stream in zip(states, streams_of(seed, deal, rotation), strict=True):
        assert [next_uniform(state) for _ in range(20)] == [stream.draw(n) for n in range(20)]


@tables
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


# ---- going on --------------------------------------------------------------------------------------------------------


def with_people(name: str, people: tuple[int, ...]) -> tuple[Any, list[Any]]:
    game, bots = TABLES[name]()
    return game, [Person(f"person {p}") if p in people else bot for p, bot in enumerate(bots)]


@tables
@pytest.mark.parametrize("people", [(0,), (1,), (0, 1)])
def test_a_session_goes_on_from_any_event_to_the_same_end(name: str, people: tuple[int, ...]) -> None:
    for deal in (0, 1):
        whole = play_out(Session.start(*with_people(name, people), seed=4, deal=deal))
        record = kept(whole)
        for cut in range(1, len(record) + 1):
            again = play_out(Session.resume(*with_people(name, people), record[:cut]))
            assert again.record() == whole.record()
            for seat in range(again.game.players):
                assert again.events(seat) == whole.events(seat)
                assert again.scene(seat) == whole.scene(seat)


def test_a_record_in_the_middle_goes_on() -> None:
    """One that says itself that the game was left, as a session writes it."""
    whole = play_out(Session.start(CHEAT, [Person(), HEURISTIC], seed=38))
    session = Session.start(CHEAT, [Person(), HEURISTIC], seed=38)
    moves = 0
    while not session.is_over:
        assert kept(session)[-1] == {"event": "pause"}
        session = Session.resume(CHEAT, [Person(), HEURISTIC], kept(session))
        session.act(0, chosen_by(session, 0))
        moves += 1
    assert moves > 2
    assert session.record() == whole.record()


def test_grades_are_kept() -> None:
    coach = Coach(Strategy.uniform(KUHN))
    whole = play_out(Session.start(KUHN, [Person(), RandomBot()], seed=3, coach=coach))
    again = Session.resume(KUHN, [Person(), RandomBot()], whole.record(), coach=coach)
    assert len(whole.grades(0)) >= 1
    assert again.grades(0) == whole.grades(0)
    assert again.is_over


def test_somebody_else_may_take_over() -> None:
    """Whoever has another name than in the record is not asked what was done before; bots have looked on."""
    session = Session.start(CHEAT, [Person("Ann"), Person("Ben")], seed=1)
    for _ in range(3):
        session.act(session.turn, chosen_by(session, session.turn))
    record = kept(session)
    assert not session.is_over
    assert (record[0]["players"], record[0]["people"]) == (["Ann", "Ben"], [0, 1])
    before = session._state.history
    bots = Session.resume(CHEAT, [RememberingLast(), HEURISTIC], record)
    assert bots.end().history[: len(before)] == before
    told = [Session.resume(CHEAT, [seat, Person("Ben")], record).events(0) for seat in (Person("Ann"), Person("Cid"))]
    assert told == [session.events(0)] * 2


def changed(record: list[Any], k: int, **fields: Any) -> list[Any]:
    return [event | (fields if number == k else {}) for number, event in enumerate(record)]


def test_records_that_cannot_be_gone_on_with() -> None:
    seats = [Person(), Bold()]
    session = Session.start(KUHN, seats, seed=3)
    session.act(0, "pass")
    record = kept(session)
    assert [event.get("action") for event in record] == [None, "Q", "K", "pass", "bet", None]
    for damaged, words in (
        ([], "^the record is damaged or no record of games, line 1: a game begins in the middle$"),
        ([1], "this is no JSON object"),
        (record[1:], "a game begins in the middle"),
        ([*record, *record], "the record is of 2 games; give one of them"),
        (changed(record, 0, seed=-1), "a seed must be"),
        (changed(record, 0, number="x"), "'number' is missing or of the wrong kind"),
        (changed(record, 0, people=0), "'people' is missing or of the wrong kind"),
        (
            changed(record, 0, game_repr="Kuhn(players=3)"),
            r"the record is of Kuhn\(players=3\), not of Kuhn\(players=2",
        ),
        (changed(record, 0, behaviour="1 played=0"), "the rules of .* have changed since the record was made"),
        (
            changed(record, 0, seed=2),
            "its move 1, 'Q' by chance, is not what chance does there with seed 2 and deal 0$",
        ),
        (changed(record, 0, number=1), "by chance, is not what chance does there with seed 3 and deal 1$"),
        (changed(record, 2, number=0, action="J"), "its move 2, 'J' by chance, is not what chance does"),
        (changed(record, 3, number=2), "its move 3, 'pass' by player 0, is no action there"),
        (changed(record, 3, number=-1), "'number' is missing or of the wrong kind"),
        (changed(record, 3, action="raise"), "its move 3, 'raise' by player 0, is no action there"),
        (changed(record, 3, player=1), "its move 3, 'pass' by player 1, is no action there"),
        ([*record[:5], record[3] | {"player": 1}], "its move 5, 'pass' by player 1, is no action there"),
        ([*record[:5], record[4] | {"player": 0}, record[4]], "its move 6, 'bet' by player 1, comes after the end"),
        (
            changed(record, 4, number=0, action="pass"),
            "its move 4, 'pass' by player 1, is not what .* does there: seat",
        ),
        ([*record[:5], {"event": "end", "payoffs": [1, -1], "everything": ""}], "has an end where the game goes on"),
    ):
        with pytest.raises(RuseError, match=words) as caught:
            Session.resume(KUHN, seats, damaged)
        assert "\n" not in str(caught.value)
    words = "by player 1, is not what Bold does there: seat the same bot, or one of another name"
    with pytest.raises(RuseError, match=words):
        Session.resume(KUHN, [Person(), NamedBot("Bold", Timid())], record)
    assert Session.resume(KUHN, [Person(), NamedBot("timid", Timid())], record).turn == 0
    assert Session.resume(KUHN, seats, record[:1]).events(0) == session.events(0, 0)[:1]


class Timid:
    """Always passes."""

    def act(self, seat: Seat) -> int:
        return 0


class Bold:
    """Always bets."""

    def act(self, seat: Seat) -> int:
        return 1


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
    ):
        with pytest.raises(RuseError, match=words):
            Session.start(KUHN, seats)
    for deal in (-1, 1.0, 2**62):
        with pytest.raises(RuseError, match="a deal must be"):
            Session.start(KUHN, [Person(), Person()], deal=deal)  # type: ignore[arg-type]


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
