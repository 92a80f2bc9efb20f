"""Scenes: plain data for one viewer, which never holds what that viewer may not know."""

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError, WrongAnswer
from ruse.games.kuhn import Kuhn
from ruse.laws.check import check, quick_check
from ruse.laws.peeking import peeking, what_a_scene_shows
from ruse.laws.twins import Line, twins
from ruse.protocol.decisions import Decisions, asked, metrics_of, told_first
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, has_scenes
from ruse.protocol.scene import Event, Scene, Zone, plain_scene, scene_of, scene_text
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.styles.census import Census

GAMES = [
    ruse.Kuhn(), ruse.Kuhn(players=3), ruse.Leduc(), ruse.LiarsDice(sides=3),
    ruse.LiarsDice(players=3, dice=2, sides=2), ruse.Goofspiel(),
    ruse.Goofspiel(cards=3, players=3, points_order=2), ruse.Cheat(hp=1),
    ruse.Cheat(ranks=2, copies=2, deal=0, players=3, undealt=1, allow_pass=True, max_turns=9),
    ruse.Cheat(ranks=7, copies=4, deal=6, hp=-1),
]  # fmt: skip


# ---- what they hold --------------------------------------------------------------------------------------------------


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


def test_kuhn() -> None:
    scene = scene_of(State.of(ruse.Kuhn(players=3, bet=2)).after("K", "J", "T", "pass", "bet"), 1)
    assert scene == Scene(
        1, 2, "J, pass bet", (Zone("card", 0, (), 1), Zone("card", 1, ("J",)), Zone("card", 2, (), 1)),
        {"stakes": (1, 3, 1), "pot": (5,)}, (Event(0, "pass"), Event(1, "bet")),
    )  # fmt: skip


def test_leduc() -> None:
    state = State.of(ruse.Leduc()).after("Ks", "Jh", "raise", "call", "Qs", "call")
    scene = scene_of(state, 1)
    assert scene.words == "Jh, board Qs, raise call / call"
    assert scene.zones == (Zone("card", 0, hidden=1), Zone("card", 1, ("Jh",)), Zone("board", shown=("Qs",)))
    assert scene.numbers == {"stakes": (3, 3), "pot": (6,)}
    assert scene.events == (Event(0, "raise"), Event(1, "call"), Event(CHANCE, "board Qs"), Event(0, "call"))
    assert scene.actions == ("call", "raise")
    assert scene_of(state, 0).actions == ()


def test_dice_and_goofspiel() -> None:
    dice = scene_of(State.of(ruse.LiarsDice(dice=2)).after("5", "1", "6", "3", "1x3", "2x4"), 1)
    assert dice.zones == (Zone("dice", 0, hidden=2), Zone("dice", 1, ("3", "6")))
    assert dice.events == (Event(0, "1x3"), Event(1, "2x4"))
    goof = scene_of(State.of(ruse.Goofspiel()).after("2", "3", "4"), 1)
    assert goof.words == "4:3 won, 3"
    assert goof.zones == (Zone("hand", 0, hidden=2), Zone("hand", 1, ("1", "2", "4")), Zone("prizes", shown=("1", "2")))
    assert goof.numbers == {"points": (0, 4)}
    assert goof.events[:4] == (Event(CHANCE, "prize 4"), Event(0, "bid a card"), Event(1, "bid 3"), Event(1, "won"))


