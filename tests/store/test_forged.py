"""Files that were forged, or hit by chance: a sentence or the same result, and never a crash or a wait."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.cli.commands.playing.replay import steps_of
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.exploitability import exploitability
from ruse.play.records import record
from ruse.solve.hybrid.reviews import Reviewer
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.table.table import Table
from ruse.store import tensors
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()
Arrays = dict[str, np.ndarray]
NOT_ONE = "the checkpoint is not one that this training could have saved"


# ---- checkpoints of sampled walks ------------------------------------------------------------------------------------


def sampled() -> SampledEngine:
    return SampledEngine(KUHN, ruse.lcfr(walk="external"), seed=7)


@pytest.fixture(scope="module")
def saved() -> Arrays:
    engine = sampled()
    engine.run(0, 100)
    return {name: array.copy() for name, array in engine.saved().items()}


def at(name: str, place: Any, value: Any) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[name][place] = value

    return change


def other(name: str, make: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], None]:
    return lambda arrays: arrays.__setitem__(name, make(arrays[name]))


def _average_at(arrays: Arrays, infoset: int) -> int:
    """The slot of the first average of an infoset, behind its regrets."""
    word = int(arrays["places"][infoset, 1])
    return (word >> 16) + (word & 65535)


FORGED = {
    "a negative index": at("sizes", 0, -2048),
    "a huge index": at("sizes", 0, 1 << 60),
    "an index that fits into memory, but is a wait": at("sizes", 0, 1 << 34),
    "an index without a free place": at("sizes", 0, 8),
    "an index of no power of two": at("sizes", 0, 2047),
    "negative slots": at("sizes", 1, -1),
    "huge slots": at("sizes", 1, 1 << 58),
    "too few slots": at("sizes", 1, 4),
    "a third block": at("sizes", 2, 3),
    "another number of infosets": at("sizes", 3, 4),
    "other slots in use": at("sizes", 4, 1 << 40),
    "a negative total": at("sizes", 5, -1),
    "a row beyond the end": at("places", (3, 1), (1 << 40) << 16 | 2),
    "a row before the start": at("places", (3, 1), -(1 << 40)),
    "a row in that which all share": at("places", (3, 1), 5 << 16 | 2),
    "a row of nothing": at("places", (3, 1), 0),
    "a row without actions": lambda arrays: at("places", (3, 1), arrays["places"][3, 1] & -65536)(arrays),
    "a row that is too wide": lambda arrays: at("places", (3, 1), arrays["places"][3, 1] | 65535)(arrays),
    "two rows in one place": lambda arrays: at("places", (3, 1), arrays["places"][4, 1])(arrays),
    "two infosets with one key": lambda arrays: at("places", (3, 0), arrays["places"][4, 0])(arrays),
    "a negative stamp": lambda arrays: at("rows", (arrays["places"][3, 1] >> 16) - 1, -5.0)(arrays),
    "no number for a stamp": lambda arrays: at("rows", (arrays["places"][3, 1] >> 16) - 1, np.nan)(arrays),
    "no number for a regret": at("rows", -3, np.nan),
    "flat places": other("places", lambda a: a.reshape(-1)),
    "wide places": other("places", lambda a: np.repeat(a, 2, axis=1)),
    "places that are floats": other("places", lambda a: a.astype(np.float64)),
    "rows that are whole numbers": other("rows", lambda a: a.astype(np.int32)),
    "complex rows": other("rows", lambda a: a.astype(np.complex64)),
    "fewer rows": other("rows", lambda a: a[:-1]),
    "no sizes": other("sizes", lambda a: a[:3]),
    "more sizes": other("sizes", lambda a: np.repeat(a, 2)),
    "sizes in a table": other("sizes", lambda a: a.reshape(1, -1)),
    "no counters": other("counters", lambda a: a[:0]),
    "negative counters": at("counters", 0, -1),
    "a counter that overflows": at("counters", 0, (1 << 63) - 1),
    "no places": lambda arrays: arrays.pop("places"),
    "a table for a number": other("fineness", lambda a: np.zeros((3, 3), np.int64)),
    "nothing for a number": other("fineness", lambda a: a[:0]),
    "less than nothing for an average": lambda arrays: at("rows", _average_at(arrays, 3), -1e-3)(arrays),
    "an average that overflows": lambda arrays: at("rows", _average_at(arrays, 3), 3e38)(arrays),
    "the last of them": lambda arrays: at("rows", -1, -1e-3)(arrays),
    "a walk that was too deep": at("counters", 2, 1),
    "a game that broke a law": at("counters", 5, 1),
    "a key that came with another width": at("sizes", 6, 1),
    "an infinite regret": lambda arrays: at("rows", int(arrays["places"][3, 1] >> 16), np.inf)(arrays),
}


@pytest.mark.parametrize("case", FORGED)
def test_forged_tables_are_refused(saved: Arrays, case: str) -> None:
    arrays = {name: array.copy() for name, array in saved.items()}
    FORGED[case](arrays)
    with pytest.raises(FileTrouble, match=NOT_ONE):
        sampled().restore(arrays)


def test_more_counters_than_there_are(saved: Arrays) -> None:
    with pytest.raises(FileTrouble, match=NOT_ONE):
        sampled().restore(saved | {"counters": np.zeros(9, np.int64)})


def test_counters_of_older_versions(saved: Arrays) -> None:
    engine = sampled()
    engine.restore(saved | {"counters": saved["counters"][:4], "sizes": saved["sizes"][:6]})
    engine.run(100, 10)


def test_rows_of_another_width_than_the_game_has() -> None:
    """Reviews read the rows of all infosets by the game's own number of actions."""
    pruning = ruse.mccfr(prune="hybrid").walk.pruning
    reviewer = Reviewer(LEDUC, ruse.Full(), pruning, ruse.mccfr().minimizer, None)
    table = Table.empty(baselined=True)
    for key in reviewer.keys[:100].tolist():
        node = int(np.flatnonzero(reviewer.keys == key)[0])
        table.row(key, int(np.diff(reviewer.trees.form.first)[node]))
    reviewer.refuse_misfits(table)
    reviewer.refuse_misfits(Table.empty(baselined=True))
    table = Table.empty(baselined=True)
    table.row(int(reviewer.keys[0]), 1)
    with pytest.raises(FileTrouble, match="another number of actions than in the game"):
        reviewer.refuse_misfits(table)


