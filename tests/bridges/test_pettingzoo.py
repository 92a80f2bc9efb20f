"""Our games inside PettingZoo: its own tests pass, and payoffs are the game's."""

import warnings

import numpy as np
import pytest

import ruse
from ruse.bridges import outline
from ruse.bridges.pettingzoo import make_pettingzoo
from ruse.errors import RuseError

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test

NAMES = ["kuhn", "leduc", "kuhn:players=3", "goofspiel:cards=3", "battleship:cols=2", "oh_hell:tricks=1"]


@pytest.mark.parametrize("name", NAMES)
def test_its_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every observation that is a dictionary
        api_test(make_pettingzoo(name), num_cycles=30, verbose_progress=False)
        seed_test(lambda: make_pettingzoo(name), num_cycles=5)


def test_a_game_is_played_to_its_end() -> None:
    env = make_pettingzoo("leduc", render_mode="ansi")
    total = {agent: 0.0 for agent in env.possible_agents}
    for seed in range(20):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            total[agent] += reward
            assert env.observation_space(agent).contains(observation)
            assert not cut
            env.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert sum(total.values()) == 0.0
    assert any(total.values())
    assert "board" in str(env.render())


def test_what_is_no_action() -> None:
    env = make_pettingzoo("kuhn")
    env.reset(seed=0)
    with pytest.raises(ruse.RuseError, match=r"^7 is no action of player_0 here; there is: 0 pass, 1 bet$"):
        env.step(7)
    for action in ("x", 1.7, None):
        with pytest.raises(ruse.RuseError, match=r"is no action of player_0 here"):
            env.step(action)
    with pytest.raises(ruse.RuseError, match=r"^a seed must be a whole number"):
        env.reset(seed="x")
    env.step(np.int64(1))
    with pytest.raises(ruse.RuseError, match=r'^render_mode must be "ansi" or "human"'):
        make_pettingzoo("kuhn", render_mode="rgb")


def test_what_is_too_large_is_told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python no more is walked than is needed to ask; a kernel counts the rest."""
    monkeypatch.setattr(outline, "FEW", 100)
    monkeypatch.setattr(outline, "LIMIT", 9_456)
    with pytest.raises(RuseError, match="more than 9,456 histories, too many for another"):
        outline.walked(ruse.Leduc())
    monkeypatch.setattr(outline, "LIMIT", 9_457)
    assert outline.walked(ruse.Leduc()).highest == 13
