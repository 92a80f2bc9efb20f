"""Spots on the command line: solved, gone on with, looked at, and refused in one sentence."""

import json
from pathlib import Path

import pytest
from commands import Ruse
from small_spots import RIVER, TURN

from ruse.store.runs import find

FILE = """
board = "Qs Jh 2h 8d 3c"
pot = 50
stack = 100
oop = "QQ, AhKh, 7s6s"
ip = "KK, AQs, T9s:0.5"
bets = "50%"
raises = "all-in"
"""


def test_a_spot_in_words_or_in_a_file(ruse: Ruse) -> None:
    said = ruse("solve", RIVER)
    assert said.code == 0
    assert "holdem: board Qs Jh 2h 8d 3c, pot 50, stack 100: 15 nodes of betting, 1 river, 5 and 13 hands" in said.out
    assert "% of the pot" in said.out
    assert "value above half of the pot: -3." in said.out  # -3.889
    Path("spot.toml").write_text(FILE)
    results = [json.loads(ruse("solve", what, "--json").out) for what in (RIVER, "spot.toml")]
    timed = {"seconds", "iterations_per_second", "run", "out"}
    assert {k: v for k, v in results[0].items() if k not in timed} == {
        k: v for k, v in results[1].items() if k not in timed
    }
    assert results[0]["exploitability_percent"] <= 0.1
    assert results[0]["values"][0] == pytest.approx(-35 / 9, abs=0.05)
    assert (results[0]["walk"], results[0]["hands"]) == ("ranges", [5, 13])
    other = json.loads(ruse("solve", "spot.toml", "--pot", "60", "--iterations", "5", "--json").out)
    assert ("pot 60" in other["game"], other["iterations"]) == (True, 5)


def test_gone_on_with_to_the_same_bits(ruse: Ruse) -> None:
    for iterations in ("60", "25"):
        assert ruse("solve", RIVER, "--iterations", iterations, "--runs", f"runs{iterations}").code == 0
    assert ruse("resume", "last", "--iterations", "60", "--runs", "runs25").code == 0
    tables = [
        (find(f"runs{first}", "last").path / "checkpoints" / "00000060" / "tables.safetensors").read_bytes()
        for first in ("60", "25")
    ]
    assert tables[0] == tables[1]
    further = ruse("resume", "last", "--target", "0.05%", "--runs", "runs60")
    assert further.code == 0
    assert json.loads(ruse("resume", "last", "--json", "--runs", "runs60").out)["exploitability"] <= 0.0005 * 50
    assert "0.1% is a share of a pot, and leduc has none" in ruse("solve", "leduc", "--target", "0.1%").err


def test_looked_at(ruse: Ruse) -> None:
    assert ruse("solve", TURN, "--iterations", "50").code == 0
    first = ruse("show", "last")
    assert first.code == 0
    assert "the beginning (turn Qs Jh 2h 8d, pot 20): oop to act" in first.out
    assert len(first.out.splitlines()) == 4 + 26
    there = ruse("show", "last", "--history", "check, bet 10, call, card 3c")
    assert "after check, bet 10, call, 3c (river Qs Jh 2h 8d 3c, pot 40): oop to act" in there.out
    facts = json.loads(ruse("show", "last", "--history", "check, bet", "--json").out)
    assert (facts["player"], facts["pot"], facts["actions"]) == ("oop", 30, ["fold", "call"])
    assert {hand["hand"] for hand in facts["hands"]} == {"QhQd", "AhKh", "7s6s"}
    for hand in facts["hands"]:
        assert sum(hand["strategy"].values()) == pytest.approx(1.0)
        assert hand["values"]["fold"] == pytest.approx(0.0, abs=1e-6)
    assert facts["grid"]["AKs"]["strategy"].keys() == {"fold", "call"}
    one = ruse("show", "last", "--history", "check, bet", "--hand", "QdQh")
    assert "QhQd: equity" in one.out
    assert "10 to call" in one.out
    known = json.loads(ruse("show", "last", "--history", "check, bet", "--hand", "QdQh", "--json").out)["hand"]
    assert 0.3 < known["equity"] < 0.5  # a set against a straight, overcards and two pairs
    assert "a card is due; say which" in ruse("show", "last", "--history", "check, check").out
    assert "this is a fold" in ruse("show", "last", "--history", "bet 10, fold").out
    assert json.loads(ruse("show", "last", "--history", "bet 10, fold", "--json").out)["player"] == "fold"
    assert "oop AhKh" in ruse("show", TURN).out
    assert json.loads(ruse("show", TURN, "--json").out)["size"]["boards"] == [1, 48]


