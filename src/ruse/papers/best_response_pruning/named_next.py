"""What the paper names as its next steps: the whole deck, more cards in hand, and n cards from what n - 1 have taught.

Sketch by probing, with a draw after 40 turns in training; judged in the game without one.
"""

from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.papers.best_response_pruning.agents import HALF, OPPONENTS, TRAINING, WALK
from ruse.papers.best_response_pruning.lengths import FULL
from ruse.papers.evidence import Evidence, beyond
from ruse.papers.lab import Lab, percent
from ruse.play.match import match
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import lcfr, mccfr
from ruse.solve.start.learned import Learned
from ruse.strategy import Strategy

ITERATIONS = 30_000
LARGER = {
    "The whole deck, 6 cards each": FULL,
    "Half deck, 8 cards each": HALF._replace(deal=8),
    "Half deck, 10 cards each": HALF._replace(deal=10),
}
LESSON = 10_000  # iterations with one card less
FACTORS = {"copied": 1.0, "a tenth copied": 0.1}


def run(lab: Lab) -> list[Evidence]:
    return [*larger(lab), *partition(lab)]


def larger(lab: Lab) -> list[Evidence]:
    rows, iterations = [], ITERATIONS // 30 if lab.quick else ITERATIONS
    for name, game in LARGER.items():
        lab.tell(name)
        engine = SampledEngine(trained_in(game), lcfr(walk=WALK), view=Sketch(), seed=lab.seed)
        engine.run(0, iterations)
        rows.append(
            beyond(f"{name}: Sketch by probing, {iterations:,} iterations", shares(lab, game, engine),
                   theirs="named as future work", seeds=1)
        )  # fmt: skip
    return rows


def trained_in(game: Cheat) -> Cheat:
    return game._replace(max_turns=TRAINING.max_turns)


def shares(lab: Lab, game: Cheat, engine: SampledEngine) -> str:
    strategy = Strategy(game, *engine.rows(), view=Sketch())
    rates = {bot: match(game, [strategy, BOTS[bot]], deals=lab.deals, seed=lab.seed).win_rate[0] for bot in OPPONENTS}
    return ", ".join(f"{percent(rate)} against {bot}" for bot, rate in rates.items())


def partition(lab: Lab) -> list[Evidence]:
    """Six cards each from the tables of five, against nothing, for as many nodes in all; plain weights keep a copy."""
    lab.tell("six cards from five")
    lesson, solver = LESSON // 10 if lab.quick else LESSON, mccfr(walk=WALK)
    teacher = SampledEngine(TRAINING._replace(deal=HALF.deal - 1), solver, view=Sketch(), seed=lab.seed)
    teacher.run(0, lesson)
    learned = Learned.of_table(teacher.table, teacher.clock, lesson)
    alone = SampledEngine(TRAINING, solver, view=Sketch(), seed=lab.seed)
    alone.run(0, 3 * lesson)
    told = [f"from nothing {shares(lab, HALF, alone)}"]
    for how, factor in FACTORS.items():
        student, done = SampledEngine(TRAINING, solver, view=Sketch(), seed=lab.seed), 0
        student.table = learned.scaled(factor).into(student.table)
        while student.facts.nodes + teacher.facts.nodes < alone.facts.nodes:
            student.run(done, step := max(100, lesson // 20))
            done += step
        told.append(f"{how} {shares(lab, HALF, student)} (of {done:,} iterations its own)")
    return [
        beyond(f"Six cards each from {lesson:,} iterations of five, for the nodes of {3 * lesson:,} of six: games won",
               "; ".join(told), theirs="named as future work", seeds=1)
    ]  # fmt: skip
