"""Positions made by hand, one or more for every rule; what cannot be is refused."""

from typing import Any

import numpy as np
import pytest
from mahjong_twin import tables_of

from ruse.errors import RuseError
from ruse.games.mahjong.positions import dealt, outcomes_of, position
from ruse.games.mahjong.row import BACK, CLAIM, DISCARDING, DRAWN, FRONT, HANDS, PHASE, RIVERS, WIDTH, wall_left
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.observation import OTHER_MELDS, UNSEEN
from ruse.games.mahjong.tiles import NAMES, kinds_of, names_of, tiles_named
from ruse.protocol.state import State

USUAL = Mahjong()
ODD = "1m 3m 5m 7m 9m E S W N C F P P"  # a hand that can claim little
CHOWS = "1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S"  # waits for S


def at(game: Mahjong, hands: tuple[str, str], **more: Any) -> State:
    return State(game, position(game, hands, **more), ())


def answering(tile: str, hand: str, game: Mahjong = USUAL, other: str = "", **more: Any) -> State:
    """Player 1 is to answer a discard of player 0."""
    hands = (other or anything(hand, tile), hand)
    return at(game, hands, rivers=(tile, ""), turn=1, phase=CLAIM, tile=tile, **more)


def after_draw(hand: str, game: Mahjong = USUAL, other: str = "", **more: Any) -> State:
    """Player 0 has drawn the last of these tiles."""
    melds = [meld.split()[-1] for meld in more.get("melds", ([], []))[0]] * 4
    return at(game, (hand, other or anything(hand, *melds)), turn=0, phase=DRAWN, tile=hand.split()[-1], **more)


def anything(*others: str) -> str:
    """Thirteen tiles that are left, the odd ones first."""
    left = rest(" ".join(others))
    order = sorted(range(len(left)), key=lambda k: (left[:k].count(left[k]), -left[k] % 2, left[k]))
    return " ".join(names_of(left[k] for k in order[:13]))


def rest(text: str) -> list[int]:
    """The tiles that are not among these, low to high."""
    left = [k for k in range(16) for _ in range(4)]
    for kind in tiles_named(text):
        if kind in left:
            left.remove(kind)
    return left


def tiles(packed: int) -> str:
    return " ".join(names_of(kinds_of(packed)))


# ---- answers to a discard --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "hand", "offered"),
    [
        ("5m", "4m 6m E E S S W W N N C F P", ["chow 4m 5m 6m"]),  # the middle of a chow
        ("5m", "3m 4m 6m 7m E E S S W W N C F", ["chow 3m 4m 5m", "chow 4m 5m 6m", "chow 5m 6m 7m"]),
        ("2m", "1m 9m E E S S W W N N C F P", []),  # numbers do not go round
        ("1m", "8m 9m E E S S W W N N C F P", []),
        ("9m", "1m 2m E E S S W W N N C F P", []),
        ("9m", "7m 8m E E S S W W N N C F P", ["chow 7m 8m 9m"]),
        ("1m", "2m 3m E E S S W W N N C F P", ["chow 1m 2m 3m"]),
        ("E", "8m 9m S S W W N N C C F F P", []),  # honours make no chow
        ("C", "F F P P E E S S W W N N 9m", []),
        ("E", "E E S S S W W N N C F 1m 9m", ["pong E"]),
        ("E", "E E E S S W W N N C F 1m 9m", ["pong E", "kong E exposed"]),
        ("5m", "5m 5m 5m 4m 6m S S W W N N C F", ["pong 5m", "kong 5m exposed", "chow 4m 5m 6m"]),
        ("S", CHOWS, ["win"]),
        ("C", "1m 1m 3m 3m 5m 5m 9m 9m E E S S C", ["win"]),  # seven pairs
        ("W", "1m 2m 3m 4m 5m 6m 7m 8m 9m E E E S", []),  # four melds and no pair
    ],
)
def test_what_a_discard_may_be_claimed_for(tile: str, hand: str, offered: list[str]) -> None:
    assert answering(tile, hand).actions == ["pass", *offered]