# ---- the directory of a checkpoint -----------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    """A run that was stopped."""
    run = ruse.new_run(tmp_path, KUHN, ruse.cfr(), rule="cfr", iterations=40)
    ruse.train(KUHN, ruse.cfr(), iterations=30, directory=run)
    run.result_path.unlink()
    return run


def manifest(run: RunDirectory) -> Path:
    return run.path / "checkpoints" / "00000030" / "manifest.json"


def resigned(text: Mapping[str, Any]) -> str:
    """A manifest with the checksum that belongs to it."""
    rest = {name: value for name, value in text.items() if name != "sha256"}
    return json.dumps(rest | {"sha256": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()})


@pytest.mark.parametrize(
    "change",
    [
        {"iteration": -3}, {"iteration": 1 << 70}, {"iteration": "30"}, {"iteration": 30.0}, {"iteration": 31},
        {"iteration": None}, {"state": []}, {"state": None}, {"files": []}, {"files": {"tables.safetensors": 3}},
        {"state": {}}, {"state": {"seconds": "x"}}, {"state": {"seconds": -1.0}}, {"state": {"seconds": 1e999}},
        {"state": {"seconds": None}}, {"state": {"seconds": 1.0, "start": 3}},
    ],
)  # fmt: skip
def test_forged_manifests_are_refused(run: RunDirectory, change: dict[str, Any]) -> None:
    before = run.metrics_path.read_bytes()
    manifest(run).write_text(resigned(json.loads(manifest(run).read_text()) | change))
    with pytest.raises(FileTrouble, match=r"no checkpoint in .* is whole|its checkpoint is not one of a training"):
        ruse.resume(run)
    assert run.metrics_path.read_bytes() == before


