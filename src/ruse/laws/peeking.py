"""Peeking: does what a player is given depend on what that player cannot know?

A view is code that is handed the whole state, and so are a game's `observe` and `scene`. All may forget, and none may
tell a player more than the game's own infosets do. That is tested in plain Python on twins (`twins.py`), by `check` and
once in a process before a view or an `observe` is first used.
"""

import random
import sys
from collections.abc import Callable, Hashable, Iterator
from itertools import takewhile
from typing import Any

import numpy as np

from ruse.catalog.names import companion, is_view
from ruse.compile.hashing import MASK
from ruse.errors import RuseError, WrongAnswer
from ruse.hierarchy.trial import what_is_wrong
from ruse.laws.twins import Line, Twins, twins
from ruse.protocol.choices import Hierarchical, Offering
from ruse.protocol.game import CHANCE, Game, Row, has_scenes
from ruse.protocol.scene import scene_text
from ruse.protocol.state import State
from ruse.protocol.values.recent import Recent
from ruse.protocol.view import Full, View
from ruse.words.naming import named

ENOUGH = 300  # twins that `check` looks at, if they can be found
FIRST_USE, THOROUGH = 3_000, 12_000  # moves that are made to find twins: some tenths of a second, and for `check`
TOLD = 12  # actions whose names are compared
SHOWN = 240  # letters of a position in a sentence

Look = Callable[[Any, list[State], int], Hashable]  # what a player is given at the last of these states, and before

_pairs = Recent[list[Twins]](1)  # by game
_found = Recent[str | None](None)  # by game and view: what was wrong


def refuse_peeking(game: Game, view: View | None) -> None:
    """Raise if a view tells its player what is hidden. It is tested once in a process for each game and view."""
    while beneath := getattr(view, "beneath", None):  # the infosets of a wrapped game are those of the game inside
        game, view = beneath(game)
    if isinstance(view, Hierarchical):
        refuse_unsound(game, view.hierarchy(game))
    elif view is not None and not isinstance(view, Full):  # which has the game's own infosets
        _refuse_once(game, view, f"the view {view!r}", what_a_view_gives(view))


def refuse_leaking(game: Game) -> None:
    """Raise if a game's `observe` shows a player what is hidden. It is tested once in a process for each game."""
    _refuse_once(game, None, "observe", what_is_observed)


def refuse_unsound(game: Game, hierarchy: Any) -> None:
    """Raise unless a hierarchy can be walked. All that it is shown is what `observe` shows: that is what is tested."""
    if not hasattr(game, "observe"):
        raise RuseError(f"{named(game)} has no observe() to show policies anything, so it has no hierarchy")
    refuse_leaking(game)
    if trouble := _found.of((fields_of(game), fields_of(hierarchy)), lambda: what_is_wrong(game, hierarchy)):
        raise RuseError(trouble)


def peeking(game: Game) -> Iterator[str]:
    """A sentence for each that peeks of the game's own views, those of its bots, its `observe` and its `scene`."""
    looks: dict[str, Look] = {f"the view {view!r}": what_a_view_gives(view) for view in views_of(game)}
    if hasattr(game, "observe"):
        looks["observe"] = what_is_observed
    if has_scenes(game):
        looks["scene"] = what_a_scene_shows
    pairs = list(twins(game, random.Random(1), moves=THOROUGH, enough=ENOUGH)) if looks else []
    yield from filter(None, (trouble_of(game, name, look, pairs) for name, look in looks.items()))


def views_of(game: Game) -> list[View]:
    """Views with their usual fields in the game's own module and in those for views that it names, and its bots'.

    Not hierarchies, which are shown no more than `observe` shows.
    """
    bots = companion(game, "bots")
    found = [bot.sees for bot in (bots.BOTS.values() if bots else ()) if hasattr(bot, "sees")]
    for module in filter(None, [sys.modules.get(type(game).__module__), companion(game, "views")]):
        for cls in vars(module).values():
            if isinstance(cls, type) and issubclass(cls, tuple) and is_view(cls) and hasattr(cls, "_fields"):
                found += [cls()] if len(cls._field_defaults) == len(cls._fields) else []  # type: ignore[attr-defined]
    shown = [view for view in found if hasattr(view, "key") and not isinstance(view, Full)]
    return list({fields_of(view): view for view in shown}.values())


def _refuse_once(game: Game, view: View | None, name: str, look: Look) -> None:
    home = fields_of(game)
    key = (home, fields_of(view))

    def look_once() -> str | None:
        pairs = _pairs.of(home, lambda: list(twins(game, random.Random(0), moves=FIRST_USE)))
        return trouble_of(game, name, look, pairs)

    if trouble := _found.of(key, look_once):
        raise RuseError(trouble)


def fields_of(part: Any) -> Hashable:
    """All that a part is made of, so that two can be compared."""
    if isinstance(part, np.ndarray):
        return part.shape, part.dtype.str, part.tobytes()
    if isinstance(part, tuple) and type(part).__hash__ is tuple.__hash__:  # else it tells itself from others
        return type(part), tuple(map(fields_of, part))
    if isinstance(part, tuple):
        return type(part), part
    return type(part), repr(part)


