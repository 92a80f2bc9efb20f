"""Texas Hold'em for three (table 3, figure 6): one menu for all styles, 25 big blinds each.

The game before the flop is solved over ranges, without sampling; what a flop is worth is what the hands win if no more
is bet (`ruse.horizon.three`). The paper's leaves come from a whole game of three, so that levels are not to be
compared, only what a style changes. For that the game of two is solved with the same leaves beside it.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.horizon.holdem_leaves import FlopLeaves
from ruse.horizon.preflop import AGGRESSIVE, LOOSE_PASSIVE, NORMAL, STYLES, Preflop, Style, solved
from ruse.horizon.three import Three, ThreeSolver, judged, opening, three_equities, together
from ruse.papers.evidence import AFTER, Evidence, Found, Verdict, agreed, beyond, check, claim, refuted_if, so
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.hand_grids import draw_buttons
from ruse.solve.solver.presets import dcfr

MENU = ("fold", "call", "raise 2bb", "raise 3bb", "all-in")
OPENINGS = {  # in percent, as the paper's pictures have them: each style has a menu of its own
    "Normal": "fold 61.4, call 0.0, raise to 2 38.6, all-in 0.0",
    "Loose passive": "fold 55.0, call 23.9, raise to 2 21.2, all-in 0.0",
    "Aggressive": "fold 64.1, raise to 2 19.9, raise to 3 16.0, all-in 0.0",
}
THEIR_MENUS = {
    "Normal": ("fold", "call", "raise 2bb", "all-in"),
    "Aggressive": ("fold", "raise 2bb", "raise 3bb", "all-in"),
}
WON = "Normal 256.3 / 252.2 / 260.0; Aggressive 247.2 / 251.0 / 259.1; Loose passive 253.7 / 252.4 / 253.9"
CALLS = 0.05  # of a Normal button: no more than that
MORE = 0.05  # a shift that is one
WITHIN = 10.0  # mBB/h, as the paper has it
OURS = 15.0  # mBB/h
FOLD, CALL, THREE = 0, 1, 3


class Size(NamedTuple):
    """How much is done."""

    deals: int  # for what three hands win of each other
    iterations: int


FULL, QUICK = Size(500, 120), Size(4, 4)


class Played(NamedTuple):
    """A style for all three seats."""

    rows: dict[int, Any]
    opening: Any
    judged: Any


def run(lab: Lab) -> list[Evidence]:
    size = QUICK if lab.quick else FULL
    kept = (
        None if lab.out is None else lab.out / "runs" / f"three hands, {size.deals} deals, seed {lab.seed}.safetensors"
    )
    if kept is not None and not lab.resumed:
        kept.unlink(missing_ok=True)
    equities = three_equities(
        size.deals, seed=lab.seed, kept=kept, tell=lambda what, share: lab.tell(f"{what}, {share or 0.0:.0%}")
    )
    game = Three.of(Holdem(players=3, cap=3, streets=1), equities)
    styles = {style.name: played(lab, game, style, size) for style in STYLES}
    theirs = {
        name: played(lab, game._replace(lines=game.lines.offering(*menu)), style, size)
        for style in (NORMAL, AGGRESSIVE)
        for name, menu in THEIR_MENUS.items()
        if name == style.name
    }
    shown = {name: (one.rows[0], one.opening) for name, one in styles.items()}
    draw_buttons(lab, game.lines.names[0], OPENINGS, shown)
    return [*openings(styles, theirs), *shifts(lab, styles, size), *matches(game, styles), *costs(styles)]


def played(lab: Lab, game: Three, style: Style, size: Size) -> Played:
    solver = ThreeSolver(game, dcfr(), style)
    while solver.done < size.iterations:
        lab.tell(f"three players, {style.name}: iteration {solver.done} of {size.iterations}")
        solver.run(min(5, size.iterations - solver.done))
    rows = solver.average()
    return Played(rows, opening(game, rows), judged(game, rows))


def in_words(names: tuple[str, ...], shares: Any) -> str:
    return ", ".join(f"{name} {100 * share:.1f}" for name, share in zip(names, shares, strict=True))


def openings(styles: dict[str, Played], theirs: dict[str, Played]) -> list[Evidence]:
    """Figure 6."""
    normal, loose, aggressive = (styles[name].opening for name in ("Normal", "Loose passive", "Aggressive"))
    rows = [
        beyond(f"Figure 6, three players, {name} on the button, one menu for all, %", in_words(MENU, one.opening),
               theirs=OPENINGS[name])
        for name, one in styles.items()
    ]  # fmt: skip
    rows += [
        beyond(f"Figure 6, three players, {name} with the menu of the paper's picture, %",
               in_words(THEIR_MENUS[name], one.opening), theirs=OPENINGS[name])
        for name, one in theirs.items()
    ]  # fmt: skip
    return [
        *rows,
        claim("Three players, a Normal button does not call", "0.0 %", f"{100 * normal[CALL]:.1f} %",
              so(bool(normal[CALL] < CALLS)), f"less than {100 * CALLS:g} %"),
        claim("Three players, a Loose passive button calls", "0.0 to 23.9 %",
              f"{100 * normal[CALL]:.1f} to {100 * loose[CALL]:.1f} %", so(bool(loose[CALL] - normal[CALL] >= MORE)),
              "5 points or more"),
        claim("Three players, an Aggressive button raises to three", "0.0 to 16.0 %",
              f"{100 * normal[THREE]:.1f} to {100 * aggressive[THREE]:.1f} %, with one menu for both",
              so(bool(aggressive[THREE] - normal[THREE] >= MORE)), "5 points or more"),
        claim("Three players, raise to 3 from 0.0 to 16.0 %: is it one game", "0.0 to 16.0 %",
              "the paper's Normal has no raise to 3 in its menu, and its Aggressive no call",
              refuted_if(set(THEIR_MENUS["Normal"]) != set(THEIR_MENUS["Aggressive"]), so(None)),
              "refuted if the two menus of its pictures differ", margin_set=AFTER),
    ]  # fmt: skip


def apart(one: Any, other: Any) -> float:
    """How much of all openings is different."""
    return float(np.abs(one - other).sum() / 2.0)


def shifts(lab: Lab, styles: dict[str, Played], size: Size) -> list[Evidence]:
    """Whether a style changes more with three players than with two, in the same kind of game."""
    lab.tell("two players with the same leaves")
    two = Preflop.of(lines_of(Holdem(streets=1)))
    cut = two.valued(FlopLeaves((), np.zeros((0, 1, 1, 1, 1)), 0, 0.0))
    found = {style.name: solved(two, cut, dcfr(), style, iterations=4 * size.iterations).opening for style in STYLES}
    rows = []
    for style in (LOOSE_PASSIVE, AGGRESSIVE):
        three = apart(styles[style.name].opening, styles["Normal"].opening)
        pair = apart(found[style.name], found["Normal"])
        rows.append(
            claim(f"The shift is larger with three players, {style.name}", "even more pronounced effects",
                  f"{100 * three:.1f} % of openings are others than Normal's, {100 * pair:.1f} % with two players; "
                  "both games without bets after the flop", so(three > pair), "more of them")
        )  # fmt: skip
    rows.append(
        beyond("Two players without bets after the flop, %: fold / call / raise to 2 / raise to 3 / all-in",
               "; ".join(f"{name} {' / '.join(f'{100 * x:.1f}' for x in one)}" for name, one in found.items()))
    )  # fmt: skip
    return rows


def matches(game: Three, styles: dict[str, Played]) -> list[Evidence]:
    """Table 3, and what a style loses by the mean of three seats."""
    normal = styles["Normal"].rows

    def won(*seats: dict[int, Any]) -> Any:
        return 1000.0 * np.array(judged(game, together(game.lines, seats)).values)

    base, rows = won(normal, normal, normal), []
    names = ("Aggressive", "Normal", "Loose passive")
    table = "; ".join(
        f"{name} {' / '.join(f'{won(styles[name].rows, styles[b].rows, styles[b].rows)[0]:.1f}' for b in names)}"
        for name in ("Normal", "Aggressive", "Loose passive")
    )
    rows.append(beyond("Table 3, what the button wins from blinds who are Aggressive / Normal / Loose passive, mBB/h",
                       table, theirs=WON))  # fmt: skip
    for style in (LOOSE_PASSIVE, AGGRESSIVE):
        own = styles[style.name].rows
        seats = [won(*(own if q == p else normal for q in range(3)))[p] - base[p] for p in range(3)]
        loses = -float(np.mean(seats))
        each = f"button {seats[0]:+z.1f}, small blind {seats[1]:+z.1f}, big blind {seats[2]:+z.1f}"
        rows += [
            claim(f"Three players, {style.name} against two Normals: within 10 mBB/h", "within 10 mBB/h",
                  f"loses {loses:.1f} mBB/h by the mean of three seats ({each})",
                  within(loses, -seats[0]),
                  f"{WITHIN:g} mBB/h by the mean of the seats and on the button, of which the paper's table is, or it "
                  "cannot be told", found=Found.exactly(loses), margin_set=AFTER),
            check(f"Three players, {style.name} against two Normals: the price that was asked for",
                  f"loses {loses:.1f} mBB/h", loses <= OURS, f"at most {OURS:g} mBB/h", found=Found.exactly(loses)),
        ]  # fmt: skip
    return rows


def within(loses: float, button: float) -> Verdict:
    """By the mean of three seats, two of which have no style, and by the button, of which the paper's table is."""
    return agreed(so(loses <= WITHIN), so(button <= WITHIN))


def costs(styles: dict[str, Played]) -> list[Evidence]:
    return [
        beyond(f"Three players, {name}: what each could gain by responding alone, mBB/h",
               f"button {1000 * one.judged.per_player[0]:.1f}, small blind {1000 * one.judged.per_player[1]:.1f}, "
               f"big blind {1000 * one.judged.per_player[2]:.1f}")
        for name, one in styles.items()
    ]  # fmt: skip
