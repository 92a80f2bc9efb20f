"""The infosets of a small game by name, as a strategy file keeps them: so that they can be listed without a walk.

It is text from a file, and the game is the judge of it. A listing is used only where games that are played out in plain
Python give the digest that it has, and every decision on the way has the name, the player and the actions that it says;
else the game is walked, as if there were none. Nothing is looked up by these names: they are only shown.
"""

import json
import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ruse.catalog.behaviour import played
from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.state import State
from ruse.protocol.view import Full, View
from ruse.tree.told import ASKED

HISTORIES = 20_000  # of a game that is walked in plain Python for a listing
INFOSETS = 5_000
LONGEST = 1_000  # characters of a name
LOOKS = 200  # decisions by which the game judges a listing


class Listed(NamedTuple):
    """An infoset as it is listed."""

    player: int | None  # None: several players share it
    name: str
    reach: float  # how often play comes here when all follow the strategy
    actions: list[str]
    probability: list[float]
    met: bool  # whether the strategy knows it


class Listing(NamedTuple):
    """All infosets, in the order of the players' decision trees: one entry of each list for each of them."""

    played: str  # the digest of some games, under the strategy's view
    key: list[int]
    player: list[int | None]
    name: list[str]
    actions: list[int]  # which of the kinds
    kinds: list[list[str]]  # names of actions that occur together
    reach: list[float]

    def text(self) -> str:
        return json.dumps(self._asdict(), separators=(",", ":"), ensure_ascii=False)

    def rows(self, shares: Callable[[int, int], Any], known: Callable[[int], bool]) -> Iterator[Listed]:
        """The infosets, with the probabilities that a strategy has for a key and so many actions."""
        for key, player, name, kind, reach in zip(
            self.key, self.player, self.name, self.actions, self.reach, strict=True
        ):
            names = self.kinds[kind]
            yield Listed(player, name, reach, names, [float(x) for x in shares(key, len(names))], known(key))

    def is_of(self, game: Game, view: View) -> bool:
        """Whether a game, as it is here and now, says the same at some decisions."""
        place, dice, state = {key: k for k, key in enumerate(self.key)}, random.Random(0), State.of(game)
        looks = 0
        for _ in range(10 * LOOKS):
            if state.is_over:
                state = State.of(game)
                continue
            if not state.is_chance:
                k = place.get(int(view.key(game, state.row)) & MASK)
                if k is None or not self._agrees(k, view, state):
                    return False
                looks += 1
                if looks == LOOKS:
                    break
            state = state.stepped(dice.choice(possible(state)))
        return looks > 0

    def _agrees(self, k: int, view: View, state: State) -> bool:
        names = self.kinds[self.actions[k]]
        own = action_names(view, state)
        return (
            self.name[k] == name_of(view, state)
            and self.player[k] in (None, state.player)
            and len(own) == len(names)
            and all(mine == theirs or mine in theirs.split("/") for mine, theirs in zip(own, names, strict=True))
        )


# ---- from a game -----------------------------------------------------------------------------------------------------


def possible(state: State) -> list[int]:
    """The actions; of chance, those that happen."""
    if not state.is_chance:
        return list(range(state.num_actions))
    return [a for a, chance in enumerate(state.chances) if chance > 0.0]


def name_of(view: Any, state: State) -> str:
    """What the acting player sees, in the words of the view if it has any."""
    return str(state.describe(state.player) if isinstance(view, Full) else view.describe(state.game, state.row))


def action_names(view: Any, state: State) -> list[str]:
    own = getattr(view, "action_name", None)
    if own is None:
        return list(map(str, state.actions))
    return [str(own(state.game, state.row, a)) for a in range(state.num_actions)]


class Node(NamedTuple):
    """A decision of a player, given what the player has seen and done."""

    key: int
    player: int
    state: State  # of the first history that leads here
    own: float  # the probability of the player's own choices
    others: list[float]  # [1] of chance and of the others', added up
    below: list[list["Node"]]  # for each action, the decisions that come next


