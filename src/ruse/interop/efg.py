"""Gambit's .efg files (EFG 2 R): read into an Explicit game, written from any game with exact fractions.

Fractions matter: Gambit refuses probabilities that do not add up to exactly one, as 0.3333333333333333 three times.
"""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np

from ruse.game import Game
from ruse.games.explicit import Builder, Explicit, decoded
from ruse.state import State

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]|[^\s{},"]+|"', re.DOTALL)  # commas are as good as blanks
ROUNDING = Fraction(1, 10**9)  # how far the probabilities of a file that prints decimals may be from one

# ---- reading ---------------------------------------------------------------------------------------------------------


def load(path: str | Path) -> Explicit:
    """The game in a .efg file. Payoffs of outcomes on the way are added to those at the end."""
    return parse(Path(path).read_text(encoding="utf-8"), source=str(path))


def parse(text: str, *, source: str = "efg") -> Explicit:
    """The game in the text of a .efg file; `source` is what errors call it."""
    return _Reader(text, source).game()


class _Reader:
    """One pass over the tokens; the nodes come in depth-first order."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.tokens = [(m.group(), m.start()) for m in TOKEN.finditer(text)]
        self.at = 0
        self.names: dict[tuple[int, int], str] = {}  # (player, infoset number) -> label; chance is player 0
        self.menus: dict[tuple[int, int], tuple[list[str], list[float]]] = {}  # actions, and probabilities for chance
        self.labels: set[tuple[int, str]] = set()  # (player, label), to tell apart infosets of the same name
        self.outcomes: dict[int, list[Fraction]] = {}

    def game(self) -> Explicit:
        for word in ("EFG", "2"):
            self.expect(word, 'a file that starts with EFG 2 R "title" { "player" ... }')
        if self.take("R after EFG 2") not in ("R", "D"):
            self.fail("R after EFG 2")
        title = self.string("the title in quotes")
        players = len(self.strings("the players' names in braces"))
        if not players:
            self.fail("at least one player")
        if self.peek().startswith('"'):
            self.take("a comment")
        self.tree = Builder(title, players)
        self.players = players
        waiting = [(0, [Fraction(0)] * players)]
        while waiting:
            node, payoffs = waiting.pop()
            waiting += self.node(node, payoffs, len(waiting) + 1)
        if self.at < len(self.tokens):
            self.at += 1
            self.fail("the end of the file, as every node has its children")
        return self.tree.game()

    def node(self, node: int, payoffs: list[Fraction], waiting: int) -> list[tuple[int, list[Fraction]]]:
        """Read one node; answer with its children, last first, and the payoffs gathered on the way."""
        kind = self.take(f"{waiting} more node{'s' * (waiting > 1)}, each starting with c, p or t")
        if kind not in ("c", "p", "t"):
            self.fail("a node, starting with c, p or t")
        self.string("the node's name in quotes")
        player, number = 0, 0
        if kind != "t":
            player = self.integer(f"a player from 1 to {self.players}", 1, self.players) if kind == "p" else 0
            number = self.integer("the number of the infoset", 1)
            self.infoset(player, number)
        payoffs = self.outcome(payoffs)
        if kind == "t":
            self.tree.end(node, [float(x) for x in payoffs])
            return []
        actions, probabilities = self.menus[player, number]
        label = self.names[player, number]
        if kind == "c":
            child = self.tree.chance(node, outcomes=actions, probabilities=probabilities, label=label)
        else:
            child = self.tree.decide(node, player=player - 1, infoset=label, actions=actions)
        return [(child + a, payoffs) for a in reversed(range(len(actions)))]

    def infoset(self, player: int, number: int) -> None:
        """The name and the actions, which may be left out when the infoset has been seen before."""
        known = (player, number) in self.menus
        name = self.string("") if self.peek().startswith('"') else ""
        if not known:
            label = name or f"infoset {number}"
            if player > 0 and (player, label) in self.labels:
                label = f"{label} ({number})"
            self.labels.add((player, label))
            self.names[player, number] = label
        if self.peek() != "{":
            if not known:
                self.at += 1
                self.fail(f"the actions of infoset {number} in braces, where it comes first")
            return
        menu = self.chances() if player == 0 else (self.strings("the actions in braces"), [])
        menu = ([action or str(k + 1) for k, action in enumerate(menu[0])], menu[1])
        if not menu[0]:
            self.fail("at least one action in the braces")
        if self.menus.setdefault((player, number), menu) != menu:
            self.fail(f"the same actions {self.menus[player, number][0]} as before in infoset {number}")

    def chances(self) -> tuple[list[str], list[float]]:
        self.expect("{", "the outcomes in braces")
        names: list[str] = []
        numbers: list[Fraction] = []
        while self.peek() != "}":
            names.append(self.string("an outcome in quotes or a closing brace"))
            numbers.append(self.number("the outcome's probability"))
        self.take("}")
        total = sum(numbers, Fraction(0))
        if any(x < 0 for x in numbers) or abs(total - 1) > ROUNDING:
            self.fail(f"probabilities that sum to 1, not {total} (write fractions such as 1/3)")
        return names, [float(x / total) for x in numbers]

    def outcome(self, payoffs: list[Fraction]) -> list[Fraction]:
        """Add the payoffs of the node's outcome, if it has one."""
        number = self.integer("the number of the outcome, or 0 for none", 0)
        if number == 0:
            return payoffs
        if self.peek().startswith('"'):
            self.take("the outcome's name")
        if self.peek() == "{":
            self.take("{")
            values = []
            while self.peek() != "}":
                values.append(self.number("a payoff or a closing brace"))
            self.take("}")
            if len(values) != self.players:
                self.fail(f"{self.players} payoffs, one for each player, not {len(values)}")
            self.outcomes[number] = values
        elif number not in self.outcomes:
            self.at += 1
            self.fail(f"the payoffs of outcome {number} in braces, where it comes first")
        return [a + b for a, b in zip(payoffs, self.outcomes[number], strict=True)]

    # -- tokens

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, expected: str) -> str:
        self.at += 1
        if self.at > len(self.tokens):
            self.fail(expected)
        return self.tokens[self.at - 1][0]

    def expect(self, token: str, expected: str) -> None:
        if self.take(expected) != token:
            self.fail(expected)

    def string(self, expected: str) -> str:
        token = self.take(expected)
        if len(token) < 2 or not token.startswith('"'):
            self.fail(expected)
        return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)

    def strings(self, expected: str) -> list[str]:
        self.expect("{", expected)
        found = []
        while self.peek() != "}":
            found.append(self.string("a name in quotes or a closing brace"))
        self.take("}")
        return found

    def integer(self, expected: str, low: int, high: int | None = None) -> int:
        token = self.take(expected)
        if not re.fullmatch(r"\d+", token) or int(token) < low or (high is not None and int(token) > high):
            self.fail(expected)
        return int(token)

    def number(self, expected: str) -> Fraction:
        token = self.take(expected)
        try:
            return Fraction(token)
        except (ValueError, ZeroDivisionError):
            self.fail(expected + ", as a fraction or decimal")
            raise

    def fail(self, expected: str) -> None:
        """Complain about the token taken last."""
        if self.at > len(self.tokens):
            raise ValueError(f"{self.source}: expected {expected}, but the file ends")
        token, start = self.tokens[self.at - 1]
        line = self.text.count("\n", 0, start) + 1
        shown = token if len(token) <= 40 else token[:37] + "..."
        unclosed = "; a closing quote is missing" if token == '"' else ""
        raise ValueError(f"{self.source}, line {line}: expected {expected}, found {shown}{unclosed}") from None


