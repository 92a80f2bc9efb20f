"""Size: exact counts equal their slow twin, estimates come close, and what is too large is refused in time."""

import gc
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import naive
import pytest
from random_games import random_game

from ruse.cli import main
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.games.goofspiel import Goofspiel
from ruse.games.kuhn import BETS, MOVES, Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import rock_paper_scissors
from ruse.protocol.game import Game
from ruse.protocol.view import Full
from ruse.solve import exact
from ruse.solve.full.engine import Tables
from ruse.solve.solver.presets import PRESETS
from ruse.strategy import Strategy
from ruse.training.train import train
from ruse.tree import expanded
from ruse.tree import walk as walking
from ruse.tree.expanded import Expanded
from ruse.tree.measure import free
from ruse.tree.measure import size as sizes
from ruse.tree.measure.dives import Sighted
from ruse.tree.measure.free import free_memory
from ruse.tree.measure.size import Size, TooLarge, counted, refuse_if_too_large, tree_size
from ruse.tree.measure.survey import GameSurvey
from ruse.tree.sequence_form import expand
from ruse.words.amounts import in_bytes

GAMES: dict[str, Game] = {
    "kuhn": Kuhn(),
    "kuhn_3": Kuhn(players=3),
    "leduc": Leduc(),
    "liars_dice": LiarsDice(sides=4),
    "goofspiel": Goofspiel(),
    "rock_paper_scissors": rock_paper_scissors(),
    **{f"random_{seed}": random_game(seed, players=2 + seed % 2) for seed in range(6)},
}


@pytest.mark.parametrize("name", GAMES)
def test_counts_equal_their_twin(name: str) -> None:
    game = GAMES[name]
    measured, twin = tree_size(game), naive.count(naive.tree(game), game.players)
    assert measured.is_exact
    assert measured.players == game.players
    assert tuple(measured[1:6]) == tuple(twin)
    assert f"{twin.histories:,} histories, {twin.infosets:,} infosets, {twin.leaves:,} leaves" in str(measured)


def test_counts_of_large_games() -> None:
    """More infosets than the index starts with, and a walk of more than one slice; OpenSpiel counts the same."""
    assert tree_size(LiarsDice())[1:7] == (294_883, 147_420, 24_576, 49_142, 15, True)
    assert tree_size(Leduc(players=3))[1:4] == (1_831_601, 1_043_952, 25_800)


def test_a_game_deeper_than_the_first_stack() -> None:
    game = LiarsDice(dice=10, sides=2)  # bids rise forty times and more
    measured = tree_size(game, limit=200_000)
    assert not measured.is_exact
    assert measured.depth > 20


@pytest.mark.parametrize(("game", "limit"), [(Leduc(), 1_000), (LiarsDice(), 20_000), (Leduc(players=3), 50_000)])
def test_estimate(game: Game, limit: int) -> None:
    """Random dives see the whole tree, but its rare ends; what they do not see is told by what they seldom see."""
    exact, about = tree_size(game), tree_size(game, limit=limit)
    assert exact.is_exact
    assert not about.is_exact
    for name in ("histories", "leaves", "infosets", "sequences", "nodes", "actions", "bytes"):
        assert 0.85 * getattr(exact, name) < getattr(about, name) < 1.15 * getattr(exact, name), name
    assert exact.depth / 2 < about.depth <= exact.depth
    assert str(about).startswith("about ")
    assert tree_size(game, limit=limit) == about, "an estimate must be the same each time"


def test_bytes_cover_what_is_allocated() -> None:
    for game in (Leduc(), LiarsDice(), Kuhn(players=3)):
        measured = tree_size(game)
        form = expand(game, Full()).form
        held = sum(array.nbytes for array in (*form, *Tables.start(form)))
        assert held <= measured.bytes < 8 * held


def test_too_large_is_refused() -> None:
    measured = tree_size(Leduc())
    refuse_if_too_large(Leduc(), measured, measured.bytes)
    with pytest.raises(TooLarge) as error:
        refuse_if_too_large(Leduc(), measured, measured.bytes - 1)
    assert isinstance(error.value, RuseError)
    text = str(error.value)
    assert text.startswith(f"{Leduc()!r} is too large to expand: ")
    assert "9,457 histories" in text
    assert f"{in_bytes(measured.bytes - 1)} allowed; make the game smaller" in text
    with pytest.raises(TooLarge, match=r"Leduc\(.*too large to expand"):
        Expanded.of(Leduc(ante=3), memory=1_000)


def test_huge_games_are_refused_with_an_estimate() -> None:
    measured = Size(2, 1e14, 5e13, 1e10, 3e10, 100, False)
    with pytest.raises(TooLarge, match=r"about 1e\+14 histories, 5e\+13 leaves, .* TiB needed, 16 GiB allowed"):
        refuse_if_too_large(Kuhn(), measured, 16 << 30)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1000 B"),
        (1024, "1 KiB"),
        ((1 << 20) - 1, "1024 KiB"),
        (5 << 20, "5 MiB"),
        (3 << 29, "1.5 GiB"),
        (9 << 40, "9 TiB"),
    ],
)
def test_memory_in_bytes(number: int, words: str) -> None:
    assert in_bytes(number) == words


def test_free_memory() -> None:
    assert 1 << 24 < free_memory() <= 1 << 63
    refuse_if_too_large(Kuhn(), tree_size(Kuhn()))


