"""What may come next on a line that is being typed: commands, options, games and their fields, rules, runs and bots."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruse.catalog.names import GAMES, about, groups_of
from ruse.catalog.names import game as game_named
from ruse.compile.files.game_files import split
from ruse.errors import RuseError

GAME, STRATEGY, RUN, BOT, RULE, SHELL = "game", "strategy", "run", "bot", "rule", "shell"
# What a command takes for its words; the last kind is that of all that follow.
WORDS: dict[str, list[tuple[str, ...]]] = {
    "solve": [(GAME,)], "resume": [(RUN,)], "sweep": [(GAME,)], "runs": [("rename", "delete"), (RUN,)],
    "plot": [(RUN,)],
    "show": [(GAME, STRATEGY)], "evaluate": [(STRATEGY,)], "equilibria": [(GAME,)], "style": [(GAME,)],
    "match": [(GAME, STRATEGY), (STRATEGY, BOT)], "play": [(GAME, STRATEGY)], "export": [(GAME, STRATEGY)],
    "check": [(GAME,)], "reproduce": [("000", "001", "002", "003")], "completion": [(SHELL,)],
}  # fmt: skip
VALUES: dict[str, tuple[str, ...]] = {
    "--rule": (RULE,), "--walk": ("walk",), "--prune": ("prune",), "--against": (BOT, STRATEGY), "--game": (GAME,),
    "--resume": (RUN,), "--compare": (STRATEGY,), "--view": ("full",), "--across": ("iterations", "seconds"),
    "--sort": ("tree", "reach"), "--seat": ("random", "0", "1"), "--on": ("cpu", "ray"),
}  # fmt: skip
SHELLS = ("bash", "zsh", "fish")


class Typed(NamedTuple):
    """A line as far as it is typed."""

    command: str
    words: list[str]  # those before the last that are no options, and no values of one
    option: str  # the option whose value the last word is, if it is one
    last: str
    runs: Path

    @property
    def game(self) -> str | None:
        """The game that the line speaks of."""
        return next((word for word in self.words if split(word)[0] in GAMES), None)


def typed(words: Sequence[str], flags: Sequence[str]) -> Typed:
    """Read a line, the last word of which is being typed; flags are options that take no value."""
    command, last, plain, option, runs = words[0] if len(words) > 1 else "", words[-1] if words else "", [], "", "runs"
    for word in words[1:-1]:
        if option:
            runs = word if option == "--runs" else runs
            option = ""
        elif word.startswith("--"):
            option = "" if "=" in word or word in flags else word
        else:
            plain.append(word)
    return Typed(command, plain, option, last, Path(runs))


def candidates(words: Sequence[str], commands: dict[str, Any]) -> list[str]:
    """What the last of these words may become. `commands` are those of the program, by name, with their parameters."""
    if len(words) < 2:
        return fitting(words[-1] if words else "", commands)
    options = commands.get(words[0], {})
    line = typed(words, [name for name, takes in options.items() if not takes])
    if line.command not in commands:
        return []
    if line.option:
        listed, comma, last = line.last.rpartition(",") if line.command == "sweep" else ("", "", line.last)
        return [f"{listed}{comma}{name}" for name in fitting(last, named(VALUES.get(line.option, ()), line))]
    if line.last.startswith("--"):
        return fitting(line.last, [*options, *(f"--{field.replace('_', '-')}" for field in fields_of(line.game))])
    places = WORDS.get(line.command, [])
    kinds = places[min(len(line.words), len(places) - 1)] if places else ()
    if GAME in kinds and ":" in line.last:
        return fields_in(line.last)
    return fitting(line.last, named(kinds, line))


def fitting(begun: str, every: Any) -> list[str]:
    return sorted({name for name in every if name.startswith(begun)})


def named(kinds: Sequence[str], line: Typed) -> list[str]:
    """All names of some kinds; a word that is no kind stands for itself."""
    found: list[str] = []
    for kind in kinds:
        found += SOURCES[kind](line) if kind in SOURCES else [kind]
    return found


def fields_of(game: str | None) -> list[str]:
    """The fields of a game that can be typed."""
    name = split(game)[0] if game else ""
    return list(about(name)["fields"]) if name in GAMES else []


def fields_in(word: str) -> list[str]:
    """The fields that may follow in leduc:players=3, and what several have as a name together: leduc:big."""
    name, text = split(word)
    begun, _, now = text.rpartition(",")
    if "=" in now or name not in GAMES:
        return []
    stem = f"{name}:{begun}," if begun else f"{name}:"
    taken = {part.partition("=")[0] for part in begun.split(",")}
    together = [*groups_of(name), *(f"{field}=" for field in fields_of(name))]
    return [stem + text for text in together if text.startswith(now) and text.removesuffix("=") not in taken]


def runs_of(line: Typed) -> list[str]:
    if not line.runs.is_dir():
        return []
    return ["last", *(path.parent.name for path in line.runs.glob("*/run.toml"))]


def bots_of(line: Typed) -> list[str]:
    from ruse.play.bots.names import bots_of as known

    try:
        return list(known(game_named(split(line.game)[0]))) if line.game else ["random"]
    except RuseError:
        return ["random"]


def rules_of(line: Typed) -> list[str]:
    from ruse.solve.solver.presets import PRESETS

    return list(PRESETS)


def parts_of(what: str) -> Callable[[Typed], list[str]]:
    def found(line: Typed) -> list[str]:
        from ruse.solve.solver.pruning import PRUNINGS
        from ruse.solve.solver.walks import WALKS

        return list({"walk": WALKS, "prune": PRUNINGS}[what])

    return found


SOURCES: dict[str, Callable[[Typed], list[str]]] = {
    GAME: lambda line: list(GAMES),
    RUN: runs_of,
    STRATEGY: lambda line: [*runs_of(line), *(str(path) for path in Path().glob("*.strategy"))],
    BOT: bots_of,
    RULE: rules_of,
    SHELL: lambda line: list(SHELLS),
    "walk": parts_of("walk"),
    "prune": parts_of("prune"),
}
