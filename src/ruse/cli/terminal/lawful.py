"""Before a game in a person's own file is used for the first time, it is checked."""

from ruse.cli.terminal.progress import working
from ruse.compile.files.game_files import split
from ruse.protocol.game import Game


def refuse_unlawful_file(game: Game, text: str) -> None:
    """Raise if the text names a file of one's own whose game breaks a law; `ruse check` is how to learn more."""
    file = split(text)[0]
    if not file.endswith(".py"):
        return
    from ruse.laws.first_check import is_checked
    from ruse.laws.first_check import refuse_unlawful as refuse

    if is_checked(game):
        return
    with working(f"checking {file} before its first use"):
        refuse(game, file)
