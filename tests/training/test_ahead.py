"""What is done before a training is begun, step by step; and an exact solve, judged."""

import pytest

import ruse
from ruse.errors import RuseError
from ruse.evaluate.exact import solve_and_judge
from ruse.training.ahead import steps_ahead
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import TooLarge


def test_steps_say_what_they_do_and_what_came_out() -> None:
    job = ruse.Job(ruse.Leduc(), ruse.dcfr(prefer="raise, player 0, first: delta=5"), iterations=5)
    done = [(step.what.split()[0], step.do()) for step in steps_ahead(job)]
    assert [what for what, _ in done] == ["looking", "measuring", "expanding"]
    assert done[0][1] == ""
    assert done[1][1].endswith(": 9,457 histories, 936 infosets, 5,520 leaves, 707 KiB")
    assert done[2][1] == "merged: 936 infosets are 288, 5,520 leaves are 966"
    assert list(steps_ahead(ruse.Job(ruse.Kuhn(), ruse.mccfr(), iterations=5))) == []


def test_a_size_is_told_before_it_is_refused() -> None:
    told = []
    with pytest.raises(TooLarge, match=r"^Leduc\(.*\) is too large to expand"):
        told.extend(step.do() for step in steps_ahead(ruse.Job(ruse.Leduc(), ruse.dcfr(), iterations=5, memory=9_000)))
    assert len(told) == 1
    with pytest.raises(RuseError, match=r"^say when to stop"):
        list(steps_ahead(ruse.Job(ruse.Kuhn(), ruse.dcfr())))


def test_an_exact_solve_is_judged() -> None:
    found = solve_and_judge(Expanded.of(ruse.Kuhn()))
    assert found.value == pytest.approx(-1 / 18)
    assert float(found.measured) < 1e-9
    assert float(ruse.exploitability(ruse.Kuhn(), found.strategy)) < 1e-9
    assert found.as_dict()["infosets"] == 12
