"""The full-width engine on a graphics card beside the same on one thread of the processor, in one sitting.

    python benchmarks/gpu.py            all games; writes docs/benchmarks/gpu.md and gpu.json
    python benchmarks/gpu.py --quick    two small games, and writes nothing
    python benchmarks/gpu.py --games leduc "liars_dice:sides=8"
    python benchmarks/gpu.py --spots    the three spots of Hold'em to 0.1 % of the pot alone; writes gpu-spots.md

First the card has to compute what the processor does; nothing is measured if it does not. A game that does not fit into
the machine's memory, or into the card's, is left out with the reason.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import gpu_spots
import numpy as np
import peers
from rich.console import Console

import ruse
from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.cuda import Cuda
from ruse.solve.gpu.device import Device
from ruse.solve.gpu.size import CardSize
from ruse.solve.gpu.solving import OnCard
from ruse.solve.gpu.strips import Strips
from ruse.tree.expanded import Expanded
from ruse.tree.sequence_form import SequenceForm
from ruse.words.amounts import in_bytes

CHECKED = ("kuhn", "kuhn:players=3", "kuhn:players=4", "leduc", "goofspiel", "liars_dice")
# From what a card is too large for, by way of 10 million leaves (dice=2,sides=4) and 100 million (sides=10), to the
# largest that 128 GiB of the host can expand.
GAMES = (
    "leduc", "liars_dice", "goofspiel:cards=6", "liars_dice:sides=8", "liars_dice:dice=2,sides=4", "goofspiel:cards=7",
    "liars_dice:sides=10", "liars_dice:dice=2,sides=5",
)  # fmt: skip
QUICK = ("leduc", "goofspiel:cards=5")
MUST = ((100e6, 80.0), (10e6, 30.0))  # leaves, and how many times faster than the processor
COMPARED = 100  # iterations after which f32 and f64 are compared
OUT = Path(__file__).parent.parent / "docs" / "benchmarks"
Open = Callable[[Card], Device]


class Measured(NamedTuple):
    """One game, on both."""

    game: str
    leaves: int  # of the game
    merged: int  # of the merged form, counted for each player
    nodes: int
    expansion: float  # seconds, of the host
    sending: float  # seconds: laying out, copying, capturing
    bytes: int
    launches: int
    processor: float  # iterations a second
    card: float
    card_f32: float
    moved: int  # bytes an iteration, in f64
    bandwidth: float  # bytes a second that a copy on the card reaches
    loss: tuple[float, float]  # exploitability after some iterations in f64 and in f32

    @property
    def ratio(self) -> float:
        return self.card / self.processor

    @property
    def share(self) -> float:
        """Of the bandwidth of a copy."""
        return self.moved * self.card / self.bandwidth

    @property
    def must(self) -> float | None:
        return next((ratio for leaves, ratio in MUST if self.leaves >= leaves), None)


# ---- right first -----------------------------------------------------------------------------------------------------


def check(open_device: Open, games: tuple[str, ...] = CHECKED) -> list[str]:
    """What the card gets wrong: nothing, or a line for each."""
    wrong = []
    for name in games:
        form = Expanded.of(ruse.game(name)).merged
        for rule, preset in ruse.PRESETS.items():
            if rule == "mccfr":
                continue
            for alternating in (True, False):
                solver, what = preset(alternating=alternating), f"{name}, {rule}, alternating={alternating}"
                tables = Tables.start(form)
                first, again = (placed(open_device(Card()), form, solver) for _ in range(2))
                for each in (first, again):
                    each.run(0, 10, 10)
                iterate(solver, form, tables, 0, 10, 10)
                if (far := distance(first.fetch(), tables)) > 1e-9:
                    wrong.append(f"{what}: {far:.1e} off after 10 iterations")
                other = again.fetch()
                if any(table.tobytes() != other[kind].tobytes() for kind, table in first.fetch().items()):
                    wrong.append(f"{what}: two runs differ")
        for rule in ("cfr", "dcfr", "pdcfr_plus") if len(form.value) < 1e5 else ():
            solver, tables = ruse.PRESETS[rule](), Tables.start(form)
            on_card = placed(open_device(Card()), form, solver)
            on_card.run(0, 1_000, 1_000)
            iterate(solver, form, tables, 0, 1_000, 1_000)
            ours = float(on_card.exploitability())
            theirs = float(exploitability_of(form, average_strategy(form, tables)))
            if not abs(ours - theirs) <= 0.1 * theirs:
                wrong.append(f"{name}, {rule}: exploitability {ours:.4g}, not {theirs:.4g}, after 1,000")
    return wrong


def placed(device: Device, form: SequenceForm, solver: Any, card: Card = Card()) -> OnCard:  # noqa: B008
    on_card = OnCard(device, form, solver, card.kind)
    on_card.send(Tables.start(form))
    return on_card


def distance(ours: dict[str, np.ndarray], tables: Tables) -> float:
    """The largest difference, as a share of the largest number of its table."""
    theirs = tables.saved()
    return max(float(np.abs(ours[name] - theirs[name]).max() / np.abs(theirs[name]).max()) for name in theirs)


# ---- then fast -------------------------------------------------------------------------------------------------------


def measure(name: str, open_device: Open, bandwidth: float, seconds: float) -> Measured:
    solver = ruse.dcfr()
    began = time.perf_counter()
    expanded = Expanded.of(ruse.game(name))
    form = expanded.merged
    expansion = time.perf_counter() - began
    tables = Tables.start(form)
    iterate(solver, form, tables, 0, 1, 0)  # the first call loads the kernel
    processor = rate(lambda n: iterate(solver, form, tables, 1, n, 0), seconds)
    rates, loss, sending, size = [], [], 0.0, CardSize.of(form, Card())
    for card in (Card("f64"), Card("f32")):
        device = open_device(card)
        CardSize.of(form, card).within(device.free(), device.name)
        began = time.perf_counter()
        on_card = placed(device, form, solver, card)
        sending = sending or time.perf_counter() - began
        on_card.run(0, COMPARED, 0)
        loss.append(float(on_card.exploitability()))
        rates.append(rate(lambda n, on_card=on_card: on_card.run(COMPARED, n, 0), seconds))
        del on_card
    return Measured(
        name, int(expanded.size.leaves), len(form.value), len(form.parent), expansion, sending, size.bytes,
        size.launches, processor, rates[0], rates[1], bytes_moved(form), bandwidth, (loss[0], loss[1]),
    )  # fmt: skip


def rate(run: Callable[[int], None], seconds: float) -> float:
    """Iterations a second, the best of three windows of about so many seconds."""
    count, took = 1, 0.0
    while took < seconds / 10:
        count *= 2
        took = peers.seconds_of(partial(run, count))
    count = max(1, round(count * seconds / took))
    return count / peers.seconds_of(partial(run, count), best_of=3)


def bytes_moved(form: SequenceForm) -> int:
    """By one iteration in f64, each number counted once each time that a kernel needs it, from memory or a cache."""
    strips, sequences, nodes, others = Strips.of(form), form.num_sequences, len(form.parent), form.players - 1
    leaves = strips.entries * (8 + others * (4 + 8))
    strip = len(strips.strip_at) * (4 + 8)
    up = sequences * (4 + 8 + 4 + 8 + 8 + 8 + 8 + 16 + 16 + 8) + nodes * (4 + 4 + 8 + 8 + 8)
    down = sequences * (4 + 8 + 8 + 16 + 8 + 8)
    return leaves + strip + up + down


def bandwidth_of(card: Card) -> float:
    """Bytes a second that a copy from the card's memory to itself moves, both ways."""
    device = Cuda(card)
    cupy, count = device.cupy, 1 << 27
    with device.at_work() as stream:
        one, other = cupy.zeros(count), cupy.empty(count)

        def copy() -> None:
            for _ in range(20):
                cupy.copyto(other, one)
            stream.synchronize()

        copy()
        return float(20 * 2 * 8 * count / peers.seconds_of(copy, best_of=3))


