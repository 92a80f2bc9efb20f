"""Whether two games are the same, or differ in nothing that is seen in play, such as a limit of turns."""

from typing import Any

from ruse.catalog.behaviour import classes_of
from ruse.protocol.game import Game, declared
from ruse.protocol.values.fields import call_of


def is_same(one: Any, other: Any) -> bool:
    """Whether two games are the same: tuples of two classes may be equal, and two classes may have one name."""
    return repr(one) == repr(other) and class_names(one) == class_names(other) and bool(one == other)


def class_names(game: Any) -> list[str]:
    """Where the classes of a game and of the parts in it come from; one that is defined again is the same."""
    return [f"{cls.__module__}.{cls.__qualname__}" for cls in classes_of(game)]


def looks_alike(one: Any, other: Any) -> bool:
    """Whether two games differ in nothing but fields that are not seen in play."""
    if one is other or repr(one) == repr(other):
        return True
    unseen = declared(one, "unseen", ())
    if type(one) is not type(other):
        return False
    return bool(one._replace(**{field: getattr(other, field) for field in unseen}) == other)


def as_recorded(game: Any, text: str) -> Game | None:
    """The game with this text that differs from a given one in nothing that is seen in play; None if there is none."""
    if repr(game) == text:
        return game  # type: ignore[no-any-return]
    unseen, (_, fields) = declared(game, "unseen", ()), call_of(text)
    if any(type(fields.get(f)) is not type(getattr(game, f)) for f in unseen):
        return None
    made = game._replace(**{field: fields[field] for field in unseen})
    return made if repr(made) == text else None
