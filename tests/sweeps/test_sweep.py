"""A sweep: every combination once, what is done is skipped, what fails is told, and intervals over seeds."""

import json
import math
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.errors import RuseError
from ruse.spread.here import InTurn
from ruse.spread.pieces import Answer, Hearing
from ruse.store.runs import RunDirectory, list_runs
from ruse.sweeps.folder import SweepFolder
from ruse.sweeps.summary import CellOutcome, SweepResult
from ruse.sweeps.sweep import Sweep, SweepProgress, asked_for
from ruse.words.over_seeds import OverSeeds


def planned(out: Path, game: str = "kuhn", *, skip_unfit: bool = False, **axes: Any) -> Sweep:
    """A sweep that can be done in this process."""
    folder = SweepFolder(out)
    grids, make = asked_for(game, None, axes, folder)
    return Sweep(grids, folder, make, skip_unfit=skip_unfit)


class Counting:
    """In turn, and how many pieces there were; after so many it is interrupted."""

    def __init__(self, most: int = 1_000) -> None:
        self.begun, self.most = 0, most

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        for hearing in InTurn().spread(work, pieces):
            self.begun += 1
            yield hearing
            if self.begun >= self.most:
                raise KeyboardInterrupt


def test_each_cell_is_an_ordinary_run_with_the_bits_of_one(tmp_path: Path) -> None:
    made = planned(tmp_path, rule="dcfr,cfr_plus", seed="0..1", iterations=20, ante="1,2")
    assert made.complete(InTurn())
    found = made.result()
    assert (found.number_of("done"), len(found.cells), len(list_runs(tmp_path))) == (8, 8, 8)
    assert found.varied == ("ante", "rule")
    for cell in found.cells:
        alone = ruse.train(f"kuhn:ante={cell.about['ante']}", cell.about["rule"], iterations=20, seed=cell.seed)
        assert cell.run is not None
        kept = ruse.Strategy.load(cell.run / "strategy.safetensors")
        assert cell.exploitability == alone.exploitability
        assert kept.probability.tobytes() == alone.strategy.probability.tobytes()
    assert RunDirectory.open(tmp_path / "kuhn-cfr_plus-ante-2-seed-1").settings["rule"] == "cfr_plus"
    assert ruse.resume(tmp_path / "kuhn-dcfr-ante-1-seed-0", iterations=30).iterations == 30


def test_what_is_done_is_skipped_and_a_larger_grid_adds_to_it(tmp_path: Path) -> None:
    counted = [Counting(), Counting(), Counting(), Counting()]
    assert planned(tmp_path, seed="0..2", iterations=10).complete(counted[0])
    again = planned(tmp_path, seed="0..2", iterations=10)
    assert again.complete(counted[1])
    (tmp_path / "kuhn-dcfr-seed-1").rename(tmp_path / "another name")
    assert planned(tmp_path, seed="0..4", iterations=10).complete(counted[2])
    assert planned(tmp_path, seed="0..2", iterations=11).complete(counted[3])
    assert [one.begun for one in counted] == [3, 0, 2, 3]
    assert len(list_runs(tmp_path)) == 8
    other = SweepFolder(tmp_path)
    grids, make = asked_for(None, None, {}, other)
    assert len(Sweep(grids, other, make).cells) == 3, "the grid that was asked for last"


def test_what_was_begun_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    quiet, torn = (
        planned(tmp_path / "a", seed="0..3", iterations=30),
        planned(tmp_path / "b", seed="0..3", iterations=30),
    )
    assert quiet.complete(InTurn())
    with pytest.raises(KeyboardInterrupt):
        torn.complete(Counting(2))
    assert torn.result().number_of("unfinished") == 2
    (tmp_path / "b" / "kuhn-dcfr-seed-0" / "result.json").write_text("{")  # a result that is damaged is made anew
    counted = Counting()
    assert planned(tmp_path / "b", seed="0..3", iterations=30).complete(counted)
    assert counted.begun == 3
    for seed in range(4):
        name = f"kuhn-dcfr-seed-{seed}/strategy.safetensors"
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_who_stops_while_runs_are_made_waits_for_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = planned(tmp_path, seed="0..9", iterations=10)
    new_run = made.folder.new_run

    def interrupted(*given: Any) -> RunDirectory:
        signal.raise_signal(signal.SIGINT)
        return new_run(*given)

    monkeypatch.setattr(made.folder, "new_run", interrupted)
    assert not made.complete(InTurn())
    assert made.result().number_of("unfinished") == 10
    assert len(list_runs(tmp_path)) == 1