def test_rows_that_have_changed_places_are_the_checkpoints_fault(tmp_path: Path) -> None:
    """With checksums that fit. The strategy was blamed, which was made of it a moment ago."""
    run = ruse.new_run(tmp_path, LEDUC, ruse.mccfr(), iterations=2_000)
    ruse.train(LEDUC, ruse.mccfr(), iterations=2_000, directory=run)
    before = run.metrics_path.read_bytes()
    folder = max((run.path / "checkpoints").iterdir())
    header, arrays = tensors.read(folder / "tables.safetensors")
    forged = {name: np.array(array) for name, array in arrays.items()}
    width = forged["places"][:, 1] & 65535
    rows = [int(width.argmin()), int(width.argmax())]
    forged["places"][rows, 0] = forged["places"][rows[::-1], 0]
    tensors.write(folder / "tables.safetensors", forged, header)
    told = json.loads((folder / "manifest.json").read_text())
    told["files"]["tables.safetensors"] = hashlib.sha256((folder / "tables.safetensors").read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(resigned(told))
    with pytest.raises(FileTrouble, match=f"{NOT_ONE}: an infoset has another number of actions than in the game"):
        ruse.resume(RunDirectory.open(run.path), iterations=3_000)
    assert run.metrics_path.read_bytes() == before


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("seed = 0", 'seed = "x"', "the setting seed cannot be 'x'"),
        ("seed = 0", "", "its settings lack seed"),
        ("merging = true", "merging = 3", "the setting merging cannot be 3"),
        ("iterations = 40", "iterations = -1", "the setting iterations cannot be -1"),
        ("iterations = 40", "iterations = 40\nthreads = 1000000000", "the setting threads cannot be"),
        ("iterations = 40", 'iterations = 40\nprefer = "bet"', "the setting prefer cannot be"),
        ('rule = "cfr"', "rule = []", "the setting rule cannot be"),
        ('rule = "cfr"', f"rule = {'[' * 5000}", "is damaged"),
    ],
)
def test_forged_settings_are_refused(run: RunDirectory, before: str, after: str, words: str) -> None:
    file = run.path / "run.toml"
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    with pytest.raises(FileTrouble, match=words):
        ruse.resume(RunDirectory.open(run.path))


# ---- mutants ---------------------------------------------------------------------------------------------------------

MUTANTS = 300
NUMBERS = [b"-1", b"0", b"99999999999999999999", b"1e999", b"NaN", b'"x"', b"[]", b"{}", b"null", b"true"]


def mutants(whole: bytes, seed: int, count: int = MUTANTS) -> Iterator[bytes]:
    """The same bytes with some flipped, cut out, put in or swapped for what means something."""
    dice = random.Random(seed)
    for _ in range(count):
        data = bytearray(whole)
        for _ in range(dice.choice([1, 1, 1, 3])):
            place = dice.randrange(len(data))
            match dice.randrange(5):
                case 0:
                    data[place] ^= 1 << dice.randrange(8)
                case 1:
                    del data[place:]
                case 2:
                    del data[place : place + dice.randrange(1, 40)]
                case 3:
                    data[place:place] = dice.randbytes(dice.randrange(1, 40))
                case 4:
                    data[place : place + dice.randrange(1, 4)] = dice.choice(NUMBERS)
            if not data:
                break
        yield bytes(data)


def outcomes(path: Path, seed: int, use: Callable[[], Any]) -> list[Any]:
    """What comes of each mutant: whatever it is used for, or None if that is refused in one sentence."""
    whole, found, told = path.read_bytes(), [], []
    for data in mutants(whole, seed):
        path.write_bytes(data)
        try:
            found.append(use())
        except RuseError as trouble:
            found.append(None)
            told.append(str(trouble))
    path.write_bytes(whole)
    assert not any("\n" in sentence for sentence in told)
    return found


def strategy_file(path: Path, *, sealed: bool) -> float:
    strategy = ruse.train(KUHN, ruse.cfr(), iterations=100).strategy
    strategy.save(path)
    if not sealed:
        header, arrays = tensors.read(path)
        tensors.write(path, {name: np.array(array) for name, array in arrays.items()}, header)
    return float(exploitability(KUHN, strategy))


def test_mutants_of_strategies(tmp_path: Path) -> None:
    path = tmp_path / "a.strategy"
    whole = strategy_file(path, sealed=True)
    found = outcomes(path, 1, lambda: float(exploitability(KUHN, Strategy.load(path, game=KUHN))))
    assert {x for x in found if x is not None} <= {whole}
    assert found.count(None) > 0.9 * len(found)


