"""`ruse equity`: how often a hand wins."""

import json

import pytest
from commands import Ruse


def test_a_sentence_and_json(ruse: Ruse) -> None:
    words = ["equity", "AsKs", "QQ+, AKo", "--board", "Qs Jh 2h"]
    assert ruse(*words).out == "33.48%: wins 14.77%, ties 37.43%; exact, 1,081 boards\n"
    told = json.loads(ruse(*words, "--json").out)
    assert told["exact"]
    assert round(told["share"], 4) == 0.3348
    drawn = ruse(*words, "--boards", "500").out
    assert drawn.endswith("of 500 boards drawn at random\n")
    assert (
        drawn
        == ruse(*words, "--boards", "500", "--seed", "0").out
        != ruse(*words, "--boards", "500", "--seed", "1").out
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["AsKs", "QsQh", "--board", "Qs Jh 2h"], "the second range has no hand left"),
        (["AsKs", "AsQh", "--board", "Qs Jh 2h"], "every hand of one range has a card of every hand of the other"),
        (["AsKs", "QQ", "--board", "Qs Jh"], "a board has no, three, four or five cards; Qs Jh has 2"),
        (["AsKs", "QQ", "--board", "Qs Jh Qs"], "Qs is twice"),
        (["AsKs", "QQ", "--board", "Qs Jh 1h"], "'1h' in 'Qs Jh 1h' is no card"),
        (["AsKs", "QZ"], "QZ"),
        (["", "QQ"], "the first range is empty"),
    ],
)
def test_what_cannot_be_is_refused(ruse: Ruse, words: list[str], why: str) -> None:
    result = ruse("equity", *words)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("ruse: ")
    assert why in result.err
    assert result.err.count("\n") == 1
