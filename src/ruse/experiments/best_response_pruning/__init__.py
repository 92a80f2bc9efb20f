"""Paper 002, Improve Counterfactual Regret Minimization for Card Game Cheat: the half deck."""

from collections.abc import Callable

from ruse.experiments.best_response_pruning import against_bots, half_deck, lengths, strength
from ruse.experiments.lab import Lab, Row

PARTS: dict[str, Callable[[Lab], list[Row]]] = {
    "lengths": lengths.run,
    "plain iterations": half_deck.run,
    "strength": strength.run,
    "against bots": against_bots.run,
    "an hour": strength.run_for_an_hour,
}
