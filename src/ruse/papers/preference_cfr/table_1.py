"""Table 1: the equilibria of Kuhn poker, one for each alpha from 0 to 1/3, and how much their payoff varies."""

import numpy as np

from ruse.evaluate.best_response import exploitability_of
from ruse.games.kuhn import Kuhn
from ruse.papers.evidence import Evidence, check, claim, so
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.drawing import COLOURS, INK, OWN, tidy
from ruse.protocol.view import Full
from ruse.strategy import Strategy
from ruse.styles.equilibria import Equilibria
from ruse.styles.metrics import metric
from ruse.tree.expanded import Expanded
from ruse.tree.told import ToldInfosets

GAME = Kuhn()
ALONG = "bet, player 0, with J, first"
SECOND = tuple(f"bet, player 1, with {card}, {said}" for card in "JQK" for said in ("pass", "bet"))
POINTS = 17
EXACT = 1e-9
ALIKE = 1e-5  # how far the linear program's numbers may be from the formula's


def bets(alpha: float) -> dict[tuple[int, str], float]:
    """How often each player bets where: Table 1 for the first, and the second's only equilibrium strategy."""
    first = {"J": alpha, "J, pass bet": 0.0, "Q": 0.0, "Q, pass bet": 1 / 3 + alpha, "K": 3 * alpha, "K, pass bet": 1.0}
    second = {"J, pass": 1 / 3, "J, bet": 0.0, "Q, pass": 0.0, "Q, bet": 1 / 3, "K, pass": 1.0, "K, bet": 1.0}
    return {(player, name): share for player, owned in enumerate((first, second)) for name, share in owned.items()}


def equilibrium(alpha: float) -> Strategy:
    """The strategies of Table 1."""
    expanded, wanted = Expanded.of(GAME), bets(alpha)
    sigma = np.ones(expanded.form.num_sequences)
    for infoset in ToldInfosets.of(expanded, Full()).told():
        assert infoset.player is not None
        slot, share = int(expanded.form.slot[infoset.node]), wanted[infoset.player, infoset.name]
        for a, action in enumerate(infoset.actions):
            sigma[slot + a] = share if action == "bet" else 1.0 - share
    return Strategy.of(expanded, sigma)


def nash_conv(strategy: Strategy) -> float:
    expanded = Expanded.of(GAME)
    return exploitability_of(expanded.form, strategy.on(expanded)).nash_conv


def run(lab: Lab) -> list[Evidence]:
    lab.tell("Kuhn's equilibria")
    alphas = np.linspace(0.0, 1 / 3, POINTS).tolist()
    worst = max(nash_conv(equilibrium(alpha)) / 2 for alpha in alphas)
    family = Equilibria(GAME, [ALONG]).family(ALONG, points=POINTS)
    apart = max(
        abs(end - bets(alpha)[0, name.removeprefix("bet at ")])
        for name, line in family.lines.items()
        for alpha, ends in zip(family.at, line, strict=True)
        if ends is not None
        for end in ends
    )
    second = Equilibria(GAME, list(SECOND)).metrics
    variance = metric(GAME, "variance, player 0")
    varies = [variance.of(equilibrium(alpha)) for alpha in alphas]
    known = Equilibria(GAME, ["variance, player 0"]).metrics[0]
    draw(lab, alphas, varies)
    ends = (min(family.at), max(family.at))
    return [
        claim("Table 1, every alpha is an equilibrium", "alpha from 0 to 1/3",
              f"exploitability at most {worst:.1g} at {POINTS} values of alpha", so(worst < EXACT),
              f"below {EXACT:g}: nothing but rounding"),
        claim("Table 1, there are no others", "the table", f"alpha from {ends[0]:.4f} to {ends[1]:.4f}; at each, all "
              f"other infosets within {apart:.1g} of the table, by linear program",
              so(max(apart, abs(ends[0]), abs(ends[1] - 1 / 3)) < ALIKE), "within 1e-5, and 0 to 1/3"),
        claim("5.1, player 2 (player 1 here) has only one equilibrium strategy", "only one",
              "in all equilibria he bets " + ", ".join(
                  f"{found.lowest:.4f} to {found.highest:.4f} {name.removeprefix('bet, player 1, ')}"
                  for name, found in zip(SECOND, second, strict=True)) + ", by linear program",
              so(all(found.is_unique for found in second)), f"each within {ALIKE:g}"),
        check("Risk: variance of the payoff along the family, by formula and by linear program",
              f"{varies[0]:.4f} at alpha 0 to {varies[-1]:.4f} at 1/3; by linear program {known.lowest:.4f} to "
              f"{known.highest:.4f}",
              abs(min(varies) - known.lowest) < 1e-4 and abs(max(varies) - known.highest) < 1e-4,
              "the same ends within 1e-4"),
    ]  # fmt: skip


def draw(lab: Lab, alphas: list[float], varies: list[float]) -> None:
    lines = [("K", COLOURS[4], "bets K: 3 alpha"), ("Q, pass bet", COLOURS[2], "calls with Q: 1/3 + alpha"),
             ("J", COLOURS[0], "bets J: alpha"), ("Q", COLOURS[7], "bets Q: never")]  # fmt: skip
    with lab.figure("table-1", 1, 2) as axes:
        family, risk = axes[0]
        for name, colour, words in lines:
            family.plot(alphas, [bets(alpha)[0, name] for alpha in alphas], color=colour, linewidth=2.0, label=words)
        family.set(xlim=(0, 1 / 3), ylim=(-0.02, 1.02))
        family.legend(frameon=False, fontsize=8, labelcolor=INK)
        tidy(family, "Table 1: one equilibrium for each alpha", x="alpha", y="how often")
        risk.plot(alphas, varies, color=OWN, linewidth=2.0)
        risk.fill_between(alphas, varies, color=OWN, alpha=0.08, linewidth=0)
        risk.set(xlim=(0, 1 / 3), ylim=(min(varies) - 0.06, max(varies) + 0.06))
        for k, offset, side in ((0, (10, -3), "left"), (-1, (-10, -3), "right")):
            risk.annotate(f"{varies[k]:.3f}", (alphas[k], varies[k]), offset, ha=side, fontsize=8,
                          textcoords="offset points", color=OWN)  # fmt: skip
        tidy(risk, "Equally good, not equally risky", x="alpha", y="variance of the payoff")
