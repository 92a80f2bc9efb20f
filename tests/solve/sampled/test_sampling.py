"""Sampled walks: they weigh as their rule says, they converge, and a view or the command line may choose them."""

import json
from pathlib import Path
from typing import NamedTuple

import naive
import numpy as np
import pytest
from marks import compiled_only
from random_games import random_game
from sampled_walks import expl, few_walks

import ruse
from ruse.cli import main
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.games.explicit import Builder, Explicit
from ruse.games.leduc import LastRound
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling, Traversal
from ruse.solve.solver.presets import PRESETS, Solver
from ruse.solve.solver.rules import FADING, NEGATIVE, POSITIVE
from ruse.solve.solver.threshold import Never, Nowhere, Threshold
from ruse.solve.table.sampling import Clock, Parts, refresh
from ruse.solve.table.writers import Plain

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


# ---- equal to the slow twin where nothing is sampled -----------------------------------------------------------------


def open_game() -> Explicit:
    """No chance and nothing hidden: chance sampling walks all of it, and meets every infoset once."""
    tree, draw = Builder("open", 2), np.random.default_rng(0)
    waiting = [(0, "", 0)]
    while waiting:
        node, history, moves = waiting.pop()
        if moves == 4:
            x = float(draw.normal())
            tree.end(node, [x, -x])
            continue
        n = int(draw.integers(2, 4))
        child = tree.decide(node, player=moves % 2, infoset=history or "start", actions=[f"a{a}" for a in range(n)])
        waiting += [(child + a, f"{history} {a}", moves + 1) for a in range(n)]
    return tree.game()


@pytest.mark.parametrize("preset", ["cfr", "cfr_plus", "lcfr", "dcfr"])
def test_weights_are_those_of_the_rule(preset: str) -> None:
    game, iterations = open_game(), 12
    solver = PRESETS[preset](walk="chance")
    engine = SampledEngine(game, solver, dtype=np.float64)
    engine.run(0, iterations)
    root = naive.tree(game)
    twin = naive.Cfr(root, 2, naive.RULES[preset], alternating=False).run(iterations, planned=iterations)
    for infoset, n in naive.infosets(root).items():
        first = engine.table.row(np.uint64(naive.key_of(infoset)).astype(np.int64), n)
        np.testing.assert_allclose(engine.table.rows[first : first + n], twin.regret[infoset], 1e-9, 1e-12)
        np.testing.assert_allclose(engine.table.rows[first + n : first + 2 * n], twin.average[infoset], 1e-9, 1e-12)
    assert engine.table.infosets == len(twin.regret)


@pytest.mark.parametrize("solver", [ruse.lcfr(), ruse.dcfr(), ruse.dcfr(1.5, 0.5, 3.0)], ids=repr)
def test_weights_come_late_but_whole(solver: Solver) -> None:
    clock = Clock.of(solver.weighting)
    assert not clock.is_idle
    assert Clock.of(ruse.cfr().weighting).is_idle
    start = np.array([0.0, 3.0, -2.0, 0.0, 5.0, 1.0, 0.5])  # stamp, regrets, averages
    parts = Parts(solver.minimizer, clock, Plain(), Never(), Traversal())
    late, step_by_step, by_hand = start.copy(), start.copy(), start.copy()
    for period in range(1, 31):
        refresh(step_by_step, parts, 1, 3, period)
        if period in (4, 5, 17, 30):
            refresh(late, parts, 1, 3, period)
        weights = solver.weighting.weights(period + 1, 0.0)
        by_hand[1:4] *= np.where(by_hand[1:4] > 0, weights[POSITIVE], weights[NEGATIVE])
        by_hand[4:] *= weights[FADING]
        by_hand[0] = period
    np.testing.assert_allclose(late, by_hand, rtol=1e-12)
    np.testing.assert_allclose(step_by_step, by_hand, rtol=1e-12)
    assert abs(late[2]) < 0.5 * abs(start[2])
    before = late.copy()
    refresh(late, parts, 1, 3, 30)  # the second visit in a period
    assert late.tobytes() == before.tobytes()


