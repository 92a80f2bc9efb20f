"""A place in a spot: where a line of actions and cards leads, and with which hands both come there."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.errors import RuseError
from ruse.games.holdem.cards import NAMES, cards_named, names_of
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by
from ruse.games.holdem.spots.betting import ALL_INS, DEAL, FOLD, SHOWDOWN, BettingTree
from ruse.games.holdem.spots.rules import SpotGame
from ruse.games.holdem.spots.spot import SEATS, STREETS

ENDS = {FOLD: "a fold", SHOWDOWN: "the showdown"}
BEFORE_A_CARD = ("card", "deal", "turn", "river")


class Playing(Protocol):
    """What plays a spot."""

    game: SpotGame

    def rows(self, node: int, cards: Sequence[int]) -> np.ndarray:
        """[holding, action] the strategy of the player who acts at a node, given the cards dealt since the beginning;
        zeros for hands that he cannot have.
        """


class SpotPlace(NamedTuple):
    """A node of the betting tree, and the cards that were dealt on the way."""

    node: int = 0
    cards: tuple[int, ...] = ()
    line: tuple[str, ...] = ()  # actions and cards, as they are called
    path: tuple[tuple[int, int, tuple[int, ...]], ...] = ()  # decisions on the way: node, action, cards dealt by then

    @property
    def where(self) -> str:
        return ", ".join(self.line) or "the beginning"

    def board(self, game: SpotGame) -> tuple[int, ...]:
        return (*map(int, game.board), *self.cards)

    def pot(self, game: SpotGame) -> int:
        """All that is in the middle."""
        return int(game.pot[0] + game.put[self.node].sum())

    def street(self, game: SpotGame) -> str:
        return STREETS[int(game.betting.street[self.node])]


def place_after(game: SpotGame, line: str) -> SpotPlace:
    """The place that a line leads to: "check, bet 25, raise 85, call, card 3c". Commas part its words."""
    place = SpotPlace()
    for word in line.split(","):
        if word.strip():
            place = stepped(game, place, " ".join(word.split()))
    return place


def stepped(game: SpotGame, place: SpotPlace, word: str) -> SpotPlace:
    """One action or card further."""
    tree, node = game.betting, place.node
    after = f"after {place.where}" if place.line else "at the beginning"
    if (who := int(tree.player[node])) in ENDS:
        raise RuseError(f"{place.where} ends in {ENDS[who]}, so nothing follows; leave {word!r} out")
    if who == DEAL:
        first, _, rest = word.partition(" ")
        card = _card(game, place, rest if first.casefold() in BEFORE_A_CARD else word, after)
        return SpotPlace(tree.children(node)[0], (*place.cards, card), (*place.line, NAMES[card]), place.path)
    action = _action(tree, node, word, after)
    step = (node, action, place.cards)
    return SpotPlace(
        tree.children(node)[action], place.cards, (*place.line, tree.names(node)[action]), (*place.path, step)
    )


def _card(game: SpotGame, place: SpotPlace, text: str, after: str) -> int:
    try:
        cards = cards_named(text)
    except RuseError as error:
        raise RuseError(f"a card is due {after}: {error}") from error
    if len(cards) != 1:
        raise RuseError(f"a card is due {after}; write one, as 'card 3c', got {text!r}")
    if cards[0] in (board := place.board(game)):
        raise RuseError(f"{NAMES[cards[0]]} cannot come {after}: it lies on the board {names_of(board)}")
    return cards[0]


def _action(tree: BettingTree, node: int, word: str, after: str) -> int:
    """The action that a word means: its name, its amount, or so much of the name that no other begins so."""
    names, wanted = tree.names(node), word.casefold().replace("allin", ALL_INS).replace("all in", ALL_INS)
    if wanted in names:
        return names.index(wanted)
    first, _, amount = wanted.partition(" ")
    # The largest bet may be called by its amount, too, although its name says that it is all-in.
    close = [k for k, name in enumerate(names) if first in ("bet", "raise") and name == f"{ALL_INS} {amount}"]
    close = close or [k for k, name in enumerate(names) if name.startswith(wanted)]
    if len(close) > 1:
        raise RuseError(f"{word!r} {after} may be {' or '.join(names[k] for k in close)}; say which")
    if not close:
        raise RuseError(f"there is no {word!r} {after}; there is {', '.join(names)}")
    return close[0]


class Here(NamedTuple):
    """What there is to know of a place: who acts, how, and with which hands both come there."""

    place: Any  # a SpotPlace, or in a blueprint a BlueprintPlace
    player: int  # who acts; less than 0 where nobody does
    actions: tuple[str, ...]
    reach: tuple[np.ndarray, ...]  # [holding] of each player: weight in the range times what he did on the way
    rows: np.ndarray  # [holding, action] how the player acts

    @property
    def overall(self) -> np.ndarray:
        """[action] how often it is taken, over all hands that come here."""
        weights = self.reach[self.player]
        total = weights.sum()
        return np.asarray(weights @ self.rows / total if total > 0.0 else np.full(len(self.actions), np.nan))


def here(plays: Playing, place: SpotPlace) -> Here:
    """How it is played at a place."""
    game = plays.game
    free = ~blocked_by(place.cards) if place.cards else np.ones(HOLDINGS, bool)
    reach = [np.where(free, game.spot.weights(player), 0.0) for player in range(len(SEATS))]
    for node, action, cards in place.path:
        reach[int(game.who[node])] *= plays.rows(node, cards)[:, action]
    player = int(game.who[place.node])
    is_decision = player >= 0
    rows = plays.rows(place.node, place.cards) if is_decision else np.zeros((HOLDINGS, 0))
    names = game.betting.names(place.node) if is_decision else ()
    return Here(place, player, names, (reach[0], reach[1]), rows)
