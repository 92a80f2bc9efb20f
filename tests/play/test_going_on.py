"""Going on with a session from its record: from any event to the same end, and records that are refused."""

from typing import Any

import pytest
from session_tables import (
    CHEAT,
    HEURISTIC,
    KUHN,
    LEDUC,
    NAIVE,
    TABLES,
    Patient,
    RememberingLast,
    chosen_by,
    kept,
    play_out,
)

from ruse.errors import RuseError
from ruse.evaluate.explaining.coach import Coach
from ruse.play.bots.bot import RandomBot, Seat
from ruse.play.session import NamedBot, Person, Session
from ruse.strategy import Strategy


def with_people(name: str, people: tuple[int, ...]) -> tuple[Any, list[Any]]:
    game, bots = TABLES[name]()
    return game, [Person(f"person {p}") if p in people else bot for p, bot in enumerate(bots)]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("people", [(0,), (1,), (0, 1)])
def test_a_session_goes_on_from_any_event_to_the_same_end(name: str, people: tuple[int, ...]) -> None:
    whole = play_out(Session.start(*with_people(name, people), seed=4))
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


def test_a_record_says_who_played() -> None:
    """So that a game whose seats were taken over can be left and gone on with again and again."""
    guests = [
        NamedBot("heuristic", HEURISTIC), NamedBot("naive", NAIVE), Person("Ben"), Person("naive"),
        NamedBot("Ben", RememberingLast()), NamedBot("heuristic", HEURISTIC), NamedBot("naive", NAIVE),
    ]  # fmt: skip
    met = set()
    for seed in range(6):
        session, moves, taken = Session.start(CHEAT, [Person("Ann"), guests[seed]], seed=seed), 0, []
        for guest in guests[seed:]:
            session = Session.resume(CHEAT, [Person("Ann"), guest], kept(session))
            if not session.is_over:
                session.act(session.turn, chosen_by(session, session.turn))
            record = kept(session)
            assert Session.resume(CHEAT, [Person("Ann"), guest], record).record() == record
            played = [event for event in record[1 + moves : -1] if event["player"] == 1]
            taken += [{"name": guest.name, "person": isinstance(guest, Person)} for _ in played]
            moves = len(record) - 2
        now = {"name": record[0]["players"][1], "person": 1 in record[0]["people"]}
        assert [event.get("by", now) for event in record if event.get("player") == 1] == taken
        assert all("by" not in event for event in record if event.get("player") != 1)
        met |= {str(by) for event in record if (by := event.get("by"))}
    assert len(met) >= 3


def test_a_bot_that_comes_back_remembers_what_it_did() -> None:
    """It is asked for its own moves again, and for nobody else's."""
    session = Session.start(LEDUC, [Person(), Patient()], seed=4)
    session.act(0, "call")
    first = Session.resume(LEDUC, [Person(), NamedBot("guest", Bold())], kept(session))
    first.act(0, "call")
    moves = [event.get("by") for event in kept(first) if event.get("player") == 1]
    assert moves == [{"name": "Patient", "person": False}, None]
    again = Session.resume(LEDUC, [Person(), Patient()], kept(first))
    assert again.turn == 0
    assert again._bots[1].bot.asked == 1


def test_the_payoffs_of_an_end_are_looked_at() -> None:
    whole = play_out(Session.start(KUHN, [Person(), Bold()], seed=3)).record()
    assert Session.resume(KUHN, [Person(), Bold()], whole).is_over
    with pytest.raises(RuseError, match=r"^the record has payoffs \[5, -5\] where the game pays \["):
        Session.resume(KUHN, [Person(), Bold()], [*whole[:-1], whole[-1] | {"payoffs": [5, -5]}])


def test_a_refusal_tells_nothing_that_is_hidden() -> None:
    """Whoever goes on with a game reads it, and may not know what lies face down."""
    session = Session.start(CHEAT, [Person(), NamedBot("other", HEURISTIC)], seed=2)
    session.act(0, 0)
    session.act(0, 0)
    words = (
        r"^the record cannot be gone on with: its move \d+, by player 1, is not what other does there: "
        r"seat the same bot, or one of another name$"
    )
    with pytest.raises(RuseError, match=words):
        Session.resume(CHEAT, [Person(), NamedBot("other", RememberingLast())], session.record())


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
            "its move 1, by chance, is not what chance does there$",
        ),
        (changed(record, 0, number=1), "by chance, is not what chance does there$"),
        (changed(record, 2, number=0, action="J"), "its move 2, by chance, is not what chance does"),
        (changed(record, 3, number=2), "its move 3, by player 0, is no action there"),
        (changed(record, 3, number=-1), "'number' is missing or of the wrong kind"),
        (changed(record, 3, action="raise"), "its move 3, by player 0, is no action there"),
        (changed(record, 3, player=1), "its move 3, by player 1, is no action there"),
        ([*record[:5], record[3] | {"player": 1}], "its move 5, by player 1, is no action there"),
        ([*record[:5], record[4] | {"player": 0}, record[4]], "its move 6, by player 1, comes after the end"),
        (
            changed(record, 4, number=0, action="pass"),
            "its move 4, by player 1, is not what .* does there: seat",
        ),
        ([*record[:5], {"event": "end", "payoffs": [1, -1], "everything": ""}], "has an end where the game goes on"),
        (changed(record, 1, player=7), "its move 1, by player 7, is not what chance does"),
        (changed(record, 1, player=0), "its move 1, by player 0, is not what chance does"),
        (changed(record, 1, action="zzz"), "its move 1, by chance, is not what chance does"),
        (changed(record, 3, player="chance"), "its move 3, by chance, is no action there"),
        (changed(record, 3, by="Ann"), "'by' is missing or of the wrong kind"),
        (changed(record, 0, everything="K"), "the record is damaged: what it tells before its first move is not what"),
        (changed(record, 2, everything="Q J"), "what it tells after its move 2 is not what the moves come to$"),
        (
            changed(record, 3, seen=["Q, bet", "K, bet"]),
            "what it tells after its move 3 is not what the moves come to$",
        ),
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
