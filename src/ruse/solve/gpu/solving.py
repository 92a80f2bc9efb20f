"""A game at work on a card: tables go there and come back, and iterations and judging are done there."""

import numpy as np

from ruse.compile import kernel
from ruse.evaluate.best_response import Exploitability
from ruse.solve.full.engine import Tables
from ruse.solve.gpu.device import Device, Held
from ruse.solve.gpu.plan import Launches
from ruse.solve.gpu.strips import Strips
from ruse.solve.gpu.world import LATER, Part, world_of
from ruse.solve.solver.presets import Solver
from ruse.tree.sequence_form import SequenceForm

SAVED = ("regret", "average", "sigma")  # of Tables


class OnCard:
    """A sequence form in levels on a device, with a solver that has its preferences as a minimizer."""

    def __init__(self, device: Device, form: SequenceForm, solver: Solver, number: np.dtype) -> None:
        self.form, self.solver, self.number = form, solver, number
        strips = Strips.of(form)
        world = world_of(form, strips, number, solver.minimizer)
        self.strip_start, self.strips = strips.strip_start, int(strips.strip_start[-1])
        self.held: dict[str, Held] = {
            name: device.hold(part) for name, part in world._asdict().items() if isinstance(part, np.ndarray)
        }
        self.world = device.hold(np.array([self._word(name, part) for name, part in world._asdict().items()]))
        plan = Launches.of(form, strips, alternating=solver.alternating)
        self.launches = len(plan.iteration)
        self.iteration, self.judging = (device.program(launches, self.world) for launches in plan)

    def _word(self, name: str, part: Part) -> np.uint64:
        """What stands for a part in the struct: an address, a number, or nothing."""
        if isinstance(part, float):
            return np.float64(part).view(np.uint64)
        return np.uint64(self.held[name].address if isinstance(part, np.ndarray) else part or 0)

    def send(self, tables: Tables) -> None:
        self.held["average"].write(tables.average)
        for name in ("regret", "sigma", "reach"):
            self.held[name].write(getattr(tables, name).astype(self.number))

    def fetch(self) -> dict[str, np.ndarray]:
        """What a checkpoint holds, in the processor's kind of numbers."""
        return {name: self.held[name].read(0, self.form.num_sequences).astype(np.float64) for name in SAVED}

    def run(self, done: int, iterations: int, planned: int) -> None:
        """Run iterations done+1 .. done+iterations; `planned` is their total, 0 if it is open."""
        for begin in range(done, done + iterations, LATER):
            end = min(begin + LATER, done + iterations)
            self.held["schedule"].write(self.weights(begin, end, planned))
            self.held["clock"].write(np.zeros(1, np.uint64))
            self.iteration.run(end - begin)

    def weights(self, done: int, end: int, planned: int) -> np.ndarray:
        """The weights of iterations done+1 .. end."""
        weights = np.empty((end - done, 5))
        fill_weights(self.solver.weighting, done, planned, weights)
        return weights

    def exploitability(self) -> Exploitability:
        """Of the average strategy."""
        self.judging.run(1)
        values: list[float] = []
        best: list[float] = []
        for p in range(self.form.players):
            begin, end = self.strip_start[p : p + 2].tolist()
            leaves = self.held["strip"].read(begin, end)
            start, stop = self._roots(p)
            for name, found in (("worth", values), ("best", best)):
                worth = self.form.copies[start:stop] * self.held[name].read(start, stop)
                found.append(float(np.cumsum([*leaves, 0.0, *worth[::-1]], dtype=np.float64)[-1]))  # one by one
        return Exploitability(values, best)

    def _roots(self, player: int) -> tuple[int, int]:
        """The player's first decisions, which are the first of the player's nodes."""
        start, end = (int(node) for node in self.form.node_start[player : player + 2])
        return start, start + int(np.count_nonzero(self.form.parent[start:end] == player))


@kernel
def fill_weights(weighting, done, planned, weights):
    """Compiled like the processor's, so that powers have the same bits, and none of a rule's is an error here alone."""
    for n in range(len(weights)):
        t = done + n + 1
        found = weighting.weights(t, t / planned if planned > 0 else 0.0)
        for k in range(weights.shape[1]):
            weights[n, k] = found[k]
