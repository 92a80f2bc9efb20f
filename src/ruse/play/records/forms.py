"""Records in other forms than our own: those that a game has (`ruse.protocol.played`), and from one to the other.

What a file is, its first line tells. Whatever form a game comes in, it is played again by the rules before it is shown.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ruse.catalog.names import GAMES, companion
from ruse.catalog.recorded import shown_path
from ruse.catalog.titles import title_of
from ruse.errors import FileTrouble, RuseError
from ruse.play.records.record import Holder, Recorded, events, games_in, read_games
from ruse.protocol.game import Game
from ruse.protocol.played import Lines, Played, RecordForm, TextForm
from ruse.protocol.state import State
from ruse.store.records import parsed
from ruse.store.tensors import explaining

OWN = "record"  # the form that all games have
HEAD = 1 << 16  # bytes by which a text is known


def is_record(path: Path) -> bool:
    """Whether a file can be a record: JSON lines, in whatever form. A strategy begins with its length."""
    if not path.is_file():
        return False
    with explaining("read", path), open(path, "rb") as file:
        is_json = file.read(1) == b"{"
    return is_json or text_form_of(path) is not None


def read_any(path: Path, game: Game | None = None) -> Iterator[Recorded]:
    """The games of a file as our own record has them; `game` has the rules, if the file does not tell them."""
    found = games_of(path, game)
    if found is None:
        yield from read_games(path)
        return
    for played in found:
        yield from games_in(record_of(played), str(path))


def games_of(path: Path, game: Game | None) -> Iterator[Played] | None:
    """The games of a file in another form than our own; None if it is in that, or no record."""
    if text_form := text_form_of(path):
        with explaining("read", path):
            text = path.read_bytes().decode(errors="replace")
        return text_form.read(text, str(path), game)
    lines = list(lines_of(path))
    form = form_of(lines)
    return form.read(lines, str(path), game) if form else None


def refuse_to_append(path: Path) -> None:
    """Raise unless games may be appended to a file: it has none yet, or whole ones of our own form."""
    if not path.is_file() or not any(lines_of(path)):
        return
    refuse_other_form(path)
    try:
        for _ in read_games(path):
            pass
    except FileTrouble as trouble:
        raise FileTrouble(f"{trouble}; name another file, to which games can be appended") from trouble


def refuse_other_form(path: Path) -> None:
    """Raise if a file has games in a form that is not our own."""
    if text_form_of(path) or form_of(lines_of(path)):
        raise FileTrouble(
            f"{path} has games in another form, to which none can be appended; name another file, or make a record of "
            f"it by `ruse export {shown_path(path)} --format {OWN} --out FILE`"
        )


def written(played: Iterable[Played], name: str) -> Iterator[dict[str, Any]]:
    """The lines of games in the form of this name, one game after the other."""
    for one in played:
        if name == OWN:
            yield from record_of(one)
            continue
        forms = forms_of(one.game)
        if name not in forms:
            there = ", ".join([OWN, *forms, *texts_of(one.game)])
            raise RuseError(f"a record of {title_of(one.game)} cannot be exported as {name!r}; there is {there}")
        yield from forms[name].write(one)


def text_in_form(played: Sequence[Played], name: str) -> str:
    """All of it as a file has it."""
    texts = texts_of(played[0].game)
    if name in texts and all(texts_of(one.game) == texts for one in played):
        return texts[name].write(played)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in written(played, name))


# ---- forms -----------------------------------------------------------------------------------------------------------


def forms_of(game: Game) -> Mapping[str, RecordForm]:
    """The forms that a game has beside our own."""
    return getattr(companion(game, "forms"), "FORMS", {})


def texts_of(game: Game) -> Mapping[str, TextForm]:
    """Those of its forms that are texts."""
    return getattr(companion(game, "forms"), "TEXTS", {})


def text_form_of(path: Path) -> TextForm | None:
    """The form of a file, if it is a text of a game of the package."""
    with explaining("read", path), open(path, "rb") as file:
        start = file.read(HEAD)
    if b"\0" in start:
        return None
    for home in homes():
        for form in getattr(home, "TEXTS", {}).values():
            if form.begins(start.decode(errors="replace")):
                return form  # type: ignore[no-any-return]
    return None


def homes() -> Iterator[ModuleType]:
    """The modules of forms that games of the package have."""
    for module, maker in GAMES.values():
        home = getattr(getattr(import_module(module), maker), "forms", None)
        if home:
            yield import_module(home)


def form_of(lines: Lines) -> RecordForm | None:
    """The form of a file, if it is one of a game of the package; None for our own, and for what is no record."""
    first = next((entry for _, entry in lines), None)
    if isinstance(first, dict) and "event" in first:
        return None
    for home in homes():
        for form in home.FORMS.values():
            if form.begins(first):
                return form  # type: ignore[no-any-return]
    return None


def lines_of(path: Path) -> Lines:
    with explaining("read", path), open(path, "rb") as file:
        lines = file.read().splitlines()
    return ((number, parsed(line)) for number, line in enumerate(lines, 1) if line.strip())


def is_over(played: Played) -> bool:
    return state_of(played).is_over


def state_of(played: Played) -> State:
    state = State.of(played.game)
    for a in played.history:
        state = state.child(a)
    return state


# ---- our own ---------------------------------------------------------------------------------------------------------


def record_of(played: Played) -> Iterator[dict[str, Any]]:
    """A game as our own record has it; nobody can go on with it who does not know how it was dealt."""
    holders = [Holder(name, is_person=False) for name in played.names]
    return events(
        played.game, played.history, seed=played.seed, number=played.number, holders=holders, thoughts=played.thoughts
    )
