"""Runs in a browser: looked at, overlaid, started by the form, stopped, gone on with and deleted."""

from collections.abc import Callable
from typing import Any

import pytest

import ruse as library
from ruse.store.runs import find
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep
from ruse.training.training import Training

NARROW = {"width": 390, "height": 844}


def solved(served: Any, game: Any, rule: str, iterations: int) -> str:
    job = Job.typed(game, {"rule": rule, "iterations": iterations})
    directory = keep(served.settings.runs, job)
    Training(job, directory).complete()
    return directory.name


@pytest.fixture(scope="module")
def names(served: Any) -> list[str]:
    """Three runs, as a terminal would have left them."""
    leduc = library.Leduc()
    return [
        solved(served, leduc, "cfr", 400),
        solved(served, leduc, "dcfr", 400),
        solved(served, library.Kuhn(), "dcfr", 50),
    ]


def test_runs_are_looked_at(
    names: list[str], opened: Callable[..., Any], accessible: Callable[[Any], None], shoot: Callable[..., None]
) -> None:
    page = opened("#/runs")
    page.get_by_role("heading", name="kuhn").wait_for()
    page.get_by_role("checkbox", name=names[0]).check()
    page.get_by_role("checkbox", name=names[1]).check()
    page.locator(".u-legend").get_by_text("leduc, cfr", exact=True).wait_for()
    assert (
        page.locator("main").get_by_role("img").first.get_attribute("aria-label").startswith("exploitability over it")
    )
    page.get_by_role("checkbox", name=names[2]).uncheck()
    page.get_by_role("heading", name="leduc").wait_for()
    accessible(page)
    shoot(page, "runs")
    page.get_by_text("Speed", exact=True).click()
    page.get_by_text("Seconds", exact=True).click()
    page.get_by_text("What was asked").click()
    page.get_by_text("ruse resume").wait_for()


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        ("dark", NARROW),
        *(pytest.param(*other, marks=pytest.mark.slow) for other in (("dark", None), ("light", NARROW))),
    ],
)
def test_runs_in_other_light_and_on_a_telephone(
    names: list[str], opened: Callable[..., Any], accessible: Callable[[Any], None], shoot: Callable[..., None],
    theme: str, size: dict[str, int] | None,
) -> None:  # fmt: skip
    page = opened(f"#/runs/{names[0]}/{names[1]}", theme=theme, **({"size": size} if size else {}))
    page.locator(".u-legend").get_by_text("leduc, dcfr", exact=True).wait_for()
    accessible(page)
    shoot(page, f"runs-{theme}{'-narrow' if size else ''}")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_run_is_deleted_after_a_question(served: Any, opened: Callable[..., Any]) -> None:
    name = solved(served, library.Kuhn(), "cfr", 20)
    page = opened(f"#/runs/{name}")
    page.get_by_text(name).first.wait_for()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Keep it").click()
    assert (served.settings.runs / name).is_dir()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete it").click()
    page.get_by_text("is deleted").wait_for()
    assert not (served.settings.runs / name).exists()


def test_the_form_greys_out_what_does_not_fit(
    opened: Callable[..., Any], accessible: Callable[[Any], None], shoot: Callable[..., None]
) -> None:
    page = opened("#/runs/new/cheat")
    page.locator("aside").get_by_text("infosets", exact=True).wait_for()  # the size comes first
    page.get_by_label("Prune", exact=True).select_option("brp")
    rule = page.get_by_label("Rule", exact=True)
    rule.locator("option[value=cfr_plus][disabled]").wait_for(state="attached")
    assert "brp" in rule.locator("option[value=cfr_plus]").inner_text()
    page.get_by_text("--prune brp").wait_for()
    accessible(page)
    shoot(page, "form")
    page.get_by_text("Kuhn", exact=True).click()
    page.get_by_text("58 histories").wait_for()


@pytest.mark.slow
def test_a_run_is_started_stopped_and_gone_on_with(served: Any, opened: Callable[..., Any]) -> None:
    page = opened("#/runs/new/kuhn")
    page.get_by_label("Iterations", exact=True).fill("400_000_000")
    page.get_by_text("--iterations 400000000").wait_for()
    page.get_by_role("button", name="Start training").click()
    page.get_by_role("button", name="Stop").click(timeout=120_000)
    page.get_by_role("button", name="Go on").wait_for(timeout=60_000)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Iterations in all").fill(str(find(served.settings.runs, "last").summary().iterations + 10))
    page.get_by_role("dialog").get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Go further").wait_for(timeout=120_000)
