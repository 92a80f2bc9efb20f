"""Learning curves of several seeds, and how far one agent is ahead of another."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from ruse.papers.evidence import Found
from ruse.papers.ordered_abstraction.agents import BotShares

Curve = Sequence[tuple[int, BotShares]]  # iterations, and the shares of games won then


class AgentCurves(NamedTuple):
    """One agent, trained with several seeds."""

    at: list[int]  # iterations
    scores: list[list[BotShares]]  # [seed][test]

    def by_seed(self, bot: str, k: int = -1) -> list[float]:
        """The shares at test k, the last if nothing is said."""
        return [getattr(scores[k], bot) for scores in self.scores]

    def mean(self, bot: str) -> list[float]:
        """[test] over all seeds."""
        return [fmean(self.by_seed(bot, k)) for k in range(len(self.at))]

    def end(self, bot: str) -> Found:
        return Found.of(self.by_seed(bot))

    def ahead_of(self, other: "AgentCurves", bot: str, k: int = -1) -> Found:
        """By how much at test k, seed by seed."""
        pairs = zip(self.by_seed(bot, k), other.by_seed(bot, k), strict=True)
        return Found.of([ours - theirs for ours, theirs in pairs])


def gathered(runs: Sequence[Curve]) -> AgentCurves:
    return AgentCurves([t for t, _ in runs[0]], [[score for _, score in curve] for curve in runs])
