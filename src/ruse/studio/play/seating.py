"""Whoever can sit at a table of the studio: games by name, and for each of them bots, runs, and an answer on the spot.

A page names games and files as a stranger would: nothing is run that this person has not run before.
"""

import hashlib
import os
import random
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ruse.catalog.names import GAMES, about
from ruse.catalog.recorded import shown_path
from ruse.catalog.titles import spec, title, title_of
from ruse.catalog.trust import Untrusted
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.explaining.coach import Coach
from ruse.evaluate.explaining.review import ChoiceReviewer
from ruse.evaluate.explaining.worth import Judge, Worth
from ruse.horizon.search.named import asked_by, looks_ahead, named_in
from ruse.play.bots.bot import playing
from ruse.play.bots.names import bots_of
from ruse.play.opponents import opponent
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.store.runs import RunDirectory
from ruse.store.strategies import strategy_path
from ruse.strategy import Strategy
from ruse.studio.answers import Missing
from ruse.studio.names import is_file_name, typed_game
from ruse.studio.play.ahead import Queue, bounded, can_look_ahead
from ruse.studio.state import Studio

SOLVED = "solved now"  # the name of whoever plays a strategy that is made on the spot
SMALL = 400_000  # histories of a game that is solved on the spot, about
ITERATIONS = 300
PATIENCE = 300  # seconds that a solution may take
DIVES, DEEPEST = 300, 1_000
KEPT = 64  # games, strategies and judges that are kept at hand
LONGEST = 400  # letters of a name
JUDGED = 8  # decisions that wait for one judge
BUSY = "too many wait for this judge already; try again later, or name another one"
USUAL, POOR = ("tight", "normal", "heuristic"), ("random", "search", "call", "fold")  # judges; the second: no good ones

T = TypeVar("T")


class Sitting(NamedTuple):
    """Who has a seat, and who can say what a strategy would do there."""

    name: str
    bot: Any
    reviewer: ChoiceReviewer | None = None
    blueprint: str | None = None  # whoever is asked in place of one who looks ahead


class RunOffer(NamedTuple):
    """A run that can sit down."""

    name: str
    game: str  # what finds its game
    title: str
    rule: str
    view: str


