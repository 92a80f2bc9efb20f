"""Spots as people look at them: a place in words, a square of hands, one hand with all that is known of it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.cli.terminal.output import is_coloured, print_json, print_table, signed
from ruse.cli.terminal.progress import working
from ruse.errors import FileTrouble
from ruse.words.printable import beneath

if TYPE_CHECKING:
    from ruse.spots.places import Here
    from ruse.spots.strategy import SpotStrategy


def spot_file(text: str, runs: Path) -> Path | None:
    """Where the strategy of a spot is that a text means; None if it means something else."""
    from ruse.store.strategies import strategy_path
    from ruse.store.tensors import metadata_of

    try:
        path = strategy_path(text, runs)
        is_spot = metadata_of(path).get("format", "").startswith("ruse-spot/")
    except FileTrouble:  # whoever takes it for something else says what is wrong
        return None
    return path if is_spot else None


def show_spot(path: Path, *, line: str, hand: str | None, as_json: bool) -> None:
    """How a spot is played at a place, by all hands or by one."""
    from ruse.spots.facts import everything, facts_of
    from ruse.spots.places import here, place_after
    from ruse.spots.strategy import SpotStrategy

    with working(f"reading {path}"):
        strategy = SpotStrategy.load(path)
    place = place_after(strategy.game, line)
    with working("following the line"):
        at = here(strategy, place)
    if at.player < 0:
        show_nobody(strategy, at, as_json=as_json)
    elif hand is not None:
        show_hand(strategy, at, hand, as_json=as_json)
    elif as_json:
        with working("counting what follows"):
            told = facts_of(strategy, at) | everything(strategy, at)
        print_json(told)
    else:
        print(title(strategy))
        print(where(strategy, at))
        print_square(at)


def evaluate_spot(path: Path, *, as_json: bool) -> None:
    """How good the strategy of a spot is, and what it is worth to both, in chips above half of the pot."""
    from ruse.games.holdem.spots.spot import SEATS
    from ruse.spots.strategy import SpotStrategy

    with working(f"reading {path}"):
        strategy = SpotStrategy.load(path)
    game = strategy.game
    with working(f"evaluating on {game.own_title}"):
        found = strategy.engine.exploitability()
    percent = 100.0 * float(found) / game.stake
    if as_json:
        print_json({
            "game": game.own_spec, "exploitability": float(found), "exploitability_percent": percent,
            "nash_conv": found.nash_conv, "exploitability_per_player": found.per_player, "values": found.values,
            "best_responses": found.best, "about": strategy.about,
        })  # fmt: skip
        return
    print(title(strategy))
    print(f"exploitability {float(found):.6g} chips, {percent:.3g} % of the pot (NashConv {found.nash_conv:.6g})")
    rows = zip(SEATS, found.values, found.best, found.per_player, strict=True)
    headers = ["", "value", "best response", "could gain"]
    print_table(headers, [[seat, signed(v), signed(b), f"{g:z.6f}"] for seat, v, b, g in rows], right=headers[1:])
    print(f"values are chips above half of the pot of {game.stake:g}")


def show_spot_size(game: Any, *, as_json: bool) -> None:
    """A spot that nobody has solved yet."""
    from ruse.solve.solver.presets import dcfr
    from ruse.spots.size import SpotSize

    with working(f"measuring {game.own_title}"):
        size = SpotSize.of(game, dcfr())
    if as_json:
        print_json({"game": game.own_spec, "players": game.players, "size": size.as_dict()})
    else:
        print(game.own_spec)
        print(size)


# ---- in words --------------------------------------------------------------------------------------------------------


def title(strategy: "SpotStrategy") -> str:
    about = strategy.about
    made = [str(about[name]) for name in ("rule",) if name in about]
    made += [f"{about['iterations']:,} iterations"] if isinstance(about.get("iterations"), int) else []
    if isinstance(gap := about.get("exploitability"), int | float):
        made.append(f"exploitability {100.0 * gap / strategy.game.stake:.3g} % of the pot")
    return f"{strategy.game.own_title}: {', '.join(made)}"


def where(strategy: "SpotStrategy", at: "Here") -> str:
    """The place, the board, the pot and whose turn it is."""
    from ruse.games.holdem.cards import names_of
    from ruse.games.holdem.spots.spot import SEATS

    game, place = strategy.game, at.place
    begins = f"after {place.where}" if place.line else place.where
    head = f"{begins} ({place.street(game)} {names_of(place.board(game))}, pot {place.pot(game)})"
    if at.player < 0:
        return head
    put = game.put[place.node]
    call = int(put.max() - put[at.player])
    return f"{head}: {SEATS[at.player]} to act" + (f", {call} to call" if call else "")


def show_nobody(strategy: "SpotStrategy", at: "Here", *, as_json: bool) -> None:
    """A place where a card is due, or where it is over."""
    from ruse.games.holdem.spots.betting import DEAL
    from ruse.spots.facts import facts_of
    from ruse.spots.places import ENDS

    if as_json:
        print_json(facts_of(strategy, at))
        return
    print(title(strategy))
    print(where(strategy, at))
    if at.player == DEAL:
        print(f'a card is due; say which: --history "{", ".join([*at.place.line, "card 3c"])}"')
    else:
        print(f"this is {ENDS[at.player]}")


def print_square(at: "Here") -> None:
    """How all hands are played at a place: what the colours or letters mean, and a square of hands."""
    from ruse.spots.grid import Grid, coloured_lines, legend, on, plain_lines

    grid, colourful = Grid.of(at), is_coloured()
    entries = []
    for letter, action, colour, share in legend(at):
        mark = on(f" {letter} ", [colour] * (len(letter) + 2)) if colourful else letter
        entries.append(f"{mark} {action} {share:.1%}")
    lines = ["   ".join(entries), "", *(coloured_lines(grid) if colourful else plain_lines(grid))]
    for row in lines:
        print(row, file=beneath(sys.stdout) if colourful else sys.stdout)


def show_hand(strategy: "SpotStrategy", at: "Here", text: str, *, as_json: bool) -> None:
    """What one hand does, what each action is worth to it, and how it stands against what the other may have."""
    from ruse.games.holdem.spots.spot import SEATS
    from ruse.spots.facts import facts_of, known_of

    with working("counting what follows"):
        known = known_of(strategy, at, text)
    if as_json:
        print_json(facts_of(strategy, at) | {"hand": known})
        return
    print(title(strategy))
    print(where(strategy, at))
    other = SEATS[1 - at.player]
    equity = "meets no hand" if known["equity"] is None else f"equity {known['equity']:.2%}"
    print(f"{known['name']}: {equity} of {other} here; it comes here {known['reach']:.3g} times of 1")
    worth = known["values"]
    cells = [[action, f"{share:.3f}", f"{worth[action]:+z.3f}"] for action, share in known["strategy"].items()]
    print_table(["action", "probability", "worth"], cells, right=["probability", "worth"])
