"""Tables with bots of every kind, and a person whose choices depend on all that was seen."""

import json
from collections.abc import Callable
from typing import Any

from plain_bots import Uniform
from strategies import lopsided

import ruse
from ruse.games.cheat.rules import Cheat
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.play.bots.bot import RandomBot, Seat
from ruse.play.bots.either import Either
from ruse.play.session import Session
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
