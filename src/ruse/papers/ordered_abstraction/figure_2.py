"""Figure 2: the agents with abstraction, trained in Cheat-3, in Cheat-2 to Cheat-100 and without Health Points."""

from statistics import fmean

from ruse.games.cheat.rules import NO_HP, Cheat
from ruse.papers.lab import Lab, Row, percent
from ruse.papers.ordered_abstraction.agents import (
    BOTS,
    COLOURS,
    ITERATIONS,
    PLUS,
    Score,
    engine_for,
    score,
    strategy_of,
)

POINTS = (2, 3, 4, 5, 10, 100, NO_HP)
SEEDS = 5
HOME = 3


def run(lab: Lab) -> list[Row]:
    lab.tell("Cheat-3's agents in other games")
    scores = {agent: dict(zip(POINTS, abroad(lab, agent), strict=True)) for agent in PLUS}
    draw(lab, scores)
    rows = []
    for agent in ("memoryless+", "history+"):
        shares = [scores[agent][hp].random for hp in POINTS if hp not in (2, NO_HP)]
        rows.append(
            Row(f"Figure 2a, {PLUS[agent]} from C-3 to C-100", "performs in larger games", spread(scores[agent]),
                "varies by less than 5 points", max(shares) - min(shares) < 0.05)
        )  # fmt: skip
    general = scores["general+"]
    away = max(general[hp].random for hp in POINTS if hp not in (HOME, NO_HP))
    rows.append(
        Row("Figure 2a, General† away from C-3", "only excels where it was trained; the weakest", spread(general),
            "at least 10 points lower everywhere else", general[HOME].random - away >= 0.10)
    )  # fmt: skip
    far = {agent: scores[agent][100].random for agent in PLUS}
    order = " > ".join(f"{PLUS[a]} {percent(far[a])}" for a in sorted(far, key=lambda a: -far[a]))
    near = 0.02  # two agents count as equal
    ok = far["memoryless+"] > max(far["history+"], far["hp+"]) and min(far["history+"], far["hp+"]) > far["general+"]
    ok &= far["history+"] > far["hp+"] - near
    rows.append(
        Row("Figure 2a, order in C-100", "Memoryless best, General weakest", order,
            "Memoryless† > History-Aware† >= HP-Aware† (within 2 points) > General†", ok)
    )  # fmt: skip
    return rows


def abroad(lab: Lab, agent: str) -> list[Score]:
    """The mean score of several seeds in every game."""

    def one(seed: int) -> list[Score]:
        engine = engine_for(agent, Cheat(hp=HOME), seed)
        engine.run(0, ITERATIONS)
        games = [Cheat(hp=hp) for hp in POINTS]
        return [score(game, strategy_of(engine, game), lab.deals, seed) for game in games]

    runs = lab.each(one, lab.seeds(SEEDS))
    return [Score(*(fmean(r[k][bot] for r in runs) for bot in range(2))) for k in range(len(POINTS))]


def called(hp: int) -> str:
    return "C-inf" if hp == NO_HP else f"C-{hp}"


def spread(scores: dict[int, Score]) -> str:
    return ", ".join(f"{called(hp)} {percent(score.random)}" for hp, score in scores.items())


def draw(lab: Lab, scores: dict[str, dict[int, Score]]) -> None:
    with lab.figure("figure-2", 1, 2) as axes:
        for column, bot in enumerate(BOTS):
            panel = axes[0][column]
            for (agent, name), colour in zip(PLUS.items(), COLOURS.values(), strict=True):
                shares = [100 * scores[agent][hp][column] for hp in POINTS]
                panel.plot([called(hp) for hp in POINTS], shares, "o-", label=name, color=colour, linewidth=1.6)
            panel.set_title(f"({'ab'[column]}) trained in Cheat-3, against {bot.title()}")
            panel.set(ylabel="games won, %")
            panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False, fontsize=8)
