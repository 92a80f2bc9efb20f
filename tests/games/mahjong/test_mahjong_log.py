"""The log of a game of Mahjong: a viewer rebuilds every moment without the rules, and what is wrong is refused."""

import json
from typing import Any

import pytest
from mahjong_playouts import VARIANTS, played, robbed
from mahjong_viewer import viewed

from ruse.errors import FileTrouble, RuseError
from ruse.games.mahjong.records import FORMS
from ruse.games.mahjong.rules import Mahjong
from ruse.protocol.played import Played
from ruse.protocol.state import State

LOG, MJAI = FORMS["log"], FORMS["mjai"]


def log_of(game: Played) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(line)) for line in LOG.write(game)]


def read(lines: list[Any]) -> list[Played]:
    return list(LOG.read(enumerate(lines, 1), "game.jsonl", None))


def payoffs(game: Played) -> list[float]:
    state = State.of(game.game)
    for a in game.history:
        state = state.child(a)
    assert state.is_over
    return state.payoffs


@pytest.mark.parametrize("seed", range(24))
def test_a_viewer_rebuilds_every_moment(seed: int) -> None:
    game = played(seed)
    end = viewed(log_of(game))
    points = {None: [0.0, 0.0], 0: [end["points"], -end["points"]], 1: [-end["points"], end["points"]]}
    assert payoffs(game) == points[end["winner"]]
    assert read(log_of(game)) == [game]


def test_all_ends_are_seen() -> None:
    """The games above end in all ways that there are, and hold all acts, but for a kong that is robbed."""
    lines = [line for seed in range(24) for line in log_of(played(seed))]
    assert {(line["end"], line["by"]) for line in lines if "end" in line} == {
        ("draw", None), ("win", "draw"), ("win", "discard"),
    }  # fmt: skip
    acts = [line["act"].split() for line in lines if "act" in line]
    assert {(act[0], act[-1] if act[0] == "kong" else "") for act in acts} == {
        ("pass", ""), ("win", ""), ("pong", ""), ("chow", ""), ("discard", ""), ("kong", "exposed"),
        ("kong", "concealed"), ("kong", "added"),
    }  # fmt: skip


def test_a_kong_that_is_robbed() -> None:
    (game,) = MJAI.read(enumerate(robbed(), 1), "robbed", None)
    lines = log_of(game)
    end = viewed(lines)
    assert (end["winner"], end["by"], end["tile"], end["melds"]) == (1, "kong", 8, [["pong 8"], []])
    assert lines[-3]["act"] == "kong 8 added"
    assert (lines[-2]["melds"], lines[-2]["claimed"]) == ([["kong 8 added"], []], 8)
    assert read(lines) == [game]


def test_the_first_line_has_all_that_a_viewer_needs() -> None:
    head = log_of(played(3))[0]
    assert (head["v"], head["seed"], head["agents"], len(head["wall"])) == (1, 3, ["ann", "ben"], 64)
    assert head["params"] == VARIANTS[3]._asdict()
    assert head["tiles"] == [*(f"{n}m" for n in range(1, 10)), *"ESWNCFP"]


def test_what_a_bot_thought_is_kept() -> None:
    """What only bots that choose policies know is null where nobody told it."""
    game = played(0)
    thought = {"policy": "Normal", "key": 734401, "sigma": [0.5, 0.25, 0.25]}
    lines = log_of(game._replace(thoughts={70: thought}))
    told = [line for line in lines if line.get("policy") is not None]
    assert [(line["n"], {name: line[name] for name in thought}) for line in told] == [(6, thought)]
    assert {(line["policy"], line["key"], line["sigma"]) for line in lines[1:-1] if line["n"] != 6} == {(None,) * 3}
    assert read(lines) == [game._replace(thoughts={70: thought})]


def test_several_games_in_a_file_and_one_that_was_left() -> None:
    games = [played(0), played(1), played(2)]
    lines = [line for game in games for line in log_of(game)]
    left = games[-1]._replace(history=games[-1].history[:80])
    assert read(lines) == games
    assert read([*lines, *log_of(left)]) == [*games, left]


def test_a_log_that_says_less_is_read() -> None:
    """Acts are enough; what a line does show must be so."""
    game = played(0)
    head, *lines = log_of(game)
    assert read([{"v": 1, "wall": head["wall"]}, *({"act": line["act"]} for line in lines[:-1])]) == [
        Played(Mahjong(), game.history, ("player 0", "player 1"))
    ]


