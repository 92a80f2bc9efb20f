"""Whatever the command line takes as text, public functions take too; what is wrong is told in one sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ruse

KUHN = ruse.Kuhn()


@pytest.fixture(scope="module")
def run() -> ruse.Run:
    return ruse.train("kuhn", "dcfr", iterations=1e2)


def test_words_train_what_things_train(run: ruse.Run) -> None:
    plain = ruse.train(KUHN, ruse.dcfr(), iterations=100)
    assert run.game == KUHN
    assert run.solver == ruse.dcfr()
    assert run.iterations == 100
    assert run.curve[-1][2] == plain.curve[-1][2]
    assert str(ruse.Job("kuhn", "cfr+", iterations=10)) == "ruse solve kuhn --rule cfr+ --iterations 10"


def test_parts_of_a_solver_by_name() -> None:
    job = ruse.Job.of("kuhn", "dcfr", {"walk": "external", "prefer": "bet, player 0, first: delta=5", "iterations": 1})
    assert job.solver.samples
    assert [str(rule) for rule in job.solver.prefer.rules] == ["bet, player 0, first: delta=5"]
    assert ruse.Job.of("kuhn", None, {"memory": "1MB", "iterations": 1}).memory == 1_000_000
    with pytest.raises(ruse.RuseError, match=r"^walk is a part of the solver: give it to that, as in ruse.dcfr\(walk"):
        ruse.train(KUHN, ruse.dcfr(), walk="external", iterations=1)


def test_games_that_name_a_usual_way_are_trained_that_way() -> None:
    job = ruse.Job.of("holdem:players=2,streets=1,stack=4", None, {"iterations": 1})
    assert job.solver.samples
    assert job.rule is not None


def test_what_holds_a_strategy_is_one(run: ruse.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run.strategy.save("kuhn.strategy")
    value = float(ruse.measure_exploitability(KUHN, run.strategy))
    for given in (run, "kuhn.strategy", Path("kuhn.strategy")):
        assert float(ruse.measure_exploitability("kuhn", given)) == value
    bots: list[Any] = [run, "kuhn.strategy"]
    result = ruse.match("kuhn", bots, deals=1e2)
    assert result.names == ("dcfr", "kuhn.strategy")
    assert ruse.match("kuhn", ["random", "random"], deals=10).names == ("random", "random")
    assert ruse.what_here(run, "K").player == 0
    assert ruse.Session.start("kuhn", ["kuhn.strategy", "random"], seed=1).names == ["kuhn.strategy", "random"]


def test_runs_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    directory = ruse.make_run("runs", "kuhn", "cfr", iterations=10)
    assert ruse.train("kuhn", "cfr", iterations=10, directory="last").directory.path == directory.path
    assert ruse.resume("last", iterations=20).iterations == 20
    assert ruse.resume("kuhn-cfr", iterations=30, game="kuhn", solver="cfr", view="full").iterations == 30
    assert len(ruse.explain("last")) == 12


def test_exact_answers_by_name() -> None:
    pytest.importorskip("scipy")
    assert ruse.solve_exactly("kuhn").value == pytest.approx(-1 / 18)
    assert ruse.find_equilibrium("kuhn").value == pytest.approx(-1 / 18)
    assert ruse.find_equilibria("kuhn", "bet, player 0, first").metrics[0].highest == pytest.approx(4 / 9)


class HasAStrategy:
    """A bot with a field that happens to be called so."""

    strategy = "bold"

    def act(self, seat: ruse.bots.Seat) -> int:
        return 0


def test_a_bot_may_have_a_strategy_of_its_own() -> None:
    assert ruse.match("kuhn", [HasAStrategy(), "random"], deals=2).names == ("HasAStrategy", "random")


BAD: list[tuple[Callable[..., Any], str]] = [
    (lambda run: ruse.train("leduk", iterations=1), "^unknown game 'leduk'; did you mean leduc"),
    (lambda run: ruse.train(5, iterations=1), "^a game is needed, such as ruse.Leduc"),
    (lambda run: ruse.train(ruse.Kuhn, iterations=1), "^Kuhn is a class, and a game is needed"),
    (lambda run: ruse.train("kuhn", "dcfq", iterations=1), "^unknown rule 'dcfq'; did you mean dcfr"),
    (lambda run: ruse.train("kuhn", 5, iterations=1), "^solver must be such as ruse.dcfr"),
    (lambda run: ruse.train("kuhn", iterations="many"), "^iterations must be a whole number"),
    (lambda run: ruse.Training("kuhn"), "^a training is of a ruse.Job"),
    (lambda run: ruse.make_game(5), "^a game is named by a text"),
    (lambda run: ruse.make_bot(5, "kuhn"), "^a bot is named by a text"),
    (lambda run: ruse.make_bot("nobody", "kuhn"), "^unknown bot 'nobody'; kuhn has random$"),
    (lambda run: ruse.match("kuhn", [run, "nobody"]), "there is no strategy file 'nobody'.*kuhn has the bots random$"),
    (lambda run: ruse.match("kuhn", [run, 5]), "^5 is no bot"),
    (lambda run: ruse.match("kuhn", [run, ruse.RandomBot]), "^RandomBot is a class, and a bot is needed"),
    (lambda run: ruse.match("kuhn", 5), "^bots must be a list of 2"),
    (lambda run: ruse.match("kuhn", [run]), "takes 2 bots, got 1$"),
    (lambda run: ruse.match("kuhn", [run, run], deals=2.5), "^deals must be a whole number, got 2.5$"),
    (lambda run: ruse.match("kuhn", [run, run], deals=1), "^deals must be at least 2, got 1$"),
    (lambda run: ruse.measure_exploitability("kuhn", 5), "^a strategy is needed: one, a run, a file"),
    (lambda run: ruse.measure_exploitability("leduc", run), "^the strategy is for Kuhn"),
    (lambda run: ruse.expected_values("kuhn", run), "^give 2 strategies, one for each player"),
    (lambda run: ruse.compare(run, 5), "^a strategy is needed"),
    (lambda run: ruse.export(5), "^a strategy is needed"),
    (lambda run: ruse.measure_style(5), "^a strategy is needed"),
    (lambda run: ruse.measure_style(run, [5]), "^a metric is a text"),
    (lambda run: ruse.style("kuhn", 5), "^a target is a text"),
    (lambda run: ruse.resume(5), "^a run is its directory, its name or a path, not 5$"),
    (lambda run: ruse.Strategy.uniform(5), "^a game is needed"),
    (lambda run: ruse.State.of("kuhn"), "^'kuhn' is a text, and a game is needed"),
    (lambda run: ruse.State.of(KUHN).after("X"), "^no action 'X' after the start; there is: J, Q, K$"),
    (lambda run: run.strategy[5], "^an infoset is called by a text"),
    (lambda run: run.strategy.at(5), "^a place is a state, the name of an infoset or a history, not 5$"),
    (lambda run: run.strategy.at(["K", "J", "pass", "pass"]), "^nobody acts after K, J, pass, pass: the game is over$"),
    (lambda run: ruse.find_best_response("kuhn", run, player=2), "^there is no player 2"),
    (lambda run: run.plot(across="hours"), "^a run is drawn across iterations or seconds, not across 'hours'$"),
    (lambda run: run.plot(across=[]), "^a run is drawn across iterations or seconds"),
    (lambda run: run.plot(across={}), "^a run is drawn across iterations or seconds"),
    *[(lambda run, w=w: ruse.train("kuhn", walk=w, iterations=1), "^walk is a text here") for w in (3, [], b"x", True)],
    (lambda run: ruse.train("kuhn", prune=3, iterations=1), "^prune is a text here, such as 'threshold', not 3"),
    (lambda run: ruse.train("kuhn", prune=b"x", iterations=1), "^prune is a text here"),
    (lambda run: ruse.train("kuhn", watch=3, iterations=1), "^watch is a function"),
    (lambda run: ruse.Training(ruse.Job(KUHN, iterations=1)).complete(3), "^watch is a function"),
    (lambda run: ruse.train("kuhn", bogus=1, iterations=1), "^'bogus' cannot be asked for here; there is view, seed,"),
    (lambda run: ruse.solve_locked("kuhn", {"J": "bet"}, directory="x", iterations=1), "^'directory' cannot be asked"),
    (lambda run: ruse.what_here(run, None), "^a place is the name of an infoset or a history, not None$"),
    (lambda run: ruse.what_here(run, 3), "^a place is the name of an infoset or a history, not 3$"),
    (lambda run: ruse.what_here(run, [None]), "^no action None"),
    (lambda run: ruse.expected_values("kuhn", None), "^give 2 strategies, one for each player, not None$"),
    (lambda run: ruse.expected_values("kuhn", 3), "^give 2 strategies"),
    *[(lambda run, p=p: ruse.Strategy.from_openspiel(p, "kuhn"), "^a policy of OpenSpiel is") for p in ("x", None, 3)],
    *[(lambda run, g=g: ruse.State.of(g), "^a game is needed, such as ruse.Leduc") for g in (None, 3, b"x", [])],
    (lambda run: ruse.draw_tree("kuhn", depth="nope"), "^depth must be a whole number, got 'nope'$"),
    (lambda run: ruse.draw_tree("kuhn", depth=[]), "^depth must be a whole number"),
    *[(lambda run, p=p: ruse.make_run(p, "kuhn", iterations=1), "^a file or a folder is") for p in (None, 3, b"x", "")],
    *[(lambda run, p=p: run.strategy.save(p), "^a file or a folder is named by a") for p in (None, 3, b"x", "", "\0")],
    *[(lambda run, p=p: ruse.Strategy.load(p), "^a file or a folder is") for p in (1, True, None, 3.5, [], "")],
    (lambda run: run.strategy.save("."), "^cannot write .: it is a folder"),
    (lambda run: ruse.resume(""), "^no run is called by an empty text"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_what_is_wrong_is_told_in_a_sentence(
    call: Callable[..., Any], words: str, run: ruse.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ruse.RuseError, match=words):
        call(run)
    assert not list(tmp_path.iterdir())
