"""What the paper says of delta and beta in passing: how delta slows training down, and what beta is worth alone."""

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.matrix import matrix
from ruse.papers.evidence import AFTER, Evidence, Found, Verdict, agreed, claim, near, so, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.bound import ended
from ruse.papers.preference_cfr.course import ITERATIONS, WatchedAction, follow, opening, random_start
from ruse.papers.preference_cfr.figure_4 import SLOWER, MeanCourse
from ruse.papers.preference_cfr.leduc import CALLS, CARDS, literal, raises_first
from ruse.protocol.game import Game
from ruse.solve.prefer.favour import Best
from ruse.solve.solver.prefer import Prefer, preference
from ruse.solve.solver.presets import PRESETS, Solver, cfvfp

DELTAS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
ADVISED = 5.0  # up to which speed is acceptable, says the paper
STARTS, FEWER = 10, 3
GAMES = 15  # random matrix games
LINEAR = 0.2  # an exponent this near to 1 is linear
MOVED = 0.05  # of alpha: an action that is so much likelier is "significantly" likelier
FORMS = {"cfvfp": "BR", "cfr": "RM"}
WISHES = ("bet", "pass")
FOLDS = WatchedAction("K, pass bet", "pass")  # dominated: nobody beats a King
DOMINATED = 0.01  # how often it may still be played after as many iterations
BETAS = (0.05, 0.2, 0.5)
Costs = dict[float, list[float]]  # NashConv at the end, by delta: [start]


def run(lab: Lab) -> list[Evidence]:
    lab.tell("Kuhn, delta from 1 to 100")
    seeds = lab.seeds(FEWER if lab.quick else STARTS)
    kuhn = {(form, wish, delta): MeanCourse.of([follow(Kuhn(), solver(form, wish, delta), start=random_start(seed))
                                          for seed in seeds])
            for form in FORMS for wish in WISHES for delta in DELTAS}  # fmt: skip
    costs = {f"Kuhn, {wish} preferred": {delta: kuhn["cfvfp", wish, delta].costs for delta in DELTAS}
             for wish in WISHES}  # fmt: skip
    costs[f"{GAMES} random 3x3 matrix games"] = in_matrices(lab)
    return [
        linearly(costs),
        acceptable(kuhn),
        after(kuhn["cfr", WISHES[0], 1.0]),
        faded(dominated(lab), kuhn["cfr", WISHES[0], 1.0]),
        alone(lab),
    ]


def solver(form: str, wish: str, delta: float) -> Solver:
    """As in Figure 4; nothing is preferred by 1."""
    return PRESETS[form](alternating=False, prefer=opening(wish, delta) if delta > 1.0 else None)


def in_matrices(lab: Lab) -> Costs:
    """The first action of player 0 preferred, by BR, in games of payoffs from U(-1, 1)."""
    games = [matrix(np.random.default_rng(lab.seed + k).uniform(-1.0, 1.0, (3, 3))) for k in range(GAMES)]

    def cost(game: Game, delta: float) -> float:
        wish = Prefer((preference(f"0, player 0: delta={delta:g}"),), Best()) if delta > 1.0 else None
        return 2.0 * ended(game, cfvfp(alternating=False, prefer=wish), ITERATIONS).epsilon

    return {delta: [cost(game, delta) for game in games] for delta in DELTAS}


def exponent(costs: Costs) -> Found:
    """The power of delta that NashConv grows by, for each start: 1 is in proportion, 0 not at all."""
    starts = zip(*costs.values(), strict=True)
    return Found.of([float(np.polyfit(np.log(list(costs)), np.log(own), 1)[0]) for own in starts])


def growth(costs: Costs) -> float:
    """By how many times delta, at the most, NashConv is above that without a preference."""
    means = {delta: fmean(own) for delta, own in costs.items()}
    return max(mean / means[1.0] / delta for delta, mean in means.items())


def linearly(series: dict[str, Costs]) -> Evidence:
    """In proportion, or at the most in proportion, as the bound before the sentence has it: it may mean either."""
    powers = {name: exponent(costs) for name, costs in series.items()}
    steepest = max(powers.values(), key=lambda found: found.value)
    is_bounded = so(all(growth(costs) <= 1.0 for costs in series.values()))
    return claim(
        f"4.2, the convergence speed slows down linearly with delta: NashConv after {ITERATIONS:,} iterations, BR, "
        f"delta {DELTAS[0]:g} to {DELTAS[-1]:g}", "linearly", "grows as delta to the power of "
        + "; ".join(f"{told(found, 'z.2f')} in {name}" for name, found in powers.items())
        + "; nowhere by more than delta itself" * (is_bounded is Verdict.REPRODUCED),
        agreed(near(1.0, steepest, LINEAR), is_bounded),
        f"a power of 1, give or take {LINEAR:g}, for the steepest; or, by another reading, no more than delta times as "
        "high: by both, or it cannot be told", found=steepest, margin_set=AFTER,
    )  # fmt: skip


