"""Cheat: the same game as a slow and obvious twin, for every reading of the rules."""

import random

import pytest
from cheat_twin import (
    HALF,
    READINGS,
    Twin,
    called,
    compiled_only,
    deal,
    dealt,
    hands_of,
    observed,
    reachable,
    twin_of,
    unpacked,
    ways,
)

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.cards import CLAIM, DISCARDER, HANDS, LAST, PILE, RANK, TURN, WHO, most_actions
from ruse.games.cheat.observation import (
    ACTING,
    BLOCKS,
    CHALLENGING,
    DISCARDING,
    DOUBTER,
    ENDED,
    LAID,
    LAID_AS,
    LAID_BY,
    PHASE,
    SEEN_PILE,
    SEEN_RANK,
    SEEN_TURN,
    TAKER,
    WAS_LIE,
)
from ruse.games.cheat.rules import CHALLENGE_WINNER, IN_PILE, NO_HP, RANDOM, RESET, UNLIMITED, Cheat, begin_turn
from ruse.laws.check import check
from ruse.protocol.game import EVERYTHING
from ruse.protocol.state import State
from ruse.tree.measure.size import tree_size


def compare(state: State, twin: Twin) -> None:
    """Everything that both know must be the same."""
    game, row = twin.game, state.row
    assert hands_of(game, row) == twin.hands
    assert unpacked(game, row[PILE]) == twin.pile
    sizes = [sum(hand) for hand in twin.hands]
    for p in range(game.players):
        out = observed(state, p).tolist()
        assert out[SEEN_TURN] == twin.turn
        assert out[SEEN_PILE] == sum(twin.pile)
        assert tuple(out[BLOCKS : BLOCKS + game.ranks]) == twin.hands[p]
        assert out[BLOCKS + 2 * game.ranks :] == [*sizes, *twin.hp]
        told = tuple(out[BLOCKS + game.ranks : BLOCKS + 2 * game.ranks])
        event = (out[LAID_BY], out[LAID], out[LAID_AS], out[DOUBTER], out[WAS_LIE])
        if twin.payoffs is None:
            assert (out[ACTING], out[SEEN_RANK]) == (twin.who, twin.rank)
        if twin.last is not None:
            assert out[PHASE] == CHALLENGING
            assert event == (twin.discarder, sum(twin.last), twin.rank, -1, -1)
            assert told == (twin.last if p == twin.discarder else (0,) * game.ranks)
        elif twin.turn > 0:
            assert event == twin.event[:5]
            assert told == (twin.event[5] if twin.event[3] >= 0 else (0,) * game.ranks)
            assert out[TAKER] == (-1 if out[DOUBTER] < 0 else out[LAID_BY] if out[WAS_LIE] else out[DOUBTER])
    if twin.payoffs is not None:
        assert state.is_over
        assert out[PHASE] == ENDED
        assert state.payoffs == pytest.approx(twin.payoffs)
    else:
        assert state.player == twin.who
        if twin.last is None:
            assert out[PHASE] == DISCARDING
            names = [" ".join(("A", *map(str, range(2, 11)), "J", "Q", "K")[r] for r in range(game.ranks)
                              for _ in range(cards[r])) for cards in twin.discards()]  # fmt: skip
            assert state.actions == names + ["pass"] * game.allow_pass
        else:
            assert state.actions == ["believe", "challenge"]


@pytest.mark.parametrize("game", READINGS, ids=called)
def test_the_same_as_the_twin(game: Cheat) -> None:
    dice = random.Random(called(game))
    for _ in range(12 if game.ranks < 6 else 3):
        state = deal(State.of(game), dice)
        twin = twin_of(state)
        while twin.payoffs is None:
            compare(state, twin)
            moves = list(twin.moves())
            a = dice.randrange(len(moves))
            state, twin = state.child(a), moves[a]
        compare(state, twin)


@pytest.mark.parametrize("game", [Cheat(hp=1), Cheat(hp=2), Cheat(players=3, hp=1)], ids=called)
def test_the_whole_tree_of_the_twin(game: Cheat) -> None:
    """As many ends, and as many infosets with perfect recall."""
    waiting, ends, infosets = [twin_of(state) for state, _ in dealt(game)], 0, set()
    while waiting:
        twin = waiting.pop()
        if twin.payoffs is None:
            waiting += twin.moves()
            infosets.add((twin.who, twin.known[twin.who]))
        ends += twin.payoffs is not None
    found = tree_size(game)
    assert (found.leaves, found.infosets) == (ends, len(infosets))


# ---- the deal --------------------------------------------------------------------------------------------------------


def test_the_deal_of_the_mini_deck() -> None:
    deals = dealt(Cheat())
    assert len(deals) == 42
    for state, weight in deals:
        assert weight * 2 * 90 == pytest.approx(ways(Cheat(), hands_of(Cheat(), state.row)))
    assert sum(round(weight * 2 * 90) for _, weight in deals) == 2 * 90


