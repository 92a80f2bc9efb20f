"""The rules: counts of histories and infosets, golden playthroughs, interpreted equals compiled."""

import importlib
import pkgutil

import numpy as np
import pytest
from golden import COUNTS, GAMES, PLAYTHROUGHS, count_table, playthrough
from random_games import random_game
from surveys import survey, walk

import ruse.games
from ruse.compile import kernel
from ruse.games.blotto import Blotto
from ruse.games.board.battleship import Battleship, Fleet, fleet
from ruse.games.board.dark_hex import DarkHex
from ruse.games.board.phantom_ttt import PhantomTicTacToe
from ruse.games.goofspiel import ASCENDING, POINT_DIFFERENCE, RANDOM, TOTAL_POINTS, Goofspiel
from ruse.games.holdem.fields import NAMED, stacks
from ruse.games.holdem.rules import Holdem
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.mahjong.rules import Mahjong
from ruse.games.matrix import matching_pennies
from ruse.games.oh_hell import TOTAL_POINTS as ALL_POINTS
from ruse.games.oh_hell import OhHell
from ruse.games.oshi_zumo import OshiZumo
from ruse.games.rhode_island import RhodeIsland
from ruse.protocol.game import OVER, RULES, Game
from ruse.protocol.state import State
from ruse.tree.expanded import Expanded

LONGEST = 200  # moves


SMALL: list[Game] = [
    Kuhn(),
    Kuhn(players=3),
    Leduc(),
    LiarsDice(sides=4),
    LiarsDice(dice=2, sides=2),
    LiarsDice(players=3, sides=2),
    Goofspiel(),
    Goofspiel(cards=3, players=3, returns=TOTAL_POINTS),
    Goofspiel(cards=3, points_order=ASCENDING),
    Goofspiel(cards=3, points_order=RANDOM, returns=POINT_DIFFERENCE),
    OshiZumo(coins=3, horizon=3),
    Blotto(coins=3),
    DarkHex(cols=2),
    PhantomTicTacToe(rows=2, line=2),
    PhantomTicTacToe(rows=1, line=2, abrupt=True),
    Battleship(cols=2),
    Battleship(rows=1, ships=fleet("1/2"), repeats=True, loss=2.0),
    OhHell(tricks=1),
    OhHell(players=3, ranks=2, tricks=1, dealer=1, returns=ALL_POINTS, off_bid_penalty=True),
    RhodeIsland(ranks=2, suits=2, max_raises=1),
    matching_pennies(),
    random_game(1),
]
LARGE: list[Game] = [  # mostly such that keys do not fit into 63 bits and are mixed
    Kuhn(players=10),
    Leduc(players=5),
    LiarsDice(dice=2),
    LiarsDice(dice=5),
    LiarsDice(players=4, sides=15),
    Goofspiel(cards=6, points_order=RANDOM),
    Goofspiel(cards=13),
    Goofspiel(cards=15, players=10, points_order=RANDOM),
    PhantomTicTacToe(),
    Battleship(rows=6, cols=8, ships=fleet("2/3/3/4"), shots=20),
    OhHell(players=4, suits=4, ranks=13, tricks=9),
    RhodeIsland(),
    Holdem(),
    Holdem(players=3, limit=True, ante=0.25),
    Holdem(players=6, stacks=stacks("25/0.5/0.3/3/1/100"), big_ante=1.0, **NAMED["any"]),
    Mahjong(),
    Mahjong(rob_kong=True, kong_needs_tile=False, last_discard_win_only=False, dead_wall=9, must_win=True),
]


def called(game: Game) -> str:
    return repr(game).replace(", ", ",")


# ---- counts ----------------------------------------------------------------------------------------------------------


COMPILED = hasattr(walk, "py_func")  # not so under NUMBA_DISABLE_JIT=1


def divide(game: Game, depth: int) -> str:
    """Histories by depth under each action at the start, so that a wrong branch shows itself."""
    lines = []
    for state in State.of(game).children():
        counts = survey(game, state.row, depth - 1)[0].sum(axis=1).tolist()
        lines.append(f"  after {state.path()}: {sum(counts)} histories, by depth {counts}")
    return "\n".join(lines)


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    """A table may stop early, for a game too large to walk; then it lists no infosets."""
    expected = COUNTS[name]
    if not COMPILED and sum(expected["histories"]) > 20_000:
        pytest.skip("too many histories to walk without the compiler")
    whole = "infosets" in expected
    depth = len(expected["histories"]) - 1 + whole  # one deeper, to see that there is nothing
    found = count_table(GAMES[name], depth)
    if not whole:
        del found["infosets"]
    assert found == expected, f"{name} differs; histories under each action:\n{divide(GAMES[name], depth)}"


def game_classes() -> list[type]:
    """Every game in the package."""
    classes = []
    for info in pkgutil.walk_packages(ruse.games.__path__, "ruse.games."):
        module = importlib.import_module(info.name)
        own = [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == info.name]
        classes += [c for c in own if hasattr(c, "_fields") and all(hasattr(c, rule) for rule in RULES)]
    return classes


