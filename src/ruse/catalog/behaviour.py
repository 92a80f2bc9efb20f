"""A fingerprint of what a game does under a view: a changed rule changes it, a changed comment does not.

A game that is small enough is walked whole: players, actions, the infosets' keys, chance and payoffs all count, and how
the rules are written does not. Of a larger one some games are played by a fixed sequence of choices; if it is a file of
one's own, its code counts too. Numbers are rounded to single precision: another machine may differ in the last bits.
"""

import hashlib
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.names import spec_of
from ruse.compile.files.reached import code_digest
from ruse.compile.hashing import FIRST, GOLDEN, MASK, SECOND, mix
from ruse.errors import RuseError
from ruse.protocol.choices import Hierarchical, Offering, as_offered, has_choices
from ruse.protocol.game import CHANCE, OVER, Game, Row, declared
from ruse.protocol.values.recent import identity_of
from ruse.protocol.view import Full, View
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import is_within

VERSION = "1"
WHOLE = 200_000  # histories of a game that is walked whole
MOVES = 400  # of the games that are played
CODE = f"code{sys.version_info[0]}.{sys.version_info[1]}"  # another Python may write the same code in another way


def behaviour(game: Game, view: View | None = None) -> str:
    """The fingerprint as a text that a file can keep."""
    view = view or Full()
    if own := part("own", game, view):
        return f"{VERSION} own={own}"
    names = ["whole"] if part("whole", game, view) else ["played"]
    if has_choices(view) or ("played" in names and not isinstance(view, Full)):
        names.append("viewed")
    if names != ["whole"]:
        names += [CODE, "data"]
    found = {name: part(name, game, view) for name in names}
    return " ".join([VERSION, *(f"{name}={digest}" for name, digest in found.items() if digest)])


def refuse_changed(recorded: str | None, game: Game, view: View | None, when: str) -> None:
    """Raise if a game does something else now than when a file was made."""
    if has_changed(recorded, game, view):
        seen = "" if isinstance(view or Full(), Full) else f", or what {view!r} sees of them,"
        raise RuseError(
            f"the rules of {spec_of(game) or repr(game)}{seen} have changed since {when}: train anew, or add "
            "--game FILE with the rules of then"
        )


def has_changed(recorded: str | None, game: Game, view: View | None = None) -> bool:
    """Whether a game does something else than when this was recorded; not so if nothing was that can be compared."""
    version, *parts = str(recorded or "").split(" ")  # whatever a file says
    if version != VERSION:
        return False
    before = {name: digest for name, _, digest in (text.partition("=") for text in parts)}
    now = {name: part(name, game, view or Full()) for name in before if name in PARTS}
    if "whole" in now and now["whole"] is None:  # it has grown
        return True
    return any(digest not in (None, before[name]) for name, digest in now.items())


def part(name: str, game: Game, view: View) -> str | None:
    """One part of a fingerprint, None if there is nothing to tell; asking again costs nothing."""
    identity = (name, identity_of(game), identity_of(view))
    if identity not in _known:
        _known[identity] = game, view, PARTS[name](game, view)  # with the game: its address may be its identity
    return _known[identity][2]


_known: dict[Any, tuple[Game, View, str | None]] = {}


# ---- all of it -------------------------------------------------------------------------------------------------------


def whole(game: Game, view: View) -> str:
    """A hash of the whole game. It is a sum over nodes and leaves, so their order does not count."""
    expanded = Expanded.of(game)
    form, players = expanded.form, expanded.form.players
    first, parent = form.first.astype(np.int64), form.parent.astype(np.int64)
    counts, names = first[1:] - first[:-1], np.zeros(form.num_sequences, np.uint64)
    names[:players] = mixed(np.arange(players), 1)
    facts = mixed(mixed(expanded.keys, expanded.owner), counts)
    nodes = np.zeros(len(parent), np.uint64)
    owner_of = np.repeat(np.arange(len(parent)), counts)  # [sequence - players] its node
    current, rest = parent < players, np.flatnonzero(parent >= players)
    level = np.flatnonzero(current)
    while len(level):  # from the roots of the decision trees down: a sequence is named by all of its player's own past
        nodes[level] = mixed(names[parent[level]], facts[level])
        steps = np.repeat(np.cumsum(counts[level]) - counts[level], counts[level])
        action = np.arange(len(steps)) - steps
        names[np.repeat(first[level], counts[level]) + action] = mixed(np.repeat(nodes[level], counts[level]), action)
        done = np.zeros(len(parent), bool)
        done[level] = True
        follows = done[owner_of[parent[rest] - players]]
        level, rest = rest[follows], rest[~follows]
    leaf_start = form.leaf_start.astype(np.int64)
    leaves = np.repeat(names, leaf_start[1:] - leaf_start[:-1])
    leaves = mixed(leaves, rounded(form.value))
    for column in form.others.T:
        leaves = mixed(leaves, names[column])
    total = mixed(np.array([players]), nodes.sum()) + leaves.sum()
    if not isinstance(view, Full) and not has_choices(view):
        total = total + mixed(nodes, expanded.keys_of(view)).sum()
    return f"{int(total[0]):016x}"


