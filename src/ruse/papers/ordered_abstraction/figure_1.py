"""Figure 1: games won against both bots while training in Cheat-3, without (a, b) and with abstraction (c, d)."""

from ruse.games.cheat.rules import Cheat
from ruse.papers.evidence import AFTER, BEFORE, Evidence, Found, Verdict, agreed, at_least, check, claim, near, so, told
from ruse.papers.lab import Lab, percent, points_of, share_of
from ruse.papers.ordered_abstraction.agents import BOTS, COLOURS, NAMES, PLUS, engine_for, learning_curve
from ruse.papers.ordered_abstraction.curves import AgentCurves, gathered
from ruse.play.match import match

GAME = Cheat(hp=3)
SEEDS = 30  # with ten, gains of a few points could not be told from none
NEAR = 0.05  # of a share that is told in round numbers
HIGHER, LOWER = 0.075, 0.025  # "about 5-10 %": the middle of it, and how far it reaches
EARLY = 20  # iterations that count as the beginning
STEEPER = 3.0  # how many times as steep "much steeper" is


def run(lab: Lab) -> list[Evidence]:
    lab.tell("Cheat-3, learning curves")
    curves = {agent: learned(lab, agent) for agent in (*NAMES, *PLUS)}
    played = match(GAME, [BOTS["heuristic"], BOTS["random"]], deals=20 * lab.deals, seed=lab.seed)
    baseline = played.win_rate[0]
    draw(lab, curves, baseline)
    return [
        check("Figure 1, baseline: Heuristic against Random (its threshold was chosen so that it is)",
              percent(baseline), 0.78 <= baseline <= 0.82, "78 to 82 %, around the paper's 80 %",
              seeds=1),
        *without(curves, baseline), *with_abstraction(curves, baseline), *steepness(curves),
    ]  # fmt: skip


def without(curves: dict[str, AgentCurves], baseline: float) -> list[Evidence]:
    """(a) and (b)."""
    memoryless = curves["memoryless"].end("random")
    rows = [
        claim("Figure 1a, Memoryless against Random", "almost 90 %", share_of(memoryless),
              near(0.90, memoryless, NEAR), f"{100 * NEAR:g} points: it is a round number", found=memoryless,
              margin_set=AFTER),
        above("Figure 1a, agents above the baseline against Random", "most agents", NAMES, curves, baseline),
    ]  # fmt: skip
    against = curves["memoryless"].end("heuristic")
    rows.append(
        claim("Figure 1b, Memoryless against Heuristic", "75 %", share_of(against), near(0.75, against, NEAR),
              f"{100 * NEAR:g} points: it is a round number", found=against, margin_set=AFTER)
    )  # fmt: skip
    for agent in ("hp", "history", "general"):
        found = curves[agent].end("heuristic")
        rows.append(
            claim(f"Figure 1b, {NAMES[agent]} against Heuristic", "over 60 %", share_of(found), at_least(0.60, found),
                  "60 % or more", found=found)
        )  # fmt: skip
    return rows


def with_abstraction(curves: dict[str, AgentCurves], baseline: float) -> list[Evidence]:
    """(c) and (d)."""
    rows = [
        above("Figure 1c, agents above the baseline against Random", "three in four", PLUS, curves, baseline, most=3,
              margin_set=AFTER)
    ]  # fmt: skip
    for plus, plain in zip(PLUS, NAMES, strict=True):
        gain = curves[plus].ahead_of(curves[plain], "heuristic")
        rows.append(
            higher(f"Figure 1d, {PLUS[plus]} beside {NAMES[plain]} against Heuristic", gain,
                   curves[plain].end("heuristic").value)
        )  # fmt: skip
    return [*rows, *(improved(curves, bot) for bot in BOTS)]


def higher(name: str, gain: Found, share: float) -> Evidence:
    """Points, or percent of the share that was won without: the paper does not say which."""
    part = Found(gain.value / share, gain.low / share, gain.high / share, gain.seeds)
    verdict = agreed(near(HIGHER, gain, LOWER), near(HIGHER, part, LOWER))
    return claim(name, "about 5-10 % higher", f"{points_of(gain)}; {told(part, '+z.1f', scale=100.0, unit=' %')} of "
                 f"{percent(share)}", verdict,
                 "5 to 10 points, and 5 to 10 % of the share without: by both readings, or it cannot be told",
                 found=gain, margin_set=AFTER)  # fmt: skip


def improved(curves: dict[str, AgentCurves], bot: str) -> Evidence:
    """Whether all four win more with abstraction than without."""
    gains = {plus: curves[plus].ahead_of(curves[plain], bot) for plus, plain in zip(PLUS, NAMES, strict=True)}
    least = min(gains.values(), key=lambda gain: gain.low)
    return claim(f"Figure 1, abstraction improves the performance, against {bot.title()}", "of four agents",
                 ", ".join(f"{PLUS[plus]} {points_of(gain)}" for plus, gain in gains.items()), at_least(0.0, least),
                 "each of the four above 0, by its whole interval", found=least, margin_set=AFTER)  # fmt: skip


