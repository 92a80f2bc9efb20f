"""Which action, and at which decisions, a person means: "bet", "bet, player 0, first", "call, player 0, with K, first".

The action comes first: its name, the start of it, or a kind that the game knows; "bet or raise" are two, and "not bet"
is all else where one may bet. Then come conditions, in any order, with commas between them:

    player 0        this player's decisions alone
    first           a player's first decision of the game
    always          no condition: all of a player's decisions
    with K          "K" is among the player's own cards
    pass bet        any other words are said somewhere in the description

The description is what `describe` tells the player to act, the name of the infoset. Words are matched whole, one after
the other, without regard to case; the suits of cards may be left out. Own cards are those that the game's scene shows
in a place of the player's own; where there are no scenes, what the description says before its first comma or bar.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.protocol.game import Game, Row, needs_history
from ruse.protocol.scene import own_scene
from ruse.protocol.state import State
from ruse.words.naming import named

Kind = Callable[[Any, Row, int], bool]  # whether action a at the state s of a game is of this kind; never compiled


class Asked(NamedTuple):
    """What a text asks for."""

    action: str
    player: int | None = None  # None: every player
    is_first: bool = False
    held: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    def __str__(self) -> str:
        whose = [f"player {self.player}"] if self.player is not None else []
        where = [*(f"with {text}" for text in self.held), *self.said, *(["first"] if self.is_first else [])]
        return ", ".join([self.action, *whose, *where])

    def has(self, own: Sequence[str]) -> bool:
        """Whether the cards that are asked for are among the own ones: a text for each place where these lie."""
        return all(any(is_said(text, cards) for cards in own) for text in self.held)

    def hears(self, description: str) -> bool:
        """Whether all other words that are asked for are said."""
        return all(is_said(text, description) for text in self.said)


def asked(text: str, players: int | None = None) -> Asked:
    """Read a text; `players` is how many the game has, if that is known."""
    action, *conditions = (part.strip() for part in text.split(","))
    if not action or not all(conditions):
        raise RuseError(f"cannot read {text!r}; write an action, then conditions, as in 'bet, player 0, first'")
    found = Asked(" ".join(action.split()))
    for condition in conditions:
        if seat := re.fullmatch(r"player\s+(\d+)", condition, re.IGNORECASE):
            if found.player not in (None, int(seat[1])):
                raise RuseError(f"{text!r} names two players; write one text for each")
            if players is not None and int(seat[1]) >= players:
                raise RuseError(f"there is no player {seat[1]} in {text!r}; there are 0 to {players - 1}")
            found = found._replace(player=int(seat[1]))
        elif condition.casefold() == "first":
            found = found._replace(is_first=True)
        elif condition.casefold() == "always":
            continue
        elif condition.casefold().startswith("with "):
            found = found._replace(held=(*found.held, condition[5:].strip()))
        else:
            found = found._replace(said=(*found.said, condition))
    return found


class Decisions:
    """Decisions of a game, and which of their actions a text means. Words are asked for only when they are needed."""

    def __init__(
        self, game: Game, rows: NDArray[Any], player: NDArray[Any], count: NDArray[Any], is_first: NDArray[Any],
        view: Any = None, way: Callable[[int], tuple[int, ...]] | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.naming = view  # whose own words count, if it has any
        self.way = way  # the actions that have led to the state of decision k, if that is known
        self.rows = rows  # [decision, column] one state of each
        self.player = player  # [decision]
        self.count = count.astype(np.int64)  # [decision] of actions
        self.is_first = is_first  # [decision] whether its player has not decided anything before
        self.start = np.concatenate([[0], np.cumsum(self.count)])  # [decision + 1] where its actions start
        self._told: dict[int, str] = {}

    @cached_property
    def names(self) -> list[str]:
        """[action] of all decisions, one after the other."""
        return [str(self.game.action_name(row, a)) for row, a in self._actions()]

    @cached_property
    def views_names(self) -> list[str]:
        """[action] what the view calls it, which may be another word."""
        if not hasattr(self.naming, "action_name"):
            return self.names
        return [str(self.naming.action_name(self.game, row, a)) for row, a in self._actions()]

    def _actions(self) -> Iterator[tuple[Row, int]]:
        return ((row, a) for row, n in zip(self.rows, self.count.tolist(), strict=True) for a in range(n))

    def describe(self, k: int) -> str:
        """What the player to act is told at decision k."""
        if k not in self._told:
            row, view = self.rows[k], self.naming
            history = self.way(k) if self.way and needs_history(self.game) else ()
            state = State(self.game, row, history)
            told = view.describe(self.game, row) if hasattr(view, "describe") else state.describe(int(self.player[k]))
            self._told[k] = str(told)
        return self._told[k]

    def own_cards(self, k: int) -> tuple[str, ...]:
        """What the player to act holds at decision k, a text for each place where it lies."""
        player = int(self.player[k])
        # A view with words of its own may not know the cards.
        scene = None if hasattr(self.naming, "describe") else own_scene(State(self.game, self.rows[k], ()), player)
        shown = scene.shown_of(player) if scene else ()
        return shown or (told_first(self.describe(k)),)

    def words(self, player: int | None = None) -> list[str]:
        """The names of the actions, each once, in the order in which they are met; of one player or of all."""
        owner = np.repeat(self.player, self.count)
        return list(dict.fromkeys(n for n, p in zip(self.names, owner, strict=True) if player in (None, p)))

    def meant(self, wanted: Asked) -> NDArray[Any]:
        """[action] whether the text means it; an error if it means none."""
        is_here = np.ones(len(self.player), bool)
        if wanted.player is not None:
            is_here &= self.player == wanted.player
        if wanted.is_first:
            is_here &= self.is_first
        if wanted.held:
            for k in np.flatnonzero(is_here):
                is_here[k] = wanted.has(self.own_cards(int(k)))
        if wanted.said:
            for k in np.flatnonzero(is_here):
                is_here[k] = wanted.hears(self.describe(int(k)))
        is_not, action = re.fullmatch(r"(not )?(.*)", wanted.action, re.IGNORECASE).groups()  # type: ignore[union-attr]
        found = self._called(action)
        if is_not:
            found = ~found & np.repeat(np.logical_or.reduceat(found, self.start[:-1]), self.count)
        found &= np.repeat(is_here, self.count)
        if not found.any():
            raise RuseError(f"{str(wanted)!r} fits no decision of {named(self.game)}; {self._like(wanted)}")
        return found

    def _called(self, text: str) -> NDArray[Any]:
        """[action] whether it is one of those called so: "bet or raise" are two."""
        found = np.zeros(len(self.names), bool)
        for action in re.split(r"\s+or\s+", text, flags=re.IGNORECASE):
            found |= self._named(action, self.names)
            if self.views_names is not self.names:
                found |= self._named(action, self.views_names)
        if not found.any():
            offered = [*self.words(), *kinds_of(self.game)]
            more = f" and {len(offered) - 12} more" if len(offered) > 12 else ""
            raise RuseError(f"no action {text!r} in {named(self.game)}; there is {', '.join(offered[:12])}{more}")
        return found

    def _named(self, action: str, names: Sequence[str]) -> NDArray[Any]:
        """[action] whether it has this name, else is of this kind, else has a name that begins with these words."""
        wanted = as_compared(action)
        plain_names = [as_compared(name) for name in names]
        found = np.array([name == wanted for name in plain_names], bool)
        if found.any():
            return found
        if kind := kinds_of(self.game).get(wanted):
            return np.array([bool(kind(self.game, row, a)) for row, a in self._actions()], bool)
        return np.array([name.startswith(f"{wanted} ") for name in plain_names], bool)

    def _like(self, wanted: Asked) -> str:
        """What there is instead: of the player, if one is named."""
        own = np.flatnonzero(self.player == wanted.player) if wanted.player is not None else np.arange(len(self.player))
        told = " and ".join(repr(self.describe(int(k))) for k in own[:2])
        return f"descriptions are like {told}" if told else "there are none"


def companion_of(game: Game) -> Any:
    """The module that the game's class attribute `style` names; None if there is none."""
    home = getattr(type(game), "style", None)
    return import_module(home) if isinstance(home, str) else None


