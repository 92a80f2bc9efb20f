"""Training against bots: it is the game with a bot in a seat, and a run like any other."""

import os
import signal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.evaluate.against_bot import MEMORY, AgainstBot
from ruse.games.cheat.bots import BOTS, Naive
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.play.bots.either import Either
from ruse.play.match import match
from ruse.protocol.choices import Own
from ruse.protocol.game import OVER
from ruse.protocol.wrapped import Wrapped
from ruse.solve.sampled.engine import SampledEngine
from ruse.store.runs import RunDirectory
from ruse.training.progress import Progress, Run
from ruse.training.terms.teachers import Teachers

MINI = Cheat(hp=2)
SETTINGS: dict[str, Any] = {
    "iterations": 400,
    "seed": 3,
    "view": Sketch(),
    "against": ruse.Teachers.of("heuristic", share=0.5),
}


def solver() -> ruse.Solver:
    return ruse.lcfr(walk="probing")


def same(one: Run, other: Run) -> bool:
    return all(
        getattr(one.strategy, part).tobytes() == getattr(other.strategy, part).tobytes()
        for part in ("keys", "start", "probability")
    )


def test_it_is_the_game_with_a_bot_in_a_seat() -> None:
    run = ruse.train(MINI, solver(), **SETTINGS)
    facing = AgainstBot.of(MINI, BOTS["heuristic"], Sketch(), share=0.5)
    engine = SampledEngine(facing, solver(), view=Own(), seed=3)
    engine.run(0, 400)
    keys, _, probability = engine.rows()
    assert run.strategy.keys.tobytes() == keys.tobytes()
    assert run.strategy.probability.tobytes() == probability.tobytes()
    assert (run.strategy.game, run.strategy.view) == (MINI, Sketch())
    assert run.facts["against"] == run.strategy.about["against"] == {"bots": ["heuristic"], "shares": [0.5]}
    alone = ruse.train(MINI, solver(), **SETTINGS | {"against": None})
    assert "against" not in alone.facts
    assert not same(run, alone)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_interrupted_and_resumed_is_the_same_to_the_bit(tmp_path: Path) -> None:
    straight = ruse.train(MINI, solver(), **SETTINGS)
    directory = ruse.new_run(tmp_path, MINI, solver(), rule="lcfr:walk=probing", **SETTINGS)

    def interrupt(progress: Progress) -> None:
        if progress.iteration >= 20:
            os.kill(os.getpid(), signal.SIGINT)

    stopped = ruse.train(MINI, solver(), **SETTINGS, directory=directory, watch=interrupt)
    assert stopped.iterations < 400
    assert not stopped.is_finished
    resumed = ruse.resume(RunDirectory.open(directory.path))
    assert resumed.is_finished
    assert same(resumed, straight)
    with pytest.raises(RuseError, match=r"was started with Teachers\(bots=\('heuristic',\), shares=.*, not with T"):
        ruse.resume(directory, against=ruse.Teachers.of("naive"))


def test_a_bot_without_a_name_is_given_again(tmp_path: Path) -> None:
    mine = ruse.Teachers.of(Naive(challenge=0.1))
    settings = SETTINGS | {"iterations": 20, "against": mine}
    directory = ruse.new_run(tmp_path, MINI, solver(), rule="lcfr:walk=probing", **settings)
    with pytest.raises(RuseError, match=r"trains against Teachers\(.*which has no name; give it$"):
        ruse.resume(directory)
    assert ruse.resume(directory, against=mine).iterations == 20


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["solve", "cheat:hp=2", "--rule", "lcfr", "--walk", "probing", "--view", "sketch", "--against"]
    assert main([*words, "heuristic", "--share", "0.5", "--iterations", "30"]) == 0
    assert main(["resume", "last", "--iterations", "60"]) == 0
    assert main(["match", "last", "heuristic", "--deals", "10"]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--against heuristic", "training against a bot samples games; choose a sampled walk, as walk='probing'"),
        ("--share 0.5 --walk probing", "--share 0.5 is a share of games against a bot; say which, as in --against h"),
        ("--walk probing --against nobody", "unknown bot 'nobody'; cheat has random, heuristic"),
        ("--walk probing --against random", "random keeps no books of the game, so it cannot take a seat"),
        ("--walk probing --against naive --share 7", "shares must be above 0, and 1 at most in all, got 7.0"),
        (
            "--walk probing --against naive --share 0.2 --share 0.3",
            "give one share for all bots, or one for each: got",
        ),
        ("--walk external --rule cfr --prune hybrid --against naive", "reviews of hybrid pruning need both players"),
        ("--walk probing --against naive --prefer challenge:delta=5", "a training against bots has no preferences"),
    ],
)
def test_sentences(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "cheat", *words.split()]) == 2
    assert sentence in capsys.readouterr().err
    assert not Path("runs").exists(), "nothing was begun"


THREE = Cheat(players=3, hp=2, max_turns=20)


def test_three_players() -> None:
    """A bot has one of three seats in half of the games."""
    run, alone = (ruse.train(THREE, solver(), **SETTINGS | {"against": a}) for a in (SETTINGS["against"], None))
    assert run.facts["against"] == {"bots": ["heuristic"], "shares": [0.5]}
    assert not same(run, alone)


@pytest.mark.slow
def test_three_players_learn() -> None:
    runs = [ruse.train(THREE, solver(), **SETTINGS | {"iterations": n}) for n in (1, 2_000)]
    shares = [match(THREE, [run.strategy, *[BOTS["heuristic"]] * 2], deals=500, seed=1).win_rate[0] for run in runs]
    assert shares[1] > shares[0] + 0.1


def test_bots_in_turn() -> None:
    facing = ruse.Teachers.of("heuristic", "naive", share=(0.4, 0.2)).facing(MINI, Sketch())
    assert facing.twist.share == pytest.approx(0.6), "the rest is self-play"
    assert facing.twist.bot == Either(BOTS["heuristic"], BOTS["naive"], pytest.approx(2 / 3))
    assert ruse.Teachers.of("heuristic", "naive", share=0.5).shares == (0.25, 0.25)


def test_somebody_must_teach() -> None:
    with pytest.raises(RuseError, match="name a bot to train against"):
        ruse.Teachers.of()


class Astray(NamedTuple):
    """Chooses what is no action when it is asked."""

    what: int = -1

    def memory_size(self, game: Any) -> int:
        return 1

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None:
        pass

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return self.what


def test_a_training_against_a_bot_that_goes_astray_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    facing, draw = AgainstBot.of(MINI, Astray(9_999), Sketch()), np.random.default_rng(0)
    facing.twist.refuse_strange(MINI)
    s = facing.start()
    facing.apply(s, 1)
    while facing.player(s) != OVER:  # what is played is legal
        facing.apply(s, int(draw.integers(facing.num_actions(s))))
    assert np.all(s[facing.columns + MEMORY :][: facing.twist.remembered] == 0)
    with pytest.raises(RuseError, match=r"^Astray chose 9999 as player 1; an action is a whole number from 0 to \d h"):
        facing.twist.refuse_strange(MINI)

    def astray(self: Teachers, game: Any, view: Any) -> Wrapped:
        found = AgainstBot.of(game, BOTS["heuristic"], view, share=0.5)
        found.twist.strange[:] = 1, 0, 7, 2
        return found

    monkeypatch.setattr(Teachers, "facing", astray)
    with pytest.raises(RuseError, match=r"^Heuristic chose 7 as player 0; an action is a whole number from 0 to 1 he"):
        ruse.train(MINI, solver(), **SETTINGS)
