"""Texas Hold'em for three (table 3, figure 6): one menu for all, 25 big blinds each, a blueprint behind the flop.

The whole game is trained by sampling, with hands in buckets. The game before the flop is then solved on drawn deals,
with four ways to go on after the flop for each player (`ruse.horizon.many`), for each style several times, on other
deals each. What is played is the mean of these solves, and how far they are apart is their luck. Matches are told by
other deals, on which all styles meet the same hands and boards; groups of them make the interval. Whether a style
changes more with three players than with two is told by `two_and_three.py`.
"""

from typing import Any

import numpy as np

from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.rules import Holdem
from ruse.horizon.continuations import biased
from ruse.horizon.many.drawn import room_for
from ruse.horizon.many.gains import gains
from ruse.horizon.many.responses import across
from ruse.horizon.many.seats import Seats
from ruse.horizon.preflop import AGGRESSIVE, LOOSE_PASSIVE, NORMAL, STYLES, patched_at
from ruse.papers.evidence import (
    AFTER,
    Evidence,
    Found,
    at_least,
    at_most,
    beyond,
    check,
    claim,
    near,
    refuted_if,
    so,
    told,
)
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.holdem.hand_grids import draw_buttons
from ruse.papers.preference_cfr.holdem.seat_solves import (
    FULL,
    QUICK,
    WAYS,
    MeanSolve,
    SeatsSize,
    in_percent,
    played,
    played_once,
    trained,
)
from ruse.papers.preference_cfr.holdem.to_play import keep_to_play
from ruse.papers.preference_cfr.holdem.two_and_three import shifts

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
BUTTON, SMALL, BIG = "button", "small blind", "big blind"


def run(lab: Lab) -> list[Evidence]:
    size = QUICK if lab.quick else FULL
    blueprint = trained(lab, "three", Holdem(players=3, cap=3), size.blueprint)
    bucketed, chips = Bucketed.of(blueprint), Holdem().chips
    game, one = (Seats.on(bucketed, biased(ways), chips=chips) for ways in (WAYS, 1))
    styles = played(lab, game, STYLES, size, size.iterations)
    keep_to_play(
        lab, "three players",
        {name: patched_at(blueprint, bucketed.lines, game.by_node(x.rows)) for name, x in styles.items()},
    )  # fmt: skip
    theirs = {
        name: played_once(lab, game.offering(*menu), style, size, f"the paper's menu, {name}")
        for style in (NORMAL, AGGRESSIVE)
        for name, menu in THEIR_MENUS.items()
        if name == style.name
    }
    one_value = played_once(lab, one, NORMAL, size, "one way to go on")
    draw_buttons(lab, game.names[0], OPENINGS, {name: (x.rows[: len(MENU)].T, x.opening) for name, x in styles.items()})
    return [
        *openings(styles, theirs), *variants(styles["Normal"], one_value), *shifts(lab, styles, size),
        *matches(lab, one, styles, size), *costs(lab, game, styles, size),
    ]  # fmt: skip


def in_words(names: tuple[str, ...], shares: Any) -> str:
    return ", ".join(f"{name} {100 * share:.1f}" for name, share in zip(names, shares, strict=True))


def openings(styles: dict[str, MeanSolve], theirs: dict[str, MeanSolve]) -> list[Evidence]:
    """Figure 6."""
    calls, threes = ({name: 100.0 * x.openings[:, place] for name, x in styles.items()} for place in (CALL, THREE))
    limping = Found.of(list(calls["Normal"]))
    rows = [
        beyond(f"Figure 6, three players, {name} on the button, one menu for all, %", in_words(MENU, one.opening),
               theirs=OPENINGS[name])
        for name, one in styles.items()
    ]  # fmt: skip
    rows += [
        beyond(f"Figure 6, three players, {name} with the menu of the paper's picture, %",
               in_words(THEIR_MENUS[name], one.opening[[MENU.index(action) for action in THEIR_MENUS[name]]]),
               theirs=OPENINGS[name])
        for name, one in theirs.items()
    ]  # fmt: skip
    return [
        *rows,
        claim("Three players, a Normal button does not call", "0.0 %", f"{told(limping, '.1f')} %",
              at_most(100.0 * CALLS, limping), f"at most {100 * CALLS:g} %, by the whole interval", found=limping,
              margin_set=AFTER),
        shifted("Three players, a Loose passive button calls", "0.0 to 23.9 %", "", calls, "Loose passive"),
        shifted("Three players, an Aggressive button raises to three", "0.0 to 16.0 %", " by one menu", threes,
                "Aggressive"),
        claim("Three players, raise to 3 from 0.0 to 16.0 %: is it one game", "0.0 to 16.0 %",
              "the paper's Normal has no raise to 3 in its menu, and its Aggressive no call",
              refuted_if(set(THEIR_MENUS["Normal"]) != set(THEIR_MENUS["Aggressive"]), so(None)),
              "refuted if the two menus of its pictures differ", margin_set=AFTER),
    ]  # fmt: skip


