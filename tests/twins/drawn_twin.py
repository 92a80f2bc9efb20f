"""One drawn deal of Hold'em before the flop, hand by hand on the rules of the game: twin of `horizon/many/drawn.py`."""

from typing import Any

import numpy as np

from ruse.compile.hashing import mix, share_of
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.lines import FOLD, SHOWDOWN
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import STARTING_HANDS, starting_hands, word_of
from ruse.games.holdem.turn import next_card
from ruse.protocol.game import CHANCE


class Deal:
    """What one deal is worth to a player, edge by edge."""

    def __init__(self, game: Holdem, bucketed: Bucketed, ways: Any, seats: Any, equity: Any) -> None:
        self.game, self.bucketed, self.ways, self.seats, self.equity = game, bucketed, ways, seats, equity
        self.lines = bucketed.lines

    def worth(self, rows: Any, player: int, seed: int, number: int, kinds_of: range) -> np.ndarray:
        """[edge + 1, hand] as `worth_of` has it for one deal, with these of his starting hands."""
        self.rows, self.player, self.word = rows, player, mix(mix(seed, number), player)
        drawn: list[int] = []
        for k in range(5 + 2 * (self.game.players - 1)):
            tries = 0
            while (card := int(share_of(mix(self.word, 64 * k + tries)) * CARDS)) in drawn:
                tries += 1
            drawn.append(card)
        self.board, others = drawn[:5], [drawn[k : k + 2] for k in range(5, len(drawn), 2)]
        found = np.zeros((self.seats.edges + 1, STARTING_HANDS))
        cards, kinds = holding_cards(), starting_hands()
        live = [h for h in range(len(cards)) if not set(cards[h].tolist()) & set(drawn)]
        for kind in kinds_of:
            if free := [h for h in live if kinds[h] == kind]:
                mine = cards[free[int(share_of(mix(self.word, -1 - kind)) * len(free))]].tolist()
                self.held = [*others[:player], mine, *others[player:]]
                self.kind = [int(kinds[a * (a - 1) // 2 + b]) for a, b in (sorted(h, reverse=True) for h in self.held)]
                self.found, self.often = found, len(free) / len(live)
                self.bets(0, self.dealt(self.game.start()), self.seats.edges)
        return found

    def dealt(self, s: Any) -> Any:
        """The row once all cards are dealt that come before the next decision."""
        order = [card for hand in self.held for card in hand] + self.board
        while int(self.game.player(s)) == CHANCE:
            wanted = order[int(s[2])]
            self.game.apply(s, next(a for a in range(self.game.num_actions(s)) if next_card(s, a) == wanted))
        return s

    def after(self, s: Any, a: int) -> Any:
        s = s.copy()
        self.game.apply(s, a)
        return self.dealt(s)

    def picked(self, u: float, shares: Any) -> int:
        return min(int((np.cumsum(shares) <= u).sum()), len(shares) - 1)

    def bets(self, n: int, s: Any, last: int) -> None:
        """Before the flop: to each edge what comes right after it."""
        lines, lanes, me = self.lines, self.seats.lanes, self.player
        who, below = int(lines.who[n]), lines.children(n)
        if not lines.stays[n, me] or who in (FOLD, SHOWDOWN):
            got = -float(lines.paid[n, me]) if not lines.stays[n, me] else self.end(n, s)
            self.found[last, self.kind[me]] += self.often * got
        elif lines.street[n] > 0:
            for k in range(len(self.ways)):
                got = self.flop(n, s, k, n)
                self.found[lanes.choice[n, me] + k, self.kind[me]] += self.often * got
        elif who == me:
            for a, c in enumerate(below):
                self.bets(c, self.after(s, a), int(lanes.edge[n]) + a)
        else:
            shares = self.rows[lanes.edge[n] : lanes.edge[n] + len(below), self.kind[who]]
            a = self.picked(share_of(mix(self.word, 1 << 40 | n)), shares)
            self.bets(below[a], self.after(s, a), last)

    def end(self, n: int, s: Any) -> float:
        """By the rules; two who are all-in before the flop by their equity."""
        lines, me = self.lines, self.player
        shown = [q for q in range(self.game.players) if lines.stays[n, q] and q != me]
        if lines.who[n] == SHOWDOWN and lines.street[n] == 0 and len(shown) == 1:
            share = self.equity[self.kind[me], self.kind[shown[0]]]
            return float(lines.paid[n].sum() * share - lines.paid[n, me])
        return float(self.game.payoff(s, me))

    def flop(self, n: int, s: Any, way: int, flop: int) -> float:
        """After it: the mean over what the player does in this way."""
        lines, me, who, below = self.lines, self.player, int(self.lines.who[n]), self.lines.children(n)
        if who < 0:
            return float(self.game.payoff(s, me))
        if who != me:
            first = self.seats.lanes.choice[flop, who]
            chosen = self.rows[first : first + len(self.ways), self.kind[who]]
            own_way = self.picked(share_of(mix(self.word, (2 + who) << 40 | flop)), chosen)
        bucket = self.bucketed.view.cards.bucket(
            word_of(self.held[who]), word_of(self.board[: int(lines.street[n]) + 2])
        )
        row = self.ways[way if who == me else own_way].of(self.bucketed.rows(n), lines.names[n])[int(bucket)]
        if who != me:
            a = self.picked(share_of(mix(self.word, 1 << 40 | n)), row.astype(np.float32))
            return self.flop(below[a], self.after(s, a), way, flop)
        return sum(float(row[a]) * self.flop(c, self.after(s, a), way, flop) for a, c in enumerate(below))
