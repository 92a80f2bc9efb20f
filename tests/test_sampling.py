"""Sampled walks: their estimates are unbiased, they converge, and no chunk, checkpoint or kill changes a bit."""

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import naive
import numpy as np
import prefer_twin
import pytest
from random_games import random_game

import ruse
from ruse.cli import main
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.exploitability import exploitability
from ruse.games.explicit import Builder, Explicit
from ruse.games.leduc import LastRound
from ruse.interop import efg
from ruse.runs import RunDirectory
from ruse.solve.external import All
from ruse.solve.presets import PRESETS, Solver
from ruse.solve.prune import Never, Nowhere, Threshold
from ruse.solve.robust import Robust
from ruse.solve.rules import FADING, NEGATIVE, POSITIVE
from ruse.solve.sampled import SampledEngine
from ruse.solve.sampling import Clock, Parts, refresh
from ruse.solve.walks import AverageSampling, ExternalSampling, OutcomeSampling, Probing, RobustSampling
from ruse.solve.writers import Plain
from ruse.strategy import Strategy

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()
WALKS = ("external", "average", "chance", "outcome", "robust", "probing")
every_walk = pytest.mark.parametrize("walk", WALKS)
posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")
compiled_only = pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="needs millions of iterations")


def expl(engine: SampledEngine) -> float:
    return float(exploitability(engine.game, Strategy(engine.game, *engine.rows(), view=engine.view)))


def bits(engine: SampledEngine) -> tuple[bytes, ...]:
    """All that an engine knows, without where it lies."""
    keys, first, width = engine.table.used()
    slots = [np.arange(f - 1, f + engine.table.blocks * w) for f, w in zip(first, width, strict=True)]
    return keys.tobytes(), width.tobytes(), engine.table.rows[np.concatenate(slots)].tobytes()


# ---- unbiased --------------------------------------------------------------------------------------------------------


@compiled("add", "add_above", "weigh", "claim")
class Aside(NamedTuple):
    """A writer that leaves the table as it is, and adds up beside it what it was given."""

    sums: np.ndarray

    def add(self, array, k, x):
        self.sums[k] += x

    def add_above(self, array, k, x, floor):
        self.sums[k] += x

    def weigh(self, array, k, above, below):
        pass

    def claim(self, array, k, old, new):
        return False


GAMES: dict[str, Explicit] = {  # all of one type, which is compiled once
    "kuhn": efg.parse(efg.dump(KUHN)),
    "kuhn_3": efg.parse(efg.dump(ruse.Kuhn(players=3))),
    "random_2": random_game(5),
    "random_3_general": random_game(3, players=3, zero_sum=False),
}
SAMPLED: dict[str, Any] = {
    "external": "external",
    "average": AverageSampling(),
    "chance": "chance",
    "outcome": OutcomeSampling(),
    "outcome_plain": OutcomeSampling(rate=0.0),
    "robust": RobustSampling(Robust(1.2)),
    "probing": Probing(),
    "probing_on_policy": Probing(epsilon=0.3),
}
# The frozen regrets are all below -1 or above 1, so that everything negative is skipped in four walks of five.
PRUNED: dict[str, Any] = {
    "external_pruned": ExternalSampling(Threshold(-1.0, exploring=0.2)),
    "robust_pruned": RobustSampling(Robust(1.2), Threshold(-1.0, exploring=0.2)),
    "probing_pruned": Probing(pruning=Threshold(-1.0, exploring=0.2)),
}
ITERATIONS = {"external": 3_000, "average": 6_000, "chance": 2_000, "outcome": 20_000, "outcome_plain": 30_000,
              "robust": 12_000, "probing": 6_000, "probing_on_policy": 6_000}  # fmt: skip
BATCHES = 100


class Truth(NamedTuple):
    """What one iteration adds to every slot on average, from the whole tree."""

    regret: np.ndarray
    average: np.ndarray
    own: dict[naive.Infoset, float]


@cache
def tree(name: str) -> naive.Node:
    return naive.tree(GAMES[name])


Moves = dict[naive.Infoset, list[float]]  # how each infoset is left, by action


def random_moves(root: naive.Node) -> Moves:
    return {infoset: [1 / n] * n for infoset, n in naive.infosets(root).items()}


def often_met(root: naive.Node, others: Moves | None) -> dict[naive.Infoset, float]:
    """How often an infoset is met if its owner plays towards it and the others move like this; None: towards it too."""
    met: dict[naive.Infoset, float] = {}

    def walk(node: naive.Node, chance: float, moved: list[float]) -> None:
        if node.infoset is not None:
            met[node.infoset] = met.get(node.infoset, 0.0) + chance * math.prod(
                share for p, share in enumerate(moved) if p != node.player
            )
        for a, child in enumerate(node.children):
            if node.infoset is None:
                walk(child, chance * node.chances[a], moved)
            else:
                share = others[node.infoset][a] if others else 1.0
                walk(child, chance, [m * share if p == node.player else m for p, m in enumerate(moved)])

    walk(root, 1.0, [1.0] * 8)
    return met


