"""Tables 1 and 2: infosets of the four agents after 100 iterations, without and with abstraction."""

from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from ruse.games.cheat.rules import Cheat
from ruse.papers.evidence import AFTER, Evidence, Found, beyond, check, claim, near, refuted_if, so, told
from ruse.papers.lab import Lab
from ruse.papers.ordered_abstraction.agents import ITERATIONS, NAMES, PLUS, engine_for


class Published(NamedTuple):
    """A cell of the paper's tables."""

    seconds: int
    infosets: int


PAPER = {
    "memoryless": (Published(60, 292), Published(860, 292), Published(17887, 292)),
    "hp": (Published(52, 1331), Published(1057, 2557), Published(19034, 4257)),
    "history": (Published(171, 10689), Published(5514, 113331), Published(18371, 1209336)),
    "general": (Published(224, 11433), Published(5054, 120512), Published(20315, 1523174)),
    "memoryless+": (Published(60, 100), Published(1238, 100), Published(20759, 100)),
    "hp+": (Published(80, 604), Published(1346, 1063), Published(21208, 1660)),
    "history+": (Published(159, 3668), Published(4031, 46827), Published(14428, 528371)),
    "general+": (Published(187, 4220), Published(4231, 52723), Published(17891, 659312)),
}
# All keys that there are (by exhaustive enumeration): no run may meet more.
EXHAUSTIVE = {
    "memoryless": (292, 292, 292), "hp": (1339, 2595, 4297), "history": (11242, 115343, 1181620),
    "general": (11750, 123127, 1285572), "memoryless+": (100, 100, 100), "hp+": (608, 1070, 1664),
    "history+": (1348, 1364, None), "general+": (3041, 6406, None),
}  # fmt: skip
NEAR = 0.03  # of a count: the paper's is one sampled run, and single runs of ours differ by so much
SEEDS, FEWER = 10, 3  # fewer in Cheat-5, where a training takes half a minute


class TableCell(NamedTuple):
    """What we measured: the infosets, for each seed."""

    infosets: list[int]


Cells = dict[tuple[str, int], TableCell]


def run(lab: Lab) -> list[Evidence]:
    points = (3, 4) if lab.quick else (3, 4, 5)
    cells = {(agent, hp): measure(lab, agent, hp) for hp in points for agent in PAPER}
    rows = [counts(agent, hp, cells[agent, hp]) for agent in PAPER for hp in points]
    rows += [*growth(cells, points), *fewer(cells, points)]
    return rows + [enumerated(agent, hp, cells[agent, hp]) for agent in PAPER for hp in points if known(agent, hp)]


def measure(lab: Lab, agent: str, hp: int) -> TableCell:
    lab.tell(f"Cheat-{hp}, {agent}")
    game = Cheat(hp=hp)

    def train(seed: int) -> int:
        engine = engine_for(agent, game, seed)
        engine.run(0, ITERATIONS)
        return engine.facts.infosets

    return TableCell(lab.each(train, lab.seeds(FEWER if hp == 5 else SEEDS)))


def called(agent: str) -> str:
    return f"Table {1 if agent in NAMES else 2}, {(NAMES | PLUS)[agent]}"


def known(agent: str, hp: int) -> int | None:
    """How many infosets there are at all."""
    return EXHAUSTIVE[agent][hp - 3]


def counts(agent: str, hp: int, cell: TableCell) -> Evidence:
    theirs, most, found = PAPER[agent][hp - 3].infosets, known(agent, hp), Found.of(cell.infosets)
    low, high = min(cell.infosets), max(cell.infosets)
    impossible = f"; the paper's is more than the {most:,} that there are" if most and theirs > most else ""
    verdict = so(False) if impossible else near(theirs, found, NEAR * theirs)
    return claim(
        f"{called(agent)} in Cheat-{hp}: infosets", f"{theirs:,}",
        f"{told(found, ',.0f')}; {low:,} to {high:,} in {len(cell.infosets)} runs{impossible}",
        verdict, f"{NEAR:.0%} around the paper's, and not more than there are: both are counts of sampled runs",
        found=found, margin_set=AFTER,
    )  # fmt: skip


