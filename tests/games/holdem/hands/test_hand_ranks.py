"""The strength of five to seven cards, against every five of them one by one, known counts, and PokerKit."""

from itertools import combinations

import hand_twin as twin
import numpy as np
import pytest

from ruse.compile import kernel
from ruse.errors import RuseError
from ruse.games.holdem.cards import NAMES, cards_named
from ruse.games.holdem.hands.classes import KINDS
from ruse.games.holdem.hands.holdings import blocked_by, holding, holding_cards, holding_name
from ruse.games.holdem.hands.strengths import BLOCKED, strengths, strengths_on
from ruse.games.holdem.hands.tables import CLASSES, NO_CARDS, hand_ranks, strength_of
from ruse.games.holdem.hands.words import kind_of, words_of

# How many hands of each kind there are, from high cards to straight flushes.
OF_FIVE = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
OF_SEVEN = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]


def dealt(number: int, cards: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((number, 52)), axis=1)[:, :cards]


def close(number: int, cards: int, seed: int = 0) -> np.ndarray:
    """Hands of a small part of the deck, three suits of five ranks or two of nine, where the rare kinds are common."""
    rng = np.random.default_rng(seed)
    few = np.array([4 * rank + suit for rank in (0, 1, 2, 3, 12) for suit in (0, 1, 2)])
    long = np.array([4 * rank + suit for rank in range(4, 13) for suit in (2, 3)])
    decks = [few, long] * (number // 2)
    return np.array([rng.permutation(deck)[:cards] for deck in decks])


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_the_order_is_that_of_every_five_one_by_one(cards: int) -> None:
    hands = np.concatenate([dealt(700, cards), close(500, cards)])
    ours, theirs = strengths(hands).tolist(), [twin.of_cards(hand) for hand in hands.tolist()]
    assert {kind for kind, _ in theirs} == set(range(len(KINDS)))
    by_class: dict[str, int] = {}
    for mine, real in sorted(zip(ours, theirs, strict=True), key=lambda pair: pair[1]):
        assert by_class.setdefault(repr(real), mine) == mine
        assert kind_of(mine) == real[0]
    in_order = list(by_class.values())  # by the twin's order
    assert in_order == sorted(set(in_order))


def test_there_are_7462_classes() -> None:
    assert len(hand_ranks().written) == CLASSES == 7462
    assert (np.diff(hand_ranks().written) > 0).all()
    ends = [strengths(cards_named(text)) for text in ("7c 5d 4h 3s 2c", "As Ks Qs Js Ts")]
    assert ends == [0, CLASSES - 1]


def test_every_hand_of_five_is_of_its_kind() -> None:
    hands = np.fromiter((card for hand in combinations(range(52), 5) for card in hand), np.uint8).reshape(-1, 5)
    found = np.bincount(strengths(hands), minlength=CLASSES)
    assert (found > 0).all()
    assert np.bincount(kinds(), weights=found).tolist() == OF_FIVE


def kinds() -> np.ndarray:
    return np.array([kind_of(strength) for strength in range(CLASSES)])


@kernel
def count_sevens(ranks, found):
    """How many hands of seven cards have each strength, each hand looked at once."""
    deck, keys, suits = 52, ranks.keys, ranks.suits
    for a in range(deck):
        for b in range(a):
            for c in range(b):
                key3, suits3 = NO_CARDS + keys[a] + keys[b] + keys[c], suits[a] | suits[b] | suits[c]
                for d in range(c):
                    for e in range(d):
                        key5, suits5 = key3 + keys[d] + keys[e], suits3 | suits[d] | suits[e]
                        for f in range(e):
                            key6, suits6 = key5 + keys[f], suits5 | suits[f]
                            for g in range(f):
                                found[ranks.strength(key6 + keys[g], suits6 | suits[g])] += 1


def test_every_hand_of_seven_is_of_its_kind() -> None:
    found = np.zeros(CLASSES, np.int64)
    count_sevens(hand_ranks(), found)
    assert np.bincount(kinds(), weights=found).tolist() == OF_SEVEN
    assert (found > 0).sum() == 4824


def test_plain_python_agrees() -> None:
    hands = np.concatenate([dealt(60, 7, 1), close(60, 7, 1)])
    assert [strength_of(hand_ranks(), hand) for hand in hands] == strengths(hands).tolist()


def test_the_order_is_that_of_pokerkit() -> None:
    from pokerkit import StandardHighHand

    hands = np.concatenate([dealt(400, 7, 2), close(200, 7, 2)])
    theirs = [StandardHighHand.from_game("".join(NAMES[card] for card in hand)) for hand in hands.tolist()]
    ours = strengths(hands).tolist()
    for i in range(len(hands) - 1):
        assert (ours[i] < ours[i + 1], ours[i] == ours[i + 1]) == (
            theirs[i] < theirs[i + 1],
            theirs[i] == theirs[i + 1],
        )


@pytest.mark.parametrize("text", ["Qs Jh 2h", "Qs Jh 2h 8d", "Qs Js 2s 8s 9s", "Ac Ad Ah As Kc"])
def test_all_holdings_on_a_board(text: str) -> None:
    board = cards_named(text)
    found, blocked = strengths_on(board), blocked_by(board)
    assert (found[blocked] == BLOCKED).all()
    assert blocked.sum() == 1326 - (52 - len(board)) * (51 - len(board)) // 2
    free = holding_cards()[~blocked]
    whole = np.concatenate([free, np.broadcast_to(board, (len(free), len(board)))], axis=1)
    assert (found[~blocked] == strengths(whole)).all()


def test_holdings_are_numbered() -> None:
    for number, (high, low) in enumerate(holding_cards().tolist()):
        assert high > low
        assert holding(high, low) == holding(low, high) == number
    assert holding_name(1325) == "As Ah"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("As Ks Qs Js Ts 2c 2d", "royal flush"),
        ("5s 4s 3s 2s As Ac Ad", "straight flush, five high"),
        ("9c 9d 9h 9s 2c 2d 2h", "four of a kind, nines"),
        ("6c 6d 6h 2s 2c 2d Ah", "full house, sixes over twos"),
        ("As 9s 8s 3s 2s Ac Ad", "flush, ace high"),
        ("Ts 9s 8s 7s 6c Ac Ad", "straight, ten high"),
        ("Ts Tc Td 7s 6c Ac 2d", "three of a kind, tens"),
        ("Qs Qc Js Jc 6c 6d Ad", "two pair, queens and jacks"),
        ("Qs Qc Js 2c 6c 7d Ad", "pair of queens"),
        ("Qs 3c Js 2c 6c 7d Kd", "king high"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert words_of(int(strengths(cards_named(text)))) == words


def test_many_dimensions_and_none() -> None:
    hands = dealt(6, 7)
    assert (strengths(hands.reshape(2, 3, 7)) == strengths(hands).reshape(2, 3)).all()
    assert strengths(hands[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ([0, 1, 2, 3], "has 5 to 7 cards"),
        ([0.0, 1.0, 2.0, 3.0, 4.0], "each a number"),
        ([0, 1, 2, 3, 52], "from 0 to 51, not from 0 to 52"),
        ([-1, 1, 2, 3, 4], "from 0 to 51, not from -1 to 4"),
        ([[0, 1, 2, 3, 4], [4, 1, 2, 3, 4]], "3c 2d 2h 2s 3c has a card twice"),
    ],
)
def test_what_is_no_hand_is_refused(cards: list[object], why: str) -> None:
    with pytest.raises(RuseError, match=why):
        strengths(cards)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ([0, 1], "must have 3 to 5 cards; 2c 2d has 2"),
        ([], "none has 0"),
        ([0, 1, 2, 3, 4, 5], "has 6"),
        ([0, 4, 0], "2c is twice on the board 2c 3c 2c"),
        ([0, 1, 99], "99 on the board is no card"),
    ],
)
def test_what_is_no_board_is_refused(board: list[int], why: str) -> None:
    with pytest.raises(RuseError, match=why):
        strengths_on(board)
