"""Actions that are pruned: from when, until when, and how they come back.

What is asked of a pruning is in `solve/solver/pruning.py`; the values that it is told are those of best responses to
all that a player has faced, computed here over the leaves of the sequence form. It happens seldom, so most of it is
kernels of their own: to inline them would make the engine's loop slow to compile.
"""

import numpy as np

from ruse.compile import compiled_function, lean_kernel
from ruse.solve.pruned.tables import CHECKED, COST, LOOKS, SHORT
from ruse.solve.solver.rules import INFINITY
from ruse.tree.passes import Responding, highest, leaves_value, pass_up


@compiled_function
def won(form, tables, pruning, s):
    """What the leaves of a sequence would have won in all iterations, or since it was pruned if that much is kept."""
    tables.touched[CHECKED] += form.leaf_start[s + 1] - form.leaf_start[s]
    ever = leaves_value(form.leaf_start, form.others, form.value, tables.faced, s)
    return ever - tables.before[s] if pruning.keeps() else ever


@compiled_function
def respond(form, tables, pruning, start, end):
    """Fill the values of the sequences of nodes start .. end with what the best response would have won."""
    for s in range(form.first[start], form.first[end]):
        tables.value[s] = won(form, tables, pruning, s)
    pass_up(form, tables.value, Responding(0), start, end)
    tables.touched[CHECKED] += end - start


@compiled_function
def clear(form, tables, start, end):
    for s in range(form.first[start], form.first[end]):
        tables.value[s] = 0.0


@compiled_function
def spending(ranges, tables, pruning, t, j, s):
    """What an iteration has spent of an action's allowance so far, on average, or would have."""
    return pruning.length.spent(
        tables.met[j] / t, tables.total[j] / t, ranges.highest[s], ranges.lowest[j], ranges.most[j]
    )  # fmt: skip


@compiled_function
def silence(regret, sigma, first, last):
    """Give the probability of pruned actions to the others: where no regret is positive, all have some."""
    pruned = 0.0
    for s in range(first, last):
        if regret[s] == -INFINITY:
            pruned += sigma[s]
            sigma[s] = 0.0
    if pruned > 0.0:
        for s in range(first, last):
            sigma[s] /= 1.0 - pruned


@compiled_function
def outdate_short(tables):
    """The short list misses histories, or has too many. The first one, when all are in use, is made at once."""
    if tables.clock[SHORT] > 0.0:
        tables.clock[SHORT] = tables.clock[LOOKS] = 0.0
    if tables.clock[COST] == INFINITY:
        tables.clock[COST] = 0.0


@lean_kernel
def come_back(form, ranges, tables, minimizer, pruning, j, s):
    """Let a pruned action be played again, as if the best response, whose values are known, had been played after it.

        R(I, a) = T psi(I, a) - sum of v_t(I)

    and at each I' after it R(I', a') = T (psi(I', a') - psi(I')) and sum of v_t(I') = T psi(I'). If something was kept,
    it is added to that, and T is the time that the action was pruned.
    """
    regret, value, sigma, total, before = tables.regret, tables.value, tables.sigma, tables.total, tables.before
    start, end = ranges.below[s], ranges.beyond[s]
    for n in range(np.int64(end) - np.int64(start)):
        below = start + np.uint32(n)
        first, last = form.first[below], form.first[below + 1]
        best = highest(value, first, last)
        total[below] += best
        is_found = False
        for k in range(first, last):
            regret[k] += value[k] - best
            tables.dead[k] = 0
            sigma[k] = 1.0 if value[k] == best and not is_found else 0.0
            is_found = is_found or value[k] == best
        if pruning.keeps():
            for k in range(first, last):
                before[k] = 0.0
            minimizer.play(regret, np.int64(first), np.int64(last) - np.int64(first), sigma, np.int64(first))
    if pruning.keeps():
        before[s] = 0.0
    regret[s] = value[s] - total[j]
    tables.allowance[s], tables.dead[s] = 0.0, 0
    outdate_short(tables)


