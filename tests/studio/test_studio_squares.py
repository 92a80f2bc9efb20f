"""Squares of hands: places of a spot and of a blueprint, kinds of hands, hands, and what they are worth."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import settings_in
from fastapi.testclient import TestClient
from rough_hands import few_buckets
from small_spots import TURN
from solved_games import spot_file

from ruse.catalog.names import game
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.spots.rules import SpotGame
from ruse.spots.facts import known_of
from ruse.spots.places import here, place_after
from ruse.spots.strategy import SpotStrategy
from ruse.strategy import Strategy
from ruse.studio.app import create_app
from ruse.studio.look.sources import StrategySource, kind_of
from ruse.studio.look.squares import blueprint_at, side_of

SPOT = game(TURN)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("squares")
    assert isinstance(SPOT, SpotGame)
    spot_file(folder / "runs", SPOT)
    spot_file(folder / "runs", SPOT, "again.strategy")
    with TestClient(create_app(settings_in(folder)), base_url="http://127.0.0.1") as made:
        made.folder = folder  # type: ignore[attr-defined]
        yield made


def get(asked: TestClient, path: str, **query: Any) -> Any:
    answer = asked.get(f"/api/squares/{path}", params={"source": "spot.strategy"} | query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def loaded(asked: TestClient) -> SpotStrategy:
    return SpotStrategy.load(Path(asked.folder) / "runs" / "spot.strategy")  # type: ignore[attr-defined]


def test_the_square_is_what_the_library_has(asked: TestClient) -> None:
    strategy, place = loaded(asked), get(asked, "place")
    at = here(strategy, place_after(strategy.game, ""))
    assert (place["kind"], place["seat"], place["due"], place["line"]) == ("spot", "oop", 0, "")
    assert [move["name"] for move in place["moves"]] == list(at.actions)
    assert [move["share"] for move in place["moves"]] == pytest.approx(at.overall.tolist())
    (side,) = place["sides"]
    assert len(side["cells"]) == 169
    assert [cell["name"] for cell in side["cells"][:3]] == ["AA", "AKs", "AQs"]
    assert side["hands"] == pytest.approx(at.reach[0].sum())
    for cell in side["cells"]:
        assert (sum(cell["mix"]) == pytest.approx(1.0)) if cell["weight"] else cell["mix"] == []


def test_a_line_is_walked_by_what_the_page_offers(asked: TestClient) -> None:
    line, seen = "", []
    for _ in range(12):
        place = get(asked, "place", line=line)
        seen.append(place)
        if place["over"]:
            break
        calls = [move for move in place["moves"] if move["kind"] in ("check", "call")]
        line = calls[0]["line"] if calls else f"{place['line']}, {place['free'][0]}"
    assert place["over"] == "showdown"
    assert any(one["due"] == 1 and len(one["free"]) == 48 for one in seen)
    assert [step["line"] for step in place["steps"]][-1] == place["line"]
    assert "river" in {step["who"] for step in place["steps"]}


def test_hands_have_what_is_known_of_each(asked: TestClient) -> None:
    strategy, place = loaded(asked), get(asked, "place")
    at = here(strategy, place_after(strategy.game, ""))
    cell = next(cell["name"] for cell in place["sides"][0]["cells"] if cell["weight"] > 0.0)
    found = get(asked, "hands", cell=cell)
    assert found["moves"] == list(at.actions)
    for hand in found["sides"][0]:
        told = known_of(strategy, at, hand["name"])
        assert hand["mix"] == pytest.approx([*told["strategy"].values()])
        assert hand["values"] == pytest.approx([*told["values"].values()])
        assert hand["equity"] == pytest.approx(told["equity"])
    one = get(asked, "hand", hand=found["sides"][0][0]["name"].lower())
    assert (one["cell"], one["sides"][0]) == (cell, [found["sides"][0][0]])


def test_kinds_of_hands_have_a_worth(asked: TestClient) -> None:
    worth, cells = get(asked, "worth"), get(asked, "place")["sides"][0]["cells"]
    assert [x is not None for x in worth["equity"]] == [cell["weight"] > 0 for cell in cells]
    assert all(0.0 <= x <= 1.0 for x in worth["equity"] if x is not None)
    k = next(k for k, cell in enumerate(cells) if cell["weight"] > 0)
    hands = get(asked, "hands", cell=cells[k]["name"])["sides"][0]
    own = [sum(p * v for p, v in zip(hand["mix"], hand["values"], strict=True)) for hand in hands]
    assert worth["value"][k] == pytest.approx(np.average(own, weights=[hand["reach"] for hand in hands]))


def test_two_squares_side_by_side(asked: TestClient) -> None:
    place = get(asked, "place", other="again.strategy")
    assert len(place["sides"]) == 2
    assert place["sides"][1]["distance"] == [0.0] * 169


@pytest.mark.parametrize(
    ("path", "query", "why"),
    [
        ("place", {"line": "dance"}, "there is no 'dance'"),
        ("hands", {"cell": "KAs"}, "higher rank first"),
        ("hand", {"hand": "AhAh"}, "twice"),
        ("worth", {"source": "game:kuhn"}, "no square of hands"),
    ],
)
def test_what_is_no_place_is_refused(asked: TestClient, path: str, query: dict[str, str], why: str) -> None:
    answer = asked.get(f"/api/squares/{path}", params={"source": "spot.strategy"} | query)
    assert answer.status_code == 400
    assert why in answer.json()["error"]


def test_a_blueprint_has_a_square_too() -> None:
    strategy = Strategy(Holdem(), np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())
    start = blueprint_at(strategy, "")
    side = side_of(StrategySource(id="x", title="holdem", game="holdem", kind="blueprint"), start)
    assert (start.facts["seat"], start.facts["pot"], start.facts["to_call"]) == ("seat 0", "1.5bb", "0.5bb")
    assert side.hands == 1326
    assert all(cell.mix == pytest.approx([0.2] * 5) for cell in side.cells)
    flop = blueprint_at(strategy, "raise 2bb, call")
    assert (flop.facts["due"], flop.facts["seat"]) == (3, None)
    then = blueprint_at(strategy, "raise 2bb, call, Qs Jh 2h")
    assert then.facts["board"] == ["Qs", "Jh", "2h"]
    assert [step.who for step in then.facts["steps"]] == ["seat 0", "seat 1", "flop"]
    assert blueprint_at(strategy, "fold").facts["over"] == "the hand is over"


def test_files_say_what_they_are_of() -> None:
    assert kind_of({"format": "ruse-spot/1"}) == "spot"
    assert kind_of({"format": "ruse-strategy/1", "game": "holdem:stack=20.0", "view": "buckets"}) == "blueprint"
    assert kind_of({"format": "ruse-strategy/1", "game": "kuhn", "view": "Full(nothing=0)"}) == "strategy"
