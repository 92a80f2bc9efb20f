"""The histories that matter to each player, in depth-first order: a walk that can leave out what follows any of them.

The sequence form lists leaves by one player's sequence. That is quick to add up, but it cannot leave out what the
*others* do not play: their sequences lie scattered over the list. Here a player has one row for each own decision and
each end of the game that chance and the others can bring about, in the order of a walk through the game. What follows a
history is one range of rows, so one jump leaves it out, whether the player or another one does not go there.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, kernel, lean_kernel
from ruse.compile.hashing import mix
from ruse.tree.discovery import node_identity
from ruse.tree.expanded import Expanded
from ruse.tree.measure.free import free_memory
from ruse.tree.measure.size import TooLarge
from ruse.tree.merge import merge
from ruse.tree.ranges import fill_ranges
from ruse.tree.sequence_form import SequenceForm, fill_index
from ruse.tree.walk import Stack, find_place, new_index, walk
from ruse.words.amounts import in_bytes
from ruse.words.naming import named

END = np.uint32(0xFFFFFFFF)  # in place of a decision node: the game is over
# The columns of a row: the player's last sequence; the decision node, or END; the first row that does not follow this
# one; the first that does not follow the same own action at the same history; and the others' last sequences.
OWN, NODE, AFTER, PAST, OTHERS = range(5)
NOWHERE = -1  # below an infoset that is merged into another one


class Histories(NamedTuple):
    """Rows of players one after the other. Histories that no player of the list can tell apart are one row."""

    start: np.ndarray  # [player + 1] the rows of player p are start[p] .. start[p + 1]
    rows: np.ndarray  # [row, column] side by side, because a jump is a wait for memory
    weight: np.ndarray  # [row] probability of chance, times the payoff at an end


class Ranges(NamedTuple):
    """What lies below each sequence of a form in preorder, and what can come of it."""

    below: np.ndarray  # [sequence] the nodes that follow it are below[s] .. beyond[s]
    beyond: np.ndarray  # [sequence]
    highest: np.ndarray  # [sequence] the owner's highest payoff after it, U(I, a)
    lowest: np.ndarray  # [node] the owner's lowest payoff after it, L(I)
    most: np.ndarray  # [node] the most probability with which chance and the others can bring play there


class Trees(NamedTuple):
    """A game as the pruned engine sees it: decision trees in preorder, and histories."""

    form: SequenceForm
    renamed: np.ndarray  # [sequence of the expanded form] its sequence here
    histories: Histories
    ranges: Ranges

    @property
    def bytes(self) -> int:
        return sum(array.nbytes for part in (self.form, self.histories, self.ranges) for array in part)


def trees(expanded: Expanded, memory: int | None = None) -> Trees:
    """Walk the game once and write down its histories, merged as the game is."""
    whole = expanded.form
    everything = np.arange(whole.num_sequences, dtype=np.uint32)
    form, renamed = merge(whole) if expanded.merging else (whole, everything)
    players, nodes = form.players, len(whole.parent)
    # Of merged nodes the first is kept; what happens at the others is the same, and is left out.
    node_there = np.searchsorted(form.first, renamed[whole.first[:-1]])
    kept = np.full(nodes, NOWHERE)
    earliest = np.unique(node_there, return_index=True)[1]
    kept[earliest] = node_there[earliest]
    ends = int(expanded.size.leaves)
    room = int(expanded.size.histories) - ends + players * ends + players
    refuse_if_too_many(expanded, room, memory)
    collector = Collector.start(expanded, kept, renamed, room, form.num_sequences)
    walk(expanded.game, expanded.view, Stack.start(expanded.game, levels=expanded.size.depth + 2), collector, 1 << 62)
    return Trees(form, renamed, in_order(collector, players), ranges_of(form, collector))


def refuse_if_too_many(expanded: Expanded, rows: int, memory: int | None) -> None:
    """Raise TooLarge if there is no room for so many rows while they are sorted and walked."""
    needed = rows * (150 + 12 * expanded.form.players)
    room = free_memory() if memory is None else memory
    if needed > room:
        raise TooLarge(
            f"{named(expanded.game)} is too large to prune: {in_bytes(needed)} for its histories needed, "
            f"{in_bytes(room)} "
            f"{'free' if memory is None else 'allowed'}; leave pruning out, or sample it"
        )


@compiled("is_full", "at_chance", "at_decision", "at_end", "record")
class Collector(NamedTuple):
    """A visitor that writes down, for each player, own decisions and ends, each with the own decision before it."""

    node_keys: np.ndarray  # the index of the expanded form's nodes
    node_ids: np.ndarray
    node_first: np.ndarray
    kept: np.ndarray  # [node] its number in the merged form, NOWHERE if it is left out
    renamed: np.ndarray  # [sequence]
    open: np.ndarray  # [level, player] the row of the last own decision above this level
    keys: np.ndarray  # the index of rows
    ids: np.ndarray
    totals: np.ndarray  # [1] rows; the first ones are the players' roots
    parent: np.ndarray  # [row]
    own: np.ndarray  # [row]
    others: np.ndarray  # [row, player - 1]
    node: np.ndarray  # [row]
    weight: np.ndarray  # [row]
    highest: np.ndarray  # [sequence of the merged form]
    lowest: np.ndarray  # [sequence of the merged form]

    @classmethod
    def start(cls, expanded: Expanded, kept: np.ndarray, renamed: np.ndarray, room: int, sequences: int) -> "Collector":
        form, players = expanded.form, expanded.form.players
        index = new_index(len(form.parent))
        fill_index(expanded.keys.view(np.int64), form.parent, *index)
        above = np.tile(np.arange(players), (expanded.size.depth + 3, 1))
        parent, own, node = np.zeros(room, np.int64), np.zeros(room, np.uint32), np.full(room, END)
        others, weight = np.zeros((room, players - 1), np.uint32), np.zeros(room)
        highest, lowest = np.full(sequences, -np.inf), np.full(sequences, np.inf)
        totals = np.array([players])
        return cls(
            *index, form.first.astype(np.int64), kept, renamed, above, *new_index(room), totals, parent, own, others,
            node, weight, highest, lowest,
        )  # fmt: skip

    def is_full(self):
        return False

    def at_chance(self, level, count):
        for p in range(self.open.shape[1]):
            self.open[level + 1, p] = self.open[level, p]

    def at_decision(self, stack, level, key):
        player = stack.player[level]
        above = stack.sequence[level, player]
        there = self.node_ids[find_place(self.node_keys, self.node_ids, node_identity(key, above))]
        self.at_chance(level, 0)
        node = self.kept[there]
        if node == NOWHERE or self.open[level, player] == NOWHERE:
            self.open[level + 1, player] = NOWHERE
        else:
            self.open[level + 1, player] = self.record(stack, level, player, node, stack.chance[level])
        return self.node_first[there]

    def at_end(self, game, stack, level):
        for p in range(self.open.shape[1]):
            if self.open[level, p] != NOWHERE:
                payoff = game.payoff(stack.rows[level], p)
                own = self.renamed[stack.sequence[level, p]]
                self.highest[own] = max(self.highest[own], payoff)
                self.lowest[own] = min(self.lowest[own], payoff)
                self.record(stack, level, p, END, stack.chance[level] * payoff)

    def record(self, stack, level, player, node, weight):
        """The row of a history, with its weight added."""
        parent = self.open[level, player]
        own = self.renamed[stack.sequence[level, player]]
        identity = mix(mix(parent, own), node)
        for p in range(stack.sequence.shape[1]):
            if p != player:
                identity = mix(identity, self.renamed[stack.sequence[level, p]])
        place = find_place(self.keys, self.ids, identity)
        if self.ids[place] < 0:
            row = self.totals[0]
            self.keys[place], self.ids[place] = identity, row
            self.parent[row], self.own[row], self.node[row] = parent, own, node
            column = 0
            for p in range(stack.sequence.shape[1]):
                if p != player:
                    self.others[row, column] = self.renamed[stack.sequence[level, p]]
                    column += 1
            self.totals[0] += 1
        self.weight[self.ids[place]] += weight
        return self.ids[place]


def in_order(found: Collector, players: int) -> Histories:
    """The rows depth first, those of one own action side by side; ends that are worth nothing are left out."""
    count = int(found.totals[0])
    own = found.own[:count]
    worthless = (found.node[:count] == END) & (found.weight[:count] == 0.0)
    worthless[:players] = False
    by_action = np.argsort(own, kind="stable")
    by_action = by_action[~worthless[by_action]]
    order, after, past, start = depth_first(players, found.parent[:count], own, by_action)
    rows = np.column_stack([own[order], found.node[order], after, past, found.others[order]])
    return Histories(start, rows, found.weight[order])


@kernel
def depth_first(players, parent, own, by_action):
    """The new order of the rows, and for each the ends of its two ranges."""
    child = np.full(len(parent), -1, np.int64)  # the first row below, and after it the others
    sibling = np.full(len(parent), -1, np.int64)
    for n in range(len(by_action) - 1, -1, -1):
        row = by_action[n]
        if row >= players:
            sibling[row] = child[parent[row]]
            child[parent[row]] = row
    rows = len(by_action) - players
    order, above = np.empty(rows, np.int64), np.empty(rows, np.int64)
    place, stack = np.full(len(parent), -1, np.int64), np.empty(rows + 1, np.int64)
    start = np.zeros(players + 1, np.uint32)
    done = 0
    for p in range(players):
        start[p] = done
        stack[0] = child[p]
        height = 1 if child[p] >= 0 else 0
        while height > 0:
            height -= 1
            row = stack[height]
            order[done], place[row], above[done] = row, done, place[parent[row]]
            done += 1
            if sibling[row] >= 0:
                stack[height] = sibling[row]
                height += 1
            if child[row] >= 0:
                stack[height] = child[row]
                height += 1
    start[players] = done
    after, past = np.arange(1, rows + 1).astype(np.uint32), np.empty(rows, np.uint32)
    for k in range(rows - 1, -1, -1):
        if above[k] >= 0:
            after[above[k]] = max(after[above[k]], after[k])
        beside = after[k]  # the next row below the same one, if there is any
        is_same = beside < rows and parent[order[beside]] == parent[order[k]] and own[order[beside]] == own[order[k]]
        past[k] = past[beside] if is_same else beside
    return order, after, past, start


@lean_kernel
def shorten(histories, short, dead):
    """Copy all histories that follow no pruned action; return how many were looked at."""
    rows, copied = histories.rows, short.rows
    count, looked_at = np.uint32(0), 0
    for p in range(len(histories.start) - 1):
        short.start[p] = count
        row, end = histories.start[p], histories.start[p + 1]
        while row < end:
            looked_at += 1
            if dead[rows[row, OWN]]:
                row = rows[row, PAST]
                continue
            others = 0
            for c in range(OTHERS, rows.shape[1]):
                others += dead[rows[row, c]]
            if others > 0:
                row = rows[row, AFTER]
                continue
            for c in range(rows.shape[1]):
                copied[count, c] = rows[row, c]
            copied[count, PAST] = row
            short.weight[count] = histories.weight[row]
            count += np.uint32(1)
            row += np.uint32(1)
    short.start[len(short.start) - 1] = count
    for n in range(np.int64(count) - 1, -1, -1):  # what follows a row has been done: jump over it
        beside = np.uint32(n + 1)
        while beside < count and copied[beside, PAST] < copied[n, AFTER]:
            beside = copied[beside, AFTER]
        copied[n, AFTER] = beside
    return looked_at


def ranges_of(form: SequenceForm, found: Collector) -> Ranges:
    """Subtrees of a form in preorder, and the extremes of what can come of them."""
    below, beyond = np.zeros(form.num_sequences, np.uint32), np.zeros(form.num_sequences, np.uint32)
    fill_subtrees(form, below, beyond)
    fill_ranges(form, found.highest, found.lowest, np.zeros(len(form.parent)))
    first = form.first[:-1].astype(np.int64)
    lowest = np.minimum.reduceat(found.lowest, first) if len(first) else np.zeros(0)
    rows = slice(form.players, int(found.totals[0]))
    node, weight = found.node[rows], found.weight[rows]
    most = np.bincount(node[node != END], weight[node != END], minlength=len(first))
    return Ranges(below, beyond, found.highest, lowest, np.minimum(most, 1.0))


@kernel
def fill_subtrees(form, below, beyond):
    """Where the nodes below each sequence start and end."""
    for j in range(len(form.parent) - 1, -1, -1):
        end = np.uint32(j + 1)
        for s in range(form.first[j], form.first[j + 1]):
            end = max(end, beyond[s])
        above = form.parent[j]
        below[above] = j
        beyond[above] = max(beyond[above], end)
