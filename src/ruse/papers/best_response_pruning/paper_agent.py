"""The paper's central experiment: its own agent, without and with pruning, against both bots; Figures 5 and 6.

The agent sees the sizes of the hands and of the pile, and its own cards; nothing is put in by hand (`Memoryless`). It
is trained by external sampling on the half deck. A walk must end somewhere; the paper does not say where theirs did.
Two readings are run: one Health Point, with which every game ends by itself, and the endless game with a draw after a
few turns. Agents are judged in the endless game. Pruning is by thresholds on regret: Best-Response Pruning needs a best
response, which an agent that forgets does not have (see `hybrid` for games where it has).
"""

from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import Memoryless
from ruse.papers.best_response_pruning.agents import HALF, TOLD, AgentScore, ahead, judged, learning_curve, won
from ruse.papers.best_response_pruning.savings.costs import SPACE, as_fast, faster, fewer
from ruse.papers.best_response_pruning.savings.decks import BELOW
from ruse.papers.evidence import (
    AFTER,
    Evidence,
    Found,
    Kind,
    Verdict,
    at_least,
    beyond,
    check,
    claim,
    near,
    no_worse,
    told,
)
from ruse.papers.lab import Lab, percent, points_of, share_of
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.solver.presets import mccfr
from ruse.solve.solver.threshold import Threshold
from ruse.strategy import Strategy

AGENT = Memoryless()  # as the paper describes it
THEIRS = {"naive": ("Figure 5", 0.60), "heuristic_002": ("Figure 6", 0.20)}
PAPER_ITERATIONS = 1_000
TIMED = 100  # iterations that its seconds are of
PLAIN, PRUNED = "no pruning", "threshold"
WALKS = {PLAIN: ExternalSampling(), PRUNED: ExternalSampling(Threshold(BELOW))}
COLOURS = {PLAIN: "tab:red", PRUNED: "tab:blue"}
NEAR = 0.05  # five points: theirs is one run, told in round numbers
BETTER = 0.005
MARGIN = 0.02  # two points: an agent that wins so much less is worse


class AgentSetting(NamedTuple):
    """How walks end, and how long agents are trained."""

    game: Cheat
    stops: tuple[int, ...]
    seeds: int


SETTINGS = {
    "1 Health Point, no cut": AgentSetting(HALF._replace(hp=1), (100, 300, 1_000, 3_000, 10_000, 30_000, 60_000), 6),
    "endless, a draw after 5 turns": AgentSetting(HALF._replace(max_turns=5), (10, 30, 100, 300, 1_000), 3),
}
QUICK = (100, 300, 1_000)
READINGS: dict[str, Any] = {
    "as printed": AGENT,
    "with the claim": Memoryless(claim=True),
    "with the claim, sizes from the own seat on": Memoryless(claim=True, own_order=True),
    "with the claim, own seat, cards from the current rank on": Memoryless(claim=True, own_order=True, cards=True),
}
Curves = dict[str, list[list[AgentScore]]]  # by pruning: [seed][stop]


def run(lab: Lab) -> list[Evidence]:
    curves, rows = {}, []
    for name, setting in list(SETTINGS.items())[: 1 if lab.quick else None]:
        lab.tell(f"the paper's agent, {name}")
        pairs = lab.each(partial(pair, lab, setting), lab.seeds(setting.seeds))
        curves[name] = {how: [one[how] for one in pairs] for how in WALKS}
        rows += compared(name, curves[name])
    draw(lab, curves)
    return [*rows, *readings(lab)]


def pair(lab: Lab, setting: AgentSetting, seed: int) -> dict[str, list[AgentScore]]:
    """Both trainings of a seed in one sitting."""
    stops = QUICK if lab.quick else setting.stops
    return {how: trained(lab, setting.game, walk, stops, seed) for how, walk in WALKS.items()}


def trained(lab: Lab, game: Cheat, walk: ExternalSampling, stops: tuple[int, ...], seed: int) -> list[AgentScore]:
    engine = SampledEngine(game, mccfr(walk), view=AGENT, seed=seed)
    return list(learning_curve(engine, AGENT, stops, deals=lab.deals, seed=seed, opponents=THEIRS))


