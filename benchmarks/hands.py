"""Hold'em hands: how many of seven cards are ranked a second, beside phevaluator and eval7 called from Python.

`python benchmarks/hands.py` prints a table and writes docs/benchmarks/hands.md. One thread, warm, the best of five, in
seconds of the processor. The hands are random; the peers are handed cards of their own kind, made before.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import core
import numpy as np

from ruse.compile import kernel
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.hands.strengths import fill_board, strengths
from ruse.games.holdem.hands.tables import hand_ranks, strength_of

HANDS, BY_PEERS, BOARDS = 1_000_000, 50_000, 1000
MUST, RATIO = 30.0, 20.0  # millions of hands a second in a kernel; how often as fast as a peer
MADE = 1.0  # seconds for the tables


@kernel
def rank_all(ranks, hands, out):
    for i in range(len(hands)):
        out[i] = strength_of(ranks, hands[i])


@kernel
def rank_boards(ranks, boards, out):
    for i in range(len(boards)):
        fill_board(ranks, boards[i], out)


def seconds(call: Callable[..., Any], *arguments: Any) -> float:
    """The least time of five, after one that compiles."""
    call(*arguments)
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        call(*arguments)
        best = min(best, time.process_time() - began)
    return best


def by_phevaluator(hands: np.ndarray) -> tuple[Callable[[], list[int]], bool]:
    """Its call for these hands, and whether a larger number is a better hand. Its cards have our numbers."""
    from phevaluator import evaluate_cards

    rows = hands.tolist()
    return lambda: [evaluate_cards(*row) for row in rows], False


def by_eval7(hands: np.ndarray) -> tuple[Callable[[], list[int]], bool]:
    import eval7

    deck = [eval7.Card(name) for name in NAMES]
    rows = [[deck[card] for card in row] for row in hands.tolist()]
    return lambda: [eval7.evaluate(row) for row in rows], True


def same_order(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether each hand compares with the next one as with us."""
    return bool((np.sign(np.diff(ours.astype(np.int64))) == np.sign(np.diff(theirs.astype(np.int64)))).all())


def measure() -> tuple[list[list[str]], list[str]]:
    """The lines of the table, and which promises were not kept."""
    lines, failed = [], []

    def add(what: str, value: str, must: str = "", kept: bool = True) -> None:
        lines.append([what, value, must, ("yes" if kept else "NO") if must else ""])
        if not kept:
            failed.append(what)

    hand_ranks()
    hand_ranks.cache_clear()
    began = time.process_time()
    ranks = hand_ranks()
    took = time.process_time() - began
    add("tables made", f"{took:.2f} s", f"{MADE:g} s", took <= MADE)
    add("their size", f"{sum(array.nbytes for array in ranks) / 2**20:.2f} MB")

    rng = np.random.default_rng(0)
    hands = np.argsort(rng.random((HANDS, 52), np.float32), axis=1)[:, :7].astype(np.uint8)
    found = np.zeros(HANDS, np.int16)
    rate = HANDS / seconds(rank_all, ranks, hands, found) / 1e6
    add("hands in a kernel", f"{rate:.0f} M/s", f"{MUST:g} M/s", rate >= MUST)
    row = np.zeros(HOLDINGS, np.int16)
    cost = 1e6 * seconds(rank_boards, ranks, hands[:BOARDS, :5], row) / BOARDS
    add("all 1,081 holdings on a board, in a kernel", f"{cost:.1f} µs")
    ours = HANDS / seconds(strengths, hands) / 1e6
    add("an array of hands, from Python", f"{ours:.0f} M/s")
    for name, peer in (("phevaluator", by_phevaluator), ("eval7", by_eval7)):
        call, rising = peer(hands[:BY_PEERS])
        theirs = np.array(call())
        if not same_order(found[:BY_PEERS], theirs if rising else -theirs):
            failed.append(f"{name} orders hands in another way")
        speed = BY_PEERS / seconds(call) / 1e6
        add(f"{name}, from Python", f"{speed:.2f} M/s")
        add(f"ours from Python / {name}", f"{ours / speed:.0f}x", f"{RATIO:g}x", ours >= RATIO * speed)
        add(f"ours in a kernel / {name}", f"{rate / speed:.0f}x")
    return lines, failed


def main() -> int:
    lines, failed = measure()
    heads = ["", "", "must", "kept"]
    table = "\n".join("| " + " | ".join(line) + " |" for line in (heads, ["---"] * len(heads), *lines))
    about = ", ".join(f"{key} {value}" for key, value in core.machine().items())
    verdict = f"Not kept: {'; '.join(failed)}." if failed else "Every promise is kept."
    text = f"Written by `benchmarks/hands.py`: {about}. One thread, warm, random hands of seven cards."
    (core.OUT / "hands.md").write_text(f"# Hold'em hands\n\n{text}\n\n{table}\n\n{verdict}\n")
    print(f"{table}\n\n{verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
