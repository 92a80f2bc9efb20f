"""The command line: `ruse COMMAND`, each command a thin call of the functions that `import ruse` offers.

Nothing heavy is imported before a command needs it, so that help answers at once.
"""

import errno
import inspect
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, cast

import typer
import typer.main

from ruse.cli.commands.completion import completion
from ruse.cli.commands.looking.check import check
from ruse.cli.commands.looking.equity import equity
from ruse.cli.commands.looking.evaluate import evaluate
from ruse.cli.commands.looking.export import export
from ruse.cli.commands.looking.games import games
from ruse.cli.commands.looking.show import show
from ruse.cli.commands.playing.match import match
from ruse.cli.commands.playing.play import play
from ruse.cli.commands.playing.replay import replay
from ruse.cli.commands.playing.studio import studio
from ruse.cli.commands.styling.equilibria import equilibria
from ruse.cli.commands.styling.style import style
from ruse.cli.commands.training.bench import bench
from ruse.cli.commands.training.plot import plot
from ruse.cli.commands.training.reproduce import reproduce
from ruse.cli.commands.training.runs import runs
from ruse.cli.commands.training.solve import resume, solve
from ruse.cli.commands.training.sweep import sweep
from ruse.cli.terminal.output import called
from ruse.cli.terminal.signals import INTERRUPTED, listening
from ruse.cli.terminal.streams import leave, streams
from ruse.errors import RuseError
from ruse.words.naming import naming
from ruse.words.printable import one_line
from ruse.words.versions import version_of

BAD_INPUT = 2  # exit code

# The base class of all that Typer finds wrong with a line. It is Click's, which newer versions of Typer carry inside.
UsageTrouble = cast(type[Exception], typer.BadParameter.__mro__[2])

app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]})


@app.callback(invoke_without_command=True, epilog="Example: ruse solve leduc --iterations 1000 --out leduc.strategy")
def start(
    ctx: typer.Context, *, about: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False
) -> None:
    """Solve games of hidden information, look at the strategies, and play against them."""
    if about:
        print(f"ruse {version_of('ruse')}")
    elif ctx.invoked_subcommand is None:
        print(ctx.get_help())


def register(command: Callable[..., None], *, takes_fields: bool = False) -> None:
    """Make a function a command; the last paragraph of its docstring is the example at the end of the help."""
    text, _, example = inspect.cleandoc(command.__doc__ or "").rpartition("\n\n")
    # A game's fields are options that only the game knows.
    settings = {"allow_extra_args": True, "ignore_unknown_options": True} if takes_fields else {}
    app.command(help=text, epilog=example, context_settings=settings)(command)


register(games)
register(solve, takes_fields=True)
register(resume)
register(sweep, takes_fields=True)
register(runs)
register(plot)
register(show, takes_fields=True)
register(evaluate)
register(equilibria, takes_fields=True)
register(style, takes_fields=True)
register(match)
register(play, takes_fields=True)
register(replay)
register(export, takes_fields=True)
register(equity)
register(check, takes_fields=True)
register(reproduce)
register(studio)
register(bench)
register(completion)


@app.command(hidden=True, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def complete(ctx: typer.Context) -> None:
    """What the script of `ruse completion` asks: what may come next, one a line."""
    from ruse.cli.terminal.completing import candidates

    commands: dict[str, dict[str, bool]] = {}
    for name, command in program().commands.items():
        if not command.hidden:
            options = [p for p in command.params if p.param_type_name == "option" and not getattr(p, "hidden", False)]
            commands[name] = {text: not p.is_flag for p in options for text in p.opts if text.startswith("--")}
    print("\n".join(candidates(ctx.args, commands)))


@cache
def program() -> Any:
    """All commands as one: made once, because it takes longer than what many of them do."""
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0, 2 after bad input, 130 after Ctrl-C, 128 + n after signal n."""
    with listening() as ended:
        try:
            with streams(), naming(called):
                code = run(arguments)
        except OSError:
            if ended.number is None:
                raise
            for stream in (sys.stdout, sys.stderr):  # the terminal has hung up
                leave(stream)
            code = INTERRUPTED
    return ended.code(code)


def run(arguments: Sequence[str] | None) -> int:
    words = None if arguments is None else list(arguments)
    try:
        code = program().main(args=words, prog_name="ruse", standalone_mode=False)
        sys.stdout.flush()
    except RuseError as error:
        return complain(str(error))
    except UsageTrouble as trouble:
        return complain(usage_sentence(trouble))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except OSError as error:
        return complain_of_system(error)
    except RecursionError:
        return complain("a file, or what was typed, is nested too deeply")
    except (Exception, SystemExit) as error:
        from ruse.compile.files.mistakes import is_compilers, raised, reason

        if is_compilers(error):
            return complain(f"the game's rules could not be compiled: {reason(error)}; `ruse check` tells more")
        if (found := raised(error)) is None:
            raise
        return complain(f"{found}; `ruse check` tells whether more is wrong")
    return int(code or 0)


def complain(sentence: str) -> int:
    """One line on stderr, whatever the sentence is made of."""
    print(f"ruse: {one_line(sentence)}", file=sys.stderr)
    return BAD_INPUT


def usage_sentence(trouble: Any) -> str:
    """What is wrong with the line that was typed, and where to read on."""
    words = " ".join(trouble.format_message().split()).rstrip(".")
    path = trouble.ctx.command_path if getattr(trouble, "ctx", None) else "ruse"
    return f"{words[:1].lower()}{words[1:]}; see `{path} --help`"


def complain_of_system(error: OSError) -> int:
    """A full disk, a closed stdout and the like; nothing can be written to stdout any more if it was the trouble."""
    try:
        sys.stdout.flush()
    except OSError:
        leave(sys.stdout)
    if error.errno == errno.EBADF and not error.filename:
        return complain("there is nowhere to write to: stdout is closed")
    place = f"{error.filename}: " if error.filename else "output: "
    return complain(f"{place}{error.strerror or error}")
