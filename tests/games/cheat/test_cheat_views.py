"""What the players of Cheat see, and what they choose to remember."""

import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from cheat_twin import HALF, READINGS, called, compiled_only, deal, hands_of, observed, reachable, twin_of, unpacked
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from ruse.compile import compiled, kernel
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.games.cheat.cards import CLAIM, DISCARDER, HANDS, LAST, PILE, PLAIN, RANK, REVEALS, WHO, width
from ruse.games.cheat.observation import BLOCKS, CHALLENGING, DOUBTER, LAID_BY, PHASE, TAKER
from ruse.games.cheat.rules import NO_HP, UNLIMITED, Cheat
from ruse.games.cheat.views import General, HistoryAware, HpAware, Memoryless, refuse_wide_window, view_of
from ruse.protocol.game import CHANCE
from ruse.protocol.state import State
from ruse.tree.measure.size import tree_size

# ---- what is hidden --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [g for g in READINGS if g.ranks < 5], ids=called)
def test_nobody_sees_more_or_less_than_he_has_been_shown(game: Cheat) -> None:
    """Infoset and name stand for all that a player was ever shown; what others see depends on nothing else."""
    dice = random.Random(7)
    names: dict[Any, Any] = {}
    shown: dict[Any, Any] = {}
    for _ in range(60):
        state = deal(State.of(game), dice)
        twin = twin_of(state)
        while twin.payoffs is None:
            for p in range(game.players):
                here = (p, twin.known[p], twin.who)
                seen = (state.describe(p), tuple(observed(state, p).tolist()))
                assert shown.setdefault(here, seen) == seen
            known = (twin.who, twin.known[twin.who])
            name = (twin.who, state.describe(twin.who))
            assert names.setdefault(known, (name, state.infoset)) == (name, state.infoset)
            assert names.setdefault(name, known) == known
            assert names.setdefault((twin.who, state.infoset), known) == known
            moves = list(twin.moves())
            a = dice.randrange(min(len(moves), 3))
            state, twin = state.child(a), moves[a]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(READINGS[:14]), st.integers(0, 2**32), st.integers(0, 12), st.data())
def test_hidden_cards_may_change_unseen(game: Cheat, seed: int, moves: int, data: st.DataObject) -> None:
    """Give the others other cards, put others under the pile, and a player sees the same."""
    dice = random.Random(seed)
    state = deal(State.of(game), dice)
    for _ in range(moves):
        if not state.child(0).is_over:
            state = state.child(dice.randrange(len(state.actions)))
        if state.is_over:
            return
    viewer = data.draw(st.integers(0, game.players - 1))
    row, before = state.row, observed(state, viewer).tolist()
    infoset = state.infoset if state.player == viewer else None
    anything = st.integers(0, (1 << game.ranks * width(game.copies)) - 1)
    row[PILE] = data.draw(anything)
    if row[CLAIM] and row[DISCARDER] != viewer:
        row[LAST] = data.draw(anything)
    for p in set(range(game.players)) - {viewer}:
        row[HANDS + p] = data.draw(anything)
        row[HANDS + 3 * game.players + p] = data.draw(st.integers(0, 2**62))
    row[HANDS + 4 * game.players :] = 0  # the log
    assert observed(state, viewer).tolist() == before
    assert infoset is None or state.infoset == infoset


def test_a_bot_can_keep_books() -> None:
    """Own cards in the pile, and those that an opponent must hold, from observations alone."""
    game = Cheat(hp=NO_HP, max_turns=50)
    dice = random.Random(1)
    for _ in range(40):
        state = deal(State.of(game), dice)
        mine, opponent = np.zeros(3, np.int64), np.zeros(3, np.int64)
        while not state.is_over:
            before = observed(state, 0)
            state = state.child(dice.randrange(len(state.actions)))
            out = observed(state, 0)
            laid = before[BLOCKS : BLOCKS + 3] - out[BLOCKS : BLOCKS + 3]
            if out[PHASE] == CHALLENGING and out[LAID_BY] == 0:
                mine += laid
                assert laid.tolist() == out[BLOCKS + 3 : BLOCKS + 6].tolist()
            elif out[DOUBTER] >= 0 and out[PHASE] != CHALLENGING:
                revealed = out[BLOCKS + 3 : BLOCKS + 6]
                if out[TAKER] == 1:
                    opponent += mine + (revealed if out[LAID_BY] == 1 else 0)
                mine[:] = 0
            elif out[LAID_BY] == 1 and out[PHASE] == CHALLENGING:
                opponent[:] = 0  # he may have laid any of them
            hands = hands_of(game, state.row)
            assert all(hands[1] >= opponent)
            assert all(mine <= unpacked(game, state.row[PILE]))