def mixed(key: NDArray[Any], value: Any) -> NDArray[np.uint64]:
    """`mix` for arrays."""
    z = ((key.astype(np.uint64) * np.uint64(FIRST)) ^ np.asarray(value).astype(np.uint64)) + np.uint64(GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(SECOND)
    return np.asarray(z ^ (z >> np.uint64(31)))


def rounded(values: Any) -> NDArray[np.uint32]:
    """Numbers in single precision, as their bits."""
    with np.errstate(all="ignore"):
        return (np.asarray(values, np.float64).astype(np.float32) + np.float32(0.0)).reshape(-1).view(np.uint32)


# ---- a part of it ----------------------------------------------------------------------------------------------------


def played(game: Game, view: View) -> str:
    """A hash of some games, played in plain Python by a fixed sequence of choices: nothing has to be compiled."""
    dice, total, row = random.Random(0), 0, None
    if isinstance(view, Hierarchical):
        game, view = as_offered(game, view)
    with np.errstate(all="ignore"):  # rules may count on numbers that wrap around
        for _ in range(MOVES):
            try:
                row = game.start().astype(np.int64) if row is None else row
                facts, row = move(game, view, row, dice)
            except Exception as error:  # to fail is something that rules do, too
                facts, row = [sum(type(error).__name__.encode())], None
            for fact in facts:
                total = mix(total, fact & MASK)
    return f"{total & MASK:016x}"


def move(game: Game, view: View, row: Row, dice: random.Random) -> tuple[list[int], Row | None]:
    """Make a move; what the rules say of it, and the row after it, None at the end."""
    player = int(game.player(row))
    if player == OVER:
        payoffs = [float(game.payoff(row, p)) for p in range(game.players)]
        return [player, *map(int, rounded(payoffs))], None
    count = int(game.num_actions(row))
    facts, chosen = [player, count], dice.randrange(count)
    if player == CHANCE:
        possible = (a % count for a in range(chosen, chosen + count) if game.chance(row, a % count) > 0.0)
        chosen = next(possible)  # what cannot happen need not have rules
        facts += map(int, rounded([float(game.chance(row, chosen))]))
    else:
        facts.append(int(view.key(game, row)))
        if isinstance(view, Offering):
            offered = int(view.num_choices(game, row))
            chosen = int(view.meaning(game, row, dice.randrange(offered)))
            facts += [offered, chosen]
    game.apply(row, chosen)
    return facts, row


def code(game: Game, view: View) -> str | None:
    """A digest of the code behind a game and a view, where that is a person's own."""
    return code_digest(
        sorted({*classes_of(game), *classes_of(view)}, key=lambda cls: (cls.__module__, cls.__qualname__))
    )


def classes_of(part: Any) -> list[type]:
    """The classes of a part and of the parts in it."""
    if not hasattr(part, "_fields"):
        return []
    return [type(part), *(cls for field in part for cls in classes_of(field))]


def data(game: Any, view: View) -> str | None:
    """A digest of the tables that a game is made of, as one that was read from a file."""
    tables = [field for field in game if isinstance(field, np.ndarray) and field.dtype.kind in "if"]
    if not tables:
        return None
    digest = hashlib.sha256()
    for table in tables:
        digest.update(repr(table.shape).encode())
        digest.update(np.ascontiguousarray(table).tobytes())
    return digest.hexdigest()[:16]


PARTS: dict[str, Callable[[Game, View], str | None]] = {
    "own": lambda game, view: declared(game, "fingerprint"),  # of one that can say so itself
    "whole": lambda game, view: whole(game, view) if is_within(game, WHOLE) else None,
    "played": lambda game, view: played(game, Full()),
    "viewed": played,
    CODE: code,
    "data": data,
}