def test_a_chow_is_followed_by_a_discard() -> None:
    state = answering("5m", "4m 6m E E S S W W N N C F P")
    left = wall_left(USUAL, state.row)
    chow = state.after("chow 4m 5m 6m")
    assert (chow.player, chow.row[PHASE], wall_left(USUAL, chow.row)) == (1, DISCARDING, left)
    assert chow.actions == [f"discard {name}" for name in ("E", "S", "W", "N", "C", "F", "P")]  # once a kind
    assert tiles(chow.row[RIVERS]) == ""  # the discard is now part of the meld
    assert tiles(chow.row[HANDS + 1]) == "E E S S W W N N C F P"


def test_a_tile_may_be_discarded_that_was_just_claimed_for() -> None:
    state = answering("5m", "4m 5m 6m E E S S W W N N C F")
    assert "discard 5m" in state.after("chow 4m 5m 6m").actions


def test_a_pong_is_followed_by_a_discard_and_a_kong_by_a_draw_from_the_back() -> None:
    state = answering("E", "E E E S S W W N N C F 1m 9m", wall="2m 3m")
    pong, kong = state.after("pong E"), state.after("kong E exposed")
    assert (pong.player, pong.row[PHASE], pong.row[BACK]) == (1, DISCARDING, 0)
    assert tiles(pong.row[HANDS + 1]) == "1m 9m E S S W W N N C F"
    assert (kong.player, kong.row[BACK], kong.row[FRONT]) == (1, 1, state.row[FRONT])
    assert "P" in tiles(kong.row[HANDS + 1])  # the last tile of the wall, as the others follow low to high
    assert wall_left(USUAL, kong.row) == wall_left(USUAL, state.row) - 1


def test_a_pass_is_followed_by_a_draw_from_the_front() -> None:
    passed = answering("E", "E E E S S W W N N C F 1m 9m", wall="2m 3m").after("pass")
    assert (passed.player, passed.row[PHASE]) == (1, DISCARDING)  # nothing can be done with 2m: phase 1 is passed over
    assert "2m" in tiles(passed.row[HANDS + 1])
    assert tiles(passed.row[RIVERS]) == "E"


def test_who_cannot_claim_is_not_asked() -> None:
    hands = ("1m 3m 5m 7m 9m E S W N C F P P 9m", "1m 1m 4m 4m 6m 6m 8m 8m 2m 2m E E E")
    state = at(USUAL, hands, wall="5m").after("discard N")
    assert (state.player, state.row[PHASE]) == (1, DISCARDING)
    assert "5m" in tiles(state.row[HANDS + 1])


# ---- after a draw ----------------------------------------------------------------------------------------------------


def test_a_concealed_kong_is_followed_by_a_draw_from_the_back() -> None:
    state = after_draw("1m 1m 1m 1m 4m 5m 6m S S W N C C 9m", other="2m 2m 3m 3m 7m 7m 8m 8m 9m E E F P", wall="5m")
    assert state.actions == ["pass", "kong 1m concealed"]
    kong = state.after("kong 1m concealed")
    assert (kong.player, kong.row[BACK]) == (0, 1)
    assert tiles(kong.row[HANDS]) == "4m 5m 6m 9m S S W N C C P"
    seen = np.zeros(USUAL.observation_size(), np.int64)
    USUAL.observe(kong.row, 1, seen)
    assert (seen[OTHER_MELDS], seen[UNSEEN]) == (3, 0)  # it is declared: the other sees of what kind it is