# ---- how many keys there are -----------------------------------------------------------------------------------------


@kernel
def fill_keys(game, view, rows, keys):
    for k in range(len(rows)):
        keys[k] = view.key(game, rows[k])


def keys_of(game: Cheat, view: Any, rows: np.ndarray) -> np.ndarray:
    keys = np.zeros(len(rows), np.int64)
    fill_keys(game, view, rows, keys)
    return keys


def infosets(game: Cheat, view: Any) -> int:
    """Keys of a view without a memory: each state counts once, however it was reached."""
    return len(np.unique(keys_of(game, view, np.array(reachable(game)))))


@compiled_only
@pytest.mark.parametrize(
    ("hp", "plain", "rotated", "aware", "aware_rotated"),
    [(1, 60, 54, 60, 54), (2, 287, 100, 495, 260), (3, 292, 100, 1339, 608), (4, 292, 100, 2595, 1070),
     (5, 292, 100, 4297, 1664)],
)  # fmt: skip
def test_keys_without_a_memory(hp: int, plain: int, rotated: int, aware: int, aware_rotated: int) -> None:
    game = Cheat(hp=hp)
    views = [Memoryless(), Memoryless(cards=True), HpAware(), HpAware(cards=True)]
    assert [infosets(game, view) for view in views] == [plain, rotated, aware, aware_rotated]


@compiled_only
@pytest.mark.parametrize(("hp", "aware", "rotated"), [(3, 1351, 614), (4, 2607, 1076), (5, 4313, 1670)])
def test_keys_of_unlimited_discards(hp: int, aware: int, rotated: int) -> None:
    game = Cheat(hp=hp, max_discard=UNLIMITED)
    assert [infosets(game, HpAware()), infosets(game, HpAware(cards=True))] == [aware, rotated]


@compiled_only
@pytest.mark.parametrize(("hp", "plain", "aware"), [(3, 288, 883), (4, 290, 1960), (5, 290, 3504)])
def test_keys_with_a_fixed_starter(hp: int, plain: int, aware: int) -> None:
    game = Cheat(hp=hp, starter=0)
    assert [infosets(game, v) for v in (Memoryless(), Memoryless(cards=True), HpAware())] == [plain, 98, aware]


@compiled_only
def test_other_readings_of_the_key() -> None:
    claims = [infosets(Cheat(), Memoryless(claim=True, cards=cards)) for cards in (False, True)]
    orders = [infosets(Cheat(), Memoryless(own_order=True, cards=cards)) for cards in (False, True)]
    assert (claims, orders) == ([351, 121], [164, 56])
    assert infosets(Cheat(), HpAware(hp_clip=1)) == 292


@compiled_only
@pytest.mark.parametrize(
    ("hp", "plain", "outcomes"),
    [(3, (11242, 11750), (13523, 14038)), (4, (115343, 123127), (163867, 171004)),
     pytest.param(5, (1181620, 1285572), (1964398, 2057134), marks=pytest.mark.slow)],
)  # fmt: skip
def test_keys_with_the_whole_history(hp: int, plain: tuple[int, int], outcomes: tuple[int, int]) -> None:
    for outcome, expected in ((False, plain), (True, outcomes)):
        views = (HistoryAware(outcome=outcome), General(outcome=outcome))
        assert tuple(tree_size(Cheat(hp=hp), view, limit=100_000_000).infosets for view in views) == expected


@compiled_only
@pytest.mark.parametrize(
    ("window", "history", "general"), [(1, 212, 981), (2, 527, 1735), (3, 1348, 3041), (4, 3166, 5087), (5, 5818, 7502)]
)
def test_keys_with_a_window(window: int, history: int, general: int) -> None:
    views = (HistoryAware(cards=True, window=window), General(cards=True, window=window))
    assert [tree_size(Cheat(), view).infosets for view in views] == [history, general]


@compiled_only
def test_a_window_of_no_turns_is_the_claim_alone() -> None:
    views = (Memoryless(cards=True, claim=True), HpAware(cards=True, claim=True))
    assert [infosets(Cheat(), view) for view in views] == [121, 706]


@compiled_only
def test_windows_of_the_abstractions_hardly_grow() -> None:
    found = [tree_size(Cheat(hp=4), view_of(name, Cheat(hp=4))).infosets for name in ("history+", "general+")]
    assert found == [1364, 6406]


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Diary(NamedTuple):
    """Cheat with two more columns: a hash of each player's discards."""

    rules: Cheat = Cheat()

    players = 2

    def start(self):
        return np.append(self.rules.start(), [0, 0])

    def player(self, s):
        return self.rules.player(s)

    def num_actions(self, s):
        return self.rules.num_actions(s)

    def chance(self, s, a):
        return self.rules.chance(s, a)

    def apply(self, s, a):
        who, claim = s[WHO], s[CLAIM]
        self.rules.apply(s, a)
        if who != CHANCE and claim == 0:
            s[len(s) - 1 - who] = mix(s[len(s) - 1 - who], s[LAST])

    def infoset(self, s):
        return self.rules.infoset(s)

    def payoff(self, s, player):
        return self.rules.payoff(s, player)


