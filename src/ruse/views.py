"""Views: what an agent sees and remembers. A game may have more of them, as `ruse.games.cheat.views`."""

from ruse.protocol.choices import Offering
from ruse.protocol.view import Full, View

__all__ = ["Full", "Offering", "View"]