def owners_reach(root: naive.Node, moves: Moves) -> dict[naive.Infoset, float]:
    """The probability that its owner's own moves lead to an infoset."""
    found: dict[naive.Infoset, float] = {}

    def walk(node: naive.Node, moved: list[float]) -> None:
        if node.infoset is not None:
            assert found.setdefault(node.infoset, moved[node.player]) == moved[node.player], "perfect recall"
        for a, child in enumerate(node.children):
            share = 1.0 if node.infoset is None else moves[node.infoset][a]
            walk(child, [m * share if p == node.player else m for p, m in enumerate(moved)])

    walk(root, [1.0] * 8)
    return found


def frozen(
    name: str, walk: str, seed: int = 0, prefer: Sequence[str] = ()
) -> tuple[SampledEngine, dict[naive.Infoset, slice], Truth]:
    """An engine that never learns, with some regrets and averages; where rows lie; what it should measure."""
    game, root = GAMES[name], tree(name)
    engine = SampledEngine(game, ruse.mccfr((SAMPLED | PRUNED)[walk], prefer=prefer), seed=seed)
    wanted = prefer_twin.wishes(game, [ruse.preference(text) for text in prefer])
    draw = np.random.default_rng(1)
    twin = naive.Cfr(root, game.players, naive.RULES["cfr"])
    where: dict[naive.Infoset, slice] = {}
    for infoset, n in naive.infosets(root).items():
        first = engine.table.row(np.uint64(naive.key_of(infoset)).astype(np.int64), n)
        where[infoset] = slice(first, first + n)
        regret = draw.integers(2, 6, n) * np.where(draw.random(n) < 0.2, -1.0, 1.0)
        if regret.max() < 0:
            regret[0] = 3.0
        engine.table.rows[first : first + n] = regret
        engine.table.rows[first + n : first + 2 * n] = draw.choice(
            [0.0, 1.0, 30.0], n
        )  # some actions are explored seldom
        wish = wanted.get(infoset, prefer_twin.Wish([1.0] * n, 0.0))
        twin.strategy[infoset] = prefer_twin.weighted([], naive.positive(regret.tolist()), wish.delta)
    twin.update([], 1, 0.0)  # walks, and changes nothing
    truth = Truth(np.zeros(len(engine.table.rows)), np.zeros(len(engine.table.rows)), {})
    others = random_moves(root) if game.players > 2 and walk != "chance" else None
    scale = dict.fromkeys(where, 1.0)
    if isinstance(probing := engine.solver.walk, Probing):
        # On its line of play the traverser moves at random, or like this, which scales what is learned.
        epsilon = probing.epsilon
        line = {i: [epsilon / len(row) + (1 - epsilon) * x for x in row] for i, row in twin.strategy.items()}
        scale, others = owners_reach(root, line), others or line
    met = often_met(root, others)
    for infoset, slots in where.items():
        truth.own[infoset] = sum(twin.reached[infoset].values())
        n = slots.stop - slots.start
        truth.regret[slots] = scale[infoset] * (np.array(twin.values[infoset]) - twin.expected[infoset])
        if infoset in wanted:
            truth.regret[slots] -= scale[infoset] * wanted[infoset].beta * twin.others[infoset]
        truth.average[slots.stop : slots.stop + n] = (
            np.array(twin.strategy[infoset]) * truth.own[infoset] * met[infoset]
        )
    engine.parts = engine.parts._replace(writer=Aside(np.zeros(len(engine.table.rows))))
    return engine, where, truth


def measured(
    engine: SampledEngine, done: int, iterations: int, batches: int = BATCHES
) -> tuple[np.ndarray, np.ndarray]:
    """What one iteration adds to every slot: the mean, and its standard error, from batches."""
    means = np.zeros((batches, len(engine.parts.writer.sums)))
    for batch in range(batches):
        engine.parts.writer.sums[:] = 0.0
        engine.run(done + batch * iterations, iterations)
        means[batch] = engine.parts.writer.sums / iterations
    return means.mean(axis=0), means.std(axis=0, ddof=1) / math.sqrt(batches)


