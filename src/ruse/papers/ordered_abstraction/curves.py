"""Learning curves of several seeds, and how far one agent is ahead of another."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from ruse.papers.evidence import Found
from ruse.papers.ordered_abstraction.agents import Score

Curve = Sequence[tuple[int, Score]]  # iterations, and the shares of games won then


class Curves(NamedTuple):
    """One agent, trained with several seeds."""

    at: list[int]  # iterations
    scores: list[list[Score]]  # [seed][test]

    def by_seed(self, bot: str, k: int = -1) -> list[float]:
        """The shares at test k, the last if nothing is said."""
        return [getattr(scores[k], bot) for scores in self.scores]

    def mean(self, bot: str) -> list[float]:
        """[test] over all seeds."""
        return [fmean(self.by_seed(bot, k)) for k in range(len(self.at))]

    def end(self, bot: str) -> Found:
        return Found.of(self.by_seed(bot))

    def ahead_of(self, other: "Curves", bot: str, k: int = -1) -> Found:
        """By how much at test k, seed by seed."""
        pairs = zip(self.by_seed(bot, k), other.by_seed(bot, k), strict=True)
        return Found.of([ours - theirs for ours, theirs in pairs])


def gathered(runs: Sequence[Curve]) -> Curves:
    return Curves([t for t, _ in runs[0]], [[score for _, score in curve] for curve in runs])
