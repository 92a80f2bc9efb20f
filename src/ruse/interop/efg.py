"""Gambit's .efg files (EFG 2 R): read into an Explicit game, written from any game with exact fractions.

Fractions matter: Gambit refuses probabilities that do not add up to exactly one, as 0.3333333333333333 three times.

An infoset is what the file numbers, and its name is but a label. What is said twice of an infoset or of an outcome must
agree, as Gambit insists. Numbers are bounded before they are made, so that no file can hang the reader.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ruse.games.explicit import Builder, Explicit, decoded
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.tree.measure.size import is_within
from ruse.words.naming import distinct

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]|[^\s{},"]+|"', re.DOTALL)  # commas are as good as blanks
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
FRACTION = re.compile(r"[+-]?[0-9]+/[0-9]+")
LONGEST = 1_000  # characters of a number; a float's own fraction takes 650 at most
LARGEST = 1_000  # the exponent of a decimal
MOST_PLAYERS = 100
FEW = 20_000  # histories that are written before it is asked how many more there are
SHORTEST = 4  # characters of a node: t""0
ROUNDING = Fraction(1, 10**9)  # how far the probabilities of a file that prints decimals may be from one

# ---- reading ---------------------------------------------------------------------------------------------------------


def load(path: str | Path) -> Explicit:
    """The game in a .efg file. Payoffs of outcomes on the way are added to those at the end."""
    return parse(decode(Path(path).read_bytes()), source=str(path))


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, or else as old editors wrote it: Latin-1 with Windows' additions."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def parse(text: str, *, source: str = "efg") -> Explicit:
    """The game in the text of a .efg file; `source` is what errors call it."""
    return _Reader(text, source).game()


class _Reader:
    """One pass over the tokens; the nodes come in depth-first order."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.tokens: list[tuple[str, int]] = []
        for match in TOKEN.finditer(text):
            self.tokens.append((match.group(), match.start()))
            if match.group() == '"':  # never closed: all that follows is within the quotes
                break
        self.at = 0
        self.names: dict[tuple[int, int], str] = {}  # (player, infoset number) -> name; chance is player 0
        self.menus: dict[tuple[int, int], tuple[list[str], list[float]]] = {}  # actions, and probabilities for chance
        self.outcomes: dict[int, list[Fraction]] = {}

    def game(self) -> Explicit:
        for word in ("EFG", "2"):
            self.expect(word, 'a file that starts with EFG 2 R "title" { "player" ... }')
        if self.take("R after EFG 2") not in ("R", "D"):
            self.fail("R after EFG 2")
        title = self.string("the title in quotes")
        players = len(self.strings("the players' names in braces"))
        if not 0 < players <= MOST_PLAYERS:
            self.fail(f"at least one player, and no more than {MOST_PLAYERS}")
        if self.peek().startswith('"'):
            self.string("a comment in quotes")
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
            self.tree.end(node, [self.in_float(x) for x in payoffs])
            return []
        names, probabilities = self.menus[player, number]
        actions = [name or str(k + 1) for k, name in enumerate(names)]
        label = self.names[player, number] or f"infoset {number}"
        if SHORTEST * (len(self.tree.actor) + len(actions)) > len(self.text):  # or a short file could fill the memory
            self.at = len(self.tokens) + 1
            self.fail(f"{waiting - 1 + len(actions)} more nodes, each starting with c, p or t")
        if kind == "c":
            child = self.tree.chance(node, outcomes=actions, probabilities=probabilities, label=label)
        else:
            child = self.tree.decide(node, player=player - 1, infoset=number, actions=actions, label=label)
        return [(child + a, payoffs) for a in reversed(range(len(actions)))]

    def infoset(self, player: int, number: int) -> None:
        """The name and the actions, which may be left out when the infoset has been seen before."""
        known = (player, number) in self.menus
        name = self.string("the infoset's name in quotes") if self.peek().startswith('"') else ""
        before = self.names.setdefault((player, number), name)
        if before and name and before != name:
            self.refuse(f"infoset {number} was called {cut(before)!r} before, not {cut(name)!r}; give it one name")
        if self.peek() != "{":
            if not known:
                self.at += 1
                self.fail(f"the actions of infoset {number} in braces, where it comes first")
            return
        menu = self.chances() if player == 0 else (self.strings("the actions in braces"), [])
        if not menu[0]:
            self.fail("at least one action in the braces")
        actions, probabilities = self.menus.setdefault((player, number), menu)
        if actions != menu[0]:
            self.fail(f"the same actions {cut(actions)} as before in infoset {number}")
        if probabilities != menu[1]:
            was, now = cut(probabilities), cut(menu[1])
            self.refuse(f"the probabilities of infoset {number} were {was} before, not {now}; correct one of them")

    def chances(self) -> tuple[list[str], list[float]]:
        self.expect("{", "the outcomes in braces")
        names: list[str] = []
        numbers: list[Fraction] = []
        while self.peek() != "}":
            names.append(self.string("an outcome in quotes or a closing brace"))
            numbers.append(self.number("the outcome's probability"))
        self.take("}")
        if numbers and min(numbers) < 0:
            self.refuse(f"expected probabilities of at least 0, not {shown(min(numbers))}")
        total = sum(numbers, Fraction(0))
        if abs(total - 1) > ROUNDING:
            self.refuse(f"expected probabilities that sum to 1, not {shown(total)} (write fractions such as 1/3)")
        return names, [float(x / total) for x in numbers]

    def outcome(self, payoffs: list[Fraction]) -> list[Fraction]:
        """Add the payoffs of the node's outcome, if it has one."""
        number = self.integer("the number of the outcome, or 0 for none", 0)
        if number == 0:
            return payoffs
        if self.peek().startswith('"'):
            self.string("the outcome's name in quotes")
        if self.peek() == "{":
            self.take("{")
            values = []
            while self.peek() != "}":
                values.append(self.number("a payoff or a closing brace"))
            self.take("}")
            if len(values) != self.players:
                self.refuse(f"expected {self.players} payoffs, one for each player, not {len(values)}")
            if (before := self.outcomes.setdefault(number, values)) != values:
                was, now = (cut(" ".join(map(shown, given))) for given in (before, values))
                self.refuse(f"outcome {number} had the payoffs {was} before, not {now}; give it another number")
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
        return printable(re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL))

    def strings(self, expected: str) -> list[str]:
        self.expect("{", expected)
        found = []
        while self.peek() != "}":
            found.append(self.string("a name in quotes or a closing brace"))
        self.take("}")
        return found

    def integer(self, expected: str, low: int, high: int | None = None) -> int:
        token = self.take(expected)
        if not re.fullmatch(r"[0-9]{1,18}", token) or int(token) < low or (high is not None and int(token) > high):
            self.fail(expected)
        return int(token)

    def number(self, expected: str) -> Fraction:
        token = self.take(expected)
        decimal = DECIMAL.fullmatch(token)
        if decimal is None and not FRACTION.fullmatch(token):
            self.fail(f"{expected}, as a fraction or decimal")
        exponent = (decimal[1] if decimal else None) or "0"
        if len(token) > LONGEST or len(exponent) > 5 or abs(int(exponent)) > LARGEST:
            self.fail(f"{expected}, of at most {LONGEST} digits and an exponent of at most {LARGEST}")
        try:
            return Fraction(token)
        except ZeroDivisionError:
            self.fail(f"{expected}, not divided by 0")
            raise

    def in_float(self, x: Fraction) -> float:
        try:
            return float(x)
        except OverflowError:
            self.refuse("the payoffs add up to more than 1.8e308, the largest number that there is; make them smaller")
            raise

    def fail(self, expected: str) -> None:
        """Complain about the token taken last."""
        if self.at > len(self.tokens):
            raise ValueError(f"{self.source}: expected {expected}, but the file ends")
        token = self.tokens[self.at - 1][0]
        said = printable(cut(token))
        unclosed = "; a closing quote is missing" if token == '"' else ""
        self.refuse(f"expected {expected}, found {said}{unclosed}")

    def refuse(self, why: str) -> None:
        """Say what is wrong with the line of the token taken last."""
        line = self.text.count("\n", 0, self.tokens[self.at - 1][1]) + 1
        raise ValueError(f"{self.source}, line {line}: {why}") from None


