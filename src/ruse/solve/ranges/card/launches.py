"""Which kernels a pass over a spot launches, in which order: a level of the betting tree on all boards at a time."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.solve.gpu.device import THREADS
from ruse.solve.gpu.plan import Launch
from ruse.solve.ranges.card.layout import MOST, Layout, spread_over_boards, whole
from ruse.solve.ranges.plans.plan import RangePlan

Array = NDArray[Any]
Span = tuple[int, int]  # of items


class Level(NamedTuple):
    """The items of one depth, while one player is updated."""

    others: Span  # decisions of the other
    own: Span
    roots: Span  # below deals of this depth
    deals: Span


class Items(NamedTuple):
    """What there is to do, in the order of levels; for each player."""

    node: Array
    place: Array
    end: Array
    end_place: Array
    levels: tuple[list[Level], list[Level]]
    ends: tuple[Span, Span]
    root: tuple[Span, Span]

    @classmethod
    def of(cls, plan: RangePlan, layout: Layout) -> "Items":
        pairs_of_block = [np.flatnonzero(layout.pairs.block == b) for b in range(len(plan.forest.block) - 1)]
        depth = depths(plan, layout)
        nodes, places, done = list[Array](), list[Array](), 0

        def add(chosen: Array, player: int) -> Span:
            nonlocal done
            node, pair = spread_over_boards(chosen.tolist(), layout.local.block_of, pairs_of_block)
            nodes.append(node)
            places.append(2 * pair + player)
            done += len(node)
            return done - len(node), done

        forest, levels, roots = plan.forest, ([], []), []  # type: tuple[Any, tuple[list[Level], list[Level]], list[Span]]
        below = np.isin(np.arange(len(forest.player)), layout.parts["root"])
        for p in range(2):
            roots.append(add(np.array([0]), p))
            for d in range(int(depth.max()) + 1):
                here = depth == d
                decides = forest.actions > 0
                chosen = (
                    here & decides & (forest.player == 1 - p), here & decides & (forest.player == p),
                    below & (depth == d + 1), here & layout.deals,
                )  # fmt: skip
                levels[p].append(Level(*(add(np.flatnonzero(each), p) for each in chosen)))
        ends, end_places, spans, last = list[Array](), list[Array](), list[Span](), 0
        for p in range(2):
            found, pair = spread_over_boards(
                np.flatnonzero(layout.ends.player == p).tolist(), layout.ends.block, pairs_of_block
            )
            ends.append(found)
            end_places.append(2 * pair + p)
            spans.append((last, last + len(found)))
            last += len(found)
        node, place, end, end_place = (whole(np.concatenate(each)) for each in (nodes, places, ends, end_places))
        return cls(node, place, end, end_place, levels, (spans[0], spans[1]), (roots[0], roots[1]))


def depths(plan: RangePlan, layout: Layout) -> Array:
    """How deep each node of the forest lies in the betting tree."""
    forest, root = plan.forest, layout.parts["root"]
    assert isinstance(root, np.ndarray)
    depth = np.zeros(len(forest.player), np.int64)
    first = forest.block[layout.local.block_of]
    for n in range(len(depth)):  # parents first: blocks street by street, nodes in preorder
        for e in range(int(forest.edge[n]), int(forest.edge[n] + forest.actions[n])):
            depth[first[n] + layout.local.value_below[e]] = depth[n] + 1
        if layout.deals[n]:
            depth[root[n]] = depth[n] + 1
    return depth


class Passes(NamedTuple):
    """Launches of passes over a spot."""

    items: Items
    stride: int
    entries: int

    def one(self, player: int, down: str, up: str) -> list[Launch]:
        """A pass that updates, or judges, one player: the other's reach down, ends, values up."""
        levels = self.items.levels[player]
        return [*self.down(player, down), *self.ends(player), *(
            launch for level in reversed(levels) for launch in (
                self.over("leave", level.deals), self.over("add_up", level.others), self.over(up, level.own),
            )
        )]  # fmt: skip

    def down(self, player: int, kernel: str) -> list[Launch]:
        found = [self.over("begin_pass", self.items.root[player])]
        for level in self.items.levels[player]:
            found += [self.over(kernel, level.others), self.over("enter", level.roots)]
        return found

    def ends(self, player: int) -> list[Launch]:
        begin, end = self.items.ends[player]
        return [Launch("ends", begin * THREADS, end * THREADS)]

    def over(self, kernel: str, span: Span) -> Launch:
        return Launch(kernel, span[0] * self.stride, span[1] * self.stride)

    def iteration(self, *, alternating: bool) -> tuple[Launch, ...]:
        second = "split_next" if alternating else "split_now"
        found = [*self.one(0, "split_now", "learn"), *self.one(1, second, "learn")]
        if not alternating:
            found.append(Launch("take_up", 0, self.entries))
        return checked([*found, Launch("tick", 0, 1)])

    def averaging(self) -> tuple[Launch, ...]:
        """Player 0's strategy is added to the average."""
        return checked(self.down(1, "split_now"))

    def judging(self, player: int, up: str) -> tuple[Launch, ...]:
        return checked(self.one(player, "split_average", up))


def checked(launches: list[Launch]) -> tuple[Launch, ...]:
    """Those that have anything to do; raises if threads have no numbers."""
    if max(launch.end for launch in launches) > MOST:
        raise RuseError(
            f"this spot has more than {MOST:,} numbers to a kernel, which a card cannot count; use on='cpu'"
        )
    return tuple(launch for launch in launches if launch.begin < launch.end)
