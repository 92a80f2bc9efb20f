"""ruse solves, styles and plays games of hidden information.

    import ruse

    game = ruse.Leduc()
    run = ruse.train(game, ruse.dcfr(), iterations=1_000)
    print(run.exploitability, run.strategy["K, no board, raise"])

Names are imported when they are first used, so that `import ruse` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ruse.catalog import game, spec_of  # `ruse.game` is the function; the module is for `from ruse.game import ...`
from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.game import CHANCE, EVERYTHING, OVER, Game, Row, mix
from ruse.state import State

if TYPE_CHECKING:
    from ruse.bots.bot import Bot, CompiledBot, RandomBot, Seat, StrategyBot, WatchingBot
    from ruse.bots.names import bot
    from ruse.evaluate.best_response import Exploitability
    from ruse.evaluate.explain import compare, explain, export, export_file, what_here
    from ruse.evaluate.exploitability import expected_values, exploitability
    from ruse.evaluate.lower_bound import LowerBound, lower_bound
    from ruse.evaluate.match import MatchResult, match
    from ruse.games.cheat import Cheat
    from ruse.games.explicit import Explicit
    from ruse.games.goofspiel import Goofspiel
    from ruse.games.kuhn import Kuhn
    from ruse.games.leduc import Leduc
    from ruse.games.liars_dice import LiarsDice
    from ruse.games.matrix import Matrix, matching_pennies, matrix, rock_paper_scissors
    from ruse.laws import check
    from ruse.solve.exact import solve_exactly
    from ruse.solve.expanded import Expanded
    from ruse.solve.learned import Learned
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
    from ruse.solve.rules import BestRegret, Discount, Hedge, RegretMatching, add_regret
    from ruse.solve.size import Size, TooLarge, size
    from ruse.starts import Copied, Leaning, WarmStart
    from ruse.strategy import Strategy
    from ruse.training import Run, new_run, resume, train
    from ruse.view import Full, View

_HOME = {
    "ruse.bots.bot": ["Bot", "CompiledBot", "RandomBot", "Seat", "StrategyBot", "WatchingBot"],
    "ruse.bots.names": ["bot"],
    "ruse.evaluate.best_response": ["Exploitability"],
    "ruse.evaluate.explain": ["compare", "explain", "export", "export_file", "what_here"],
    "ruse.evaluate.exploitability": ["expected_values", "exploitability"],
    "ruse.evaluate.lower_bound": ["LowerBound", "lower_bound"],
    "ruse.evaluate.match": ["MatchResult", "match"],
    "ruse.games.cheat": ["Cheat"],
    "ruse.games.explicit": ["Explicit"],
    "ruse.games.goofspiel": ["Goofspiel"],
    "ruse.games.kuhn": ["Kuhn"],
    "ruse.games.leduc": ["Leduc"],
    "ruse.games.liars_dice": ["LiarsDice"],
    "ruse.games.matrix": ["Matrix", "matching_pennies", "matrix", "rock_paper_scissors"],
    "ruse.laws": ["check"],
    "ruse.solve.exact": ["solve_exactly"],
    "ruse.solve.expanded": ["Expanded"],
    "ruse.solve.learned": ["Learned"],
    "ruse.solve.presets": [
        "PRESETS", "Solver", "cfr", "cfr_plus", "cfvfp", "dcfr", "dcfr_plus", "hedge", "hs_dcfr", "hs_pcfr_plus",
        "lcfr", "mccfr", "pcfr_plus", "pdcfr_plus",
    ],
    "ruse.solve.rules": ["BestRegret", "Discount", "Hedge", "RegretMatching", "add_regret"],
    "ruse.solve.size": ["Size", "TooLarge", "size"],
    "ruse.starts": ["Copied", "Leaning", "WarmStart"],
    "ruse.strategy": ["Strategy"],
    "ruse.training": ["Run", "new_run", "resume", "train"],
    "ruse.view": ["Full", "View"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "CHANCE", "EVERYTHING", "OVER", "PRESETS", "BestRegret", "Bot", "Cheat", "CompiledBot", "Copied", "Discount",
    "Expanded", "Explicit", "Exploitability", "Full", "Game", "Goofspiel", "Hedge", "Kuhn", "Leaning", "Learned",
    "Leduc", "LiarsDice", "LowerBound", "MatchResult", "Matrix", "RandomBot", "RegretMatching", "Row", "Run",
    "RuseError", "Seat", "Size", "Solver", "State", "Strategy", "StrategyBot", "TooLarge", "View", "WarmStart",
    "WatchingBot", "add_regret", "bot", "cfr", "cfr_plus", "cfvfp", "check", "compare", "compiled", "compiled_function",
    "dcfr", "dcfr_plus", "expected_values", "explain", "exploitability", "export", "export_file", "game", "hedge",
    "hs_dcfr", "hs_pcfr_plus", "lcfr", "lower_bound", "match", "matching_pennies", "matrix", "mccfr", "mix", "new_run",
    "pcfr_plus", "pdcfr_plus", "resume", "rock_paper_scissors", "size", "solve_exactly", "spec_of", "train",
    "what_here",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ruse' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
