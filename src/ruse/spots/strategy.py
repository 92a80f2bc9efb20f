"""The strategy of a spot: what the range engine has learned, and its file."""

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ruse.catalog.behaviour import behaviour, refuse_changed
from ruse.catalog.names import preset
from ruse.catalog.recorded import recorded_game
from ruse.errors import FileTrouble
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.spots.rules import SpotGame
from ruse.protocol.view import Full
from ruse.solve.ranges.engine import RangeEngine
from ruse.spots.solving import engine_of
from ruse.store import tensors
from ruse.store.records import misfit
from ruse.store.restoring import how_unlike
from ruse.strategy import ABOUT
from ruse.words.versions import version_of

FORMAT, MAJOR = "spot", 1


class SpotStrategy:
    """How both players play a spot: by hand, at every node and board."""

    view = Full()

    def __init__(self, game: SpotGame, engine: RangeEngine, about: Mapping[str, Any]) -> None:
        self.game, self.engine = game, engine
        self.about = dict(about)  # how it was made: rule, iterations, exploitability
        self.counting = threading.Lock()  # held while values are counted: the engine has scratch memory for one

    def rows(self, node: int, cards: Sequence[int]) -> np.ndarray:
        """[holding, action] the strategy at a node of the betting tree, given the cards dealt on the way there."""
        hands, rows = self.engine.strategy(node, tuple(cards))
        found = np.zeros((HOLDINGS, rows.shape[1]))
        found[hands] = rows
        return found

    def save(self, path: str | Path) -> None:
        """Write one file; an older one is replaced only when all of it is on disk."""
        header = {
            "format": tensors.format_name(FORMAT, MAJOR),
            "game": self.game.own_spec,
            "behaviour": behaviour(self.game),
            "version": version_of("ruse"),
            "about": json.dumps(self.about, sort_keys=True),
        }
        tensors.write(path, {"average": self.engine.saved()["average"]}, header, sealed=True)

    @classmethod
    def load(cls, path: str | Path) -> "SpotStrategy":
        header, arrays = tensors.read(path)
        tensors.check_format(header.get("format"), FORMAT, newest=MAJOR, path=path)
        if missing := [name for name in ("game", "behaviour", "about") if name not in header]:
            raise FileTrouble(f"{path} is not a whole file of a spot: its header lacks {', '.join(missing)}")
        try:
            about = json.loads(header["about"])
        except (ValueError, RecursionError) as error:
            raise FileTrouble(f"{path} is damaged: it does not tell how it was made") from error
        if not isinstance(about, dict) or misfit(about, ABOUT):
            raise FileTrouble(f"{path} is damaged: it does not tell how it was made")
        game = recorded_game(header["game"], path)
        if not isinstance(game, SpotGame):
            raise FileTrouble(f"{path} is damaged: it is for {header['game'][:80]!r}, which is no spot")
        refuse_changed(header["behaviour"], game, None, f"{path} was made")
        engine = engine_of(game, preset("cfr"))
        if unlike := how_unlike(arrays, {"average": engine.saved()["average"]}):
            raise FileTrouble(f"{path} is not a whole file of this spot: {unlike}")
        engine.take_average(np.array(arrays["average"]))
        return cls(game, engine, about)
