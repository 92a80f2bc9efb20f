"""The papers whose experiments are here, by number."""

from typing import NamedTuple


class Paper(NamedTuple):
    """A paper: where its experiments are, what it is called, and the name of its page."""

    module: str
    title: str
    page: str


PAPERS = {
    "000": Paper("ruse.papers.ordered_abstraction", "Ordered Abstraction for Cheat", "ordered-abstraction"),
    "001": Paper("ruse.papers.preference_cfr", "Preference-CFR", "preference-cfr"),
    "002": Paper("ruse.papers.best_response_pruning", "Improve CFR for Cheat", "best-response-pruning"),
    "003": Paper("ruse.papers.cfr_p", "CFR-p", "cfr-p"),
}
