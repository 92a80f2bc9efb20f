"""What a person may ask of a solve: one row an option. A command line is made from it; a form can be.

`Job.typed` takes these by name, `Job.asked` gives them back. Nothing here is heavy: printing help reads it.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ruse.errors import RuseError

ITERATIONS = 1_000  # when nothing says when to stop

Kind = Literal["text", "whole", "number", "seed", "bytes", "yes", "share"]  # "yes" is there or not; bytes are as 8GB


class Option(NamedTuple):
    """Something that may be asked."""

    name: str
    kind: Kind
    default: Any
    help: str
    of: str  # the field of `Job` that it is, or is a part of
    shown: str = ""  # what stands for its value in a line of help
    is_many: bool = False  # may be given several times


OPTIONS = (
    Option("rule", "text", None, "dcfr (the default; cfr with --prune), cfr_plus, dcfr:gamma=4, ...", "solver", "RULE"),
    Option(
        "walk", "text", None, "full (the default; mccfr has external), chance, outcome, average, ...", "solver", "WALK"
    ),
    Option(
        "prune", "text", None, "partial, rbp[_fixed], brp[_fixed], threshold or hybrid.", "solver", "PRUNING"
    ),
    Option(
        "prefer", "text", None, 'Favour an action: "bet, player 0, first: delta=10".', "solver", "TEXT", is_many=True
    ),
    Option("simultaneous", "yes", False, "All players update at once.", "solver"),
    Option("iterations", "whole", None, "Stop after this many iterations in all.", "iterations", "N"),
    Option("target", "share", None, "Stop at this exploitability; 0.1% of the pot in a spot.", "target", "X"),
    Option("seconds", "number", None, "Stop after this many seconds of solving in all.", "seconds", "S"),
    Option("seed", "seed", 0, "Seed of the random numbers.", "seed", "N"),
    Option("view", "text", None, "What agents remember: full, or as the game offers.", "view", "VIEW"),
    Option(
        "against", "text", None, "Train against a bot of the game, as heuristic.", "against", "BOT", is_many=True
    ),
    Option(
        "share", "number", None, "Of all games, against them or each; 1 if not given.", "against", "SHARE", is_many=True
    ),
    Option("horizon", "text", None, "Solve up to the next card alone: card, card:ways=4,...", "horizon", "HORIZON"),
    Option("memory", "bytes", None, "Refuse games that need more, as 8GB.", "memory", "SIZE"),
    Option("threads", "whole", None, "Sample, or solve a spot, on so many; workers on ray.", "threads", "N"),
    Option("shared", "yes", False, "Threads share one table: faster, never the same.", "shared"),
    Option("on", "text", "cpu", "Where iterations run: cpu, gpu, a card, or ray, a cluster.", "on", "WHERE"),
    Option("no_merge", "yes", False, "Keep infosets apart that are alike.", "merging"),
    Option("debug_keys", "yes", False, "Look for infosets that share a key.", "debug_keys"),
)  # fmt: skip
BY_NAME = {option.name: option for option in OPTIONS}


def refuse_empty(asked: Mapping[str, Any]) -> None:
    """Raise if an option is there and says nothing, which is not the same as if it were left out."""
    for name, value in asked.items():
        if any(isinstance(text, str) and not text.strip() for text in (value if isinstance(value, list) else [value])):
            raise RuseError(f"{name.replace('_', '-')} is an empty text; leave it out, or say which")


def given(asked: dict[str, Any]) -> dict[str, Any]:
    """What of it is not as it is anyway."""
    return {name: value for name, value in asked.items() if value not in (BY_NAME[name].default, [])}


def typed_words(asked: dict[str, Any]) -> list[str]:
    """What is asked, as the words of a command line.

    >>> typed_words({"rule": "cfr", "prefer": ["bet: delta=5", "call: delta=2"], "shared": True, "seed": 0})
    ['--rule', 'cfr', '--prefer', 'bet: delta=5', '--prefer', 'call: delta=2', '--shared']
    """
    words = []
    for name, value in given(asked).items():
        flag = f"--{name.replace('_', '-')}"
        if BY_NAME[name].kind == "yes":
            words.append(flag)
        else:
            for one in value if BY_NAME[name].is_many else [value]:
                words += [flag, str(one).removesuffix(".0")]  # 3 seconds are 3.0, which nobody types
    return words
