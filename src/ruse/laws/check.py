"""The laws that any game must obey, tested by playing it: `check(game)`.

Random games are played twice side by side, in plain Python and compiled, with a look at every index. Then the compiled
rules play on alone, much longer, and walk the whole game if it is small enough (`explore.py`). So is perfect recall
decided over all of it, else over the games that were played.
"""

import random
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ruse.catalog.given import GameLike
from ruse.catalog.names import game as game_named
from ruse.compile import checked_kernel
from ruse.compile.files.mistakes import is_compilers, raised, reason, where_written, wrong_parameters
from ruse.errors import RuseError, WrongAnswer
from ruse.laws.explore import MENU, Explored, explored
from ruse.laws.peeking import peeking
from ruse.protocol.game import EVERYTHING, OVER, RULES, Game, has_scenes
from ruse.protocol.guards.breaches import Unlawful, breach, listed, way_to
from ruse.protocol.scene import Staged, scene_text
from ruse.protocol.state import State
from ruse.protocol.values.fields import refuse_no_game
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import TooLarge, tree_size

PLAYED = 10_000  # moves before a random game counts as endless
MOVES = 20_000  # after so many in plain Python no further game is begun
WHOLE = 2_000_000  # histories up to which the whole game is walked
RANDOM = 200_000  # histories of random games that the compiled rules play alone
QUICK = 2_000  # moves that are played before the first solve of a game that nobody has checked
QUICK_WHOLE = 300_000  # histories up to which it is then walked whole
METHODS = ("start", *RULES, "action_name", "describe")


