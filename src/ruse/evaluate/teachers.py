"""Whom a training faces besides itself: bots, in a share of its games.

ruse.train(game, ruse.lcfr(walk="probing"), view=Sketch(), against=ruse.Teachers.of("heuristic", share=0.5), ...)
"""

from typing import Any, NamedTuple

from ruse.bots.names import bot as bot_of
from ruse.errors import RuseError
from ruse.evaluate.against_bot import AgainstBot
from ruse.game import Game
from ruse.view import Full, View


class Teachers(NamedTuple):
    """Bots, or their names in the game, one of which has the other seat in a share of all games."""

    bots: tuple[Any, ...]
    share: float = 1.0

    @classmethod
    def of(cls, *bots: Any, share: float = 1.0) -> "Teachers":
        if not bots:
            raise RuseError('name a bot to train against, as in Teachers.of("heuristic")')
        return cls(bots, float(share))

    def facing(self, game: Game, view: View | None) -> AgainstBot:
        """The game that the learner then plays."""
        bots = [bot_of(bot, game) if isinstance(bot, str) else bot for bot in self.bots]
        for bot, named in zip(bots, self.bots, strict=True):
            if not hasattr(bot, "decide"):
                raise RuseError(f"{named} keeps no books of the game, so it cannot take a seat in a training")
        return AgainstBot.of(game, bots[0], view or Full(), share=self.share)

    @property
    def names(self) -> list[str] | None:
        """The texts that name the bots; None if one has no name."""
        names = [bot for bot in self.bots if isinstance(bot, str)]
        return names if len(names) == len(self.bots) else None

    def as_dict(self) -> dict[str, Any]:
        return {"bots": self.names or [repr(bot) for bot in self.bots], "share": self.share}
