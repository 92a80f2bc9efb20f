"""What the actions of a state are worth if everything is known and all go on as a judge would: for whoever looks at a
game that is over.

A judge is a strategy or a bot. Where few histories follow, and it is a strategy, that is counted out; else games are
played to their end, the same luck for every action.
"""

import copy
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.play.bots.blame import Blame
from ruse.play.bots.bot import is_a, playing
from ruse.play.seats import answer_of, is_quick, look_on, seated
from ruse.play.streams import Stream, streams_of
from ruse.protocol.choices import has_choices
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.words.student import margin

COUNTED = 3_000  # histories that are counted out
MOVES = 1_500  # of the games that are played out for one state
GAMES = 48  # played out for an action, at most
ALIKE = 3  # games of bots that went the same way, move by move: it is taken that all others would, too
LONGEST = 400  # moves of a game that is played out; it counts as a draw then


class Worth(NamedTuple):
    """A decision as whoever knows everything sees it; payoffs are [player]."""

    player: int
    actions: list[str]
    probability: list[float] | None  # what the judge would play; None: it is no strategy that could be looked up
    value: list[list[float]]  # [action] what everybody gets on the average
    margin: list[float | None]  # [action] half of a 95 % interval for the player to act; 0: counted out, None: untold
    now: list[float]  # what everybody gets on the average if the judge chooses here, too


class Judge:
    """Judges states of one game by a strategy or a bot that all players are taken to follow."""

    def __init__(self, game: Game, judge: Any, *, seed: int = 0) -> None:
        self.game, self.seed = game, seed
        self.strategy = judge if is_a(judge, Strategy) and not has_choices(judge.view) else None
        if is_a(judge, Strategy):
            judge.refuse_other(game)
        self._bot = playing(judge) if is_a(judge, Strategy) else judge

    def at(self, state: State) -> Worth:
        """What each action is worth to everybody where a player is to act."""
        if state.is_over or state.is_chance:
            raise RuseError("nobody is to act there")
        after = [state.went(a) for a in range(state.num_actions)]
        shares = self.shares(state)
        exact = self._counted(after)
        if exact is not None and shares is not None:
            return Worth(state.player, state.actions, shares, exact, [0.0] * len(after), weighted(shares, exact))
        table = self._seats(state)
        share = max(1, MOVES // (len(after) + 1))
        samples = [self._sampled(child, table, share) for child in after]
        value = [mean_of(sample.payoffs) for sample in samples]
        now = mean_of(self._sampled(state, table, share).payoffs) if shares is None else weighted(shares, value)
        margins = [sample.margin(state.player) for sample in samples]
        return Worth(state.player, state.actions, shares, value, margins, now)

    def shares(self, state: State) -> list[float] | None:
        """The strategy's probabilities where a player is to act."""
        if self.strategy is None:
            return None
        key = int(self.strategy.view.key(self.game, state.row)) & MASK
        return [float(x) for x in self.strategy.probabilities(key, state.num_actions)]

    # ---- counted out -------------------------------------------------------------------------------------------------

    def _counted(self, states: Sequence[State]) -> list[list[float]] | None:
        """What states are worth, if not too many histories follow from them."""
        if self.strategy is None:
            return None
        left = [COUNTED]
        try:
            return [self._expected(state, left) for state in states]
        except TooManyHistories:
            return None

    def _expected(self, state: State, left: list[int]) -> list[float]:
        left[0] -= 1
        if left[0] < 0:
            raise TooManyHistories
        if state.is_over:
            return state.payoffs
        shares = state.chances if state.is_chance else self.shares(state) or []
        taken = [(a, share) for a, share in enumerate(shares) if share > 0.0]
        return weighted([share for _, share in taken], [self._expected(state.went(a), left) for a, _ in taken])

    # ---- played out --------------------------------------------------------------------------------------------------

    def _seats(self, state: State) -> list[Any]:
        """The judge in each seat, having looked on from the start."""
        seats = [again(seated(self.game, self._bot)) for _ in range(self.game.players)]
        for seat in seats:
            seat.sit_down()
        at = State.of(self.game)
        for a in (*state.history, None):
            if not at.is_chance:
                for player, seat in enumerate(seats):
                    look_on(seat, self.game, at.row, player)
            if a is not None:
                at = at.went(a)
        return seats

    def _sampled(self, state: State, table: list[Any], moves: int) -> "PlayedOut":
        """Games from a state on: at least one, and no more than so many moves are worth."""
        found: list[list[float]] = []
        ways: list[list[int]] = []
        while len(found) < GAMES and (not found or moves > 0):
            payoffs, way = self._played(state, [again(seat) for seat in table], streams_of(self.seed, len(found)))
            found.append(payoffs)
            ways.append(way)
            moves -= len(way) + 1
            if self.strategy is None and len(ways) == ALIKE and all(way == ways[0] for way in ways):
                return PlayedOut(found, is_one_way=True)
        return PlayedOut(found, is_one_way=False)

    def _played(self, state: State, table: list[Any], streams: tuple[Stream, Stream]) -> tuple[list[float], list[int]]:
        """The payoffs of one game from a state on, and its moves."""
        game, (luck, choice), way = self.game, streams, list[int]()
        at = state
        while (player := at.player) != OVER and len(way) < LONGEST:
            if player == CHANCE:
                a = int(drawn(game, at.row, at.num_actions, luck.draw(len(way))))
            else:
                for seat, bot in enumerate(table):
                    look_on(bot, game, at.row, seat)
                a = answer_of(table[player], at, choice.draw(len(way)))
            at = at.stepped(a)
            way.append(a)
        share = float(getattr(game, "payoff_sum", 0.0)) / game.players
        return at.payoffs if at.is_over else [share] * game.players, way


class PlayedOut(NamedTuple):
    """Games that were played out."""

    payoffs: list[list[float]]  # [game][player]
    is_one_way: bool  # it is taken that all others would end like these

    def margin(self, player: int) -> float | None:
        return 0.0 if self.is_one_way else margin_of([payoffs[player] for payoffs in self.payoffs])


def again(seat: Any) -> Any:
    """Whoever sits there with a memory of its own; what a compiled bot knows of the game is shared."""
    if not is_quick(seat):
        with Blame(seat.bot):
            return copy.deepcopy(seat)
    if not hasattr(seat, "memory"):
        return seat
    return seat._replace(looks=seat.looks.copy(), last=seat.last.copy(), memory=seat.memory.copy())


class TooManyHistories(Exception):
    """More histories follow than are counted out."""


def weighted(shares: Sequence[float], values: Sequence[Sequence[float]]) -> list[float]:
    return [
        math.fsum(x * value for x, value in zip(shares, column, strict=True)) for column in zip(*values, strict=True)
    ]


def mean_of(payoffs: Sequence[Sequence[float]]) -> list[float]:
    return [math.fsum(column) / len(payoffs) for column in zip(*payoffs, strict=True)]


def margin_of(values: Sequence[float]) -> float | None:
    """Half of a 95 % interval of the mean; None where too few values tell none."""
    half = margin(len(values), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0, float(np.mean(values)))
    return None if math.isinf(half) else half