def test_mutants_of_strategies_without_a_checksum(tmp_path: Path) -> None:
    path = tmp_path / "a.strategy"
    strategy_file(path, sealed=False)
    found = outcomes(path, 2, lambda: float(exploitability(KUHN, Strategy.load(path, game=KUHN))))
    assert all(0.0 <= x <= 2.0 for x in found if x is not None)


def test_forged_numbers_in_tables(saved: Arrays) -> None:
    """Any number of any array: the table is refused, or a walk through it is safe."""
    dice = random.Random(3)
    numbers = [0, 1, 2, 3, 7, 64, 2**16, 2**20, 2**31, 2**40, 2**47, 2**62, 2**63 - 1]
    refused = 0
    for _ in range(MUTANTS):
        arrays = {name: array.copy() for name, array in saved.items()}
        for _ in range(dice.choice([1, 1, 2])):
            array = arrays[dice.choice(["places", "rows", "sizes", "counters"])].reshape(-1)
            array[dice.randrange(len(array))] = dice.choice(numbers) * dice.choice([1, -1])
        engine = sampled()
        try:
            engine.restore(arrays)
        except FileTrouble:
            refused += 1
            continue
        try:
            engine.run(100, 5)
        except RuseError:  # counters that say what a walk would have said
            continue
    assert 0 < refused < MUTANTS


def test_mutants_of_checkpoints(run: RunDirectory) -> None:
    whole = ruse.resume(run, iterations=31).iterations  # a second one to fall back on
    (run.path / "checkpoints" / "00000031").rename(run.path / "aside")
    for seed, name in enumerate(("manifest.json", "tables.safetensors")):
        found = outcomes(run.path / "checkpoints" / "00000030" / name, 4 + seed, run.newest_checkpoint)
        assert all(x.iteration == 30 for x in found if x is not None)
        assert found.count(None) > 0.9 * len(found)
    assert whole == 31


def test_mutants_of_settings(run: RunDirectory) -> None:
    found = outcomes(run.path / "run.toml", 6, lambda: RunDirectory.open(run.path).summary())
    assert any(x is None for x in found)
    assert any(x is not None for x in found)


def test_mutants_of_metrics(run: RunDirectory, caplog: pytest.LogCaptureFixture) -> None:
    def use() -> int:
        run.summary()
        assert all(row["iteration"] >= 0 for row in run.metrics())
        return len(run.metrics())

    found = outcomes(run.metrics_path, 7, use)
    assert None not in found
    assert max(found) > 10
    run.metrics_path.write_bytes(b"\xff\n" + run.metrics_path.read_bytes() + b'{"iteration": 12}\n{"iter')
    assert ruse.resume(run).iterations == 40  # which leaves out what it cannot read


def test_mutants_of_results(run: RunDirectory) -> None:
    run.finish({"exploitability": 0.5, "curve": [1, 2, 3]})
    found = outcomes(run.result_path, 8, lambda: run.result)
    assert any(x is None for x in found)


HOLDERS = [record.Holder("you", is_person=True), record.Holder("random", is_person=False)]


def test_mutants_of_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    history = [0, 0, 0, 1, 1]
    record.append(path, record.events(KUHN, history, seed=7, number=0, holders=HOLDERS))

    def use() -> str:
        return "".join(str(step) for game in record.read_games(path) for step in steps_of(game))

    found = outcomes(path, 9, use)
    assert any(x is None for x in found)
    assert all(x.replace("\n", "").isprintable() for x in found if x is not None)


@pytest.mark.parametrize("payoffs", ["[1" + "0" * 4000 + ", 0]", "[true, 0]", "[null, 0]", '["1", 0]', "{}"])
def test_odd_payoffs_in_a_record(tmp_path: Path, payoffs: str) -> None:
    path = tmp_path / "games.jsonl"
    record.append(path, record.events(KUHN, [0, 0, 0, 1, 1], seed=7, number=0, holders=HOLDERS))
    text = path.read_text()
    path.write_text(text[: text.index('"payoffs"')] + f'"payoffs": {payoffs}, "everything": ""}}\n')
    with pytest.raises(FileTrouble, match="'payoffs' is missing or of the wrong kind"):
        list(record.read_games(path))
