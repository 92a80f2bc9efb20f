"""ruse solves, styles and plays games of hidden information.

    import ruse

    game = ruse.Leduc()
    run = ruse.train(game, ruse.dcfr(), iterations=1_000)
    print(run.exploitability, run.strategy["K, no board, raise"])

What most people need is in `dir(ruse)`. The rest stands in small modules: `ruse.rules`, `ruse.walks`, `ruse.prune`,
`ruse.views`, `ruse.preferences`, `ruse.starts`, `ruse.stops`, `ruse.bots` and `ruse.styles`. Names are imported when
they are first used, so that `import ruse` waits for nothing. All names that were public once still are.
"""

from ruse.lazy import TYPE_CHECKING, lazily

if TYPE_CHECKING:
    from ruse import bots as bots
    from ruse import preferences as preferences
    from ruse import prune as prune
    from ruse import rules as rules
    from ruse import starts as starts
    from ruse import stops as stops
    from ruse import styles as styles
    from ruse import views as views
    from ruse import walks as walks
    from ruse.bridges.pettingzoo import make_pettingzoo as make_pettingzoo
    from ruse.bridges.spiel import make_openspiel as make_openspiel
    from ruse.bridges.tensors import Tensors as Tensors
    from ruse.catalog.names import game as game
    from ruse.catalog.names import game as make_game
    from ruse.catalog.names import spec_of as spec_of
    from ruse.catalog.sizes import size as measure_size
    from ruse.catalog.sizes import size as size
    from ruse.compile import compiled as compiled
    from ruse.compile import compiled_function as compiled_function
    from ruse.compile.hashing import mix as mix
    from ruse.errors import RuseError as RuseError
    from ruse.evaluate.best_response import Exploitability as Exploitability
    from ruse.evaluate.exact import find_equilibrium as find_equilibrium
    from ruse.evaluate.explaining.explain import Comparison as Comparison
    from ruse.evaluate.explaining.explain import compare as compare
    from ruse.evaluate.explaining.explain import explain as explain
    from ruse.evaluate.explaining.explain import export as export
    from ruse.evaluate.explaining.explain import export_file as export_file
    from ruse.evaluate.explaining.explain import what_here as what_here
    from ruse.evaluate.explaining.trees import draw_tree as draw_tree
    from ruse.evaluate.exploitability import expected_values as expected_values
    from ruse.evaluate.exploitability import exploitability as exploitability
    from ruse.evaluate.exploitability import exploitability as measure_exploitability
    from ruse.evaluate.lower_bound import LowerBound as LowerBound
    from ruse.evaluate.lower_bound import lower_bound as bound_exploitability
    from ruse.evaluate.lower_bound import lower_bound as lower_bound
    from ruse.evaluate.price import Price as Price
    from ruse.evaluate.price import price as measure_price
    from ruse.evaluate.price import price as price
    from ruse.evaluate.response import BestReply as BestReply
    from ruse.evaluate.response import find_best_response as find_best_response
    from ruse.games.cheat.rules import Cheat as Cheat
    from ruse.games.explicit import Explicit as Explicit
    from ruse.games.goofspiel import Goofspiel as Goofspiel
    from ruse.games.kuhn import Kuhn as Kuhn
    from ruse.games.leduc import Leduc as Leduc
    from ruse.games.liars_dice import LiarsDice as LiarsDice
    from ruse.games.matrix import Matrix as Matrix
    from ruse.games.matrix import matching_pennies as matching_pennies
    from ruse.games.matrix import matrix as make_matrix
    from ruse.games.matrix import matrix as matrix
    from ruse.games.matrix import rock_paper_scissors as rock_paper_scissors
    from ruse.laws.check import check as check
    from ruse.play.bots.bot import Bot as Bot
    from ruse.play.bots.bot import CompiledBot as CompiledBot
    from ruse.play.bots.bot import RandomBot as RandomBot
    from ruse.play.bots.bot import Seat as Seat
    from ruse.play.bots.bot import StrategyBot as StrategyBot
    from ruse.play.bots.bot import WatchingBot as WatchingBot
    from ruse.play.bots.names import bot as bot
    from ruse.play.bots.names import bot as make_bot
    from ruse.play.match import MatchResult as MatchResult
    from ruse.play.match import match as match
    from ruse.play.session import Person as Person
    from ruse.play.session import Session as Session
    from ruse.protocol.game import CHANCE as CHANCE
    from ruse.protocol.game import EVERYTHING as EVERYTHING
    from ruse.protocol.game import OVER as OVER
    from ruse.protocol.game import Game as Game
    from ruse.protocol.game import Row as Row
    from ruse.protocol.scene import Scene as Scene
    from ruse.protocol.state import State as State
    from ruse.protocol.view import Full as Full
    from ruse.protocol.view import View as View
    from ruse.solve.exact import solve_exactly as solve_exactly
    from ruse.solve.prefer.favour import Best as Best
    from ruse.solve.prefer.favour import Most as Most
    from ruse.solve.prefer.favour import Weighted as Weighted
    from ruse.solve.prefer.preferred import prefer as prefer
    from ruse.solve.sampled.average import AverageSampling as AverageSampling
    from ruse.solve.sampled.chance import ChanceSampling as ChanceSampling
    from ruse.solve.sampled.external import ExternalSampling as ExternalSampling
    from ruse.solve.sampled.outcome import OutcomeSampling as OutcomeSampling
    from ruse.solve.sampled.probing import Probing as Probing
    from ruse.solve.sampled.robust import Robust as Robust
    from ruse.solve.sampled.robust import RobustSampling as RobustSampling
    from ruse.solve.solver.prefer import Prefer as Prefer
    from ruse.solve.solver.prefer import Preference as Preference
    from ruse.solve.solver.prefer import preference as preference
    from ruse.solve.solver.presets import PRESETS as PRESETS
    from ruse.solve.solver.presets import Solver as Solver
    from ruse.solve.solver.presets import cfr as cfr
    from ruse.solve.solver.presets import cfr_plus as cfr_plus
    from ruse.solve.solver.presets import cfvfp as cfvfp
    from ruse.solve.solver.presets import dcfr as dcfr
    from ruse.solve.solver.presets import dcfr_plus as dcfr_plus
    from ruse.solve.solver.presets import hedge as hedge
    from ruse.solve.solver.presets import hs_dcfr as hs_dcfr
    from ruse.solve.solver.presets import hs_pcfr_plus as hs_pcfr_plus
    from ruse.solve.solver.presets import lcfr as lcfr
    from ruse.solve.solver.presets import mccfr as mccfr
    from ruse.solve.solver.presets import pcfr_plus as pcfr_plus
    from ruse.solve.solver.presets import pdcfr_plus as pdcfr_plus
    from ruse.solve.solver.rules import BestRegret as BestRegret
    from ruse.solve.solver.rules import Discount as Discount
    from ruse.solve.solver.rules import Hedge as Hedge
    from ruse.solve.solver.rules import RegretMatching as RegretMatching
    from ruse.solve.solver.rules import add_regret as add_regret
    from ruse.solve.solver.threshold import Threshold as Threshold
    from ruse.solve.start.learned import Learned as Learned
    from ruse.strategy import Strategy as Strategy
    from ruse.styles.equilibria import Equilibria as Equilibria
    from ruse.styles.equilibria import equilibria as equilibria
    from ruse.styles.equilibria import equilibria as find_equilibria
    from ruse.styles.metrics import Measured as Measured
    from ruse.styles.metrics import Metric as Metric
    from ruse.styles.metrics import metric as metric
    from ruse.styles.metrics import style_of as measure_style
    from ruse.styles.metrics import style_of as style_of
    from ruse.styles.search import style as style
    from ruse.styles.styled import Styled as Styled
    from ruse.styles.styled import Target as Target
    from ruse.sweeps.sweep import sweep as sweep
    from ruse.training.curriculum import Copying as Copying
    from ruse.training.curriculum import Lesson as Lesson
    from ruse.training.curriculum import Nothing as Nothing
    from ruse.training.curriculum import Tilting as Tilting
    from ruse.training.curriculum import Warming as Warming
    from ruse.training.curriculum import curriculum as curriculum
    from ruse.training.curriculum import curriculum as train_curriculum
    from ruse.training.jobs.job import Job as Job
    from ruse.training.locked import LockedSolve as LockedSolve
    from ruse.training.locked import solve_locked as solve_locked
    from ruse.training.progress import Run as Run
    from ruse.training.progress import draw_runs as draw_runs
    from ruse.training.terms.starts import Copied as Copied
    from ruse.training.terms.starts import Leaning as Leaning
    from ruse.training.terms.starts import WarmStart as WarmStart
    from ruse.training.terms.stops import Exploited as Exploited
    from ruse.training.terms.stops import Iterations as Iterations
    from ruse.training.terms.stops import Rate as Rate
    from ruse.training.terms.stops import Stalled as Stalled
    from ruse.training.terms.stops import WinRate as WinRate
    from ruse.training.terms.teachers import Teachers as Teachers
    from ruse.training.train import new_run as make_run
    from ruse.training.train import new_run as new_run
    from ruse.training.train import resume as resume
    from ruse.training.train import train as train
    from ruse.training.training import Training as Training
    from ruse.tree.expanded import Expanded as Expanded
    from ruse.tree.measure.size import Size as Size
    from ruse.tree.measure.size import TooLarge as TooLarge