def kinds_of(game: Game) -> Mapping[str, Kind]:
    """More words for actions than their names, where the game has them: KINDS of its module `style`."""
    return getattr(companion_of(game), "KINDS", {})


def metrics_of(game: Game) -> Sequence[str] | None:
    """What the game wants to be measured by, where it says so: metrics(game) of its module `style`."""
    named: Callable[[Game], Iterable[str]] | None = getattr(companion_of(game), "metrics", None)
    return None if named is None else list(named(game))


# ---- words -----------------------------------------------------------------------------------------------------------


def as_compared(text: str) -> str:
    """A text as it is compared: without punctuation and case."""
    return " ".join(re.sub(r"[,;/]", " ", text).casefold().split())


def without_suits(text: str) -> str:
    """The same with cards as ranks alone: K for Ks."""
    return as_compared(re.sub(r"\b([2-9TJQKA])[shdc]\b", r"\1", text))


def is_said(words: str, text: str) -> bool:
    """Whether the text says these words, whole and one after the other."""
    return any(f" {as_compared(words)} " in f" {spell(text)} " for spell in (as_compared, without_suits))


def told_first(description: str) -> str:
    """What stands before the first comma or bar: there the player's own cards are told, where there are no scenes."""
    return re.split("[,|]", description, maxsplit=1)[0]
