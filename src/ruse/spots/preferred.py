"""Preferences in a spot: the decisions of its betting that they mean, with all hands and on all boards."""

import re
from collections.abc import Sequence

import numpy as np

from ruse.errors import RuseError
from ruse.games.holdem.spots.betting import DEAL
from ruse.games.holdem.spots.rules import FIRST_CARD, IP_HAND, NODE, OOP_HAND, SpotGame, card_left, parents_in
from ruse.protocol.decisions import Decisions
from ruse.protocol.game import Row
from ruse.solve.ranges.preferred import Favour
from ruse.solve.solver.prefer import Preference

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b", re.IGNORECASE)


def favours_of(game: SpotGame, rules: Sequence[Preference]) -> list[Favour]:
    """What is preferred at which decisions; raises for a rule that means none, or some hands or cards alone."""
    for rule in rules:
        refuse_cards(rule)
    nodes = np.flatnonzero(game.betting.decisions)
    rows = np.array([row_at(game, node) for node in nodes.tolist()])
    counts = np.diff(game.betting.start)[nodes]
    first = np.array([is_first(game, node) for node in nodes.tolist()])
    decisions = Decisions(game, rows, game.who[nodes], counts, first)
    delta, beta = np.ones(int(counts.sum())), np.zeros(len(nodes))
    hit = np.zeros(len(nodes), bool)
    for rule in rules:
        meant = decisions.meant(rule.wanted)
        here = np.logical_or.reduceat(meant, decisions.start[:-1])
        delta[meant] = np.maximum(delta[meant], rule.delta)
        beta[here] = np.maximum(beta[here], rule.beta)
        hit |= here
    starts = decisions.start
    return [
        Favour(int(nodes[k]), tuple(delta[starts[k] : starts[k + 1]].tolist()), float(beta[k]))
        for k in np.flatnonzero(hit)
    ]


def refuse_cards(rule: Preference) -> None:
    wanted = rule.wanted
    if wanted.held or any(map(CARD.search, wanted.said)):
        words = f"with {wanted.held[0]}" if wanted.held else next(text for text in wanted.said if CARD.search(text))
        raise RuseError(f"a preference in a spot is one of all hands, whatever cards come; leave {words!r} out")


def row_at(game: SpotGame, node: int) -> Row:
    """A state at a node: which hands and cards it has does not matter."""
    s = game.start()
    s[OOP_HAND], s[IP_HAND], s[NODE] = 0, game.other[0, 0], node
    for k in range(sum(game.who[above] == DEAL for above in way_to(game, node))):
        s[FIRST_CARD + k] = card_left(game, s, 0)
    return s


def is_first(game: SpotGame, node: int) -> bool:
    """Whether who acts there has not acted before."""
    return all(game.who[above] != game.who[node] for above in way_to(game, node))


def way_to(game: SpotGame, node: int) -> list[int]:
    """The nodes above one."""
    found, parents = [], parents_in(game.own_spec)
    while node:
        node = parents[node][0]
        found.append(node)
    return found
