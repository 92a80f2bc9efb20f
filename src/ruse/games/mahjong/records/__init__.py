"""Forms of records that Mahjong has beside the one of all games: the log for viewers, and mjai's events."""

from ruse.games.mahjong.records.log import FORM as LOG
from ruse.games.mahjong.records.mjai import FORM as MJAI

FORMS = {"log": LOG, "mjai": MJAI}
