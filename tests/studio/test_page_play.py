"""The areas Play and Replay in a real browser, driven as a person would."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import NARROW, Served

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

PATIENCE = 60_000


def sit_down(page: Any, game: str, against: str, variant: str | None = None) -> None:
    """Choose a game and an opponent in the lobby, and sit down."""
    page.get_by_role("radio", name=re.compile(f"^{game}")).check()
    if variant:
        page.get_by_label("Variant").select_option(variant)
    page.get_by_label("Opponent").select_option(against)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("group", name=re.compile("table"))).to_be_visible(timeout=PATIENCE)


def is_over(page: Any) -> bool:
    return bool(page.get_by_role("button", name="Next game").count())


def move(page: Any, choose: Callable[[], None]) -> None:
    """Do something, and wait for the answer."""
    with page.expect_response(re.compile("/act$")):
        choose()
    expect(page.locator("[aria-busy=false]")).to_be_attached()


def test_a_game_of_cheat_is_played_by_touching_cards(
    opened: Callable[..., Any], shoot: Any, accessible: Any
) -> None:  # fmt: skip
    page = opened("#/play")
    sit_down(page, "Cheat", "heuristic")
    accessible(page)
    shoot(page, "play_cheat")
    for _ in range(60):
        if is_over(page):
            break
        lay = page.get_by_role("button", name=re.compile("Touch the cards"))
        if lay.count():
            page.get_by_role("group", name=re.compile("^Your hand")).get_by_role("button").first.click()
            move(page, page.get_by_role("button", name=re.compile("^Lay it and say")).click)
        else:
            move(page, page.get_by_role("button", name="Believe").click)
    expect(page.get_by_text(re.compile("^You (win|lose)|^A draw"))).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Review my choices").click()
    expect(page.get_by_text(re.compile("Your choices lost|no choice to make"))).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Replay, everything shown").click()
    expect(page.get_by_text("Tester’s view")).to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="One step on").click()
    expect(page.get_by_text("step 3 of")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="To the end")).to_be_disabled()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()
    accessible(page)
    shoot(page, "replay_cheat")


def test_a_hand_of_holdem_by_keyboard_on_a_phone_in_the_dark(
    opened: Callable[..., Any], shoot: Any, accessible: Any
) -> None:  # fmt: skip
    page = opened("#/play", theme="dark", size=NARROW)
    sit_down(page, "Texas Hold", "call")
    accessible(page)
    shoot(page, "play_holdem_phone")
    for _ in range(30):
        if is_over(page):
            break
        names = page.get_by_role("group", name="What you may do").get_by_role("button").all_inner_texts()
        key = next(k for k, name in enumerate(names, 1) if name.startswith(("Check", "Call")))
        move(page, lambda key=key: page.keyboard.press(str(key)))
    expect(page.get_by_role("button", name="Next game")).to_be_visible()
    page.get_by_role("button", name="Next game").click()
    expect(page.get_by_text("game 2 against call")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_who_sits_down_at_once_is_dealt_the_game_that_was_picked(opened: Callable[..., Any]) -> None:
    page = opened("#/play", size=NARROW)
    expect(page.get_by_text("cheat · 2 players")).to_be_visible(timeout=PATIENCE)
    held: list[Any] = []
    page.route("**/api/tables/choices*", lambda route: held.append(route))  # Playwright marks the function
    page.get_by_role("radio", name=re.compile("^Kuhn poker")).check()
    sit = page.get_by_role("button", name="Sit down")
    expect(sit).to_be_in_viewport()
    expect(sit).to_be_disabled()  # it is not known yet who can sit opposite
    held[0].continue_()
    sit.click()
    table = page.get_by_role("group", name="The table")
    expect(table).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("heading", level=1, name="Kuhn poker")).to_be_visible()
    move(page, lambda: page.keyboard.press("1"))
    expect(table).to_be_focused()  # and not lost with the button


@pytest.mark.slow
def test_mahjong_discards_what_is_touched_twice(opened: Callable[..., Any], shoot: Any, accessible: Any) -> None:
    page = opened("#/play", theme="dark")
    sit_down(page, "Mahjong", "mixed")
    for _ in range(6):
        if is_over(page):
            break
        hand = page.get_by_role("group", name=re.compile("^Your hand"))
        if hand.get_by_role("button", disabled=False).count():
            hand.get_by_role("button", disabled=False).last.click()
            expect(page.get_by_role("button", name=re.compile("^Discard "))).to_be_visible()
            move(page, hand.get_by_role("button", pressed=True).click)
        else:
            move(page, page.get_by_role("group", name="What you may do").get_by_role("button").first.click)
    if not is_over(page):
        page.get_by_role("button", name="What would you do?").click()
        expect(page.get_by_text("From what you can see they would")).to_be_visible(timeout=PATIENCE)
    accessible(page)
    shoot(page, "play_mahjong_dark")


@pytest.mark.slow
def test_hints_grades_and_a_reload_in_the_middle(opened: Callable[..., Any], accessible: Any) -> None:
    page = opened("#/play")
    sit_down(page, "Kuhn poker", "solved now")
    page.get_by_role("button", name="What would you do?").click()
    expect(page.get_by_role("list", name=re.compile("What solved now would do"))).to_be_visible(timeout=PATIENCE)
    accessible(page)
    page.reload()
    expect(page.get_by_role("heading", name="Kuhn poker")).to_be_visible()
    for _ in range(3):
        if is_over(page):
            break
        move(page, page.get_by_role("button", name="Pass").click)
    expect(page.get_by_text(re.compile("By solved now, from what you could know"))).to_be_visible(timeout=PATIENCE)


def test_a_shared_file_is_dropped_onto_the_page(
    opened: Callable[..., Any], served: Served, tmp_path: Path, accessible: Any
) -> None:  # fmt: skip
    page = opened("#/play")
    sit_down(page, "Leduc poker", "random")
    while not is_over(page):
        move(page, page.get_by_role("button", name="Call").click)
    page.get_by_role("link", name="Replay, everything shown").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a file").click()
    file = tmp_path / "friend.jsonl"
    saved.value.save_as(file)
    assert json.loads(file.read_text().splitlines()[0])["game"] == "leduc"
    page.goto(served.address + "#/replay")
    accessible(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("Tester’s view")).to_be_visible()
    expect(page.get_by_role("heading", name="Leduc poker")).to_be_visible()
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nothing\n")
    page.goto(served.address + "#/replay")
    opened.complaints.clear()  # type: ignore[attr-defined]
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_text("is damaged or no record")).to_be_visible()
    opened.complaints.clear()  # type: ignore[attr-defined]
