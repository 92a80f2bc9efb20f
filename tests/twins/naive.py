"""The slow and obvious twins of the solvers: plain Python, recursion, dictionaries keyed by (player, infoset).

Nothing here uses a kernel, a sequence form or a rule of the package: a game is asked through `State`, and the update
rules are written anew from their formulas. All of it works for any number of players and any payoffs.
"""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.game import RULES as METHODS
from ruse.protocol.state import State
from ruse.protocol.view import View

Infoset = tuple[int, int]  # player, and what the player knows
Strategy = dict[Infoset, list[float]]


class Node(NamedTuple):
    """A history, with all that follows it."""

    player: int  # or CHANCE or OVER
    infoset: Infoset | None
    own: tuple[object, ...]  # the mover's own infosets and actions so far
    chances: list[float]
    payoffs: list[float]
    children: list["Node"]


def tree(game: Game, view: View | None = None) -> Node:
    """The whole game, asked state by state."""
    return grow(State.of(game), view, tuple(() for _ in range(game.players)))


def grow(state: State, view: View | None, own: tuple[tuple[object, ...], ...]) -> Node:
    player = state.player
    if player == OVER:
        return Node(player, None, (), [], state.payoffs, [])
    if player == CHANCE:
        return Node(player, None, (), state.chances, [], [grow(child, view, own) for child in state.children()])
    knows = mix(state.infoset, player) if view is None else int(view.key(state.game, state.row))
    infoset, children = (player, knows), []
    for a, child in enumerate(state.children()):
        longer = [*own]
        longer[player] = (*own[player], infoset, a)
        children.append(grow(child, view, tuple(longer)))
    return Node(player, infoset, own[player], [], [], children)


def infosets(root: Node) -> dict[Infoset, int]:
    """Every infoset with its number of actions."""
    found: dict[Infoset, int] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.infoset is not None:
            assert found.setdefault(node.infoset, len(node.children)) == len(node.children)
    return found


def key_of(infoset: Infoset) -> int:
    """The 64-bit key by which the package's tables know the infoset."""
    return infoset[1] & 0xFFFFFFFFFFFFFFFF


def uniform_strategy(root: Node) -> Strategy:
    return {infoset: [1 / n] * n for infoset, n in infosets(root).items()}


def random_strategy(root: Node, seed: int) -> Strategy:
    """Any probabilities, some of them zero."""
    draw = random.Random(seed)
    strategy = {}
    for infoset, n in infosets(root).items():
        weights = [draw.choice([0.0, draw.random(), draw.random()]) for _ in range(n)]
        weights[draw.randrange(n)] += 0.1
        strategy[infoset] = [w / sum(weights) for w in weights]
    return strategy


# ---- values ----------------------------------------------------------------------------------------------------------


def expected_value(node: Node, strategy: Strategy, player: int) -> float:
    """What the player gets from here on when all follow the strategy."""
    if node.player == OVER:
        return node.payoffs[player]
    probabilities = node.chances if node.infoset is None else strategy[node.infoset]
    return sum(
        p * expected_value(child, strategy, player) for p, child in zip(probabilities, node.children, strict=True)
    )


def best_response_value(root: Node, strategy: Strategy, player: int) -> float:
    """What the player gets with the best answer to the others' strategies; players must recall all they knew."""
    members: dict[Infoset, list[tuple[Node, float]]] = defaultdict(list)  # with the reach of all others and of chance

    def collect(node: Node, reach: float) -> None:
        if node.player == player:
            assert node.infoset is not None
            members[node.infoset].append((node, reach))
        for a, child in enumerate(node.children):
            if node.player == CHANCE:
                collect(child, reach * node.chances[a])
            else:
                collect(child, reach if node.player == player else reach * strategy[node.infoset][a])

    best: dict[Infoset, int] = {}

    def answer(infoset: Infoset) -> int:
        if infoset not in best:
            nodes = members[infoset]
            actions = range(len(nodes[0][0].children))
            best[infoset] = max(actions, key=lambda a: sum(reach * value(node.children[a]) for node, reach in nodes))
        return best[infoset]

    def value(node: Node) -> float:
        if node.player == OVER:
            return node.payoffs[player]
        if node.player == player:
            return value(node.children[answer(node.infoset)])
        probabilities = node.chances if node.infoset is None else strategy[node.infoset]
        return sum(p * value(child) for p, child in zip(probabilities, node.children, strict=True))

    collect(root, 1.0)
    return value(root)


def gains(root: Node, strategy: Strategy, players: int) -> list[float]:
    """What each player could gain by deviating alone."""
    return [best_response_value(root, strategy, p) - expected_value(root, strategy, p) for p in range(players)]


def nash_conv(root: Node, strategy: Strategy, players: int) -> float:
    return sum(gains(root, strategy, players))


# ---- size ------------------------------------------------------------------------------------------------------------


class Counts(NamedTuple):
    """How large a game is."""

    histories: int
    leaves: int
    infosets: int
    sequences: int  # actions of all infosets, and one empty sequence for each player
    depth: int


