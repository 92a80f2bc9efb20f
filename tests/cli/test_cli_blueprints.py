"""Blueprints of Hold'em in the terminal: judged, matched, asked, and at tables with other bets."""

import shlex
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from commands import Ruse, told
from rough_hands import few_buckets, rough_table

from ruse.cli.commands.training.solve import what_next
from ruse.evaluate.holdem import preflop, rooms
from ruse.games.holdem import views
from ruse.games.holdem.rules import Holdem
from ruse.strategy import Strategy


@pytest.fixture
def blueprint(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> Ruse:
    """With a strategy in the folder that plays everything alike, one bucket a street, and tables that are quick."""
    for module in (preflop, rooms):
        monkeypatch.setattr(module, "starting_equities", rough_table)
    monkeypatch.setattr(views, "card_buckets", lambda sizes, seed: SimpleNamespace(cards=few_buckets().cards))
    nothing: Any = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0)
    Strategy(Holdem(), *nothing, view=few_buckets()).save("alike.strategy")
    return ruse


@pytest.mark.parametrize("players", [2, 3])
def test_what_comes_next(players: int) -> None:
    """A blueprint can be shown, though its game cannot be walked; a local best response is one to two players."""
    made = Holdem(players=players)
    run: Any = SimpleNamespace(game=made, strategy=SimpleNamespace(view=few_buckets()), exploitability=float("nan"))
    assert what_next(run, "last")[:2] == ["show last", "play last"]
    assert ("evaluate last --local-best-response 2000" in what_next(run, "last")) == (players == 2)


def test_local_best_response(blueprint: Ruse) -> None:
    line = ("evaluate", "alike.strategy", "--local-best-response", "200")
    facts = told(blueprint(*line, "--json"))
    assert facts["lower_bound"] == max(street["interval"][0] for street in facts["from"]) > 0.0
    assert len(facts["from"]) == 4
    said = blueprint(*line)
    assert (said.code, said.err) == (0, "")
    assert "200 deals, seed 0, 95 % confidence for all four together" in said.out
    assert f"exploitability is at least {1000 * facts['lower_bound']:.0f} mbb a hand" in said.out
    refused = blueprint("evaluate", "alike.strategy", "--local-best-response", "1")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "takes the deals to play, at least 2, got 1" in refused.err


def test_less_luck(ruse: Ruse) -> None:
    line = ("match", "holdem", "tight", "call", "--deals", "500", "--less-luck")
    facts = told(ruse(*line, "--json"))
    assert facts["gain"] == pytest.approx((facts["plain_margin"] / facts["margin"]) ** 2)
    assert facts["margin"] < facts["plain_margin"]
    said = ruse(*line)
    assert (said.code, said.err) == (0, "")
    assert f"tight  {facts['mean']:+.4f} +- {facts['margin']:.4f}, as played {facts['plain_mean']:+.4f}" in said.out
    for words, why in {"leduc random random": "Hold'em", "holdem tight": "takes 2 bots, got 1"}.items():
        refused = ruse("match", *words.split(), "--less-luck")
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert why in refused.err


def test_a_bet_that_it_does_not_know(blueprint: Ruse) -> None:
    asked = blueprint("show", "alike.strategy", "--history", "raise 2.8bb", "--hand", "AhKh")
    assert asked.code == 0
    assert "after raise 2.8bb as raise 3bb (preflop, pot 4bb)" in asked.out
    line = "play holdem:any --against alike.strategy --seed 5 --games 2"
    played = blueprint(*line.split(), typed=("raise 2.37bb", *("call", "check") * 12))
    assert played.code == 0
    assert "bets that it does not know are taken for those that are near" in played.err
    assert "2 games" in played.out
    other = blueprint("play", "holdem:stack=50", "--against", "alike.strategy")
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert "is a strategy for Holdem(), not for Holdem(stack=50.0); its game is called holdem\n" in other.err


def test_looking_ahead(blueprint: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A blueprint that solves the rest of a hand before it moves, with its fields; and what is refused."""
    monkeypatch.setattr("ruse.horizon.search.agent.RUNOUTS", 2)
    line = "match alike.strategy:play=search,seconds=60,iterations=5 call --deals 2 --json"
    facts = told(blueprint(*line.split()))
    assert facts["games"] == 4
    assert told(blueprint(*line.split())) == facts
    for line, words in {
        "match alike.strategy:play=search,seconds=0 call": "seconds must be above 0, got 0",
        "match alike.strategy:play=search,depth=2 call": "search has no field 'depth'; it has seconds, iterations",
        "match kuhn alike.strategy:play=search random": "was trained in holdem, and searches there alone, not in kuhn",
        "play holdem:stack=50 --against alike.strategy:play=search": "searches there alone, not in holdem:stack=50",
    }.items():
        refused = blueprint(*line.split())
        assert (refused.code, refused.err.count("\n")) == (2, 1), line
        assert words in refused.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("style holdem --target 'VPIP = 0.9' --max-exploitability 0.03 --rule nope", "unknown rule 'nope'"),
        ("style holdem --target 'VPIP = 0.9' --max-exploitability 0.03 --rule mccfr", "ranges are walked whole"),
        (
            "style holdem --target 'VPIP = 0.9' --max-exploitability 0.03 --iterations 0",
            "iterations must be at least 1",
        ),
        ("style holdem --target 'VPIP = 0.9' --max-exploitability 0.03 --solves 3", "at least 4 solves, got 3"),
        ("style holdem --adapt-to tight --max-exploitability 0.03", "tight is a bot"),
        ("style holdem --adapt-to no.strategy --max-exploitability 0.03 --rule mccfr", "ranges are walked whole"),
        ("match holdem no.strategy tight --deals 0", "deals must be at least 2, got 0"),
        ("evaluate no.strategy --local-best-response 0", "at least 2, got 0"),
    ],
)
def test_what_is_refused_is_refused_before_a_strategy_is_read(ruse: Ruse, words: str, sentence: str) -> None:
    """The tables of its view may take minutes."""
    result = ruse(*shlex.split(words), *(["--blueprint", "no.strategy"] if words.startswith("style") else []))
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err
    assert "no.strategy" not in result.err
