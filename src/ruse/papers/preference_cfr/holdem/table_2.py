"""Texas Hold'em for two (table 2, figure 5): three styles before the flop, with leaf values from a blueprint.

The whole game is trained by sampling, with hands in buckets. What a flop is worth to each pair of starting hands is
found on drawn boards for four ways to go on (`ruse.horizon`), and the game before the flop is then solved without
sampling, once for each style. Matches of styles are exact but for these boards: they are told on other boards than
those that were solved with, in groups, and the groups make the interval.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruse.evaluate.holdem.local import local_best_response
from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import starting_names
from ruse.games.holdem.views import buckets
from ruse.horizon.continuations import CALLS, RAISES, Leafs, biased
from ruse.horizon.habits import habits
from ruse.horizon.holdem_leaves import FlopLeaves, flop_leaves
from ruse.horizon.preflop import (
    AGGRESSIVE,
    LOOSE_PASSIVE,
    NORMAL,
    STYLES,
    Preflop,
    Solved,
    Style,
    duel,
    patched_before_flop,
    solved,
)
from ruse.papers.evidence import AFTER, Evidence, Found, agreed, beyond, check, claim, near, so, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.holdem.hand_grids import draw_frontier, draw_openings
from ruse.papers.preference_cfr.holdem.to_play import keep_to_play
from ruse.solve.prefer.favour import Best
from ruse.solve.ranges.plans.leaves import CutTree
from ruse.solve.solver.presets import cfvfp, dcfr, lcfr
from ruse.strategy import Strategy

# fold, call, raise to 2, raise to 3, all-in, in percent; and what the small blind wins from each big blind, mBB/h.
OPENINGS = {
    "Normal": (5.4, 52.7, 42.0, 0.0, 0.0),
    "Loose passive": (0.3, 73.3, 21.7, 4.7, 0.0),
    "Aggressive": (4.2, 64.8, 9.8, 21.1, 0.0),
}
WON = {
    ("Aggressive", "Aggressive"): 68.6, ("Aggressive", "Normal"): 58.7, ("Aggressive", "Loose passive"): 67.6,
    ("Normal", "Aggressive"): 80.2, ("Normal", "Normal"): 73.2, ("Normal", "Loose passive"): 79.8,
    ("Loose passive", "Aggressive"): 74.7, ("Loose passive", "Normal"): 66.9, ("Loose passive", "Loose passive"): 73.8,
}  # fmt: skip
FOLD, CALL, THREE = 0, 1, 3  # places of actions in an opening
NEAR = 5.0  # points of an opening
MORE = 0.05  # as a share, of raises to three
WITHIN = 10.0  # mBB/h, as the paper has it
WORST, ALMOST = ("82o", "72o"), 0.9  # hands that it names; as a share
BELOW = 4.0  # mBB/h, of exploitability
OURS = 15.0  # mBB/h, as it was asked for before anything was run
BETA = 0.05  # big blinds
FRONTIER = (0.005, 0.01, 0.02, 0.05, 0.1)
STIR, STIRRED = 1e-12, 4  # of what a leaf is worth; times
PUSHING = Style("Aggressive, all-in among the raises", RAISES, 5.0, BETA)


class TableSize(NamedTuple):
    """How much is done."""

    blueprint: int  # iterations of its training: by the clock no seed would give the same digits twice
    boards: int  # of the leaves that are solved with
    groups: int  # of boards to judge by
    group: int  # boards of each
    iterations: int
    deals: int  # of local best responses


FULL, QUICK = TableSize(10_000_000, 300, 10, 60, 500, 1_000), TableSize(400_000, 6, 3, 4, 60, 20)


class TrainedStyles(NamedTuple):
    """All styles, trained in one way."""

    name: str
    by_style: dict[str, Solved]


def run(lab: Lab) -> list[Evidence]:
    size = QUICK if lab.quick else FULL
    blueprint = trained(lab, size)
    game = Preflop.of(lines_of(blueprint.game))  # type: ignore[arg-type]
    cut = game.valued(leaves(lab, blueprint, 4, size.boards, lab.seed))
    others = [game.valued(leaves(lab, blueprint, 1, size.group, lab.seed + 1 + k)) for k in range(size.groups)]
    ours = TrainedStyles("our form", {style.name: ours_of(lab, game, cut, style, size) for style in (*STYLES, PUSHING)})
    printed = TrainedStyles("as printed", {style.name: printed_of(lab, game, cut, style, size) for style in STYLES})
    one = cut._replace(worth={n: worth[:1, :1] for n, worth in cut.worth.items()})
    simple = ours_of(lab, game, one, NORMAL, size)
    keep_to_play(
        lab, "two players",
        {x.style.name: patched_before_flop(blueprint, game, x.rows, x.rows) for x in ours.by_style.values()},
    )  # fmt: skip
    draw_openings(lab, game, OPENINGS, {"our form": ours.by_style, "as printed": printed.by_style})
    return [
        *openings(ours, printed, simple),
        *stirred(lab, game, cut, size),
        *matches(ours, printed, others),
        *costs(lab, game, blueprint, ours, printed, size),
        *frontier(lab, game, cut, ours.by_style["Normal"], size),
    ]


def trained(lab: Lab, size: TableSize) -> Strategy:
    """The blueprint."""
    solver = lcfr(walk="external", prune="threshold")
    done = lab.trained("Hold'em for two", Holdem(), solver, view=buckets(), iterations=size.blueprint)
    return done.strategy


def leaves(lab: Lab, blueprint: Strategy, ways: int, boards: int, seed: int) -> FlopLeaves:
    kept: Path | None = None
    if lab.out is not None:
        kept = (
            lab.out / "runs" / f"leaves, {ways} ways, {boards} boards, seed {seed}{', quick' * lab.quick}.safetensors"
        )
        if not lab.resumed:
            kept.unlink(missing_ok=True)

    def tell(what: str, share: float | None) -> None:
        lab.tell(f"what flops are worth, {ways} ways to go on, seed {seed}: {what}, {share or 0.0:.0%}")

    return flop_leaves(blueprint, Leafs(biased(ways)), boards=boards, seed=seed, kept=kept, tell=tell)


def ours_of(lab: Lab, game: Preflop, cut: CutTree, style: Style, size: TableSize) -> Solved:
    lab.tell(f"before the flop, {style.name}")
    return solved(game, cut, dcfr(), style, iterations=size.iterations)


def printed_of(lab: Lab, game: Preflop, cut: CutTree, style: Style, size: TableSize) -> Solved:
    """Equation 16 as it is printed, and the best action everywhere else."""
    lab.tell(f"before the flop, {style.name}, as printed")
    form: Any = Best(0.0) if style.beta > 0.0 else None
    return solved(game, cut, cfvfp(alternating=False), style, form=form, iterations=3 * size.iterations)


# ---- what is played --------------------------------------------------------------------------------------------------


def in_percent(opening: Any) -> str:
    return " / ".join(f"{100 * share:.1f}" for share in opening)


def openings(ours: TrainedStyles, printed: TrainedStyles, simple: Solved) -> list[Evidence]:
    """Figure 5."""
    rows = []
    for name, paper in OPENINGS.items():
        both = [form.by_style[name].opening for form in (ours, printed)]
        verdicts = [so(all(abs(100 * x - y) <= NEAR for x, y in zip(opening, paper, strict=True))) for opening in both]
        rows.append(
            claim(f"Figure 5, two players, {name}: fold / call / raise to 2 / raise to 3 / all-in, %",
                  " / ".join(map(str, paper)),
                  f"{in_percent(both[0])} in our form, {in_percent(both[1])} as printed",
                  agreed(*verdicts), f"{NEAR:g} points for each action, by both forms or it cannot be told; another "
                  "blueprint and another abstraction than theirs", margin_set=AFTER)
        )  # fmt: skip
    normal, loose, aggressive = (
        [form.by_style[name].opening for form in (ours, printed)] for name in ("Normal", "Loose passive", "Aggressive")
    )
    halved = [b[FOLD] <= a[FOLD] / 2 and b[CALL] > a[CALL] for a, b in zip(normal, loose, strict=True)]
    threes = [b[THREE] - a[THREE] for a, b in zip(normal, aggressive, strict=True)]
    rows += [
        claim("Two players, Loose passive folds less and calls more", "fold 5.4 to 0.3 %, call 52.7 to 73.3 %",
              "; ".join(f"fold {100 * a[FOLD]:.1f} to {100 * b[FOLD]:.1f} %, call {100 * a[CALL]:.1f} to "
                        f"{100 * b[CALL]:.1f} % {form.name}"
                        for a, b, form in zip(normal, loose, (ours, printed), strict=True)),
              so(all(halved)), "folding at least halved and calling up, in both forms"),
        claim("Two players, Aggressive raises to three far more often", "0.0 to 21.1 %",
              "; ".join(f"{100 * a[THREE]:.1f} to {100 * b[THREE]:.1f} % {form.name}"
                        for a, b, form in zip(normal, aggressive, (ours, printed), strict=True)),
              so(min(threes) >= MORE), "5 points or more, in both forms"),
        worst_hands(ours, printed),
        beyond("Two players, Aggressive with the all-in among the raises that are preferred",
               f"{in_percent(ours.by_style[PUSHING.name].opening)} in our form", theirs="all-in 0.0 %"),
        beyond("Two players, Normal with one value a leaf instead of four", in_percent(simple.opening),
               theirs="a variant of multi-valued states"),
    ]  # fmt: skip
    return rows


def worst_hands(ours: TrainedStyles, printed: TrainedStyles) -> Evidence:
    """What a loose passive small blind does with the hands that the paper names."""
    place = {name: k for k, name in enumerate(starting_names())}
    calls = [[float(form.by_style["Loose passive"].rows[0][place[name], CALL]) for name in WORST]
             for form in (ours, printed)]  # fmt: skip
    folds = [float(ours.by_style["Loose passive"].rows[0][place[name], FOLD]) for name in ("73o", "42o", "32o")]
    shares = [" and ".join(f"{100 * share:.0f}" for share in form) for form in calls]
    return claim(
        f"Two players, Loose passive calls with {' and '.join(WORST)}", "almost 100 %",
        f"{shares[0]} % in our form, {shares[1]} % as printed; 73o, 42o and 32o are folded "
        f"{', '.join(f'{100 * share:.0f}' for share in folds)} % in our form",
        agreed(*(so(min(form) >= ALMOST) for form in calls)), f"{100 * ALMOST:.0f} % of each, by both forms or it "
        "cannot be told", margin_set=AFTER,
    )  # fmt: skip


def stirred(lab: Lab, game: Preflop, cut: CutTree, size: TableSize) -> list[Evidence]:
    """How far openings hang on the last digits of what leaves are worth."""
    rows = []
    for style in STYLES:
        found = [ours_of(lab, game, stir(cut, lab.seed + k), style, size).opening for k in range(STIRRED)]
        ends = zip(np.min(found, axis=0), np.max(found, axis=0), strict=True)
        rows.append(
            beyond(f"Two players, {style.name}, leaf values changed by {STIR:g} of themselves, {STIRRED} times",
                   " / ".join(f"{100 * least:.1f} to {100 * most:.1f}" for least, most in ends) + " in our form")
        )  # fmt: skip
    return rows


def stir(cut: CutTree, seed: int) -> CutTree:
    rng = np.random.default_rng(seed)
    return cut._replace(worth={n: x * (1.0 + STIR * rng.standard_normal(x.shape)) for n, x in cut.worth.items()})


# ---- matches ---------------------------------------------------------------------------------------------------------


def won(others: list[CutTree], small: Solved, big: Solved) -> Found:
    """What the small blind wins, mBB a hand, over groups of boards."""
    return Found.of([1000.0 * duel(cut, small.rows, big.rows) for cut in others])


def lost(others: list[CutTree], styled: Solved, normal: Solved) -> Found:
    """What a style loses to Normal by the mean of both seats, on the same boards."""
    return Found.of(
        [500.0 * (duel(c, normal.rows, styled.rows) - duel(c, styled.rows, normal.rows)) for c in others]
    )  # fmt: skip


def matches(ours: TrainedStyles, printed: TrainedStyles, others: list[CutTree]) -> list[Evidence]:
    """Table 2."""
    rows = []
    for form in (ours, printed):
        table = {
            (a.name, b.name): won(others, form.by_style[a.name], form.by_style[b.name]) for a in STYLES for b in STYLES
        }
        cells = "; ".join(f"{a} from {b} {told(found, '.1f')}" for (a, b), found in table.items())
        theirs = "; ".join(f"{a} from {b} {value}" for (a, b), value in WON.items())
        rows.append(beyond(f"Table 2, what the small blind wins from the big blind, mBB/h, {form.name}", cells,
                           theirs=theirs))  # fmt: skip
        for style in (LOOSE_PASSIVE, AGGRESSIVE):
            less = lost(others, form.by_style[style.name], form.by_style["Normal"])
            gap = Found.of([
                1000.0 * (duel(c, form.by_style["Normal"].rows, form.by_style["Normal"].rows)
                          - duel(c, form.by_style[style.name].rows, form.by_style["Normal"].rows)) for c in others
            ])  # fmt: skip
            rows += [
                claim(f"Two players, {style.name} against Normal, {form.name}: within 10 mBB/h", "within 10 mBB/h",
                      f"loses {told(less, '.1f')} mBB/h by the mean of both seats; as small blinds against Normal they "
                      f"are {told(gap, '.1f')} apart",
                      agreed(near(0.0, less, WITHIN), near(0.0, gap, WITHIN)),
                      "10 mBB/h, either way, by both readings, or it cannot be told", found=less),
                check(f"Two players, {style.name} against Normal, {form.name}: the price that was asked for",
                      f"loses {told(less, '.1f')} mBB/h", True if less.high <= OURS else False if less.low > OURS
                      else None, f"at most {OURS:g} mBB/h by the mean of both seats", found=less),
            ]  # fmt: skip
        normal = won(others, form.by_style["Normal"], form.by_style["Normal"])
        if form is ours:
            rows.append(claim("Table 2, what a Normal small blind wins from a Normal big blind", "73.2 mBB/h",
                              f"{told(normal, '.1f')} mBB/h", near(73.2, normal, 20.0),
                              "20 mBB/h: another blueprint than theirs", found=normal, margin_set=AFTER))  # fmt: skip
    return rows


# ---- what it costs ---------------------------------------------------------------------------------------------------


def costs(
    lab: Lab, game: Preflop, blueprint: Strategy, ours: TrainedStyles, printed: TrainedStyles, size: TableSize
) -> list[Evidence]:  # fmt: skip
    """Exploitability before the flop, and by a local best response in the whole game."""
    normal = ours.by_style["Normal"]
    rows = [
        claim("Exploitability, two players", "below 4 mBB/h",
              f"{1000 * normal.judged:.2f} mBB/h before the flop, by best responses that choose among four ways; "
              f"{1000 * printed.by_style['Normal'].judged:.1f} as the authors train (best action everywhere)",
              agreed(*(so(1000 * form.by_style["Normal"].judged < BELOW) for form in (ours, printed))),
              f"below {BELOW:g} by both forms, or it cannot be told; of the game before the flop: of which game theirs "
              "is is not said", margin_set=AFTER),
    ]  # fmt: skip
    for style in (LOOSE_PASSIVE, AGGRESSIVE, PUSHING):
        found = ours.by_style[style.name]
        rows.append(
            check(f"Two players, NashConv of {style.name} before the flop, our form",
                  f"{1000 * found.judged.nash_conv:.1f} mBB/h; {own_price(found, normal):.1f} of the styled seat alone",
                  found.judged.nash_conv <= style.beta, f"at most beta, {1000 * style.beta:g} mBB/h")
        )  # fmt: skip
    rows += [
        beyond(f"Two players, NashConv before the flop as printed, {style.name}",
               f"{1000 * printed.by_style[style.name].judged.nash_conv:.1f} mBB/h, beta is {1000 * BETA:g}")
        for style in (LOOSE_PASSIVE, AGGRESSIVE)
    ]  # fmt: skip
    for style in STYLES:
        found = ours.by_style[style.name]
        lab.tell(f"local best responses to {style.name}")
        whole = patched_before_flop(blueprint, game, found.rows, normal.rows)
        best = local_best_response(whole, deals=size.deals, seed=lab.seed)
        rows += [
            beyond(f"Two players, {style.name} as small blind, as players name it, our form",
                   str(habits(game, found.rows, normal.rows, 0))),
            beyond(f"Two players, {style.name} in the small blind, local best response in the whole game",
                   f"exploitability at least {1000 * best.bound:.0f} mBB/h; {best.by_street[best.best]}"),
        ]  # fmt: skip
    return rows


def own_price(found: Solved, normal: Solved) -> float:
    """What the styled seat alone gives away to a best response, mBB a hand."""
    return 1000.0 * (normal.judged.values[0] + found.judged.best[1])


class HabitPoint(NamedTuple):
    """A style and its price."""

    towards: str
    beta: float
    vpip: float
    pfr: float
    price: float  # mBB


def frontier(lab: Lab, game: Preflop, cut: CutTree, normal: Solved, size: TableSize) -> list[Evidence]:
    """Style against price, as small blind."""
    points = []
    for towards, actions in (("call", CALLS), ("raise", ("raise",)), ("fold", ("fold",))):
        for beta in FRONTIER if not lab.quick else FRONTIER[:1]:
            found = ours_of(lab, game, cut, Style(f"{towards}, beta {beta:g}", actions, 5.0, beta), size)
            kept = habits(game, found.rows, normal.rows, 0)
            points.append(HabitPoint(towards, beta, kept.vpip, kept.pfr, own_price(found, normal)))
    plain = habits(game, normal.rows, normal.rows, 0)
    draw_frontier(lab, points, HabitPoint("", 0.0, plain.vpip, plain.pfr, own_price(normal, normal)))
    far = {name: [point for point in points if point.towards == name] for name in ("call", "raise", "fold")}
    return [
        beyond(f"Two players, style for price, {name} preferred: VPIP and PFR for what the small blind gives away",
               "; ".join(f"{point.vpip:.1%} and {point.pfr:.1%} for {point.price:.1f} mBB/h" for point in own),
               theirs="")
        for name, own in far.items()
    ]  # fmt: skip
