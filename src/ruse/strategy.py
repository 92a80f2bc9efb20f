"""A strategy: for each infoset that it knows, a probability for each action. Look up, print, save, load."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.behaviour import behaviour, played, refuse_changed
from ruse.catalog.given import GameLike, as_game
from ruse.catalog.likeness import as_recorded, class_names, is_same, looks_alike
from ruse.catalog.names import spec_of
from ruse.catalog.names import view as view_of
from ruse.catalog.recorded import recorded_game
from ruse.catalog.titles import title_of
from ruse.compile.hashing import MASK
from ruse.errors import FileTrouble, OtherWidth, RuseError
from ruse.laws.peeking import refuse_peeking
from ruse.listing import HISTORIES, INFOSETS, Listed, Listing, known_in, listing_of, read_listing
from ruse.protocol.choices import Hierarchical, Offering, as_offered, has_choices
from ruse.protocol.decisions import as_compared, without_suits
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.protocol.view import Full, View
from ruse.store import tensors
from ruse.store.distributions import fault_in_tables
from ruse.store.records import is_count, is_number, is_text, misfit
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import TooLarge, is_within
from ruse.tree.told import ToldInfosets
from ruse.words.choice import Choice, player_name, told_choices
from ruse.words.counts import is_whole_in
from ruse.words.html import table_of
from ruse.words.naming import distinct, named
from ruse.words.printable import shown
from ruse.words.versions import version_of

if TYPE_CHECKING:
    from ruse.charts.picture import Picture

log = logging.getLogger(__name__)

FORMAT, MAJOR = "strategy", 1
ABOUT = {
    "rule": is_text,
    "iterations": is_count,
    "exploitability": is_number,
    "made_in": lambda value: value is None or is_text(value),
}


class Strategy:
    """Probabilities by infoset for all players of a game. Infosets that it does not know are played uniformly."""

    def __init__(
        self, game: Game, keys: NDArray[Any], start: NDArray[Any], probability: NDArray[Any], *,
        view: View | None = None, about: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.keys = keys  # [infoset] uint64, ascending
        self.start = start  # [infoset + 1] where an infoset's probabilities start
        self.probability = probability  # [action] float64
        self.view = view or Full()
        self.about = dict(about or {})  # how it was made: rule, iterations, seed, exploitability
        self.listing: Listing | None = None  # the infosets by name, as its file has them
        self._sound: tuple[Any, ...] = ()  # the tables that were looked at, and are distributions

    @classmethod
    def of(cls, expanded: Expanded, sigma: NDArray[Any], about: Mapping[str, Any] | None = None) -> "Strategy":
        """The strategy given by a table over the expanded game's slots."""
        form = expanded.form
        _, node = np.unique(expanded.keys, return_index=True)
        counts = np.diff(form.first)[node].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        slots = np.repeat(form.slot[node].astype(np.int64) - start[:-1], counts) + np.arange(start[-1])
        return cls(expanded.game, expanded.keys[node], start, sigma[slots], view=expanded.view, about=about)

    @classmethod
    def uniform(cls, game: GameLike) -> "Strategy":
        """Every action with the same probability, everywhere."""
        return cls(as_game(game), np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0))

    # ---- look up -----------------------------------------------------------------------------------------------------

    def on(self, expanded: Expanded) -> NDArray[Any]:
        """The strategy as a table over the slots of an expanded game, uniform where it knows nothing."""
        self.refuse_other(expanded.game)
        self.refuse_choices()
        self.refuse_unplayable()
        refuse_peeking(self.game, self.view)
        form = expanded.form
        counts = np.diff(form.first).astype(np.int64)
        sigma = np.ones(form.num_sequences)
        sigma[form.players :] = np.repeat(1.0 / counts, counts)
        if len(self.keys):
            wanted = expanded.keys_of(self.view)
            place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
            known = self.keys[place] == wanted
            if np.any(known & (np.diff(self.start)[place] != counts)):
                raise OtherWidth(
                    f"the strategy does not fit {named(expanded.game)}: an infoset has another number of actions"
                )
            rows = np.flatnonzero(known)
            offset = np.arange(counts[rows].sum()) - np.repeat(np.cumsum(counts[rows]) - counts[rows], counts[rows])
            sigma[np.repeat(form.slot[rows], counts[rows]) + offset] = self.probability[
                np.repeat(self.start[place[rows]], counts[rows]) + offset
            ]
        return sigma

    def refuse_other(self, game: Game) -> None:
        """Raise unless the strategy was made for this game."""
        if not is_same(game, self.game):
            ours, theirs = named(self.game), named(game)
            if ours == theirs:  # what is different is where their classes come from
                ours, theirs = (f"{ours}, of {', '.join(classes)}" for classes in map(class_names, (self.game, game)))
            raise RuseError(f"the strategy is for {ours}, not for {theirs}")

    def refuse_choices(self) -> None:
        """Raise if the strategy's view offers actions of its own: there is no probability for each of the game's."""
        if has_choices(self.view):
            raise RuseError(
                f"under {self.view!r} the strategy has actions of its own: it can play, but not be judged exactly"
            )

    def refuse_unplayable(self, whose: str = "the strategy") -> None:
        """Raise if the tables are no distributions, as those of a program may be: a file of them is refused."""
        if fault := fault_in_tables(self._tables()):
            raise RuseError(f"{whose} cannot be played: {fault}")
        self._sound = (self.keys, self.start, self.probability)

    def _tables(self) -> dict[str, NDArray[Any]]:
        return {"keys": self.keys, "start": self.start, "probability": self.probability}

    def as_offered(self) -> "Strategy":
        """The strategy in the game as its view offers it, if the view has actions of its own; else as it is."""
        if not has_choices(self.view):
            return self
        if isinstance(self.view, Offering) and not hasattr(self.view, "describe"):
            raise RuseError(f"{self.view!r} has no describe(game, s), so nobody can tell its infosets in words")
        game, view = as_offered(self.game, self.view)
        return Strategy(game, self.keys, self.start, self.probability, view=view, about=self.about)

    def at(self, place: State | str | Sequence[str]) -> Choice:
        """The choice of the player to act at a place: a state of the game, however large the game; the name of an
        infoset; or the history that leads there, chance included. Actions are called as the game calls them.
        """
        if isinstance(place, str):
            return self.find(place)
        state = place if isinstance(place, State) else self._after(place)
        game, view, row = state.game, self.view, state.row
        if isinstance(view, Hierarchical):
            raise RuseError(
                f"under {view!r} the strategy chooses policies, and what it does here depends on which it has"
            )
        names = state.actions
        if isinstance(view, Offering):
            names = [names[view.meaning(game, row, a)] for a in range(view.num_choices(game, row))]
        shares = self.probabilities(int(view.key(game, row)) & MASK, len(names))
        tell = getattr(view, "describe", lambda game, row: state.describe(state.player))
        return Choice(state.player, str(tell(game, row)), dict(zip(distinct(names), map(float, shares), strict=True)))

    def _after(self, history: Sequence[str]) -> State:
        """The decision to which a history leads."""
        if not isinstance(history, Sequence):
            raise RuseError(f"a place is a state, the name of an infoset or a history, not {history!r}")
        state = State.of(self.game).after(*history)
        if state.player < 0:
            reason = "the game is over" if state.is_over else "chance is due"
            raise RuseError(f"nobody acts after {state.path() or 'the start'}: {reason}")
        return state

    def probabilities(self, key: int, count: int) -> NDArray[Any]:
        """The probabilities of `count` actions at the infoset with this 64-bit key."""
        if not (is_whole_in(key, 0, MASK + 1) and is_whole_in(count, 1, 1 << 24)):
            raise RuseError(
                f"an infoset has a key from 0 to 2^64 - 1 and an action at least, not {shown(key)} and {shown(count)}"
            )
        sound = self._sound  # look-ups come in loops: the same tables are looked at once
        if not sound or not (sound[0] is self.keys and sound[1] is self.start and sound[2] is self.probability):
            self.refuse_unplayable()
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        if place < len(self.keys) and self.keys[place] == np.uint64(key):
            if (width := int(self.start[place + 1] - self.start[place])) != count:
                raise OtherWidth(
                    f"the strategy does not fit {named(self.game)}: an infoset has {count} actions, not {width}"
                )
            return np.asarray(self.probability[self.start[place] : self.start[place + 1]])
        return np.full(count, 1.0 / count)

    def __getitem__(self, name: str) -> dict[str, float]:
        """The probabilities at an infoset, by its name: strategy["Ks, no board, raise"]. Suits may be left out."""
        return dict(self.find(name).actions)

    def find(self, name: str) -> Choice:
        """The choice at the infoset that a person means by `name`."""
        if not isinstance(name, str):
            raise RuseError(f"an infoset is called by a text, such as 'K, no board, raise', not {name!r}")
        choices = list(self)
        wanted = as_compared(name)
        for spell in (as_compared, without_suits):
            found = [choice for choice in choices if spell(choice.name) == wanted]
            # Names without suits stand for several infosets; they are one if they are played alike.
            if found and all(choice.is_like(found[0]) for choice in found):
                return found[0]
            if len({choice.name for choice in found}) == 1:
                owners = " or ".join(f"{player_name(choice.player)}'s" for choice in found)
                raise RuseError(f"{name!r} may mean {owners} infoset; give the history that leads there")
            if found:
                raise RuseError(f"{name!r} may be any of {', '.join(repr(c.name) for c in found[:4])}; name the suits")
        close = get_close_matches(wanted, [as_compared(c.name) for c in choices], n=3, cutoff=0.3)
        raise RuseError(f"no infoset {name!r}; closest: {', '.join(map(repr, close)) or 'none'}")

    def __iter__(self) -> Iterator[Choice]:
        """All infosets, in the order of the players' decision trees: those of its view if that has words for them."""
        told = self.as_offered()
        expanded = Expanded.of(told.game)
        sigma = told.on(expanded)
        for infoset in ToldInfosets.of(expanded, told.view).told():
            slot = int(expanded.form.slot[infoset.node])
            shares = sigma[slot : slot + len(infoset.actions)]
            named = dict(zip(distinct(infoset.actions), map(float, shares), strict=True))
            yield Choice(infoset.player, infoset.name, named)

    def rows(self) -> list[dict[str, Any]]:
        """One row an action, for pandas or Polars: `DataFrame(strategy.rows())`. `ruse.explain` has values and reach.

        >>> import ruse
        >>> ruse.Strategy.uniform("matching_pennies").rows()[0]
        {'player': 0, 'infoset': 'to move', 'action': 'heads', 'probability': 0.5}
        """
        return [
            {"player": choice.player, "infoset": choice.name, "action": action, "probability": share}
            for choice in self
            for action, share in choice.actions.items()
        ]

    def plot(self, at: State | str | Sequence[str] | None = None, *, axes: Any = None) -> "Picture":
        """A picture of what it does: at one place (as `at` takes it), or else at all infosets, a bar for each."""
        from ruse.charts.mixes import draw_mix, draw_mixes

        if at is not None:
            choice = self.at(at)
            return draw_mix(f"{player_name(choice.player)}: {choice.name}", choice.actions, axes=axes)
        choices = list(self)
        several = len({choice.player for choice in choices}) > 1
        rows = [(f"{player_name(c.player)}: {c.name}" if several else c.name, c.actions) for c in choices]
        return draw_mixes(rows, title=f"{title_of(self.game)}, {self.about.get('rule', 'strategy')}", axes=axes)

    def to_openspiel(self, game: Any = None) -> Any:
        """The strategy as a TabularPolicy of OpenSpiel, on one of its games that is the same as this one: a pyspiel
        game or its name. Without one it is OpenSpiel's name that the strategy's game was loaded by.
        """
        from ruse.interop.policies import named_source, tabular

        self.refuse_unplayable()  # also if its tables have changed since they were looked at
        return tabular(self, named_source(self.game, spec_of(self.game)) if game is None else game)

    @classmethod
    def from_openspiel(cls, policy: Any, game: GameLike, *, source: Any = None) -> "Strategy":
        """The strategy that a policy of OpenSpiel is in a game of ours. `source` is the pyspiel game of the policy,
        or its name; a TabularPolicy knows its own.
        """
        from ruse.interop.policies import policy_rows

        made = as_game(game)
        found = getattr(policy, "game", None) if source is None else source
        return cls(made, *policy_rows(policy, made, found), about={"rule": "openspiel"})

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        made = ", ".join(f"{k}={self.about[k]}" for k in ("rule", "iterations", "exploitability") if k in self.about)
        return f"Strategy({self.game!r}, {len(self):,} infosets{', ' if made else ''}{made})"

    def _repr_html_(self) -> str:
        """A table of the infosets, as far as a page can hold them."""
        try:
            choices = list(self)
        except TooLarge:
            return f"<pre>{escape(repr(self))}</pre>"
        rows = [
            (player_name(c.player), c.name, ", ".join(f"{a} {p:.3f}" for a, p in c.actions.items())) for c in choices
        ]
        return table_of(["player", "infoset", "plays"], rows, caption=repr(self))

    def __str__(self) -> str:
        try:
            return told_choices(list(self))
        except TooLarge:  # the names of infosets come from the game's whole tree
            return repr(self)

    # ---- save and load -----------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write one file in the safetensors format; an older file there is replaced only when all of it is on disk."""
        if fault := fault_in_tables(self._tables()):  # nobody could load it
            raise RuseError(f"the strategy cannot be saved: {fault}")
        spec = spec_of(self.game)
        header = {
            "format": tensors.format_name(FORMAT, MAJOR),
            "game": spec or "",
            "game_repr": repr(self.game),
            "view": repr(self.view),
            "behaviour": self._behaviour(),
            "version": version_of("ruse"),
            "about": json.dumps(self.about, sort_keys=True),
        }
        if listing := self._listed():
            header["listing"] = listing.text()
        tensors.write(path, self._tables(), header, sealed=True)

    def _behaviour(self) -> str:
        """The fingerprint of the game as it behaves; nothing where it cannot be told: the file must be written."""
        try:
            return behaviour(self.game, self.view)
        except Exception as error:
            log.warning("the strategy is saved without a fingerprint of its game: %s", error)
            return ""

    def _listed(self) -> Listing | None:
        """The infosets by name, if they are few enough to be kept in a file; nothing where they cannot be told."""
        try:
            if len(self.keys) > INFOSETS or not is_within(self.game, HISTORIES):
                return None
            told = self.as_offered()
            refuse_peeking(self.game, self.view)
            return listing_of(told.game, told.view, told.probabilities, played(self.game, self.view))
        except OtherWidth:  # nobody could play it
            raise
        except Exception as error:
            log.info("the strategy is saved without the names of its infosets: %s", error)
            return None

    def listed(self) -> list[Listed] | None:
        """All infosets with their names and reach, as its file has them; None if the game must be walked for that."""
        if self.listing is None:
            return None
        return list(self.listing.rows(self.probabilities, known_in(self.keys)))

    @classmethod
    def load(cls, path: str | Path, *, game: GameLike | None = None, to_list: bool = False) -> "Strategy":
        """Read a strategy file. A game that only a program can make must be given, and one in a file of code that was
        not run here before: opening a strategy runs nothing.

        The game may differ from the one that it was made in by fields that the game declares `unseen`: those that
        change nothing that a player sees or may do, such as after how many turns a game is stopped.

        One that is only to be listed needs no walk of its game if its file has a listing, and the game agrees with it.
        """
        game = None if game is None else as_game(game)
        header, arrays = tensors.read(path)
        tensors.check_format(header.get("format"), FORMAT, newest=MAJOR, path=path)
        if missing := [name for name in ("game", "game_repr", "view", "about") if name not in header]:
            raise FileTrouble(f"{path} is not a whole strategy file: its header lacks {', '.join(missing)}")
        if fault := fault_in_tables(arrays):
            raise FileTrouble(f"{path} is not a whole strategy file: {fault}")
        if game is None and not header["game"]:
            raise RuseError(f"{path} is for {header['game_repr']}; load it with game=..., which a file cannot name")
        asked = recorded_game(header["game"], path) if game is None else game
        home = as_recorded(asked, header["game_repr"]) if game is not None else asked
        if home is None or repr(home) != header["game_repr"]:
            typed = header["game"] and f"; its game is called {header['game']}"
            raise RuseError(f"{path} is a strategy for {header['game_repr']}, not for {asked!r}{typed}")
        try:
            view = view_of(header["view"], home)
        except RuseError as error:
            raise RuseError(f"{path} uses the view {header['view']}, which is not known here: {error}") from error
        probability = arrays["probability"].astype(np.float64, copy=False)  # kernels know no other type
        made = cls(home, arrays["keys"], arrays["start"], probability, view=view)
        made._sound = (made.keys, made.start, made.probability)
        if to_list and home is asked and "listing" in header:
            told = made.as_offered()
            made.listing = read_listing(header["listing"], told.game, told.view, (home, view))
        if made.listing is None:
            refuse_changed(header.get("behaviour"), home, view, f"{path} was made")
        try:
            about = json.loads(header["about"])
        except (ValueError, RecursionError) as error:
            raise FileTrouble(f"{path} is not a whole strategy file: its header is damaged ({error})") from error
        if not isinstance(about, dict) or misfit(about, ABOUT):
            raise FileTrouble(f"{path} is not a whole strategy file: its header does not say how it was made")
        made.about = about
        return made.carried_to(asked)

    def carried_to(self, game: Game) -> "Strategy":
        """The same strategy in a game that looks the same to a player, with another limit of turns for example."""
        if game is self.game or repr(game) == repr(self.game):
            return self
        if not looks_alike(self.game, game):
            raise RuseError(f"what a player sees in {named(self.game)} is not what one sees in {named(game)}")
        about = {k: v for k, v in self.about.items() if k != "exploitability"} | {"made_in": spec_of(self.game)}
        return Strategy(game, self.keys, self.start, self.probability, view=self.view, about=about)
