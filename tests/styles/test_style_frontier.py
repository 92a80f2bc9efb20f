"""What a cap buys, judged by a linear program written apart from ours: from the states of the game and SciPy alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.styles.styled import MET

scipy_optimize = pytest.importorskip("scipy.optimize")
sparse = pytest.importorskip("scipy.sparse")

Meant = Callable[[str, bool], bool]  # whether an action is meant, by its name and whether the decision is the first


class Judge:
    """All plans of one player of a game against an opponent, as rows and columns of a linear program."""

    def __init__(self, game: ruse.Game, player: int, opponent: Strategy, meant: Meant) -> None:
        self.player, self.opponent, self.meant = player, opponent, meant
        self.own: dict[tuple[Any, ...], int] = {(): 0}  # a player's infosets and actions so far -> column
        self.other: dict[tuple[Any, ...], int] = {(): 0}
        self.parents: list[dict[int, tuple[int, list[int]]]] = [
            {},
            {},
        ]  # [side] infoset -> sequence before, and its own
        self.payoffs: dict[tuple[int, int], float] = {}
        self.done: dict[int, float] = {}
        self.possible: dict[int, float] = {}
        self.walk(State.of(game), 1.0, 1.0, (), ())

    def walk(self, state: State, chance: float, led: float, own: tuple[Any, ...], other: tuple[Any, ...]) -> None:
        """`led` is how often the opponent's strategy leads there."""
        if state.is_over:
            cell = self.own[own], self.other[other]
            self.payoffs[cell] = self.payoffs.get(cell, 0.0) + chance * state.payoffs[self.player]
            return
        if state.is_chance:
            for share, child in zip(state.chances, state.children(), strict=True):
                self.walk(child, chance * share, led, own, other)
            return
        is_own = state.player == self.player
        table, path = (self.own, own) if is_own else (self.other, other)
        longer = [(*path, state.infoset, a) for a in range(len(state.actions))]
        columns = [table.setdefault(sequence, len(table)) for sequence in longer]
        self.parents[0 if is_own else 1][state.infoset] = table[path], columns
        shares = np.ones(len(columns)) if is_own else list(self.opponent.at(state).actions.values())
        wanted = [is_own and self.meant(name, not own) for name in state.actions]
        for k, child in enumerate(state.children()):
            if any(wanted):
                self.possible[columns[k]] = self.possible.get(columns[k], 0.0) + chance * led
            if wanted[k]:
                self.done[columns[k]] = self.done.get(columns[k], 0.0) + chance * led
            if is_own:
                self.walk(child, chance, led, longer[k], other)
            else:
                self.walk(child, chance, led * shares[k], own, longer[k])

    def solve(self, objective: Any, unit: Any, loss: tuple[float, float] | None) -> Any:
        """Over (y, v, t): the plan times t, the values of the opponent's infosets, and t; what `unit` takes is 1."""
        plans, answers = len(self.own), len(self.parents[1]) + 1
        below = np.zeros((len(self.other), plans + answers + 1))
        below[0, plans] = 1.0  # the opponent's empty sequence: v of the start
        for k, (parent, columns) in enumerate(self.parents[1].values(), start=1):
            below[parent, plans + k] -= 1.0
            below[columns, plans + k] += 1.0
        for (mine, theirs), payoff in self.payoffs.items():
            below[theirs, mine] -= payoff
        lines = [below]
        if loss is not None:  # v of the start is at least the value less the loss, times t
            lines.append(row_of({plans: -1.0, -1: loss[0] - loss[1]}, plans + answers + 1)[None])
        equal = [row_of({0: 1.0, -1: -1.0}, plans + answers + 1)]
        for parent, columns in self.parents[0].values():
            equal.append(row_of({parent: -1.0} | dict.fromkeys(columns, 1.0), plans + answers + 1))
        full = [np.zeros(plans + answers + 1) for _ in range(2)]
        for filled, given in zip(full, (objective, unit), strict=True):
            for column, x in given.items():
                filled[column] = x
        result = scipy_optimize.linprog(
            full[0], A_ub=sparse.csr_matrix(np.concatenate(lines)), b_ub=np.zeros(sum(map(len, lines))),
            A_eq=sparse.csr_matrix(np.stack([*equal, full[1]])), b_eq=np.append(np.zeros(len(equal)), 1.0),
            bounds=[(0, None)] * plans + [(None, None)] * answers + [(0, None)], method="highs",
        )  # fmt: skip
        assert result.status == 0, result.message
        return result

    def value(self) -> float:
        """What the player can be sure of."""
        return -float(self.solve({len(self.own): -1.0}, {-1: 1.0}, None).fun)

    def range(self, cap: float) -> tuple[float, float]:
        """The lowest and the highest share of what is possible, among plans that lose at most the cap."""
        loss = self.value(), cap
        ends = [self.solve({c: sign * x for c, x in self.done.items()}, self.possible, loss).fun for sign in (1, -1)]
        return float(ends[0]), -float(ends[1])