def test_cheat() -> None:
    deal = ["player 0 gets A", "player 0 gets 2", "player 1 gets A", "player 1 gets 2"]
    state = State.of(ruse.Cheat()).after("player 1 starts", *deal, "2", "believe", "A")
    scene = scene_of(state, 1)
    assert scene.words == "A | rank 2, cards 1-1, pile 2, HP 3-3 | you: 1xA (2) believed | player 0: 1x2"
    assert scene.zones == (Zone("hand", 0, hidden=1), Zone("hand", 1, ("A",)), Zone("pile", hidden=2))
    assert scene.events == (Event(1, "1xA (2) believed"), Event(0, "1x2"))
    assert scene.facts == {"rank": "2"}
    assert scene.numbers == {"HP": (3, 3), "claim": (1,)}
    assert scene.actions == ("believe", "challenge")
    assert scene_of(state).zones[2] == Zone("pile", shown=("A", "2"))


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_they_are_json_at_every_moment(game: Any) -> None:
    dice = random.Random(3)
    for _ in range(4):
        state = State.of(game)
        while not state.is_over and len(state.history) < 60:
            for viewer in range(EVERYTHING, game.players):
                told = json.loads(json.dumps(scene_of(state, viewer).as_dict(), allow_nan=False))
                assert told["words"] == state.describe(viewer)
                assert (told["viewer"], told["turn"]) == (viewer, state.player)
            state = state.child(dice.choice([a for a in range(state.num_actions) if possible(state, a)]))


def possible(state: State, a: int) -> bool:
    return not state.is_chance or state.chances[a] > 0.0


# ---- what they must not hold -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_twins_have_one_scene(game: Any) -> None:
    """Two histories that differ in what is hidden from a player are one scene to that player, now and on the way."""
    found = 0
    for player, *lines in twins(game, random.Random(2), moves=3_000):
        one, other = (what_a_scene_shows(game, states(game, line), player) for line in lines)
        assert one == other
        found += 1
    assert found > 20


def states(game: Any, line: Line) -> list[State]:
    return [State(game, row, tuple(line.moves[:k])) for k, row in enumerate(line.rows)]


SceneOf = Callable[[Kuhn, State, int], Any]
LAWFUL: SceneOf = Kuhn.scene


def with_card(game: Kuhn, state: State, viewer: int) -> Scene:
    """The first player's card lies open."""
    scene = LAWFUL(game, state, viewer)
    return scene._replace(facts={"card": " ".join(LAWFUL(game, state, EVERYTHING).zones[0].shown)})


def until_it_counts(game: Kuhn, state: State, viewer: int) -> Scene:
    """The same, but never when it is the viewer's own turn."""
    return LAWFUL(game, state, viewer) if state.player == viewer else with_card(game, state, viewer)


def in_other_words(game: Kuhn, state: State, viewer: int) -> Scene:
    scene = LAWFUL(game, state, viewer)
    return scene._replace(words=f"cards: {scene.words}")


WHEREVER = r"^on the way to player 1 at '\w.*', scene shows what infoset\(\) does not know: it leaks$"


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (with_card, r"^scene tells player 1 at '\w.*' what infoset\(\) does not: it leaks, or infoset\(\) forgets$"),
        (until_it_counts, WHEREVER),
        (lambda g, s, v: {}[7], r"\(\) raised KeyError: 7 at test_scene.py:\d+$"),
        (lambda g, s, v: s.describe, r"must return a Scene, and returns "),
        (lambda g, s, v: LAWFUL(g, s, 0), r"must return a Scene whose viewer and turn are \(1, -1\), and returns "),
        (lambda g, s, v: LAWFUL(g, s, v)._replace(words=7), r"must return a Scene with words, and returns Scene\("),
        (
            in_other_words,
            r"must return a Scene with the words of describe\(\), '', and returns 'cards: ' after the start$",
        ),
        (
            lambda g, s, v: LAWFUL(g, s, v)._replace(numbers={"pot": (np.int64(3),)}),
            r"must return a Scene of texts and numbers that JSON can hold \(Object of type int64 is not JSON",
        ),
        (
            lambda g, s, v: LAWFUL(g, s, v)._replace(numbers={"pot": (float("nan"),)}),
            r"JSON can hold \(Out of ran",
        ),
        (lambda g, s, v: LAWFUL(g, s, v)._replace(zones=("K",)), r"that JSON can hold \('str' object has no attrib"),
        (lambda g, s: LAWFUL(g, s, 0), r"takes \(s\); write it as def scene\(self, state, viewer\)$"),
    ],
    ids=[
        "leaks",
        "leaks-before",
        "raises",
        "no-scene",
        "viewer",
        "words",
        "others",
        "numpy",
        "nan",
        "zones",
        "parameters",
    ],
)
@pytest.mark.parametrize("how", [check, quick_check])
def test_a_bad_scene_is_told(monkeypatch: pytest.MonkeyPatch, how: Any, scene: SceneOf, sentence: str) -> None:
    monkeypatch.setattr(Kuhn, "describe", lambda game, s, viewer: LAWFUL(game, State(game, s, ()), viewer).words)
    monkeypatch.setattr(Kuhn, "scene", scene)
    report = how(Kuhn(players=3))
    assert len(report.failures) == 1
    with pytest.raises(AssertionError, match=sentence):
        raise AssertionError(report.failures[0])


