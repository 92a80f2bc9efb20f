"""Preferences in words: what they mean in a game, what they say, and what is told to a person who errs."""

from typing import Any

import naive
import numpy as np
import prefer_twin
import pytest
from forgetful_views import CardAlone
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.style import is_lie
from ruse.protocol.decisions import Asked
from ruse.protocol.game import Game
from ruse.protocol.view import Full
from ruse.solve.prefer.preferred import found, preferred
from ruse.solve.solver.prefer import Preference, preference, preferring

COIN_TOSS = ROOT / "examples/coin_toss.py"


# ---- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("bet, player 0, first: delta=10", Preference(Asked("bet", 0, is_first=True), 10.0, 0.0)),
        (
            "  raise   to 3 , first :  delta = 5 , beta = 0.05 ",
            Preference(Asked("raise to 3", is_first=True), 5.0, 0.05),
        ),
        ("raise or bet: beta=1e-3", Preference(Asked("raise or bet"), 10.0, 1e-3)),
        ("raise, with K, no board: delta=2", Preference(Asked("raise", held=("K",), said=("no board",)), 2.0, 0.0)),
        ("call, always, player 2: delta=2", Preference(Asked("call", 2), 2.0, 0.0)),
    ],
)
def test_texts(text: str, rule: Preference) -> None:
    assert preference(text) == rule
    assert preference(str(rule)) == rule


@given(
    st.builds(
        Preference,
        st.builds(
            Asked,
            st.sampled_from(["bet", "raise to 3", "A A", "bet or raise", "not bet"]),
            st.none() | st.integers(0, 9),
            st.booleans(),
            st.sampled_from([(), ("K",), ("K", "Q")]),
            st.sampled_from([(), ("no board",)]),
        ),
        st.floats(1.001, 1e6),
        st.floats(0.0, 10.0),
    )
)
def test_a_text_says_all_of_a_rule(rule: Preference) -> None:
    assert preference(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bet", "cannot read the preference 'bet'; write it as \"bet, player 0, first: delta=10\""),
        ("bet: ", "cannot read the preference"),
        ("bet: gamma=3", "cannot read the preference"),
        ("bet: delta=3, delta=4", "cannot read the preference"),
        ("bet: delta=much", "delta must be a number, got 'much'"),
        ("bet: delta=0.5", "delta must be at least 1, which is no preference, got 0.5"),
        ("bet: delta=nan", "delta must be at least 1"),
        ("bet: delta=2, beta=-1", "beta must be at least 0, which costs nothing, got -1.0"),
        ("bet: delta=1", "a preference of delta=1 and beta=0 changes nothing"),
        (": delta=2", "a preference needs the name of an action"),
        ("bet, player 0, player 1: delta=2", "names two players"),
    ],
)
def test_bad_texts(text: str, told: str) -> None:
    with pytest.raises(RuseError) as error:
        preference(text)
    assert told in str(error.value)


def test_what_a_solver_takes() -> None:
    rule = preference("bet: delta=2")
    one = ruse.cfr(prefer=rule)
    assert one == ruse.cfr(prefer="bet: delta=2") == ruse.cfr(prefer=["bet: delta=2"]) == ruse.cfr(prefer=one.prefer)
    assert ruse.cfr(prefer=[]) == ruse.cfr() == ruse.cfr(prefer=None)
    assert "prefer" not in repr(ruse.cfr())
    assert "delta=2.0" in repr(one)
    for bad in (3, [3], [None]):
        with pytest.raises(RuseError, match="prefer must"):
            preferring(bad)


# ---- what they mean --------------------------------------------------------------------------------------------------


def told(game: Game, *texts: str) -> dict[str, tuple[list[float], float]]:
    """What is preferred, by the names of infosets."""
    meant = preferred(game, None, [preference(text) for text in texts])
    expanded = ruse.Expanded.of(game)
    return {
        infoset.name: (meant.delta[meant.start[n] : meant.start[n + 1]].tolist(), float(meant.beta[n]))
        for infoset in expanded.infosets
        if (n := int(meant.number_of(expanded.keys)[infoset.node])) >= 0
    }


def test_first_decisions() -> None:
    assert told(ruse.Kuhn(), "bet, player 0, first: delta=10") == dict.fromkeys("JQK", ([1.0, 10.0], 0.0))
    assert set(told(ruse.Kuhn(), "bet, player 1, first: delta=10")) == {
        f"{c}, {m}" for c in "JQK" for m in ("pass", "bet")
    }
    assert len(told(ruse.Kuhn(), "bet, first: delta=10")) == 9  # all but player 0's second decisions
    assert len(told(ruse.Kuhn(), "bet: delta=10")) == 12


def test_rules_meet() -> None:
    """The largest delta of each action counts, and the largest beta."""
    found = told(
        ruse.Kuhn(),
        "bet, first: delta=2, beta=0.3",
        "bet or pass, player 0: delta=5",
        "pass, player 0, with K, first: delta=9",
    )
    assert found["K"] == ([9.0, 5.0], 0.3)
    assert found["J"] == ([5.0, 5.0], 0.3)
    assert found["J, pass bet"] == ([5.0, 5.0], 0.0)
    assert found["J, bet"] == ([1.0, 2.0], 0.3)


