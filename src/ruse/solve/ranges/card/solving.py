"""A spot at work on a card: tables go there and come back, and iterations and judging are done there.

The processor's `RangeEngine` holds the plan, and is asked everything but iterations and exploitability.
"""

from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.solve.gpu.device import Device, Held
from ruse.solve.gpu.solving import fill_weights
from ruse.solve.gpu.world import LATER
from ruse.solve.ranges.card.launches import Items, Passes
from ruse.solve.ranges.card.layout import NONE, SCRATCH, Layout
from ruse.solve.ranges.plans.plan import RangePlan
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING
from ruse.solve.solver.traits import minimizer_traits
from ruse.words.amounts import in_bytes

Array = NDArray[Any]
WEIGHTS = 7  # as in ranges.cu
# The fields of `World` in ranges.cu, in order.
FIELDS = (
    "stride", "item_node", "item_place", "end_item", "end_place", "player", "actions", "table_row", "value_row",
    "reach_row", "edge", "value_below", "reach_below", "deal", "root", "root_block", "nodes", "value_base",
    "reach_base",
    "rows", "length", "pair_board", "pair_above", "pair_of", "pairs", "hands", "width", "lift", "below", "board_below",
    "stretch",
    "origin_at", "origin", "inverse_at", "inverse", "boards", "lifts", "end_reach", "end_showdown", "end_fold",
    "showdown_pays", "house_pays", "fold_pays", "removal_at", "high", "low", "same", "place", "list_start", "listed",
    "reach", "value", "regret", "average", "plays", "then", "weights", "entries", "is_ahead", "prediction", "schedule",
    "clock",
)  # fmt: skip


def range_source() -> str:
    """The kernels, in CUDA C."""
    return resources.files("ruse.solve.ranges.card").joinpath("ranges.cu").read_text(encoding="utf-8")


def unfit(solver: Solver) -> str:
    """Why a solver's rule is not in the kernels; nothing if it is."""
    traits = minimizer_traits(solver.minimizer)
    if solver.prefer is not None:
        return "a card solves spots without preferences; leave prefer out, or use on='cpu'"
    if not traits.matches_regret or traits.form != "weighted":
        return f"a card solves spots by regret matching, and {solver.name} is another rule; use dcfr, or on='cpu'"
    return ""


class Needs(NamedTuple):
    """What a spot takes on a card, told before anything is sent."""

    bytes: int
    launches: int
    moved: int  # bytes an iteration reads and writes, each row counted each time that a kernel needs it

    def within(self, free: int, name: str) -> "Needs":
        if self.bytes > free:
            raise RuseError(
                f"this spot needs {in_bytes(self.bytes)} on {name}, where {in_bytes(free)} are free; "
                "use gpu:precision=f32, which takes about half, or on='cpu'"
            )
        return self

    def told(self, name: str) -> str:
        return f"on {name}: {in_bytes(self.bytes)}, {self.launches} kernels an iteration"


class Prepared(NamedTuple):
    """A plan laid out for a card, and all that is launched."""

    plan: RangePlan
    solver: Solver
    layout: Layout
    passes: Passes

    @classmethod
    def of(cls, plan: RangePlan, solver: Solver) -> "Prepared":
        if why := unfit(solver):
            raise RuseError(why)
        layout = Layout.of(plan)
        return cls(plan, solver, layout, Passes(Items.of(plan, layout), plan.scratch.width, plan.size))

    @property
    def is_ahead(self) -> bool:
        """Whether the strategy has a table of its own, as in `RangeEngine._rule`."""
        return minimizer_traits(self.solver.minimizer).predicts or not self.solver.alternating

    def needs(self, number: np.dtype[Any]) -> Needs:
        items = self.passes.items
        arrays = sum(part.nbytes for part in self.layout.parts.values() if isinstance(part, np.ndarray))
        arrays += sum(each.nbytes for each in items[:4])
        tables = 2 + self.is_ahead + (not self.solver.alternating)
        numbers = sum(self.layout.sizes[name] for name in SCRATCH) + tables * self.plan.size + self.plan.weights.size
        launches = len(self.passes.iteration(alternating=self.solver.alternating))
        fixed = (LATER * WEIGHTS + 1 + len(FIELDS)) * 8
        return Needs(arrays + numbers * number.itemsize + fixed, launches, self.moved(number))

    def moved(self, number: np.dtype[Any]) -> int:
        """By one iteration, in which each decision is passed twice: by its owner, and by the other."""
        forest, pairs, ends = self.plan.forest, self.layout.pairs, self.layout.ends
        where, local = self.plan.field.boards, self.layout.local

        def on_boards(times: Array | int) -> Array:
            """[block] the length of a row on all its boards together."""
            return np.bincount(pairs.block, weights=pairs.length * times, minlength=len(forest.block) - 1)

        row = on_boards(1)[local.block_of]  # [node]
        lifted = on_boards(np.diff(where.lift)[pairs.board])[local.block_of]
        # Down: reach, strategy, the average twice, and reach below. Up: the strategy, if it has a table, which is
        # written, too; regret twice; values below twice; and the node's own.
        rows = row[forest.actions > 0].sum() * 3 + (forest.actions * row).sum() * (8 + 2 * self.is_ahead)
        is_end = (ends.showdown != NONE).astype(int) + (ends.fold != NONE)
        rows += (on_boards(1)[ends.block] * (1 + is_end)).sum()
        roots = np.isin(np.arange(len(row)), self.layout.parts["root"])
        rows += 4 * row[roots].sum() + 2 * lifted[roots].sum() + 2 * row[self.layout.deals].sum()
        # Of each hand at an end its cards, three entries of lists and six places; between streets where it was.
        tables = 22 * on_boards(1)[ends.block].sum() + 2 * 2 * row[roots].sum() + 2 * 4 * lifted[roots].sum()
        return int(rows * number.itemsize + tables)


