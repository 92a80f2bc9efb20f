"""Strategies that go from a game to a game around it, and back: infosets have the same keys in both."""

from typing import Any

import numpy as np

from ruse.catalog.likeness import is_same
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.protocol.wrapped import Through, same_infoset
from ruse.strategy import Strategy
from ruse.words.naming import named


def inside(strategy: Strategy, game: Game) -> Strategy:
    """A strategy of the whole game, as one of a subgame of it."""
    return Strategy(game, *_rows(strategy), view=_view_in(strategy, game), about=strategy.about)


def patched(blueprint: Strategy, *parts: Strategy) -> Strategy:
    """The blueprint, with the rows of strategies of its subgames in place of its own; of the last that has one."""
    layers = [blueprint, *parts]
    for part in parts:
        if repr(_view_in(blueprint, part.game)) != repr(part.view):
            raise RuseError(f"the blueprint has the view {blueprint.view!r}, and its subgame {part.view!r}")
    keys, latest = np.unique(np.concatenate([part.keys for part in reversed(layers)]), return_index=True)
    starts, shares, passed = [], [], 0
    for part in reversed(layers):  # so that the first of equal keys is the latest
        starts.append(part.start + passed)
        shares.append(part.probability)
        passed += len(part.probability)
    first = np.concatenate([start[:-1] for start in starts])[latest]
    width = np.concatenate([np.diff(start) for start in starts])[latest]
    start = np.concatenate([[0], np.cumsum(width)]).astype(np.int64)
    probability = np.concatenate(shares)[np.repeat(first - start[:-1], width) + np.arange(start[-1])]
    return Strategy(blueprint.game, keys, start, probability, view=blueprint.view)


def _rows(strategy: Strategy) -> tuple[Any, Any, Any]:
    return strategy.keys, strategy.start, strategy.probability


def _view_in(strategy: Strategy, game: Any) -> View:
    """The strategy's view in a game around the one that it is for."""
    if is_same(game, strategy.game):
        return strategy.view
    if not hasattr(game, "twist"):
        raise RuseError(f"{named(game)} is neither {named(strategy.game)} nor a subgame of it")
    if type(game.twist).infoset_in is not same_infoset:
        raise RuseError(f"in {named(game)} players see something else than in {named(game.rules)}")
    view = _view_in(strategy, game.rules)
    return view if isinstance(view, Full) else Through(view)
