"""Games of ours as environments of PettingZoo: agents take turns, chance moves by itself.

env = ruse.bridges.pettingzoo.make_pettingzoo("leduc")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, over, cut, info = env.last()
    env.step(None if over else observation["action_mask"].argmax())
"""

import operator
from contextlib import suppress
from typing import Any

import numpy as np

from ruse.bridges.outline import Outline
from ruse.bridges.tensors import Tensors
from ruse.catalog.given import GameLike, as_game
from ruse.catalog.titles import title_of
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.state import State


def make_pettingzoo(game: GameLike, *, render_mode: str | None = None) -> Any:
    """An AEC environment of PettingZoo that is this game; the game must be small enough to be walked.

    An observation has "observation", what the agent sees as numbers, and "action_mask", which actions there are. Action
    k is the k-th of those that there are here, so the same number may be another action elsewhere; `env.now.actions`
    has their names.
    """
    try:
        from gymnasium import spaces
        from pettingzoo import AECEnv
    except ImportError as error:
        raise RuseError('this needs PettingZoo; install it with: pip install "ruse[interop]"') from error
    if render_mode not in (None, "ansi", "human"):
        raise RuseError(f'render_mode must be "ansi" or "human", got {render_mode!r}')
    made = as_game(game)

    class GameEnvironment(AECEnv):  # type: ignore[misc]
        """One of our games."""

        metadata = {"name": f"{title_of(made)}_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False}  # noqa: RUF012

        def __init__(self, game: Game) -> None:
            super().__init__()
            self.game, self.outline, self.tensors = game, Outline.of(game), Tensors.of(game)
            self.render_mode = render_mode
            self.possible_agents = [f"player_{p}" for p in range(game.players)]
            box = spaces.Box(0.0, 1.0, self.tensors.shape, np.float32)
            mask = spaces.Box(0, 1, (self.outline.actions,), np.int8)
            self.observation_spaces = {
                agent: spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
            }
            self.action_spaces = {agent: spaces.Discrete(self.outline.actions) for agent in self.possible_agents}
            self.luck = np.random.default_rng()

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            if seed is not None:
                self.luck = np.random.default_rng(seed_of(seed))
            self.agents = list(self.possible_agents)
            for name, value in (("rewards", 0.0), ("_cumulative_rewards", 0.0), ("terminations", False)):
                setattr(self, name, dict.fromkeys(self.agents, value))
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self.now = State.of(self.game)
            self._go_on()

        def _go_on(self) -> None:
            """Let chance move until a player is to act, or the game is over."""
            while self.now.is_chance:
                chances = np.array(self.now.chances)
                self.now = self.now.child(int(self.luck.choice(len(chances), p=chances / chances.sum())))
            if self.now.is_over:
                paid = self.now.payoffs
                self.rewards = {agent: float(paid[p]) for p, agent in enumerate(self.possible_agents)}
                self.terminations = dict.fromkeys(self.possible_agents, True)
                self.agent_selection = self.possible_agents[0]
            else:
                self.agent_selection = self.possible_agents[self.now.player]

        def observe(self, agent: str) -> dict[str, Any]:
            player = self.possible_agents.index(agent)
            mask = np.zeros(self.outline.actions, np.int8)
            if self.now.player == player:
                mask[: self.now.num_actions] = 1
            return {"observation": self.tensors(self.now, player), "action_mask": mask}

        def step(self, action: Any) -> None:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            chosen = -1
            with suppress(Exception):  # whatever it is, it is no action
                chosen = operator.index(action)
            if not 0 <= chosen < self.now.num_actions:
                offered = ", ".join(f"{k} {name}" for k, name in enumerate(self.now.actions))
                raise RuseError(f"{action!r:.80} is no action of {agent} here; there is: {offered}")
            self._cumulative_rewards[agent] = 0.0
            self.rewards = dict.fromkeys(self.possible_agents, 0.0)
            self.now = self.now.child(chosen)
            self._go_on()
            self._accumulate_rewards()
            if self.render_mode == "human":
                self.render()

        def render(self) -> str | None:
            text = self.now.describe()
            if self.render_mode == "human":
                print(text)
            return text if self.render_mode == "ansi" else None

        def close(self) -> None:
            pass

    return GameEnvironment(made)
