"""The slow and obvious twin of regret-based and best-response pruning: plain Python, every leaf on each iteration.

Nothing here skips anything to save time. An action (I, a) is a pair; what follows it is found by looking at the own
decisions that lead to an infoset. The terms by which it is pruned are written out from the papers, too.
"""

from collections import defaultdict
from typing import NamedTuple

import naive
from naive import Infoset, Node

from ruse.protocol.game import CHANCE, OVER

Action = tuple[Infoset, int]
Path = tuple[Action, ...]


class Terms(NamedTuple):
    """When an action is left out, and for how long: regret-based (2015), or by best responses (2017).

    All actions are reviewed when the iterations have grown by `growth`. One is left out if its allowance is likely to
    last for `patience` of the iterations until the next review, and is more than rounding.
    """

    by_best_response: bool
    is_fixed: bool = False  # theorem 1 of both papers; else open-ended, as in eq. 9 of 2017
    growth: float = 1.3
    patience: float = 0.1

    def next_review(self, t: int) -> int:
        return int(t * self.growth) + 1

    def lasts(self, allowance: float, spent: float, t: int) -> bool:
        return allowance - self.patience * (self.next_review(t) - t) * max(spent, 0.0) > 1e-9 * t

    def allowance(self, regret: float, total: float, best: float) -> float:
        """What the regret lacks to be positive: -R(I, a), or the sum of v_t(I) less T psi(I, a)."""
        return total - best if self.by_best_response else -regret

    def spent(self, arrived: float, value: float, highest: float, lowest: float, most: float) -> float:
        """By one iteration: the most that pi_-i(I) can be times U(I, a) - L(I), or pi_-i(I) U(I, a) - v_t(I)."""
        return most * (highest - lowest) if self.is_fixed else arrived * highest - value


