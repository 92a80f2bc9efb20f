"""A spot as a game: dealt from its ranges, by its betting tree, to the better hand."""

import pytest
from places import ROOT
from small_spots import RIVER, TURN

from ruse.catalog.behaviour import behaviour, has_changed
from ruse.catalog.names import game, is_game, spec_of
from ruse.catalog.titles import title, title_of
from ruse.errors import RuseError
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.spots.rules import SpotGame, spot_game
from ruse.protocol.state import State
from ruse.protocol.values.fields import refuse_unplayable


def dealt(spot: SpotGame, oop: str, ip: str) -> State:
    return State.of(spot).after(oop, ip)


def test_both_are_dealt_hands_that_share_no_card() -> None:
    spot = game(RIVER)
    assert isinstance(spot, SpotGame)
    refuse_unplayable(spot)
    start, pairs = State.of(spot), {}
    for first, one in zip(start.chances, start.children(), strict=True):
        assert sum(one.chances) == pytest.approx(1.0)
        for second, both in zip(one.chances, one.children(), strict=True):
            pairs[both.describe()] = first * second
    assert sum(pairs.values()) == pytest.approx(1.0)
    cards = {words: [words[:2], words[2:4], words[6:8], words[8:]] for words in pairs}
    assert all(len(set(four)) == 4 for four in cards.values())
    # Out of position three pairs and two hands, in position six, three and four, less those that share a card.
    assert len(pairs) == 3 * (6 + 3 + 4) - 2 * 3 + (3 + 2 + 4) + (6 + 3 + 4)
    light = {round(chance, 12) for words, chance in pairs.items() if words[6] == "T"}
    heavy = {round(chance, 12) for words, chance in pairs.items() if words[6] != "T"}
    assert (len(light), len(heavy)) == (1, 1)
    assert 2 * light.pop() == pytest.approx(heavy.pop())


def test_what_ends_pay() -> None:
    """Chips above half of the pot: 25 and what the loser has put in."""
    spot = game(RIVER)
    assert isinstance(spot, SpotGame)
    assert dealt(spot, "QhQd", "KsKc").after("check", "check").payoffs == [25, -25]
    assert dealt(spot, "7s6s", "KsKc").after("check", "bet 25", "call").payoffs == [-50, 50]
    assert dealt(spot, "7s6s", "KsKc").after("bet 25", "all-in 100", "fold").payoffs == [-50, 50]
    assert dealt(spot, "AhKh", "KsKc").after("bet 25", "fold").payoffs == [25, -25]
    tie = game(RIVER.replace("KK,", "AdKd,"))
    assert State.of(tie).after("AhKh", "AdKd", "check", "check").payoffs == [0, 0]


def test_a_card_is_any_that_nobody_has() -> None:
    spot = game(TURN)
    assert isinstance(spot, SpotGame)
    due = dealt(spot, "QhQd", "KhKd").after("check", "bet 10", "call")
    assert due.is_chance
    assert {*NAMES} - {*due.actions} == {"Qs", "Jh", "2h", "8d", "Qh", "Qd", "Kh", "Kd"}
    assert due.chances == [1 / 44] * 44
    river = due.after("3c")
    assert river.describe(0) == "QhQd, check, bet 10, call, 3c"
    assert river.describe(1) == "KhKd, check, bet 10, call, 3c"
    assert river.actions == ["check", "all-in 15"]
    # A king on the river makes the better set.
    assert [due.after(card, "check", "check").payoffs[0] for card in ("3c", "Ks")] == [20, -20]


def test_infosets_are_hand_line_and_cards() -> None:
    spot = game(TURN)
    keys: dict[int, set[str]] = {}
    for deal in (("QhQd", "KhKd"), ("QhQd", "Th9h"), ("7s6s", "KhKd"), ("AhKh", "Th9h")):
        for line in (
            (),
            ("check",),
            ("bet 10",),
            ("check", "check", "3c"),
            ("check", "check", "4c"),
            ("bet 10", "call", "3c"),
        ):
            state = State.of(spot).after(*deal, *line)
            keys.setdefault(state.infoset, set()).add(state.describe(state.player))
    assert all(len(names) == 1 for names in keys.values())
    assert len(keys) == len({name for names in keys.values() for name in names})


def test_a_spot_has_a_name_and_a_title() -> None:
    spot = game(RIVER)
    text = spec_of(spot)
    assert text is not None
    assert game(text) == spot
    assert hash(game(text)) == hash(spot)
    assert game(TURN) != spot
    assert title_of(spot) == title(text) == "holdem: board Qs Jh 2h 8d 3c, pot 50, stack 100"
    assert is_game(text)
    assert is_game("spot.toml")
    file = game(str(ROOT / "examples" / "spots" / "river.toml"), pot=60, bets="33%")
    assert isinstance(file, SpotGame)
    assert (file.spot.pot, str(file.spot.sizes[0][2].bets[0])) == (60, "33%")
    with pytest.raises(RuseError, match="there is no file nowhere"):
        game("nowhere.toml")


def test_its_fingerprint_is_that_of_its_bets_and_words() -> None:
    spot = game(RIVER)
    assert not has_changed(behaviour(spot), game(RIVER))
    assert has_changed(behaviour(spot), game(TURN))
    assert isinstance(spot, SpotGame)
    assert spot._replace(put=spot.put + 1).fingerprint != spot.fingerprint
    assert spot_game(spot.spot) == spot
