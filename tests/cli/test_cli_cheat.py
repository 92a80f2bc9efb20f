"""The command line of Cheat: bots by name, strategies under views, a table that hides what is hidden, and replays."""

import json
import random
import re
import shlex
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cheat_twin import called, deal, dealt, twin_of
from commands import SOLVE, Result, Ruse, told

from ruse.cli.terminal.table import HELP, fitting, offered
from ruse.evaluate.explaining.explain import explain
from ruse.evaluate.exploitability import expected_values
from ruse.games.cheat import table as cheat_table
from ruse.games.cheat.rules import END, NO_HP, Cheat
from ruse.games.cheat.views import Memoryless, view_of
from ruse.protocol.state import State
from ruse.solve.solver.presets import mccfr
from ruse.strategy import Strategy
from ruse.training.train import train


@pytest.fixture
def forgetful(ruse: Ruse) -> Callable[..., Result]:
    """Commands in a folder with two strategies under views."""
    for view in ("memoryless", "memoryless+"):
        told(ruse(*SOLVE.split(), view, "--no-run", "--out", f"{view}.strategy", "--json"))
    return lambda line, typed=(): ruse(*shlex.split(line), typed=typed)


# ---- bots and views --------------------------------------------------------------------------------------------------


def test_a_match_of_bots(ruse: Ruse) -> None:
    line = "match cheat:hp=3 heuristic random --deals 2000 --seed 1"
    found = told(ruse(*line.split(), "--json"))
    assert (found["game"], found["names"], found["games"]) == ("cheat", ["heuristic", "random"], 4000)
    assert 0.77 < found["win_rate"][0] < 0.83
    low, high = found["win_interval"][0]
    assert low < found["win_rate"][0] < high < low + 0.03
    rates = found["rates"]
    assert [set(rate) for rate in rates] == [{"lies", "challenges", "challenges won", "discards a game"}] * 2
    assert rates[0]["challenges won"] > 0.8 > 0.5 > rates[1]["challenges won"]
    out = ruse(*line.split()).out
    assert "challenges won" in out
    assert f"wins {found['win_rate'][0]:.1%}" in out


def test_bots_with_fields(ruse: Ruse) -> None:
    timid, bold = (
        told(ruse("match", "cheat", f"heuristic:threshold={x}", "random", "--deals", "500", "--json"))["rates"][0]
        for x in ("0", "1")
    )
    assert timid["challenges"] < bold["challenges"]


@pytest.mark.slow
def test_a_strategy_under_a_view_in_every_command(forgetful: Callable[..., Any]) -> None:
    name = repr(Memoryless())
    assert Strategy.load("memoryless.strategy").view == Memoryless()
    shown = told(forgetful("show memoryless.strategy --limit 0 --json"))
    assert (shown["count"], shown["view"], len(shown["infosets"])) == (292, name, 292)
    by_name = {row["infoset"]: row for row in shown["infosets"]}
    assert len(by_name) == 292
    assert {row["player"] for row in shown["infosets"]} == {0, 1, None}  # seats with as many cards share infosets
    out = forgetful("show memoryless.strategy --sort reach --limit 3").out
    assert "view memoryless, " in out.splitlines()[0]
    assert out.splitlines()[2].startswith("any     discard, rank A, hand ")
    for player in "01":
        mine = forgetful(f"show memoryless.strategy --player {player} --limit 0").out.splitlines()[2:]
        assert {line.split()[0] for line in mine} == {player, "any"}
    place = "challenge, rank A, hand A 2, cards 2-1"
    here = told(forgetful(f'show memoryless.strategy --at "{place}" --json'))
    assert {key: here[key] for key in here if key != "game"} == by_name[place]
    moves = "player 1 starts, player 0 gets A, player 0 gets 2, player 1 gets A, player 1 gets 2, 2"
    assert told(forgetful(f'show memoryless.strategy --history "{moves}" --json')) == here
    assert "no infoset" in forgetful("show memoryless.strategy --at nonsense").err
    # Under Cards Abstraction cards are told by how far ahead of the current rank they are.
    turned = told(forgetful("show memoryless+.strategy --limit 0 --json"))
    assert turned["count"] == 100
    assert {row["actions"][0]["action"][0] for row in turned["infosets"]} == {"+", "b"}  # or believe
    judged = told(forgetful("evaluate memoryless.strategy --json"))
    assert judged["view"] == name
    assert judged["exploitability"] == pytest.approx(Strategy.load("memoryless.strategy").about["exploitability"])
    assert "exactly" in forgetful("evaluate memoryless.strategy --against memoryless+.strategy").out
    assert "`ruse match` measures it" in forgetful("evaluate memoryless.strategy --against heuristic").err
    rate = told(forgetful("match memoryless.strategy random --deals 2000 --json"))["win_rate"][0]
    assert 0.75 < rate < 0.95
    assert told(forgetful("match heuristic memoryless.strategy --deals 100 --json"))["game"] == "cheat"
    assert forgetful("export memoryless.strategy --format csv").out.count("\n") > 292


