"""The papers whose experiments are here, by number."""

from typing import NamedTuple


class KnownPaper(NamedTuple):
    """A paper: where its experiments are, what it is called, and the name of its page."""

    module: str
    title: str
    page: str


PAPERS = {
    "000": KnownPaper("ruse.papers.ordered_abstraction", "Ordered Abstraction for Cheat", "ordered-abstraction"),
    "001": KnownPaper("ruse.papers.preference_cfr", "Preference-CFR", "preference-cfr"),
    "002": KnownPaper("ruse.papers.best_response_pruning", "Improve CFR for Cheat", "best-response-pruning"),
    "003": KnownPaper("ruse.papers.cfr_p", "CFR-p", "cfr-p"),
}