def compared(name: str, curves: Curves) -> list[Evidence]:
    """What the paper says of its agent, after as many iterations as theirs, and when it is trained on."""
    stops = [score.iterations for score in curves[PLAIN][0]]
    theirs, last = stops.index(PAPER_ITERATIONS), len(stops) - 1
    rows = []
    for k in (theirs,) if theirs == last else (theirs, last):
        plain, pruned = ([curve[k] for curve in curves[how]] for how in (PLAIN, PRUNED))
        own = f"The paper's agent, {name}, {stops[k]:,} iterations, thresholds for BRP"
        rows += [*strengths(own, plain, pruned), *savings(own, plain, pruned), behaviour(own, plain, pruned)]
    return rows if theirs == last else [*rows, *stable(name, curves[PRUNED], theirs)]


def stable(name: str, runs: list[list[AgentScore]], theirs: int) -> list[Evidence]:
    """Whether the rates are at their end after as many iterations as the paper's: what training on adds."""
    rows = []
    for bot, (figure, share) in THEIRS.items():
        gap = ahead([run[-1] for run in runs], [run[theirs] for run in runs], bot)
        rows.append(
            claim(f"{figure}. The paper's agent, {name}, with pruning: games won against {bot} after "
                  f"{runs[0][-1].iterations:,} iterations less those after {runs[0][theirs].iterations:,}",
                  f"a stable {share:.0%}", points_of(gap), near(0.0, gap, NEAR),
                  f"{100 * NEAR:g} points either way: what is stable does not rise when trained on (our reading)",
                  found=gap, margin_set=AFTER)
        )  # fmt: skip
    return rows


def strengths(own: str, plain: list[AgentScore], pruned: list[AgentScore]) -> list[Evidence]:
    rows = []
    for bot, (figure, share) in THEIRS.items():
        found, without, gap = won(pruned, bot), won(plain, bot), ahead(pruned, plain, bot)
        ours = f"{share_of(found)}; {share_of(without)} without pruning"
        reached = claim(
            f"{figure}. {own}, with pruning: games won against {bot}", f"{share:.0%} after {PAPER_ITERATIONS:,}", ours,
            near(share, found, NEAR), f"{100 * NEAR:g} points: theirs is one run in round numbers", found=found,
            margin_set=AFTER,
        )  # fmt: skip
        rows += [
            reached if is_theirs(pruned) else told_beside(reached),
            better(own, bot, gap),
            check(f"{own}: thresholds cost no games against {bot}", points_of(gap), no_worse(gap, MARGIN),
                  f"not lower by more than {100 * MARGIN:g} points", found=gap),
        ]  # fmt: skip
    return rows


def better(own: str, bot: str, gap: Found) -> Evidence:
    """By how many games an agent with pruning is ahead of the other."""
    return claim(
        f"{THEIRS[bot][0]}. {own}: more games won against {bot} with pruning than without", "better with BRP",
        points_of(gap), at_least(BETTER, gap), f"{100 * BETTER:g} points or more: less could not be seen in a figure",
        found=gap, margin_set=AFTER,
    )  # fmt: skip


def is_theirs(scores: list[AgentScore]) -> bool:
    """Whether the training is as long as the paper's. A number of theirs is no claim about any other."""
    return scores[0].iterations == PAPER_ITERATIONS


def told_beside(row: Evidence) -> Evidence:
    """The same without a verdict."""
    return row._replace(kind=Kind.BEYOND, verdict=Verdict.MEASURED, margin="", margin_set="")


def savings(own: str, plain: list[AgentScore], pruned: list[AgentScore]) -> list[Evidence]:
    factors = {
        unit: [getattr(a, unit) / getattr(b, unit) for a, b in zip(plain, pruned, strict=True)]
        for unit in ("seconds", "nodes", "infosets")
    }
    space, time = Found.ratio(factors["infosets"]), as_fast(own, factors["seconds"])
    return [
        time if pruned[0].iterations in (TIMED, PAPER_ITERATIONS) else told_beside(time),
        faster(own, factors["seconds"]),
        fewer(own, factors["nodes"]),
        claim(f"{own}: infosets stored without pruning by those with", "saves space (a factor of 7, of 2017)",
              told(space, ".3f", unit=" times"), at_least(SPACE, space),
              f"{SPACE:g} or more by the whole interval: less is no saving to speak of", found=space),
    ]  # fmt: skip


