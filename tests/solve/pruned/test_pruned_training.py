"""Prunings by name: what they go with and what they refuse, in training and on the command line."""

from pathlib import Path
from typing import Any

import pytest
from forgetful_views import CardAlone

import ruse
from ruse.cli import main
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.sampled.probing import Probing
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.pruning import PRUNINGS, BestResponse, FixedLength, Partial, RegretBased
from ruse.solve.solver.threshold import Threshold
from ruse.solve.solver.walks import PrunedWidth

# ---- what goes together ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "fields", "reason"),
    [
        ("cfr_plus", {"prune": "brp"}, "cfr_plus forgets negative regret, which tells brp what to leave out"),
        ("cfr_plus", {"prune": "rbp"}, "cfr_plus forgets negative regret"),
        ("dcfr", {"prune": "brp"}, "dcfr weighs old regret anew on every iteration"),
        ("lcfr", {"prune": "partial"}, "lcfr weighs old regret anew on every iteration"),
        ("hs_dcfr", {"prune": "rbp_fixed"}, "hs_dcfr weighs old regret anew"),
        ("pcfr_plus", {"prune": "partial"}, "pcfr_plus expects the last regret to come again"),
        ("hedge", {"prune": "partial"}, "hedge does not play by regret matching"),
        ("cfvfp", {"prune": "brp-fixed"}, "cfvfp does not play by regret matching"),
        (
            "cfr",
            {"prune": "threshold"},
            "threshold pruning is for the walks external, average, robust and probing, not for full",
        ),
        ("mccfr", {"prune": "brp"}, "brp looks at whole iterations, and the external walk samples them"),
        ("cfr", {"prune": "rbp", "walk": "chance"}, "rbp looks at whole iterations, and the chance walk samples them"),
        ("cfr_plus", {"prune": "threshold", "walk": "external"}, "cfr_plus soon forgets negative regret"),
        ("dcfr", {"prune": "threshold", "walk": "external"}, "dcfr soon forgets negative regret"),
        ("cfr", {"prune": "bpr"}, "unknown pruning 'bpr'; there are partial, rbp"),
    ],
)
def test_bad_rules_are_refused(preset: str, fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=reason) as error:
        PRESETS[preset](**fields)
    assert str(error.value).count("\n") == 0


def test_linear_averages_are_refused() -> None:
    late = ruse.cfr()._replace(name="late", weighting=ruse.Discount(gamma=1.0), walk=PrunedWidth(BestResponse()))
    with pytest.raises(ruse.RuseError, match="late averages later iterations with more weight"):
        ruse.train(Kuhn(), late, iterations=10)


def test_bad_games_are_refused() -> None:
    with pytest.raises(ruse.RuseError, match=r"brp is for two players, .* has 3: use the pruning partial"):
        ruse.train(Kuhn(players=3), ruse.cfr(prune="brp"), iterations=10)
    with pytest.raises(ruse.RuseError, match="partial needs players who forget nothing"):
        ruse.train(Kuhn(), ruse.cfr(prune="partial"), iterations=10, view=CardAlone(2))
    with pytest.raises(ruse.TooLarge, match="too large to prune"):
        ruse.train(Leduc(), ruse.cfr(prune="partial"), iterations=10, memory=1_000_000)


def test_good_combinations() -> None:
    assert ruse.cfr(prune="rbp-fixed").walk == PrunedWidth(RegretBased(FixedLength()))
    assert ruse.cfr(prune=BestResponse(growth=1.1)).walk == PrunedWidth(BestResponse(growth=1.1))
    assert ruse.lcfr(walk="external", prune="threshold").walk == ExternalSampling(Threshold())
    assert ruse.lcfr(walk="probing:epsilon=0.3", prune="threshold").walk == Probing(0.3, Threshold())
    assert ruse.cfr_plus(gamma=2.0, prune="partial").weighting == ruse.Discount(gamma=2.0, floor=0.0)
    assert list(PRUNINGS) == ["partial", "rbp", "rbp_fixed", "brp", "brp_fixed", "threshold", "hybrid"]
    assert str(ruse.cfr(prune="brp").walk) == "full, brp"
    assert PrunedWidth(Partial()).pruning == PRUNINGS["partial"]


# ---- training --------------------------------------------------------------------------------------------------------


def test_training_tells_what_is_pruned(tmp_path: Path) -> None:
    seen = []
    run = ruse.train(Leduc(), ruse.cfr(prune="brp"), iterations=500, watch=seen.append)
    assert run.exploitability < 0.03
    assert run.facts["walk"] == "full, brp"
    assert 0.2 < run.facts["pruned"] < 0.8
    assert run.facts["given_back"] == 0  # Leduc's tables are smaller than a page
    live = run.facts["regret_live"] / run.facts["regret_entries"]
    assert live == pytest.approx(1.0 - run.facts["pruned"], abs=0.01)
    assert 0 < run.facts["visited"] < run.facts["nodes"]
    assert seen[-1].pruned == run.facts["pruned"]
    assert run.expanded.form.players == 2

    directory = ruse.new_run(tmp_path, Leduc(), ruse.cfr(prune="brp"), rule="cfr:prune=brp", iterations=200)
    ruse.train(Leduc(), ruse.cfr(prune="brp"), iterations=200, directory=directory)
    longer = ruse.resume(directory, iterations=500)
    assert longer.exploitability == run.exploitability
    assert longer.facts["nodes"] == run.facts["nodes"]


def test_a_start_is_refused_and_a_copy_is_given() -> None:
    run = ruse.train(Kuhn(), ruse.cfr(prune="rbp"), iterations=100)
    with pytest.raises(ruse.RuseError, match="a pruned training counts on all that was played"):
        ruse.train(Kuhn(), ruse.cfr(prune="rbp"), iterations=10, start=ruse.Copied(run))
    assert run.facts["pruned"] > 0
    further = ruse.train(Kuhn(), ruse.cfr(), iterations=10, start=ruse.Copied(run))
    assert further.exploitability < 1.5 * run.exploitability


def test_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def solve(*words: str) -> tuple[int, str, str]:
        code = main(["solve", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    monkeypatch.chdir(tmp_path)
    code, out, _ = solve("leduc", "--prune", "brp", "--iterations", "300", "--no-run")
    assert code == 0
    assert "leduc, cfr: 300 iterations" in out
    assert "entries of regret are live, 0 bytes given back" in out
    code, _, err = solve("leduc", "--prune", "brp", "--rule", "dcfr")
    assert code == 2
    assert err == "ruse: dcfr weighs old regret anew on every iteration, and brp leaves infosets out; use cfr\n"
    code, _, err = solve("kuhn", "--players", "3", "--prune", "brp")
    assert code == 2
    assert "brp is for two players" in err
    assert not (tmp_path / "runs").exists()