def acceptable(kuhn: dict[tuple[str, str, float], MeanCourse]) -> Evidence:
    """Beside CFR, over the training and at its end; and whether the preferred action has become likelier."""
    plain = kuhn["cfr", WISHES[0], 1.0]
    styled = {key: mean for key, mean in kuhn.items() if 1.0 < key[2] <= ADVISED}
    slowest = max(mean.beside(plain) for mean in styled.values())
    ends = max(mean.cost / plain.cost for mean in styled.values())
    moved = {f"{FORMS[form]} {wish}": (kuhn[form, wish, ADVISED].end - plain.end) * (1 if wish == "bet" else -1)
             for form in FORMS for wish in WISHES}  # fmt: skip
    likelier = all(more >= MOVED for name, more in moved.items() if name.startswith("BR"))
    return claim(
        f"4.4, up to delta {ADVISED:g} the speed is acceptable, and the preferred action significantly likelier, Kuhn",
        "acceptable, and significantly likelier",
        f"NashConv by CFR's {slowest:.2f} times at the most by the mean over the training, {ends:.2f} at the end (BR "
        f"and RM, delta 2, 3 and 5); for delta {ADVISED:g} alpha moves by "
        + ", ".join(f"{more:.3f} ({name})" for name, more in moved.items()),
        so(max(slowest, ends) < SLOWER and likelier),
        f"less than {SLOWER:g} times, as for Figure 4, and {MOVED:g} or more with BR, which the paper prefers",
        seeds=len(plain.ends), margin_set=AFTER,
    )  # fmt: skip


def after(plain: MeanCourse) -> Evidence:
    found = Found.of([cost / 2 for cost in plain.costs])
    return claim(
        f"5.1, exploitability of CFR on Kuhn after {ITERATIONS:,} iterations", "below a number that our text has lost",
        f"{told(found, '.4f')}, at the most {max(plain.costs) / 2:.4f}", Verdict.CANNOT_BE_TOLD,
        "the number is not in the text that we have", found=found,
    )  # fmt: skip


def dominated(lab: Lab) -> dict[tuple[str, float], MeanCourse]:
    """A King who folds to a bet, as no equilibrium has it, preferred."""

    def folding(form: str, delta: float) -> MeanCourse:
        rule = PRESETS[form](alternating=False, prefer=f"pass, player 0, with K, pass bet: delta={delta:g}")
        return MeanCourse.of([follow(Kuhn(), rule, watched=FOLDS, start=random_start(s)) for s in lab.seeds(FEWER)])

    return {(form, delta): folding(form, delta) for form in FORMS for delta in (ADVISED, 2 * ADVISED)}


def faded(found: dict[tuple[str, float], MeanCourse], plain: MeanCourse) -> Evidence:
    """What is dominated must fade all the same, and training be no slower for it."""
    worst = max(end for own in found.values() for end in own.ends)
    slowest = max(cost for own in found.values() for cost in own.costs) / plain.cost
    starts = len(next(iter(found.values())).ends)
    return claim(
        "4.1, preferring a dominated action does not influence the convergence: a King folds to a bet, Kuhn",
        "does not influence it",
        f"folds {worst:.4f} at the most, NashConv {slowest:.2f} times CFR's at the most (BR and RM, delta {ADVISED:g} "
        f"and {2 * ADVISED:g}, {starts} starts each)",
        so(worst <= DOMINATED and slowest < SLOWER),
        f"{DOMINATED:g} at the most, and less than {SLOWER:g} times, as for Figure 4", seeds=starts, margin_set=AFTER,
    )  # fmt: skip


def alone(lab: Lab) -> Evidence:
    """Leduc by the authors' rule with beta and no delta: nothing says which way to go."""
    lab.tell("Leduc, beta alone")
    words = []
    for beta in BETAS:
        free = Prefer((preference(opening("raise", 1.0, beta)),), Best())
        ways = {"alone": cfvfp(alternating=False, prefer=free), "raise by 5": literal("raise", ADVISED, beta),
                "call by 5": literal("call", ADVISED, beta)}  # fmt: skip
        courses = {name: follow(Leduc(), way, watched=CALLS, points=1) for name, way in ways.items()}
        each = (f"{name} {shares(raises_first(c))} for NashConv {c.cost:.3f}" for name, c in courses.items())
        words.append(f"beta={beta:g}: {', '.join(each)}")
    return claim(
        f"4.3, vulnerability alone does not produce meaningful results: raises of {', '.join(CARDS)}, Leduc",
        "no meaningful results", "; ".join(words), Verdict.CANNOT_BE_TOLD,
        "what a meaningful result would be is not said; it costs as much as a style, and ends at even shares whatever "
        "is wished",
    )  # fmt: skip


def shares(found: Sequence[float]) -> str:
    return "/".join(f"{share:.2f}" for share in found)
