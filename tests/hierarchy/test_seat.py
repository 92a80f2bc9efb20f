"""A strategy of the abstract game in a seat of the plain one: it plays the same, in matches, sessions and commands."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from commands import Ruse
from watched_games import Always, ByHash, Everything, Watched

import ruse as package
from ruse.errors import RuseError
from ruse.games.cheat.bots import BOTS, Heuristic
from ruse.games.cheat.policies import AtTable, Honest, Liar, Manners
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import view_of
from ruse.hierarchy.abstract import Chosen
from ruse.hierarchy.hierarchy import Hierarchy
from ruse.hierarchy.points import EveryTurns
from ruse.play.bots.bot import playing
from ruse.play.match import match, play_one
from ruse.play.seats import seated
from ruse.play.session import Person, Session
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.strategy import Strategy

GAME = Cheat(ranks=3, copies=2, deal=2, hp=1)
SPEC = "cheat:hp=1"


@pytest.fixture(scope="module")
def strategy() -> Strategy:
    """A strategy that chooses policies by some hundred iterations."""
    return package.train(GAME, package.mccfr("external"), iterations=300, view=Manners(every=2), seed=3).strategy


class Diary:
    """A bot's seat that writes down what was answered."""

    def __init__(self, seat: Any, answers: list[int]) -> None:
        self.seat, self.answers, self.bot = seat, answers, seat.bot

    def sit_down(self) -> None:
        self.seat.sit_down()

    def look_on(self, game: Any, s: Any, player: int) -> None:
        self.seat.look_on(game, s, player)

    def answer(self, game: Any, s: Any, player: int, count: int, u: float) -> Any:
        self.answers.append(int(self.seat.answer(game, s, player, count, u)))
        return self.answers[-1]


@pytest.mark.parametrize("in_key", [True, False])
@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_a_seat_plays_as_in_the_abstract_game(players: int, recall: bool, in_key: bool) -> None:
    """The same deals and the same choices, by the key alone, come to the same rows."""
    game = Cheat(ranks=4, copies=3, deal=4, players=players, hp=2)
    policies = [Honest(), Liar(), Heuristic()]
    points: Any = EveryTurns(3) if in_key else SomeOf(3)
    hierarchy = Hierarchy.of(*policies, points=points, features=AtTable(), recall=recall, legal_in_key=in_key)
    abstract, chooser = hierarchy.abstract(game), ByHash(7)
    for deal in range(15):
        answers: list[int] = []
        seats = [Diary(seated(game, hierarchy.seat(game, chooser)), answers) for _ in range(players)]
        payoffs = play_one(game, seats, seed=5, deal=deal, rotation=0)
        chosen: list[int] = []
        choosing = [Diary(seated(abstract, Chooses(chooser)), chosen) for _ in range(players)]
        assert play_one(abstract, choosing, seed=5, deal=deal, rotation=0) == payoffs
        assert len(chosen) < len(answers)  # policies last for several moves


class SomeOf(NamedTuple):
    """The same turns; at some of them the first policy may not be chosen, at some the last alone."""

    turns: int

    def stage(self, game: Any, seen: Any, me: int, moves: int) -> int:
        return moves // self.turns + 1

    def allows(self, game: Any, seen: Any, me: int, policy: int) -> bool:
        return policy >= int(seen.sum()) % 3


class Chooses(NamedTuple):
    """Chooses by the keys of the abstract game."""

    chooser: Any
    sees: Any = Chosen()

    def choose(self, key: int, count: int, u: float) -> int:
        return int(self.chooser.choose(key, count, u))


def test_compiled_and_plain_matches_are_the_same(strategy: Strategy) -> None:
    deals, seats = 60, [seated(GAME, bot) for bot in (playing(strategy), BOTS["heuristic"])]
    found = match(GAME, [strategy, BOTS["heuristic"]], deals=deals, seed=2)
    mean = 0.0
    for deal in range(deals):
        mean += play_one(GAME, seats, seed=2, deal=deal, rotation=0)[0] / deals / 2
        mean += play_one(GAME, seats, seed=2, deal=deal, rotation=1)[1] / deals / 2
    assert found.mean[0] == pytest.approx(mean, abs=1e-12)
    assert found.names == ("mccfr", "Heuristic")


def test_a_session_has_a_seat_for_it(strategy: Strategy) -> None:
    session = Session.start(GAME, [Person("Ann"), strategy], seed=4)
    while not session.is_over:
        session.act(0, 0)
    assert sum(session.scene(0).payoffs) == 0


def test_it_cannot_say_what_it_does_at_a_state_alone(strategy: Strategy) -> None:
    state = State.of(GAME)
    while state.is_chance:
        state = state.child(int(np.argmax(state.chances)))
    with pytest.raises(RuseError, match=r"under Manners\(every=2, recall=False\) the strategy chooses policies"):
        strategy.at(state)


