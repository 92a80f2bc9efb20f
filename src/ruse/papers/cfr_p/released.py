"""What releasing each abstraction gains: views that tell more, trained alike, against the paper's view."""

from typing import NamedTuple

from ruse.papers.cfr_p.agents import FRESH, ITERATIONS, benchmark, deals_of, found_of, trained, trees
from ruse.papers.evidence import Evidence, beyond, check, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.drawing import COLOURS, INK, tidy
from ruse.subgame.deal_responses import Won, duel_on_deals

PAPER = "cfr_p"
VIEWS = (
    PAPER,
    "part+distances",
    "part+distances+helping",
    "part+distances+helping+other+discards",
)
QUICK = (PAPER, "part+distances")
NORMAL = 0


class Gained(NamedTuple):
    """A view."""

    infosets: int
    ahead: Won  # of the paper's view, trained alike, on each deal in both seats
    normal: Won  # of the bot that keeps to Normal
    approximate: Won  # exploitability as the paper approximates it


def run(lab: Lab) -> list[Evidence]:
    views, iterations = (QUICK, 1_000) if lab.quick else (VIEWS, ITERATIONS)
    deals = deals_of(lab)
    judge, fresh = benchmark(deals, lab.seed), trees(deals, lab.seed + FRESH)
    base, gained = trained(PAPER, iterations, lab.seed), dict[str, Gained]()
    for view in views:
        lab.tell(f"view {view}")
        agent = trained(view, iterations, lab.seed)
        gained[view] = Gained(
            len(agent),
            duel_on_deals(fresh, agent, base),
            Won(-judge.policy_against(NORMAL, agent).by_deal),
            judge.against(agent),
        )
    draw(lab, gained)
    rows = [
        beyond(f"View {view}, {iterations:,} iterations, linear weights",
               f"{one.infosets:,} infosets, {told(found_of(one.ahead), '+.3f')} against {PAPER} trained alike, "
               f"{told(found_of(one.normal), '+.3f')} against normal, approximate exploitability "
               f"{told(found_of(one.approximate), '.3f')}", seeds=1)
        for view, one in gained.items()
    ]  # fmt: skip
    richest = views[-1]
    found = found_of(gained[richest].ahead)
    return [
        *rows,
        check(f"The richest view ({richest}) beats the paper's, trained alike", told(found, "+.3f"), found.low > 0,
              "the interval above 0", found=found),
        check("A view against itself wins nothing", f"{gained[PAPER].ahead.mean:+z.6f}",
              abs(gained[PAPER].ahead.mean) < 1e-9, "0, deal by deal in both seats"),
    ]  # fmt: skip


def draw(lab: Lab, gained: dict[str, Gained]) -> None:
    with lab.figure("released", 1, 2, sharey=True) as axes:
        for panel, field, title in (
            (axes[0][0], "ahead", f"Points a game against {PAPER}, trained alike"),
            (axes[0][1], "approximate", "Approximate exploitability"),
        ):
            for k, one in enumerate(gained.values()):
                won: Won = getattr(one, field)
                panel.errorbar(
                    won.mean, -k, xerr=won.mean - won.interval[0], color=COLOURS[0], marker="o", markersize=5
                )
            panel.set_yticks([-k for k in range(len(gained))], gained)
            tidy(panel, title, x="points a game", y="")
        axes[0][0].axvline(0.0, color=INK, linewidth=0.8)
