"""A table of the studio: one person, whoever sits opposite, and game after game with a score.

The session owns the rules and says what the seat may see. Every move is on disk before it is answered.
"""

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ruse.catalog.names import GAMES, companion, names_spot
from ruse.catalog.titles import spec, title_of
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.explaining.worth import margin_of
from ruse.play.asking import would_do
from ruse.play.bots.names import bots_of
from ruse.play.records.record import Holder, events
from ruse.play.session import NamedBot, Person, Session
from ruse.play.streams import seat_drawn
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.studio.answers import Clash, said_on_a_page
from ruse.studio.play.ahead import AT_A_TABLE, Queue, Thinking
from ruse.studio.play.keeping import Keeper, Left, TableAbout
from ruse.studio.play.seating import Seating, Sitting, words_about
from ruse.studio.play.table_words import (
    ActAsk,
    ChoiceView,
    HeardView,
    HintView,
    ReviewView,
    SceneView,
    ScoreView,
    TableView,
)

DRAWN = ("cheat", "holdem", "mahjong")  # games with tables of their own; others have a plain one
PERSON = "you"
CHANGED = " (as it is now)"  # a run that was trained on since a game was left
FEW = 5  # games before an interval is told


class PlayTable:
    """One table. Several threads may ask; what changes it is done one at a time, and whoever looks does not wait."""

    def __init__(self, id: str, about: TableAbout, keeper: Keeper, seating: Seating) -> None:
        self.id, self.about, self.keeper, self.seating = id, about, keeper, seating
        self.game = seating.game(about.game)
        others = self.game.players - 1
        if len(about.against) not in (1, others):
            raise RuseError(
                f"{title_of(self.game)} has {others} other seats: name one opponent for all of them, or one for each"
            )
        if about.seat is not None and about.seat >= self.game.players:
            raise RuseError(f"there is no seat {about.seat}; {title_of(self.game)} has 0 to {self.game.players - 1}")
        names = about.against if len(about.against) == others else about.against * others
        self.sitting = [seating.sitting(name, self.game) for name in names]
        self.payoffs: list[float] = []
        self.deal, self.seat, self.kept = -1, 0, 0
        self.session: Session | None = None
        self.told: TableView | None = None  # what the person was shown last
        self.thinks = any(one.blueprint is not None for one in self.sitting)
        self.thinking = seating.studio.of(Thinking)
        self.lock = Queue(1, AT_A_TABLE, "whoever sits opposite thinks; wait for the move")

    @classmethod
    def start(cls, id: str, about: TableAbout, keeper: Keeper, seating: Seating) -> "PlayTable":
        table = cls(id, about, keeper, seating)
        table.keeper.begin(about)
        table.next()
        return table

    @classmethod
    def resume(cls, id: str, left: Left, keeper: Keeper, seating: Seating) -> "PlayTable":
        """The table as it was left, a game in the middle of it too."""
        table = cls(id, left.about, keeper, seating)
        table.payoffs, table.deal, table.seat = left.payoffs, left.deal, left.seat
        if left.deal < 0:
            table.next()
            return table
        if left.seat >= table.game.players:
            raise FileTrouble(f"the table was kept with seat {left.seat}, which {title_of(table.game)} does not have")
        with table.thinking.turn(table.thinks):
            session = table.gone_on_with(list(record_of(table.game, left)), table.seats(left.names))
        table.session, table.kept = session, len(left.moves)
        if not left.over:
            table.keep()
        return table

    def gone_on_with(self, record: list[dict[str, Any]], seats: list[Any]) -> Session:
        """The game of a record. Who would do something else now takes the own seat over: a run that was trained on,
        and whoever thinks by the clock, who need not think of all of it again.
        """
        if not self.thinks:
            with suppress(RuseError):
                return Session.resume(self.game, seats, record, coach=self.reviewer)
        changed = [
            seat._replace(name=f"{seat.name}{CHANGED}") if isinstance(seat, NamedBot) else seat for seat in seats
        ]
        return Session.resume(self.game, changed, record, coach=self.reviewer)

    # ---- who sits where ----------------------------------------------------------------------------------------------

    @property
    def adviser(self) -> Sitting | None:
        """Who gives hints: the one who was asked for it, or the first opponent who plays by a strategy."""
        if self.about.coach is not None:
            return self.seating.sitting(self.about.coach, self.game)
        asked = (
            one if one.blueprint is None else self.seating.sitting(one.blueprint, self.game) for one in self.sitting
        )
        return next((one for one in asked if one.reviewer is not None), None)

    @property
    def reviewer(self) -> Any:
        return self.adviser.reviewer if self.adviser else None

    def seats(self, names: list[str] | None = None) -> list[Any]:
        """The person and the others, as they sit in this deal; with names that they had before, if they had any."""
        others = iter(self.sitting)
        seats: list[Any] = []
        for p in range(self.game.players):
            if p == self.seat:
                seats.append(Person(PERSON))
            else:
                one = next(others)
                seats.append(NamedBot(names[p] if names and p < len(names) else one.name, one.bot))
        return seats

    def open_session(self) -> Session:
        if self.session is None:
            raise Clash("no game was begun at this table")
        return self.session

    # ---- what happens ------------------------------------------------------------------------------------------------

    def next(self) -> None:
        """Deal the next game."""
        with self.lock:
            if self.session is not None and not self.session.is_over:
                raise Clash("this game is not over yet")
            deal, asked = self.deal + 1, self.about.seat
            seat = seat_drawn(self.about.seed_of(deal), deal, self.game.players) if asked is None else asked
            self.seat, before = seat, self.seat
            try:
                with self.thinking.turn(self.thinks):
                    session = Session.start(self.game, self.seats(), seed=self.about.seed_of(deal), coach=self.reviewer)
            except BaseException:
                self.seat = before
                raise
            self.keeper.deal(deal, seat, session.names)
            self.session, self.deal, self.kept = session, deal, 0
            self.keep()
            self.told = self.shown()

    def act(self, asked: ActAsk) -> None:
        with self.lock:
            session = self.open_session()
            if session.is_over:
                raise Clash("this game is over; deal the next one")
            if asked.seen != len(session.events(self.seat)):
                raise Clash("this was meant for an earlier moment; look again")
            with self.thinking.turn(self.thinks):
                session.act(self.seat, asked.action)
            self.keep()
            self.told = self.shown()

    def keep(self) -> None:
        """Write down what is new; a finished game goes to the record."""
        session = self.open_session()
        if len(session.history) > self.kept:
            self.keeper.moves(session.history[self.kept :])
            self.kept = len(session.history)
        if session.is_over:
            payoffs = session.end().payoffs
            self.keeper.over(self.deal, payoffs, session.record())
            self.payoffs.append(float(payoffs[self.seat]))

    # ---- what is told ------------------------------------------------------------------------------------------------

    def view(self) -> TableView:
        """What the person may see; while somebody thinks, what was to be seen before that."""
        with self.lock.if_free() as is_free:
            if is_free:
                self.told = self.shown()
        if self.told is None:  # it is looked at for the first time, and by somebody else
            with self.lock:
                return self.shown()
        return self.told

    def shown(self) -> TableView:
        """All that the person may see; what stays hidden at the end is for the replay."""
        session = self.open_session()
        heard = [HeardView(player=one.player, words=list(one.words)) for one in session.events(self.seat)]
        words: Any = companion(self.game, "table")
        return TableView(
            id=self.id, game=spec(self.game), title=title_of(self.game), about=words_about(self.game),
            table=drawn_as(self.game), help=getattr(words, "HELP", ""), players=self.game.players, seat=self.seat,
            names=session.names, deal=self.deal, seen=len(heard), turn=session.turn, over=session.is_over,
            scene=SceneView.of(session.scene(self.seat)),
            shown=session.shown(self.seat), events=heard, score=score_of(self.payoffs),
            hints=self.reviewer is not None or hasattr(words, "hints") or len(bots_of(self.game)) > 1,
            graded=self.reviewer is not None,
            record=self.id if self.payoffs else None,
        )  # fmt: skip

    def hint(self) -> HintView:
        """What a strategy would do in the person's place, and policies of the game's own."""
        session = self.open_session()
        if session.is_over or session.turn != self.seat:
            raise Clash("it is not your turn")
        adviser = self.adviser
        advice = session.advice(self.seat) or would_do(self.game, session.history, bots_of(self.game))
        nothing = HintView(advice=advice, by=None, infoset="", actions=[], probability=[], value=None)
        if adviser is None or adviser.reviewer is None:
            return nothing if advice else nothing.model_copy(update={"why_not": no_strategy(self)})
        try:
            hint = session.hint(self.seat)
        except RuseError as trouble:
            return nothing.model_copy(update={"why_not": said_on_a_page(trouble)})
        return HintView(
            advice=advice, by=adviser.name, infoset=hint.infoset, actions=list(hint.actions),
            probability=list(hint.probability), value=hint.value,
        )  # fmt: skip

    def review(self) -> ReviewView:
        """What the person's choices have cost: by the adviser, or once the game is over by games played out."""
        session, adviser = self.open_session(), self.adviser
        found = session.grades(self.seat) if adviser and adviser.reviewer else []
        if adviser and found and all(one is not None and one.lost is not None for one in found):
            choices = [ChoiceView(**one._asdict(), margin=None) for one in found]
            return ReviewView(
                by=adviser.name, hindsight=False, choices=choices, lost=math.fsum(one.lost or 0.0 for one in choices)
            )
        if not session.is_over:
            choices = [ChoiceView(**one._asdict(), margin=None) for one in found if one is not None]
            return ReviewView(by=adviser.name if adviser else "", hindsight=False, choices=choices, lost=None)
        return self.hindsight(session)

    def hindsight(self, session: Session) -> ReviewView:
        name = self.adviser.name if self.adviser else self.seating.usual_judge(self.game, session.names)
        judge, choices = self.seating.judge(name, self.game), []
        for state, chosen in decisions_of(session.end(), self.seat):
            worth = self.seating.judged(judge, state)
            mine = [value[self.seat] for value in worth.value]
            best = max(range(len(mine)), key=mine.__getitem__)
            lost, names = mine[best] - mine[chosen], worth.actions
            choices.append(
                ChoiceView(
                    infoset=state.describe(self.seat),
                    chosen=names[chosen],
                    actions=names,
                    probability=worth.probability,
                    value=list(mine),
                    best=names[best],
                    lost=lost,
                    share=worth.probability[chosen] if worth.probability else None,
                    margin=larger_of(worth.margin[best], worth.margin[chosen]),
                )
            )
        return ReviewView(by=name, hindsight=True, choices=choices, lost=math.fsum(one.lost or 0.0 for one in choices))