# ---- what is looked at -----------------------------------------------------------------------------------------------


def what_a_view_gives(view: Any) -> Look:
    """Key, choices and words."""

    def look(game: Game, states: list[State], player: int) -> Hashable:
        row, before = states[-1].row.copy(), fields_of(view)
        facts: list[Hashable] = [key_of(view, game, row)]
        count = int(game.num_actions(row))
        if isinstance(view, Offering):
            count = int(view.num_choices(game, row))
            facts += [int(view.meaning(game, row, a)) for a in range(count)]
        if hasattr(view, "describe"):
            facts.append(str(view.describe(game, row)))
        if hasattr(view, "action_name"):
            facts += [str(view.action_name(game, row, a)) for a in range(min(count, TOLD))]
        if not isinstance(view, tuple) or fields_of(view) != before:
            raise RuseError("must be a NamedTuple with @compiled('key') that keeps nothing of what it is shown")
        if not np.array_equal(row, states[-1].row):
            raise RuseError("changes the state that it is shown; it may only read it")
        return tuple(facts)

    return look


def key_of(view: Any, game: Game, row: Row) -> int:
    """The key of a view as tables have it; one that is cut to fit would join what the view tells apart."""
    key = view.key(game, row)
    if not isinstance(key, int | np.integer | np.bool_) or not -(1 << 63) <= int(key) <= MASK:
        raise RuseError(f"has {key!r:.40} for a key; a key is a whole number of 64 bits, as ruse.mix gives it")
    return int(key) & MASK


def what_is_observed(game: Any, states: list[State], player: int) -> Hashable:
    """What bots are shown since the player's last move; the same twice in a row is told once."""
    seen: list[bytes] = []
    for row in (state.row for state in states):
        if game.player(row) != CHANCE:
            out, copy = np.zeros(game.observation_size(), np.int64), row.copy()
            game.observe(copy, player, out)
            if not np.array_equal(row, copy):
                raise RuseError("changes the state that it is shown; it may only read it")
            seen += [out.tobytes()] if out.tobytes() not in seen[-1:] else []
    return tuple(seen)


def what_a_scene_shows(game: Any, states: list[State], player: int) -> Hashable:
    """All that people are shown since the player's last move; the same twice in a row is told once."""
    seen: list[str] = []
    for state in states:
        row = state.row.copy()
        text = scene_text(state, player)
        if not np.array_equal(row, state.row):
            raise RuseError("changes the state that it is shown; it may only read it")
        seen += [text] if text not in seen[-1:] else []
    return tuple(seen)


# ---- twins side by side ----------------------------------------------------------------------------------------------


def trouble_of(game: Game, name: str, look: Look, pairs: list[Twins]) -> str | None:
    """One sentence if a look differs between two lines that a player cannot tell apart."""
    forgets = not getattr(game, "perfect_recall", True)
    for player, one, other in pairs:
        if forgets and described(game, one, player) != described(game, other, player):
            continue  # a view may remember what infoset() forgets
        try:
            given = [look(game, since_last(game, line, player), player) for line in (one, other)]
        except WrongAnswer as error:  # which names the method itself
            return str(error)
        except RuseError as error:
            return f"{name} {error}"
        except Exception as error:
            here, _ = places(game, one, other)
            return f"{name} fails after {here} with {type(error).__name__}: {error}"
        if given[0] != given[1]:
            here, there = places(game, one, other)
            return (
                f"{name} tells player {player} what is hidden: it is not the same after {here} as after {there}, "
                "which this player cannot tell apart"
            )
    return None


def states_of(game: Game, line: Line) -> list[State]:
    return [State(game, row, tuple(line.moves[:k])) for k, row in enumerate(line.rows)]


def since_last(game: Game, line: Line, player: int) -> list[State]:
    """The states after the player's last move, up to the one where it is his turn again."""
    *before, last = states_of(game, line)
    others = list(takewhile(lambda state: game.player(state.row) != player, reversed(before)))
    return [*reversed(others), last]


def described(game: Game, line: Line, player: int) -> list[str]:
    return [str(state.describe(player)) for state in states_of(game, line)]


def places(game: Game, one: Line, other: Line) -> tuple[str, str]:
    """Two positions in words; of long ones only that which is not the same, and the end."""
    paths = [State(game, line.rows[-1], tuple(line.moves)).path() or "the start" for line in (one, other)]
    if max(map(len, paths)) <= SHOWN:
        return paths[0], paths[1]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one.moves, other.moves, strict=False)))
    tails = []
    for line in (one, other):
        names = [str(game.action_name(row, a)) for row, a in zip(line.rows[same:], line.moves[same:], strict=False)]
        text = ", ".join(names)
        tails.append(f"... {text if len(text) <= SHOWN else text[:SHOWN] + ' ...'}")
    return tails[0], tails[1]
