"""The laws that any game must obey, tested by playing it: `check(game)`.

Random games are played twice side by side, in plain Python and compiled. If the game is small enough to walk whole,
perfect recall is decided over all of it, else over the games that were played.
"""

import random
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import kernel
from ruse.game import EVERYTHING, OVER, RULES, Game
from ruse.peeking import peeking
from ruse.solve.expanded import Expanded
from ruse.solve.size import TooLarge, size
from ruse.state import State

LONGEST = 10_000  # moves before a game counts as endless
WHOLE = 2_000_000  # histories up to which the whole game is walked


class Report(NamedTuple):
    """What was found: facts, and failures, each one sentence."""

    lines: list[str]
    failures: list[str]

    @property
    def is_lawful(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        verdict = f"{len(self.failures)} failures" if self.failures else "all laws hold"
        return "\n".join([*(f"  {line}" for line in self.lines), *(f"! {f}" for f in self.failures), verdict])


def check(game: Game, *, games: int = 1_000, seed: int = 0) -> Report:
    """Play random games and report every law that is broken, each once."""
    inspector = Inspector(game)
    try:
        inspector.form()
        if not inspector.failures:
            inspector.play(games, random.Random(seed))
        if not inspector.failures:
            inspector.whole()
            inspector.failures |= dict.fromkeys(peeking(game))
    except Breach as breach:
        inspector.fail(str(breach))
    return Report(inspector.lines, list(inspector.failures))


class Breach(Exception):
    """A law is broken so badly that the inspection cannot go on."""


class Inspector:
    """One inspection of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lines: list[str] = []
        self.failures: dict[str, None] = {}  # in order, each once
        self.facts: dict[Hashable, Any] = {}  # what must be the same whenever it is met again
        self.recalls = True

    def fail(self, sentence: str) -> None:
        self.failures.setdefault(sentence)

    def same(self, what: Hashable, value: Any, sentence: str) -> bool:
        """Fail unless `what` has had this value each time."""
        if self.facts.setdefault(what, value) == value:
            return True
        self.fail(sentence)
        return False

    # ---- the form ----------------------------------------------------------------------------------------------------

    def form(self) -> None:
        """Methods, players and the starting row."""
        missing = [m for m in ("start", *RULES, "action_name", "describe") if not callable(getattr(self.game, m, None))]
        if missing or not isinstance(getattr(self.game, "players", None), int):
            raise Breach(f"{type(self.game).__name__} lacks {', '.join(missing) or 'players, a whole number'}")
        row = self.game.start()
        if not isinstance(row, np.ndarray) or row.ndim != 1 or row.dtype.kind not in "iu":
            raise Breach("start() must return a one-dimensional NumPy array of integers")
        if not np.array_equal(row, self.game.start()):
            self.fail("start() must give the same row each time; leave chance to chance nodes")
        try:
            look(self.game, row, np.zeros(2, np.int64))
        except Exception as error:
            reason = next((text for text in reversed(str(error).splitlines()) if text.strip()), type(error).__name__)
            raise Breach(
                f"the rules could not be compiled: {reason.strip()}; they may use numbers, the row, the fields and "
                "functions marked @compiled_function, and may not create arrays"
            ) from error
        self.lines.append(f"{self.game.players} players, a row of {len(row)} integers ({row.dtype})")

    # ---- play --------------------------------------------------------------------------------------------------------

    def play(self, games: int, dice: random.Random) -> None:
        longest = 0
        for _ in range(games):
            longest = max(longest, self.play_one(dice))
            if self.failures:
                return
        infosets = sum(1 for fact in self.facts if isinstance(fact, tuple) and fact[0] == "actions")
        self.lines.append(f"{games:,} random games of up to {longest} moves met {infosets:,} infosets")
        self.lines.append("plain Python and compiled rules agree; chance adds up to one")
        promised = getattr(self.game, "payoff_sum", None)
        self.lines.append(
            "payoffs are not promised to add up" if promised is None else f"payoffs add up to {promised:g}"
        )

    def play_one(self, dice: random.Random) -> int:
        state = State.of(self.game)
        row = self.game.start()  # the compiled twin, in the game's own integer type
        seen: list[list[str]] = [[] for _ in range(self.game.players)]  # what each player was shown since acting
        memory: list[tuple[Any, ...]] = [() for _ in range(self.game.players)]  # own infosets and actions
        for move in range(LONGEST):
            self.compare(state, row)
            for p in range(self.game.players):
                shown = state.describe(p)
                if not seen[p] or seen[p][-1] != shown:
                    seen[p].append(shown)
            if state.is_over:
                self.at_end(state)
                return move
            chances = self.at_chance(state) if state.is_chance else None
            if chances is None:
                self.at_decision(state, seen, memory)
            a = dice.choices(range(len(state.actions)), chances)[0]
            if chances is None:
                memory[state.player] = (*memory[state.player], (state.infoset, a))
                seen[state.player] = []
            state = state.child(a)
            step(self.game, row, a)
            if self.failures:
                return move
        raise Breach(f"a random game has not ended after {LONGEST:,} moves: {state.path()[:80]}...")

    def compare(self, state: State, row: np.ndarray) -> None:
        """Plain Python and compiled code must see the same."""
        if not np.array_equal(row, state.row):
            rows = f"{row} and {state.row}"
            raise Breach(f"after {place(state)} the compiled row differs from the one in plain Python: {rows}")
        out = np.zeros(2, np.int64)
        look(self.game, row, out)
        plain = [state.player, 0 if state.is_over else int(self.game.num_actions(state.row))]
        if (found := out.tolist()) != plain:
            raise Breach(f"after {place(state)} player and number of actions are {plain}, but {found} when compiled")
        if state.player >= (players := self.game.players) or state.player < OVER:
            raise Breach(f"after {place(state)} player() says {state.player}; there are players 0 to {players - 1}")
        if not state.is_over and plain[1] < 1:
            raise Breach(f"after {place(state)} player {state.player} has no action")
        if state.player >= 0 and int(key_of(self.game, row)) & 0xFFFFFFFFFFFFFFFF != state.infoset:
            raise Breach(f"after {place(state)} infoset() differs between plain Python and compiled code; use ruse.mix")

    def at_chance(self, state: State) -> list[float]:
        chances = state.chances
        if abs(sum(chances) - 1.0) > 1e-9 or min(chances) < 0.0:
            self.fail(f"after {place(state)} the chances are {chances}, which must be at least 0 and add to 1")
        return chances

    def at_decision(self, state: State, seen: list[list[str]], memory: list[tuple[Any, ...]]) -> None:
        p, key, names = state.player, state.infoset, state.actions
        label = state.describe(p)
        where = f"player {p} at {label!r}"
        if len(set(names)) != len(names):
            self.fail(f"{where} has two actions of one name: {', '.join(names)}")
        self.same(("actions", p, key), tuple(names), f"{where}: states of one infoset offer different actions")
        leaks = f"describe tells {where} what infoset() does not: it leaks, or infoset() forgets"
        named = self.same(("label", p, key), label, leaks)
        self.same(
            ("key", p, label), key, f"infoset() tells {where} what describe does not: two infosets have this name"
        )
        if self.facts.setdefault(("recall", p, key), memory[p]) != memory[p]:
            self.recalls = False
        elif named and self.recalls and getattr(self.game, "perfect_recall", True):
            leaks = f"on the way to {where}, describe shows what infoset() does not know: it leaks"
            self.same(("shown", p, key), tuple(seen[p]), leaks)

    def at_end(self, state: State) -> None:
        payoffs = state.payoffs
        compiled = [
            float(pay(self.game, state.row.astype(self.game.start().dtype), p)) for p in range(self.game.players)
        ]
        if payoffs != compiled:
            self.fail(f"after {state.path()} the payoffs are {payoffs}, but {compiled} when compiled")
        promised = getattr(self.game, "payoff_sum", None)
        if promised is not None and abs(sum(payoffs) - promised) > 1e-9:
            self.fail(
                f"after {state.path()} the payoffs {payoffs} add up to {sum(payoffs):g}, not to payoff_sum = {promised}"
            )
        if not state.describe(EVERYTHING):
            self.fail("describe(s, EVERYTHING) must show something at the end of a game")

    # ---- the whole game ----------------------------------------------------------------------------------------------

    def whole(self) -> None:
        """Size, and perfect recall over all of the game if it can be walked."""
        measured = size(self.game, limit=WHOLE)
        self.lines.append(str(measured))
        recalls, extent = self.recalls, "in the games played"
        if measured.is_exact:
            with suppress(TooLarge):
                recalls, extent = Expanded.of(self.game).form.perfect_recall, "everywhere"
        declared = getattr(self.game, "perfect_recall", True)
        if declared and not recalls:
            self.fail("players forget (no perfect recall); say so with perfect_recall = False if it is meant")
        self.lines.append(f"perfect recall {'holds' if recalls else 'does not hold'} {extent}")


def place(state: State) -> str:
    """The way to a state in words. It takes as long as the way is, so it is asked for only when something is wrong."""
    return state.path() or "the start"


@kernel
def look(game, s, out):
    """Player and number of actions. Every rule is called somewhere in it, so that all of them are compiled."""
    out[0] = game.player(s)
    out[1] = 0
    if out[0] != OVER:
        out[1] = game.num_actions(s)
    if out[0] < OVER:  # never
        game.apply(s, game.infoset(s))
        out[0] = int(game.payoff(s, 0) + game.chance(s, 0))


@kernel
def key_of(game, s):
    return np.int64(game.infoset(s))


@kernel
def step(game, s, a):
    game.apply(s, a)


@kernel
def pay(game, s, player):
    return game.payoff(s, player)