def test_a_target_may_end_it_before(tmp_path: Path) -> None:
    assert planned(tmp_path, iterations=10_000, target=0.1).complete(InTurn())
    counted = Counting()
    assert planned(tmp_path, iterations=10_000, target=0.1).complete(counted)
    assert counted.begun == 0


def outcomes(*given: tuple[str, int, float]) -> SweepResult:
    """Cells that are done, with curves that end where they were told to."""
    cells = [
        CellOutcome(
            "kuhn", f"{rule}-{seed}", {"rule": rule}, seed, "done", rule, iterations=20, seconds=1.0,
            exploitability=end, curve=((1, 1.0), (10, 2 * end), (20, end), *([(15, 3.0)] if seed == 0 else [])),
        )
        for rule, seed, end in given
    ]  # fmt: skip
    return SweepResult(Path("out"), ("rule",), tuple(cells))


SOME = (("mccfr", 0, 0.1), ("dcfr", 0, 0.05), ("mccfr", 1, 0.2), ("dcfr", 1, 0.05), ("mccfr", 2, 0.6))


def test_intervals_are_over_seeds() -> None:
    found = outcomes(*SOME)
    row = found.rows[0]
    assert row.exploitability == OverSeeds.of([0.1, 0.2, 0.6])
    assert [x for x, *_ in row.band()] == [1, 10, 20], "where all were judged"
    assert row.band()[-1][1:] == row.exploitability[:3]
    headers, rows = found.table
    assert headers == ["rule", "seeds", "iterations", "exploitability", "95 % interval", "seconds"]
    assert rows[0] == ["mccfr", "3 of 3", "20", "0.3", "-0.357 to 0.957", "1"]
    assert rows[1] == ["dcfr", "2 of 2", "20", "0.05", "all the same", "1"]
    assert outcomes(SOME[0]).table[1] == [["mccfr", "1 of 1", "20", "0.1", "", "1"]], "one seed has no interval"
    assert outcomes(("mccfr", 0, math.nan)).table[1][0][3:5] == ["not known", ""]
    assert "<td>-0.357 to 0.957</td>" in found._repr_html_()


def test_intervals_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for seeds in (2, 3, 10, 31, 32, 60, 400):
        values = [math.sin(k) for k in range(seeds)]
        found = OverSeeds.of(values)
        mean, error = sum(values) / seeds, stats.sem(values)
        low, high = stats.t.interval(0.95, seeds - 1, mean, error)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-4 * error)


def test_the_picture_has_bands_above_zero() -> None:
    pytest.importorskip("matplotlib")
    axes = outcomes(*SOME).plot().axes
    assert [line.get_label() for line in axes.lines] == ["mccfr", "dcfr"]
    assert len(axes.collections) == 1, "no band where all seeds are the same"
    assert 0.0 < axes.get_ylim()[0] < 0.05
    assert axes.get_ylim()[1] >= 0.957
    with pytest.raises(RuseError, match=r"^there is nothing to draw in out"):
        outcomes().plot()


def test_the_table_and_the_picture_are_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    made = planned(tmp_path, rule="dcfr,cfr_plus", seed="0..1", iterations=20)
    assert made.complete(InTurn())
    assert [path.name for path in made.result().write()] == ["table.md", "sweep.json", "curves.png"]
    assert (tmp_path / "table.md").read_text().startswith("| rule | seeds | iterations |")
    told = json.loads((tmp_path / "sweep.json").read_text())
    assert (told["done"], len(told["rows"]), len(told["cells"])) == (4, 2, 4)
    assert told["rows"][0]["interval"] == [told["rows"][0]["exploitability"]] * 2


class Failing:
    """A place where one piece comes to nothing."""

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        yield Hearing((Answer(0, trouble="there is not enough memory for it"),), (1,), ("ended by SIGKILL",))
        for number in range(1, len(pieces)):
            yield Hearing((Answer(number, work(pieces[number])),), ())


def test_what_fails_is_in_the_table_and_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.sweeps.sweep.PACE", -1.0)
    heard: list[SweepProgress] = []
    made = planned(tmp_path, seed="0..2", iterations=10)
    assert made.complete(Failing(), heard.append)
    assert str(heard[0]).startswith("0 of 3 cells done, 1 failed, 1 processes lost and begun again; kuhn-dcfr-seed-1 0")
    found = made.result()
    assert [found.number_of(standing) for standing in ("done", "failed")] == [2, 1]
    assert found.table[1][0][-1] == "failed (seed 0): there is not enough memory for it"
    assert found.table[1][0][0] == "2 of 3"
    again = planned(tmp_path, seed="0..2", iterations=10)
    assert again.complete(InTurn())
    assert again.result().number_of("done") == 3


