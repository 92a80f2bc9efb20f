"""Mahjong in the terminal: at the table, replayed, and exported to other forms of records and back."""

import json
from pathlib import Path

import pytest
from commands import Ruse
from mahjong_playouts import robbed
from mahjong_viewer import viewed

LINE = "play mahjong --against random --seed 3 --games 1 --record games.jsonl"


@pytest.fixture
def played(ruse: Ruse) -> Ruse:
    """A recorded game."""
    assert ruse(*LINE.split(), typed=("#1",) * 100).code == 0
    return ruse


def test_at_the_table(ruse: Ruse) -> None:
    """What lies there is shown with the hand last, a tile is enough to discard it, and hints give reasons."""
    result = ruse(*LINE.split()[:-2], typed=("hint", "E", "?", "quit"))
    assert (result.code, result.err) == (0, "")
    assert (
        "you are dealt 1m 2m 3m 4m 5m 6m 7m E W N N C C; you begin\n"
        "you draw 2m\n"
        "\n"
        "  wall       left   37 tiles\n"
        "  player 1   hand   13 tiles\n"
        "             river  empty\n"
        "  you        river  empty\n"
        "             hand   1m 2m 3m 4m 5m 6m 7m E W N N C C + 2m\n"
        "What do you discard?\n"
        "  1 discard 1m   2 discard 2m   3 discard 3m"
    ) in result.out
    assert ">   normal       discard " in result.out
    assert "\n  pongponghu   discard " in result.out
    assert "\n  seven_pairs  discard " in result.out
    assert "> you discard E\n" in result.out
    assert "winds E S W N, and dragons C (red) F (green) P (white)" in result.out


def test_symbols(ruse: Ruse) -> None:
    out = ruse(*LINE.split()[:-2], "--symbols", typed=("E", "quit")).out
    assert "hand   🀇 🀈 🀉 🀊 🀋 🀌 🀍 🀀 🀂 🀃 🀃 🀄 🀄 + 🀈" in out
    assert "> you discard 🀀\n" in out
    result = ruse("play", "kuhn", "--symbols")
    assert (result.code, result.err) == (2, "ruse: kuhn has no symbols; leave --symbols out\n")


