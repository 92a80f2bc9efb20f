"""Mahjong as mjai's events: there and back, files that say no more than mjai does, and what is refused."""

import json
from typing import Any

import pytest
from mahjong_playouts import played, robbed

from ruse.errors import FileTrouble
from ruse.games.kuhn import Kuhn
from ruse.games.mahjong.records import FORMS
from ruse.games.mahjong.rules import Mahjong
from ruse.protocol.game import Game
from ruse.protocol.played import Played
from ruse.protocol.state import State

MJAI = FORMS["mjai"]


def events_of(game: Played) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(line)) for line in MJAI.write(game)]


def read(events: list[Any], named: Game | None = None) -> list[Played]:
    return list(MJAI.read(enumerate(events, 1), "game.mjai", named))


def as_mjai(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """No more than mjai itself has, but for the rules."""
    return [{name: value for name, value in one.items() if name not in ("wall", "seed", "deal")} for one in events]


@pytest.mark.parametrize("seed", range(24))
def test_there_and_back(seed: int) -> None:
    game = played(seed)
    events = events_of(game)
    assert read(events) == [game]
    # Without the wall, only what nobody has drawn may lie otherwise.
    (again,) = read(as_mjai(events))
    assert as_mjai(events_of(again)) == as_mjai(events)
    ends = []
    for history in (game.history, again.history):
        state = State.of(game.game)
        for a in history:
            state = state.child(a)
        assert state.is_over
        ends.append((state.payoffs, state.describe(0), state.describe(1)))
    assert ends[0] == ends[1]


def test_every_event_is_seen() -> None:
    kinds = {one["type"] for seed in range(24) for one in events_of(played(seed))}
    assert kinds == {
        "start_game", "start_kyoku", "tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "hora", "ryukyoku",
        "end_kyoku", "end_game",
    }  # fmt: skip


def test_events_by_hand() -> None:
    (game,) = read(robbed())
    assert (game.game, game.names, game.seed) == (Mahjong(rob_kong=True), ("ann", "ben"), None)
    told = as_mjai(events_of(game))
    assert told[2:] == robbed()[2:]
    assert told[1]["tehais"] == robbed()[1]["tehais"]


def test_who_begins_is_player_0() -> None:
    """If mjai's dealer is player 1, the seats are changed."""
    turned = [one | ({"actor": 1 - one["actor"]} if "actor" in one else {}) for one in robbed()]
    turned = [one | ({"target": 1 - one["target"]} if "target" in one else {}) for one in turned]
    turned[1] |= {"oya": 1, "tehais": turned[1]["tehais"][::-1]}
    turned[0] |= {"names": ["ben", "ann"]}
    turned[-3] |= {"deltas": [1, -1]}
    assert read(turned) == read(robbed())


def test_several_kyokus_are_several_games() -> None:
    head, *kyoku, end = robbed()
    found = read([head, *kyoku, *kyoku[:5]])
    assert found[0] == read(robbed())[0]
    assert events_of(found[1])[2:] == kyoku[1:5]
    assert read([head, *kyoku, *kyoku, end])[1] == found[0]


def test_rules_may_be_named() -> None:
    assert read(as_mjai(events_of(played(0))), Mahjong(selfdraw_factor=1, rob_kong=True))[0].game == Mahjong(
        rob_kong=True
    )
    with pytest.raises(FileTrouble, match="line 1: the record is of Mahjong, not of Kuhn"):
        read(robbed(), Kuhn())


def test_what_these_rules_do_not_have_is_refused() -> None:
    good = robbed()

    def changed(place: int, **fields: Any) -> list[Any]:
        return [one | fields if k == place else one for k, one in enumerate(good)]

    def without(place: int) -> list[Any]:
        return good[:place] + good[place + 1 :]

    def tiles(first: str) -> dict[str, Any]:
        return {"tehais": [first.split(), good[1]["tehais"][1]]}

    four = [["E"] * 13] * 4
    can = "player 0 can pass or pong 9m"
    names = "its tiles are 1m 2m 3m 4m 5m 6m 7m 8m 9m E S W N C F P"
    wrong: list[tuple[list[Any], int, str]] = [
        ([None], 1, "this is no event of mjai, which is a JSON object with a 'type'"),
        ([good[2]], 1, "'tsumo' stands outside of a kyoku"),
        ([{"type": "x" * 5_000}], 1, f"{'x' * 79!r:.80} stands outside of a kyoku"),
        (changed(0, names=list("abcd")), 1, "there are 4 players, and this Mahjong is for 2"),
        (changed(0, names=[["a"], {"b": 1}]), 1, "'names' must be texts, and one is ['a']"),
        (changed(0, deal=-5), 1, "'deal' must be a number from 0 on, and is -5"),
        (changed(0, seed=True), 1, "'seed' must be a whole number, and is True"),
        (changed(0, rules={"riichi": True}), 1, "Mahjong has no field 'riichi'; it has rob_kong, "),
        (changed(3, tsumogiri="yes"), 4, "'tsumogiri' must be true or false, and is 'yes'"),
        (changed(1, tehais=four), 2, "there are 4 players, and this Mahjong is for 2"),
        (changed(1, oya=2), 2, "'oya' must be 0 or 1, got 2"),
        (changed(1, dora_marker="E"), 2, "there is a dora marker, and these rules have no dora; leave it out"),
        (changed(1, **tiles("1p " * 13)), 2, f"there is no tile '1p' in this Mahjong; {names}"),
        (changed(1, **tiles("5mr " * 13)), 2, "there is no tile '5mr' in this Mahjong"),
        (changed(1, **tiles("? " * 13)), 2, "a tile is hidden ('?'), and only a record that has all hands"),
        (changed(1, **tiles("E " * 12)), 2, "a first hand has 13 tiles, and here is one of 12"),
        (changed(1, **tiles("E " * 13)), 2, "there are 13 tiles E, and the game has 4"),
        (changed(1, wall=["E"]), 2, "'wall' must be 38 tiles, and is 1"),
        (changed(1, **tiles("9m 9m 9m 9m 1m 2m 3m 4m E E E F F")), 5, "there are 5 tiles 9m, and the game has 4"),
        (changed(4, pai="W", actor=0), 5, "player 0 draws W, where player 1 is to draw W"),
        ([*good[:3], {"type": "reach"}, *good[3:]], 4, "'reach' is of riichi, which these rules do not have"),
        ([*good[:3], {"type": "dora"}, *good[3:]], 4, "'dora' is of dora, which these rules do not have"),
        (changed(3, type="nothing"), 4, "there is no event 'nothing'"),
        (changed(3, actor=3), 4, "'actor' must be 0 or 1, got 3"),
        (changed(3, actor="x"), 4, "'actor' must be a whole number, and is 'x'"),
        (changed(3, pai="C"), 4, "'tsumogiri' says that C was just drawn, and it was not"),
        (changed(3, pai="C", tsumogiri=False), 4, "player 0 cannot discard C here: player 0 can discard 1m or "),
        (without(2), 3, "'dahai' comes where by these rules a tile is drawn first: a 'tsumo' is missing"),
        ([*good[:3], *good[2:]], 4, "player 0 cannot draw here"),
        (changed(6, consumed=["9m"]), 7, "'pon' is of 3 equal tiles, not of 9m 9m"),
        (changed(6, pai="1m", consumed=["1m", "1m"]), 7, "'pon' is of 1m, and that is not what was discarded"),
        (changed(6, target=0), 7, "'target' must be 1, the other player, got 0"),
        (changed(6, target=True), 7, "'target' must be 1, the other player, got True"),
        (changed(6, type="chi"), 7, "9m 9m 9m is no chow"),
        (changed(6, type="chi", consumed=["7m", "8m"]), 7, f"player 0 cannot chow 7m 8m 9m here: {can}"),
        (changed(6, type="daiminkan", consumed=["9m"] * 3), 7, f"player 0 cannot kong here: {can}"),
        (changed(11, type="ankan", consumed=["9m"] * 4), 12, "player 0 cannot kong 9m concealed here: "),
        (changed(11, consumed=["9m"] * 2), 12, "'kakan' is of 4 equal tiles, not of 9m 9m 9m"),
        (changed(12, pai="1m"), 13, "'hora' is with 1m, where the tile is 9m"),
        (changed(12, actor=0), 13, "player 0 cannot win here: player 1 can pass or win"),
        (changed(12, target=77), 13, "'target' must be 0, the other player, got 77"),
        (changed(12, target=1), 13, "'target' must be 0, the other player, got 1"),
        (changed(12, deltas=[-1.0, True]), 13, "'deltas' are [-1.0, True], and these rules pay [-1, 1]"),
        (changed(12, deltas=[-8000, 8000]), 13, "'deltas' are [-8000, 8000], and these rules pay [-1, 1]"),
        ([*good[:12], {"type": "ryukyoku"}], 13, "'ryukyoku' comes while there are tiles to draw"),
        ([*good[:13], good[2]], 14, "player 0 cannot draw here"),
        (changed(0, rules={}), 13, "'hora' comes where by these rules a tile is drawn first: a 'tsumo' is missing"),
    ]  # fmt: skip
    for events, number, sentence in wrong:
        with pytest.raises(FileTrouble) as refused:
            read(events)
        assert str(refused.value).startswith(f"game.mjai, line {number}: {sentence}"), str(refused.value)


def test_who_wins_with_a_tile_that_he_drew_has_it_from_himself() -> None:
    events = next(found for seed in range(24) for found in [events_of(played(seed))] if self_drawn(found))
    hora = self_drawn(events)
    assert hora is not None
    hora["target"] = 1 - hora["actor"]
    with pytest.raises(FileTrouble, match=f"'target' must be {hora['actor']}, who has drawn the tile, got"):
        read(events)
    del hora["target"]
    assert read(events)


def self_drawn(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The win of a game, if it was with a tile that was drawn."""
    return next((one for one in events if one["type"] == "hora" and one["target"] == one["actor"]), None)