class PrunedCfr:
    """CFR with alternating updates and a pruning, for two players."""

    def __init__(self, root: Node, terms: Terms, *, first: int) -> None:
        self.terms = terms
        self.actions = naive.infosets(root)
        self.above: dict[Infoset, Path] = {}  # the own actions that lead to an infoset
        self.arrivals: dict[Infoset, list[tuple[float, Path]]] = defaultdict(list)  # chance, and the opponent's actions
        self.leaves: list[tuple[float, list[float], tuple[Path, Path]]] = []  # chance, payoffs, both players' actions
        self.grow(root, 1.0, ((), ()))
        self.strategy = {infoset: [1 / n] * n for infoset, n in self.actions.items()}
        self.regret = {infoset: [0.0] * n for infoset, n in self.actions.items()}
        self.average = {infoset: [0.0] * n for infoset, n in self.actions.items()}
        self.total = dict.fromkeys(self.actions, 0.0)
        self.met = dict.fromkeys(self.actions, 0.0)
        self.allowance: dict[Action, float] = {}  # of the actions that are pruned
        self.kept: dict[Action, float] = {}  # their value until they were
        self.seen: dict[Action, list[float]] = {}  # what had been faced until then
        self.faced = [[0.0] * len(self.leaves) for _ in range(2)]  # [player, leaf] the sum of the opponent's reach
        self.review = terms.next_review(first)
        self.came_back = 0

    def grow(self, node: Node, chance: float, paths: tuple[Path, Path]) -> None:
        if node.player == OVER:
            self.leaves.append((chance, node.payoffs, paths))
        elif node.player == CHANCE:
            for p, child in zip(node.chances, node.children, strict=True):
                self.grow(child, chance * p, paths)
        else:
            me, infoset = node.player, node.infoset
            assert infoset is not None
            self.above[infoset] = paths[me]
            self.arrivals[infoset].append((chance, paths[1 - me]))
            for a, child in enumerate(node.children):
                longer = (*paths[me], (infoset, a))
                self.grow(child, chance, (longer, paths[1]) if me == 0 else (paths[0], longer))

    # ---- what can be asked -------------------------------------------------------------------------------------------

    def reach(self, path: Path) -> float:
        product = 1.0
        for infoset, a in path:
            product *= self.strategy[infoset][a]
        return product

    def is_below(self, infoset: Infoset, action: Action) -> bool:
        return action in self.above[infoset]

    def is_dead(self, infoset: Infoset) -> bool:
        return any(action in self.allowance for action in self.above[infoset])

    def own(self, player: int) -> list[Infoset]:
        """The player's infosets, those that come first in front."""
        return sorted((i for i in self.actions if i[0] == player), key=lambda i: len(self.above[i]))

    def payoffs_after(self, player: int, action: Action) -> list[float]:
        return [payoffs[player] for _, payoffs, paths in self.leaves if action in paths[player]]

    def spending(self, infoset: Infoset, a: int, arrived: float, value: float) -> float:
        everything = [u for b in range(self.actions[infoset]) for u in self.payoffs_after(infoset[0], (infoset, b))]
        most = min(1.0, sum(chance for chance, _ in self.arrivals[infoset]))
        highest = max(self.payoffs_after(infoset[0], (infoset, a)))
        return self.terms.spent(arrived, value, highest, min(everything), most)

    def values(self, player: int, weight: list[float], strategy: naive.Strategy | None) -> dict[Action, float]:
        """The value of each action, leaves being reached with this weight; without a strategy, of the best response."""
        value: dict[Action, float] = defaultdict(float)
        for w, (chance, payoffs, paths) in zip(weight, self.leaves, strict=True):
            if paths[player]:
                value[paths[player][-1]] += chance * payoffs[player] * w
        for infoset in reversed(self.own(player)):
            row = [value[infoset, a] for a in range(self.actions[infoset])]
            below = max(row) if strategy is None else sum(p * v for p, v in zip(strategy[infoset], row, strict=True))
            if self.above[infoset]:
                value[self.above[infoset][-1]] += below
        return value

    def best(self, player: int, action: Action) -> tuple[float, dict[Action, float]]:
        """What a pruned action would be worth now, and the best response after it since it was pruned."""
        gone = self.seen[action]
        value = self.values(player, [x - y for x, y in zip(self.faced[player], gone, strict=True)], None)
        return self.kept[action] + value[action], value

    # ---- an iteration ------------------------------------------------------------------------------------------------

    def run(self, iterations: int) -> "PrunedCfr":
        for t in range(1, iterations + 1):
            is_review = t >= self.review
            if is_review:
                self.review = self.terms.next_review(t)
            for player in range(2):
                self.update(player, t, is_review)
        return self

    def update(self, player: int, t: int, is_review: bool) -> None:
        weight = [self.reach(paths[1 - player]) for _, _, paths in self.leaves]
        self.faced[player] = [x + w for x, w in zip(self.faced[player], weight, strict=True)]
        value = self.values(player, weight, self.strategy)
        played = {i: self.reach(self.above[i]) for i in self.own(player)}
        before = {i: list(self.strategy[i]) for i in self.own(player)}
        for infoset in reversed(self.own(player)):
            arrived = sum(chance * self.reach(path) for chance, path in self.arrivals[infoset])
            if arrived > 0.0 and not self.is_dead(infoset):
                self.learn(infoset, t, arrived, value)
        if is_review:
            self.decide(player, t, self.own(player))
        for infoset in self.own(player):
            for a, p in enumerate(before[infoset]):
                self.average[infoset][a] += played[infoset] * p

    def learn(self, infoset: Infoset, t: int, arrived: float, value: dict[Action, float]) -> None:
        expected = sum(p * value[infoset, a] for a, p in enumerate(self.strategy[infoset]))
        self.total[infoset] += expected
        self.met[infoset] += arrived
        for a in range(self.actions[infoset]):
            action = infoset, a
            if action not in self.allowance:
                self.regret[infoset][a] += value[action] - expected
                continue
            self.allowance[action] -= self.spending(infoset, a, arrived, expected)
            if self.allowance[action] < 0.0:
                worth, below = self.best(infoset[0], action)
                if not self.keep_pruned(action, worth, t):
                    self.come_back(action, worth, below)
                    after = [i for i in self.own(infoset[0]) if self.is_below(i, action)]
                    self.decide(infoset[0], t, after)
        self.strategy[infoset] = self.matched(infoset)

    def matched(self, infoset: Infoset) -> list[float]:
        """Regret matching among the actions that are not pruned."""
        row = [None if (infoset, a) in self.allowance else max(r, 0.0) for a, r in enumerate(self.regret[infoset])]
        total, playable = sum(r or 0.0 for r in row), sum(r is not None for r in row)
        return [0.0 if r is None else r / total if total > 0 else 1 / playable for r in row]

    def keep_pruned(self, action: Action, worth: float, t: int) -> bool:
        infoset, a = action
        total = self.total[infoset]
        allowance = self.terms.allowance(worth - total, total, worth)
        spent = self.spending(infoset, a, self.met[infoset] / t, total / t)
        if self.terms.lasts(allowance, spent, t):
            self.allowance[action] = allowance
            return True
        return False

    def decide(self, player: int, t: int, infosets: list[Infoset]) -> None:
        """Look at all actions of these infosets, those that come first in front."""
        psi = self.values(player, self.faced[player], None)
        for infoset in infosets:
            if self.is_dead(infoset):
                continue
            has_more = False
            for a in range(self.actions[infoset]):
                action, total = (infoset, a), self.total[infoset]
                if action in self.allowance:
                    worth, below = self.best(player, action)
                    if not self.keep_pruned(action, worth, t):
                        self.come_back(action, worth, below)
                        has_more = True
                    continue
                regret = self.regret[infoset][a]
                allowance = self.terms.allowance(regret, total, psi[action])
                spent = self.spending(infoset, a, self.met[infoset] / t, total / t)
                playable = sum((infoset, b) not in self.allowance for b in range(self.actions[infoset]))
                if self.terms.lasts(allowance, spent, t) and regret < 0.0 and playable > 1:
                    self.put_aside(action, allowance)
            if has_more:
                self.strategy[infoset] = self.matched(infoset)
            row = [0.0 if (infoset, a) in self.allowance else p for a, p in enumerate(self.strategy[infoset])]
            self.strategy[infoset] = [p / sum(row) for p in row]

    def put_aside(self, action: Action, allowance: float) -> None:
        infoset, a = action
        for other in [other for other in self.allowance if self.is_below(other[0], action)]:
            if not self.terms.by_best_response:
                self.come_back(other, *self.best(infoset[0], other))
            else:
                del self.allowance[other]
        below = [i for i in self.actions if self.is_below(i, action)]
        if not self.terms.by_best_response:
            self.kept[action] = self.regret[infoset][a] + self.total[infoset]
            self.seen[action] = list(self.faced[infoset[0]])
        else:
            self.kept[action], self.seen[action] = 0.0, [0.0] * len(self.leaves)
            for i in below:
                self.regret[i], self.total[i] = [0.0] * self.actions[i], 0.0
        for i in below:
            self.strategy[i] = [0.0] * self.actions[i]
        self.allowance[action] = allowance

    def come_back(self, action: Action, worth: float, value: dict[Action, float]) -> None:
        infoset, a = action
        del self.allowance[action]
        self.came_back += 1
        self.regret[infoset][a] = worth - self.total[infoset]
        for i in (i for i in self.actions if self.is_below(i, action)):
            row = [value[i, b] for b in range(self.actions[i])]
            self.total[i] += max(row)
            self.regret[i] = [r + v - max(row) for r, v in zip(self.regret[i], row, strict=True)]
            if not self.terms.by_best_response:
                self.strategy[i] = self.matched(i)
            else:
                self.strategy[i] = [float(b == row.index(max(row))) for b in range(len(row))]
