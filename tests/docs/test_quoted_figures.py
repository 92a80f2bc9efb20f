"""Figures of Hold'em that pages quote are those of the tables that the benchmarks have written."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def rows_of(name: str) -> dict[str, str]:
    """The second column of a table by the first."""
    cells = [line.split("|") for line in (ROOT / "docs/benchmarks" / name).read_text().splitlines() if line[:1] == "|"]
    return {row[1].strip(): row[2].strip() for row in cells}


def words(path: str) -> str:
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


def test_hands_and_spots_in_the_readme() -> None:
    hands, spots, readme = rows_of("hands.md"), rows_of("spots.md"), words("README.md")
    first, second = (hands[f"ours from Python / {name}"] for name in ("phevaluator", "eval7"))
    assert f"hands of seven cards {first} phevaluator's and {second} eval7's speed" in readme
    river, turn, flop = (spots[street].split(",")[0] for street in ("river", "turn", "flop"))
    assert f"river {river} (15.8), turn {turn} (7.0), flop {flop} (38.9)" in readme


def test_spots_on_the_page_of_the_range_engine() -> None:
    spots, page = rows_of("spots.md"), words("docs/range-engine.md")
    told = [spots[street].removesuffix(" iterations") for street in ("river", "turn", "flop")]
    assert f"| the range engine | {' | '.join(told)} |" in page
    threads = re.fullmatch(r"(.*)x, at best (.*) times as fast", spots["turn, two threads: work of both / work of one"])
    assert threads is not None
    assert f"Two threads do {threads[1]} times the work of one" in page
    assert f"at best {threads[2]} times as fast" in page
