"""Scenes: plain data for one viewer."""

import json

from ruse.games.kuhn import Kuhn
from ruse.protocol.game import EVERYTHING, OVER
from ruse.protocol.scene import plain_scene, scene_of
from ruse.protocol.state import State


def test_a_plain_scene_is_made_of_words() -> None:
    state = State.of(Kuhn()).after("K", "J")
    mine, theirs = plain_scene(state, 0), plain_scene(state, 1)
    assert mine.words == state.describe(0)
    assert mine.actions == ("pass", "bet")
    assert mine.turn == 0
    assert theirs.words == state.describe(1)
    assert theirs.actions == ()
    assert plain_scene(state, EVERYTHING).actions == ("pass", "bet")


def test_a_scene_at_the_end_has_the_payoffs() -> None:
    scene = scene_of(State.of(Kuhn()).after("K", "J", "pass", "pass"), 1)
    assert scene.turn == OVER
    assert scene.payoffs == (1.0, -1.0)
    assert scene.actions == ()
    assert json.loads(json.dumps(scene.as_dict()))["payoffs"] == [1.0, -1.0]
