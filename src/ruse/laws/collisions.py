"""A debug mode for infoset keys: do two infosets that look different have the same 64-bit key?

A table knows an infoset by its key alone. Two infosets may share one by chance (`collision_chance`), or because
infoset() or a view leaves out something that the player sees. Both are found by playing games in plain Python and
writing down, for each key, what the player was shown.
"""

import random
import time
from typing import Any

from ruse.compile.hashing import collision_chance
from ruse.errors import RuseError
from ruse.protocol.choices import Hierarchical, Offering, as_offered
from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import LONGEST, endless
from ruse.protocol.state import State
from ruse.protocol.view import Full, View
from ruse.solve.solver.fits import Setup, must_fit


class KeyBook:
    """What every key stands for, as far as it has been met."""

    def __init__(self, game: Game, view: View | None = None, *, seed: int = 0) -> None:
        self.game, self.view = as_offered(game, view) if isinstance(view, Hierarchical) else (game, view or Full())
        self.dice = random.Random(f"keys {seed}")
        self.seen: dict[int, tuple[Any, ...]] = {}
        must_fit(Setup(view=self.view, debug_keys=True), "view and game")

    def play(self, *, games: int | None = None, seconds: float | None = None) -> None:
        """Play random games, so many or for so long; raise if two infosets have one key."""
        began, played = time.perf_counter(), 0
        while played != games and (seconds is None or played == 0 or time.perf_counter() - began < seconds):
            self._play_one()
            played += 1

    def _play_one(self) -> None:
        state = State.of(self.game)
        while not state.is_over:
            if len(state.history) > LONGEST:
                raise endless(self.game)
            chances = state.chances if state.is_chance else None
            if chances is None:
                self._write_down(state)
            state = state.went(self.dice.choices(range(len(state.actions)), chances)[0])

    def _write_down(self, state: State) -> None:
        key = int(self.view.key(self.game, state.row)) & 0xFFFFFFFFFFFFFFFF
        if isinstance(self.view, Full):
            known: tuple[Any, ...] = (state.player, state.describe(state.player), *state.actions)
        else:  # actions go by number: a view that turns cards round gives them other names
            row, view = state.row, self.view
            count = view.num_choices(self.game, row) if isinstance(view, Offering) else len(state.actions)
            known = (view.describe(self.game, row), int(count))  # type: ignore[attr-defined]
        if self.seen.setdefault(key, known) != known:
            raise RuseError(
                f"two infosets have the key {key:#018x}: {self.seen[key]} and {known}; either infoset() or the view "
                f"leaves out what tells them apart, or they collide by chance, which has a probability of "
                f"{collision_chance(len(self.seen)):.1g} among the {len(self.seen):,} infosets met"
            )
