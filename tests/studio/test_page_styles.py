"""The area Styles in a browser: a dial is turned, the price stays in view, and a strategy is made and kept."""

from collections.abc import Callable
from typing import Any

from conftest import NARROW, Served

SET = """(slider, value) => { slider.value = value; slider.dispatchEvent(new Event("input", { bubbles: true })); }"""


def has_value(locator: Any, value: str) -> None:
    """Once it has."""
    from playwright.sync_api import expect

    expect(locator).to_have_value(value, timeout=30_000)


def turned(page: Any, name: str, value: str) -> None:
    page.get_by_label(name, exact=True).evaluate(SET, value)


def test_a_person_gives_kuhn_a_character(
    opened: Callable[..., Any], served: Served, accessible: Callable[[Any], None], shoot: Callable[[Any, str], None]
) -> None:
    page = opened("#/styles/kuhn")
    bluff = page.get_by_label("open, with J", exact=True)
    bluff.wait_for(timeout=120_000)
    price = page.locator(".price")
    price.get_by_text("nothing").wait_for()
    turned(page, "open, with J", "0.3")
    page.get_by_role("region", name="What moves").get_by_text("K · Player 0").wait_for()
    assert price.get_by_text("nothing").is_visible()  # up to a third it is free
    turned(page, "open, with J", "0.6")
    price.get_by_text("has a price").wait_for()
    price.get_by_text("0.0889").first.wait_for()
    has_value(page.get_by_label("open, with K", exact=True), "1")  # which turned along
    accessible(page)
    shoot(page, "styles-kuhn")
    turned(page, "open, with J", "0.3")
    price.get_by_text("free").wait_for()
    page.get_by_role("button", name="Make it a strategy").click()
    page.get_by_text("was asked for").wait_for(timeout=120_000)
    page.get_by_label("Name").fill("bluffer")
    page.get_by_role("button", name="Keep this strategy").click()
    page.get_by_text("Kept as bluffer.strategy").first.wait_for()
    assert (served.settings.runs / "bluffer.strategy").is_file()
    page.get_by_role("link", name="Look inside").click()
    page.get_by_role("heading", name="What is dealt?").wait_for()


def test_it_fits_a_narrow_window(opened: Callable[..., Any], accessible: Callable[[Any], None]) -> None:
    page = opened("#/styles/kuhn", theme="dark", size=NARROW)
    page.get_by_label("open, with J", exact=True).wait_for(timeout=120_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    accessible(page)


def test_a_person_answers_an_opponent(
    opened: Callable[..., Any], served: Served, accessible: Callable[[Any], None], shoot: Callable[[Any, str], None]
) -> None:
    page = opened("#/styles/leduc")
    card = page.get_by_role("region", name="Adapt to an opponent")
    card.wait_for(timeout=120_000)
    card.get_by_label("Opponent").select_option("random")
    card.get_by_label("It may cost").fill("0.05")
    card.get_by_role("button", name="Find the answer").click()
    card.get_by_role("cell", name="+1.188").wait_for()  # as `ruse style leduc --adapt-to random` says
    assert [row.inner_text().split()[-1] for row in card.get_by_role("row").all()[1:]][1] == "0.05"
    card.get_by_label("Name").fill("counter")
    card.get_by_role("button", name="Keep this strategy").click()
    card.get_by_text("Kept as counter.strategy").wait_for()
    assert (served.settings.runs / "counter.strategy").is_file()
    accessible(page)
    shoot(page, "styles-adapted")
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    shoot(page, "styles-adapted-narrow")
