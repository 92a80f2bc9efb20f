"""The frame around the areas: navigation, themes, keyboard, narrow windows."""

from collections.abc import Callable
from typing import Any

import pytest

AREAS = ("Play", "Runs", "Explorer", "Styles", "Replay", "Arena", "Papers")


def test_every_area_can_be_opened(page: Any, accessible: Callable[[Any], None]) -> None:
    for title in AREAS:
        page.get_by_role("navigation").get_by_role("link", name=title, exact=True).click()
        page.wait_for_function("title => document.title.startsWith(title)", arg=title)
        page.locator("main h1").first.wait_for()
    accessible(page)


def test_a_theme_is_chosen_and_remembered(page: Any) -> None:
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "light"
    page.get_by_role("button", name="Switch to the dark theme").click()
    assert page.evaluate(theme) == "dark"
    page.reload()
    assert page.evaluate(theme) == "dark"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_narrow_window_needs_no_scrolling_sideways(opened: Callable[..., Any], theme: str) -> None:
    page = opened("#/runs", theme=theme, size={"width": 390, "height": 844})
    page.locator("main h1").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_keyboard_goes_past_the_navigation(page: Any) -> None:
    page.locator("main h1").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_an_address_that_means_nothing_says_so(opened: Callable[..., Any]) -> None:
    page = opened("#/nowhere/at/all")
    page.get_by_text("There is nothing at this address").wait_for()


def test_a_run_that_is_not_there_is_missed(opened: Callable[..., Any]) -> None:
    page = opened("#/runs/nope")
    page.get_by_role("alert").get_by_text("There is no run called nope").wait_for()


def test_play_comes_first(page: Any) -> None:
    page.wait_for_function("document.title.startsWith('Play')")
