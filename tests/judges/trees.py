"""Random games as plain trees, and as the text of a .efg file with every feature that the format has."""

import random
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from ruse.games.explicit import Builder, Explicit

CHANCE = -1
TITLES = ["plain", 'with "quotes"', "back\\slash", "ümlaut ♠", "", "two\nlines"]
NAMES = ["x", "x", "x (2)", "x (3)", "", "", "infoset 2", "y", 'q"q', "a\\b", "π", "  blank "]
ALIKE = ["x", "x", "x", *(f"x ({n})" for n in range(1, 9))]  # names that a reader may use to tell others apart
ACTIONS = ["l", "r", "l", "", "1", "up", 'say "no"', "a,b", "{", "ß"]


class Node:
    """A history. `infoset` is a number of the player's own, or of chance; payoffs are gained on the way, too."""

    def __init__(self, player: int | None, infoset: int, payoffs: list[Fraction] | None) -> None:
        self.player, self.infoset, self.payoffs = player, infoset, payoffs  # player None: the end
        self.chances: list[Fraction] = []
        self.children: list[Node] = []


class Tree(NamedTuple):
    """A game: its tree, and how many actions each infoset has."""

    root: Node
    players: int
    constant: Fraction | None  # what all payoffs of an ending sum to, if it is always the same
    menus: dict[tuple[int, int], int]


def random_tree(seed: int, *, players: int = 2, constant: Fraction | None = Fraction(0), largest: int = 120) -> Tree:
    """The game of this seed. What a player has seen and done decides the infoset, so all is recalled."""
    for attempt in count():
        tree = _grown(random.Random(f"{seed}/{attempt}"), players, constant, largest)
        if tree is not None:
            return tree
    raise AssertionError("unreachable")


def _grown(draw: random.Random, players: int, constant: Fraction | None, largest: int) -> Tree | None:
    numbers: dict[tuple[int, tuple[object, ...]], int] = {}
    menus: dict[tuple[int, int], int] = {}
    fates: dict[int, list[Fraction]] = {}
    taken = [0] * (players + 1)
    nodes = 0

    def number(player: int) -> int:
        """A new infoset number; some are left out, for the format does not want them in a row."""
        taken[player] += draw.choice([1, 1, 1, 2, 40])
        return taken[player]

    def money() -> Fraction:
        return Fraction(draw.randint(-12, 12), draw.choice([1, 1, 2, 3, 4, 5, 7, 10]))

    def payoffs(total: Fraction | None) -> list[Fraction]:
        values = [money() for _ in range(players)]
        if total is not None:
            values[-1] = total - sum(values[:-1], Fraction(0))
        return values

    longest = draw.randint(2, 6)

    def grow(depth: int, seen: list[tuple[object, ...]]) -> Node:
        nonlocal nodes
        nodes += 1
        if nodes > largest:
            raise OverflowError
        over = depth == longest or (depth > 0 and draw.random() < 0.12)
        if over:
            nothing = (constant in (None, Fraction(0))) and draw.random() < 0.15
            return Node(None, 0, None if nothing else payoffs(constant))
        on_the_way = payoffs(None if constant is None else Fraction(0)) if draw.random() < 0.2 else None
        if draw.random() < (0.6 if depth == 0 else 0.2):
            alike = [k for k in fates if draw.random() < 0.3]
            infoset = alike[0] if alike else number(players)
            if infoset not in fates:
                weights = [draw.randint(0 if draw.random() < 0.1 else 1, 5) for _ in range(draw.randint(1, 3))]
                weights[0] += not any(weights)
                fates[infoset] = [Fraction(w, sum(weights)) for w in weights]
            node, options = Node(CHANCE, infoset, on_the_way), len(fates[infoset])
            node.chances = fates[infoset]
            mover = None
        else:
            mover = draw.randrange(players)
            known = (mover, seen[mover])
            if known not in numbers:
                numbers[known] = number(mover)
                menus[mover, numbers[known]] = draw.choice([1, 2, 2, 2, 3, 3])
            node, options = Node(mover, numbers[known], on_the_way), menus[mover, numbers[known]]
        witness = [draw.random() < 0.5 for _ in range(players)]
        for a in range(options):
            after = list(seen)
            for p in range(players):
                if p == mover:
                    after[p] = (*seen[p], "did", a)
                elif witness[p]:
                    after[p] = (*seen[p], depth, a)
                elif draw.random() < 0.3:
                    after[p] = (*seen[p], depth)
            node.children.append(grow(depth + 1, after))
        return node

    try:
        root = grow(0, [()] * players)
    except OverflowError:
        return None
    movers = {player for player, _ in menus}
    if nodes < 8 or len(movers) < min(players, 2):
        return None
    return Tree(root, players, constant, menus)


