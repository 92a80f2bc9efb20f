"""A game whose private cards are dealt first, walked with all deals at once: its public tree.

All deals go the same way, because what happens after the deal can be seen by all. An outcome of later chance is known
by its name, since its number may depend on what was dealt.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.protocol.game import CHANCE, OVER, Game, Row
from ruse.protocol.view import Full, infoset_key
from ruse.solve.ranges.public.betting import DEAL, END, PublicTree
from ruse.words.naming import named

MOST_DEALS = 100_000


class Deal(NamedTuple):
    """One way to deal, somewhere in the public tree."""

    number: int
    row: Row
    chance: float  # of the deal and of all public events so far


class Walked:
    """The public tree of a game of two players, and what each deal makes of its nodes."""

    def __init__(self, game: Game) -> None:
        if game.players != 2:
            raise RuseError(f"ranges are for two players, and {named(game)} has {game.players}; use another engine")
        self.game = game
        self.player: list[int] = []
        self.children: list[list[int]] = []
        self.deals: dict[int, list[Deal]] = {}  # node: those that can come there; at decisions and ends
        self.dealt = self._all_deals()
        self._visit(self.dealt)
        self.tree = PublicTree.of(self.player, self.children)
        self.hand = [self._hands(p) for p in range(2)]  # [player] the number of the hand in each deal

    def _all_deals(self) -> list[Deal]:
        """All deals; those that give the same row are one."""
        found: dict[bytes, tuple[Row, float]] = {}
        waiting = [(self.game.start().astype(np.int64), 1.0)]
        while waiting:
            row, chance = waiting.pop()
            if self.game.player(row) == CHANCE:
                waiting += [(below, chance * share) for _, below, share in self._outcomes(row)]
            else:
                found[row.tobytes()] = (row, chance + found.get(row.tobytes(), (row, 0.0))[1])
            if len(found) > MOST_DEALS:
                raise RuseError(f"{named(self.game)} has more than {MOST_DEALS:,} deals, too many for ranges")
        return [Deal(k, row, chance) for k, (_, (row, chance)) in enumerate(sorted(found.items()))]

    def _outcomes(self, row: Row) -> list[tuple[str, Row, float]]:
        """The events of chance at a row that can happen: name, the row after it, probability."""
        found = []
        for a in range(int(self.game.num_actions(row))):
            below, share = row.copy(), float(self.game.chance(row, a))
            self.game.apply(below, a)
            if share > 0.0:
                found.append((self.game.action_name(row, a), below, share))
        return found

    def _visit(self, deals: list[Deal]) -> int:
        """Write down the node that these deals have come to, and all below; its number."""
        game, n = self.game, len(self.player)
        who = self._agreed({int(game.player(deal.row)) for deal in deals})
        self.player.append({OVER: END, CHANCE: DEAL}.get(who, who))
        self.children.append([])
        below: list[list[Deal]] = []
        if who == CHANCE:
            events: dict[str, list[Deal]] = {}
            for deal in deals:
                for name, row, share in self._outcomes(deal.row):
                    events.setdefault(name, []).append(Deal(deal.number, row, deal.chance * share))
            below = [events[name] for name in sorted(events)]
            self._agreed({len({deal.number for deal in event}) == len(event) for event in below} | {True})
        else:
            self.deals[n] = deals
        if who >= 0:
            for a in range(self._agreed({int(game.num_actions(deal.row)) for deal in deals})):
                rows = [deal.row.copy() for deal in deals]
                for row in rows:
                    game.apply(row, a)
                below.append([deal._replace(row=row) for deal, row in zip(deals, rows, strict=True)])
        for each in below:
            self.children[n].append(self._visit(each))
        return n

    def _agreed(self, told: set[int]) -> int:
        """What all deals tell, which they must do alike."""
        if len(told) > 1:
            raise RuseError(f"in {named(self.game)} more than the first deal is hidden, so it has no ranges")
        return told.pop()

    def _hands(self, player: int) -> NDArray[np.int64]:
        """Deals that the player cannot tell apart are one hand, wherever he decides."""
        number = np.zeros(len(self.dealt), np.int64)
        nodes = [n for n, who in enumerate(self.player) if who == player]
        if nodes:
            first = {deal.number: int(self.game.infoset(deal.row)) for deal in self.deals[nodes[0]]}
            self._agreed({len(first), len(number)})
            known = sorted(set(first.values()))  # in most games from the lowest card to the highest
            for deal, infoset in first.items():
                number[deal] = known.index(infoset)
        met: set[int] = set()
        for n in nodes:
            keys = self.keys(n)
            pairs = {(int(number[deal]), key) for deal, key in keys.items()}
            self._agreed({len(pairs), len({h for h, _ in pairs}), len({key for _, key in pairs})})
            self._agreed({met.isdisjoint(keys.values()), True})  # else there is something that he has not seen
            met |= set(keys.values())
        return number

    def keys(self, n: int) -> dict[int, int]:
        """At a decision, the key of the infoset by deal."""
        return {deal.number: int(infoset_key(self.game, Full(), deal.row)) for deal in self.deals[n]}