def test_an_added_kong_needs_an_exposed_pong() -> None:
    hand, other = "2m 3m 4m 5m S S W N C C E", "2m 2m 3m 3m 7m 7m 8m 8m 9m 1m F P P"
    state = after_draw(hand, other=other, melds=(["pong E"], []))
    assert state.actions == ["pass", "kong E added"]
    kong = state.after("kong E added")
    assert (kong.player, kong.row[BACK]) == (0, 1)
    assert after_draw(hand, other=other, melds=(["chow 1m"], [])).actions == ["pass"]


def test_kongs_follow_kongs() -> None:
    state = after_draw("1m 1m 1m 1m E E E E 5m 6m S W N N", other="2m 2m 3m 3m 7m 7m 8m 8m 9m C C F P")
    after = state.after("kong E concealed")
    assert after.actions == ["pass", "kong 1m concealed"]
    assert after.after("kong 1m concealed").row[BACK] == 2


def test_a_pass_after_a_draw_leads_to_the_discard() -> None:
    state = after_draw(f"{CHOWS} S")
    assert state.actions == ["pass", "win"]
    passed = state.after("pass")
    assert passed.player == 0
    assert all(name.startswith("discard") for name in passed.actions)
    assert passed.infoset != state.infoset  # the same tiles, another question


# ---- points ----------------------------------------------------------------------------------------------------------

PONGS, PAIRS = "1m 1m 1m 5m 5m 5m 9m 9m 9m E E E C", "1m 1m 3m 3m 5m 5m 9m 9m E E S S C"
OTHER = "2m 4m 4m 6m 6m 7m 8m W N F F P P"


@pytest.mark.parametrize(
    ("hand", "tile", "points", "words"),
    [(CHOWS, "S", 1, "normal"), (PONGS, "C", 2, "pongponghu"), (PAIRS, "C", 2, "qidui")],
)
def test_points(hand: str, tile: str, points: int, words: str) -> None:
    claimed = answering(tile, hand, other=OTHER).after("win")
    assert claimed.payoffs == [-points, points]
    assert words in claimed.describe(0)
    assert tiles(claimed.row[RIVERS]) == ""
    drawn = after_draw(f"{hand} {tile}", other=OTHER).after("win")
    assert drawn.payoffs == [points, -points]  # the same, by the usual rules
    doubled = Mahjong(selfdraw_factor=2)
    assert after_draw(f"{hand} {tile}", doubled, OTHER).after("win").payoffs == [2 * points, -2 * points]
    assert answering(tile, hand, doubled, OTHER).after("win").payoffs == [-points, points]


def test_four_of_a_kind_as_one_pair() -> None:
    hand = "1m 1m 1m 1m 5m 5m 9m 9m E E S S C"
    assert answering("C", hand, other=OTHER).actions == ["pass", "win"]
    assert answering("C", hand, Mahjong(four_is_two_pairs=False), OTHER).player == 1
    assert answering("C", hand, Mahjong(four_is_two_pairs=False), OTHER).actions == ["pass"]


def test_whoever_must_win_is_not_asked() -> None:
    game = Mahjong(must_win=True)
    hands = (f"{ODD} S".replace("S W", "9m W"), CHOWS)
    state = at(game, hands).after("discard S")
    assert state.is_over
    assert state.payoffs == [-1, 1]


# ---- the end of the wall ---------------------------------------------------------------------------------------------

EMPTY = 37  # of 38 tiles are never drawn, and one was: a tile lies in a river
CLAIMS = "5m 5m 5m 4m 6m S S W W N N C F"
LAST = [
    (Mahjong(dead_wall=EMPTY), ["pass"]),
    (Mahjong(dead_wall=EMPTY, kong_needs_tile=False), ["pass"]),
    (Mahjong(dead_wall=EMPTY, last_discard_win_only=False), ["pass", "pong 5m", "chow 4m 5m 6m"]),
    (
        Mahjong(dead_wall=EMPTY, last_discard_win_only=False, kong_needs_tile=False),
        ["pass", "pong 5m", "kong 5m exposed", "chow 4m 5m 6m"],
    ),
]


