"""What luck is in Hold'em: how cards change the equity, in the pot as it stands.

Equity is on the average what it was before a card, so that what a card brings is its change. After an all-in the
changes add up to the equity when it was called. States are worth what they are if no more is bet.
"""

from typing import NamedTuple

from ruse.catalog.names import spec_of
from ruse.compile import compiled, compiled_function
from ruse.compile.rng import uniform
from ruse.errors import RuseError
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.tables import NO_CARDS, HandRanks, hand_ranks
from ruse.games.holdem.row import BOARD, BOARD_CARDS, HANDS, OUT, board_size, card_at, has_folded, paid
from ruse.games.holdem.rules import Holdem
from ruse.protocol.game import OVER, Game
from ruse.words.naming import named

DRAWN = 300  # boards by which a hand before the flop is judged
EQUITY = 0  # in memory


@compiled("luck", "guessed")
class EquityLuck(NamedTuple):
    """Luck by equity: what is at stake is what both have paid, and some more is likely to come on later streets."""

    before: float = 2.0  # times what is paid, for the cards before the flop,
    flop: float = 2.0
    turn: float = 1.5
    ranks: HandRanks = hand_ranks()

    def luck(self, game, before, s, spare, rng, memory):
        size = board_size(game, s)
        if size < 0 or size in (1, 2):
            return 0.0
        was = 0.5 if size == 0 else memory[EQUITY]
        memory[EQUITY] = equity_at(self.ranks, game, s, size, rng)
        is_open = game.player(s) >= 0
        factor = self.before if size == 0 else self.flop if size == 3 else self.turn if size == 4 else 1.0
        return (factor if is_open else 1.0) * stake_of(game, s) * 2.0 * (memory[EQUITY] - was)

    def guessed(self, game, s, rng, memory):
        if game.player(s) == OVER and (has_folded(s, 0) or has_folded(s, 1)):
            return game.payoff(s, 0)
        return max_stake(game, s) * (2.0 * memory[EQUITY] - 1.0)


@compiled_function
def stake_of(game, s):
    """What both have paid, in big blinds."""
    return min(s[paid(game)], s[paid(game) + 1]) / game.chips


@compiled_function
def max_stake(game, s):
    """The same after a call."""
    return max(s[paid(game)], s[paid(game) + 1]) / game.chips


@compiled_function
def equity_at(ranks, game, s, size, rng):
    """The share of the pot that seat 0 gets by the cards so far: exact from the flop on."""
    key, suits = NO_CARDS, 0
    for b in range(size):
        card = card_at(s[BOARD], b)
        key += ranks.keys[card]
        suits |= ranks.suits[card]
    if size == BOARD_CARDS:
        return compare(ranks, s, key, suits)
    total, boards = 0.0, 0
    if size == 0:
        for _ in range(DRAWN):
            taken, board, board_suits = s[OUT], key, suits
            for _ in range(BOARD_CARDS):
                card = int(uniform(rng) * CARDS)
                while taken >> card & 1:
                    card = int(uniform(rng) * CARDS)
                taken |= 1 << card
                board += ranks.keys[card]
                board_suits |= ranks.suits[card]
            total += compare(ranks, s, board, board_suits)
        return total / DRAWN
    for first in range(CARDS):
        if s[OUT] >> first & 1:
            continue
        if size == 4:
            total += compare(ranks, s, key + ranks.keys[first], suits | ranks.suits[first])
            boards += 1
            continue
        for second in range(first):
            if not s[OUT] >> second & 1:
                both = suits | ranks.suits[first] | ranks.suits[second]
                total += compare(ranks, s, key + ranks.keys[first] + ranks.keys[second], both)
                boards += 1
    return total / boards


@compiled_function
def compare(ranks, s, key, suits):
    """What seat 0 gets of the pot on a whole board."""
    mine, theirs = strength(ranks, s[HANDS], key, suits), strength(ranks, s[HANDS + 1], key, suits)
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


@compiled_function
def strength(ranks, hand, key, suits):
    high, low = card_at(hand, 0), card_at(hand, 1)
    return ranks.strength(key + ranks.keys[high] + ranks.keys[low], suits | ranks.suits[high] | ranks.suits[low])


def refuse_others(game: Game) -> None:
    """Raise unless luck can be told by equity."""
    if not isinstance(game, Holdem) or game.players != 2:
        raise RuseError(f"luck is taken out of Hold'em for two players, not out of {spec_of(game) or named(game)}")
