"""Whom a training faces besides itself: bots, in a share of its games.

ruse.train(game, ruse.lcfr(walk="probing"), view=Sketch(), against=ruse.Teachers.of("heuristic", share=0.5), ...)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.evaluate.against_bot import AgainstBot
from ruse.play.bots.either import Either
from ruse.play.bots.names import bot as bot_of
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.protocol.wrapped import Wrapped
from ruse.solve.solver.fits import Setup, must_fit


class Teachers(NamedTuple):
    """Bots, or their names in the game, each with a seat in its share of all games; the learner has all other seats."""

    bots: tuple[Any, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, *bots: Any, share: float | Sequence[float] = 1.0) -> "Teachers":
        """With one share for all of them they come equally often."""
        if not bots:
            raise RuseError('name a bot to train against, as in Teachers.of("heuristic")')
        try:
            shares = [float(one) for one in (share if isinstance(share, Sequence) else [share / len(bots)] * len(bots))]
        except (TypeError, ValueError):
            raise RuseError(f"a share is a number above 0, and 1 at most, got {share!r}") from None
        return cls(bots, tuple(shares)).checked()

    def checked(self) -> "Teachers":
        """The same, if there is a share for each bot, and they are shares of something."""
        bots, shares = self
        if any(bot is None for bot in bots):
            raise RuseError('name a bot to train against, as in Teachers.of("heuristic"), and not None')
        if len(shares) != len(bots):
            raise RuseError(f"give one share for all bots, or one for each: got {len(shares)} for {len(bots)}")
        if not (min(shares) > 0.0 and sum(shares) <= 1.0 + 1e-9):
            raise RuseError(f"shares must be above 0, and 1 at most in all, got {', '.join(map(str, shares))}")
        return self

    def facing(self, game: Game, view: View | None) -> Wrapped:
        """The game that the learner then plays."""
        self.checked()
        bots = self.found(game)
        for bot, named in zip(bots, self.bots, strict=True):
            must_fit(Setup(teacher=bot, teacher_name=str(named)), "teachers")
        bot = Either.of(*bots, weights=self.shares)
        return AgainstBot.of(game, bot, view or Full(), share=min(sum(self.shares), 1.0))

    def found(self, game: Game) -> list[Any]:
        """The bots themselves."""
        return [bot_of(bot, game) if isinstance(bot, str) else bot for bot in self.bots]

    @property
    def names(self) -> list[str] | None:
        """The texts that name the bots; None if one has no name."""
        names = [bot for bot in self.bots if isinstance(bot, str)]
        return names if len(names) == len(self.bots) else None

    def as_dict(self) -> dict[str, Any]:
        return {"bots": self.names or [repr(bot) for bot in self.bots], "shares": list(self.shares)}
