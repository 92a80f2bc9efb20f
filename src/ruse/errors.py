"""What can go wrong through no fault of the program."""

from ruse.words.printable import printable, shortened


class RuseError(Exception):
    """Anything a person can cause. Its text is one sentence; the command line prints it and exits with 2."""

    def __str__(self) -> str:
        return printable(shortened(super().__str__()))  # it may quote a file


class WrongAnswer(RuseError):
    """A rule of a game has returned what is no answer."""


class OtherWidth(RuseError):
    """A strategy has another number of actions at an infoset than the game that it is laid on."""


class FileTrouble(RuseError):
    """A file that cannot be written, or that is torn, damaged or not ours."""


class NewerFile(FileTrouble):
    """A file of a newer version of ruse: nothing is wrong with it, so nothing may be thrown away because of it."""