def shifted(name: str, theirs: str, aside: str, shares: dict[str, Any], style: str) -> Evidence:
    """How much more often something is done with a style; solves of one number are on the same deals."""
    more = Found.of(list(shares[style] - shares["Normal"]))
    means = f"{shares['Normal'].mean():.1f} to {shares[style].mean():.1f} %{aside}"
    return claim(
        name, theirs, f"{means}, {told(more, '.1f')} points",
        at_least(100.0 * MORE, more), f"{100 * MORE:g} points or more, by the whole interval", found=more,
        margin_set=AFTER,
    )  # fmt: skip


def variants(normal: MeanSolve, one_value: MeanSolve) -> list[Evidence]:
    """One value a leaf, on the deals of the first solve; and what other deals make of it."""
    each = [Found.of((100.0 * normal.openings[:, k]).tolist()) for k in range(len(MENU))]
    return [
        beyond("Three players, Normal with one value a leaf: fold / call / raise to 2 / raise to 3 / all-in, %",
               f"{in_percent(one_value.opening)} instead of {in_percent(normal.openings[0])}, on the same deals"),
        beyond(f"Three players, Normal by {len(normal.openings)} solves, on other deals each: fold / call / "
               "raise to 2 / raise to 3 / all-in, %", " / ".join(told(one, ".1f") for one in each),
               seeds=len(normal.openings)),
    ]  # fmt: skip


def matches(lab: Lab, one: Seats, styles: dict[str, MeanSolve], size: SeatsSize) -> list[Evidence]:
    """Table 3, and what a style loses by the mean of three seats; after the flop all play as the blueprint does."""
    room, names = room_for(one), tuple(styles)
    groups = [range(k * size.group, (k + 1) * size.group) for k in range(size.groups)]
    rows = {name: one.seated(*[found.rows] * 3) for name, found in styles.items()}

    def wins(player: int, others: str) -> dict[str, Any]:
        """[style: group] what a player of each style wins from others of one, mBB/h."""
        lab.tell(f"matches of three: seat {player} and others who are {others}")
        found = across(
            one, rows[others], player, [rows[name] for name in names], groups, seed=lab.seed + 100, room=room
        )
        return {name: 1000.0 * found[:, k] for k, name in enumerate(names)}

    button = {others: wins(0, others) for others in ("Aggressive", "Normal", "Loose passive")}
    seats = [button["Normal"], *(wins(p, "Normal") for p in (1, 2))]
    table = "; ".join(
        f"{name} {' / '.join(told(Found.of(list(button[others][name])), '.1f') for others in button)}"
        for name in ("Normal", "Aggressive", "Loose passive")
    )
    title = "Table 3, what the button wins from blinds who are Aggressive / Normal / Loose passive, mBB/h"
    found = [beyond(title, table, theirs=WON)]
    for style in (LOOSE_PASSIVE, AGGRESSIVE):
        less = [each["Normal"] - each[style.name] for each in seats]  # on the same deals
        mean, first = Found.of(list(np.mean(less, axis=0))), Found.of(list(less[0]))
        each = ", ".join(
            f"{seat} {told(Found.of(list(-gap)), '+z.1f')}"
            for seat, gap in zip((BUTTON, SMALL, BIG), less, strict=True)
        )
        found += [
            claim(f"Three players, {style.name} on the button against two Normals: within 10 mBB/h", "within 10 mBB/h",
                  f"loses {told(first, '.1f')} mBB/h; {told(mean, '.1f')} by the mean of three seats ({each})",
                  near(0.0, first, WITHIN),
                  f"{WITHIN:g} mBB/h, either way, on the button, of which the paper's table is: in the other seats "
                  "nothing is preferred", found=first, margin_set=AFTER),
            check(f"Three players, {style.name} against two Normals: the price that was asked for",
                  f"loses {told(mean, '.1f')} mBB/h by the mean of three seats, two of which have no style",
                  True if mean.high <= OURS else False if mean.low > OURS else None,
                  f"at most {OURS:g} mBB/h by that mean, as it was asked for", found=mean),
        ]  # fmt: skip
        if style is LOOSE_PASSIVE:
            gain = Found.of(list(-less[0]))
            found.append(
                claim(f"Three players, {style.name} wins more than Normal on the button", "0.2 mBB/h more",
                      f"{told(gain, '+z.1f')} mBB/h", at_least(0.0, gain), "no less than Normal, by the whole interval",
                      found=gain, margin_set=AFTER)
            )  # fmt: skip
    return found


def costs(lab: Lab, game: Seats, styles: dict[str, MeanSolve], size: SeatsSize) -> list[Evidence]:
    """How far each is from the best at least, ways to go on among it."""
    rows, room = [], room_for(game)
    for name, one in styles.items():
        lab.tell(f"three players, {name}: responses")
        found = gains(game, one.rows, size.responses, size.response, seed=lab.seed + 200, room=room)
        each = ", ".join(
            f"{seat} {told(gain.more, '+z.1f', scale=1000.0)}"
            for seat, gain in zip((BUTTON, SMALL, BIG), found, strict=True)
        )
        rows.append(beyond(f"Three players, {name}: what each could gain at least by responding alone, mBB/h",
                           f"{each}, by responses found on {size.responses * size.response:,} deals and told by "
                           "as many others"))  # fmt: skip
    return rows
