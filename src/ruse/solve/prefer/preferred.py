"""The infosets that preferences mean: found by walking the game, and asking it for the names of its actions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.given import GameLike, ViewLike, as_game, as_view
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.protocol.choices import as_offered
from ruse.protocol.decisions import Decisions, asked
from ruse.protocol.game import Game, Row, needs_history
from ruse.protocol.values.recent import Recent, identity_of
from ruse.protocol.view import Full, View
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.prefer import Preference
from ruse.tree.walk import Growing, find_place, larger_index, new_index, twice
from ruse.tree.ways import END, path_in, write_way
from ruse.words.counts import count_of
from ruse.words.naming import named

Array = NDArray[Any]
LIMIT = 50_000_000  # histories up to which a game is walked
MOVES = 64  # as many as a stack has levels at first


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
    game: GameLike, *, action: str | Sequence[str], player: int | None = None, when: str = "always",
    delta: float = 10.0, beta: float = 0.0, view: ViewLike | None = None,
) -> Preference:  # fmt: skip
    """A preference for any preset's prefer=, if the game has such an action there.

    `action` is its name, the start of it in whole words ("raise" means "raise to 3" too), or a kind that the game
    knows. `when` is "first" (the player's first decision of the game), "always", or other conditions as
    `ruse.protocol.decisions` reads them: "with K, first".
    """
    game = as_game(game)
    actions = [action] if isinstance(action, str) else action
    if not (isinstance(actions, Sequence) and actions and all(isinstance(one, str) for one in actions)):
        raise RuseError(f"action is the name of one, such as 'bet', or a list of names, not {action!r}")
    if not isinstance(when, str):
        raise RuseError(f"when is a text, such as 'first' or 'with K', not {when!r}")
    whose = [] if player is None else [f"player {count_of('player', player)}"]
    rule = Preference(asked(", ".join([" or ".join(actions), *whose, when]), game.players), delta, beta).checked()
    preferred(game, as_view(view, game), [rule])
    return rule


def preferred(game: Game, view: View | None, rules: Sequence[Preference]) -> Preferred:
    """The infosets that the rules mean; raises for a rule that means none. The last answers are kept."""
    game, view = as_offered(game, view or Full())
    identity = (identity_of(game), identity_of(view), tuple(rules))
    return _recent.of(identity, lambda: (game, view, found(game, view, rules)))[2]


_recent = Recent[tuple[Game, View, Preferred]]()  # with the game and the view: an address may be an identity


def found(game: Game, view: View, rules: Sequence[Preference]) -> Preferred:
    for rule in rules:
        asked(str(rule.wanted), game.players)  # there is such a player
    met = meet(game, view, rules)
    decisions = met.decisions
    delta, beta = np.ones(len(decisions.names)), np.zeros(len(met.keys))
    hit = np.zeros(len(met.keys), bool)
    for rule in rules:
        meant = decisions.meant(rule.wanted)
        here = np.logical_or.reduceat(meant, decisions.start[:-1])
        if rule.wanted.player is not None and np.any(met.seats[here] & (met.seats[here] - 1)):
            must_fit(Setup(game=game, noticed=Noticed(alone=rule.wanted.player)), "preference and view")
        delta[meant] = np.maximum(delta[meant], rule.delta)
        beta[here] = np.maximum(beta[here], rule.beta)
        hit |= here
    kept = np.flatnonzero(hit)
    kept = kept[np.argsort(met.keys[kept])]
    rows = [delta[decisions.start[k] : decisions.start[k + 1]] for k in kept]
    start = np.cumsum([0, *(len(row) for row in rows)])
    seats = int(np.bitwise_or.reduce(met.seats[kept]))
    players = tuple(p for p in range(game.players) if seats >> p & 1)
    return Preferred(met.keys[kept], start, np.concatenate(rows), beta[kept], players)


# ---- the infosets ----------------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """Infosets, and one state of each. One of which some history is its player's first decision is a first decision."""

    keys: Array  # [infoset] uint64
    seats: Array  # [infoset] whose it is, as bits: of several players where a view lets them share it
    decisions: Decisions


def meet(game: Game, view: View, rules: Sequence[Preference]) -> Met:
    """The infosets that rules may mean. Where all speak of first decisions, nothing below these is walked."""
    # Under a view players may share infosets, so then all are looked at.
    alone = isinstance(view, Full)
    whose = [rule.wanted.player for rule in rules]
    looked_for = np.array([not alone or any(p in (None, q) for p in whose) for q in range(game.players)])
    finder = Finder.start(game, looked_for, whole=not all(rule.wanted.is_first for rule in rules))
    walking = Growing(game, view, finder)
    while not walking.is_done:
        if walking.visited >= LIMIT:
            raise RuseError(
                f"{named(game)} is too large to be walked for all infosets that are meant; say first, or name a player"
            )
        walking.go_on()
    finder = walking.visitor
    found, rows = finder.found[: finder.totals[0]], finder.rows[: finder.totals[0]]
    if not len(found):
        raise RuseError(f"nobody decides anything in {named(game)}, so {str(rules[0])!r} means nothing")
    key, count, seats, is_first = found.T
    player = np.array([np.flatnonzero([s >> p & 1 for p in range(game.players)])[0] for s in seats.tolist()])
    for p in {p for p in whose if p is not None}:  # the named player is the owner of what he shares
        player[seats >> p & 1 > 0] = p
    decisions = Decisions(game, rows, player, count, is_first.astype(bool), view, lambda k: path_in(finder.ways[k]))
    return Met(key.astype(np.uint64), seats, decisions)


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
    ways: np.ndarray  # [infoset, move] to that state; no columns where the game's words do not need them

    @classmethod
    def start(cls, game: Game, wanted: Array, *, whole: bool) -> "Finder":
        row: Row = game.start()
        room = 1 << 10
        found, rows = np.zeros((room, 4), np.int64), np.zeros((room, len(row)), row.dtype)
        ways = np.full((room, MOVES if needs_history(game) else 0), END, np.int32)
        return cls(wanted, whole, np.zeros(1, np.int64), *new_index(room), found, rows, ways)

    def is_full(self):
        return self.totals[0] >= len(self.found)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        player, players = stack.player[level], stack.sequence.shape[1]
        is_first = stack.sequence[level, player] == player  # still the empty sequence
        if self.wanted[player] and (is_first or self.whole):
            place = find_place(self.keys, self.ids, key)
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
                write_way(stack, level, self.ways[n])
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
        index = larger_index(self.keys, self.ids, 2 * len(self.found))
        return Finder(self.wanted, self.whole, self.totals, *index, *twice([self.found, self.rows, self.ways]))

    def further(self, moves: int) -> "Finder":
        """The same with room for longer ways, if there is any."""
        more = moves - self.ways.shape[1] if self.ways.shape[1] else 0
        return self._replace(ways=np.pad(self.ways, ((0, 0), (0, more)), constant_values=END))
