"""How a decision of a sampled walk begins and ends.

It is tested, its row is found and weighed, its strategy filled in; when the values of its actions are known, it learns.
"""

from ruse.compile import compiled_function
from ruse.protocol.view import infoset_key
from ruse.solve.sampled.lawful import is_lawful
from ruse.solve.table.sampling import has_room, refresh

SKIPPED = -1.0e300  # the value of an action that was pruned


@compiled_function
def open_decision(game, view, parts, table, scratch, s, player, now, level, at, width):
    """Begin the decision of a player at state s, with its strategy in sigma[at:].

    How many actions it has, where its row starts, and its key; no actions if no such decision may be, or there is no
    room for it at this level. Of the slots that are used from `at` on there are `width` to an action.
    """
    count = game.num_actions(s)
    if not may_open(scratch, s, player, count, level, (at + count) * width):
        return 0, 0, 0
    key = infoset_key(game, view, s)
    first = table.row(key, count)
    fill_strategy(parts, table, first, count, now, scratch.sigma, at, key)
    return count, first, key


@compiled_function
def may_open(scratch, s, player, count, level, slots):
    """Whether a decision of so many actions may be, and has room; if not, the scratch tells."""
    return is_lawful(scratch, s, player, count) and has_room(scratch, level, slots, count)


@compiled_function
def fill_strategy(parts, table, first, count, now, sigma, at, key):
    """The strategy of a row in sigma[at : at + count], after the weights of all periods that it has missed."""
    refresh(table.rows, parts, first, count, now)
    parts.leaning.lean(parts.minimizer, table.rows, first, count, sigma, at, key)


@compiled_function
def finish(table, parts, sigma, value, first, count, at, weight, key):
    """Add the regret of one decision; return its value. Actions that were skipped are not played and learn nothing.

    The weight is one over the probability that the decision was explored.
    """
    expected = 0.0
    for a in range(count):
        if value[at + a] != SKIPPED:
            expected += sigma[at + a] * value[at + a]
    price = parts.leaning.price(key)
    for a in range(count):
        if value[at + a] != SKIPPED:
            regret = weight * (value[at + a] - expected - price)
            parts.writer.add_above(table.rows, first + a, regret, parts.clock.floor)
    return expected