class AtHand:
    """The last things that were made, by key; perhaps no more than so many wait while one of them is made."""

    def __init__(self, most: int = KEPT, waiting: int | None = None, busy: str = "") -> None:
        self.most, self._found, self._lock = most, OrderedDict[Any, Any](), threading.RLock()
        self._waiting, self._making = (waiting, busy), dict[Any, Queue]()

    def of(self, key: Any, make: Callable[[], T]) -> T:
        """The thing with this key; made once, however many ask for it at the same time."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]  # type: ignore[no-any-return]
            making = self._making.setdefault(key, Queue(1, *self._waiting))
        with making:
            with self._lock:
                if key in self._found:
                    return self._found[key]  # type: ignore[no-any-return]
            try:
                made = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            self.put(key, made)
        return made

    def put(self, key: Any, made: Any) -> None:
        with self._lock:
            self._found[key] = made
            while len(self._found) > self.most:
                self._found.popitem(last=False)

    def forget(self, key: Any) -> None:
        with self._lock:
            self._found.pop(key, None)


class Seating:
    """Games, opponents and judges of a studio."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._games, self._sitting, self._judges, self._small = AtHand(), AtHand(), AtHand(16), AtHand(1000)
        self._judging = AtHand()  # a queue for each judge

    # ---- games -------------------------------------------------------------------------------------------------------

    def game(self, text: str) -> Game:
        """The game that a page names."""
        if not 0 < len(text) <= LONGEST or not text.isprintable():
            raise RuseError(f"a game's name has 1 to {LONGEST} letters, got {text[:80]!r}")
        return self._games.of((text, stamp_of(text.partition(":")[0])), lambda: named_game(text))

    def is_small(self, game: Game) -> bool:
        """Whether a game is solved on the spot."""
        return self._small.of(repr(game), lambda: about_histories(game) <= SMALL)

    def runs(self) -> list[RunOffer]:
        """Runs that have a strategy, newest first."""
        found: list[RunOffer] = []
        for path in sorted(self.studio.runs.glob("*/run.toml"), reverse=True):
            with suppress(FileTrouble, OSError):
                run = RunDirectory.open(path.parent)
                if run.strategy_path.is_file() and "game" in run.settings:
                    home = str(run.settings["game"])
                    rule, view = (str(run.settings.get(name, "")) for name in ("rule", "view"))
                    found.append(RunOffer(run.name, home, title(home), rule, view))
        return found

    def runs_for(self, game: Game) -> list[RunOffer]:
        """Those that were trained in this game."""
        own = spec(game)
        return [run for run in self.runs() if run.game == own]

    def ahead_in(self, game: Game) -> list[RunOffer]:
        """Those that can look ahead in this game: blueprints for it, or for one with other bets."""
        found = []
        for run in self.runs() if spec(game).startswith("holdem") else ():
            with suppress(RuseError):
                if can_look_ahead(game, self.game(run.game), run.view):
                    found.append(run)
        return found

    # ---- who sits down -----------------------------------------------------------------------------------------------

    def sitting(self, name: str, game: Game) -> Sitting:
        """Whoever a page asks to sit down: a bot of the game, a run, or what is solved on the spot."""
        if not 0 < len(name) <= LONGEST or not name.isprintable():
            raise RuseError(f"an opponent's name has 1 to {LONGEST} letters, got {name[:80]!r}")
        if name.partition(":")[0] in bots_of(game):
            return self._sitting.of((name, repr(game)), lambda: Sitting(name, opponent(name, game).bot))
        if looks_ahead(name):
            asked = bounded(name)
            path = self.path_of(asked.strategy, game)
            key = (name, repr(game), str(path), stamp_of(str(path)))
            return self._sitting.of(key, lambda: Sitting(name, named_in(asked, path, game), blueprint=asked.strategy))
        path = self.solved_path(game) if name == SOLVED else self.path_of(name, game)
        if name == SOLVED and not path.is_file():
            self._sitting.of(("solving", str(path)), lambda: self.solve(game, path))
        key = (name, repr(game), str(path), stamp_of(str(path)))
        return self._sitting.of(key, lambda: sitting_by(Strategy.load(path, game=game), name))

    def asked_for(self, sitting: Sitting, game: Game) -> Sitting:
        """Who can say what somebody does: for one who looks ahead its blueprint, unless that has other bets."""
        if sitting.blueprint is not None:
            with suppress(RuseError):
                return self.sitting(sitting.blueprint, game)
        return sitting

    def path_of(self, name: str, game: Game) -> Path:
        """Where the strategy of a run lies; a page names no other files."""
        if Path(name).name != name:
            raise RuseError(f"{name[:80]!r} is no bot and no run; a page cannot name files")
        if not is_file_name(name):
            raise Missing(f"{name[:80]!r} is no bot and no run")
        if (kept := self.studio.runs / name).is_file():
            return kept
        if Path(name).is_file():  # where the server was started, which is nobody's business
            raise Missing(f"{name[:80]!r} is no bot and no run")
        try:
            return strategy_path(name, self.studio.runs)
        except FileTrouble as trouble:
            there = ", ".join([*bots_of(game), *([SOLVED] if self.is_small(game) else [])])
            raise Missing(f"{trouble}; {title_of(game)} has {there}") from trouble

    def judge(self, name: str, game: Game) -> Judge:
        """Whoever judges a game that is over."""
        sitting = self.sitting(asked_by(name).strategy if looks_ahead(name) else name, game)
        judge = sitting.reviewer.coach.strategy if sitting.reviewer else sitting.bot
        return self._judges.of((id(judge), repr(game)), lambda: Judge(game, judge))

    def judged(self, judge: Judge, state: State) -> Worth:
        """What a judge says of a state; one after the other, so that players do not wait for those who look on. Nobody
        waits for another judge, who may take as long as a bot likes.
        """
        with self._judging.of(id(judge), lambda: Queue(1, JUDGED, BUSY)):
            return judge.at(state)

    def usual_judge(self, game: Game, players: Sequence[str] = ()) -> str:
        """Who judges if nobody was asked for: a strategy that sat there, a run, a bot that sat there, or others."""
        own = bots_of(game)
        for name in players:
            with suppress(RuseError):
                if name.partition(":")[0] not in own and self.sitting(name, game).reviewer:
                    return name
        if runs := self.runs_for(game):
            return runs[0].name
        sat = [name for name in players if name.partition(":")[0] in own and name.partition(":")[0] not in POOR]
        if sat or self.is_small(game):
            return sat[0] if sat else SOLVED
        return next((name for name in (*USUAL, *own) if name in own and name not in POOR), "random")

    # ---- solved on the spot ------------------------------------------------------------------------------------------

    def solved_path(self, game: Game) -> Path:
        digest = hashlib.sha256(f"{spec(game)} {game!r}".encode()).hexdigest()[:20]
        return self.studio.games / "solved" / f"{digest}.strategy"

    def solve(self, game: Game, path: Path) -> bool:
        """Solve a small game in a process of its own, which may take a while and hinders nobody."""
        if not self.is_small(game):
            raise RuseError(f"{title_of(game)} is too large to be solved on the spot; train a run, or choose a bot")
        path.parent.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, "-m", "ruse", "solve", spec(game), "--iterations", str(ITERATIONS)]
        try:
            done = subprocess.run(
                [*words, "--no-run", "--out", str(path), "--json"],
                capture_output=True, text=True, timeout=PATIENCE, check=False, env=os.environ.copy(),
            )  # fmt: skip
        except subprocess.TimeoutExpired as late:
            raise RuseError(f"{title_of(game)} was not solved in {PATIENCE} seconds; train a run of it") from late
        if done.returncode != 0 or not path.is_file():
            reason = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
            raise RuseError(f"{title_of(game)} could not be solved on the spot: {reason.removeprefix('ruse: ')}")
        return True


def sitting_by(strategy: Strategy, name: str) -> Sitting:
    """Whoever plays a strategy; its table is copied once for all sessions."""
    return Sitting(name, playing(strategy), ChoiceReviewer(Coach(strategy)))


def named_game(text: str) -> Game:
    try:
        made = typed_game(text)
        made.start()  # which refuses fields that do not go together
        return made
    except Untrusted as error:
        raise RuseError(
            f"the studio runs no code that you have not run before: type `ruse check {shown_path(text)}` in a "
            "terminal first"
        ) from error


def about_histories(game: Game) -> float:
    """About how many histories a game has, by dives at random: each counts for all that are like it."""
    dice, total = random.Random(0), 0.0
    for _ in range(DIVES):
        state, alike = State.of(game), 1.0
        for _ in range(DEEPEST):
            if state.is_over or alike > 1e12:
                break
            count = state.num_actions
            alike *= count
            total += alike / DIVES
            state = state.stepped(dice.randrange(count))
    return total


def stamp_of(path: str) -> int:
    """When a file was last written; 0 for what is none."""
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return 0


def words_about(game: Game) -> str:
    """What a game is, in one line."""
    name = spec(game).partition(":")[0]
    if name in GAMES:
        return str(about(name)["description"])
    words = (sys.modules[type(game).__module__].__doc__ or type(game).__doc__ or "").strip()
    return words.splitlines()[0] if words and not words.startswith(f"{type(game).__name__}(") else type(game).__name__
