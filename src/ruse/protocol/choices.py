"""Action abstraction: a view may also offer fewer actions than the game has, or other ones.

A view that offers fewer has two more methods: `num_choices`, how many it offers at a decision, and `meaning`, which of
the game's actions one of them stands for there. One that is a hierarchy, or names one, offers policies that last for
several moves (`ruse.hierarchy`). Walks then go through a wrapped game: the game as it looks from such a view.
"""

from typing import Any, NamedTuple, Protocol, runtime_checkable

from ruse.compile import compiled
from ruse.protocol.game import CHANCE, Game, Row
from ruse.protocol.view import View
from ruse.protocol.wrapped import Wrapped, twist


@runtime_checkable
class Offering(Protocol):
    """A view with actions of its own."""

    def key(self, game: Game, s: Row) -> int: ...

    def num_choices(self, game: Game, s: Row) -> int:
        """How many choices the acting player has; the key must determine it."""

    def meaning(self, game: Game, s: Row, a: int) -> int:
        """The game's action that choice a stands for."""


@runtime_checkable
class Hierarchical(Protocol):
    """A view by which players choose policies, and no actions."""

    def hierarchy(self, game: Game) -> Any:
        """The hierarchy in this game, as `ruse.hierarchy` has them."""


@runtime_checkable
class Bucketing(Protocol):
    """A view of Hold'em that puts hands into buckets."""

    def key_of(self, past: int, bucket: int, player: int) -> int:
        """The key of a player who has bet so far as `past` tells, with a hand of this bucket."""


def has_choices(view: object) -> bool:
    """Whether a view has actions of its own."""
    return isinstance(view, Offering | Hierarchical)


def as_offered(game: Game, view: View | Hierarchical) -> tuple[Game, View]:
    """The game as a view offers it, and the view of that game's infosets; the same if the view has no actions."""
    if isinstance(view, Hierarchical):
        return view.hierarchy(game).offered(game)  # type: ignore[no-any-return]
    if isinstance(view, Offering):
        return Offered.of(game, view), Own()
    return game, view


@twist
class Offered(NamedTuple):
    """The twist of a game in which players see and do no more than a view offers."""

    sees: Any

    @classmethod
    def of(cls, game: Game, view: Any) -> Wrapped:
        return Wrapped.of(game, cls(view))

    def num_actions_in(self, game, s, behind):
        if game.player(s) == CHANCE:
            return game.num_actions(s)
        return self.sees.num_choices(game, s)

    def apply_in(self, game, s, behind, a):
        meant = a if game.player(s) == CHANCE else self.sees.meaning(game, s, a)
        game.apply(s, meant)  # called once: it is inlined

    def infoset_in(self, game, s, behind):
        return self.sees.key(game, s)

    def action_name_in(self, game: Game, s: Row, behind: Row, a: int) -> str:
        meant = a if game.player(s) == CHANCE else self.sees.meaning(game, s, a)
        return str(game.action_name(s, meant))


@compiled("key")
class Own(NamedTuple):
    """The view of a game whose twist has a view: its infosets as they are, in the words of that view."""

    nothing: int = 0

    def key(self, game, s):
        return game.infoset(s)

    def beneath(self, game: Wrapped) -> tuple[Game, Any]:
        """The game inside, and the view that its infosets are of."""
        return game.rules, game.twist.sees

    def describe(self, game: Wrapped, s: Row) -> str:
        return str(game.twist.sees.describe(game.rules, s[: game.columns]))

    def action_name(self, game: Wrapped, s: Row, a: int) -> str:
        own = getattr(game.twist.sees, "action_name", None)
        return str(own(game.rules, s[: game.columns], a) if own else game.action_name(s, a))


@compiled("key", "num_choices", "meaning")
class AsItIs(NamedTuple):
    """A view that offers all actions of the game."""

    sees: Any

    def key(self, game, s):
        return self.sees.key(game, s)

    def num_choices(self, game, s):
        return game.num_actions(s)

    def meaning(self, game, s, a):
        return a
