"""The area Arena in a browser: who takes part is chosen, the table fills, and is deleted."""

from collections.abc import Callable
from typing import Any

from conftest import NARROW, Served
from solved_games import kuhn_run


def test_a_person_lets_them_play(
    opened: Callable[..., Any], served: Served, accessible: Callable[[Any], None], shoot: Callable[[Any, str], None]
) -> None:
    run = kuhn_run(served.settings.runs).name
    page = opened("#/arena")
    page.get_by_text("Nobody has played yet").wait_for()
    accessible(page)
    assert page.get_by_label("Game").input_value() == "kuhn"  # what there is a strategy of
    page.get_by_label("random").uncheck()
    assert page.get_by_role("button", name="Let them play").is_disabled()
    page.get_by_label("random").check()
    page.get_by_label("Deals a table").fill("400")
    page.get_by_role("button", name="Let them play").click()
    page.get_by_text("finished").wait_for(timeout=120_000)
    table = page.get_by_role("table")
    assert table.get_by_role("row").count() == 3
    assert table.get_by_role("row").nth(1).get_by_role("rowheader").get_attribute("title") == run  # the best
    accessible(page)
    shoot(page, "arena-kuhn")
    narrow = opened(page.url.split("/", 3)[3], theme="dark", size=NARROW)
    narrow.get_by_text("finished").wait_for()
    assert narrow.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    accessible(narrow)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("Nobody has played yet").wait_for()