def errors(mean: np.ndarray, error: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """By how many standard errors each slot is off; none if it is the same number but for rounding."""
    off = np.abs(mean - truth)
    return np.where(off < 1e-9, 0.0, off / np.maximum(error, 1e-300))


LIMIT = 5.0  # standard errors: one false alarm in some thousand sets of slots


@compiled_only
@pytest.mark.parametrize("walk", SAMPLED)
@pytest.mark.parametrize("name", GAMES)
def test_estimates_are_unbiased(name: str, walk: str) -> None:
    engine, where, truth = frozen(name, walk)
    before = engine.table.rows.copy()
    mean, error = measured(engine, 0, ITERATIONS[walk])
    for slots in where.values():  # baselines may learn, all else must be as it was
        n = slots.stop - slots.start
        assert np.array_equal(
            engine.table.rows[slots.start - 1 : slots.stop + n], before[slots.start - 1 : slots.stop + n]
        )
    assert engine.table.infosets == len(where)
    assert errors(mean, error, truth.regret + truth.average).max() < LIMIT
    # A bias of a twentieth would be seen: in the regrets, and in the averages.
    for part in (truth.regret, truth.average):
        taken = np.abs(part) > 1e-9
        assert errors(mean, error, 1.05 * part)[taken].max() > LIMIT
        assert np.median(LIMIT * error[taken] / np.abs(part[taken])) < 0.05


@compiled_only
@pytest.mark.parametrize("walk", PRUNED)
@pytest.mark.parametrize("name", ["kuhn", "random_2"])
def test_averages_are_unbiased_whatever_is_pruned(name: str, walk: str) -> None:
    engine, where, truth = frozen(name, walk)
    mean, error = measured(engine, 0, 12_000)
    averages = np.concatenate([np.arange(slots.stop, 2 * slots.stop - slots.start) for slots in where.values()])
    assert errors(mean, error, truth.average)[averages].max() < LIMIT
    taken = averages[truth.average[averages] > 1e-9]
    assert errors(mean, error, 1.05 * truth.average)[taken].max() > LIMIT
    whole, _, _ = frozen(name, walk.removesuffix("_pruned"))
    measured(whole, 0, 12_000)
    assert engine.facts.nodes < whole.facts.nodes


def test_the_games_have_what_is_hard() -> None:
    """Infosets that a walk meets several times at once, infosets that are not reached, actions that are not played."""
    met = often_met(tree("random_2"), None)
    assert max(met.values()) > 1.5
    assert max(often_met(tree("random_3_general"), None).values()) > 1.5
    for name in GAMES:
        assert naive.count(tree(name), GAMES[name].players).histories > len(met)
    _, _, truth = frozen("random_2", "external")
    assert min(truth.own.values()) < 0.05


@compiled_only
@pytest.mark.parametrize(("name", "share"), [("kuhn", 0.7), ("random_2", 1.0)])  # chance's own part stays
def test_baselines_reduce_the_variance(name: str, share: float) -> None:
    spread = {}
    for walk in ("outcome", "outcome_plain"):
        engine, where, _ = frozen(name, walk)
        engine.run(0, 20_000)  # so that baselines know
        _, error = measured(engine, 20_000, 50, batches=4_000)
        spread[walk] = sum(float((error[slots] ** 2).sum()) for slots in where.values())
    assert spread["outcome"] < share * spread["outcome_plain"]


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
    engine = SampledEngine(game, solver, planned=iterations, dtype=np.float64)
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
    clock = Clock.of(solver.weighting, periods=40, length=10)
    assert not clock.is_idle
    assert Clock.of(ruse.cfr().weighting, periods=40, length=10).is_idle
    start = np.array([0.0, 3.0, -2.0, 0.0, 5.0, 1.0, 0.5])  # stamp, regrets, averages
    parts = Parts(solver.minimizer, clock, Plain(), Never(), All())
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


def test_periods() -> None:
    clock = Clock.of(ruse.dcfr().weighting, periods=5, length=10)
    assert [clock.period(t) for t in (1, 10, 11, 20, 21, 50, 51, 10**9)] == [0, 0, 1, 1, 2, 4, 4, 4]


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
        (LEDUC, "average", 200_000, 0.10),
        (LEDUC, "chance", 100_000, 0.09),
        (LEDUC, "outcome", 400_000, 0.22),
        (LEDUC, "robust", 400_000, 0.25),
        (LEDUC, "probing", 200_000, 0.15),
        (ruse.LiarsDice(sides=4), "external", 100_000, 0.02),
        (ruse.LiarsDice(sides=4), "average", 200_000, 0.03),
        (ruse.LiarsDice(sides=4), "chance", 20_000, 0.03),
        (ruse.LiarsDice(sides=4), "outcome", 400_000, 0.05),
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
def test_a_decision_of_too_many_actions_is_refused() -> None:
    game = ruse.matrix(np.ones((2, 5_000)))
    for walk in ("external", "chance", "outcome", "average", "robust", "probing"):
        with pytest.raises(RuseError, match="a decision with more than 4,096 actions"):
            SampledEngine(game, ruse.mccfr(walk)).run(0, 1)


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


def test_a_threshold_that_nothing_reaches_changes_no_bit() -> None:
    engines = [
        SampledEngine(LEDUC, ruse.mccfr(ExternalSampling(pruning)), seed=4)
        for pruning in (Never(), Threshold(-math.inf), Threshold(-1.0))
    ]
    for engine in engines:
        engine.run(0, 2_000)
    assert bits(engines[0]) == bits(engines[1]) != bits(engines[2])
    assert engines[0].facts == engines[1].facts


# ---- the same bits ---------------------------------------------------------------------------------------------------


def started(walk: str, seed: int = 7) -> SampledEngine:
    """Weights that change over time, so that stamps matter too."""
    return SampledEngine(KUHN, ruse.lcfr(walk=walk), seed=seed, planned=400)


@every_walk
def test_a_seed_is_a_run(walk: str) -> None:
    one, same, other = started(walk), started(walk), started(walk, seed=8)
    for engine in (one, same, other):
        engine.run(0, 300)
    assert bits(one) == bits(same) != bits(other)
    assert one.facts.nodes == same.facts.nodes


@every_walk
def test_pieces_and_checkpoints_change_no_bit(walk: str) -> None:
    whole, pieces, restored = started(walk), started(walk), started(walk)
    whole.run(0, 200)
    pieces.run(0, 100)
    saved = {name: array.copy() for name, array in pieces.saved().items()}
    pieces.run(100, 100)
    restored.run(0, 3)  # forgotten
    restored.restore(saved)
    restored.run(100, 100)
    assert bits(whole) == bits(pieces) == bits(restored)
    assert whole.facts == pieces.facts == restored.facts


def test_growing_changes_no_bit() -> None:
    """Tens of thousands of infosets in a table that starts with room for a few."""
    engines = [SampledEngine(ruse.LiarsDice(), ruse.mccfr(), seed=2) for _ in range(3)]
    whole, pieces, restored = engines
    whole.run(0, 3_000)
    for done in range(0, 3_000, 250):
        pieces.run(done, 250)
    restored.run(0, 70)
    saved = {name: array.copy() for name, array in restored.saved().items()}
    restored = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), seed=2)
    restored.restore(saved)
    restored.run(70, 2_930)
    assert whole.facts.infosets > 15_000
    assert bits(whole) == bits(pieces) == bits(restored)
    assert whole.facts == pieces.facts == restored.facts


