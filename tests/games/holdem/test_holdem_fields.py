"""The fields of Hold'em: menus and stacks as texts, games by name, and what is refused."""

import pytest

import ruse
from ruse.catalog.names import game, spec_of
from ruse.errors import RuseError
from ruse.games.holdem.betting.menus import Menu, menu
from ruse.games.holdem.fields import NAMED, Stacks, stacks
from ruse.games.holdem.rules import Holdem
from ruse.protocol.state import State


def offered(made: Holdem, *actions: str | int) -> list[str]:
    """What may be done after some actions, the lowest cards being dealt."""
    state = State.of(made)
    for action in (*actions, None):
        while state.is_chance:
            state = state.child(0)
        if action is not None:
            state = state.after(action)
    return state.actions


# ---- menus -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["2bb/3bb/60%/all-in", "2.25bb/3x/40c/min", "any", "none", "same", "33.33%"])
def test_a_menu_prints_as_it_is_written(text: str) -> None:
    assert str(menu(text)) == text
    assert menu(str(menu(text))) == menu(text)


@pytest.mark.parametrize("text", ["2bb 2000bb", "33.333%", "1.5c", "1bb 2bb 3bb 4bb 5bb 6bb 7bb 8bb 9bb 10bb", "7"])
def test_a_menu_that_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(RuseError, match="bets"):
        menu(text)


def test_sizes_become_legal_bets() -> None:
    """A size below the least raise is that raise, one above the stack is all-in, and each is offered once."""
    made = Holdem(open=menu("1bb, 2bb, 50c, 2.5bb, 30bb, all-in"))
    assert offered(made) == ["fold", "call", "raise 2bb", "raise 2.5bb", "all-in"]


def test_sizes_in_any_order() -> None:
    made = Holdem(open=menu("all-in, 3bb, pot, min, 2bb"))
    assert offered(made) == ["fold", "call", "all-in", "raise 3bb", "raise 2bb"]


def test_most_of_the_chips_are_all_of_them() -> None:
    assert offered(Holdem(open=menu("18bb, 19bb"))) == ["fold", "call", "raise 18bb", "all-in"]
    assert offered(Holdem(open=menu("19bb"), all_in_from=1.0)) == ["fold", "call", "raise 19bb"]


def test_every_street_has_its_menu() -> None:
    made = Holdem(flop_bets=menu("50%"), flop_raises=menu("3x"), turn_raises=menu("min"), river_bets=menu("none"))
    flop = ["call", "check"]
    assert offered(made, *flop) == ["check", "bet 1bb"]
    assert offered(made, *flop, "bet 1bb") == ["fold", "call", "raise 3bb"]
    turn = [*flop, "check", "check"]
    assert offered(made, *turn) == ["check", "bet 1bb"]
    assert offered(made, *turn, "bet 1bb") == ["fold", "call", "raise 2bb"]
    assert offered(made, *turn, "check", "check") == ["check"]


def test_a_cap_ends_the_raises_of_a_street() -> None:
    assert offered(Holdem(cap=1), "raise 2bb") == ["fold", "call"]


# ---- by name ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "holdem",
        "holdem:players=3",
        "holdem:stack=20.0",
        "holdem:players=3,stacks=25/20/30.5",
        "holdem:cap=3,open=2bb/3bb/60%/all-in,river_bets=none",
    ],
)
def test_a_game_by_name_and_back(text: str) -> None:
    made = game(text)
    assert spec_of(made) == text
    assert game(text) == made
    assert hash(made) == hash(game(text))


def test_menus_as_people_write_them() -> None:
    assert game("holdem:open=(2bb, 3bb, all-in)") == game("holdem", open="2bb, 3bb, all-in") == Holdem()
    assert game("holdem", stacks="25, 20") == Holdem(stacks=stacks("25/20")) == Holdem(stacks=Stacks(25.0, 20.0))


@pytest.mark.parametrize("name", NAMED)
def test_games_have_names(name: str) -> None:
    made = game(f"holdem:{name}")
    assert made == Holdem(**NAMED[name])
    assert game(spec_of(made) or "") == made


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players=7", "players must be 2 to 6"),
        ("open=2bb/60", "'60' in the bets '2bb/60' is no size"),
        ("flop_bets=3x", "has no bet before it"),
        ("open=same", "have no street before"),
        ("stacks=25/20/30", "stacks of Hold'em must be 2"),
        ("stacks=25/x", "stacks are big blinds by seat"),
        ("stack=0", "whole chips"),
        ("stack=25.005", "whole chips"),
        ("stack=100000000", "at most 1,000,000,000"),
        ("small=2", "small of Hold'em must be 0 to 1 big blinds"),
        ("small=0.333", "whole chips of 100 a big blind"),
        ("ante=0.1,big_ante=1", "not both"),
        ("streets=0", "streets with bets must be 1 to 4"),
        ("all_in_from=0", "all_in_from is a share"),
        ("chips=0", "chips of a big blind"),
        ("cap=-1", "cap of raises"),
        ("ranks=3", "holdem has no field 'ranks'"),
        ("blinds=2", "holdem has no field 'blinds'"),
    ],
)
def test_wrong_fields_are_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(RuseError) as told:
        game(f"holdem:{text}")
    assert words in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Holdem(open="2bb"), r"menu\('2bb, 3bb, all-in'\)"),  # type: ignore[arg-type]
        (Holdem(stacks=(25, 20)), r"stacks\('25/20/30'\)"),  # type: ignore[arg-type]
        (Holdem(ranks=3), "tables of hands"),  # type: ignore[arg-type]
    ],
)
def test_fields_are_of_their_kind(made: Holdem, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        made.start()


def test_an_empty_menu_is_that_of_the_street_before() -> None:
    assert Menu() == menu("same")
    assert ruse.make_game("holdem") == Holdem()
