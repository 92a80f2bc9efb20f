"""What people at the table hear of a bot that fails: which one it was, and no more.

A wrong answer, an exception's kind, its words and its line hang on what the bot was shown: its own cards. It may
raise errors of ours, too, with words of its own. All of that is for whoever keeps the game.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from ruse.compile.files.mistakes import exception_text, exception_words
from ruse.errors import RuseError
from ruse.play.bots.blame import is_ctrl_c
from ruse.play.bots.bot import is_a
from ruse.words.printable import one_line


class BotFault(RuseError):
    """A bot has failed in a game that people may play. Its text is for whoever keeps the game; people who sit there are
    told `in_public`, which is the same whatever it was shown.
    """

    def __init__(self, sentence: str, in_public: str) -> None:
        super().__init__(sentence)
        self.in_public = in_public


@contextmanager
def keeping_quiet(name: str, player: int) -> Iterator[None]:
    """With it, whatever is raised while this bot is asked is a `BotFault`."""
    try:
        yield
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        sentence = exception_text(error) if is_a(error, RuseError) else f"{name} has failed: {exception_words(error)}"
        raise BotFault(sentence, f"{one_line(name)} has failed as player {player}") from (error.__cause__ or error)
