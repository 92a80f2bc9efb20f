"""The area Explorer in a browser: walk, go back by the crumbs, type, compare, and look into a square of hands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import NARROW, serving, settings_in
from small_spots import TURN
from solved_games import kuhn_run, spot_file

from ruse.catalog.names import game
from ruse.games.holdem.spots.rules import SpotGame
from ruse.solve.solver.presets import cfr


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder, and the ids of a good run of Kuhn, of a bad one, and of a spot."""
    folder = tmp_path_factory.mktemp("explore")
    good, bad = kuhn_run(folder / "runs").name, kuhn_run(folder / "runs", cfr(), 2).name
    spot = game(TURN)
    assert isinstance(spot, SpotGame)
    return folder, [good, bad, spot_file(folder / "runs", spot)]


@pytest.fixture(scope="module")
def served(shelf: tuple[Path, list[str]]) -> Any:
    with serving(settings_in(shelf[0])) as made:
        yield made


def test_a_person_walks_through_kuhn(
    opened: Callable[..., Any], shelf: tuple[Path, list[str]], accessible: Callable[[Any], None],
    shoot: Callable[[Any, str], None],
) -> None:  # fmt: skip
    good, bad, _ = shelf[1]
    page = opened("#/explore")
    accessible(page)
    page.get_by_role("link", name=good).click()
    page.get_by_role("heading", name="What is dealt?").wait_for()
    page.get_by_role("link", name="Q", exact=True).click()
    page.get_by_role("link", name="K", exact=True).click()
    page.get_by_text("Player 0 to act").wait_for()
    assert page.url.endswith(f"#/explore/{good}/1.1")
    page.keyboard.press("1")  # pass
    page.get_by_text("Player 1 to act").wait_for()
    page.get_by_role("link", name="bet", exact=True).click()
    page.get_by_role("heading", name="Q, pass bet").wait_for()
    accessible(page)
    shoot(page, "explore-kuhn")
    page.get_by_role("navigation", name="The way to this node").get_by_role("link", name="Player 0: pass").click()
    page.get_by_text("Player 1 to act").wait_for()

    page.get_by_label("Side by side with").select_option(bad)
    page.get_by_text("Where the two differ").wait_for()
    page.get_by_text("They differ at").wait_for()
    assert page.url.endswith(f"#/explore/{good}/1.1.0/{bad}")
    accessible(page)
    shoot(page, "explore-two")

    page.get_by_role("textbox", name="What here?").fill("j pass bet")
    page.get_by_role("link", name="J, pass bet").first.wait_for()
    page.get_by_role("textbox", name="What here?").press("Enter")
    page.get_by_role("heading", name="J, pass bet").wait_for()
    page.go_back()
    page.get_by_text("Player 1 to act").wait_for()


def test_a_link_to_a_node_opens_it(
    opened: Callable[..., Any], shelf: tuple[Path, list[str]], accessible: Callable[[Any], None]
) -> None:
    page = opened(f"#/explore/{shelf[1][0]}/2.0.1", theme="dark", size=NARROW)
    page.get_by_role("heading", name="J, bet").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    accessible(page)
    page.get_by_role("link", name="Start").click()
    page.get_by_role("button", name="Deal at random").click()
    page.get_by_text("Player 0 to act").wait_for()


def test_a_square_of_hands_is_looked_into(
    opened: Callable[..., Any], shelf: tuple[Path, list[str]], accessible: Callable[[Any], None],
    shoot: Callable[[Any, str], None],
) -> None:  # fmt: skip
    page = opened(f"#/explore/{shelf[1][2]}")
    grid = page.get_by_role("grid", name="What each kind of hands does")
    grid.wait_for()
    assert grid.get_by_role("button").count() == 169
    grid.get_by_role("button", name="QQ:").click()
    hands = page.get_by_role("region", name="QQ")
    hands.get_by_role("row").nth(1).wait_for()
    assert hands.get_by_role("row").count() == 2  # the head, and QhQd
    page.get_by_role("radio", name="Equity").check()
    grid.get_by_role("button", name="wins").first.wait_for()
    accessible(page)
    shoot(page, "explore-spot")
    actions = page.get_by_role("region", name="Actions")
    actions.get_by_role("link", name="check").click()
    page.get_by_text("in position to act").wait_for()
    actions.get_by_role("link", name="check").click()
    page.get_by_text("Choose the card that comes.").wait_for()
    page.get_by_role("button", name="3c").click()
    page.get_by_text("out of position to act").wait_for()
    assert page.url.endswith("check%2C%20check%2C%203c")
    page.get_by_role("textbox", name="What here?").fill("dance")
    page.get_by_role("textbox", name="What here?").press("Enter")
    page.get_by_text("there is no 'dance'").wait_for()
    opened.complaints.clear()  # type: ignore[attr-defined] (the browser's own, about that answer)
