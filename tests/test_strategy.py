"""Strategies: what is saved comes back bit for bit, and people find the infoset that they mean."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import lopsided

import ruse
from ruse.errors import FileTrouble, NewerFile, RuseError
from ruse.store import tensors
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.words.choice import Choice

LEDUC = ruse.Leduc()


@pytest.fixture(scope="module")
def leduc() -> Strategy:
    return ruse.train(LEDUC, ruse.dcfr(), iterations=100, seed=7).strategy


@pytest.fixture(scope="module")
def kuhn() -> Strategy:
    return ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=100).strategy


# ---- save and load ---------------------------------------------------------------------------------------------------


def test_round_trip(leduc: Strategy, tmp_path: Path) -> None:
    leduc.save(tmp_path / "a.strategy")
    again = Strategy.load(tmp_path / "a.strategy")
    for name in ("keys", "start", "probability"):
        before, after = getattr(leduc, name), getattr(again, name)
        assert (before.dtype, before.tobytes()) == (after.dtype, after.tobytes()), name
    assert (again.game, again.view, again.about) == (LEDUC, leduc.view, leduc.about)
    assert again.about["iterations"] == 100
    assert again.about["seed"] == 7
    assert list(again) == list(leduc)
    again.save(tmp_path / "b.strategy")
    assert (tmp_path / "a.strategy").read_bytes() == (tmp_path / "b.strategy").read_bytes()


@given(
    st.lists(st.floats(0, 1, width=64), max_size=30).map(lambda shares: [x for p in shares for x in (p, 1.0 - p)]),
    st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False)),
)
@settings(max_examples=30, deadline=None)
def test_round_trip_of_any_numbers(tmp_path_factory: pytest.TempPathFactory, shares: list[float], about: dict) -> None:
    path = tmp_path_factory.getbasetemp() / "any.strategy"
    keys, start = np.arange(len(shares) // 2, dtype=np.uint64) << np.uint64(58), np.arange(0, len(shares) + 1, 2)
    Strategy(ruse.Kuhn(), keys, start, np.array(shares), about=about).save(path)
    again = Strategy.load(path)
    assert again.probability.tobytes() == np.array(shares).tobytes()
    assert again.keys.tobytes() == keys.tobytes()
    assert again.about == about


@pytest.mark.parametrize("game", [ruse.Kuhn(players=3), ruse.Leduc(ante=2), ruse.game("matching_pennies")], ids=repr)
def test_the_file_names_its_game(game: ruse.Game, tmp_path: Path) -> None:
    lopsided(game).save(tmp_path / "a")
    again = Strategy.load(tmp_path / "a")
    assert (type(again.game), again.game) == (type(game), game)
    assert list(again) == list(lopsided(game))


def test_a_game_of_a_users_file_is_found_again(tmp_path: Path) -> None:
    source = Path(ruse.games.matrix.__file__).with_name("kuhn.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source.replace("class Kuhn", "class Mine"), encoding="utf-8")
    game = ruse.game(str(tmp_path / "mine.py"), bet=2)
    Strategy.uniform(game).save(tmp_path / "a")
    assert Strategy.load(tmp_path / "a").game == game
    (tmp_path / "mine.py").unlink()
    with pytest.raises(
        RuseError, match=r"is for the game in .*mine\.py, which is not there; if it was moved, add --game"
    ):
        Strategy.load(tmp_path / "a")


def test_a_game_that_only_a_program_can_make(tmp_path: Path) -> None:
    game = ruse.matrix([[3, -1], [-2, 1]], ["up", "down"], name="mine")
    lopsided(game).save(tmp_path / "a")
    with pytest.raises(RuseError, match=r"a is for Matrix\('mine', 2x2\); load it with game="):
        Strategy.load(tmp_path / "a")
    again = Strategy.load(tmp_path / "a", game=ruse.matrix([[3, -1], [-2, 1]], ["up", "down"], name="mine"))
    assert list(again) == list(lopsided(game))
    with pytest.raises(RuseError, match=r"a is a strategy for Matrix\('mine', 2x2\), not for Kuhn\(players=2"):
        Strategy.load(tmp_path / "a", game=ruse.Kuhn())


def test_two_games_of_the_same_numbers_are_told_apart(tmp_path: Path) -> None:
    kuhn, dice = ruse.game("kuhn:bet=6"), ruse.LiarsDice()  # as tuples both are (2, 1, 6)
    assert kuhn == dice
    assert ruse.spec_of(kuhn) == "kuhn:bet=6"
    Strategy.uniform(dice).save(tmp_path / "a")
    assert isinstance(Strategy.load(tmp_path / "a").game, ruse.LiarsDice)
    with pytest.raises(RuseError, match=r"the strategy is for Kuhn\(.*, not for LiarsDice\("):
        Strategy.uniform(kuhn).refuse_other(dice)


def test_every_truncation_is_refused(kuhn: Strategy, tmp_path: Path) -> None:
    kuhn.save(tmp_path / "whole")
    content = (tmp_path / "whole").read_bytes()
    for length in {*range(0, len(content), 37), len(content) - 1}:
        (tmp_path / "cut").write_bytes(content[:length])
        with pytest.raises(FileTrouble, match=r"cut is (not a safetensors file|cut short|damaged)"):
            Strategy.load(tmp_path / "cut")


def header_of(kuhn: Strategy, path: Path) -> dict[str, str]:
    kuhn.save(path)
    return tensors.read(path)[0]


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"format": "ruse-strategy/2"}, NewerFile, r"newer version of ruse \(ruse-strategy/2\).*upgrade"),
        ({"format": "ruse-tables/1"}, FileTrouble, "holds ruse-tables, not ruse-strategy"),
        ({"format": "pt"}, FileTrouble, "is not a strategy of ruse"),
        ({"format": None}, FileTrouble, "is not a strategy of ruse"),
        ({"game": None}, FileTrouble, "is not a whole strategy file: its header lacks game"),
        ({"view": None, "about": None}, FileTrouble, "is not a whole strategy file: its header lacks view, about"),
        ({"about": "{"}, FileTrouble, "is not a whole strategy file: its header is damaged"),
        ({"view": "Blurred(2)"}, RuseError, r"uses the view Blurred\(2\), which is not known here"),
        ({"game": "chess"}, RuseError, "unknown game 'chess'"),
        ({"game_repr": "Kuhn(players=2, ante=2, bet=1)"}, RuseError, "is a strategy for .*ante=2.*, not for .*ante=1"),
    ],
)
def test_other_headers_are_refused(
    kuhn: Strategy, tmp_path: Path, change: dict[str, str | None], error: type, words: str
) -> None:
    path = tmp_path / "a"
    header = header_of(kuhn, path)
    arrays = {name: np.array(array) for name, array in tensors.read(path)[1].items()}
    tensors.write(path, arrays, {k: v for k, v in (header | change).items() if v is not None})
    with pytest.raises(error, match=words):
        Strategy.load(path)


@pytest.mark.parametrize(
    "tables",
    [
        {},
        {"keys": np.zeros(1, np.uint64), "start": np.array([0, 2])},
        {"keys": np.zeros(1, np.uint64), "start": np.array([0]), "probability": np.ones(2)},
        {"keys": np.zeros(1, np.uint64), "start": np.array([0, 3]), "probability": np.ones(2)},
        {"keys": np.zeros(2, np.uint64), "start": np.array([0, 3, 2]), "probability": np.ones(2)},
        {"keys": np.array([2, 1], np.uint64), "start": np.array([0, 1, 2]), "probability": np.ones(2)},
    ],
)
def test_tables_that_do_not_fit_together_are_refused(
    kuhn: Strategy, tmp_path: Path, tables: dict[str, np.ndarray]
) -> None:
    path = tmp_path / "a"
    header = header_of(kuhn, path)
    tensors.write(path, tables, header)
    with pytest.raises(FileTrouble, match=r"is not a whole strategy file: its tables (do not fit together|are )"):
        Strategy.load(path)


def test_foreign_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("not a strategy")
    with pytest.raises(FileTrouble, match=r"a is (cut short or is )?not a safetensors file"):
        Strategy.load(tmp_path / "a")
    with pytest.raises(FileTrouble, match=r"cannot read .*b: No such file"):
        Strategy.load(tmp_path / "b")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(
    kuhn: Strategy, leduc: Strategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "a.strategy"
    leduc.save(path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(RuseError, match=r"cannot write .*a\.strategy: the disk is full; free some space"):
            kuhn.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# ---- look up ---------------------------------------------------------------------------------------------------------


def test_look_up_by_name(leduc: Strategy) -> None:
    here = leduc["Ks, no board, raise"]
    assert list(here) == ["fold", "call", "raise"]
    assert sum(here.values()) == pytest.approx(1, abs=1e-12)
    for spelling in ("ks NO board RAISE", "  Ks; no board,raise ", "Kh, no board, raise", "K, no board, raise"):
        assert leduc[spelling] == here, spelling
    assert leduc["k no board raise"] == here
    assert leduc.find("K, no board, raise").player == 1
    assert leduc["Ks, no board"] != here
    board = leduc["Ks, board Qh, raise call / raise"]
    assert leduc["K, board Q, raise call raise"] == board
    assert leduc["K board Q: raise call / raise".replace(":", ",")] == board


def test_every_infoset_is_found_by_its_own_name() -> None:
    strategy = lopsided(ruse.Kuhn(players=3))
    choices = list(strategy)
    assert len({choice.name for choice in choices}) == len(choices) == 48  # 4 cards x 12 betting histories
    for choice in choices[::5]:
        assert strategy.find(choice.name) == choice


def test_a_name_that_means_several_infosets() -> None:
    strategy = lopsided(LEDUC)
    with pytest.raises(RuseError, match=r"^'K, no board' may be any of 'Ks, no board', 'Kh, no board'; name the"):
        strategy["K, no board"]
    assert strategy["Kh, no board"] != strategy["Ks, no board"]


def test_a_name_that_two_players_share() -> None:
    """With other menus they cannot be one; this once was a broadcasting error."""
    game = ruse.matrix([[0, -1, 3], [2, 1, 0]], [["up", "down"], ["left", "middle", "right"]])
    with pytest.raises(RuseError, match=r"^'to move' may mean player 0's or player 1's infoset; give the history"):
        Strategy.uniform(game)["to move"]
    alike = Strategy.uniform(ruse.rock_paper_scissors())
    assert alike["to move"] == dict.fromkeys(("rock", "paper", "scissors"), pytest.approx(1 / 3))


def test_an_unknown_name(leduc: Strategy, kuhn: Strategy) -> None:
    with pytest.raises(RuseError, match=r"^no infoset 'Ks, no bord, rais'; closest: 'ks no board raise'"):
        leduc["Ks, no bord, rais"]
    with pytest.raises(RuseError, match=r"^no infoset 'zzzzzz'; closest: none$"):
        kuhn["zzzzzz"]
    with pytest.raises(RuseError, match=r"^no infoset '';"):
        kuhn[""]


def test_iteration(kuhn: Strategy) -> None:
    choices = list(kuhn)
    assert len(choices) == len(kuhn) == 12  # Kuhn 1950: 3 cards x 2 decisions x 2 players
    assert {(c.player, c.name) for c in choices} == {
        *((0, f"{card}{moves}") for card in "JQK" for moves in ("", ", pass bet")),
        *((1, f"{card}{moves}") for card in "JQK" for moves in (", pass", ", bet")),
    }
    assert [c.player for c in choices] == sorted(c.player for c in choices)
    for choice in choices:
        assert list(choice.actions) == ["pass", "bet"]
        assert sum(choice.actions.values()) == pytest.approx(1, abs=1e-12)
        assert kuhn[choice.name] == choice.actions


def test_by_key(kuhn: Strategy) -> None:
    for place, key in enumerate(kuhn.keys):
        assert kuhn.probabilities(int(key), 2).tolist() == kuhn.probability[2 * place : 2 * place + 2].tolist()
    assert kuhn.probabilities(12345, 4).tolist() == [0.25] * 4


# ---- printing --------------------------------------------------------------------------------------------------------


def test_printing() -> None:
    strategy = Strategy.uniform(ruse.Kuhn())
    assert str(Choice(0, "K", {"pass": 0.25, "bet": 0.75})) == "K: pass 0.250, bet 0.750"
    lines = str(strategy).splitlines()
    assert [lines[0], lines[7]] == ["player 0", "player 1"]
    assert len(lines) == 2 + 12
    assert lines[1] == "  J            pass 0.500  bet 0.500"
    assert "  K, pass bet  pass 0.500  bet 0.500" in lines
    assert repr(strategy) == "Strategy(Kuhn(players=2, ante=1, bet=1), 0 infosets)"
    trained = ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=1)
    assert repr(trained.strategy) == (
        f"Strategy(Kuhn(players=2, ante=1, bet=1), 12 infosets, rule=cfr, iterations=1, "
        f"exploitability={trained.exploitability})"
    )


# ---- on an expanded game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [ruse.Kuhn(), LEDUC, ruse.Kuhn(players=3)], ids=repr)
def test_uniform(game: ruse.Game) -> None:
    strategy = Strategy.uniform(game)
    assert len(strategy) == 0
    for choice in strategy:
        assert set(choice.actions.values()) == {1 / len(choice.actions)}
    form = Expanded.of(game).form
    assert strategy.on(Expanded.of(game))[: form.players].tolist() == [1.0] * form.players


def test_what_a_strategy_does_not_know_is_uniform() -> None:
    whole = lopsided(LEDUC)
    kept = np.arange(0, len(whole), 3)
    count = np.diff(whole.start)
    start = np.concatenate([[0], np.cumsum(count[kept])])
    shares = np.concatenate([whole.probability[whole.start[k] : whole.start[k + 1]] for k in kept])
    part = Strategy(LEDUC, whole.keys[kept], start, shares)
    known = set(whole.keys[kept].tolist())
    for key, ours, theirs in zip(Expanded.of(LEDUC).keys.tolist(), part, whole, strict=True):
        n = len(ours.actions)
        assert ours.actions == (theirs.actions if key in known else dict.fromkeys(ours.actions, 1 / n)), ours


def test_another_game_is_refused(kuhn: Strategy) -> None:
    other = Expanded.of(ruse.Kuhn(ante=2))
    with pytest.raises(RuseError, match=r"^the strategy is for Kuhn\(.*ante=1.*\), not for Kuhn\(.*ante=2.*\)$"):
        kuhn.on(other)
    for use in (ruse.exploitability, lambda game, strategy: ruse.expected_values(game, [strategy] * 2)):
        with pytest.raises(RuseError, match="not for Leduc"):
            use(LEDUC, kuhn)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -1.0, 2.0])
def test_what_is_no_distribution_is_neither_judged_nor_played(kuhn: Strategy, wrong: float) -> None:
    """One made in a program: NaN was judged as NaN."""
    shares = kuhn.probability.copy()
    shares[0] = wrong
    bent = Strategy(kuhn.game, kuhn.keys, kuhn.start, shares)
    for use in (ruse.exploitability, lambda game, strategy: ruse.match(game, [strategy] * 2, deals=10)):
        with pytest.raises(RuseError, match="the strategy cannot be played: "):
            use(kuhn.game, bent)


def test_a_menu_of_another_length_is_refused(kuhn: Strategy) -> None:
    bent = Strategy(kuhn.game, kuhn.keys, np.arange(0, 39, 3), np.full(36, 1 / 3))
    with pytest.raises(RuseError, match=r"the strategy does not fit .*: an infoset has another number of actions"):
        bent.on(Expanded.of(kuhn.game))