def behaviour(own: str, plain: list[AgentScore], pruned: list[AgentScore]) -> Evidence:
    """How much there was to learn, and what it does where it has learned little."""
    bot = next(iter(THEIRS))
    infosets = " and ".join(f"{fmean(score.infosets for score in scores):,.0f}" for scores in (plain, pruned))
    rates = ", ".join(f"{what} {fmean(s.rates[bot][what] for s in pruned):.2f}" for what in TOLD)
    return beyond(f"{own}: infosets stored without and with pruning, and rates against {bot}", f"{infosets}; {rates}",
                  theirs="rates are named as future work", seeds=len(pruned))  # fmt: skip


# ---- readings of what its agent sees, and of which strategy it plays -------------------------------------------------


def readings(lab: Lab) -> list[Evidence]:
    """The same training with more in the key, and the last strategy instead of the average."""
    setting, rows = SETTINGS["1 Health Point, no cut"], []
    stops = (PAPER_ITERATIONS,) if lab.quick else (PAPER_ITERATIONS, 10_000, setting.stops[-1])
    for name, view in READINGS.items():
        lab.tell(f"the paper's agent, {name}")
        engine, done = SampledEngine(setting.game, mccfr(WALKS[PRUNED]), view=view, seed=lab.seed), 0
        found = []
        for stop in stops:
            engine.run(done, stop - done)
            done = stop
            played = {"by its average": engine.rows(), "by its last": engine.current_rows()}
            found += [f"{shares_of(lab, Strategy(HALF, *own, view=view))} {what} after {stop:,}"
                      for what, own in played.items()]  # fmt: skip
        rows.append(
            beyond(f"The paper's agent, {name}, 1 Health Point, thresholds: games won against naive and heuristic_002",
                   "; ".join(found), theirs="60 and 20 %", seeds=1)
        )  # fmt: skip
    return rows


def shares_of(lab: Lab, strategy: Strategy) -> str:
    shares, _ = judged(strategy, deals=lab.deals, seed=lab.seed, opponents=THEIRS)
    return " and ".join(percent(share.rate) for share in shares.values())


def draw(lab: Lab, curves: dict[str, Curves]) -> None:
    """By iterations, as in the paper: the mean of all seeds, and the lowest and the highest."""
    with lab.figure("figures-5-6", len(curves), len(THEIRS)) as axes:
        for (name, own), panels in zip(curves.items(), axes, strict=True):
            for panel, (bot, (figure, share)) in zip(panels, THEIRS.items(), strict=True):
                for how, runs in own.items():
                    at = [score.iterations for score in runs[0]]
                    rates = 100 * np.array([[score.shares[bot].rate for score in curve] for curve in runs])
                    wide = 2.5 if how == PLAIN else 1.0  # both are seen where one lies on the other
                    panel.semilogx(at, rates.mean(0), "o-", label=how, color=COLOURS[how], linewidth=1.3 * wide,
                                   markersize=3 * wide)  # fmt: skip
                    panel.fill_between(at, rates.min(0), rates.max(0), color=COLOURS[how], alpha=0.15, linewidth=0)
                panel.axhline(100 * share, color="0.35", linewidth=1.0, linestyle="--",
                              label=f"the paper's {share:.0%}")  # fmt: skip
                panel.axvline(PAPER_ITERATIONS, color="0.6", linewidth=0.8, linestyle=":",
                              label="the paper's 1,000 iterations")  # fmt: skip
                panel.set(xlabel="iterations", ylabel="games won, %", ylim=(0, 75 if bot == "naive" else 40))
                panel.set_title(f"{figure}, against {bot}; {name}", fontsize=9)
                panel.grid(alpha=0.3)
                place = "lower right" if bot == "naive" else "upper left"  # where no curve is
                panel.legend(framealpha=1.0, edgecolor="none", fontsize=8, loc=place)
