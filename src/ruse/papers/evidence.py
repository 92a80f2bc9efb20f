"""Evidence: what a paper claims, what we check, what we add, and verdicts that can say no.

A *claim* is the paper's: a number, a figure, a sentence. It is judged around the paper's own value, and by what margin
is told. A *check* is an expectation of our own. What we add is *beyond* the paper, and nothing is judged by it.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from ruse.words.over_seeds import OverSeeds
from ruse.words.over_seeds import interval_of as interval_of
from ruse.words.over_seeds import told as told


class Kind(StrEnum):
    """Whose sentence a row judges."""

    CLAIM = "claim"
    CHECK = "check"
    BEYOND = "beyond"


class Verdict(StrEnum):
    """How it came out."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    REFUTED = "refuted"
    CANNOT_BE_TOLD = "cannot be told"
    HOLDS = "holds"
    BROKEN = "broken"
    MEASURED = "measured"  # beyond the paper: there is nothing to judge by


OF_KIND = {
    Kind.CLAIM: (Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.REFUTED, Verdict.CANNOT_BE_TOLD),
    Kind.CHECK: (Verdict.HOLDS, Verdict.BROKEN, Verdict.CANNOT_BE_TOLD),
    Kind.BEYOND: (Verdict.MEASURED,),
}
BEFORE, AFTER = "before", "after"  # a look at our own numbers, when the margin was set

Found = OverSeeds  # a number that was measured, with its 95 % interval


class Evidence(NamedTuple):
    """One line of a page."""

    kind: Kind
    name: str
    theirs: str
    ours: str
    verdict: Verdict
    margin: str  # what would have been accepted, and why; or why nothing can be told
    margin_set: str = BEFORE
    interval: tuple[float, float] | None = None
    seeds: int | None = None

    def __str__(self) -> str:
        aside = {"paper": self.theirs, "margin" if self.kind is Kind.CLAIM else "expected": self.margin}
        told = "; ".join(f"{what}: {text}" for what, text in aside.items() if text)
        return f"{self.verdict:<15} {self.name}: {self.ours}" + (f" ({told})" if told else "")

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


# ---- judging a claim -------------------------------------------------------------------------------------------------


def near(paper: float, found: Found, within: float) -> Verdict:
    """The paper's number, give or take: the whole interval must lie within, or the whole of it outside."""
    if paper - within <= found.low and found.high <= paper + within:
        return Verdict.REPRODUCED
    is_apart = found.high < paper - within or found.low > paper + within
    return Verdict.NOT_REPRODUCED if is_apart else Verdict.CANNOT_BE_TOLD


def at_least(paper: float, found: Found, *, less: float = 0.0) -> Verdict:
    """The paper's number or more, or not less than it by so much: the interval decides, not the mean."""
    if found.low >= paper - less:
        return Verdict.REPRODUCED
    return Verdict.NOT_REPRODUCED if found.high < paper - less else Verdict.CANNOT_BE_TOLD


def at_most(paper: float, found: Found, *, more: float = 0.0) -> Verdict:
    """The same from above."""
    return at_least(-paper, Found(-found.value, -found.high, -found.low, found.seeds), less=more)


def no_worse(found: Found, margin: float) -> bool | None:
    """Non-inferiority: not lower by more than the margin, for a check. Noise makes it harder, not easier."""
    if found.low >= -margin:
        return True
    return False if found.high < -margin else None


def so(is_so: bool | None) -> Verdict:
    """A sentence; None where we have nothing to tell by."""
    return {True: Verdict.REPRODUCED, False: Verdict.NOT_REPRODUCED, None: Verdict.CANNOT_BE_TOLD}[is_so]


def agreed(*readings: Verdict) -> Verdict:
    """A sentence that can be read in several ways: what all of them say, or nothing can be told."""
    return readings[0] if len(set(readings)) == 1 else Verdict.CANNOT_BE_TOLD


def refuted_if(is_contradicted: bool, otherwise: Verdict) -> Verdict:
    """A sentence that one clear counterexample ends; the margin says what was clear enough."""
    return Verdict.REFUTED if is_contradicted else otherwise


# ---- the three kinds -------------------------------------------------------------------------------------------------


def claim(
    name: str, theirs: str, ours: str, verdict: Verdict, margin: str, *, found: Found | None = None,
    seeds: int | None = None, margin_set: str = BEFORE,
) -> Evidence:  # fmt: skip
    """What the paper says."""
    assert verdict in OF_KIND[Kind.CLAIM], verdict
    return Evidence(
        Kind.CLAIM, name, theirs, ours, verdict, margin, margin_set, interval_of(found),
        found.seeds if found else seeds,
    )  # fmt: skip


def check(
    name: str, ours: str, holds: bool | None, margin: str, *, found: Found | None = None, seeds: int | None = None,
    margin_set: str = BEFORE,
) -> Evidence:  # fmt: skip
    """What we expect of ourselves; None where there were too few seeds to tell."""
    verdict = {True: Verdict.HOLDS, False: Verdict.BROKEN, None: Verdict.CANNOT_BE_TOLD}[holds]
    return Evidence(
        Kind.CHECK, name, "", ours, verdict, margin, margin_set, interval_of(found), found.seeds if found else seeds
    )


def beyond(name: str, ours: str, *, theirs: str = "", found: Found | None = None, seeds: int | None = None) -> Evidence:
    """What the paper did not measure."""
    told = interval_of(found)
    return Evidence(Kind.BEYOND, name, theirs, ours, Verdict.MEASURED, "", "", told, found.seeds if found else seeds)


# ---- all of them -----------------------------------------------------------------------------------------------------


def counted(rows: Iterable[Evidence]) -> str:
    """How many claims came out how, in one sentence.

    >>> row = claim("alpha", "0.2", "0.21", near(0.2, Found.exactly(0.21), 0.02), "0.02")
    >>> counted([row, check("counts", "58", True, "58")])
    'Of 1 claim: 1 reproduced. Of 1 check: 1 holds.'
    """
    found, told = Counter((row.kind, row.verdict) for row in rows), []
    for kind, verdicts in OF_KIND.items():
        total = sum(found[kind, verdict] for verdict in verdicts)
        if total and kind is not Kind.BEYOND:
            each = ", ".join(f"{found[kind, v]} {v}" for v in verdicts if found[kind, v])
            told.append(f"Of {total} {kind}{'s' if total != 1 else ''}: {each}.")
    return " ".join(told)
