"""A game that was played, as one form of record tells it and another can be written from it.

A game that has forms of its own, beside the record that all games have, names their module in its attribute `forms`.
The module has FORMS, by name. Each of them has

- `begins(entry)`: whether a file that starts with this JSON value is of the form;
- `write(played)`: the lines of a game, as JSON values;
- `read(lines, source, game)`: the games that numbered lines tell, one after the other. `game` is the one that a person
  has named, or None. It raises FileTrouble, in one sentence that names `source` and the line, for what is no such game.

It may also have TEXTS: forms that are no lines of JSON, with `begins(head)`, of the beginning of a text,
`write(games)`, all of them in one text, and `read(text, source, game)`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ruse.protocol.game import Game


class Played(NamedTuple):
    """A game, its moves, and who made them."""

    game: Game
    history: tuple[int, ...]
    names: tuple[str, ...]  # who sat where
    seed: int | None = None  # None: it was dealt elsewhere
    number: int | None = None  # of the deal
    thoughts: Mapping[int, Mapping[str, Any]] = {}  # by place in the history, what a bot says of the move that it made


Lines = Iterable[tuple[int, Any]]  # the number of a line, counted from 1, and its JSON value; None if it is no JSON


class RecordForm(NamedTuple):
    """A form of record."""

    begins: Callable[[Any], bool]
    write: Callable[[Played], Iterator[dict[str, Any]]]
    read: Callable[[Lines, str, Game | None], Iterator[Played]]


class TextForm(NamedTuple):
    """A form that is a text of its own kind."""

    begins: Callable[[str], bool]
    write: Callable[[Sequence[Played]], str]
    read: Callable[[str, str, Game | None], Iterator[Played]]
