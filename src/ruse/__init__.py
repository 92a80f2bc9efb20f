"""ruse solves, styles and plays games of hidden information.

    import ruse

    game = ruse.Leduc()
    run = ruse.train(game, ruse.dcfr(), iterations=1_000)
    print(run.exploitability, run.strategy["K, no board, raise"])

Names are imported when they are first used, so that `import ruse` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# `ruse.game` and `ruse.curriculum` are functions; the modules are for `from ruse.game import ...`.
from ruse.catalog import game, spec_of
from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.curriculum import Copying, Lesson, Nothing, Tilting, Warming, curriculum
from ruse.errors import RuseError
from ruse.game import CHANCE, EVERYTHING, OVER, Game, Row
from ruse.state import State

if TYPE_CHECKING:
    from ruse.bots.bot import Bot, CompiledBot, RandomBot, Seat, StrategyBot, WatchingBot
    from ruse.bots.names import bot
    from ruse.evaluate.best_response import Exploitability
    from ruse.evaluate.equilibria import Equilibria, equilibria
    from ruse.evaluate.explain import compare, explain, export, export_file, what_here
    from ruse.evaluate.exploitability import expected_values, exploitability
    from ruse.evaluate.lower_bound import LowerBound, lower_bound
    from ruse.evaluate.match import MatchResult, match
    from ruse.evaluate.price import Price, price
    from ruse.evaluate.style import Measured, Metric, metric, style_of
    from ruse.evaluate.teachers import Teachers
    from ruse.games.cheat import Cheat
    from ruse.games.explicit import Explicit
    from ruse.games.goofspiel import Goofspiel
    from ruse.games.kuhn import Kuhn
    from ruse.games.leduc import Leduc
    from ruse.games.liars_dice import LiarsDice
    from ruse.games.matrix import Matrix, matching_pennies, matrix, rock_paper_scissors
    from ruse.laws import check
    from ruse.progress import Run
    from ruse.solve.exact import solve_exactly
    from ruse.solve.expanded import Expanded
    from ruse.solve.favour import Best, Most, Weighted
    from ruse.solve.learned import Learned
    from ruse.solve.prefer import Prefer, Preference, preference
    from ruse.solve.preferred import prefer
    from ruse.solve.presets import (
        PRESETS,
        Solver,
        cfr,
        cfr_plus,
        cfvfp,
        dcfr,
        dcfr_plus,
        hedge,
        hs_dcfr,
        hs_pcfr_plus,
        lcfr,
        mccfr,
        pcfr_plus,
        pdcfr_plus,
    )
    from ruse.solve.prune import Threshold
    from ruse.solve.robust import Robust
    from ruse.solve.rules import BestRegret, Discount, Hedge, RegretMatching, add_regret
    from ruse.solve.size import Size, TooLarge, size
    from ruse.solve.walks import (
        AverageSampling,
        ChanceSampling,
        ExternalSampling,
        OutcomeSampling,
        Probing,
        RobustSampling,
    )  # fmt: skip
    from ruse.starts import Copied, Leaning, WarmStart
    from ruse.stops import Exploited, Iterations, Rate, Stalled, WinRate
    from ruse.strategy import Strategy
    from ruse.styling import Styled, Target, style
    from ruse.training import new_run, resume, train
    from ruse.view import Full, View

_HOME = {
    "ruse.bots.bot": ["Bot", "CompiledBot", "RandomBot", "Seat", "StrategyBot", "WatchingBot"],
    "ruse.bots.names": ["bot"],
    "ruse.evaluate.best_response": ["Exploitability"],
    "ruse.evaluate.equilibria": ["Equilibria", "equilibria"],
    "ruse.evaluate.explain": ["compare", "explain", "export", "export_file", "what_here"],
    "ruse.evaluate.exploitability": ["expected_values", "exploitability"],
    "ruse.evaluate.lower_bound": ["LowerBound", "lower_bound"],
    "ruse.evaluate.match": ["MatchResult", "match"],
    "ruse.evaluate.price": ["Price", "price"],
    "ruse.evaluate.style": ["Measured", "Metric", "metric", "style_of"],
    "ruse.evaluate.teachers": ["Teachers"],
    "ruse.games.cheat": ["Cheat"],
    "ruse.games.explicit": ["Explicit"],
    "ruse.games.goofspiel": ["Goofspiel"],
    "ruse.games.kuhn": ["Kuhn"],
    "ruse.games.leduc": ["Leduc"],
    "ruse.games.liars_dice": ["LiarsDice"],
    "ruse.games.matrix": ["Matrix", "matching_pennies", "matrix", "rock_paper_scissors"],
    "ruse.laws": ["check"],
    "ruse.progress": ["Run"],
    "ruse.solve.exact": ["solve_exactly"],
    "ruse.solve.expanded": ["Expanded"],
    "ruse.solve.favour": ["Best", "Most", "Weighted"],
    "ruse.solve.learned": ["Learned"],
    "ruse.solve.prefer": ["Prefer", "Preference", "preference"],
    "ruse.solve.preferred": ["prefer"],
    "ruse.solve.presets": [
        "PRESETS", "Solver", "cfr", "cfr_plus", "cfvfp", "dcfr", "dcfr_plus", "hedge", "hs_dcfr", "hs_pcfr_plus",
        "lcfr", "mccfr", "pcfr_plus", "pdcfr_plus",
    ],
    "ruse.solve.prune": ["Threshold"],
    "ruse.solve.robust": ["Robust"],
    "ruse.solve.rules": ["BestRegret", "Discount", "Hedge", "RegretMatching", "add_regret"],
    "ruse.solve.size": ["Size", "TooLarge", "size"],
    "ruse.solve.walks": [
        "AverageSampling", "ChanceSampling", "ExternalSampling", "OutcomeSampling", "Probing", "RobustSampling",
    ],
    "ruse.starts": ["Copied", "Leaning", "WarmStart"],
    "ruse.stops": ["Exploited", "Iterations", "Rate", "Stalled", "WinRate"],
    "ruse.strategy": ["Strategy"],
    "ruse.styling": ["Styled", "Target", "style"],
    "ruse.training": ["new_run", "resume", "train"],
    "ruse.view": ["Full", "View"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "CHANCE", "EVERYTHING", "OVER", "PRESETS", "AverageSampling", "Best", "BestRegret", "Bot", "ChanceSampling",
    "Cheat", "CompiledBot", "Copied", "Copying", "Discount", "Equilibria", "Expanded", "Explicit", "Exploitability",
    "Exploited", "ExternalSampling", "Full", "Game", "Goofspiel", "Hedge", "Iterations", "Kuhn", "Leaning", "Learned",
    "Leduc", "Lesson", "LiarsDice", "LowerBound", "MatchResult", "Matrix", "Measured", "Metric", "Most", "Nothing",
    "OutcomeSampling", "Prefer", "Preference", "Price", "Probing", "RandomBot", "Rate", "RegretMatching", "Robust",
    "RobustSampling", "Row", "Run", "RuseError", "Seat", "Size", "Solver", "Stalled", "State", "Strategy",
    "StrategyBot", "Styled", "Target", "Teachers", "Threshold", "Tilting", "TooLarge", "View", "WarmStart", "Warming",
    "WatchingBot", "Weighted", "WinRate", "add_regret", "bot", "cfr", "cfr_plus", "cfvfp", "check", "compare",
    "compiled", "compiled_function", "curriculum", "dcfr", "dcfr_plus", "equilibria", "expected_values", "explain",
    "exploitability", "export", "export_file", "game", "hedge", "hs_dcfr", "hs_pcfr_plus", "lcfr", "lower_bound",
    "match", "matching_pennies", "matrix", "mccfr", "metric", "mix", "new_run", "pcfr_plus", "pdcfr_plus", "prefer",
    "preference", "price", "resume", "rock_paper_scissors", "size", "solve_exactly", "spec_of", "style", "style_of",
    "train", "what_here",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ruse' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
