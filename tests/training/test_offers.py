"""What may be chosen for a job: each choice is refused by the sentence that a training would be refused with."""

from pathlib import Path

import pytest

import ruse
from ruse.errors import RuseError
from ruse.store import metrics
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep
from ruse.training.jobs.offers import offers, why_not_offered
from ruse.training.training import Training


def refusal(game: ruse.Kuhn, asked: dict[str, object]) -> str | None:
    """What a training of this would be refused with."""
    try:
        job = Job.typed(game, asked).checked()
        job.refuse_unfit()
        if job.against is not None:
            job.against.facing(game, job.view)
    except RuseError as error:
        return str(error)
    return None


@pytest.mark.parametrize("asked", [{}, {"prune": "brp"}, {"walk": "external", "threads": 2}, {"rule": "pcfr_plus"}])
def test_a_choice_is_refused_as_a_training_is(asked: dict[str, object]) -> None:
    game, refused = ruse.Kuhn(), 0
    for option, choices in offers(game, asked).items():
        for choice in choices:
            value = [choice.value] if option == "against" else choice.value
            assert choice.why_not == refusal(game, {**asked, option: value}), option
            refused += choice.why_not is not None
    assert refused > 0


def test_what_is_half_typed_does_not_grey_everything_out() -> None:
    found = offers(ruse.Kuhn(), {"iterations": -5, "memory": "many", "prefer": ["nonsense"]})
    assert any(choice.why_not is None for choice in found["rule"])


def test_the_usual_view_of_a_game_is_not_made_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of Hold'em needs tables, which take minutes to build."""

    def made(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("ruse.games.holdem.views.Buckets.__new__", made)
    assert why_not_offered(ruse.game("holdem"), {"rule": "cfr"}) is None


def test_a_run_has_a_pulse(tmp_path: Path) -> None:
    """Its last beat is the last iteration, and going on goes back to where it goes on from."""
    job = Job(ruse.Kuhn(), iterations=50)
    directory = keep(tmp_path, job)
    Training(job, directory).complete()
    beats = metrics.read(directory.pulse_path)
    assert beats[-1]["iteration"] == 50
    assert beats[-1]["infosets"] == 12
    iterations = [beat["iteration"] for beat in beats]
    assert iterations == sorted(set(iterations))
    directory.rewind(10)
    assert all(beat["iteration"] <= 10 for beat in metrics.read(directory.pulse_path))
