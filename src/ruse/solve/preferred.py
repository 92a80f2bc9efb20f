"""The infosets that preferences mean: found by walking the game, and asking it for the names of its actions."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.game import Game, Row
from ruse.solve.expanded import identity_of
from ruse.solve.prefer import ALWAYS, FIRST, Preference, words_of
from ruse.solve.size import SLICE
from ruse.solve.walk import Stack, find, new_index, reindex, walk
from ruse.view import Full, View

Array = NDArray[Any]
LIMIT = 50_000_000  # histories up to which a game is walked
SHOWN = 12  # names in an error


class Preferred(NamedTuple):
    """What is preferred at which infoset. All others are played as the update rule plays them."""

    keys: Array  # [infoset] uint64, ascending
    start: Array  # [infoset + 1] where its deltas start
    delta: Array  # [action]
    beta: Array  # [infoset]
    players: tuple[int, ...]  # whose infosets these are

    def number_of(self, keys: Array) -> Array:
        """The numbers of infosets with these keys, -1 for those that are not preferred."""
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, place, -1)


def prefer(
    game: Game, *, action: str | Sequence[str], player: int | None = None, when: str = ALWAYS,
    delta: float = 10.0, beta: float = 0.0, view: View | None = None,
) -> Preference:  # fmt: skip
    """A preference for any preset's prefer=, if the game has such an action there.

    `action` is the start of its name in whole words ("raise" means "raise to 3" too), or a kind of action that the game
    tells (`action_kinds`). `when` is "first" (the player's first decision of the game), "always", or a regular
    expression for the whole of what describes the infoset.
    """
    rule = Preference(words_of(action), player, when, float(delta), float(beta)).checked()
    preferred(game, view, [rule])
    return rule


def preferred(game: Game, view: View | None, rules: Sequence[Preference]) -> Preferred:
    """The infosets that the rules mean; raises for a rule that means none. The last answers are kept."""
    identity = (identity_of(game), identity_of(view or Full()), tuple(rules))
    if identity not in _recent:
        _recent[identity] = found(game, view or Full(), rules)
        while len(_recent) > 4:
            _recent.popitem(last=False)
    return _recent[identity]


_recent: OrderedDict[tuple[object, ...], Preferred] = OrderedDict()


def found(game: Game, view: View, rules: Sequence[Preference]) -> Preferred:
    for rule in rules:
        if rule.player is not None and not 0 <= rule.player < game.players:
            raise RuseError(f"there is no player {rule.player} in {game!r}: players are 0 to {game.players - 1}")
    rows: dict[int, tuple[Array, float]] = {}
    players = set()
    missed = {rule: Missed(rule) for rule in rules}
    for infoset in meet(game, view, rules):
        delta, beta = np.ones(len(infoset.actions)), 0.0
        hit = False
        for rule in rules:
            if not missed[rule].fits(infoset):
                continue
            infoset.refuse_shared(game, rule)
            hit = True
            chosen = [is_meant(rule.action, names) for names in infoset.actions]
            delta = np.where(chosen, np.maximum(delta, rule.delta), delta)
            beta = max(beta, rule.beta)
        if hit:
            rows[infoset.key] = delta, beta
            players |= set(infoset.players)
    for rule in rules:
        missed[rule].refuse(game)
    keys = np.array(sorted(rows), np.uint64)
    found = [rows[int(key)] for key in keys]
    start = np.cumsum([0, *(len(delta) for delta, _ in found)])
    deltas, betas = np.concatenate([delta for delta, _ in found]), np.array([beta for _, beta in found])
    return Preferred(keys, start, deltas, betas, tuple(sorted(players)))


class Missed:
    """Whether a rule has met an infoset that it means, and what it saw instead."""

    def __init__(self, rule: Preference) -> None:
        self.rule, self.hits = rule, 0
        self.names: dict[str, None] = {}  # of actions, where all else fits
        self.described: dict[str, None] = {}

    def fits(self, infoset: "Met") -> bool:
        rule = self.rule
        if rule.player is not None and rule.player not in infoset.players:
            return False
        if rule.when == FIRST and not infoset.is_first:
            return False
        if rule.when not in (FIRST, ALWAYS) and not re.fullmatch(rule.when, infoset.name):
            self.described.setdefault(infoset.name)
            return False
        if not any(is_meant(rule.action, names) for names in infoset.actions):
            for names in infoset.actions:
                self.names |= dict.fromkeys(names)
            return False
        self.hits += 1
        return True

    def refuse(self, game: Game) -> None:
        """Raise if nothing was met."""
        if self.hits:
            return
        whose = "any player" if self.rule.player is None else f"player {self.rule.player}"
        if self.names:
            where = f" where it is {self.rule.when}" if self.rule.when not in (FIRST, ALWAYS) else ""
            raise RuseError(
                f"no action of {whose}{where} in {game!r} is called {' or '.join(map(repr, self.rule.action))}; "
                f"there are {_some(sorted(self.names))}"
            )
        if self.described:
            raise RuseError(
                f"no infoset of {whose} in {game!r} is described by {self.rule.when!r}; "
                f"there are {_some(list(self.described), '; ')}"
            )
        raise RuseError(f"{whose} has no decision in {game!r}, so {str(self.rule)!r} means nothing")


def is_meant(words: Iterable[str], names: Sequence[str]) -> bool:
    """Whether one of an action's names, or of its kinds, starts with one of the words."""
    wanted = [word.casefold().split() for word in words]
    return any(name.casefold().split()[: len(word)] == word for word in wanted for name in names)


def _some(names: list[str], comma: str = ", ") -> str:
    return comma.join(names[:SHOWN]) + (f"{comma}... ({len(names)} in all)" if len(names) > SHOWN else "")


# ---- the infosets ----------------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """An infoset in words."""

    key: int
    players: tuple[int, ...]  # whose it is: of several players where a view lets them share it
    is_first: bool  # whether some history comes to it before its player has decided anything
    name: str
    actions: list[list[str]]  # [action] its names and kinds

    def refuse_shared(self, game: Game, rule: Preference) -> None:
        if rule.player is not None and len(self.players) > 1:
            raise RuseError(
                f"under this view the players of {game!r} share infosets, so player {rule.player} cannot prefer alone; "
                f"leave the player out"
            )


def meet(game: Game, view: View, rules: Sequence[Preference]) -> Iterator[Met]:
    """The infosets that rules may mean. Where all speak of first decisions, nothing below these is walked."""
    # Under a view players may share infosets, so then all are looked at.
    alone = isinstance(view, Full)
    wanted = np.array([not alone or any(rule.player in (None, p) for rule in rules) for p in range(game.players)])
    finder = Finder.start(game, wanted, whole=any(rule.when != FIRST for rule in rules))
    stack = Stack.start(game)
    while not stack.is_done:
        if stack.cursor[1] >= LIMIT:
            raise RuseError(
                f"{game!r} is too large to be walked for all infosets that are meant; say when=first, or name a player"
            )
        if stack.is_full:
            stack = stack.deeper()
        if finder.is_full():
            finder = finder.larger()
        walk(game, view, stack, finder, SLICE)
    describe = getattr(view, "describe", lambda game, row: game.describe(row, int(game.player(row))))
    named = getattr(view, "action_name", lambda game, row, a: game.action_name(row, a))
    kinds = getattr(game, "action_kinds", lambda row, a: ())
    for (key, count, mask, is_first), row in zip(
        finder.found[: finder.totals[0]], finder.rows[: finder.totals[0]], strict=True
    ):
        actions = [
            list(dict.fromkeys([named(game, row, a), game.action_name(row, a), *kinds(row, a)])) for a in range(count)
        ]
        players = tuple(p for p in range(game.players) if mask >> p & 1)
        yield Met(int(key) & 0xFFFFFFFFFFFFFFFF, players, bool(is_first), describe(game, row), actions)


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Finder(NamedTuple):
    """A visitor that writes down each infoset of some players once, with one state of it."""

    wanted: np.ndarray  # [player] whether the player's infosets are looked for
    whole: bool  # later decisions too, not only the first of each player
    totals: np.ndarray  # [1] infosets
    keys: np.ndarray  # the index of infosets
    ids: np.ndarray
    found: np.ndarray  # [infoset, 4] key, actions, its players as bits, whether it may be the first decision
    rows: np.ndarray  # [infoset, column]

    @classmethod
    def start(cls, game: Game, wanted: Array, *, whole: bool) -> "Finder":
        row: Row = game.start()
        room = 1 << 10
        found, rows = np.zeros((room, 4), np.int64), np.zeros((room, len(row)), row.dtype)
        return cls(wanted, whole, np.zeros(1, np.int64), *new_index(room), found, rows)

    def is_full(self):
        return self.totals[0] >= len(self.found)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        player, players = stack.player[level], stack.sequence.shape[1]
        is_first = stack.sequence[level, player] == player  # still the empty sequence
        if self.wanted[player] and (is_first or self.whole):
            place = find(self.keys, self.ids, key)
            n = self.ids[place]
            if n < 0:
                n = self.totals[0]
                self.keys[place] = key
                self.ids[place] = n
                self.found[n, 0] = key
                self.found[n, 1] = stack.actions[level]
                self.found[n, 2] = 0
                self.found[n, 3] = 0
                for c in range(stack.rows.shape[1]):
                    self.rows[n, c] = stack.rows[level, c]
                self.totals[0] += 1
            self.found[n, 2] |= 1 << player
            self.found[n, 3] |= is_first
        waiting = self.whole
        for p in range(players):
            waiting = waiting or (self.wanted[p] and p != player and stack.sequence[level, p] == p)
        if not waiting:
            stack.actions[level] = 0  # all that is looked for lies above: nothing below is visited
        return players  # any sequence but an empty one will do

    def at_end(self, game, stack, level):
        pass

    def larger(self) -> "Finder":
        """The same with room for twice as many infosets."""
        index = new_index(2 * len(self.found))
        reindex(self.keys, self.ids, *index)
        twice = [np.concatenate([array, array]) for array in (self.found, self.rows)]
        return Finder(self.wanted, self.whole, self.totals, *index, *twice)
