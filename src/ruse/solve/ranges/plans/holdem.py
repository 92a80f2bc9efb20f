"""The plan of a Hold'em spot: a board, two ranges and a betting tree."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ruse.compile.lanes import LANES
from ruse.errors import RuseError
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.hands.strengths import refused
from ruse.solve.ranges.ends.removal import met_by, removal_of
from ruse.solve.ranges.ends.showdowns import EndLanes, Showdowns
from ruse.solve.ranges.passes.one_pass import Boards, Field
from ruse.solve.ranges.plans.plan import RangePlan, padded
from ruse.solve.ranges.plans.schedule import Streets, gates_of, scheduled, streets_of
from ruse.solve.ranges.public.betting import FOLD, SHOWDOWN, Betting
from ruse.solve.ranges.public.boards import SolvedBoard, boards_from, chance_of, exchanged_hands
from ruse.solve.ranges.public.forest import Forest, RangeScratch, plant

Weights = NDArray[np.float64]


def holdem_plan(
    board: Sequence[int], ranges: Sequence[Weights], betting: Betting, visits: Iterable[int] = ()
) -> RangePlan:
    """The plan of a spot; ranges are weights by the number of a hand.

    `visits` are decisions at which the reach of chance and the other is asked for.
    """
    cards = tuple(refused(list(board), 3, 5))
    betting = betting.checked()
    refuse_odd_ties(betting)
    boards = boards_from(cards, ranges)
    root = boards[0]
    for player, hands in zip(("out of position", "in position"), root.hands, strict=True):
        if not len(hands):
            raise RuseError(f"no hand of the range {player} is possible on this board; give it others")
    width = padded(max(map(len, root.hands)))
    weights, met = at_root(root, ranges, width)
    if not met[0] @ weights[0] > 0.0:
        raise RuseError("every hand of one range has a card in common with every hand of the other; give other ranges")
    streets = streets_of(betting.tree)
    forest, scratch = plant(betting.tree, streets.blocks, width, cut=True)
    where = hands_above(boards)
    places = {n: scratch.value + k * width for k, n in enumerate(sorted(visits))}
    ends = end_lanes(betting, forest, streets, scratch, len(cards), places)
    field = Field(
        forest, where, gates_of(betting.tree, forest, streets, scratch),
        Showdowns(ends, where.hands, removal_of(boards, width)), np.zeros((0, 5), np.int64),
    )  # fmt: skip
    schedule = scheduled(forest, streets, where.width, [board.above for board in boards])
    return RangePlan(
        betting.tree, field._replace(steps=schedule.steps),
        scratch._replace(value=scratch.value + len(places) * width), weights, schedule.cuts, streets.seconds, met,
        0.0 if not betting.ties.any() else None,
        schedule.first_row, schedule.size, places, tuple(boards),
    )  # fmt: skip


def refuse_odd_ties(betting: Betting) -> None:
    """Raise unless a tie pays the mean of winning and losing, as it does where both share what the house leaves."""
    if not np.allclose(betting.ties, (betting.wins + betting.loses) / 2.0):
        raise RuseError("a tie must be worth as much as winning and losing half the time; a house takes half from each")


def at_root(board: SolvedBoard, ranges: Sequence[Weights], width: int) -> tuple[Weights, Weights]:
    """The weights of both players' hands, and of all that each hand can meet, by player and hand."""
    weights, met = np.zeros((2, width)), np.zeros((2, width))
    for p, hands in enumerate(board.hands):
        weights[p, : len(hands)] = ranges[p][hands]
        others = board.hands[1 - p]
        met[p, : len(hands)] = met_by(hands, others, np.asarray(ranges[1 - p], np.float64)[others])
    return weights, met