@pytest.mark.parametrize(
    "game",
    [
        Cheat(starter=0, first_rank=RANDOM),
        Cheat(deal=0, players=4),
        Cheat(deal=0, players=3, ranks=4),
        Cheat(players=3, deal=1),
        Cheat(ranks=4, copies=3, deal=3, starter=1),
    ],
    ids=called,
)
def test_every_deal_is_as_likely_as_with_distinct_cards(game: Cheat) -> None:
    deals = dealt(game)
    seen = {(hands_of(game, s.row), int(s.row[DISCARDER]), int(s.row[RANK])) for s, _ in deals}
    assert len(seen) == len(deals)
    total = sum(ways(game, hands) for hands, _, _ in seen)
    for state, weight in deals:
        hands = hands_of(game, state.row)
        assert weight == pytest.approx(ways(game, hands) / total)
        if game.deal == 0:
            sizes = [sum(hands[(state.row[DISCARDER] + k) % game.players]) for k in range(game.players)]
            assert sizes == sorted(sizes, reverse=True)
            assert sizes[0] - sizes[-1] <= 1
            assert sum(sizes) == game.ranks * game.copies


# ---- counts ----------------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(("hp", "states"), [(1, 522), (2, 3534), (3, 9592), (4, 18968), (5, 31802)])
def test_states(hp: int, states: int) -> None:
    assert len(reachable(Cheat(hp=hp))) == states


@compiled_only
@pytest.mark.parametrize(
    ("hp", "decisions"),
    [(3, 160_472), (4, 2_256_220), pytest.param(5, 32_820_458, marks=pytest.mark.slow)],
)
def test_decision_nodes(hp: int, decisions: int) -> None:
    found, chances, waiting = tree_size(Cheat(hp=hp), limit=100_000_000), 0, [State.of(Cheat(hp=hp))]
    while waiting:
        state = waiting.pop()
        if state.is_chance:
            chances += 1
            waiting += state.children()
    assert found.histories - found.leaves - chances == decisions
    assert found.depth <= chances + 2 * 4 * (2 * hp - 1)


@pytest.mark.parametrize("most", [1, 2, 3, 4, UNLIMITED])
def test_every_discard_has_its_number(most: int) -> None:
    """For hands much larger than those that are dealt."""
    dice = random.Random(most)
    game = HALF._replace(max_discard=most)
    for _ in range(10):
        state = deal(State.of(game), dice)
        hand = [0] * 7
        for card in dice.sample(range(28), dice.randrange(1, 12)):
            hand[card // 4] += 1
        row = state.row
        row[HANDS + row[WHO]] = sum(n << 3 * r for r, n in enumerate(hand))
        row[RANK] = dice.randrange(7)
        begin_turn(game, row)
        twin = twin_of(state)
        assert int(game.num_actions(row)) == len(twin.discards()) <= most_actions(game)
        children = [state.child(a) for a in range(len(twin.discards()))]
        assert [unpacked(game, child.row[LAST]) for child in children] == twin.discards()
        assert [int(child.row[CLAIM]) for child in children] == [sum(cards) for cards in twin.discards()]


# ---- laws and words --------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(
    ("game", "games"),
    [
        (Cheat(), 60),
        *(
            pytest.param(game, games, marks=pytest.mark.slow)
            for game, games in ((HALF, 10), (Cheat(players=3, hp=1), 40), (READINGS[7], 60), (READINGS[10], 60))
        ),
    ],
)
def test_laws(game: Cheat, games: int) -> None:
    report = check(game, games=games)
    assert report.is_lawful, str(report)


def test_words() -> None:
    start = State.of(Cheat()).after("player 1 starts", "player 0 gets A", "player 0 gets 2", "player 1 gets A")
    state = start.after("player 1 gets 2")
    assert [state.describe(p) for p in (0, 1)] == ["A 2 | rank A, cards 2-2, pile 0, HP 3-3"] * 2
    assert state.actions == ["A", "2", "A 2"]
    state = state.after("2")
    assert state.describe(0) == "A 2 | rank A, cards 2-1, pile 1, HP 3-3 | player 1: 1xA"
    assert state.describe(1) == "A | rank A, cards 2-1, pile 1, HP 3-3 | you: 1xA (2)"
    state = state.after("believe", "A", "challenge")
    taken = "player 1: 1xA believed | you: 1x2 (A) challenged by player 1, a lie: you took A 2"
    assert state.describe(0) == f"A 2 2 | rank 3, cards 3-1, pile 0, HP 2-3 | {taken}"
    assert state.describe(1).endswith("you: 1xA (2) believed | player 0: 1x2 (A) challenged by you, a lie")
    assert state.describe().startswith("A 2 2 / A | rank 3, ")
    state = state.after("A", "believe")
    assert state.describe(1).endswith("| you: 1x3 (A) believed | won by you")
    assert state.payoffs == [-1, 1]
    assert State.of(Cheat(first_rank=RANDOM, starter=0)).actions == ["first rank A", "first rank 2", "first rank 3"]
    kings = deal(State.of(Cheat(ranks=13, copies=4, first_rank=12, deal=26)), random.Random(1))
    assert kings.describe(0).endswith("K | rank K, cards 26-26, pile 0, HP 3-3")