def test_values_and_reach_under_a_view() -> None:
    """Against a slow recursion over every history: visits add up, and values are weighted by them."""
    game = Cheat(hp=1)
    strategy = train(game, mccfr("chance"), iterations=30, view=Memoryless()).strategy
    plays = {choice.name: list(choice.actions.values()) for choice in strategy}
    reach: dict[str, float] = defaultdict(float)
    value: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(1))

    def walk(state: State, weight: float) -> np.ndarray:
        if state.is_over:
            return np.array(state.payoffs)
        if state.is_chance:
            pairs = zip(state.chances, state.children(), strict=True)
            return sum((p * walk(child, weight * p) for p, child in pairs), np.zeros(2))
        name, mover = Memoryless().describe(game, state.row), state.player
        worth = np.array([walk(child, weight * p) for child, p in zip(state.children(), plays[name], strict=True)])
        reach[name] += weight
        value[name] = value[name] + weight * worth[:, mover]
        return np.array(plays[name]) @ worth

    values = walk(State.of(game), 1.0)
    assert values == pytest.approx(expected_values(game, [strategy, strategy]))
    explained = explain(strategy)
    assert {e.name for e in explained} == reach.keys()
    for e in explained:
        assert e.reach == pytest.approx(reach[e.name], abs=1e-12)
        if reach[e.name] > 0:
            assert e.value == pytest.approx(value[e.name] / reach[e.name], abs=1e-12)
    assert any(e.player is None for e in explained)
    assert len(str(strategy).splitlines()) == len(explained) + 3  # under the names of two players, and of any


def test_the_json_of_a_run_names_its_view(ruse: Ruse) -> None:
    found = told(ruse(*SOLVE.split(), "hp+", "--json"))
    assert found["view"] == repr(view_of("hp+", Cheat()))
    assert found["infosets"] <= 608
    again = told(ruse("resume", "last", "--iterations", "30", "--json"))
    assert (again["view"], again["iterations"]) == (found["view"], 30)
    assert "view hp+" in ruse("show", "last", "--limit", "1").out


