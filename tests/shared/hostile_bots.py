"""A game of one's own, Kuhn, whose bots fail, each in another way and in words that tell the card it was dealt."""

import inspect
from pathlib import Path

from ruse.games import kuhn

CARDS = "JQK"
FAILING = [
    "key_error", "text", "number", "our_error", "clash", "kind", "line", "silent", "leaves", "interrupts", "quits",
    "named", "ours",
]  # fmt: skip

HOSTILE = '''
import threading
from pathlib import Path

from ruse import RuseError
from ruse.studio.answers import Clash, Missing

BEGUN, ENDS = threading.Event(), threading.Event()

class Acts:
    def act(self, seat):
        card = seat.description[0]
        return self.on(card, seat)

class KeyErr(Acts):
    def on(self, card, seat): return {}[card]

class Text(Acts):
    def on(self, card, seat): return seat.description

class Number(Acts):
    def on(self, card, seat): return 10 + "JQK".index(card)

class OurError(Acts):
    def on(self, card, seat): raise RuseError("my secret is " + seat.description)

class Clashing(Acts):
    def on(self, card, seat): raise {"J": Clash, "Q": Missing, "K": RuseError}[card]("no")

class Kind(Acts):
    def on(self, card, seat): raise type(card, (BaseException,), {})

class Line(Acts):
    def on(self, card, seat):
        if card == "J":
            raise ValueError
        if card == "Q":
            raise ValueError
        raise ValueError

class Mute(Exception):
    def __str__(self): raise RuntimeError(self.args[0])

class Silent(Acts):
    def on(self, card, seat): raise Mute(card)

class Bye(Exception):
    def __str__(self): raise SystemExit(self.args[0])

class Leaves(Acts):
    def on(self, card, seat): raise Bye(card)

class Interrupts(Acts):
    def on(self, card, seat): raise KeyboardInterrupt(card)

class Quits(Acts):
    def on(self, card, seat): raise SystemExit("JQK".index(card))

class Named(Acts):
    """Whose name is its card."""
    def on(self, card, seat):
        self.name = card
        return "no action"

class Spoof(BaseException):
    __module__ = "ruse.inside"

class Ours(Acts):
    def on(self, card, seat): raise Spoof(card)

class Good:
    def act(self, seat): return 0

class Held:
    """Thinks until the game's module is told to let it go; a file tells other processes that it does."""
    def act(self, seat):
        BEGUN.set()
        Path(__file__).with_name("begun").touch()
        if not ENDS.wait(600):
            raise TimeoutError
        return 0

class Masked:
    """Plays, and does not say what it is."""
    @property
    def __class__(self): raise ValueError("nobody asks")
    def act(self, seat): return 0

BOTS = {
    "key_error": KeyErr(), "text": Text(), "number": Number(), "our_error": OurError(), "clash": Clashing(),
    "kind": Kind(), "line": Line(), "silent": Silent(), "leaves": Leaves(), "interrupts": Interrupts(),
    "quits": Quits(), "named": Named(), "ours": Ours(), "good": Good(), "masked": Masked(), "held": Held(),
}
'''


def written(folder: Path) -> Path:
    """The file of the game."""
    path = folder / "hk.py"
    rules = inspect.getsource(kuhn)
    assert "payoff_sum, style = 0, __name__" in rules
    path.write_text(rules.replace("payoff_sum, style =", "payoff_sum, bots =") + HOSTILE)
    return path