def test_judged(ruse: Ruse) -> None:
    solved = json.loads(ruse("solve", RIVER, "--iterations", "50", "--json").out)
    told = json.loads(ruse("evaluate", "last", "--json").out)
    for name in ("exploitability", "exploitability_percent"):
        assert told[name] == pytest.approx(solved[name], rel=1e-4)
    assert told["values"] == pytest.approx(solved["values"], abs=1e-4)
    said = ruse("evaluate", "last")
    assert said.code == 0
    assert "% of the pot" in said.out
    assert [line.split()[0] for line in said.out.splitlines()[3:5]] == ["oop", "ip"]
    refused = ruse("evaluate", "last", "--local-best-response", "100")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "is a spot, which is judged exactly, with all hands; leave --local-best-response out" in refused.err


def test_a_style(ruse: Ruse) -> None:
    """Who likes to bet does so more often, and another who is asked for it in vain is told why."""
    for more in ([], ["--prefer", "bet, player 0, first: delta=50, beta=2"]):
        said = ruse("solve", RIVER, "--iterations", "100", "--runs", f"runs{len(more)}", *more)
        assert said.code == 0
        assert ("style: bet, player 0, first: delta=50, beta=2 (1 infosets)" in said.out) == bool(more)
    plain, styled = (
        json.loads(ruse("show", "last", "--runs", runs, "--json").out)["overall"]["bet 25"]
        for runs in ("runs0", "runs2")
    )
    assert styled > plain + 0.1
    for prefer, why in {
        "bet, with QQ: delta=2": "one of all hands, whatever cards come; leave 'with QQ' out",
        "raise, first: delta=2": "no action 'raise' in holdem: board",
    }.items():
        refused = ruse("solve", RIVER, "--prefer", prefer)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert why in refused.err


def test_what_takes_it_deal_by_deal(ruse: Ruse) -> None:
    """Not without a word: pruning is refused, and a walk that samples says that it is no walk of ranges."""
    refused = ruse("solve", RIVER, "--rule", "cfr", "--prune", "partial")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "partial pruning takes it deal by deal; leave prune out" in refused.err
    sampled = ruse("solve", RIVER, "--rule", "mccfr", "--iterations", "10", "--no-run")
    assert sampled.code == 0
    assert "the walk external takes this spot deal by deal" in sampled.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--history", "call"], "there is no 'call' at the beginning; there is check, bet 25"),
        (["--hand", "AsAd"], "AsAd is not in the range of oop"),
        (["--hand", "QsQh"], "QhQs cannot be held"),
        (["--hand", "Ah"], "a hand has two cards"),
        (["--at", "QQ"], "is a spot, which has no --at"),
        (["--tree"], "is a spot, which has no --tree"),
    ],
)
def test_what_cannot_be_shown(ruse: Ruse, words: list[str], told: str) -> None:
    assert ruse("solve", RIVER, "--iterations", "2").code == 0
    refused = ruse("show", "last", *words)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert told.replace("QhQs", "Q") in refused.err.replace("QsQh", "Q").replace("QhQs", "Q")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([RIVER.replace("Jh", "Qs")], "Qs is twice"),
        ([RIVER.replace("50,", "x,")], "the pot must be a whole number of chips, got 'x'"),
        ([RIVER.replace("50%", "50")], "'50' in the bets '50' is no size"),
        ([RIVER.replace("QQ, AhKh, 7s6s", "QsJs")], "the range of oop has no hand left"),
        (["nowhere.toml"], "there is no file nowhere.toml"),
        ([RIVER, "--memory", "1KB"], "is too large to solve: 15 nodes of betting"),
        ([RIVER, "--target", "0%"], "target must be above 0"),
        ([RIVER, "--target", "x%"], "is not a number"),
        ([RIVER, "--players", "3"], "a spot has no 'players'"),
    ],
)
def test_what_cannot_be_solved(ruse: Ruse, words: list[str], told: str) -> None:
    refused = ruse("solve", *words)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert told in refused.err
    assert not Path("runs").exists()


def test_a_hand_of_no_spot(ruse: Ruse) -> None:
    assert "asks for a hand in a spot, and kuhn is none" in ruse("show", "kuhn", "--hand", "AhKh").err