def row_of(entries: dict[int, float], width: int) -> Any:
    row = np.zeros(width)
    for column, x in entries.items():
        row[column] += x
    return row


class Case(NamedTuple):
    """A target, and what it means in the judge's words."""

    game: ruse.Game
    metric: str
    player: int
    action: str
    first: bool
    target: float
    caps: tuple[float, ...]

    def meant(self, name: str, is_first: bool) -> bool:
        return name.split()[0] == self.action and (is_first or not self.first)


KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()
CASES = [
    Case(KUHN, "bet, player 0, first", 0, "bet", True, 0.95, (0.005, 0.05)),
    Case(KUHN, "bet, player 1", 1, "bet", False, 0.9, (0.02, 0.1)),
    Case(KUHN, "pass, player 1", 1, "pass", False, 1.0, (0.03,)),
    Case(LEDUC, "raise, player 1, first", 1, "raise", True, 0.3, (0.004, 0.02)),
    Case(LEDUC, "call, player 0", 0, "call", False, 0.9, (0.02,)),
    pytest.param(Case(LEDUC, "call, player 0", 0, "call", False, 0.9, (0.1, 0.3)), marks=pytest.mark.slow),
    pytest.param(Case(LEDUC, "fold, player 1", 1, "fold", False, 0.05, (0.01, 0.05)), marks=pytest.mark.slow),
    pytest.param(Case(LEDUC, "raise, player 0, first", 0, "raise", True, 1.0, (0.02, 0.08)), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game.__class__.__name__}: {case.metric}")
def test_the_nearest_that_the_cap_allows_is_given(case: Case, tmp_path: Path) -> None:
    for cap in case.caps:
        found = ruse.style(case.game, f"{case.metric} = {case.target}", max_exploitability=cap, iterations=1_000)
        judge = Judge(case.game, case.player, found.strategy, case.meant)
        value = judge.value()
        low, high = judge.range(cap)
        nearest = min(max(case.target, low), high)
        assert low - 1e-6 <= found.plain.value <= high + 1e-6
        assert found.is_met == (abs(found.chosen.value - case.target) <= MET)
        if not found.is_met:
            assert found.chosen.value == pytest.approx(nearest, abs=1e-3)
            assert abs(nearest - case.target) > MET - 1e-3
            nearer = f"no strategy of player {case.player} is nearer than {found.chosen.value:.3f} while player"
            assert f"not to be had for {cap:g}: {nearer} {1 - case.player} plays a plain solve." in found.why
        found.strategy.save(tmp_path / "style.strategy")
        saved = Strategy.load(tmp_path / "style.strategy")
        assert ruse.metric(case.game, case.metric).of(saved) == pytest.approx(found.chosen.value, abs=1e-9)
        measured = ruse.exploitability(case.game, saved)
        assert measured <= cap
        assert measured.best[1 - case.player] + value <= cap + 1e-9  # of its player alone: the payoffs cancel


def test_the_other_player_takes_nothing_of_the_cap() -> None:
    """A plain solve that had no time to converge loses more than the cap; a converged one plays the other seat."""
    found = ruse.style(LEDUC, "raise, player 1, first = 0.3", solver=ruse.hs_dcfr(), iterations=20, solves=4)
    assert found.plain.exploitability > 0.1
    judge = Judge(LEDUC, 1, found.strategy, lambda name, is_first: is_first and name == "raise")
    assert found.is_nearest
    assert found.chosen.value == pytest.approx(judge.range(0.02)[0], abs=1e-3)
    measured = ruse.exploitability(LEDUC, found.strategy)
    assert measured.best[0] + judge.value() == pytest.approx(0.02, abs=1e-5)  # all that the player may lose
    assert measured.best[1] - judge.value() == pytest.approx(0.0, abs=1e-5)
