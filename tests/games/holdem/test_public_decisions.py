"""The public decisions of the games with a name, counted again from the wording of their sizes, without the rules.

Two players; first raises to 2, to 3, all-in, then to 3 times the bet or all-in; after the flop 75 % of the pot, then
all-in; and "a size above 75 % of the stack becomes all-in", which can be read in more than one way.
"""

from collections.abc import Callable

import pytest

from ruse.games.holdem.fields import NAMED
from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem

AllIn = Callable[[int, int, int], bool]  # what is paid now, what is left before it, the first stack: is it all-in
LEFT: AllIn = lambda pays, left, stack: 4 * pays > 3 * left  # noqa: E731
ABOVE: AllIn = lambda pays, left, stack: 4 * (stack - left + pays) > 3 * stack  # noqa: E731
REACHED: AllIn = lambda pays, left, stack: 4 * (stack - left + pays) >= 3 * stack  # noqa: E731


def counted(stack: int, streets: int, cap: int, is_all_in: AllIn) -> int:
    """How many decisions there are; all amounts in hundredths of a big blind, by seat."""

    def street(paid: tuple[int, int], which: int) -> int:
        if which == streets or stack in paid:
            return 0
        return decision(1, paid, (paid[0], paid[0]), 0, which, frozenset())

    def decision(who: int, paid: tuple[int, int], at: tuple[int, int], raises: int, which: int, done: frozenset) -> int:
        """`at` is what both had paid when the street began; `done` are those who have acted since the last raise."""
        other = 1 - who
        call, left = paid[other] - paid[who], stack - paid[who]
        after = (paid[other],) * 2
        ends = other in done
        total = 1 + (street(after, which + 1) if ends else decision(other, after, at, raises, which, done | {who}))
        if (cap and raises == cap) or left <= call or paid[other] == stack:
            return total
        bet, pot = paid[other] - at[other], sum(paid) + call
        if which == 0:
            sizes = [200, 300, stack] if raises == 0 else [3 * bet, stack]
        else:
            sizes = [(3 * pot + 2) // 4] if raises == 0 else [stack]
        made = {stack if is_all_in(at[who] + to - paid[who], left, stack) else at[who] + to for to in sizes}
        for to in {min(to, stack) for to in made}:
            raised = (to, paid[1]) if who == 0 else (paid[0], to)
            total += decision(other, raised, at, raises + 1, which, frozenset({who}))
        return total

    return decision(0, (50, 100), (0, 0), 0, 0, frozenset())


@pytest.mark.parametrize("name", ["hu25", "hu20", "hu100", "hu_pre20", "hu_pre100"])
def test_all_in_from_three_quarters_of_what_is_left(name: str) -> None:
    game = Holdem(**NAMED[name])
    assert counted(round(100 * game.stack), game.streets, game.cap, LEFT) == (lines_of(game).who >= 0).sum()


def test_other_readings_of_the_stack() -> None:
    """Of the games that were counted elsewhere one differs: 358 are those where three quarters of the first stack, once
    they are reached, are all-in. Read as "above" them it would be 418.
    """
    assert [counted(2000, 4, 2, reading) for reading in (LEFT, ABOVE, REACHED)] == [426, 418, 358]
    for stack, streets, cap, count in ((10_000, 4, 2, 686), (2000, 1, 4, 20), (10_000, 1, 4, 30)):
        assert {counted(stack, streets, cap, reading) for reading in (LEFT, ABOVE, REACHED)} == {count}
