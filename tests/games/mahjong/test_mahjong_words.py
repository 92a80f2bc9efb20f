"""Mahjong in words: scenes, what is told at the table, and that nobody is told what is hidden."""

import random
from typing import Any

import pytest
from mahjong_twin import both, in_order, shuffled

from ruse.games.mahjong.row import wall_left
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.table import everything, hints, shown, told
from ruse.games.mahjong.telling.observation import SEEN_LEFT
from ruse.games.mahjong.tiles import NAMES
from ruse.laws.peeking import refuse_leaking, trouble_of, what_a_scene_shows, what_is_observed
from ruse.laws.twins import twins
from ruse.protocol.game import EVERYTHING
from ruse.protocol.scene import Scene, scene_of, scene_text
from ruse.protocol.state import State

ASKED = ("What do you discard?", "Do you declare anything? After a pass you discard.")
GAMES = [Mahjong(), Mahjong(rob_kong=True, dead_wall=20)]


def tiles_in(scene: Scene) -> list[str]:
    return [tile for zone in scene.zones for tile in zone.shown]


def eager(state: State, dice: random.Random) -> int:
    names = state.actions
    wanted = [a for a, name in enumerate(names) if name.startswith(("win", "kong", "pong", "chow"))]
    return dice.choice(wanted) if wanted and dice.random() < 0.6 else dice.randrange(len(names))


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_scenes_are_what_lies_there(game: Mahjong) -> None:
    dice = random.Random(3)
    for _ in range(6):
        state, twin = both(game, shuffled(dice))
        while True:
            everything = scene_of(state)
            zones = {p: [zone for zone in everything.zones if zone.owner == p] for p in (-1, 0, 1)}
            assert len(tiles_in(everything)) == 64
            assert list(zones[-1][0].shown) == twin.wall
            for p in range(2):
                assert in_order(list(zones[p][0].shown)) == in_order(twin.hands[p])
                assert [in_order(list(zone.shown)) for zone in zones[p][1:-1]] == twin.melds[p]  # first to last
                assert list(zones[p][-1].shown) == twin.rivers[p]
                compare_own(state, p, twin)
            if state.is_over:
                break
            a = eager(state, dice)
            twin.act(state.actions[a])
            state = state.child(a)


def compare_own(state: State, p: int, twin: Any) -> None:
    """What a player sees: own tiles and what lies open; of the rest how many."""
    scene, sees = scene_of(state, p), twin.seen_by(p)
    hidden = {(zone.name, zone.owner): zone.hidden for zone in scene.zones if zone.hidden}
    is_shown = twin.payoffs is not None and twin.payoffs[1 - p] > 0  # a winner's hand
    due = {("hand", 1 - p): 0 if is_shown else sees["other_size"], ("wall", -1): sees["left"]}
    assert hidden == {place: n for place, n in due.items() if n}
    own = twin.hands[p] + (twin.hands[1 - p] if is_shown else [])
    laid = [tile for q in range(2) for meld in twin.melds[q] for tile in meld]
    assert in_order(tiles_in(scene)) == in_order(own + laid + twin.rivers[0] + twin.rivers[1])
    if twin.drew and state.player == p:
        assert scene.zones[p].shown[-1] == twin.drew  # the drawn tile is the last


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_nothing_hidden_is_told(game: Mahjong) -> None:
    refuse_leaking(game)
    pairs = list(twins(game, random.Random(2), moves=6000, enough=40))
    assert len(pairs) > 20
    for name, look in (("observe", what_is_observed), ("scene", what_a_scene_shows)):
        assert trouble_of(game, name, look, pairs) is None


def test_an_observation_that_leaks_is_found() -> None:
    """The wall as it is, while the other may have drawn by now: who is asked would show."""

    class Leaking(Mahjong):
        def observe(self, s: Any, player: int, out: Any) -> None:
            super().observe(s, player, out)
            out[SEEN_LEFT] = wall_left(self, s)

    pairs = list(twins(Mahjong(), random.Random(2), moves=20_000, enough=200))
    assert "what is hidden" in str(trouble_of(Leaking(), "observe", what_is_observed, pairs))


