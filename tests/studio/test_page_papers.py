"""Papers in a browser: theirs beside ours, pictures, what to believe, and the question before a row is run again."""

from collections.abc import Callable
from typing import Any

import pytest

NARROW = {"width": 390, "height": 844}


def test_a_paper_is_read(
    opened: Callable[..., Any], accessible: Callable[[Any], None], shoot: Callable[..., None]
) -> None:
    page = opened("#/papers")
    page.get_by_role("heading", name="CFR-p").wait_for()
    accessible(page)
    shoot(page, "papers")
    page.get_by_role("link", name="Ordered Abstraction for Cheat").click()
    page.get_by_label("Verdict").select_option("refuted")
    page.get_by_text("HP-Aware: growth of infosets").wait_for()
    assert page.locator("main ul.rows > li").count() == 1
    page.get_by_label("Verdict").select_option("")
    page.get_by_label("Search").fill("figure 1a")
    page.get_by_text("Figure 1a, Memoryless against Random").wait_for()
    accessible(page)
    shoot(page, "paper", whole=False)
    page.get_by_role("button", name="Run again: Figure 1a, Memoryless against Random").click()
    assert page.get_by_label("Experiment").input_value() == "figure 1"
    shoot(page, "paper-run", whole=False)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Pictures", exact=True).click()
    page.wait_for_function("() => [...document.images].some(image => image.naturalWidth > 300)")
    page.get_by_text("What to believe", exact=True).click()
    page.get_by_role("heading", name="What does not").wait_for()
    accessible(page)
    shoot(page, "paper-page", whole=False)


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_a_paper_on_a_telephone(
    opened: Callable[..., Any], accessible: Callable[[Any], None], shoot: Callable[..., None], theme: str
) -> None:
    page = opened("#/papers/003", theme=theme, size=NARROW)
    page.get_by_text("Rounds at most").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    accessible(page)
    shoot(page, f"paper-{theme}-narrow", whole=False)
