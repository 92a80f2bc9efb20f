"""What a strategy is worth at each infoset, against a slow recursion over every history."""

import csv
import io
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_games import random_game
from strategies import lopsided

import ruse
from ruse.errors import RuseError
from ruse.evaluate.explaining.explain import Explained
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded

KUHN = ruse.Kuhn()
GAMES = [KUHN, ruse.Kuhn(players=3), *(random_game(seed) for seed in range(6)), random_game(1, players=3)]


class Totals:
    """What the recursion adds up for one infoset."""

    def __init__(self) -> None:
        self.reach = 0.0  # of all
        self.others = 0.0  # of chance and the other players
        self.value: dict[str, float] = defaultdict(float)  # [action] the acting player's payoff times others' reach


def slowly(strategy: Strategy) -> dict[tuple[int, str], Totals]:
    """Reach and action values of every infoset, by walking the game in plain Python."""
    plays = {(choice.player, choice.name): choice.actions for choice in strategy}
    found: dict[tuple[int, str], Totals] = defaultdict(Totals)

    def walk(state: ruse.State, chance: float, reach: list[float]) -> np.ndarray:
        if state.is_over:
            return np.array(state.payoffs)
        if state.is_chance:
            pairs = zip(state.chances, state.children(), strict=True)
            return sum((p * walk(child, chance * p, reach) for p, child in pairs), np.zeros(len(reach)))
        mover = state.player
        here = found[mover, state.describe(mover)]
        others = chance * math.prod(r for p, r in enumerate(reach) if p != mover)
        here.others += others
        here.reach += others * reach[mover]
        total = np.zeros(len(reach))
        for (action, share), child in zip(plays[mover, state.describe(mover)].items(), state.children(), strict=True):
            value = walk(child, chance, [r * share if p == mover else r for p, r in enumerate(reach)])
            here.value[action] += others * value[mover]
            total += share * value
        return total

    walk(ruse.State.of(strategy.game), 1.0, [1.0] * strategy.game.players)
    return found