def growth(cells: Cells, points: tuple[int, ...]) -> list[Evidence]:
    """How counts grow with the Health Points, in the paper's words."""
    rows = []
    for agent, theirs, low, high in (
        ("memoryless", "stays constant", 0.98, 1.02),
        ("history", "almost in power of 10", 8.0, 12.5),
        ("general", "almost in power of 10", 8.0, 12.5),
    ):
        factors = [median(cells[agent, b].infosets) / median(cells[agent, a].infosets) for a, b in pairwise(points)]
        rows.append(
            claim(f"Table 1, {NAMES[agent]}: growth of infosets with one more Health Point", theirs,
                  times(factors),
                  so(all(low <= factor <= high for factor in factors)), f"each {low:g} to {high:g} times",
                  seeds=len(cells[agent, points[0]].infosets), margin_set=AFTER)
        )  # fmt: skip
    return [rows[0], *doubling(cells, points), *rows[1:]]


def doubling(cells: Cells, points: tuple[int, ...]) -> list[Evidence]:
    """HP-Aware sees what Memoryless sees, and both players' points: at most the square of the points as many infosets,
    which is no power of 2. By counting, so that no run is needed; what runs count is told beside it.
    """
    there, alike = ([n for n in EXHAUSTIVE[agent] if n is not None] for agent in ("hp", "memoryless"))
    factors = [b / a for a, b in pairwise(there)]
    is_bounded = all(n <= hp**2 * m for hp, n, m in zip((3, 4, 5), there, alike, strict=True))
    falls = all(b < a for a, b in pairwise(factors))
    runs, published = (
        [median(cells["hp", hp].infosets) for hp in points],
        [PAPER["hp"][hp - 3].infosets for hp in points],
    )
    ours, theirs = ([b / a for a, b in pairwise(counts)] for counts in (runs, published))
    return [
        claim("Table 1, HP-Aware: growth of infosets with one more Health Point", "exponential in powers of 2",
              f"with n points at most n x n times Memoryless's {alike[0]}: there are "
              f"{', '.join(f'{n:,}' for n in there)} by enumeration, {' and '.join(f'{x:.2f}' for x in factors)} times",
              refuted_if(is_bounded and falls, so(None)),
              "refuted if counting bounds it by a polynomial, and the factors fall", margin_set=AFTER),
        beyond("Table 1, HP-Aware: growth of infosets with one more Health Point, as counted in runs", times(ours),
               theirs=f"{times(theirs)} by its own table", seeds=len(cells["hp", points[0]].infosets)),
    ]  # fmt: skip


def times(factors: Iterable[float]) -> str:
    return ", ".join(f"{factor:.2f} times" for factor in factors)


def fewer(cells: Cells, points: tuple[int, ...]) -> list[Evidence]:
    """Abstraction saves infosets, and the more so the larger the game."""
    rows = []
    for plus, plain in zip(PLUS, NAMES, strict=True):
        saved = [min(cells[plain, hp].infosets) - max(cells[plus, hp].infosets) for hp in points]
        theirs = [PAPER[plain][hp - 3].infosets - PAPER[plus][hp - 3].infosets for hp in points]
        is_more = all(b > a for a, b in pairwise(saved)) if plain != "memoryless" else True
        rows.append(
            claim(f"Table 2, {PLUS[plus]}: infosets saved, from Cheat-3 on",
                  f"{', '.join(f'{n:,}' for n in theirs)}; the more complex the game, the more",
                  ", ".join(f"{n:,}" for n in saved), so(min(saved) > 0 and is_more),
                  "some in every pair of runs, and more and more (Memoryless stays as it is)",
                  seeds=len(cells[plain, points[0]].infosets))
        )  # fmt: skip
    return rows


def enumerated(agent: str, hp: int, cell: TableCell) -> Evidence:
    most = known(agent, hp)
    assert most is not None
    return check(f"{called(agent)} in Cheat-{hp}: no run meets more infosets than there are",
                 f"{max(cell.infosets):,}", max(cell.infosets) <= most, f"at most {most:,}, by enumeration",
                 seeds=len(cell.infosets))  # fmt: skip
