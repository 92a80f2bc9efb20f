"""Past the paper: who pays for a style, a style that is asked for in numbers, and a style under sampling."""

from statistics import fmean, pstdev
from typing import NamedTuple

from ruse.evaluate.best_response import exploitability_of
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.papers.evidence import AFTER, Evidence, beyond, check
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.course import ALPHA, follow, opening
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, STILL, tidy
from ruse.papers.preference_cfr.leduc import CALLS
from ruse.papers.preference_cfr.price import DELTA, STYLE, TAXED
from ruse.solve.solver.presets import dcfr, mccfr
from ruse.strategy import Strategy
from ruse.styles.equilibria import Equilibria
from ruse.styles.search import owners, style
from ruse.styles.styled import MET, Styled
from ruse.training.train import train
from ruse.tree.expanded import Expanded

BETAS = (0.05, 0.1, 0.2, 0.35, 0.5)
TARGETS = ((0.3, 0.02), (0.45, 0.02), (0.6, 0.02), (0.7, 0.05), (0.8, 0.1))  # a share, and what it may cost
SEEDS, FEWER = 20, 6
SAMPLED = 100_000  # iterations of external sampling on Kuhn
SAMPLED_LEDUC = 1_000_000


def run(lab: Lab) -> list[Evidence]:
    return [*who_pays(lab), *targets(lab), *sampled(lab)]


# ---- who pays --------------------------------------------------------------------------------------------------------


class Paid(NamedTuple):
    """How NashConv is divided, and what is left of it when the partner is replaced by a normal one."""

    beta: float
    styled: float
    partner: float
    replaced: float  # NashConv of the styled player with a normal opponent


def who_pays(lab: Lab) -> list[Evidence]:
    lab.tell("Leduc, who pays")
    normal = follow(Leduc(), dcfr(), TAXED, watched=CALLS, points=1)
    found = []
    for beta in BETAS:
        course = follow(Leduc(), dcfr(prefer=opening("raise", DELTA, beta)), TAXED, watched=CALLS, points=1)
        replaced = together(course.strategy, normal.strategy)
        found.append(Paid(beta, course.own_cost, course.cost - course.own_cost, replaced))
    draw_paid(lab, found)
    paid = next(one for one in found if one.beta == 0.2)
    return [
        check("Who pays: Leduc, beta=0.2, DCFR (as a separate program measured it)",
              f"of NashConv {paid.styled + paid.partner:.3f} the styled player gives away {paid.styled:.3f}, its "
              f"training partner {paid.partner:.3f}",
              abs(paid.styled - 0.039) <= 0.005 and abs(paid.partner - 0.109) <= 0.005,
              "0.039 and 0.109, both +- 0.005"),
        beyond("Who pays: with a normal opponent instead of its partner",
               "; ".join(f"beta={one.beta:g}: NashConv {one.replaced:.3f} instead of {one.styled + one.partner:.3f}"
                         for one in found)),
    ]  # fmt: skip


def together(first: Strategy, second: Strategy) -> float:
    """NashConv of player 0 of one strategy and player 1 of another."""
    whole = Expanded.of(first.game)
    sigma = first.on(whole)
    others = owners(whole) == 1
    sigma[others] = second.on(whole)[others]
    return exploitability_of(whole.form, sigma).nash_conv


def draw_paid(lab: Lab, found: list[Paid]) -> None:
    with lab.figure("who-pays", 1, 1) as axes:
        panel = axes[0][0]
        places = range(len(found))
        panel.bar(places, [one.styled for one in found], color=OWN, width=0.6, label="the styled player")
        panel.bar(places, [one.partner for one in found], bottom=[one.styled for one in found], color=COLOURS[0],
                  alpha=0.55, width=0.6, label="its training partner")  # fmt: skip
        for x, one in enumerate(found):
            panel.plot([x - 0.38, x + 0.38], [one.beta] * 2, color=INK, linewidth=1.4, label="" if x else "the bound")
        panel.set_xticks(places, [f"{one.beta:g}" for one in found])
        panel.legend(frameon=False, fontsize=8, labelcolor=INK)
        tidy(panel, "Leduc: who pays for a style", x="beta", y="NashConv")
        panel.grid(visible=False, axis="x")


# ---- a style in numbers ----------------------------------------------------------------------------------------------


