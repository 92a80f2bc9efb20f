"""The card's kernels for ranges compute what the processor's range engine does: the shipped ranges.cu."""

import re
import shutil
import subprocess
from pathlib import Path

import card_spots as spots
import numpy as np
import pytest
from card_stand_in import library, needs_compiler

import ruse
from ruse.errors import RuseError
from ruse.solve.gpu.card import Card, cards
from ruse.solve.gpu.cuda import OPTIONS, Cuda
from ruse.solve.gpu.world import LATER
from ruse.solve.ranges.card.solving import FIELDS, Prepared, RangesOnCard, range_source
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.rules import FADING

RULES = [name for name in PRESETS if name not in ("mccfr", "hedge", "cfvfp")]
QUICK = ("dcfr", "pdcfr_plus")
FOUND, WHY = cards()
NVCC = shutil.which("nvcc")


def some(name: str) -> object:
    return name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)


@needs_compiler
@pytest.mark.parametrize("preset", [some(name) for name in RULES])
@pytest.mark.parametrize("case", ["river", "rake", "turn", pytest.param("flop", marks=pytest.mark.slow)])
def test_ten_iterations(case: str, preset: str) -> None:
    """In turns and at once; so few hands are added up in the processor's order, and have its bits."""
    for alternating in (True, False):
        solver = PRESETS[preset](alternating=alternating)
        on_card, engine = spots.pair(spots.SPOTS[case], solver, spots.stand_in())
        on_card.run(0, 10)
        engine.run(0, 10)
        spots.assert_same(on_card, engine, 1e-9)
        ours, theirs = on_card.exploitability(), engine.exploitability()
        assert ours.values == pytest.approx(theirs.values, rel=1e-9)
        assert ours.best == pytest.approx(theirs.best, rel=1e-9)


@needs_compiler
def test_a_flop() -> None:
    """Two deals, boards that stand for others, once."""
    on_card, engine = spots.pair(spots.SPOTS["flop"], ruse.dcfr(), spots.stand_in())
    assert max(len(board.exchanges) for board in engine.plan.boards) > 1
    on_card.run(0, 3)
    engine.run(0, 3)
    spots.assert_same(on_card, engine, 1e-9)
    assert float(on_card.exploitability()) == pytest.approx(float(engine.exploitability()), rel=1e-9)


@needs_compiler
def test_many_hands_after_two_hundred() -> None:
    """Their sums are added up in pieces, so iterates part; the strategies are as good."""
    on_card, engine = spots.pair(spots.WIDE, ruse.dcfr(), spots.stand_in())
    assert engine.plan.field.boards.hands.min() > 64
    on_card.run(0, 200)
    engine.run(0, 200)
    ours, theirs = on_card.exploitability(), engine.exploitability()
    assert float(ours) == pytest.approx(float(theirs), rel=0.1)
    assert ours.values == pytest.approx(theirs.values, abs=1e-3)


@needs_compiler
def test_one_pass_of_many_hands() -> None:
    on_card, engine = spots.pair(spots.WIDE, ruse.cfr(), spots.stand_in())
    on_card.run(0, 1)
    engine.run(0, 1)
    spots.assert_same(on_card, engine, 1e-12)


@needs_compiler
def test_f32_is_as_good_as_f64() -> None:
    """Sums are added up in 64 bits; the processor adds up in 32, and is a little behind then."""
    on_card, engine = spots.pair(spots.WIDE, ruse.dcfr(), spots.stand_in(Card("f32")), np.float32)
    _, exact = spots.pair(spots.WIDE, ruse.dcfr(), spots.stand_in())
    on_card.run(0, 200)
    exact.run(0, 200)
    assert float(on_card.exploitability()) == pytest.approx(float(exact.exploitability()), rel=0.1)
    engine.restore(on_card.fetch())
    assert float(engine.exploitability()) == pytest.approx(float(on_card.exploitability()), rel=0.1)


@needs_compiler
@pytest.mark.parametrize("case", ["rake", "turn"])
def test_blocks_and_threads_may_run_in_any_order(case: str) -> None:
    plain, *shuffled = (
        spots.pair(spots.SPOTS[case], ruse.dcfr(), spots.stand_in(shuffled=seed))[0] for seed in (None, 1)
    )
    plain.run(0, 3)
    for other in shuffled:
        other.run(0, 3)
        for name, table in plain.fetch().items():
            assert other.fetch()[name].tobytes() == table.tobytes()
        assert other.exploitability() == plain.exploitability()


