"""What a function is given: a thing itself, or the words that a person would type for it.

    as_game("leduc:players=3"), as_game(ruse.Leduc())

Whatever the command line takes as text, public functions take too, and refuse in the same sentences.
"""

from typing import Any, TypeAlias

from ruse.catalog.names import game as game_named
from ruse.catalog.names import preset
from ruse.catalog.names import view as view_named
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.values.fields import refuse_unplayable
from ruse.protocol.view import View
from ruse.solve.solver.presets import Solver
from ruse.tree.expanded import Expanded

GameLike: TypeAlias = Game | str
SolverLike: TypeAlias = Solver | str
ViewLike: TypeAlias = View | str
ExpandedLike: TypeAlias = Expanded | Game | str


def as_game(given: GameLike) -> Game:
    """The game that is given, or that a text names.

    >>> as_game("leduc:suits=3").suits
    3
    """
    made = game_named(given) if isinstance(given, str) else given
    refuse_unplayable(made)
    return made


def as_solver(given: SolverLike) -> Solver:
    """The solver that is given, or that a text names: "cfr+", "dcfr:gamma=4"."""
    if isinstance(given, str):
        return preset(given)  # type: ignore[no-any-return]
    if isinstance(given, type) or not hasattr(given, "weighting"):
        name = getattr(given, "__name__", None)
        shown = repr(given) if name is None else f"{name}, which is yet to be called"
        raise RuseError(f'a solver is needed, such as ruse.dcfr() or "dcfr", not {shown}')
    return given


def as_view(given: ViewLike | None, game: Game) -> View | None:
    """The view that is given, or that a text names in this game; None stays None."""
    return view_named(given, game) if isinstance(given, str) else given


def as_expanded(given: ExpandedLike, *, memory: int | None = None) -> Expanded:
    """A game that is expanded already, or one that is to be."""
    made: Any = given
    return made if hasattr(made, "merged") else Expanded.of(as_game(made), memory=memory)