def test_twins_see_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(peeking(Kuhn())) == []
    monkeypatch.setattr(Kuhn, "scene", until_it_counts)
    (sentence,) = peeking(Kuhn())
    assert sentence.startswith("scene tells player 1 what is hidden: it is not the same after ")


def test_what_is_no_scene_is_refused_wherever_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruse.Cheat, "scene", lambda game, state, viewer: None)
    state = State.of(ruse.Cheat())
    for ask in (lambda: scene_of(state, 0), lambda: state.describe(0), lambda: scene_text(state, 0)):
        with pytest.raises(RuseError, match=r"must return a Scene.*, and returns nothing after the start$"):
            ask()


# ---- conditions ------------------------------------------------------------------------------------------------------


def decisions(game: Any) -> Decisions:
    return Census(Strategy.uniform(game)).decisions


@pytest.mark.parametrize("game", [g for g in GAMES[:4] + GAMES[7:8]], ids=repr)
def test_own_cards_are_what_the_words_say_first(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So every text with "with" means what it meant when the words were asked."""
    by_scene = decisions(game)
    for k in range(0, len(by_scene.player), 1 + len(by_scene.player) // 300):
        assert by_scene.own_cards(k) == (told_first(by_scene.describe(k)).strip(),)
    wanted = [asked(text, game.players) for text in metrics_of(game) or []]
    found = [by_scene.meant(one) for one in wanted]
    names = [by_scene.describe(k) for k in range(len(by_scene.player))]
    by_words = decisions(game)
    monkeypatch.setattr(type(game), "scene", property())  # which it has no more
    by_words.describe = names.__getitem__  # type: ignore[method-assign]
    assert not hasattr(game, "scene")
    assert all(np.array_equal(by_words.meant(one), meant) for one, meant in zip(wanted, found, strict=True))


def test_with_asks_the_scene_and_not_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = asked("bet, with Q", 2)
    meant = decisions(Kuhn()).meant(wanted)

    monkeypatch.setattr(Kuhn, "describe", lambda game, s, viewer: f"seat {viewer}, holding a card")
    assert np.array_equal(decisions(Kuhn()).meant(wanted), meant)


def test_with_in_goofspiel_is_the_hand() -> None:
    game = ruse.Goofspiel()
    found = decisions(game)
    here = np.logical_or.reduceat(found.meant(asked("1, with 4", 2)), found.start[:-1])
    names = [found.describe(int(k)) for k in np.flatnonzero(here)]
    assert "4:3 won, 3" in names
    assert not any(":4" in name for name in names)


class Staged(NamedTuple):
    """Kuhn with a scene that names the actions in another order."""

    kuhn: Kuhn = Kuhn()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kuhn, name)

    def scene(self, state: State, viewer: int) -> Scene:
        scene = Kuhn().scene(state, viewer)
        return scene._replace(actions=tuple(reversed(state.actions)) if viewer == state.player else ())


def test_actions_are_those_of_the_rules() -> None:
    """A person chooses by what a scene offers, so it is never in another order, nor anything else."""
    game: Any = Staged()
    state = State(game, State.of(Kuhn()).after("K", "J").row, ())
    assert scene_of(state, 0).actions == ("pass", "bet")
    with pytest.raises(WrongAnswer, match="a Scene with no actions, or with those that there are"):
        scene_text(state, 0)


def test_a_field_called_scene_is_no_scene() -> None:
    class Field(NamedTuple):
        scene: int = 1

    assert not has_scenes(Field())
    assert has_scenes(Kuhn())