# ---- what is told ----------------------------------------------------------------------------------------------------


def line(row: Measured) -> str:
    must = "" if row.must is None else f" (must {row.must:.0f}: {'met' if row.ratio >= row.must else 'missed'})"
    return (
        f"| `{row.game}` | {row.leaves:,} | {row.nodes:,} | {row.expansion:.1f} s | {in_bytes(row.bytes)} | "
        f"{row.processor:,.3g} | {row.card:,.3g} | {row.ratio:.1f}x{must} | {row.card_f32:,.3g} | "
        f"{in_bytes(row.moved)}, {row.share:.0%} | {row.loss[0]:.3g}, {row.loss[1]:.3g} |"
    )


HEAD = (
    "| game | leaves | nodes, merged | expanding and merging | on the card | processor, it/s | card, it/s | ratio | "
    "f32, it/s | bytes an iteration, of a copy's bandwidth | exploitability after 100 in f64, in f32 |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)


def page(rows: list[Measured], left_out: list[str], machine: str) -> str:
    lines = [
        "# The full-width engine on a graphics card", "",
        f"`python benchmarks/gpu.py` on {machine}: dcfr, the processor in one thread, both in one sitting. The card",
        "had computed what the processor computes before anything was measured.", "", HEAD, *map(line, rows), "",
        *left_out, "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two small games, short windows; writes nothing")
    parser.add_argument("--games", nargs="+", help="these games; writes nothing")
    parser.add_argument("--spots", action="store_true", help="spots of Hold'em alone")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each window")
    asked = parser.parse_args()
    console = Console()
    try:
        bandwidth = bandwidth_of(Card())
        name = Cuda(Card()).name
    except RuseError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    if asked.spots or not (asked.quick or asked.games):
        gpu_spots.main(bandwidth, OUT)
    if asked.spots:
        return
    console.print("does the card compute what the processor does?")
    if wrong := check(Cuda, CHECKED[:4] if asked.quick else CHECKED):
        sys.exit("\n".join(["no:", *wrong]))
    console.print("yes")
    rows, left_out = [], []
    for game in asked.games or (QUICK if asked.quick else GAMES):
        try:
            rows.append(measure(game, Cuda, bandwidth, 0.3 if asked.quick else asked.seconds))
            print(line(rows[-1]), flush=True)
        except RuseError as error:
            left_out.append(f"`{game}` is left out: {error}")
            print(left_out[-1], flush=True)
    machine = f"{name}, {platform.processor() or platform.machine()}"
    told = page(rows, left_out, machine)
    if asked.quick or asked.games:
        print(told)
        return
    (OUT / "gpu.md").write_text(told, encoding="utf-8")
    (OUT / "gpu.json").write_text(json.dumps([row._asdict() for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
