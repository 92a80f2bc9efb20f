"""`ruse evaluate`: how good a strategy is, exactly."""

import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog.titles import spec
from ruse.cli.terminal.names import game_named, strategy_from
from ruse.cli.terminal.options import METRIC, RUNS, STRATEGY, AsJson, Runs, Seed, TheirGame, whole
from ruse.cli.terminal.output import called, print_forgetting, print_json, print_table, signed, view_name
from ruse.cli.terminal.progress import working
from ruse.cli.terminal.spots import evaluate_spot, spot_file
from ruse.errors import RuseError
from ruse.protocol.choices import Bucketing, Hierarchical
from ruse.tree.measure.size import TooLarge
from ruse.words.student import told_interval

ON_DEALS, LOCAL, LEARNED = 1_000, 2_000, 50_000  # deals, deals and iterations of an estimate
STREET_NAMES = ("before the flop", "the flop", "the turn", "the river")  # where raises begin

if TYPE_CHECKING:
    from ruse.evaluate.best_response import Exploitability
    from ruse.protocol.game import Game
    from ruse.strategy import Strategy


def evaluate(
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help=STRATEGY)],
    *,
    game: TheirGame = None,
    against: Annotated[str | None, typer.Option(metavar="OTHER", help="Exact values against this strategy.")] = None,
    learn: Annotated[
        int | None,
        typer.Option("--lower-bound", parser=whole, metavar="N", help="Learn responses in N iterations instead."),
    ] = None,
    on_deals: Annotated[
        int | None,
        typer.Option("--on-deals", parser=whole, metavar="N", help="Best responses on N deals, by policies."),
    ] = None,
    local: Annotated[
        int | None,
        typer.Option("--local-best-response", parser=whole, metavar="N", help="Of Hold'em for two, on N deals."),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="If the game is too large for it, what can be had instead.")
    ] = False,
    style: Annotated[bool, typer.Option("--style", help="Frequencies of actions, and the payoff's variance.")] = False,
    metric: Annotated[list[str] | None, typer.Option("--metric", metavar="TEXT", help=METRIC)] = None,
    deals: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Deals for the style of a game too large to walk.")
    ] = 10_000,
    seed: Seed = 0,
    runs: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """Measure exactly how good a strategy is.

    Exploitability comes from true best responses; each player's part in it is what he could gain alone. For a game too
    large for that, --lower-bound 50000 learns a response by sampling: what it wins, less what may be luck, is a lower
    bound. Of a strategy that chooses policies, --on-deals 3000 finds exact best responses on so many deals. Against a
    blueprint of Hold'em, --local-best-response 5000 plays who knows its ranges. --estimate does one of these by itself
    where it is needed. --style adds what the strategy does, and --metric one such number. A spot is told in chips above
    half of its pot.

    Example: ruse evaluate leduc.strategy
    """
    if (path := spot_file(strategy, runs)) is not None:
        unused = {
            "--game": game, "--against": against, "--lower-bound": learn, "--on-deals": on_deals,
            "--local-best-response": local, "--style": style or None, "--metric": metric or None,
        }  # fmt: skip
        if wrong := [name for name, value in unused.items() if value is not None]:
            raise RuseError(f"{strategy} is a spot, which is judged exactly, with all hands; leave {wrong[0]} out")
        evaluate_spot(path, as_json=as_json)
        return
    if deals < 2:
        raise RuseError(f"--deals must be at least 2, got {deals}")
    if local is not None and local < 2:
        raise RuseError(f"--local-best-response takes the deals to play, at least 2, got {local}")
    asked = [learn is not None, against is not None, on_deals is not None, local is not None, style or bool(metric)]
    if sum(asked) > 1:
        ways = "--lower-bound, --against, --on-deals, --local-best-response"
        raise RuseError(f"give one of {ways} and --style (or --metric)")
    made = None if game is None else game_named(game)
    mine = strategy_from(strategy, runs=runs, game=made)  # of which the tables of a view may be built first
    if learn is not None:
        report_bound(mine, learn, seed=seed, as_json=as_json)
    elif on_deals is not None:
        report_on_deals(mine, on_deals, seed=seed, as_json=as_json)
    elif local is not None:
        report_local(mine, local, seed=seed, as_json=as_json)
    elif against is None:
        watched = watched_style(mine, metric or [], usual=style, deals=deals, seed=seed) if style or metric else {}
        try:
            report(mine, watched, as_json=as_json)
        except TooLarge as error:
            if not estimate:
                raise
            print(f"ruse: {error.args[0].partition(';')[0]}, so exploitability is bounded from below", file=sys.stderr)
            report_instead(mine, seed=seed, as_json=as_json)
    else:
        refuse_bot(against, mine.game)
        theirs = strategy_from(against, runs=runs, game=made)
        report_duel(mine, theirs, names=(strategy, against), as_json=as_json)


