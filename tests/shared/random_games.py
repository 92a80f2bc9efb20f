"""Small random games: chance, hidden and half-hidden moves, perfect recall, menus of different sizes."""

import random
from itertools import count

from ruse.games.explicit import Builder, Explicit

SMALLEST, LARGEST = 20, 400  # histories


def random_game(seed: int, players: int = 2, zero_sum: bool = True, depth: int | None = None) -> Explicit:
    """The game of this seed, always the same; `depth` is the longest history, by default 4 to 7."""
    shallow = depth is not None and depth < 5  # takes what it gets: no game of two moves has many histories
    for attempt in count():
        game = grow(f"{seed}-{attempt}", players, zero_sum, depth)
        if game is None:
            continue
        movers = set(game.actor[game.actor >= 0].tolist())
        if shallow or (len(game.actor) >= SMALLEST and len(movers) == players):
            return game
    raise AssertionError("unreachable")


def grow(name: str, players: int, zero_sum: bool, depth: int | None) -> Explicit | None:
    """One attempt; None if it gets too large.

    What everyone knows decides who moves and who will see it; what a player knows decides how many actions he has. So
    infosets are well-formed by construction, and as knowledge is only ever added, players recall all.
    """
    longest = depth or random.Random(f"{name} depth").randint(4, 7)
    tree = Builder(f"random game {name}", players)
    waiting = [(0, "", [""] * players, longest)]  # node, what everyone knows, what each player knows, moves to come
    while waiting:
        node, public, private, left = waiting.pop()
        if len(tree.actor) > LARGEST:
            return None
        common = random.Random(f"{name} public {public}")
        moves = longest - left
        if left == 0 or (moves > 2 and common.random() < 0.2):
            tree.end(node, payoffs(name, node, players, zero_sum))
            continue
        chance = common.random() < (0.8 if moves == 0 else 0.25)
        mover = common.randrange(players)
        seen_by = common.choice(["all", "none", "one", "parity"])  # besides the mover
        witness = common.randrange(players)
        if chance:
            n = common.randint(2, 3)
            weights = [common.randint(1, 4) for _ in range(n)]
            child = tree.chance(
                node, outcomes=[f"c{a}" for a in range(n)], probabilities=[w / sum(weights) for w in weights]
            )
        else:
            own = random.Random(f"{name} player {mover} {private[mover]}")
            n = own.choice([1, 2, 2, 2, 3, 3, 4])
            label = private[mover] or "start"
            child = tree.decide(node, player=mover, infoset=label, actions=[f"a{a}" for a in range(n)])
        for a in range(n):
            news = {"all": str(a), "parity": "eo"[a % 2]}.get(seen_by, "?")
            after = []
            for p in range(players):
                knows = (p == mover and not chance) or (p == witness and seen_by == "one")
                after.append(f"{private[p]} {a if knows else news}".strip())
            waiting.append((child + a, f"{public} {news}", after, left - 1))
    return tree.game()


def payoffs(name: str, node: int, players: int, zero_sum: bool) -> list[float]:
    """Quarters from -2 to 2, so that sums are exact."""
    draw = random.Random(f"{name} end {node}")
    values = [draw.randint(-8, 8) / 4 for _ in range(players)]
    if zero_sum:
        values[-1] = 0.0 - sum(values[:-1])  # 0.0 - x has no negative zeros
    return values
