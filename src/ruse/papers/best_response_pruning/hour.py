"""The best agent that an hour makes against Heuristic: it faces three bots in turn, and itself.

The training is a run: with `--out` it can be stopped and resumed, and the share of games won is kept as it grows.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.watchful import Watchful
from ruse.papers.best_response_pruning.agents import HALF, TRAINING, WALK, AgentScore, judged
from ruse.papers.evidence import Evidence, beyond, check
from ruse.papers.lab import Lab, percent
from ruse.play.match import match
from ruse.solve.solver.presets import lcfr
from ruse.strategy import Strategy
from ruse.training.terms.stops import Iterations
from ruse.training.terms.teachers import Teachers

if TYPE_CHECKING:
    from ruse.training.training import Training

VIEW = Watchful()
# Found by short trainings with seed 0, so judge it with another.
TEACHERS = Teachers.of("heuristic", "heuristic_002", "naive", share=(0.4, 0.2, 0.2))
ITERATIONS = 8_000_000  # about an hour on one core
WATCHED = "heuristic_002"  # the paper's Heuristic


class WonUncut(NamedTuple):
    """Games won against a bot, in the game without a limit of turns; the training is in one with a limit."""

    bot: str
    deals: int
    seed: int

    def of(self, training: "Training") -> float:
        bots = [training.engine.strategy({}).carried_to(HALF), BOTS[self.bot]]
        return match(HALF, bots, deals=self.deals, seed=self.seed).win_rate[0]

    def gain(self, before: float, after: float) -> float:
        return after - before


def nothing() -> Strategy:
    """Random moves."""
    return Strategy(HALF, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=VIEW)


def run(lab: Lab) -> list[Evidence]:
    iterations = ITERATIONS // 1_000 if lab.quick else ITERATIONS
    judged(nothing(), deals=2, seed=lab.seed)  # compiling is no training
    watched = Iterations(iterations, WonUncut(WATCHED, lab.deals, lab.seed))
    done = lab.trained("an hour", TRAINING, lcfr(walk=WALK), view=VIEW, against=TEACHERS, until=watched)
    found = judged(done.strategy.carried_to(HALF), deals=lab.deals, seed=lab.seed)
    score = AgentScore(done.iterations, done.seconds, done.facts["nodes"], len(done.strategy.keys), *found)
    seconds = {t: after for t, after, _ in done.curve}
    curve = [(seconds[t], t, share) for t, share in done.checks]
    draw(lab, curve)
    rows = [
        beyond(f"Its games won against {WATCHED} while training, seed {lab.seed}",
               ", ".join(f"{percent(share)} after {t:,} ({s:.0f} s)" for s, t, share in told(curve)), seeds=1)
    ]  # fmt: skip
    if lab.quick:
        return rows
    return [
        check(f"The best agent of an hour, seed {lab.seed}", str(score),
              score.shares["naive"].rate >= 0.95 and score.shares[WATCHED].rate >= 0.5,
              "95 % against naive and 50 % against heuristic_002", seeds=1),
        *rows,
    ]  # fmt: skip


def told(curve: list[tuple[float, int, float]]) -> list[tuple[float, int, float]]:
    """The looks nearest to a hundredth, a twentieth, a fifth and a half of the time, and the last."""
    last = curve[-1][0]
    looks = [min(curve, key=lambda look: abs(look[0] - share * last)) for share in (0.01, 0.05, 0.2, 0.5, 1.0)]
    return [look for k, look in enumerate(looks) if look not in looks[:k]]


def draw(lab: Lab, curve: list[tuple[float, int, float]]) -> None:
    with lab.figure("an-hour", 1, 1) as axes:
        panel = axes[0][0]
        panel.semilogx([s for s, _, _ in curve], [100 * share for _, _, share in curve], "o-", markersize=3)
        panel.axhline(20.0, color="tab:gray", linewidth=0.8, linestyle="--", label="the paper's agent")
        panel.set(xlabel="seconds of training", ylabel=f"games won against {WATCHED}, %", title="Half deck, one core")
        panel.grid(alpha=0.3)
        panel.legend(frameon=False)