# ---- as a file -------------------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def as_efg(tree: Tree, seed: int, *, tame: bool = False) -> str:
    """The tree as a file that uses all that the format allows; `tame` leaves out what only some readers take."""
    draw = random.Random(f"text {seed}")
    named: dict[tuple[int, int], str] = {}
    outcomes: dict[tuple[Fraction, ...], list[int]] = {}
    used: set[int] = {0}
    texts: dict[int, str] = {}

    def space() -> str:
        return draw.choice([" ", " ", " ", "  ", "\n", "\t"])

    def spelled(x: Fraction) -> str:
        ways = [str(x)]
        tenth = x * 1000
        if tenth.denominator == 1:
            ways += [f"{float(x)}", f"{x.numerator * 2}/{x.denominator * 2}"]
            ways += [f"{tenth.numerator}e-3"] * (not tame)
        return draw.choice(ways)

    def names(options: int) -> list[str]:
        offered = [name for name in ACTIONS if not tame or name not in ("", "{")]
        return [draw.choice(offered) for _ in range(options)] if not tame else [f"a{k}" for k in range(options)]

    def outcome(node: Node) -> str:
        if node.payoffs is None:
            return "0"
        key = tuple(node.payoffs)
        if key in outcomes and draw.random() < 0.7:
            chosen = draw.choice(outcomes[key])
            if draw.random() < 0.5:
                return str(chosen)
        else:
            chosen = max(used) + draw.choice([1, 1, 3])
            used.add(chosen)
            outcomes.setdefault(key, []).append(chosen)
        between = draw.choice([" ", ", "])
        name = draw.choice(["", "win", 'a "b"']) if not tame else f"o{chosen}"
        money = between.join(map(spelled, node.payoffs))
        if tame:  # some readers compare the words of two definitions, not the numbers
            money = texts.setdefault(chosen, money)
        return f"{chosen} {quoted(name)} {{ {money} }}"

    labels = ALIKE if draw.random() < 0.3 else NAMES
    lines = []

    def write(node: Node) -> None:
        title = quoted(draw.choice(["", "here", 'h"h']) if not tame else "")
        if node.player is None:
            lines.append(f"t {title} {outcome(node)}")
            return
        place = (node.player, node.infoset)
        head = f"c {title}" if node.player == CHANCE else f"p {title} {node.player + 1}"
        if place not in named:
            actions = [quoted(name) for name in names(len(node.children))]
            if node.player == CHANCE:
                actions = [f"{name} {spelled(x)}" for name, x in zip(actions, node.chances, strict=True)]
            named[place] = f"{{{space()}{space().join(actions)} }}"
            if draw.random() < 0.9 or tame:
                label = draw.choice(labels) if not tame else f"i{node.infoset}"
                named[place] = f"{quoted(label)} {named[place]}"
            menu = named[place]
        else:
            menu = named[place] if draw.random() < 0.5 else ""
        lines.append(f"{head}{space()}{node.infoset} {menu}{space()}{outcome(node)}")
        for child in node.children:
            write(child)

    write(tree.root)
    seats = " ".join(
        quoted(draw.choice(["Ann", "Bob", "", "Ann"]) if not tame else f"p{p}") for p in range(tree.players)
    )
    comment = draw.choice(["", '"a comment\nin two lines"\n'])
    title = draw.choice(TITLES) if not tame else "tame"
    return f"EFG 2 R {quoted(title)} {{ {seats} }}\n{comment}\n" + "\n".join(lines) + draw.choice(["", "\n", "\n\n"])


# ---- by the builder --------------------------------------------------------------------------------------------------


def as_explicit(tree: Tree) -> Explicit:
    """The same tree by ruse's builder."""
    made = Builder("built", tree.players)
    nothing = [Fraction(0)] * tree.players
    waiting = [(0, tree.root, nothing)]
    while waiting:
        at, node, gained = waiting.pop()
        gained = [a + b for a, b in zip(gained, node.payoffs or nothing, strict=True)]
        words = [f"a{k}" for k in range(len(node.children))]
        if node.player is None:
            made.end(at, [float(x) for x in gained])
            continue
        if node.player == CHANCE:
            first = made.chance(at, outcomes=words, probabilities=[float(x) for x in node.chances])
        else:
            first = made.decide(at, player=node.player, infoset=f"infoset {node.infoset}", actions=words)
        waiting += [(first + k, child, gained) for k, child in enumerate(node.children)]
    return made.game()


def kind_of(seed: int) -> dict[str, Any]:
    """Zero sum, another fixed sum, no fixed sum; two players or more."""
    if seed % 5 == 3:
        return {"constant": Fraction(7, 3)}
    if seed % 5 == 4:
        return {"constant": None, "players": 1 + seed // 5 % 4}
    return {}
