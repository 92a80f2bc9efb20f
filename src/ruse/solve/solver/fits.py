"""What goes with what: one table of rules, walks, prunings, preferences, starts, teachers, threads, views and games.

Each line says when things do not go together, and why, in the sentence that a person reads. Whoever is asked for
something asks here, as soon as it is known: a preset when a solver is made, training before a run is, an engine when
the game has been expanded. Lines are read from the top, and the first that is true is told.
"""

from collections.abc import Callable
from typing import NamedTuple

from ruse.errors import RuseError
from ruse.protocol.choices import Hierarchical, has_choices
from ruse.protocol.view import Full
from ruse.solve.solver.rules import FADING, FLOOR, INFINITY, NEGATIVE, POSITIVE, Weights
from ruse.solve.solver.setup import MOST_THREADS
from ruse.solve.solver.setup import Setup as Setup
from ruse.solve.solver.traits import HORIZON, RANGES, share_seats

STOPS = {"--iterations", "--target", "--seconds"}


class Misfit(NamedTuple):
    """Things that do not go together, and why."""

    when: Callable[[Setup], bool]
    why: str


def weighs(weights: list[Weights], *kinds: int) -> bool:
    """Whether any of these weights is not 1."""
    return any(w[kind] != 1.0 for w in weights for kind in kinds)


