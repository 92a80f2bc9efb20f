"""The view of Hold'em that sees buckets: the bets and the bucket are all that counts, whatever the suits are called."""

import random

import numpy as np
import pytest

import ruse.games.holdem.buckets.cards as kept
from ruse.catalog.names import view as view_named
from ruse.compile import kernel
from ruse.errors import RuseError
from ruse.games.holdem.buckets.building import built, street_index, street_starts
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import deal_number, deal_of
from ruse.games.holdem.turn import next_card
from ruse.games.holdem.views import Buckets
from ruse.games.leduc import Leduc
from ruse.laws.peeking import fields_of, refuse_peeking
from ruse.protocol.game import CHANCE
from ruse.protocol.state import State

GAME = Holdem()
LUCKY = ("As Ks", "Qs Js 2c")  # the one hand on the flop that is in bucket 1, with all others of its kind


@pytest.fixture
def plain_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets that nobody had to build: one for all hands of a street but one. Untouched zeros take no memory."""
    table = np.zeros(street_starts()[-1], np.uint8)
    table[:169] = np.arange(169)
    table[169 + deal_number(*map(cards_named, LUCKY))] = 1
    equity = tuple(np.full(count, 0.25) for count in kept.USUAL)
    made = {
        (*kept.USUAL, seed): kept.Kept(kept.CardBuckets(*kept.USUAL, seed, street_index(), table), equity)
        for seed in (0, 5)
    }
    monkeypatch.setattr(kept, "_here", made)


def dealt(hands: str, board: str = "", bets: str = "") -> State:
    """The state after these cards and bets, by the names of actions; every street is checked or called to its end."""
    wanted, said, state = cards_named(f"{hands} {board}"), bets.split(), State.of(GAME)
    while True:
        names = [GAME.action_name(state.row, a) for a in range(GAME.num_actions(state.row))]
        if state.player == CHANCE:
            if not wanted:
                return state
            cards = [next_card(state.row, a) for a in range(len(names))]
            state = state.child(cards.index(wanted.pop(0)))
        elif said:
            state = state.child(names.index(said.pop(0)))
        elif wanted:
            state = state.child(names.index("check" if "check" in names else "call"))
        else:
            return state


def key(view: Buckets, state: State) -> int:
    return int(view.key(GAME, state.row))


@pytest.mark.usefixtures("plain_buckets")
def test_only_bets_and_buckets_count() -> None:
    view = view_named("buckets", GAME)
    assert isinstance(view, Buckets)
    first = dealt("As Ks 7c 2d")
    assert key(view, first) == key(view, dealt("Ac Kc 9h 9d"))
    assert key(view, first) != key(view, dealt("As Kc 7c 2d"))
    assert key(view, first) != key(view, dealt("7c 2d As Ks", bets="call"))
    flop = dealt("7c 2d 9h 9d", "Qs Js 2c")
    assert key(view, flop) == key(view, dealt("7c 2d 3h 3d", "Ah Kh Qh"))  # one bucket for all
    lucky = dealt("7c 2d As Ks", "Qs Js 2c")
    assert lucky.player == 1
    assert key(view, lucky) != key(view, flop)
    assert key(view, lucky) == key(view, dealt("7c 2d Ah Kh", "Qh Jh 2s"))
    assert key(view, flop) != key(view, dealt("7c 2d 9h 9d", "Qs Js 2c 4d"))
    refuse_peeking(GAME, view)


@kernel
def keys_of(view, game, rows, keys):
    for i in range(len(rows)):
        keys[i] = view.key(game, rows[i])


@pytest.mark.usefixtures("plain_buckets")
def test_interpreted_is_compiled() -> None:
    view, dice, rows = view_named("buckets", GAME), random.Random(0), []
    while len(rows) < 40:
        state = State.of(GAME)
        while not state.is_over:
            if state.player >= 0:
                rows.append(state.row)
            state = state.child(dice.randrange(GAME.num_actions(state.row)))
    keys = np.zeros(len(rows), np.int64)
    keys_of(view, GAME, np.array(rows), keys)
    assert keys.tolist() == [int(view.key(GAME, row)) for row in rows]


@pytest.mark.usefixtures("plain_buckets")
def test_words() -> None:
    view = view_named("buckets", GAME)
    assert view.describe(GAME, dealt("As Ks 7c 2d").row) == "preflop, AKs, pot 1.5bb, 0.5bb to call"
    told = view.describe(GAME, dealt("7c 2d As Ks", "Qs Js 2c").row)
    assert told.startswith("flop, bucket 1 (25%), pot 2bb, 0bb to call, after #")


@pytest.mark.usefixtures("plain_buckets")
def test_a_view_is_found_by_its_text() -> None:
    usual = view_named("buckets", GAME)
    assert repr(usual) == "buckets"
    assert view_named("buckets()", GAME) == usual
    other = view_named("buckets:seed=5", GAME)
    assert repr(other) == "buckets(seed=5)"
    assert view_named(repr(other), GAME) == other != usual
    assert fields_of(other) != fields_of(usual) == fields_of(view_named("buckets", GAME))  # and no table is copied
    assert len(repr(fields_of(usual))) < 1000


@pytest.mark.usefixtures("plain_buckets")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bucket", "unknown view 'bucket'; there are full and buckets, with flop, turn, river, seed: buckets:flop=50"),
        ("buckets:flop=0", "buckets on the flop must be from 1 to 10,000, not 0"),
        ("buckets:flop=2.5", "flop of buckets must be a whole number, got 2.5"),
        ("buckets:preflop=5", "buckets has no field 'preflop'; it has flop, turn, river, seed"),
        ("buckets:50", "cannot read '50'; write name=value, several with commas, as in buckets:flop=50,turn=50"),
    ],
)
def test_what_is_no_view_is_refused(text: str, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        view_named(text, GAME)


def test_another_game_is_refused() -> None:
    from ruse.games.holdem.views import view_of

    with pytest.raises(RuseError, match="one of Hold'em's, and the game is Leduc"):
        view_of("buckets", Leduc())


@pytest.mark.slow
def test_all_hands_are_built() -> None:
    """Some minutes of a processor: every hand of every street, in few buckets."""
    arrays, starts, rng = built((8, 8, 8)), street_starts(), np.random.default_rng(0)
    for k, name in ((1, "flop"), (2, "turn"), (3, "river")):
        buckets = arrays["bucket"][starts[k] : starts[k + 1]]
        assert (np.bincount(buckets, minlength=8) > 0).all()
        assert (np.diff(arrays[name]) > 0).all()
        for number in rng.choice(len(buckets), 4):
            assert_fits(int(number), k + 2, arrays[name], int(buckets[number]))


def assert_fits(number: int, board: int, equities: np.ndarray, bucket: int) -> None:
    """The equity of a hand is nearer to that of its bucket than to that of one three further on."""
    from ruse.games.holdem.hands.equity import equity, hand_range

    hole, lies = deal_of(number, 2, board)
    share = equity(hand_range(hole), np.ones(1326), lies).share
    apart = np.abs(equities - share)
    assert apart[bucket] <= np.sort(apart)[3]