@pytest.mark.parametrize("cls", game_classes())
def test_every_game_has_golden_files(cls: type) -> None:
    names = [name for name, game in GAMES.items() if type(game) is cls]
    assert names, f"put {cls.__name__} into GAMES in tests/shared/golden.py"
    for name in names:
        assert name in COUNTS, f"count {name} in tests/data/counts.toml"
        assert (PLAYTHROUGHS / f"{name}.txt").is_file(), f"run python tests/shared/golden.py to write {name}.txt"


# ---- golden playthroughs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    assert playthrough(name, GAMES[name]) == (PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8")


# ---- interpreted equals compiled -------------------------------------------------------------------------------------


@kernel
def follow(game, players, s, picks, keys, payoffs):
    """Play the game with the k-th move picks[k] modulo the number of actions; keys and payoffs are filled."""
    for k in range(len(picks)):
        who = game.player(s)
        if who == OVER:
            for p in range(players):
                payoffs[p] = game.payoff(s, p)
            return k
        n = game.num_actions(s)
        keys[k] = game.infoset(s) if who >= 0 else n
        game.apply(s, picks[k] % n)
    return len(picks)


@pytest.mark.parametrize("game", SMALL, ids=called)
def test_interpreted_equals_compiled(game: Game) -> None:
    interpreted = getattr(walk, "py_func", walk)
    ours = survey(game, game.start().astype(np.int64), 20)
    theirs = survey(game, game.start().astype(np.int64), 20, interpreted)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("game", LARGE, ids=called)
def test_interpreted_equals_compiled_in_games_too_large_to_walk(game: Game) -> None:
    draw = np.random.default_rng(0)
    for _ in range(10):
        picks = draw.integers(1 << 30, size=LONGEST)
        results = []
        for play in (follow, getattr(follow, "py_func", follow)):
            s, keys, payoffs = game.start().astype(np.int64), np.zeros(LONGEST, np.int64), np.zeros(game.players)
            moves = play(game, game.players, s, picks, keys, payoffs)
            assert moves < LONGEST
            results.append((s.tolist(), keys.tolist(), payoffs.tolist()))
        assert results[0] == results[1]


# ---- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SMALL, ids=called)
def test_laws(game: Game) -> None:
    """Chance sums to one, payoffs to what is promised, and label, key and actions of an infoset go together."""
    label_of: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
    waiting = [State.of(game)]
    while waiting:
        state = waiting.pop()
        waiting += state.children()
        if state.is_over:
            assert sum(state.payoffs) == pytest.approx(getattr(game, "payoff_sum", sum(state.payoffs)), abs=1e-12)
        elif state.is_chance:
            assert sum(state.chances) == pytest.approx(1)
        else:
            known = (state.describe(state.player), tuple(state.actions))
            assert label_of.setdefault((state.player, state.infoset), known) == known
            assert len(set(state.actions)) == len(state.actions)
    labels = [(player, label) for (player, _), (label, _) in label_of.items()]
    assert len(set(labels)) == len(labels)


BAD = [
    (Kuhn(players=1), "players"),
    (Leduc(ranks=1, suits=2), "too few"),
    (LiarsDice(players=1), "players must be at least 2"),
    (LiarsDice(sides=16), "sides 2 to 15"),
    (LiarsDice(dice=6), "at most 62"),
    (Goofspiel(cards=1), "cards must be 2 to 15"),
    (Goofspiel(players=11), "players must be 2 to 10"),
    (Goofspiel(points_order=3), "points_order must be one of 0 (descending)"),
    (Goofspiel(returns="win_loss"), "returns must be one of"),  # type: ignore[arg-type]
    (PhantomTicTacToe(rows=4, cols=4), "2 to 15 cells"),
    (PhantomTicTacToe(line=4), "line must be 2 to 3"),
    (Battleship(ships=Fleet(9)), "no room"),
    (Battleship(ships=Fleet(2, 0, 1)), "are a fleet"),
    (Battleship(cols=2, ships=fleet("2/2/1")), "no room"),
    (Battleship(shots=7), "shots must be 1 to 6"),
    (Battleship(loss=-1.0), "loss must be 0"),
    (Battleship(rows=9, cols=9), "2 to 60 cells"),
    (OhHell(tricks=3), "6 cards and 2 players have 1 to 2 tricks, got 3"),
    (OhHell(dealer=2), "dealer must be 0 to 1"),
    (OhHell(players=8), "players must be 2 to 7"),
    (OhHell(returns=2), "returns must be 0 (point_difference)"),
    (RhodeIsland(suits=5), "suits must be 1 to 4"),
    (RhodeIsland(ranks=3, suits=1), "3 cards are too few"),
    (RhodeIsland(ante=0), "ante must be 1"),
]


@pytest.mark.parametrize(("game", "words"), BAD, ids=lambda x: called(x) if not isinstance(x, str) else "")
def test_bad_fields_are_refused(game: Game, words: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        game.start()
    assert words in str(error.value)


@pytest.mark.parametrize("abrupt", [False, True])
def test_dark_hex_says_what_is_forgotten(abrupt: bool) -> None:
    """Where bumping costs no turn, when the other had bumped is forgotten; 2 by 2 is too small for it to matter."""
    game = DarkHex(abrupt=abrupt)
    assert Expanded.of(game).form.perfect_recall is game.perfect_recall is abrupt
