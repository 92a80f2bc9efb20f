"""What is solved on a card and on the processor, to be compared."""

from collections.abc import Callable
from typing import Any

import numpy as np
from forgetful_views import CardAlone, NoCardLater, SecondRoundAlone
from random_games import random_game

import ruse
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.protocol.game import Game
from ruse.protocol.view import View
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.device import Device
from ruse.solve.gpu.solving import OnCard
from ruse.solve.prefer.favour import Best, Most, Times, Weighted
from ruse.solve.solver.prefer import Prefer, preferring
from ruse.solve.solver.presets import PRESETS, Solver
from ruse.solve.solver.rules import Hedge
from ruse.solve.solver.walks import FullWidth
from ruse.tree.expanded import Expanded
from ruse.tree.sequence_form import SequenceForm

Open = Callable[[Card], Device]
NAMES = ("regret", "average", "sigma")
FULL_WIDTH = [name for name, preset in PRESETS.items() if isinstance(preset().walk, FullWidth)]
BOTH = (True, False)  # alternating or not
F64 = np.dtype(np.float64)
SMALL: dict[str, tuple[Game, View | None]] = {
    "kuhn": (Kuhn(), None),
    "kuhn_3": (Kuhn(players=3), None),
    "kuhn_4": (Kuhn(players=4), None),
    "leduc": (Leduc(), None),
    "kuhn_card_alone": (Kuhn(), CardAlone(2)),
    "kuhn_3_no_card_later": (Kuhn(players=3), NoCardLater(3)),
    "leduc_second_round_alone": (Leduc(ranks=2), SecondRoundAlone()),
}
TREES = 50


def random_trees() -> list[Game]:
    """Of two players and of three, whose payoffs cancel or do not."""
    return [random_game(seed, players=2 + seed % 2, zero_sum=seed % 4 < 2) for seed in range(TREES)]


def preferring_solvers() -> dict[str, Solver]:
    """Every form of preferences, free and at a price."""
    free, dear = ("raise or bet: delta=5",), ("raise or bet: delta=5, beta=0.05", "call, player 1: delta=2, beta=0.1")
    cfr, plus, rules = ruse.cfr(), PRESETS["pdcfr_plus"](), preferring(list(dear))
    assert rules is not None

    def of(solver: Solver, form: Any) -> Solver:
        return solver._replace(prefer=Prefer(rules.rules, form))

    return {
        "cfr": cfr._replace(prefer=preferring(list(free))),
        "cfr_price": cfr._replace(prefer=rules),
        "pdcfr_plus_price": plus._replace(prefer=rules),
        "cfvfp": PRESETS["cfvfp"]()._replace(prefer=preferring(list(free))),
        "hedge": PRESETS["hedge"]()._replace(prefer=preferring(list(free))),
        "weighted": of(cfr, Weighted(0.5)),
        "best_as_printed": of(cfr, Best(power=0.0)),
        "best_most": of(cfr, Best(fallback=Most())),
        "best_power": of(cfr, Best(power=0.5)),
        "times_hedge": of(cfr, Times(Hedge(0.5))),
    }


def both(device: Device, form: SequenceForm, solver: Solver, iterations: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tables after so many iterations, on the device and on the processor."""
    tables, on_card = Tables.start(form), placed(device, form, solver)
    on_card.run(0, iterations, iterations)
    iterate(solver, form, tables, 0, iterations, iterations)
    return on_card.fetch(), tables.saved()


def placed(device: Device, form: SequenceForm, solver: Solver, number: np.dtype = F64) -> OnCard:
    on_card = OnCard(device, form, solver, number)
    on_card.send(Tables.start(form))
    return on_card


def assert_same(ours: dict[str, Any], theirs: dict[str, Any], tolerance: float, what: str) -> None:
    """Each number differs by no more than that share of the largest in its table."""
    for name in NAMES:
        largest = float(np.abs(theirs[name]).max())
        np.testing.assert_allclose(ours[name], theirs[name], rtol=0, atol=tolerance * largest, err_msg=f"{what} {name}")


def assert_same_bits(ours: dict[str, Any], theirs: dict[str, Any], what: str) -> None:
    for name in NAMES:
        assert ours[name].tobytes() == theirs[name].tobytes(), f"{what} {name}"


def judged(form: SequenceForm, solver: Solver, iterations: int) -> Exploitability:
    """By the processor."""
    tables = Tables.start(form)
    iterate(solver, form, tables, 0, iterations, iterations)
    return exploitability_of(form, average_strategy(form, tables))


def judged_on(device: Device, form: SequenceForm, solver: Solver, iterations: int) -> Exploitability:
    on_card = placed(device, form, solver)
    on_card.run(0, iterations, iterations)
    return on_card.exploitability()


def form_of(game: Game, view: View | None = None) -> SequenceForm:
    return Expanded.of(game, view).merged