def test_the_past_is_told_as_it_was_seen() -> None:
    state, _ = both(Mahjong(), shuffled(random.Random(8)))
    dice = random.Random(8)
    while not state.is_over:
        state = state.child(eager(state, dice))
    for viewer, other in ((0, 1), (1, 0)):
        events = scene_of(state, viewer).events
        assert not [what for player, what in events if player == other and what.startswith(("draw", "pass"))]
        assert [what for player, what in events if player == viewer and what.startswith("draw")]
    assert len(scene_of(state, EVERYTHING).events) > len(scene_of(state, 0).events)


def test_a_row_alone_has_words_too() -> None:
    game = Mahjong()
    state, _ = both(game, shuffled(random.Random(4)))
    dice = random.Random(4)
    for _ in range(30):
        bare = State(game, state.row, ())
        for viewer in (0, 1, EVERYTHING):
            assert scene_text(bare, viewer)
            seen, whole = scene_of(bare, viewer), scene_of(state, viewer)
            assert in_order(tiles_in(seen)) == in_order(tiles_in(whole))
        if state.is_over:
            return
        state = state.child(eager(state, dice))


# ---- at the table ----------------------------------------------------------------------------------------------------


def test_what_is_told_at_the_table() -> None:
    """Each hears of own draws, of all that is discarded and claimed, and of the end."""
    game, dice = Mahjong(), random.Random(12)
    seen: dict[int | None, list[str]] = {0: [], 1: [], None: []}
    ends = set()
    for _ in range(25):
        state, _ = both(game, shuffled(dice))
        while not state.is_over:
            a = eager(state, dice)
            after = state.child(a)
            for viewer, lines in seen.items():
                new = told(game, state.row, a, after.row, viewer)
                assert not [
                    line for line in new if viewer != state.player and line.startswith("you ") and "draw" not in line
                ]
                lines += new
            if not after.is_over:
                assert shown(after, after.player)[-1] in ASKED or after.actions[0] == "pass"
            state = after
        ends.add(seen[None][-1].split(":")[0])
    assert "the wall is empty" in ends
    assert any(end.startswith(("player 0 wins", "player 1 wins")) for end in ends)
    assert not [line for line in seen[None] if "draw " in line or "you" in line]
    assert any(line.startswith("you draw ") for line in seen[0])
    assert any("claims" in line for line in seen[1])


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_nothing_hidden_is_told_at_the_table(game: Mahjong) -> None:
    """Who cannot tell two games apart hears the same, and is shown and advised the same."""
    pairs = list(twins(game, random.Random(6), moves=6000, enough=40))
    assert len(pairs) > 20
    for player, *lines in pairs:
        heard = []
        for line in lines:
            steps = zip(line.rows, line.moves, line.rows[1:], strict=False)
            state = State(game, line.rows[-1], ())
            mine = (shown(state, player), hints(state, player)) if state.player == player else ()
            heard.append(([text for s, a, t in steps for text in told(game, s, a, t, player)], mine))
        assert heard[0] == heard[1]


def test_hints_name_an_action_and_a_reason() -> None:
    state, _ = both(Mahjong(), shuffled(random.Random(3)))
    advice = hints(state, state.player)
    assert list(advice) == ["normal", "pongponghu", "seven_pairs"]
    for words in advice.values():
        done, reason = words.split(": ", 1)
        assert done in state.actions
        assert reason.split()[1] == "away,"


def test_all_that_lies_anywhere_is_shown() -> None:
    """To those from whom nothing is hidden: 64 tiles, in hands, melds, rivers and the wall."""
    dice = random.Random(5)
    state, _ = both(Mahjong(), shuffled(dice))
    while not state.is_over:
        words = [word.strip("[]()") for line in everything(state) for word in line.split()]
        assert sorted(word for word in words if word in NAMES) == sorted(NAMES * 4)
        state = state.child(eager(state, dice))


def test_a_deal_is_told_when_it_is_done() -> None:
    game, (state, twin) = Mahjong(), both(Mahjong(), shuffled(random.Random(1)))
    before = State.of(game).after(*state.history[:-1])
    lines = told(game, before.row, state.history[-1], state.row, 1)
    assert lines == [f"you are dealt {' '.join(in_order(twin.hands[1]))}; player 0 begins"]
    lines = told(game, before.row, state.history[-1], state.row, 0)
    assert lines[0].endswith("; you begin")
    assert lines[1] == f"you draw {twin.drew}"
    first = State.of(game)
    assert told(game, first.row, 0, first.child(0).row, 0) == []
