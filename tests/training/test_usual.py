"""How a game is solved where nothing else is asked for: in the words of a job, there and back."""

from typing import Any

import pytest

from ruse.catalog.names import game
from ruse.games.holdem.rules import Holdem
from ruse.protocol.view import Full
from ruse.solve.solver.presets import lcfr, mccfr
from ruse.training.jobs import usual
from ruse.training.jobs.job import Job
from ruse.training.jobs.usual import limits, solver_options


class OnItsWay(Holdem):
    """Hold'em without tables of buckets, which take minutes to build."""

    usual = Holdem.usual | {"view": "full"}


HOLDEM = OnItsWay()


def test_what_a_game_names_is_taken_together() -> None:
    job = Job.typed(HOLDEM, {})
    assert job.solver == lcfr(walk="external", prune="threshold")
    assert (job.iterations, job.seconds) == (None, 600)
    assert job.asked["rule"] is job.asked["walk"] is job.asked["prune"] is None


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"rule": "dcfr"},
        {"rule": "lcfr"},  # and no pruning
        {"walk": "outcome"},
        {"walk": "full"},
        {"prune": "threshold:below=-100"},
        {"rule": "mccfr", "prune": "threshold"},
    ],
)
def test_the_words_of_a_job_ask_for_it_again(said: dict[str, Any]) -> None:
    job = Job.typed(HOLDEM, said)
    again = Job.typed(HOLDEM, job.asked)
    assert again.solver == job.solver
    assert again._replace(rule=None, view=None) == job._replace(rule=None, view=None)
    assert sum(job.asked[name] is not None for name in usual.SOLVER) <= len(said)


def test_a_pruning_is_usual_only_with_its_rule_and_walk() -> None:
    assert solver_options(HOLDEM, {"walk": "outcome"}) == {"rule": "lcfr", "walk": "outcome", "prune": None}
    assert Job.typed(HOLDEM, {"rule": "mccfr"}).solver == mccfr()


def test_other_games_are_solved_as_before() -> None:
    leduc = game("leduc")
    assert solver_options(leduc, {}) == {"rule": "dcfr", "walk": None, "prune": None}
    assert solver_options(leduc, {"prune": "brp"}) == {"rule": "cfr", "walk": None, "prune": "brp"}
    assert limits(leduc, {}, samples=False)["iterations"] == 1000


def test_what_is_said_stands_in_the_place_of_all_that_would_stop_it() -> None:
    assert limits(HOLDEM, {"iterations": 5}, samples=True) == {"iterations": 5, "target": None, "seconds": None}


def test_a_view_with_tables_is_not_made_to_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("buckets would have been built")

    monkeypatch.setattr(usual, "view_of", never)
    assert Job(Holdem(), view=Full(), iterations=1).asked["view"] == "full"
