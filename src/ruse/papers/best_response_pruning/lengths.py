"""Figures 1 and 2: how long games of two Naive bots are, on the full and the half deck; and Heuristic against Naive."""

import numpy as np

from ruse.compile import kernel
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.cards import TURN
from ruse.games.cheat.rules import Cheat
from ruse.papers.lab import Lab, Row, percent
from ruse.play.match import NOTHING, SILENT, match, open_streams, play_out
from ruse.play.seats import seat_all

GAMES = 1_000
DECKS = {"Figure 1, full deck": "full", "Figure 2, half deck": "half"}


def run(lab: Lab) -> list[Row]:
    lab.tell("games of two Naive bots")
    lengths = {title: turns(Cheat(**Cheat.NAMED[deck]), GAMES, lab.seed) for title, deck in DECKS.items()}
    draw(lab, lengths)
    rows = []
    for title, found in lengths.items():
        tail = float(np.mean(found > 2 * np.median(found)))
        is_half = "half" in title
        rows.append(
            Row(f"{title}: turns of {GAMES:,} games of Naive against Naive", "a figure, no numbers",
                f"mean {found.mean():.1f}, median {np.median(found):.0f}, longest {found.max()}, "
                f"{percent(tail)} longer than twice the median",
                "mean 13 to 16, a long tail" if is_half else "reported",
                bool(13.0 <= found.mean() <= 16.0 and tail > 0.05) if is_half else None)
        )  # fmt: skip
    half = Cheat(**Cheat.NAMED["half"])
    for name in ("heuristic_002", "heuristic"):
        result = match(half, [BOTS[name], BOTS["naive"]], deals=lab.deals, seed=lab.seed)
        low, high = result.win_interval[0]
        rows.append(
            Row(f"{name} against Naive on the half deck", "98 %",
                f"{percent(result.win_rate[0])} ({100 * low:.1f} to {100 * high:.1f})", "96 % or more",
                result.win_rate[0] >= 0.96)
        )  # fmt: skip
    return rows


def turns(game: Cheat, games: int, seed: int) -> np.ndarray:
    """The turns of so many games of two Naive bots."""
    found = np.zeros(games, np.int64)
    play_all(game, game.start(), seat_all(game, [BOTS["naive"]] * 2), SILENT, NOTHING, found, seed)
    return found


@kernel
def play_all(game, start, table, meter, notes, found, seed):
    """Each deal once; found[deal] is how many turns it took."""
    luck, choice, s = np.zeros(1, np.uint64), np.zeros(1, np.uint64), start.copy()
    for deal in range(len(found)):
        for c in range(len(s)):
            s[c] = start[c]
        open_streams(luck, choice, seed, deal, 0)
        play_out(game, s, table, meter, notes, 0, 2, luck, choice)
        found[deal] = s[TURN]


def draw(lab: Lab, lengths: dict[str, np.ndarray]) -> None:
    with lab.figure("figures-1-2", 1, 2, sharey=True) as axes:
        for panel, (title, found) in zip(axes[0], lengths.items(), strict=True):
            panel.hist(found, bins=range(0, 80, 2), color="tab:blue")
            panel.axvline(found.mean(), color="tab:red", label=f"mean {found.mean():.1f}")
            panel.axvline(np.median(found), color="black", label=f"median {np.median(found):.0f}")
            panel.set(xlabel="turns", ylabel="games", title=title)
            panel.legend(frameon=False)