@needs_compiler
def test_pieces_give_the_same_bits() -> None:
    """In two goes by way of a checkpoint, as on the processor."""
    solver = ruse.dcfr()
    (whole, _), (first, _), (second, _) = (spots.pair(spots.SPOTS["river"], solver, spots.stand_in()) for _ in range(3))
    whole.run(0, 50)
    first.run(0, 20)
    second.send(first.fetch())
    second.run(20, 30)
    for name, table in whole.fetch().items():
        assert second.fetch()[name].tobytes() == table.tobytes()


@needs_compiler
def test_weights_tell_what_is_averaged_next() -> None:
    on_card, _ = spots.pair(spots.SPOTS["river"], ruse.dcfr(), spots.stand_in())
    weights, more = on_card.weights(4, 7, 7), on_card.weights(4, 7, 4 + LATER)
    assert weights[0, 5] == weights[1, FADING]
    assert weights[2, 5:].tolist() == [1.0, 0.0]
    assert more[2, 6] == 1.0
    assert more[2, 5] == on_card.weights(7, 8, 9)[0, FADING]


def prepared(preset: str, case: str = "river") -> Prepared:
    solver = PRESETS[preset]()
    return Prepared.of(spots.engine_of(ruse.game(spots.SPOTS[case]), solver).plan, solver)  # type: ignore[arg-type]


@needs_compiler
@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize(("preset", "case"), [("dcfr", "turn"), ("pdcfr_plus", "river")])
def test_what_is_needed_is_what_is_held(preset: str, case: str, precision: str) -> None:
    card = Card(precision)
    device, ready = spots.stand_in(card), prepared(preset, case)
    RangesOnCard(device, ready, card.kind)
    assert ready.needs(card.kind).bytes == device.held
    assert ready.needs(card.kind).moved > 3 * ready.plan.size * card.kind.itemsize
    with pytest.raises(RuseError, match=r"^this spot needs .* on it, where 1000 B are free; use gpu:precision"):
        ready.needs(card.kind).within(1_000, "it")


@pytest.mark.parametrize("preset", ["hedge", "cfvfp"])
def test_other_rules_are_refused(preset: str) -> None:
    with pytest.raises(RuseError, match=r"^a card solves spots by regret matching, and .* is another rule; use dcfr"):
        prepared(preset)


@needs_compiler
def test_the_world_is_the_same_on_both_sides() -> None:
    struct = re.search(r"struct World \{(.*?)\n\};", range_source(), re.DOTALL)
    assert struct is not None
    declared = re.sub(r"//.*", "", struct[1]).replace("\n", " ").split(";")
    fields = [name.split()[-1].lstrip("*") for line in declared if line.strip() for name in line.split(",")]
    assert tuple(fields) == FIELDS
    assert library("double", range_source()).size_of_world() == 8 * len(FIELDS)


@pytest.mark.skipif(NVCC is None, reason="there is no nvcc here")
@pytest.mark.parametrize("number", ["double", "float"])
@pytest.mark.slow
def test_the_compiler_takes_the_kernels(number: str, tmp_path: Path) -> None:
    """To the code of a card, without one; no product and sum become one step."""
    source, out = tmp_path / "ranges.cu", tmp_path / "ranges.ptx"
    source.write_text(range_source(), encoding="utf-8")
    words = [str(NVCC), *OPTIONS, f"-DNUMBER={number}", "-Werror", "all-warnings", "-arch=sm_80", "-ptx"]
    subprocess.run([*words, "-o", str(out), str(source)], check=True, timeout=300)
    kernels = dict(text.split("(", 1) for text in out.read_text(encoding="utf-8").split(".entry ")[1:])
    assert len(kernels) == 13
    assert not [name for name, text in kernels.items() if re.search(r"fma\.rn\.f(32|64)", text.replace("div", ""))]


@pytest.mark.card
@pytest.mark.skipif(not FOUND, reason=WHY)
@pytest.mark.parametrize("case", spots.SPOTS)
def test_spots_on_a_card(case: str) -> None:
    solver = ruse.dcfr()
    on_card, engine = spots.pair(spots.SPOTS[case], solver, Cuda(Card(), range_source()))
    assert isinstance(engine, RangeEngine)
    on_card.run(0, 10)
    engine.run(0, 10)
    spots.assert_same(on_card, engine, 1e-9)
    assert float(on_card.exploitability()) == pytest.approx(float(engine.exploitability()), rel=1e-9)
