"""What was made of games and views lately: kept, and made once, whichever thread asks first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Made(Generic[T]):
    """The place of one thing."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # held while it is made
        self.things: list[T] = []


class Recent(Generic[T]):
    """The last few things, by what tells them apart. Different ones are made side by side."""

    def __init__(self, count: int | None = 4) -> None:
        self.count = count  # None: all of them
        self.lock = threading.Lock()
        self.places: OrderedDict[Hashable, Made[T]] = OrderedDict()

    def of(self, identity: Hashable, make: Callable[[], T]) -> T:
        """The thing of this identity; if it is not kept it is made. What cannot be made is tried again next time."""
        with self.lock:
            place = self.places.setdefault(identity, Made())
            self.places.move_to_end(identity)
        try:
            with place.lock:
                if not place.things:
                    place.things.append(make())
        except BaseException:
            with self.lock:
                if self.places.get(identity) is place:
                    del self.places[identity]
            raise
        with self.lock:  # now that there is another: what could not be made has pushed out nothing
            while self.count is not None and len(self.places) > self.count:
                self.places.popitem(last=False)
        return place.things[0]

    def clear(self) -> None:
        with self.lock:
            self.places.clear()


def identity_of(part: Any) -> tuple[type, object]:
    """What tells a part from others, down to the parts in it: tuples of two classes may be equal, and one that holds
    arrays has no hash.
    """
    try:
        hash(part)
    except TypeError:
        return type(part), id(part)
    if isinstance(part, tuple) and type(part).__hash__ is tuple.__hash__:  # else it tells itself from others
        return type(part), tuple(map(identity_of, part))
    return type(part), part
