"""The betting tree of a spot against a count of our own, and rule by rule."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from places import ROOT

from ruse.errors import RuseError
from ruse.games.holdem.spots import betting
from ruse.games.holdem.spots.betting import DEAL, FOLD, SHOWDOWN, BettingTree, betting_of
from ruse.games.holdem.spots.reading import spot_in, spot_of

BASE = "board Qs Jh 2h 8d 3c, pot 50, stack 200, oop AA, ip KK"
ENDS = {"river": (20, 19, 18), "turn": (112, 93, 92), "flop": (164, 111, 110)}


def said(tree: BettingTree, *actions: str) -> list[str]:
    """What may be done after these actions; a card is dealt where one is due."""
    node = 0
    for action in actions:
        node = tree.children(node)[tree.names(node).index(action)]
        while tree.player[node] == DEAL:
            node = tree.children(node)[0]
    return list(tree.names(node))


# ---- a count of our own: by what both have put in, in fractions, with no node made -----------------------------------


def ends(bets: list[Fraction], raises: list[Fraction], streets: int, *, all_in: bool) -> Iterator[tuple[str, int, int]]:
    """Every way to an end of a spot with pot 50 and stack 200 each: what ended it, and what both had put in."""
    pot, stack = 50, 200

    def half_up(x: Fraction) -> int:
        return int((2 * x + 1) // 2)

    def street(left: int, base: int) -> Iterator[tuple[str, int, int]]:
        if left == 0:
            yield "showdown", base, base
        elif base == stack:
            yield from street(left - 1, base)
        else:
            yield from act([base, base], 0, "begins", left)

    def act(put: list[int], who: int, last: str, left: int) -> Iterator[tuple[str, int, int]]:
        yield "decision", put[0], put[1]
        base, behind = min(put), put[1 - who] - put[who]
        if behind == 0:
            if last == "checks":
                yield from street(left - 1, base)
            else:
                yield from act(put, 1 - who, "checks", left)
            to = [base + half_up(share * (pot + sum(put))) for share in bets]
        else:
            yield "fold", put[0], put[1]
            yield from street(left - 1, put[1 - who])
            full = pot + 2 * put[1 - who]
            to = [put[1 - who] + half_up(share * full) for share in raises]
            least = put[1 - who] + behind
            to = [max(amount, least) for amount in to]
        if max(put) == stack:
            return
        for amount in sorted({min(amount, stack) for amount in to} | ({stack} if all_in else set())):
            more = list(put)
            more[who] = amount
            yield from act(more, 1 - who, "bets", left)

    yield from street(streets, 0)


@pytest.mark.parametrize("name", ENDS)
def test_the_three_spots_against_a_count_of_our_own(name: str) -> None:
    tree = betting_of(spot_in(ROOT / "examples" / "spots" / f"{name}.toml"))
    half, whole, raised = Fraction(1, 2), Fraction(1), Fraction(3, 5)
    streets = {"river": 1, "turn": 2, "flop": 3}[name]
    counted = Counter(ends([half] if name == "flop" else [half, whole], [raised], streets, all_in=name != "flop"))
    words = {FOLD: "fold", SHOWDOWN: "showdown", 0: "decision", 1: "decision"}
    kinds = [(words[int(p)], *map(int, put)) for p, put in zip(tree.player, tree.put, strict=True) if p != DEAL]
    assert Counter(kinds) == counted
    found = (tree.decisions, tree.player == SHOWDOWN, tree.player == FOLD)
    assert tuple(int(np.count_nonzero(part)) for part in found) == ENDS[name]


def test_it_is_a_tree_in_preorder() -> None:
    tree = betting_of(spot_in(ROOT / "examples" / "spots" / "turn.toml"))
    assert sorted(tree.child.tolist()) == list(range(1, len(tree.player)))
    parents = np.repeat(np.arange(len(tree.player)), np.diff(tree.start))
    assert (parents < tree.child).all()
    assert all(tree.children(node)[0] == node + 1 for node in np.flatnonzero(np.diff(tree.start)))
    assert len(tree.actions) == len(tree.child)
    assert {int(n) for n in np.diff(tree.start)[tree.player == DEAL]} == {1}


# ---- rules ----------------------------------------------------------------------------------------------------------


def test_a_raise_is_the_bet_and_its_share_of_the_pot_after_the_call() -> None:
    tree = betting_of(spot_of(f"{BASE}, bets 50%, raises 60%"))
    assert said(tree) == ["check", "bet 25"]
    assert said(tree, "bet 25") == ["fold", "call", "raise 85"]  # 25 + 60 % of 100
    assert said(tree, "bet 25", "raise 85") == ["fold", "call", "all-in 200"]  # 85 + 132, which nobody has
    assert said(tree, "bet 25", "raise 85", "all-in 200") == ["fold", "call"]


def test_whole_chips_and_half_a_chip_up() -> None:
    assert said(betting_of(spot_of(f"{BASE}, bets 33%"))) == ["check", "bet 17"]  # 16.5
    assert said(betting_of(spot_of(f"{BASE}, bets 32.9%"))) == ["check", "bet 16"]
    assert said(betting_of(spot_of(f"{BASE}, bets 0.1%"))) == ["check", "bet 1"]  # at least a chip


def test_no_raise_is_below_the_least() -> None:
    tree = betting_of(spot_of(f"{BASE}, bets 100%, raises 10%, 40c, 3x, min"))
    assert said(tree, "bet 50") == ["fold", "call", "raise 100", "raise 150"]


def test_two_sizes_that_come_to_one_are_one() -> None:
    tree = betting_of(spot_of(f"{BASE}, bets 50%, 25c, 500%, all-in"))
    assert said(tree) == ["check", "bet 25", "all-in 200"]


def test_none_means_none() -> None:
    tree = betting_of(spot_of(f"{BASE}, oop bets none, raises none"))
    assert said(tree) == ["check"]
    assert said(tree, "check", "bet 25") == ["fold", "call"]


def test_donks_follow_a_call_out_of_position() -> None:
    turn = BASE.replace(" 3c", "")
    tree = betting_of(spot_of(f"{turn}, bets 50%, oop donks 20%, raises none"))
    assert said(tree) == ["check", "bet 25"]
    assert said(tree, "check", "bet 25", "call") == ["check", "bet 20"]  # a donk
    assert said(tree, "check", "check") == ["check", "bet 25"]
    assert said(tree, "bet 25", "call") == ["check", "bet 50"]
    assert said(tree, "check", "bet 25", "call", "check") == ["check", "bet 50"]
    none = betting_of(spot_of(f"{turn}, bets 50%, donks none"))
    assert said(none, "check", "bet 25", "call") == ["check"]


def test_when_a_bet_becomes_all_in() -> None:
    assert said(betting_of(spot_of(f"{BASE}, bets 50% 300%, threshold 70%"))) == ["check", "bet 25", "all-in 200"]
    assert said(betting_of(spot_of(f"{BASE}, bets 50% 300%, threshold 80%"))) == ["check", "bet 25", "bet 150"]
    # 50 + 2 * 150 are in the pot after the call, and 50 are left: a seventh.
    assert said(betting_of(spot_of(f"{BASE}, bets 300%, force all-in 15%"))) == ["check", "all-in 200"]
    assert said(betting_of(spot_of(f"{BASE}, bets 300%, force all-in 14%"))) == ["check", "bet 150"]
    assert said(betting_of(spot_of(f"{BASE}, bets 50%, add all-in 400%"))) == ["check", "bet 25", "all-in 200"]
    assert said(betting_of(spot_of(f"{BASE}, bets 50%, add all-in 390%"))) == ["check", "bet 25"]


def test_near_bets_are_merged_into_the_larger() -> None:
    """As in postflop-solver: a ratio is kept below (the one above - merge) / (1 + merge)."""
    assert said(betting_of(spot_of(f"{BASE}, bets 50% 60% 100%, merge 10%"))) == ["check", "bet 30", "bet 50"]
    assert said(betting_of(spot_of(f"{BASE}, bets 40% 60% 100%, merge 10%"))) == ["check", "bet 20", "bet 30", "bet 50"]


def test_all_in_before_the_river_is_dealt_out() -> None:
    tree = betting_of(spot_of(f"{BASE.replace(' 8d 3c', '')}, bets all-in"))
    node, players = tree.children(0)[1], []
    node = tree.children(node)[1]  # called
    while tree.player[node] == DEAL:
        players.append(int(tree.player[node]))
        node = tree.children(node)[0]
    assert (len(players), int(tree.player[node]), tree.put[node].tolist()) == (2, SHOWDOWN, [200, 200])


def test_too_many_bets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "MOST_NODES", 50)
    with pytest.raises(RuseError, match="make more than 50 nodes; take sizes out"):
        betting_of(spot_in(ROOT / "examples" / "spots" / "river.toml"))