def refuse_bot(text: str, game: "Game") -> None:
    """Raise if a text names a bot: what it does is in no table."""
    from ruse.play.bots.names import bots_of

    if text.partition(":")[0] in bots_of(game):
        raise RuseError(f"{text} is a bot and has no table of probabilities; `ruse match` measures it by playing")


def report(strategy: "Strategy", style: dict[str, Any], *, as_json: bool) -> None:
    """Exploitability, and the style if it was asked for; of a game too large to walk the style alone."""
    found = None
    if "deals" not in style:  # else it had to be sampled
        with working(f"evaluating on {called(strategy.game)}"):
            found = measured(strategy)
    if as_json:
        told = {"game": spec(strategy.game), "view": view_name(strategy.view), "infosets": len(strategy)}
        print_json(told | measures(found) | {"about": strategy.about} | style)
        return
    if found is None:
        print(f"{called(strategy.game)}: too large for exploitability; --lower-bound learns a bound")
    else:
        print(f"{called(strategy.game)}: exploitability {float(found):.6g} (NashConv {found.nash_conv:.6g})")
        rows = zip(found.values, found.best, found.per_player, strict=True)
        cells = [[str(p), signed(v), signed(b), f"{gain:z.6f}"] for p, (v, b, gain) in enumerate(rows)]
        headers = ["player", "value", "best response", "could gain"]
        print_table(headers, cells, right=headers[1:])
        print_forgetting(strategy.game)
    if style:
        print_style(**style)


def measured(strategy: "Strategy") -> "Exploitability":
    """Exploitability; where the game is too large for it, what can be had instead is named."""
    from ruse.evaluate.exploitability import exploitability

    try:
        return exploitability(strategy.game, strategy)
    except TooLarge as error:
        ways = "--lower-bound 100000 learns a bound"
        if has_buckets(strategy):
            ways += ", and --local-best-response 2000 plays one that needs no learning"
        raise TooLarge(f"{error}; {ways}; --estimate does what fits best") from error


def has_buckets(strategy: "Strategy") -> bool:
    """Whether a local best response can be played: hands in buckets, and two players."""
    return isinstance(strategy.view, Bucketing) and strategy.game.players == 2


def report_instead(strategy: "Strategy", *, seed: int, as_json: bool) -> None:
    """What can be had where the game is too large: responses on deals, a local one, or one that is learned."""
    if isinstance(strategy.view, Hierarchical):
        report_on_deals(strategy, ON_DEALS, seed=seed, as_json=as_json)
    elif has_buckets(strategy):
        report_local(strategy, LOCAL, seed=seed, as_json=as_json)
    else:
        report_bound(strategy, LEARNED, seed=seed, as_json=as_json)


def measures(found: "Exploitability | None") -> dict[str, Any]:
    if found is None:
        return {"exploitability": None}
    return {
        "exploitability": float(found), "nash_conv": found.nash_conv, "exploitability_per_player": found.per_player,
        "game_value": found.values[0], "values": found.values, "best_responses": found.best,
    }  # fmt: skip


def watched_style(strategy: "Strategy", texts: list[str], *, usual: bool, deals: int, seed: int) -> dict[str, Any]:
    """The metrics that were asked for, then the usual ones if they were; and of how many deals, if they are sampled."""
    from ruse.styles.metrics import metric, usual_metrics, watch
    from ruse.styles.sample import Sample

    game = strategy.game
    with working(f"watching play on {called(game)}"):
        asked = [metric(game, text) for text in texts]
        play = watch(strategy, deals=deals, seed=seed)
        asked += [metric(game, text) for text in usual_metrics(game, play.decisions)] if usual else []
        found = {m.name: m.on(play).as_dict() for m in asked}
    return {"style": list(found.values())} | ({"deals": deals, "seed": seed} if isinstance(play, Sample) else {})