BAD = {
    "solve cheat --deal 4": "deal must be 0 (all) to 3, as 2 players share the 6 cards",
    "solve cheat --hp 0": "hp must be 1 to 8191, or -1 (none) in Cheat, got 0",
    "solve cheat --hp many": "hp of cheat must be a whole number or a word (inf, none), got 'many'",
    "solve leduc --view memoryless": "leduc has no view 'memoryless'; there is full",
    "solve cheat --view nonsense": "unknown view 'nonsense'; there are memoryless, hp, history, general",
    "solve cheat --view memoryless --iterations 5": "use a sampled walk",
    "match cheat heuristic": "takes 2 bots, got 1",
    "match cheat heuristik random": "cheat has the bots random, heuristic, naive",
    "match cheat heuristic:colour=1 random": "heuristic has no field 'colour'; it has threshold, challenge_last",
    "match cheat naive:challenge=7 random": "challenge is a probability, from 0 to 1, got 7",
    "match cheat heuristic:threshold=-0.1 random": "threshold is a probability, from 0 to 1, got -0.1",
    "solve cheat --walk chance --view General(window=99)": "a window of 99 turns does not fit cheat",
    "solve cheat --walk chance --view HistoryAware(window=-1)": "or 0 for the whole history",
    "match heuristic random": "name it first",
    "match leduc heuristic random": "leduc has the bots random",
    "play cheat --against heuristik": "cheat has the bots random, heuristic, naive",
    "play cheat --against heuristic --coach": "heuristic plays by no strategy",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_settings_are_one_sentence(ruse: Ruse, tmp_path: Path, line: str) -> None:
    result = ruse(*line.split())
    assert result.code == 2
    assert BAD[line] in result.err
    assert (result.err.count("\n"), result.err.startswith("ruse: ")) == (1, True)
    assert list(tmp_path.iterdir()) == []


# ---- at the table ----------------------------------------------------------------------------------------------------


def words_for(state: State, viewer: int) -> list[str]:
    return cheat_table.shown(state, viewer) if state.player == viewer else []


@pytest.mark.parametrize(
    "game",
    [Cheat(hp=1), Cheat(players=3, hp=1, max_discard=1, starter=0), Cheat(hp=NO_HP, max_turns=2, allow_pass=True)],
    ids=called,
)
def test_words_tell_what_has_been_shown_and_nothing_else(game: Cheat) -> None:
    """In the whole tree: who has been shown the same is told the same, whatever is hidden; so is the public."""
    heard: dict[Any, Any] = {}
    hidden: dict[Any, set[Any]] = {}
    viewers = (*range(game.players), None)
    waiting: list[Any] = [(state, twin_of(state), dict.fromkeys(viewers, ())) for state, _ in dealt(game)]
    while waiting:
        state, twin, lines = waiting.pop()
        public = tuple(what for what in twin.known[0][1:] if what[0] not in ("own cards", "taken"))
        for viewer in viewers:
            known = twin.known[viewer] if viewer is not None else public
            here = (viewer, known, twin.who, twin.payoffs)
            text = (lines[viewer], words_for(state, viewer) if viewer is not None else ())
            assert heard.setdefault(here, text) == text
            hidden.setdefault(here, set()).add((twin.hands, twin.pile))
        if twin.payoffs is None:
            for a, move in enumerate(twin.moves()):
                after = state.child(a)
                more = {v: (*lines[v], *cheat_table.told(game, state.row, a, after.row, v)) for v in viewers}
                waiting.append((after, move, more))
    assert max(len(worlds) for worlds in hidden.values()) > 5


def test_words_at_the_table() -> None:
    start = ("player 1 starts", "player 0 gets A", "player 0 gets 2", "player 1 gets A", "player 1 gets 2")
    state = State.of(Cheat()).after(*start[:-1])

    def then(action: str, viewer: int | None) -> list[str]:
        nonlocal state
        a, before = state.number_of(action), state
        state = state.child(a)
        return cheat_table.told(before.game, before.row, a, state.row, viewer)  # type: ignore[arg-type]

    assert then("player 1 gets 2", 0) == ["you are dealt A 2; player 1 begins, the first rank is A"]
    assert then("A 2", 0) == ["player 1 lays 2 cards and says: two Aces"]
    assert cheat_table.shown(state, 0) == [
        "your hand: A 2",
        "cards: you 2, player 1 0, pile 2",
        "Health Points: you 3, player 1 3",
        "player 1 says: two Aces. Do you believe it?",
    ]
    assert then("challenge", 0) == [
        "you challenge: A 2 are turned up, a lie",
        "player 1 takes the pile: 2 cards, and player 1 has 2 Health Points left",
    ]
    assert then("A", 0) == ["you lay A and say: one 2"]
    assert then("challenge", 0) == [
        "player 1 challenges: A is turned up, a lie",
        "you take the pile: A, and you have 2 Health Points left",
    ]
    assert then("2", None) == ["player 1 lays 1 card and says: one 3"]
    assert then("believe", None) == ["player 0 believes it"]
    assert then("A", 0) == ["you lay A and say: one Ace"]
    assert then("challenge", 1) == [
        "you challenge: A is turned up, and it was true",
        "you take the pile: A 2, and you have 1 Health Point left",
    ]
    assert then("2", 1) == ["you lay 2 and say: one 2"]
    assert then("challenge", 1)[1:] == ["player 0 takes the pile: 1 card, and player 0 has 1 Health Point left"]
    assert cheat_table.claim_words(3, 12) == "three Kings"


def test_who_has_to_leave_is_told() -> None:
    for game, last in ((Cheat(players=3, hp=1), "is out of the game"), (Cheat(players=3, hp=1, hp_out=END), "loses")):
        state, dice, lines = deal(State.of(game), random.Random(5)), random.Random(5), []
        while not state.is_over and not lines:
            a = len(state.actions) - 1 if state.actions[-1] == "challenge" else dice.randrange(len(state.actions))
            after = state.child(a)
            lines = [line for line in cheat_table.told(game, state.row, a, after.row, None) if line.endswith(last)]
            state = after
        assert len(lines) == 1


OPPONENTS = ["heuristic", "naive", "random", "memoryless.strategy", "heuristic:threshold=0.9"]


@pytest.mark.parametrize("seat", ["0", "1"])
@pytest.mark.parametrize("against", OPPONENTS)
def test_play_hides_until_the_end(forgetful: Callable[..., Any], tmp_path: Path, against: str, seat: str) -> None:
    """Before the end nothing is printed but what the own seat sees and hears."""
    for seed in range(4):
        typed = ["look", "?", *("#1", "#2", "list") * 40]
        line = f"play cheat --against {against} --seat {seat} --seed {seed} --games 1 --record {seed}.jsonl"
        out = forgetful(line, typed=tuple(typed)).out
        before, _, after = out.partition("The game is over: ")
        assert after
        events = [json.loads(text) for text in (tmp_path / f"{seed}.jsonl").read_text().splitlines()]
        state, me = State.of(Cheat()), int(seat)
        allowed = {f"The others play {against}.", "The others choose at random.", "Type ? for help.", ""}
        allowed |= {*HELP.splitlines(), *cheat_table.HELP.splitlines()}
        for event in events[1:-1]:
            a = event["number"]
            if state.player == me:
                allowed |= {*cheat_table.shown(state, me), state.describe(me), offered(state.actions)}
                allowed |= {f"'#{k}' is no action; there is {', '.join(state.actions)}, and ? for help" for k in (1, 2)}
            child = state.child(a)
            allowed |= {*cheat_table.told(Cheat(), state.row, a, child.row, me)}
            state = child
        assert state.is_over
        printed = {text.removeprefix("> ") for text in before.replace("> > ", "> \n> ").splitlines()}
        assert printed <= allowed, printed - allowed


def test_what_the_person_does_changes_no_cards(forgetful: Callable[..., Any], tmp_path: Path) -> None:
    for k, typed in enumerate((("#1",) * 60, ("#2", "#1") * 60)):
        line = f"play cheat --against naive --seed 3 --games 3 --record {k}.jsonl"
        assert forgetful(line, typed=typed).code == 0
    deals = [
        [e["action"] for e in map(json.loads, (tmp_path / f"{k}.jsonl").read_text().splitlines())
         if e.get("player") == "chance"] for k in range(2)
    ]  # fmt: skip
    assert deals[0] == deals[1]


def test_hints(forgetful: Callable[..., Any]) -> None:
    out = forgetful("play memoryless.strategy --seed 0 --games 1", typed=("hint", "quit")).out
    assert re.search(r"any player at 'discard, rank A, hand .*', reached with probability", out)
    assert "worth" in out
    out = forgetful("play cheat --against heuristic --seed 1", typed=("hint", "q")).out
    assert "there is no hint: heuristic plays by no strategy" in out
    line = "play cheat:ranks=7,copies=4,deal=6,hp=inf --against random --seed 0"
    out = forgetful(line, typed=("hint", "list", "1", "q")).out
    assert "more: list shows all" in out
    assert re.search(r"  3\s+0\.0\d+\n", out)  # too large for values: what is played, and no more
    assert "(write numbers with a #)" in out


def test_three_players_and_a_coach(forgetful: Callable[..., Any]) -> None:
    out = forgetful("play cheat --players 3 --against naive --seat 2 --seed 4 --games 1", typed=("#1",) * 60).out
    assert "1 game, " in out
    out = forgetful("play memoryless.strategy --seed 0 --games 1 --coach", typed=("#1", "#2") * 60).out
    assert "Your choices:" in out
    assert re.search(r"at 'discard, rank A, hand .*' you chose", out)


def test_lists_of_actions() -> None:
    assert offered(["A", "2", "A 2"]) == "  #1 A   #2 2   #3 A 2"
    assert offered(["believe", "challenge"]) == "  1 believe   2 challenge"
    assert offered(["3", "10"]) == "  3   10"
    assert fitting("list", ["list of cards"]) == []


@pytest.mark.parametrize("walk", ["external", "chance", "average"])
def test_a_game_without_an_end_is_told_before_anything_is_done(ruse: Ruse, walk: str) -> None:
    """It once compiled for ten seconds and said that the game was deeper than 392 decisions."""
    told = ruse("solve", "cheat:half", "--rule", "mccfr", "--walk", walk)
    assert (told.code, told.out) == (2, "")
    assert told.err == (
        f"ruse: cheat:half need not end by itself, and the walk {walk} goes on from every action that it explores; "
        "end it with the field max_turns=40, or use a walk that plays one line, as outcome\n"
    )
    assert not Path("runs").exists()
    for game in (Cheat(), Cheat(hp=NO_HP, max_turns=9)):
        assert game.to_end == ""