def listing_of(game: Game, view: View, shares: Callable[[int, int], Any], digest: str) -> Listing | None:
    """The listing of a game that is known to be small; None if there are too many infosets or no words for them."""
    if not isinstance(view, Full) and not hasattr(view, "describe"):
        return None
    groups: dict[int, list[Node]] = {}
    for node in in_preorder(decision_trees(game, view, shares)):
        groups.setdefault(node.key, []).append(node)
    if len(groups) > INFOSETS or (isinstance(view, Full) and any(len(nodes) > 1 for nodes in groups.values())):
        return None
    found, kinds = Listing(digest, [], [], [], [], [], []), dict[tuple[str, ...], int]()
    for key, nodes in groups.items():
        # A view that turns cards round gives one action several names; a few nodes show most of them.
        few = [action_names(view, node.state) for node in nodes[:: max(1, len(nodes) // ASKED)]]
        names = tuple("/".join(dict.fromkeys(words)) for words in zip(*few, strict=True))
        found.key.append(key)
        found.player.append(nodes[0].player if len({node.player for node in nodes}) == 1 else None)
        found.name.append(name_of(view, nodes[0].state))
        found.actions.append(kinds.setdefault(names, len(kinds)))
        found.reach.append(float(sum(node.own * node.others[0] for node in nodes)))
    found.kinds.extend(map(list, kinds))
    return found if wrong_with(found) is None else None


def decision_trees(game: Game, view: View, shares: Callable[[int, int], Any]) -> list[list[Node]]:
    """The first decisions of each player, by one walk through all histories in their order."""
    players = range(game.players)
    roots: list[list[Node]] = [[] for _ in players]
    nodes: dict[tuple[int, int], Node] = {}  # by key, and by the place in the tree above it
    waiting: list[tuple[State, float, list[float], list[list[Node]]]] = [
        (State.of(game), 1.0, [1.0 for _ in players], roots)
    ]
    mixes: dict[int, list[float]] = {}
    left = HISTORIES
    while waiting:
        state, chance, own, above = waiting.pop()
        left -= 1
        if left < 0:  # compiled rules may end where those in plain Python do not
            raise RuseError(f"the game has more than {HISTORIES:,} histories in plain Python")
        player = state.player
        if player == OVER:
            continue
        moves = range(state.num_actions)
        if player == CHANCE:
            waiting += [(state.stepped(a), chance * share, own, above) for a, share in enumerate(state.chances)][::-1]
            continue
        key = int(view.key(game, state.row)) & MASK
        place = (key, id(above[player]))
        if place not in nodes:
            nodes[place] = Node(key, player, state, own[player], [0.0], [[] for _ in moves])
            above[player].append(nodes[place])
        node = nodes[place]
        node.others[0] += chance * math.prod(own[p] for p in players if p != player)
        if key not in mixes:
            mixes[key] = [float(share) for share in shares(key, len(moves))]
        for a in moves[::-1]:
            reach, places = list(own), list(above)
            reach[player], places[player] = own[player] * mixes[key][a], node.below[a]
            waiting.append((state.stepped(a), chance, reach, places))
    return roots


def in_preorder(roots: list[list[Node]]) -> Iterator[Node]:
    """The nodes player by player, each before those that follow it."""
    waiting = [node for tree in roots for node in tree][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for children in node.below for child in children][::-1]


# ---- from a file -----------------------------------------------------------------------------------------------------


def read_listing(text: str | None, game: Game, view: View, digest_view: tuple[Game, View]) -> Listing | None:
    """What a file lists, if it is whole, and if the game agrees with it; None otherwise."""
    try:
        found = Listing(**json.loads(text or ""))
        if wrong_with(found) is None and found.played == played(*digest_view) and found.is_of(game, view):
            return found
    except Exception:  # whatever a file says, and whatever the rules do with it: the game is walked then
        return None
    return None


def wrong_with(found: Listing) -> str | None:
    """What is wrong with a listing; None if it can be shown."""
    columns = (found.key, found.player, found.name, found.actions, found.reach)
    if not all(isinstance(column, list) for column in (*columns, found.kinds)):
        return "it is not made of lists"
    if len({len(column) for column in columns}) != 1 or not 0 < len(found.key) <= INFOSETS:
        return "its lists do not fit together"
    if not all(type(key) is int and 0 <= key <= MASK for key in found.key) or len(set(found.key)) != len(found.key):
        return "its keys are none"
    if not all(player is None or (type(player) is int and player >= 0) for player in found.player):
        return "its players are none"
    if not all(isinstance(kind, list) and kind for kind in found.kinds):
        return "it has decisions without actions"
    if not all(is_name(name) for names in (found.name, *found.kinds) for name in names):
        return "a name cannot be printed"
    if not all(type(kind) is int and 0 <= kind < len(found.kinds) for kind in found.actions):
        return "it has no such actions"
    if not all(type(reach) is float and 0.0 <= reach < math.inf for reach in found.reach):
        return "a reach is no number"
    return None


def is_name(text: object) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST and text.isprintable()


def known_in(keys: Any) -> Callable[[int], bool]:
    """Whether a key is among these, which ascend; a strategy without any plays at random by design."""
    met = set(np.asarray(keys).tolist())
    return lambda key: not met or key in met