def count(root: Node, players: int) -> Counts:
    def histories(node: Node) -> int:
        return 1 + sum(map(histories, node.children))

    def leaves(node: Node) -> int:
        return sum(map(leaves, node.children)) if node.children else 1

    def depth(node: Node) -> int:
        return 1 + max(map(depth, node.children)) if node.children else 0

    actions = infosets(root)
    return Counts(histories(root), leaves(root), len(actions), sum(actions.values()) + players, depth(root))


# ---- counterfactual regret minimization ------------------------------------------------------------------------------


Row = list[float]


class Rule(NamedTuple):
    """One of the CFR family: what iteration t of n does to a row, and how fast the average fades."""

    update: Callable[[Row, Row, Row, int, float], tuple[Row, Row]]  # regret, its news, values, t, t/n: regret, weights
    gamma: Callable[[float], float] = lambda progress: 0.0
    accumulates_values: bool = False  # its rows are sums of values, not of regrets


def positive(row: Row) -> Row:
    return [max(x, 0.0) for x in row]


def share(n: int, exponent: float, offset: float = 1.0) -> float:
    """n^e / (n^e + c), what is kept of regret that has seen n iterations; there is none to keep at first."""
    return n**exponent / (n**exponent + offset) if n > 0 else 0.0


def regret_matching(update: Callable[[float, float, int, float], float], gamma: Callable[[float], float]) -> Rule:
    """A rule that changes each regret by itself and plays in proportion to what is positive."""

    def both(R: Row, r: Row, v: Row, t: int, progress: float) -> tuple[Row, Row]:
        new = [update(x, y, t, progress) for x, y in zip(R, r, strict=True)]
        return new, positive(new)

    return Rule(both, gamma)


def predictive(
    update: Callable[[float, float, int], float], gamma: Callable[[float], float], ahead: Callable[[int], float]
) -> Rule:
    """A rule that expects this iteration's regret to come again; `ahead` is how old regret will be discounted then."""

    def both(R: Row, r: Row, v: Row, t: int, progress: float) -> tuple[Row, Row]:
        new = [update(x, y, t) for x, y in zip(R, r, strict=True)]
        return new, positive([x * ahead(t) + y for x, y in zip(new, r, strict=True)])

    return Rule(both, gamma)


def constant(x: float) -> Callable[[float], float]:
    return lambda progress: x


def discounted(alpha: float, beta: float) -> Callable[[float, float, int, float], float]:
    return lambda R, r, t, progress: R * share(t - 1, alpha if R > 0 else beta) + r


def scheduled(R: float, r: float, t: int, progress: float) -> float:
    return R * share(t - 1, 1 + 3 * progress if R > 0 else -1 - 2 * progress) + r


def best_value(Q: Row, r: Row, v: Row, t: int, progress: float) -> tuple[Row, Row]:
    new = [x + y for x, y in zip(Q, v, strict=True)]
    return new, [1.0 if a == new.index(max(new)) else 0.0 for a in range(len(new))]


def exponential(eta: float) -> Rule:
    def both(R: Row, r: Row, v: Row, t: int, progress: float) -> tuple[Row, Row]:
        new = [x + y for x, y in zip(R, r, strict=True)]
        return new, [math.exp(eta * (x - max(new))) for x in new]

    return Rule(both)


def dcfr(alpha: float, beta: float, gamma: float) -> Rule:
    return regret_matching(discounted(alpha, beta), constant(gamma))


RULES: dict[str, Rule] = {  # by the names and with the defaults of the package's presets
    "cfr": regret_matching(lambda R, r, t, _: R + r, constant(0)),
    "cfr_plus": regret_matching(lambda R, r, t, _: max(R + r, 0.0), constant(1)),
    "lcfr": regret_matching(lambda R, r, t, _: R * (t - 1) / t + r, constant(1)),
    "dcfr": dcfr(1.5, 0.0, 2.0),
    "pcfr_plus": predictive(lambda R, r, t: max(R + r, 0.0), constant(2), ahead=lambda t: 1.0),
    "dcfr_plus": regret_matching(lambda R, r, t, _: max(R * share(t - 1, 1.5, 1.5) + r, 0.0), constant(4)),
    "pdcfr_plus": predictive(
        lambda R, r, t: max(R * share(t - 1, 2.3) + r, 0.0), constant(5), ahead=lambda t: share(t, 2.3)
    ),
    "hs_dcfr": regret_matching(scheduled, lambda progress: 30 - 5 * progress),
    "hs_pcfr_plus": predictive(
        lambda R, r, t: max(R + r, 0.0), lambda progress: 30 - 5 * progress, ahead=lambda t: 1.0
    ),
    "cfvfp": Rule(best_value, accumulates_values=True),
    "hedge": exponential(1.0),
}


