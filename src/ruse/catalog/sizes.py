"""How large a game is, that may be given by its name."""

from ruse.catalog.given import GameLike, ViewLike, as_game, as_view
from ruse.tree.measure.size import Size, tree_size


def size(game: GameLike, view: ViewLike | None = None, *, limit: int | None = None, room: int | None = None) -> Size:
    """Count a game's tree, or estimate it by random dives if it has more than `limit` histories (50 millions).

    With `room`, in bytes, it is counted to the end however many there are, unless it takes more than that: by the
    estimate, or by what has been counted.

    >>> size("kuhn").infosets
    12
    """
    made = as_game(game)
    return tree_size(made, as_view(view, made), limit=limit, room=room)
