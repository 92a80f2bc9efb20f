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
from ruse.catalog.names import game, spec_of
from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game, Row
from ruse.protocol.state import State
from ruse.training.curriculum import Copying, Lesson, Nothing, Tilting, Warming, curriculum

if TYPE_CHECKING:
    from ruse.evaluate.best_response import Exploitability
    from ruse.evaluate.explain import compare, explain, export, export_file, what_here
    from ruse.evaluate.exploitability import expected_values, exploitability
    from ruse.evaluate.lower_bound import LowerBound, lower_bound
    from ruse.evaluate.price import Price, price
    from ruse.games.cheat.rules import Cheat
    from ruse.games.explicit import Explicit
    from ruse.games.goofspiel import Goofspiel
    from ruse.games.kuhn import Kuhn
    from ruse.games.leduc import Leduc
    from ruse.games.liars_dice import LiarsDice
    from ruse.games.matrix import Matrix, matching_pennies, matrix, rock_paper_scissors
    from ruse.laws.check import check
    from ruse.play.bot import Bot, CompiledBot, RandomBot, Seat, StrategyBot, WatchingBot
    from ruse.play.match import MatchResult, match
    from ruse.play.names import bot
    from ruse.protocol.view import Full, View
    from ruse.solve.exact import solve_exactly
    from ruse.solve.prefer.favour import Best, Most, Weighted
    from ruse.solve.prefer.preferred import prefer
    from ruse.solve.sampled.average import AverageSampling
    from ruse.solve.sampled.chance import ChanceSampling
    from ruse.solve.sampled.external import ExternalSampling
    from ruse.solve.sampled.outcome import OutcomeSampling
    from ruse.solve.sampled.probing import Probing
    from ruse.solve.sampled.robust import Robust, RobustSampling
    from ruse.solve.solver.prefer import Prefer, Preference, preference
    from ruse.solve.solver.presets import (
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
    from ruse.solve.solver.rules import BestRegret, Discount, Hedge, RegretMatching, add_regret
    from ruse.solve.solver.threshold import Threshold
    from ruse.solve.start.learned import Learned
    from ruse.strategy import Strategy
    from ruse.styles.equilibria import Equilibria, equilibria
    from ruse.styles.metrics import Measured, Metric, metric, style_of
    from ruse.styles.search import Styled, Target, style
    from ruse.training.job import Job
    from ruse.training.progress import Run
    from ruse.training.starts import Copied, Leaning, WarmStart
    from ruse.training.stops import Exploited, Iterations, Rate, Stalled, WinRate
    from ruse.training.teachers import Teachers
    from ruse.training.train import new_run, resume, train
    from ruse.training.training import Training
    from ruse.tree.expanded import Expanded
    from ruse.tree.size import Size, TooLarge, size

_HOME = {
    "ruse.play.bot": ["Bot", "CompiledBot", "RandomBot", "Seat", "StrategyBot", "WatchingBot"],
    "ruse.play.names": ["bot"],
    "ruse.evaluate.best_response": ["Exploitability"],
    "ruse.styles.equilibria": ["Equilibria", "equilibria"],
    "ruse.evaluate.explain": ["compare", "explain", "export", "export_file", "what_here"],
    "ruse.evaluate.exploitability": ["expected_values", "exploitability"],
    "ruse.evaluate.lower_bound": ["LowerBound", "lower_bound"],
    "ruse.play.match": ["MatchResult", "match"],
    "ruse.evaluate.price": ["Price", "price"],
    "ruse.styles.metrics": ["Measured", "Metric", "metric", "style_of"],
    "ruse.training.teachers": ["Teachers"],
    "ruse.games.cheat.rules": ["Cheat"],
    "ruse.games.explicit": ["Explicit"],
    "ruse.games.goofspiel": ["Goofspiel"],
    "ruse.games.kuhn": ["Kuhn"],
    "ruse.games.leduc": ["Leduc"],
    "ruse.games.liars_dice": ["LiarsDice"],
    "ruse.games.matrix": ["Matrix", "matching_pennies", "matrix", "rock_paper_scissors"],
    "ruse.laws.check": ["check"],
    "ruse.training.job": ["Job"],
    "ruse.training.progress": ["Run"],
    "ruse.solve.exact": ["solve_exactly"],
    "ruse.tree.expanded": ["Expanded"],
    "ruse.solve.prefer.favour": ["Best", "Most", "Weighted"],
    "ruse.solve.start.learned": ["Learned"],
    "ruse.solve.solver.prefer": ["Prefer", "Preference", "preference"],
    "ruse.solve.prefer.preferred": ["prefer"],
    "ruse.solve.solver.presets": [
        "PRESETS", "Solver", "cfr", "cfr_plus", "cfvfp", "dcfr", "dcfr_plus", "hedge", "hs_dcfr", "hs_pcfr_plus",
        "lcfr", "mccfr", "pcfr_plus", "pdcfr_plus",
    ],
    "ruse.solve.solver.threshold": ["Threshold"],
    "ruse.solve.solver.rules": ["BestRegret", "Discount", "Hedge", "RegretMatching", "add_regret"],
    "ruse.tree.size": ["Size", "TooLarge", "size"],
    "ruse.solve.sampled.average": ["AverageSampling"],
    "ruse.solve.sampled.chance": ["ChanceSampling"],
    "ruse.solve.sampled.external": ["ExternalSampling"],
    "ruse.solve.sampled.outcome": ["OutcomeSampling"],
    "ruse.solve.sampled.probing": ["Probing"],
    "ruse.solve.sampled.robust": ["Robust", "RobustSampling"],
    "ruse.training.starts": ["Copied", "Leaning", "WarmStart"],
    "ruse.training.stops": ["Exploited", "Iterations", "Rate", "Stalled", "WinRate"],
    "ruse.strategy": ["Strategy"],
    "ruse.styles.search": ["Styled", "Target", "style"],
    "ruse.training.train": ["new_run", "resume", "train"],
    "ruse.training.training": ["Training"],
    "ruse.protocol.view": ["Full", "View"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "CHANCE", "EVERYTHING", "OVER", "PRESETS", "AverageSampling", "Best", "BestRegret", "Bot", "ChanceSampling",
    "Cheat", "CompiledBot", "Copied", "Copying", "Discount", "Equilibria", "Expanded", "Explicit", "Exploitability",
    "Exploited", "ExternalSampling", "Full", "Game", "Goofspiel", "Hedge", "Iterations", "Job", "Kuhn", "Leaning",
    "Learned", "Leduc", "Lesson", "LiarsDice", "LowerBound", "MatchResult", "Matrix", "Measured", "Metric", "Most",
    "Nothing", "OutcomeSampling", "Prefer", "Preference", "Price", "Probing", "RandomBot", "Rate", "RegretMatching",
    "Robust", "RobustSampling", "Row", "Run", "RuseError", "Seat", "Size", "Solver", "Stalled", "State", "Strategy",
    "StrategyBot", "Styled", "Target", "Teachers", "Threshold", "Tilting", "TooLarge", "Training", "View", "WarmStart",
    "Warming", "WatchingBot", "Weighted", "WinRate", "add_regret", "bot", "cfr", "cfr_plus", "cfvfp", "check",
    "compare", "compiled", "compiled_function", "curriculum", "dcfr", "dcfr_plus", "equilibria", "expected_values",
    "explain", "exploitability", "export", "export_file", "game", "hedge", "hs_dcfr", "hs_pcfr_plus", "lcfr",
    "lower_bound", "match", "matching_pennies", "matrix", "mccfr", "metric", "mix", "new_run", "pcfr_plus",
    "pdcfr_plus", "prefer", "preference", "price", "resume", "rock_paper_scissors", "size", "solve_exactly", "spec_of",
    "style", "style_of", "train", "what_here",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ruse' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
