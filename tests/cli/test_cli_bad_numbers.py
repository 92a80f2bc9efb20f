"""Every option that takes a number refuses what is none, or too large, in one sentence, before anything is done."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from commands import COMMANDS, Ruse

import ruse as library
from ruse.cli import app
from ruse.cli.terminal.options import number, whole
from ruse.compile.seeds import HIGHEST, next_seed, seed_of
from ruse.errors import RuseError

NO_NUMBER = ("x", "nan", "inf", "-inf", "1e400", "")
WHOLE = (*NO_NUMBER, "1.5", "1e30", str(2**63), str(2**64), "1e-400")
# Which numbers each option refuses besides, by its metavar or its name.
REFUSED: dict[str, dict[str, tuple[str, ...]]] = {
    "solve": {
        "--iterations": (*WHOLE, "0", "-1"), "--target": (*NO_NUMBER, "0", "-1"), "--seconds": (*NO_NUMBER, "0", "-1"),
        "--seed": (*WHOLE, "-1"), "--memory": (*NO_NUMBER, "0", "-1"), "--threads": ("x", "nan", "1.5", ""),
        "--share": NO_NUMBER, "--checkpoint-seconds": NO_NUMBER,
    },
    "resume": {
        "--iterations": WHOLE, "--target": NO_NUMBER, "--seconds": NO_NUMBER, "--memory": (*NO_NUMBER, "0", "-1"),
        "--checkpoint-seconds": NO_NUMBER,
    },
    "sweep": {
        "--iterations": (*WHOLE, "0", "-1", "5..1", "1..99999"), "--target": (*NO_NUMBER, "0", "-1"),
        "--seconds": (*NO_NUMBER, "0", "-1"), "--seed": (*WHOLE, "-1", "0..99999"),
        "--memory": (*NO_NUMBER, "0", "-1"), "--threads": ("x", "nan", "1.5", ""), "--share": NO_NUMBER,
        "--jobs": (*WHOLE, "0", "-1", "5000"), "--checkpoint-seconds": NO_NUMBER,
    },
    "show": {"--player": (*WHOLE, "-1", "2"), "--limit": (*WHOLE, "-1"), "--depth": (*WHOLE, "-1")},
    "evaluate": {
        "--lower-bound": (*WHOLE, "0", "-1"), "--deals": (*WHOLE, "0", "-1"), "--seed": (*WHOLE, "-1"),
        "--on-deals": (*WHOLE, "0", "1", "-1"), "--local-best-response": (*WHOLE, "0", "1", "-1"),
    },
    "equilibria": {"--within": (*NO_NUMBER, "-1")},
    "style": {
        "--max-exploitability": (*NO_NUMBER, "-1"), "--iterations": (*WHOLE, "0", "-1"),
        "--solves": (*WHOLE, "0", "-1"), "--boards": (*WHOLE, "0", "1", "-1"),
    },
    "match": {"--deals": (*WHOLE, "0", "-1"), "--seed": (*WHOLE, "-1")},
    "play": {"--seat": (*WHOLE, "-1", "2"), "--seed": (*WHOLE, "-1"), "--games": (*WHOLE, "0", "-1")},
    "replay": {"--game": (*WHOLE, "0", "-1")},
    "equity": {"--boards": (*WHOLE, "0", "1", "-1", "20000000"), "--seed": (*WHOLE, "-1")},
    "reproduce": {"--seed": (*WHOLE, "-1")},
    "studio": {"--port": (*WHOLE, "-1", "70000")},
    "bench": {"--seconds": (*NO_NUMBER, "0", "-1")},
}  # fmt: skip
BASE = {
    "solve": ["kuhn", "--no-run"],
    "resume": ["last"],
    "sweep": ["kuhn"],
    "show": ["kuhn.strategy"],
    "evaluate": ["kuhn.strategy"],
    "equilibria": ["kuhn"],
    "style": ["kuhn", "--target", "bet, player 0, first = 0.3"],
    "match": ["kuhn", "random", "random"],
    "play": ["kuhn", "--against", "random"],
    "replay": ["games.jsonl"],
    "equity": ["AsKs", "QcQh", "--board", "Qs Jh 2h"],
    "reproduce": ["000", "--only", "figure 1"],
    "studio": ["--no-browser"],
    "bench": [],
}
TEXTS = {  # options that take a text, a file or a name
    "--rule", "--walk", "--prune", "--prefer", "--out", "--view", "--against", "--runs", "--resume", "--sort", "--at",
    "--history", "--hand", "--compare", "--game", "--metric", "--record", "--format", "--only", "--page", "--on",
    "--board", "--host", "--blueprint", "--lock", "--across", "--grid", "--simultaneous", "--shared", "--no-merge",
    "--debug-keys", "--horizon", "--adapt-to",
}  # fmt: skip


def options_of(command: str) -> Iterator[str]:
    """Options of a command that take a value."""
    for option in typer.main.get_command(app).commands[command].params:  # type: ignore[attr-defined]
        if option.param_type_name == "option" and not option.is_flag:
            yield next(name for name in option.opts if name.startswith("--"))


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_is_forgotten(command: str) -> None:
    """An option takes a text, or stands in the list of those that refuse bad numbers."""
    told = REFUSED.get(command, {})
    texts = TEXTS - told.keys() | ({"--target"} if command == "style" else set())
    assert set(options_of(command)) <= texts | told.keys()
    assert told.keys() <= set(options_of(command))


@pytest.fixture
def strategy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the commands are about; nothing is solved for it."""
    monkeypatch.chdir(tmp_path)
    library.Strategy.uniform(library.Kuhn()).save("kuhn.strategy")


