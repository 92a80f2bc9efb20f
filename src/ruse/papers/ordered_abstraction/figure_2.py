"""Figure 2: the agents with abstraction, trained in Cheat-3, in Cheat-2 to Cheat-100 and without Health Points."""

from ruse.games.cheat.rules import NO_HP, Cheat
from ruse.papers.evidence import AFTER, Evidence, Found, at_least, claim, so
from ruse.papers.lab import Lab, percent, points_of
from ruse.papers.ordered_abstraction.agents import (
    BOTS,
    COLOURS,
    ITERATIONS,
    PLUS,
    BotShares,
    engine_for,
    score,
    strategy_of,
)
from ruse.play.match import match

POINTS = (2, 3, 4, 5, 10, 100, NO_HP)
SEEDS = 10
HOME, FAR = 3, 100
BETTER = 0.005  # half a point more could be seen in a figure
MUCH = 0.10  # "much weaker"
Scores = dict[int, list[BotShares]]  # by Health Points, then by seed


def run(lab: Lab) -> list[Evidence]:
    lab.tell("Cheat-3's agents in other games")
    scores = {agent: abroad(lab, agent) for agent in PLUS}
    draw(lab, scores)
    rows = []
    for letter, bot in zip("ab", BOTS, strict=True):
        for agent in ("memoryless+", "history+"):
            found = gap(scores[agent], bot, FAR, HOME)
            rows.append(
                claim(f"Figure 2{letter}, {PLUS[agent]} in larger games, against {bot.title()}",
                      "can perform better in larger games", f"C-100 beside C-3 {points_of(found)}; "
                      f"{spread(scores[agent], bot)}", at_least(BETTER, found),
                      f"better by {100 * BETTER:g} points than at home: less could not be seen in a figure",
                      found=found, margin_set=AFTER)
            )  # fmt: skip
        for agent in ("hp+", "general+"):
            lost = min((gap(scores[agent], bot, HOME, hp) for hp in POINTS if hp not in (HOME, NO_HP)),
                       key=lambda found: found.value)  # fmt: skip
            rows.append(
                claim(f"Figure 2{letter}, {PLUS[agent]} only excels where it was trained, against {bot.title()}",
                      "only excels there", f"C-3 beside the best of the others {points_of(lost)}; "
                      f"{spread(scores[agent], bot)}", at_least(BETTER, lost),
                      f"better by {100 * BETTER:g} points at home than anywhere else: less could not be seen in a "
                      "figure", found=lost, margin_set=AFTER)
            )  # fmt: skip
        rows += order(letter, bot, scores)
    return [*rows, challenges(lab)]


def challenges(lab: Lab) -> Evidence:
    """How often somebody challenges in a game without Health Points. The paper does not say who plays."""
    game, told, counts = Cheat(hp=NO_HP), [], []
    engine = engine_for("memoryless+", Cheat(hp=HOME), lab.seed)
    engine.run(0, ITERATIONS)
    players = BOTS | {PLUS["memoryless+"]: strategy_of(engine, game)}
    for name, bot in players.items():
        first, second = match(game, [bot, bot], deals=lab.deals, seed=lab.seed).rates
        laid = [own["discards a game"] for own in (first, second)]
        counts.append(first["challenges"] * laid[1] + second["challenges"] * laid[0])
        told.append(f"{name.title()} {counts[-1]:.1f} in {sum(laid):.1f} turns")
    return claim(
        "Section 5.1, challenges in a game without restriction", "about 3.5", ", ".join(told) + ", each with its like",
        so(any(abs(count - 3.5) <= 0.5 for count in counts)), "0.5, for any of these: who plays is not told", seeds=1,
        margin_set=AFTER,
    )  # fmt: skip


def order(letter: str, bot: str, scores: dict[str, Scores]) -> list[Evidence]:
    """Who generalizes best, and who worst, in Cheat-100."""
    far = {agent: mean(scores[agent][FAR], bot) for agent in PLUS}
    told = " > ".join(f"{PLUS[a]} {percent(far[a])}" for a in sorted(far, key=lambda a: -far[a]))
    others = [agent for agent in PLUS if agent != "memoryless+"]
    lead = min((beside(scores["memoryless+"], scores[a], bot) for a in others), key=lambda found: found.value)
    behind = min((beside(scores[a], scores["general+"], bot) for a in PLUS if a != "general+"),
                 key=lambda found: found.value)  # fmt: skip
    return [
        claim(f"Figure 2{letter}, Memoryless generalizes best, against {bot.title()}", "the best of the four",
              f"in C-100 {told}; {points_of(lead)} ahead of the next", at_least(0.0, lead),
              "ahead of each of the others", found=lead),
        claim(f"Figure 2{letter}, General is much weaker, against {bot.title()}", "much weaker",
              f"in C-100 {told}; the next is {points_of(behind)} ahead", at_least(MUCH, behind),
              f"{100 * MUCH:g} points behind each of the others", found=behind, margin_set=AFTER),
    ]  # fmt: skip


def mean(scores: list[BotShares], bot: str) -> float:
    return Found.of(shares(scores, bot)).value


def shares(scores: list[BotShares], bot: str) -> list[float]:
    return [getattr(score, bot) for score in scores]


def gap(scores: Scores, bot: str, there: int, here: int) -> Found:
    """How much more is won in one game than in another, seed by seed."""
    pairs = zip(shares(scores[there], bot), shares(scores[here], bot), strict=True)
    return Found.of([a - b for a, b in pairs])


def beside(ours: Scores, theirs: Scores, bot: str) -> Found:
    """How far an agent is ahead of another in Cheat-100."""
    pairs = zip(shares(ours[FAR], bot), shares(theirs[FAR], bot), strict=True)
    return Found.of([a - b for a, b in pairs])


def abroad(lab: Lab, agent: str) -> Scores:
    """The scores of several seeds in every game."""

    def one(seed: int) -> list[BotShares]:
        engine = engine_for(agent, Cheat(hp=HOME), seed)
        engine.run(0, ITERATIONS)
        games = [Cheat(hp=hp) for hp in POINTS]
        return [score(game, strategy_of(engine, game), lab.deals, seed) for game in games]

    runs = lab.each(one, lab.seeds(SEEDS))
    return {hp: [scores[k] for scores in runs] for k, hp in enumerate(POINTS)}


def called(hp: int) -> str:
    return "C-inf" if hp == NO_HP else f"C-{hp}"


def spread(scores: Scores, bot: str) -> str:
    return ", ".join(f"{called(hp)} {percent(mean(own, bot))}" for hp, own in scores.items())


def draw(lab: Lab, scores: dict[str, Scores]) -> None:
    with lab.figure("figure-2", 1, 2) as axes:
        for column, bot in enumerate(BOTS):
            panel = axes[0][column]
            for (agent, name), colour in zip(PLUS.items(), COLOURS.values(), strict=True):
                won = [100 * mean(scores[agent][hp], bot) for hp in POINTS]
                panel.plot([called(hp) for hp in POINTS], won, "o-", label=name, color=colour, linewidth=1.6)
            panel.set_title(f"({'ab'[column]}) trained in Cheat-3, against {bot.title()}")
            panel.set(ylabel="games won, %")
            panel.grid(alpha=0.3)
        axes[0][0].plot([], [], " ", label="(the paper's text has no numbers)")
        axes[0][0].legend(frameon=False, fontsize=8)
