"""How the reduction grows with the deck: full-width CFR with BRP, and external sampling with thresholds up to `mid`."""

from typing import Any, NamedTuple

import numpy as np

from ruse.evaluate.exploitability import exploitability
from ruse.evaluate.match import match
from ruse.experiments.best_response_pruning.pruning_curves import curve, late, made, rows_of
from ruse.experiments.lab import Lab, Row
from ruse.games.cheat import Cheat
from ruse.games.cheat_views import Memoryless
from ruse.solve.presets import mccfr
from ruse.solve.prune import Threshold
from ruse.solve.sampled import SampledEngine
from ruse.solve.walks import ExternalSampling
from ruse.strategy import Strategy

MID = Cheat(ranks=5, copies=3, deal=4, hp=2)
# One Health Point, so that the game is finite; the last two are cut to fit into memory.
WHOLE = [
    Cheat(ranks=2, copies=2, deal=2, hp=1),
    Cheat(ranks=3, copies=2, deal=2, hp=1),
    Cheat(ranks=4, copies=2, deal=2, hp=1),
    Cheat(ranks=4, copies=2, deal=3, hp=1),
    Cheat(ranks=4, copies=3, deal=3, hp=1),
    Cheat(ranks=5, copies=3, deal=3, hp=1, max_turns=3),
    MID._replace(hp=1, max_turns=2),
]
SAMPLED = [
    Cheat(ranks=3, copies=2, deal=2, hp=2),
    Cheat(ranks=4, copies=2, deal=2, hp=2),
    Cheat(ranks=4, copies=2, deal=3, hp=2),
    MID,
]
BELOW = -20.0  # the threshold; payoffs are at most 1
JUDGED = 1_000_000  # histories up to which agents are judged exactly


class Cell(NamedTuple):
    """One deck: nodes by iteration without and with pruning, and how the strategies compare."""

    game: Cheat
    plain: float
    pruned: float
    compared: str
    is_equal: bool  # at equal iterations, or by sampling at equal nodes
    was_equal: bool = True  # by sampling, at equal iterations

    @property
    def fewer(self) -> float:
        return self.plain / self.pruned


def called(game: Cheat) -> str:
    cut = f", {game.max_turns} turns" if game.max_turns else ""
    return f"{game.ranks}x{game.copies}, {game.deal} cards, {game.hp} HP{cut}"


def run(lab: Lab) -> list[Row]:
    whole = [full_width(lab, game) for game in (WHOLE[:4] if lab.quick else WHOLE)]
    sampled = [by_sampling(lab, game) for game in (SAMPLED[:2] if lab.quick else SAMPLED)]
    draw(lab, whole, sampled)
    rows = [told("full width, BRP", cell) for cell in whole] + [told("external, threshold", cell) for cell in sampled]
    for how, cells in (("full width, BRP", whole), ("external, threshold", sampled)):
        factors = [cell.fewer for cell in cells]
        slope = float(np.polyfit(np.log([cell.plain for cell in cells]), np.log(factors), 1)[0])
        rows.append(
            Row(f"Decks, {how}: the reduction grows with the deck", "grows with the game (2017)",
                f"{', '.join(f'{factor:.1f}' for factor in factors)}: like nodes to the power {slope:.2f}",
                "power above 0", slope > 0.0)
        )  # fmt: skip
    short = [called(cell.game) for cell in sampled if not cell.was_equal]
    rows.append(
        Row("Decks, external, threshold: no worse at equal iterations either", "not measured",
            f"worse on {', '.join(short)}" if short else "no worse on any", "on every deck", not short)
    )  # fmt: skip
    if not lab.quick:
        rows.append(
            Row("Decks, external sampling on `mid`: nodes without pruning by those with", "9.3 by time, half deck",
                f"{sampled[-1].fewer:.1f}", "at least 3", sampled[-1].fewer >= 3.0)
        )  # fmt: skip
    return rows


def full_width(lab: Lab, game: Cheat) -> Cell:
    """300 iterations with and without BRP, judged exactly."""
    lab.tell(f"full width, {called(game)}")
    found = rows_of(game)
    plain, pruned = (curve(made(game, prune), 300, rows=found) for prune in (None, "brp"))
    ratio = sum(late(pruned)) / sum(late(plain))
    told = f"exploitability {pruned[-1].exploitability:.3g} and {plain[-1].exploitability:.3g} without"
    return Cell(game, found, pruned[-1].nodes / 300, told, ratio <= 1.1)


def by_sampling(lab: Lab, game: Cheat) -> Cell:
    """3,000 iterations of the paper's agent without pruning; with thresholds as many, and then as many nodes."""
    lab.tell(f"external sampling, {called(game)}")
    plain, pruned = (
        SampledEngine(game, mccfr(walk), seed=lab.seed, view=Memoryless(claim=True))
        for walk in (ExternalSampling(), ExternalSampling(Threshold(BELOW)))
    )
    iterations = 1_000 if lab.quick else 3_000
    plain.run(0, iterations)
    pruned.run(0, iterations)
    without, having = plain.facts.nodes / iterations, pruned.facts.nodes / iterations
    told, done = [compared(lab, "equal iterations", pruned, plain)], iterations
    while pruned.facts.nodes < plain.facts.nodes:
        pruned.run(done, iterations // 10)
        done += iterations // 10
    told.append(compared(lab, f"equal nodes ({done:,} iterations)", pruned, plain))
    return Cell(game, without, having, "; ".join(text for text, _ in told), told[1][1], told[0][1])


def compared(lab: Lab, when: str, pruned: SampledEngine, plain: SampledEngine) -> tuple[str, bool]:
    """How the pruned agent fares, exactly on the mini deck and in a match elsewhere, and whether it is no worse."""
    game: Any = plain.game
    ours, theirs = (Strategy(game, *engine.rows(), view=engine.view) for engine in (pruned, plain))
    if game.ranks <= 3:
        worst = [float(exploitability(game, strategy)) for strategy in (ours, theirs)]
        return f"at {when} exploitability {worst[0]:.3g} and {worst[1]:.3g} without", worst[0] <= 1.1 * worst[1]
    result = match(game, [ours, theirs], deals=10 * lab.deals, seed=lab.seed)
    low, high = result.interval[0]
    return f"at {when} it wins {result.mean[0]:+.4f} a game ({low:+.4f} to {high:+.4f}) against the other", high >= 0.0


def told(how: str, cell: Cell) -> Row:
    return Row(
        f"Decks, {how}, {called(cell.game)}: nodes by iteration without and with", "not told",
        f"{cell.plain:,.0f} and {cell.pruned:,.0f}, {cell.fewer:.1f} times fewer; {cell.compared}",
        f"no worse at equal {'iterations' if how.startswith('full') else 'nodes'}: 1.1 times, or by the match",
        cell.is_equal,
    )  # fmt: skip


def draw(lab: Lab, whole: list[Cell], sampled: list[Cell]) -> None:
    with lab.figure("decks", 1, 2) as axes:
        for panel, cells, title in (
            (axes[0][0], whole, "full width, BRP, 300 iterations"),
            (axes[0][1], sampled, "external sampling, thresholds"),
        ):
            panel.bar(range(len(cells)), [cell.fewer for cell in cells], color="tab:blue")
            panel.set_xticks(range(len(cells)), [called(cell.game) for cell in cells], rotation=30, ha="right", size=7)
            panel.set(title=title, ylabel="nodes without / with pruning")
            panel.grid(axis="y", alpha=0.3)