def test_periods_grow_with_time_whatever_is_planned() -> None:
    clock = Clock.of(ruse.lcfr().weighting, fineness=4)
    number = [clock.period(t) for t in range(1, 41)]
    assert number[:8] == list(range(8))
    assert number[8:16] == [8, 8, 9, 9, 10, 10, 11, 11]
    assert number[16:] == [12] * 4 + [13] * 4 + [14] * 4 + [15] * 4 + [16] * 8
    # In linear CFR an iteration counts in proportion to how many have passed; here, when its period ends.
    weight = np.exp(-clock.fading)
    assert weight[: number[-1]] == pytest.approx([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32], rel=1e-12)
    assert clock.period(2**61) < len(clock.positive) < 2**24, "a stamp of 32 bits can tell it"
    assert Clock.of(ruse.cfr().weighting).period(2**61) == 0
    fine = Clock.of(ruse.dcfr_plus().weighting)
    assert fine.fineness > Clock.of(ruse.dcfr().weighting).fineness, "no negative regret is weighed in every period"
    assert fine.period(2**61) < len(fine.positive) < 2**24


# ---- converging ------------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(
    ("game", "walk", "iterations", "bound"),
    [
        (KUHN, "external", 100_000, 0.006),
        (KUHN, "average", 100_000, 0.008),
        (KUHN, "chance", 100_000, 0.006),
        (KUHN, "outcome", 200_000, 0.008),
        (KUHN, "robust", 200_000, 0.010),
        (KUHN, "probing", 100_000, 0.010),
        (ruse.Kuhn(players=3), "external", 100_000, 0.008),
        (ruse.Kuhn(players=3), "average", 100_000, 0.008),
        (ruse.Kuhn(players=3), "chance", 100_000, 0.006),
        (ruse.Kuhn(players=3), "outcome", 200_000, 0.010),
        (ruse.Kuhn(players=3), "probing", 100_000, 0.010),
        (LEDUC, "external", 200_000, 0.08),  # about 1e7 histories
        pytest.param(LEDUC, "average", 200_000, 0.10, marks=pytest.mark.slow),
        pytest.param(LEDUC, "chance", 100_000, 0.09, marks=pytest.mark.slow),
        (LEDUC, "outcome", 400_000, 0.22),
        pytest.param(LEDUC, "robust", 400_000, 0.25, marks=pytest.mark.slow),
        pytest.param(LEDUC, "probing", 200_000, 0.15, marks=pytest.mark.slow),
        pytest.param(ruse.LiarsDice(sides=4), "external", 100_000, 0.02, marks=pytest.mark.slow),
        pytest.param(ruse.LiarsDice(sides=4), "average", 200_000, 0.03, marks=pytest.mark.slow),
        pytest.param(ruse.LiarsDice(sides=4), "chance", 20_000, 0.03, marks=pytest.mark.slow),
        pytest.param(ruse.LiarsDice(sides=4), "outcome", 400_000, 0.05, marks=pytest.mark.slow),
    ],
    ids=lambda value: type(value).__name__ + str(value.players) if isinstance(value, tuple) else str(value),
)
def test_converges(game: ruse.Game, walk: str, iterations: int, bound: float) -> None:
    engine = SampledEngine(game, ruse.mccfr(walk), seed=0)
    engine.run(0, iterations // 100)
    early = expl(engine)
    engine.run(iterations // 100, iterations - iterations // 100)
    assert expl(engine) < bound < early
    assert engine.facts.nodes > iterations


@compiled_only
@pytest.mark.parametrize("preset", ["cfr", "cfr_plus", "lcfr", "dcfr", "cfvfp", "hedge"])
def test_rules_converge_under_sampling(preset: str) -> None:
    run = ruse.train(KUHN, PRESETS[preset](walk="external"), iterations=100_000, seed=1)
    assert run.exploitability < 0.012
    assert run.game_value == pytest.approx(-1 / 18, abs=0.01)


@pytest.mark.parametrize("preset", ["pcfr_plus", "pdcfr_plus", "hs_pcfr_plus"])
def test_predictions_are_refused(preset: str) -> None:
    words = f"^{preset} predicts the next regret from the last, which sampling turns into noise; use dcfr$"
    with pytest.raises(RuseError, match=words):
        ruse.train(KUHN, PRESETS[preset](walk="external"), iterations=10)


def test_schedules_are_refused() -> None:
    words = "^hs_dcfr follows a schedule made for full iterations; use lcfr or dcfr with sampling$"
    with pytest.raises(RuseError, match=words):
        ruse.train(KUHN, ruse.hs_dcfr(walk="outcome"), iterations=10)


def test_unknown_walks_are_refused() -> None:
    with pytest.raises(RuseError, match=r"^unknown walk 'brisk'; there are full, .*, average, robust, probing$"):
        ruse.mccfr("brisk")
    with pytest.raises(RuseError, match=r"is not a sampled walk$"):
        SampledEngine(KUHN, ruse.cfr())


@pytest.mark.slow
@compiled_only
def test_the_last_round_can_be_spared() -> None:
    nodes = {}
    for name, exempt in (("none", Nowhere()), ("last", LastRound())):
        engine = SampledEngine(LEDUC, ruse.mccfr(ExternalSampling(Threshold(-300.0, exempt=exempt))), seed=0)
        engine.run(0, 100_000)
        nodes[name] = engine.facts.nodes
    whole = SampledEngine(LEDUC, ruse.mccfr(), seed=0)
    whole.run(0, 100_000)
    assert nodes["none"] < 0.95 * nodes["last"]
    assert nodes["last"] < 0.99 * whole.facts.nodes


@compiled_only
@few_walks
def test_a_decision_of_too_many_actions_is_refused(walk: str) -> None:
    with pytest.raises(RuseError, match="a decision with more than 4,096 actions"):
        SampledEngine(ruse.matrix(np.ones((2, 5_000))), ruse.mccfr(walk)).run(0, 1)


@compiled_only
def test_pruning_visits_less_and_converges_as_well() -> None:
    engines = {}
    for pruning in (Never(), Threshold(-300.0)):
        engine = SampledEngine(LEDUC, ruse.mccfr(ExternalSampling(pruning)), seed=0)
        engine.run(0, 200_000)
        engines[type(pruning)] = engine
    whole, pruned = engines[Never], engines[Threshold]
    assert pruned.facts.nodes < 0.85 * whole.facts.nodes
    assert expl(pruned) < 1.3 * expl(whole)


# ---- views and the command line --------------------------------------------------------------------------------------


@compiled("key")
class Forgetful(NamedTuple):
    """Kuhn poker with nothing but the card, and the seat unless the players share what they learn."""

    shares: bool = False

    def key(self, game, s):
        card = game.infoset(s) % (game.players + 1)
        return card if self.shares else card * game.players + game.player(s)


@compiled_only
def test_a_view_is_judged_in_the_whole_game() -> None:
    run = ruse.train(KUHN, ruse.mccfr(), iterations=50_000, view=Forgetful())
    assert len(run.strategy) == 6  # 3 cards x 2 players
    assert run.facts["infosets"] == 6
    assert run.strategy["Q"] == run.strategy["Q, pass bet"]
    assert run.exploitability == float(ruse.exploitability(KUHN, run.strategy))
    assert 0.01 < run.exploitability < 0.4  # what it forgets costs it, however long it trains


@pytest.mark.slow
@compiled_only
def test_players_may_share_their_infosets_under_a_view() -> None:
    run = ruse.train(KUHN, ruse.mccfr("chance"), iterations=1_000, view=Forgetful(shares=True))
    assert run.facts["infosets"] == len(run.strategy) == 3
    with pytest.raises(RuseError, match=r"the players of .* share infosets, .* use a sampled walk"):
        ruse.train(KUHN, ruse.cfr(), iterations=1, view=Forgetful(shares=True))


@compiled_only
def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["solve", "leduc", "--walk", "external", "--iterations", "20000", "--seed", "0", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    engine = SampledEngine(LEDUC, PRESETS[told["rule"]](walk="external"), seed=0)
    engine.run(0, 20_000)
    assert (told["nodes"], told["infosets"], told["bytes"], told["collisions"]) == engine.facts
    assert told["nodes_per_second"] == pytest.approx(told["nodes"] / told["seconds"])
    assert (told["walk"], told["iterations"], told["seed"], told["infosets"]) == ("external", 20_000, 0, 936)
    assert told["exploitability"] == pytest.approx(expl(engine), abs=1e-12)


@compiled_only
@pytest.mark.parametrize("walk", ["external", pytest.param("outcome", marks=pytest.mark.slow), "probing"])
def test_one_player_learns_too(walk: str) -> None:
    """There is nobody else whose walks would add to the average."""
    game = random_game(4, players=1, zero_sum=False)
    assert float(ruse.exploitability(game, ruse.Strategy.uniform(game))) > 0.1
    assert ruse.train(game, ruse.mccfr(walk), iterations=20_000, seed=1).exploitability < 0.01