@compiled_function
def put_aside(form, ranges, tables, minimizer, pruning, j, s):
    """Prune an action."""
    regret, before = tables.regret, tables.before
    start, end = ranges.below[s], ranges.beyond[s]
    first, last = form.first[start], form.first[end]
    if pruning.keeps():
        for n in range(np.int64(end) - np.int64(start)):  # what is pruned below catches up first
            below = start + np.uint32(n)
            for k in range(form.first[below], form.first[below + 1]):
                if tables.dead[k]:
                    come_back(form, ranges, tables, minimizer, pruning, below, k)
        before[s] = won(form, tables, pruning, s) + before[s] - regret[s] - tables.total[j]
        for k in range(first, last):
            before[k] += won(form, tables, pruning, k)
    else:
        for k in range(first, last):
            regret[k] = 0.0
        for n in range(np.int64(end) - np.int64(start)):
            tables.total[start + np.uint32(n)] = 0.0
    for k in range(first, last):
        tables.sigma[k], tables.allowance[k], tables.dead[k] = 0.0, 0.0, 1
    tables.dead[s] = 1
    regret[s] = -INFINITY
    outdate_short(tables)


@lean_kernel
def decide(form, ranges, tables, minimizer, pruning, t, start, end):
    """Prune actions at nodes start .. end whose allowance is worth it, and let others come back; values are known."""
    regret, value, total = tables.regret, tables.value, tables.total
    j = start
    while j < end:
        above = form.parent[j]
        if tables.dead[above]:
            j = ranges.beyond[above]
            continue
        first, last = form.first[j], form.first[j + 1]
        playable, has_more = 0, False
        for s in range(first, last):
            playable += 1 - tables.dead[s]
        for s in range(first, last):
            is_pruned = tables.dead[s] > 0
            now = value[s] - total[j] if is_pruned else regret[s]  # the regret that it has, or would come back with
            allowance = pruning.allowance(now, total[j], value[s], t)
            is_worth = pruning.is_worth(allowance, spending(ranges, tables, pruning, t, j, s), t)
            if is_worth and (is_pruned or (playable > 1 and regret[s] < 0.0)):
                tables.allowance[s] = allowance
                if not is_pruned:
                    put_aside(form, ranges, tables, minimizer, pruning, j, s)
                    playable -= 1
            elif is_pruned:
                come_back(form, ranges, tables, minimizer, pruning, j, s)
                playable, has_more = playable + 1, True
        if has_more:
            count = np.int64(last) - np.int64(first)
            minimizer.play(regret, np.int64(first), count, tables.sigma, np.int64(first))
        silence(regret, tables.sigma, first, last)
        j += np.uint32(1)


@lean_kernel
def review(form, ranges, tables, minimizer, pruning, t, player):
    """Look at every action of the player: prune it, leave it pruned, or let it come back."""
    start, end = form.node_start[player], form.node_start[player + 1]
    respond(form, tables, pruning, start, end)
    decide(form, ranges, tables, minimizer, pruning, t, start, end)
    clear(form, tables, start, end)
    tables.value[player] = 0.0


@lean_kernel
def ask_again(form, ranges, tables, minimizer, pruning, t, j, s):
    """The allowance of a pruned action is used up: see whether it has a new one, else let it come back."""
    start, end = ranges.below[s], ranges.beyond[s]
    tables.value[s] = won(form, tables, pruning, s)
    respond(form, tables, pruning, start, end)
    total, best = tables.total[j], tables.value[s]
    allowance = pruning.allowance(best - total, total, best, t)
    if pruning.is_worth(allowance, spending(ranges, tables, pruning, t, j, s), t):
        tables.allowance[s] = allowance
    else:
        come_back(form, ranges, tables, minimizer, pruning, j, s)
        decide(form, ranges, tables, minimizer, pruning, t, start, end)
    clear(form, tables, start, end)


@lean_kernel
def bring_back(form, ranges, tables, minimizer, pruning):
    respond(form, tables, pruning, 0, len(form.parent))
    for j in range(len(form.parent)):
        for s in range(form.first[j], form.first[j + 1]):
            if tables.dead[s]:
                come_back(form, ranges, tables, minimizer, pruning, j, s)
    for s in range(len(tables.value)):
        tables.value[s] = 0.0
