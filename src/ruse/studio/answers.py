"""What the studio says no with: one sentence, and the number that HTTP has for it."""

import re

from pydantic import BaseModel

from ruse.errors import RuseError
from ruse.play.bots.discretion import BotFault


class Missing(RuseError):
    """There is no such thing: 404."""


class Clash(RuseError):
    """It does not go with how things are now: 409."""


class Overfull(RuseError):
    """More than the studio gives to anybody at once: 429."""


STATUS: tuple[tuple[type[RuseError], int], ...] = ((Missing, 404), (Clash, 409), (Overfull, 429), (RuseError, 400))


def status_of(error: RuseError) -> int:
    return next(status for kind, status in STATUS if isinstance(error, kind))


# Sentences of the library tell what to type in a terminal; a page has no options to add.
ON_A_PAGE = tuple((re.compile(typed), done) for typed, done in (
    (r"if it was moved, add --game FILE$", "put that file back"),
    (r"or add --game FILE with the rules of then$", "or bring the rules of then back"),
    (r"; add --game FILE$", ""),
    (
        r"(?:if you trust it, |if it is one, |(?<=: ))add --game (.+?)(?:, or game=ruse\.game\(\.\.\.\) in Python)?$",
        r"if you trust it, type `ruse check \1` once in a terminal",
    ),
))  # fmt: skip


def said_on_a_page(error: RuseError) -> str:
    """What went wrong, for somebody who is at the page and not at a terminal."""
    if isinstance(error, BotFault):
        return f"{error.in_public}, so this game cannot go on; the studio's log tells what it did"
    sentence = str(error)
    for typed, done in ON_A_PAGE:
        sentence = typed.sub(done, sentence)
    return sentence


class Trouble(BaseModel):
    """What was wrong, in a sentence for people."""

    error: str


# For OpenAPI: what any request may be answered with instead of what it asked for.
REFUSALS: dict[int | str, dict[str, object]] = {
    400: {"model": Trouble, "description": "what was asked for cannot be"},
    401: {"model": Trouble, "description": "the token is missing"},
    403: {"model": Trouble, "description": "asked by another page"},
    404: {"model": Trouble, "description": "there is no such thing"},
    409: {"model": Trouble, "description": "not as things are now"},
    413: {"model": Trouble, "description": "too large"},
    422: {"model": Trouble, "description": "not of the form that is documented"},
    429: {"model": Trouble, "description": "too many at once"},
}
