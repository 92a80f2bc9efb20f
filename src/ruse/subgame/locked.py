"""Node-locking: what is done at some infosets is fixed, and the rest of the game is left to be solved.

    lock_of(game, {"K, no board": "raise"})             always
    lock_of(game, {"J, no board": {"raise": 0.3}})      the rest is shared by the other actions
    lock_of(game, ["J, no board: raise 0.3, call 0.7"]) as a person types it
    lock_of(game, {"player 1": strategy})               all that one player does

The fixed decisions become chance: whoever solves the game that is left needs to know nothing of locks.
"""

import re
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled_function
from ruse.errors import RuseError
from ruse.play.bots.bot import StrategyBot, bisect
from ruse.play.given import as_strategy
from ruse.protocol.decisions import as_compared, without_suits
from ruse.protocol.game import CHANCE, Game
from ruse.protocol.values.sameness import told_apart_by
from ruse.protocol.view import Full, infoset_key
from ruse.protocol.wrapped import Wrapped, twist
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded, Infoset
from ruse.words.choice import player_name
from ruse.words.meant import meant_by

Locks = Mapping[str, Any] | Iterable[str] | str
SUM = 1e-6  # by how much shares may miss one


@twist
@told_apart_by(id)
class Locked(NamedTuple):
    """The twist of a game in which some infosets are played as a table says."""

    table: StrategyBot

    def player_in(self, game, s, behind):
        player = game.player(s)
        return CHANCE if player >= 0 and row_of(self.table, game, s) >= 0 else player

    def chance_in(self, game, s, behind, a):
        if game.player(s) == CHANCE:
            return game.chance(s, a)
        return self.table.probability[self.table.start[row_of(self.table, game, s)] + a]

    def __repr__(self) -> str:
        return f"Locked({len(self.table.keys)} infosets)"


@compiled_function
def row_of(table, game, s):
    """The number of the infoset among those of a table; -1 if it is not there."""
    key = np.uint64(infoset_key(game, table.sees, s))
    place = bisect(table.keys, key)
    return place if place < len(table.keys) and table.keys[place] == key else -1


class Lock(NamedTuple):
    """What is fixed in a game."""

    game: Game
    fixed: Strategy  # the infosets that are fixed, and no others
    words: tuple[str, ...]  # what was asked for
    opens: tuple[int, ...]  # the players of whom a first decision is fixed

    @property
    def rest(self) -> Wrapped:
        """The game that is left to be solved."""
        return Wrapped.of(self.game, Locked(StrategyBot.of(self.fixed)))

    def on(self, strategy: Strategy) -> Strategy:
        """A strategy of the rest as one of the whole game, with what is fixed in its place."""
        keys = np.concatenate([strategy.keys, self.fixed.keys])
        order = np.argsort(keys)
        widths = np.concatenate([np.diff(strategy.start), np.diff(self.fixed.start)])
        both = np.concatenate([strategy.probability, self.fixed.probability])
        first = np.concatenate([strategy.start[:-1], self.fixed.start[:-1] + len(strategy.probability)])
        start = np.concatenate([[0], np.cumsum(widths[order])]).astype(np.int64)
        spread = np.repeat(first[order] - start[:-1], widths[order]) + np.arange(start[-1])
        about = dict(strategy.about) | {"locked": list(self.words)}
        about.pop("exploitability", None)  # which is that of the rest
        return Strategy(self.game, keys[order], start, both[spread.astype(np.int64)], about=about)


def lock_of(game: Game, locks: Locks) -> Lock:
    """What is fixed, by names of infosets as people write them; without their suits, all of them are meant."""
    expanded = Expanded.of(game)
    asked = list(locks.items()) if isinstance(locks, Mapping) else [(text, None) for text in as_texts(locks)]
    if not asked:
        raise RuseError("say what is locked, as in {'K, no board': 'raise'}")
    fixed: dict[int, NDArray[Any]] = {}
    by: dict[int, str] = {}  # what fixes an infoset, in words
    opens: set[int] = set()
    words: list[str] = []
    for name, mix in asked:
        if not isinstance(name, str):
            raise RuseError(f"an infoset is called by a text, such as 'K, no board', not {name!r}")
        found = meant(expanded, name, mix)
        words.append(name if mix is None else f"{name}: {told(mix)}")
        for infoset, shares in found:
            key = int(expanded.keys[infoset.node])
            if key in fixed:
                raise RuseError(
                    f"{infoset.name!r} is locked twice, by {by[key]!r} and by {words[-1]!r}; leave one of them out"
                )
            fixed[key], by[key] = shares, words[-1]
            if expanded.form.parent[infoset.node] == infoset.player:  # below the empty sequence
                opens.add(infoset.player)
    keys = np.array(sorted(fixed), np.uint64)
    rows = [fixed[int(key)] for key in keys]
    start = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return Lock(
        game, Strategy(game, keys, start, np.concatenate(rows), view=Full()), tuple(words), tuple(sorted(opens))
    )


