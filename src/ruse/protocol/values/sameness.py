"""When two parts that hold arrays are the same: a tuple's own comparison stumbles over them."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def told_apart_by(mark: Callable[[Any], Hashable]) -> Callable[[C], C]:
    """Parts of a class are the same if this is: `id`, or a digest of what they hold."""

    def decorate(part: C) -> C:
        def __eq__(self: Any, other: object) -> bool:
            return type(other) is type(self) and mark(self) == mark(other)

        def __ne__(self: Any, other: object) -> bool:
            return not self == other

        def __hash__(self: Any) -> int:
            return hash(mark(self))

        for method in (__eq__, __ne__, __hash__):
            setattr(part, method.__name__, method)
        return part

    return decorate
