"""Mahjong: how many hands a second are measured against the winning patterns, beside the package `mahjong`; how long a
game of two policies takes, and a training of CFR-p.

`python benchmarks/mahjong.py` prints a table and writes docs/benchmarks/mahjong.md. One thread, warm, the best of five,
in seconds of the processor. The hands are those of 13 tiles that a discard can leave, one after the other, of the hands
of games at random in which the nearest one is kept; what lies on the table counts as gone. They are some 160,000, and
the rows of the tables that they need are more than fit into the caches nearest to a core. Side by side (`distances`)
the rows of the next hands are on their way while one is measured; one by one (`distance`) each is waited for.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import core
import numpy as np

import ruse
from ruse.compile import kernel
from ruse.compile.rng import stream, uniform
from ruse.games.mahjong.distances.distance import best_discards, copies_in
from ruse.games.mahjong.distances.four_melds import four_melds
from ruse.games.mahjong.distances.four_pongs import FourPongs
from ruse.games.mahjong.distances.seven_pairs import SevenPairs
from ruse.games.mahjong.distances.tables import tables
from ruse.games.mahjong.policies.policies import Pairs, PongPongHu, normal
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.observation import SIZE
from ruse.games.mahjong.tiles import KINDS
from ruse.games.mahjong.views import CfrP
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.guards.drawing import drawn

MUST, AIM = 10.0, 50.0  # millions of distances a second
GAMES = 1000
TRAINED = 10_000  # iterations
EXTERNAL, EXTERNAL_AIM, CHANCES = 60.0, 15.0, 300.0  # seconds for them: external sampling, and all policies of a deal
PLAYOUT = 100.0  # microseconds for a game of two Normals


@kernel
def play(pattern, walls, hands, unseen_tiles, keep):
    """Draw and discard through each wall; with `keep`, write down every hand that a discard could leave."""
    hand, unseen, masks = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64)
    found = 0
    for g in range(len(walls)):
        hand[:], unseen[:] = 0, 4
        for i in range(13):
            hand[walls[g, i]] += 1
            unseen[walls[g, i]] -= 1
        for i in range(13, 51, 2):
            unseen[walls[g, i]] -= 1
            unseen[walls[g, i + 1]] -= 1
            hand[walls[g, i]] += 1
            if keep:
                for kind in range(KINDS):
                    if hand[kind] > 0:
                        hands[found], unseen_tiles[found] = hand, unseen
                        hands[found, kind] -= 1
                        found += 1
            _, kinds = best_discards(pattern, hand, 0, unseen, masks)
            chosen, most = 0, -1
            for kind in range(KINDS):
                if kinds >> kind & 1:
                    copies = copies_in(masks[kind], unseen)
                    if copies > most:
                        chosen, most = kind, copies
            hand[chosen] -= 1
    return found


@kernel
def distances(pattern, hands, declared, unseen, result):
    pattern.distances(hands, declared, unseen, result)


@kernel
def one_by_one(pattern, hands, declared, unseen, result):
    for i in range(len(hands)):
        result[i] = pattern.distance(hands[i], declared[i], unseen[i])


@kernel
def useful(pattern, hands, unseen, result):
    for i in range(len(hands)):
        result[i] = pattern.useful(hands[i], 0, unseen[i])[1]


@kernel
def playouts(game, start, policy, seen, games):
    """Deal and play so many games in which both have the same policy."""
    s, rng, total = start.copy(), np.zeros(1, np.uint64), 0.0
    for g in range(games):
        s[:] = start
        stream(rng, 0, g)
        player = game.player(s)
        while player != OVER:
            count, a = game.num_actions(s), 0
            if player == CHANCE:
                a = drawn(game, s, count, uniform(rng))
            else:
                game.observe(s, player, seen)
                a = policy.decide(game, seen, player, seen[:0], count, 0.5)
            game.apply(s, a)
            player = game.player(s)
        total += game.payoff(s, 0)
    return total


def training(walk: str) -> tuple[float, int]:
    """The time of a training in seconds of the processor, and how many infosets there are."""
    ruse.train(Mahjong(), ruse.mccfr(walk), view=CfrP(), iterations=1)
    began = time.process_time()
    run = ruse.train(Mahjong(), ruse.mccfr(walk), view=CfrP(), iterations=TRAINED)
    return time.process_time() - began, len(run.strategy)


def seconds(call: Callable[..., Any], *arguments: Any) -> float:
    """The least time of five, after one that compiles."""
    call(*arguments)
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        call(*arguments)
        best = min(best, time.process_time() - began)
    return best


def peer(hands: np.ndarray) -> float | None:
    """The time that the package takes for these hands, if it is there."""
    here = sys.path.pop(0)  # this file has the package's name
    try:
        from mahjong.shanten import Shanten
    except ImportError:
        return None
    finally:
        sys.path.insert(0, here)
    tiles = np.zeros((len(hands), 34), np.int64)
    tiles[:, [*range(9), *range(27, 34)]] = hands
    rows = tiles.tolist()

    def all_of_them() -> None:
        judge = Shanten()
        for row in rows:
            judge.calculate_shanten_for_regular_hand(row)

    return seconds(all_of_them)


def measure() -> tuple[list[list[str]], list[str]]:
    """The lines of the table, and which promises were not kept."""
    lines, failed = [], []

    def add(what: str, value: str, must: str = "", aim: str = "", kept: bool = True) -> None:
        lines.append([what, value, must, aim, ("yes" if kept else "NO") if must else ""])
        print(f"  {' | '.join(lines[-1])}", file=sys.stderr)
        if not kept:
            failed.append(what)

    tables()
    tables.cache_clear()
    began = time.process_time()
    tables()
    took = time.process_time() - began
    add("tables made", f"{took:.2f} s", "2 s", kept=took <= 2)
    walls = np.argsort(np.random.default_rng(0).random((GAMES, 64)), axis=1) // 4
    hands, unseen = np.zeros((2, GAMES * 19 * 14, KINDS), np.int8)
    number = play(four_melds(), walls, hands, unseen, True)
    hands, unseen = hands[:number], unseen[:number]
    result, declared = np.zeros((2, number), np.int64)
    for pattern, name in ((four_melds(), "Normal"), (FourPongs(), "PongPongHu"), (SevenPairs(), "7Pairs")):
        rate = number / seconds(distances, pattern, hands, declared, unseen, result) / 1e6
        add(f"{name}: distance, side by side", f"{rate:.1f} M/s", f"{MUST:g} M/s", f"{AIM:g} M/s", rate >= MUST)
        rate = number / seconds(one_by_one, pattern, hands, declared, unseen, result) / 1e6
        add(f"{name}: distance, one by one", f"{rate:.1f} M/s")
        rate = number / seconds(useful, pattern, hands, unseen, result) / 1e6
        add(f"{name}: distance and useful kinds", f"{rate:.1f} M/s")
        cost = seconds(play, pattern, walls, hands[:0], unseen[:0], False) / GAMES
        add(f"{name}: best discards, 19 of a game", f"{1e6 * cost:.1f} µs")
    took_by_peer = peer(hands[: number // 100])
    told = f"{number // 100 / took_by_peer / 1e6:.3f} M/s" if took_by_peer else "not installed"
    add("the package mahjong: shanten, from Python, nothing gone", told)
    game = Mahjong()
    for policy in (normal(), PongPongHu(), Pairs()):
        cost = 1e6 * seconds(playouts, game, game.start(), policy, np.zeros(SIZE, np.int64), GAMES) / GAMES
        must = f"{PLAYOUT:g} µs" if policy.name == "normal" else ""
        add(f"a game of two {policy.name}, with the deal", f"{cost:.1f} µs", must, kept=cost <= PLAYOUT)
    for walk, must, aim in (("external", EXTERNAL, f"{EXTERNAL_AIM:g} s"), ("chance", CHANCES, "")):
        took, infosets = training(walk)
        add(f"CFR-p, {TRAINED:,} iterations, {walk}", f"{took:.1f} s", f"{must:g} s", aim, took <= must)
        add("its infosets", f"{infosets:,}")
    return lines, failed


def main() -> int:
    lines, failed = measure()
    heads = ["", "ruse", "must", "aim", "kept"]
    table = "\n".join("| " + " | ".join(line) + " |" for line in (heads, ["---"] * len(heads), *lines))
    about = ", ".join(f"{key} {value}" for key, value in core.machine().items())
    verdict = f"Not kept: {'; '.join(failed)}." if failed else "Every promise is kept."
    text = f"# Mahjong\n\nWritten by `benchmarks/mahjong.py`: {about}. One thread, warm.\n\n"
    (core.OUT / "mahjong.md").write_text(f"{text}{table}\n\n{verdict}\n")
    print(f"{table}\n\n{verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