class Report(NamedTuple):
    """What was found: facts, and failures, each one sentence."""

    lines: list[str]
    failures: list[str]

    @property
    def is_lawful(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        count = len(self.failures)
        verdict = f"{count} failure{'s' * (count > 1)}" if count else "all laws hold"
        return "\n".join([*(f"  {line}" for line in self.lines), *(f"! {f}" for f in self.failures), verdict])


def check(game: GameLike, *, games: int = 1_000, seed: int = 0) -> Report:
    """Play random games and report every law that is broken, each once."""
    game = game_named(game) if isinstance(game, str) else game  # what is no game is told by its laws
    refuse_no_game(game)
    return _report(Inspector(game, moves=MOVES), games, seed, is_whole=True)


def quick_check(game: Game) -> Report:
    """The same with fewer games, and without what takes long in a large game: a matter of a second."""
    return _report(Inspector(game, moves=QUICK), 1_000, 0, is_whole=False)


def _report(inspector: "Inspector", games: int, seed: int, *, is_whole: bool) -> Report:
    try:
        with np.errstate(all="ignore"):  # what comes of a division by zero is told, in one sentence
            inspector.form()
            if not inspector.failures:
                inspector.play(games, random.Random(seed))
            if not inspector.failures:
                inspector.explore(WHOLE if is_whole else QUICK_WHOLE)
            if is_whole and not inspector.failures:
                inspector.whole()
                inspector.failures |= dict.fromkeys(peeking(inspector.game))
    except Unlawful as found:
        inspector.fail(found.law)
    except (Breach, WrongAnswer) as found:
        inspector.fail(str(found))
    except RuseError:
        raise
    except (Exception, SystemExit) as error:  # of the game's own code, or there is nothing to blame on it
        if (found_in := raised(error)) is None:
            raise
        inspector.fail(found_in)
    return Report(inspector.lines, list(inspector.failures))


class Breach(Exception):
    """A law is broken so badly that the inspection cannot go on."""


class Inspector:
    """One inspection of one game."""

    def __init__(self, game: Game, moves: int) -> None:
        self.game = game
        self.moves = moves  # after so many no further game is begun
        self.lines: list[str] = []
        self.failures: dict[str, None] = {}  # in order, each once
        self.facts: dict[Hashable, Any] = {}  # what must be the same whenever it is met again
        self.recalls = True
        self.telling = "scene" if has_scenes(game) else "describe"  # the method that tells what is seen

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
        missing = [m for m in METHODS if not callable(getattr(self.game, m, None))]
        players = getattr(self.game, "players", None)
        if missing or not isinstance(players, int | np.integer):
            raise Breach(f"{type(self.game).__name__} lacks {', '.join(missing) or 'players, a whole number'}")
        if players < 1:
            raise Breach(f"players must be at least 1, got {players}")
        promised = getattr(self.game, "payoff_sum", None)
        if promised is not None and not is_finite(promised):
            raise Breach(f"payoff_sum must be a number, or be left out where payoffs do not add up, got {promised!r}")
        wrong = wrong_parameters(self.game, Game, METHODS)
        if wrong is None and self.telling == "scene":
            wrong = wrong_parameters(self.game, Staged, ["scene"])
        if wrong:
            raise Breach(wrong)
        try:
            row = self.game.start()
        except Exception as error:
            if (found := raised(error)) is None:
                raise
            raise Breach(found) from error
        if not isinstance(row, np.ndarray) or row.ndim != 1 or row.dtype.kind not in "iu":
            raise Breach(f"{where_written(self.game.start)} must return a one-dimensional NumPy array of integers")
        if not np.array_equal(row, self.game.start()):
            self.fail("start() must give the same row each time; leave chance to chance nodes")
        try:
            ask(self.game, row.copy(), LOOK, 0, *_answers())
        except Exception as error:
            if not is_compilers(error):
                raise Breach(f"the compiled rules fail at the start: {error}") from error
            raise Breach(f"the rules could not be compiled: {reason(error, self.game)}") from error
        players = self.game.players
        self.lines.append(f"{players} player{'s' if players != 1 else ''}, a row of {len(row)} integers ({row.dtype})")

    # ---- play --------------------------------------------------------------------------------------------------------

    def play(self, games: int, dice: random.Random) -> None:
        longest, moves, played = 0, 0, 0
        while played < games and moves < self.moves:
            played += 1
            moves += (length := self.play_one(dice))
            longest = max(longest, length)
            if self.failures:
                return
        infosets = sum(1 for fact in self.facts if isinstance(fact, tuple) and fact[0] == "actions")
        self.lines.append(f"{played:,} random games of up to {longest} moves met {infosets:,} infosets")
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
        for move in range(PLAYED):
            self.compare(state, row)
            for p in range(self.game.players):
                shown = self.shown_to(state, p)
                if seen[p][-1:] != [shown]:
                    seen[p].append(shown)
            if state.is_over:
                self.at_end(state, row)
                return move
            chances = self.at_chance(state, row) if state.is_chance else None
            if chances is None:
                self.at_decision(state, seen, memory)
            a = dice.choices(range(len(state.actions)), chances)[0]
            if chances is None:
                memory[state.player] = (*memory[state.player], (state.infoset, a))
                seen[state.player] = []
            state = state.went(a)
            self.ask(state, row, STEP, a)
            if self.failures:
                return move
        raise Breach(f"a random game has not ended after {PLAYED:,} moves: {way_to(state)[:80]}...")

    def compare(self, state: State, row: np.ndarray) -> None:
        """Plain Python and compiled code must see the same."""
        if not np.array_equal(row, state.row):
            rows = f"{row} and {state.row}"
            raise Breach(f"after {way_to(state)} the compiled row differs from the one in plain Python: {rows}")
        plain = [state.player, 0 if state.is_over else state.num_actions]
        if (found := self.ask(state, row, LOOK)[0].tolist()) != plain:
            raise Breach(f"after {way_to(state)} player and number of actions are {plain}, but {found} when compiled")
        if broken := breach(state):
            raise Breach(broken)
        if state.player >= 0:
            self.compare_keys(state, row)

    def compare_keys(self, state: State, row: np.ndarray) -> None:
        key = state.whole(self.game.infoset)
        if not -(1 << 63) <= key < 1 << 64:
            raise Breach(f"after {way_to(state)} infoset() is {key}, more than 63 bits can hold; use ruse.mix")
        if int(self.ask(state, row, KEY)[0][0]) & 0xFFFFFFFFFFFFFFFF != state.infoset:
            place = way_to(state)
            raise Breach(f"after {place} infoset() differs between plain Python and compiled code; use ruse.mix")

    def ask(self, state: State, row: np.ndarray, what: int, x: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """What the compiled rules say."""
        answers = _answers()
        method = ("player() or num_actions()", "infoset()", "apply()", "payoff()", "chance()")[what]
        try:
            ask(self.game, row, what, x, *answers)
        except IndexError as error:
            raise Breach(
                f"at or after {way_to(state)} {method} reads or writes beyond the end of an array ({error}); plain "
                "Python does not see it"
            ) from error
        except (TypeError, ValueError) as error:
            raise Breach(f"at or after {way_to(state)} {method} fails when compiled: {error}") from error
        return answers

    def at_chance(self, state: State, row: np.ndarray) -> list[float]:
        chances = state.chances
        compiled = [float(self.ask(state, row, SHARE, a)[1][0]) for a in range(len(chances))]
        if chances != compiled:
            self.fail(f"after {way_to(state)} the chances are {listed(chances)}, but {listed(compiled)} when compiled")
        return chances

    def at_decision(self, state: State, seen: list[list[str]], memory: list[tuple[Any, ...]]) -> None:
        p, key, names = state.player, state.infoset, state.actions
        shown, label = seen[p][-1], state.describe(p)
        for rule, text in ((self.game.describe, label), *((self.game.action_name, name) for name in names)):
            if not isinstance(text, str):
                raise state.refused(rule, text, "a text")
        where = f"player {p} at {label!r}"
        if len(set(names)) != len(names):
            self.fail(f"{where} has two actions of one name: {', '.join(names)}")
        self.same(("actions", p, key), tuple(names), f"{where}: states of one infoset offer different actions")
        leaks = f"{self.telling} tells {where} what infoset() does not: it leaks, or infoset() forgets"
        named = self.same(("label", p, key), label, leaks) and self.same(("scene", p, key), shown, leaks)
        self.same(
            ("key", p, label), key, f"infoset() tells {where} what {self.telling} does not: two infosets have this name"
        )
        if self.facts.setdefault(("recall", p, key), memory[p]) != memory[p]:
            self.recalls = False
        elif named and self.recalls and getattr(self.game, "perfect_recall", True):
            leaks = f"on the way to {where}, {self.telling} shows what infoset() does not know: it leaks"
            self.same(("shown", p, key), tuple(seen[p]), leaks)

    def at_end(self, state: State, row: np.ndarray) -> None:
        payoffs = state.payoffs
        compiled = [float(self.ask(state, row, PAY, p)[1][0]) for p in range(self.game.players)]
        if payoffs != compiled:
            self.fail(f"after {way_to(state)} the payoffs are {listed(payoffs)}, but {listed(compiled)} when compiled")
        self.shown_to(state, EVERYTHING)
        if not state.describe(EVERYTHING):
            self.fail(f"{self.telling}(s, EVERYTHING) must show something at the end of a game")

    def shown_to(self, state: State, viewer: int) -> str:
        """All that a viewer is shown: the game's own scene, if it has scenes, or else its words."""
        return scene_text(state, viewer) if self.telling == "scene" else state.describe(viewer)

    # ---- the compiled rules alone ------------------------------------------------------------------------------------

    def explore(self, histories: int) -> None:
        """Let the compiled rules play at random, and then walk the game, with a look at every index."""
        for at_random, most in ((True, RANDOM), (False, histories)):
            found = explored(self.game, most, at_random=at_random)
            if found.found or found.error is not None:
                raise Breach(self.trouble(found))
        extent = "the whole game" if found.is_whole else f"{RANDOM + found.histories:,} more positions"
        self.lines.append(f"compiled rules keep within their arrays in {extent}")

    def trouble(self, found: Explored) -> str:
        """What is wrong where the compiled rules stopped, as plain Python sees it."""
        if len(found.history) > PLAYED:
            raise Breach(f"a game has not ended after {PLAYED:,} moves; limit its length")
        state = State.of(self.game)
        for a in found.history:
            state = state.went(a)
        if broken := breach(state):
            return broken
        place = way_to(state)
        if found.found == MENU:
            others = "another number at other states of the same infoset"
            return f"after {place} player {state.player} has {state.num_actions} actions, and {others}"
        try:
            self.use_all(state)
        except Exception as error:
            if (theirs := raised(error)) is None:
                raise
            return f"after {place} {theirs}"
        return f"after {place} the compiled rules fail or break a law, and in plain Python they do not: {found.error}"

    def use_all(self, state: State) -> None:
        """Ask every rule everything at a state, in plain Python and then compiled."""
        row = state.row.astype(self.game.start().dtype)
        list(state.children())
        self.compare(state, row)
        if state.is_over:
            self.at_end(state, row)
        elif state.is_chance:
            self.at_chance(state, row)
        for a in range(0 if state.is_over else state.num_actions):
            self.ask(state, row.copy(), STEP, a)

    # ---- the whole game ----------------------------------------------------------------------------------------------

    def whole(self) -> None:
        """Size, and perfect recall over all of the game if it can be walked."""
        measured = tree_size(self.game, limit=WHOLE)
        self.lines.append(str(measured))
        recalls, extent = self.recalls, "in the games played"
        if measured.is_exact:
            with suppress(TooLarge):
                recalls, extent = Expanded.of(self.game).form.perfect_recall, "everywhere"
        declared = getattr(self.game, "perfect_recall", True)
        if declared and not recalls:
            self.fail("players forget (no perfect recall); say so with perfect_recall = False if it is meant")
        self.lines.append(f"perfect recall {'holds' if recalls else 'does not hold'} {extent}")


def is_finite(value: Any) -> bool:
    """Whether it is a number, and neither infinite nor nan."""
    return isinstance(value, int | float | np.number) and bool(np.isfinite(value))


LOOK, KEY, STEP, PAY, SHARE = range(5)  # what the compiled rules are asked


def _answers() -> tuple[np.ndarray, np.ndarray]:
    """Room for integers and for numbers."""
    return np.zeros(2, np.int64), np.zeros(1)


@checked_kernel
def ask(game, s, what, x, out, numbers):
    """All rules in one kernel, which is compiled once; an index out of range is an error."""
    if what == LOOK:
        out[0] = game.player(s)
        out[1] = 0
        if out[0] != OVER:
            out[1] = game.num_actions(s)
    elif what == KEY:
        out[0] = np.int64(game.infoset(s))
    elif what == STEP:
        game.apply(s, x)
    elif what == PAY:
        numbers[0] = game.payoff(s, x)
    else:
        numbers[0] = game.chance(s, x)