@pytest.mark.parametrize("pure", [False, True], ids=["mixed", "pure"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: repr(game).replace(", ", ","))
def test_values_and_reach(game: ruse.Game, pure: bool) -> None:
    strategy = lopsided(game, seed=5, pure=pure)
    told, slow = ruse.explain(strategy), slowly(strategy)
    plays = {(choice.player, choice.name): choice.actions for choice in strategy}
    assert {(e.player, e.name) for e in told} == slow.keys()
    assert len(told) == len(slow)
    never = 0
    for e in told:
        truth = slow[e.player, e.name]
        assert e.reach == pytest.approx(truth.reach, abs=1e-12), e
        assert dict(zip(e.actions, e.probability, strict=True)) == plays[e.player, e.name]
        for action, value in zip(e.actions, e.value, strict=True):
            if truth.others == 0.0:
                never += 1
                assert value is None, e
            else:
                assert value == pytest.approx(truth.value[action] / truth.others, abs=1e-12), (e, action)
    assert never == 0 or pure
    assert never > 0 or not pure or game is not KUHN  # pure strategies leave parts of Kuhn poker out


def test_values_on_a_trained_strategy() -> None:
    """In equilibrium no action is worth more than those that are played (Kuhn 1950)."""
    run = ruse.train(KUHN, ruse.pdcfr_plus(), target=1e-7)
    for e in ruse.explain(run.strategy):
        worth = [value for value in e.value if value is not None]
        for share, value in zip(e.probability, worth, strict=True):
            assert value <= max(worth)
            assert share < 1e-3 or e.reach < 1e-3 or value == pytest.approx(max(worth), abs=1e-3), e
    jack_called = ruse.what_here(run.strategy, "J, bet")
    assert jack_called.value == pytest.approx([-1, -2])  # folding loses the ante, calling the bet too
    king_called = ruse.what_here(run.strategy, "K, bet")
    assert king_called.value == pytest.approx([-1, 2])


# ---- what here? ------------------------------------------------------------------------------------------------------


def test_by_name_and_by_history_agree() -> None:
    strategy = lopsided(ruse.Leduc())
    here = ruse.what_here(strategy, ["Ks", "Jh", "raise"])
    assert (here.player, here.name, here.actions) == (1, "Jh, no board, raise", ["fold", "call", "raise"])
    assert here == ruse.what_here(strategy, "jh no board raise")
    assert here == ruse.what_here(strategy, ["Qs", "Jh", "raise"])  # the other's card makes no difference
    assert here == ruse.what_here(strategy, ["KS", "jh", "RAISE"])
    assert here in ruse.explain(strategy)
    later = ruse.what_here(strategy, ["Ks", "Jh", "raise", "call", "Kh", "raise"])
    assert later == ruse.what_here(strategy, "Jh, board Kh, raise call / raise")


def test_every_history_leads_to_its_infoset() -> None:
    game = random_game(2)
    strategy = lopsided(game)
    told = {(e.player, e.name): e for e in ruse.explain(strategy)}
    waiting, decisions = [ruse.State.of(game)], 0
    while waiting:
        state = waiting.pop()
        waiting += state.children()
        if not state.is_over and not state.is_chance and decisions < 30:
            path = state.path().split(", ") if state.history else []
            assert ruse.what_here(strategy, path) == told[state.player, state.describe(state.player)]
            decisions += 1
    assert decisions > 10


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ([], "^nobody acts after the start: chance is due$"),
        (["K"], "^nobody acts after K: chance is due$"),
        (["K", "J", "pass", "pass"], "^nobody acts after K, J, pass, pass: the game is over$"),
        (
            ["K", "J", "pass", "pass", "bet"],
            "^no action 'bet' after K, J, pass, pass; there is: none, the game is over$",
        ),
        (["K", "J", "raise"], "^no action 'raise' after K, J; there is: pass, bet$"),
        (["K", "K"], "^no action 'K' after K; there is: J, Q$"),
        ("A, bet", "^no infoset 'A, bet'; closest: "),
    ],
)
def test_errors(place: list[str] | str, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.what_here(Strategy.uniform(KUHN), place)


def test_printing() -> None:
    here = ruse.what_here(Strategy.uniform(KUHN), "K, pass bet")
    assert str(here).splitlines() == [
        "player 0 at 'K, pass bet', reached with probability 0.0833333",  # 1/3 x 1/2 x 1/2
        "  pass  0.500000  worth -1.000000",
        "  bet   0.500000  worth +2.000000",
    ]
    assert "never reached" in str(Explained(0, "K", 0.0, ["pass"], [1.0], [None]))


# ---- comparisons -----------------------------------------------------------------------------------------------------


def changed(strategy: Strategy, name: str, shares: list[float]) -> Strategy:
    """The same strategy but at one infoset."""
    expanded = Expanded.of(strategy.game)
    sigma = strategy.on(expanded)
    node = next(i.node for i in expanded.infosets if i.name == name)
    sigma[expanded.form.first[node] : expanded.form.first[node + 1]] = shares
    return Strategy.of(expanded, sigma)


def test_compare() -> None:
    ours = Strategy.uniform(KUHN)
    theirs = changed(changed(ours, "K, pass bet", [0.0, 1.0]), "Q", [0.75, 0.25])
    first, second, *rest = ruse.compare(ours, theirs)
    # Q is dealt to player 0 in a third of the games, and 1/4 of play differs there: 1/12.
    assert (first.player, first.name) == (0, "Q")
    assert (first.weight, first.distance) == (pytest.approx(1 / 3), pytest.approx(0.25))
    assert first.ours == {"pass": 0.5, "bet": 0.5}
    assert first.theirs == {"pass": 0.75, "bet": 0.25}
    assert str(first) == "player 0  Q  pass 0.500/0.750  bet 0.500/0.250  (reach 0.3333)"
    # K, pass, bet is reached in 1/3 x 1/2 x 1/2 of the games, and half of play differs there: 1/24.
    assert (second.name, second.weight, second.distance) == ("K, pass bet", pytest.approx(1 / 12), pytest.approx(0.5))
    assert [d.distance for d in rest] == [0.0] * 10


def test_compare_sorts_by_what_matters() -> None:
    game = random_game(4)
    ours, theirs = lopsided(game, 1), lopsided(game, 2)
    differences = ruse.compare(ours, theirs)
    matters = [d.distance * d.weight for d in differences]
    assert matters == sorted(matters, reverse=True)
    assert matters[0] > 0
    assert len(differences) == len(ruse.explain(ours))
    told = [{(e.player, e.name): e for e in ruse.explain(s)} for s in (ours, theirs)]
    for d in differences:
        a, b = (e[d.player, d.name] for e in told)
        assert d.weight == pytest.approx((a.reach + b.reach) / 2)
        assert d.distance == pytest.approx(
            sum(max(0, p - q) for p, q in zip(a.probability, b.probability, strict=True))
        )
        assert 0 <= d.distance <= 1


def test_a_strategy_does_not_differ_from_itself() -> None:
    strategy = lopsided(ruse.Leduc())
    assert {d.distance for d in ruse.compare(strategy, strategy)} == {0.0}


def test_strategies_of_two_games_are_not_compared() -> None:
    with pytest.raises(RuseError, match=r"the strategy is for Leduc.*, not for Kuhn"):
        ruse.compare(Strategy.uniform(KUHN), Strategy.uniform(ruse.Leduc()))


# ---- exports ---------------------------------------------------------------------------------------------------------


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.fixture(scope="module", params=[False, True], ids=["mixed", "pure"])
def strategy(request: pytest.FixtureRequest) -> Strategy:
    return lopsided(ruse.Leduc(), pure=request.param)


def test_json(strategy: Strategy) -> None:
    content = json.loads(ruse.export(strategy), parse_constant=refuse)
    assert content["format"] == "ruse-export/1"
    assert content["game"] == repr(strategy.game)
    measured = ruse.exploitability(strategy.game, strategy)
    assert content["exploitability"] == float(measured)
    assert content["game_value"] == measured.values[0]
    infosets = content["infosets"]
    assert len({(i["player"], i["infoset"]) for i in infosets}) == len(infosets) == 936  # Leduc with suits
    for infoset, e in zip(infosets, ruse.explain(strategy), strict=True):
        assert sum(a["probability"] for a in infoset["actions"]) == pytest.approx(1, abs=1e-12)
        assert (infoset["player"], infoset["infoset"], infoset["reach"]) == (e.player, e.name, e.reach)
        assert [(a["action"], a["probability"], a["value"]) for a in infoset["actions"]] == list(
            zip(e.actions, e.probability, e.value, strict=True)
        )
    assert any(a["value"] is None for i in infosets for a in i["actions"]) == (0 in strategy.probability)


def test_what_a_strategy_says_about_itself_is_exported() -> None:
    run = ruse.train(KUHN, ruse.cfr(), iterations=10, seed=3)
    content = json.loads(ruse.export(run.strategy))
    assert {key: content[key] for key in ("rule", "iterations", "seed")} == {"rule": "cfr", "iterations": 10, "seed": 3}
    assert content["exploitability"] == pytest.approx(run.exploitability)


def test_csv(strategy: Strategy) -> None:
    rows = list(csv.DictReader(io.StringIO(ruse.export(strategy, "csv"))))
    expected: list[dict[str, Any]] = [
        {"player": e.player, "infoset": e.name, "reach": e.reach, "action": a, "probability": p, "value": v}
        for e in ruse.explain(strategy)
        for a, p, v in zip(e.actions, e.probability, e.value, strict=True)
    ]
    read = [
        {
            "player": int(row["player"]),
            "infoset": row["infoset"],
            "reach": float(row["reach"]),
            "action": row["action"],
            "probability": float(row["probability"]),
            "value": float(row["value"]) if row["value"] else None,
        }
        for row in rows
    ]
    assert read == expected  # to the last bit


def test_files(tmp_path: Path) -> None:
    strategy = Strategy.uniform(KUHN)
    for name, kind in (("a.json", "json"), ("a.csv", "csv"), ("a", "json")):
        ruse.export_file(strategy, tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") == ruse.export(strategy, kind)
    ruse.export_file(strategy, tmp_path / "a.txt", "csv")
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "a.csv").read_bytes()
    with pytest.raises(RuseError, match=r"^unknown format 'xml'; there are json and csv$"):
        ruse.export_file(strategy, tmp_path / "a.xml")
    assert not (tmp_path / "a.xml").exists()