def hands_above(boards: list[SolvedBoard]) -> Boards:
    """How many hands there are, and where each was on the board before."""
    hands = np.array([[len(board.hands[p]) for board in boards] for p in range(2)])
    width = -(-hands // LANES) * LANES
    lift = np.cumsum([0, *(len(board.exchanges) for board in boards)])
    above: list[list[int]] = [[], []]
    origins: list[NDArray[np.int64]] = []
    length = 0
    place = np.zeros(HOLDINGS, np.int64)
    for p in range(2):
        for board in boards:
            if board.above >= 0:
                before = boards[board.above].hands[p]
                place[before] = np.arange(len(before))
            for suits in board.exchanges:
                above[p].append(length)
                origins.append(place[exchanged_hands(suits)[board.hands[p]]])
                length += len(origins[-1])
    return Boards(hands, width, lift, np.array(above), np.concatenate(origins).astype(np.uint16))


def end_lanes(
    betting: Betting, forest: Forest, streets: Streets, scratch: RangeScratch, dealt: int, visits: dict[int, int]
) -> EndLanes:
    """The lanes of all blocks; a visit is like a fold that pays one, and so is what a house takes at a showdown."""
    parent = np.zeros(len(betting.player), np.int64)
    parent[betting.child] = np.repeat(np.arange(len(betting.player)), np.diff(betting.start))
    first, columns, adds = [[0], [0]], [], []  # type: ignore[var-annotated]
    for p in range(2):
        first[p][0] = len(columns)
        for block, street in enumerate(block.street for block in streets.blocks):
            chance = chance_of(dealt, dealt + street)
            found: dict[int, list[float]] = {}
            for k in forest.nodes_of(block):
                n = int(forest.tree_node[k])
                kind = int(betting.player[n])
                if kind not in (FOLD, SHOWDOWN):
                    continue
                lane = found.setdefault(int(forest.reach_at[p, k]), [scratch.waste, 0.0, scratch.waste, 0.0])
                loses = kind == FOLD and betting.player[parent[n]] == p
                column = 0 if kind == SHOWDOWN else 2
                assert lane[column] == scratch.waste  # a player has one of each after a move of the other
                lane[column] = int(forest.value_at[k])
                wins = betting.wins[n, p] - betting.ties[n, p] * (kind == SHOWDOWN)
                lane[column + 1] = chance * float(betting.loses[n, p] if loses else wins)
            # Showdowns alone, both, folds alone: so that few groups of lanes need both.
            ordered = sorted(
                found.items(), key=lambda item: (item[1][0] == scratch.waste) - (item[1][2] == scratch.waste)
            )
            columns += [(reach, *lane) for reach, lane in ordered]
            columns += [
                (int(forest.reach_at[p, k]), scratch.waste, 0.0, visits[int(forest.tree_node[k])], chance)
                for k in forest.nodes_of(block)
                if int(forest.tree_node[k]) in visits and forest.player[k] == p
            ]
            nothing = (scratch.nothing, scratch.waste, 0.0, scratch.waste, 0.0)
            columns += [nothing] * (-len(columns) % LANES)
            adds += [False] * (len(columns) // LANES - len(adds))
            columns += [
                (int(forest.reach_at[p, k]), scratch.waste, 0.0, int(forest.value_at[k]), chance * betting.ties[n, p])
                for k, n in ((k, int(forest.tree_node[k])) for k in forest.nodes_of(block))
                if betting.player[n] == SHOWDOWN and betting.ties[n, p] != 0.0
            ]
            columns += [nothing] * (-len(columns) % LANES)
            adds += [True] * (len(columns) // LANES - len(adds))
            first[p].append(len(columns))
    reach, showdown, showdown_pays, fold, fold_pays = (np.array(column) for column in zip(*columns, strict=True))
    groups = [(at.reshape(-1, LANES) != scratch.waste).any(axis=1) for at in (showdown, fold)]
    places = [at.astype(np.int64) for at in (reach, showdown, fold)]
    return EndLanes(
        np.array(first), places[0], places[1], showdown_pays, places[2], fold_pays, groups[0], groups[1],
        np.array(adds, bool),
    )  # fmt: skip
