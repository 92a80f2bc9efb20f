"""Hybrid pruning: a review equals its slow twin, nothing pruned is played, and what it saves and costs is as told."""

from pathlib import Path
from typing import Any

import naive
import numpy as np
import pytest
from pruned_twin import PrunedCfr, Terms
from random_games import random_game

import ruse
from ruse.cli import main
from ruse.evaluate.exploitability import exploitability
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import Memoryless
from ruse.solve.hybrid.hybrid import Arrivals, Hybrid
from ruse.solve.hybrid.reviews import PLAYED, PRUNED, Silenced
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.rules import RegretMatching
from ruse.strategy import Strategy

EAGER = Hybrid(first=100, growth=1.5, patience=0.02, certainty=0.05)  # prunes so much that some must come back
TERMS = Terms(by_best_response=True, growth=1.5, patience=0.02)
CERTAINTY = 0.05
Rows = dict[naive.Infoset, list[float]]
Counts = dict[naive.Infoset, float]


def read(engine: SampledEngine, infosets: dict[naive.Infoset, int]) -> tuple[Rows, Rows, Counts]:
    """Regret, average and how much a visit counts, of every infoset in the table; one that was not met has none."""
    keys, first, _ = engine.table.used()
    where = dict(zip(keys.tolist(), first.tolist(), strict=True))
    regret, average, counts = {}, {}, {}
    for infoset, n in infosets.items():
        if (row := where.get(naive.key_of(infoset))) is not None:
            regret[infoset] = engine.table.rows[row : row + n].tolist()
            average[infoset] = engine.table.rows[row + n : row + 2 * n].tolist()
            counts[infoset] = 1.0 + float(engine.table.rows[row + 2 * n])
    return regret, average, counts


def chance_of(twin: PrunedCfr, infoset: naive.Infoset) -> float:
    """N(I): how often play comes there if both players go there."""
    return sum(chance for chance, _ in twin.arrivals[infoset])


def completed(twin: PrunedCfr, regret: Rows, average: Rows, counts: Counts, t: int) -> Rows:
    """The slow twin: the averages after t iterations with those added where a visit counts nothing."""
    average = {infoset: list(row) for infoset, row in average.items()}
    for player in range(2):
        for j in twin.own(player):
            if j not in average or counts[j] != 0.0:
                continue
            played = float(t)
            if twin.above[j]:
                i, a = twin.above[j][-1]
                played = average[i][a] / chance_of(twin, i) if i in average else 0.0
            missing = max(0.0, played * chance_of(twin, j) - sum(average[j]))
            playable = [r for r in regret[j] if r > PRUNED]
            total = sum(max(r, 0.0) for r in playable)
            for a, r in enumerate(regret[j]):
                if r > PRUNED:
                    average[j][a] += missing * (max(r, 0.0) / total if total > 0 else 1 / len(playable))
    return average


def weighed(twin: PrunedCfr, regret: Rows) -> Counts:
    """The slow twin: all histories of an infoset by those to which no pruned action of the opponent leads."""
    counts = {}
    for infoset in regret:
        left = sum(
            chance
            for chance, path in twin.arrivals[infoset]
            if all(i not in regret or regret[i][a] > PRUNED for i, a in path)
        )
        counts[infoset] = chance_of(twin, infoset) / left if left > 0 else 0.0
    return counts