def targets(lab: Lab) -> list[Evidence]:
    found = []
    for share, cap in TARGETS:
        lab.tell(f"Leduc, {STYLE} = {share:g}")
        found.append(style(Leduc(), f"{STYLE} = {share:g}", max_exploitability=cap))
    exact = Equilibria(Leduc(), [STYLE])
    draw_targets(lab, found, exact.frontier(STYLE))
    return [
        check(f"A target: Leduc, {one.target}, for at most {one.cap:g} (the paper leaves it to experts)",
              f"{one.chosen.value:.3f} for {one.chosen.cost:.4f} (the least there is "
              f"{exact.cheapest(STYLE, one.target.value):.4f}), {len(one.tried)} solves",
              one.is_met and abs(one.chosen.value - one.target.value) <= MET, f"within {MET:g}, for no more")
        for one in found
    ]  # fmt: skip


def draw_targets(lab: Lab, found: list[Styled], least: list[tuple[float, float]]) -> None:
    with lab.figure("targets", 1, 1) as axes:
        panel = axes[0][0]
        shown = [(share, cost) for share, cost in least if 0.2 <= share <= 0.9]
        panel.fill_between(*zip(*shown, strict=True), color=INK, alpha=0.08, linewidth=0)
        panel.plot(*zip(*shown, strict=True), color=INK, linewidth=1.4, label="the least there is (linear program)")
        for k, one in enumerate(found):
            tried = [(t.value, t.cost) for t in one.tried]
            panel.plot(*zip(*tried, strict=True), "o", color=STILL, markersize=3.5, alpha=0.7,
                       label="" if k else "tried on the way")  # fmt: skip
        for k, one in enumerate(found):
            value, cap = one.target.value, one.cap
            panel.plot([value - 0.02, value + 0.02], [cap, cap], color=COLOURS[0], linewidth=1.6,
                       label="" if k else "what it may cost")  # fmt: skip
            panel.plot([value, value], [0, cap], color=COLOURS[0], linewidth=0.8, linestyle=":")
            panel.plot(one.chosen.value, one.chosen.cost, "*", color=OWN, markersize=12, markeredgecolor="white",
                       zorder=5, label="" if k else "chosen")  # fmt: skip
        panel.set(xlim=(0.2, 0.9), ylim=(0, 0.12))
        panel.legend(frameon=False, fontsize=8, labelcolor=INK, loc="upper left")
        tidy(panel, "Leduc: five targets", x=f"{STYLE}: how often", y="cost")


# ---- sampling --------------------------------------------------------------------------------------------------------


def sampled(lab: Lab) -> list[Evidence]:
    """External sampling: chance decides which equilibrium it is, and delta leans on chance."""
    seeds = range(lab.seed, lab.seed + (FEWER if lab.quick else SEEDS))
    alphas = {}
    for name, prefer in (("pass", opening("pass", 100)), ("nothing", None), ("bet", opening("bet", 100))):
        lab.tell(f"Kuhn, external sampling, {name} preferred")
        runs = [train(Kuhn(), mccfr(prefer=prefer), iterations=SAMPLED, seed=seed) for seed in seeds]
        alphas[name] = [ALPHA.of(one.strategy) for one in runs]
    lab.tell("Leduc, external sampling")
    iterations = SAMPLED_LEDUC // 4 if lab.quick else SAMPLED_LEDUC
    plain, styled = (train(Leduc(), mccfr(prefer=prefer), iterations=iterations, seed=lab.seed)
                     for prefer in (None, opening("raise", DELTA, 0.2)))  # fmt: skip
    raises = [[one.strategy[f"{card}s, no board"]["raise"] for card in "JQK"] for one in (plain, styled)]
    means = {name: fmean(found) for name, found in alphas.items()}
    costs = plain.measured.nash_conv, styled.measured.nash_conv
    return [
        check("External sampling on Kuhn, delta=100: preferences lean as they should",
              "; ".join(f"{name} preferred: alpha {means[name]:.3f}, deviation {pstdev(found):.3f}"
                        for name, found in alphas.items()),
              means["pass"] + 0.03 <= means["nothing"] <= means["bet"] - 0.03,
              "means 0.03 apart or more, in this order", seeds=len(seeds), margin_set=AFTER),
        beyond("External sampling on Leduc, raise preferred by 5, beta=0.2",
               f"raises J, Q, K {', '.join(f'{x:.2f}' for x in raises[1])} instead of "
               f"{', '.join(f'{x:.2f}' for x in raises[0])}; NashConv {costs[1]:.3f}, and "
               f"{costs[0]:.3f} with nothing preferred", theirs="all of its Leduc, by BR", seeds=1),
    ]  # fmt: skip
