"""What parts say of themselves: `fits.py` asks this, and no class, to tell what goes with what.

A part has a property `traits`. One of your own may have none; then it is taken for what the defaults say, which is the
careful answer.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.protocol.game import declared

FULL_WIDTH, RANGES, HORIZON = "full_width", "ranges", "horizon"  # kinds of engines


class WalkTraits(NamedTuple):
    """What a walk visits."""

    samples: bool = True  # an iteration visits a sample of the game, and not all of it that matters
    skips: bool = False  # it asks a pruning at each decision which actions to explore
    explores_all: bool = False  # of the traverser's actions, except those that are skipped
    width: float = 1.0  # how many of them it goes on from, at most, where it has learned nothing yet
    everyone: bool = False  # of all players at once, not of the traverser alone
    branches: bool = True  # from one decision it goes on in several ways
    has_baselines: bool = False  # its table has a third number for each action


class PruningTraits(NamedTuple):
    """What a pruning leaves out, and what it counts on."""

    samples: bool = False  # it is asked by walks that sample; else it leaves things out of whole iterations
    leaves_out: bool = True  # infosets go without the regret of an iteration
    counts_all: bool = True  # it compares sums over all iterations, each of which must count alike
    by_regret: bool = False  # it skips what has a very negative regret
    reviews: bool = False  # it stops now and then to look at the whole game


class LengthTraits(NamedTuple):
    """How long an action is left out."""

    is_fixed: bool = False  # known beforehand


class MinimizerTraits(NamedTuple):
    """How regret becomes a strategy."""

    matches_regret: bool = False  # in proportion to positive regret
    predicts: bool = False  # the last regret is expected to come again
    feels_price: bool = True  # it plays otherwise if the same is taken from the regret of all actions
    favours: bool = False  # it knows rows that are preferred, and asks another minimizer for the rest
    form: str = "times"  # how a preference changes it: a name in `prefer/favour.py`


class StartTraits(NamedTuple):
    """What a training is started from."""

    name: str = "a start"
    copies: bool = False  # sums of another training, which go on to count
    warms: bool = False  # an average strategy, as if CFR had played it
    instead: str = "leave the start out"  # under a walk that samples


class BackendTraits(NamedTuple):
    """Where iterations run."""

    name: str
    known: tuple[str, ...] = ()  # the names of all that there are
    engines: tuple[str, ...] = ()  # the kinds that it has
    lacks: str = ""  # why it cannot be had here, or not with this solver
    is_spread: bool = False  # over machines, each of which has a part of the table


def engine_kind(solver: Any, game: Any) -> str:
    """The kind of engine that a solver needs on a game, which may have one of its own for walks of the full width."""
    kind: str = solver.engine
    return own_engine(game) or kind if kind == FULL_WIDTH else kind


def own_engine(game: Any) -> str:
    """The kind of engine that a game has for walks of the full width, if it is not the usual one."""
    kind: str = declared(game, "engine", "")
    return kind


def walk_traits(walk: Any) -> WalkTraits:
    """Those of a walk; one that does not tell is asked for a pruning, which it has if it asks that what to skip."""
    return getattr(walk, "traits", WalkTraits(skips=hasattr(walk, "pruning")))


def pruning_traits(part: Any) -> PruningTraits:
    return getattr(part, "traits", PruningTraits())


def length_traits(length: Any) -> LengthTraits:
    return getattr(length, "traits", LengthTraits())


def minimizer_traits(minimizer: Any) -> MinimizerTraits:
    return getattr(minimizer, "traits", MinimizerTraits())


def start_traits(start: Any) -> StartTraits | None:
    return None if start is None else getattr(start, "traits", StartTraits())


def share_seats(form: Any) -> bool:
    """Whether two players share an infoset: the full-width engine updates one player's rows after the other's."""
    for p in range(form.players):
        start, end = form.node_start[p], form.node_start[p + 1]
        slot = form.slot[start:end]
        if np.any((slot < form.first[start]) | (slot >= form.first[end])):
            return True
    return False
