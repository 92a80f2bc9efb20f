"""Our games and OpenSpiel's are the same, history by history; so is what the importer makes of theirs."""

import random
import sys
from typing import Any

import numpy as np
import pytest
from surveys import survey

from ruse.catalog import names
from ruse.games.blotto import Blotto
from ruse.games.board.battleship import Battleship, fleet
from ruse.games.board.dark_hex import DarkHex
from ruse.games.board.phantom_ttt import PhantomTicTacToe
from ruse.games.goofspiel import (
    ASCENDING,
    DESCENDING,
    POINT_DIFFERENCE,
    RANDOM,
    TOTAL_POINTS,
    WORDS,
    Goofspiel,
)
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import rock_paper_scissors
from ruse.games.oh_hell import TOTAL_POINTS as ALL_POINTS
from ruse.games.oh_hell import OhHell
from ruse.games.oshi_zumo import OshiZumo
from ruse.interop import openspiel
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.state import State

pyspiel = pytest.importorskip("pyspiel")


def goofspiel(**fields: Any) -> str:
    """The name of imperfect-information Goofspiel in OpenSpiel."""
    return f"goofspiel(imp_info=True,{','.join(f'{key}={value}' for key, value in fields.items())})"


class Sides:
    """Two games that must agree, and which of our infosets is which information state of theirs."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.theirs = game, pyspiel.load_game(name)
        if self.theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            self.theirs = pyspiel.convert_to_turn_based(self.theirs)
        assert game.players == self.theirs.num_players()
        self.string_of: dict[tuple[int, int], str] = {}
        self.key_of: dict[tuple[int, str], int] = {}

    def start(self, before: tuple[int, ...] = ()) -> tuple[State, Any]:
        """Both at the start; theirs after moves that are none of ours."""
        other = self.theirs.new_initial_state()
        for action in before:
            other.apply_action(action)
        return State.of(self.game), other

    def actions(self, ours: State, other: Any) -> list[int]:
        """Their actions in our order, none at the end, after all that can be compared was."""
        where = f"after {other.history_str()}"
        if other.is_terminal():
            assert ours.player == OVER, where
            assert ours.payoffs == pytest.approx(other.returns(), abs=1e-12), where
            return []
        player, actions = ours.player, other.legal_actions()
        assert player == (CHANCE if other.is_chance_node() else other.current_player()), where
        assert len(ours.actions) == len(actions), where
        if player == CHANCE:
            chances = [chance for _, chance in other.chance_outcomes()]
            assert ours.chances == pytest.approx(chances, abs=1e-15), where
        else:
            string = other.information_state_string(player)
            assert self.string_of.setdefault((player, ours.infoset), string) == string, where
            assert self.key_of.setdefault((player, string), ours.infoset) == ours.infoset, where
        return list(actions)


def compare(game: Game, name: str, outcomes: int | None = None, before: tuple[int, ...] = ()) -> int:
    """Walk both side by side and count histories; at each chance node follow at most so many random outcomes."""
    sides, draw = Sides(game, name), random.Random(0)
    histories = 0
    waiting = [sides.start(before)]
    while waiting:
        ours, other = waiting.pop()
        histories += 1
        actions = sides.actions(ours, other)
        numbers = list(range(len(actions)))
        if outcomes is not None and ours.player == CHANCE:
            numbers = draw.sample(numbers, min(outcomes, len(numbers)))
        waiting += [(ours.child(a), other.child(actions[a])) for a in numbers]
    return histories


def compare_random_games(game: Game, name: str, games: int, before: tuple[int, ...] = ()) -> int:
    """The same along so many random games, for what is too large to walk; returns how many infosets were met."""
    sides, draw = Sides(game, name), random.Random(0)
    for _ in range(games):
        ours, other = sides.start(before)
        while actions := sides.actions(ours, other):
            a = draw.randrange(len(actions))
            ours, other = ours.child(a), other.child(actions[a])
    return len(sides.key_of)


CASES: list[tuple[Game, str, int | None]] = [
    (Kuhn(), "kuhn_poker", None),
    (Kuhn(players=3), "kuhn_poker(players=3)", None),
    (Kuhn(players=4), "kuhn_poker(players=4)", 3),
    (Leduc(), "leduc_poker", None),
    (Leduc(players=3), "leduc_poker(players=3)", 2),
    (LiarsDice(sides=4), "liars_dice(dice_sides=4)", None),
    (LiarsDice(dice=2, sides=2), "liars_dice(numdice=2,dice_sides=2)", None),
    (LiarsDice(dice=2, sides=3), "liars_dice(numdice=2,dice_sides=3)", 1),
    (Goofspiel(), goofspiel(num_cards=4, points_order="descending", returns_type="win_loss"), None),
    (Goofspiel(cards=3, players=3), goofspiel(num_cards=3, players=3, points_order="descending"), None),
    (
        Goofspiel(cards=4, players=3, points_order=RANDOM, returns=POINT_DIFFERENCE),
        goofspiel(num_cards=4, players=3, points_order="random", returns_type="point_difference"),
        1,
    ),
]
CASES += [
    (OshiZumo(coins=3, horizon=4), "oshi_zumo(coins=3,size=1,horizon=4)", None),
    (OshiZumo(coins=4, size=2, horizon=5, min_bid=1), "oshi_zumo(coins=4,size=2,horizon=5,min_bid=1)", None),
    (OshiZumo(coins=3, horizon=4, alesia=True), "oshi_zumo(coins=3,size=1,horizon=4,alesia=True)", None),
    (Blotto(), "blotto(coins=5,fields=3)", None),
    (DarkHex(cols=2), "dark_hex(num_rows=2,num_cols=2)", None),
    (DarkHex(cols=2, abrupt=True), "dark_hex(num_rows=2,num_cols=2,gameversion=adh)", None),
    (Blotto(coins=3, fields=3, players=3), "blotto(coins=3,fields=3,players=3)", None),
]
CASES += [
    (Goofspiel(cards=3, points_order=k, returns=n), goofspiel(num_cards=3, points_order=order, returns_type=kind), None)
    for k, order in enumerate(WORDS["points_order"])
    for n, kind in enumerate(WORDS["returns"])
]


def battleship(rows: int, cols: int, ships: str, shots: int, *, repeats: bool = False, loss: float = 1.0) -> str:
    """The name of Battleship in OpenSpiel, where each ship is worth a point."""
    worth = ";".join("1.0" for _ in ships.split("/"))
    return (
        f"battleship(board_height={rows},board_width={cols},ship_sizes=[{ships.replace('/', ';')}],"
        f"ship_values=[{worth}],num_shots={shots},allow_repeated_shots={repeats},loss_multiplier={loss})"
    )


CASES += [
    (Battleship(cols=2), battleship(2, 2, "2", 2), None),
    (Battleship(rows=1, cols=3, repeats=True, loss=2.0), battleship(1, 3, "2", 2, repeats=True, loss=2.0), None),
    (Battleship(cols=2, ships=fleet("1/2"), shots=1), battleship(2, 2, "1/2", 1), None),
    # The first ship must leave room for the second: on three cells a single one may not lie in the middle.
    (Battleship(rows=1, ships=fleet("1/2"), shots=2), battleship(1, 3, "1/2", 2), None),
]


@pytest.mark.parametrize(("game", "name", "outcomes"), CASES, ids=[name for _, name, _ in CASES])
def test_side_by_side(game: Game, name: str, outcomes: int | None) -> None:
    assert compare(game, name, outcomes) > 50


RANDOM_GAMES: list[tuple[Game, str]] = [
    (PhantomTicTacToe(), "phantom_ttt"),
    (PhantomTicTacToe(abrupt=True), "phantom_ttt(gameversion=abrupt)"),
    (DarkHex(rows=3), "dark_hex(num_rows=3,num_cols=3)"),
    (Battleship(rows=3, cols=4, ships=fleet("2/3/1"), shots=6), battleship(3, 4, "2/3/1", 6)),
    (Battleship(rows=3, ships=fleet("2/3"), shots=5, repeats=True), battleship(3, 3, "2/3", 5, repeats=True)),
]


@pytest.mark.parametrize(("game", "name"), RANDOM_GAMES, ids=[name for _, name in RANDOM_GAMES])
def test_random_games_side_by_side(game: Game, name: str) -> None:
    assert compare_random_games(game, name, games=150) > 500


def oh_hell(game: OhHell) -> str:
    """The name of Oh Hell in OpenSpiel, which has three players at least."""
    return (
        f"oh_hell(players={game.players},num_suits={game.suits},num_cards_per_suit={game.ranks},"
        f"num_tricks_fixed={game.tricks},off_bid_penalty={game.off_bid_penalty},"
        f"points_per_trick={game.points_per_trick})"
    )


def test_oh_hell_side_by_side() -> None:
    """The number of tricks is a move of chance there, with a single outcome; then come the dealer and the cards."""
    game = OhHell(players=3, ranks=2, tricks=1, returns=ALL_POINTS)
    assert compare(game, oh_hell(game), before=(1,)) > 2_000


@pytest.mark.parametrize(
    "game",
    [
        OhHell(players=3, suits=2, ranks=5, tricks=3, returns=ALL_POINTS),
        OhHell(players=4, suits=4, ranks=13, tricks=5, returns=ALL_POINTS, off_bid_penalty=True, points_per_trick=3),
        OhHell(players=7, suits=3, ranks=8, tricks=2, returns=ALL_POINTS),
    ],
)
def test_random_games_of_oh_hell_side_by_side(game: OhHell) -> None:
    assert compare_random_games(game, oh_hell(game), games=100, before=(game.tricks,)) > 500


def test_big_leduc_side_by_side() -> None:
    """Universal poker has Big Leduc's deck and caps; hands of two cards rank as in Leduc."""
    name = (
        "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,firstPlayer=1 1,"
        "maxRaises=6 6,numSuits=2,numRanks=12,numHoleCards=1,numBoardCards=0 1)"
    )
    game = names.game("leduc:big")
    assert compare(game, name, outcomes=2) > 1_000
    assert compare_random_games(game, name, games=300) > 500