def above(
    name: str, theirs: str, agents: dict[str, str], curves: dict[str, AgentCurves], baseline: float, *, least: int = 3,
    most: int = 4, margin_set: str = BEFORE,
) -> Evidence:  # fmt: skip
    """How many agents end above the baseline for sure, and how many may: more than the paper says is not the same."""
    ends = {agent: curves[agent].end("random") for agent in agents}
    surely, perhaps = (sum(bound > baseline for bound in bounds) for bounds in (
        [end.low for end in ends.values()], [end.high for end in ends.values()]))  # fmt: skip
    is_so, may_be_so = least <= surely <= perhaps <= most, surely <= most and perhaps >= least
    verdict = so(is_so) if is_so or not may_be_so else Verdict.CANNOT_BE_TOLD
    wanted = f"{least} of 4" if most == least else f"{least} of 4 or more"
    table = ", ".join(f"{agents[agent]} {percent(end.value)}" for agent, end in ends.items())
    return claim(name, theirs, f"{surely} of 4 above {percent(baseline)}: {table}", verdict,
                 f"{wanted}, each by its whole interval", seeds=next(iter(ends.values())).seeds,
                 margin_set=margin_set)  # fmt: skip


def steepness(curves: dict[str, AgentCurves]) -> list[Evidence]:
    """Gain an iteration against each bot up to iteration 20, and from there on."""
    rows = []
    for letter, bot in zip("ab", BOTS, strict=True):
        slopes = {agent: slopes_of(curves[agent], bot) for agent in NAMES}
        seeds = len(curves[next(iter(NAMES))].scores)
        steep = sum(first > 0.0 and first >= STEEPER * rest for first, rest in slopes.values())
        each = "; ".join(f"{NAMES[a]} {100 * x:+z.2f} and {100 * y:+z.2f}" for a, (x, y) in slopes.items())
        rows.append(
            claim(f"Figure 1{letter}, learning is much steeper at the beginning", "most agents",
                  f"{steep} of 4; points an iteration up to {EARLY} and after: {each}", so(steep >= 3),
                  f"3 of 4, {STEEPER:g} times as steep", seeds=seeds, margin_set=AFTER)
        )  # fmt: skip
    return rows


def slopes_of(curves: AgentCurves, bot: str) -> tuple[float, float]:
    shares = dict(zip(curves.at, curves.mean(bot), strict=True))
    first, last = min(shares), max(shares)
    return (shares[EARLY] - shares[first]) / (EARLY - first), (shares[last] - shares[EARLY]) / (last - EARLY)


def learned(lab: Lab, agent: str) -> AgentCurves:
    return gathered(
        lab.each(lambda seed: list(learning_curve(engine_for(agent, GAME, seed), lab.deals, seed)), lab.seeds(SEEDS))
    )


PUBLISHED = {
    (0, 0): [("almost 90 %: Memoryless", 90)],
    (1, 0): [("75 %: Memoryless", 75), ("60 %: all", 60)],
    (1, 1): [("60 + 5 %: all, 5 to 10 above (b)", 65), ("75 + 5 %: Memoryless, the same", 80)],
}


def draw(lab: Lab, curves: dict[str, AgentCurves], baseline: float) -> None:
    with lab.figure("figure-1", 2, 2, sharex=True, sharey="row") as axes:
        for row, bot in enumerate(BOTS):
            for column, agents in enumerate((NAMES, PLUS)):
                panel = axes[row][column]
                for (agent, name), colour in zip(agents.items(), COLOURS.values(), strict=True):
                    shares = [100 * share for share in curves[agent].mean(bot)]
                    panel.plot(curves[agent].at, shares, label=name, color=colour, linewidth=1.6)
                panel.axhline(
                    100 * baseline,
                    color="tab:red",
                    linewidth=1,
                    label="Heuristic v. Random (paper: 80 %)" if not row else "",
                )
                for words, height in PUBLISHED.get((row, column), ()):
                    panel.axhline(height, color="0.45", linewidth=0.9, linestyle=":")
                    panel.annotate(f"paper, {words}", (100, height), (0, -9 if height in (60, 80) else 2), ha="right",
                                   fontsize=7, color="0.35", textcoords="offset points")  # fmt: skip
                letter = "abcd"[row + 2 * column]
                panel.set_title(f"({letter}) {'without' if not column else 'with'} abstraction, v. {bot.title()}")
                panel.set(xlabel="iterations", ylabel="games won, %")
                panel.grid(alpha=0.3)
        axes[0][0].legend(frameon=False, fontsize=8)
        axes[0][1].legend(frameon=False, fontsize=8)