_HOMES: dict[str, list[str]] = {
    "ruse.bridges.pettingzoo": ["make_pettingzoo"],
    "ruse.bridges.spiel": ["make_openspiel"],
    "ruse.bridges.tensors": ["Tensors"],
    "ruse.catalog.names": ["game", "game as make_game", "spec_of"],
    "ruse.catalog.sizes": ["size", "size as measure_size"],
    "ruse.compile": ["compiled", "compiled_function"],
    "ruse.compile.hashing": ["mix"],
    "ruse.errors": ["RuseError"],
    "ruse.evaluate.best_response": ["Exploitability"],
    "ruse.evaluate.exact": ["find_equilibrium"],
    "ruse.evaluate.explaining.explain": ["Comparison", "compare", "explain", "export", "export_file", "what_here"],
    "ruse.evaluate.exploitability": ["expected_values", "exploitability", "exploitability as measure_exploitability"],
    "ruse.evaluate.lower_bound": ["LowerBound", "lower_bound", "lower_bound as bound_exploitability"],
    "ruse.evaluate.price": ["Price", "price", "price as measure_price"],
    "ruse.evaluate.response": ["BestReply", "find_best_response"],
    "ruse.evaluate.explaining.trees": ["draw_tree"],
    "ruse.games.cheat.rules": ["Cheat"],
    "ruse.games.explicit": ["Explicit"],
    "ruse.games.goofspiel": ["Goofspiel"],
    "ruse.games.kuhn": ["Kuhn"],
    "ruse.games.leduc": ["Leduc"],
    "ruse.games.liars_dice": ["LiarsDice"],
    "ruse.games.matrix": ["Matrix", "matching_pennies", "matrix", "matrix as make_matrix", "rock_paper_scissors"],
    "ruse.laws.check": ["check"],
    "ruse.play.bots.bot": ["Bot", "CompiledBot", "RandomBot", "Seat", "StrategyBot", "WatchingBot"],
    "ruse.play.match": ["MatchResult", "match"],
    "ruse.play.bots.names": ["bot", "bot as make_bot"],
    "ruse.play.session": ["Person", "Session"],
    "ruse.protocol.game": ["CHANCE", "EVERYTHING", "OVER", "Game", "Row"],
    "ruse.protocol.scene": ["Scene"],
    "ruse.protocol.state": ["State"],
    "ruse.protocol.view": ["Full", "View"],
    "ruse.solve.exact": ["solve_exactly"],
    "ruse.solve.prefer.favour": ["Best", "Most", "Weighted"],
    "ruse.solve.prefer.preferred": ["prefer"],
    "ruse.solve.sampled.average": ["AverageSampling"],
    "ruse.solve.sampled.chance": ["ChanceSampling"],
    "ruse.solve.sampled.external": ["ExternalSampling"],
    "ruse.solve.sampled.outcome": ["OutcomeSampling"],
    "ruse.solve.sampled.probing": ["Probing"],
    "ruse.solve.sampled.robust": ["Robust", "RobustSampling"],
    "ruse.solve.solver.prefer": ["Prefer", "Preference", "preference"],
    "ruse.solve.solver.presets": [
        "PRESETS", "Solver", "cfr", "cfr_plus", "cfvfp", "dcfr", "dcfr_plus", "hedge", "hs_dcfr", "hs_pcfr_plus",
        "lcfr", "mccfr", "pcfr_plus", "pdcfr_plus",
    ],
    "ruse.solve.solver.rules": ["BestRegret", "Discount", "Hedge", "RegretMatching", "add_regret"],
    "ruse.solve.solver.threshold": ["Threshold"],
    "ruse.solve.start.learned": ["Learned"],
    "ruse.strategy": ["Strategy"],
    "ruse.styles.equilibria": ["Equilibria", "equilibria", "equilibria as find_equilibria"],
    "ruse.styles.metrics": ["Measured", "Metric", "metric", "style_of", "style_of as measure_style"],
    "ruse.styles.search": ["style"],
    "ruse.styles.styled": ["Styled", "Target"],
    "ruse.sweeps.sweep": ["sweep"],
    "ruse.training.curriculum": [
        "Copying", "Lesson", "Nothing", "Tilting", "Warming", "curriculum", "curriculum as train_curriculum",
    ],
    "ruse.training.jobs.job": ["Job"],
    "ruse.training.locked": ["LockedSolve", "solve_locked"],
    "ruse.training.progress": ["Run", "draw_runs"],
    "ruse.training.terms.starts": ["Copied", "Leaning", "WarmStart"],
    "ruse.training.terms.stops": ["Exploited", "Iterations", "Rate", "Stalled", "WinRate"],
    "ruse.training.terms.teachers": ["Teachers"],
    "ruse.training.train": ["new_run", "new_run as make_run", "resume", "train"],
    "ruse.training.training": ["Training"],
    "ruse.tree.expanded": ["Expanded"],
    "ruse.tree.measure.size": ["Size", "TooLarge"],
}  # fmt: skip