@pytest.mark.usefixtures("strategy")
@pytest.mark.parametrize(("command", "option"), [(c, o) for c, told in REFUSED.items() for o in told])
def test_bad_numbers_are_refused(ruse: Ruse, tmp_path: Path, command: str, option: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    base = ["kuhn", "--tree"] if option == "--depth" else BASE[command]
    if option == "--deals" and command == "evaluate":
        base = [*base, "--style"]
    for value in REFUSED[command][option]:
        result = ruse(command, *base, f"{option}={value}")
        assert (result.code, result.out) == (2, ""), value
        assert result.err.startswith("ruse: "), value
        assert result.err.count("\n") == 1, value
        # The sentence names the option, or says the number again.
        assert option.strip("-").split("-")[0] in result.err or value in result.err, result.err
    assert sorted(tmp_path.rglob("*")) == before


def test_numbers_as_people_write_them() -> None:
    assert [whole(text) for text in ("12", "-3", "1_000", "1e6", "2.5e3", "1e18")] == [
        12,
        -3,
        1000,
        10**6,
        2500,
        10**18,
    ]
    assert whole("9.007199254740993e15") == 9_007_199_254_740_993, "which no float holds"
    assert [number(text) for text in ("1", "1e-3", "-.5")] == [1.0, 1e-3, -0.5]


def test_seeds() -> None:
    assert [seed_of(seed) for seed in (0, 7, HIGHEST)] == [0, 7, HIGHEST]
    assert (next_seed(3, 2), next_seed(HIGHEST, 1), next_seed(HIGHEST, 3)) == (5, 0, 2)
    for bad in (-1, 2**63, 2**64, 1.0, "3", None, math.nan):
        with pytest.raises(RuseError, match=rf"^a seed must be a whole number from 0 to {HIGHEST}, got "):
            seed_of(bad)


@pytest.mark.parametrize("bad", [2**64, -1, 0.5])
def test_seeds_from_python(bad: Any, tmp_path: Path) -> None:
    game, even = library.Kuhn(), library.Strategy.uniform(library.Kuhn())
    calls = [
        lambda: library.train(game, library.dcfr(), iterations=1, seed=bad),
        lambda: library.train(game, library.mccfr(), iterations=1, seed=bad),
        lambda: library.new_run(tmp_path, game, library.dcfr(), iterations=1, seed=bad),
        lambda: library.match(game, [even, even], deals=2, seed=bad),
        lambda: library.lower_bound(game, even, iterations=1, seed=bad),
        lambda: library.style_of(even, seed=bad),
        lambda: library.curriculum(
            [game], library.cfr(), until=library.Iterations(1), transfer=library.Copying(), seed=bad
        ),
    ]
    for call in calls:
        with pytest.raises(RuseError, match=r"^a seed must be"):
            call()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", [2**63, 1e30, 1.5, 0, -1, math.nan])
def test_iterations_from_python(bad: Any) -> None:
    with pytest.raises(RuseError, match=r"^iterations must be"):
        library.train(library.Kuhn(), library.dcfr(), iterations=bad)