@compiled("key")
class Recall(NamedTuple):
    """Own hand, own discards, claims, challenges and revealed cards, and sizes in seat order: not the seat."""

    nothing: int = 0

    def key(self, game, s):
        public = mix(mix(mix(mix(s[PLAIN], s[REVEALS]), s[CLAIM]), s[HANDS + 2]), s[HANDS + 3])
        return mix(mix(public, s[HANDS + s[WHO]]), s[len(s) - 1 - s[WHO]])


@compiled_only
@pytest.mark.parametrize(("hp", "count"), [(3, 71_998), pytest.param(4, 1_065_194, marks=pytest.mark.slow)])
def test_keys_with_perfect_memory_but_for_the_piles_taken(hp: int, count: int) -> None:
    """What was in a pile that one took long ago is not in these keys; the game's own infosets know it."""
    assert tree_size(Diary(Cheat(hp=hp)), Recall()).infosets == count


@compiled_only
def test_infosets_with_perfect_recall() -> None:
    assert [tree_size(Cheat(hp=hp)).infosets for hp in (1, 2, 3)] == [120, 4854, 84_830]


@kernel
def fill_tables(game, rows, hands, phase, own, other, rank, seat):
    """A row for each hand: that of a player, who discards or is asked, when the sizes are like this."""
    for k in range(len(hands)):
        rows[k, WHO] = seat
        rows[k, RANK] = rank
        rows[k, CLAIM] = phase
        rows[k, HANDS + seat] = hands[k]
        rows[k, HANDS + 2 + seat] = own
        rows[k, HANDS + 3 - seat] = other