@pytest.mark.parametrize(("game", "offered"), LAST, ids=lambda x: "" if isinstance(x, list) else repr(x))
def test_the_last_discard(game: Mahjong, offered: list[str]) -> None:
    state = answering("5m", CLAIMS, game)
    assert wall_left(game, state.row) == 0
    assert state.actions == offered
    assert state.after("pass").payoffs == [0, 0]  # no tile is left to be drawn
    if "kong 5m exposed" in offered:
        assert state.after("kong 5m exposed").payoffs == [0, 0]
    if "pong 5m" in offered:
        assert not state.after("pong 5m").is_over


def test_the_last_discard_may_be_won() -> None:
    state = answering("S", CHOWS, Mahjong(dead_wall=EMPTY))
    assert state.actions == ["pass", "win"]
    assert state.after("win").payoffs == [-1, 1]


def test_no_kong_without_a_tile() -> None:
    hand = "1m 1m 1m 1m 4m 5m 6m S S W N C C 9m"
    assert after_draw(hand, Mahjong(dead_wall=EMPTY)).actions == ["pass"]
    state = after_draw(hand, Mahjong(dead_wall=EMPTY, kong_needs_tile=False))
    assert state.after("kong 1m concealed").payoffs == [0, 0]


def test_an_unclaimed_last_discard_ends_the_game() -> None:
    state = after_draw(
        "1m 3m 5m 7m 9m E S W N C F P P 9m", Mahjong(dead_wall=EMPTY), "2m 2m 4m 4m 6m 6m 8m 8m E E S S W"
    )
    state = state.after("pass").after("discard N")
    assert state.is_over
    assert state.payoffs == [0, 0]
    assert "a draw" in state.describe(1)


# ---- robbing a kong --------------------------------------------------------------------------------------------------

ADDING, WAITING = "4m 5m 6m C C W W N F F 1m", "2m 3m 4m 5m 6m 7m 8m 9m S S S E E"  # 1m is added; it would win


def kong_added(game: Mahjong, other: str) -> State:
    return after_draw(ADDING, game, other, melds=(["pong 1m"], [])).after("kong 1m added")


def test_a_kong_is_not_robbed_by_the_usual_rules() -> None:
    state = kong_added(USUAL, WAITING)
    assert (state.player, state.row[BACK]) == (0, 1)


def test_a_robbed_kong() -> None:
    asked = kong_added(Mahjong(rob_kong=True), WAITING)
    assert (asked.player, asked.actions, asked.row[BACK]) == (1, ["pass", "win"], 0)
    robbed = asked.after("win")
    assert robbed.payoffs == [-1, 1]
    assert tables_of(robbed.row)["melds"] == [[["1m"] * 3], []]  # the pong is a pong again
    assert tiles(robbed.row[HANDS + 1]) == "1m 2m 3m 4m 5m 6m 7m 8m 9m E E S S S"
    passed = asked.after("pass")
    assert (passed.player, passed.row[BACK]) == (0, 1)
    assert tables_of(passed.row)["melds"] == [[["1m"] * 4], []]


def test_who_cannot_rob_a_kong_is_asked_too() -> None:
    """Else the first would learn from his own turn that the other waits for this tile."""
    state = kong_added(Mahjong(rob_kong=True), WAITING.replace("S S S", "S S N"))
    assert (state.player, state.actions) == (1, ["pass"])


def test_a_concealed_kong_is_not_robbed() -> None:
    state = after_draw("4m 5m 6m C C W W N F F 1m 1m 1m 1m", Mahjong(rob_kong=True), WAITING).after("kong 1m concealed")
    assert state.player == 0


# ---- the deal --------------------------------------------------------------------------------------------------------


