"""How a training stands, in words; for a terminal or a notebook. Nothing heavy is imported for it."""

import math
from typing import TYPE_CHECKING

from ruse.words.amounts import exploitability_text, in_bytes

if TYPE_CHECKING:
    from ruse.training.progress import Progress


def compiling_text(name: str) -> str:
    return f"compiling kernels, once ({name})"


def share_done(progress: "Progress") -> float | None:
    """How much of the planned iterations or seconds is done; None if the end is open."""
    shares = []
    if progress.planned:
        shares.append(progress.iteration / progress.planned)
    if progress.seconds_limit:
        shares.append(progress.seconds / progress.seconds_limit)
    return min(1.0, max(shares)) if shares else None


def numbers(progress: "Progress") -> str:
    """Iteration, exploitability, speed and time left on one line."""
    done = f"{progress.iteration:,}/{progress.planned:,}" if progress.planned else f"iteration {progress.iteration:,}"
    stake = progress.stake
    aim = f" (target {exploitability_text(progress.target, stake)})" if progress.target else ""
    left = f", {duration(progress.seconds_left)} left" if progress.seconds_left is not None else ""
    size = ""
    if progress.nodes:
        speed = progress.nodes / progress.seconds if progress.seconds else 0.0
        size = f", {speed:,.0f} nodes/s, {progress.infosets:,} infosets, {in_bytes(progress.bytes)}"
        if progress.pruned is not None:
            size += f", {progress.pruned:.0%} pruned, {in_bytes(progress.given_back)} given back"
    if progress.stage:
        done += f" in the {progress.stage}"
    measured = progress.exploitability  # infinite before the first check; not a number in what is too large
    known = "not measured yet" if math.isinf(measured) else exploitability_text(measured, stake)
    is_told = not math.isnan(measured) and not (math.isinf(measured) and progress.stage)
    told = f", exploitability {known}{aim}" if is_told else ""
    return f"{done}{told}, {progress.rate:,.0f} it/s{size}{left}"


def duration(seconds: float) -> str:
    """A time in the largest unit that gives more than one: 40 s, 3 min, 2 h, 5 days."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