def reviewed(twin: PrunedCfr, regret: Rows, average: Rows, t: int) -> tuple[Rows, int]:
    """The slow twin: what a review makes of the regrets, and how many actions come back."""
    regret, back = {infoset: list(row) for infoset, row in regret.items()}, 0
    for infoset, n in twin.actions.items():
        row = average.get(infoset, [0.0] * n)
        twin.strategy[infoset] = [x / sum(row) for x in row] if sum(row) > 0 else [1 / n] * n
    for player in range(2):
        weight = [twin.reach(paths[1 - player]) for _, _, paths in twin.leaves]
        psi, value = twin.values(player, weight, None), twin.values(player, weight, twin.strategy)
        total = {
            i: t * sum(p * value[i, a] for a, p in enumerate(twin.strategy[i])) for i in twin.own(player)
        }  # fmt: skip
        for i in twin.own(player):
            if i not in regret or any(regret.get(above, [0.0] * 9)[a] <= PRUNED for above, a in twin.above[i]):
                continue
            met = sum(chance * twin.reach(path) for chance, path in twin.arrivals[i])
            lowest = min(u for b in range(twin.actions[i]) for u in twin.payoffs_after(player, (i, b)))
            for a in range(twin.actions[i]):
                most = max(twin.payoffs_after(player, (i, a))) - lowest  # that one visit can gain or lose
                spent, error = met * most, CERTAINTY * (t * met) ** 0.5 * most
                is_worth = twin.terms.lasts(total[i] - t * psi[i, a] - error, spent, t)
                playable = sum(r > PRUNED for r in regret[i])
                if regret[i][a] <= PRUNED and not is_worth:
                    back += 1
                    regret[i][a] = t * psi[i, a] - total[i]
                    for j in (j for j in twin.own(player) if twin.is_below(j, (i, a))):
                        row = [psi[j, b] for b in range(twin.actions[j])]
                        total[j] = t * max(row)
                        if j in regret:
                            regret[j] = [t * (v - max(row)) for v in row]
                            regret[j][row.index(max(row))] = PLAYED
                elif is_worth and playable > 1 and twin.terms.lasts(-regret[i][a], spent, t):
                    regret[i][a] = PRUNED
    return regret, back


def test_a_review_equals_its_twin() -> None:
    pruned = came_back = heavier = alone = 0
    for seed in (0, 2, 3, 5, 7, 8):
        game = random_game(seed)
        root = naive.tree(game)
        twin = PrunedCfr(root, TERMS, first=10)
        engine = SampledEngine(game, ruse.mccfr(prune=EAGER), seed=1, dtype=np.float64)
        reviewer, engine.reviewer = engine.reviewer, None
        assert reviewer is not None
        for done, t in ((0, 100), (100, 200), (200, 1_000)):
            engine.run(done, t - done)
            regret, before, counts = read(engine, twin.actions)
            whole = completed(twin, regret, before, counts, t)
            wanted, back = reviewed(twin, regret, whole, t)
            reviewer.review(engine.table, t)
            found, average, counts = read(engine, twin.actions)
            assert found.keys() == wanted.keys()
            assert counts == pytest.approx(weighed(twin, found), rel=1e-9)
            for infoset, row in wanted.items():
                assert average[infoset] == pytest.approx(whole[infoset], rel=1e-9, abs=1e-9), infoset
                assert found[infoset] == pytest.approx(row, rel=1e-9, abs=1e-9), infoset
            heavier += sum(weight > 1.0 for weight in counts.values())
            alone += sum(whole[infoset] != row for infoset, row in before.items())
            pruned, came_back = pruned + sum(r <= PRUNED for row in found.values() for r in row), came_back + back
    assert pruned > 50
    assert came_back > 5
    assert heavier > 20
    assert alone > 20


def test_what_one_skips_does_not_change_the_average_of_the_other() -> None:
    """An infoset with no own decision before it is added N(J) times an iteration, whatever the opponent leaves out."""
    t, skipped = 20_000, 0
    for seed in (0, 2, 3):
        game = random_game(seed)
        twin = PrunedCfr(naive.tree(game), TERMS, first=10)
        engine = SampledEngine(game, ruse.mccfr(prune=EAGER._replace(first=1_000)), seed=1, dtype=np.float64)
        engine.run(0, t)
        _, average, counts = read(engine, twin.actions)
        for infoset, row in average.items():
            if not twin.above[infoset] and counts[infoset] > 0.0:
                assert sum(row) / t == pytest.approx(chance_of(twin, infoset), rel=0.1)
                skipped += counts[infoset] > 1.0
    assert skipped > 0


def test_what_is_pruned_is_never_played() -> None:
    regret, sigma = np.array([PRUNED, -1.0, -2.0, PRUNED, 3.0, 1.0]), np.zeros(3)
    part: Any = Silenced(RegretMatching())
    part.play(regret, 0, 3, sigma, 0)
    assert sigma.tolist() == pytest.approx([0.0, 0.5, 0.5])
    part.play(regret, 3, 3, sigma, 0)
    assert sigma.tolist() == pytest.approx([0.0, 0.75, 0.25])


