"""Hold'em in the terminal: at the table, replayed, and exported to hand histories and back."""

import pytest
from commands import Ruse

LINE = "play holdem --against call --seed 3 --games 1 --record games.jsonl"


@pytest.fixture
def played(ruse: Ruse) -> Ruse:
    """A recorded hand in which the player checks or calls."""
    assert ruse(*LINE.split(), typed=("call", *("check",) * 9)).code == 0
    return ruse


def test_at_the_table(ruse: Ruse) -> None:
    result = ruse(*LINE.split()[:-2], typed=("call", "bet", "?", "quit"))
    assert (result.code, result.err) == (0, "")
    assert (
        "you post 0.5bb and player 1 posts 1bb; you are dealt Js 6d\n"
        "\n"
        "  board      no cards yet   pot 1.5bb\n"
        "  player 1   two cards  24bb left, bet 1bb\n"
        "  you *      Js 6d      24.5bb left, bet 0.5bb\n"
        "  (* the button)\n"
        "It costs 0.5bb to call. What do you do?\n"
        "  1 fold   2 call   3 raise 2bb   4 raise 3bb   5 all-in\n"
    ) in result.out
    assert "> you call 0.5bb\nplayer 1 checks\nthe flop: Kd 7c 3d\nplayer 1 checks\n" in result.out
    assert "> you bet 1.5bb\nplayer 1 calls 1.5bb\nthe turn: 9d\n" in result.out
    assert "  you *      Js 6d      22.5bb left   (king high)\n" in result.out
    assert "a raise is told by what your bet comes to" in result.out


def test_the_big_blind_is_asked_whether_he_raises(ruse: Ruse) -> None:
    """He has a bet already; after the flop nobody has."""
    result = ruse("play", "holdem", "--against", "call", "--seat", "1", "--seed", "3", typed=("check", "quit"))
    asked = [line for line in result.out.splitlines() if line.startswith("Check or ")]
    assert asked == ["Check or raise?", "Check or bet?"]


def test_symbols(ruse: Ruse) -> None:
    assert "you are dealt J♠ 6♦" in ruse(*LINE.split()[:-2], "--symbols", typed=("quit",)).out


def test_a_hand_to_its_end_and_again(played: Ruse) -> None:
    replay = played("replay", "games.jsonl")
    assert replay.out.startswith("holdem, game 1, seed 3: player 0 is you, player 1 is call\n")
    assert "player 1 shows Qh 4s: king high; player 0 wins 2bb with flush, king high" in replay.out
    assert played("export", "games.jsonl", "--out", "hand.phh").code == 0
    assert played("export", "hand.phh", "--game", "holdem", "--format", "record", "--out", "again.jsonl").code == 0
    assert played("export", "again.jsonl", "--format", "phh").out == played("export", "games.jsonl").out
    assert "the flop: Kd 7c 3d" in played("replay", "hand.phh").out


def test_what_is_refused(played: Ruse) -> None:
    played("export", "games.jsonl", "--out", "hand.phh")
    with open("hand.phh") as file:
        text = file.read()
    with open("broken.phh", "w") as file:
        file.write(text.replace("p2 cc", "p2 cbr 20", 1))
    for line, words in {
        "replay broken.phh": "broken.phh: action 3, 'p2 cbr 20': a raise comes to 200 at least and 2500 at most",
        "export broken.phh": "broken.phh: action 3, 'p2 cbr 20': a raise comes to 200 at least and 2500 at most",
        "export games.jsonl --format csv": "a record of holdem cannot be exported as 'csv'; there is record, phh",
        f"{LINE[:-11]}hand.phh": "hand.phh has games in another form, to which none can be appended",
        "play holdem:open=2bb/60": "'60' in the bets '2bb/60' is no size",
        "show holdem:players=9": "players must be 2 to 6 in Hold'em, got 9",
    }.items():
        result = played(*line.split())
        assert result.code == 2, line
        assert words in result.err, line
        assert result.err.count("\n") == 1, line
