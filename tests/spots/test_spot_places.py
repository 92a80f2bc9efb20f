"""A line of actions and cards leads to a place, by names that people use."""

import numpy as np
import pytest
from places import ROOT

from ruse.catalog.names import game
from ruse.errors import RuseError
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by
from ruse.games.holdem.ranges.cells import hand_named
from ruse.games.holdem.spots.rules import SpotGame
from ruse.spots.grid import Grid, coloured_lines, colours, letters, plain_lines
from ruse.spots.places import SpotPlace, here, place_after


class Uniform:
    """Plays every action as often as the others."""

    def __init__(self, spot: SpotGame) -> None:
        self.game = spot

    def rows(self, node: int, cards: object) -> np.ndarray:
        count = len(self.game.betting.names(node))
        held = self.game.spot.weights(int(self.game.who[node])) > 0.0
        return np.repeat(held[:, None] / count, count, axis=1)


@pytest.fixture(scope="module")
def turn() -> SpotGame:
    found = game(str(ROOT / "examples" / "spots" / "turn.toml"))
    assert isinstance(found, SpotGame)
    return found


def test_a_line_by_names(turn: SpotGame) -> None:
    place = place_after(turn, "check, bet 25, raise 85, call, card 3c, check")
    assert place.line == ("check", "bet 25", "raise 85", "call", "3c", "check")
    assert place.cards == tuple(cards_named("3c"))
    assert (place.street(turn), place.pot(turn), int(turn.who[place.node])) == ("river", 220, 1)
    assert place.where == "check, bet 25, raise 85, call, 3c, check"
    assert place_after(turn, "") == place_after(turn, " , ") == SpotPlace()


@pytest.mark.parametrize(
    "words", ["Check,  BET 25 ,raise,call,3c,check", "check, bet 25, raise, ca, river 3C, x", "check"]
)
def test_other_words_for_it(turn: SpotGame, words: str) -> None:
    line = words.replace(", x", ", check")
    short = place_after(turn, line).line
    assert short == ("check", "bet 25", "raise 85", "call", "3c", "check")[: len(short)]


def test_all_in_by_its_name_or_its_amount(turn: SpotGame) -> None:
    names = ("all-in", "all in", "allin", "all-in 200", "bet 200")
    assert {place_after(turn, name).node for name in names} == {place_after(turn, "all-in 200").node}
    assert place_after(turn, "bet 25, raise 200").line == ("bet 25", "all-in 200")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bet 30", "there is no 'bet 30' at the beginning; there is check, bet 25, bet 50, all-in 200"),
        ("check, call", "there is no 'call' after check"),
        ("bet", "'bet' at the beginning may be bet 25 or bet 50; say which"),
        ("bet 25, fold, check", "bet 25, fold ends in a fold, so nothing follows; leave 'check' out"),
        ("check, check, check", "a card is due after check, check: 'ch' in 'check' is no card"),
        ("check, check, card 8d", "8d cannot come after check, check: it lies on the board Qs Jh 2h 8d"),
        ("check, check, 3c 4c", "a card is due after check, check; write one"),
        ("check, 3c", "there is no '3c' after check"),
    ],
)
def test_what_cannot_be_done(turn: SpotGame, line: str, told: str) -> None:
    with pytest.raises(RuseError, match=r"^[^\n]*$") as refused:
        place_after(turn, line)
    assert told in str(refused.value)


def test_who_comes_there(turn: SpotGame) -> None:
    at = here(Uniform(turn), place_after(turn, "check, bet 25, call, 3c"))
    weights = [turn.spot.weights(player) for player in range(2)]
    free = np.where(blocked_by(cards_named("3c")), 0.0, 1.0)
    assert np.allclose(at.reach[0], weights[0] * free / 4 / 4)  # of four actions, then of fold, call, raise and all-in
    assert np.allclose(at.reach[1], weights[1] * free / 4)
    assert (at.player, at.actions) == (0, turn.betting.names(at.place.node))
    assert np.allclose(at.overall, 1.0 / len(at.actions))
    over = here(Uniform(turn), place_after(turn, "bet 25, fold"))
    assert (over.player < 0, over.actions) == (True, ())


def test_a_grid_adds_up_hands(turn: SpotGame) -> None:
    at = here(Uniform(turn), SpotPlace())
    rows = at.rows.copy()
    rows[hand_named("AhQh")] = [1.0, 0.0, 0.0, 0.0]  # AQs has three hands on this board, all of weight 1
    grid = Grid.of(at._replace(rows=rows))
    facts = grid.as_dict()
    assert facts["AQs"]["weight"] == 3.0
    assert facts["AQs"]["strategy"]["check"] == pytest.approx(0.5)
    assert facts["AKo"] == {"weight": 3.0, "strategy": dict.fromkeys(at.actions, pytest.approx(0.25))}
    assert "AA" not in facts
    assert sum(cell["weight"] for cell in facts.values()) == pytest.approx(at.reach[0].sum())
    assert len(rows) == HOLDINGS


def test_a_grid_in_letters_and_in_colour(turn: SpotGame) -> None:
    at = here(Uniform(turn), SpotPlace())
    rows = np.zeros_like(at.rows)
    rows[:, 2] = 1.0
    grid = Grid.of(at._replace(rows=rows))
    lines = plain_lines(grid)
    assert len(lines) == 26
    assert lines[0].split() == ["AA", "AKs", *(f"A{rank}s" for rank in "QJT98765432")]
    assert lines[1].split()[:4] == [".", ".", "2", "100"]
    assert max(map(len, lines)) <= 80
    painted = coloured_lines(grid)
    assert len(painted) == 26
    assert f"\\033[48;5;{colours(at.actions)[2]}mA".encode().decode("unicode_escape") in painted[0]
    assert letters(("fold", "call", "raise 85", "all-in 200")) == ["f", "c", "r", "a"]
    assert letters(("check", "bet 25", "bet 50", "all-in 200")) == ["x", "1", "2", "a"]
    assert len(set(colours(("fold", "call", "raise 85", "raise 100", "all-in 200")))) == 5
