"""Menus: the bet sizes that a game offers, in three integers each, so that kernels can read them.

A size has 20 bits: its kind (`bets.py`), and its number in hundredths, of chips in ones. A menu is made from a text by
`menu`, and printed it is that text again. Sizes below the least raise become that, sizes above the stack, or above the
share of it that the game names, become all-in, and what is there twice is offered once. So an action is a size in the
order of the menu; a bit in OPTIONS says which of them there are.
"""

from typing import Any, NamedTuple

from ruse.compile import compiled_function
from ruse.errors import RuseError
from ruse.games.bits import nth_one, ones_in
from ruse.games.holdem.betting.bets import ANY, CHIPS, BetSize, bet_to, bets_named
from ruse.games.holdem.betting.paying import bet_of, highest_to, least_to, may_raise, most_to, pot_of, to_call
from ruse.games.holdem.row import HIGH, LEVEL, OPTIONS, RAISES, WHO, left, street_of

WIDTH, KIND = 20, 3  # bits of a size, and of its kind
A_WORD, MOST_SIZES = 3, 9
LARGEST = (1 << WIDTH - KIND) - 1
NO_SIZES = 1 << KIND  # a first size of no kind: a menu that is meant to be empty
LIMITED, EVERY = 1 << MOST_SIZES, 2 << MOST_SIZES  # OPTIONS: the one raise of a limit game; every amount


class Menu(NamedTuple):
    """Up to nine sizes. Made by `menu`; without any it is that of the street before."""

    first: int = 0
    second: int = 0
    third: int = 0

    @property
    def sizes(self) -> tuple[BetSize, ...]:
        codes = [word >> WIDTH * k & ((1 << WIDTH) - 1) for word in self for k in range(A_WORD)]
        return tuple(size_of(code) for code in codes if code & ((1 << KIND) - 1))

    def __str__(self) -> str:
        """As it stands among the fields of a game: without commas."""
        return "/".join(map(str, self.sizes)) or ("none" if self.first else "same")

    def __repr__(self) -> str:
        return f"menu({str(self)!r})"


def size_of(code: int) -> BetSize:
    kind, amount = code & ((1 << KIND) - 1), code >> KIND
    return BetSize(kind, float(amount) if kind == CHIPS else amount / 100)


def menu(text: Any, *, opens: bool = False) -> Menu:
    """The menu of a text such as `2bb, 3bb, 60%, all-in`; `none` for no size, `same` for that of the street before."""
    if isinstance(text, Menu):
        return text
    words = str(text).strip().removeprefix("(").removesuffix(")")
    if words.strip().casefold() == "same":
        return Menu()
    sizes = bets_named(words, opens=opens)
    if len(sizes) > MOST_SIZES:
        raise RuseError(f"the bets {words!r} have {len(sizes)} sizes; a menu has at most {MOST_SIZES}")
    menu = [0] * (MOST_SIZES // A_WORD)
    for k, size in enumerate(sizes):
        amount = size.amount if size.kind == CHIPS else 100 * size.amount
        if abs(amount - round(amount)) > 1e-6 or amount > LARGEST:
            finest, most = (1, LARGEST) if size.kind == CHIPS else (0.01, LARGEST / 100)
            raise RuseError(f"{size} in the bets {words!r} must be at most {most:,g}, in steps of {finest:g}")
        menu[k // A_WORD] |= (round(amount) << KIND | size.kind) << WIDTH * (k % A_WORD)
    return Menu(*menu) if sizes else Menu(NO_SIZES)


def first_bets(text: Any) -> Menu:
    """A menu for streets on which nothing is bet yet."""
    return menu(text, opens=True)


# ---- in kernels ------------------------------------------------------------------------------------------------------


@compiled_function
def menu_of(game, street, raises):
    """The menu for the next raise on a street."""
    if street == 0:
        return game.open if raises == 0 else game.reraise
    if raises == 0:
        if street == 3 and game.river_bets.first != 0:
            return game.river_bets
        return game.turn_bets if street >= 2 and game.turn_bets.first != 0 else game.flop_bets
    if street == 3 and game.river_raises.first != 0:
        return game.river_raises
    return game.turn_raises if street >= 2 and game.turn_raises.first != 0 else game.flop_raises


@compiled_function
def code_at(menu, k):
    """The k-th size of a menu, or 0."""
    word = menu.first if k < A_WORD else menu.second if k < 2 * A_WORD else menu.third
    return word >> WIDTH * (k % A_WORD) & ((1 << WIDTH) - 1)


@compiled_function
def chips_to(game, s, code, pot):
    """What the bet of the player to act comes to by a size: whole chips, within the rules."""
    me, kind, amount = s[WHO], code & ((1 << KIND) - 1), float(code >> KIND)
    if kind != CHIPS:
        amount /= 100.0
    least, most, highest = least_to(game, s), most_to(game, s), s[HIGH] - s[LEVEL]
    wanted = bet_to(kind, amount, pot, to_call(game, s, me), highest, least, most, game.chips)
    to = max(least, min(most, int(wanted + 0.5)))
    if to - bet_of(game, s, me) > game.all_in_from * s[left(game) + me]:
        return most
    return to


@compiled_function
def offer(game, s):
    """Note in OPTIONS which sizes the player to act may bet."""
    s[OPTIONS] = 0
    if not may_raise(game, s):
        return
    if game.limit:
        s[OPTIONS] = LIMITED
        return
    menu, pot, highest = menu_of(game, street_of(game, s), s[RAISES]), pot_of(game, s), 0
    if code_at(menu, 0) & ((1 << KIND) - 1) == ANY:
        s[OPTIONS] = EVERY
        return
    for k in range(MOST_SIZES):
        code = code_at(menu, k)
        if code & ((1 << KIND) - 1) == 0:
            return
        to = chips_to(game, s, code, pot)
        is_new = to > highest
        if not is_new:  # out of order, or the same as one before
            is_new = True
            for other in range(k):
                is_new = is_new and chips_to(game, s, code_at(menu, other), pot) != to
        if is_new:
            s[OPTIONS] |= 1 << k
        highest = max(highest, to)


@compiled_function
def raises_in(game, s):
    """How many different raises the player to act may choose from."""
    if s[OPTIONS] == EVERY:
        return highest_to(game, s) - least_to(game, s) + 1
    return ones_in(s[OPTIONS])


@compiled_function
def nth_raise(game, s, k):
    """What the bet comes to by the k-th of these."""
    if s[OPTIONS] >= LIMITED:
        return least_to(game, s) + k
    menu = menu_of(game, street_of(game, s), s[RAISES])
    return chips_to(game, s, code_at(menu, nth_one(s[OPTIONS], k)), pot_of(game, s))