def word(part: Any) -> np.uint64:
    """What stands for a number, or an address, in the struct."""
    return np.float64(part).view(np.uint64) if isinstance(part, float) else np.uint64(part)


class RangesOnCard:
    """A spot on a device, with a solver that matches regret."""

    def __init__(self, device: Device, prepared: Prepared, number: np.dtype[Any], planned: int = 0) -> None:
        self.plan, self.solver, self.number, self.planned = prepared.plan, prepared.solver, number, planned
        plan, layout, passes, solver = prepared.plan, prepared.layout, prepared.passes, prepared.solver
        prediction = float(getattr(solver.minimizer, "prediction", 0.0))
        sizes = dict(layout.sizes)
        arrays: dict[str, Any] = layout.parts | {
            "stride": plan.scratch.width, "item_node": passes.items.node, "item_place": passes.items.place,
            "end_item": passes.items.end, "end_place": passes.items.end_place, "weights": plan.weights.astype(number),
            "entries": plan.size, "is_ahead": int(prepared.is_ahead), "prediction": prediction,
            "schedule": np.zeros((LATER, WEIGHTS)), "clock": np.zeros(1, np.uint64),
        }  # fmt: skip
        same = {"plays": "plays" if prepared.is_ahead else "regret"}
        same["then"] = same["plays"] if solver.alternating else "then"
        self.held: dict[str, Held] = {
            name: device.hold(part) for name, part in arrays.items() if isinstance(part, np.ndarray)
        }
        for name in {*SCRATCH, "regret", "average", *same.values()}:
            self.held[name] = device.hold(np.zeros(sizes[name], number))
        self.tables = [name for name in ("regret", "average", "plays") if same.get(name, name) == name]
        self.held |= {name: self.held[there] for name, there in same.items()}
        addresses = {name: held.address for name, held in self.held.items()}
        self.world = device.hold(np.array([word(addresses.get(name, arrays.get(name))) for name in FIELDS]))
        self.iteration = device.program(passes.iteration(alternating=solver.alternating), self.world)
        self.averaging = device.program(passes.averaging(), self.world)
        self.judging = {
            (p, up): device.program(passes.judging(p, up), self.world)
            for p in range(2) for up in ("follow_average", "respond")
        }  # fmt: skip

    def send(self, saved: dict[str, Array]) -> None:
        """What a checkpoint holds."""
        for name in self.tables:
            self.held[name].write(saved[name].astype(self.number))
        if self.held["then"] is not self.held["plays"]:
            self.held["then"].write(saved["plays"].astype(self.number))

    def fetch(self) -> dict[str, Array]:
        return {name: self.held[name].read(0, self.plan.size) for name in self.tables}

    def run(self, done: int, iterations: int) -> None:
        """Run iterations done+1 .. done+iterations; see `passes/iterations.py` for what is averaged when."""
        last = done + iterations
        for begin in range(done, last, LATER):
            end = min(begin + LATER, last)
            self.held["schedule"].write(self.weights(begin, end, last))
            self.held["clock"].write(np.zeros(1, np.uint64))
            if begin == done and self.solver.alternating:
                self.averaging.run(1)
            self.iteration.run(end - begin)

    def weights(self, begin: int, end: int, last: int) -> Array:
        """The weights of iterations begin+1 .. end, with those of the one after each."""
        own = np.empty((end - begin + 1, 5))
        fill_weights(self.solver.weighting, begin, self.planned, own)
        found = np.ones((end - begin, WEIGHTS))
        found[:, :5], found[:, 5] = own[:-1], own[1:, FADING]
        if end == last:  # what would be played next is averaged when it is played
            found[-1, 5:] = 1.0, 0.0
        return found

    def root_values(self, player: int, up: str) -> Array:
        self.judging[player, up].run(1)
        width = self.plan.scratch.width
        length = int(self.plan.field.boards.width[:, 0].max())
        found = np.zeros(width)
        found[:length] = self.held["value"].read(0, length)
        return found

    def worth(self, player: int, up: str) -> float:
        return float(self.root_values(player, up) @ self.plan.weights[player]) / self.plan.pairs

    def exploitability(self) -> Exploitability:
        """Of the average strategy, as `RangeEngine.exploitability`."""
        total = self.plan.payoff_sum
        values = [self.worth(0, "follow_average")]
        values.append(self.worth(1, "follow_average") if total is None else total - values[0])
        return Exploitability(values, [self.worth(p, "respond") for p in range(2)])