_SHORT = ("bots", "preferences", "prune", "rules", "starts", "stops", "styles", "views", "walks")
_ROOMS = (
    "bridges", "catalog", "charts", "compile", "errors", "evaluate", "games", "hierarchy", "interop", "laws", "listing",
    "play", "protocol", "solve", "spread", "store", "strategy", "subgame", "sweeps", "training", "tree", "words",
)  # fmt: skip

__all__ = [
    "CHANCE", "EVERYTHING", "OVER", "Cheat", "Explicit", "Game", "Goofspiel", "Job", "Kuhn", "Leduc", "LiarsDice",
    "Matrix", "Preference", "RandomBot", "Run", "RuseError", "Scene", "Session", "Solver", "State", "Strategy",
    "Teachers", "Training", "View", "bots", "bound_exploitability", "cfr", "cfr_plus", "check", "compare", "compiled",
    "compiled_function", "dcfr", "draw_runs", "draw_tree", "explain", "export", "find_best_response",
    "find_equilibria", "find_equilibrium", "make_bot", "make_game", "make_matrix", "make_openspiel",
    "make_pettingzoo", "make_run", "match", "mccfr",
    "measure_exploitability", "measure_price", "measure_size", "measure_style", "mix", "preferences", "prune",
    "resume", "rules", "solve_locked", "starts", "stops", "style", "styles", "train", "train_curriculum", "views",
    "walks",
]  # fmt: skip
if not TYPE_CHECKING:  # or type checkers would think that there is every name
    __getattr__, __dir__ = lazily(__name__, _HOMES, _SHORT + _ROOMS, __all__)
