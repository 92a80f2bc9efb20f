"""What may be chosen for a job, and why not: for a form that greys out what does not go with the rest.

Each choice is tried in the place of what is chosen now, with everything else as it is; the sentence is the table's of
`solve/solver/fits.py`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ruse.catalog.names import companion
from ruse.errors import RuseError
from ruse.horizon.horizon import CARD
from ruse.play.bots.names import bots_of
from ruse.protocol.game import Game
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.pruning import PRUNINGS
from ruse.solve.solver.walks import WALKS
from ruse.training.jobs.job import Job
from ruse.training.jobs.schema import BY_NAME, OPTIONS, given
from ruse.training.jobs.usual import usual
from ruse.training.terms.backends import BACKENDS

# What does not change whether things go together, and may be half typed.
APART = ("iterations", "target", "seconds", "memory", "share", "seed", "prefer")


class Offer(NamedTuple):
    """A value that an option can have, and why it cannot now; None if it can."""

    value: Any
    why_not: str | None = None


def names_of(option: str, game: Game) -> list[Any]:
    """What can be chosen for an option; nothing where anything can be typed."""
    views = getattr(companion(game, "views"), "NAMES", ())
    lists: dict[str, Iterable[Any]] = {
        "rule": PRESETS, "walk": WALKS, "prune": PRUNINGS, "on": BACKENDS, "against": bots_of(game),
        "horizon": [CARD],
        "view": dict.fromkeys(("full", str(usual(game, "view")), *views)),
    }  # fmt: skip
    if option in lists:
        return list(lists[option])
    return [True] if BY_NAME[option].kind == "yes" else [2] if option == "threads" else []


def offers(game: Game, asked: Mapping[str, Any]) -> dict[str, list[Offer]]:
    """For each option that has a list of values: what can be chosen beside what is asked now, and why not."""
    said = {name: value for name, value in given(dict(asked)).items() if name not in APART}
    found = {}
    for option in OPTIONS:
        if option.name not in APART and (names := names_of(option.name, game)):
            found[option.name] = [
                Offer(value, why_not_offered(game, said | {option.name: [value] if option.is_many else value}))
                for value in names
            ]
    return found


def why_not_offered(game: Game, asked: Mapping[str, Any]) -> str | None:
    """Why a job cannot be asked for like this; None if it can. Nothing large is made for it."""
    said = dict(asked)
    if said.get("view") in (None, usual(game, "view")):  # it goes with what is usual, and may need tables to be built
        said["view"] = "full"
    try:
        job = Job.typed(game, said).checked()
        job.refuse_unfit()
        if job.against is not None:
            job.against.facing(game, job.view)
    except RuseError as error:
        return str(error)
    return None