def test_a_log_that_is_full() -> None:
    """The first turns are told, a number stands for the rest, and names still tell infosets apart."""
    game = Cheat(allow_pass=True, max_turns=2_000)
    state = deal(State.of(game), random.Random(2))
    names = set()
    for turn in range(1_500):
        assert state.row[TURN] == turn
        state = state.after("pass")
        if turn % 50 == 0:
            names.add(state.describe(state.player))
    assert len(names) == 30
    name = state.describe(state.player)
    assert "... #" in name
    state = state.child(0)
    assert f"player {1 - state.player}: 1x" in state.describe(state.player)
    assert state.describe(state.player) != name


def test_a_game_without_end_is_a_draw_after_so_many_turns() -> None:
    state = deal(State.of(Cheat(allow_pass=True, hp=NO_HP)), random.Random(2))
    row = state.row.copy()
    row[TURN] = 9_999
    state = State(state.game, row, state.history).after("pass")
    assert state.is_over
    assert state.payoffs == [0, 0]
    assert State.of(Cheat(hp=NO_HP, max_turns=1)).game.max_turns == 1
    assert not tree_size(Cheat(hp=NO_HP), limit=20_000).is_exact


BAD = [
    (Cheat(ranks=1), "ranks must be 2 to 62 in Cheat, got 1"),
    (Cheat(copies=0), "copies must be 1 to 63 in Cheat, got 0"),
    (Cheat(ranks=40, copies=3), "ranks must be at most 31 with 3 copies in Cheat, got 40"),
    (Cheat(players=1), "players must be 2 to 10 in Cheat, got 1"),
    (Cheat(players=7), "players must be at most one for each of the 6 cards of 3 ranks and 2 copies in Cheat, got 7"),
    (Cheat(deal=4), "deal must be 0 (all) to 3, as 2 players share the 6 cards of 3 ranks and 2 copies in Cheat"),
    (Cheat(deal=-1), "deal must be 0 (all) to 3, as"),
    (Cheat(hp=0), "hp must be 1 to 8191, or -1 (none) in Cheat, got 0"),
    (Cheat(max_discard=-1), "max_discard must be at least 1, or 0 for as many as there are copies in Cheat, got -1"),
    (Cheat(starter=2), "starter must be -1 (random) or a seat from 0 to 1 in Cheat, got 2"),
    (Cheat(first_rank=3), "first_rank must be -1 (random) or a rank from 0 to 2 in Cheat, got 3"),
    (Cheat(undealt=2), "undealt must be one of 0 (out), 1 (pile) in Cheat, got 2"),
    (Cheat(next_after_challenge=3), "next_after_challenge must be one of 0 (next), 1 (winner), 2 (loser) in Cheat"),
    (Cheat(hp_out=-1), "hp_out must be one of 0 (leave), 1 (end) in Cheat, got -1"),
    (Cheat(max_turns=-1), "max_turns must be at least 1, or 0 for none in Cheat, got -1"),
    (Cheat(ranks=13, copies=4, deal=26, max_discard=UNLIMITED), "lower max_discard or deal fewer cards"),
    (HALF._replace(max_discard=6), "581 discards of up to 6 cards are too many to number in Cheat; lower max_discard"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "words"), BAD, ids=lambda x: called(x) if not isinstance(x, str) else "")
def test_bad_fields_are_refused(game: Cheat, words: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        game.start()
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_fields_in_words() -> None:
    made = ruse.game("cheat:starter=random,next_after_challenge=winner,max_discard=unlimited,hp=inf,deal=all")
    assert made == Cheat(hp=NO_HP, next_after_challenge=CHALLENGE_WINNER, max_discard=UNLIMITED, deal=0)
    assert ruse.game(str(ruse.spec_of(made))) == made
    assert ruse.game("cheat:hp=none,rank_after_challenge=Reset") == Cheat(hp=NO_HP, rank_after_challenge=RESET)
    assert ruse.game("cheat:undealt=1,allow_pass=true") == Cheat(undealt=IN_PILE, allow_pass=True)
    words = r"^next_after_challenge of cheat must be a whole number or a word \(next, winner, loser\), got 'victor'$"
    with pytest.raises(RuseError, match=words):
        ruse.game("cheat:next_after_challenge=victor")
    with pytest.raises(RuseError, match=r"^hp must be 1 to 8191, or -1 \(none\) in Cheat, got 0$"):
        ruse.game("cheat:hp=0")


def test_everything_is_shown_to_nobody_in_particular() -> None:
    state = deal(State.of(Cheat(undealt=IN_PILE)), random.Random(4))
    assert state.describe(EVERYTHING).count("/") == 1
    assert "pile 2 (" in state.describe(EVERYTHING)
    assert "pile 2," in state.describe(0)
    assert State.of(Cheat()).describe(0) == "dealing"
