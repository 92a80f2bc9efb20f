"""What an engine is asked that it cannot do, as all engines are asked the same."""

from collections.abc import Callable
from typing import Any, NoReturn

from ruse.errors import RuseError


def refusing(sentence: str) -> Callable[..., NoReturn]:
    """A method that raises this sentence, whatever it is given.

    >>> class Stubborn:
    ...     learned = begin = refusing("it is solved from nothing")
    >>> Stubborn().begin("sums")
    Traceback (most recent call last):
    ruse.errors.RuseError: it is solved from nothing
    """

    def refuse(self: Any, *given: Any) -> NoReturn:
        raise RuseError(sentence)

    return refuse