def print_style(style: list[dict[str, Any]], deals: int = 0, seed: int = 0) -> None:
    """A table of metrics, with intervals if there were deals."""
    how = f"in {deals:,} deals with seed {seed}, and 95 % intervals" if deals else "exactly"
    print(f"style when all follow the strategy, {how}")
    cells = []
    for row in style:
        value = "never legal" if math.isnan(row["value"]) else f"{row['value']:z.6f}"
        low, high = row["interval"] or (math.nan, math.nan)  # none of what is exact
        cells.append([row["name"], value, *([] if row["interval"] is None else [told_interval(low, high, "z.6f")])])
    headers = ["metric", "value", *(["interval"] if deals else [])]
    print_table(headers, cells, right=["value"])


def report_bound(strategy: "Strategy", iterations: int, *, seed: int, as_json: bool) -> None:
    from ruse.evaluate.lower_bound import CONFIDENCE, lower_bound

    if iterations < 1:
        raise RuseError(f"--lower-bound takes the iterations to learn in, at least 1, got {iterations}")
    with working(f"learning to beat it on {called(strategy.game)}"):
        found = lower_bound(strategy.game, strategy, iterations=iterations, seed=seed)
    if as_json:
        print_json(
            {"game": spec(strategy.game), "lower_bound": found.bound, "confidence": CONFIDENCE, **found._asdict()}
        )
    else:
        print(f"{called(strategy.game)}: {found}")


def report_on_deals(strategy: "Strategy", deals: int, *, seed: int, as_json: bool) -> None:
    """What is won against a strategy that chooses policies, on deals with this seed and on as many with the next."""
    from ruse.subgame.deal_responses import won_on_deals

    game, view = strategy.game, strategy.view
    if deals < 2:
        raise RuseError(f"--on-deals must be at least 2, got {deals}")
    with working(f"walking {deals:,} deals of {called(game)}"):
        won = won_on_deals(strategy, deals, seed=seed)
    if as_json:
        each = {name: {"mean": one.mean, "interval": one.interval} for name, one in won.items()}
        print_json({"game": spec(game), "view": view_name(view), "deals": deals, "seed": seed, "won": each})
        return
    print(f"{called(game)}: points a game that are won against it, the mean of all seats, {deals:,} deals, seed {seed}")
    cells = [[name, signed(one.mean), told_interval(*one.interval, "+z.4f")] for name, one in won.items()]
    print_table(["", "won", "95 % interval"], cells, right=["won"])


def report_local(strategy: "Strategy", deals: int, *, seed: int, as_json: bool) -> None:
    """What a local best response wins, which bounds exploitability from below."""
    from ruse.evaluate.holdem.local import CONFIDENCE, local_best_response

    with working("playing a local best response"):
        found = local_best_response(strategy, deals=deals, seed=seed)
    if as_json:
        each = [one._asdict() | {"interval": one.interval} for one in found.by_street]
        print_json({"game": spec(strategy.game), "lower_bound": found.bound, "confidence": CONFIDENCE, "from": each})
        return
    shared = f"{100 * CONFIDENCE:.0f} % confidence for all four together"
    print(f"{called(strategy.game)}: what a local best response wins, in thousandths of a big blind a hand (mbb)")
    print(f"{deals:,} deals, seed {seed}, {shared}")
    cells = [[street, str(one)] for street, one in zip(STREET_NAMES, found.by_street, strict=True)]
    print_table(["raises from", "wins"], cells)
    bound = f"exploitability is at least {1000 * found.bound:.0f} mbb a hand"
    print(bound if found.bound > 0 else "no lower bound on exploitability but 0: what was won may be luck")


def report_duel(mine: "Strategy", theirs: "Strategy", *, names: tuple[str, str], as_json: bool) -> None:
    """What the first is worth in each seat when the second has all others."""
    from ruse.evaluate.exploitability import values_against

    game = mine.game
    with working(f"evaluating on {called(game)}"):
        by_seat = values_against(mine, theirs)
    mean = sum(by_seat) / len(by_seat)
    if as_json:
        result: dict[str, Any] = {"game": spec(game), "strategy": names[0], "against": names[1]}
        print_json(result | {"by_seat": by_seat, "mean": mean})
        return
    print(f"{called(game)}: {names[0]} against {names[1]}, exactly")
    rows = [[f"seat {seat}", signed(value)] for seat, value in enumerate(by_seat)]
    print_table(["", "value"], [*rows, ["mean", signed(mean)]], right=["value"])
