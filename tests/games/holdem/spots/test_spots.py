"""A spot as text, as TOML and in TexasSolver's language: the same spot; what cannot be is refused in one sentence."""

from pathlib import Path

import numpy as np
import pytest
import tomli_w
from places import ROOT

from ruse.errors import RuseError
from ruse.games.holdem.betting.bets import bets_named
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.spots.reading import flat, is_spot, spot_from, spot_in, spot_of
from ruse.games.holdem.spots.spot import Sizes
from ruse.games.holdem.spots.texassolver import spot_said
from ruse.games.holdem.spots.writing import spot_table, spot_text, spot_title

BASE = "board Qs Jh 2h, pot 50, stack 200, oop AA, ip KK"
SPOTS = ROOT / "tests" / "data" / "spots"
HANDS = {"river": [292, 213], "turn": [299, 216], "flop": [64, 67]}


@pytest.mark.parametrize("name", HANDS)
def test_the_three_spots(name: str) -> None:
    """In the language of TexasSolver and as files of ours they are the same."""
    spot = spot_in(SPOTS / f"{name}.txt")
    assert spot == spot_in(ROOT / "examples" / "spots" / f"{name}.toml")
    assert [int(np.count_nonzero(spot.weights(player))) for player in (0, 1)] == HANDS[name]
    assert (spot.pot, spot.stack, len(spot.board)) == (50, 200, {"flop": 3, "turn": 4, "river": 5}[name])
    bets, raises = ("50%", "60%") if name == "flop" else ("50%, 100%, all-in", "60%, all-in")
    for player in (0, 1):
        assert {spot.sizes[player][street] for street in spot.streets} == {Sizes(bets_named(bets), bets_named(raises))}


@pytest.mark.parametrize("name", [*HANDS, "odd"])
def test_what_is_written_is_read_as_the_same(name: str, tmp_path: Path) -> None:
    odd = "bets pot, 33%, oop river bets 3c, ip raises 3x, min, all-in, oop turn donks none, threshold 67%, merge 0.1"
    odd += ", add all-in 150%, force all-in 15%, rake 5%, rake cap 6"
    spot = spot_of(f"{BASE}, {odd}") if name == "odd" else spot_in(SPOTS / f"{name}.txt")
    assert spot_of(spot_text(spot)) == spot
    file = tmp_path / "spot.toml"
    file.write_text(tomli_w.dumps(spot_table(spot)))
    assert spot_in(file) == spot
    assert spot_of(spot_text(spot)[len("holdem:") :]) == spot
    assert spot_text(spot).startswith(spot_title(spot))


def test_commas_of_ranges_and_sizes_are_no_trouble() -> None:
    one = spot_of("board Qs,Jh,2h, pot 50, stack 200, oop QQ:0.5, AQs, KTo+, ip AA, KK,\nbets 50%, pot, raises 60%")
    other = spot_of("HOLDEM: ip AA KK, bets 50% 100%, raises 60%, oop QQ:0.5 AQs KTo+, Board QsJh2h, stack 200, pot 50")
    assert one == other
    assert one.board == tuple(cards_named("Qs Jh 2h"))
    assert one.ranges == ("QQ:0.5, AQs, KTo+", "KK+")
    assert one.sizes[0][1].bets == bets_named("50%, 100%")
    assert spot_of(f"{BASE}, AKs 22, random QQ, bets 50%, min 40c, raises min, All In 3x").ranges[1] == "random"


def test_later_parts_and_tables_of_a_file_speak_of_one_player_or_street() -> None:
    text = spot_of(f"{BASE}, bets 50%, ip bets 60%, ip river bets 75%, oop turn donk none, river raises 3x")
    bets = [[str(sizes.bets[0]) for sizes in player] for player in text.sizes]
    assert bets == [["50%"] * 3, ["60%", "60%", "75%"]]
    assert [sizes.donks for sizes in text.sizes[0]] == [None, (), None]
    table = {
        "board": ["Qs", "Jh", "2h"], "pot": 50, "stack": 200.0, "bets": ["50%"],
        "oop": {"range": "AA", "turn": {"donks": "none"}},
        "ip": {"range": "KK", "bets": "60%", "river": {"bets": "75%"}}, "river": {"raises": "3x"},
    }  # fmt: skip
    assert spot_from(flat(table)) == text


def test_donks_that_say_nothing_are_none() -> None:
    """On the first street nobody was bet into, and nobody in position is first."""
    assert spot_of(f"{BASE}, donks 50%") == spot_of(BASE)
    assert spot_of(f"{BASE}, flop donks 10%, ip donks 20%") == spot_of(BASE)
    assert spot_of(f"{BASE}, donks 10%") != spot_of(BASE)


