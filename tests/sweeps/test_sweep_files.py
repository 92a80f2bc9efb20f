"""Grids in files: what is written is read again, and what is forged is refused in one sentence."""

from pathlib import Path

import pytest

import ruse
from ruse.errors import RuseError
from ruse.sweeps.grid import SweepGrid, grids_in, write_grids

GRID = """
game = ["leduc", "kuhn"]
rule = "dcfr,cfr_plus"
seed = "0..1"
iterations = 10

[fields]
ante = [1, 2]

[[grid]]
prefer = [[], ["bet: delta=5", "call: delta=2"]]

[[grid]]
game = "kuhn"
walk = ["external"]
iterations = 1e2
fields = {bet = 2}
"""


def test_a_file_has_several_grids(tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    first, second = grids_in(tmp_path / "grid.toml")
    assert first.games == ("leduc", "kuhn")
    assert first.asked["prefer"] == (None, ["bet: delta=5", "call: delta=2"])
    assert first.size == 2 * 2 * 2 * 2 * 2
    assert (second.games, second.asked["iterations"], second.fields) == (
        ("kuhn",),
        (100,),
        {"ante": (1, 2), "bet": (2,)},
    )
    seeds = [asked["seed"] for _, _, asked in second.points()]
    assert seeds == sorted(seeds), "a whole round of combinations for one seed, then the next"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    grids = grids_in(tmp_path / "grid.toml")
    write_grids(tmp_path / "again.toml", grids)
    assert grids_in(tmp_path / "again.toml") == grids
    odd = SweepGrid.of(["kuhn"], {"prefer": ['"bet\n", player 0: delta=5']})
    write_grids(tmp_path / "odd.toml", [odd])
    assert grids_in(tmp_path / "odd.toml") == [odd]


FORGED = {
    "nothing": ("", "it names no game"),
    "no TOML": ("game = ", "is no TOML"),
    "no text": ("\udcff", "is no TOML"),
    "another kind": ('format = "ruse-run/1"\ngame = "kuhn"', "holds ruse-run, not ruse-sweep"),
    "a newer one": ('format = "ruse-sweep/9"\ngame = "kuhn"', "was written by a newer version"),
    "an unknown option": ('game = "kuhn"\nrules = "cfr"', "there is no option 'rules'"),
    "where it runs": ('game = "kuhn"\non = "ray"', "there is no option 'on'"),
    "a field above": ('game = "kuhn"\nante = 2', "there is no option 'ante'"),
    "an option below": ('game = "kuhn"\n[fields]\nrule = "cfr"', "rule is an option"),
    "fields that are none": ('game = "kuhn"\nfields = 3', "fields must be a table"),
    "grids that are none": ('game = "kuhn"\ngrid = 3', "grid must be tables"),
    "no grid": ('game = "kuhn"\ngrid = []', "grid must be tables"),
    "a game that is none": ("game = 3", "a sweep is of games by name"),
    "a date": ('game = "kuhn"\niterations = 2020-01-01', "iterations must be a number"),
    "a table": ('game = "kuhn"\n[rule]\nx = [[[[1]]]]', "unknown rule 'x'"),
    "too much": ('game = "kuhn"\nseed = "0..9999"\niterations = [1, 2]', "20,000 cells"),
    "too deep": ("game = " + "[" * 5_000, "is no TOML"),
    "too large": ("#" * (1 << 21), "is too large for a grid"),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_forged_files_are_refused(what: str, tmp_path: Path) -> None:
    text, why = FORGED[what]
    (tmp_path / "grid.toml").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(RuseError, match=why) as refused:
        ruse.sweep(grid=tmp_path / "grid.toml", out=tmp_path / "out")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_a_file_runs_no_code_that_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSE_STATE", str(tmp_path / "state"))  # another test may have typed the game,
    monkeypatch.setattr("ruse.catalog.trust._here", set())  # in this process, too
    (tmp_path / "trap.py").write_text("open('sprung', 'w')\n")
    (tmp_path / "grid.toml").write_text('game = "trap.py"\niterations = 1\n')
    with pytest.raises(RuseError, match="opening a file runs no code that you have not run before"):
        ruse.sweep(grid=tmp_path / "grid.toml", out=tmp_path / "out")
    assert not (tmp_path / "sprung").exists()
    (tmp_path / "grid.toml").write_text('game = "openspiel:kuhn_poker"\niterations = 1\n')
    with pytest.raises(RuseError, match="loads no game of OpenSpiel that you have not typed before"):
        ruse.sweep(grid=tmp_path / "grid.toml", out=tmp_path / "out")
