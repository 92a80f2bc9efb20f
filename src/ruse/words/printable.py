"""Text that may have come from a file, before a terminal sees it.

A file can hold what steers a terminal (escape sequences, carriage returns) or what makes text read otherwise than it is
(characters that turn the direction of writing). None of it is printed: it is spelled out instead.
"""

import json
import unicodedata
from typing import Any, TextIO


def printable(text: str) -> str:
    r"""The text with all that cannot be seen spelled out as in JSON, which so remains the same JSON.

    >>> print(printable("a \x1b[2J b\u202e c"))
    a \u001b[2J b\u202e c
    """
    if text.isprintable():
        return text
    return "".join(c if is_harmless(c) else json.dumps(c)[1:-1] for c in text)


def shortened(text: str, most: int = 1_500) -> str:
    """The text without its middle, if it is longer than anybody reads: a sentence may quote a file.

    >>> shortened("a strategy for " + "x" * 100 + ", not for leduc", most=40)
    'a strategy for xxxxx … xx, not for leduc'
    """
    return text if len(text) <= most else f"{text[: most // 2]} … {text[3 - most // 2 :]}"


def shown(value: Any, most: int = 1_500) -> str:
    """A value that was given, in one line, for a sentence about it; whatever it is, there are words for it.

    >>> shown([1, "x"]), shown(10**5000)
    ("[1, 'x']", 'an int that is too long to be printed')
    """
    try:
        return shortened(one_line(repr(value)), most)
    except ValueError:  # of a number with thousands of digits
        return f"an {type(value).__name__} that is too long to be printed"
    except Exception:
        return f"something of the kind {type(value).__name__}, which cannot say what it is"


def is_harmless(c: str) -> bool:
    """Whether a character does no more than show itself, end a line or leave a space."""
    return c.isprintable() or c in "\n\t" or unicodedata.category(c) == "Zs"


def one_line(text: str) -> str:
    """The same with all white space turned into single blanks."""
    return printable(" ".join(text.split()))


class PrintableStream:
    """A stream of text on which nothing is written but what can be printed."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        self.beneath.write(printable(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def beneath(stream: TextIO) -> TextIO:
    """The stream as the system has it, for whoever steers the terminal on purpose or writes a file as it is."""
    return stream.beneath if isinstance(stream, PrintableStream) else stream