def test_what_is_not_named_in_texassolver_is_not_bet() -> None:
    lines = "set_pot 50\nset_effective_stack 200\nset_board Qs,Jh,2h\nset_range_oop AA\nset_range_ip KK\n"
    spot = spot_said(lines + "set_bet_sizes oop,turn,bet,33,50\nset_bet_sizes oop,turn,allin\nset_thread_num 8\n")
    assert spot.sizes[0][1] == Sizes(bets_named("33%, 50%, all-in"), bets_named("all-in"), bets_named("all-in"))
    assert spot.sizes[1] == (Sizes(), Sizes(), Sizes())
    for line, told in [
        ("set_raise_limit 3", "line 6 has the command 'set_raise_limit'"),
        ("set_bet_sizes oop,preflop,bet,5", "line 6, 'set_bet_sizes oop,preflop,bet,5', does not set sizes"),
        ("set_bet_sizes oop", "does not set sizes"),
        ("set_bet_sizes ip,turn,bet,5x", "no number of percent, '5x'"),
    ]:
        with pytest.raises(RuseError) as refused:
            spot_said(lines + line)
        assert told in str(refused.value)


def test_a_spot_is_told_from_fields_of_the_game() -> None:
    assert is_spot(" board Qs Jh 2h, pot 50")
    assert is_spot("pot 50,board Qs Jh 2h")
    assert not is_spot("players=2,stack=25")
    assert not is_spot("board=3")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the spot lacks board"),
        ("what is this", "cannot read 'what is this' in a spot"),
        (BASE.replace("pot 50, ", ""), "the spot lacks pot"),
        (BASE.replace(", ip KK", ""), "the spot lacks ip"),
        (BASE.replace("Jh", "Qs"), "Qs is twice"),
        (BASE.replace("Jh", "Xh"), "'Xh' in 'Qs Xh 2h' is no card"),
        (BASE.replace("Jh ", ""), "a board has 3, 4 or 5 cards (flop, turn, river), got 2: Qs 2h"),
        (BASE.replace("2h", "2h 3h 4h 5h"), "got 6"),
        (BASE.replace("50", "x"), "the pot must be a whole number of chips, got 'x'"),
        (BASE.replace("50", "-5"), "the pot must be a whole number of chips, got '-5'"),
        (BASE.replace("50", "0"), "the pot must be from 1 to"),
        (BASE.replace("50", "2.5"), "got '2.5'; count in smaller chips"),
        (BASE.replace("200", "1" * 30), "the stack must be at most 10,000,000 chips, got 1111"),
        (BASE.replace("200", "1e9"), "the stack must be a whole number of chips, got '1e9'"),
        (BASE.replace("200", "9" * 17), "the stack must be from 1 to 10,000,000 chips"),
        (BASE.replace("AA", "QsQh"), "the range of oop has no hand left"),
        (BASE.replace("KK", "KK:0"), "the range of ip is empty"),
        (BASE.replace("KK", "Zz"), "ip: 'Z' of 'Zz' in a range is no rank"),
        (BASE.replace("AA", "AhKh").replace("KK", "AhKd"), "each two share a card"),
        (BASE.replace("AA", "AhKh").replace("KK", ", ".join(f"Ah{r}d" for r in "3456789T")), "each two share a card"),
        (f"{BASE}, bets 50", "bets: '50' in the bets '50' is no size"),
        (f"{BASE}, oop turn raises 0%", "oop turn raises: '0%'"),
        (f"{BASE}, bets 2bb", "2bb in oop flop bets cannot be in a spot"),
        (f"{BASE}, ip river raises any", "any in ip river raises cannot be in a spot"),
        (f"{BASE}, ip bets 3x", "3x in ip flop bets has no bet before it"),
        (f"{BASE}, threshold many", "threshold must be a share, such as 67% or 0.67, got 'many'"),
        (f"{BASE}, merge nan", "merge must be a share"),
        (f"{BASE}, rake 120%", "the rake is a share of the pot below 100%, got 1.2"),
        (f"{BASE}, rake cap 2.5", "the rake cap must be a whole number of chips, got '2.5'"),
        (f"{BASE}, raises all-in, foo bar", "a spot has no 'foo'; it has board, pot"),
        (f"{BASE}, bordd=Qs Jh 2h", "a spot has no 'bordd'; did you mean 'board'?"),
        (f"{BASE}, force 15%", "a spot has no 'force'"),
        (f"{BASE}, KKx 22", "ip: cannot read 'KKx' in a range"),
    ],
)
def test_refused_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(RuseError, match=r"^[^\n]*$") as refused:
        spot_of(text)
    assert told in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "spot.toml"
    for content, told in [
        (b"board = ", "is not TOML"),
        (b"\xff\xfe", "is not a text"),
        (b"bord = 'Qs'", "spot.toml: a spot has no 'bord'"),
        (b"board = 'Qs Jh 2h'\npot = true\nstack = 1\noop = 'AA'\nip = 'KK'", "the pot must be a whole number"),
    ]:
        file.write_bytes(content)
        with pytest.raises(RuseError, match=r"^[^\n]*$") as refused:
            spot_in(file)
        assert told in str(refused.value)
    with pytest.raises(RuseError, match="cannot read"):
        spot_in(tmp_path / "nowhere.toml")
