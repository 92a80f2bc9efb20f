"""Strategies of ours and policies of OpenSpiel, on games that are the same: walked side by side, action by action.

Nothing is taken for granted: who moves, how many actions there are, chances and payoffs are compared at every history,
and infosets must be told apart alike.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.state import State
from ruse.protocol.view import Full, View, infoset_key

LIMIT = 2_000_000  # histories that are walked
ROUNDING = 1e-6  # how far the probabilities of a policy may be from 1; they are made to add up to it


class Tabled(Protocol):
    """What of a strategy is asked for."""

    game: Game
    view: View

    def probabilities(self, key: int, count: int) -> NDArray[Any]: ...


class Counterpart(NamedTuple):
    """An infoset here and an information state there."""

    key: int
    player: int
    state: Any  # of OpenSpiel
    row: NDArray[Any]
    actions: list[int]  # OpenSpiel's, in our order


def loaded(source: Any) -> Any:
    """A pyspiel game, given or by its name, in which players move one after the other."""
    try:
        import pyspiel
    except ImportError as error:
        raise RuseError('this needs OpenSpiel; install it with: pip install "ruse[interop]"') from error
    try:
        if isinstance(source, str) and (short := source.partition("(")[0]) not in pyspiel.registered_names():
            raise RuseError(f"OpenSpiel cannot load {short!r}: it has no game of that name")
        game = pyspiel.load_game(source) if isinstance(source, str) else source
    except pyspiel.SpielError as error:
        raise RuseError(f"OpenSpiel cannot load {source!r}: {str(error).strip().splitlines()[-1]}") from error
    if not hasattr(game, "new_initial_state"):
        raise RuseError(f"a game of OpenSpiel is needed, or its name, not {source!r}")
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    return game


def named_source(game: Game, spec: str | None) -> str:
    """The name in OpenSpiel of a game that was loaded from there."""
    if spec is None or not spec.startswith("openspiel:"):
        raise RuseError(f'say which game of OpenSpiel {game!r} is, as in to_openspiel("leduc_poker")')
    return spec.removeprefix("openspiel:")


def counterparts(game: Game, theirs: Any, *, limit: int = LIMIT) -> list[Counterpart]:
    """All infosets of both; raises where the games are not the same."""
    if game.players != theirs.num_players():
        raise RuseError(f"{game!r} has {game.players} players, and OpenSpiel's {theirs} has {theirs.num_players()}")
    found: dict[tuple[int, int], Counterpart] = {}
    told: dict[tuple[int, str], int] = {}
    waiting, walked = [(State.of(game), theirs.new_initial_state())], 0
    while waiting:
        ours, other = waiting.pop()
        walked += 1
        if walked > limit:
            raise RuseError(f"{game!r} has more than {limit:,} histories, too many to be walked beside OpenSpiel's")
        player, actions = ours.player, [] if other.is_terminal() else other.legal_actions()
        if fault := unlike(ours, other, actions):
            raise RuseError(f"{game!r} is not OpenSpiel's {theirs}: after {ours.path() or 'the start'} {fault}")
        if player >= 0:
            key, text = int(infoset_key(game, Full(), ours.row)) & MASK, other.information_state_string(player)
            twin = found.setdefault((player, key), Counterpart(key, player, other, ours.row, actions))
            is_same = twin.state is other or twin.state.information_state_string(player) == text
            if not is_same or told.setdefault((player, text), key) != key:
                raise RuseError(f"{game!r} is not OpenSpiel's {theirs}: a player knows more in one, at {text!r}")
        waiting += [(ours.went(a), other.child(action)) for a, action in enumerate(actions)]
    return list(found.values())


def unlike(ours: State, other: Any, actions: list[int]) -> str:
    """In what a state is not like OpenSpiel's; nothing if it is."""
    player = ours.player
    if (player == OVER) != other.is_terminal():
        return "one of them is over"
    if player == OVER:
        return "" if np.allclose(ours.payoffs, other.returns(), atol=1e-9) else "payoffs are different"
    if player != (CHANCE if other.is_chance_node() else other.current_player()):
        return "another player moves"
    if ours.num_actions != len(actions):
        return f"there are {len(actions)} actions, not {ours.num_actions}"
    is_chance = player == CHANCE
    chances = [chance for _, chance in other.chance_outcomes()] if is_chance else []
    return "chance is different" if is_chance and not np.allclose(ours.chances, chances, atol=1e-9) else ""


def tabular(strategy: Tabled, source: Any) -> Any:
    """A strategy as a TabularPolicy on a game of OpenSpiel."""
    theirs = loaded(source)
    from open_spiel.python.policy import TabularPolicy

    policy = TabularPolicy(theirs)
    for twin in counterparts(strategy.game, theirs):
        key = int(infoset_key(strategy.game, strategy.view, twin.row)) & MASK
        row = policy.policy_for_key(twin.state.information_state_string(twin.player))
        row[:] = 0.0
        row[twin.actions] = strategy.probabilities(key, len(twin.actions))
    return policy


def policy_rows(policy: Any, game: Game, source: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Keys, starts and probabilities of the strategy that a policy of OpenSpiel is in a game of ours."""
    if not hasattr(policy, "action_probabilities"):
        raise RuseError(f"a policy of OpenSpiel is needed, which has action_probabilities, not {policy!r}")
    rows = {}
    for twin in counterparts(game, loaded(source)):
        rows[twin.key] = shares_of(policy, twin)
    keys = np.array(sorted(rows), np.uint64)
    start = np.concatenate([[0], np.cumsum([len(rows[int(key)]) for key in keys])]).astype(np.int64)
    every = [rows[int(key)] / rows[int(key)].sum() for key in keys]
    return keys, start, np.concatenate(every) if every else np.zeros(0)


def shares_of(policy: Any, twin: Counterpart) -> NDArray[Any]:
    """How often a policy takes each action at an infoset; raises if that is no distribution over them."""
    try:
        said = dict(policy.action_probabilities(twin.state, twin.player))
        shares = np.array([float(said.get(action, 0.0)) for action in twin.actions])
    except (Exception, SystemExit) as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise RuseError(f"action_probabilities() of {type(policy).__name__} has failed: {told}") from error
    if not (shares.min() >= 0.0 and abs(shares.sum() - 1.0) <= ROUNDING):  # as they are not for NaN
        text = " ".join(twin.state.information_state_string(twin.player).split())
        raise RuseError(
            f"{type(policy).__name__} is no policy: at {text!r} the probabilities of its actions are "
            f"{', '.join(f'{share:g}' for share in shares)}, which must be at least 0 and add up to 1"
        )
    return shares