@pytest.mark.parametrize(
    ("group", "most", "used"),
    [("0::/a/b", "memory.max", "memory.current"),
     ("4:cpu,memory:/a/b", "memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes")],
    ids=["version 2", "version 1"],
)  # fmt: skip
def test_a_container_may_have_less_than_the_machine(tmp_path: Path, group: str, most: str, used: str) -> None:
    def write(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    write("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\n")
    assert free_memory(tmp_path) == 8_000_000 * 1024
    write("proc/self/cgroup", f"9:pids:/\n{group}\n")
    assert free_memory(tmp_path) == 8_000_000 * 1024
    top = tmp_path / "sys/fs/cgroup" / Path(most).parent
    for place, limit in ((top / "a/b", "max"), (top / "a", "1000000000"), (top, "2000000000")):
        write(str(place / Path(most).name), limit)
        write(str(place / Path(used).name), "700000000")
        write(str(place / "memory.stat"), "anon 500000000\ninactive_file 100000000\n")
    assert free_memory(tmp_path) == 400_000_000
    write(str(top / "a/b" / Path(most).name), "600000000")  # it is over its limit
    assert free_memory(tmp_path) == 0


@pytest.mark.parametrize(
    "words",
    ["style leduc --target raise,first=0.3", "equilibria leduc", "evaluate leduc.strategy",
     "show leduc.strategy --json", "evaluate leduc.strategy --against leduc.strategy", "solve leduc --exact",
     "solve leduc --iterations 1 --no-run"],
)  # fmt: skip
def test_every_command_asks_for_memory_first(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Strategy.uniform(Leduc()).save("leduc.strategy")
    monkeypatch.setattr(expanded, "_recent", type(expanded._recent)())
    for module in (expanded, sizes, exact, free):
        monkeypatch.setattr(module, "free_memory", lambda: 700_000)
    assert main(words.split()) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("ruse: leduc is too large to expand: 9,457 histories, "), told
    assert "707 KiB needed, 684 KiB free; make the game smaller" in told


@compiled("key")
class NoCards(NamedTuple):
    """Kuhn without looking at the card."""

    nothing: int = 0

    def key(self, game, s):
        return 1 << s[MOVES] | s[BETS]


def test_infosets_are_those_of_the_view() -> None:
    measured, twin = tree_size(Kuhn(), NoCards()), naive.count(naive.tree(Kuhn(), NoCards()), 2)
    assert measured.infosets == twin.infosets == 4
    assert measured.sequences == twin.sequences == 10
    assert measured.leaves == twin.leaves == 30


# ---- beyond what can be counted first --------------------------------------------------------------------------------


def test_a_game_that_fits_is_counted_to_the_end() -> None:
    exact = tree_size(Leduc())
    assert tree_size(Leduc(), limit=1_000, room=1 << 30) == exact
    about = tree_size(Leduc(), limit=1_000, room=1 << 10)
    assert not about.is_exact
    assert about.bytes > 1 << 10


def test_a_game_that_is_larger_than_its_estimate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random dives may miss most of a tree; what was counted is known, and it is more than there is room for."""
    whole = tree_size(Leduc())
    monkeypatch.setattr(sizes, "sighted", lambda game, view, dives=0: Sighted(1.0, 1.0, 1.0, 1.0, 1))
    monkeypatch.setattr(sizes, "LITTLE", 0)
    monkeypatch.setattr(walking, "SLICE", 1_000)
    measured = tree_size(Leduc(), limit=10, room=whole.bytes // 2)
    assert str(measured).startswith("more than ")
    assert whole.bytes // 2 < measured.bytes
    with pytest.raises(TooLarge):
        refuse_if_too_large(Leduc(), measured, whole.bytes // 2)


def test_what_an_expanded_game_knows_of_its_size_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "COUNTED", 500)
    game = Leduc(ante=2, first_raise=3)
    assert Expanded.of(game).size == tree_size(game, limit=1 << 40)


@pytest.mark.parametrize(("told", "counted"), [(1e30, 700), (1e9, 5_000)])
def test_what_is_far_too_large_is_not_counted_first(
    told: float, counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Half a deck of Cheat has 1e105 histories, and fifty millions of them were once counted to find that out."""
    monkeypatch.setattr(sizes, "FEW", 700)
    monkeypatch.setattr(sizes, "histories_told", lambda game, dives: told)
    monkeypatch.setattr(sizes, "sighted", lambda game, view, dives=0: Sighted(told, 0.0, 0.0, 0.0, 0))
    measured = tree_size(Leduc(), limit=5_000)
    assert (measured.histories, measured.is_exact) == (told, False)
    assert measured.leaves == leaves_of_first(counted)
    assert tree_size(Leduc(), limit=5_000, room=1 << 30).histories == 9_457, "and there is room for it"


def leaves_of_first(histories: int) -> int:
    """Of the first so many histories of Leduc."""
    survey = GameSurvey(Leduc(), Full(), keeps_leaves=False)
    while survey.visited < histories:
        survey.go_on(pause=histories)
    return int(counted(survey).leaves)


def test_more_leaves_than_there_are_numbers_for() -> None:
    measured = Size(2, 1e10, 3e9, 1e6, 3e6, 100, True, 1e6, 3e6)
    with pytest.raises(TooLarge, match="numbers for 4,294,967,295 leaves"):
        refuse_if_too_large(Kuhn(), measured, 1 << 50)


@pytest.mark.parametrize(
    ("game", "small"), [(Leduc(players=3), Leduc()), (Goofspiel(cards=6), Goofspiel())], ids=["leduc_3", "goofspiel_6"]
)
def test_memory_that_is_told_is_used_and_no_more(game: Game, small: Game) -> None:
    """Expanding, merging, solving and judging, all of it; the compiler has been at work before."""
    told = tree_size(game).bytes
    train(small, PRESETS["dcfr"](), iterations=2)
    gc.collect()
    tracemalloc.start()
    try:
        train(game, PRESETS["dcfr"](), iterations=2)
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        expanded._recent.clear()
    assert used <= told < 1.5 * used
