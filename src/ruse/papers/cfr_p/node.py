"""Table 4: the node 734401, how often it can have been visited, and what its three policies are worth.

What its fields count is the question. The strategy sum adds up to 4.00, so the node was visited four times: it is of a
first point, where a player's own reach is 1. With 11 tiles of the 16 winds that is impossible. With 11 honours, and
pongs counted among the pairs, it is just what is expected.
"""

from collections.abc import Iterator
from itertools import pairwise, product
from math import comb, exp, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.games.mahjong.positions import dealt
from ruse.games.mahjong.tiles import CHARACTERS, COPIES, KINDS, TILES
from ruse.papers.cfr_p.agents import GAME, ITERATIONS, PAPER, POLICIES, found_of, trained
from ruse.papers.cfr_p.numbers import TABLE_4
from ruse.papers.evidence import AFTER, Evidence, beyond, claim, refuted_if, so, told
from ruse.papers.lab import Lab
from ruse.strategy import Strategy
from ruse.subgame.deal_responses import Won
from ruse.subgame.deal_trees import DealTrees

REGRETS, STRATEGY = (-0.598, 2.128, -1.356), (1.359, 1.975, 0.667)
VISITS = 4
HAND, WINDS = 14, 4
HANDS, FEWER = 400, 60
RARE = 0.001  # a chance below this is none


class FieldReading(NamedTuple):
    """What the fields count."""

    kinds: int  # that the field of winds counts: the winds themselves come before the dragons
    at_least: bool  # pairs are kinds held at least twice, pongs among them; else exactly twice

    def __str__(self) -> str:
        winds = "winds" if self.kinds == WINDS else "winds and dragons"
        return f"{winds}, and pairs are kinds held {'at least' if self.at_least else 'exactly'} twice"

    @property
    def others(self) -> int:
        """Kinds that neither field counts."""
        return KINDS - CHARACTERS - self.kinds

    def fits(self, held: tuple[int, ...]) -> bool:
        """Whether counts by kind have the pairs and pongs of the node."""
        pongs = held.count(3) + held.count(4)
        return pongs == TABLE_4["pongs"] and held.count(2) + pongs * self.at_least == TABLE_4["pairs"]


OURS, LIKELY = FieldReading(WINDS, at_least=False), FieldReading(KINDS - CHARACTERS, at_least=True)
BETWEEN = (FieldReading(WINDS, at_least=True), FieldReading(KINDS - CHARACTERS, at_least=False))


def run(lab: Lab) -> list[Evidence]:
    lab.tell("the node of table 4")
    total = sum(STRATEGY)
    rows = [
        claim("Table 4: the strategy sum adds up to a whole number of visits", f"{', '.join(map(str, STRATEGY))}",
              f"{total:.3f}", so(abs(total - VISITS) <= 0.0015), "0.0015: three numbers are rounded"),
        visits(OURS),
        visits(LIKELY),
        beyond("Table 4: visits that are expected by the two readings between",
               ", ".join(f"{expected_visits(reading):.2g} ({reading})" for reading in BETWEEN), theirs="4"),
    ]  # fmt: skip
    agent = trained("cfr_p", 1_000 if lab.quick else ITERATIONS, lab.seed, as_paper=True)
    return rows + [best_policy(lab, reading, agent) for reading in (OURS, LIKELY)]


def expected_visits(reading: FieldReading) -> float:
    """How often a hand of 14 tiles has the features of the node, in the paper's iterations."""
    return ITERATIONS * sum(ways for _, ways in hands(reading)) / comb(TILES, HAND)


def visits(reading: FieldReading) -> Evidence:
    """Whether it can have been visited so often."""
    expected = expected_visits(reading)
    tail = at_least_so_often(VISITS, expected)
    low = 1.0 - at_least_so_often(VISITS + 1, expected)
    return claim(
        f"Table 4: four visits in 10,000 iterations, if the last field counts {reading}", "4",
        f"{expected:.2g} expected; four or more have a chance of {tail:.1g}",
        refuted_if(tail < RARE, so(min(tail, low) >= 0.025)),
        f"4 is within the central 95 % of a Poisson count; refuted if the chance is below {RARE:g}", margin_set=AFTER,
    )  # fmt: skip


