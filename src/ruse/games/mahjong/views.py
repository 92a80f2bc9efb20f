"""Views of Mahjong by name: CFR-p as its authors have it, and with more and more of what a player sees.

A name is features with a + between them. `cfr_p` is the authors' integer, the first step; others may be added to it or
stand in its place:

| word | what it tells |
|---|---|
| `cfr_p` | the round, pairs, pongs or kongs, characters, winds (`cfrp/encoding.py`) |
| `part` | which part of the game it is, in place of the round |
| `distances` | how far the hand is from each of the three patterns |
| `helping` | how many unseen tiles bring it nearer to each |
| `other` | what the other player has declared |
| `discards` | what he has discarded |
| `often` | no feature: a policy is chosen six times a game, not three |
| `at_once` | no feature: Normal plays until the first choice, where the authors claim nothing |

More choices yet are `CfrP(apart=2, times=19)`: one at every turn. External sampling tries all of them, so that this
takes a walk of one line, `--walk outcome`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.games.mahjong.cfrp.features import Also, Discards, Other, Paper, Part, distances, helping
from ruse.games.mahjong.cfrp.points import Rounds
from ruse.games.mahjong.policies.policies import Biding, Pairs, PongPongHu, normal
from ruse.games.mahjong.rules import Mahjong
from ruse.hierarchy.hierarchy import Hierarchy
from ruse.protocol.game import Game
from ruse.words.naming import named, printed

FEATURES: dict[str, Callable[["CfrP"], Any]] = {
    "cfr_p": lambda view: Paper(view.at_least, view.counts_own),
    "part": lambda view: Part(view.first, view.apart, view.times, view.counts_own),
    "distances": lambda view: distances(view.use_visible),
    "helping": lambda view: helping(view.use_visible),
    "other": lambda view: Other(),
    "discards": lambda view: Discards(),
}
OTHERWISE: dict[str, dict[str, Any]] = {  # words that are no features, and the fields that they change
    "often": {"apart": 6, "times": 6},
    "at_once": {"before_first": "normal"},
}
BEFORE: dict[str, Any] = {"pass": Biding(), "normal": None}  # None: the first policy of those to choose from
ROUNDS = ("global", "own")  # what a round is: a tile drawn by either player, or by the one who chooses
NAMES = (
    "cfr_p",
    "cfr_p+distances",
    "part+distances",
    "part+distances+helping",
    "part+distances+helping+other",
    "part+distances+helping+other+discards",
    "part+distances+at_once",
    "part+distances+often",
    "part+distances+helping+other+often",
)


class CfrP(NamedTuple):
    """A policy for one of the patterns is chosen at three points of the game."""

    sees: str = "cfr_p"  # features with a + between them
    at_least: bool = False  # cfr_p counts as pairs the kinds held at least twice
    first: int = 1  # the round of player 0's first choice; player 1 has each one round later
    apart: int = 12  # rounds from one to the next
    times: int = 3  # how many there are
    recall: bool = False  # whether a player remembers what was seen and chosen at the points before
    before_first: str = "pass"  # until the first choice nothing but a win is claimed; or normal: that policy plays
    round_count: str = "global"  # a round is a tile drawn by either player; or own: by the one who chooses
    legal_in_key: bool = True  # keys tell which policies may be chosen; else all are offered (hierarchy.py)
    use_visible: bool = True  # distances go by what lies on the table; else by nothing but one's own tiles

    @property
    def counts_own(self) -> bool:
        return self.round_count == "own"

    def hierarchy(self, game: Game) -> Hierarchy:
        self.refuse_unfit(game)
        features: Any = None
        for word in self.sees.split("+"):
            part = FEATURES[word](self)
            features = part if features is None else Also(features, part, part.bits)
        return Hierarchy.of(
            normal(self.use_visible), PongPongHu(0, self.use_visible), Pairs(0, self.use_visible),
            points=Rounds(self.first, self.apart, self.times, self.counts_own), features=features,
            before=BEFORE[self.before_first], recall=self.recall, legal_in_key=self.legal_in_key,
        )  # fmt: skip

    def refuse_unfit(self, game: Game) -> None:
        """Raise if a field makes no sense, or if it is another game."""
        if not isinstance(game, Mahjong):
            raise RuseError(f"the view {self.sees!r} is one of Mahjong's, and the game is {named(game)}")
        words = str(self.sees).split("+")
        for word in words:
            if word not in FEATURES:
                raise RuseError(f"unknown feature {word!r}; there are {', '.join(FEATURES)}, with a + between them")
        if len(set(words)) < len(words):
            raise RuseError(f"a feature stands twice in {self.sees!r}; take one out")
        for field in ("first", "apart", "times"):
            if not 1 <= getattr(self, field) <= 38:
                raise RuseError(f"{field} of CfrP must be from 1 to 38, got {getattr(self, field)}")
        if self.before_first not in BEFORE:
            raise RuseError(f"before_first of CfrP must be {' or '.join(BEFORE)}, got {self.before_first!r:.80}")
        if self.round_count not in ROUNDS:
            raise RuseError(f"round_count of CfrP must be {' or '.join(ROUNDS)}, got {self.round_count!r:.80}")

    def __repr__(self) -> str:
        return printed(self, ["round_count", "legal_in_key", "use_visible"])


def view_of(text: str, game: Game) -> CfrP:
    """The view that a text names: features, and words for when a policy is chosen and who plays before."""
    words = text.split("+")
    sees = "+".join(word for word in words if word not in OTHERWISE)
    if not sees or not {*words} <= {*FEATURES, *OTHERWISE}:
        raise RuseError(
            f"unknown view {text!r}; there are full, {', '.join(FEATURES)}, several with a + between them, "
            "+often for six choices a game, and +at_once for Normal until the first: part+distances+at_once"
        )
    view = CfrP(sees)
    for word, fields in OTHERWISE.items():
        if words.count(word) > 1:
            raise RuseError(f"{word!r} stands twice in {text!r}; take one out")
        if word in words:
            view = view._replace(**fields)
    view.refuse_unfit(game)
    return view
