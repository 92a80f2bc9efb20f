"""What a seat hears of a move in words that are new to it, found in descriptions before and after."""

import re


def new_in(text: str, before: str) -> list[str]:
    """What a description has more than it had; all of it where it was written anew.

    >>> new_in("J, pass bet", "J, pass"), new_in("J", "J"), new_in("J, Q", "J, no board")
    (['bet'], [], ['J, Q'])
    """
    new = text.removeprefix(before).strip(", ")
    return [new] if text != before and new else []


def own_in(name: str, text: str, before: str) -> list[str]:
    """What a seat hears of its own action: the name, and what else its description has more than it had.

    >>> own_in("bet", "J, pass bet", "J, pass"), own_in("1", "3:1 tied, 2", "3"), own_in("rock", "rock", "to move")
    (['bet'], ['1', 'tied, 2'], ['rock'])
    """
    if text.startswith(before) and (again := re.match(rf"\W*{re.escape(name)}(?!\w)", text[len(before) :])):
        before = text[: len(before) + again.end()]
    return [name, *(line for line in new_in(text, before) if line != name)]