def hands(reading: FieldReading) -> Iterator[tuple[tuple[int, ...], int]]:
    """Counts by kind that have the features, without regard to which kinds they are of, and how many hands have them.

    The node has 14 tiles in its two fields: nothing else is held.
    """
    for characters in counts(CHARACTERS, TABLE_4["characters"]):
        for winds in counts(reading.kinds, TABLE_4["winds"]):
            both = characters + winds
            if reading.fits(both):
                ways = arrangements(characters, CHARACTERS) * arrangements(winds, reading.kinds)
                for count in both:
                    ways *= comb(COPIES, count)
                yield both, ways


def counts(kinds: int, tiles: int) -> Iterator[tuple[int, ...]]:
    """All ways to hold so many tiles of so many kinds, the most frequent kind first."""
    for each in product(range(COPIES, -1, -1), repeat=min(kinds, tiles)):
        if sum(each) == tiles and all(a >= b for a, b in pairwise(each)):
            yield each + (0,) * (kinds - len(each))


def arrangements(held: tuple[int, ...], kinds: int) -> int:
    """In how many ways kinds can have these counts."""
    ways = factorial(kinds)
    for count in set(held):
        ways //= factorial(held.count(count))
    return ways


def at_least_so_often(count: int, expected: float) -> float:
    """The chance of so many or more, Poisson; by its tail, where one less the rest would be nothing but rounding."""
    return sum(exp(-expected) * expected**k / factorial(k) for k in range(count, count + 60))


# ---- what the policies are worth -------------------------------------------------------------------------------------


def best_policy(lab: Lab, reading: FieldReading, agent: Strategy) -> Evidence:
    """Which policy wins most from such hands, in the first player's first choice, if all then play as trained."""
    values = values_of(agent, deals_with(reading, FEWER if lab.quick else HANDS, lab.seed))
    ahead = [Won(values[1].by_deal - values[k].by_deal) for k in (0, 2)]
    is_best = all(one.interval[0] > 0 for one in ahead)
    is_not = any(one.interval[1] < 0 for one in ahead)
    return claim(
        f"Table 4: PongPongHu has the highest regret, hands by {reading}",
        f"regrets {', '.join(map(str, REGRETS))}",
        ", ".join(f"{name} {told(found_of(one), '+.2f')}" for name, one in zip(POLICIES, values, strict=True)),
        so(True if is_best else False if is_not else None),
        "it wins more than either of the others, by the whole interval", seeds=1,
    )  # fmt: skip


def deals_with(reading: FieldReading, count: int, seed: int) -> NDArray[np.int64]:
    """[deal, column] rows in which player 0 has drawn, and holds a hand of the node."""
    dice = np.random.default_rng(seed)
    held, ways = zip(*hands(reading), strict=True)
    shares = np.array(ways, float) / sum(ways)
    rows = []
    for which in dice.choice(len(held), count, p=shares):
        characters, winds = np.split(np.array(held[which]), [CHARACTERS])
        kinds = np.concatenate([dice.permutation(characters), dice.permutation(winds), np.zeros(reading.others, int)])
        hand = dice.permutation(np.repeat(np.arange(KINDS), kinds))
        rest = dice.permutation(np.repeat(np.arange(KINDS), COPIES - kinds))
        wall = [*hand[:13], *rest[:13], hand[13], *rest[13:]]  # the first tile of the wall is player 0's
        rows.append(dealt(GAME, [int(kind) for kind in wall]))
    return np.array(rows)


def values_of(agent: Strategy, rows: NDArray[np.int64]) -> list[Won]:
    """What each policy wins for player 0 at his first choice."""
    trees = DealTrees.from_rows(GAME, PAPER, rows)
    shares = trees.shares(agent)
    other, roots = trees.reach(shares), np.flatnonzero((trees.owner == 0) & (trees.parent == 0))
    values = []
    for policy in range(len(POLICIES)):
        own = shares.copy()
        for k in range(len(POLICIES)):
            own[trees.first[roots] + k] = k == policy
        values.append(Won(trees.by_deal(0, [trees.reach(own), other])))
    return values