def test_words_are_whole_and_from_the_start() -> None:
    game = ruse.game(str(COIN_TOSS))
    assert told(game, "guess: delta=3") == {"play": ([3.0, 3.0], 0.0)}
    assert told(game, "Guess  HEADS: delta=3") == {"play": ([3.0, 1.0], 0.0)}
    for word in ("gues", "heads"):
        with pytest.raises(RuseError, match="no action"):
            told(game, f"{word}: delta=3")


def test_described() -> None:
    assert set(told(ruse.Leduc(), "raise, with K, no board, first, player 0: delta=2")) == {
        "Ks, no board",
        "Kh, no board",
    }
    assert set(told(ruse.Leduc(), "raise, player 0, first: delta=2")) == {
        f"{r}{s}, no board" for r in "JQK" for s in "sh"
    }


RULES = [
    ["bet, first: delta=3"],
    ["bet, player 1, first: delta=3", "pass, player 2, first: delta=2, beta=0.1"],
    ["bet: delta=3", "pass, player 0, first: delta=2, beta=0.1"],
    ["pass, bet: delta=4"],
]


@pytest.mark.parametrize("texts", RULES, ids=str)
@pytest.mark.parametrize("game", [ruse.Kuhn(players=3), ruse.Kuhn(players=4)], ids=str)
def test_found_is_what_the_twin_finds(game: Game, texts: list[str]) -> None:
    rules = [preference(text) for text in texts]
    ours, twin = preferred(game, None, rules), prefer_twin.wishes(game, rules)
    assert sorted(naive.key_of(infoset) for infoset in twin) == ours.keys.tolist()
    for infoset, wish in twin.items():
        n = int(ours.number_of(np.array([naive.key_of(infoset)], np.uint64))[0])
        assert ours.delta[ours.start[n] : ours.start[n + 1]].tolist() == wish.delta
        assert ours.beta[n] == wish.beta
    assert ours.players == tuple(sorted({player for player, _ in twin}))


def test_cheat_knows_lies() -> None:
    game = ruse.Cheat(hp=1)
    lies = preferred(game, None, [preference("lie, first: delta=3")])
    state = ruse.State.of(game)
    while state.is_chance:
        state = state.child(0)
    hand = state.describe(state.player).split(" | ")[0].split()
    kinds = {name: is_lie(game, state.row, a) for a, name in enumerate(state.actions)}
    assert all(kinds[name] == bool(set(name.split()) - {"A"}) for name in kinds)
    assert set(" ".join(kinds).split()) == set(hand)
    assert len(lies.keys) > 0
    assert len(told(game, "challenge, player 0, first: delta=3")) > 0


def test_a_game_too_large_is_walked_to_the_first_decisions() -> None:
    """Cheat with twelve cards has far too many histories; those up to each player's first decision are few."""
    game = ruse.Cheat(ranks=6, deal=4)
    assert not ruse.size(game, limit=1_000_000).is_exact
    few = preferred(game, None, [preference("truth, player 0, first: delta=3")])
    assert 0 < len(few.keys) < 1_000_000


def test_forgetful_views() -> None:
    """An infoset of which some history is the first decision is a first decision."""
    rule = preference("bet, player 0, first: delta=3")
    assert len(found(ruse.Kuhn(), Full(), [rule]).keys) == 3
    assert len(found(ruse.Kuhn(), CardAlone(2), [rule]).keys) == 3
    run = ruse.train(ruse.Kuhn(), ruse.cfr(prefer=rule._replace(beta=0.1)), iterations=50, view=CardAlone(2))
    assert run.price is not None
    assert run.price.seats[0].bound > 0.1  # pass, bet comes to the same infoset again: two visits
    # What is regretted in the game of one who forgets tells nothing of the whole one.
    assert run.price.bound is run.price.regret_bound is None
    assert "in the limit is not known, since players forget" in str(run.price)


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"action": "raise"}, "no action 'raise' in KUHN; there is pass, bet, open, check, call, fold"),
        ({"action": ["raise", "lie"], "player": 1}, "no action 'raise or lie' in KUHN"),
        ({"action": "bet", "when": "with A"}, "'bet, with A' fits no decision of KUHN; descriptions are like 'J' and "),
        ({"action": "bet", "player": 2}, "there is no player 2 in 'bet, player 2, always'; there are 0 to 1"),
    ],
)
def test_what_means_nothing_is_told(words: dict[str, Any], told: str) -> None:
    with pytest.raises(RuseError) as error:
        ruse.prefer(ruse.Kuhn(), **words)
    assert told.replace("KUHN", repr(ruse.Kuhn())) in str(error.value)


def test_seats_that_play_alike_prefer_together() -> None:
    game = ruse.Cheat(hp=1)
    view = ruse.catalog.names.view("memoryless", game)
    assert preferred(game, view, [preference("challenge: delta=2")]).players == (0, 1)
    with pytest.raises(RuseError, match="cannot prefer alone; leave the player out"):
        preferred(game, view, [preference("challenge, player 0: delta=2")])


def test_the_page_runs() -> None:
    page = (ROOT / "docs/prefer.md").read_text()
    exec(compile(page.split("```python\n")[1].split("```")[0], "prefer.md", "exec"), {})


def test_the_function() -> None:
    rule = ruse.prefer(ruse.Kuhn(), action="bet", player=0, when="first", delta=10, beta=0.05)
    assert rule == preference("bet, player 0, first: delta=10, beta=0.05")
    assert ruse.prefer(ruse.Leduc(), action=["call", "raise"]).wanted.action == "call or raise"