@pytest.mark.slow
@compiled_only
def test_keys_of_the_half_deck() -> None:
    """All that a player of the half deck may have before him, if any hand can meet any sizes."""
    by_size: list[list[int]] = [[] for _ in range(29)]
    for packed in range(5**7):
        counts = [packed // 5**r % 5 for r in range(7)]
        by_size[sum(counts)].append(sum(n << 3 * r for r, n in enumerate(counts)))
    views = [Memoryless(), Memoryless(cards=True), Memoryless(own_order=True), Memoryless(own_order=True, cards=True)]
    found: list[list[np.ndarray]] = [[] for _ in views]
    for phase, own, other, seat in np.ndindex(2, 13, 13, 2):
        if own == 0 or own + other > 12 - phase or (phase == 0 and other == 0):
            continue
        hands = np.array(by_size[own])
        rows = np.zeros((len(hands), len(HALF.start())), np.int64)
        for rank in range(7):
            fill_tables(HALF, rows, hands, phase, own, other, rank, seat)
            for keys, view in zip(found, views, strict=True):
                keys.append(np.unique(keys_of(HALF, view, rows)))
    assert [len(np.unique(np.concatenate(keys))) for keys in found] == [1_515_563, 216_509, 766_332, 109_476]


# ---- what a key means ------------------------------------------------------------------------------------------------

EVERY_VIEW = [
    *(Memoryless(cards, claim, own) for cards in (False, True) for claim in (False, True) for own in (False, True)),
    HpAware(),
    HpAware(cards=True, hp_clip=2),
    HistoryAware(),
    HistoryAware(cards=True, window=2),
    HistoryAware(window=3, outcome=True, own_order=True),
    General(cards=True, window=1, outcome=True),
    General(own_order=True, outcome=True),
]


@pytest.mark.parametrize("game", [Cheat(), Cheat(players=3, hp=1), HALF._replace(hp=2), READINGS[10]], ids=called)
def test_actions_and_names_of_a_key(game: Cheat) -> None:
    """All states of a key offer the same discards, seen from the current rank, and have one name; and no other has."""
    dice = random.Random(3)
    told: dict[Any, Any] = {}
    for _ in range(25):
        state = deal(State.of(game), dice)
        while not state.is_over:
            row = state.row
            hand, turned = hands_of(game, row)[row[WHO]], []
            for a in range(int(game.num_actions(row))):
                cards = unpacked(game, state.child(a).row[LAST]) if row[CLAIM] == 0 else (a,)
                turned.append(tuple(np.roll(cards, -row[RANK])) if row[CLAIM] == 0 else cards)
            for view in EVERY_VIEW:
                key, name = int(view.key(game, row)), view.describe(game, row)
                sees = (name, turned if view.cards else (turned, int(row[RANK]), hand))
                assert told.setdefault((view, key), sees) == sees
                assert told.setdefault((view, name), key) == key
            state = state.child(dice.randrange(min(len(turned), 4)))


def test_the_cards_abstraction_of_the_paper() -> None:
    """Six ranks: A 2 4 5 at rank 4, and 2 3 5 6 at rank 5, are both 0, 1, 3 and 4 steps ahead."""
    game = Cheat(ranks=6, copies=4, deal=4)
    row = deal(State.of(game), random.Random(1)).row
    keys, names = [], []
    for rank, cards in ((3, (0, 1, 3, 4)), (4, (1, 2, 4, 5))):
        row[RANK] = rank
        row[HANDS + row[WHO]] = sum(1 << 3 * r for r in cards)
        keys.append(Memoryless(cards=True).key(game, row))
        names.append(Memoryless(cards=True).describe(game, row))
    assert keys[0] == keys[1]
    assert names == ["discard, hand +0 +1 +3 +4, cards 4-4"] * 2


def test_keys_fit_games_with_more_points() -> None:
    """A strategy of Cheat-3 can be asked in Cheat-100, where more than three points look like three."""
    small, large, endless = Cheat(), Cheat(hp=100), Cheat(hp=NO_HP)
    for ours, clipped in ((HpAware(), HpAware(hp_clip=3)), (General(), General(hp_clip=3))):
        for game in (large, endless):
            state, other = State.of(small), State.of(game)
            for a in (0, 1, 1, 0, 1, 0):
                state, other = state.child(a), other.child(a)
                if not state.is_chance:
                    assert ours.key(small, state.row) == clipped.key(game, other.row)


def test_names_of_views() -> None:
    state = State.of(Cheat()).after("player 1 starts", "player 0 gets A", "player 0 gets 2", "player 1 gets A")
    state = state.after("player 1 gets 2", "2", "believe", "A", "challenge", "A")
    views = [view_of(name, Cheat()) for name in ("memoryless", "hp+", "history", "general+")]
    assert [view.describe(Cheat(), state.row) for view in views] == [
        "challenge, rank 3, hand A 2 2, cards 3-0",
        "challenge, hand +1 +2 +2, cards 3-0, HP 2-3",
        "challenge, rank 3, hand A 2 2, cards 3-0, 1 laid, before: 1 believed, 1 challenged",
        "challenge, hand +1 +2 +2, cards 3-0, 1 laid, HP 2-3, before: 1 believed, 1 challenged",
    ]
    assert view_of("history+", HALF) == HistoryAware(cards=True, window=7)
    assert view_of("general", HALF) == General()
    assert view_of("memoryless+", HALF) == Memoryless(cards=True)


def test_sentences() -> None:
    with pytest.raises(RuseError, match=r"^unknown view 'hpp'; there are memoryless, hp, history, general, and each"):
        view_of("hpp", Cheat())
    with pytest.raises(RuseError, match=r"^the view 'hp' is one of Cheat's, and the game is Kuhn\("):
        view_of("hp", ruse.Kuhn())
    with pytest.raises(
        RuseError, match=r"^a window of 21 turns does not fit Cheat\(.*; it may have 1 to 20 turns, or 0"
    ):
        refuse_wide_window(HistoryAware(window=21), Cheat())
    with pytest.raises(RuseError, match=r"^a window of 13 turns does not fit"):
        view_of("general+", Cheat(ranks=13, copies=4, deal=6, players=3))


@pytest.mark.slow
@compiled_only
def test_training() -> None:
    """Seats learn from each other, and a sampled walk meets no more infosets than there are."""
    for name, most in (("memoryless", 292), ("memoryless+", 100)):
        run = ruse.train(Cheat(), ruse.mccfr("chance"), iterations=20, view=view_of(name, Cheat()))
        assert 0.8 * most < run.facts["infosets"] <= most


def test_keys_of_one_number_of_points_fit_games_of_another() -> None:
    """A curriculum copies identical keys: the same points must give the same key whatever the game's HP are."""
    three, four = (State.of(Cheat(hp=hp)) for hp in (3, 4))
    while three.is_chance:
        three, four = three.child(0), four.child(0)
    key = HpAware().key(three.game, three.row)
    assert key != HpAware().key(four.game, four.row)
    assert key == HpAware(hp_clip=3).key(four.game, four.row) == HpAware(hp_shift=1).key(four.game, four.row)
    assert HpAware(hp_shift=9).key(four.game, four.row) == HpAware(hp_clip=1).key(four.game, four.row)
    assert General().key(three.game, three.row) == General(hp_shift=1).key(four.game, four.row)
