"""Features that any game can use."""

from typing import NamedTuple

from ruse.compile import compiled


@compiled("feature")
class Featureless(NamedTuple):
    """Of those who go by nothing but which policies may be chosen."""

    nothing: int = 0

    def feature(self, game, seen, me):
        return 0