def as_texts(locks: Iterable[str] | str) -> list[str]:
    if not isinstance(locks, Iterable):
        raise RuseError(f"locks are texts such as 'K, no board: raise', or a dict of them, not {locks!r}")
    return [locks] if isinstance(locks, str) else list(locks)


def told(mix: Any) -> str:
    """A mix in words."""
    if isinstance(mix, Mapping):
        return ", ".join(f"{action} {share:g}" for action, share in mix.items())
    return mix if isinstance(mix, str) else str(getattr(mix, "about", {}).get("rule", "strategy"))


def meant(expanded: Expanded, name: str, mix: Any) -> list[tuple[Infoset, NDArray[Any]]]:
    """The infosets that are meant, each with what is played there."""
    infosets = expanded.infosets
    if mix is not None and (seat := re.fullmatch(r"player\s+(\d+)", name.strip(), re.IGNORECASE)):
        if int(seat[1]) >= expanded.game.players:
            raise RuseError(f"there is no player {seat[1]} to lock; there are 0 to {expanded.game.players - 1}")
        sigma, form = as_strategy(mix, expanded.game).on(expanded), expanded.form
        mine = [infoset for infoset in infosets if infoset.player == int(seat[1])]
        return [(i, sigma[form.slot[i.node] : form.slot[i.node] + len(i.actions)].copy()) for i in mine]
    if mix is None:
        name, colon, mix = name.rpartition(":")
        if not colon:
            example = "'K, no board: raise 0.7, call 0.3'"
            raise RuseError(
                f"cannot read the lock {mix!r}; write the infoset and what is played there, as in {example}"
            )
    wanted = as_compared(name)
    for spell in (as_compared, without_suits):
        found = [infoset for infoset in infosets if spell(infoset.name) == wanted]
        if len({infoset.player for infoset in found}) > 1:
            owners = " or ".join(f"{player_name(p)}'s" for p in sorted({i.player for i in found}))
            raise RuseError(f"{name.strip()!r} may mean {owners} infoset, so it cannot be locked by its name")
        if found:
            return [(infoset, shares_of(infoset, mix)) for infoset in found]
    Strategy.uniform(expanded.game).find(name)  # which says what is closest
    raise RuseError(f"no infoset {name!r}")


def shares_of(infoset: Infoset, mix: Any) -> NDArray[Any]:
    """The probability of each action; what is left over is shared by those that are not named."""
    named = typed(mix) if isinstance(mix, str) else mix
    if not isinstance(named, Mapping):
        raise RuseError(f"at {infoset.name!r} give an action or shares, as in {{'raise': 0.7}}, not {mix!r}")
    if not named:
        raise RuseError(f"the lock at {infoset.name!r} is empty; say what is played: {', '.join(infoset.actions)}")
    shares = np.full(len(infoset.actions), np.nan)
    for action, share in named.items():
        places = meant_by(str(action).strip(), infoset.actions)
        if len(places) != 1:
            raise RuseError(f"no action {action!r} at {infoset.name!r}; there is: {', '.join(infoset.actions)}")
        if not isinstance(share, Real) or not 0.0 <= float(share) <= 1.0 + SUM:
            raise RuseError(f"the share of {action} at {infoset.name!r} must be from 0 to 1, got {share!r}")
        if not np.isnan(shares[places[0]]):
            raise RuseError(f"{infoset.actions[places[0]]} has two shares at {infoset.name!r}; leave one of them out")
        shares[places[0]] = float(share)
    left, free = 1.0 - float(np.nansum(shares)), np.isnan(shares)
    if left < -SUM or (left > SUM and not free.any()):
        raise RuseError(f"the shares at {infoset.name!r} must add up to 1, got {1.0 - left:g}")
    shares[free] = max(left, 0.0) / max(1, int(free.sum()))
    found: NDArray[Any] = shares / shares.sum()
    return found


def typed(text: str) -> dict[str, float]:
    """From "raise 0.7, call 0.3" to shares; an action alone is always played.

    >>> typed("raise 0.7, call 0.3"), typed("raise")
    ({'raise': 0.7, 'call': 0.3}, {'raise': 1.0})
    """
    found: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        action, _, number = part.rpartition(" ")
        try:
            share = float(number) if action else None
        except ValueError:
            share = None
        action = part if share is None else action
        if action in found:
            raise RuseError(f"{action} has two shares in {text.strip()!r}; leave one of them out")
        found[action] = 1.0 if share is None else share
    return found