def test_words_stand_for_the_constants() -> None:
    words = WORDS
    assert words["points_order"][RANDOM] == "random"
    assert words["points_order"][DESCENDING] == "descending"
    assert words["points_order"][ASCENDING] == "ascending"
    assert words["returns"][TOTAL_POINTS] == "total_points"


IMPORTED = ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)", goofspiel(num_cards=3, points_order="random")]
IMPORTED += ["matrix_rps", "tiny_hanabi", "tiny_bridge_2p"]


@pytest.mark.parametrize("name", IMPORTED)
def test_import(name: str) -> None:
    game = openspiel.load(name)
    assert compare(game, name, outcomes=4) > 10
    assert game.perfect_recall


WHOLE = [
    (LiarsDice(), "liars_dice"),
    (Goofspiel(cards=5), goofspiel(num_cards=5, points_order="descending")),
    pytest.param(LiarsDice(dice=2, sides=3), "liars_dice(numdice=2,dice_sides=3)", marks=pytest.mark.slow),
    pytest.param(Leduc(players=3), "leduc_poker(players=3)", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("game", "name"), WHOLE)
def test_whole_tree_by_importing_theirs(game: Game, name: str) -> None:
    ours = survey(game, game.start().astype(np.int64), 40)
    theirs = survey(openspiel.load(name), np.zeros(1, np.int64), 40)
    np.testing.assert_array_equal(ours[0], theirs[0])  # counts by depth
    np.testing.assert_array_equal(ours[1][:, 0], theirs[1][:, 0])  # who acts
    np.testing.assert_allclose(ours[2], theirs[2], atol=1e-12)  # payoffs
    np.testing.assert_allclose(ours[3], theirs[3], atol=1e-15)  # chances
    pairs = np.unique(np.column_stack([ours[1], theirs[1][:, 1]]), axis=0)  # (player, our key, their infoset)
    assert len(pairs) == len(np.unique(ours[1], axis=0)) == len(np.unique(theirs[1], axis=0))


def test_actions_keep_their_order_and_names() -> None:
    game = openspiel.load("kuhn_poker")
    state = State.of(game).after(2, 0)
    assert state.actions == ["Pass", "Bet"]
    assert state.describe(0) == "2"
    assert state.after("Bet").describe(1) == "0b"
    assert repr(game) == "Explicit('kuhn_poker', 2 players, 58 histories, 12 infosets)"


def test_moves_at_once_become_hidden() -> None:
    ours, theirs = State.of(rock_paper_scissors()), State.of(openspiel.load("matrix_rps"))
    for first in range(3):
        for second in range(3):
            assert ours.after(first, second).payoffs == theirs.after(first, second).payoffs
    assert len({theirs.after(first).infoset for first in range(3)}) == 1


def test_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="cannot load 'no_such_game'"):
        openspiel.load("no_such_game")
    with pytest.raises(ValueError, match="more than 100 histories"):
        openspiel.load("leduc_poker", limit=100)
    with pytest.raises(ValueError, match="mean field"):
        openspiel.load("mfg_crowd_modelling")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r'pip install "ruse\[interop\]"'):
        openspiel.load("kuhn_poker")
