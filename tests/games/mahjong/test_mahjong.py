"""Mahjong: the same game as a slow and obvious twin, action by action, for every reading of the rules."""

import random
from typing import Any

import numpy as np
import pytest
from mahjong_twin import READINGS, Twin, both, called, lucky, shuffled, tables_of, tables_of_twin
from surveys import survey, walk

from ruse.compile import kernel
from ruse.compile.rng import stream, uniform
from ruse.games.mahjong.actions import DISCARD, MOST_ACTIONS
from ruse.games.mahjong.row import BACK, FRONT, HANDS, MELDS, PATTERN, RIVERS, WALL_TILES, tiles_in, wall_tile
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.observation import (
    ACTING,
    LEGAL,
    OTHER_CHOWS,
    OTHER_DECLARED,
    OTHER_MELDS,
    OTHER_RIVER,
    OTHER_SIZE,
    OWN_CHOWS,
    OWN_DECLARED,
    OWN_HAND,
    OWN_HAS_CHOW,
    OWN_HAS_PONG,
    OWN_MELDS,
    OWN_RIVER,
    ROUND,
    SEEN_DREW,
    SEEN_LEFT,
    SEEN_PHASE,
    SEEN_TILE,
    UNSEEN,
)
from ruse.games.mahjong.tiles import ALL_TILES, some
from ruse.games.mahjong.wins import PATTERNS
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.state import State

COMPILED = hasattr(walk, "py_func")  # not so under NUMBA_DISABLE_JIT=1


def observed(state: State, player: int) -> dict[str, Any]:
    """What `observe` tells, in the parts that the twin has."""
    game: Any = state.game
    out = np.full(game.observation_size(), 99)
    game.observe(state.row, player, out)
    seen = out.tolist()

    def kinds(at: int) -> list[int]:
        return seen[at : at + 16]

    return {
        "hand": kinds(OWN_HAND),
        "melds": [kinds(OWN_MELDS), kinds(OTHER_MELDS)],
        "chows": [seen[OWN_CHOWS : OWN_CHOWS + 7], seen[OTHER_CHOWS : OTHER_CHOWS + 7]],
        "rivers": [kinds(OWN_RIVER), kinds(OTHER_RIVER)],
        "unseen": kinds(UNSEEN),
        "phase": seen[SEEN_PHASE],
        "tile": seen[SEEN_TILE],
        "drew": seen[SEEN_DREW],
        "left": seen[SEEN_LEFT],
        "round": seen[ROUND],
        "has_chow": seen[OWN_HAS_CHOW],
        "has_pong": seen[OWN_HAS_PONG],
        "declared": [seen[OWN_DECLARED], seen[OTHER_DECLARED]],
        "other_size": seen[OTHER_SIZE],
        "acting": seen[ACTING],
        "legal": seen[LEGAL:],
    }


def compare(state: State, twin: Twin) -> None:
    """Everything that both know must be the same."""
    assert tables_of(state.row) == tables_of_twin(twin)
    for p in range(2):
        seen = observed(state, p)
        legal = seen.pop("legal")
        assert seen == twin.seen_by(p)
        names = state.actions if state.player == p else []
        assert [code >= 0 for code in legal] == [a < len(names) for a in range(MOST_ACTIONS)]
        assert [code >= DISCARD for code in legal if code >= 0] == [name.startswith("discard") for name in names]
    if twin.payoffs is None:
        assert (state.player, state.actions) == (twin.who, twin.legal())
    else:
        assert state.is_over
        assert state.payoffs == list(twin.payoffs)
        best = "qidui" if "qidui" in twin.pattern else "pongponghu" if "pongponghu" in twin.pattern else "normal"
        assert PATTERNS[state.row[PATTERN]] == (best if twin.pattern else "none")


def eager(state: State, dice: random.Random) -> int:
    """An action that claims more often than chance would, so that melds and wins come up."""
    names = state.actions
    wanted = [a for a, name in enumerate(names) if name.startswith(("win", "kong", "pong"))]
    return dice.choice(wanted) if wanted and dice.random() < 0.8 else dice.randrange(len(names))


