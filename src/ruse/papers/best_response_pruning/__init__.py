"""Paper 002, Improve Counterfactual Regret Minimization for Card Game Cheat: pruning, and the half deck."""

from collections.abc import Callable

from ruse.papers.best_response_pruning import (
    against_bots,
    average_value,
    half_deck,
    hour,
    lengths,
    named_next,
    paper_agent,
    pruned_strength,
    strength,
    two_points,
)
from ruse.papers.best_response_pruning.savings import decks, hybrid, pruning_curves, warm_start
from ruse.papers.evidence import Evidence
from ruse.papers.lab import Lab

PARTS: dict[str, Callable[[Lab], list[Evidence]]] = {
    "lengths": lengths.run,
    "the paper's agent": paper_agent.run,
    "two Health Points": two_points.run,
    "hybrid": hybrid.run,
    "average value": average_value.run,
    "pruning curves": pruning_curves.run,
    "decks": decks.run,
    "warm start": warm_start.run,
    "plain iterations": half_deck.run,
    "strength": strength.run,
    "pruned strength": pruned_strength.run,
    "against bots": against_bots.run,
    "named next": named_next.run,
    "an hour": hour.run,
}
ONLY_IF_ASKED = ("an hour",)  # it takes so long