def cut(given: object, most: int = 40) -> str:
    """As much of it as fits into a sentence."""
    text = str(given)
    return text if len(text) <= most else text[: most - 3] + "..."


def printable(text: str) -> str:
    """The text in one line, and without what moves a cursor."""
    return "".join(c if c.isprintable() else " " for c in text)


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
    lines: list[str | tuple[int, int]] = []  # a decision is its player and infoset until all infosets have a name
    infosets: list[dict[int, EfgInfoset]] = [{} for _ in range(game.players)]  # by key, in the order of their numbers
    outcomes: dict[tuple[Fraction, ...], int] = {}
    chances = 0
    waiting = [State.of(game)]
    while waiting:
        state = waiting.pop()
        # Python takes a minute for as many as kernels count in a second.
        if len(lines) >= limit or (len(lines) == FEW and not is_within(game, limit)):
            raise ValueError(
                f"{title} has more than {limit:,} histories; write a smaller one, or give `dump` a `limit`"
            )
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
            if state.infoset not in own:
                label = " ".join(state.describe(state.player).split())  # Gambit takes single blanks alone
                own[state.infoset] = EfgInfoset(len(own) + 1, label, state.actions)
            lines.append((state.player, own[state.infoset].number))
        waiting += reversed(list(state.children()))
    heads = [written(own.values()) for own in infosets]
    body = [line if isinstance(line, str) else f'p "" {line[0] + 1} {heads[line[0]][line[1] - 1]} 0' for line in lines]
    return "\n".join([f"EFG 2 R {quoted(title)} {{ {seats} }}", "", *body]) + "\n"


class EfgInfoset(NamedTuple):
    """An infoset as a file has it."""

    number: int
    label: str
    actions: list[str]


def written(infosets: Iterable[EfgInfoset]) -> list[str]:
    """A player's infosets as they are written, told apart by name, on which Gambit insists."""
    every = list(infosets)
    labels = distinct(infoset.label for infoset in every)
    menus = [" ".join(map(quoted, infoset.actions)) for infoset in every]
    return [f"{k} {quoted(label)} {{ {menu} }}" for k, (label, menu) in enumerate(zip(labels, menus, strict=True), 1)]


def shown(x: Fraction) -> str:
    """The number for a person: exact if that is short."""
    is_short = x.numerator.bit_length() + x.denominator.bit_length() <= 80
    return str(x) if is_short else f"{Decimal(x.numerator) / Decimal(x.denominator):.15g}"


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
    return short if short and abs(short - exact) < abs(short) / 10**12 else exact


def chance_fractions(chances: list[float]) -> list[Fraction]:
    """The probabilities as fractions that sum to exactly one."""
    short = [fraction(x) for x in chances]
    if sum(short) == 1:
        return short
    exact = [Fraction(x) for x in chances]
    return [x / sum(exact) for x in exact]
