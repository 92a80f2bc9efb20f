"""Whatever a public function is given that is of the wrong kind is told in one sentence, which names it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.play.session import Session

r: Any = ruse  # whose functions are given what they do not take
NOBODY: Any = None
THREE: Any = 3
CALLS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "action 1": (lambda path: r.prefer("kuhn", action=1), "^action is the name of one, such as 'bet', .*, not 1$"),
    "no action": (lambda path: r.prefer("kuhn", action=None), "^action is the name of one, .*, not None$"),
    "numbered actions": (lambda path: r.prefer("kuhn", action=[1]), r"^action is the name of one, .*, not \[1\]$"),
    "when 1": (lambda path: r.prefer("kuhn", action="bet", when=1), "^when is a text, such as 'first' .*, not 1$"),
    "no when": (lambda path: r.prefer("kuhn", action="bet", when=None), "^when is a text, .*, not None$"),
    "delta in text": (lambda path: r.prefer("kuhn", action="bet", delta="x"), "^delta must be a number, got 'x'$"),
    "no delta": (lambda path: r.prefer("kuhn", action="bet", delta=None), "^delta must be a number, got None$"),
    "beta in text": (lambda path: r.prefer("kuhn", action="bet", beta="x"), "^beta must be a number, got 'x'$"),
    "player x": (lambda path: r.prefer("kuhn", action="bet", player="x"), "^player must be a whole number, got 'x'$"),
    "jobs in text": (lambda path: r.sweep("kuhn", out=path / "s", jobs="x"), "^jobs at once must be a number .*'x'$"),
    "half a job": (lambda path: r.sweep("kuhn", out=path / "s", jobs=1.5), "^jobs at once must be a number .*1.5$"),
    "place 3": (lambda path: r.sweep("kuhn", out=path / "s", on=3), "^on must be a text, .*, got 3$"),
    "sweep watched by 3": (lambda path: r.sweep("kuhn", out=path / "s", watch=3), "^watch is a function .*, not 3$"),
    "match watched by 3": (lambda path: r.match("kuhn", ["random"] * 2, watch=3), "^watch is a function .*, not 3$"),
    "meter 3": (
        lambda path: r.match("kuhn", ["random"] * 2, meter=3),
        "^a meter has counted, note .*, which 3 has not$",
    ),
    "two players": (
        lambda path: r.find_best_response("kuhn", r.Strategy.uniform("kuhn"), player=np.array([0, 1])),
        r"^there is no player array\(\[0, 1\]\) in ",
    ),
    "nobody at the table": (lambda path: Session.start("kuhn", NOBODY), "^bots must be a list of 2, one for each "),
    "3 at the table": (lambda path: Session.start("kuhn", THREE), "^bots must be a list of 2, .*, got 3$"),
    "matrix of text": (lambda path: r.make_matrix("x"), "^payoffs must be numbers in equal rows, .*, got 'x'$"),
    "matrix of nothing": (lambda path: r.make_matrix({}), "^payoffs must be numbers in equal rows, .*, got {}$"),
    "matrix of rows": (lambda path: r.make_matrix([[1], [1, 2]]), "^payoffs must be numbers in equal rows, "),
    "matrix of one": (lambda path: r.make_matrix(1.5), r"^payoffs must be \[player, action, ...\] .*, got \(\)$"),
    "names 3": (lambda path: r.make_matrix([[1]], 3), "^names are lists of texts, .*, not 3$"),
    "named by numbers": (lambda path: r.make_matrix([[1]], [1, 2]), r"^names are lists of texts, .*, not \[1, 2\]$"),
}


@pytest.mark.parametrize("call", CALLS)
def test_in_one_sentence(call: str, tmp_path: Path) -> None:
    do, words = CALLS[call]
    with pytest.raises(RuseError, match=words):
        do(tmp_path)
    assert not list(tmp_path.iterdir())


def test_preferences_may_be_an_array() -> None:
    texts = ["bet, player 0, first: delta=10"]
    for given in (texts, np.array(texts)):
        assert r.train("kuhn", "dcfr", prefer=given, iterations=2).solver.prefer.texts == texts


def test_a_game_to_load_a_strategy_with(tmp_path: Path) -> None:
    r.Strategy.uniform("kuhn").save(tmp_path / "strategy")
    for game, words in ((3, "^a game is needed, such as .*, got 3"), (ruse.Kuhn, "^Kuhn is a class, and a game is")):
        with pytest.raises(RuseError, match=words):
            r.Strategy.load(tmp_path / "strategy", game=game)


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    strategy = r.Strategy.uniform("kuhn")
    path = str(tmp_path / "\u00e9\ud800")
    for call in (
        lambda: strategy.save(path),
        lambda: r.Strategy.load(path),
        lambda: r.make_run(path, "kuhn", iterations=1),
    ):
        with pytest.raises(
            RuseError, match=r"^no file can be called .*: it has a character that the system cannot write$"
        ):
            call()
    assert not list(tmp_path.iterdir())
