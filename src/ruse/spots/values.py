"""What each action of a hand is worth at a place, when both go on as the strategy says."""

import numpy as np

from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.spots.places import Here
from ruse.spots.strategy import SpotStrategy


def action_values(strategy: SpotStrategy, at: Here) -> np.ndarray:
    """[holding, action] chips above half of the first pot; not a number for a hand that meets nobody."""
    found = np.full((HOLDINGS, len(at.actions)), np.nan)
    with strategy.counting:
        for a, child in enumerate(strategy.game.betting.children(at.place.node)):
            hands, worth = strategy.engine.values_at(child, at.player, at.place.cards)
            found[hands, a] = worth
    return found
