"""Games of ours as Python games of OpenSpiel: its algorithms, in C++ too, play and judge them by our rules.

    spiel = ruse.bridges.spiel.make_openspiel("leduc:suits=3")
    pyspiel.load_game("python_ruse", {"game": "leduc:suits=3"})  # the same, once `spiel` was imported

Actions have the numbers that they have here; an information state is called as its infoset is.
"""

from functools import cache
from typing import Any

import numpy as np

from ruse.bridges.outline import Outline
from ruse.bridges.tensors import Tensors
from ruse.catalog.given import GameLike, as_game
from ruse.catalog.names import game as game_named
from ruse.catalog.names import spec_of
from ruse.errors import RuseError
from ruse.protocol.state import State
from ruse.words.naming import named

NAME = "python_ruse"


def make_openspiel(game: GameLike) -> Any:
    """A pyspiel game that is this one. It must have a name that a file could have, and be small enough to be walked."""
    made = as_game(game)
    if (spec := spec_of(made)) is None:
        raise RuseError(f"{named(made)} has no name by which OpenSpiel could ask for it; put its class into a file")
    Outline.of(made)  # which refuses what is too large
    return spiel_module().load_game(NAME, {"game": spec})


@cache
def spiel_module() -> Any:
    """pyspiel, which knows our games from now on."""
    try:
        import pyspiel
    except ImportError as error:
        raise RuseError('this needs OpenSpiel; install it with: pip install "ruse[interop]"') from error
    kinds = pyspiel.GameType
    common = {
        "dynamics": kinds.Dynamics.SEQUENTIAL, "information": kinds.Information.IMPERFECT_INFORMATION,
        "reward_model": kinds.RewardModel.TERMINAL, "max_num_players": 10, "min_num_players": 1,
        "provides_information_state_string": True, "provides_information_state_tensor": True,
        "provides_observation_string": True, "provides_observation_tensor": True,
        "provides_factored_observation_string": False, "parameter_specification": {"game": "kuhn"},
    }  # fmt: skip

    def type_of(outline: Outline | None) -> Any:
        sums = outline.payoff_sum if outline else None
        utility = kinds.Utility.ZERO_SUM if sums == 0 else kinds.Utility.GENERAL_SUM if sums is None else None
        chance = outline is None or outline.is_random
        return kinds(
            short_name=NAME, long_name="a game of ruse",
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
            utility=utility or kinds.Utility.CONSTANT_SUM, **common,
        )  # fmt: skip

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        """One of our games, by its name."""

        def __init__(self, params: Any = None) -> None:
            self.ours = game_named(str((params or {}).get("game", "kuhn")))
            self.outline, self.tensors = Outline.of(self.ours), Tensors.of(self.ours)
            told = self.outline
            bounds = pyspiel.GameInfo(
                num_distinct_actions=told.actions, max_chance_outcomes=told.outcomes, num_players=self.ours.players,
                min_utility=told.lowest, max_utility=told.highest,
                utility_sum=0.0 if told.payoff_sum is None else told.payoff_sum, max_game_length=told.decisions,
            )  # fmt: skip
            super().__init__(type_of(told), bounds, params or {})

        def new_initial_state(self) -> Any:
            return SpielState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer(self.tensors)

    class SpielState(pyspiel.State):  # type: ignore[misc]
        """A state of ours, in its ways."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.tensors, self.now = game.tensors, State.of(game.ours)

        def current_player(self) -> Any:
            player, ids = self.now.player, pyspiel.PlayerId
            return ids.TERMINAL if self.now.is_over else ids.CHANCE if self.now.is_chance else player

        def _legal_actions(self, player: int) -> list[int]:
            return list(range(self.now.num_actions))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return list(enumerate(self.now.chances))

        def _apply_action(self, action: int) -> None:
            if not 0 <= action < self.now.num_actions:
                raise RuseError(f"{action} is no action here; there are 0 to {self.now.num_actions - 1}")
            self.now = self.now.child(int(action))

        def _action_to_string(self, player: int, action: int) -> str:
            return self.now.actions[action]

        def is_terminal(self) -> bool:
            return self.now.is_over

        def returns(self) -> list[float]:
            return self.now.payoffs if self.now.is_over else [0.0] * self.now.game.players

        def information_state_string(self, player: int | None = None) -> str:
            viewer = self.now.player if player is None else player
            return f"{viewer}: {self.now.describe(viewer)}"

        observation_string = information_state_string

        def information_state_tensor(self, player: int | None = None) -> list[float]:
            viewer = self.now.player if player is None else player
            return [float(x) for x in self.tensors(self.now, viewer)]

        observation_tensor = information_state_tensor

        def __str__(self) -> str:
            return self.now.path()

    pyspiel.register_game(type_of(None), SpielGame)
    return pyspiel


class Observer:
    """What OpenSpiel's own tools ask observations of."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.tensor = np.zeros(tensors.shape, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        self.tensor[:] = self.tensors(state.now, player)

    def string_from(self, state: Any, player: int) -> str:
        return str(state.information_state_string(player))
