"""Texas Hold'em: what the paper's own table says of its sentences. Ours is in `table_2.py` and `table_3.py`."""

from math import sqrt

from ruse.papers.evidence import AFTER, Evidence, Verdict, agreed, claim, refuted_if
from ruse.papers.lab import Lab

# Table 2, two players (later version): what the small blind wins, mBB/h.
AGAINST_NORMAL = {"aggressive": 58.7, "normal": 73.2, "loose": 66.9}  # by style, from a normal big blind
BY_NORMAL = {"aggressive": 80.2, "loose": 79.8}  # a normal one, from a big blind of that style
ERROR = 1.0 * 1.960 / 1.645  # of each number: the paper's 90 %, as 95 %
WITHIN = 10.0  # mBB/h, as the paper has it


def run(lab: Lab) -> list[Evidence]:
    gap = AGAINST_NORMAL["normal"] - min(AGAINST_NORMAL.values())
    seats = max(won - AGAINST_NORMAL[style] for style, won in BY_NORMAL.items()) / 2
    readings = [(gap, ERROR * sqrt(2.0)), (seats, ERROR / sqrt(2.0))]
    verdicts = [refuted_if(less - error > WITHIN, Verdict.CANNOT_BE_TOLD) for less, error in readings]
    return [
        claim("Hold'em, differences between styles", "within 10 mBB/h",
              "the paper's own table 2, aggressive and normal, 95 %: "
              f"{gap:.1f} +- {readings[0][1]:.1f} mBB/h apart as small blinds against a normal big blind; "
              f"{seats:.2f} +- {readings[1][1]:.1f} lost to a normal player by the mean of both seats",
              agreed(*verdicts), "10 mBB/h, by the paper's own numbers; refuted if by both readings", margin_set=AFTER),
    ]  # fmt: skip
