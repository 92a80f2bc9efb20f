"""What the paper leaves to the future: Monte Carlo sampling on its own agents, three players, the original deck."""

from typing import Any

from ruse.evaluate.exploitability import exploitability
from ruse.games.cheat.rules import NO_HP, Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.papers.evidence import Evidence, Found, beyond, told
from ruse.papers.lab import Lab, percent
from ruse.papers.ordered_abstraction.agents import BOTS, ITERATIONS, NAMES, PLUS, engine_for, strategy_of, view_for
from ruse.play.match import match
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.probing import Probing
from ruse.solve.solver.presets import lcfr, mccfr
from ruse.strategy import Strategy

SEEDS = 5
WALKS = ("external", "outcome")
AGENTS = ("memoryless+", "history+", "history")
THREE = Cheat(hp=3, players=3)  # all six cards are dealt
ORIGINAL = Cheat(ranks=13, copies=4, deal=26, hp=NO_HP)  # all cards dealt, no Health Points
TRAINED = ORIGINAL._replace(max_turns=60)  # a draw; or a walk of beginners would not end
STOPS = (1_000, 10_000)
FEW = 200  # deals of games that may take 10,000 turns


def run(lab: Lab) -> list[Evidence]:
    return [*monte_carlo(lab), *three_players(lab), *([] if lab.quick else original(lab))]


def monte_carlo(lab: Lab) -> list[Evidence]:
    """Chance sampling walks through a whole deal; others take a part of it. As many nodes for all."""
    game, rows = Cheat(hp=3), []
    for agent in AGENTS:
        lab.tell(f"Monte Carlo sampling, {agent}")

        def one(seed: int, agent: str = agent) -> list[float]:
            theirs = engine_for(agent, game, seed)
            theirs.run(0, ITERATIONS)
            found = [float(exploitability(game, strategy_of(theirs)))]
            for walk in WALKS:
                engine, done = SampledEngine(game, mccfr(walk), seed=seed, view=view_for(agent, game)), 0
                while engine.facts.nodes < theirs.facts.nodes:
                    engine.run(done, step := max(100, done // 10))
                    done += step
                found.append(float(exploitability(game, strategy_of(engine))))
            return found

        found = [Found.of(values) for values in zip(*lab.each(one, lab.seeds(SEEDS)), strict=True)]
        rows.append(
            beyond(f"Monte Carlo sampling, {(NAMES | PLUS)[agent]} in Cheat-3: exploitability for the nodes of "
                   f"{ITERATIONS} chance-sampled iterations",
                   f"chance {told(found[0], '.3f')}, "
                   + ", ".join(f"{walk} {told(x, '.3f')}" for walk, x in zip(WALKS, found[1:], strict=True)),
                   theirs="named as future work", seeds=found[0].seeds)
        )  # fmt: skip
    return rows


def three_players(lab: Lab) -> list[Evidence]:
    """Memoryless† by external sampling against two bots of a kind; a third is what any of them would win."""
    lab.tell("three players")
    iterations = 3_000 if lab.quick else 100_000
    engine = SampledEngine(THREE, mccfr("external"), seed=lab.seed, view=view_for("memoryless+", THREE))
    engine.run(0, iterations)
    agent = strategy_of(engine)
    return [
        beyond(f"Three players, Cheat-3, {PLUS['memoryless+']} by {iterations:,} iterations of external sampling",
               against(lab, THREE, agent), theirs="named as future work", seeds=1)
    ]  # fmt: skip


def original(lab: Lab) -> list[Evidence]:
    """All 52 cards, no Health Points: a view in broad strokes, by probing."""
    engine = SampledEngine(TRAINED, lcfr(walk=Probing(epsilon=0.3)), seed=lab.seed, view=Sketch())
    told_at, done = [], 0
    for stop in STOPS:
        lab.tell(f"the original deck, {stop:,} iterations")
        engine.run(done, stop - done)
        done = stop
        told_at.append(f"{against(lab, ORIGINAL, Strategy(ORIGINAL, *engine.rows(), view=Sketch()))} after {stop:,}")
    return [
        beyond("The original deck, two players, all 52 cards dealt, no Health Points: Sketch by probing",
               "; ".join(told_at), theirs="named as future work", seeds=1)
    ]  # fmt: skip


def against(lab: Lab, game: Cheat, agent: Strategy) -> str:
    """Games won against bots in all other seats; a game that does not end is a draw, which counts half."""
    deals = lab.deals if game.deal <= 6 else FEW

    def share(bot: Any) -> str:
        return percent(match(game, [agent, *[bot] * (game.players - 1)], deals=deals, seed=lab.seed).win_rate[0])

    return ", ".join(f"{share(bot)} against {name.title()}" for name, bot in BOTS.items())
