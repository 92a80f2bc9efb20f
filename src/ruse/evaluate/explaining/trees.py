"""The tree of a small game as a picture, with what a strategy does in it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ruse.catalog.given import GameLike, as_game
from ruse.catalog.titles import title_of
from ruse.charts.trees import DrawnNode, draw_nodes
from ruse.errors import RuseError
from ruse.play.given import StrategyLike, as_strategy
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.words.counts import count_of

if TYPE_CHECKING:
    from ruse.charts.picture import Picture

MOST = 400  # histories in one picture


def draw_tree(
    game: GameLike | State, strategy: StrategyLike | None = None, *, depth: int | None = None, most: int = MOST,
    axes: Any = None,
) -> "Picture":  # fmt: skip
    """Draw a game's tree from its start, or from a state of it, as deep as is asked for.

    A decision says who moves, and at which of his infosets: what he cannot tell apart has one number. With a strategy,
    lines are as wide as actions are probable.
    """
    root = game if isinstance(game, State) else State.of(as_game(game))
    depth, most = None if depth is None else count_of("depth", depth), count_of("most", most, least=1)
    follow = None if strategy is None else as_strategy(strategy, root.game)
    if follow is not None:
        follow.refuse_unplayable()  # also if its tables have changed since they were looked at
    nodes = nodes_of(root, follow, depth=depth, most=most)
    return draw_nodes(nodes, title=title_of(root.game) + (f" after {root.path()}" if root.history else ""), axes=axes)


def nodes_of(root: State, strategy: Strategy | None, *, depth: int | None, most: int) -> list[DrawnNode]:
    """What is drawn, parents before their children."""
    nodes: list[DrawnNode] = []
    numbers: dict[tuple[int, int], int] = {}
    waiting: list[tuple[int, str, float | None, State, int]] = [(-1, "", None, root, 0)]
    while waiting:
        parent, edge, share, state, deep = waiting.pop()
        if len(nodes) >= most:
            where = "from a later state, or with a depth" if depth is None else "less deep"
            raise RuseError(f"{title_of(state.game)} has more than {most} histories to draw; draw it {where}")
        here, player = len(nodes), state.player
        if state.is_over or (depth is not None and deep >= depth):
            label = ", ".join(f"{x:+z.4g}" if x else "0" for x in state.payoffs) if state.is_over else "…"
            nodes.append(DrawnNode(parent, label, edge, None, share, is_end=True))
            continue
        if state.is_chance:
            nodes.append(DrawnNode(parent, "?", edge, None, share))
            shares: list[float] | None = state.chances
        else:
            number = numbers.setdefault((player, state.infoset), 1 + sum(p == player for p, _ in numbers))
            nodes.append(DrawnNode(parent, f"{player}.{number}", edge, player, share))
            shares = None if strategy is None else list(strategy.at(state).actions.values())
        known: Sequence[float | None] = shares or [None] * state.num_actions
        branches = list(zip(state.actions, known, state.children(), strict=True))
        waiting += [(here, name, one, child, deep + 1) for name, one, child in reversed(branches)]
    return nodes