# ---- writing ---------------------------------------------------------------------------------------------------------


def save(game: Game, path: str | Path, *, limit: int = 1_000_000) -> None:
    """Write the game as a .efg file."""
    Path(path).write_text(dump(game, limit=limit), encoding="utf-8")


def dump(game: Game, *, limit: int = 1_000_000) -> str:
    """The game as the text of a .efg file. Games of more than `limit` histories are refused.

    >>> from ruse.games.matrix import matching_pennies
    >>> print(dump(matching_pennies()))
    EFG 2 R "Matrix('matching_pennies', 2x2)" { "player 0" "player 1" }
    <BLANKLINE>
    p "" 1 1 "to move" { "heads" "tails" } 0
    p "" 2 1 "to move" { "heads" "tails" } 0
    t "" 1 "" { 1 -1 }
    t "" 2 "" { -1 1 }
    p "" 2 1 "to move" { "heads" "tails" } 0
    t "" 2 "" { -1 1 }
    t "" 1 "" { 1 -1 }
    <BLANKLINE>
    """
    title = decoded(game.labels)["name"] if isinstance(game, Explicit) else repr(game)
    seats = " ".join(quoted(f"player {p}") for p in range(game.players))
    lines = [f"EFG 2 R {quoted(title)} {{ {seats} }}", ""]
    infosets: list[dict[int, int]] = [{} for _ in range(game.players)]  # key -> its number, from 1
    outcomes: dict[tuple[Fraction, ...], int] = {}
    chances = 0
    waiting = [State.of(game)]
    while waiting:
        state = waiting.pop()
        if len(lines) - 2 >= limit:
            raise ValueError(f"{title} has more than {limit:,} histories; raise `limit` or write a smaller game")
        if state.is_over:
            payoffs = tuple(fraction(x) for x in state.payoffs)
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)
            lines.append(f't "" {number} "" {{ {" ".join(map(str, payoffs))} }}')
            continue
        if state.is_chance:
            chances += 1
            pairs = zip(state.actions, chance_fractions(state.chances), strict=True)
            menu = " ".join(f"{quoted(name)} {chance}" for name, chance in pairs)
            lines.append(f'c "" {chances} "" {{ {menu} }} 0')
        else:
            own = infosets[state.player]
            number = own.setdefault(state.infoset, len(own) + 1)
            menu = " ".join(map(quoted, state.actions))
            lines.append(f'p "" {state.player + 1} {number} {quoted(state.describe(state.player))} {{ {menu} }} 0')
        waiting += reversed(list(state.children()))
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fraction(x: float) -> Fraction:
    """The fraction that this float stands for: a short one if there is one, else the float's exact value."""
    if not np.isfinite(x):
        raise ValueError(f"a payoff must be finite to be written as a fraction, got {x}")
    exact = Fraction(x)
    short = exact.limit_denominator(1_000_000)
    if float(short) == x:
        return short
    # Arithmetic may have cost the last bits, as in 13/3 - 5; no other fraction this short is anywhere near.
    short = exact.limit_denominator(1_000)
    return short if abs(short - exact) < Fraction(1, 10**12) else exact


def chance_fractions(chances: list[float]) -> list[Fraction]:
    """The probabilities as fractions that sum to exactly one."""
    short = [fraction(x) for x in chances]
    if sum(short) == 1:
        return short
    exact = [Fraction(x) for x in chances]
    return [x / sum(exact) for x in exact]