def test_colours_are_for_terminals(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.cli.terminal.faces.is_coloured", lambda: True)
    out = ruse(*LINE.split()[:-2], typed=("E", "quit")).out
    assert "you discard \033[36mE\033[0m\n" in out
    assert "you draw \033[33m2m\033[0m\n" in out


def test_a_game_to_its_end_and_again(played: Ruse, tmp_path: Path) -> None:
    """A record is replayed with all that lies anywhere, and exported; every form leads to every other one."""
    result = played("replay", "games.jsonl")
    assert (result.code, result.err) == (0, "")
    head, deal, *steps = result.out.split("\n\n")
    assert head == "mahjong, game 1, seed 3: player 0 is you, player 1 is random"
    assert deal.splitlines()[:4] == [
        "1. chance: 64 moves",
        "   the tiles are dealt; player 0 begins",
        "     wall       left   37 tiles",
        "                       6m 3m 5m 4m C W P 9m 6m S F 7m 8m 9m 8m W P 5m E F",
    ]
    assert steps[-1].splitlines()[0].partition(". ")[2].startswith("the end: player 0 ")
    for form in ("log", "mjai", "record"):
        exported = played("export", "games.jsonl", "--format", form, "--out", form)
        assert (exported.code, exported.out) == (0, f"wrote {form}\n")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert viewed(lines)["end"] in ("win", "draw")
    assert (lines[0]["seed"], lines[0]["agents"]) == (3, ["you", "random"])
    texts = {form: (tmp_path / form).read_text() for form in ("log", "mjai", "record")}
    for source in texts:
        assert played("replay", source).out == result.out
        for form, text in texts.items():
            assert played("export", source, "--format", form).out == text
    assert played("export", "games.jsonl").out == texts["log"]


def test_what_is_no_such_record(played: Ruse, tmp_path: Path) -> None:
    """One sentence that names the line, or what there is."""
    assert played("export", "games.jsonl", "--format", "mjai", "--out", "good").code == 0
    good = (tmp_path / "good").read_text()
    Path("suits").write_text(good.replace('"9m"', '"9p"'))
    Path("cut").write_text("\n".join(good.splitlines()[:6]) + "\n{")
    Path("left").write_text("\n".join(good.splitlines()[:6]))
    names = "its tiles are 1m 2m 3m 4m 5m 6m 7m 8m 9m E S W N C F P"
    wrong = {
        "replay suits": f"suits, line 2: there is no tile '9p' in this Mahjong; {names}",
        "export suits": f"suits, line 2: there is no tile '9p' in this Mahjong; {names}",
        "replay cut": "cut, line 7: this is no event of mjai, which is a JSON object with a 'type'",
        "export cut": "cut, line 7: this is no event of mjai, which is a JSON object with a 'type'",
        "replay left": "left has no game that is over, and one that is not over\n",  # nobody can go on with it
        "export left": "left has no game that is over",
        "export good --format csv": "a record of mahjong cannot be exported as 'csv'; there is record, log, mjai",
        "export good --game kuhn": "good, line 1: the record is of Mahjong, not of Kuhn",
    }
    for line, sentence in wrong.items():
        result = played(*line.split())
        assert (result.code, result.out) == (2, ""), line
        assert result.err.startswith(f"ruse: {sentence}"), result.err
        assert result.err.count("\n") == 1


@pytest.mark.parametrize("form", ["log", "mjai"])
def test_games_are_not_appended_to_a_file_of_another_form(played: Ruse, tmp_path: Path, form: str) -> None:
    """It is refused before the game, and the file stays as it is."""
    assert played("export", "games.jsonl", "--format", form, "--out", "theirs").code == 0
    before = (tmp_path / "theirs").read_bytes()
    for words in (LINE.split()[:-1], ["play", "mahjong", "--against", "random", "--resume", "--record"]):
        result = played(*words, "theirs", typed=("#1",) * 100)
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "ruse: theirs has games in another form, to which none can be appended; name another file, or make a "
            "record of it by `ruse export theirs --format record --out FILE`\n"
        )
    assert (tmp_path / "theirs").read_bytes() == before
    assert played("export", "theirs", "--format", "record", "--out", "ours").code == 0
    assert played(*LINE.split()[:-1], "ours", typed=("#1",) * 100).code == 0
    assert played("replay", "ours", "--game", "2").code == 0


def test_events_from_elsewhere(ruse: Ruse, tmp_path: Path) -> None:
    """A game that no seed of ours has dealt: it is shown, kept, and cannot be gone on with."""
    (tmp_path / "robbed").write_text("\n".join(json.dumps(one) for one in robbed()))
    out = ruse("replay", "robbed").out
    assert out.startswith("mahjong:rob_kong=1, game 1: player 0 is ann, player 1 is ben\n")
    assert "player 1 wins with the 9m that was added to a pong: normal, 1 point" in out
    assert out.endswith(". the end: player 0 -1, player 1 +1\n")
    assert ruse("export", "robbed", "--format", "record", "--out", "ours").code == 0
    assert ruse("replay", "ours").out == out


def test_records_of_other_games_have_our_form_alone(ruse: Ruse) -> None:
    assert ruse("play", "cheat", "--against", "random", "--seed", "1", "--games", "1", "--record", "cheat.jsonl",
                typed=("#1",) * 60).code == 0  # fmt: skip
    result = ruse("export", "cheat.jsonl")
    assert result.code == 0
    assert ruse("export", "cheat.jsonl", "--format", "record").out == result.out
    result = ruse("export", "cheat.jsonl", "--format", "mjai")
    assert (result.code, result.err) == (2, "ruse: a record of cheat cannot be exported as 'mjai'; there is record\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show mahjong:dead_wall=38", "dead_wall must be 0 to 37"),
        ("show mahjong:selfdraw_factor=0", "selfdraw_factor must be 1 to 100"),
        ("show mahjong:rob_kong=2", "rob_kong of mahjong must be true or false, got 2"),
        ("show mahjong:furiten=true", "mahjong has no field 'furiten'"),
    ],
)
def test_bad_fields_are_told(ruse: Ruse, line: str, words: str) -> None:
    result = ruse(*line.split())
    assert result.code == 2
    assert words in result.err
    assert "Traceback" not in result.err
