"""Any other rule at a node: hand by hand, by the minimizer that the other engines use. Slower, and for all of them."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.solve.solver.rules import Weights


@compiled("match_hand")
class PlainByHand(NamedTuple):
    """A minimizer as it is."""

    minimizer: Any

    def match_hand(self, n, h, others, regret, value, expected, sigma, count, weights):
        self.minimizer.match(regret, value, expected, sigma, 0, count, weights)


@compiled("match_hand")
class LeaningByHand(NamedTuple):
    """A minimizer with preferences at some nodes and hands; as `prefer.rows.PreferredRows`."""

    minimizer: Any  # of hands that prefer nothing
    form: Any  # of those that do
    place: np.ndarray  # [node of the forest] where the numbers of its hands start, -1 if none of them prefers
    number: np.ndarray  # [place + hand] which preferred infoset it is, -1 for none
    start: np.ndarray  # [infoset] where its deltas start
    delta: np.ndarray
    beta: np.ndarray  # [infoset]

    def match_hand(self, n, h, others, regret, value, expected, sigma, count, weights):
        number = self.number[self.place[n] + h] if self.place[n] >= 0 else -1
        if number < 0:
            self.minimizer.match(regret, value, expected, sigma, 0, count, weights)
            return
        expected += self.beta[number] * others  # the price of a visit, as if more had been expected
        self.form.match_preferred(regret, value, expected, sigma, 0, count, weights, self.delta, self.start[number])


@compiled("settle")
class OneByOne(NamedTuple):
    """A rule for each hand."""

    rule: Any
    regret: np.ndarray
    weights: Weights
    plays: np.ndarray  # the strategy
    then: np.ndarray  # the next one; the same table if nothing waits
    visited: np.ndarray  # [node of the forest] the place of the reach of chance and the other, -1 where nobody asks
    buffer: np.ndarray  # [3, action] regret, values and strategy of one hand

    def settle(self, value, at, below, edge, row, width, actions, n):
        regret, values, sigma = self.buffer[0], self.buffer[1], self.buffer[2]
        for h in range(width):
            total = 0.0
            for a in range(actions):
                regret[a] = self.regret[row + a * width + h]
                values[a] = value[below[edge + a] + h]
                sigma[a] = max(np.float64(self.plays[row + a * width + h]), 0.0)
                total += sigma[a]
            expected = 0.0
            for a in range(actions):
                sigma[a] = sigma[a] / total if total > 0.0 else 1.0 / actions
                expected += sigma[a] * values[a]
            others = np.float64(value[self.visited[n] + h]) if self.visited[n] >= 0 else 0.0
            self.rule.match_hand(n, h, others, regret, values, expected, sigma, actions, self.weights)
            for a in range(actions):
                self.regret[row + a * width + h] = regret[a]
                self.then[row + a * width + h] = sigma[a]
            value[at + h] = expected
