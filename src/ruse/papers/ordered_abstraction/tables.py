"""Tables 1 and 2: infosets and seconds of the four agents after 100 iterations, without and with abstraction."""

import time
from statistics import median
from typing import NamedTuple

from ruse.games.cheat.rules import Cheat
from ruse.papers.lab import Lab, Row
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
# What we accept: where the median of the seeds must lie, or by how much any run may differ from a typical count.
MEDIANS = {
    ("memoryless", 4): (292, 292), ("memoryless", 5): (292, 292),
    ("hp", 3): (1310, 1335), ("hp", 4): (2555, 2585), ("hp", 5): (4255, 4285),
    ("memoryless+", 3): (100, 100), ("memoryless+", 4): (100, 100), ("memoryless+", 5): (100, 100),
    ("hp+", 3): (601, 608), ("hp+", 4): (1055, 1068), ("hp+", 5): (1649, 1664),
}  # fmt: skip
TYPICAL = {("history", 3): 10950, ("general", 3): 11440, ("history", 4): 111_700, ("general", 4): 119_200}
HEAVY = ("history", "general", "history+", "general+")  # too many infosets in Cheat-5 to be run with every seed


class Cell(NamedTuple):
    """What we measured: for each seed the infosets, and the least seconds."""

    infosets: list[int]
    seconds: float


def run(lab: Lab) -> list[Row]:
    points = (3, 4) if lab.quick else (3, 4, 5)
    cells = {(agent, hp): measure(lab, agent, hp) for hp in points for agent in PAPER}
    rows = [compare(agent, hp, cells[agent, hp]) for agent in PAPER for hp in points]
    for plus, plain in (("history+", "history"), ("general+", "general")):
        for hp in points:
            ours = (max(cells[plus, hp].infosets), min(cells[plain, hp].infosets))
            theirs = tuple(PAPER[agent][hp - 3].infosets for agent in (plus, plain))
            rows.append(
                Row(f"Table 2, {PLUS[plus]} has fewer infosets than {NAMES[plain]} in Cheat-{hp}",
                    "{:,} and {:,}".format(*theirs), "{:,} and {:,}".format(*ours), "fewer", ours[0] < ours[1])
            )  # fmt: skip
    return rows


def measure(lab: Lab, agent: str, hp: int) -> Cell:
    lab.tell(f"Cheat-{hp}, {agent}")
    game = Cheat(hp=hp)
    engine_for(agent, game, lab.seed).run(0, 1)  # compiled, so that it is not timed

    def train(seed: int) -> tuple[int, float]:
        engine = engine_for(agent, game, seed)
        began = time.perf_counter()
        engine.run(0, ITERATIONS)
        return engine.facts.infosets, time.perf_counter() - began

    runs = lab.each(train, lab.seeds(1 if hp == 5 and agent in HEAVY else 10))
    return Cell([infosets for infosets, _ in runs], min(seconds for _, seconds in runs))


def compare(agent: str, hp: int, cell: Cell) -> Row:
    name, published = {**NAMES, **PLUS}[agent], PAPER[agent][hp - 3]
    most, count = EXHAUSTIVE[agent][hp - 3], median(cell.infosets)
    ok, band = True, []
    if (agent, hp) in MEDIANS:
        low, high = MEDIANS[agent, hp]
        band.append(f"median {low:,} to {high:,}" if low != high else f"median {low:,}")
        ok &= low <= count <= high
    if agent == "memoryless":
        band.append("every run 287 to 292")
        ok &= all(287 <= n <= 292 for n in cell.infosets)
    if (agent, hp) in TYPICAL:
        band.append(f"every run within 4 % of {TYPICAL[agent, hp]:,}")
        ok &= all(abs(n / TYPICAL[agent, hp] - 1) <= 0.04 for n in cell.infosets)
    if most is not None:
        band.append(f"at most {most:,}")
        ok &= max(cell.infosets) <= most
    runs = f"{min(cell.infosets):,} to {max(cell.infosets):,} in {len(cell.infosets)} runs"
    ours = f"{count:,.0f} ({runs}), {cell.seconds:.2f} s"
    return Row(
        f"Table {1 if agent in NAMES else 2}, {name} in Cheat-{hp}: infosets and time",
        f"{published.infosets:,}, {published.seconds:,} s", ours, "; ".join(band) or "nothing", ok if band else None,
    )  # fmt: skip