# ---- small things ----------------------------------------------------------------------------------------------------


def decisions_of(end: State, seat: int) -> Iterator[tuple[State, int]]:
    """Where a seat has chosen, and what."""
    state = State.of(end.game)
    for a in end.history:
        if state.player == seat:
            yield state, a
        state = state.child(a)


def drawn_as(game: Game) -> str:
    """The table that a game is drawn on."""
    text = spec(game)
    name = text.partition(":")[0]
    return name if name in DRAWN and name in GAMES and not names_spot(text) else "plain"


def no_strategy(table: PlayTable) -> str:
    return f"{', '.join(dict.fromkeys(one.name for one in table.sitting))} plays by no strategy that could be looked up"


def record_of(game: Game, left: Left) -> Iterator[dict[str, Any]]:
    """A game as a session goes on with it, from its moves."""
    holders = [Holder(name, p == left.seat) for p, name in enumerate(left.names)]
    return events(game, left.moves, seed=left.about.seed_of(left.deal), number=0, holders=holders)


def score_of(payoffs: list[float]) -> ScoreView:
    games, total = len(payoffs), math.fsum(payoffs)
    margin = margin_of(payoffs) if games >= FEW else None
    return ScoreView(
        games=games, total=total, mean=total / games if games else None, margin=margin, payoffs=payoffs[-200:]
    )


def larger_of(one: float | None, other: float | None) -> float | None:
    """The larger of two margins; None if either cannot be told."""
    return None if one is None or other is None else max(one, other)