def test_pieces_give_the_same_bits() -> None:
    """Reviews come at the same iterations wherever a run is stopped, saved and restored."""
    solver = ruse.mccfr(prune=EAGER)
    whole, pieces = (SampledEngine(ruse.Leduc(), solver, seed=3) for _ in range(2))
    whole.run(0, 1_000)
    pieces.run(0, 150)
    again = SampledEngine(ruse.Leduc(), solver, seed=3)
    again.restore({name: array.copy() for name, array in pieces.saved().items()})
    again.run(150, 850)
    assert whole.table.rows.tobytes() == again.table.rows.tobytes()
    assert whole.facts == again.facts
    assert whole.pruned == again.pruned
    assert 0.1 < whole.pruned["pruned"] < 0.9
    assert whole.pruned["regret_live"] < whole.pruned["regret_entries"]
    assert whole.facts.nodes == whole.pruned["visited"] + whole.pruned["checked"]


def test_it_converges_and_others_can_learn_from_it() -> None:
    run = ruse.train(ruse.Kuhn(), ruse.mccfr(prune="hybrid"), iterations=30_000, seed=0)
    assert run.exploitability < 0.02
    assert run.facts["pruned"] > 0.05
    learned = run.engine.learned(30_000)
    assert learned.regret.min() > PRUNED / 2, "nothing is pruned in what another training takes over"
    further = ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=100, start=ruse.Copied(run))
    assert further.exploitability < 0.03
    with pytest.raises(ruse.RuseError, match="a pruned training counts on all that was played"):
        ruse.train(ruse.Kuhn(), ruse.mccfr(prune="hybrid"), iterations=10, start=ruse.Copied(run))


@pytest.mark.slow
def test_fewer_nodes_in_cheat() -> None:
    """Walk and reviews visit fewer histories, and the result is as good."""
    game = Cheat(hp=2)
    plain, pruned = (SampledEngine(game, ruse.mccfr(prune=prune), seed=0) for prune in (None, "hybrid"))
    for engine in (plain, pruned):
        engine.run(0, 60_000)
    assert pruned.facts.nodes < 0.75 * plain.facts.nodes
    ours, theirs = (float(exploitability(game, Strategy(game, *e.rows()))) for e in (pruned, plain))
    assert ours < 1.1 * theirs


@pytest.mark.parametrize(
    ("preset", "fields", "reason"),
    [
        ("cfr", {}, "hybrid pruning is for walk='external', not for full; with a full walk use prune='brp'"),
        ("mccfr", {"walk": "average"}, "hybrid pruning is for walk='external', not for average"),
        ("mccfr", {"walk": "outcome"}, "hybrid pruning is for walk='external', not for outcome"),
        ("lcfr", {"walk": "external"}, "lcfr weighs old regret anew on every iteration, and hybrid leaves"),
        ("cfr_plus", {"walk": "external"}, "cfr_plus forgets negative regret, which tells hybrid"),
        ("hedge", {"walk": "external"}, "hedge does not play by regret matching"),
        ("pcfr_plus", {"walk": "external"}, "pcfr_plus expects the last regret to come again"),
    ],
)
def test_bad_rules_are_refused(preset: str, fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=reason):
        PRESETS[preset](prune="hybrid", **fields)


def test_bad_games_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solver = ruse.cfr(walk="external", prune=Hybrid(Arrivals(), growth=2.0))
    with pytest.raises(ruse.RuseError, match="hybrid needs players who forget nothing"):
        ruse.train(Cheat(hp=2), solver, iterations=10, view=Memoryless())
    with pytest.raises(ruse.RuseError, match=r"hybrid is for two players, .* use the pruning threshold"):
        ruse.train(ruse.Kuhn(players=3), solver, iterations=10)
    with pytest.raises(ruse.TooLarge, match=r"reviews of hybrid pruning expand the game: .* use prune='threshold'"):
        ruse.train(ruse.Leduc(), solver, iterations=10, memory=10_000)
    with pytest.raises(ruse.RuseError, match="hybrid pruning stops all walks for its reviews"):
        ruse.train(ruse.Kuhn(), solver, iterations=10, threads=2)
    monkeypatch.chdir(tmp_path)
    words = ["solve", "kuhn", "--walk", "external", "--prune", "hybrid", "--iterations", "2000"]
    assert main([*words, "--threads", "2"]) == 2
    assert not (tmp_path / "runs").exists()
    assert main([*words, "--no-run"]) == 0
    assert "entries of regret are live, 0 bytes given back" in capsys.readouterr().out
