"""Cheat played side by side with a simulator that was written from the rules apart from it."""

import random
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from cheat_simulator import NAMES, Table, deal_probability, deal_sizes

import ruse


def rules_of(game: ruse.Cheat) -> dict[str, int]:
    return {field: int(value) for field, value in game._asdict().items()}


def cards_in(text: str) -> list[int]:
    return [] if text == "no cards" else [NAMES.index(word) for word in text.split()]


def dealt(state: ruse.State, draw: random.Random) -> tuple[ruse.State, Table]:
    """Deal at random; hands and starter are read from the names of what chance did."""
    rules = rules_of(state.game)
    hands: list[list[int]] = [[] for _ in range(rules["players"])]
    starter, rank, likely = rules["starter"], rules["first_rank"], 1.0
    while state.is_chance:
        k = draw.choices(range(len(state.actions)), state.chances)[0]
        name, likely = state.actions[k], likely * state.chances[k]
        assert sum(state.chances) == pytest.approx(1.0, abs=1e-12)
        if found := re.fullmatch(r"player (\d+) starts", name):
            starter = int(found[1])
        elif found := re.fullmatch(r"first rank (\w+)", name):
            rank = NAMES.index(found[1])
        state = state.child(k)
    shown = state.describe().partition(" | ")[0].split(" / ")
    hands = [cards_in(text) for text in shown]
    assert [len(hand) for hand in hands] == deal_sizes(rules, starter)
    expected = deal_probability(rules, hands)
    expected /= rules["players"] if rules["starter"] < 0 else 1
    expected /= rules["ranks"] if rules["first_rank"] < 0 else 1
    assert likely == pytest.approx(expected, rel=1e-12)
    return state, Table(rules, starter, rank, hands)


def spelled(action: Any) -> str:
    return action if isinstance(action, str) else " ".join(NAMES[rank] for rank in action)


def compare(state: ruse.State, table: Table) -> None:
    """Complain if the two are not at the same place."""
    where = state  # told in words only if it is needed
    assert state.is_over == (table.acting is None), where
    if table.acting is None:
        assert state.payoffs == pytest.approx(table.payoffs, abs=1e-12), where
        return
    assert state.player == table.acting, where
    assert state.actions == [spelled(action) for action in table.actions()], where
    shown = state.describe().split(" | ")
    hands = [sorted(hand.elements()) for hand in table.hands]
    assert [sorted(cards_in(text)) for text in shown[0].split(" / ")] == hands, where
    assert f"rank {NAMES[table.rank]}," in shown[1] + ",", where
    assert "cards " + "-".join(str(len(hand)) for hand in hands) in shown[1], where
    pile = sorted(table.pile.elements())
    found = re.search(r"pile (\d+)(?: \(([^)]*)\))?", shown[1])
    assert found, where
    assert int(found[1]) == len(pile), where
    assert sorted(cards_in(found[2] or "no cards")) == pile, where
    if table.rules["hp"] > 0:
        assert "HP " + "-".join(map(str, table.points)) in shown[1], where


def play(game: ruse.Cheat, seed: int, told_of: dict[Any, Any], key_of: dict[Any, Any], longest: int = 400) -> None:
    """One random game. Two states have one key exactly if the player has been told the same."""
    draw = random.Random(seed)
    state, table = dealt(ruse.State.of(game), draw)
    for _ in range(longest):
        compare(state, table)
        if table.acting is None:
            return
        told = (table.acting, tuple(table.told[table.acting]))
        key = (table.acting, state.infoset)
        assert told_of.setdefault(key, told) == told, ("one key for two infosets", state)
        assert key_of.setdefault(told, key) == key, ("two keys for one infoset", state)
        actions = table.actions()
        k = draw.randrange(len(actions))
        if actions[k] == "challenge" and draw.random() < 0.5:
            k = 0  # or games would be short
        state = state.child(k)
        table.act(actions[k])


DECKS: list[dict[str, int]] = [
    {}, {"hp": 1}, {"hp": -1, "max_turns": 60}, {"max_discard": 1}, {"max_discard": 9999, "undealt": 1},
    {"ranks": 7, "copies": 4, "deal": 6, "hp": -1, "max_turns": 40}, {"ranks": 5, "copies": 3, "deal": 0, "hp": 2},
    {"players": 3, "ranks": 4, "copies": 3, "deal": 3}, {"players": 4, "ranks": 5, "copies": 2, "deal": 0, "hp": 1},
    {"players": 3, "deal": 2, "hp": 2, "hp_out": 1}, {"ranks": 2, "copies": 1, "deal": 1},
]  # fmt: skip


def games() -> Iterator[ruse.Cheat]:
    """Every deck with every way to go on after a challenge, with and without passing, and starting anywhere."""
    for number, (deck, after, rank, is_passing) in enumerate(product(DECKS, range(3), range(3), (False, True))):
        fields = dict(deck)
        fields |= {"next_after_challenge": after, "rank_after_challenge": rank, "allow_pass": is_passing}
        fields |= {"starter": (-1, 0, 1)[number % 3], "first_rank": (0, -1, 1)[number // 3 % 3]}
        if is_passing:
            fields.setdefault("max_turns", 50)
        yield ruse.Cheat(**fields)


def judge(every: int, playouts: int) -> int:
    played = 0
    for number, game in enumerate(games()):
        if number % every == 0:
            told_of: dict[Any, Any] = {}
            key_of: dict[Any, Any] = {}
            for seed in range(playouts):
                play(game, 1_000 * number + seed, told_of, key_of)
                played += 1
    return played


def test_a_few_games() -> None:
    assert judge(every=7, playouts=6) > 100


@pytest.mark.slow
def test_many_games() -> None:
    assert judge(every=1, playouts=20) > 3_900
