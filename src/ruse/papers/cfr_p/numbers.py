"""The numbers of the text: tiles, the size of the game, and Table 3."""

import random
from decimal import Decimal
from math import factorial, log10

from ruse.games.mahjong.cfrp.encoding import decode, encode
from ruse.games.mahjong.row import BACK, FRONT
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.tiles import CHARACTERS, COPIES, KINDS, TILES
from ruse.papers.evidence import Evidence, beyond, check, claim, refuted_if, so
from ruse.papers.lab import Lab
from ruse.protocol.state import State

SAMPLE = 734_401
TABLE_4 = {"round": 1, "pairs": 3, "pongs": 2, "characters": 3, "winds": 11}
BONUS, DEALT, HAND = 8, 26, 14
EXACT, ORDER = "exact", "refuted if it is another order of magnitude"


def run(lab: Lab) -> list[Evidence]:
    lab.tell("the numbers of the text")
    return [*tiles(), *sizes(), *encoding(), *discards(lab)]


def tiles() -> list[Evidence]:
    both, wall = CHARACTERS * COPIES, TILES - DEALT
    honours = (KINDS - CHARACTERS) * COPIES
    whole = 3 * both + honours + BONUS
    return [
        claim("Table 1: tiles of a whole set", "144",
              f"{3 * both} + {honours} + {BONUS} = {whole}",
              so(whole == 144), EXACT),
        claim("Tiles for two players", "68: characters, honours and bonus",
              f"{both} + {honours} + {BONUS} = {both + honours + BONUS} with the bonus tiles, {both + honours} without",
              refuted_if(68 not in (both + honours, both + honours + BONUS), so(True)),
              "refuted if Table 1 adds up to something else, with or without bonus tiles"),
        claim("Tiles without the bonus, and dealt", "36 characters, 28 honours; 26 dealt",
              f"{both}, {honours}; {DEALT}", so((both, honours, DEALT) == (36, 28, 2 * 13)), EXACT),
        claim("Rounds at most", "38", f"{TILES} - {DEALT} = {wall}", so(wall == 38), EXACT),
    ]  # fmt: skip


def sizes() -> list[Evidence]:
    leaves, copies = HAND**38, factorial(COPIES) ** KINDS
    shuffles = factorial(TILES) // copies
    theirs = leaves * 12 * 10**21
    return [
        claim("Leaves of one deal if all pass, 14^38", "10^43", scientific(leaves), so(43 <= log10(leaves) < 44),
              "the order of magnitude"),
        claim("Leaves with policies in place of discards, 3^38", "1.35e18", scientific(3**38),
              so(abs(3**38 / 1.35e18 - 1) < 0.005), "half a unit of the last digit"),
        claim("Shuffles, 64! / (4!)^16", "1.2e22",
              f"{scientific(shuffles)}; 1.2e22 is (4!)^16 alone, {scientific(copies)}",
              refuted_if(abs(log10(shuffles) - log10(1.2e22)) > 1, so(True)), ORDER),
        claim("The two multiplied", "10^64",
              f"{scientific(leaves)} times {scientific(shuffles)} is {scientific(leaves * shuffles)}; with the paper's "
              f"own factors it is {scientific(theirs)}",
              refuted_if(abs(log10(leaves * shuffles) - 64) > 1, so(True)), ORDER),
        claim("Chess has 10^46 positions, limit Hold'em 10^18 leaves", "cited", "not ours to count", so(None),
              "other papers' numbers"),
    ]  # fmt: skip


def encoding() -> list[Evidence]:
    told = decode(SAMPLE)
    largest = encode(38, 6, 4, 14, 14)
    return [
        claim("Tables 3 and 4: what 734401 tells", ", ".join(f"{k} {v}" for k, v in TABLE_4.items()),
              ", ".join(f"{k} {v}" for k, v in told._asdict().items()),
              so(told._asdict() == TABLE_4 and encode(*told) == SAMPLE), "every field, and back"),
        claim("Table 3: fields hold their ranges", "38, 6, 4, 14 and 14 in 6, 3, 3, 4 and 4 bits",
              f"the largest of each is {largest}, which reads {', '.join(map(str, decode(largest)))}",
              so(tuple(decode(largest)) == (38, 6, 4, 14, 14) and largest < 1 << 20), "all five, and 20 bits"),
    ]  # fmt: skip


def discards(lab: Lab) -> list[Evidence]:
    """Tiles of one kind are one choice: how many choices there are in random play, claims and kongs among them."""
    dice, games = random.Random(lab.seed), 20 if lab.quick else 200
    ways, longest, moves = 0.0, 0, 0
    for _ in range(games):
        state = State.of(Mahjong())
        while not state.is_over:
            count = state.num_actions
            a = dice.choices(range(count), state.chances if state.is_chance else None)[0]
            if not state.is_chance:
                ways, moves = ways + log10(count), moves + 1
            state = state.stepped(a)
        longest = max(longest, int(state.row[FRONT] + state.row[BACK]))
    return [
        check("No game of random moves has more than 38 rounds", f"{longest} at most in {games} games",
              longest <= 38, "38 or fewer"),
        beyond("Ways through one deal of random moves, the geometric mean: tiles of a kind are one choice",
               f"10^{ways / games:.0f}, over {moves / games:.0f} decisions", theirs="more than 14^38 = 10^43"),
    ]  # fmt: skip


def scientific(number: int) -> str:
    """Three digits and the power of ten, of numbers of any length.

    >>> scientific(64), scientific(14**38)
    ('6.40e1', '3.57e43')
    """
    return f"{Decimal(number):.2e}".replace("e+", "e")