FORGED = (
    '{"iterations": 10}',
    '{"iterations": 10, "seconds": 1, "exploitability": "low"}',
    '{"iterations": 7, "seconds": 1, "exploitability": 0.1}',  # fewer than asked for
    '{"iterations": 11, "seconds": 1, "exploitability": 0.1}',
    '{"iterations": 10, "seconds": 1, "exploitability": -0.1}',
    '{"iterations": 10, "seconds": -1, "exploitability": 0.1}',
)


@pytest.mark.parametrize("content", FORGED)
def test_a_forged_result_is_none(content: str, tmp_path: Path) -> None:
    assert planned(tmp_path, iterations=10).complete(InTurn())
    path = tmp_path / "kuhn-dcfr-seed-0" / "result.json"
    path.write_text(f'{{"format": "ruse-result/1", "result": {content}}}')
    made = planned(tmp_path, iterations=10)
    assert made.complete(InTurn())
    found = made.result()
    assert found.number_of("failed") == 1
    assert found.rows[0].note == f"failed: {path} is damaged; delete it, and start the sweep again"
    path.unlink()
    assert made.complete(InTurn())
    assert made.result().number_of("done") == 1


def test_a_digit_that_has_changed_is_no_result(tmp_path: Path) -> None:
    made = planned(tmp_path, iterations=10)
    assert made.complete(InTurn())
    (before,) = made.result().rows
    path = tmp_path / "kuhn-dcfr-seed-0" / "result.json"
    whole = path.read_bytes()
    number = repr(RunDirectory.open(path.parent).result["exploitability"]).encode()  # type: ignore[index]
    assert whole.count(number)
    path.write_bytes(whole.replace(number, b"0.01067"))
    assert made.result().number_of("done") == 0, "it was whole when it was looked at first"
    again = planned(tmp_path, iterations=10)
    assert again.result().number_of("unfinished") == 1
    assert again.complete(InTurn())
    (now,) = again.result().rows
    assert now == before


def test_what_does_not_go_together_is_refused_or_left_out(tmp_path: Path) -> None:
    why = r"^kuhn-cfr_plus-prune-rbp-seed-0: cfr_plus forgets negative regret.*\(2 of 4 cells.*--skip-unfit leaves such"
    axes: dict[str, Any] = {"rule": "cfr_plus", "prune": "none,rbp", "seed": "0..1", "iterations": 10}
    with pytest.raises(RuseError, match=why):
        planned(tmp_path / "out", **axes)
    assert not (tmp_path / "out").exists()
    made = planned(tmp_path / "out", skip_unfit=True, **axes)
    assert made.complete(InTurn())
    found = made.result()
    assert [found.number_of(standing) for standing in ("done", "unfit")] == [2, 2]
    notes = [row.note for row in found.rows]
    assert notes[0] == ""
    assert notes[1].startswith("unfit: cfr_plus forgets negative regret")
    with pytest.raises(RuseError, match=r"^nothing of the grid goes together: cfr_plus forgets"):
        planned(tmp_path / "none", skip_unfit=True, rule="cfr_plus", prune="rbp", iterations=10)
    with pytest.raises(RuseError, match=r"^unknown rule 'cfq'"):
        planned(tmp_path / "none", skip_unfit=True, rule="cfq", iterations=10)


def test_cells_that_are_the_same_job_are_one(tmp_path: Path) -> None:
    assert len(planned(tmp_path, game="kuhn,kuhn:ante=1", rule="none,dcfr", seed="0,0", iterations=10).cells) == 1


def test_one_sweep_at_a_time(tmp_path: Path) -> None:
    made = planned(tmp_path, iterations=10)
    with made.folder.lock(), pytest.raises(RuseError, match="is being trained by process"):
        made.complete(InTurn())


BAD: list[tuple[dict[str, Any], str]] = [
    ({"game": "kuhn", "grid": "a.toml"}, "a grid file says all of it"),
    ({"seed": "0..1"}, "say which game"),
    ({}, "say what to sweep"),
    ({"game": ruse.Matrix}, "Matrix is a class"),
    ({"game": ruse.make_matrix([[1.0]])}, "a sweep is of games that a file can name"),
    ({"game": "kuhn", "jobs": 0}, "jobs at once must be"),
    ({"game": "kuhn", "on": "moon"}, "nothing of the grid goes together: there is no machine 'moon'"),
    ({"game": "kuhn", "color": 3}, "kuhn has no field 'color'"),
    ({"game": "kuhn", "iterations": 0}, "iterations must be above 0"),
]


@pytest.mark.parametrize(("given", "why"), BAD)
def test_bad_words_in_python(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    with pytest.raises(RuseError, match=f"^{why}"):
        ruse.sweep(out=tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(RuseError, match="a sweep is kept in a folder"):
        ruse.sweep("kuhn", out=tmp_path / "file")