TABLE: dict[str, tuple[Misfit, ...]] = {
    "horizon": (
        Misfit(lambda s: s.horizon is not None and s.uncut != "",
               "{uncut}"),
        Misfit(lambda s: s.horizon is not None and (s.samples or s.part is not None),
               "up to a horizon every history is visited, with all hands at once; leave walk and prune out, or the "
               "horizon"),
        Misfit(lambda s: s.horizon is not None and s.prefer is not None,
               "what is solved up to a horizon has no preferences; leave prefer or the horizon out"),
        Misfit(lambda s: s.horizon is not None and s.backend is not None and HORIZON not in s.backend.engines,
               "up to a horizon games are solved by the processor alone; use on='cpu'"),
        Misfit(lambda s: s.horizon is not None and (s.start, s.against, s.threads) != (None, None, None),
               "up to a horizon a game is solved from nothing, against nobody and by one thread; leave start, against "
               "and threads out"),
        Misfit(lambda s: s.horizon is not None and not isinstance(s.view, Full | None),
               "up to a horizon a game is solved hand by hand; leave the view {view} out"),
    ),
    "pruning and walk": (
        Misfit(lambda s: s.solver is not None and s.prunes.reviews and not (s.walks.skips and s.walks.explores_all),
               "{part} pruning is for {exploring}, not for {walk}; with a full walk use prune='brp'"),
        Misfit(lambda s: s.solver is not None and s.part is not None and s.prunes.samples and not s.walks.skips,
               "{part} pruning is for the walks {skipping}, not for {walk}"),
        Misfit(lambda s: s.samples and not s.prunes.samples,
               "{part} looks at whole iterations, and the {walk} walk samples them; use prune='threshold' or 'hybrid'"),
    ),
    "pruning and rule": (
        Misfit(lambda s: s.prunes.by_regret and any(
                   w[FLOOR] > -INFINITY or w[NEGATIVE] <= 0.5 for w in s.early_and_late[1:]),
               "{name} soon forgets negative regret, by which {part} pruning goes; use mccfr or lcfr"),
        Misfit(lambda s: s.prunes.by_regret and s.has_price,
               "a price of beta lowers every regret of an infoset, and {part} pruning would skip actions that the "
               "preference plays; leave beta or prune out"),
        Misfit(lambda s: s.prunes.leaves_out and s.prefer is not None,
               "{part} leaves out what has no regret, and a preference plays it; leave prefer or prune out"),
        Misfit(lambda s: s.prunes.leaves_out and weighs(s.early_and_late, POSITIVE, NEGATIVE),
               "{name} weighs old regret anew on every iteration, and {part} leaves infosets out; use cfr"),
        Misfit(lambda s: s.prunes.leaves_out and s.minimizer.predicts,
               "{name} expects the last regret to come again, and {part} leaves regrets out; use cfr"),
        Misfit(lambda s: s.prunes.leaves_out and s.solver is not None and not s.minimizer.matches_regret,
               "{name} does not play by regret matching, on which {part} counts; use cfr"),
        Misfit(lambda s: s.prunes.counts_all and any(w[FLOOR] > -INFINITY for w in s.early_and_late),
               "{name} forgets negative regret, which tells {part} what to leave out; use cfr or prune='partial'"),
        Misfit(lambda s: s.prunes.counts_all and weighs(s.early_and_late, FADING),
               "{name} averages later iterations with more weight, and {part} counts all alike; use cfr"),
    ),
    "preference and rule": (
        Misfit(lambda s: s.has_price and not s.has_own_form and not s.minimizer.feels_price,
               "hedge sees only how regrets differ, so a price of beta on all of them changes nothing; leave beta out, "
               "or use another rule"),
        Misfit(lambda s: s.noticed.is_placeless and s.prefer is not None,
               "preferences belong to a game: train the solver, or give it the rows that are preferred"),
    ),
    "preference and view": (
        Misfit(lambda s: s.noticed.alone is not None,
               "under this view the players of {game} share infosets, so player {noticed.alone} cannot prefer alone; "
               "leave the player out"),
    ),
    "lock": (
        Misfit(lambda s: s.is_locked and s.exact,
               "--lock is for solvers that iterate; leave --exact out"),
        Misfit(lambda s: s.is_locked and s.horizon is not None,
               "--lock is for whole games; leave --horizon or --lock out"),
        Misfit(lambda s: s.is_locked and not isinstance(s.view, Full | None),
               "a lock names infosets of the game itself, so it does not go with the view {view}"),
        Misfit(lambda s: bool(s.moved),
               "what player {moved} does first is locked, and a preference there would go to a later decision; leave "
               "the lock, or the word first, out"),
        Misfit(lambda s: s.runless != "" and s.about_run != "",
               "no run is kept with {runless}; leave {about_run} out, or {runless}: --out FILE keeps the strategy"),
    ),
    "teachers": (
        Misfit(lambda s: bool(s.shares) and s.against is None,
               "--share {share} is a share of games against a bot; say which, as in --against heuristic"),
        Misfit(lambda s: s.against is not None and s.is_full,
               "training against a bot samples games; choose a sampled walk, as walk='probing'"),
        Misfit(lambda s: s.against is not None and s.prefer is not None,
               "a training against bots has no preferences; leave prefer or against out"),
        Misfit(lambda s: s.against is not None and s.prunes.reviews,
               "reviews of {part} pruning need both players to learn; use prune='threshold' against bots"),
        Misfit(lambda s: s.against is not None and isinstance(s.view, Hierarchical),
               "under {view} policies play, and a bot has no seat beside them; leave against or the view out"),
        Misfit(lambda s: s.against is not None and s.game is not None and not hasattr(s.game, "observe"),
               "training against a bot needs a game that shows it something by observe(), got {game}"),
        Misfit(lambda s: s.teacher is not None and not hasattr(s.teacher, "decide"),
               "{teacher} keeps no books of the game, so it cannot take a seat in a training"),
    ),
    "limits": (
        Misfit(lambda s: s.solver is not None and s.limits is not None and s.limits.iterations is None
               and s.solver.follows_schedule,
               "{name} follows a schedule over the planned iterations: give iterations"),
        Misfit(lambda s: s.noticed.scheduled is not None and s.solver is not None and s.solver.follows_schedule,
               "{name} follows a schedule over {noticed.scheduled} iterations; start a new run"),
        Misfit(lambda s: s.limits is not None and s.limits.target is not None and s.unjudged != "",
               "exploitability of {game} cannot be measured: {unjudged}; give iterations or seconds, not a target"),
        Misfit(lambda s: s.stops_by_exploitability and s.unjudged != "",
               "exploitability of {game} cannot be measured: {unjudged}; stop by the win rate against a bot instead"),
    ),
    "backend": (
        Misfit(lambda s: s.backend is not None and s.backend.name not in s.backend.known,
               "there is no machine {backend!r} to solve on; there is {backends}"),
        Misfit(lambda s: s.backend is not None and s.solver is not None and s.engine not in s.backend.engines,
               "{backend} has no {engine} engine, which the walk {walk} needs; use on='cpu'"),
        Misfit(lambda s: s.backend is not None and s.backend.lacks != "",
               "{lacks}"),
        Misfit(lambda s: s.is_spread and s.shared,
               "machines of a cluster cannot write into one table at once; leave shared out"),
        Misfit(lambda s: s.is_spread and s.prunes.reviews,
               "{part} pruning looks at the whole table at once, and a cluster keeps it in parts; use "
               "prune='threshold', or on='cpu'"),
    ),
    "threads": (
        Misfit(lambda s: s.threads is not None and s.threads < 1,
               "threads must be at least 1, got {threads}; leave them out for a plain run"),
        Misfit(lambda s: s.threads is not None and s.threads >= MOST_THREADS,
               "threads must be fewer than {most}, got {threads}"),
        Misfit(lambda s: s.shared and s.threads is None,
               "a shared table is for threads; say how many, as threads=2"),
        Misfit(lambda s: s.debug_keys and s.is_full,
               "the full-width engine walks the whole game: `ruse check` looks at its keys"),
        Misfit(lambda s: s.threads is not None and s.is_full and s.engine != RANGES,
               "the full-width engine uses one thread; leave threads out, or choose a sampled walk"),
    ),
    "walk and rule": (
        Misfit(lambda s: s.samples and s.minimizer.predicts,
               "{name} predicts the next regret from the last, which sampling turns into noise; use dcfr"),
        Misfit(lambda s: s.solver is not None and s.samples and s.solver.follows_schedule,
               "{name} follows a schedule made for full iterations; use lcfr or dcfr with sampling"),
        Misfit(lambda s: s.solver is not None and s.samples and not s.solver.alternating,
               "the walk {walk} updates one player after the other in any case; leave simultaneous out, or use the "
               "full walk"),
        Misfit(lambda s: s.threads is not None and s.prunes.reviews,
               "{part} pruning stops all walks for its reviews, so it uses one thread; leave threads out"),
    ),
    "walk and game": (
        Misfit(lambda s: s.sampling and s.solver is not None and not hasattr(s.solver.walk, "kernel"),
               "{walk} is not a sampled walk"),
        Misfit(lambda s: s.noticed.wide is not None,
               "{game} has a decision with more than {noticed.wide:,} actions, too many for sampled walks"),
        Misfit(lambda s: s.noticed.deep is not None,
               "{game} is deeper than {noticed.deep} decisions on one path; limit its length, or use a walk that plays "
               "one line, as outcome"),
        Misfit(lambda s: s.noticed.vast is not None,
               "the walk {walk} explores every action of a player, in {game} more than {noticed.vast:.0e} histories an "
               "iteration, so that not one would end; use a walk that plays one line: --walk outcome"),
        Misfit(lambda s: s.noticed.lines is not None,
               "the walk {walk} plays up to {noticed.lines:.0e} lines an iteration where policies are chosen so "
               "often, which may take hours; choose less often, or use a walk that plays one line: --walk outcome"),
        Misfit(lambda s: s.samples and s.walks.branches and s.too_long != "",
               "{game} need not end by itself, and the walk {walk} goes on from every action that it explores; end it "
               "with the field {end}, or use a walk that plays one line, as outcome"),
    ),
    "start": (
        Misfit(lambda s: s.starts.copies and s.is_full and weighs(
                   s.weights(1, progress=0.0), POSITIVE, NEGATIVE, FADING),
               "{name} forgets all that was before its first iteration, so nothing would be left of a copy; use cfr, "
               "or a sampled walk"),
        Misfit(lambda s: s.starts.warms and s.samples,
               "{start} needs the full-width engine; {instead}"),
        Misfit(lambda s: s.starts.warms and weighs(
                   s.weights(1, 2, 1000, progress=0.0), POSITIVE, NEGATIVE, FADING),
               "{name} weighs iterations, and a warm start has none to weigh; use cfr"),
        Misfit(lambda s: s.starts.warms and s.prefer is not None,
               "a warm start is made for regret matching without preferences; copy tables instead"),
        Misfit(lambda s: s.starts.warms and s.solver is not None
               and (not s.minimizer.matches_regret or s.minimizer.predicts),
               "{name} does not play by regret matching, for which warm start is made; use cfr"),
        Misfit(lambda s: s.start is not None and s.prunes.reviews,
               "a pruned training counts on all that was played since its first iteration; leave the start out"),
        Misfit(lambda s: s.noticed.is_uncounted,
               "a pruned training counts on all that was played since its first iteration, which these sums do not "
               "tell; start from a strategy (ruse.WarmStart), or leave the start out"),
        Misfit(lambda s: s.starts.warms and s.form is not None and s.form.players != 2,
               "warm start from a strategy is for two players; {game} has {players}: copy tables instead"),
        Misfit(lambda s: s.starts.warms and s.form is not None and not s.form.perfect_recall,
               "warm start from a strategy needs players who forget nothing; this view of {game} forgets"),
        Misfit(lambda s: s.starts.warms and s.constant_sum is False,
               "warm start from a strategy needs payoffs that cancel; in {game} they do not: copy tables instead"),
    ),
    "ranges": (
        Misfit(lambda s: s.is_full and s.part is not None and s.own_engine == RANGES,
               "a spot is solved with all hands at once, and {part} pruning takes it deal by deal; leave prune out"),
        Misfit(lambda s: s.engine == RANGES and s.prefer is not None and (s.threads or 1) > 1,
               "preferences in a spot are followed hand by hand, in one thread; leave threads out"),
        Misfit(lambda s: s.engine == RANGES and s.shared,
               "threads that solve a spot give the same bits as one; leave shared out"),
        Misfit(lambda s: s.engine == RANGES and s.start is not None,
               "a spot is solved from nothing; leave {start} out"),
        Misfit(lambda s: s.engine == RANGES and not isinstance(s.view, Full | None),
               "a spot is solved hand by hand; leave the view {view} out"),
    ),
    "view and game": (
        Misfit(lambda s: s.debug_keys and not isinstance(s.view, Full | Hierarchical | None)
               and not hasattr(s.view, "describe"),
               "{view} has no describe(game, s), so nobody can tell which of its keys collide"),
        Misfit(lambda s: s.is_full and has_choices(s.view),
               "{view} offers actions of its own, which only sampled walks understand; choose one"),
        Misfit(lambda s: s.form is not None and s.prunes.leaves_out and not s.form.perfect_recall,
               "{part} needs players who forget nothing; this view of {game} forgets"),
        Misfit(lambda s: s.form is not None and s.prunes.counts_all and s.form.players != 2,
               "{part} is for two players, because it needs the average of all that a player has faced; {game} has "
               "{players}: use the pruning {other}"),
        Misfit(lambda s: s.form is not None and s.is_full and share_seats(s.form),
               "under this view the players of {game} share infosets, which the full-width engine keeps apart; use a "
               "sampled walk, as walk='chance'"),
    ),
    "adapting": (
        Misfit(lambda s: s.adapts and s.exact and bool(s.unused),
               "{game} has no use for {unused} with --adapt-to; leave it out: a linear program finds the answer"),
        Misfit(lambda s: s.adapts and bool(s.unused),
               "{game} has no use for {unused} with --adapt-to; leave it out"),
    ),
    "resume": (
        Misfit(lambda s: s.resumed != "" and s.renamed != "",
               "--resume {resumed} knows its game; leave {renamed} out; `ruse resume {resumed} --game GAME` takes "
               "another file of it"),
        Misfit(lambda s: s.resumed != "" and bool(s.unused),
               "--resume {resumed} goes on as it was asked for; leave {unused} out, or start a new run"),
    ),
    "linear program": (
        Misfit(lambda s: s.exact and not STOPS.isdisjoint(s.unused),
               "--exact solves in one go; leave --iterations, --target and --seconds out"),
        Misfit(lambda s: s.exact and "--prefer" in s.unused,
               "--exact finds one equilibrium and has no preferences; leave --prefer or --exact out"),
        Misfit(lambda s: s.exact and bool(s.unused),
               "--exact solves by a linear program, which has no use for {unused}; leave them or --exact out"),
        Misfit(lambda s: s.exact and s.form is not None and (s.form.players != 2 or not s.form.perfect_recall),
               "only two-player games with perfect recall have an exact answer by linear programming"),
        Misfit(lambda s: s.exact and s.constant_sum is False,
               "only games of zero or constant sum have an exact answer by linear programming; these payoffs add up to "
               "more at some ends than at others"),
    ),
}  # fmt: skip


def why_not(setup: Setup, *sections: str) -> str | None:
    """Why these do not go together; None if they do. By default the whole table is asked."""
    for section in sections or TABLE:
        for line in TABLE[section]:
            if line.when(setup):
                return line.why.format(**setup.words())
    return None


class Unfit(RuseError):
    """Things do not go together that are fine apart."""


def must_fit(setup: Setup, *sections: str) -> None:
    """Raise if these do not go together."""
    if (why := why_not(setup, *sections)) is not None:
        raise Unfit(why)
