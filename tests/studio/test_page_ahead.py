"""Opponents that look ahead, in a browser: chosen with their seconds, waited for, and told apart."""

import re
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import NARROW, Served
from rough_hands import few_buckets
from solved_games import holdem_run

from ruse.games.holdem import views
from ruse.games.holdem.rules import Holdem
from ruse.horizon.search.agent import Searching

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

PATIENCE = 120_000


def test_a_person_plays_against_one_who_looks_ahead(
    opened: Callable[..., Any], served: Served, shoot: Any, accessible: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = SimpleNamespace(cards=few_buckets().cards, words=lambda lies, bucket: f"bucket {bucket}")
    monkeypatch.setattr(views, "card_buckets", lambda sizes, seed: few)
    monkeypatch.setattr("ruse.horizon.search.agent.RUNOUTS", 1)
    plain, goes_on = Searching.decide, threading.Event()

    def slow(self: Searching, *asked: Any) -> int:
        assert goes_on.wait(600)
        return plain(self, *asked)

    monkeypatch.setattr(Searching, "decide", slow)
    run = holdem_run(served.settings.runs, Holdem()).name
    page = opened("#/play/new/holdem")
    page.get_by_label("Opponent").select_option("call")
    expect(page.get_by_label("How it plays")).to_have_count(0)  # nobody but a blueprint can
    page.get_by_label("Opponent").select_option(run)
    page.get_by_label("How it plays").select_option("Looks ahead before it moves")
    page.get_by_label("Seconds a move").fill("3")
    accessible(page)
    shoot(page, "play_ahead_lobby")
    narrow = opened("#/play/new/holdem", size=NARROW)
    narrow.get_by_label("Opponent").select_option(run)
    narrow.get_by_label("How it plays").select_option("Looks ahead before it moves")
    assert narrow.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    accessible(narrow)
    shoot(narrow, "play_ahead_lobby_phone")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text(re.compile("looks ahead, 3 s")).first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("^Call")).click()
    expect(page.get_by_text(re.compile("looks ahead, 3 s. is thinking…"))).to_be_visible(timeout=PATIENCE)
    shoot(page, "play_ahead_thinking")
    other = opened("#/play/new/kuhn/random", size=NARROW)  # another table does not wait
    other.get_by_role("button", name="Sit down").click()
    expect(other.get_by_role("group", name=re.compile("table"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("is thinking…")).to_be_visible()
    goes_on.set()
    expect(page.get_by_text("is thinking…")).to_have_count(0, timeout=PATIENCE)
    narrow.goto(page.url)
    expect(narrow.get_by_text(re.compile("looks ahead, 3 s")).first).to_be_visible(timeout=PATIENCE)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    shoot(narrow, "play_ahead_table_phone")
    arena = opened("#/arena")
    expect(arena.get_by_label(re.compile("looks ahead, 2 s"))).not_to_be_checked()
    shoot(arena, "arena_ahead")