def test_what_is_no_log_is_refused() -> None:
    good = log_of(played(0))
    discard = next(k for k, line in enumerate(good) if line.get("phase") == 2)
    held = good[discard]["legal"]
    absent = next(kind for kind in range(16) if f"discard {kind}" not in held)

    def changed(place: int, **fields: Any) -> list[Any]:
        return [line | fields if k == place else line for k, line in enumerate(good)]

    full = good[0]["wall"]
    other = next(kind for kind in range(16) if kind != full[0])
    turn = good[discard]["p"]
    wrong: list[tuple[list[Any], int, str]] = [
        ([good[1]], 1, "this is no line of a log of Mahjong"),
        ([good[0], None], 2, "this is no line of a log of Mahjong"),
        (changed(0, v=2), 1, "a log of version 2 cannot be read; this reads version 1"),
        (changed(0, wall=full[:-1]), 1, "a wall has 64 tiles, got 63"),
        (changed(0, wall=["E", *full[1:]]), 1, "a tile is a kind from 0 to 15, got 'E'"),
        (changed(0, wall=[other, *full[1:]]), 1, "a wall has 4 tiles of each kind, got "),
        (changed(0, v=True), 1, "a log of version True cannot be read; this reads version 1"),
        (changed(0, wall=[True, *full[1:]]), 1, "a tile is a kind from 0 to 15, got True"),
        (changed(0, game="go"), 1, "'game' must be 'mahjong' in a log of Mahjong, and is 'go'"),
        (changed(0, tiles=["1p"]), 1, "'tiles' must be ['1m', "),
        (changed(0, agents=["a", "b", "c", "d"]), 1, "there are 4 players, and this Mahjong is for 2"),
        (changed(0, agents=["a", {"b": 1}]), 1, "'agents' must be texts, and one is {'b': 1}"),
        (changed(0, deal=-5), 1, "'deal' must be a number from 0 on, and is -5"),
        (changed(0, deal=1 << 63), 1, "'deal' must be a number from 0 on, and is 9223372036854775808"),
        (changed(0, deal=True), 1, "'deal' must be a whole number, and is True"),
        (changed(0, params={"dead_wall": -(10**4000)}), 1, "dead_wall of Mahjong cannot be -1000"),
        (changed(0, params={"riichi": True}), 1, "Mahjong has no field 'riichi'; it has rob_kong, "),
        (changed(0, params={"dead_wall": "many"}), 1, "dead_wall of Mahjong cannot be 'many'; it is as 0"),
        (changed(0, params={"dead_wall": 38}), 1, "dead_wall must be 0 to 37 in Mahjong"),
        (changed(0, seed="x"), 1, "'seed' must be a whole number, and is 'x'"),
        (changed(discard, act=f"discard {absent}"), discard + 1, f"player {turn} cannot discard "),
        (changed(discard, act="kong 3 added"), discard + 1, f"player {turn} cannot kong 4m added here: "),
        (changed(discard, act="win"), discard + 1, f"player {turn} cannot win here: player {turn} can discard "),
        (changed(discard, act="fly"), discard + 1, "there is no act 'fly'; here is discard "),
        (changed(discard, act=7), discard + 1, "'act' must be a text, and is 7"),
        (
            changed(discard, policy="\033[31mX"),
            discard + 1,
            "'policy' must be a name of at most 80 characters, and ",
        ),
        (
            changed(discard, policy="x" * 81),
            discard + 1,
            "'policy' must be a name of at most 80 characters, and ",
        ),
        (
            changed(discard, key={"x": 1}),
            discard + 1,
            "'key' must be a whole number of at most 64 bits, and is {'x'",
        ),
        (changed(discard, key=True), discard + 1, "'key' must be a whole number of at most 64 bits, and is True"),
        (
            changed(discard, sigma="no"),
            discard + 1,
            "'sigma' must be a list of probabilities that add up to 1, and ",
        ),
        (changed(discard, sigma=[0.5, 0.1]), discard + 1, "'sigma' must be a list of probabilities that add up to 1"),
        (changed(discard, sigma=[True]), discard + 1, "'sigma' must be a list of probabilities that add up to 1"),
        (changed(discard, sigma=[float("nan")]), discard + 1, "'sigma' must be a list of probabilities"),
        (changed(discard, p=bool(turn)), discard + 1, f"'p' is {bool(turn)}, where what happened before makes it "),
        (changed(discard, hands=[[0] * 13, [1] * 13]), discard + 1, "'hands' is [[0, 0, "),
        (changed(discard, p=1 - turn), discard + 1, f"'p' is {1 - turn}, where what happened before makes it {turn}"),
        (changed(len(good) - 1, points=9), len(good), "'points' is 9, where what happened before makes it "),
        ([*good[:5], good[-1]], 6, "the game is not over: it is player "),
        ([*good, good[-2]], len(good) + 1, "something follows the end of the game"),
        ([*good[:-1], good[-2]], len(good), "the game is over, and something follows"),
    ]
    for lines, number, sentence in wrong:
        with pytest.raises(FileTrouble) as refused:
            read(lines)
        assert str(refused.value).startswith(f"game.jsonl, line {number}: {sentence}"), str(refused.value)
        assert str(refused.value).isprintable()


@pytest.mark.parametrize("place", ["v", "wall", "agents", "deal", "seed", "game", "act", "policy", "n"])
def test_what_a_log_says_is_cut(place: str) -> None:
    """However long a value is, the sentence that refuses it is not."""
    long = "\033" * 5_000
    good = log_of(played(0))
    if place in good[0]:
        good[0][place] = [long, *good[0]["wall"][1:]] if place == "wall" else long
    else:
        good[1][place] = long
    with pytest.raises(FileTrouble) as refused:
        read(good)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400


def test_what_a_bot_cannot_have_thought_is_not_written() -> None:
    """Nobody could read it."""
    with pytest.raises(RuseError, match="'key' must be a whole number of at most 64 bits, and is 'x'"):
        log_of(played(0)._replace(thoughts={70: {"key": "x"}}))


def test_where_one_must_win_a_log_has_the_win() -> None:
    """The rules do not ask, and so the history has no such move."""
    game = next(game for seed in range(2, 100, 4) if payoffs(game := played(seed)) != [0.0, 0.0])
    lines = log_of(game)
    assert game.game == Mahjong(must_win=True, kong_needs_tile=False)
    assert lines[-2]["act"] == "win"
    lines[-2] = lines[-2] | {"act": "pass"}
    with pytest.raises(FileTrouble, match="can win, and by these rules must"):
        read(lines)
