"""Hand histories in the form PHH, which PokerKit and public collections of hands use."""

from ruse.games.holdem.records.reading import begins, read
from ruse.games.holdem.records.writing import write
from ruse.protocol.played import RecordForm, TextForm

FORMS: dict[str, RecordForm] = {}  # no lines of JSON
TEXTS = {"phh": TextForm(begins, write, read)}
