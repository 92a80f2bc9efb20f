"""Texas Hold'em: not yet. What the paper's own tables say of its sentences is told all the same."""

from ruse.papers.evidence import Evidence, Verdict, claim, refuted_if
from ruse.papers.lab import Lab

# Table 2, two players: what the small blind wins, mBB/h, against a normal big blind (later version).
AGAINST_NORMAL = {"aggressive": 58.7, "normal": 73.2, "loose": 66.9}
WITHIN = 10.0  # mBB/h, as the paper has it
NOT_YET = {
    "Table 2 and figure 5, two players: three styles": "5.4 / 52.7 / 42.0 / 0 / 0 % before the flop; styles within "
    "10 mBB/h",
    "Table 3 and figure 6, three players: three styles": "61.4 / 0 / 38.6 / 0 %; raise to 3 from 0 to 16.0 %, call to "
    "23.9 %",
    "Exploitability of the two-player blueprint": "below 4 mBB/h",
}


def run(lab: Lab) -> list[Evidence]:
    gap = AGAINST_NORMAL["normal"] - min(AGAINST_NORMAL.values())
    rows = [
        claim(f"Hold'em, {name}", theirs, "not measured", Verdict.CANNOT_BE_TOLD, "there is no Texas Hold'em here yet")
        for name, theirs in NOT_YET.items()
    ]
    return [
        *rows,
        claim("Hold'em, differences between styles", "within 10 mBB/h",
              f"the paper's own table 2: {gap:.1f} mBB/h less for the aggressive small blind against a normal big "
              "blind",
              refuted_if(gap > WITHIN, Verdict.CANNOT_BE_TOLD), "10 mBB/h, by the paper's own numbers"),
    ]  # fmt: skip
