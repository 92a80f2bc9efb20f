"""Texas Hold'em, no-limit or limit, for two to six players: two cards each, five on the board, four rounds of bets."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.games.holdem.betting.menus import Menu, menu, offer, raises_in
from ruse.games.holdem.betting.paying import dead_ante, to_call, whole_chips
from ruse.games.holdem.betting.pots import chips_won
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.fields import BLUEPRINT, NAMED, READ, Stacks, refuse_bad_fields
from ruse.games.holdem.hands.tables import HandRanks, hand_ranks
from ruse.games.holdem.row import (
    BOARD,
    CARD,
    DEALT,
    HANDS,
    HIGH,
    LEVEL,
    PAST,
    WHO,
    big_blind_seat,
    left,
    paid,
)
from ruse.games.holdem.telling.observation import LEGAL, MOST_SHOWN, see_cards, see_table
from ruse.games.holdem.telling.words import move_name, seen
from ruse.games.holdem.turn import act, deal, next_card
from ruse.protocol.game import CHANCE, Row
from ruse.protocol.scene import Scene
from ruse.protocol.state import State


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff", "observe")
class Holdem(NamedTuple):
    """Two cards each and five for all: bet, call or fold on four streets; the best five cards win. In big blinds."""

    players: int = 2
    stack: float = 25.0
    stacks: Stacks = Stacks()  # by seat, where they are not the same
    small: float = 0.5  # the small blind; the big blind is 1
    ante: float = 0.0  # of each player
    big_ante: float = 0.0  # of the big blind, for all
    chips: int = 100  # of a big blind
    limit: bool = False  # one size: a big blind, two of them from the turn on
    cap: int = 0  # bets and raises on a street; 0: as many as you like, in limit games four
    open: Menu = menu("2bb, 3bb, all-in")  # the first raise before the flop
    reraise: Menu = menu("3x, all-in")
    flop_bets: Menu = menu("75%")
    flop_raises: Menu = menu("all-in")
    turn_bets: Menu = Menu()  # as on the flop
    turn_raises: Menu = Menu()
    river_bets: Menu = Menu()  # as on the turn
    river_raises: Menu = Menu()
    all_in_from: float = 0.75  # a size above this share of the chips left is all-in
    streets: int = 4  # with bets; the other cards are dealt without
    ranks: HandRanks = hand_ranks()  # tables, not to be changed

    # Two together, because type checkers would take one alone for a field without a default.
    payoff_sum, needs_history = 0, True  # a row does not keep the bets that were made
    bots, table, views = "ruse.games.holdem.bots", "ruse.games.holdem.table", "ruse.games.holdem.views"
    forms, meter = "ruse.games.holdem.records", "ruse.games.holdem.telling.habits:HabitMeter"
    # `usual`: how it is solved if nothing else is asked for.
    elsewhere, usual = "ruse.games.holdem.translating", BLUEPRINT
    READ, NAMED = READ, NAMED

    def start(self) -> Row:
        refuse_bad_fields(self)
        s = np.zeros(HANDS + 3 * self.players, np.int64)
        big = big_blind_seat(self)
        for p in range(self.players):
            chips = whole_chips(self, self.stacks[p] or self.stack)
            ante = min(chips, whole_chips(self, self.ante))
            dead = min(chips, whole_chips(self, self.big_ante)) if p == big else 0
            blind = whole_chips(self, 1.0 if p == big else self.small if p == big - 1 else 0.0)
            s[paid(self) + p] = ante + min(chips - ante - dead, blind)
            s[left(self) + p] = chips - dead - s[paid(self) + p]
        s[WHO], s[LEVEL] = CHANCE, whole_chips(self, self.ante)
        s[HIGH] = max(s[LEVEL], s[paid(self) : left(self)].max())
        return s

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        if s[WHO] == CHANCE:
            return len(NAMES) - s[DEALT]
        return (2 if to_call(self, s, s[WHO]) > 0 else 1) + raises_in(self, s)

    def chance(self, s, a):
        return 1.0 / (len(NAMES) - s[DEALT])

    def apply(self, s, a):
        if s[WHO] == CHANCE:
            deal(self, s, a)
        else:
            act(self, s, a)
        if s[WHO] >= 0:
            offer(self, s)

    def infoset(self, s):
        return mix(s[PAST], s[BOARD] << 2 * CARD | s[HANDS + s[WHO]] & ((1 << 2 * CARD) - 1))

    def payoff(self, s, player):
        cost = s[paid(self) + player]
        if player == big_blind_seat(self):
            cost += dead_ante(self, s)
        return (chips_won(self, s, player) - cost) / self.chips

    def observe(self, s, player, out):
        """Fill `out` with all that this player may see now; `observation.py` has the names of its columns."""
        see_cards(self, s, player, out)
        see_table(self, s, player, out)

    def observation_size(self) -> int:
        """How long the array must be that `observe` fills."""
        return LEGAL + MOST_SHOWN

    def action_name(self, s, a):
        return NAMES[next_card(s, a)] if s[WHO] == CHANCE else move_name(self, s, a)

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        return seen(self, state, viewer)

    def __hash__(self) -> int:
        return hash(self[:-1])  # the tables are the same for all

    def __repr__(self) -> str:
        changed = {k: v for k, v in self._asdict().items() if v != Holdem._field_defaults[k]}
        return f"Holdem({', '.join(f'{k}={v!r}' for k, v in changed.items())})"
