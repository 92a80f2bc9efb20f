"""A person at the table: what is shown, graded and recorded."""

import json
import re
from pathlib import Path

import pytest
from commands import Ruse
from hostile_bots import FAILING, written

from ruse.cli.terminal.table import fitting


def test_what_a_word_may_mean() -> None:
    actions = ["fold", "call", "raise 2", "raise 4", "hint at it"]
    words = ("fold", "CALL", "2", "#2", "f", "r", "raise 4", "4 raise", "6", "0", "x", "hint", "")
    expected = [[0], [1], [1], [1], [0], [2, 3], [3], [3], [], [], [], [], []]
    assert [fitting(word, actions) for word in words] == expected
    assert fitting("3", ["1", "3"]) == [1]
    # Where names are numbers, a number is a name.
    cards = ["A", "2", "A 2", "2 2"]
    words = ("a", "2", "#2", "2 a", "2,2", "1", "#1", "#5", "4")
    assert [fitting(word, cards) for word in words] == [[0], [1], [1], [2], [3], [], [0], [], []]
    # The very name comes first; what may be two is asked about.
    assert [fitting(word, ["b", "B", "pass"]) for word in ("b", "B", "P")] == [[0], [1], [2]]
    assert fitting("BET", ["bet", "Bet"]) == [0, 1]


def test_play_hides_until_the_end(solved: Ruse) -> None:
    for seed in range(8):
        for seat in "01":
            words = ("play", "kuhn", "--against", "kuhn.strategy", "--seed", str(seed), "--seat", seat, "--games", "1")
            before, _, after = solved(*words, typed=("pass", "hint", "bet", "bet")).out.partition("The game is over: ")
            cards = after.split(",")[0].split()
            others = cards[1 - int(seat)]
            assert len(cards) == 2
            assert not re.search(rf"\b{others}\b", before.replace("You are", "")), (before, others)


@pytest.mark.parametrize("bot", FAILING)
def test_a_bot_that_fails_tells_nothing_of_its_card(ruse: Ruse, bot: str, tmp_path: Path) -> None:
    """Seeds deal the bot other cards; who has the same card is told the same. A match tells what the bot did."""
    if bot == "interrupts":  # which nobody can tell from Ctrl-C here
        return
    game = str(written(tmp_path))
    found: dict[str, set[tuple[int, str, str]]] = {}
    for seed in range(8):
        typed = ("play", game, "--against", bot, "--seed", str(seed), "--games", "1")
        result = ruse(*typed, typed=("pass",))
        assert result.code == 2
        assert result.err == (
            f"ruse: {bot} has failed as player 1, so the game cannot go on; `ruse match {game} {bot} random`, where "
            "nobody sits, tells what it did\n"
        )
        own = re.search(r"You see: ([JQK])", result.out)
        assert own is not None
        found.setdefault(own[1], set()).add(tuple(result))
    assert len(found) == 3
    assert all(len(told) == 1 for told in found.values())
    match = ruse("match", game, bot, "random", "--deals", "20")
    if bot in ("key_error", "text", "our_error"):
        assert (match.code, re.search(r"\b[JQK]\b", match.err) is not None) == (2, True)


def test_play_records_what_happened(solved: Ruse, tmp_path: Path) -> None:
    from ruse import Kuhn, State

    words = (
        "play",
        "kuhn.strategy",
        "--seed",
        "5",
        "--games",
        "3",
        "--coach",
        "--record",
        "games.jsonl",
        "--seat",
        "random",
    )
    out = solved(*words, typed=("1", "b", "bet", "pass", "?", "2", "2", "2", "2")).out
    events = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [event["number"] for event in events if event["event"] == "game"] == [0, 1, 2]
    state, score = State.of(Kuhn()), 0.0
    for event in events:
        if event["event"] == "game":
            state, seat = State.of(Kuhn()), event["players"].index("you")
        elif event["event"] == "action":
            assert event["player"] == ("chance" if state.is_chance else state.player)
            assert state.actions[event["number"]] == event["action"]
            state = state.child(event["number"])
        else:
            assert state.is_over
            assert event["payoffs"] == state.payoffs
            score += state.payoffs[seat]
    assert f"3 games, {score:+g} in all" in out
    assert out.count("Your choices:") == 3
    again = solved(*words, typed=("1", "b", "bet", "pass", "?", "2", "2", "2", "2")).out
    assert again == out
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2 * len(events)