def test_it_is_saved_loaded_and_listed(strategy: Strategy, tmp_path: Path) -> None:
    strategy.save(tmp_path / "s")
    loaded = Strategy.load(tmp_path / "s")
    assert loaded.view == Manners(every=2)
    assert np.array_equal(loaded.probability, strategy.probability)
    told = list(loaded)
    assert {"honest", "liar", "sceptic"} == set(told[0].actions)
    assert any(choice.name.startswith("challenge, 1 laid, 1 of this rank") for choice in told)
    as_it_was = (tmp_path / "s").read_bytes()
    (tmp_path / "t").write_bytes(as_it_was.replace(b"Manners(every=2,", b"Manners(every=3,"))
    with pytest.raises(RuseError):
        Strategy.load(tmp_path / "t")


def test_views_have_names() -> None:
    assert view_of("policies", GAME) == Manners()
    assert package.catalog.names.view("Manners(every=3)", GAME) == Manners(every=3)
    with pytest.raises(RuseError, match="every is a number of decisions, at least 1, got 0"):
        package.catalog.names.view("Manners(every=0)", GAME)


def test_teachers_and_full_walks_do_not_go_with_it() -> None:
    with pytest.raises(RuseError, match="only sampled walks understand"):
        package.train(GAME, package.cfr_plus(), iterations=1, view=Manners())
    against = package.Teachers.of("heuristic")
    with pytest.raises(RuseError, match="a bot has no seat beside them"):
        package.train(GAME, package.mccfr("external"), iterations=1, view=Manners(), against=against)


# ---- what a best response gains --------------------------------------------------------------------------------------


def abstracted(plain: Strategy, hierarchy: Hierarchy) -> Strategy:
    """A strategy of Kuhn as one of policies that are its actions."""
    game = Watched(plain.game)
    rows: dict[int, np.ndarray] = {}
    waiting = [State.of(hierarchy.abstract(game))]
    while waiting:
        state = waiting.pop()
        if state.is_over:
            continue
        if not state.is_chance:
            inside = State.of(plain.game)._replace(row=state.row[: len(plain.game.start())])
            key = int(Full().key(plain.game, inside.row)) & (1 << 64) - 1
            rows[state.infoset] = plain.probabilities(key, 2)
        waiting += state.children()
    keys = np.array(sorted(rows), np.uint64)
    probability = np.concatenate([rows[int(key)] for key in keys])
    return Strategy(game, keys, np.arange(0, 2 * len(keys) + 1, 2), probability, view=hierarchy)


@pytest.mark.parametrize("players", [2, 3])
def test_exploitability_is_that_of_the_plain_strategy(players: int) -> None:
    hierarchy = Hierarchy.of(Always(0), Always(1), points=EveryTurns(), features=Everything())
    run = package.train(package.Kuhn(players=players), package.cfr_plus(), iterations=20)
    found = package.measure_exploitability(Watched(run.game), abstracted(run.strategy, hierarchy))
    assert found.values == pytest.approx(run.measured.values, abs=1e-9)
    assert found.best == pytest.approx(run.measured.best, abs=1e-9)


@pytest.mark.slow
def test_a_response_is_learned_against_policies(strategy: Strategy) -> None:
    bound = package.bound_exploitability(GAME, strategy, iterations=20_000, deals=20_000)
    exact = package.measure_exploitability(GAME, strategy)
    assert 0.5 * float(exact) < bound.bound < float(exact)


@pytest.mark.slow
def test_all_of_a_sampled_training_goes_with_it() -> None:
    """Threads come to one result for any number of them, thresholds prune, and a run goes on where it stopped."""
    solver = package.mccfr("external", prune="threshold")
    found = [
        package.train(GAME, solver, iterations=400, view=Manners(), threads=threads).strategy for threads in (1, 2)
    ]
    assert np.array_equal(found[0].probability, found[1].probability)
    debugged = package.train(GAME, package.mccfr("chance"), iterations=50, view=Manners(recall=True), debug_keys=True)
    assert len(debugged.strategy) > len(found[0])


# ---- the command line ------------------------------------------------------------------------------------------------


def test_commands(ruse: Ruse) -> None:
    solved = ruse("solve", SPEC, "--rule", "mccfr", "--walk", "external", "--iterations", "300", "--view",
                  "Manners(every=2)", "--out", "s.strategy")  # fmt: skip
    assert solved.code == 0, solved.err
    shown = ruse("show", "s.strategy")
    assert "view Manners(every=2" in shown.out
    assert "sceptic" in shown.out
    played = ruse("match", SPEC, "s.strategy", "heuristic", "--deals", "50")
    assert played.code == 0, played.err
    assert "Heuristic" in played.out or "heuristic" in played.out
