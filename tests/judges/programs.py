"""Values and best responses of plain trees: SciPy's HiGHS on the sequence form, and brute force. Nothing of ruse."""

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.optimize
import scipy.sparse
from trees import CHANCE, Node, Tree

Profile = Mapping[tuple[int, int], list[float]]  # (player, infoset) -> a probability for each action


class SequenceForm:
    """For each player the sequences (last infoset, action), None at first; and the ends of the game."""

    def __init__(self, tree: Tree) -> None:
        self.players = tree.players
        self.number: list[dict[Any, int]] = [{None: 0} for _ in range(tree.players)]
        self.before: list[dict[int, int]] = [{} for _ in range(tree.players)]  # infoset -> what leads to it
        self.menus = tree.menus
        self.ends: list[tuple[list[int], float, list[float]]] = []
        self._walk(tree.root, [0] * tree.players, Fraction(1), [Fraction(0)] * tree.players)

    def _walk(self, node: Node, last: list[int], chance: Fraction, gained: list[Fraction]) -> None:
        if node.payoffs is not None:
            gained = [a + b for a, b in zip(gained, node.payoffs, strict=True)]
        if node.player is None:
            self.ends.append((last, float(chance), [float(x) for x in gained]))
            return
        for a, child in enumerate(node.children):
            after, likely = list(last), chance
            if node.player == CHANCE:
                likely = chance * node.chances[a]
            else:
                assert self.before[node.player].setdefault(node.infoset, last[node.player]) == last[node.player]
                own = self.number[node.player]
                after[node.player] = own.setdefault((node.infoset, a), len(own))
            self._walk(child, after, likely, gained)

    def flow(self, player: int) -> Any:
        """E of E x = e: what is played after a sequence adds up to it."""
        rows, columns, data = [0], [0], [1.0]
        for row, (infoset, parent) in enumerate(self.before[player].items(), start=1):
            own = [self.number[player][infoset, a] for a in range(self.menus[player, infoset])]
            rows += [row] * (1 + len(own))
            columns += [parent, *own]
            data += [-1.0] + [1.0] * len(own)
        return scipy.sparse.csr_matrix((data, (rows, columns)), shape=(max(rows) + 1, len(self.number[player])))


def value_of(tree: Tree) -> float:
    """What player 0 can be sure of in a game of two whose payoffs have a fixed sum."""
    form = SequenceForm(tree)
    payoff = np.zeros((len(form.number[0]), len(form.number[1])))
    for (i, j), chance, gains in form.ends:
        payoff[i, j] += chance * gains[0]
    own, other = form.flow(0), form.flow(1)
    n, m = own.shape[1], other.shape[0]
    # max over x of min over y of x A y, the inner minimum by its dual: max q[0] with F' q <= A' x, E x = e, x >= 0
    solved = scipy.optimize.linprog(
        np.concatenate([np.zeros(n), [-1.0], np.zeros(m - 1)]),
        A_ub=scipy.sparse.hstack([scipy.sparse.csr_matrix(-payoff.T), other.T]),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=scipy.sparse.hstack([own, scipy.sparse.csr_matrix((own.shape[0], m))]),
        b_eq=np.eye(own.shape[0])[0],
        bounds=[(0, None)] * n + [(None, None)] * m,
        method="highs",
    )
    assert solved.status == 0, solved.message
    return float(-solved.fun)


def most_within(tree: Tree, profile: Profile, player: int, cap: float) -> float:
    """The most that a player of two gets from the other's strategy, if he may lose so much to the best opponent."""
    form = SequenceForm(tree)
    other = 1 - player
    payoff = np.zeros((len(form.number[player]), len(form.number[other])))
    total = 0.0
    for last, chance, gains in form.ends:
        payoff[last[player], last[other]] += chance * gains[player]
        total = sum(gains)
    reach = np.ones(len(form.number[other]))
    for (infoset, a), place in [(k, v) for k, v in form.number[other].items() if k is not None]:
        reach[place] = reach[form.before[other][infoset]] * profile[other, infoset][a]
    worth = value_of(tree) if player == 0 else total - value_of(tree)
    flows = [form.flow(player), form.flow(other)]
    n, m = flows[0].shape[1], flows[1].shape[0]
    sure = np.concatenate([np.zeros(n), [-1.0], np.zeros(m - 1)])
    solved = scipy.optimize.linprog(
        np.concatenate([-(payoff @ reach), np.zeros(m)]),
        A_ub=scipy.sparse.vstack([scipy.sparse.hstack([scipy.sparse.csr_matrix(-payoff.T), flows[1].T]), sure]),
        b_ub=np.concatenate([np.zeros(payoff.shape[1]), [cap - worth]]),
        A_eq=scipy.sparse.hstack([flows[0], scipy.sparse.csr_matrix((flows[0].shape[0], m))]),
        b_eq=np.eye(flows[0].shape[0])[0],
        bounds=[(0, None)] * n + [(None, None)] * m,
        method="highs",
    )
    assert solved.status == 0, solved.message
    return float(-solved.fun)


def expected(tree: Tree, profile: Profile) -> list[float]:
    """Each player's expected payoff."""
    totals = np.zeros(tree.players)

    def walk(node: Node, reach: float) -> None:
        if node.payoffs is not None:
            totals[:] += reach * np.array([float(x) for x in node.payoffs])
        for a, child in enumerate(node.children):
            assert node.player is not None
            likely = float(node.chances[a]) if node.player == CHANCE else profile[node.player, node.infoset][a]
            walk(child, reach * likely)

    walk(tree.root, 1.0)
    return [float(x) for x in totals]


def best_response(tree: Tree, profile: Profile, player: int, *, most: int = 3_000) -> float:
    """The most that the player can get against the others: by trying all pure strategies, or else by a program."""
    own = [(p, infoset) for p, infoset in tree.menus if p == player]
    menus = [range(tree.menus[place]) for place in own]
    if np.prod([float(len(menu)) for menu in menus]) <= most:
        plans = itertools.product(*menus)
        pure = [
            {place: list(np.eye(tree.menus[place])[a]) for place, a in zip(own, plan, strict=True)} for plan in plans
        ]
        return max(expected(tree, {**profile, **plan})[player] for plan in pure)
    form = SequenceForm(tree)
    worth = np.zeros(len(form.number[player]))
    reach = [np.ones(len(form.number[p])) for p in range(tree.players)]
    for p in range(tree.players):
        for (infoset, a), place in [(k, v) for k, v in form.number[p].items() if k is not None]:
            reach[p][place] = reach[p][form.before[p][infoset]] * profile[p, infoset][a]  # parents have lower numbers
    for last, chance, gains in form.ends:
        others = np.prod([reach[p][last[p]] for p in range(tree.players) if p != player])
        worth[last[player]] += chance * float(others) * gains[player]
    flow = form.flow(player)
    solved = scipy.optimize.linprog(
        -worth, A_eq=flow, b_eq=np.eye(flow.shape[0])[0], bounds=(0, None), method="highs"
    )  # fmt: skip
    assert solved.status == 0, solved.message
    return float(-solved.fun)