def test_games_are_appended_to_whole_records_alone(solved: Ruse, tmp_path: Path) -> None:
    """What would stand behind damage nobody could read; nothing is asked, and the file stays as it is."""
    words = ("play", "kuhn", "--against", "kuhn.strategy", "--seed", "1", "--games", "1", "--record", "games.jsonl")
    path = tmp_path / "games.jsonl"
    path.write_text("")
    assert solved(*words, typed=("pass",) * 9).code == 0
    whole = path.read_text()
    path.write_text(whole[:-1])  # without the end of the line
    assert solved(*words, typed=("pass",) * 9).code == 0
    assert path.read_text() == whole + whole
    for text in ("shopping\n", whole[:-9], '{"v": 1}\n', whole + "[1]\n"):
        path.write_text(text)
        result = solved(*words, typed=("pass",) * 9)
        assert (result.code, result.out) == (2, ""), text
        assert result.err.startswith("ruse: games.jsonl is damaged or no record of games, line ")
        assert result.err.endswith("; name another file, to which games can be appended\n")
        assert path.read_text() == text


def test_coach_tells_what_a_blunder_costs(solved: Ruse) -> None:
    for seed in range(20):  # until the person holds the King and is bet at
        out = solved("play", "kuhn.strategy", "--seed", str(seed), "--games", "1", "--coach", typed=("1", "1")).out
        if "at 'K, pass bet' you chose pass" in out:
            assert "lost 3.0000 against bet" in out
            return
    raise AssertionError("no seed deals the King")


def test_leaving_the_table(solved: Ruse) -> None:
    for typed in ((), ("quit",), ("q",), ("nonsense", "", "?", "hint", "quit")):
        result = solved("play", "kuhn", typed=typed)
        assert (result.code, result.err) == (0, "")
        assert "solved just now" in result.out
        assert "The game is over" not in result.out
        assert result.out.endswith("You leave the table.\n0 games, +0 in all\n")


def test_play_against_chance(ruse: Ruse) -> None:
    out = ruse("play", "goofspiel", "--against", "random", "--games", "1", typed=("4", "3", "hint", "2", "1")).out
    assert "The others choose at random." in out
    assert "0.500000" in out  # the hint: two cards are left, and random play takes either
    assert "1 game, " in out
    assert "too large to solve on the spot" in ruse("play", "liars_dice:dice=2").out


def test_a_game_that_was_left_goes_on(solved: Ruse, tmp_path: Path) -> None:
    """It ends as it would have, it is in the record twice, and until it is over nobody is shown what is hidden."""
    words = ("play", "leduc", "--against", "random", "--record", "games.jsonl")
    whole = solved(*words[:4], "--seed", "4", "--games", "2", typed=("call",) * 20).out
    left = solved(*words, "--seed", "4", "--games", "2", typed=("call", "quit"))
    assert left.code == 0
    assert left.out.endswith(
        "games.jsonl keeps this game: the same command with --resume, without --seed, goes on with it.\n"
        "You leave the table.\n0 games, +0 in all\n"
    )
    for asked in ((), ("--game", "1")):
        result = solved("replay", "games.jsonl", *asked)
        assert (result.code, result.out) == (2, "")
        assert "`ruse play GAME --record FILE --resume` goes on with it" in result.err
    again = solved(*words, "--resume", "--games", "2", typed=("call",) * 20)
    assert (again.code, again.err) == (0, "")
    assert again.out.partition("The game is over")[1:] == whole.partition("The game is over")[1:]
    events = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [event["number"] for event in events if event["event"] == "game"] == [0, 0, 1]
    assert [event["event"] for event in events].count("end") == 2
    assert solved("replay", "games.jsonl", "--game", "2").code == 0
    assert solved("replay", "games.jsonl", "--game", "3").err == "ruse: games.jsonl has 2 games; there is no game 3\n"