@pytest.mark.parametrize("game", READINGS, ids=called)
def test_the_same_as_the_twin(game: Mahjong) -> None:
    dice = random.Random(called(game))
    for deal in (shuffled, lucky) * 15:
        state, twin = both(game, deal(dice))
        while not state.is_over:
            compare(state, twin)
            a = eager(state, dice)
            name = state.actions[a]
            state = state.step(a)._replace(history=())
            twin.act(name)
        compare(state, twin)


def test_infosets_are_what_a_player_has_seen() -> None:
    """Two states have one key if and only if the player knows the same and is asked the same."""
    dice, game = random.Random(5), Mahjong()
    keys: dict[int, Any] = {}
    known: dict[Any, int] = {}
    met = 0
    for _ in range(3):
        tiles = shuffled(dice)
        for _ in range(12):
            hidden = tiles[13:26] + tiles[30:]  # what player 0 does not see, at first
            dice.shuffle(hidden)
            front = dice.sample(tiles[26:30], 4) if dice.random() < 0.3 else tiles[26:30]
            state, twin = both(game, tiles[:13] + hidden[:13] + front + hidden[13:])
            while not state.is_over and len(twin.wall) > 30:
                mine = (state.player, twin.phase, repr(twin.known[state.player]))
                met += mine in known
                assert keys.setdefault(state.infoset, mine) == mine
                assert known.setdefault(mine, state.infoset) == state.infoset
                name = state.actions[min(dice.randrange(3), len(state.actions) - 1)]
                state = state.step(state.actions.index(name))._replace(history=())
                twin.act(name)
    assert met > 20  # different hidden tiles, one infoset


def tree_of_twin(game: Mahjong, tiles: list[str], depth: int) -> list[list[int]]:
    """Decisions and ends by depth from a deal on, found by playing each line from the start."""
    found = [[0, 0] for _ in range(depth + 1)]
    waiting: list[list[str]] = [[]]
    while waiting:
        line = waiting.pop()
        twin = Twin(game, tiles)
        for name in line:
            twin.act(name)
        found[len(line)][twin.payoffs is not None] += 1
        if twin.payoffs is None and len(line) < depth:
            waiting += [[*line, name] for name in twin.legal()]
    return found


@pytest.mark.skipif(not COMPILED, reason="too slow without the compiler")
def test_as_many_histories_as_the_twin() -> None:
    """From a deal on, in a game whose wall is short: the first three decisions, and all ends before."""
    game, tiles = Mahjong(dead_wall=36, rob_kong=True), shuffled(random.Random(21))
    state, _ = both(game, tiles)
    counts = survey(game, state.row, 3)[0]
    assert counts[:, 1].sum() == 0
    assert counts[:, [0, 2]].tolist() == tree_of_twin(game, tiles, 3)


# ---- playouts --------------------------------------------------------------------------------------------------------


@kernel
def playouts(game, start, s, state, first, many, ends):
    """Play at random. Answers with how many states have not all 64 tiles; ends counts games by pattern."""
    wrong = 0
    for number in range(first, first + many):
        stream(state, 1, number)
        s[:] = start
        while game.player(s) != OVER:
            n = game.num_actions(s)
            if game.player(s) == CHANCE:
                a = drawn(game, s, n, uniform(state))
            else:
                a = int(uniform(state) * n)
                tiles = (
                    s[HANDS] + s[HANDS + 1] + s[RIVERS] + s[RIVERS + 1] + tiles_in(s[MELDS]) + tiles_in(s[MELDS + 1])
                )
                for place in range(s[FRONT], WALL_TILES - s[BACK]):
                    tiles += some(wall_tile(s, place), 1)
                wrong += tiles != ALL_TILES
            game.apply(s, a)
        ends[s[PATTERN]] += 1
    return wrong


def play_out(game: Mahjong, first: int, many: int) -> list[int]:
    start, ends = game.start(), np.zeros(4, np.int64)
    assert playouts(game, start, start.copy(), np.zeros(1, np.uint64), first, many, ends) == 0
    return ends.tolist()  # type: ignore[no-any-return]


def test_no_tile_is_lost() -> None:
    ends = play_out(Mahjong(), 0, 1000 if COMPILED else 20)
    assert ends[0] > 0
    assert sum(ends[1:]) > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", READINGS, ids=called)
def test_no_tile_is_lost_in_ten_thousand_games(game: Mahjong) -> None:
    assert min(play_out(game, 1000, 10_000)[:2]) > 0
