"""`ruse show`: look at a strategy, a run or a game."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog.titles import spec, view_title
from ruse.cli.terminal.blueprints import show_blueprint
from ruse.cli.terminal.names import history_from, strategy_from, thing_from
from ruse.cli.terminal.options import GAME, RUNS, AsJson, Runs, TheirGame, whole
from ruse.cli.terminal.output import called, first_of, mix_of, print_json, print_rest, print_table, view_name
from ruse.cli.terminal.progress import working
from ruse.cli.terminal.spots import show_spot, show_spot_size, spot_file
from ruse.errors import RuseError
from ruse.protocol.choices import Bucketing
from ruse.protocol.game import declared
from ruse.protocol.state import State
from ruse.protocol.view import Full

if TYPE_CHECKING:
    from ruse.protocol.game import Game
    from ruse.strategy import Strategy

ALIKE = 0.0005  # a distance that three digits do not show


def show(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help=f"A strategy file, a run, or a game. {GAME}")],
    *,
    player: Annotated[int | None, typer.Option(parser=whole, metavar="P", help="Only this player's infosets.")] = None,
    sort: Annotated[str, typer.Option(metavar="tree|reach", help="In what order.")] = "tree",
    limit: Annotated[int, typer.Option(parser=whole, metavar="N", help="At most this many lines; 0 for all.")] = 40,
    at: Annotated[str | None, typer.Option(metavar="INFOSET", help='One infoset: "K, no board, raise".')] = None,
    history: Annotated[str | None, typer.Option(metavar="ACTIONS", help='Where these lead: "Ks, Qs, raise".')] = None,
    hand: Annotated[str | None, typer.Option(metavar="HAND", help="In a spot: what AhKh does, and its worth.")] = None,
    compare: Annotated[str | None, typer.Option(metavar="OTHER", help="Where two strategies differ most.")] = None,
    tree: Annotated[bool, typer.Option("--tree", help="The first levels of a game's tree.")] = False,
    depth: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many levels.")] = 3,
    game: TheirGame = None,
    runs: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """Show a strategy, a run or a game.

    A strategy is shown with how often play comes to each infoset; --at also tells what each action is worth there. One
    that was made under a view is shown by what the view sees. A spot is shown as a square of hands, at the beginning or
    where --history leads: "check, bet 25, call, card 3c". So is a blueprint of Hold'em: "raise 2bb, call, Qs Jh 2h".

    Example: ruse show leduc.strategy --at "K, no board, raise"
    """
    from ruse.strategy import Strategy

    if (path := spot_file(what, runs)) is not None:
        unused = {"--at": at, "--compare": compare, "--player": player, "--game": game, "--tree": tree or None}
        if wrong := [name for name, value in unused.items() if value is not None]:
            raise RuseError(f"{what} is a spot, which has no {wrong[0]}; --history and --hand ask more of it")
        show_spot(path, line=history or "", hand=hand, as_json=as_json)
        return
    to_list = not (at or history or compare or as_json)  # names and probabilities are all that is shown
    thing = thing_from(ctx, what, runs=runs, game=game, to_list=to_list)
    if isinstance(thing, Strategy) and isinstance(thing.view, Bucketing) and not (at or compare or tree):
        show_blueprint(thing, line=history or "", hand=hand, as_json=as_json)
        return
    if hand is not None:
        raise RuseError(f"--hand {hand} asks for a hand in a spot, and {what} is none; --at asks for an infoset")
    if not isinstance(thing, Strategy):
        if at or history or compare or player is not None:
            raise RuseError(f"{what} is a game; --at, --history, --compare and --player need a strategy or a run")
        show_game(thing, depth=depth if tree else 0, limit=limit, as_json=as_json)
    elif tree:
        raise RuseError(f"--tree needs a game; try `ruse show {spec(thing.game)} --tree`")
    elif at is not None or history is not None:
        if at is not None and history is not None:
            raise RuseError("give --at or --history, not both")
        show_place(thing, at if at is not None else history_from(history or ""), as_json=as_json)
    elif compare is not None:
        other = strategy_from(compare, runs=runs, game=None if game is None else thing.game)
        show_differences(thing, other, limit=limit, as_json=as_json)
    else:
        show_strategy(thing, player=player, sort=sort, limit=limit, as_json=as_json)


def show_strategy(strategy: "Strategy", *, player: int | None, sort: str, limit: int, as_json: bool) -> None:
    players = strategy.game.players
    if player is not None and not 0 <= player < players:
        raise RuseError(f"--player must be 0 to {players - 1} in {called(strategy.game)}, got {player}")
    if sort not in ("tree", "reach"):
        raise RuseError(f"--sort must be tree or reach, got {sort!r}")
    with working("explaining the strategy"):
        # What several players share is each one's.
        every = strategy.listed() or explained(strategy)
        rows = [row for row in every if player is None or row.player in (None, player)]
    if sort == "reach":
        rows.sort(key=lambda row: -row.reach)
    shown = first_of(rows, limit)
    if as_json:
        head: dict[str, Any] = {"game": spec(strategy.game), "view": view_name(strategy.view)}
        head |= {"about": strategy.about, "count": len(rows)}
        print_json(head | {"infosets": [row.as_dict() for row in shown]})
        return
    print(strategy_line(strategy, infosets=len(every), unmet=sum(not row.met for row in every)))
    mixes = [mix_of(r.actions, r.probability) + ("" if r.met else "  (never met)") for r in shown]
    cells = [[who(r.player), r.name, f"{r.reach:.6f}", mix] for r, mix in zip(shown, mixes, strict=True)]
    print_table(["player", "infoset", "reach", "strategy"], cells)
    print_rest(len(shown), len(rows))


def explained(strategy: "Strategy") -> "list[Any]":
    """The infosets as a walk through the game tells them."""
    from ruse.evaluate.explaining.explain import explain

    return list(explain(strategy))


def strategy_line(strategy: "Strategy", *, infosets: int, unmet: int) -> str:
    """What the strategy is, how it was made, and how many infosets there are; some may be unknown to it."""
    about = strategy.about
    made = [str(about["rule"])] if "rule" in about else []
    made += [f"{about['iterations']:,} iterations"] if "iterations" in about else []
    if about.get("exploitability") is not None:  # it is not known of a game too large to be walked whole
        made.append(f"exploitability {about['exploitability']:.3g}")
    view = [] if isinstance(strategy.view, Full) else [f"view {view_title(strategy.view, strategy.game)}"]
    known = f", {unmet:,} of them never met in training and played at random" if unmet else ""
    return f"{called(strategy.game)}: {', '.join([*made, *view, f'{infosets:,} infosets{known}'])}"


def who(player: int | None) -> str:
    return "any" if player is None else str(player)


def show_place(strategy: "Strategy", place: Any, *, as_json: bool) -> None:
    from ruse.evaluate.explaining.explain import state_after, what_here
    from ruse.tree.measure.size import TooLarge

    try:
        with working("explaining the strategy"):
            found = what_here(strategy, place)
    except TooLarge:
        if isinstance(place, str):  # names of infosets come from the game's whole tree
            raise
        choice = strategy.at(state_after(strategy.game, place))
        if as_json:
            print_json({"game": spec(strategy.game)} | choice._asdict())
        else:
            print(choice)
        return
    if as_json:
        print_json({"game": spec(strategy.game)} | found.as_dict())
    else:
        print(found)


def show_differences(ours: "Strategy", theirs: "Strategy", *, limit: int, as_json: bool) -> None:
    from ruse.evaluate.explaining.explain import compare

    with working("comparing"):
        found = [d for d in compare(ours, theirs) if d.distance >= ALIKE and d.weight > 0.0]
    shown = first_of(found, limit)
    if as_json:
        print_json({"game": spec(ours.game), "count": len(found), "differences": [d._asdict() for d in shown]})
        return
    if not found:
        print("the two play alike wherever play comes")
        return
    cells = [
        [
            who(d.player),
            d.name,
            f"{d.weight:.6f}",
            f"{d.distance:.3f}",
            "  ".join(f"{a} {p:.3f}/{d.theirs[a]:.3f}" for a, p in d.ours.items() if max(p, d.theirs[a]) >= 0.0005),
        ]
        for d in shown
    ]
    print_table(["player", "infoset", "reach", "differs", "this/other"], cells)
    print_rest(len(shown), len(found))


def show_game(game: "Game", *, depth: int, limit: int, as_json: bool) -> None:
    from ruse.tree.measure.size import tree_size

    first_of((), limit)  # which refuses a bad one
    if depth < 0:
        raise RuseError(f"--depth must be at least 0, got {depth}")
    if declared(game, "betting"):
        show_spot_size(game, as_json=as_json)
        return
    with working(f"measuring {called(game)}"):
        measured = tree_size(game)
    if as_json:
        facts = measured._asdict() | {"bytes": measured.bytes}
        result: dict[str, Any] = {"game": spec(game), "repr": repr(game), "players": game.players, "size": facts}
        if depth:
            result["tree"] = [facts_of(state) for _, state in islice(nodes(game, depth), limit or None)]
        print_json(result)
        return
    print(repr(game))
    print(measured)
    for count, (move, state) in enumerate(nodes(game, depth) if depth else ()):
        if limit and count == limit:
            print("… and more (--limit 0 shows all)")
            break
        print(line_of(move, state))


def nodes(game: "Game", depth: int) -> Iterator[tuple[str, State]]:
    """The histories of at most `depth` moves, parents first, each with the name of its last move."""
    waiting = [("start", State.of(game))]
    while waiting:
        move, state = waiting.pop()
        yield move, state
        if len(state.history) < depth:
            moves = state.actions
            if state.is_chance:
                moves = [f"{name} ({chance:.3g})" for name, chance in zip(moves, state.chances, strict=True)]
            waiting += reversed(list(zip(moves, state.children(), strict=True)))


def facts_of(state: State) -> dict[str, Any]:
    kind = "end" if state.is_over else "chance" if state.is_chance else f"player {state.player}"
    facts: dict[str, Any] = {"history": state.path(), "who": kind, "actions": state.actions}
    if state.is_chance:
        facts["chances"] = state.chances
    if state.is_over:
        facts["payoffs"] = state.payoffs
    return facts


def line_of(move: str, state: State) -> str:
    """A history as a line of the tree: its last move, then who acts, or the payoffs."""
    if state.is_over:
        what = " ".join(f"{x:+zg}" for x in state.payoffs)
    else:
        what = "chance" if state.is_chance else f"player {state.player} at {state.describe(state.player)!r}"
    return f"{'  ' * len(state.history)}{move}: {what}"