def test_a_game_that_was_taken_over_goes_on_again(ruse: Ruse, tmp_path: Path) -> None:
    """As often as it is left; the record says who made which move, and so does a replay."""
    words = ("play", "cheat", "--record", "t.jsonl", "--against")
    assert ruse(*words, "heuristic", "--seed", "2", typed=("#1", "#1", "q")).code == 0
    for bot, typed in (("naive", "q"), ("naive", "q"), ("heuristic", "q"), ("heuristic", "q"), ("naive", "q")):
        result = ruse(*words, bot, "--resume", typed=(typed,))
        assert (result.code, result.err) == (0, "")
    result = ruse(*words, "naive", "--resume", "--games", "1", typed=("#1",) * 50)
    assert (result.code, result.err) == (0, "")
    out = ruse("replay", "t.jsonl").out
    assert "player 1 is naive" in out
    assert "player 1 (heuristic): " in out
    assert "player 1: " in out
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    assert sum('"event": "game"' in line for line in lines) == 7


def test_what_cannot_be_gone_on_with(solved: Ruse, tmp_path: Path) -> None:
    words = ("play", "kuhn", "--against", "kuhn.strategy", "--record", "a.jsonl")
    assert solved(*words, "--seed", "2", typed=("quit",)).code == 0
    assert not (tmp_path / "a.jsonl").exists(), "nothing was done that could be lost"
    assert solved(*words, "--seed", "3", "--games", "1", typed=("bet", "bet")).code == 0
    for line, told in (
        ((*words[:4], "--resume"), "--resume needs --record FILE"),
        ((*words, "--resume", "--seed", "1"), "leave --seed out"),
        ((*words, "--resume"), "the last game in a.jsonl is over; there is none to go on with"),
        ((*words[:5], "b.jsonl", "--resume"), "cannot read b.jsonl"),
    ):
        result = solved(*line)
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert told in result.err
    assert solved(*words, "--seed", "3", typed=("pass", "quit")).code == 0
    for line, told in (
        (("play", "leduc", "--against", "random", *words[4:]), "the record is of Kuhn(players=2"),
        (("play", "kuhn", "--against", "nobody.strategy", *words[4:]), "there is no file nobody.strategy"),
    ):
        result = solved(*line, "--resume")
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert told in result.err
    events = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    head = max(k for k, event in enumerate(events) if event["event"] == "game")
    events[head]["people"] = []
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    assert "was not left by one person" in solved(*words, "--resume").err


def test_a_game_goes_on_in_the_seat_where_one_sat(solved: Ruse, tmp_path: Path) -> None:
    words = ("play", "leduc", "--against", "random", "--record", "games.jsonl")
    assert solved(*words, "--seed", "4", "--seat", "1", typed=("call", "quit")).code == 0
    result = solved(*words, "--resume", "--seat", "0", typed=("call",) * 20)
    assert result.code == 2
    assert result.err == "ruse: --resume goes on in seat 1, where you sat, not in 0; leave --seat out\n"
    for typed in ((), ("--seat", "1"), ("--seat", "random")):
        again = solved(*words, "--resume", *typed, "--games", "2", typed=("call", "call", "quit"))
        assert (again.code, again.err) == (0, "")
    events = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    people = [event["people"] for event in events if event["event"] == "game"]
    assert people[:3] == [[1]] * 3, "also in the games that follow"


def test_ctrl_c_keeps_the_game(solved: Ruse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    words = ("play", "kuhn", "--against", "kuhn.strategy", "--record", "a.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr("ruse.cli.terminal.table.hint", ended)
        assert solved(*words, "--seed", "3", typed=("pass", "hint")).code == 130
    assert solved(*words, "--resume", "--games", "1", typed=("pass",)).code == 0
    assert (tmp_path / "a.jsonl").read_text().count('"event": "end"') == 1