class Cfr:
    """CFR with any rule. `regret`, `strategy` and `average` are what the engine's tables must hold."""

    def __init__(self, root: Node, players: int, rule: Rule, *, alternating: bool = True) -> None:
        self.root, self.players, self.rule, self.alternating = root, players, rule, alternating
        self.strategy = uniform_strategy(root)
        self.regret = {infoset: [0.0] * len(row) for infoset, row in self.strategy.items()}
        self.average = {infoset: [0.0] * len(row) for infoset, row in self.strategy.items()}

    def run(self, iterations: int, *, done: int = 0, planned: int = 0) -> "Cfr":
        """Iterations done+1 .. done+iterations; `planned` is their total, 0 if it is open."""
        for t in range(done + 1, done + iterations + 1):
            progress = t / planned if planned else 0.0
            everyone = range(self.players)
            for updated in [[p] for p in everyone] if self.alternating else [everyone]:
                self.update(updated, t, progress)
        return self

    def update(self, updated: Sequence[int], t: int, progress: float) -> None:
        """One walk through the tree, then new regrets, averages and strategies for the players in `updated`."""
        self.values: dict[Infoset, Row] = defaultdict(list)
        self.expected: dict[Infoset, float] = defaultdict(float)
        self.others: dict[Infoset, float] = defaultdict(float)
        self.reached: dict[Infoset, dict[tuple[object, ...], float]] = defaultdict(dict)
        self.walk(self.root, [1.0] * self.players, 1.0)
        fading = ((t - 1) / t) ** self.rule.gamma(progress)
        for infoset, sigma in list(self.strategy.items()):
            if infoset[0] not in updated:
                continue
            # Nodes of an infoset that follow the same own actions are one decision, so their reach counts once. With
            # perfect recall that is all of them.
            reach = sum(self.reached[infoset].values())
            self.average[infoset] = [s * fading + reach * p for s, p in zip(self.average[infoset], sigma, strict=True)]
            v = self.values[infoset]
            self.learn(infoset, [x - self.expected[infoset] for x in v], v, t, progress)

    def learn(self, infoset: Infoset, r: Row, v: Row, t: int, progress: float) -> None:
        """The next regret and strategy of one infoset, from this iteration's regret and values."""
        self.regret[infoset], weights = self.rule.update(self.regret[infoset], r, v, t, progress)
        total = sum(weights)
        self.strategy[infoset] = [w / total if total > 0 else 1 / len(weights) for w in weights]

    def walk(self, node: Node, reach: list[float], chance: float) -> list[float]:
        """Everyone's expected payoff; adds up counterfactual values, regrets and own reach on the way."""
        if node.player == OVER:
            return node.payoffs
        if node.infoset is None:
            below = [self.walk(child, reach, chance * p) for p, child in zip(node.chances, node.children, strict=True)]
            return [sum(p * v[i] for p, v in zip(node.chances, below, strict=True)) for i in range(self.players)]
        me, infoset, sigma = node.player, node.infoset, self.strategy[node.infoset]
        below = []
        for a, child in enumerate(node.children):
            longer = [*reach]
            longer[me] *= sigma[a]
            below.append(self.walk(child, longer, chance))
        value = [sum(p * v[i] for p, v in zip(sigma, below, strict=True)) for i in range(self.players)]
        others = chance * math.prod(reach[i] for i in range(self.players) if i != me)
        if not self.values[infoset]:
            self.values[infoset] = [0.0] * len(below)
        for a, v in enumerate(below):
            self.values[infoset][a] += others * v[me]
        self.expected[infoset] += others * value[me]
        self.others[infoset] += others
        self.reached[infoset][node.own] = reach[me]
        return value

    def average_strategy(self) -> Strategy:
        return {
            infoset: [s / sum(row) for s in row] if sum(row) > 0 else [1 / len(row)] * len(row)
            for infoset, row in self.average.items()
        }


# ---- games without ties ----------------------------------------------------------------------------------------------


@compiled(*METHODS)
class Tilted(NamedTuple):
    """Any game with noise on every payoff, a function of the last row.

    Poker is full of exact ties, which the rounding of the last bit decides: an engine and its twin may rightly go
    different ways after one. Here there are none.
    """

    game: Any
    divisor: np.ndarray  # [column] rows are the same to the noise if their columns are, divided by this

    @classmethod
    def of(cls, game: Game, divisor: dict[int, int] | None = None) -> "Tilted":
        columns = np.ones(len(game.start()), np.int64)
        for column, number in (divisor or {}).items():
            columns[column] = number
        return cls(game, columns)

    @property
    def players(self) -> int:
        return self.game.players

    def start(self):
        return self.game.start()

    def player(self, s):
        return self.game.player(s)

    def num_actions(self, s):
        return self.game.num_actions(s)

    def chance(self, s, a):
        return self.game.chance(s, a)

    def apply(self, s, a):
        self.game.apply(s, a)

    def infoset(self, s):
        return self.game.infoset(s)

    def payoff(self, s, player):
        phase = player
        for c in range(len(s)):
            phase = (31 * phase + s[c] // self.divisor[c]) % 1009
        return self.game.payoff(s, player) + 0.5 * math.sin(phase)

    def action_name(self, s, a):
        return self.game.action_name(s, a)

    def describe(self, s, viewer):
        return self.game.describe(s, viewer)
