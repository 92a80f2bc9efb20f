"""A spot in the console language of TexasSolver: one `set_...` a line.

What concerns its solver, such as threads and accuracy, is left out. What is not named there is not bet.
"""

import re
from collections.abc import Mapping
from typing import Any

from ruse.errors import RuseError
from ruse.games.holdem.spots.reading import NOTHING, spot_from
from ruse.games.holdem.spots.spot import SEATS, STREETS, Spot

PARTS = {
    "set_pot": "pot",
    "set_effective_stack": "stack",
    "set_board": "board",
    "set_range_oop": "oop",
    "set_range_ip": "ip",
    "set_allin_threshold": "threshold",
}
KINDS = {"bet": "bets", "raise": "raises", "donk": "donks"}
UNUSED = (
    "build_tree", "start_solve", "set_thread_num", "set_accuracy", "set_max_iteration", "set_print_interval",
    "set_use_isomorphism", "set_dump_rounds", "dump_result",
)  # fmt: skip


def spot_said(text: str, more: Mapping[str, Any] = NOTHING) -> Spot:
    """The spot that these lines set; `more` is said after them."""
    pairs: list[tuple[str, str]] = []
    sizes: dict[str, list[str]] = {
        f"{seat} {street} {kind}": [] for seat in SEATS for street in STREETS for kind in KINDS
    }
    for number, line in enumerate(text.splitlines(), 1):
        command, _, said = line.strip().partition(" ")
        if command in PARTS:
            pairs.append((PARTS[command], said))
        elif command == "set_bet_sizes":
            for where, size in _sizes(said, f"line {number}, {line.strip()[:60]!r},"):
                sizes[where].append(size)
        elif command and command not in UNUSED:
            raise RuseError(f"line {number} has the command {command[:40]!r}, which is not known here; leave it out")
    bets = [(f"{where}s", ", ".join(dict.fromkeys(those))) for where, those in sizes.items()]
    return spot_from([*pairs, *bets, *more.items()], {})


def _sizes(said: str, line: str) -> list[tuple[str, str]]:
    """What one line adds, and where: an all-in is for bets, raises and donks."""
    words = [word.strip() for word in said.split(",")]
    seat, street, kind = (*words, "", "", "")[:3]
    if seat not in SEATS or street not in STREETS or kind not in (*KINDS, "allin"):
        raise RuseError(f"{line} does not set sizes; write oop or ip, a street, then bet, raise, donk or allin")
    if kind == "allin":
        return [(f"{seat} {street} {one}", "all-in") for one in KINDS]
    if wrong := [amount for amount in words[3:] if not re.fullmatch(r"\d+(\.\d+)?", amount)]:
        raise RuseError(f"{line} has a size that is no number of percent, {wrong[0]!r}")
    return [(f"{seat} {street} {kind}", f"{amount}%") for amount in words[3:]]
