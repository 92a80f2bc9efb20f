"""The slow twin of Preference-CFR: the tax, the forms and the words of rules, in plain Python over dictionaries."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import naive

from ruse.compile.hashing import mix
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.solve.solver.prefer import Preference


class Wish(NamedTuple):
    """What is preferred at one infoset."""

    delta: list[float]
    beta: float


Wishes = dict[naive.Infoset, Wish]


def wishes(game: Game, rules: Sequence[Preference]) -> Wishes:
    """Ask every history for its words."""
    found: Wishes = {}

    def walk(state: State, decided: frozenset[int]) -> None:
        player = state.player
        if player >= 0:
            infoset = (player, mix(state.infoset, player))
            for rule in rules:
                wanted = rule.wanted
                names = [name.lower().split() for name in state.actions]
                words = [word.split() for word in wanted.action.split(" or ")]
                meant = [any(name[: len(w)] == w for w in words) for name in names]
                here = not (wanted.is_first and player in decided)
                told = f" {state.describe(player).replace(',', '')} "
                here = here and all(f" {said} " in told for said in wanted.said)
                if here and wanted.player in (None, player) and any(meant):
                    delta, beta = found.get(infoset, Wish([1.0] * len(names), 0.0))
                    delta = [max(d, rule.delta) if m else d for d, m in zip(delta, meant, strict=True)]
                    found[infoset] = Wish(delta, max(beta, rule.beta))
        for child in state.children():
            walk(child, decided | {player})

    walk(State.of(game), frozenset())
    return found


Choose = Callable[[naive.Row, naive.Row, list[float]], naive.Row]  # regret, the rule's weights, delta: strategy


def shares(delta: list[float]) -> list[float]:
    """The fallback: in proportion to delta - 1, uniform where all are 1."""
    wanted = [d - 1 for d in delta]
    return [w / sum(wanted) if sum(wanted) > 0 else 1 / len(delta) for w in wanted]


def weighted(regret: naive.Row, weights: naive.Row, delta: list[float]) -> naive.Row:
    """Equation 13, and its like for rules that weigh regret in another way."""
    products = [d * w for d, w in zip(delta, weights, strict=True)]
    return [p / sum(products) for p in products] if sum(products) > 0 else shares(delta)


def best(power: float, fallback: Callable[[list[float]], list[float]] = shares) -> Choose:
    """Equations 14 (power 1) and 16 (power 0)."""

    def choose(regret: naive.Row, weights: naive.Row, delta: list[float]) -> naive.Row:
        if max(regret) <= 0:
            return fallback(delta)
        products = [d**power * r for d, r in zip(delta, regret, strict=True)]
        return [float(a == products.index(max(products))) for a in range(len(delta))]

    return choose


def most(delta: list[float]) -> list[float]:
    return [float(a == delta.index(max(delta))) for a in range(len(delta))]


def best_regret(R: naive.Row, r: naive.Row, v: naive.Row, t: int, progress: float) -> tuple[naive.Row, naive.Row]:
    """CFVFP on regrets instead of values, which delta multiplies."""
    new = [x + y for x, y in zip(R, r, strict=True)]
    return new, [float(a == new.index(max(new))) for a in range(len(new))]


RULES = naive.RULES | {"cfvfp": naive.Rule(best_regret)}


class PreferenceCfr(naive.Cfr):
    """CFR with any rule, preferences at some infosets and a form for these."""

    def __init__(
        self, root: naive.Node, players: int, rule: naive.Rule, wanted: Wishes, choose: Choose = weighted, *,
        alternating: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(root, players, rule, alternating=alternating)
        self.wanted, self.choose = wanted, choose

    def learn(self, infoset: naive.Infoset, r: naive.Row, v: naive.Row, t: int, progress: float) -> None:
        if infoset not in self.wanted:
            super().learn(infoset, r, v, t, progress)
            return
        delta, beta = self.wanted[infoset]
        taxed = [x - beta * self.others[infoset] for x in r]
        self.regret[infoset], weights = self.rule.update(self.regret[infoset], taxed, v, t, progress)
        self.strategy[infoset] = self.choose(self.regret[infoset], weights, delta)