def test_memory_is_a_limit() -> None:
    engine = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), memory=400_000)
    with pytest.raises(
        RuseError, match=r"^the table has [\d,]+ infosets in 0 MiB and would need .* give it more memory$"
    ):
        engine.run(0, 3_000)
    assert engine.facts.bytes <= 400_000


KILLED = """
import os, signal, sys
import ruse
from ruse.runs import RunDirectory

def kill(progress):
    if progress.iteration >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

ruse.resume(RunDirectory.open(sys.argv[1]), watch=kill, checkpoint_seconds=0.0)
"""


@posix
def test_killed_and_resumed_ends_like_a_run_never_killed(tmp_path: Path) -> None:
    solver, rule = ruse.lcfr(walk="external"), "lcfr:walk=external"
    steady, killed = (ruse.new_run(tmp_path, LEDUC, solver, rule=rule, iterations=20_000, seed=5) for _ in range(2))
    ruse.train(LEDUC, solver, iterations=20_000, seed=5, directory=steady)
    reached = []
    for at in (2_000, 9_000):
        program = [sys.executable, "-c", KILLED, str(killed.path), str(at)]
        done = subprocess.run(program, capture_output=True, text=True, timeout=120)
        assert done.returncode == -signal.SIGKILL, done.stderr
        newest = killed.newest_checkpoint()
        assert newest is not None
        reached.append(newest.iteration)
    assert 0 < reached[0] < reached[1] < 20_000
    assert not killed.is_finished
    run = ruse.resume(RunDirectory.open(killed.path))
    assert (run.iterations, run.is_finished, run.seed) == (20_000, True, 5)
    assert steady.strategy_path.read_bytes() == killed.strategy_path.read_bytes()
    ours, theirs = (
        [(row["iteration"], row["exploitability"]) for row in directory.metrics()] for directory in (steady, killed)
    )
    assert ours == theirs


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
    engine = SampledEngine(LEDUC, PRESETS[told["rule"]](walk="external"), seed=0, planned=20_000)
    engine.run(0, 20_000)
    assert (told["nodes"], told["infosets"], told["bytes"], told["collisions"]) == engine.facts
    assert told["nodes_per_second"] == pytest.approx(told["nodes"] / told["seconds"])
    assert (told["walk"], told["iterations"], told["seed"], told["infosets"]) == ("external", 20_000, 0, 936)
    assert told["exploitability"] == pytest.approx(expl(engine), abs=1e-12)
