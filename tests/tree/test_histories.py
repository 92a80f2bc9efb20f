"""The pruned engine's list of histories: it is the game's, and a jump leaves out what follows and no more."""

from typing import Any

import naive
import numpy as np
import pytest
from pruned_games import GAMES, grown_tree, planted

from ruse.protocol.game import OVER
from ruse.tree.histories import AFTER, END, NODE, OTHERS, OWN, PAST, shorten


def told_apart(node: naive.Node, players: int) -> list[tuple[set[object], dict[object, float]]]:
    """For each player, the own decisions and the ends that differ in what anybody did at any own decision before."""
    found: list[tuple[set[object], dict[object, float]]] = [(set(), {}) for _ in range(players)]

    def visit(node: naive.Node, chance: float, path: tuple[Any, ...], before: tuple[tuple[object, ...], ...]) -> None:
        for p in range(players) if node.player == OVER else [node.player] if node.infoset is not None else []:
            actions = tuple(tuple(step for step in path if step[0][0] == q) for q in range(players))
            here = (*before[p], (node.infoset, actions))
            if node.player == OVER:
                found[p][1][here] = found[p][1].get(here, 0.0) + chance * node.payoffs[p]
            else:
                found[p][0].add(here)
                before = (*before[:p], here, *before[p + 1 :])
        for a, child in enumerate(node.children):
            if node.infoset is None:
                visit(child, chance * node.chances[a], path, before)
            else:
                visit(child, chance, (*path, (node.infoset, a)), before)

    visit(node, 1.0, (), ((),) * players)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_histories_are_those_of_the_game(name: str) -> None:
    tree, players = planted(name), GAMES[name].players
    rows, weight, start = tree.histories.rows, tree.histories.weight, tree.histories.start
    for p, (decisions, ends) in enumerate(told_apart(grown_tree(name), players)):
        mine = slice(start[p], start[p + 1])
        is_end = rows[mine, NODE] == END
        assert (~is_end).sum() == len(decisions)
        values = [value for value in ends.values() if value != 0.0]
        assert np.sort(weight[mine][is_end]) == pytest.approx(np.sort(values), abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_jumps_leave_out_what_follows_and_no_more(name: str) -> None:
    tree = planted(name)
    rows, form = tree.histories.rows.astype(np.int64), tree.form
    for k, row in enumerate(rows):
        assert k < row[AFTER] <= row[PAST] <= len(rows)
        for below in range(k + 1, row[AFTER]):  # follows it: below an action of the node
            assert rows[below, AFTER] <= row[AFTER]
            s = rows[below, OWN]
            while not form.first[row[NODE]] <= s < form.first[row[NODE] + 1]:
                s = form.parent[np.searchsorted(form.first, s, side="right") - 1]
        assert (rows[row[AFTER] : row[PAST], OWN] >= row[OWN]).all()


def test_short_list_leaves_out_what_follows_pruned_actions() -> None:
    tree = planted("random_3")
    histories, form = tree.histories, tree.form
    dead = np.zeros(form.num_sequences, np.uint8)
    for s in (3, 11, form.num_sequences - 2):
        dead[s] = 1
        dead[form.first[tree.ranges.below[s]] : form.first[tree.ranges.beyond[s]]] = 1
    short = type(histories)(*(np.empty_like(array) for array in histories))
    shorten(histories, short, dead)
    rows = histories.rows
    wanted = np.flatnonzero(~(dead[rows[:, OWN]] | dead[rows[:, OTHERS]]).astype(bool))
    kept = short.rows[: short.start[-1]]
    assert 0 < len(kept) < len(rows)
    assert kept[:, PAST].tolist() == wanted.tolist()
    assert np.array_equal(short.weight[: len(kept)], histories.weight[wanted])
    for row, now in zip(wanted, kept, strict=True):
        assert now[AFTER] == np.searchsorted(wanted, rows[row, AFTER])
