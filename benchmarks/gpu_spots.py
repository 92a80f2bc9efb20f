"""Spots of Hold'em to 0.1 % of the pot on a graphics card, beside one thread of the processor in the same sitting.

`python benchmarks/gpu.py --spots` runs it where there is a card, and `python benchmarks/gpu_spots.py` tells without one
what the spots take there: memory, kernels, and bytes moved by an iteration.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np

from ruse.catalog.names import game, preset
from ruse.games.holdem.spots.rules import USUAL
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.cuda import Cuda
from ruse.solve.ranges.card.solving import Prepared, RangesOnCard, range_source
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.looks import Look, next_look
from ruse.spots.solving import engine_of
from ruse.words.amounts import in_bytes

EXAMPLES = Path(__file__).parent.parent / "examples" / "spots"
SPOTS = ("river", "turn", "flop")
TARGET, MOST = 0.001, 2000  # of the pot; iterations
MUST = {"turn": 10.0}  # times as fast as one thread
PEAK = 4.8e12  # bytes a second of an H200, as its maker tells


def spot(name: str) -> Any:
    return game(str(EXAMPLES / f"{name}.toml"))


def to_target(at_work: Any, gap: Any, target: float) -> list[Look]:
    """Run until the target is reached, looking when the processor's training would."""
    looks: list[Look] = []
    while not looks or (looks[-1].gap > target and looks[-1].iteration < MOST):
        done = looks[-1].iteration if looks else 0
        there = min(next_look(looks, target), MOST)
        at_work.run(done, there - done)
        looks.append(Look(there, gap()))
    return looks


def timed(at_work: Any, gap: Any, target: float) -> tuple[float, list[Look]]:
    began = time.perf_counter()
    looks = to_target(at_work, gap, target)
    return time.perf_counter() - began, looks


def check(engine: RangeEngine, prepared: Prepared) -> str:
    """What the card gets wrong in one iteration in 64 bits, in which nothing has been able to part yet."""
    on_card = RangesOnCard(Cuda(Card(), range_source()), prepared, np.dtype(np.float64))
    on_card.send(engine.saved())
    on_card.run(0, 1)
    engine.run(0, 1)
    ours = on_card.fetch()
    far = max(float(np.abs(ours[name] - t).max() / np.abs(t).max()) for name, t in engine.saved().items())
    return f"{far:.1e} off after an iteration" if far > 1e-9 else ""


def row(name: str, bandwidth: float) -> str:
    made, solver = spot(name), preset(USUAL["rule"])
    target = TARGET * made.stake
    exact = engine_of(made, solver, dtype=np.float64)
    prepared = Prepared.of(exact.plan, solver)
    if wrong := check(exact, prepared):
        return f"| {name} | the card does not compute what the processor does: {wrong} |"
    warm = engine_of(made, solver)
    warm.run(0, 1)
    warm.gap()  # both are compiled
    engine = engine_of(made, solver)
    here, looks = timed(engine, engine.gap, target)
    cells = [f"{here:.3g} s, {looks[-1].iteration}"]
    for precision in ("f32", "f64"):
        card = Card(precision)
        on_card = RangesOnCard(Cuda(card, range_source()), prepared, card.kind)
        on_card.send(engine_of(made, solver).saved())
        there, looks = timed(on_card, lambda on_card=on_card: float(on_card.exploitability()), target)
        needs = prepared.needs(card.kind)
        share = needs.moved * looks[-1].iteration / there / bandwidth
        told = f"{there:.3g} s, {looks[-1].iteration} | {here / there:.1f}x"
        if precision == "f32" and name in MUST:
            told += f" (must {MUST[name]:.0f}: {'met' if here / there >= MUST[name] else 'missed'})"
        cells.append(f"{told} | {in_bytes(needs.bytes)} | {in_bytes(needs.moved)}, {share:.0%}")
    return f"| {name} | {' | '.join(cells)} |"


HEAD = (
    "| spot | one thread, f32 | card, f32 | ratio | memory | bytes an iteration, of a copy's bandwidth | card, f64 | "
    "ratio | memory | bytes an iteration, of a copy's bandwidth |\n|---|---|---|---|---|---|---|---|---|---|"
)


def main(bandwidth: float, out: Path) -> None:
    """Measure all spots on the card, and write the page."""
    lines = [
        "# Spots of Hold'em on a graphics card", "",
        f"`python benchmarks/gpu.py --spots` on {Cuda(Card()).name}: to 0.1 % of the pot, one sitting.",
        "A time is until exploitability is that low, looking at it counted; behind it stand the iterations.",
        "", HEAD,
    ]  # fmt: skip
    for name in SPOTS:
        lines.append(row(name, bandwidth))
        print(lines[-1], flush=True)
    (out / "gpu-spots.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


def told() -> None:
    """What the spots take, which needs no card to be known; the time is an estimate from the bandwidth alone."""
    for name in SPOTS:
        solver = preset(USUAL["rule"])
        prepared = Prepared.of(engine_of(spot(name), solver).plan, solver)
        for precision in ("f64", "f32"):
            needs = prepared.needs(Card(precision).kind)
            print(
                f"| {name}, {precision} | {in_bytes(needs.bytes)} | {needs.launches} | {in_bytes(needs.moved)} | "
                f"{needs.moved / PEAK * 1e6:.3g} us |"
            )


if __name__ == "__main__":
    told()
