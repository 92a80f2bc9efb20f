"""A public tree that ends before the game does, with several values a leaf (Brown, Sandholm and Amos 2018).

At a leaf each player may choose how to go on, with each hand by itself, among some strategies for the rest of the game;
what the leaf is worth hangs on both choices. Neither sees what the other has chosen. A public tree has no hidden moves,
so the two choices are put side by side:

    leaf (player 0 chooses) --+-- the choice of player 1 --+-- end 0
                              |                            +-- end 1 ...
                              +-- end 1, end 2 ...

While a player is updated, the other's reach comes to the leaf in as many rows as there are choices, one beside the
other, and the matrix of each own choice goes over all of them: that is what makes the choices hidden. Those ends that
belong to the other's choice are worth nothing meanwhile, and the values of the one who is updated come up through them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.solve.ranges.plans.games import Entries, Entry, matrix_plan
from ruse.solve.ranges.plans.plan import RangePlan, padded
from ruse.solve.ranges.public.betting import END, PublicTree
from ruse.solve.ranges.public.forest import Block, Forest, plant

Array = NDArray[np.float64]


class CutTree(NamedTuple):
    """A public tree for two whose payoffs cancel. Its ends are worth what their matrices say."""

    tree: PublicTree  # decisions and ENDs
    worth: Mapping[int, Array]  # END: [choice of 0, choice of 1, hand of 0, hand of 1] what 0 gets, times `pairs`
    pairs: Array  # [hand of 0, hand of 1] how often they are dealt together


class LeafPlan(NamedTuple):
    """A plan, and which of its nodes the nodes of the cut tree are. At a leaf that is where player 0 chooses."""

    plan: RangePlan
    node: list[int]


def leaf_plan(cut: CutTree, visits: Iterable[int] = ()) -> LeafPlan:
    """The plan of a cut tree; `visits` are decisions at which the reach of chance and the other is asked for."""
    refuse_misfits(cut)
    tree, node = with_choices(cut)
    hands = list(cut.pairs.shape)
    width = padded(max(hands))
    forest, scratch = plant(tree, [Block(0, [0])], width, cut=False)
    entries: Entries = ([], [])
    for n, worth in cut.worth.items():
        for p, own in enumerate((np.asarray(worth, np.float64), -np.asarray(worth, np.float64).transpose(1, 0, 3, 2))):
            entries[p].extend(leaf_entries(forest, node[n], p, own, width))
    places = {}
    for k, n in enumerate(sorted(visits)):
        here = node[n]
        owner, places[here] = int(tree.player[here]), scratch.value + k * width
        met = spread(cut.pairs if owner == 0 else cut.pairs.T, width)
        entries[owner].append(Entry(int(forest.reach_at[owner, here]), places[here], met))
    met = np.zeros((2, width))
    for p in range(2):
        met[p, : hands[p]] = cut.pairs.sum(axis=1 - p)
    return LeafPlan(matrix_plan(tree, forest, scratch, hands, entries, places, met, 0.0), node)


def refuse_misfits(cut: CutTree) -> None:
    """Raise unless all ends have matrices of one size."""
    ends = set(np.flatnonzero(cut.tree.player == END).tolist())
    if ends != set(cut.worth) or np.any((cut.tree.player < 0) & (cut.tree.player != END)):
        raise RuseError("a cut tree has decisions and ends, and each end says what it is worth")
    for n, worth in cut.worth.items():
        if worth.ndim != 4 or worth.shape[2:] != cut.pairs.shape or 0 in worth.shape:
            raise RuseError(f"what end {n} is worth must be by two choices and two hands; it has shape {worth.shape}")


def with_choices(cut: CutTree) -> tuple[PublicTree, list[int]]:
    """The tree with a choice of each player at each leaf that has several values, and where its nodes are there."""
    player: list[int] = []
    children: list[list[int]] = []
    place = [0] * len(cut.tree.player)

    def new(who: int, *below: int) -> int:
        player.append(who)
        children.append(list(below))
        return len(player) - 1

    def visit(n: int) -> int:
        who = int(cut.tree.player[n])
        if who == END:
            place[n] = leaf(*cut.worth[n].shape[:2])
            return place[n]
        here = place[n] = new(who)
        children[here] += [visit(c) for c in cut.tree.children(n)]
        return here

    def leaf(first: int, second: int) -> int:
        """As in the picture above; one who has no choice has no node."""
        if first > 1:
            here = new(0)
            children[here] += [leaf(1, second), *(new(END) for _ in range(first - 1))]
            return here
        if second > 1:
            here = new(1)
            children[here] += [new(END) for _ in range(second)]
            return here
        return new(END)

    visit(0)
    return PublicTree.of(player, children), place


def leaf_entries(forest: Forest, leaf: int, p: int, worth: Array, width: int) -> Iterable[Entry]:
    """The matrices of a leaf while player p is updated; `worth` has p's choice, the other's, p's hand, the other's."""
    mine, theirs = worth.shape[:2]
    first, second = (mine, theirs) if p == 0 else (theirs, mine)
    inner = leaf + (first > 1)  # where player 1 chooses; the end itself if he does not
    uppers = [inner + (second > 1), *(inner + second * (second > 1) + a for a in range(1, first))]
    lowers = [inner + b + (second > 1) for b in range(second)]  # ends by the choice of 0, by that of 1
    own, others = (uppers, lowers) if p == 0 else (lowers, uppers)
    reach = [int(forest.reach_at[p, n]) for n in others]
    assert reach == [reach[0] + k * width for k in range(theirs)]
    for n, matrices in zip(own, worth, strict=True):
        payoff = np.concatenate([spread(matrix, width) for matrix in matrices])
        yield Entry(reach[0], int(forest.value_at[n]), payoff)
    for n in others[1:]:
        yield Entry(reach[0], int(forest.value_at[n]), np.zeros((0, width)))


def spread(matrix: Array, width: int) -> Array:
    """By own hand and the other's, as an entry has it: the other's hand first, rows of one width."""
    payoff = np.zeros((width, width))
    payoff[: matrix.shape[1], : matrix.shape[0]] = matrix.T
    return payoff