def test_the_deal() -> None:
    wall = [k for k in range(16) for _ in range(4)]
    row = dealt(USUAL, wall)
    assert tiles(row[HANDS]) == "1m 1m 1m 1m 2m 2m 2m 2m 3m 3m 3m 3m 4m 7m"
    assert tiles(row[HANDS + 1]) == "4m 4m 4m 5m 5m 5m 5m 6m 6m 6m 6m 7m 7m"
    state = State(USUAL, row, ())
    assert (state.player, state.row[FRONT], len(row)) == (0, 1, WIDTH)
    assert state.actions[0] == "pass"  # four of a kind in the first hand: a kong may be declared


def test_chance_draws_tiles_without_replacement() -> None:
    state = State.of(USUAL)
    assert state.chances == [1 / 16] * 16
    state = state.after("1m", "1m", "1m")
    assert state.chances == [1 / 61, *[4 / 61] * 15]
    assert state.after("1m").actions == list(NAMES[1:])


def test_a_dead_wall_makes_the_game_shorter() -> None:
    hands = "1m 3m 5m 7m 9m E S W N C F P 2m 2m 4m 6m 8m 1m 9m E S W N C F P"
    for dead_wall, left in ((0, 37), (20, 17), (37, 0)):
        game = Mahjong(dead_wall=dead_wall)
        state = State(game, dealt(game, tiles_named(hands) + rest(hands)), ())
        assert wall_left(game, state.row) == left
        assert state.after("discard N").is_over == (left == 0)  # nobody can claim it, and the wall is empty


# ---- what cannot be --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: outcomes_of([0] * 64), "a wall has 4 tiles of each kind, got 64 of 1m"),
        (lambda: outcomes_of([0] * 3), "a wall has 64 tiles, got 3"),
        (lambda: outcomes_of([16, *[0] * 63]), "a tile is a kind from 0 to 15, got 16"),
        (lambda: outcomes_of(["E", *[0] * 63]), "a tile is a kind from 0 to 15, got 'E'"),  # type: ignore[list-item]
        (lambda: tiles_named("1m 0m"), "there is no tile '0m'"),
        (lambda: at(USUAL, (ODD, ODD)), "player 0 must hold 14 tiles without melds to discard of player 0, got 13"),
        (
            lambda: at(USUAL, ("1m 1m 1m 1m 1m " + "E " * 9, ODD)),
            "there are 4 tiles of a kind, got 5 of 1m in one place",
        ),
        (lambda: at(USUAL, (f"{ODD} P", ODD)), "got 5 of P on the table"),
        (lambda: at(USUAL, (f"{ODD} P", CHOWS), melds=([], ["chow 8m"])), "a meld is 'chow 1m' to 'chow 7m'"),
        (lambda: at(USUAL, (f"{ODD} P", CHOWS), melds=([], ["pong"])), "a meld is"),
        (lambda: at(USUAL, (f"{ODD} P", CHOWS), melds=([], ["pong 1m"])), "must hold 10 tiles beside 1 meld"),
        (lambda: at(USUAL, (f"{ODD} P", CHOWS), wall="P P"), "no P is left for the wall"),
        (lambda: at(USUAL, (ODD, CHOWS), turn=1, phase=CLAIM, tile="S"), "must lie in the river of player 0"),
        (lambda: at(USUAL, (f"{ODD} P", CHOWS), tile="2m"), "player 0 cannot have drawn 2m"),
        (lambda: at(USUAL, (f"{ODD} P", CHOWS), phase=3), "turn is 0 or 1 and phase 0, 1 or 2, got 0 and 3"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, words: str) -> None:
    with pytest.raises(RuseError) as error:
        make()
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Mahjong(dead_wall=38), "dead_wall must be 0 to 37 in Mahjong, so that a tile can be drawn, got 38"),
        (Mahjong(dead_wall=-1), "got -1"),
        (Mahjong(selfdraw_factor=0), "selfdraw_factor must be 1 to 100 in Mahjong, got 0"),
    ],
)
def test_bad_fields_are_refused(game: Mahjong, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        game.start()
